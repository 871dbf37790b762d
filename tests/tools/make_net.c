/*
 * make_net BLOCKS FILTERS SEED FILE [FAULT]: a net of the usual shape with
 * random weights, to measure and to test with. A fault makes it one that has
 * to be refused:
 *
 *	batch		its batch size is fixed
 *	board policy wdl	this input or output has another size
 *	name		an output has another name
 *	encoding	it names another encoding
 *	metadata	it has none
 *	graph		a layer has no input
 *	external	it has a tensor in another file
 *	nan inf		weights of the value head are not numbers, or infinite
 *	nan-policy	weights of the policy head are not numbers
 * or one that is odd:
 *	fields		it says that castling_from is all it knows of the rules
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "base/zio.h"
#include "net/towergraph.h"
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

static float *
random_numbers(size_t n, double scale)
{
	float *data = xmalloc(n * sizeof(*data));

	for (size_t i = 0; i < n; i++)
		data[i] = (float)(scale * (2 * rng_double(&rng) - 1));
	return data;
}

/* A node with random weights, and its fault. */
static void
make_node(struct tower_node *n)
{
	bool last = n->is_head && n->layer == TOWER_WDL;
	int inputs = n->from * (n->kernel > 0 ? n->kernel * n->kernel : 1);

	if (has("graph") && n->layer == 0 && !n->is_head && n->kernel > 0)
		snprintf(n->in, sizeof(n->in), "nowhere");
	if (has("name") && strcmp(n->out, NET_NAME_POLICY) == 0)
		snprintf(n->out, sizeof(n->out), "moves");
	n->from -= has("board") && n->layer == 0 && !n->is_head;
	n->to -= (has("policy") && n->is_head && n->layer == TOWER_POLICY) ||
	    (has("wdl") && last);
	if (n->name[0] != '\0') {
		float *w = random_numbers((size_t)(n->to * inputs), sqrt(3.0 / inputs));
		float *b = random_numbers((size_t)n->to, 0.1 * spoil(n->name));
		onnxout_tower_weights(&out, n, w, b);
		free(w);
		free(b);
	}
	onnxout_tower_node(&out, n);
}

static void
make_tower(int blocks, int filters)
{
	struct tower_node nodes[TOWER_NODES_MAX];
	int n = tower_nodes(nodes, blocks, filters);

	/* all but the plies left */
	for (int i = 0; i < n - 1; i++)
		make_node(&nodes[i]);
}

int
main(int argc, char *argv[])
{
	struct text t = { 0 };
	int64_t blocks, filters;
	uint64_t seed;

	if (argc < 5 || argc > 6 || !number_read(argv[1], 0, TOWER_BLOCKS_MAX, &blocks) ||
	    !number_read(argv[2], 1, 1024, &filters) ||
	    !number_read_u64(argv[3], &seed)) {
		fprintf(stderr, "usage: make_net blocks filters seed file [fault]\n");
		return 2;
	}
	fault = argc > 5 ? argv[5] : "";
	const int64_t board[] = { has("batch"), NET_PLANES - has("board"), 8, 8 };
	const int64_t policy[] = { has("batch"), NET_POLICY_PLANES - has("policy"), 8,
		8 };
	const int64_t wdl[] = { has("batch"), 3 - has("wdl") };
	rng_init(&rng, seed, 0);
	make_tower((int)blocks, (int)filters);
	onnxout_input(&out, NET_NAME_BOARD, board, 4);
	onnxout_output(&out, has("name") ? "moves" : NET_NAME_POLICY, policy, 4);
	onnxout_output(&out, NET_NAME_WDL, wdl, 2);
	if (!has("metadata")) {
		onnxout_metadata(&out, NET_KEY_INPUT,
		    has("encoding") ? "another-1" : ENCODE_INPUT_NAME);
		onnxout_metadata(&out, NET_KEY_POLICY, ENCODE_POLICY_NAME);
		if (has("fields"))
			onnxout_metadata(&out, NET_KEY_FIELDS, "castling_from");
		onnxout_metadata(&out, NET_KEY_RULES, "none: random weights");
		onnxout_metadata(&out, NET_KEY_STEPS, "0");
	}
	onnxout_finish(&out, &t);
	/* A second graph is added to the first: a tensor "e" at "other". */
	if (has("external"))
		text_add(&t,
		    "\x3a\x1e\x2a\x1c\x08\x01\x10\x01\x42\x01"
		    "e\x6a\x11\x0a\x08"
		    "location\x12\x05"
		    "other\x70\x01",
		    32);
	struct zout *z = zout_open(argv[4], false);
	if (z == NULL || zout_write(z, t.s, t.len) == -1 || zout_close(z) == -1)
		err(1, "%s", argv[4]);
	text_release(&t);
	return 0;
}
