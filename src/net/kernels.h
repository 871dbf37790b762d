/*
 * The arithmetic of nets on 8x8 boards: 3x3 convolutions by Winograd's
 * F(4x4,3x3), their gradients, batch norm, and matrix products. A board is
 * exactly four tiles of 4x4; for each, 36 multiplications take the place of
 * 144.
 *
 * The file kernels.c is compiled once for each instruction set, and
 * kernels_best() gives the copy that this processor runs fastest.
 *
 * Activations are [board][square][channel]. Channels come in multiples of
 * KERNELS_LANES and lie across the lanes of vectors, so that every sum is taken
 * in the same order whatever the width of the vectors: a board's result
 * depends neither on the boards beside it nor, among processors that fuse
 * multiplication and addition, on the processor. All arrays are aligned to
 * KERNELS_ALIGN bytes.
 */
#ifndef NET_KERNELS_H
#define NET_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	KERNELS_LANES = 16,
	KERNELS_ALIGN = 64,
	KERNELS_TILES = 4,   /* of a board */
	KERNELS_POINTS = 36, /* of a transformed tile */
	KERNELS_BLOCK = 6    /* boards that a convolution takes at a time */
};

/* What is applied after a convolution; any of it may be NULL or false. */
struct kernels_after {
	const float *bias; /* [k] */
	const float *skip; /* [board][64][k], added */
	bool relu;
};

/* Arrays to prefetch while a convolution computes: waiting for them would take a
 * third of its time. */
struct kernels_soon {
	const float *array[4];
	int arrays;
	size_t numbers; /* of each */
};

struct kernels {
	const char *name;

	/* Transforms weights w[9][c][k] of a 3x3 convolution to u[36][c][k],
	 * the form that conv3 takes; and adds to dw the gradient from du. */
	void (*transform_weights)(const float *w, float *u, int c, int k);
	void (*transform_gradient)(const float *du, float *dw, int c, int k);

	/* in[boards][64][c] to out[boards][64][k]; scratch has
	 * kernels_scratch(c, k) numbers. after and soon may be NULL. */
	void (*conv3)(const float *in, float *out, int boards, int c, int k,
	    const float *u, const struct kernels_after *after,
	    const struct kernels_soon *soon, float *scratch);

	/* Adds the gradient of u to du; dout is that of out. */
	void (*conv3_gradient)(const float *in, const float *dout, int boards, int c,
	    int k, float *du, const struct kernels_soon *soon, float *scratch);

	/* c[rows][cols] = a[rows][inner] * b[inner][cols], or added to it. */
	void (*product)(const float *a, const float *b, float *c, int rows, int inner,
	    int cols, bool add);

	/* c[left][cols] += a[rows][left] transposed * b[rows][cols]; left is a
	 * multiple of 4. */
	void (*product_transposed)(const float *a, const float *b, float *c, int rows,
	    int left, int cols);

	/* The sum of a[i] * b[i]; n is a multiple of KERNELS_LANES. */
	float (*dot)(const float *a, const float *b, int n);
	/* a += x * b */
	void (*add_scaled)(float *a, float x, const float *b, int n);

	/* Forward: x = relu(x + bias) in place, and its sums over rows.
	 * Backward: from the gradient d of these sums to dx, whose sums are
	 * added to dbias. */
	void (*pool)(float *x, const float *bias, int rows, int k, float *sum);
	void (*pool_back)(const float *x, const float *d, float *dx, int rows, int k,
	    float *dbias);

	/* Batch norm. Adds sums of x and of its squares over rows, for each
	 * channel. */
	void (*norm_sums)(const float *x, int rows, int k, float *sum, float *squares);
	/* out = relu(x * scale + shift + skip); skip may be NULL. */
	void (*norm_apply)(const float *x, const float *scale, const float *shift,
	    const float *skip, float *out, int rows, int k);
	/* Backward through the relu, d in place; adds sums of d and of its
	 * products with (x - mean). */
	void (*norm_back_sums)(const float *out, const float *x, const float *mean,
	    float *d, int rows, int k, float *sum, float *products);
	/* dx = d * a + (x - mean) * b + shift, for each channel. */
	void (*norm_back_apply)(const float *d, const float *x, const float *mean,
	    const float *a, const float *b, const float *shift, float *dx, int rows,
	    int k);
};

/* Floats of scratch that a convolution from c to k channels needs. */
size_t kernels_scratch(int c, int k);

/* The i-th copy that this processor can run, the plainest first; NULL: there
 * are no more. */
const struct kernels *kernels_copy(int i);

/* The copy for this processor, and its index. RULELAB_ISA=base|v3|v4 in the
 * environment selects another that it can run, for tests. */
const struct kernels *kernels_best(void);
int kernels_best_copy(void);

/* Flushes denormals to zero in the calling thread: training makes many, and
 * processors are slow with them. */
void kernels_flush_denormals(void);

/* The length of an array, so that the one behind it is aligned, too. */
static inline size_t
kernels_length(size_t numbers)
{
	return (numbers + KERNELS_LANES - 1) / KERNELS_LANES * KERNELS_LANES;
}

/* Aligned zeros; NULL when there is no memory. free() takes it. */
float *kernels_allocate(size_t numbers);

#endif
