#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "special.h"

/*
 * A key, from the top: the differences as digits d + radix / 2, the first never 0;
 * eight bits of block; two bits z + 1.
 */
#define Z_BITS 2
#define BLOCK_BITS 8

const struct fit_shape fit_chess = {
	.terms = FIT_PIECES,
	.radix = { 256, 256, 256, 256, 256 },
	.name = { "pawn", "knight", "bishop", "rook", "queen" },
};

uint64_t
fit_key(const struct fit_shape *s, unsigned block, const int d[], int z)
{
	uint64_t key = 0;

	if (block >= FIT_BLOCKS || z < -1 || z > 1)
		return 0;
	for (int i = 0; i < s->terms; i++) {
		if (d[i] > (s->radix[i] - 1) / 2 || d[i] < -(s->radix[i] - 1) / 2)
			return 0;
		key = key * (unsigned)s->radix[i] + (unsigned)(d[i] + s->radix[i] / 2);
	}
	return (key << BLOCK_BITS | block) << Z_BITS | (unsigned)(z + 1);
}

uint64_t
fit_key_step(const struct fit_shape *s, int piece)
{
	uint64_t step = 1 << (BLOCK_BITS + Z_BITS);

	for (int i = s->terms - 1; i > piece; i--)
		step *= (unsigned)s->radix[i];
	return step;
}

int
fit_key_parts(const struct fit_shape *s, uint64_t key, unsigned *block, int d[], int *z)
{
	uint64_t rest = key >> (BLOCK_BITS + Z_BITS);

	*z = (int)(key & 3) - 1;
	*block = (unsigned)(key >> Z_BITS) & (FIT_BLOCKS - 1);
	for (int i = s->terms - 1; i >= 0; i--) {
		unsigned radix = (unsigned)s->radix[i];
		d[i] = (int)(rest % radix) - s->radix[i] / 2;
		rest /= radix;
	}
	return fit_key(s, *block, d, *z) == key && key != 0 ? 0 : -1;
}

uint64_t
fit_parts(double z)
{
	return (uint64_t)lround(FIT_UNIT * (1 + z) / 2);
}

/* By the number of parts, which is rounded. */
uint64_t
fit_squares(double z)
{
	double counted = 2 * (double)fit_parts(z) / FIT_UNIT - 1;

	return (uint64_t)lround(FIT_UNIT * counted * counted);
}

static uint64_t
key_difference(uint64_t key)
{
	return key >> (BLOCK_BITS + Z_BITS);
}

/*
 * The fit.  Only the cells' sums over blocks matter for the optimum; a group
 * has the sums for one d.
 */
struct group {
	double d[FIT_MOST]; /* d[0] = 1, or 0 without constant */
	double count[3];    /* lost, drawn, won */
};

/* Half the sum of squares and its derivatives; the lower triangle only. */
struct sums {
	double loss;
	double gradient[FIT_MOST];
	double hessian[FIT_MOST][FIT_MOST];
};

struct problem {
	struct histogram_cell *cells; /* sorted */
	size_t ncells;
	struct group *groups;
	size_t ngroups;
	const struct fit_shape *shape;
	int n;         /* weights */
	unsigned held; /* weights held at zero, a bit each */
	double positions, squares;
	struct sums all, blocks[FIT_BLOCKS]; /* at the optimum */
	int filled[FIT_BLOCKS];
};

static const char *
weight_name(const struct problem *p, int i)
{
	return i == 0 ? "constant" : p->shape->name[i - 1];
}

/* tanh(x), and 1 - tanh(x) and 1 + tanh(x) without cancellation. */
struct squash {
	double t, minus, plus;
};

static struct squash
squash(double x)
{
	struct squash s;
	double far, near, q;

	q = exp(-2 * fabs(x));
	near = 2 * q / (1 + q);
	far = 2 / (1 + q);
	s.t = copysign(-expm1(-2 * fabs(x)) / (1 + q), x);
	s.minus = x < 0 ? far : near;
	s.plus = x < 0 ? near : far;
	return s;
}

/* Add the count of lost, drawn and won positions d, predicted as p. */
static void
sums_add(struct sums *s, int n, struct squash p, const double *d, const double *count)
{
	double curve, product, residual, slope;
	int i, j;

	product = p.minus * p.plus;
	residual = count[2] * p.minus - count[1] * p.t - count[0] * p.plus;
	slope = -residual * product;
	curve = (count[0] + count[1] + count[2]) * product * product +
	    2 * p.t * product * residual;
	s->loss += (count[2] * p.minus * p.minus + count[1] * p.t * p.t +
		       count[0] * p.plus * p.plus) /
	    2;
	for (i = 0; i < n; i++) {
		s->gradient[i] += slope * d[i];
		for (j = 0; j <= i; j++)
			s->hessian[i][j] += curve * d[i] * d[j];
	}
}

static struct squash
group_predict(const struct group *g, int n, const double *w)
{
	double x;
	int i;

	x = 0;
	for (i = 0; i < n; i++)
		x += w[i] * g->d[i];
	return squash(x);
}

static void
problem_sums(const struct problem *p, const double *w, struct sums *s)
{
	const struct group *g;
	size_t i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < p->ngroups; i++) {
		g = &p->groups[i];
		sums_add(s, p->n, group_predict(g, p->n, w), g->d, g->count);
	}
	/* Weights without derivatives; this holds them at zero. */
	for (int k = 0; k < p->n; k++)
		if (p->held & 1U << k)
			s->hessian[k][k] = 1;
}

/* Make the groups from the sorted cells. */
static int
problem_group(struct problem *p, char *reason)
{
	const struct histogram_cell *c, *end;
	struct group *g;
	unsigned block;
	int d[FIT_TERMS], k, z;

	end = p->cells + p->ncells;
	g = p->groups = xcalloc(p->ncells + 1, sizeof(*p->groups));
	for (c = p->cells; c < end; c++) {
		if (fit_key_parts(p->shape, c->key, &block, d, &z) == -1)
			return refuse(reason, "not a histogram of positions");
		g->count[z + 1] += (double)c->count;
		p->positions += (double)c->count;
		p->filled[block] |= c->count > 0;
		if (c + 1 < end && key_difference(c->key) == key_difference(c[1].key))
			continue;
		g->d[0] = !(p->held & 1);
		for (k = 0; k < p->shape->terms; k++)
			g->d[k + 1] = d[k];
		g++;
	}
	p->ngroups = (size_t)(g - p->groups);
	return 0;
}

/* The sums of each block at w: the cells once more. */
static void
problem_blocks(struct problem *p, const double *w)
{
	const struct histogram_cell *c, *end;
	const struct group *g;
	struct squash guess;
	double count[3];
	unsigned block;
	int d[FIT_TERMS], z;

	end = p->cells + p->ncells;
	g = p->groups;
	guess = group_predict(g, p->n, w);
	memset(count, 0, sizeof(count));
	for (c = p->cells; c < end; c++) {
		fit_key_parts(p->shape, c->key, &block, d, &z);
		count[z + 1] += (double)c->count;
		if (c + 1 < end && c->key >> Z_BITS == c[1].key >> Z_BITS)
			continue;
		sums_add(&p->blocks[block], p->n, guess, g->d, count);
		memset(count, 0, sizeof(count));
		if (c + 1 < end && key_difference(c->key) != key_difference(c[1].key))
			guess = group_predict(++g, p->n, w);
	}
}

/*
 * Which weights, as a set of bits, row of the matrix a depends on together
 * with itself, when l is the factor of the rows before it.
 */
static unsigned
dependent_weights(double a[][FIT_MOST], double l[][FIT_MOST], int row)
{
	double share[FIT_MOST];
	unsigned set;
	int i;

	cholesky_solve(row, l, a[row], share);
	set = 1U << row;
	for (i = 0; i < row; i++)
		if (fabs(share[i]) * sqrt(a[i][i]) > 1e-6 * sqrt(a[row][row]))
			set |= 1U << i;
	return set;
}

/* Refuse what cannot be fitted; s is at w = 0, where hessian = sum of d d'. */
static int
problem_check(struct problem *p, struct sums *s, char *reason)
{
	double decided, l[FIT_MOST][FIT_MOST];
	unsigned set;
	size_t g;
	int i, n, row;

	decided = 0;
	for (g = 0; g < p->ngroups; g++)
		decided += p->groups[g].count[0] + p->groups[g].count[2];
	if (!(p->positions > 0))
		return refuse(reason, "no positions");
	if (!(decided > 0))
		return refuse(reason, "no decisive game");
	for (i = 1; i < p->n; i++) {
		if (s->hessian[i][i] > 0)
			continue;
		if (i <= FIT_PIECES)
			return refuse(reason, "the sides never differ in %ss",
			    weight_name(p, i));
		p->held |= 1U << i;
		s->hessian[i][i] = 1;
	}
	row = cholesky_factor(p->n, s->hessian, l, 1e-12);
	if (row == -1)
		return 0;
	set = dependent_weights(s->hessian, l, row);
	n = snprintf(reason, REASON_MAX, "weights that only occur together:");
	for (i = 0; i < p->n; i++)
		if (set & 1U << i)
			n += snprintf(reason + n, (size_t)(REASON_MAX - n), " %s",
			    weight_name(p, i));
	return -1;
}

/*
 * A weight that grows without bound has a vanishing curvature: all predictions
 * that depend on it are 1 or -1.  Returns its index, or -1.
 */
static int
problem_runaway(const struct problem *p, const struct sums *start, const double *w)
{
	int i;

	for (i = 0; i < p->n; i++)
		if (fabs(w[i]) > 16 ||
		    fabs(p->all.hessian[i][i]) < 1e-28 * start->hessian[i][i])
			return i;
	return -1;
}

/*
 * The step of Newton's method, damped by a multiple of the curvature at zero.
 * Returns its largest component, or -1 where the damped matrix is not
 * positive definite.
 */
static double
newton_step(const struct problem *p, const struct sums *start, double damping,
    double *step)
{
	double a[FIT_MOST][FIT_MOST], l[FIT_MOST][FIT_MOST], most;
	int i;

	memcpy(a, p->all.hessian, sizeof(a));
	for (i = 0; i < p->n; i++)
		a[i][i] += damping * start->hessian[i][i];
	if (cholesky_factor(p->n, a, l, 1e-14) != -1)
		return -1;
	cholesky_solve(p->n, l, p->all.gradient, step);
	most = 0;
	for (i = 0; i < p->n; i++)
		most = fmax(most, fabs(step[i]));
	return most;
}

/*
 * From w = 0 to the minimum, with p->all the sums there.  Newton's steps are
 * damped until they descend; the last ones are not checked, as rounding hides
 * differences between the sums of squares.
 */
static int
problem_minimise(struct problem *p, const struct sums *start, double *w, char *reason)
{
	struct sums next;
	double damping, most, step[FIT_MOST], try[FIT_MOST];
	int i, near, turn;

	p->all = *start;
	damping = 0;
	near = 0;
	for (turn = 0; turn < 200 && near < 2; turn++) {
		most = newton_step(p, start, damping, step);
		for (i = 0; i < p->n; i++)
			try[i] = w[i] - step[i] / fmax(most, 1);
		next.loss = INFINITY; /* there may be no step to take */
		if (most >= 0)
			problem_sums(p, try, &next);
		if (!(next.loss <= p->all.loss * (1 + 1e-12))) {
			damping = fmax(1e-4, 10 * damping);
			continue;
		}
		near += damping == 0 && most < 1e-8;
		memcpy(w, try, (size_t)p->n * sizeof(*try));
		p->all = next;
		if ((i = problem_runaway(p, start, w)) != -1)
			return refuse(reason, "the weight of the %s grows without bound",
			    weight_name(p, i));
		damping = damping > 1e-4 ? damping / 10 : 0;
	}
	return near == 2
	    ? 0
	    : refuse(reason, "no minimum: a combination of weights grows without bound");
}

/*
 * How the weights change if a block is left out: one step of Newton's method
 * without it.  Weights that the other blocks do not determine are left unchanged
 * and added to the set *open.
 */
static void
block_change(const struct problem *p, int block, double *change, unsigned *open)
{
	double a[FIT_MOST][FIT_MOST], l[FIT_MOST][FIT_MOST];
	const struct sums *b;
	int i, j, row;

	b = &p->blocks[block];
	for (i = 0; i < p->n; i++) {
		change[i] = b->gradient[i];
		for (j = 0; j <= i; j++)
			a[i][j] = p->all.hessian[i][j] - b->hessian[i][j];
	}
	while ((row = cholesky_factor(p->n, a, l, 1e-10)) != -1) {
		*open |= a[row][row] > 0 ? dependent_weights(a, l, row) : 1U << row;
		for (i = 0; i < p->n; i++)
			a[row][i] = a[i][row] = 0;
		a[row][row] = 1;
		change[row] = 0;
	}
	cholesky_solve(p->n, l, change, change);
}

/*
 * The jackknife by blocks.  Returns the set of weights without limits.
 */
static unsigned
problem_covariance(const struct problem *p, struct fit_result *r)
{
	double change[FIT_MOST];
	unsigned open;
	int b, i, j;

	open = 0;
	for (b = 0; b < FIT_BLOCKS; b++) {
		if (!p->filled[b])
			continue;
		r->blocks++;
		block_change(p, b, change, &open);
		for (i = 0; i < p->n; i++)
			for (j = 0; j < p->n; j++)
				r->covariance[i][j] += change[i] * change[j];
	}
	for (i = 0; i < p->n; i++)
		for (j = 0; j < p->n; j++)
			r->covariance[i][j] *= (r->blocks - 1.) / r->blocks;
	return r->blocks < 3 ? ~0U : open;
}

/*
 * The ratios x for which w_piece - x w_pawn is not further from zero than t
 * standard errors: between the roots of a x^2 - 2 b x + c, and without limit
 * when the pawn's weight itself is not.
 */
static void
result_value(struct fit_result *r, int piece, double t)
{
	double a, b, c, root;
	int i;

	i = piece + 1;
	a = r->w[1] * r->w[1] - t * t * r->covariance[1][1];
	b = r->w[1] * r->w[i] - t * t * r->covariance[1][i];
	c = r->w[i] * r->w[i] - t * t * r->covariance[i][i];
	r->value[piece] = r->w[i] / r->w[1];
	r->lo[piece] = -INFINITY;
	r->hi[piece] = INFINITY;
	if (a > 0) {
		root = sqrt(fmax(b * b - a * c, 0));
		r->lo[piece] = (b - root) / a;
		r->hi[piece] = (b + root) / a;
	}
}

static void
result_intervals(const struct problem *p, struct fit_result *r, unsigned open,
    double level)
{
	double t;
	int i;

	t = r->blocks < 3 ? 0 : student_quantile((1 - level) / 2, r->blocks - 1);
	for (i = 0; i < p->shape->terms; i++) {
		result_value(r, i, t);
		if (p->held & 1U << (i + 1))
			r->value[i] = r->lo[i] = r->hi[i] = NAN;
		else if (open & (1U << (i + 1) | 1U << 1)) {
			r->lo[i] = -INFINITY;
			r->hi[i] = INFINITY;
		}
	}
	r->value[0] = r->lo[0] = r->hi[0] = 1;
}

static int
problem_solve(struct problem *p, const struct fit_options *o, struct fit_result *r,
    char *reason)
{
	struct sums start;
	unsigned open;
	int i;

	problem_sums(p, r->w, &start);
	if (problem_check(p, &start, reason) == -1 ||
	    problem_minimise(p, &start, r->w, reason) == -1)
		return -1;
	r->mse = 2 * p->all.loss / p->positions;
	if (o->unit > 1) /* each part's square was taken for 1 */
		r->mse += p->squares / p->positions - 1;
	problem_blocks(p, r->w);
	open = problem_covariance(p, r);
	result_intervals(p, r, open, o->level);
	r->valued = r->w[1] > 0;
	if (r->valued)
		return 0;
	refuse(reason, "the weight of the pawn is not positive");
	for (i = 0; i < p->shape->terms; i++)
		r->value[i] = r->lo[i] = r->hi[i] = NAN;
	return 0;
}

int
fit_solve(const struct histogram *h, const struct fit_options *o, struct fit_result *r,
    char reason[REASON_MAX])
{
	struct problem *p;
	size_t i;
	int result;

	memset(r, 0, sizeof(*r));
	reason[0] = '\0';
	if (!(o->level > 0 && o->level < 1))
		return refuse(reason, "a level of %g is not between 0 and 1", o->level);
	p = xcalloc(1, sizeof(*p));
	p->cells = histogram_sorted(h, &p->ncells);
	/* The cells are sorted, and that one comes first. */
	if (p->ncells > 0 && p->cells[0].key == FIT_SQUARES && o->unit > 1) {
		p->squares = (double)p->cells[0].count;
		memmove(p->cells, p->cells + 1, --p->ncells * sizeof(*p->cells));
	}
	for (i = 0; i < p->ncells; i++)
		r->positions += p->cells[i].count;
	r->positions /= (uint64_t)(o->unit > 1 ? o->unit : 1);
	p->shape = o->shape != NULL ? o->shape : &fit_chess;
	p->n = p->shape->terms + 1;
	p->held = o->no_constant ? 1 : 0;
	result = problem_group(p, reason);
	if (result == 0)
		result = problem_solve(p, o, r, reason);
	free(p->cells);
	free(p->groups);
	free(p);
	return result;
}
