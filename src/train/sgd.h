/*
 * Stochastic gradient descent with Nesterov's momentum, weight decay, clipping,
 * and a moving average of the weights, which is the net that plays.
 */
#ifndef TRAIN_SGD_H
#define TRAIN_SGD_H

#include "model.h"

struct sgd_options {
	double momentum;
	double decay;   /* of the weights of layers, not of biases */
	double clip;    /* largest norm of the gradient */
	double average; /* share of the old average in the new, at most */
};

extern const struct sgd_options sgd_defaults;

/* One vector each of the model's size. */
struct sgd {
	struct model_layout layout;
	float *parameters, *velocity, *average;
	uint64_t steps; /* so far, over all runs */
};

/* Allocates zeros: 0, or -1 if there is not enough memory. */
int sgd_init(struct sgd *s, const struct model_layout *l);
void sgd_release(struct sgd *s);

/* Takes a step along the gradient, which is modified. Returns the gradient's norm
 * before clipping; if that is not finite, no step is taken. */
double sgd_step(struct sgd *s, const struct sgd_options *o, float *gradient, double rate);

#endif
