#include "strata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The expected number of lines for which a cell is used; the number of all lines
 * for which a slope is estimated, as few lines may give a bad one. */
static const double ENOUGH = 20, SLOPE_LINES = 200;

static int
add_cell(struct strata *s, int parent, uint32_t move, double prob)
{
	if (s->cells == NULL)
		s->cells = xcalloc(STRATA_CELLS, sizeof(*s->cells));
	struct strata_cell *c = &s->cells[s->n];
	*c = (struct strata_cell){
		.parent = parent, .child = -1, .next = -1, .move = move, .prob = prob
	};
	if (parent >= 0) {
		c->next = s->cells[parent].child;
		s->cells[parent].child = s->n;
	}
	return s->n++;
}

static int
find_child(const struct strata *s, int cell, uint32_t move)
{
	int c = s->cells[cell].child;

	while (c != -1 && s->cells[c].move != move)
		c = s->cells[c].next;
	return c;
}

int
strata_find(struct strata *s, const struct strata_line *l)
{
	int cell = 0;

	if (s->n == 0)
		add_cell(s, -1, 0, 1);
	for (int i = 0; i < l->plies && i < STRATA_PLIES; i++) {
		double prob = s->cells[cell].prob * exp(l->logp[i]);
		if (prob < STRATA_LEAST)
			break;
		int next = find_child(s, cell, l->moves[i]);
		/* Full only if probabilities sum to more than 1. */
		if (next == -1 && s->n == STRATA_CELLS)
			break;
		if (next == -1)
			next = add_cell(s, cell, l->moves[i], prob);
		cell = next;
	}
	return cell;
}

void
strata_add(struct strata *s, int cell, int ply, double y, double x)
{
	struct strata_cell *c = &s->cells[cell];

	if (ply >= c->plies) {
		int plies = ply + 1 > 2 * c->plies ? ply + 1 : 2 * c->plies;
		c->sums = xreallocarray(c->sums, (size_t)plies, sizeof(*c->sums));
		memset(c->sums + c->plies, 0,
		    (size_t)(plies - c->plies) * sizeof(*c->sums));
		c->plies = plies;
	}
	s->uncontrolled |= isnan(x);
	comoments_add(&c->sums[ply], y, isnan(x) ? 0 : x);
}

/* The least likely of a cell's children that are kept; -1 if there is none. */
static int
least_kept(const struct strata *s, const bool *kept, int cell)
{
	int least = -1;

	for (int c = s->cells[cell].child; c != -1; c = s->cells[c].next)
		if (kept[c] &&
		    (least == -1 || s->cells[c].prob < s->cells[least].prob ||
			(s->cells[c].prob == s->cells[least].prob &&
			    s->cells[c].move < s->cells[least].move)))
			least = c;
	return least;
}

/* Chooses the cells to use for n lines: those that are expected to have enough
 * lines, and leave enough to their parents. probs[] gets the probability of each
 * without those of its kept children. */
static void
choose(const struct strata *s, double n, bool *kept, double *probs)
{
	for (int i = 0; i < s->n; i++) {
		kept[i] = n * s->cells[i].prob >= ENOUGH;
		probs[i] = s->cells[i].prob;
	}
	for (int i = s->n - 1; i >= 0; i--) {
		for (int c = s->cells[i].child; c != -1; c = s->cells[c].next)
			if (kept[c])
				probs[i] -= s->cells[c].prob;
		for (int c; kept[i] && n * probs[i] < ENOUGH &&
		     (c = least_kept(s, kept, i)) != -1;) {
			kept[c] = false;
			probs[i] += s->cells[c].prob;
		}
	}
	/* Cells below one that is not kept are not kept either. */
	for (int i = 1; i < s->n; i++)
		kept[i] = kept[i] && kept[s->cells[i].parent];
}

/* Sums up a ply in the kept cells, adding the others to their parents. Returns the
 * number of kept cells. */
static int
collect(const struct strata *s, int ply, const bool *kept, struct comoments *sums)
{
	int apart = 0;

	memset(sums, 0, (size_t)s->n * sizeof(*sums));
	for (int i = s->n - 1; i >= 0; i--) {
		const struct strata_cell *c = &s->cells[i];
		if (ply < c->plies)
			comoments_merge(&sums[i], &c->sums[ply]);
		if (i == 0 || kept[i])
			apart++;
		else
			comoments_merge(&sums[c->parent], &sums[i]);
	}
	return apart;
}

/*
 * Mean and error of y - b x over the kept cells, `apart` in number. The error is a
 * sum over cells of (yy - 2 b xy + b b xx), which b minimises.
 */
static struct strata_mean
weigh(const struct strata *s, const bool *kept, int apart, const double *probs,
    const struct comoments *sums, bool controlled)
{
	struct strata_mean y = { 0, 0 };
	double x = 0, xx = 0, xy = 0, n = 0;

	for (int i = 0; i < s->n; i++) {
		const struct comoments *c = &sums[i];
		if (i > 0 && !kept[i])
			continue;
		double share = probs[i] * probs[i] / (c->y.n - 1) / c->y.n;
		y.mean += probs[i] * c->y.mean;
		y.error += share * c->y.squares;
		x += probs[i] * c->x.mean;
		xx += share * c->x.squares;
		xy += share * c->products;
		n += c->y.n;
	}
	if (controlled && xx > 0) {
		double left = n - apart; /* degrees of freedom */
		y.mean -= xy / xx * x;
		y.error = fmax(0, y.error - xy * xy / xx) * left / (left - 1) *
		    (1 + x * x / (xx * left)); /* b has its error, too */
	}
	y.error = sqrt(y.error);
	return y;
}

struct strata_mean
strata_mean(const struct strata *s, int ply, const struct moments *all)
{
	struct strata_mean plain = { moments_mean(all), moments_error(all) };
	struct comoments sums[STRATA_CELLS];
	double probs[STRATA_CELLS];
	bool kept[STRATA_CELLS], controlled = !s->uncontrolled && all->n >= SLOPE_LINES;

	if (s->n == 0 || all->infinite > 0)
		return plain;
	choose(s, all->n, kept, probs);
	int apart = collect(s, ply, kept, sums);
	for (int i = 0; i < s->n && apart > 1; i++)
		if ((i == 0 || kept[i]) && sums[i].y.n < 2)
			apart = 1;
	if (apart < 2 && !controlled)
		return plain;
	if (apart < 2) {
		memset(kept, 0, sizeof(kept));
		probs[0] = 1;
		collect(s, ply, kept, sums);
	}
	return weigh(s, kept, apart, probs, sums, controlled);
}

void
strata_release(struct strata *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->cells[i].sums);
	free(s->cells);
	*s = (struct strata){ 0 };
}
