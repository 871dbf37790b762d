#include "sparsefile.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* The graph of the first kind, without zones; their nodes are inserted by
 * added[] below. */
static const struct sparsefile_node plain[] = {
	/* the weights for these rules */
	{ "MatMul", { "rules", "spread" }, "share" },
	{ "Mul", { "left", "share" }, "scaled" },
	{ "MatMul", { "scaled", "right" }, "change" },
	{ "Add", { "in", "change" }, "weights" },
	{ "MatMul", { "rules", "rule_bias" }, "bias_change" },
	{ "Add", { "bias", "bias_change" }, "biases" },
	/* hidden layer, from both sides */
	{ "MatMul", { "own", "weights" }, "own_sums" },
	{ "Add", { "own_sums", "biases" }, "own_biased" },
	{ "Clip", { "own_biased", "zero", "one" }, "own_clipped" },
	{ "Mul", { "own_clipped", "own_clipped" }, "own_hidden" },
	{ "MatMul", { "other", "weights" }, "other_sums" },
	{ "Add", { "other_sums", "biases" }, "other_biased" },
	{ "Clip", { "other_biased", "zero", "one" }, "other_clipped" },
	{ "Mul", { "other_clipped", "other_clipped" }, "other_hidden" },
	/* points, by bucket; the rules' changes are the same in all buckets */
	{ "MatMul", { "own_hidden", "points_own" }, "points_own_sum" },
	{ "MatMul", { "other_hidden", "points_other" }, "points_other_sum" },
	{ "Add", { "points_own_sum", "points_other_sum" }, "points_sum" },
	{ "MatMul", { "view", "rule_own" }, "own_change" },
	{ "Mul", { "own_hidden", "own_change" }, "own_changed" },
	{ "MatMul", { "view", "rule_other" }, "other_change" },
	{ "Mul", { "other_hidden", "other_change" }, "other_changed" },
	{ "Add", { "own_changed", "other_changed" }, "changed" },
	{ "MatMul", { "changed", "all" }, "changed_sum" },
	{ "Add", { "points_sum", "changed_sum" }, "points_all" },
	{ "MatMul", { "view", "rule_points_bias" }, "points_bias_change" },
	{ "Add", { "points_bias", "points_bias_change" }, "points_biases" },
	{ "Add", { "points_all", "points_biases" }, "points_buckets" },
	{ "Mul", { "points_buckets", "bucket" }, "points_bucket" },
	{ "MatMul", { "points_bucket", "sum" }, "points" },
	/* draw */
	{ "MatMul", { "own_hidden", "draw_own" }, "draw_own_sum" },
	{ "MatMul", { "other_hidden", "draw_other" }, "draw_other_sum" },
	{ "Add", { "draw_own_sum", "draw_other_sum" }, "draw_sum" },
	{ "Add", { "draw_sum", "draw_bias" }, "draw_buckets" },
	{ "Mul", { "draw_buckets", "bucket" }, "draw_bucket" },
	{ "MatMul", { "draw_bucket", "sum" }, "draw" },
};

enum { PLAIN = sizeof(plain) / sizeof(plain[0]), ZONED = PLAIN + 5 };

/* Nodes for zones, inserted before the node with the output `before`; an Add
 * becomes its first input. */
static const struct {
	const char *before;
	struct sparsefile_node node;
} added[] = {
	{ "own_sums",
	    { "DequantizeLinear", { SPARSEFILE_ZONE, SPARSEFILE_ZONE_UNIT }, "zones" } },
	{ "own_biased", { "MatMul", { "own_rows", "zones" }, "own_zone" } },
	{ "own_biased", { "Add", { "own_sums", "own_zone" }, "own_both" } },
	{ "other_biased", { "MatMul", { "other_rows", "zones" }, "other_zone" } },
	{ "other_biased", { "Add", { "other_sums", "other_zone" }, "other_both" } },
};

static struct sparsefile_node zoned[ZONED];

__attribute__((constructor)) static void
make_zoned(void)
{
	int n = 0;

	for (int i = 0; i < PLAIN; i++) {
		struct sparsefile_node node = plain[i];
		for (size_t k = 0; k < sizeof(added) / sizeof(added[0]); k++) {
			if (strcmp(added[k].before, node.out) != 0)
				continue;
			zoned[n++] = added[k].node;
			if (strcmp(added[k].node.type, "Add") == 0)
				node.in[0] = added[k].node.out;
		}
		zoned[n++] = node;
	}
}

int
sparsefile_graph(bool zones, const struct sparsefile_node **graph)
{
	*graph = zones ? zoned : plain;
	return zones ? ZONED : PLAIN;
}

/* ---- tensors ---- */

struct sparsefile_tensor
sparsefile_matrix(const char *name, float *array, int64_t rows, int64_t columns,
    size_t row, size_t column)
{
	return (struct sparsefile_tensor){ name, { rows, columns }, array, 0, row, column,
		columns };
}

int
sparsefile_tensors(const struct sparse *s, struct sparsefile_tensor t[SPARSEFILE_TENSORS])
{
	int64_t h = s->hidden, k = s->nrules;
	size_t u = (size_t)h, both = 2 * u;
	float *draw = s->out + SPARSE_BUCKETS * both;
	int n = 0;

	t[n++] = sparsefile_matrix("in", s->in, SPARSE_INPUTS, h, u, 1);
	t[n++] = sparsefile_matrix("bias", s->bias, 1, h, u, 1);
	/* [k][inputs][rank] to [inputs][k * rank] */
	t[n++] = (struct sparsefile_tensor){ "left", { SPARSE_INPUTS, k * SPARSE_RANK },
		s->left, SPARSE_INPUTS * SPARSE_RANK, SPARSE_RANK, 1, SPARSE_RANK };
	t[n++] = sparsefile_matrix("right", s->right, k * SPARSE_RANK, h, u, 1);
	t[n++] = sparsefile_matrix("rule_bias", s->rule_bias, k, h, u, 1);
	t[n++] = sparsefile_matrix("points_own", s->out, h, SPARSE_BUCKETS, 1, both);
	t[n++] =
	    sparsefile_matrix("points_other", s->out + u, h, SPARSE_BUCKETS, 1, both);
	t[n++] = sparsefile_matrix("rule_own", s->rule_out, k, h, both, 1);
	t[n++] = sparsefile_matrix("rule_other", s->rule_out + u, k, h, both, 1);
	t[n++] = sparsefile_matrix("points_bias", s->out_bias, 1, SPARSE_BUCKETS, 1, 1);
	t[n++] = sparsefile_matrix("rule_points_bias", s->rule_out_bias, k,
	    SPARSE_BUCKETS, SPARSE_BUCKETS, 1);
	t[n++] = sparsefile_matrix("draw_own", draw, h, SPARSE_BUCKETS, 1, both);
	t[n++] = sparsefile_matrix("draw_other", draw + u, h, SPARSE_BUCKETS, 1, both);
	t[n++] = sparsefile_matrix("draw_bias", s->out_bias + SPARSE_BUCKETS, 1,
	    SPARSE_BUCKETS, 1, 1);
	return n;
}

static float *
element(const struct sparsefile_tensor *t, int64_t i, int64_t j)
{
	size_t block = (size_t)(j / t->per_block), at = (size_t)(j % t->per_block);

	return t->array + block * t->block + (size_t)i * t->row + at * t->column;
}

void
sparsefile_get(const struct sparsefile_tensor *t, float *to)
{
	for (int64_t i = 0; i < t->dims[0]; i++)
		for (int64_t j = 0; j < t->dims[1]; j++)
			*to++ = *element(t, i, j);
}

/* ---- reading ---- */

bool
sparsefile_is(const struct onnxin *file)
{
	struct onnxin_name name = onnxin_metadata(file, NET_KEY_INPUT);

	return onnxin_is(name, SPARSE_INPUT_NAME) || onnxin_is(name, SPARSE_INPUT_NAME_1);
}

bool
sparsefile_has_zones(const struct onnxin *file)
{
	return onnxin_find(file, SPARSEFILE_ZONE) != NULL;
}

bool
sparsefile_has_nodes(const struct onnxin *file, int first,
    const struct sparsefile_node *graph, int count)
{
	if (file->nnodes < first + count)
		return false;
	for (int i = 0; i < count; i++) {
		const struct onnxin_node *n = &file->nodes[first + i];
		const struct sparsefile_node *ours = &graph[i];
		int in = ours->in[2] != NULL ? 3 : 2;
		if (!onnxin_is(n->type, ours->type) || n->nin != in || n->nout != 1 ||
		    n->nattributes != 0 || !onnxin_is(n->out, ours->out))
			return false;
		for (int k = 0; k < in; k++)
			if (!onnxin_is(n->in[k], ours->in[k]))
				return false;
	}
	return true;
}

int
sparsefile_features(struct sparse *s, const char *list, size_t size)
{
	const char *p = list, *end = list + size;

	s->nrules = 0;
	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		size_t n = (size_t)((comma == NULL ? end : comma) - p);
		if (n == 0 || n >= SPARSE_RULE_NAME_MAX || s->nrules == SPARSE_RULES_MAX)
			return -1;
		memcpy(s->rules[s->nrules], p, n);
		s->rules[s->nrules++][n] = '\0';
		p += n + (comma != NULL);
	}
	return s->nrules > 0 ? 0 : -1;
}

/* Weights of the right size, all of them numbers. */
static int
read_tensor(const struct sparsefile_tensor *t, const struct onnxin *file)
{
	const struct onnxin_weights *w = onnxin_find(file, t->name);
	size_t n = (size_t)(t->dims[0] * t->dims[1]);

	if (w == NULL || w->type != 1 || w->ndims != 2 || w->dims[0] != t->dims[0] ||
	    w->dims[1] != t->dims[1] || w->raw == NULL || w->size != n * sizeof(float))
		return -1;
	for (size_t i = 0; i < n; i++) {
		float *to = element(t, (int64_t)i / t->dims[1], (int64_t)i % t->dims[1]);
		memcpy(to, w->raw + i * sizeof(*to), sizeof(*to));
		if (!isfinite(*to))
			return -1;
	}
	return 0;
}

static int
refuse_weights(const char *name, char *reason)
{
	return refuse(reason, "a sparse net with malformed weights '%s'", name);
}

int
sparsefile_read_tensors(const struct sparsefile_tensor *t, int n,
    const struct onnxin *file, char reason[REASON_MAX])
{
	for (int i = 0; i < n; i++)
		if (read_tensor(&t[i], file) == -1)
			return refuse_weights(t[i].name, reason);
	return 0;
}

/* Reads the changes by zones; a file without them leaves zeros. */
static int
read_zones(struct sparse *s, const struct onnxin *file, char *reason)
{
	const struct onnxin_weights *w = onnxin_find(file, SPARSEFILE_ZONE);
	const struct onnxin_weights *unit = onnxin_find(file, SPARSEFILE_ZONE_UNIT);
	size_t n = SPARSE_ROWS * (size_t)s->hidden;
	const float one = 1.0f / SPARSE_ONE;

	if (w == NULL)
		return 0;
	if (w->type != 3 || w->ndims != 2 || w->dims[0] != SPARSE_ROWS ||
	    w->dims[1] != s->hidden || w->raw == NULL || w->size != n || unit == NULL ||
	    unit->type != 1 || unit->ndims != 0 || unit->size != sizeof(one) ||
	    unit->raw == NULL || memcmp(unit->raw, &one, sizeof(one)) != 0)
		return refuse_weights(SPARSEFILE_ZONE, reason);
	for (size_t i = 0; i < n; i++)
		s->zone[i] = (float)(int8_t)w->raw[i] / SPARSE_ONE;
	return 0;
}

void
sparsefile_zones(const struct sparse *s, int8_t *to)
{
	size_t n = SPARSE_ROWS * (size_t)s->hidden;

	for (size_t i = 0; i < n; i++)
		to[i] = (int8_t)lrintf(s->zone[i] * SPARSE_ONE);
}

int
sparsefile_read(struct sparse *s, const struct onnxin *file, char reason[REASON_MAX])
{
	const struct sparsefile_node *graph;
	int nodes = sparsefile_graph(sparsefile_has_zones(file), &graph);

	if (file->nnodes != nodes || !sparsefile_has_nodes(file, 0, graph, nodes))
		return refuse(reason, "a sparse net with a graph other than ours");
	return sparsefile_read_weights(s, file, reason);
}

int
sparsefile_read_weights(struct sparse *s, const struct onnxin *file,
    char reason[REASON_MAX])
{
	const struct onnxin_weights *bias = onnxin_find(file, "bias");
	struct sparsefile_tensor t[SPARSEFILE_TENSORS];
	struct sparse named;

	if (bias == NULL || bias->ndims != 2 || bias->dims[1] < 64 ||
	    bias->dims[1] > SPARSE_HIDDEN_MAX || bias->dims[1] % 64 != 0)
		return refuse(reason, "a sparse net of an unsupported size");
	struct onnxin_name list = onnxin_metadata(file, SPARSEFILE_KEY_FEATURES);
	if (sparsefile_features(&named, list.s, list.n) == -1)
		return refuse(reason,
		    "a sparse net that does not name the rule features it knows");
	/* before memory is allocated, the file must contain that much */
	const struct onnxin_weights *in = onnxin_find(file, "in");
	if (in == NULL ||
	    in->size != SPARSE_INPUTS * (size_t)bias->dims[1] * sizeof(float))
		return refuse(reason, "a sparse net without weights");
	if (sparse_init(s, (int)bias->dims[1], named.nrules) == -1) {
		errno = ENOMEM;
		return refuse(reason, "out of memory");
	}
	memcpy(s->rules, named.rules, sizeof(s->rules));
	if (sparsefile_read_tensors(t, sparsefile_tensors(s, t), file, reason) == -1 ||
	    read_zones(s, file, reason) == -1) {
		sparse_release(s);
		return -1;
	}
	return 0;
}
