/*
 * Nets in ONNX files, by ONNX Runtime's C API. The library is loaded when a
 * net is opened and not before, so that programs without nets do not need it,
 * and a user's own build (for a GPU, say) can replace it by ORT_HOME.
 */
#include "net.h"

#include <stdio.h>

#if __has_include(<onnxruntime_c_api.h>)
#include <dlfcn.h>
#include <math.h>
#include <onnxruntime_c_api.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "encode.h"
#include "policy.h"
#include "sparsefile.h"

/* Larger batches gain nothing on a CPU. */
enum { BATCH_MAX = 256, API_VERSION = 21 };

struct onnx {
	struct net net; /* first, so that pointers can be cast */
	const OrtApi *api;
	OrtEnv *env;
	OrtSession *session;
	OrtMemoryInfo *memory;
	float *input, *policy, *wdl; /* of a tower */
	struct sparse_batch *sparse; /* of a sparse net, else NULL */
};

/* Inputs and outputs of the graph of a sparse net, and the rule features that it
 * names; `features` has these names only and no weights. */
struct sparse_batch {
	struct sparse features;
	bool atoms;
	/* [own, other]: inputs of each side */
	float chess[2][BATCH_MAX * SPARSE_ZONED];
	float more[2][BATCH_MAX * SPARSEFILE_MORE];
	float zone[2][BATCH_MAX * SPARSE_SPARE_ROWS];
	float atom[2][BATCH_MAX * SPARSE_ATOM_ROWS];
	float view[2][BATCH_MAX * SPARSE_RULES_MAX];
	float bucket[BATCH_MAX * SPARSE_BUCKETS];
	float points[BATCH_MAX], draw[BATCH_MAX];
	float *policy; /* [BATCH_MAX][POLICY_ROWS]; NULL: it has none */
};

/* Numbers that go in or come out under a name. */
struct tensor {
	const char *name;
	float *data;
	int64_t dims[4];
	size_t ndims;
};

enum { TENSORS_MAX = 14 };

/* ---- the library ---- */

/* Where the library may be, in order: the user's, ours, the system's. */
static void *
load_library(char *reason)
{
	const char ours[] = "onnxruntime/lib/libonnxruntime.so.1";
	char path[HOME_PATH_MAX];
	const char *home = getenv("ORT_HOME");
	void *library = NULL;

	if (home != NULL) {
		snprintf(path, sizeof(path), "%s/lib/libonnxruntime.so", home);
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	if (home == NULL && home_path(path, ours) == 0)
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL && home == NULL)
		library = dlopen("libonnxruntime.so.1", RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		refuse(reason,
		    "cannot load ONNX Runtime%s: %.150s (make deps fetches it)",
		    home != NULL ? " from ORT_HOME" : "", dlerror());
	return library;
}

static const OrtApi *
load_api(char *reason)
{
	static const OrtApi *api;

	if (api != NULL)
		return api;
	void *library = load_library(reason);
	if (library == NULL)
		return NULL;
	const OrtApiBase *(*base)(void);
	*(void **)&base = dlsym(library, "OrtGetApiBase");
	api = base == NULL ? NULL : base()->GetApi(API_VERSION);
	if (api == NULL)
		refuse(reason,
		    "this ONNX Runtime is too old: it does not have version %d "
		    "of the API",
		    API_VERSION);
	return api;
}

/* ---- errors ---- */

/* Turns a status into a reason: 0, or -1 if it is an error. */
static int
check(const OrtApi *api, OrtStatus *status, const char *what, char *reason)
{
	if (status == NULL)
		return 0;
	refuse(reason, "%s: %.200s", what, api->GetErrorMessage(status));
	api->ReleaseStatus(status);
	return -1;
}

/* ---- metadata, inputs and outputs ---- */

static int
look_up(struct onnx *o, OrtModelMetadata *m, const char *key, char *value, size_t size)
{
	OrtAllocator *allocator;
	char *text = NULL;
	char ignored[NET_REASON_MAX];

	value[0] = '\0';
	if (check(o->api, o->api->GetAllocatorWithDefaultOptions(&allocator), "",
		ignored) == -1 ||
	    check(o->api,
		o->api->ModelMetadataLookupCustomMetadataMap(m, allocator, key, &text),
		"", ignored) == -1 ||
	    text == NULL)
		return -1;
	snprintf(value, size, "%s", text);
	if (o->api->AllocatorFree(allocator, text) != NULL)
		return -1;
	return 0;
}

/* The rule features that a sparse net was trained with. */
static int
read_features(struct onnx *o, OrtModelMetadata *m, char *reason)
{
	size_t size = SPARSE_RULES_MAX * SPARSE_RULE_NAME_MAX;
	char *list = xcalloc(1, size);

	o->sparse = xcalloc(1, sizeof(*o->sparse));
	look_up(o, m, SPARSEFILE_KEY_FEATURES, list, size);
	int result = sparsefile_features(&o->sparse->features, list, strlen(list));
	free(list);
	return result == 0
	    ? 0
	    : refuse(reason,
		  "a sparse net that does not name the rule features it knows");
}

static int
read_metadata(struct onnx *o, char *reason)
{
	OrtModelMetadata *m = NULL;
	char input[64], policy[64], steps[32];

	if (check(o->api, o->api->SessionGetModelMetadata(o->session, &m), "metadata",
		reason) == -1)
		return -1;
	look_up(o, m, NET_KEY_INPUT, input, sizeof(input));
	look_up(o, m, NET_KEY_POLICY, policy, sizeof(policy));
	look_up(o, m, NET_KEY_RULES, o->net.rules, sizeof(o->net.rules));
	look_up(o, m, NET_KEY_STEPS, steps, sizeof(steps));
	o->net.steps = strtoull(steps, NULL, 10);
	bool sparse = strcmp(input, SPARSE_INPUT_NAME) == 0;
	if (!sparse) {
		look_up(o, m, NET_KEY_FIELDS, o->net.fields, sizeof(o->net.fields));
		net_name_fields(&o->net);
	}
	int result = sparse ? read_features(o, m, reason)
			    : net_check_encoding(input, policy, reason);
	if (sparse && result == 0) {
		size_t inputs = 0, outputs = 0;
		if (check(o->api, o->api->SessionGetInputCount(o->session, &inputs),
			"inputs", reason) ||
		    check(o->api, o->api->SessionGetOutputCount(o->session, &outputs),
			"outputs", reason))
			result = -1;
		o->sparse->atoms = inputs > 9; /* their names are checked later */
		if (outputs > 2)
			o->sparse->policy =
			    xcalloc(BATCH_MAX * POLICY_ROWS, sizeof(float));
	}
	o->api->ReleaseModelMetadata(m);
	return result;
}

/* Is the tensor of this type info float, with a variable first dimension and then
 * these? */
static bool
shape_fits(const OrtApi *api, OrtTypeInfo *type, const int64_t *want, size_t n)
{
	const OrtTensorTypeAndShapeInfo *tensor = NULL;
	enum ONNXTensorElementDataType element;
	int64_t have[8];
	size_t dims = 0;
	char ignored[NET_REASON_MAX];

	if (check(api, api->CastTypeInfoToTensorInfo(type, &tensor), "", ignored) ||
	    tensor == NULL ||
	    check(api, api->GetTensorElementType(tensor, &element), "", ignored) ||
	    check(api, api->GetDimensionsCount(tensor, &dims), "", ignored) ||
	    element != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT || dims != n ||
	    check(api, api->GetDimensions(tensor, have, n), "", ignored))
		return false;
	for (size_t i = 1; i < n; i++)
		if (have[i] != want[i])
			return false;
	return have[0] < 0;
}

/* The inputs and outputs of a sparse net's graph for so many positions; returns their
 * number. */
static int
list_sparse(struct sparse_batch *s, int count, struct tensor list[TENSORS_MAX],
    int *inputs)
{
	static const char *const names[2][5] = {
		{ "own", "own_more", "own_zone", "own_view", "own_atoms" },
		{ "other", "other_more", "other_zone", "other_view", "other_atoms" },
	};
	int64_t k = s->features.nrules;
	int n = 0;

	for (int i = 0; i < 2; i++) {
		list[n++] = (struct tensor){ names[i][0], s->chess[i],
			{ count, SPARSE_ZONED }, 2 };
		list[n++] = (struct tensor){ names[i][1], s->more[i],
			{ count, SPARSEFILE_MORE }, 2 };
		list[n++] = (struct tensor){ names[i][2], s->zone[i],
			{ count, SPARSE_SPARE_ROWS }, 2 };
		list[n++] = (struct tensor){ names[i][3], s->view[i], { count, k }, 2 };
		if (s->atoms)
			list[n++] = (struct tensor){ names[i][4], s->atom[i],
				{ count, SPARSE_ATOM_ROWS }, 2 };
	}
	list[n++] = (struct tensor){ "bucket", s->bucket, { count, SPARSE_BUCKETS }, 2 };
	*inputs = n;
	list[n++] = (struct tensor){ "points", s->points, { count, 1 }, 2 };
	list[n++] = (struct tensor){ "draw", s->draw, { count, 1 }, 2 };
	if (s->policy != NULL)
		list[n++] =
		    (struct tensor){ "policy", s->policy, { count, POLICY_ROWS }, 2 };
	return n;
}

static int
check_tensor(struct onnx *o, const char *name, bool is_input, const int64_t *want,
    size_t n, char *reason)
{
	OrtAllocator *allocator;
	size_t count = 0;

	if (check(o->api, o->api->GetAllocatorWithDefaultOptions(&allocator), name,
		reason) ||
	    check(o->api,
		is_input ? o->api->SessionGetInputCount(o->session, &count)
			 : o->api->SessionGetOutputCount(o->session, &count),
		name, reason))
		return -1;
	for (size_t i = 0; i < count; i++) {
		char *text = NULL;
		OrtTypeInfo *type = NULL;
		if (check(o->api,
			is_input
			    ? o->api->SessionGetInputName(o->session, i, allocator, &text)
			    : o->api->SessionGetOutputName(o->session, i, allocator,
				  &text),
			name, reason))
			return -1;
		bool found = strcmp(text, name) == 0;
		if (check(o->api, o->api->AllocatorFree(allocator, text), name, reason))
			return -1;
		if (!found)
			continue;
		if (check(o->api,
			is_input ? o->api->SessionGetInputTypeInfo(o->session, i, &type)
				 : o->api->SessionGetOutputTypeInfo(o->session, i, &type),
			name, reason))
			return -1;
		bool fits = shape_fits(o->api, type, want, n);
		o->api->ReleaseTypeInfo(type);
		if (fits)
			return 0;
		return refuse(reason, "the net's %s is not float [n,%d%s] with n open",
		    name, (int)want[1], n > 2 ? ",8,8" : "");
	}
	return refuse(reason, "the net has no %s '%s'", is_input ? "input" : "output",
	    name);
}

static int
check_sparse_shapes(struct onnx *o, char *reason)
{
	struct tensor list[TENSORS_MAX];
	int inputs, n = list_sparse(o->sparse, 0, list, &inputs);

	for (int i = 0; i < n; i++)
		if (check_tensor(o, list[i].name, i < inputs, list[i].dims, 2, reason) ==
		    -1)
			return -1;
	return 0;
}

static int
check_shapes(struct onnx *o, char *reason)
{
	static const int64_t board[] = { 0, NET_PLANES, 8, 8 };
	static const int64_t policy[] = { 0, NET_POLICY_PLANES, 8, 8 };
	static const int64_t wdl[] = { 0, 3 };
	size_t inputs = 0;

	if (o->sparse != NULL)
		return check_sparse_shapes(o, reason);
	if (check(o->api, o->api->SessionGetInputCount(o->session, &inputs), "inputs",
		reason))
		return -1;
	if (inputs != 1)
		return refuse(reason, "the net has more than one input");
	return check_tensor(o, ENCODE_BOARD, true, board, 4, reason) == -1 ||
		check_tensor(o, ENCODE_POLICY, false, policy, 4, reason) == -1 ||
		check_tensor(o, ENCODE_WDL, false, wdl, 2, reason) == -1
	    ? -1
	    : 0;
}

/* ---- evaluating ---- */

static int
make_value(struct onnx *o, const struct tensor *t, OrtValue **value, char *reason)
{
	size_t n = sizeof(float);

	for (size_t i = 0; i < t->ndims; i++)
		n *= (size_t)t->dims[i];
	return check(o->api,
	    o->api->CreateTensorWithDataAsOrtValue(o->memory, t->data, n, t->dims,
		t->ndims, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, value),
	    t->name, reason);
}

/* Computes the outputs, which follow the inputs in the list. */
static int
run(struct onnx *o, const struct tensor *list, size_t inputs, size_t outputs,
    char *reason)
{
	OrtValue *values[TENSORS_MAX] = { NULL };
	const char *names[TENSORS_MAX] = { NULL };
	int result = 0;

	for (size_t i = 0; i < inputs + outputs && result == 0; i++) {
		names[i] = list[i].name;
		result = make_value(o, &list[i], &values[i], reason);
	}
	if (result == 0)
		result = check(o->api,
		    o->api->Run(o->session, NULL, names, (const OrtValue *const *)values,
			inputs, names + inputs, outputs, values + inputs),
		    "run", reason);
	for (size_t i = 0; i < inputs + outputs; i++)
		o->api->ReleaseValue(values[i]);
	return result;
}

static int
answer(struct net_query *q, const float *policy, const float *wdl, char *reason)
{
	memcpy(q->wdl, wdl, sizeof(q->wdl));
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] = policy[encode_move(q->board->side, q->moves[i])];
	return net_normalise(q, reason);
}

static int
evaluate(struct net *n, struct net_query *queries, int count, char *reason)
{
	struct onnx *o = (struct onnx *)n;
	const struct tensor list[] = {
		{ ENCODE_BOARD, o->input, { count, NET_PLANES, 8, 8 }, 4 },
		{ ENCODE_POLICY, o->policy, { count, NET_POLICY_PLANES, 8, 8 }, 4 },
		{ ENCODE_WDL, o->wdl, { count, 3 }, 2 },
	};

	for (int i = 0; i < count; i++)
		encode_position(queries[i].board, queries[i].repetitions,
		    o->input + (size_t)i * NET_INPUT);
	if (run(o, list, 1, 2, reason) == -1)
		return -1;
	for (int i = 0; i < count; i++)
		if (answer(&queries[i], o->policy + (size_t)i * NET_POLICY,
			o->wdl + (size_t)i * 3, reason) == -1)
			return -1;
	return 0;
}

/* ---- sparse nets ---- */

/* The input that a row belongs to, of those that are not zoned. */
static int
more_input(int row)
{
	int hand = row - SPARSE_HAND_ROWS, step = hand % SPARSE_STEPS;
	int kind = hand / SPARSE_STEPS % SPARSE_KINDS;

	if (hand < 0)
		return (row - SPARSE_SPARE_ROWS) / (64 * SPARSE_SPARE) * 64 + row % 64;
	if (kind > SPARSE_CHESS)
		kind = SPARSE_CHESS;
	return SPARSE_HANDS - SPARSE_ANY +
	    (hand / (SPARSE_STEPS * SPARSE_KINDS) * (SPARSE_CHESS + 1) + kind) *
	    SPARSE_STEPS +
	    step;
}

/* The shares of atoms of a row's piece, if it is one. */
static void
set_atoms(const struct sparse_rules *r, int us, int row, float *atom)
{
	int at = row < SPARSE_SPARE_ROWS ? row % SPARSE_ZONED : row - SPARSE_SPARE_ROWS;
	int kinds = row < SPARSE_SPARE_ROWS ? SPARSE_CHESS : SPARSE_SPARE;
	int first = row < SPARSE_SPARE_ROWS ? PAWN : SPARSE_CHESS + 1;
	int other = at / (64 * kinds), kind = first + at / 64 % kinds;

	if (row >= SPARSE_HAND_ROWS || other > 1)
		return;
	for (int i = 0; i < ATOMS; i++)
		atom[(2 * i + other) * 64 + at % 64] += r->atoms[us ^ other][kind][i];
}

static void
set_side(struct sparse_batch *s, const struct sparse_rules *r, const struct board *b,
    int i, int other)
{
	uint16_t rows[SPARSE_ACTIVE_MAX];
	size_t at = (size_t)i, k = (size_t)s->features.nrules;
	float *chess = s->chess[other] + at * SPARSE_ZONED;
	float *more = s->more[other] + at * SPARSEFILE_MORE;
	float *zone = s->zone[other] + at * SPARSE_SPARE_ROWS;
	float *atom = s->atom[other] + at * SPARSE_ATOM_ROWS;
	int us = b->side ^ other, n = sparse_inputs(b, us, rows);

	memset(chess, 0, SPARSE_ZONED * sizeof(float));
	memset(more, 0, SPARSEFILE_MORE * sizeof(float));
	memset(zone, 0, SPARSE_SPARE_ROWS * sizeof(float));
	memset(atom, 0, SPARSE_ATOM_ROWS * sizeof(float));
	for (int j = 0; j < n; j++) {
		if (rows[j] < SPARSE_SPARE_ROWS)
			chess[rows[j] % SPARSE_ZONED] = zone[rows[j]] = 1;
		else
			more[more_input(rows[j])] += 1;
		set_atoms(r, us, rows[j], atom);
	}
	memcpy(s->view[other] + at * k, r->view[us], k * sizeof(float));
}

static void
set_inputs(struct sparse_batch *s, const struct sparse_rules *r, const struct board *b,
    int i)
{
	float *bucket = s->bucket + i * SPARSE_BUCKETS;

	set_side(s, r, b, i, 0);
	set_side(s, r, b, i, 1);
	memset(bucket, 0, SPARSE_BUCKETS * sizeof(float));
	bucket[sparse_bucket(__builtin_popcountll(board_occupied(b)))] = 1;
}

/* The priors of the moves of one query, from its row of the policy. */
static void
set_priors(const struct net_query *q, const float *policy)
{
	for (int i = 0; i < q->nmoves; i++) {
		uint16_t terms[POLICY_TERMS];
		policy_move_terms(q->board, q->moves[i], terms);
		q->priors[i] = 0;
		for (int j = 0; j < POLICY_TERMS; j++)
			q->priors[i] += policy[terms[j]];
	}
	net_softmax(q->priors, q->nmoves);
}

/* Positions of one rule set. */
static int
evaluate_rules(struct onnx *o, struct net_query *q, int count, char *reason)
{
	struct sparse_batch *s = o->sparse;
	static _Thread_local struct sparse_rules r; /* large */
	struct tensor list[TENSORS_MAX];
	int inputs, n = list_sparse(s, count, list, &inputs);

	sparse_read_rules(&s->features, q->board->rules, &r);
	for (int i = 0; i < count; i++)
		set_inputs(s, &r, q[i].board, i);
	if (run(o, list, (size_t)inputs, (size_t)(n - inputs), reason) == -1)
		return -1;
	for (int i = 0; i < count; i++) {
		sparse_wdl_of_logits((double)s->points[i], (double)s->draw[i], q[i].wdl);
		float sum = q[i].wdl[0];
		for (int j = 0; j < q[i].nmoves; j++)
			q[i].priors[j] = 1 / (float)q[i].nmoves;
		if (s->policy != NULL)
			set_priors(&q[i], s->policy + i * POLICY_ROWS);
		for (int j = 0; j < q[i].nmoves; j++)
			sum += q[i].priors[j];
		if (!isfinite(sum))
			return refuse(reason, "the net's output is not a number");
	}
	return 0;
}

static int
evaluate_sparse(struct net *n, struct net_query *q, int count, char *reason)
{
	struct onnx *o = (struct onnx *)n;

	for (int i = 0, same; i < count; i += same) {
		for (same = 1; i + same < count &&
		     rules_equal(q[i].board->rules, q[i + same].board->rules);
		     same++)
			continue;
		if (evaluate_rules(o, q + i, same, reason) == -1)
			return -1;
	}
	return 0;
}

/* ---- opening and closing ---- */

static void
close_onnx(struct net *n)
{
	struct onnx *o = (struct onnx *)n;

	if (o->api != NULL) {
		o->api->ReleaseMemoryInfo(o->memory);
		o->api->ReleaseSession(o->session);
		o->api->ReleaseEnv(o->env);
	}
	free(o->input);
	free(o->policy);
	free(o->wdl);
	if (o->sparse != NULL)
		free(o->sparse->policy);
	free(o->sparse);
	free(o);
}

static int
add_provider(const OrtApi *api, OrtSessionOptions *so, const char *provider, char *reason)
{
	if (provider == NULL || strcasecmp(provider, "cpu") == 0)
		return 0;
	if (strcasecmp(provider, "cuda") == 0) {
		OrtCUDAProviderOptionsV2 *cuda = NULL;
		if (check(api, api->CreateCUDAProviderOptions(&cuda), "provider cuda",
			reason))
			return -1;
		int bad = check(api,
		    api->SessionOptionsAppendExecutionProvider_CUDA_V2(so, cuda),
		    "provider cuda", reason);
		api->ReleaseCUDAProviderOptions(cuda);
		return bad;
	}
	return check(api,
	    api->SessionOptionsAppendExecutionProvider(so, provider, NULL, NULL, 0),
	    "provider", reason);
}

static int
open_session(struct onnx *o, const struct net_options *options, const char *data,
    size_t size, char *reason)
{
	const OrtApi *api = o->api;
	OrtSessionOptions *so = NULL;
	int threads = options != NULL && options->threads > 0 ? options->threads : 1;
	int bad = check(api, api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "rulelab", &o->env),
		      "ONNX Runtime", reason) ||
	    check(api, api->DisableTelemetryEvents(o->env), "ONNX Runtime", reason) ||
	    check(api, api->CreateSessionOptions(&so), "ONNX Runtime", reason) ||
	    check(api, api->SetSessionGraphOptimizationLevel(so, ORT_ENABLE_ALL),
		"ONNX Runtime", reason) ||
	    check(api, api->SetIntraOpNumThreads(so, threads), "ONNX Runtime", reason) ||
	    add_provider(api, so, options != NULL ? options->provider : NULL, reason) ||
	    check(api, api->CreateSessionFromArray(o->env, data, size, so, &o->session),
		"not a net", reason) ||
	    check(api,
		api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault,
		    &o->memory),
		"ONNX Runtime", reason);

	api->ReleaseSessionOptions(so);
	return bad ? -1 : 0;
}

struct net *
net_open_onnx(const char *data, size_t size, const struct net_options *options,
    char reason[NET_REASON_MAX])
{
	struct onnx *o = xcalloc(1, sizeof(*o));

	o->net.evaluate = evaluate;
	o->net.close = close_onnx;
	o->net.largest_batch = BATCH_MAX;
	o->input = xcalloc(BATCH_MAX * NET_INPUT, sizeof(float));
	o->policy = xcalloc(BATCH_MAX * NET_POLICY, sizeof(float));
	o->wdl = xcalloc(BATCH_MAX * 3, sizeof(float));
	bool ready = (o->api = load_api(reason)) != NULL &&
	    open_session(o, options, data, size, reason) == 0 &&
	    read_metadata(o, reason) == 0 && check_shapes(o, reason) == 0;
	if (o->sparse != NULL)
		o->net.evaluate = evaluate_sparse;
	if (!ready) {
		close_onnx(&o->net);
		return NULL;
	}
	return &o->net;
}

#else

struct net *
net_open_onnx(const char *data, size_t size, const struct net_options *options,
    char reason[NET_REASON_MAX])
{
	(void)data;
	(void)size;
	(void)options;
	refuse(reason,
	    "this was built without ONNX Runtime "
	    "(make deps fetches it; then make again)");
	return NULL;
}

#endif
