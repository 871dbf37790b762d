#include "special.h"

#include <math.h>

#define NATS 45 /* e^-45 of the peak is negligible */

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

static void
legendre_make(struct legendre *r, int n)
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

void
legendre_init(struct legendre *r, int n)
{
	/* To make a rule takes longer than most callers take to use it. */
	static _Thread_local struct legendre made[LEGENDRE_MAX + 1];

	if (made[n].n == 0)
		legendre_make(&made[n], n);
	*r = made[n];
}

double
place_value(struct place p)
{
	static const double from[4] = { 0, 0.5, 0.5, 1 };

	return from[p.quarter] + (p.quarter & 1 ? -p.s : p.s);
}

struct place
place_mirror(struct place p)
{
	p.quarter = 3 - p.quarter;
	return p;
}

int
place_compare(struct place a, struct place b)
{
	int order;

	if (a.quarter != b.quarter)
		return a.quarter < b.quarter ? -1 : 1;
	order = (a.s > b.s) - (a.s < b.s);
	return a.quarter & 1 ? -order : order;
}

/* For place_between: four times the number x, with more digits at 0. */
static double
place_number(struct place p)
{
	return p.quarter + (p.quarter & 1 ? 1 - 4 * p.s : 4 * p.s);
}

struct place
place_between(struct place a, struct place b, double part)
{
	double x;

	if (a.quarter == b.quarter)
		a.s += part * (b.s - a.s);
	else {
		x = place_number(a);
		x += part * (place_number(b) - x);
		a.quarter = x >= 3 ? 3 : (int)x;
		a.s = (x - a.quarter) / 4;
		if (a.quarter & 1)
			a.s = 0.25 - a.s;
	}
	return a;
}

/*
 * log n! - [(n + 1/2) log n - n + log(2 pi) / 2] for n > 0: what remains of log n!
 * when its large terms have been cancelled analytically.
 */
static double
stirling_error(double n)
{
	double factorial, i, s;

	if (n < 16 && n != floor(n))
		return lgamma(n + 1) - (n + 0.5) * log(n) + n - log(2 * pi) / 2;
	if (n < 16) {
		for (factorial = i = 1; i <= n; i++)
			factorial *= i;
		return log(factorial) - (n + 0.5) * log(n) + n - log(2 * pi) / 2;
	}
	s = 1 / (n * n);
	double p = 1 / 1260. - s * (1 / 1680. - s * (1 / 1188. - s * (691 / 360360.)));
	return (1 / 12. - s * (1 / 360. - s * p)) / n;
}

/* e - log(1 + e), with full relative precision near e = 0. */
static double
log1p_excess(double e)
{
	double r, s, sum, term;
	int k;

	if (e < -0.4 || e > 0.6)
		return e <= -1 ? INFINITY : e - log1p(e);
	/*
	 * log(1 + e) = 2 atanh r with r = e / (2 + e); since e - 2r = e r, the
	 * linear terms cancel analytically, without rounding.
	 */
	r = e / (2 + e);
	s = r * r;
	sum = 0;
	for (term = s, k = 3; term > 1e-19; term *= s, k += 2)
		sum += term / k;
	return r * (e - 2 * sum);
}

/* log k! without k log k - k, which spline_log_multinomial() cancels. */
static double
stirling_rest(double k)
{
	return k > 0 ? log(2 * pi * k) / 2 + stirling_error(k) : 0;
}

void
spline_init(struct spline *f, double ones, double halves, double zeros, int middle)
{
	double half, one, total, zero;
	int i;

	f->k[0] = ones;
	f->k[1] = halves;
	f->k[2] = zeros;
	f->middle = middle;
	f->n = ones + halves + zeros;
	f->largest = 0;
	f->scale = stirling_rest(f->n) + log(f->n + 1);
	if (middle)
		f->scale += log(2 * (f->n + 2));
	for (i = 0; i < 3; i++) {
		f->scale -= stirling_rest(f->k[i]);
		if (f->k[i] > f->k[f->largest])
			f->largest = i;
	}
	total = 2 * (f->n + 2 + middle);
	zero = (2 * (ones + 1) + halves + middle) / total;
	half = (zeros - ones) / total;
	one = (2 * (zeros + 1) + halves + middle) / total;
	if (zero <= 0.25 || one <= 0.25) {
		f->mean.quarter = zero <= 0.25 ? 0 : 3;
		f->mean.s = fmin(zero, one);
	} else {
		f->mean.quarter = half >= 0 ? 1 : 2;
		f->mean.s = fabs(half);
	}
}

/*
 * log of the multinomial probability of the counts k under p, less the
 * constants in scale: minus the sum of k log(k / np).  As the np - k sum to
 * zero they may be added, which makes every term positive and small; the
 * deviation of the largest count is taken from the others so that rounding
 * in a p near 1 is not multiplied by n.
 */
static double
spline_log_multinomial(const struct spline *f, const double *p)
{
	double away[3], k, rest, sum;
	int i;

	rest = 0;
	for (i = 0; i < 3; i++) {
		away[i] = fma(f->n, p[i], -f->k[i]);
		if (i != f->largest)
			rest -= away[i];
	}
	if (rest > -0.4 * f->k[f->largest])
		away[f->largest] = rest;
	sum = 0;
	for (i = 0; i < 3; i++) {
		k = f->k[i];
		if (k > 0 && away[i] > -0.4 * k)
			sum += k * log1p_excess(away[i] / k);
		else if (k > 0)
			sum += k * log(k / (f->n * p[i])) + away[i];
		else
			sum += away[i];
	}
	return -sum;
}

/*
 * How far the inner integrand has fallen, in nats, at a distance from its top.
 * log(1 + e) is written out, with the rounding of 1 + e corrected, because nearly
 * all the time is spent here and the library's log1p() is slower.
 */
static double
spline_drop(const struct spline *f, const double *slope, double distance)
{
	double e, one, sum;
	int i;

	sum = 0;
	for (i = 0; i < 3; i++) {
		if (f->k[i] == 0)
			continue;
		e = distance * slope[i];
		one = 1 + e;
		if (!(one > 0))
			return INFINITY;
		sum -= f->k[i] * (log(one) + (e - (one - 1)) / one);
	}
	return sum;
}

/*
 * The distance, of the sign of edge and not beyond it, at which the inner
 * integrand has become negligible.
 */
static double
spline_reach(const struct spline *f, const double *slope, double edge)
{
	double curve, drop, high, low, try;
	int i, turn;

	/* Before the edge, as a low power that vanishes there does no harm. */
	high = 0.99 * edge;
	if (edge == 0 || spline_drop(f, slope, high) < NATS)
		return edge;
	low = 0;
	curve = 0;
	for (i = 0; i < 3; i++)
		curve += f->k[i] * slope[i] * slope[i];
	try = copysign(sqrt(2 * NATS / curve), edge);
	for (turn = 0; turn < 200; turn++) {
		if (!(try / high < 1 && try / high > low / high))
			try = (low + high) / 2;
		drop = spline_drop(f, slope, try);
		if (drop > 1.3 * NATS)
			high = try;
		else if (drop < 0.9 * NATS)
			low = try;
		else
			return try;
		try *= drop > NATS / 4. ? sqrt(1.1 * NATS / drop) : 2;
	}
	return high;
}

/*
 * Where the inner integrand u^k0 (x-u)^k1 (c+u)^k2, c = 1-2x >= 0, is largest,
 * as the probability p there.  The smaller of u and v = x - u is a root found without
 * cancellation, the other the difference.
 */
static void
spline_top(const struct spline *f, double x, double c, double *p)
{
	double b, root, u, v;

	b = f->k[0] * (x - c) - f->k[1] * c + f->k[2] * x;
	root = sqrt(b * b + 4 * f->n * f->k[0] * x * c);
	if (f->n == 0)
		u = x / 2;
	else if (b < 0)
		u = 2 * f->k[0] * x * c / (root - b);
	else
		u = (b + root) / (2 * f->n);
	v = x - u;
	if (v < u && f->n > 0) {
		b = f->k[0] * (x + c) + f->k[1] * (2 * x + c) + f->k[2] * x;
		root = b * b - 4 * f->n * f->k[1] * x * (x + c);
		v = 2 * f->k[1] * x * (x + c) / (b + sqrt(fmax(root, 0)));
		u = x - v;
	}
	p[0] = u;
	p[1] = 2 * v;
	p[2] = c + u;
}

/*
 * The density at x, given with c = 1 - 2x >= 0, as the integral over u, the
 * probability of a one, of the multinomial probability.
 */
static double
spline_log_integral(const struct spline *f, const struct legendre *rule, double x,
    double c)
{
	double half, high, low, middle, p[3], slope[3], sum;
	int i;

	spline_top(f, x, c, p);
	for (i = 0; i < 3; i++)
		slope[i] = f->k[i] > 0 ? (i == 1 ? -2 : 1) / p[i] : 0;
	low = -p[0];
	high = p[1] / 2;
	if (f->n >= 2 * rule->n) { /* else the rule is exact anyway */
		low = spline_reach(f, slope, low);
		high = spline_reach(f, slope, high);
	}
	half = (high - low) / 2;
	middle = (high + low) / 2;
	sum = 0;
	for (i = 0; i < rule->n; i++)
		sum +=
		    rule->w[i] * exp(-spline_drop(f, slope, middle + half * rule->x[i]));
	return f->scale + spline_log_multinomial(f, p) + log(half * sum);
}

double
spline_log(const struct spline *f, const struct legendre *rule, struct place at)
{
	struct spline mirror;
	double p[3];

	if (at.quarter >= 2) { /* so that x <= 1/2 */
		mirror = *f;
		mirror.k[0] = f->k[2];
		mirror.k[2] = f->k[0];
		mirror.largest = 2 - f->largest;
		return spline_log(&mirror, rule, place_mirror(at));
	}
	p[0] = place_value(at);
	if (!(p[0] > 0))
		return -INFINITY;
	if (f->middle)
		return spline_log_integral(f, rule, p[0],
		    2 * (at.quarter == 0 ? 0.5 - at.s : at.s));
	p[1] = 0;
	p[2] = 1 - p[0];
	return f->scale + spline_log_multinomial(f, p);
}

/* cos^power x, also for a large power near x = 0, where cos x is too blunt. */
static double
cosine_to_power(double x, double power)
{
	double s;

	s = sin(x);
	return exp(power * (s < 0.5 ? log1p(-s * s) / 2 : log(cos(x))));
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
		sum += rule->w[i] * cosine_to_power(middle + half * rule->x[i], power);
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
	if (dof > 81) /* 40 nats below the top */
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
		next = x + (area - target) / cosine_to_power(x, dof - 1);
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - x) <= 1e-15 * end)
			break;
		x = next;
	}
	return sqrt(dof) * tan(x);
}

double
normal_quantile(double tail)
{
	/* Student's t with so many degrees of freedom differs by less than 1e-10. */
	return student_quantile(tail, 1e10);
}

struct range
wilson_range(double p, double n, double t)
{
	double whole = 1 + t * t / n, middle = p + t * t / (2 * n);
	double half = t * sqrt(p * (1 - p) / n + t * t / (4 * n * n));

	return (struct range){ p, p == 0 ? 0 : fmax((middle - half) / whole, 0),
		p == 1 ? 1 : fmin((middle + half) / whole, 1) };
}

/* The continued fraction of Gamma(a, x), for x > a + 1, by Lentz's method. */
static double
gamma_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1e300, d = 1 / b, h = d, step;
	int i;

	for (i = 1; i < 10000; i++) {
		double an = -i * (i - a);
		b += 2;
		d = 1 / (an * d + b);
		c = b + an / c;
		step = c * d;
		h *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return h;
}

double
chi_squared_tail(double x, double dof)
{
	double a = dof / 2, term = 1 / a, sum = term, n;

	x /= 2;
	if (!(x > 0))
		return 1;
	double factor = exp(a * log(x) - x - lgamma(a));
	if (x > a + 1)
		return factor * gamma_fraction(a, x);
	for (n = a + 1; term > 1e-17 * sum; n++)
		sum += term *= x / n;
	return 1 - factor * sum;
}

/* The continued fraction of the incomplete beta function, by Lentz's method:
 * quick for x < (a + 1) / (a + b + 2). */
static double
beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d, step = 0;
	int m;

	for (m = 1; m < 10000 && fabs(step - 1) > 1e-15; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + even * d);
		c = 1 + even / c;
		h *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		step = c * d;
		h *= step;
	}
	return h;
}

/* P(X < x) for X of Beta(a, b). */
static double
beta_below(double a, double b, double x)
{
	if (!(x > 0))
		return 0;
	if (!(x < 1))
		return 1;
	double factor =
	    exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return factor * beta_fraction(a, b, x) / a;
	return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

double
fisher_tail(double f, double dof, double dof_below)
{
	if (!(f > 0))
		return 1;
	return beta_below(dof_below / 2, dof / 2, dof_below / (dof_below + dof * f));
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
