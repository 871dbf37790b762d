/*
 * A sparse net with a policy as it is trained, as sparsemodel.h has the value
 * alone: weights, Adam's state, and a step over a batch whose parts are shared
 * out to threads. The result does not depend on their number.
 */
#ifndef TRAIN_POLICYMODEL_H
#define TRAIN_POLICYMODEL_H

#include "base/rng.h"
#include "crew.h"
#include "policystep.h"

enum { POLICY_PARTS = 4, POLICY_REASON_MAX = 200 };

struct policy_model {
	struct policy net, gradient, first, second;	/* Adam's moments */
	struct policy average;	/* running mean of the weights */
	uint64_t steps;		/* since the moments began */
	uint64_t total;		/* of all, and positions learnt from */
	uint64_t positions;
	struct policy_whole weights[POLICY_PARTS], sums[POLICY_PARTS];
	float features[POLICY_PARTS][SPARSE_RULES_MAX];
	struct policy_loss losses[POLICY_PARTS];
	const struct policy_sample **chosen[POLICY_PARTS];
	int part_size;
	float rule_rate;	/* of the rules' changes, beside the rest's */
	float policy_weight;	/* of its loss, beside that of the value */
	float keep;		/* share of the old in the running mean */
};

/* A net with random weights; or, if there is a value, one that begins with it,
 * and knows the rule features that it knows. -1 when there is no memory. */
int policy_model_init(struct policy_model *m, int hidden,
    const struct sparse *value, uint64_t seed, int batch);
void policy_model_release(struct policy_model *m);

/* One step over a batch that is drawn from the window, each rule set as likely
 * as another among those that have positions; returns the mean losses. */
struct policy_loss policy_model_step(struct policy_model *m,
    const struct policy_window *w, struct rng *rng, double rate,
    struct crew *crew);

/* The sums of losses over the positions of a set, by the averaged weights. */
struct policy_loss policy_model_test(struct policy_model *m,
    const struct policy_set *s);

/* All of it as a file to go on from, replaced in one piece; -1 with a reason.
 * Reading returns 0 when there is no such file, else 1; the model must have
 * been initialised for a net of the same size. */
int policy_model_write(const struct policy_model *m, const char *path,
    char reason[POLICY_REASON_MAX]);
int policy_model_read(struct policy_model *m, const char *path,
    char reason[POLICY_REASON_MAX]);

#endif
