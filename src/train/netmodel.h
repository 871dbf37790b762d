/*
 * A net in training: its weights, Adam's state, their running mean, and a step over a
 * batch. Each part of a batch has positions of one rule set and sums of its own; then
 * each block of weights gets its gradient from all parts, in their order. So the
 * result does not depend on the number of threads.
 */
#ifndef TRAIN_NETMODEL_H
#define TRAIN_NETMODEL_H

#include "base/rng.h"
#include "netstep.h"
#include "threadpool.h"

enum { NET_PARTS = 4 };

/* One part of a batch: weights for its rule set, and their gradients. */
struct net_part {
	struct sparse_rules rules;
	int side; /* to move, where that matters */
	struct net_weights weights, sums;
	float *memory, *sided; /* of both; the latter only if the sides differ */
	float *fold[2];        /* [own, other]: gradients summed over zones */
	struct net_sample *samples;
	struct net_loss loss;
};

struct net_model {
	struct sparse net, first, second; /* weights, Adam's moments */
	struct sparse average;            /* running mean of the weights */
	uint64_t steps;                   /* since the moments were 0 */
	struct net_part part[NET_PARTS];
	int part_size;
	/* Rule features and atoms met since the moments began; others do not
	 * change. */
	bool active[SPARSE_RULES_MAX], atom_active[ATOMS];
	float **scratch; /* a thread's gradient */
	int nscratch;
	struct net_adam adam;
	double rate;
	float value_rate; /* of all but the policy, a share of the rate */
	bool keep_shared, keep_rule[SPARSE_RULES_MAX]; /* net_model_keep() */
	float policy_weight; /* of its loss, relative to that of the value */
	float average_decay; /* weight of the old value in the running mean */
	/* Takes a gradient instead of Adam, for tests; at is in net.block. */
	void (*sink)(void *context, float *at, const float *gradient, size_t n);
	void *sink_context;
};

/*
 * A net with all rule features or, with a policy, whose rows would make it large, those
 * of the window's rule sets and of `from`. It starts from random weights, and from
 * those that `from` has (NULL: none). 0, or -1 without enough memory.
 */
int net_model_init(struct net_model *m, int hidden, const struct sparse *from,
    const struct positions *window, uint64_t seed, int batch);
/* Weights that all rule sets use, and those of rule features that `kept` has learnt, are
 * taken from it and do not change: with these rules the net plays as `kept` does. */
void net_model_keep(struct net_model *m, const struct sparse *kept);

/* Moves the running mean of the weights, which is what is written, this share of the way
 * towards those of another net, as far as both have them: 0, or -1 without enough
 * memory. */
int net_model_blend(struct net_model *m, const struct sparse *other, float share);

/* Rounds the `left` of these weights, as the file will: sparsefile.h. */
void net_model_round(struct net_model *m);

void net_model_release(struct net_model *m);

/* One step over a batch drawn from the window, each part from one rule set, which is
 * chosen in proportion to its positions; returns the mean losses. */
struct net_loss net_model_step(struct net_model *m, const struct positions *window,
    struct rng *rng, double rate, struct threadpool *pool);

/* Adds the losses over the positions of a set, with the averaged weights. */
void net_model_test(struct net_model *m, const struct position_set *s,
    struct net_loss *sum);

/* Adds a loss, `share` times. */
void net_loss_add(struct net_loss *sum, const struct net_loss *l, double share);

#endif
