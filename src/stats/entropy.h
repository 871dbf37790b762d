/*
 * The entropy of an opening tree, and its divergence from another, estimated from
 * lines sampled from it. For each ply t there are two estimates of the entropy
 * H(t) of lines of t plies,
 *
 *	the mean of -log p of the line up to t, and
 *	the mean of h_1 + ... + h_t, the entropies of the priors on the way,
 *
 * which have the same expectation. The second has the smaller error, since the
 * move sampled at a ply does not affect that ply's term; stratification and a
 * control variate (strata.h) reduce it further. Likewise for the divergence:
 * log p - log q, and the divergences of the priors on the way.
 *
 * Lines are independent, plies of a line are not, so the standard error of a sum
 * over plies is computed from the sums of single lines.
 *
 * A line whose game is over (mate, a draw) has entropy 0 and divergence 0 from
 * then on. A line that merely stops counts up to where it stops.
 */
#ifndef STATS_ENTROPY_H
#define STATS_ENTROPY_H

#include "strata.h"

/* What is known about one ply, t = 1, 2, ... */
struct entropy_ply {
	uint64_t lines;       /* that reach this ply, or are over */
	uint64_t over;        /* of these, over before it */
	struct moments h;     /* h_1 + ... + h_t */
	struct moments plain; /* -log p */
	struct moments m;     /* exp(h_t), of lines that are not over */
};

/* A line: numbers for each of its plies, moves for the first STRATA_PLIES. Weights
 * are 1, unless all lines are listed: then they are the lines' probabilities, and
 * the result is exact. */
struct entropy_line {
	double weight;
	int plies;
	bool over;
	const double *logp, *h;
	const double *ahead; /* control variate, of expectation 0 in each
	                      * position; NULL: none */
	const uint32_t *moves;
};

/* Adds a line to plies[0 .. most - 1], ignoring later plies; h also to the strata,
 * if not NULL. */
void entropy_add(struct entropy_ply *plies, struct strata *strata, int most,
    const struct entropy_line *l);

struct divergence_ply {
	uint64_t lines, over;
	uint64_t infinite;         /* lines that q forbids, up to t */
	struct moments kl;         /* kl_1 + ... + kl_t */
	struct moments plain;      /* log p - log q */
	struct moments additional; /* exp(hr_t) - exp(hq_t), while not over */
};

struct divergence_line {
	double weight;
	int plies;
	bool over;
	const double *logp, *logq, *kl;
	const double *hq, *hr; /* hq is NaN where q has no legal move */
};

void divergence_add(struct divergence_ply *plies, int most,
    const struct divergence_line *l);

#endif
