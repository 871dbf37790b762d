/*
 * make_net BLOCKS FILTERS SEED FILE [FAULT]: a net of the usual shape with
 * random weights, to measure and to test with. A fault makes it one that has
 * to be refused:
 *
 *	batch		its batch size is fixed
 *	board policy wdl	this input or output has another size
 *	name		an output has another name
 *	encoding	it tells another encoding
 *	metadata	it tells none
 *	graph		a layer has no input
 *	nan inf		weights of the value head are not numbers, or infinite
 *	nan-policy	weights of the policy head are not numbers
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/zio.h"
#include "net/encode.h"
#include "train/onnxout.h"

static struct onnxout out;
static struct rng rng;
static const char *fault = "";

static bool
has(const char *name)
{
	return strcmp(fault, name) == 0;
}

/* What weights of a head are multiplied by. */
static double
spoil(const char *name)
{
	if ((has("nan") && strcmp(name, "value2") == 0) ||
	    (has("nan-policy") && strcmp(name, "policy") == 0))
		return NAN;
	return has("inf") && strcmp(name, "value2") == 0 ? INFINITY : 1;
}

static void
random_weights(const char *name, const char *what, const int64_t *dims,
    int ndims, double scale)
{
	size_t n = 1;
	char full[80];

	for (int i = 0; i < ndims; i++)
		n *= (size_t)dims[i];
	float *data = malloc(n * sizeof(*data));
	if (data == NULL)
		err(1, NULL);
	for (size_t i = 0; i < n; i++)
		data[i] = (float)(scale * (2 * rng_double(&rng) - 1));
	snprintf(full, sizeof(full), "%s.%s", name, what);
	onnxout_weights(&out, full, data, dims, ndims);
	free(data);
}

static void
conv(const char *name, const char *in, const char *result, int from, int to,
    int kernel)
{
	int64_t dims[] = { to, from, kernel, kernel };

	random_weights(name, "w", dims, 4,
	    sqrt(3.0 / (from * kernel * kernel)));
	random_weights(name, "b", dims, 1, 0.1 * spoil(name));
	onnxout_conv(&out, name, in, result, kernel);
}

static void
gemm(const char *name, const char *in, const char *result, int from, int to)
{
	int64_t dims[] = { to, from };

	random_weights(name, "w", dims, 2, sqrt(3.0 / from));
	random_weights(name, "b", dims, 1, 0.1 * spoil(name));
	onnxout_gemm(&out, name, in, result);
}

static void
make_tower(int blocks, int filters)
{
	char x[32] = "x0", a[32], b[32], c[32], d[32], next[32];

	conv("stem", has("graph") ? "nowhere" : "board", "stem.out",
	    NET_PLANES - has("board"), filters, 3);
	onnxout_node(&out, "Relu", "stem.out", NULL, x);
	for (int i = 1; i <= blocks; i++) {
		snprintf(a, sizeof(a), "b%d.conv1", i);
		snprintf(b, sizeof(b), "b%d.1", i);
		snprintf(c, sizeof(c), "b%d.relu1", i);
		conv(a, x, b, filters, filters, 3);
		onnxout_node(&out, "Relu", b, NULL, c);
		snprintf(a, sizeof(a), "b%d.conv2", i);
		snprintf(b, sizeof(b), "b%d.2", i);
		conv(a, c, b, filters, filters, 3);
		snprintf(d, sizeof(d), "b%d.sum", i);
		onnxout_node(&out, "Add", b, x, d);
		snprintf(next, sizeof(next), "x%d", i);
		onnxout_node(&out, "Relu", d, NULL, next);
		snprintf(x, sizeof(x), "%s", next);
	}
	conv("policy", x, has("name") ? "moves" : "policy", filters,
	    NET_POLICY_PLANES - has("policy"), 1);
	conv("value", x, "value.out", filters, 32, 1);
	onnxout_node(&out, "Relu", "value.out", NULL, "value.relu");
	onnxout_node(&out, "GlobalAveragePool", "value.relu", NULL, "value.pool");
	onnxout_flatten(&out, "value.pool", "value.flat");
	gemm("value1", "value.flat", "value1.out", 32, 64);
	onnxout_node(&out, "Relu", "value1.out", NULL, "value1.relu");
	gemm("value2", "value1.relu", "wdl", 64, 3 - has("wdl"));
}

int
main(int argc, char *argv[])
{
	struct text t = { 0 };
	int64_t blocks, filters;
	uint64_t seed;

	if (argc < 5 || argc > 6 || !number_read(argv[1], 0, 100, &blocks) ||
	    !number_read(argv[2], 1, 1024, &filters) ||
	    !number_read_u64(argv[3], &seed)) {
		fprintf(stderr, "usage: make_net blocks filters seed file "
		    "[fault]\n");
		return 2;
	}
	fault = argc > 5 ? argv[5] : "";
	const int64_t board[] = { has("batch"), NET_PLANES - has("board"), 8, 8 };
	const int64_t policy[] = { has("batch"),
	    NET_POLICY_PLANES - has("policy"), 8, 8 };
	const int64_t wdl[] = { has("batch"), 3 - has("wdl") };
	rng_init(&rng, seed, 0);
	make_tower((int)blocks, (int)filters);
	onnxout_input(&out, "board", board, 4);
	onnxout_output(&out, has("name") ? "moves" : "policy", policy, 4);
	onnxout_output(&out, "wdl", wdl, 2);
	if (!has("metadata")) {
		onnxout_metadata(&out, "rulelab.input", has("encoding") ?
		    "another-1" : ENCODE_INPUT_NAME);
		onnxout_metadata(&out, "rulelab.policy", ENCODE_POLICY_NAME);
		onnxout_metadata(&out, "rulelab.rules", "none: random weights");
		onnxout_metadata(&out, "rulelab.steps", "0");
	}
	onnxout_finish(&out, &t);
	struct zout *z = zout_open(argv[4], false);
	if (z == NULL || zout_write(z, t.s, t.len) == -1 || zout_close(z) == -1)
		err(1, "%s", argv[4]);
	text_release(&t);
	return 0;
}
