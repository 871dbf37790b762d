#include "netexport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/sparsefile.h"
#include "onnxout.h"

static int
add_tensor(struct onnxout *o, const struct sparsefile_tensor *t)
{
	size_t n = (size_t)(t->dims[0] * t->dims[1]);
	float *room = calloc(n, sizeof(*room));

	if (room == NULL)
		return -1;
	if (t->bytes) {
		sparsefile_get_bytes(t, (int8_t *)room);
		onnxout_tensor(o, t->name, ONNXOUT_INT8, room, n, t->dims, 2);
	} else {
		sparsefile_get(t, room);
		onnxout_weights(o, t->name, room, t->dims, 2);
	}
	free(room);
	return 0;
}

/* A matrix that repeats each of nrules numbers `rank` times. */
static int
add_spread(struct onnxout *o, const char *name, int nrules, int rank)
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
	int result = one == NULL ? -1 : 0;

	for (size_t i = 0; result == 0 && i < ones; i++)
		one[i] = 1;
	if (result == 0) {
		onnxout_weights(o, "all", one, (int64_t[]){ s->hidden, SPARSE_BUCKETS },
		    2);
		onnxout_weights(o, "sum", one, (int64_t[]){ SPARSE_BUCKETS, 1 }, 2);
		result = add_spread(o, "spread", s->nrules, SPARSE_RANK);
	}
	if (result == 0 && sparse_has_policy(s))
		result = add_spread(o, "row_spread", s->nrules, POLICY_RANK);
	onnxout_weights(o, "zero", (float[]){ 0 }, NULL, 0);
	onnxout_weights(o, "one", (float[]){ 1 }, NULL, 0);
	onnxout_weights(o, SPARSEFILE_BYTE_UNIT, (float[]){ 1.0f / SPARSE_ONE }, NULL, 0);
	free(one);
	return result;
}

static void
add_metadata(struct onnxout *o, const struct sparse *s, const char *rules, uint64_t steps)
{
	struct text names = { 0 };

	for (int i = 0; i < s->nrules; i++)
		text_add_format(&names, "%s%s", i == 0 ? "" : ",", s->rules[i]);
	onnxout_metadata(o, NET_KEY_INPUT, SPARSE_INPUT_NAME);
	onnxout_metadata(o, SPARSEFILE_KEY_FEATURES, names.s);
	onnxout_training(o, rules, steps);
	text_release(&names);
}

/* One side's input of the graph. */
static void
add_input(struct onnxout *o, const char *side, const char *what, int64_t n)
{
	struct text name = { 0 };

	text_add_format(&name, "%s%s", side, what);
	onnxout_input(o, name.s, (int64_t[]){ 0, n }, 2);
	text_release(&name);
}

static void
add_inputs(struct onnxout *o, const struct sparse *s, bool atoms)
{
	static const char *const sides[] = { "own", "other" };

	for (int i = 0; i < 2; i++) {
		add_input(o, sides[i], "", SPARSE_ZONED);
		add_input(o, sides[i], "_more", SPARSEFILE_MORE);
		add_input(o, sides[i], "_zone", SPARSE_SPARE_ROWS);
		add_input(o, sides[i], "_view", s->nrules);
		if (atoms)
			add_input(o, sides[i], "_atoms", SPARSE_ATOM_ROWS);
	}
	onnxout_input(o, "bucket", (int64_t[]){ 0, SPARSE_BUCKETS }, 2);
	onnxout_output(o, "points", (int64_t[]){ 0, 1 }, 2);
	onnxout_output(o, "draw", (int64_t[]){ 0, 1 }, 2);
	if (sparse_has_policy(s))
		onnxout_output(o, "policy", (int64_t[]){ 0, POLICY_ROWS }, 2);
}

/* The net with only those rule features that it was trained on, but at least
 * one. */
static int
keep_known(struct sparse *to, const struct sparse *from)
{
	int n = 0;

	for (int i = 0; i < from->nrules; i++)
		n += sparse_knows_rule(from, i);
	if (sparse_init(to, from->hidden, n > 0 ? n : 1, sparse_has_policy(from)) == -1)
		return -1;
	memcpy(to->rules[0], from->rules[0], SPARSE_RULE_NAME_MAX);
	n = 0;
	for (int i = 0; i < from->nrules; i++)
		if (sparse_knows_rule(from, i))
			memcpy(to->rules[n++], from->rules[i], SPARSE_RULE_NAME_MAX);
	sparse_copy_weights(to, from);
	return 0;
}

/* Would `left` be the same after it was stored in bytes? Training ends with such
 * numbers; a net that was only read may have others. */
static bool
left_fits_bytes(const struct sparse *s)
{
	size_t each = sparse_array(s, SPARSE_ID_left).n;

	for (int k = 0; k < s->nrules; k++) {
		const float *left = sparse_array_at(s, SPARSE_ID_left, k);
		for (size_t i = 0; i < each; i++)
			if (fabsf(left[i]) > SPARSE_BYTE_MOST ||
			    left[i] != (float)lrintf(left[i] * SPARSE_ONE) / SPARSE_ONE)
				return false;
	}
	return true;
}

static int
add_net(struct onnxout *o, const struct sparse *s)
{
	static struct sparsefile_graph graph; /* large */
	struct sparsefile_tensor t[SPARSEFILE_TENSORS];
	bool atoms = false, narrow = left_fits_bytes(s);

	for (int i = 0; i < ATOMS; i++)
		atoms |= sparse_knows_atom(s, i);
	sparsefile_graph(&graph, sparse_has_policy(s), atoms, narrow);
	add_inputs(o, s, atoms);
	for (int i = 0; i < graph.n; i++) {
		const struct sparsefile_node *n = &graph.node[i];
		const char *in[] = { n->in[0], n->in[1], n->in[2] };
		onnxout_node(o, n->type, in, n->nin, n->out);
	}
	int count = sparsefile_tensors(s, atoms, narrow, t);
	for (int i = 0; i < count; i++)
		if (add_tensor(o, &t[i]) == -1)
			return -1;
	return add_constants(o, s);
}

int
net_export(const struct sparse *s, const char *rules, uint64_t steps, struct text *t)
{
	struct onnxout o = { 0 };
	struct sparse *known = malloc(sizeof(*known)); /* large */

	if (known == NULL || keep_known(known, s) == -1) {
		free(known);
		return -1;
	}
	int result = add_net(&o, known);
	add_metadata(&o, known, rules, steps);
	onnxout_finish(&o, t);
	sparse_release(known);
	free(known);
	return result;
}
