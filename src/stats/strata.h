/*
 * Post-stratification of lines by their first moves. The prior gives the exact
 * probability of a beginning, while its frequency among sampled lines is random,
 * and adds to the error of the mean over all lines. So lines are put into cells by
 * their first moves, and the means of cells are weighted by the cells'
 * probabilities: the expectation is the same, but the error no longer contains the
 * differences between cells.
 *
 * Cells form a tree: a line descends from the root as long as its beginning is
 * likely enough, and is counted where it stops. Which cells are used for a mean
 * depends only on their probabilities and the number of lines, not on the numbers
 * that are averaged.
 *
 * Each number y may also have a control variate x, whose expectation is 0. Then
 * the mean is that of y - b x, with the slope b that minimises the error: the same
 * expectation but for a bias of the order of 1 / lines, as b is estimated from the
 * same lines.
 */
#ifndef STATS_STRATA_H
#define STATS_STRATA_H

#include "moments.h"

/* A beginning has a cell if it has at least this probability and at most this many
 * plies; so there are at most 6 x 64 of them. */
#define STRATA_LEAST (1.0 / 64)
enum { STRATA_PLIES = 6, STRATA_CELLS = 6 * 64 + 1 };

struct strata_cell {
	int parent, child, next; /* -1: none */
	uint32_t move;           /* that leads here */
	double prob;             /* of its beginning */
	struct comoments *sums;  /* for each ply, over lines that stop here */
	int plies;
};

struct strata {
	struct strata_cell *cells; /* the first is the root; parents come
	                            * before their children */
	int n;
	bool uncontrolled; /* a number had no control variate */
};

/* A line for the tree: its moves, in any encoding, and their log probabilities. */
struct strata_line {
	const uint32_t *moves; /* at most STRATA_PLIES are used */
	const double *logp;
	int plies;
};

/* The cell where a line stops, created if necessary. An empty tree is all zeros. */
int strata_find(struct strata *s, const struct strata_line *l);

/* Adds a number y for a ply, from 0, to a cell, with its control variate x. If any
 * x is NaN, none is used. */
void strata_add(struct strata *s, int cell, int ply, double y, double x);

/* Mean and standard error at a ply. all: the moments of the same numbers without
 * cells, used if there are too few lines for cells and no control variates. */
struct strata_mean {
	double mean, error;
};
struct strata_mean strata_mean(const struct strata *s, int ply,
    const struct moments *all);

void strata_release(struct strata *s);

#endif
