#include "policyexport.h"

#include "net/policyfile.h"
#include "onnxout.h"
#include "sparseexport.h"

int
policy_export(const struct policy *p, const char *rules, uint64_t steps,
    struct text *file)
{
	struct sparsefile_tensor t[POLICYFILE_TENSORS];
	struct onnxout o = { 0 };
	int result = sparse_export_parts(&p->value, &o);
	int n = policyfile_tensors(p, t);

	onnxout_output(&o, "policy", (int64_t[]){ 0, POLICY_ROWS }, 2);
	sparse_export_nodes(&o, policyfile_graph, policyfile_nodes);
	if (result == 0)
		result = sparse_export_tensors(&o, t, n);
	if (result == 0)
		result =
		    sparse_export_spread(&o, "row_spread", p->value.nrules, POLICY_RANK);
	sparse_export_metadata(&o, &p->value, POLICY_INPUT_NAME, rules, steps);
	onnxout_finish(&o, file);
	return result;
}
