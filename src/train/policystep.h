/*
 * A part of a training step of a sparse net with a policy: positions of one
 * rule set, their losses, and the gradient. policystep.c is compiled once for
 * each instruction set.
 */
#ifndef TRAIN_POLICYSTEP_H
#define TRAIN_POLICYSTEP_H

#include "net/policy.h"
#include "policywindow.h"
#include "sparsestep.h"

/* Weights for one rule set, or their gradients. Those of the policy are in one block
 * that begins with mix, in the order of struct policy. */
struct policy_whole {
	struct sparse_whole value;
	size_t floats;
	float *mix, *mix_bias, *rows, *row_bias;
};

struct policy_loss {
	double value;        /* squared error of points */
	double policy;       /* cross-entropy of the policy, in nats */
	double entropy;      /* of the target policy */
	double first, third; /* how often the target's most likely move is the
	                      * net's first, or one of its first three */
};

struct policy_steps {
	const char *name;
	/* Adds to the gradient, with the policy's part multiplied by `weight`,
	 * and to the loss; if g is NULL, only to the loss. */
	void (*part)(const struct policy_whole *w, struct policy_whole *g,
	    const struct policy_sample *const *samples, int n, float weight,
	    struct policy_loss *loss);
};

#endif
