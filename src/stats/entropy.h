/*
 * How large an opening tree is, and how far it is from another, from lines that
 * were drawn from it. For each ply t there are two estimates of the entropy
 * H(t) of lines of t plies,
 *
 *	the mean of -log p of the line up to t, and
 *	the mean of h_1 + ... + h_t, the entropies of the priors on the way,
 *
 * which have the same expectation; the second has the smaller error, since
 * what was drawn at a ply does not matter for that ply's term. It is better
 * still with strata and with the guesses of lines as a control (strata.h). Likewise for
 * the divergence: log p - log q, and the divergences of the priors on the way.
 *
 * Lines are independent and plies of a line are not, so the standard error of
 * a sum over plies is that of the sums, line by line.
 *
 * A line may be over (mate, a draw) before others: what has no choices left
 * has entropy 0 and divergence 0 from then on. A line that merely stops counts
 * up to where it stops.
 */
#ifndef STATS_ENTROPY_H
#define STATS_ENTROPY_H

#include "strata.h"

/* What is known about one ply, t = 1, 2, ... */
struct entropy_ply {
	uint64_t lines;		/* that tell of this ply */
	uint64_t over;		/* of these, over before it */
	struct moments h;	/* h_1 + ... + h_t */
	struct moments plain;	/* -log p */
	struct moments m;	/* exp(h_t), of lines that are not over */
};

/* A line: numbers for each of its plies, moves for the first STRATA_PLIES. Weights are 1, unless all lines that
 * there are have been listed: then they are the lines' probabilities, and what
 * comes out is no estimate. */
struct entropy_line {
	double weight;
	int plies;
	bool over;
	const double *logp, *h;
	const double *ahead;	/* of expectation 0 in each position; NULL: none */
	const uint32_t *moves;
};

/* Adds a line to plies[0 .. most - 1]; what goes beyond is not looked at. If
 * there are strata, h goes there too. */
void entropy_add(struct entropy_ply *plies, struct strata *strata, int most,
    const struct entropy_line *l);

struct divergence_ply {
	uint64_t lines, over;
	uint64_t infinite;	/* lines that q forbids, up to t */
	struct moments kl;	/* kl_1 + ... + kl_t */
	struct moments plain;	/* log p - log q */
	struct moments additional;	/* exp(hr_t) - exp(hq_t), while not over */
};

struct divergence_line {
	double weight;
	int plies;
	bool over;
	const double *logp, *logq, *kl;
	const double *hq, *hr;	/* hq is NaN where q has no legal move */
};

void divergence_add(struct divergence_ply *plies, int most,
    const struct divergence_line *l);

#endif
