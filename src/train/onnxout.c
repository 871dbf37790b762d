#include "onnxout.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/sha256.h"
#include "net/net.h"
#include "net/onnxin.h"

/* Numbers of the fields, from the format's definition. */
/* clang-format off */
enum {
	MODEL_IR_VERSION = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7,
	MODEL_OPSET = 8, MODEL_METADATA = 14,
	OPSET_VERSION = 2,
	GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_WEIGHTS = 5, GRAPH_INPUT = 11,
	GRAPH_OUTPUT = 12,
	NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_TYPE = 4,
	TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9,
	VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_TYPE_ELEMENT = 1,
	TENSOR_TYPE_SHAPE = 2, SHAPE_DIM = 1, DIM_VALUE = 1, DIM_NAME = 2,
	PAIR_KEY = 1, PAIR_VALUE = 2
};
/* clang-format on */
enum { IR_VERSION = 8, OPSET = 14 };

static void
add_number(struct text *t, int field, int64_t v)
{
	text_add_varint(t, (uint64_t)field << 3);
	text_add_varint(t, (uint64_t)v);
}

static void
add_bytes(struct text *t, int field, const void *data, size_t n)
{
	text_add_varint(t, (uint64_t)field << 3 | 2);
	text_add_varint(t, n);
	text_add(t, data, n);
}

static void
add_string(struct text *t, int field, const char *s)
{
	add_bytes(t, field, s, strlen(s));
}

/* Adds a message as a field of another and releases it. */
static void
add_message(struct text *t, int field, struct text *message)
{
	add_bytes(t, field, message->len > 0 ? message->s : "", message->len);
	text_release(message);
}

void
onnxout_tensor(struct onnxout *o, const char *name, enum onnxout_type type,
    const void *data, size_t size, const int64_t *dims, int ndims)
{
	struct text t = { 0 };

	for (int i = 0; i < ndims; i++)
		add_number(&t, TENSOR_DIMS, dims[i]);
	add_number(&t, TENSOR_TYPE, type);
	add_string(&t, TENSOR_NAME, name);
	add_bytes(&t, TENSOR_RAW, data, size);
	add_message(&o->weights, GRAPH_WEIGHTS, &t);
}

void
onnxout_weights(struct onnxout *o, const char *name, const float *data,
    const int64_t *dims, int ndims)
{
	size_t n = sizeof(*data);

	for (int i = 0; i < ndims; i++)
		n *= (size_t)dims[i];
	onnxout_tensor(o, name, ONNXOUT_FLOAT, data, n, dims, ndims);
}

static void
add_value(struct text *to, int field, const char *name, const int64_t *dims, int ndims)
{
	struct text value = { 0 }, type = { 0 }, tensor = { 0 }, shape = { 0 };

	for (int i = 0; i < ndims; i++) {
		struct text dim = { 0 };
		if (dims[i] == 0)
			add_string(&dim, DIM_NAME, "n");
		else
			add_number(&dim, DIM_VALUE, dims[i]);
		add_message(&shape, SHAPE_DIM, &dim);
	}
	add_number(&tensor, TENSOR_TYPE_ELEMENT, ONNXOUT_FLOAT);
	add_message(&tensor, TENSOR_TYPE_SHAPE, &shape);
	add_message(&type, TYPE_TENSOR, &tensor);
	add_string(&value, VALUE_NAME, name);
	add_message(&value, VALUE_TYPE, &type);
	add_message(to, field, &value);
}

void
onnxout_input(struct onnxout *o, const char *name, const int64_t *dims, int ndims)
{
	add_value(&o->inputs, GRAPH_INPUT, name, dims, ndims);
}

void
onnxout_output(struct onnxout *o, const char *name, const int64_t *dims, int ndims)
{
	add_value(&o->outputs, GRAPH_OUTPUT, name, dims, ndims);
}

void
onnxout_node(struct onnxout *o, const char *type, const char *const *in, int n,
    const char *out)
{
	struct text t = { 0 };

	for (int i = 0; i < n; i++)
		add_string(&t, NODE_INPUT, in[i]);
	add_string(&t, NODE_OUTPUT, out);
	add_string(&t, NODE_TYPE, type);
	add_message(&o->nodes, GRAPH_NODE, &t);
}

void
onnxout_metadata(struct onnxout *o, const char *key, const char *value)
{
	struct text t = { 0 };

	add_string(&t, PAIR_KEY, key);
	add_string(&t, PAIR_VALUE, value);
	add_message(&o->metadata, MODEL_METADATA, &t);
}

void
onnxout_training(struct onnxout *o, const char *rules, uint64_t steps)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, steps);
	onnxout_metadata(o, NET_KEY_RULES, rules);
	onnxout_metadata(o, NET_KEY_STEPS, number);
}

/* The SHA-256 of all that comes before it. */
static void
add_digest(struct text *t)
{
	struct onnxout last = { 0 };
	char digest[2 * SHA256_SIZE + 1];

	sha256_text(t->s, t->len, digest, 2 * SHA256_SIZE);
	onnxout_metadata(&last, ONNXIN_KEY_DIGEST, digest);
	text_add(t, last.metadata.s, last.metadata.len);
	text_release(&last.metadata);
}

void
onnxout_finish(struct onnxout *o, struct text *t)
{
	struct text graph = { 0 }, opset = { 0 };
	struct text *parts[] = { &o->nodes, &o->weights, &o->inputs, &o->outputs };

	for (int i = 0; i < 4; i++) {
		if (parts[i]->len > 0)
			text_add(&graph, parts[i]->s, parts[i]->len);
		text_release(parts[i]);
		if (i == 0)
			add_string(&graph, GRAPH_NAME, "rulelab");
	}
	add_number(t, MODEL_IR_VERSION, IR_VERSION);
	add_string(t, MODEL_PRODUCER, "rulelab");
	add_number(&opset, OPSET_VERSION, OPSET);
	add_message(t, MODEL_OPSET, &opset);
	add_message(t, MODEL_GRAPH, &graph);
	if (o->metadata.len > 0)
		text_add(t, o->metadata.s, o->metadata.len);
	text_release(&o->metadata);
	add_digest(t);
}
