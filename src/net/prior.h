/*
 * What a net gives the moves of a position, as a distribution, and a memory of
 * all the positions it was asked about: lines from one start share their
 * beginnings and transpose, and each position is evaluated once.
 *
 *	a = priors_ask(p, board, repetitions);		as often as you like
 *	priors_answer(p);
 *	priors_get(p, a) ...				until the next
 *	priors_tidy(p);
 *
 * Neither the size of batches nor that of the memory changes an answer.
 */
#ifndef NET_PRIOR_H
#define NET_PRIOR_H

#include <stddef.h>

#include "net.h"

/* A distribution over legal moves. A legal move has at least PRIOR_LEAST
 * before they are scaled to sum to 1: what the softmax of floats makes zero is
 * unlikely and not impossible. */
#define PRIOR_LEAST 1.8e-35f

struct prior {
	uint64_t key;
	double h;		/* entropy, in nats */
	double scale;		/* 1 / the sum of the weights */
	uint32_t nmoves;	/* 0: mate or stalemate */
	float weights[];	/* of the moves; these are behind them */
};

struct priors {
	struct net *net;
	double temperature;	/* 1; probabilities are raised to 1 / this, and scaled.
				 * To be set before the first question */
	uint64_t asked, evaluated;	/* how often; how many by the net */
	/* The rest is its own. */
	int batch;
	size_t most;		/* bytes to be kept at priors_tidy() */
	char *block;		/* all struct prior, end to end */
	size_t used, size;
	struct priors_slot *slots;
	size_t nslots, nused;	/* nslots is a power of two */
	struct priors_wait *waiting;	/* for the net */
	int nwaiting;
	struct rules rules;	/* last asked about, and a number for them */
	uint64_t rules_key;
	char reason[NET_REASON_MAX];
};

/* batch positions at once, 1 to net->largest_batch; about so many megabytes.
 * The net is not its own. Out of memory ends the program. */
void priors_init(struct priors *p, struct net *net, int batch,
    size_t megabytes);
void priors_release(struct priors *p);

/* Asks about a position that has stood so often, and returns where the answer
 * will be; -1 with p->reason when the net fails. The board is not needed
 * afterwards, but its rules are until priors_answer(). */
int64_t priors_ask(struct priors *p, const struct board *b, int repetitions);

/* Gets the answers that are still open; -1 with p->reason. */
int priors_answer(struct priors *p);

/* An answer; good until priors_ask() and priors_tidy(). */
static inline const struct prior *
priors_get(const struct priors *p, int64_t at)
{
	return (const struct prior *)(p->block + at);
}

/* Forgets everything if it has become too much. */
void priors_tidy(struct priors *p);

static inline const move *
prior_moves(const struct prior *p)
{
	return (const void *)(p->weights + p->nmoves);
}

static inline double
prior_of(const struct prior *p, uint32_t i)
{
	return (double)p->weights[i] * p->scale;
}

/* Draws a move, u being uniform in [0, 1): its index. nmoves > 0. */
uint32_t prior_draw(const struct prior *p, double u);

/* The index of a move; -1 when it is not there. */
int prior_find(const struct prior *p, move m);

/*
 * Two priors of one position under two rule sets: the divergence of p from q,
 * sum p log(p/q), infinite when q lacks a move of p; and the entropy of the
 * combination r = max(p, q) / sum max(p, q). p has moves, q may have none.
 */
void prior_compare(const struct prior *p, const struct prior *q, double *kl,
    double *hr);

#endif
