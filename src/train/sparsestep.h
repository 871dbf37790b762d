/*
 * A part of a training step of a sparse net: positions of one rule set, their
 * loss, and its gradient. sparsestep.c is compiled once for each instruction
 * set.
 */
#ifndef TRAIN_SPARSESTEP_H
#define TRAIN_SPARSESTEP_H

#include "net/sparse.h"
#include "positions.h"

/* Weights for one rule set, as sparse_compose() makes them, or their gradients; one
 * block of memory that begins with base, in the order of struct sparse. */
struct sparse_whole {
	int hidden;
	size_t floats;
	float *base; /* [SPARSE_INPUTS][hidden], of gradients only: the
	              * sum over zones, sparse_fold() */
	float *bias, *out, *out_bias;
	float *in; /* [SPARSE_ROWS][hidden] */
};

/* Sets the arrays of w to their places in a block of w->floats numbers. */
void sparse_whole_layout(struct sparse_whole *w, float *block);
size_t sparse_whole_floats(int hidden);

/* Sums the gradient of the weights that all zones share. */
void sparse_fold(struct sparse_whole *g);

/* Adds the gradient of what rule feature k changes, from that of the weights it
 * is added to: in times that of the hidden layer, view times that of the output.
 * to: as sparse_rule_arrays() lists them. */
void sparse_back_rule(const struct sparse *net, const struct sparse_whole *g, int k,
    float in, float view, const struct sparse_rule_array *to);

struct sparse_adam {
	float beta1, beta2, correct1, correct2, epsilon, decay;
};

/* Of the step of this number, from 1. */
struct sparse_adam sparse_adam_at(uint64_t step, float decay);

struct sparse_steps {
	const char *name;
	/* Adds to the gradient; returns the sum of squared errors of points. */
	double (*part)(const struct sparse_whole *w, struct sparse_whole *g,
	    const struct position *const *p, int n);
	/* The logit of points of one position. */
	float (*forward)(const struct sparse_whole *w, const struct position *p,
	    float *draw);
	/* to[i] += x * from[i] */
	void (*add)(float *to, float x, const float *from, size_t n);
	float (*dot)(const float *a, const float *b, size_t n);
	/* A step of Adam; weights stay within +-most. */
	void (*adam)(float *w, float *m, float *v, const float *g, size_t n,
	    const struct sparse_adam *o, float rate, float most);
};

const struct sparse_steps *sparse_steps_best(void);

#endif
