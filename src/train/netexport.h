/*
 * A net as an ONNX file.
 */
#ifndef TRAIN_NETEXPORT_H
#define TRAIN_NETEXPORT_H

#include "base/text.h"
#include "net/sparse.h"

/* Appends the file of a net, with only those rule features that it was trained on;
 * `rules` lists rule sets that it was trained on. 0, or -1 if there is not enough
 * memory. */
int net_export(const struct sparse *s, const char *rules, uint64_t steps, struct text *t);

#endif
