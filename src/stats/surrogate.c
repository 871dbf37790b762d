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
	free(s->row);
	free(s->relations);
	free(s->products);
	free(s->distances);
	for (int i = 0; i < SURROGATE_SCALES_MAX; i++) {
		free(s->scales[i].l);
		free(s->scales[i].a);
		free(s->scales[i].b);
	}
	memset(s, 0, sizeof(*s));
}

/* Makes the rows of a matrix longer. */
static double *
widen(double *m, size_t old, size_t room)
{
	m = xreallocarray(m, room * room, sizeof(double));
	for (size_t i = old; i-- > 1;)
		memmove(m + i * room, m + i * old, old * sizeof(double));
	return m;
}

/* Makes room for another value; the factors keep their rows. */
static void
grow(struct surrogate *s)
{
	size_t room = (size_t)s->room * 2 + 32, old = (size_t)s->room;

	if (s->n < s->room)
		return;
	s->x = xreallocarray(s->x, room * (size_t)s->d, sizeof(double));
	s->y = xreallocarray(s->y, room, sizeof(double));
	s->noise = xreallocarray(s->noise, room, sizeof(double));
	s->row = xreallocarray(s->row, room, sizeof(double));
	s->relations = xreallocarray(s->relations, 2 * room, sizeof(double));
	s->products = widen(s->products, old, room);
	s->distances = widen(s->distances, old, room);
	for (int i = 0; i < SURROGATE_SCALES_MAX; i++) {
		struct surrogate_scale *of = &s->scales[i];
		of->l = widen(of->l, old, room);
		of->a = xreallocarray(of->a, room, sizeof(double));
		of->b = xreallocarray(of->b, room, sizeof(double));
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
factor_row(const struct surrogate *s, const struct surrogate_scale *of, int i)
{
	return of->l + (size_t)i * (size_t)s->room;
}

/* The covariance of the function at two points, without the constant. */
static double
covariance(const struct surrogate_scale *of, double product, double distance)
{
	return of->linear * product +
	    of->smooth * exp(-distance / (2 * of->length * of->length)) +
	    (distance > 0 ? 0 : of->own);
}

/* Solves l x = b for the first n rows; x may be b. */
static void
solve_lower(const struct surrogate *s, const struct surrogate_scale *of, int n,
    const double *b, double *x)
{
	for (int i = 0; i < n; i++) {
		const double *row = factor_row(s, of, i);
		double sum = b[i];
		for (int k = 0; k < i; k++)
			sum -= row[k] * x[k];
		x[i] = sum / row[i];
	}
}

/* Solves l' x = x. */
static void
solve_upper(const struct surrogate *s, const struct surrogate_scale *of, double *x)
{
	for (int i = s->n - 1; i >= 0; i--) {
		const double *row = factor_row(s, of, i);
		x[i] /= row[i];
		for (int k = 0; k < i; k++)
			x[k] -= row[k] * x[i];
	}
}

/* Row i of the factor, from the rows above it. */
static void
factor_one(struct surrogate *s, struct surrogate_scale *of, int i)
{
	double *row = factor_row(s, of, i);
	double rest = covariance(of, s->products[place(s, i, i)], 0) + s->noise[i];
	double least = JITTER * (rest + of->smooth);

	for (int k = 0; k < i; k++)
		s->row[k] = covariance(of, s->products[place(s, i, k)],
		    s->distances[place(s, i, k)]);
	solve_lower(s, of, i, s->row, row);
	for (int k = 0; k < i; k++)
		rest -= row[k] * row[k];
	row[i] = sqrt(fmax(rest, least));
}

/* The constant, the weights of the values and the evidence, from the factor. */
static void
weigh(const struct surrogate *s, struct surrogate_scale *of)
{
	double weighted = 0, fit = 0, size = 0;

	of->ones = 0;
	for (int i = 0; i < s->n; i++) {
		of->a[i] = s->y[i];
		of->b[i] = 1;
	}
	solve_lower(s, of, s->n, of->a, of->a);
	solve_lower(s, of, s->n, of->b, of->b);
	for (int i = 0; i < s->n; i++) {
		weighted += of->a[i] * of->b[i];
		of->ones += of->b[i] * of->b[i];
		size += log(factor_row(s, of, i)[i]);
	}
	of->constant = weighted / of->ones;
	for (int i = 0; i < s->n; i++) {
		of->a[i] -= of->constant * of->b[i];
		fit += of->a[i] * of->a[i];
	}
	/* the last term is for the constant, which is estimated */
	of->evidence = -fit / 2 - size - log(of->ones) / 2;
	solve_upper(s, of, of->a);
	solve_upper(s, of, of->b);
}

static void
refit(struct surrogate *s, struct surrogate_scale *of)
{
	for (int i = 0; i < s->n; i++)
		factor_one(s, of, i);
	weigh(s, of);
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

static int
compare_evidence(const void *a, const void *b)
{
	const struct surrogate_scale *s = a, *t = b;

	return s->evidence > t->evidence ? -1 : s->evidence < t->evidence;
}

/* The grid, each scale with its evidence, most probable first. */
enum {
	LINEAR = 3,
	SMOOTH = 2,
	OWN = 2,
	LENGTHS = 2,
	GRID = LINEAR * SMOOTH * OWN * LENGTHS
};

static void
try_grid(struct surrogate *s, struct surrogate_scale grid[GRID])
{
	static const double linear[LINEAR] = { 0.3, 0.1, 1 },
			    smooth[SMOOTH] = { 0.03, 0.3 }, own[OWN] = { 0.02, 0.2 },
			    lengths[LENGTHS] = { 1, 3 };
	struct surrogate_scale *of = &s->scales[0];
	double all = spread(s);

	for (int c = 0; c < GRID; c++) {
		of->linear = all * linear[c / (SMOOTH * OWN * LENGTHS)];
		of->smooth = all * smooth[c / (OWN * LENGTHS) % SMOOTH];
		of->own = all * own[c / LENGTHS % OWN];
		of->length = lengths[c % LENGTHS];
		refit(s, of);
		grid[c] = *of;
	}
	qsort(grid, GRID, sizeof(*grid), compare_evidence);
}

/* Scales with less of the greatest weight than this do not matter. */
#define LEAST_WEIGHT 0.02

void
surrogate_fit(struct surrogate *s)
{
	struct surrogate_scale grid[GRID];
	double sum = 0;

	try_grid(s, grid);
	for (s->nscales = 0; s->nscales < SURROGATE_SCALES_MAX; s->nscales++) {
		const struct surrogate_scale *from = &grid[s->nscales];
		struct surrogate_scale *of = &s->scales[s->nscales];
		of->weight = exp(from->evidence - grid[0].evidence);
		if (of->weight < LEAST_WEIGHT)
			break;
		of->linear = from->linear;
		of->smooth = from->smooth;
		of->own = from->own;
		of->length = from->length;
		refit(s, of);
		sum += of->weight;
	}
	for (int i = 0; i < s->nscales; i++)
		s->scales[i].weight /= sum;
}

void
surrogate_extend(struct surrogate *s, const double *x, double y, double se)
{
	surrogate_add(s, x, y, se);
	for (int i = 0; i < s->nscales; i++) {
		factor_one(s, &s->scales[i], s->n - 1);
		weigh(s, &s->scales[i]);
	}
}

/* What one scale expects at a point, from its relations to those of the values. */
static void
predict_by(const struct surrogate *s, const struct surrogate_scale *of, double size,
    double *mean, double *variance)
{
	double rest = 1;

	*mean = of->constant;
	*variance = covariance(of, size, 0);
	for (int i = 0; i < s->n; i++) {
		s->row[i] = covariance(of, s->relations[2 * i], s->relations[2 * i + 1]);
		*mean += s->row[i] * of->a[i];
		rest -= s->row[i] * of->b[i];
	}
	solve_lower(s, of, s->n, s->row, s->row);
	for (int i = 0; i < s->n; i++)
		*variance -= s->row[i] * s->row[i];
	*variance = fmax(0, *variance) + rest * rest / of->ones;
}

void
surrogate_predict(const struct surrogate *s, const double *x, double *mean, double *sd)
{
	double size, none, first = 0, shift = 0, squares = 0;

	relate(s->d, x, x, &size, &none);
	for (int i = 0; i < s->n; i++)
		relate(s->d, x, point(s, i), &s->relations[2 * i],
		    &s->relations[2 * i + 1]);
	/* the variance of the mixture, about what the most probable scale expects */
	for (int i = 0; i < s->nscales; i++) {
		double at, variance, weight = s->scales[i].weight;
		predict_by(s, &s->scales[i], size, &at, &variance);
		first = i == 0 ? at : first;
		shift += weight * (at - first);
		squares += weight * (variance + (at - first) * (at - first));
	}
	*mean = first + shift;
	*sd = sqrt(fmax(0, squares - shift * shift));
}
