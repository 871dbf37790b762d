#include "surrogate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Keeps the covariance positive definite when points coincide. */
#define JITTER 1e-9

void
surrogate_init(struct surrogate *s, int d)
{
	memset(s, 0, sizeof(*s));
	s->d = d;
}

void
surrogate_release(struct surrogate *s)
{
	free(s->x);
	free(s->y);
	free(s->noise);
	free(s->l);
	free(s->a);
	free(s->b);
	free(s->row);
	free(s->products);
	free(s->distances);
	memset(s, 0, sizeof(*s));
}

/* Makes room for another value; the factor keeps its rows. */
static void
grow(struct surrogate *s)
{
	size_t room = (size_t)s->room * 2 + 32, old = (size_t)s->room;

	if (s->n < s->room)
		return;
	s->x = xreallocarray(s->x, room * (size_t)s->d, sizeof(double));
	s->y = xreallocarray(s->y, room, sizeof(double));
	s->noise = xreallocarray(s->noise, room, sizeof(double));
	s->a = xreallocarray(s->a, room, sizeof(double));
	s->b = xreallocarray(s->b, room, sizeof(double));
	s->row = xreallocarray(s->row, room, sizeof(double));
	s->l = xreallocarray(s->l, room * room, sizeof(double));
	s->products = xreallocarray(s->products, room * room, sizeof(double));
	s->distances = xreallocarray(s->distances, room * room, sizeof(double));
	for (size_t i = old; i-- > 1;) {
		memmove(s->l + i * room, s->l + i * old, old * sizeof(double));
		memmove(s->products + i * room, s->products + i * old,
		    old * sizeof(double));
		memmove(s->distances + i * room, s->distances + i * old,
		    old * sizeof(double));
	}
	s->room = (int)room;
}

static const double *
point(const struct surrogate *s, int i)
{
	return s->x + (size_t)i * (size_t)s->d;
}

static size_t
place(const struct surrogate *s, int i, int k)
{
	return (size_t)i * (size_t)s->room + (size_t)k;
}

/* The scalar product of two points, and the square of their distance. */
static void
relate(int d, const double *p, const double *q, double *product, double *distance)
{
	*product = *distance = 0;
	for (int i = 0; i < d; i++) {
		double far = p[i] - q[i];
		*product += p[i] * q[i];
		*distance += far * far;
	}
}

void
surrogate_add(struct surrogate *s, const double *x, double y, double se)
{
	grow(s);
	memcpy(s->x + (size_t)s->n * (size_t)s->d, x, (size_t)s->d * sizeof(double));
	s->y[s->n] = y;
	s->noise[s->n] = se * se;
	for (int k = 0; k <= s->n; k++) {
		size_t at = place(s, s->n, k);
		relate(s->d, x, point(s, k), &s->products[at], &s->distances[at]);
	}
	s->n++;
}

static double *
factor_row(const struct surrogate *s, int i)
{
	return s->l + (size_t)i * (size_t)s->room;
}

/* The covariance of the function at two points, without the constant. */
static double
covariance(const struct surrogate *s, double product, double distance)
{
	return s->linear * product +
	    s->smooth * exp(-distance / (2 * s->length * s->length));
}

/* Solves l x = b for the first n rows; x may be b. */
static void
solve_lower(const struct surrogate *s, int n, const double *b, double *x)
{
	for (int i = 0; i < n; i++) {
		const double *row = factor_row(s, i);
		double sum = b[i];
		for (int k = 0; k < i; k++)
			sum -= row[k] * x[k];
		x[i] = sum / row[i];
	}
}

/* Solves l' x = x. */
static void
solve_upper(const struct surrogate *s, double *x)
{
	for (int i = s->n - 1; i >= 0; i--) {
		const double *row = factor_row(s, i);
		x[i] /= row[i];
		for (int k = 0; k < i; k++)
			x[k] -= row[k] * x[i];
	}
}

/* Row i of the factor, from the rows above it. */
static void
factor_one(struct surrogate *s, int i)
{
	double *row = factor_row(s, i);
	double rest = covariance(s, s->products[place(s, i, i)], 0) + s->noise[i];
	double least = JITTER * (rest + s->smooth);

	for (int k = 0; k < i; k++)
		s->row[k] = covariance(s, s->products[place(s, i, k)],
		    s->distances[place(s, i, k)]);
	solve_lower(s, i, s->row, row);
	for (int k = 0; k < i; k++)
		rest -= row[k] * row[k];
	row[i] = sqrt(fmax(rest, least));
}

/* The constant, the weights of the values and the evidence, from the factor. */
static void
weigh(struct surrogate *s)
{
	double weighted = 0, fit = 0, size = 0;

	s->ones = 0;
	for (int i = 0; i < s->n; i++) {
		s->a[i] = s->y[i];
		s->b[i] = 1;
	}
	solve_lower(s, s->n, s->a, s->a);
	solve_lower(s, s->n, s->b, s->b);
	for (int i = 0; i < s->n; i++) {
		weighted += s->a[i] * s->b[i];
		s->ones += s->b[i] * s->b[i];
		size += log(factor_row(s, i)[i]);
	}
	s->constant = weighted / s->ones;
	for (int i = 0; i < s->n; i++) {
		s->a[i] -= s->constant * s->b[i];
		fit += s->a[i] * s->a[i];
	}
	/* the last term is for the constant, which is estimated */
	s->evidence = -fit / 2 - size - log(s->ones) / 2;
	solve_upper(s, s->a);
	solve_upper(s, s->b);
}

static void
refit(struct surrogate *s)
{
	for (int i = 0; i < s->n; i++)
		factor_one(s, i);
	weigh(s);
}

/* The variance of the values, never 0. */
static double
spread(const struct surrogate *s)
{
	double mean = 0, squares = 0, noise = 0;

	for (int i = 0; i < s->n; i++) {
		mean += s->y[i] / s->n;
		noise += s->noise[i] / s->n;
	}
	for (int i = 0; i < s->n; i++)
		squares += (s->y[i] - mean) * (s->y[i] - mean) / s->n;
	return squares + noise + JITTER;
}

/* Few values tell nothing of the scale: they get the first choice. */
enum { ENOUGH = 4 };

void
surrogate_fit(struct surrogate *s)
{
	static const double parts[] = { 0.3, 0.01, 0.1, 1 },
			    lengths[] = { 1.5, 0.75, 3, 6 };
	double all = spread(s), best[4] = { -INFINITY, 0, 0, 0 };
	int choices = s->n < ENOUGH ? 1 : 4 * 4 * 4;

	for (int c = 0; c < choices; c++) {
		s->linear = all * parts[c / 16];
		s->smooth = all * parts[c / 4 % 4];
		s->length = lengths[c % 4];
		refit(s);
		if (s->evidence > best[0]) {
			best[0] = s->evidence;
			best[1] = s->linear;
			best[2] = s->smooth;
			best[3] = s->length;
		}
	}
	s->linear = best[1];
	s->smooth = best[2];
	s->length = best[3];
	refit(s);
}

void
surrogate_extend(struct surrogate *s, const double *x, double y, double se)
{
	surrogate_add(s, x, y, se);
	factor_one(s, s->n - 1);
	weigh(s);
}

void
surrogate_predict(const struct surrogate *s, const double *x, double *mean, double *sd)
{
	double product, distance, rest = 1;

	relate(s->d, x, x, &product, &distance);
	double variance = covariance(s, product, distance);
	*mean = s->constant;
	for (int i = 0; i < s->n; i++) {
		relate(s->d, x, point(s, i), &product, &distance);
		s->row[i] = covariance(s, product, distance);
		*mean += s->row[i] * s->a[i];
		rest -= s->row[i] * s->b[i];
	}
	solve_lower(s, s->n, s->row, s->row);
	for (int i = 0; i < s->n; i++)
		variance -= s->row[i] * s->row[i];
	*sd = sqrt(fmax(0, variance) + rest * rest / s->ones);
}
