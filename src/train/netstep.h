/*
 * A part of a training step: positions of one rule set, their losses, and the
 * gradient. netstep.c is compiled once for each instruction set.
 */
#ifndef TRAIN_NETSTEP_H
#define TRAIN_NETSTEP_H

#include "net/policy.h"
#include "positions.h"

/* Weights for one rule set and mover, as sparse_compose() makes them, or their
 * gradients: of the mover's hidden layer, and of the other side's, which are the same
 * arrays unless the sides play by different rules. Without a policy, mix is NULL. */
struct net_weights {
	int hidden;
	float *in[2], *bias[2]; /* [own, other]: [SPARSE_ROWS][hidden], [hidden] */
	float *out, *out_bias;
	float *mix, *mix_bias, *rows, *row_bias;
};

struct net_sample {
	const struct position *position;
	const struct position_visits *visits; /* for a policy */
};

struct net_loss {
	double value;        /* squared error of points */
	double policy;       /* cross-entropy of the policy, in nats */
	double entropy;      /* of the target policy */
	double first, third; /* how often the target's most likely move is the
	                      * net's first, or one of its first three */
};

/* Adam at one step. */
struct net_adam {
	float beta1, beta2, correct1, correct2, epsilon;
	float decay, rate, most; /* weights stay within +-most */
	float average_decay;     /* share of the old value in the averaged weights */
};

struct net_steps {
	const char *name;
	/* Adds to the gradient, with the policy's part multiplied by `weight`,
	 * and to the loss; if g is NULL, only to the loss. */
	void (*part)(const struct net_weights *w, const struct net_weights *g,
	    const struct net_sample *samples, int n, float weight, struct net_loss *loss);
	/* to[i] += x * from[i] */
	void (*add)(float *to, float x, const float *from, size_t n);
	float (*dot)(const float *a, const float *b, size_t n);
	/* A step: weights w, moments m and v, averaged weights, gradient g. */
	void (*adam)(float *w, float *m, float *v, float *average, const float *g,
	    size_t n, const struct net_adam *o);
};

/* The copy for this processor. */
const struct net_steps *net_steps_best(void);

#endif
