/*
 * A trained sparse net as an ONNX file.
 */
#ifndef TRAIN_SPARSEEXPORT_H
#define TRAIN_SPARSEEXPORT_H

#include "base/text.h"
#include "net/sparsefile.h"
#include "onnxout.h"

/* Appends the file's bytes to t; rules: the rule sets it was trained on, for the
 * metadata. 0, or -1 if there is not enough memory. */
int sparse_export(const struct sparse *s, const char *rules, uint64_t steps,
    struct text *t);

/* Its parts, for files that contain more: inputs, outputs, nodes, weights; nodes of
 * a table; tensors; the matrix that repeats each rule feature for all of its ranks;
 * metadata. 0, or -1 if there is not enough memory. */
int sparse_export_parts(const struct sparse *s, struct onnxout *o);
void sparse_export_nodes(struct onnxout *o, const struct sparsefile_node *nodes, int n);
int sparse_export_tensors(struct onnxout *o, const struct sparsefile_tensor *t, int n);
int sparse_export_spread(struct onnxout *o, const char *name, int nrules, int rank);
void sparse_export_metadata(struct onnxout *o, const struct sparse *s, const char *input,
    const char *rules, uint64_t steps);

#endif
