#include "export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "int8.h"
#include "net/encode.h"
#include "net/towergraph.h"
#include "onnxout.h"

/* A 3x3 convolution with its norm folded in: [9][c][k] to [k][c][3][3]. */
static void
fold(const struct export *e, int layer, float *weights, float *bias)
{
	const struct model_conv *c = &e->layout->conv[layer];
	int k = e->layout->filters;

	for (int to = 0; to < k; to++) {
		float scale = e->parameters[c->scale + (size_t)to] /
		    sqrtf(e->variance[layer * k + to] + MODEL_NORM_EPSILON);
		bias[to] = e->parameters[c->shift + (size_t)to] -
		    scale * e->mean[layer * k + to];
		for (int from = 0; from < c->from; from++)
			for (int at = 0; at < 9; at++)
				weights[(to * c->from + from) * 9 + at] = scale *
				    e->parameters[c->weights +
					(size_t)((at * c->from + from) * k + to)];
	}
}

/* Weights of a head [to][from], as ONNX has them, and its biases. */
static void
add_head(struct onnxout *o, const struct export *e, const struct tower_node *n,
    float *room)
{
	const struct model_layout *l = e->layout;
	const struct {
		size_t weights, bias;
	} begin[] = {
		[TOWER_POLICY] = { l->policy, l->policy_bias },
		[TOWER_PLANES] = { l->value, l->value_bias },
		[TOWER_FIRST] = { l->hidden, l->hidden_bias },
		[TOWER_WDL] = { l->wdl, l->wdl_bias },
		[TOWER_LEFT] = { l->left, l->left_bias },
	};
	const float *w = e->parameters + begin[n->layer].weights;
	bool transposed = tower_heads[n->layer].transposed;

	for (int i = 0; transposed && i < n->to; i++)
		for (int j = 0; j < n->from; j++)
			room[i * n->from + j] = w[j * n->to + i];
	onnxout_tower_weights(o, n, transposed ? room : w,
	    e->parameters + begin[n->layer].bias);
}

static void
add_node(struct onnxout *o, const struct export *e, const struct tower_node *n,
    float *room)
{
	float bias[TOWER_FILTERS_MAX];

	if (n->name[0] != '\0' && n->is_head) {
		add_head(o, e, n, room);
	} else if (n->name[0] != '\0') {
		fold(e, n->layer, room, bias);
		onnxout_tower_weights(o, n, room, bias);
	}
	onnxout_tower_node(o, n);
}

/* The same in 8 bits: "xI.q" to "xI.q". The sum is computed in floats; ONNX
 * Runtime fuses these nodes. */
static int
add_int8_block(struct onnxout *o, const struct export *e, int i,
    const struct tower_node *nodes, float *room)
{
	char in[32], relu[32], second[32], a[32], b[32], sum[32], x[32];
	int first = 2 * i - 1, f = e->layout->filters;
	float bias[TOWER_FILTERS_MAX];

	snprintf(in, sizeof(in), "x%d.q", i - 1);
	snprintf(relu, sizeof(relu), "b%d.relu1.q", i);
	snprintf(second, sizeof(second), "b%d.2.q", i);
	fold(e, first, room, bias);
	struct int8_conv c = { nodes[0].name, room, bias, f, f, e->highest[first - 1], 0,
		e->highest[first] };
	if (int8_conv(o, &c, in, relu) == -1)
		return -1;
	fold(e, first + 1, room, bias);
	float largest = e->largest[first + 1];
	c = (struct int8_conv){ nodes[2].name, room, bias, f, f, e->highest[first],
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
add_int8_tower(struct onnxout *o, const struct export *e, const struct tower_node *nodes,
    float *room)
{
	char last[32], out[32];

	int8_quantize(o, "x0", "x0.q", e->highest[0]);
	for (int i = 1; i <= e->layout->blocks; i++)
		if (add_int8_block(o, e, i, nodes + TOWER_BLOCK_NODES * (i - 1), room) ==
		    -1)
			return -1;
	snprintf(last, sizeof(last), "x%d.q", e->layout->blocks);
	snprintf(out, sizeof(out), "x%d", e->layout->blocks);
	int8_dequantize(o, last, out);
	return 0;
}

int
export_onnx(const struct export *e, struct text *t)
{
	const struct model_layout *l = e->layout;
	struct onnxout o = { 0 };
	size_t most = 9 * (size_t)l->widest * (size_t)l->filters;
	struct tower_node nodes[TOWER_NODES_MAX];

	if (most < TOWER_VALUE * TOWER_HIDDEN)
		most = TOWER_VALUE * TOWER_HIDDEN;
	float *room = kernels_allocate(most);
	if (room == NULL)
		return -1;
	onnxout_input(&o, NET_NAME_BOARD, (int64_t[]){ 0, NET_PLANES, 8, 8 }, 4);
	onnxout_output(&o, NET_NAME_POLICY, (int64_t[]){ 0, NET_POLICY_PLANES, 8, 8 }, 4);
	onnxout_output(&o, NET_NAME_WDL, (int64_t[]){ 0, 3 }, 2);
	onnxout_output(&o, NET_NAME_LEFT, (int64_t[]){ 0, 1 }, 2);
	int result = 0, n = tower_nodes(nodes, l->blocks, l->filters);
	int blocks_end = TOWER_STEM_NODES + TOWER_BLOCK_NODES * l->blocks;
	bool int8 = e->highest != NULL && l->blocks > 0;
	for (int i = 0; i < n; i++) {
		if (int8 && i == TOWER_STEM_NODES) {
			result = add_int8_tower(&o, e, nodes + i, room);
			i = blocks_end;
		}
		add_node(&o, e, &nodes[i], room);
	}
	onnxout_metadata(&o, NET_KEY_FIELDS, ENCODE_INPUT_FIELDS);
	onnxout_metadata(&o, NET_KEY_INPUT, ENCODE_INPUT_NAME);
	onnxout_metadata(&o, NET_KEY_POLICY, ENCODE_POLICY_NAME);
	onnxout_training(&o, e->rules, e->steps);
	onnxout_finish(&o, t);
	free(room);
	return result;
}
