/*
 * A sparse net with a policy in training; sparsemodel.h is the same without a
 * policy. Weights, Adam's state, and a step over a batch whose parts are divided
 * among threads. The result does not depend on their number.
 */
#ifndef TRAIN_POLICYMODEL_H
#define TRAIN_POLICYMODEL_H

#include "base/rng.h"
#include "policystep.h"
#include "threadpool.h"

enum { POLICY_PARTS = 4 };

struct policy_model {
	struct policy net, gradient, first, second; /* Adam's moments */
	struct policy average;                      /* running mean of the weights */
	uint64_t steps;
	struct policy_whole weights[POLICY_PARTS], sums[POLICY_PARTS];
	struct sparse_rules rules[POLICY_PARTS];
	int sides[POLICY_PARTS];
	struct policy_loss losses[POLICY_PARTS];
	const struct policy_sample **chosen[POLICY_PARTS];
	int part_size;
	float value_rate;    /* of the value and its hidden layer, as a share of
	                      * the rate */
	float rule_rate;     /* of the rules' changes, as a share of the rate */
	float policy_weight; /* of its loss, relative to that of the value */
	float keep;          /* weight of the old value in the running mean */
};

/*
 * A net with the rule features of the window's rule sets and those of `policy`. It
 * starts from that net; if that is NULL, from the weights of `value` and a random
 * policy; if both are NULL, from random weights. 0, or -1 without enough memory.
 */
int policy_model_init(struct policy_model *m, int hidden, const struct policy *policy,
    const struct sparse *value, const struct policy_window *w, uint64_t seed, int batch);
void policy_model_release(struct policy_model *m);

/* One step over a batch drawn from the window, each rule set in proportion to its
 * positions; returns the mean losses. */
struct policy_loss policy_model_step(struct policy_model *m,
    const struct policy_window *w, struct rng *rng, double rate, struct threadpool *pool);

/* Adds the losses over the positions of a set, with the averaged weights. */
void policy_model_test(struct policy_model *m, const struct policy_set *s,
    struct policy_loss *sum);

/* Adds a loss, `share` times. */
void policy_loss_add(struct policy_loss *sum, const struct policy_loss *l, double share);

#endif
