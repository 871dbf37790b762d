#include "export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/encode.h"
#include "int8.h"
#include "onnxout.h"

static void
add_weights(struct onnxout *o, const char *name, const char *what,
    const float *data, const int64_t *dims, int ndims)
{
	char full[40];

	snprintf(full, sizeof(full), "%s.%s", name, what);
	onnxout_weights(o, full, data, dims, ndims);
}

/* A 3x3 convolution with its norm folded in: [9][c][k] to [k][c][3][3]. */
static void
fold(const struct export *e, int layer, float *weights, float *bias)
{
	const struct model_conv *c = &e->layout->conv[layer];
	int k = e->layout->filters;

	for (int to = 0; to < k; to++) {
		float scale = e->parameters[c->scale + (size_t)to] /
		    sqrtf(e->variance[layer * k + to] + 1e-5f);
		bias[to] = e->parameters[c->shift + (size_t)to] -
		    scale * e->mean[layer * k + to];
		for (int from = 0; from < c->from; from++)
			for (int at = 0; at < 9; at++)
				weights[(to * c->from + from) * 9 + at] = scale *
				    e->parameters[c->weights +
				    (size_t)((at * c->from + from) * k + to)];
	}
}

static void
add_conv(struct onnxout *o, const struct export *e, int layer, const char *name,
    const char *in, const char *out, float *room)
{
	int k = e->layout->filters;
	const int64_t dims[] = { k, e->layout->conv[layer].from, 3, 3 };
	float bias[TOWER_FILTERS_MAX];

	fold(e, layer, room, bias);
	add_weights(o, name, "w", room, dims, 4);
	add_weights(o, name, "b", bias, dims, 1);
	onnxout_conv(o, name, in, out, 3);
}

/* Weights [from][to] turned over to [to][from], as ONNX has them. */
static void
add_turned(struct onnxout *o, const struct export *e, const char *name,
    size_t weights, size_t bias, const int64_t *dims, int ndims, float *room)
{
	int64_t to = dims[0], from = dims[1];

	for (int64_t i = 0; i < to; i++)
		for (int64_t j = 0; j < from; j++)
			room[i * from + j] = e->parameters[weights +
			    (size_t)(j * to + i)];
	add_weights(o, name, "w", room, dims, ndims);
	add_weights(o, name, "b", e->parameters + bias, dims, 1);
}

static void
add_plain(struct onnxout *o, const struct export *e, const char *name,
    size_t weights, size_t bias, const int64_t *dims, int ndims)
{
	add_weights(o, name, "w", e->parameters + weights, dims, ndims);
	add_weights(o, name, "b", e->parameters + bias, dims, 1);
}

static void
add_block(struct onnxout *o, const struct export *e, int i, float *room)
{
	char in[32], name[32], first[32], relu[32], second[32], sum[32], out[32];

	snprintf(in, sizeof(in), "x%d", i - 1);
	snprintf(first, sizeof(first), "b%d.1", i);
	snprintf(relu, sizeof(relu), "b%d.relu1", i);
	snprintf(second, sizeof(second), "b%d.2", i);
	snprintf(sum, sizeof(sum), "b%d.sum", i);
	snprintf(out, sizeof(out), "x%d", i);
	snprintf(name, sizeof(name), "b%d.conv1", i);
	add_conv(o, e, 2 * i - 1, name, in, first, room);
	onnxout_node(o, "Relu", first, NULL, relu);
	snprintf(name, sizeof(name), "b%d.conv2", i);
	add_conv(o, e, 2 * i, name, relu, second, room);
	onnxout_node(o, "Add", second, in, sum);
	onnxout_node(o, "Relu", sum, NULL, out);
}

/* The same in 8 bits: "xI.q" to "xI.q". The sum is taken in numbers again; ONNX
 * Runtime makes one step of it. */
static int
add_int8_block(struct onnxout *o, const struct export *e, int i, float *room)
{
	char in[32], name[32], relu[32], second[32], a[32], b[32], sum[32], x[32];
	int first = 2 * i - 1, f = e->layout->filters;
	float bias[TOWER_FILTERS_MAX];

	snprintf(in, sizeof(in), "x%d.q", i - 1);
	snprintf(relu, sizeof(relu), "b%d.relu1.q", i);
	snprintf(second, sizeof(second), "b%d.2.q", i);
	snprintf(name, sizeof(name), "b%d.conv1", i);
	fold(e, first, room, bias);
	struct int8_conv c = { name, room, bias, f, f, e->highest[first - 1], 0,
	    e->highest[first] };
	if (int8_conv(o, &c, in, relu) == -1)
		return -1;
	snprintf(name, sizeof(name), "b%d.conv2", i);
	fold(e, first + 1, room, bias);
	float largest = e->largest[first + 1];
	c = (struct int8_conv){ name, room, bias, f, f, e->highest[first],
	    -largest, largest };
	if (int8_conv(o, &c, relu, second) == -1)
		return -1;
	snprintf(a, sizeof(a), "b%d.2", i);
	snprintf(b, sizeof(b), "b%d.in", i);
	snprintf(sum, sizeof(sum), "b%d.sum", i);
	snprintf(x, sizeof(x), "b%d.x", i);
	int8_dequantize(o, second, a);
	int8_dequantize(o, in, b);
	onnxout_node(o, "Add", a, b, sum);
	onnxout_node(o, "Relu", sum, NULL, x);
	snprintf(in, sizeof(in), "x%d.q", i);
	int8_quantize(o, x, in, e->highest[first + 1]);
	return 0;
}

static int
add_int8_tower(struct onnxout *o, const struct export *e, float *room)
{
	char last[32], out[32];

	int8_quantize(o, "x0", "x0.q", e->highest[0]);
	for (int i = 1; i <= e->layout->blocks; i++)
		if (add_int8_block(o, e, i, room) == -1)
			return -1;
	snprintf(last, sizeof(last), "x%d.q", e->layout->blocks);
	snprintf(out, sizeof(out), "x%d", e->layout->blocks);
	int8_dequantize(o, last, out);
	return 0;
}

static void
add_heads(struct onnxout *o, const struct export *e, float *room)
{
	const struct model_layout *l = e->layout;
	int64_t f = l->filters;
	char in[32];

	snprintf(in, sizeof(in), "x%d", l->blocks);
	add_plain(o, e, "policy", l->policy, l->policy_bias,
	    (int64_t[]){ NET_POLICY_PLANES, f, 1, 1 }, 4);
	onnxout_conv(o, "policy", in, "policy", 1);
	add_turned(o, e, "value", l->value, l->value_bias,
	    (int64_t[]){ TOWER_VALUE, f, 1, 1 }, 4, room);
	onnxout_conv(o, "value", in, "value.out", 1);
	onnxout_node(o, "Relu", "value.out", NULL, "value.relu");
	onnxout_node(o, "GlobalAveragePool", "value.relu", NULL, "value.pool");
	onnxout_flatten(o, "value.pool", "value.flat");
	add_turned(o, e, "value1", l->hidden, l->hidden_bias,
	    (int64_t[]){ TOWER_HIDDEN, TOWER_VALUE }, 2, room);
	onnxout_gemm(o, "value1", "value.flat", "value1.out");
	onnxout_node(o, "Relu", "value1.out", NULL, "value1.relu");
	add_plain(o, e, "value2", l->wdl, l->wdl_bias,
	    (int64_t[]){ 3, TOWER_HIDDEN }, 2);
	onnxout_gemm(o, "value2", "value1.relu", "wdl");
	add_plain(o, e, "left", l->left, l->left_bias,
	    (int64_t[]){ 1, TOWER_HIDDEN }, 2);
	onnxout_gemm(o, "left", "value1.relu", "moves_left");
}

int
export_onnx(const struct export *e, struct text *t)
{
	const struct model_layout *l = e->layout;
	struct onnxout o = { 0 };
	size_t widest = l->filters > NET_PLANES ? (size_t)l->filters : NET_PLANES;
	size_t most = 9 * widest * (size_t)l->filters;
	char steps[24];

	if (most < TOWER_VALUE * TOWER_HIDDEN)
		most = TOWER_VALUE * TOWER_HIDDEN;
	float *room = kernels_allocate(most);
	if (room == NULL)
		return -1;
	onnxout_input(&o, "board", (int64_t[]){ 0, NET_PLANES, 8, 8 }, 4);
	onnxout_output(&o, "policy", (int64_t[]){ 0, NET_POLICY_PLANES, 8, 8 }, 4);
	onnxout_output(&o, "wdl", (int64_t[]){ 0, 3 }, 2);
	onnxout_output(&o, "moves_left", (int64_t[]){ 0, 1 }, 2);
	add_conv(&o, e, 0, "stem", "board", "stem.out", room);
	onnxout_node(&o, "Relu", "stem.out", NULL, "x0");
	int result = 0;
	if (e->highest != NULL && l->blocks > 0)
		result = add_int8_tower(&o, e, room);
	else
		for (int i = 1; i <= l->blocks; i++)
			add_block(&o, e, i, room);
	add_heads(&o, e, room);
	snprintf(steps, sizeof(steps), "%" PRIu64, e->steps);
	onnxout_metadata(&o, "rulelab.input", ENCODE_INPUT_NAME);
	onnxout_metadata(&o, "rulelab.policy", ENCODE_POLICY_NAME);
	onnxout_metadata(&o, "rulelab.rules", e->rules);
	onnxout_metadata(&o, "rulelab.steps", steps);
	onnxout_finish(&o, t);
	free(room);
	return result;
}
