#include "policyexport.h"

#include <stdlib.h>

#include "net/policyfile.h"
#include "onnxout.h"
#include "sparseexport.h"

static int
add_tensors(struct onnxout *o, const struct policy *p)
{
	struct sparsefile_tensor t[POLICYFILE_TENSORS];
	int n = policyfile_tensors(p, t);
	float *room = malloc(p->floats * sizeof(float));

	if (room == NULL)
		return -1;
	for (int i = 0; i < n; i++) {
		sparsefile_get(&t[i], room);
		onnxout_weights(o, t[i].name, room, t[i].dims, t[i].ndims);
	}
	free(room);
	return 0;
}

/* The matrix that gives each rule feature to all of its ranks. */
static int
add_spread(struct onnxout *o, int nrules)
{
	size_t k = (size_t)nrules, columns = k * POLICY_RANK;
	float *spread = calloc(k * columns, sizeof(float));

	if (spread == NULL)
		return -1;
	for (size_t i = 0; i < columns; i++)
		spread[i / POLICY_RANK * columns + i] = 1;
	onnxout_weights(o, "row_spread", spread, (int64_t[]){ nrules,
	    (int64_t)columns }, 2);
	free(spread);
	return 0;
}

int
policy_export(const struct policy *p, const char *rules, uint64_t steps,
    struct text *t)
{
	struct onnxout o = { 0 };
	int result = sparse_export_parts(&p->value, &o);

	onnxout_output(&o, "policy", (int64_t[]){ 0, POLICY_ROWS }, 2);
	sparse_export_nodes(&o, policyfile_graph, policyfile_nodes);
	if (result == 0)
		result = add_tensors(&o, p) == -1 ||
		    add_spread(&o, p->value.nrules) == -1 ? -1 : 0;
	sparse_export_metadata(&o, &p->value, POLICY_INPUT_NAME, rules, steps);
	onnxout_finish(&o, t);
	return result;
}
