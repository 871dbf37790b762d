#include "sparseexport.h"

#include <stdlib.h>
#include <string.h>

int
sparse_export_tensors(struct onnxout *o, const struct sparsefile_tensor *t, int n)
{
	for (int i = 0; i < n; i++) {
		float *room =
		    calloc((size_t)(t[i].dims[0] * t[i].dims[1]), sizeof(*room));
		if (room == NULL)
			return -1;
		sparsefile_get(&t[i], room);
		onnxout_weights(o, t[i].name, room, t[i].dims, 2);
		free(room);
	}
	return 0;
}

static int
add_zones(struct onnxout *o, const struct sparse *s)
{
	size_t n = SPARSE_ROWS * (size_t)s->hidden;
	int8_t *room = malloc(n);

	if (room == NULL)
		return -1;
	sparsefile_zones(s, room);
	onnxout_tensor(o, SPARSEFILE_ZONE, ONNXOUT_INT8, room, n,
	    (int64_t[]){ SPARSE_ROWS, s->hidden }, 2);
	free(room);
	return 0;
}

int
sparse_export_spread(struct onnxout *o, const char *name, int nrules, int rank)
{
	size_t k = (size_t)nrules, ranks = (size_t)rank, columns = k * ranks;
	float *spread = calloc(k * columns, sizeof(float));

	if (spread == NULL)
		return -1;
	for (size_t i = 0; i < columns; i++)
		spread[i / ranks * columns + i] = 1;
	onnxout_weights(o, name, spread, (int64_t[]){ nrules, (int64_t)columns }, 2);
	free(spread);
	return 0;
}

/* The constants of the graph, the same in all nets. */
static int
add_constants(struct onnxout *o, const struct sparse *s)
{
	size_t ones = (size_t)s->hidden * SPARSE_BUCKETS;
	float *one = malloc(ones * sizeof(float));

	if (one == NULL ||
	    sparse_export_spread(o, "spread", s->nrules, SPARSE_RANK) == -1) {
		free(one);
		return -1;
	}
	for (size_t i = 0; i < ones; i++)
		one[i] = 1;
	onnxout_weights(o, "all", one, (int64_t[]){ s->hidden, SPARSE_BUCKETS }, 2);
	onnxout_weights(o, "sum", one, (int64_t[]){ SPARSE_BUCKETS, 1 }, 2);
	onnxout_weights(o, "zero", (float[]){ 0 }, NULL, 0);
	onnxout_weights(o, SPARSEFILE_ZONE_UNIT, (float[]){ 1.0f / SPARSE_ONE }, NULL, 0);
	onnxout_weights(o, "one", (float[]){ 1 }, NULL, 0);
	free(one);
	return 0;
}

void
sparse_export_metadata(struct onnxout *o, const struct sparse *s, const char *input,
    const char *rules, uint64_t steps)
{
	struct text names = { 0 };

	for (int i = 0; i < s->nrules; i++)
		text_add_format(&names, "%s%s", i == 0 ? "" : ",", s->rules[i]);
	onnxout_metadata(o, NET_KEY_INPUT, input);
	onnxout_metadata(o, SPARSEFILE_KEY_FEATURES, names.s);
	onnxout_training(o, rules, steps);
	text_release(&names);
}

/* The net with only those rule features that it was trained on, but at least
 * one. */
static int
keep_known(struct sparse *to, const struct sparse *from)
{
	int n = 0;

	for (int i = 0; i < from->nrules; i++)
		n += sparse_knows_rule(from, i);
	if (sparse_init(to, from->hidden, n > 0 ? n : 1) == -1)
		return -1;
	memcpy(to->rules[0], from->rules[0], SPARSE_RULE_NAME_MAX);
	n = 0;
	for (int i = 0; i < from->nrules; i++)
		if (sparse_knows_rule(from, i))
			memcpy(to->rules[n++], from->rules[i], SPARSE_RULE_NAME_MAX);
	sparse_take(to, from);
	return 0;
}

void
sparse_export_nodes(struct onnxout *o, const struct sparsefile_node *nodes, int n)
{
	for (int i = 0; i < n; i++)
		onnxout_node(o, nodes[i].type, nodes[i].in,
		    nodes[i].in[2] != NULL ? 3 : 2, nodes[i].out);
}

int
sparse_export_parts(const struct sparse *s, struct onnxout *o)
{
	onnxout_input(o, "own", (int64_t[]){ 0, SPARSE_INPUTS }, 2);
	onnxout_input(o, "other", (int64_t[]){ 0, SPARSE_INPUTS }, 2);
	onnxout_input(o, "own_rows", (int64_t[]){ 0, SPARSE_ROWS }, 2);
	onnxout_input(o, "other_rows", (int64_t[]){ 0, SPARSE_ROWS }, 2);
	onnxout_input(o, "bucket", (int64_t[]){ 0, SPARSE_BUCKETS }, 2);
	onnxout_input(o, "rules", (int64_t[]){ 1, s->nrules }, 2);
	onnxout_input(o, "view", (int64_t[]){ 0, s->nrules }, 2);
	onnxout_output(o, "points", (int64_t[]){ 0, 1 }, 2);
	onnxout_output(o, "draw", (int64_t[]){ 0, 1 }, 2);
	const struct sparsefile_node *graph;
	struct sparsefile_tensor t[SPARSEFILE_TENSORS];
	int nodes = sparsefile_graph(true, &graph), n = sparsefile_tensors(s, t);

	sparse_export_nodes(o, graph, nodes);
	return sparse_export_tensors(o, t, n) == -1 || add_zones(o, s) == -1 ||
		add_constants(o, s) == -1
	    ? -1
	    : 0;
}

int
sparse_export(const struct sparse *s, const char *rules, uint64_t steps, struct text *t)
{
	struct onnxout o = { 0 };
	struct sparse known;

	if (keep_known(&known, s) == -1)
		return -1;
	int result = sparse_export_parts(&known, &o);
	sparse_export_metadata(&o, &known, SPARSE_INPUT_NAME, rules, steps);
	onnxout_finish(&o, t);
	sparse_release(&known);
	return result;
}
