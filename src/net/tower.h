/*
 * Nets of our own architecture, evaluated by our own kernels: a 3x3 convolution,
 * residual blocks of two convolutions, a policy head (a 1x1 convolution, computed
 * only for legal moves) and a value head (1x1 convolution, average over the board,
 * two fully connected layers). Batch norm is folded into the convolutions.
 */
#ifndef NET_TOWER_H
#define NET_TOWER_H

#include "encode.h"
#include "kernels.h"

enum {
	TOWER_VALUE = 32,
	TOWER_HIDDEN = 64,
	TOWER_BLOCKS_MAX = 64,
	TOWER_FILTERS_MAX = 1024
};

/* The layers after the residual blocks. Weights are [to][from] in files, and in
 * memory unless transposed; from 0 stands for the number of filters. */
enum tower_head {
	TOWER_POLICY,
	TOWER_PLANES,
	TOWER_FIRST,
	TOWER_WDL,
	TOWER_LEFT,
	TOWER_HEADS
};
extern const struct tower_size {
	int to, from;
	bool transposed;
} tower_heads[TOWER_HEADS];

struct tower_layer {
	float *w, *bias;
};

struct tower_conv {
	float *u; /* transformed weights */
	float *bias;
};

struct tower {
	const struct kernels *kernels;
	int blocks, filters;
	struct tower_conv *convs;             /* 1 + 2 * blocks */
	struct tower_layer heads[TOWER_LEFT]; /* all but TOWER_LEFT */
	float *memory;                        /* holds all of these */
};

/* Do the kernels support this size? */
bool tower_takes(int blocks, int filters);

/* Allocates a tower of zeros, of a supported size. 0, or -1 if there is not enough
 * memory. */
int tower_init(struct tower *t, int blocks, int filters);
void tower_release(struct tower *t);

/* Sets the weights of convolution i, as ONNX has them: [k][c][3][3]. 0, or -1 if
 * there is not enough memory. */
int tower_set_conv(struct tower *t, int i, const float *w, const float *bias);

/* Sets the weights of a head, [to][from]; those of TOWER_LEFT are not kept. */
void tower_set_head(struct tower *t, enum tower_head head, const float *w,
    const float *bias);

/* What a thread needs to evaluate up to `boards` positions at once. */
struct tower_space {
	float *input;    /* [boards][64][NET_PLANES], to be filled in */
	float *features; /* [boards][64][filters], the tower's output */
	float *other, *scratch;
};

int tower_space_init(struct tower_space *s, const struct tower *t, int boards);
void tower_space_release(struct tower_space *s);

/* From input to features. */
void tower_run(const struct tower *t, struct tower_space *s, int boards);

/* The logit of an index of the policy (encode_move()), and those of win, draw and
 * loss, from the features of one board. */
float tower_policy(const struct tower *t, const float *features, int place);
void tower_wdl(const struct tower *t, const float *features, float wdl[3]);

#endif
