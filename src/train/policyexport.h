/*
 * A trained sparse net with a policy as an ONNX file.
 */
#ifndef TRAIN_POLICYEXPORT_H
#define TRAIN_POLICYEXPORT_H

#include "base/text.h"
#include "net/policy.h"

/* Appends the file's bytes to t; rules: the rule sets it was trained on, for the
 * metadata. 0, or -1 if there is not enough memory. */
int policy_export(const struct policy *p, const char *rules, uint64_t steps,
    struct text *t);

#endif
