/*
 * A sparse net as an ONNX file: the graph, by which ONNX Runtime computes in floats
 * what we compute in integers, and the names and sizes of its weights. Writer and
 * reader share these tables.
 *
 * Inputs of the graph, for N positions: own[N][SPARSE_INPUTS] and
 * other[N][SPARSE_INPUTS], 1 for each input that is on; own_rows[N][SPARSE_ROWS] and
 * other_rows, the same with zones, which files of the first kind do not have;
 * bucket[N][SPARSE_BUCKETS], one-hot; rules[1][K], the rule features that the metadata
 * name in "rulelab.features", as struct sparse_rules has them in `in`, and
 * view[N][K], as the mover sees them. Outputs: the logits points[N][1], draw[N][1].
 */
#ifndef NET_SPARSEFILE_H
#define NET_SPARSEFILE_H

#include "net.h"
#include "onnxin.h"
#include "sparse.h"

struct sparsefile_node {
	const char *type, *in[3], *out;
};

/* The nodes of a net with zones, or of the first kind; returns their number. */
int sparsefile_graph(bool zones, const struct sparsefile_node **graph);

/* The changes by zones are stored in 8 bits, in units of 1 / SPARSE_ONE. */
#define SPARSEFILE_ZONE "zone"
#define SPARSEFILE_ZONE_UNIT "zone_unit"
void sparsefile_zones(const struct sparse *s, int8_t *to);

/* A tensor of the file, and the array of struct sparse that it is made of:
 * element (i, j) is array[i * row + j * column]; or, where its columns come from
 * several blocks, with j within its block, and j / per_block * block more. */
struct sparsefile_tensor {
	const char *name;
	int64_t dims[2];
	float *array;
	size_t block, row, column; /* strides */
	int64_t per_block;         /* columns of a block: all, if there is one */
};

enum { SPARSEFILE_TENSORS = 16 };

/* The tensors of a net; returns how many. Constants of the graph, which no net
 * chooses, are not among them. */
int sparsefile_tensors(const struct sparse *s,
    struct sparsefile_tensor t[SPARSEFILE_TENSORS]);

/* A tensor of one block. */
struct sparsefile_tensor sparsefile_matrix(const char *name, float *array, int64_t rows,
    int64_t columns, size_t row, size_t column);

/* Copies a tensor's numbers, in the file's order. */
void sparsefile_get(const struct sparsefile_tensor *t, float *to);

/* The metadata's key for the rule features; and reading their names, n bytes
 * "a,b,c", into s->rules and s->nrules: -1 if there are none or too many. */
#define SPARSEFILE_KEY_FEATURES "rulelab.features"
int sparsefile_features(struct sparse *s, const char *list, size_t n);

/* Are the nodes of a file, from `first` on, these n? */
bool sparsefile_has_nodes(const struct onnxin *file, int first,
    const struct sparsefile_node *graph, int n);

/* Reads the weights of n tensors: 0, or -1 with a reason if some are missing, of
 * another size, or not finite. */
int sparsefile_read_tensors(const struct sparsefile_tensor *t, int n,
    const struct onnxin *file, char reason[REASON_MAX]);

/* Is it a sparse net, by its metadata? And has it zones? */
bool sparsefile_is(const struct onnxin *file);
bool sparsefile_has_zones(const struct onnxin *file);

/* Reads a net: 0, or -1 with a reason; errno is ENOMEM if memory ran out. The
 * second one reads the weights of a file whose graph has been checked. */
int sparsefile_read(struct sparse *s, const struct onnxin *file, char reason[REASON_MAX]);
int sparsefile_read_weights(struct sparse *s, const struct onnxin *file,
    char reason[REASON_MAX]);

#endif
