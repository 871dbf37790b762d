#include <math.h>
#include <stddef.h>

#include "dirichlet.h"
#include "special.h"

/*
 * Both rates are B-splines: the draw rate is a Beta variate, a spline with
 * knots at 0 and 1; the score has knots at 0 (losses + 1 times), 1/2 (draws +
 * 1) and 1 (wins + 1).  Both densities are log-concave and, between knots,
 * polynomials.  Everything below works with logarithms of densities and with
 * panels on which the densities are known to be resolved by Gauss's nodes.
 *
 * [0,1] is cut into four quarters; a place is (quarter, s) with s its
 * distance, at most 1/4, from the knot 0, 1/2 or 1 that the quarter touches:
 *
 *	x:   0 ----------- 1/4 ---------- 1/2 ---------- 3/4 ----------- 1
 *	        quarter 0       quarter 1      quarter 2      quarter 3
 *	        s = x           s = 1/2 - x    s = x - 1/2    s = 1 - x
 *
 * A million draws put all the mass within 10^-6 of 1/2, a million wins within
 * 10^-6 of 1; measured from the knot, such places keep all their digits.
 */

#define OUTER	16		/* nodes on a panel */
#define INNER	LEGENDRE_MAX	/* nodes for the density of the score */
#define NATS	45		/* e^-45 of the peak is nothing */
#define DEPTH	64		/* halvings of a quarter */

struct place {
	int	quarter;
	double	s;
};

/* The same with its distances to the three knots. */
struct point {
	double	zero, one;	/* x and 1 - x */
	double	half;		/* 1/2 - x */
};

struct spline {
	double	k[3];		/* knots at 1, 1/2, 0; each once more than this */
	int	middle;		/* whether there is a knot at 1/2 at all */
	int	largest;	/* index of the largest k */
	double	n;		/* sum of k */
	double	scale;		/* logarithm of the constant factors */
	struct place mean;
};

/* Rules and matrices of the quadrature, made once for each public call. */
struct rules {
	struct legendre inner, outer;
	double	coefficient[OUTER][OUTER];	/* values -> Legendre series */
	double	below[OUTER][OUTER];	/* values -> integrals up to nodes */
};

static void
rules_init(struct rules *r)
{
	double sums[OUTER], values[OUTER];
	int i, j, k;

	legendre_init(&r->inner, INNER);
	legendre_init(&r->outer, OUTER);
	for (j = 0; j < OUTER; j++) {
		legendre_values(r->outer.x[j], OUTER, values);
		for (k = 0; k < OUTER; k++)
			r->coefficient[k][j] =
			    (k + 0.5) * r->outer.w[j] * values[k];
	}
	for (i = 0; i < OUTER; i++) {
		legendre_integrals(r->outer.x[i], OUTER, sums);
		for (j = 0; j < OUTER; j++) {
			r->below[i][j] = 0;
			for (k = 0; k < OUTER; k++)
				r->below[i][j] +=
				    sums[k] * r->coefficient[k][j];
		}
	}
}

static struct point
place_point(struct place p)
{
	struct point x;

	if (p.quarter == 0 || p.quarter == 3) {
		x.zero = p.s;
		x.half = 0.5 - p.s;
	} else {
		x.zero = 0.5 - p.s;
		x.half = p.s;
	}
	x.one = 1 - x.zero;
	if (p.quarter >= 2) {
		x.one = x.zero;
		x.zero = 1 - x.one;
		x.half = -x.half;
	}
	return x;
}

static struct place
point_place(struct point x)
{
	struct place p;

	if (x.half >= 0) {
		p.quarter = x.zero > 0.25;
		p.s = p.quarter ? x.half : x.zero;
	} else {
		p.quarter = x.one > 0.25 ? 2 : 3;
		p.s = p.quarter == 2 ? -x.half : x.one;
	}
	return p;
}

/* Negative, zero or positive as p is left of q, at q or right of it. */
static int
place_compare(struct place p, struct place q)
{
	int order;

	if (p.quarter != q.quarter)
		return p.quarter < q.quarter ? -1 : 1;
	order = (p.s > q.s) - (p.s < q.s);
	return p.quarter & 1 ? -order : order;
}

/* For spline_init: Stirling's formula without what the deviance cancels. */
static double
stirling_rest(double k)
{
	const double log_tau = 1.83787706640934548356;

	return k > 0 ? (log_tau + log(k)) / 2 + stirling_error(k) : 0;
}

static void
spline_init(struct spline *f, double ones, double halves, double zeros,
    int middle)
{
	struct point mean;
	double total;
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
	mean.zero = (2 * (ones + 1) + halves + middle) / total;
	mean.one = (2 * (zeros + 1) + halves + middle) / total;
	mean.half = (zeros - ones) / total;
	f->mean = point_place(mean);
}

static void
spline_init_draw(struct spline *f, const struct dirichlet *c)
{
	spline_init(f, (double)c->draws, 0,
	    (double)c->wins + (double)c->losses + 1, 0);
}

static void
spline_init_score(struct spline *f, const struct dirichlet *c)
{
	spline_init(f, (double)c->wins, (double)c->draws, (double)c->losses, 1);
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
 * How far the inner integrand has fallen, in nats, at a distance from top.
 * log(1 + e) is spelt out, with the rounding of 1 + e put right, because this
 * is where all the time goes and the library's log1p() is slower.
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
	double drop, high, low, try;
	int turn;

	/* Just before the edge: a low power that vanishes at it does no harm. */
	high = 0.99 * edge;
	if (edge == 0 || spline_drop(f, slope, high) < NATS)
		return edge;
	low = 0;
	try = 0;
	for (turn = 0; turn < 3; turn++)
		try += f->k[turn] * slope[turn] * slope[turn];
	try = copysign(sqrt(2 * NATS / try), edge);
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
 * Where the inner integrand u^wins (x-u)^draws (1-2x+u)^losses, x <= 1/2, is
 * largest, as the odds (win, draw, loss) there.  The smaller of u and x - u is
 * a root found without cancellation, the other the difference.
 */
static void
spline_top(const struct spline *f, struct point x, double *p)
{
	double b, c, far, root, u, v;

	c = 2 * x.half;
	far = c + x.zero;
	b = f->k[0] * (x.zero - c) - f->k[1] * c + f->k[2] * x.zero;
	root = sqrt(b * b + 4 * f->n * f->k[0] * x.zero * c);
	if (f->n == 0)
		u = x.zero / 2;
	else if (b < 0)
		u = 2 * f->k[0] * x.zero * c / (root - b);
	else
		u = (b + root) / (2 * f->n);
	v = x.zero - u;
	if (v < u && f->n > 0) {
		b = f->k[0] * far + f->k[1] * (x.zero + far) +
		    f->k[2] * x.zero;
		root = b * b - 4 * f->n * f->k[1] * x.zero * far;
		v = 2 * f->k[1] * x.zero * far / (b + sqrt(fmax(root, 0)));
		u = x.zero - v;
	}
	p[0] = u;
	p[1] = 2 * v;
	p[2] = c + u;
}

/* log density of the score at x <= 1/2: an integral over the win rate. */
static double
spline_log_score(const struct spline *f, const struct rules *r, struct point x)
{
	double half, high, low, middle, p[3], slope[3], sum;
	int i;

	spline_top(f, x, p);
	for (i = 0; i < 3; i++)
		slope[i] = f->k[i] > 0 ? (i == 1 ? -2 : 1) / p[i] : 0;
	low = -p[0];
	high = p[1] / 2;
	if (f->n >= 2 * INNER) {	/* else the rule is exact on the whole */
		low = spline_reach(f, slope, low);
		high = spline_reach(f, slope, high);
	}
	half = (high - low) / 2;
	middle = (high + low) / 2;
	sum = 0;
	for (i = 0; i < INNER; i++)
		sum += r->inner.w[i] * exp(-spline_drop(f, slope,
		    middle + half * r->inner.x[i]));
	return f->scale + spline_log_multinomial(f, p) + log(half * sum);
}

static double
spline_log(const struct spline *f, const struct rules *r, struct point x)
{
	struct spline mirror;
	struct point y;
	double p[3];

	if (!(x.zero > 0 && x.one > 0))
		return -INFINITY;
	if (!f->middle) {
		p[0] = x.zero;
		p[1] = 0;
		p[2] = x.one;
		return f->scale + spline_log_multinomial(f, p);
	}
	if (x.half >= 0)
		return spline_log_score(f, r, x);
	mirror = *f;
	mirror.k[0] = f->k[2];
	mirror.k[2] = f->k[0];
	mirror.largest = 2 - f->largest;
	y.zero = x.one;
	y.one = x.zero;
	y.half = -x.half;
	return spline_log_score(&mirror, r, y);
}

/* Part of a quarter, from its left end a to its right end b. */
struct panel {
	int	quarter;
	double	a, b;
};

static const struct panel quarters[4] = {
	{ 0, 0, 0.25 }, { 1, 0.25, 0 }, { 2, 0, 0.25 }, { 3, 0.25, 0 },
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
	double	shift;
	int	known;			/* whether there is a series */
	struct panel on;		/* where it holds */
	double	series[OUTER];
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
		return spline_log(c->f, c->rules, place_point(x)) - c->shift;
	legendre_values((2 * x.s - c->on.a - c->on.b) / (c->on.b - c->on.a),
	    OUTER, values);
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
curve_sample(struct curve *c, const struct panel *p, double tolerance,
    double *value)
{
	static const int first[3] = { 0, OUTER / 2, OUTER - 1 };
	double high, low, y[OUTER], series[OUTER], scaled[OUTER];
	int i;

	high = -INFINITY;
	low = INFINITY;
	for (i = 0; i < 3; i++) {
		y[i] = curve_log(c, panel_place(p, c->rules->outer.x[first[i]]));
		high = fmax(high, y[i]);
		low = fmin(low, y[i]);
	}
	if (high - low > 2000)
		return 0;
	for (i = 0; i < OUTER; i++) {
		y[i] = curve_log(c, panel_place(p, c->rules->outer.x[i]));
		high = fmax(high, y[i]);
	}
	for (i = 0; i < OUTER; i++) {
		scaled[i] = exp(y[i] - high);
		value[i] = exp(fmin(y[i], 700));
	}
	rules_series(c->rules, scaled, series);
	if (high - low < 0.5 || fabs(series[OUTER - 1]) +
	    fabs(series[OUTER - 2]) < tolerance)
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
	double	target, mass;
	int	found;
	struct point at;
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
	q->at = place_point(panel_place(p, (low + high) / 2));
}

static void
quantile_visit(struct quantile *q, struct curve curve, const struct panel *p,
    int depth)
{
	struct panel left, right;
	struct place end;
	double mass, series[OUTER], value[OUTER];

	if (q->found || (!panel_holds(p, curve.f->mean, &end) &&
	    curve_log(&curve, end) < -NATS))
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
static struct point
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
	q.at = place_point(f->mean);
	for (i = 0; i < 4; i++)
		quantile_visit(&q, curve, &quarters[i], 0);
	return q.at;
}

static int
spline_range(const struct spline *f, double level,
    struct dirichlet_range *range)
{
	struct rules rules;
	struct spline mirror;

	if (!(level > 0 && level < 1))
		return -1;
	rules_init(&rules);
	spline_init(&mirror, f->k[2], f->k[1], f->k[0], f->middle);
	range->mean = place_point(f->mean).zero;
	range->lo = spline_quantile(f, &rules, (1 - level) / 2).zero;
	range->hi = spline_quantile(&mirror, &rules, (1 - level) / 2).one;
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
	double	low_most, high_most;	/* scaled logarithms at own means */
	double	below;			/* mass of high so far, scaled */
	double	sum;			/* the integral so far, scaled */
};

/* Places in order as numbers from 0 to 4, for the search below. */
static struct place
place_of(double number)
{
	struct place p;

	p.quarter = number >= 3 ? 3 : (int)number;
	p.s = (number - p.quarter) / 4;
	if (p.quarter & 1)
		p.s = 0.25 - p.s;
	return p;
}

static double
place_number(struct place p)
{
	return p.quarter + (p.quarter & 1 ? 1 - 4 * p.s : 4 * p.s);
}

static double
product_log(const struct curve *low, const struct curve *high, double number)
{
	struct place x;

	x = place_of(number);
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

	a = place_number(low->f->mean);
	b = place_number(high->f->mean);
	c = b - golden * (b - a);
	d = a + golden * (b - a);
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
	return place_of(fc > fd ? c : d);
}

/* Whether the panel matters for A, as x, and for B, as y. */
static void
tail_relevant(const struct tail *t, const struct curve *low,
    const struct curve *high, const struct panel *p, int *low_matters,
    int *high_matters)
{
	struct place end;
	double a, b;

	*low_matters = *high_matters = 1;
	if (panel_holds(p, t->top, &end))
		return;
	a = curve_log(low, end);
	b = curve_log(high, end);
	*low_matters = a + (place_compare(end, high->f->mean) < 0 ? b :
	    t->high_most) > -NATS;
	*high_matters = b + (place_compare(end, low->f->mean) > 0 ? a :
	    t->low_most) > -NATS;
}

static void
tail_add(struct tail *t, const struct rules *r, const struct panel *p,
    const double *low, const double *high)
{
	double half, mass, part;
	int i, j;

	half = fabs(p->b - p->a) / 2;
	mass = 0;
	for (i = 0; i < OUTER; i++) {
		part = 0;
		for (j = 0; j < OUTER; j++)
			part += r->below[i][j] * high[j];
		t->sum += half * r->outer.w[i] * low[i] *
		    (t->below + half * part);
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
tail_visit(struct tail *t, struct curve low, struct curve high,
    const struct panel *p, int depth)
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
tail_probability(const struct spline *a, const struct spline *b,
    const struct rules *r)
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
		return 0;	/* the area is at most 1/2: below any double */
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
spline_compare(const struct spline *a, const struct spline *b,
    const struct rules *r, double *less, double *greater)
{
	if ((a->k[0] == b->k[0] && a->k[1] == b->k[1] && a->k[2] == b->k[2]) ||
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

int
dirichlet_draw_rate(const struct dirichlet *c, double level,
    struct dirichlet_range *range)
{
	struct spline f;

	spline_init_draw(&f, c);
	return spline_range(&f, level, range);
}

int
dirichlet_score(const struct dirichlet *c, double level,
    struct dirichlet_range *range)
{
	struct spline f;

	spline_init_score(&f, c);
	return spline_range(&f, level, range);
}

int
dirichlet_share(unsigned long long hits, unsigned long long total,
    double level, struct dirichlet_range *range)
{
	struct spline f;

	if (hits > total)
		return -1;
	spline_init(&f, (double)hits, 0, (double)(total - hits), 0);
	return spline_range(&f, level, range);
}

void
dirichlet_compare(const struct dirichlet *a, const struct dirichlet *b,
    struct dirichlet_odds *odds)
{
	struct rules rules;
	struct spline f, g;

	rules_init(&rules);
	spline_init_draw(&f, a);
	spline_init_draw(&g, b);
	spline_compare(&f, &g, &rules, &odds->draw_less, &odds->draw_greater);
	spline_init_score(&f, a);
	spline_init_score(&g, b);
	spline_compare(&f, &g, &rules, &odds->score_less, &odds->score_greater);
}
