/*
 * The Dirichlet posterior against reference rows, against exact finite sums
 * that share no code with it, and against simulated games.
 */
#include <cjson/cJSON.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "common.h"
#include "stats/dirichlet.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { FACTORIALS = 4000 };

/* A count from 0 to most, evenly spread on a logarithmic scale. */
static unsigned long long
any_count(struct rng *rng, double most)
{
	if (rng_next(rng) % 5 == 0)
		return rng_next(rng) % 3;
	return (unsigned long long)(exp(rng_double(rng) * log(most + 1)) - 0.5);
}

static struct dirichlet
any_row(struct rng *rng, double most)
{
	struct dirichlet c;

	c.wins = any_count(rng, most);
	c.draws = any_count(rng, most);
	c.losses = any_count(rng, most);
	return c;
}

/* A row and another that is often near it, so that tails of all sizes come. */
static void
any_pair(struct rng *rng, double most, struct dirichlet *a, struct dirichlet *b)
{
	double f;

	*a = any_row(rng, most);
	*b = any_row(rng, most);
	if (rng_next(rng) % 2 == 0)
		return;
	f = exp(0.3 * (rng_double(rng) - 0.5));
	b->wins = (unsigned long long)((double)a->wins * f);
	b->draws = (unsigned long long)((double)a->draws / f);
	b->losses = a->losses;
}

/* Relative error of the smaller of a pair that sums to one. */
static double
tail_error(double less, double greater, double ref_less, double ref_greater)
{
	double p, ref;

	p = ref_less < ref_greater ? less : greater;
	ref = fmin(ref_less, ref_greater);
	if (ref < DBL_MIN) /* no digits left to compare */
		return p < 2 * DBL_MIN ? 0 : 1;
	return fabs(p / ref - 1);
}

/* Rows of the reference table, so that the test needs no file. */
static const struct row {
	struct dirichlet a, b;
	double draw_less, draw_greater, score_greater, score_less;
} rows[] = {
	{ { 300, 600, 100 }, { 280, 650, 70 }, 9.89464251308077486e-01,
	    1.05357486919225139e-02, 3.49729882889127756e-01, 6.50270117110872244e-01 },
	{ { 2530, 6500, 970 }, { 2600, 6300, 1100 }, 1.60971606389116906e-03,
	    9.98390283936108831e-01, 7.67639284650259572e-01, 2.32360715349740428e-01 },
	{ { 0, 0, 0 }, { 1, 0, 0 }, 0.4, 0.6, 0.325, 0.675 },
	{ { 1, 0, 0 }, { 0, 0, 1 }, 0.5, 0.5, 0.825, 0.175 },
	{ { 10, 0, 10 }, { 0, 20, 0 }, 9.99999999989068955e-01, 1.09310447828634987e-11,
	    0.5, 0.5 },
	{ { 3, 0, 0 }, { 30, 3, 0 }, 4.27070795491848123e-01, 5.72929204508151877e-01,
	    1.16392011951223185e-01, 8.83607988048776815e-01 },
	{ { 20000, 70000, 10000 }, { 20500, 69000, 10500 }, 5.96773437573897311e-07,
	    9.99999403226562426e-01, 4.99997216619576708e-01, 5.00002783380423292e-01 },
	{ { 1000000, 0, 0 }, { 999999, 0, 1 }, 0.5, 0.5, 7.22222425925734615e-01,
	    2.77777574074265385e-01 },
	{ { 0, 0, 0 }, { 250000, 600000, 150000 }, 8.39999120002079996e-01,
	    1.60000879997920004e-01, 4.05000464998885003e-01, 5.94999535001114997e-01 },
	{ { 333333, 333334, 333333 }, { 334000, 332000, 334000 }, 2.26422917144372959e-02,
	    9.77357708285562704e-01, 0.5, 0.5 },
};

/*
 * Tails of a million games and more from the finite sums of score_greater()
 * below, which would take too long here: the smaller of the two probabilities.
 */
static const struct {
	struct dirichlet a, b;
	double score_tail;
} long_rows[] = {
	{ { 250000, 600000, 150000 }, { 251000, 600000, 149000 }, 0.0117521945432093 },
	{ { 250000, 600000, 150000 }, { 260000, 590000, 150000 }, 9.71513433575813e-30 },
	{ { 1000000, 0, 0 }, { 0, 3, 1 }, 2.28592456347164e-32 },
	{ { 999990, 10, 0 }, { 999900, 90, 10 }, 9.44379137801936e-17 },
	{ { 10, 999980, 10 }, { 3, 999900, 97 }, 1.03710636859865e-19 },
	{ { 1, 999999, 0 }, { 0, 999999, 1 }, 0.187499968749911 },
	{ { 0, 0, 3 }, { 999990, 5, 5 }, 2.70263243352725e-25 },
	{ { 500000, 0, 500000 }, { 501000, 3, 499000 }, 0.0786499062077462 },
	{ { 9990, 10, 0 }, { 9500, 450, 50 }, 1.48956152204844e-93 },
	{ { 10, 20, 9970 }, { 300, 200, 9500 }, 6.11693175340788e-106 },
};

/* Largest absolute error, and relative error of the tails, of one row. */
static void
row_errors(const struct row *r, double *absolute, double *relative)
{
	struct dirichlet_probs o;

	dirichlet_compare(&r->a, NULL, &r->b, NULL, &o);
	*absolute = fmax(*absolute, fabs(o.draw_less - r->draw_less));
	*absolute = fmax(*absolute, fabs(o.draw_greater - r->draw_greater));
	*absolute = fmax(*absolute, fabs(o.score_less - r->score_less));
	*absolute = fmax(*absolute, fabs(o.score_greater - r->score_greater));
	*relative = fmax(*relative,
	    tail_error(o.draw_less, o.draw_greater, r->draw_less, r->draw_greater));
	*relative = fmax(*relative,
	    tail_error(o.score_less, o.score_greater, r->score_less, r->score_greater));
}

static void
test_rows(void)
{
	struct dirichlet_probs o;
	double absolute, relative;
	size_t i;

	absolute = relative = 0;
	for (i = 0; i < COUNT(rows); i++)
		row_errors(&rows[i], &absolute, &relative);
	ok(absolute < 1e-12 && relative < 1e-11,
	    "reference rows: %.1g absolute, %.1g relative in the tails", absolute,
	    relative);
	relative = 0;
	for (i = 0; i < COUNT(long_rows); i++) {
		dirichlet_compare(&long_rows[i].a, NULL, &long_rows[i].b, NULL, &o);
		relative = fmax(relative,
		    fabs(fmin(o.score_less, o.score_greater) / long_rows[i].score_tail -
			1));
	}
	ok(relative < 1e-11, "tails of long rows: %.1g relative", relative);
}

static double
json_number(const cJSON *object, const char *name)
{
	const cJSON *item;

	item = cJSON_GetObjectItem(object, name);
	return cJSON_IsString(item) ? strtod(item->valuestring, NULL) : NAN;
}

static struct dirichlet
json_counts(const cJSON *object, const char *name)
{
	const cJSON *array;
	struct dirichlet c;
	unsigned long long n[3];
	int i;

	array = cJSON_GetObjectItem(object, name);
	for (i = 0; i < 3; i++)
		n[i] = (unsigned long long)cJSON_GetNumberValue(cJSON_GetArrayItem(array,
		    i));
	c.wins = n[0];
	c.draws = n[1];
	c.losses = n[2];
	return c;
}

static cJSON *
json_read(const char *name)
{
	static char text[1 << 20];
	FILE *f;
	size_t n;

	if ((f = fopen(name, "r")) == NULL)
		return NULL;
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return cJSON_Parse(text);
}

static void
test_file(void)
{
	const cJSON *item;
	cJSON *json;
	struct row r;
	double absolute, relative;
	int n;

	if ((json = json_read("../shared/reference/odds.json")) == NULL) {
		printf("ok %d # SKIP no ../shared/reference\n", ++tap_count);
		return;
	}
	n = 0;
	absolute = relative = 0;
	cJSON_ArrayForEach(item, cJSON_GetObjectItem(json, "rows"))
	{
		r.a = json_counts(item, "A");
		r.b = json_counts(item, "B");
		r.draw_less = json_number(item, "p_draw_A_lt_B");
		r.draw_greater = json_number(item, "p_draw_A_gt_B");
		r.score_less = json_number(item, "p_e_A_lt_B");
		r.score_greater = json_number(item, "p_e_A_gt_B");
		row_errors(&r, &absolute, &relative);
		n++;
	}
	cJSON_Delete(json);
	ok(n >= 10 && absolute < 1e-12 && relative < 1e-11,
	    "%d rows of the file: %.1g absolute, %.1g relative in the tails", n, absolute,
	    relative);
}

static void
test_halves(void)
{
	static const struct dirichlet all[][2] = {
		{ { 0, 0, 0 }, { 0, 0, 0 } },
		{ { 7, 1, 2 }, { 7, 1, 2 } },
		{ { 1000000, 3, 9 }, { 1000000, 3, 9 } },
	}, score[][2] = {
		{ { 0, 0, 0 }, { 500000, 0, 500000 } },
		{ { 10, 0, 10 }, { 0, 20, 0 } },
		{ { 1, 5, 1 }, { 333333, 333334, 333333 } },
	}, draw[][2] = {
		{ { 5, 7, 0 }, { 0, 7, 5 } },
		{ { 1000000, 0, 0 }, { 999999, 0, 1 } },
		{ { 1, 3, 1 }, { 100, 201, 100 } },
	};
	struct dirichlet_probs o;
	int good;
	size_t i;

	good = 1;
	for (i = 0; i < COUNT(all); i++) {
		dirichlet_compare(&all[i][0], NULL, &all[i][1], NULL, &o);
		good &= o.draw_less == 0.5 && o.draw_greater == 0.5 &&
		    o.score_less == 0.5 && o.score_greater == 0.5;
	}
	ok(good, "equal rows give 1/2 exactly");
	good = 1;
	for (i = 0; i < COUNT(score); i++) {
		dirichlet_compare(&score[i][0], NULL, &score[i][1], NULL, &o);
		good &= o.score_less == 0.5 && o.score_greater == 0.5;
	}
	ok(good, "two symmetric rows give a score of 1/2 exactly");
	good = 1;
	for (i = 0; i < COUNT(draw); i++) {
		dirichlet_compare(&draw[i][0], NULL, &draw[i][1], NULL, &o);
		good &= o.draw_less == 0.5 && o.draw_greater == 0.5;
	}
	ok(good, "mirrored and symmetric rows give draws of 1/2 exactly");
}

/* Whatever the counts: probabilities, in pairs, and the same seen from B. */
/* Within [0,1], and the rate within its interval, if there are games. */
static int
is_sound(const struct range *r)
{
	return 0 <= r->lo && r->lo <= r->hi && r->hi <= 1 &&
	    (isnan(r->at) || (r->lo <= r->at && r->at <= r->hi));
}

static void
test_extremes(void)
{
	static const double most[] = { 3, 300, 1e6, 1e12, 1.8e19 };
	struct dirichlet a, am, b, bm;
	struct dirichlet_probs mirror, o, swap;
	struct range d, s;
	struct rng rng;
	double worst;
	int good, i;

	good = 1;
	worst = 0;
	rng_init(&rng, 1, 0);
	for (i = 0; i < 600; i++) {
		any_pair(&rng, most[i % 5], &a, &b);
		dirichlet_compare(&a, NULL, &b, NULL, &o);
		dirichlet_compare(&b, NULL, &a, NULL, &swap);
		good &= o.draw_less >= 0 && o.draw_greater >= 0 && o.score_less >= 0 &&
		    o.score_greater >= 0 &&
		    fabs(o.draw_less + o.draw_greater - 1) < 1e-15 &&
		    fabs(o.score_less + o.score_greater - 1) < 1e-15 &&
		    o.draw_less == swap.draw_greater &&
		    o.score_less == swap.score_greater;
		am = a;
		am.wins = a.losses;
		am.losses = a.wins;
		bm = b;
		bm.wins = b.losses;
		bm.losses = b.wins;
		dirichlet_compare(&am, NULL, &bm, NULL, &mirror);
		if (i % 5 < 3)
			worst = fmax(worst,
			    tail_error(o.score_less, o.score_greater,
				mirror.score_greater, mirror.score_less));
		good &= dirichlet_draw_rate(&a, NULL, 0.95, &d) == 0 &&
		    dirichlet_score(&a, NULL, 0.95, &s) == 0 && is_sound(&d) &&
		    is_sound(&s);
	}
	ok(good, "rows of up to 10^19 games: all within [0,1], pairs sum to 1");
	ok(worst < 1e-9, "exchanging wins and losses: %.1g relative", worst);
}

static long double log_factorial[FACTORIALS];

static void
factorials_init(void)
{
	int i;

	for (i = 2; i < FACTORIALS; i++)
		log_factorial[i] = log_factorial[i - 1] + logl(i);
}

/* log of n over k. */
static long double
log_choose(int n, int k)
{
	return log_factorial[n] - log_factorial[k] - log_factorial[n - k];
}

/*
 * P(X < Y), X ~ Beta(a, b), Y ~ Beta(c, d), whole parameters: a + b - 1 and
 * c + d - 1 numbers drawn from [0,1], X the a-th smallest of the first lot, Y
 * the c-th smallest of the other.  X < Y when fewer than c of the other lot
 * precede X: the sum of a negative hypergeometric distribution up to c - 1,
 * here from its largest term on.
 */
static long double
beta_less(long double a, long double b, long double c, long double d)
{
	long double first, k, peak, sum, term;

	peak = floorl((a - 1) * (c + d - 1) / (a + b - 1));
	if (peak > c - 1)
		peak = c - 1;
	first = expl(lgammal(a + peak) - lgammal(a) - lgammal(peak + 1) +
	    lgammal(b + c + d - 1 - peak) - lgammal(b) - lgammal(c + d - peak) -
	    lgammal(a + b + c + d - 1) + lgammal(c + d) + lgammal(a + b));
	sum = 0;
	for (term = first, k = peak; k >= 0 && term > 1e-24L * sum; k--) {
		sum += term;
		term *= k * (b + c + d - 1 - k) / ((a + k - 1) * (c + d - k));
	}
	for (term = first, k = peak; k < c - 1 && term > 1e-24L * sum; k++) {
		term *= (a + k) * (c + d - 1 - k) / ((k + 1) * (b + c + d - 2 - k));
		sum += term;
	}
	return sum;
}

static void
test_draws(void)
{
	static const double most[] = { 4, 100, 3000, 1e6 };
	struct dirichlet a, b;
	struct dirichlet_probs o;
	long double greater, less, p[4];
	struct rng rng;
	double absolute, relative;
	int i, n;

	absolute = relative = 0;
	n = 0;
	rng_init(&rng, 2, 0);
	for (i = 0; i < 2000; i++) {
		any_pair(&rng, most[i % 4], &a, &b);
		dirichlet_compare(&a, NULL, &b, NULL, &o);
		p[0] = (long double)a.draws + 1;
		p[1] = (long double)a.wins + (long double)a.losses + 2;
		p[2] = (long double)b.draws + 1;
		p[3] = (long double)b.wins + (long double)b.losses + 2;
		less = beta_less(p[0], p[1], p[2], p[3]);
		greater = beta_less(p[2], p[3], p[0], p[1]);
		absolute = fmax(absolute, fabs(o.draw_less - (double)less));
		relative = fmax(relative,
		    tail_error(o.draw_less, o.draw_greater, (double)less,
			(double)greater));
		n += less < 1e-6L || greater < 1e-6L;
	}
	/* At a million games the reference's own lgammal() gives 1e-12. */
	ok(absolute < 1e-10 && relative < 1e-9 && n > 300,
	    "2000 draw rates by finite sums, %d far in the tails: "
	    "%.1g absolute, %.1g relative",
	    n, absolute, relative);
}

/*
 * The score below 1/2 is a mixture: twice the score is Beta(w + d + 2 + j,
 * l + 1 - j) with weight C(w + j, j) / 2^(w + j + 1), j = 0 ... l, as one finds
 * by expanding the density of win + draw / 2 in powers of the score.  Above
 * 1/2 the same holds with wins and losses exchanged.
 */
static long double
mixture_log_weight(const struct dirichlet *c, int j)
{
	int w;

	w = (int)c->wins;
	return log_choose(w + j, j) - (w + j + 1) * logl(2);
}

/* P(both scores are below 1/2, and that of a is greater). */
static long double
score_greater_below(const struct dirichlet *a, const struct dirichlet *b)
{
	static long double mass[FACTORIALS];
	long double all, sum;
	int first, i, j, k, na, nb, s;

	na = (int)(a->wins + a->draws + a->losses) + 2; /* numbers drawn */
	nb = (int)(b->wins + b->draws + b->losses) + 2;
	first = (int)(b->wins + b->draws) + 2;
	mass[0] = 0; /* weight of ranks up to k */
	for (k = 1; k <= nb; k++) {
		j = k - first;
		mass[k] = mass[k - 1] +
		    (j >= 0 && j <= (int)b->losses ? expl(mixture_log_weight(b, j)) : 0);
	}
	all = log_choose(na + nb, nb);
	sum = 0;
	for (i = 0; i <= (int)a->losses; i++) {
		s = (int)(a->wins + a->draws) + 2 + i;
		for (k = first; k <= nb; k++) /* of b before the s-th of a */
			sum += mass[k] *
			    expl(mixture_log_weight(a, i) + log_choose(k + s - 1, k) +
				log_choose(na - s + nb - k, nb - k) - all);
	}
	return sum;
}

static long double
below_half(const struct dirichlet *c)
{
	long double sum;
	int j;

	sum = 0;
	for (j = 0; j <= (int)c->losses; j++)
		sum += expl(mixture_log_weight(c, j));
	return sum;
}

/* P(score of a > score of b) as a sum of positive terms. */
static long double
score_greater(const struct dirichlet *a, const struct dirichlet *b)
{
	struct dirichlet am = { a->losses, a->draws, a->wins };
	struct dirichlet bm = { b->losses, b->draws, b->wins };

	return score_greater_below(a, b) + score_greater_below(&bm, &am) +
	    below_half(&am) * below_half(b);
}

static void
test_scores(const char *size, double most, int n)
{
	struct dirichlet a, b;
	struct dirichlet_probs o;
	long double greater, less;
	struct rng rng;
	double absolute, relative;
	int far, i;

	absolute = relative = 0;
	far = 0;
	rng_init(&rng, 3, 0);
	for (i = 0; i < n; i++) {
		any_pair(&rng, most, &a, &b);
		dirichlet_compare(&a, NULL, &b, NULL, &o);
		greater = score_greater(&a, &b);
		less = score_greater(&b, &a);
		absolute = fmax(absolute, fabs(o.score_less - (double)less));
		relative = fmax(relative,
		    tail_error(o.score_less, o.score_greater, (double)less,
			(double)greater));
		far += less < 1e-6L || greater < 1e-6L;
	}
	ok(absolute < 1e-12 && relative < 1e-9,
	    "%d scores of %s games by finite sums, %d far in the tails: "
	    "%.1g absolute, %.1g relative",
	    n, size, far, absolute, relative);
}

/* P(score < x), x <= 1/2: the mixture once more. */
static long double
score_below(const struct dirichlet *c, long double x)
{
	long double mass, sum;
	int first, k, n;

	n = (int)(c->wins + c->draws + c->losses) + 2;
	first = (int)(c->wins + c->draws) + 2;
	mass = sum = 0;
	for (k = first; k <= n; k++) {
		if (k - first <= (int)c->losses)
			mass += expl(mixture_log_weight(c, k - first));
		sum += mass *
		    expl(log_choose(n, k) + k * logl(2 * x) + (n - k) * log1pl(-2 * x));
	}
	return sum;
}

/* P(score < x) for any x. */
static double
score_cdf(const struct dirichlet *c, double x)
{
	struct dirichlet m = { c->losses, c->draws, c->wins };

	if (x == 0.5)
		return (double)below_half(c);
	return (double)(x < 0.5 ? score_below(c, x)
				: 1 - score_below(&m, 1 - (long double)x));
}

/* P(draw rate < x): a tail of the binomial distribution. */
static double
draw_cdf(const struct dirichlet *c, double x)
{
	long double sum;
	int k, n;

	n = (int)(c->wins + c->draws + c->losses) + 2;
	sum = 0;
	for (k = (int)c->draws + 1; k <= n; k++)
		sum += expl(log_choose(n, k) + k * logl(x) +
		    (n - k) * log1pl(-(long double)x));
	return (double)sum;
}

/*
 * How far the tails cut off are from what they should be: equal; or, where
 * one end is the observed rate, together as large, that one the smaller.
 */
static double
tails_error(double below, double above, double tail, const struct range *r, double at)
{
	if (r->lo == 0)
		below = 0;
	if (r->hi == 1)
		above = 0;
	if (isnan(below) || isnan(above) ||
	    (!isnan(at) && (r->at != at || !(r->lo <= at && at <= r->hi))))
		return 9;
	if ((r->lo == at && below < tail) || (r->hi == at && above < tail))
		return fabs((below + above) / (2 * tail) - 1);
	return fmax(fabs(below / tail - 1), fabs(above / tail - 1));
}

static void
test_intervals(void)
{
	static const double levels[] = { 0.5, 0.95, 0.999 };
	struct dirichlet c;
	struct range r;
	struct rng rng;
	double draw, level, n, score, tail;
	int i;

	draw = score = 0;
	rng_init(&rng, 4, 0);
	for (i = 0; i < 300; i++) {
		c = any_row(&rng, 1000);
		n = (double)(c.wins + c.draws + c.losses);
		level = levels[i % 3];
		tail = (1 - level) / 2;
		dirichlet_draw_rate(&c, NULL, level, &r);
		draw = fmax(draw,
		    tails_error(draw_cdf(&c, r.lo), 1 - draw_cdf(&c, r.hi), tail, &r,
			(double)c.draws / n));
		dirichlet_score(&c, NULL, level, &r);
		score = fmax(score,
		    tails_error(score_cdf(&c, r.lo), 1 - score_cdf(&c, r.hi), tail, &r,
			((double)c.wins + (double)c.draws / 2) / n));
	}
	ok(draw < 1e-9, "tails cut off by draw rate intervals: %.1g relative", draw);
	ok(score < 1e-9, "tails cut off by score intervals: %.1g relative", score);
}

static void
test_shares(void)
{
	struct dirichlet c = { 40, 7, 52 };
	struct range r, s;
	double x;

	/* Beta(1,n+1) and Beta(n+1,1) have quantiles in closed form. */
	ok(dirichlet_share(0, 1000000, 0.95, &r) == 0 && r.lo == 0 &&
		fabs(r.hi / -expm1(log(0.05) / 1000001) - 1) < 1e-12,
	    "no hit in a million");
	ok(dirichlet_share(9, 9, 0.8, &s) == 0 && s.hi == 1 &&
		fabs(s.lo - pow(0.2, 0.1)) < 1e-12,
	    "nine of nine");
	/* The draw rate has one prior share more on the other side. */
	dirichlet_draw_rate(&c, NULL, 0.9, &r);
	dirichlet_share(7, 100, 0.9, &s);
	ok(r.lo == s.lo && r.hi == s.hi, "draw rate as a share");
	x = r.lo;
	ok(dirichlet_share(3, 2, 0.9, &r) == -1 && dirichlet_share(1, 2, 0, &r) == -1 &&
		dirichlet_score(&c, NULL, 1, &r) == -1 &&
		dirichlet_draw_rate(&c, NULL, NAN, &r) == -1 && r.lo == x,
	    "impossible shares and levels are refused");
}

/* Probabilities from the prior, games from the probabilities, intervals from these. */
static void
test_coverage(void)
{
	static const int games[] = { 1, 5, 20, 60, 200 };
	struct dirichlet c;
	struct range d, s;
	struct rng rng;
	double draw_rate, p[3], score_rate, sum, u;
	int draw, held, i, k, n, score;

	draw = held = score = 0;
	n = 2000;
	rng_init(&rng, 5, 0);
	for (i = 0; i < n; i++) {
		sum = 0;
		for (k = 0; k < 3; k++)
			sum += p[k] = -log1p(-rng_double(&rng));
		for (k = 0; k < 3; k++)
			p[k] /= sum;
		memset(&c, 0, sizeof(c));
		for (k = 0; k < games[i % 5]; k++) {
			u = rng_double(&rng);
			if (u < p[0])
				c.wins++;
			else if (u < p[0] + p[1])
				c.draws++;
			else
				c.losses++;
		}
		dirichlet_draw_rate(&c, NULL, 0.95, &d);
		dirichlet_score(&c, NULL, 0.95, &s);
		draw_rate = p[1];
		score_rate = p[0] + p[1] / 2;
		draw += d.lo < draw_rate && draw_rate < d.hi;
		score += s.lo < score_rate && score_rate < s.hi;
		held += d.lo <= d.at && d.at <= d.hi && s.lo <= s.at && s.at <= s.hi;
	}
	ok(held == n, "intervals hold the rate that was observed");
	ok(draw > 0.93 * n && draw < 0.97 * n,
	    "95 %% intervals hold the draw rate in %.2f %%", 100. * draw / n);
	ok(score > 0.93 * n && score < 0.97 * n,
	    "95 %% intervals hold the score in %.2f %%", 100. * score / n);
}

/* Points from a coarse grid, as a plain sum over samples of the posterior: the
 * Dirichlet of all values that can come, by normalised exponentials. */
static double
points_sampled(struct rng *rng, const int *counts, const double *values, int k, double x)
{
	int below = 0, n = 40000;

	for (int i = 0; i < n; i++) {
		double all = 0, sum = 0;
		for (int j = 0; j < k; j++) {
			double gamma = 0;
			int shape = counts[j] + (j < 3);
			for (int e = 0; e < shape; e++)
				gamma -= log1p(-rng_double(rng));
			all += gamma;
			sum += gamma * values[j];
		}
		below += sum / all < x;
	}
	return (double)below / n;
}

static void
test_points(void)
{
	static const double values[] = { 1, 0.5, 0, 0.75, 0.25 };
	static const int counts[][5] = { { 12, 9, 8, 7, 3 }, { 6, 3, 5, 30, 0 },
		{ 7, 2, 1, 3, 2 } };
	struct dirichlet_points p, none = { 0, 0, 0 };
	struct range r, s;
	struct dirichlet_probs o;
	struct dirichlet c;
	struct rng rng;

	rng_init(&rng, 9, 0);
	for (size_t i = 0; i < COUNT(counts); i++) {
		const int *n = counts[i];
		c.wins = (unsigned long long)n[0];
		c.draws = (unsigned long long)n[1];
		c.losses = (unsigned long long)n[2];
		p.games = (unsigned long long)(n[3] + n[4]);
		p.sum = 0.75 * n[3] + 0.25 * n[4];
		p.squares = 0.75 * 0.75 * n[3] + 0.25 * 0.25 * n[4];
		dirichlet_score(&c, &p, 0.9, &r);
		double at =
		    (n[0] + 0.5 * n[1] + p.sum) / (n[0] + n[1] + n[2] + n[3] + n[4]);
		double lo = points_sampled(&rng, n, values, 5, r.lo);
		double hi = points_sampled(&rng, n, values, 5, r.hi);
		ok(fabs(r.at - at) < 1e-15 && fabs(lo - 0.05) < 0.012 &&
			fabs(hi - 0.95) < 0.012,
		    "points: %.4f below, %.4f above", lo, 1 - hi);
		dirichlet_compare(&c, &p, &c, &p, &o);
		ok(o.score_less == 0.5, "points beside themselves");
	}
	/* Half points that are written as points are half points to the score, and
	 * no draws to the draw rate. */
	c = (struct dirichlet){ 300, 300, 200 };
	p = (struct dirichlet_points){ 200, 100, 50 };
	dirichlet_score(&c, &p, 0.95, &r);
	c.draws = 500;
	dirichlet_score(&c, &none, 0.95, &s);
	ok(fabs(r.lo - s.lo) < 2e-4 && fabs(r.hi - s.hi) < 2e-4 && r.at == s.at,
	    "points of one half");
	struct dirichlet drawn = { 300, 300, 200 }, others = { 400, 300, 300 };
	dirichlet_draw_rate(&drawn, &p, 0.95, &r);
	dirichlet_draw_rate(&others, NULL, 0.95, &s);
	ok(r.at == 0.3 && r.lo == s.lo && r.hi == s.hi, "they are not draws");
	dirichlet_compare(&drawn, &p, &others, NULL, &o);
	ok(o.draw_less == 0.5 && o.score_less > 0.4, "nor when draw rates are compared");
}

static void
test_monte_carlo(void)
{
	static const unsigned long long n = 20000;
	struct dirichlet_probs exact, o, same;
	struct rng one, two;
	double away, se;
	size_t i;

	away = 0;
	rng_init(&one, 6, 0);
	for (i = 0; i < COUNT(rows); i++) {
		dirichlet_compare(&rows[i].a, NULL, &rows[i].b, NULL, &exact);
		dirichlet_monte_carlo(&rows[i].a, &rows[i].b, n, &one, &o);
		se = sqrt(exact.draw_less * exact.draw_greater / (double)n);
		away = fmax(away, fabs(o.draw_less - exact.draw_less) / (se + 1e-9));
		se = sqrt(exact.score_less * exact.score_greater / (double)n);
		away = fmax(away, fabs(o.score_less - exact.score_less) / (se + 1e-9));
	}
	ok(away < 4, "sampling is at most %.1f standard errors away", away);
	rng_init(&one, 7, 0);
	two = one;
	dirichlet_monte_carlo(&rows[0].a, &rows[0].b, 100, &one, &o);
	dirichlet_monte_carlo(&rows[0].a, &rows[0].b, 100, &two, &same);
	ok(o.draw_less == same.draw_less && o.score_less == same.score_less &&
		memcmp(&one, &two, sizeof(one)) == 0,
	    "the same seed gives the same sample");
	ok(dirichlet_monte_carlo(&rows[0].a, &rows[0].b, 0, &one, &o) == -1,
	    "no sample is refused");
}

int
main(void)
{
	factorials_init();
	test_rows();
	test_file();
	test_halves();
	test_extremes();
	test_draws();
	test_scores("few", 12, 1000);
	test_scores("some hundred", 150, 100);
	test_scores("a thousand", 900, 3);
	test_intervals();
	test_shares();
	test_coverage();
	test_points();
	test_monte_carlo();
	return tap_end();
}
