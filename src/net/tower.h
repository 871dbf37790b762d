/*
 * Nets of our own shape, evaluated by our own kernels: a 3x3 convolution and
 * some residual blocks of two, a head for moves (a 1x1 convolution, of which
 * only the places of legal moves are computed) and one for the result (1x1
 * convolution, average over the board, two layers). Batch norm is folded into
 * the weights.
 */
#ifndef NET_TOWER_H
#define NET_TOWER_H

#include "encode.h"
#include "kernels.h"

enum { TOWER_VALUE = 32, TOWER_HIDDEN = 64, TOWER_BLOCKS_MAX = 64,
    TOWER_FILTERS_MAX = 1024 };

struct tower_conv {
	float *u;		/* transformed weights */
	float *bias;
};

struct tower {
	const struct kernels *kernels;
	int blocks, filters;
	struct tower_conv *convs;	/* 1 + 2 * blocks */
	float *policy, *policy_bias;	/* [76][filters], [76] */
	float *value, *value_bias;	/* [filters][TOWER_VALUE] */
	float *hidden, *hidden_bias;	/* [TOWER_VALUE][TOWER_HIDDEN] */
	float *wdl, *wdl_bias;		/* [3][TOWER_HIDDEN] */
	float *memory;			/* all of these */
};

/* Allocates a tower of zeros. -1 when there is no memory, or when the sizes are
 * none that the kernels take. */
int tower_init(struct tower *t, int blocks, int filters);
void tower_release(struct tower *t);

/* Sets the weights of convolution i, as ONNX has them: [k][c][3][3]. */
int tower_set_conv(struct tower *t, int i, const float *w, const float *bias);

/* What a thread needs to evaluate up to `boards` positions at once. */
struct tower_space {
	float *input;		/* [boards][64][NET_PLANES], to be filled in */
	float *features;	/* [boards][64][filters], the tower's output */
	float *other, *scratch;
};

int tower_space_init(struct tower_space *s, const struct tower *t, int boards);
void tower_space_release(struct tower_space *s);

/* From input to features. */
void tower_run(const struct tower *t, struct tower_space *s, int boards);

/* The number for a place of the policy, and the three for win, draw, loss, from
 * the features of one board. Not normalised. */
float tower_policy(const struct tower *t, const float *features, int place);
void tower_wdl(const struct tower *t, const float *features, float wdl[3]);

#endif
