#include "dirichlet.h"

#include <math.h>
#include <stddef.h>

#include "special.h"

/*
 * Draw rate and score both have a log-concave density, a B-spline.  Quantiles
 * and comparisons visit the panels of [0,1] that matter from left to right, each
 * small enough for Gaussian quadrature of the densities on it.
 */

#define OUTER 16 /* nodes on a panel */
#define NATS 45  /* e^-45 of the peak is negligible */
#define DEPTH 64 /* halvings of a quarter */

/* Rules and matrices of the quadrature, made once for each public call. */
struct rules {
	struct legendre inner, outer;
	double coefficient[OUTER][OUTER]; /* values -> Legendre series */
	double below[OUTER][OUTER];       /* values -> integrals up to nodes */
};

static void
rules_init(struct rules *r)
{
	double sums[OUTER], values[OUTER];
	int i, j, k;

	legendre_init(&r->inner, LEGENDRE_MAX);
	legendre_init(&r->outer, OUTER);
	for (j = 0; j < OUTER; j++) {
		legendre_values(r->outer.x[j], OUTER, values);
		for (k = 0; k < OUTER; k++)
			r->coefficient[k][j] = (k + 0.5) * r->outer.w[j] * values[k];
	}
	for (i = 0; i < OUTER; i++) {
		legendre_integrals(r->outer.x[i], OUTER, sums);
		for (j = 0; j < OUTER; j++) {
			r->below[i][j] = 0;
			for (k = 0; k < OUTER; k++)
				r->below[i][j] += sums[k] * r->coefficient[k][j];
		}
	}
}

static double
games_of(const struct dirichlet *c, const struct dirichlet_points *p)
{
	return (double)c->wins + (double)c->draws + (double)c->losses + (double)p->games;
}

static void
spline_init_draw(struct spline *f, const struct dirichlet *c,
    const struct dirichlet_points *p)
{
	spline_init(f, (double)c->draws, 0,
	    (double)c->wins + (double)c->losses + (double)p->games + 1, 0);
}

/* The mean and variance of the posterior, and Beta's exponents for these: at
 * least 0, as no distribution on [0,1] with this mean is wider than a coin's. */
static void
spline_init_points(struct spline *f, const struct dirichlet *c,
    const struct dirichlet_points *p)
{
	double all, halves = (double)c->draws + 1, mean, sum, variance;

	if (p->games == 0) {
		spline_init(f, (double)c->wins, (double)c->draws, (double)c->losses, 1);
		return;
	}
	all = games_of(c, p) + 3;
	mean = ((double)c->wins + 1 + halves / 2 + p->sum) / all;
	variance = (((double)c->wins + 1 + halves / 4 + p->squares) / all - mean * mean) /
	    (all + 1);
	sum = mean * (1 - mean) / variance - 1;
	spline_init(f, mean * sum - 1, 0, (1 - mean) * sum - 1, 0);
}

/* Part of a quarter, from its left end a to its right end b. */
struct panel {
	int quarter;
	double a, b;
};

static const struct panel quarters[4] = {
	{ 0, 0, 0.25 },
	{ 1, 0.25, 0 },
	{ 2, 0, 0.25 },
	{ 3, 0.25, 0 },
};

static struct place
panel_place(const struct panel *p, double t)
{
	struct place x;

	x.quarter = p->quarter;
	x.s = (p->a + p->b) / 2 + t * (p->b - p->a) / 2;
	return x;
}

/*
 * Whether top is inside the panel; if not, *end is set to the end that is
 * nearer to it, where a function that peaks at top has its largest value.
 */
static int
panel_holds(const struct panel *p, struct place top, struct place *end)
{
	struct place left, right;

	left = panel_place(p, -1);
	right = panel_place(p, 1);
	*end = place_compare(top, left) <= 0 ? left : right;
	return place_compare(top, left) > 0 && place_compare(top, right) < 0;
}

static void
panel_halves(const struct panel *p, struct panel *left, struct panel *right)
{
	*left = *right = *p;
	left->b = right->a = (p->a + p->b) / 2;
}

/*
 * The logarithm of a density, less shift.  A density that needs many panels
 * far out in a tail has a logarithm that needs few: once a panel determines
 * the logarithm, its Legendre series there serves all parts of the panel.
 */
struct curve {
	const struct spline *f;
	const struct rules *rules;
	double shift;
	int known;       /* whether there is a series */
	struct panel on; /* where it holds */
	double series[OUTER];
};

static void
curve_init(struct curve *c, const struct spline *f, const struct rules *r)
{
	c->f = f;
	c->rules = r;
	c->shift = 0;
	c->known = 0;
}

static double
curve_log(const struct curve *c, struct place x)
{
	double sum, values[OUTER];
	int k;

	if (!c->known)
		return spline_log(c->f, &c->rules->inner, x) - c->shift;
	legendre_values((2 * x.s - c->on.a - c->on.b) / (c->on.b - c->on.a), OUTER,
	    values);
	sum = 0;
	for (k = 0; k < OUTER; k++)
		sum += c->series[k] * values[k];
	return sum;
}

/* The Legendre series of the polynomial with the given values at the nodes. */
static void
rules_series(const struct rules *r, const double *value, double *series)
{
	int i, k;

	for (k = 0; k < OUTER; k++) {
		series[k] = 0;
		for (i = 0; i < OUTER; i++)
			series[k] += r->coefficient[k][i] * value[i];
	}
}

/* Keep the logarithms y at the nodes of p if they determine the curve. */
static void
curve_learn(struct curve *c, const struct panel *p, const double *y)
{
	/* Sums of terms of size sqrt(n) are rounded in the score's density. */
	rules_series(c->rules, y, c->series);
	c->known = fabs(c->series[OUTER - 1]) + fabs(c->series[OUTER - 2]) <
	    1e-12 + 1e-15 * sqrt(c->f->n);
	c->on = *p;
}

/*
 * The density at the nodes of the panel.  Returns whether these values
 * determine it to the given tolerance: the Legendre series has died out, or
 * the density hardly changes and what the series shows is rounding.
 */
static int
curve_sample(struct curve *c, const struct panel *p, double tolerance, double *value)
{
	double high, low, series[OUTER], y[OUTER];
	int i, node;

	high = -INFINITY;
	low = INFINITY;
	for (i = 0; i < OUTER; i++) {
		node = i * (OUTER / 2 - 1) % OUTER; /* 0, 7, 14, 5, ... */
		y[node] = curve_log(c, panel_place(p, c->rules->outer.x[node]));
		high = fmax(high, y[node]);
		low = fmin(low, y[node]);
		if (high - low > 2000)
			return 0;
	}
	for (i = 0; i < OUTER; i++)
		value[i] = exp(y[i] - high);
	rules_series(c->rules, value, series);
	for (i = 0; i < OUTER; i++)
		value[i] = exp(fmin(y[i], 700));
	if (high - low < 0.5 ||
	    fabs(series[OUTER - 1]) + fabs(series[OUTER - 2]) < tolerance)
		return 1;
	if (!c->known)
		curve_learn(c, p, y);
	return 0;
}

/*
 * The search for a quantile: panels are visited from left to right until
 * their mass, the density being scaled to 1 at the mean, reaches the target.
 */
struct quantile {
	double target, mass;
	int found;
	struct place at;
};

/* The place inside the panel at which the target is reached. */
static void
quantile_solve(struct quantile *q, const struct panel *p, const double *series)
{
	double high, low, sum, sums[OUTER], t;
	int k, turn;

	low = -1;
	high = 1;
	for (turn = 0; turn < 60; turn++) {
		t = (low + high) / 2;
		legendre_integrals(t, OUTER, sums);
		sum = 0;
		for (k = 0; k < OUTER; k++)
			sum += series[k] * sums[k];
		if (q->mass + fabs(p->b - p->a) / 2 * sum < q->target)
			low = t;
		else
			high = t;
	}
	q->found = 1;
	q->at = panel_place(p, (low + high) / 2);
}

static void
quantile_visit(struct quantile *q, struct curve curve, const struct panel *p, int depth)
{
	struct panel left, right;
	struct place end;
	double mass, series[OUTER], value[OUTER] = { 0 };

	if (q->found ||
	    (!panel_holds(p, curve.f->mean, &end) && curve_log(&curve, end) < -NATS))
		return;
	if (!curve_sample(&curve, p, 1e-9, value) && depth < DEPTH) {
		panel_halves(p, &left, &right);
		quantile_visit(q, curve, &left, depth + 1);
		quantile_visit(q, curve, &right, depth + 1);
		return;
	}
	rules_series(curve.rules, value, series);
	mass = fabs(p->b - p->a) * series[0];
	if (q->mass + mass < q->target)
		q->mass += mass;
	else
		quantile_solve(q, p, series);
}

/* The x with P(X < x) = tail, tail <= 1/2. */
static struct place
spline_quantile(const struct spline *f, const struct rules *r, double tail)
{
	struct curve curve;
	struct quantile q;
	int i;

	curve_init(&curve, f, r);
	curve.shift = curve_log(&curve, f->mean);
	q.target = tail / exp(curve.shift);
	q.mass = 0;
	q.found = 0;
	q.at = f->mean;
	for (i = 0; i < 4; i++)
		quantile_visit(&q, curve, &quarters[i], 0);
	return q.at;
}

/* The ends of an interval that cuts off these tails. */
static double
lower_end(const struct spline *f, const struct rules *r, double tail)
{
	return tail > 0 ? place_value(spline_quantile(f, r, tail)) : 0;
}

static double
upper_end(const struct spline *f, const struct rules *r, double tail)
{
	struct spline mirror;

	spline_init(&mirror, f->k[2], f->k[1], f->k[0], f->middle);
	return tail > 0 ? place_value(place_mirror(spline_quantile(&mirror, r, tail)))
			: 1;
}

/*
 * How much of the posterior is beyond the observed rate, if that is no more
 * than most: the tail that an interval ending there cuts off.
 */
static double
tail_beyond(const struct spline *f, const struct rules *r, double at, int below,
    double most)
{
	double high = most, low = 0, tail = 0;
	int turn;

	for (turn = 0; turn < 50 && at > 0 && at < 1; turn++) {
		tail = (low + high) / 2;
		if (below ? lower_end(f, r, tail) < at : upper_end(f, r, tail) > at)
			low = tail;
		else
			high = tail;
	}
	return tail;
}

static int
spline_range(const struct spline *f, double level, double at, struct range *range)
{
	struct rules rules;
	double tail = (1 - level) / 2;

	if (!(level > 0 && level < 1))
		return -1;
	rules_init(&rules);
	range->at = at;
	range->lo = lower_end(f, &rules, tail);
	range->hi = upper_end(f, &rules, tail);
	if (at < range->lo) {
		range->lo = at;
		range->hi =
		    upper_end(f, &rules, 1 - level - tail_beyond(f, &rules, at, 1, tail));
	} else if (at > range->hi) {
		range->hi = at;
		range->lo =
		    lower_end(f, &rules, 1 - level - tail_beyond(f, &rules, at, 0, tail));
	}
	return 0;
}

/*
 * The search for P(A > B) where A, the low one, has the smaller mean: the
 * integral of the density of A times the mass of B below.  Where f_A(x) f_B(y),
 * x >= y, is largest, at or near the diagonal between the means, both
 * densities are scaled to 1; of everything else only what comes within NATS of
 * this matters.
 */
struct tail {
	struct place top;
	double low_most, high_most; /* scaled logarithms at own means */
	double below;               /* mass of high so far, scaled */
	double sum;                 /* the integral so far, scaled */
};

/* The product of the densities a part of the way between their means. */
static double
product_log(const struct curve *low, const struct curve *high, double part)
{
	struct place x;

	x = place_between(low->f->mean, high->f->mean, part);
	return curve_log(low, x) + curve_log(high, x);
}

/*
 * Golden section for the top of the product of the densities between the two
 * means, to within about a nat.
 */
static struct place
product_top(const struct curve *low, const struct curve *high)
{
	const double golden = 0.61803398874989485;
	double a, b, c, d, fa, fb, fc, fd;
	int turn;

	a = 0;
	b = 1;
	c = 1 - golden;
	d = golden;
	fa = product_log(low, high, a);
	fb = product_log(low, high, b);
	fc = product_log(low, high, c);
	fd = product_log(low, high, d);
	for (turn = 0; turn < 100; turn++) {
		if (fmax(fc, fd) - fmin(fa, fb) < 0.5)
			break;
		if (fc > fd) {
			b = d, fb = fd;
			d = c, fd = fc;
			c = b - golden * (b - a);
			fc = product_log(low, high, c);
		} else {
			a = c, fa = fc;
			c = d, fc = fd;
			d = a + golden * (b - a);
			fd = product_log(low, high, d);
		}
	}
	return place_between(low->f->mean, high->f->mean, fc > fd ? c : d);
}

/* Whether the panel matters for A, as x, and for B, as y. */
static void
tail_relevant(const struct tail *t, const struct curve *low, const struct curve *high,
    const struct panel *p, int *low_matters, int *high_matters)
{
	struct place end;
	double a, b;

	*low_matters = *high_matters = 1;
	if (panel_holds(p, t->top, &end))
		return;
	a = curve_log(low, end);
	b = curve_log(high, end);
	*low_matters =
	    a + (place_compare(end, high->f->mean) < 0 ? b : t->high_most) > -NATS;
	*high_matters =
	    b + (place_compare(end, low->f->mean) > 0 ? a : t->low_most) > -NATS;
}

static void
tail_add(struct tail *t, const struct rules *r, const struct panel *p, const double *low,
    const double *high)
{
	double half, mass, part;
	int i, j;

	half = fabs(p->b - p->a) / 2;
	mass = 0;
	for (i = 0; i < OUTER; i++) {
		part = 0;
		for (j = 0; j < OUTER; j++)
			part += r->below[i][j] * high[j];
		t->sum += half * r->outer.w[i] * low[i] * (t->below + half * part);
		mass += r->outer.w[i] * high[i];
	}
	t->below += half * mass;
}

/*
 * The tolerance may be wide: what the series of the two densities miss on a
 * panel is orthogonal to what they hold, so only the product of the two
 * remainders is lost.
 */
static void
tail_visit(struct tail *t, struct curve low, struct curve high, const struct panel *p,
    int depth)
{
	struct panel left, right;
	double f[OUTER] = { 0 }, g[OUTER] = { 0 };
	int high_matters, low_matters, resolved;

	tail_relevant(t, &low, &high, p, &low_matters, &high_matters);
	if (!low_matters && !high_matters)
		return;
	resolved = !low_matters || curve_sample(&low, p, 1e-7, f);
	if (high_matters && (resolved || !high.known))
		resolved &= curve_sample(&high, p, 1e-7, g);
	if (!resolved && depth < DEPTH) {
		panel_halves(p, &left, &right);
		tail_visit(t, low, high, &left, depth + 1);
		tail_visit(t, low, high, &right, depth + 1);
	} else
		tail_add(t, low.rules, p, f, g);
}

/* P(A > B), A having the smaller mean: at most 1 - 1/e. */
static double
tail_probability(const struct spline *a, const struct spline *b, const struct rules *r)
{
	struct curve high, low;
	struct tail t;
	double shift;
	int i;

	curve_init(&low, a, r);
	curve_init(&high, b, r);
	t.top = product_top(&low, &high);
	low.shift = curve_log(&low, t.top);
	high.shift = curve_log(&high, t.top);
	shift = low.shift + high.shift;
	if (!(shift > -750))
		return 0; /* the area is at most 1/2: underflow */
	/* A log-concave density at its mean is within a nat of its top. */
	t.low_most = curve_log(&low, a->mean) + 1;
	t.high_most = curve_log(&high, b->mean) + 1;
	t.below = t.sum = 0;
	for (i = 0; i < 4; i++)
		tail_visit(&t, low, high, &quarters[i], 0);
	return t.sum > 0 ? fmin(1, exp(log(t.sum) + shift)) : 0;
}

/*
 * Which of the two is to be the low one: the smaller mean, and if that does
 * not decide, any order that does not change when a and b are exchanged.
 */
static int
spline_before(const struct spline *a, const struct spline *b)
{
	int i, order;

	order = place_compare(a->mean, b->mean);
	for (i = 0; order == 0 && i < 3; i++)
		order = (a->k[i] > b->k[i]) - (a->k[i] < b->k[i]);
	return order < 0;
}

static void
spline_compare(const struct spline *a, const struct spline *b, const struct rules *r,
    double *less, double *greater)
{
	if ((a->k[0] == b->k[0] && a->k[1] == b->k[1] && a->k[2] == b->k[2] &&
		a->middle == b->middle) ||
	    (a->k[0] == a->k[2] && b->k[0] == b->k[2]))
		*less = *greater = 0.5;
	else if (spline_before(a, b)) {
		*greater = tail_probability(a, b, r);
		*less = 1 - *greater;
	} else {
		*less = tail_probability(b, a, r);
		*greater = 1 - *less;
	}
}

static const struct dirichlet_points no_points;

/* NaN without games. */
static double
per_game(double sum, const struct dirichlet *c, const struct dirichlet_points *p)
{
	double n = games_of(c, p);

	return n > 0 ? sum / n : NAN;
}

int
dirichlet_draw_rate(const struct dirichlet *c, const struct dirichlet_points *p,
    double level, struct range *range)
{
	struct spline f;

	p = p != NULL ? p : &no_points;
	spline_init_draw(&f, c, p);
	return spline_range(&f, level, per_game((double)c->draws, c, p), range);
}

int
dirichlet_score(const struct dirichlet *c, const struct dirichlet_points *p, double level,
    struct range *range)
{
	struct spline f;

	p = p != NULL ? p : &no_points;
	spline_init_points(&f, c, p);
	return spline_range(&f, level,
	    per_game((double)c->wins + (double)c->draws / 2 + p->sum, c, p), range);
}

int
dirichlet_share(unsigned long long hits, unsigned long long total, double level,
    struct range *range)
{
	struct spline f;

	if (hits > total)
		return -1;
	spline_init(&f, (double)hits, 0, (double)(total - hits), 0);
	return spline_range(&f, level, total > 0 ? (double)hits / (double)total : NAN,
	    range);
}

void
dirichlet_compare(const struct dirichlet *a, const struct dirichlet_points *a_points,
    const struct dirichlet *b, const struct dirichlet_points *b_points,
    struct dirichlet_probs *probs)
{
	struct rules rules;
	struct spline f, g;

	a_points = a_points != NULL ? a_points : &no_points;
	b_points = b_points != NULL ? b_points : &no_points;
	rules_init(&rules);
	spline_init_draw(&f, a, a_points);
	spline_init_draw(&g, b, b_points);
	spline_compare(&f, &g, &rules, &probs->draw_less, &probs->draw_greater);
	spline_init_points(&f, a, a_points);
	spline_init_points(&g, b, b_points);
	spline_compare(&f, &g, &rules, &probs->score_less, &probs->score_greater);
}
