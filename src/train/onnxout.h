/*
 * Writes a net as an ONNX file: the few messages of the format that our nets
 * need, encoded by hand. Parts are added in any order; onnxout_finish() puts the
 * file together.
 */
#ifndef TRAIN_ONNXOUT_H
#define TRAIN_ONNXOUT_H

#include <stdint.h>

#include "base/text.h"

/* Initialise to zeros. */
struct onnxout {
	struct text nodes, weights, inputs, outputs, metadata;
};

/* A tensor of weights; data has the product of dims numbers. */
void onnxout_weights(struct onnxout *o, const char *name, const float *data,
    const int64_t *dims, int ndims);

/* A tensor of another type; size in bytes, little-endian. */
enum onnxout_type { ONNXOUT_FLOAT = 1, ONNXOUT_INT8 = 3 };
void onnxout_tensor(struct onnxout *o, const char *name, enum onnxout_type type,
    const void *data, size_t size, const int64_t *dims, int ndims);

/* An input or output of the net; a size of 0, that of the batch, is variable. */
void onnxout_input(struct onnxout *o, const char *name, const int64_t *dims, int ndims);
void onnxout_output(struct onnxout *o, const char *name, const int64_t *dims, int ndims);

/* A node with n inputs, without attributes. */
void onnxout_node(struct onnxout *o, const char *type, const char *const *in, int n,
    const char *out);

/* A pair of the metadata. */
void onnxout_metadata(struct onnxout *o, const char *key, const char *value);

/* What the file tells of its training. */
void onnxout_training(struct onnxout *o, const char *rules, uint64_t steps);

/* The whole file, to the empty text t, with a digest of it at the end
 * (net/onnxin.h); then all is released. */
void onnxout_finish(struct onnxout *o, struct text *t);

#endif
