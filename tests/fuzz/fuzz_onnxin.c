/*
 * ONNX files. The first byte says what the rest is: a file as it is, or changes to a
 * sparse net. What is read has names and weights that lie within the file.
 */
#include "net/onnxin.h"
#include "netfile.h"

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
		REQUIRE(node->nin <= ONNXIN_INPUTS);
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct onnxin o;

	if (n < 1)
		return 0;
	size_t size = n - 1;
	char *file = data[0] % 2 == 0
	    ? netfile_copy((const char *)data + 1, size)
	    : netfile_change(netfile_sparse(), data + 1, n - 1, &size);
	onnxin_check(file, size);
	int result = onnxin_read(&o, file, size);
	if (result == 0)
		check_parts(&o, file, size);
	if (n == 1 && data[0] == 1)
		REQUIRE(result == 0); /* the net without a change */
	onnxin_release(&o);
	free(file);
	return 0;
}
