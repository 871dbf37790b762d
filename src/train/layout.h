/*
 * The layout of the net's parameters in one vector, and their random
 * initialisation.
 */
#ifndef TRAIN_LAYOUT_H
#define TRAIN_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "net/tower.h"

/* Where the parameters of a layer begin. */
struct model_conv {
	size_t weights;      /* [9][from][filters] */
	size_t scale, shift; /* of batch norm */
	int from;
};

struct model_layout {
	int blocks, filters, convs;
	int widest; /* channels that a convolution takes */
	struct model_conv conv[1 + 2 * TOWER_BLOCKS_MAX];
	size_t policy, policy_bias; /* [76][filters] */
	size_t value, value_bias;   /* [filters][TOWER_VALUE] */
	size_t hidden, hidden_bias; /* [TOWER_VALUE][TOWER_HIDDEN] */
	size_t wdl, wdl_bias;       /* [3][TOWER_HIDDEN] */
	size_t left, left_bias;     /* [TOWER_HIDDEN] */
	size_t parameters;          /* in all, a multiple of KERNELS_LANES */
};

/* blocks and filters must satisfy tower_takes(). */
void model_layout(struct model_layout *l, int blocks, int filters);

/* He initialisation, batch norm as the identity; the second norm of each block has
 * a small scale, so that a block starts near the identity. */
void model_random(const struct model_layout *l, float *parameters, uint64_t seed);

#endif
