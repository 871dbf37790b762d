#include "int8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/tower.h"

/* Seven bits and not eight for weights: where processors add products of
 * neighbours in 16 bits, more would overflow. */
enum { WEIGHT_MOST = 63, NAME_MAX_ = 48 };

static void
name_part(char to[NAME_MAX_], const char *name, const char *part)
{
	snprintf(to, NAME_MAX_, "%s.%s", name, part);
}

/* The scale of values lowest..highest in 0..255, as NAME.s and NAME.z. */
static void
add_scale(struct onnxout *o, const char *name, float lowest, float highest)
{
	float range = highest - lowest > 1e-6f ? highest - lowest : 1e-6f;
	float scale = range / 255;
	uint8_t zero = (uint8_t)lrintf(-lowest / scale);
	char full[NAME_MAX_];

	name_part(full, name, "s");
	onnxout_tensor(o, full, ONNXOUT_FLOAT, &scale, sizeof(scale), NULL, 0);
	name_part(full, name, "z");
	onnxout_tensor(o, full, ONNXOUT_UINT8, &zero, sizeof(zero), NULL, 0);
}

/* Weights, their scales, and biases in units of both scales. */
static int
add_weights(struct onnxout *o, const struct int8_conv *c)
{
	int each = c->from * 9;
	float in_scale = (c->in_highest > 1e-6f ? c->in_highest : 1e-6f) / 255;
	const int64_t dims[] = { c->to, c->from, 3, 3 };
	size_t to = (size_t)c->to;
	float scales[TOWER_FILTERS_MAX];
	int32_t biases[TOWER_FILTERS_MAX];
	static const int8_t zeros[TOWER_FILTERS_MAX];
	int8_t *weights = malloc(to * (size_t)each);
	char full[NAME_MAX_];

	if (weights == NULL)
		return -1;
	for (int i = 0; i < c->to; i++) {
		const float *w = c->weights + i * each;
		float most = 1e-8f;
		for (int j = 0; j < each; j++)
			most = fabsf(w[j]) > most ? fabsf(w[j]) : most;
		scales[i] = most / WEIGHT_MOST;
		for (int j = 0; j < each; j++)
			weights[i * each + j] = (int8_t)lrintf(w[j] / scales[i]);
		biases[i] = (int32_t)lrintf(c->bias[i] / (scales[i] * in_scale));
	}
	name_part(full, c->name, "w");
	onnxout_tensor(o, full, ONNXOUT_INT8, weights, to * (size_t)each, dims, 4);
	name_part(full, c->name, "w.s");
	onnxout_tensor(o, full, ONNXOUT_FLOAT, scales, to * sizeof(*scales), dims, 1);
	name_part(full, c->name, "w.z");
	onnxout_tensor(o, full, ONNXOUT_INT8, zeros, to, dims, 1);
	name_part(full, c->name, "b");
	onnxout_tensor(o, full, ONNXOUT_INT32, biases, to * sizeof(*biases), dims, 1);
	free(weights);
	return 0;
}

int
int8_conv(struct onnxout *o, const struct int8_conv *c, const char *in, const char *out)
{
	const char *const parts[][2] = { { in, "s" }, { in, "z" }, { c->name, "w" },
		{ c->name, "w.s" }, { c->name, "w.z" }, { out, "s" }, { out, "z" },
		{ c->name, "b" } };
	enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
	char names[PARTS][NAME_MAX_];
	const char *inputs[1 + PARTS] = { in };

	if (add_weights(o, c) == -1)
		return -1;
	add_scale(o, out, c->out_lowest, c->out_highest);
	for (int i = 0; i < PARTS; i++) {
		name_part(names[i], parts[i][0], parts[i][1]);
		inputs[1 + i] = names[i];
	}
	onnxout_call(o, "QLinearConv", inputs, 1 + PARTS, out, 3);
	return 0;
}

static void
convert(struct onnxout *o, const char *type, const char *in, const char *scaled,
    const char *out)
{
	char s[NAME_MAX_], z[NAME_MAX_];

	name_part(s, scaled, "s");
	name_part(z, scaled, "z");
	onnxout_call(o, type, (const char *const[]){ in, s, z }, 3, out, 0);
}

void
int8_quantize(struct onnxout *o, const char *in, const char *out, float highest)
{
	add_scale(o, out, 0, highest);
	convert(o, "QuantizeLinear", in, out, out);
}

void
int8_dequantize(struct onnxout *o, const char *in, const char *out)
{
	convert(o, "DequantizeLinear", in, in, out);
}
