/*
 * The prior of a position: a net's distribution over its legal moves; and a cache
 * of all priors so far, since lines from one start share their beginnings and
 * transpose. Each position is evaluated once.
 *
 *	a = priors_ask(p, board, repetitions);		any number of times
 *	priors_answer(p);
 *	priors_get(p, a) ...				until the next
 *	priors_tidy(p);
 *
 * Neither the batch size nor the cache size changes a prior.
 */
#ifndef NET_PRIOR_H
#define NET_PRIOR_H

#include <stddef.h>

#include "net.h"

/* A distribution over legal moves. Each weighs at least PRIOR_LEAST before the
 * weights are scaled to sum to 1: a move whose softmax underflows to 0 is unlikely,
 * not impossible. */
#define PRIOR_LEAST 1.8e-35f

struct prior {
	uint64_t key;
	double h;        /* entropy, in nats */
	double scale;    /* 1 / the sum of the weights */
	uint32_t nmoves; /* 0: mate or stalemate */
	float weights[]; /* of the moves, which follow in memory */
};

struct priors {
	struct net *net;
	double temperature;        /* 1; probabilities are raised to 1 / this, and scaled.
	                            * Set it before the first priors_ask() */
	uint64_t asked, evaluated; /* priors requested; evaluated by the net */
	/* private: */
	int batch;
	size_t most; /* bytes beyond which priors_tidy() empties it */
	char *block; /* all struct prior, end to end */
	size_t used, size;
	struct priors_slot *slots;
	size_t nslots, nused;        /* nslots is a power of two */
	struct priors_wait *waiting; /* for the net */
	int nwaiting;
	struct rules rules; /* last asked about, and a number for them */
	uint64_t rules_key;
	char reason[NET_REASON_MAX];
};

/* batch: positions evaluated at once, 1 to net->largest_batch; megabytes: about the
 * size of the cache. The net must outlive p. Out of memory ends the program. */
void priors_init(struct priors *p, struct net *net, int batch, size_t megabytes);
void priors_release(struct priors *p);

/* Requests the prior of a position that has occurred this often, and returns where
 * it will be; -1 with p->reason if the net fails. The board is not needed
 * afterwards, but its rules are until priors_answer(). */
int64_t priors_ask(struct priors *p, const struct board *b, int repetitions);

/* Evaluates all pending positions: 0, or -1 with p->reason. */
int priors_answer(struct priors *p);

/* A prior; valid until the next priors_ask() or priors_tidy(). */
static inline const struct prior *
priors_get(const struct priors *p, int64_t at)
{
	return (const struct prior *)(p->block + at);
}

/* Empties the cache if it has become too large. */
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

/* The index of a move; -1 if it is not legal. */
int prior_find(const struct prior *p, move m);

/*
 * Two priors of one position under two rule sets: the divergence of p from q,
 * sum p log(p/q), infinite if q lacks a move of p; and the entropy of the
 * combination r = max(p, q) / sum max(p, q). p has moves, q may have none.
 */
void prior_compare(const struct prior *p, const struct prior *q, double *kl, double *hr);

/* The divergence of Jensen and Shannon of two such priors, 0 to log 2: finite even
 * if one lacks moves of the other, and symmetric. Both have moves. */
double prior_shannon(const struct prior *p, const struct prior *q);

#endif
