/*
 * Nets of our own shape: our kernels against ONNX Runtime, and against what
 * the trainer itself computes; and files that are nearly of our shape.
 */
#include <math.h>

#include "base/rng.h"
#include "common.h"
#include "net/encode.h"
#include "net/net.h"
#include "net/onnxin.h"
#include "positions.h"
#include "tap.h"
#include "train/export.h"

enum { BATCH = 96 };
#define BOUND 1e-4

static struct rng rng;
static struct threadpool pool;

/* ---- positions and what is said of them ---- */

static struct rules rules[10];
static struct board boards[BATCH];
static move moves[BATCH][MOVES_MAX];
static int nmoves[BATCH];

struct answer {
	float priors[MOVES_MAX], wdl[3];
};

/* Positions of random games under all presets. */
static void
choose_positions(void)
{
	static const char *const presets[10] = { "classical", "no-castling",
		"no-castling-10", "pawn-one-square", "stalemate-win", "torpedo",
		"semi-torpedo", "pawn-back", "pawn-sideways", "self-capture" };

	for (int i = 0; i < BATCH; i++) {
		struct rules *r = &rules[i % 10];
		struct board *b = &boards[i];
		struct undo u;
		rules_of(r, presets[i % 10]);
		board_of(b, r, positions[rng_below(&rng, POSITIONS)]);
		for (uint32_t ply = rng_below(&rng, 30); ply > 0; ply--) {
			move list[MOVES_MAX];
			int n = movegen_list(b, list);
			if (n > 0)
				board_make(b, list[rng_below(&rng, (uint32_t)n)], &u);
		}
		nmoves[i] = movegen_list(b, moves[i]);
	}
}

static bool
evaluate(struct net *net, struct answer *answers, int first, int n)
{
	struct net_query q[BATCH];
	char reason[NET_REASON_MAX];

	for (int i = 0; i < n; i++)
		q[i] = (struct net_query){ .board = &boards[first + i],
			.repetitions = 1 + (first + i) % 3,
			.moves = moves[first + i],
			.nmoves = nmoves[first + i],
			.priors = answers[i].priors };
	if (net_evaluate(net, q, n, reason) == -1)
		return false;
	for (int i = 0; i < n; i++)
		memcpy(answers[i].wdl, q[i].wdl, sizeof(q[i].wdl));
	return true;
}

/* The largest difference between two sets of answers. */
static double
difference(const struct answer *a, const struct answer *b)
{
	double worst = 0;

	for (int i = 0; i < BATCH; i++) {
		for (int j = 0; j < nmoves[i]; j++)
			worst = fmax(worst,
			    fabs((double)a[i].priors[j] - (double)b[i].priors[j]));
		for (int j = 0; j < 3; j++)
			worst =
			    fmax(worst, fabs((double)a[i].wdl[j] - (double)b[i].wdl[j]));
	}
	return worst;
}

/* How much answers differ from position to position: were it nothing, nothing
 * would be tested. */
static double
variety(const struct answer *a)
{
	double low = 1, high = 0;

	for (int i = 0; i < BATCH; i++) {
		low = fmin(low, (double)a[i].wdl[0]);
		high = fmax(high, (double)a[i].wdl[0]);
		for (int j = 0; j < nmoves[i]; j++)
			high = fmax(high, (double)a[i].priors[j]);
	}
	return high - low;
}

/* ---- nets ---- */

/* A model with random parameters, none of them at rest, and what it says of
 * all positions. Its statistics are then those of just this batch. */
static void
make_model(struct model *m, float **parameters, int blocks, int filters,
    struct answer *says)
{
	static uint16_t places[BATCH][MOVES_MAX];
	static float probs[BATCH][MOVES_MAX];
	struct model_target targets[BATCH];

	if (model_init(m, blocks, filters, BATCH, &pool) == -1)
		bail_out("model", "", "no memory");
	float *p = *parameters = kernels_allocate(m->layout.parameters);
	model_random(&m->layout, p, (uint64_t)filters);
	for (size_t i = 0; i < m->layout.parameters; i++)
		p[i] += 0.2f * (float)(rng_double(&rng) - 0.5);
	for (size_t i = 0; i < 3 * TOWER_HIDDEN; i++)
		p[m->layout.wdl + i] *= 5;
	for (int i = 0; i < BATCH; i++) {
		encode_squares(&boards[i], 1 + i % 3, model_input(m, i));
		for (int j = 0; j < nmoves[i]; j++) {
			places[i][j] = (uint16_t)encode_move(boards[i].side, moves[i][j]);
			probs[i][j] = 1 / (float)nmoves[i];
		}
		targets[i] = (struct model_target){ places[i], probs[i], nmoves[i],
			{ 0.5f, 0.25f, 0.25f }, 0.3f };
	}
	model_measure(m, p, targets, BATCH);
	for (int i = 0; i < BATCH; i++) {
		float left;
		model_output(m, i, places[i], nmoves[i], says[i].priors, says[i].wdl,
		    &left);
	}
}

static void export(const struct model *m, const float *parameters, struct text *file)
{
	struct export e = { .layout = &m->layout,
		.parameters = parameters,
		.mean = m->mean,
		.variance = m->variance,
		.rules = "\"classical\"",
		.steps = 1234 };

	if (export_onnx(&e, file) == -1)
		bail_out("export", "", "no memory");
}

/* NULL when ONNX Runtime is not there. */
static struct net *
open_onnx(const struct text *file, char *reason)
{
	const struct net_options o = { .provider = "cpu" };

	return net_open_onnx(file->s, file->len, &o, reason);
}

static void
check_net(int blocks, int filters)
{
	static struct answer says[BATCH], native[BATCH], onnx[BATCH];
	struct model m;
	struct text file = { 0 };
	float *parameters;
	char reason[NET_REASON_MAX] = "";
	bool foreign;

	make_model(&m, &parameters, blocks, filters, says);
	export(&m, parameters, &file);
	struct net *net = net_open_native(file.s, file.len, &foreign, reason);
	ok(net != NULL && net->steps == 1234 && strcmp(net->rules, "\"classical\"") == 0,
	    "%dx%d: an exported net is of our shape, and tells what it is", blocks,
	    filters);
	if (net == NULL)
		return;
	ok(evaluate(net, native, 0, BATCH) && variety(says) > 0.2,
	    "... its answers differ by %.2f", variety(says));
	ok(difference(native, says) < BOUND, "... they are the trainer's, to %.1e",
	    difference(native, says));
	struct net *other = open_onnx(&file, reason);
	if (other == NULL) {
		printf("ok %d # SKIP ONNX Runtime's answers: %s\n", ++tap_count, reason);
	} else {
		bool done = true;
		for (int i = 0; i < BATCH; i += 32)
			done = done && evaluate(other, onnx + i, i, 32);
		ok(done && difference(onnx, says) < BOUND,
		    "... ONNX Runtime's are the trainer's, to %.1e",
		    difference(onnx, says));
		ok(done && difference(onnx, native) < BOUND,
		    "... and the kernels', to %.1e", difference(onnx, native));
	}
	/* The same bits whatever is asked beside it. */
	int differ = 0;
	for (int n = 1; n < 12; n++) {
		static struct answer some[BATCH];
		evaluate(net, some, n, n);
		for (int i = 0; i < n; i++)
			differ += memcmp(some[i].wdl, native[n + i].wdl,
				      sizeof(some[i].wdl)) != 0 ||
			    memcmp(some[i].priors, native[n + i].priors,
				(size_t)nmoves[n + i] * sizeof(float)) != 0;
	}
	ok(differ == 0, "... the same bits in batches of 1 to 11");
	net_close(net);
	net_close(other);
	text_release(&file);
	free(parameters);
	model_release(&m);
}

/* The third output is nobody's yet but the file's: its weights are there. */
static void
check_left(void)
{
	static struct answer says[BATCH];
	struct model m;
	struct text file = { 0 };
	struct onnxin in;
	float *parameters;

	make_model(&m, &parameters, 1, 16, says);
	export(&m, parameters, &file);
	int result = onnxin_read(&in, file.s, file.len);
	const struct onnxin_weights *w = onnxin_find(&in, "left.w");
	const struct onnxin_weights *b = onnxin_find(&in, "left.b");
	ok(result == 0 && w != NULL && b != NULL &&
		w->size == TOWER_HIDDEN * sizeof(float) &&
		memcmp(w->raw, parameters + m.layout.left, w->size) == 0 &&
		memcmp(b->raw, parameters + m.layout.left_bias, sizeof(float)) == 0,
	    "the weights of the plies left are in the file");
	onnxin_release(&in);
	text_release(&file);
	free(parameters);
	model_release(&m);
}

/* ---- files that are not whole, or not ours ---- */

/* Every cut of a net, by way of memory that ends just there. */
static void
check_cuts(void)
{
	static struct answer says[BATCH];
	struct model m;
	struct text file = { 0 };
	float *parameters;
	char reason[NET_REASON_MAX];
	bool foreign;
	int taken = 0, tried = 0;

	make_model(&m, &parameters, 0, 16, says);
	export(&m, parameters, &file);
	for (size_t n = 0; n < file.len;
	     n += n < 600 || n + 2500 > file.len ? 1 : 997, tried++) {
		char *cut = malloc(n + 1);
		memcpy(cut, file.s, n);
		struct net *net = net_open_native(cut, n, &foreign, reason);
		taken += net != NULL;
		net_close(net);
		free(cut);
	}
	/* Only those without the last of the metadata, which need not be told:
	 * rules and steps. */
	ok(taken == 2, "of %d nets that were cut short %d are taken", tried, taken);
	text_release(&file);
	free(parameters);
	model_release(&m);
}

/* Replaces the first occurrence of a name by one of the same length. */
static bool
rename_in(struct text *t, const char *from, const char *to)
{
	size_t n = strlen(from);
	char *at = memmem(t->s, t->len, from, n);

	if (at == NULL || strlen(to) != n)
		return false;
	memcpy(at, to, n);
	return true;
}

static void
check_others(void)
{
	static const char *const renamed[][2] = { { "Relu", "Tanh" },
		{ "stem.w", "stam.w" }, { "b1.relu1", "b1.relu2" },
		{ "policy", "Policy" }, { "GlobalAverage", "GlobalMaximum" },
		{ "value1.out", "value2.out" }, { "transB", "transA" },
		{ "pads", "pods" }, { "board", "bored" } };
	static struct answer says[BATCH];
	struct model m;
	float *parameters;
	char reason[NET_REASON_MAX];
	bool foreign;

	make_model(&m, &parameters, 1, 16, says);
	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++) {
		struct text file = { 0 };
		export(&m, parameters, &file);
		bool found = rename_in(&file, renamed[i][0], renamed[i][1]);
		struct net *net = net_open_native(file.s, file.len, &foreign, reason);
		ok(found && net == NULL && foreign, "not of our shape: %s for %s",
		    renamed[i][1], renamed[i][0]);
		net_close(net);
		text_release(&file);
	}
	struct text file = { 0 };
	export(&m, parameters, &file);
	bool found = rename_in(&file, "rulelab-32x8x8-1", "rulelab-32x8x8-9");
	struct net *net = net_open_native(file.s, file.len, &foreign, reason);
	ok(found && net == NULL && !foreign && strstr(reason, "encoding") != NULL,
	    "of our shape, but of another encoding: %s", reason);
	net_close(net);
	text_release(&file);
	free(parameters);
	model_release(&m);
}

/* A field of a message: a number, and bytes. */
static void
wrap(struct text *t, int field)
{
	struct text whole = { 0 };

	text_add_char(&whole, (char)((field << 3 & 127) | 2 | (field > 15) << 7));
	if (field > 15)
		text_add_char(&whole, (char)(field >> 4));
	text_add_char(&whole, (char)t->len);
	text_add(&whole, t->s, t->len);
	text_release(t);
	*t = whole;
}

/* Data in other files, wherever a tensor can be: the fields from the file down
 * to it, innermost first. */
static void
check_external(void)
{
	static const int paths[][7] = { { 5, 7 }, { 5, 5, 1, 7 }, { 10, 5, 1, 7 },
		{ 1, 15, 7 }, { 2, 15, 7 }, { 1, 22, 5, 1, 7 }, { 2, 23, 5, 1, 7 },
		{ 5, 6, 5, 1, 7 }, { 5, 11, 5, 1, 7 }, { 5, 1, 20 }, { 5, 2, 20 },
		{ 5, 5, 7, 25 }, { 5, 11, 25 } };
	struct text t = { 0 };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		text_clear(&t);
		text_add(&t, "\x70\x01", 2); /* data_location: external */
		for (int j = 0; paths[i][j] != 0; j++)
			wrap(&t, paths[i][j]);
		ok(onnxin_check(t.s, t.len) == ONNXIN_EXTERNAL,
		    "data elsewhere, found in field %d of a field %d of …", paths[i][0],
		    paths[i][1]);
	}
	text_clear(&t);
	text_add(&t, "\x6a\x00", 2); /* external_data alone */
	wrap(&t, 5);
	wrap(&t, 7);
	ok(onnxin_check(t.s, t.len) == ONNXIN_EXTERNAL, "its place alone");
	text_clear(&t);
	text_add(&t, "\x70\x00", 2); /* here */
	wrap(&t, 5);
	wrap(&t, 7);
	ok(onnxin_check(t.s, t.len) == ONNXIN_WHOLE, "data in the file");
	ok(onnxin_check(t.s, t.len - 1) == ONNXIN_BROKEN, "a file that is cut");
	text_release(&t);
}

/* Thousands of empty nodes: refused before they take memory. */
static void
check_many(void)
{
	struct text graph = { 0 }, file = { 0 };
	struct onnxin in;

	for (int i = 0; i < 100000; i++)
		text_add(&graph, "\x0a\x00", 2);
	text_add(&file, "\x3a\xc0\x9a\x0c", 4); /* field 7, 200,000 bytes */
	text_add(&file, graph.s, graph.len);
	ok(onnxin_read(&in, file.s, file.len) == -1 && in.nnodes <= ONNXIN_MOST,
	    "a file of 100,000 nodes is not read to its end");
	onnxin_release(&in);
	text_release(&graph);
	text_release(&file);
}

int
main(void)
{
	rng_init(&rng, 31, 0);
	if (threadpool_init(&pool, 2) == -1)
		bail_out("pool", "", "no threads");
	choose_positions();
	check_net(0, 16);
	check_net(1, 48);
	check_net(3, 32);
	if (!SANITIZED)
		check_net(6, 64);
	check_left();
	check_cuts();
	check_others();
	check_many();
	check_external();
	threadpool_release(&pool);
	return tap_end();
}
