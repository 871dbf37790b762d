/*
 * ONNX files. The first byte says what the rest is: a file as it is, or changes to a
 * net of our own shape, each two bytes of a place among those that are not
 * weights and one of what to put there, the last a cut. What is read has names
 * and weights that lie within the file; what is taken for a net of ours
 * answers.
 */
#include <math.h>

#include "base/text.h"
#include "fuzz.h"
#include "net/net.h"
#include "net/onnxin.h"
#include "train/export.h"

enum { FILE_MAX = 1 << 20, ZEROS = 48 };

/* A net of zeros, of which places[] are those that weights are not. */
static const struct text *
good(const uint32_t **places, size_t *nplaces)
{
	static struct text t;
	static uint32_t list[FILE_MAX];
	static size_t n;
	struct model_layout l;

	*places = list;
	*nplaces = n;
	if (t.len > 0)
		return &t;
	model_layout(&l, 1, 16);
	float *zeros = kernels_allocate(l.parameters);
	struct export e = { .layout = &l,
		.parameters = zeros,
		.mean = zeros,
		.variance = zeros,
		.rules = "\"torpedo\"",
		.steps = 5 };
	REQUIRE(zeros != NULL && export_onnx(&e, &t) == 0 && t.len < FILE_MAX);
	free(zeros);
	for (size_t i = 0, run = 0; i < t.len; i++) {
		run = t.s[i] == '\0' ? run + 1 : 0;
		if (run < ZEROS)
			list[n++] = (uint32_t)i;
	}
	*nplaces = n;
	return &t;
}

/* Is a piece within the file? */
static void
check_piece(const char *s, size_t n, const char *file, size_t size)
{
	REQUIRE(n == 0 || (s >= file && s + n <= file + size));
}

static void
check_parts(const struct onnxin *o, const char *s, size_t n)
{
	REQUIRE(o->nnodes <= ONNXIN_MOST && o->nweights <= ONNXIN_MOST);
	for (int i = 0; i < o->nnodes; i++) {
		const struct onnxin_node *node = &o->nodes[i];
		REQUIRE(node->nin <= ONNXIN_INPUTS &&
		    node->nattributes <= ONNXIN_ATTRIBUTES);
		check_piece(node->type.s, node->type.n, s, n);
		for (int j = 0; j < node->nin; j++)
			check_piece(node->in[j].s, node->in[j].n, s, n);
	}
	for (int i = 0; i < o->nweights; i++) {
		REQUIRE(o->weights[i].ndims <= ONNXIN_DIMS);
		check_piece(o->weights[i].raw, o->weights[i].size, s, n);
	}
	for (int i = 0; i < o->npairs; i++)
		check_piece(o->pairs[i].value.s, o->pairs[i].value.n, s, n);
	REQUIRE(onnxin_find(o, "no such name") == NULL);
}

/* A net returns probabilities, or says that it has none. */
static void
ask(struct net *net)
{
	static struct rules rules;
	struct board b;
	move moves[MOVES_MAX];
	float priors[MOVES_MAX];
	char reason[NET_REASON_MAX] = "";

	rules_init(&rules);
	board_of(&b, &rules, START_FEN);
	struct net_query q = { .board = &b,
		.repetitions = 1,
		.moves = moves,
		.nmoves = movegen_list(&b, moves),
		.priors = priors };
	if (net_evaluate(net, &q, 1, reason) == -1) {
		REQUIRE(reason[0] != '\0');
		return;
	}
	float sum = 0;
	for (int i = 0; i < q.nmoves; i++)
		sum += priors[i];
	REQUIRE(fabsf(sum - 1) < 1e-3f);
	REQUIRE(fabsf(q.wdl[0] + q.wdl[1] + q.wdl[2] - 1) < 1e-3f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const uint32_t *places;
	size_t nplaces, i = 1;
	const struct text *whole = good(&places, &nplaces);
	char reason[NET_REASON_MAX];
	struct onnxin o;

	if (n < 1)
		return 0;
	size_t size = data[0] % 2 == 0 ? n - 1 : whole->len;
	char *s = malloc(size + 1);
	REQUIRE(s != NULL);
	if (data[0] % 2 == 0) {
		memcpy(s, data + 1, size);
	} else {
		memcpy(s, whole->s, size);
		for (; i + 3 <= n; i += 3)
			s[places[(size_t)(data[i] | data[i + 1] << 8) % nplaces]] =
			    (char)data[i + 2];
		if (i < n)
			size -= (size_t)data[i] * 331 % size;
	}
	/* a copy that ends where the file ends */
	char *file = malloc(size > 0 ? size : 1);
	REQUIRE(file != NULL);
	memcpy(file, s, size);
	free(s);
	bool foreign;
	onnxin_check(file, size);
	if (onnxin_read(&o, file, size) == 0)
		check_parts(&o, file, size);
	onnxin_release(&o);
	struct net *net = net_open_native(file, size, &foreign, reason);
	if (net != NULL)
		ask(net);
	if (n == 1 && data[0] == 1)
		REQUIRE(net != NULL); /* the net without a change */
	net_close(net);
	free(file);
	return 0;
}
