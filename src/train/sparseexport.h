/*
 * A trained sparse net as an ONNX file.
 */
#ifndef TRAIN_SPARSEEXPORT_H
#define TRAIN_SPARSEEXPORT_H

#include "base/text.h"
#include "net/sparse.h"

/* Adds the file's bytes to t; rules: the rule sets it was trained on, as the
 * file tells. -1 when there is no memory. */
int sparse_export(const struct sparse *s, const char *rules, uint64_t steps,
    struct text *t);

#endif
