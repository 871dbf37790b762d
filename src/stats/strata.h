/*
 * Lines apart by how they begin. How likely a beginning is the prior says; how
 * often it came up among the lines is chance, and the mean over all lines
 * inherits that chance. So lines are put into cells by their first moves, and
 * the mean is taken within each cell and weighed by how likely the cell is
 * (post-stratification): the same expectation, and what cells differ by is no
 * part of the error any more.
 *
 * Cells form a tree: a line goes down from the root as long as its beginning is
 * likely enough, and is counted where it stops. Which cells are kept apart when
 * a mean is asked for depends on their probabilities and the number of lines only, not on
 * what the lines say.
 *
 * Besides, each number y may come with a control x, of which it is known that
 * its expectation is 0. Then the mean is that of y - b x, with the slope b that
 * makes the error smallest: the same expectation but for a bias of the order of
 * 1 / lines, as b is of the same lines.
 */
#ifndef STATS_STRATA_H
#define STATS_STRATA_H

#include "moments.h"

/* A beginning has a cell if it is that likely and has no more plies; there are
 * no more than 6 x 64 of them. */
#define STRATA_LEAST (1.0 / 64)
enum { STRATA_PLIES = 6, STRATA_CELLS = 6 * 64 + 1 };

struct strata_cell {
	int parent, child, next;	/* -1: none */
	uint32_t move;			/* that leads here */
	double prob;			/* of its beginning */
	struct comoments *sums;		/* for each ply, of lines that stop here */
	int plies;
};

struct strata {
	struct strata_cell *cells;	/* the first is the root; parents come
					 * before their children */
	int n;
	bool uncontrolled;		/* a number came without a control */
};

/* A line for the tree: its moves, by any number, and their log probabilities. */
struct strata_line {
	const uint32_t *moves;		/* STRATA_PLIES at most are looked at */
	const double *logp;
	int plies;
};

/* The cell where a line stops, made if it is not there. All zeros is an empty
 * tree. */
int strata_find(struct strata *s, const struct strata_line *l);

/* Counts a number of a ply, 0 and up, in a cell, and its control; NaN: it has
 * none, and those of others are not used. */
void strata_add(struct strata *s, int cell, int ply, double y, double x);

/* Mean and standard error at a ply. all: the moments of the same numbers without
 * cells, which count if there are too few of them and no controls. */
struct strata_mean { double mean, error; };
struct strata_mean strata_mean(const struct strata *s, int ply,
    const struct moments *all);

void strata_release(struct strata *s);

#endif
