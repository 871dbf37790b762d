/*
 * A trained sparse net with a policy as an ONNX file.
 */
#ifndef TRAIN_POLICYEXPORT_H
#define TRAIN_POLICYEXPORT_H

#include "base/text.h"
#include "net/policy.h"

/* Adds the file's bytes to t; rules: the rule sets it was trained on, as the
 * file tells. -1 when there is no memory. */
int policy_export(const struct policy *p, const char *rules, uint64_t steps,
    struct text *t);

#endif
