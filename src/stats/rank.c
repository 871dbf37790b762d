#include "rank.h"

#include <math.h>
#include <stdlib.h>

#include "special.h"

/* ---- memory ---- */

static bool
grow(void *array, size_t n, size_t size)
{
	void **p = array;
	void *more = reallocarray(*p, n + 1, size);

	if (more == NULL)
		return false;
	*p = more;
	return true;
}

bool
rank_reserve(struct rank_work *w, int n)
{
	size_t m = (size_t)n;

	if (w->order != NULL && n <= w->room)
		return true;
	w->room = n;
	return grow(&w->x, m, sizeof(*w->x)) && grow(&w->y, m, sizeof(*w->y)) &&
	    grow(&w->drawn, m, sizeof(*w->drawn)) &&
	    grow(&w->drawn_errors, m, sizeof(*w->drawn_errors)) &&
	    grow(&w->drawn_others, m, sizeof(*w->drawn_others)) &&
	    grow(&w->rank_x, m, sizeof(*w->rank_x)) &&
	    grow(&w->rank_y, m, sizeof(*w->rank_y)) &&
	    grow(&w->order, m, sizeof(*w->order));
}

void
rank_release(struct rank_work *w)
{
	free(w->x);
	free(w->y);
	free(w->drawn);
	free(w->drawn_errors);
	free(w->drawn_others);
	free(w->rank_x);
	free(w->rank_y);
	free(w->order);
	*w = (struct rank_work){ 0 };
}

/* ---- ranks ---- */

struct values {
	const double *value;
	int step;
};

static int
compare_values(const void *a, const void *b, void *context)
{
	const struct values *v = context;
	double x = v->value[*(const int *)a * v->step];
	double y = v->value[*(const int *)b * v->step];

	return (x > y) - (x < y);
}

void
rank_average(const double *value, int step, int n, double *rank, int *order)
{
	struct values v = { value, step };
	int next;

	for (int i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, (size_t)n, sizeof(*order), compare_values, &v);
	for (int i = 0; i < n; i = next) {
		double x = value[order[i] * step];
		for (next = i + 1; next < n && value[order[next] * step] == x;)
			next++;
		for (int j = i; j < next; j++)
			rank[order[j]] = 0.5 * (i + 1 + next);
	}
}

/* Pearson's correlation of ranks, whose means are (n + 1) / 2. */
static double
correlate(const double *x, const double *y, int n)
{
	double mean = 0.5 * (n + 1), xx = 0, yy = 0, xy = 0;

	for (int i = 0; i < n; i++) {
		xx += (x[i] - mean) * (x[i] - mean);
		yy += (y[i] - mean) * (y[i] - mean);
		xy += (x[i] - mean) * (y[i] - mean);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static void
rank_pairs(struct rank_work *w, const struct pair *pairs, int n, double *x, double *y)
{
	enum { STEP = sizeof(*pairs) / sizeof(double) };

	rank_average(&pairs->x, STEP, n, x, w->order);
	rank_average(&pairs->y, STEP, n, y, w->order);
}

double
rank_spearman(struct rank_work *w, const struct pair *pairs, int n)
{
	if (n < 2)
		return NAN;
	rank_pairs(w, pairs, n, w->x, w->y);
	return correlate(w->x, w->y, n);
}

/* ---- the interval ---- */

static int
compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The smallest difference other than 0 between these ranks; sorts them. */
static double
least_gap(double *ranks, int n)
{
	double least = INFINITY;

	qsort(ranks, (size_t)n, sizeof(*ranks), compare_numbers);
	for (int i = 1; i < n; i++)
		if (ranks[i] > ranks[i - 1])
			least = fmin(least, ranks[i] - ranks[i - 1]);
	return least;
}

/* By how much the smallest exchange of two ranks changes rho. */
static double
grain(struct rank_work *w, int n)
{
	double mean = 0.5 * (n + 1), xx = 0, yy = 0;

	for (int i = 0; i < n; i++) {
		w->rank_x[i] = w->x[i];
		w->rank_y[i] = w->y[i];
		xx += (w->x[i] - mean) * (w->x[i] - mean);
		yy += (w->y[i] - mean) * (w->y[i] - mean);
	}
	return least_gap(w->rank_x, n) * least_gap(w->rank_y, n) / sqrt(xx * yy);
}

/* The r farthest from rho in the direction of `end`, 1 or -1, that is within z
 * standard errors of Fisher's transform. */
static double
farthest(double rho, int n, double z, double end)
{
	double in = rho, out = end;

	for (int i = 0; i < 60; i++) {
		double r = (in + out) / 2;
		double error = sqrt((1 + r * r / 2) / (n - 3));
		*(fabs(atanh(r) - atanh(rho)) <= z * error ? &in : &out) = r;
	}
	return in;
}

void
rank_interval(struct rank_work *w, const struct pair *pairs, int n, double level,
    double *lo, double *hi)
{
	double rho = rank_spearman(w, pairs, n);
	double z = normal_quantile((1 - level) / 2);

	*lo = n < 3 ? NAN : -1;
	*hi = n < 3 ? NAN : 1;
	if (n < 4)
		return;
	/* A perfect order of a few rows does not prove a perfect correlation. */
	double most = fmax(1 - grain(w, n) / 2, 0);
	double at = fmax(-most, fmin(most, rho));
	if (rho > -most)
		*lo = farthest(at, n, z, -1);
	if (rho < most)
		*hi = farthest(at, n, z, 1);
}

/* ---- the test ---- */

static void
swap(double *a, double *b)
{
	double x = *a;

	*a = *b;
	*b = x;
}

/* Is the correlation at least as far from 0 as rho, up to rounding? */
static bool
is_as_far(const double *x, const double *y, int n, double rho)
{
	return fabs(correlate(x, y, n)) >= fabs(rho) - 1e-9;
}

/* Counts among all permutations of y, by Heap's algorithm. */
static double
count_all(const double *x, double *y, int n, double rho)
{
	int turn[RANK_EXACT_MAX] = { 0 };
	double orders = 1, far = is_as_far(x, y, n, rho);

	for (int i = 1; i < n;) {
		if (turn[i] >= i) {
			turn[i++] = 0;
			continue;
		}
		swap(&y[i % 2 == 0 ? 0 : turn[i]], &y[i]);
		turn[i]++;
		i = 1;
		orders++;
		far += is_as_far(x, y, n, rho);
	}
	return far / orders;
}

double
rank_p(struct rank_work *w, const struct pair *pairs, int n, int samples, struct rng *r)
{
	double rho = rank_spearman(w, pairs, n), far = 1;

	if (isnan(rho))
		return NAN;
	if (n <= RANK_EXACT_MAX)
		return count_all(w->x, w->y, n, rho);
	for (int k = 0; k < samples; k++) {
		for (int i = n - 1; i > 0; i--)
			swap(&w->y[i], &w->y[rng_below(r, (uint32_t)i + 1)]);
		far += is_as_far(w->x, w->y, n, rho);
	}
	return far / (samples + 1);
}

/* ---- with errors ---- */

/* The difference of two numbers; 0 for equal infinite ones. */
static double
difference(double a, double b)
{
	return a == b ? 0 : a - b;
}

static double
sum_of_squares(double a, double b)
{
	return a * a + b * b;
}

/* P(x + error > 0) for a normal error. */
static double
positive(double x, double variance)
{
	if (!(variance > 0) || isinf(x))
		return x > 0 ? 1 : x < 0 ? 0 : 0.5;
	return 0.5 * erfc(-x / sqrt(2 * variance));
}

void
rank_order(const struct pair *p, const struct pair *e, int n, double deviations,
    struct rank_order *o)
{
	*o = (struct rank_order){ 0 };
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double y = difference(p[i].y, p[j].y);
			double x = difference(p[i].x, p[j].x);
			double error = sqrt(sum_of_squares(e[i].y, e[j].y));
			if (!(y > 0) || !(y > deviations * error))
				continue;
			o->rows++;
			o->same += x > 0 ? 1 : x == 0 ? 0.5 : 0;
			o->expected += positive(y, sum_of_squares(e[i].x, e[j].x));
		}
}

/* Samples x with its errors, around the values of y or of x itself. */
static void
draw_errors(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    bool found, struct rng *r)
{
	for (int i = 0; i < n; i++)
		w->drawn[i] =
		    (struct pair){ (found ? p[i].x : p[i].y) + e[i].x * rng_normal(r),
			    p[i].y };
}

/* Samples the share of the separated pairs that x ranks like y; false if there are
 * no such pairs. */
static bool
draw_shares(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    double deviations, bool found, int samples, double *shares, struct rng *r)
{
	struct rank_order o;

	rank_order(p, e, n, deviations, &o);
	if (!(o.rows > 0))
		return false;
	for (int k = 0; k < samples; k++) {
		draw_errors(w, p, e, n, found, r);
		rank_order(w->drawn, e, n, deviations, &o);
		shares[k] = o.same / o.rows;
	}
	return true;
}

double
rank_order_error(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    double deviations, int samples, double *shares, struct rng *r)
{
	double sum = 0, squares = 0;

	if (!draw_shares(w, p, e, n, deviations, true, samples, shares, r))
		return NAN;
	for (int k = 0; k < samples; k++) {
		sum += shares[k];
		squares += shares[k] * shares[k];
	}
	double mean = sum / samples, variance = squares / samples - mean * mean;
	return variance > 0 ? sqrt(variance) : 0;
}

/* An interval around an estimate, as wide as that of k samples around their median,
 * between the least and the most that there can be; sorts the samples. */
static void
middle_interval(double *sample, int k, double level, double least, double most,
    struct range *range)
{
	double tail = (1 - level) / 2;

	qsort(sample, (size_t)k, sizeof(*sample), compare_numbers);
	double middle = sample[k / 2];
	range->lo = fmax(least, range->at + sample[(int)(tail * k)] - middle);
	range->hi = fmin(most, range->at + sample[(int)((1 - tail) * (k - 1))] - middle);
}

/* Draws rows with replacement, and x of each with its error. */
static void
draw_rows(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    struct rng *r)
{
	for (int i = 0; i < n; i++) {
		int k = (int)rng_below(r, (uint32_t)n);
		w->drawn_errors[i] = e[k];
		w->drawn[i] = (struct pair){ p[k].x + e[k].x * rng_normal(r), p[k].y };
	}
}

void
rank_order_interval(struct rank_work *w, const struct pair *p, const struct pair *e,
    int n, double deviations, double level, int samples, double *shares, struct rng *r,
    double *lo, double *hi)
{
	struct rank_order o;
	int k = 0;

	rank_order(p, e, n, deviations, &o);
	struct range share = { o.same / o.rows, NAN, NAN };
	for (int i = 0; n > 2 && !isnan(share.at) && i < samples; i++) {
		draw_rows(w, p, e, n, r);
		rank_order(w->drawn, w->drawn_errors, n, deviations, &o);
		if (o.rows > 0)
			shares[k++] = o.same / o.rows;
	}
	if (k > 0)
		middle_interval(shares, k, level, 0, 1, &share);
	*lo = share.lo;
	*hi = share.hi;
}

/* Draws rows with replacement, and x of each and of the other measure with its error. */
static void
draw_both(struct rank_work *w, const struct pair *p, const struct pair *e,
    const struct pair *others, const struct pair *other_errors, int n, struct rng *r)
{
	for (int i = 0; i < n; i++) {
		int k = (int)rng_below(r, (uint32_t)n);
		w->drawn_errors[i] = e[k];
		w->drawn[i] = (struct pair){ p[k].x + e[k].x * rng_normal(r), p[k].y };
		w->drawn_others[i] =
		    (struct pair){ others[k].x + other_errors[k].x * rng_normal(r),
			    p[k].y };
	}
}

void
rank_order_difference(struct rank_work *w, const struct pair *p, const struct pair *e,
    const struct pair *others, const struct pair *other_errors, int n, double deviations,
    double level, int samples, double *differences, struct rng *r,
    struct range *difference)
{
	struct rank_order own, other;
	int k = 0;

	for (int i = 0; i < n; i++)
		w->drawn_others[i] = (struct pair){ others[i].x, p[i].y };
	rank_order(p, e, n, deviations, &own);
	rank_order(w->drawn_others, e, n, deviations, &other);
	*difference = (struct range){ (own.same - other.same) / own.rows, NAN, NAN };
	for (int i = 0; n > 2 && !isnan(difference->at) && i < samples; i++) {
		draw_both(w, p, e, others, other_errors, n, r);
		rank_order(w->drawn, w->drawn_errors, n, deviations, &own);
		rank_order(w->drawn_others, w->drawn_errors, n, deviations, &other);
		if (own.rows > 0)
			differences[k++] = (own.same - other.same) / own.rows;
	}
	if (k > 0)
		middle_interval(differences, k, level, -1, 1, difference);
}

double
rank_order_least(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    double deviations, double likely, int samples, double *shares, struct rng *r)
{
	if (!draw_shares(w, p, e, n, deviations, false, samples, shares, r))
		return NAN;
	qsort(shares, (size_t)samples, sizeof(*shares), compare_numbers);
	return shares[(int)((1 - likely) * samples)];
}

static double
drawn_spearman(struct rank_work *w, int n)
{
	rank_pairs(w, w->drawn, n, w->rank_x, w->rank_y);
	return correlate(w->rank_x, w->rank_y, n);
}

static double
drawn_log_correlation(struct rank_work *w, int n)
{
	return rank_log_correlation(w->drawn, n);
}

/* The mean of a statistic over the samples in which it is defined. */
static double
mean_drawn(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    int samples, struct rng *r, double (*give)(struct rank_work *w, int n))
{
	double sum = 0;
	int found = 0;

	for (int k = 0; n > 2 && k < samples; k++) {
		draw_errors(w, p, e, n, false, r);
		double x = give(w, n);
		sum += isnan(x) ? 0 : x;
		found += !isnan(x);
	}
	return found > 0 ? sum / found : NAN;
}

double
rank_expected(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    int samples, struct rng *r)
{
	return mean_drawn(w, p, e, n, samples, r, drawn_spearman);
}

double
rank_log_expected(struct rank_work *w, const struct pair *p, const struct pair *e, int n,
    int samples, struct rng *r)
{
	return mean_drawn(w, p, e, n, samples, r, drawn_log_correlation);
}

double
rank_log_correlation(const struct pair *p, int n)
{
	double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
	bool varied_x = false, varied_y = false;

	for (int i = 0; i < n; i++) {
		if (!(p[i].x > 0) || !(p[i].y > 0) || isinf(p[i].x) || isinf(p[i].y))
			return NAN;
		/* Rounding may give equal logarithms a variance. */
		varied_x |= p[i].x != p[0].x;
		varied_y |= p[i].y != p[0].y;
		x += log(p[i].x) / n;
		y += log(p[i].y) / n;
	}
	for (int i = 0; i < n; i++) {
		double a = log(p[i].x) - x, b = log(p[i].y) - y;
		xx += a * a;
		yy += b * b;
		xy += a * b;
	}
	return n > 2 && varied_x && varied_y ? xy / sqrt(xx * yy) : NAN;
}
