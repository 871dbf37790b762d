/*
 * The tower in training: that of net/tower.h with batch norm and a third output,
 * the number of plies left. All parameters are one vector, and so are their
 * gradients.
 *
 * A batch is split into parts of MODEL_PART positions, whose sums are added in
 * order. So the result is the same, bit for bit, for any number of
 * threads.
 */
#ifndef TRAIN_MODEL_H
#define TRAIN_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "threadpool.h"

/* Batch norm adds this to variances. */
#define MODEL_NORM_EPSILON 1e-5f

enum { MODEL_PART = 32 };
/* Boards of a part that are processed together, so that they stay in the cache; at
 * most KERNELS_BLOCK. */
enum { MODEL_BLOCK = 4 };

/* The targets of a position. */
struct model_target {
	const uint16_t *places; /* indices of the legal moves: encode_move() */
	const float *probs;     /* probabilities of these moves */
	int moves;
	float wdl[3];
	float left; /* plies left, in hundreds */
};

struct model_loss {
	double policy; /* cross-entropy minus the targets' entropy */
	double value;  /* cross-entropy of win, draw, loss */
	double left;   /* Huber's */
};

struct model {
	struct model_layout layout;
	const struct kernels *kernels;
	struct threadpool *pool;
	int batch;       /* positions at most */
	float *gradient; /* [parameters], after model_learn() */
	/* Weights of the losses. */
	float value_weight, left_weight;
	/* Batch norm's statistics of the last forward pass: [convs][filters] */
	float *mean, *variance;
	/* private; see model.c: */
	float *input, *raw, *out, *grad_a, *grad_b;
	float *u, *u_transposed, *value_transposed;
	float *part_gradient, *part_sums;
	struct model_loss *part_loss;
	struct model_thread *per_thread;
	float *norm_scale, *norm_shift, *back_a, *back_b, *back_shift;
	/* of the current pass: */
	const float *parameters;
	const struct model_target *targets;
	int count, layer;
	bool learn;
};

/* 0, or -1 if there is not enough memory. tower_takes() must hold for the size. */
int model_init(struct model *m, int blocks, int filters, int batch,
    struct threadpool *pool);
void model_release(struct model *m);

/* The input of position i, to be filled in: [64][NET_PLANES]. */
float *model_input(struct model *m, int i);

/* The mean loss over the first n positions; sets the gradient. */
struct model_loss model_learn(struct model *m, const float *parameters,
    const struct model_target *targets, int n);

/* The highest output of each layer in the last pass, and the largest absolute value
 * before the skip is added: [convs] each. */
void model_ranges(const struct model *m, float *highest, float *largest);

/* Like model_learn(), with batch norm's statistics of the batch, but no gradient. */
struct model_loss model_measure(struct model *m, const float *parameters,
    const struct model_target *targets, int n);

/* The outputs for position i in the last pass, whose parameters must still exist:
 * probabilities of the n moves with these indices, of win, draw and loss, and the
 * plies left, in hundreds. */
void model_output(struct model *m, int i, const uint16_t *places, int n, float *priors,
    float wdl[3], float *left);

#endif
