#include <math.h>

#include "special.h"

static const double pi = 3.14159265358979323846;

void
legendre_values(double x, int n, double *p)
{
	int k;

	p[0] = 1;
	if (n > 1)
		p[1] = x;
	for (k = 2; k < n; k++)
		p[k] = ((2 * k - 1) * x * p[k - 1] - (k - 1) * p[k - 2]) / k;
}

void
legendre_integrals(double x, int n, double *p)
{
	double v[LEGENDRE_MAX + 2];
	int k;

	legendre_values(x, n + 1, v);
	p[0] = 1 + x;
	for (k = 1; k < n; k++)
		p[k] = (v[k + 1] - v[k - 1]) / (2 * k + 1);
}

void
legendre_init(struct legendre *r, int n)
{
	double p[LEGENDRE_MAX + 1], slope, step, x;
	int i, turn;

	r->n = n;
	for (i = 0; i < n; i++) {
		x = -cos(pi * (i + 0.75) / (n + 0.5));
		for (turn = 0; turn < 100; turn++) {
			legendre_values(x, n + 1, p);
			slope = n * (p[n - 1] - x * p[n]) / (1 - x * x);
			step = p[n] / slope;
			x -= step;
			if (fabs(step) < 1e-15)
				break;
		}
		legendre_values(x, n + 1, p);
		slope = n * (p[n - 1] - x * p[n]) / (1 - x * x);
		r->x[i] = x;
		r->w[i] = 2 / ((1 - x * x) * slope * slope);
	}
}

double
stirling_error(double n)
{
	double factorial, i, s;

	if (n < 16) {
		for (factorial = i = 1; i <= n; i++)
			factorial *= i;
		return log(factorial) - (n + 0.5) * log(n) + n -
		    log(2 * pi) / 2;
	}
	s = 1 / (n * n);
	return (1 / 12. - s * (1 / 360. - s * (1 / 1260. - s * (1 / 1680. -
	    s * (1 / 1188. - s * (691 / 360360.)))))) / n;
}

double
log1p_excess(double e)
{
	double r, s, sum, term;
	int k;

	if (e < -0.4 || e > 0.6)
		return e <= -1 ? INFINITY : e - log1p(e);
	/*
	 * log(1 + e) = 2 atanh r with r = e / (2 + e); since e - 2r = e r, the
	 * linear terms cancel on paper and not in the machine.
	 */
	r = e / (2 + e);
	s = r * r;
	sum = 0;
	for (term = s, k = 3; term > 1e-19; term *= s, k += 2)
		sum += term / k;
	return r * (e - 2 * sum);
}

/* The integral of cos^power from a to b. */
static double
cosine_power(const struct legendre *rule, double power, double a, double b)
{
	double half, middle, sum;
	int i;

	half = (b - a) / 2;
	middle = (a + b) / 2;
	sum = 0;
	for (i = 0; i < rule->n; i++)
		sum += rule->w[i] * pow(cos(middle + half * rule->x[i]), power);
	return half * sum;
}

double
student_quantile(double tail, double dof)
{
	struct legendre rule;
	double area, end, high, low, next, target, x;
	int turn;

	/* With t = sqrt(dof) tan x the density is cos^(dof - 1) x. */
	legendre_init(&rule, LEGENDRE_MAX);
	end = pi / 2;
	if (dof > 81)			/* 40 nats below the top: nothing left */
		end = fmin(end, acos(exp(-40 / (dof - 1))));
	target = 2 * tail * cosine_power(&rule, dof - 1, 0, end);
	low = 0;
	high = end;
	x = end / 2;
	for (turn = 0; turn < 200; turn++) {
		area = cosine_power(&rule, dof - 1, x, end);
		if (area > target)
			low = x;
		else
			high = x;
		next = x + (area - target) / pow(cos(x), dof - 1);
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - x) <= 1e-15 * end)
			break;
		x = next;
	}
	return sqrt(dof) * tan(x);
}

int
cholesky_factor(int n, double a[][CHOLESKY_MAX], double l[][CHOLESKY_MAX],
    double tolerance)
{
	double s;
	int i, j, k;

	for (i = 0; i < n; i++) {
		for (j = 0; j <= i; j++) {
			s = a[i][j];
			for (k = 0; k < j; k++)
				s -= l[i][k] * l[j][k];
			if (j < i)
				l[i][j] = s / l[j][j];
			else if (!(s > tolerance * a[i][i]) || !(s > 0))
				return i;
			else
				l[i][i] = sqrt(s);
		}
	}
	return -1;
}

void
cholesky_solve(int n, double l[][CHOLESKY_MAX], const double *b, double *x)
{
	double s;
	int i, k;

	for (i = 0; i < n; i++) {
		s = b[i];
		for (k = 0; k < i; k++)
			s -= l[i][k] * x[k];
		x[i] = s / l[i][i];
	}
	for (i = n - 1; i >= 0; i--) {
		s = x[i];
		for (k = i + 1; k < n; k++)
			s -= l[k][i] * x[k];
		x[i] = s / l[i][i];
	}
}
