/*
 * A sparse net with a policy as an ONNX file: the sparse net's graph and weights
 * as in sparsefile.h, then those of the policy. The outputs are points[N][1],
 * draw[N][1] and policy[N][POLICY_ROWS]; a move's logit is the sum of the three
 * that policy_terms() names.
 */
#ifndef NET_POLICYFILE_H
#define NET_POLICYFILE_H

#include "policy.h"
#include "sparsefile.h"

/* The nodes that follow the sparse net's. */
extern const struct sparsefile_node policyfile_graph[];
extern const int policyfile_nodes;

enum { POLICYFILE_TENSORS = 9 };

/* The tensors that follow the sparse net's; returns how many. */
int policyfile_tensors(const struct policy *p,
    struct sparsefile_tensor t[POLICYFILE_TENSORS]);

/* Is it a net with a policy, by its metadata? */
bool policyfile_is(const struct onnxin *file);

/* Reads a net: 0, or -1 with a reason; errno is ENOMEM if memory ran out. */
int policyfile_read(struct policy *p, const struct onnxin *file,
    char reason[NET_REASON_MAX]);

#endif
