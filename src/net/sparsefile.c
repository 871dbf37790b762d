#include "sparsefile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the graph ---- */

static void
call(struct sparsefile_graph *g, const char *type, const char *out, const char *a,
    const char *b, const char *c)
{
	struct sparsefile_node *n = &g->node[g->n++];
	const char *in[3] = { a, b, c };

	memset(n, 0, sizeof(*n));
	snprintf(n->type, sizeof(n->type), "%s", type);
	snprintf(n->out, sizeof(n->out), "%s", out);
	for (; n->nin < 3 && in[n->nin] != NULL; n->nin++)
		snprintf(n->in[n->nin], sizeof(n->in[0]), "%s", in[n->nin]);
}

/* The name of one side's tensor: "own" and "zone" are "own_zone". */
static const char *
name_of(sparsefile_name name, const char *side, const char *what)
{
	snprintf(name, SPARSEFILE_NAME_MAX, "%s_%s", side, what);
	return name;
}

/* Adds a product to a sum of one side, which is called `sum` before and
 * after; its name changes with each term. */
static void
add_product(struct sparsefile_graph *g, const char *side, const char *input,
    const char *weights, const char *term, sparsefile_name sum)
{
	sparsefile_name product, more;

	call(g, "MatMul", name_of(product, side, term), input, weights, NULL);
	snprintf(more, sizeof(more), "%.10s_with_%.7s", side, term);
	call(g, "Add", more, sum, product, NULL);
	memcpy(sum, more, sizeof(more));
}

/* The hidden layer of one side. */
static void
add_side(struct sparsefile_graph *g, const char *side, bool atoms, bool narrow)
{
	sparsefile_name a, b, c, sum;

	call(g, "MatMul", name_of(sum, side, "sum"), side, "in", NULL);
	add_product(g, side, name_of(a, side, "more"), "more", "others", sum);
	add_product(g, side, name_of(a, side, "zone"), "zones", "zoned", sum);
	if (atoms)
		add_product(g, side, name_of(a, side, "atoms"), "atom", "moves", sum);
	/* what the rules change: of low rank, scaled by the features */
	call(g, "MatMul", name_of(a, side, "left"), side, narrow ? "lefts" : "left",
	    NULL);
	call(g, "MatMul", name_of(b, side, "share"), name_of(c, side, "view"), "spread",
	    NULL);
	call(g, "Mul", name_of(c, side, "scaled"), a, b, NULL);
	add_product(g, side, c, "right", "change", sum);
	add_product(g, side, name_of(a, side, "view"), "rule_bias", "bias", sum);
	call(g, "Add", name_of(a, side, "biased"), sum, "bias", NULL);
	call(g, "Clip", name_of(b, side, "clipped"), a, "zero", "one");
	call(g, "Mul", name_of(c, side, "hidden"), b, b, NULL);
}

/* An output by bucket: the sums over both sides, then the bucket's. */
static void
add_head(struct sparsefile_graph *g, const char *head, const char *biases)
{
	sparsefile_name a, b, c, w;

	call(g, "MatMul", name_of(a, head, "own_sum"), "own_hidden",
	    name_of(w, head, "own"), NULL);
	call(g, "MatMul", name_of(b, head, "other_sum"), "other_hidden",
	    name_of(w, head, "other"), NULL);
	call(g, "Add", name_of(c, head, "sum"), a, b, NULL);
	call(g, "Add", name_of(a, head, "buckets"), c, biases, NULL);
}

static void
add_choice(struct sparsefile_graph *g, const char *head, const char *buckets)
{
	sparsefile_name a;

	call(g, "Mul", name_of(a, head, "bucket"), buckets, "bucket", NULL);
	call(g, "MatMul", head, a, "sum", NULL);
}

static void
add_policy(struct sparsefile_graph *g)
{
	call(g, "MatMul", "mix_own_sum", "own_hidden", "mix_own", NULL);
	call(g, "MatMul", "mix_other_sum", "other_hidden", "mix_other", NULL);
	call(g, "Add", "mix_sum", "mix_own_sum", "mix_other_sum", NULL);
	call(g, "MatMul", "mix_change", "own_view", "rule_mix_bias", NULL);
	call(g, "Add", "mix_changed", "mix_sum", "mix_change", NULL);
	call(g, "Add", "mix_biased", "mix_changed", "mix_bias", NULL);
	call(g, "Clip", "mixed", "mix_biased", "zero", "one");
	call(g, "MatMul", "row_sums", "mixed", "rows", NULL);
	call(g, "MatMul", "row_narrow", "mixed", "row_right", NULL);
	call(g, "MatMul", "row_share", "own_view", "row_spread", NULL);
	call(g, "Mul", "row_scaled", "row_narrow", "row_share", NULL);
	call(g, "MatMul", "row_change", "row_scaled", "row_left", NULL);
	call(g, "Add", "row_changed", "row_sums", "row_change", NULL);
	call(g, "MatMul", "row_bias_change", "own_view", "rule_row_bias", NULL);
	call(g, "Add", "row_both", "row_changed", "row_bias_change", NULL);
	call(g, "Add", "policy", "row_both", "row_bias", NULL);
}

void
sparsefile_graph(struct sparsefile_graph *g, bool policy, bool atoms, bool narrow)
{
	g->n = 0;
	call(g, "DequantizeLinear", "zones", "zone", SPARSEFILE_BYTE_UNIT, NULL);
	if (atoms)
		call(g, "DequantizeLinear", "atom", "atoms", SPARSEFILE_BYTE_UNIT, NULL);
	if (narrow)
		call(g, "DequantizeLinear", "lefts", "left", SPARSEFILE_BYTE_UNIT, NULL);
	add_side(g, "own", atoms, narrow);
	add_side(g, "other", atoms, narrow);
	add_head(g, "points", "points_bias");
	/* the rules' changes are the same in all buckets */
	call(g, "MatMul", "own_rule", "own_view", "rule_own", NULL);
	call(g, "Mul", "own_changed", "own_hidden", "own_rule", NULL);
	call(g, "MatMul", "other_rule", "own_view", "rule_other", NULL);
	call(g, "Mul", "other_changed", "other_hidden", "other_rule", NULL);
	call(g, "Add", "changed", "own_changed", "other_changed", NULL);
	call(g, "MatMul", "changed_sum", "changed", "all", NULL);
	call(g, "Add", "points_all", "points_buckets", "changed_sum", NULL);
	call(g, "MatMul", "points_bias_change", "own_view", "rule_points_bias", NULL);
	call(g, "Add", "points_final", "points_all", "points_bias_change", NULL);
	add_choice(g, "points", "points_final");
	add_head(g, "draw", "draw_bias");
	add_choice(g, "draw", "draw_buckets");
	if (policy)
		add_policy(g);
}

/* ---- tensors ---- */

static struct sparsefile_tensor
matrix(const char *name, float *array, int64_t rows, int64_t columns, size_t row,
    size_t column)
{
	return (struct sparsefile_tensor){ name, { rows, columns }, array, 0, row, column,
		columns, false };
}

/* Rows of features follow each other without gaps, except those of rule_out_bias. */
static int
list_policy(const struct sparse *s, struct sparsefile_tensor *t)
{
	int64_t h = s->hidden, k = s->nrules;
	int n = 0;

	t[n++] = matrix("mix_own", s->mix, h, POLICY_WIDTH, POLICY_WIDTH, 1);
	t[n++] = matrix("mix_other", s->mix + h * POLICY_WIDTH, h, POLICY_WIDTH,
	    POLICY_WIDTH, 1);
	t[n++] = matrix("mix_bias", s->mix_bias, 1, POLICY_WIDTH, 0, 1);
	t[n++] =
	    matrix("rule_mix_bias", s->rule_mix_bias, k, POLICY_WIDTH, POLICY_WIDTH, 1);
	t[n++] = matrix("rows", s->rows, POLICY_WIDTH, POLICY_ROWS, 1, POLICY_WIDTH);
	t[n++] = matrix("row_bias", s->row_bias, 1, POLICY_ROWS, 0, 1);
	t[n++] =
	    matrix("row_left", s->row_left, k * POLICY_RANK, POLICY_ROWS, POLICY_ROWS, 1);
	t[n++] = matrix("row_right", s->row_right, POLICY_WIDTH, k * POLICY_RANK, 1,
	    POLICY_WIDTH);
	t[n++] =
	    matrix("rule_row_bias", s->rule_row_bias, k, POLICY_ROWS, POLICY_ROWS, 1);
	return n;
}

int
sparsefile_tensors(const struct sparse *s, bool atoms, bool narrow,
    struct sparsefile_tensor t[SPARSEFILE_TENSORS])
{
	int64_t h = s->hidden, k = s->nrules;
	size_t u = (size_t)h, both = 2 * u;
	float *draw = s->out + SPARSE_BUCKETS * both;
	int n = 0;

	t[n++] = matrix("in", s->in, SPARSE_ZONED, h, u, 1);
	t[n++] = matrix("more", s->in + SPARSE_ZONED * u, SPARSEFILE_MORE, h, u, 1);
	t[n++] = matrix("bias", s->bias, 1, h, u, 1);
	/* [k][inputs][rank] to [inputs][k * rank] */
	t[n++] = (struct sparsefile_tensor){ "left", { SPARSE_ZONED, k * SPARSE_RANK },
		s->left, SPARSE_ZONED * SPARSE_RANK, SPARSE_RANK, 1, SPARSE_RANK,
		narrow };
	t[n++] = matrix("right", s->right, k * SPARSE_RANK, h, u, 1);
	t[n++] = matrix("rule_bias", s->rule_bias, k, h, u, 1);
	t[n++] = matrix("points_own", s->out, h, SPARSE_BUCKETS, 1, both);
	t[n++] = matrix("points_other", s->out + u, h, SPARSE_BUCKETS, 1, both);
	t[n++] = matrix("rule_own", s->rule_out, k, h, both, 1);
	t[n++] = matrix("rule_other", s->rule_out + u, k, h, both, 1);
	t[n++] = matrix("points_bias", s->out_bias, 1, SPARSE_BUCKETS, 1, 1);
	t[n++] = matrix("rule_points_bias", s->rule_out_bias, k, SPARSE_BUCKETS,
	    sparse_stride(SPARSE_BUCKETS), 1);
	t[n++] = matrix("draw_own", draw, h, SPARSE_BUCKETS, 1, both);
	t[n++] = matrix("draw_other", draw + u, h, SPARSE_BUCKETS, 1, both);
	t[n++] =
	    matrix("draw_bias", s->out_bias + SPARSE_BUCKETS, 1, SPARSE_BUCKETS, 1, 1);
	t[n] = matrix("zone", s->zone, SPARSE_SPARE_ROWS, h, u, 1);
	t[n++].bytes = true;
	if (atoms) {
		t[n] = matrix("atoms", s->atoms, SPARSE_ATOM_ROWS, h, u, 1);
		t[n++].bytes = true;
	}
	return sparse_has_policy(s) ? n + list_policy(s, t + n) : n;
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

void
sparsefile_get_bytes(const struct sparsefile_tensor *t, int8_t *to)
{
	for (int64_t i = 0; i < t->dims[0]; i++)
		for (int64_t j = 0; j < t->dims[1]; j++)
			*to++ = (int8_t)lrintf(*element(t, i, j) * SPARSE_ONE);
}

/* ---- reading ---- */

bool
sparsefile_is(const struct onnxin *file)
{
	return onnxin_is(onnxin_metadata(file, NET_KEY_INPUT), SPARSE_INPUT_NAME);
}

bool
sparsefile_has_policy(const struct onnxin *file)
{
	return onnxin_find(file, "mix_own") != NULL;
}

static bool
has_atoms(const struct onnxin *file)
{
	return onnxin_find(file, "atoms") != NULL;
}

/* Files of earlier builds have left in floats. */
static bool
is_narrow(const struct onnxin *file)
{
	const struct onnxin_weights *left = onnxin_find(file, "left");

	return left != NULL && left->type == 3;
}

static bool
has_graph(const struct onnxin *file, const struct sparsefile_graph *g)
{
	if (file->nnodes != g->n)
		return false;
	for (int i = 0; i < g->n; i++) {
		const struct onnxin_node *n = &file->nodes[i];
		const struct sparsefile_node *ours = &g->node[i];
		if (!onnxin_is(n->type, ours->type) || n->nin != ours->nin ||
		    n->nout != 1 || n->nattributes != 0 || !onnxin_is(n->out, ours->out))
			return false;
		for (int k = 0; k < ours->nin; k++)
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

/* The unit of tensors in bytes must be the one that we write. */
static bool
has_unit(const struct onnxin *file)
{
	const struct onnxin_weights *unit = onnxin_find(file, SPARSEFILE_BYTE_UNIT);
	const float one = 1.0f / SPARSE_ONE;

	return unit != NULL && unit->type == 1 && unit->ndims == 0 &&
	    unit->size == sizeof(one) && unit->raw != NULL &&
	    memcmp(unit->raw, &one, sizeof(one)) == 0;
}

int
sparsefile_read_tensor(const struct sparsefile_tensor *t, const struct onnxin *file,
    char reason[REASON_MAX])
{
	const struct onnxin_weights *w = onnxin_find(file, t->name);
	size_t n = (size_t)(t->dims[0] * t->dims[1]);
	bool good = w != NULL && w->type == (t->bytes ? 3 : 1) && w->ndims == 2 &&
	    w->dims[0] == t->dims[0] && w->dims[1] == t->dims[1] && w->raw != NULL &&
	    w->size == n * (t->bytes ? 1 : sizeof(float));

	for (size_t i = 0; good && i < n; i++) {
		float *to = element(t, (int64_t)i / t->dims[1], (int64_t)i % t->dims[1]);
		if (t->bytes)
			*to = (float)(int8_t)w->raw[i] / SPARSE_ONE;
		else
			memcpy(to, w->raw + i * sizeof(*to), sizeof(*to));
		good = isfinite(*to);
	}
	return good ? 0 : refuse(reason, "a net with malformed weights '%s'", t->name);
}

int
sparsefile_hidden(const struct onnxin *file)
{
	const struct onnxin_weights *bias = onnxin_find(file, "bias");

	return bias == NULL || bias->ndims != 2 || bias->dims[1] < 64 ||
		bias->dims[1] > SPARSE_HIDDEN_MAX || bias->dims[1] % 64 != 0
	    ? 0
	    : (int)bias->dims[1];
}

static int
read_weights(struct sparse *s, const struct onnxin *file, char *reason)
{
	struct sparsefile_tensor t[SPARSEFILE_TENSORS];
	int n = sparsefile_tensors(s, has_atoms(file), is_narrow(file), t);

	for (int i = 0; i < n; i++)
		if (sparsefile_read_tensor(&t[i], file, reason) == -1)
			return -1;
	return 0;
}

int
sparsefile_read(struct sparse *s, const struct onnxin *file, char reason[REASON_MAX])
{
	bool policy = sparsefile_has_policy(file);
	int hidden = sparsefile_hidden(file);
	static _Thread_local struct sparsefile_graph graph; /* large */
	struct sparse named;

	sparsefile_graph(&graph, policy, has_atoms(file), is_narrow(file));
	if (!has_graph(file, &graph) || !has_unit(file))
		return refuse(reason, "a sparse net with a graph other than ours");
	struct onnxin_name list = onnxin_metadata(file, SPARSEFILE_KEY_FEATURES);
	if (sparsefile_features(&named, list.s, list.n) == -1)
		return refuse(reason,
		    "a sparse net that does not name the rule features it knows");
	/* before memory is allocated, the file must contain that much */
	const struct onnxin_weights *in = onnxin_find(file, "in");
	if (hidden == 0 || in == NULL ||
	    in->size != SPARSE_ZONED * (size_t)hidden * sizeof(float))
		return refuse(reason, "a sparse net of an unsupported size");
	if (sparse_init(s, hidden, named.nrules, policy) == -1) {
		errno = ENOMEM;
		return refuse(reason, "out of memory");
	}
	memcpy(s->rules, named.rules, sizeof(s->rules));
	if (read_weights(s, file, reason) == -1) {
		sparse_release(s);
		return -1;
	}
	return 0;
}
