#include "policyfile.h"

#include <errno.h>

const struct sparsefile_node policyfile_graph[] = {
	/* the narrow layer */
	{ "MatMul", { "own_hidden", "mix_own" }, "mix_own_sum" },
	{ "MatMul", { "other_hidden", "mix_other" }, "mix_other_sum" },
	{ "Add", { "mix_own_sum", "mix_other_sum" }, "mix_sum" },
	{ "MatMul", { "rules", "rule_mix_bias" }, "mix_bias_change" },
	{ "Add", { "mix_bias", "mix_bias_change" }, "mix_biases" },
	{ "Add", { "mix_sum", "mix_biases" }, "mix_biased" },
	{ "Clip", { "mix_biased", "zero", "one" }, "mixed" },
	/* the rows for these rules */
	{ "MatMul", { "rules", "row_spread" }, "row_share" },
	{ "Mul", { "row_right", "row_share" }, "row_scaled" },
	{ "MatMul", { "row_scaled", "row_left" }, "row_change" },
	{ "Add", { "rows", "row_change" }, "row_weights" },
	{ "MatMul", { "rules", "rule_row_bias" }, "row_bias_change" },
	{ "Add", { "row_bias", "row_bias_change" }, "row_biases" },
	{ "MatMul", { "mixed", "row_weights" }, "row_sums" },
	{ "Add", { "row_sums", "row_biases" }, "policy" },
};
const int policyfile_nodes = sizeof(policyfile_graph) / sizeof(policyfile_graph[0]);

int
policyfile_tensors(const struct policy *p, struct sparsefile_tensor t[POLICYFILE_TENSORS])
{
	int64_t h = p->value.hidden, k = p->value.nrules;
	float *other = p->mix + h * POLICY_WIDTH;
	int n = 0;

	t[n++] = sparsefile_matrix("mix_own", p->mix, h, POLICY_WIDTH, POLICY_WIDTH, 1);
	t[n++] = sparsefile_matrix("mix_other", other, h, POLICY_WIDTH, POLICY_WIDTH, 1);
	t[n++] = sparsefile_matrix("mix_bias", p->mix_bias, 1, POLICY_WIDTH, 0, 1);
	t[n++] = sparsefile_matrix("rule_mix_bias", p->rule_mix_bias, k, POLICY_WIDTH,
	    POLICY_WIDTH, 1);
	t[n++] = sparsefile_matrix("rows", p->rows, POLICY_WIDTH, POLICY_ROWS, 1,
	    POLICY_WIDTH);
	t[n++] = sparsefile_matrix("row_bias", p->row_bias, 1, POLICY_ROWS, 0, 1);
	t[n++] = sparsefile_matrix("row_left", p->left, k * POLICY_RANK, POLICY_ROWS,
	    POLICY_ROWS, 1);
	t[n++] = sparsefile_matrix("row_right", p->right, POLICY_WIDTH, k * POLICY_RANK,
	    1, POLICY_WIDTH);
	t[n++] = sparsefile_matrix("rule_row_bias", p->rule_row_bias, k, POLICY_ROWS,
	    POLICY_ROWS, 1);
	return n;
}

bool
policyfile_is(const struct onnxin *file)
{
	struct onnxin_name name = onnxin_metadata(file, NET_KEY_INPUT);

	return onnxin_is(name, POLICY_INPUT_NAME) || onnxin_is(name, POLICY_INPUT_NAME_1);
}

int
policyfile_read(struct policy *p, const struct onnxin *file, char reason[NET_REASON_MAX])
{
	struct sparsefile_tensor t[POLICYFILE_TENSORS];
	struct sparse value;
	const struct sparsefile_node *graph;
	int nodes = sparsefile_graph(sparsefile_has_zones(file), &graph);

	if (file->nnodes != nodes + policyfile_nodes ||
	    !sparsefile_has_nodes(file, 0, graph, nodes) ||
	    !sparsefile_has_nodes(file, nodes, policyfile_graph, policyfile_nodes))
		return refuse(reason, "a sparse net with a graph other than ours");
	if (sparsefile_read_weights(&value, file, reason) == -1)
		return -1;
	if (policy_init_value(p, &value) == -1) {
		errno = ENOMEM;
		return refuse(reason, "out of memory");
	}
	if (sparsefile_read_tensors(t, policyfile_tensors(p, t), file, reason) == -1) {
		policy_release(p);
		return -1;
	}
	return 0;
}
