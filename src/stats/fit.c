#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "special.h"

/*
 * A key, from the top: five bytes d + 128, never 0 as |d| < 128; eight bits of
 * block; two bits z + 1.
 */
#define Z_BITS 2
#define BLOCK_BITS 8

uint64_t
fit_key(unsigned block, const int d[FIT_PIECES], int z)
{
	uint64_t key;
	unsigned byte;
	int i;

	if (block >= FIT_BLOCKS || z < -1 || z > 1)
		return 0;
	key = 0;
	for (i = 0; i < FIT_PIECES; i++) {
		byte = (unsigned)d[i] + 128;
		if (byte - 1 > 254)
			return 0;
		key = key << 8 | byte;
	}
	return (key << BLOCK_BITS | block) << Z_BITS | (unsigned)(z + 1);
}

int
fit_key_parts(uint64_t key, unsigned *block, int d[FIT_PIECES], int *z)
{
	int i;

	*z = (int)(key & 3) - 1;
	*block = (unsigned)(key >> Z_BITS) & (FIT_BLOCKS - 1);
	for (i = 0; i < FIT_PIECES; i++)
		d[i] =
		    (int)(key >> (Z_BITS + BLOCK_BITS + 8 * (FIT_PIECES - 1 - i)) & 255) -
		    128;
	return fit_key(*block, d, *z) == key && key != 0 ? 0 : -1;
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
	double d[FIT_WEIGHTS]; /* d[0] = 1, or 0 without constant */
	double count[3];       /* lost, drawn, won */
};

/* Half the sum of squares and its derivatives; the lower triangle only. */
struct sums {
	double loss;
	double gradient[FIT_WEIGHTS];
	double hessian[FIT_WEIGHTS][FIT_WEIGHTS];
};

struct problem {
	struct histogram_cell *cells; /* sorted */
	size_t ncells;
	struct group *groups;
	size_t ngroups;
	int no_constant;
	double positions, squares;
	struct sums all, blocks[FIT_BLOCKS]; /* at the optimum */
	int filled[FIT_BLOCKS];
};

static const char *const weight_name[FIT_WEIGHTS] = {
	"constant",
	"pawn",
	"knight",
	"bishop",
	"rook",
	"queen",
};

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
sums_add(struct sums *s, struct squash p, const double *d, const double *count)
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
	for (i = 0; i < FIT_WEIGHTS; i++) {
		s->gradient[i] += slope * d[i];
		for (j = 0; j <= i; j++)
			s->hessian[i][j] += curve * d[i] * d[j];
	}
}

static struct squash
group_predict(const struct group *g, const double *w)
{
	double x;
	int i;

	x = 0;
	for (i = 0; i < FIT_WEIGHTS; i++)
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
		sums_add(s, group_predict(g, w), g->d, g->count);
	}
	/* A missing constant has no derivatives; this holds it at zero. */
	if (p->no_constant)
		s->hessian[0][0] = 1;
}

/* Make the groups from the sorted cells. */
static int
problem_group(struct problem *p, char *reason)
{
	const struct histogram_cell *c, *end;
	struct group *g;
	unsigned block;
	int d[FIT_PIECES], k, z;

	end = p->cells + p->ncells;
	g = p->groups = xcalloc(p->ncells + 1, sizeof(*p->groups));
	for (c = p->cells; c < end; c++) {
		if (fit_key_parts(c->key, &block, d, &z) == -1)
			return refuse(reason, "not a histogram of positions");
		g->count[z + 1] += (double)c->count;
		p->positions += (double)c->count;
		p->filled[block] |= c->count > 0;
		if (c + 1 < end && key_difference(c->key) == key_difference(c[1].key))
			continue;
		g->d[0] = !p->no_constant;
		for (k = 0; k < FIT_PIECES; k++)
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
	int d[FIT_PIECES], z;

	end = p->cells + p->ncells;
	g = p->groups;
	guess = group_predict(g, w);
	memset(count, 0, sizeof(count));
	for (c = p->cells; c < end; c++) {
		fit_key_parts(c->key, &block, d, &z);
		count[z + 1] += (double)c->count;
		if (c + 1 < end && c->key >> Z_BITS == c[1].key >> Z_BITS)
			continue;
		sums_add(&p->blocks[block], guess, g->d, count);
		memset(count, 0, sizeof(count));
		if (c + 1 < end && key_difference(c->key) != key_difference(c[1].key))
			guess = group_predict(++g, w);
	}
}

/*
 * Which weights, as a set of bits, row of the matrix a depends on together
 * with itself, when l is the factor of the rows before it.
 */
static unsigned
dependent_weights(double a[][FIT_WEIGHTS], double l[][FIT_WEIGHTS], int row)
{
	double share[FIT_WEIGHTS];
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
problem_check(const struct problem *p, struct sums *s, char *reason)
{
	double decided, l[FIT_WEIGHTS][FIT_WEIGHTS];
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
	for (i = 1; i < FIT_WEIGHTS; i++)
		if (!(s->hessian[i][i] > 0))
			return refuse(reason, "the sides never differ in %ss",
			    weight_name[i]);
	row = cholesky_factor(FIT_WEIGHTS, s->hessian, l, 1e-12);
	if (row == -1)
		return 0;
	set = dependent_weights(s->hessian, l, row);
	n = snprintf(reason, REASON_MAX, "weights that only occur together:");
	for (i = 0; i < FIT_WEIGHTS; i++)
		if (set & 1U << i)
			n += snprintf(reason + n, (size_t)(REASON_MAX - n), " %s",
			    weight_name[i]);
	return -1;
}

/*
 * A weight that grows without bound has a vanishing curvature: all predictions
 * that depend on it are 1 or -1.  Returns its index, or -1.
 */
static int
problem_runaway(const struct sums *start, const struct sums *s, const double *w)
{
	int i;

	for (i = 0; i < FIT_WEIGHTS; i++)
		if (fabs(w[i]) > 16 ||
		    fabs(s->hessian[i][i]) < 1e-28 * start->hessian[i][i])
			return i;
	return -1;
}

/*
 * The step of Newton's method, damped by a multiple of the curvature at zero.
 * Returns its largest component, or -1 where the damped matrix is not
 * positive definite.
 */
static double
newton_step(const struct sums *s, const struct sums *start, double damping, double *step)
{
	double a[FIT_WEIGHTS][FIT_WEIGHTS], l[FIT_WEIGHTS][FIT_WEIGHTS], most;
	int i;

	memcpy(a, s->hessian, sizeof(a));
	for (i = 0; i < FIT_WEIGHTS; i++)
		a[i][i] += damping * start->hessian[i][i];
	if (cholesky_factor(FIT_WEIGHTS, a, l, 1e-14) != -1)
		return -1;
	cholesky_solve(FIT_WEIGHTS, l, s->gradient, step);
	most = 0;
	for (i = 0; i < FIT_WEIGHTS; i++)
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
	double damping, most, step[FIT_WEIGHTS], try[FIT_WEIGHTS];
	int i, near, turn;

	p->all = *start;
	damping = 0;
	near = 0;
	for (turn = 0; turn < 200 && near < 2; turn++) {
		most = newton_step(&p->all, start, damping, step);
		for (i = 0; i < FIT_WEIGHTS; i++)
			try[i] = w[i] - step[i] / fmax(most, 1);
		next.loss = INFINITY; /* there may be no step to take */
		if (most >= 0)
			problem_sums(p, try, &next);
		if (!(next.loss <= p->all.loss * (1 + 1e-12))) {
			damping = fmax(1e-4, 10 * damping);
			continue;
		}
		near += damping == 0 && most < 1e-8;
		memcpy(w, try, sizeof(try));
		p->all = next;
		if ((i = problem_runaway(start, &p->all, w)) != -1)
			return refuse(reason, "the weight of the %s grows without bound",
			    weight_name[i]);
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
	double a[FIT_WEIGHTS][FIT_WEIGHTS], l[FIT_WEIGHTS][FIT_WEIGHTS];
	const struct sums *b;
	int i, j, row;

	b = &p->blocks[block];
	for (i = 0; i < FIT_WEIGHTS; i++) {
		change[i] = b->gradient[i];
		for (j = 0; j <= i; j++)
			a[i][j] = p->all.hessian[i][j] - b->hessian[i][j];
	}
	while ((row = cholesky_factor(FIT_WEIGHTS, a, l, 1e-10)) != -1) {
		*open |= a[row][row] > 0 ? dependent_weights(a, l, row) : 1U << row;
		for (i = 0; i < FIT_WEIGHTS; i++)
			a[row][i] = a[i][row] = 0;
		a[row][row] = 1;
		change[row] = 0;
	}
	cholesky_solve(FIT_WEIGHTS, l, change, change);
}

/*
 * The jackknife by blocks.  Returns the set of weights without limits.
 */
static unsigned
problem_covariance(const struct problem *p, struct fit_result *r)
{
	double change[FIT_WEIGHTS];
	unsigned open;
	int b, i, j;

	open = 0;
	for (b = 0; b < FIT_BLOCKS; b++) {
		if (!p->filled[b])
			continue;
		r->blocks++;
		block_change(p, b, change, &open);
		for (i = 0; i < FIT_WEIGHTS; i++)
			for (j = 0; j < FIT_WEIGHTS; j++)
				r->covariance[i][j] += change[i] * change[j];
	}
	for (i = 0; i < FIT_WEIGHTS; i++)
		for (j = 0; j < FIT_WEIGHTS; j++)
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
result_intervals(struct fit_result *r, unsigned open, double level)
{
	double t;
	int i;

	t = r->blocks < 3 ? 0 : student_quantile((1 - level) / 2, r->blocks - 1);
	for (i = 0; i < FIT_PIECES; i++) {
		result_value(r, i, t);
		if (open & (1U << (i + 1) | 1U << 1)) {
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
	result_intervals(r, open, o->level);
	r->valued = r->w[1] > 0;
	if (r->valued)
		return 0;
	refuse(reason, "the weight of the pawn is not positive");
	for (i = 0; i < FIT_PIECES; i++)
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
	p->no_constant = o->no_constant;
	result = problem_group(p, reason);
	if (result == 0)
		result = problem_solve(p, o, r, reason);
	free(p->cells);
	free(p->groups);
	free(p);
	return result;
}
