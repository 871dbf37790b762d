/*
 * ONNX files. The first byte says what the rest is: a file as it is, or changes to a
 * net of our own shape. What is read has names and weights that lie within the file;
 * what is taken for a net of ours answers.
 */
#include <math.h>

#include "net/onnxin.h"
#include "netfile.h"
#include "train/export.h"

static const struct netfile *
good(void)
{
	static struct netfile f;
	struct model_layout l;

	if (f.nplaces > 0)
		return &f;
	model_layout(&l, 1, 16);
	float *zeros = kernels_allocate(l.parameters);
	struct export e = { .layout = &l,
		.parameters = zeros,
		.mean = zeros,
		.variance = zeros,
		.rules = "\"torpedo\"",
		.steps = 5 };
	REQUIRE(zeros != NULL && export_onnx(&e, &f.text) == 0);
	free(zeros);
	netfile_find_places(&f);
	return &f;
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
	struct net_query q;
	char reason[NET_REASON_MAX] = "";

	if (netfile_ask(net, &q, reason) == -1) {
		REQUIRE(reason[0] != '\0');
		return;
	}
	float sum = 0;
	for (int i = 0; i < q.nmoves; i++)
		sum += q.priors[i];
	REQUIRE(fabsf(sum - 1) < 1e-3f);
	REQUIRE(fabsf(q.wdl[0] + q.wdl[1] + q.wdl[2] - 1) < 1e-3f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char reason[NET_REASON_MAX];
	struct onnxin o;
	bool foreign;

	if (n < 1)
		return 0;
	size_t size = n - 1;
	char *file = data[0] % 2 == 0 ? netfile_copy((const char *)data + 1, size)
				      : netfile_change(good(), data + 1, n - 1, &size);
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
