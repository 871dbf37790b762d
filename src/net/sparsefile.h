/*
 * A net as an ONNX file: the graph, by which ONNX Runtime computes in floats what we
 * compute in integers, and the names and sizes of its weights. Writer and reader
 * share these tables.
 *
 * Inputs of the graph, for N positions, as the mover sees them, and the same for the
 * other side under names that begin with "other":
 *	own [N][SPARSE_ZONED]	1 for each zoned input that is on
 *	own_zone [N][SPARSE_SPARE_ROWS]	the same, in the zone of the king
 *	own_more [N][…]	spare pieces by square, whatever their kind, and hands
 *	own_atoms [N][SPARSE_ATOM_ROWS]	shares of atoms, by square
 *	own_view [N][K]	the rule features that the metadata name
 *	bucket [N][SPARSE_BUCKETS]	one-hot, for both sides
 * Outputs: the logits points[N][1], draw[N][1], and policy[N][POLICY_ROWS] of a net
 * that has one. A net that was never trained with spare or changed pieces has no
 * atoms.
 */
#ifndef NET_SPARSEFILE_H
#define NET_SPARSEFILE_H

#include "net.h"
#include "onnxin.h"
#include "sparse.h"

enum {
	SPARSEFILE_MORE = SPARSE_INPUTS - SPARSE_ZONED,
	SPARSEFILE_NODES = 80,
	SPARSEFILE_TENSORS = 32,
	SPARSEFILE_NAME_MAX = 24
};

typedef char sparsefile_name[SPARSEFILE_NAME_MAX];

struct sparsefile_node {
	sparsefile_name type, in[3], out;
	int nin;
};

struct sparsefile_graph {
	struct sparsefile_node node[SPARSEFILE_NODES];
	int n;
};

/* narrow: left is stored in bytes, as it can be in files since train(1) rounds it. */
void sparsefile_graph(struct sparsefile_graph *g, bool policy, bool atoms, bool narrow);

/* A tensor of the file, and the array of struct sparse that it is made of: element
 * (i, j) is array[j / per_block * block + i * row + j % per_block * column]. */
struct sparsefile_tensor {
	const char *name;
	int64_t dims[2];
	float *array;
	size_t block, row, column; /* strides */
	int64_t per_block;         /* columns of a block: all, if there is one */
	bool bytes;                /* stored in 8 bits, in units of 1 / SPARSE_ONE */
};

/* The tensors of a net; returns how many. Constants of the graph, which no net
 * chooses, are not among them. */
int sparsefile_tensors(const struct sparse *s, bool atoms, bool narrow,
    struct sparsefile_tensor t[SPARSEFILE_TENSORS]);

/* Copies a tensor's numbers, in the file's order. */
void sparsefile_get(const struct sparsefile_tensor *t, float *to);
void sparsefile_get_bytes(const struct sparsefile_tensor *t, int8_t *to);

#define SPARSEFILE_BYTE_UNIT "byte_unit"

/* The metadata's key for the rule features. */
#define SPARSEFILE_KEY_FEATURES "rulelab.features"
int sparsefile_features(struct sparse *s, const char *list, size_t n);

/* Is it such a net, by its metadata? Has it a policy? */
bool sparsefile_is(const struct onnxin *file);
bool sparsefile_has_policy(const struct onnxin *file);

/* Reads a net: 0, or -1 with a reason; errno is ENOMEM if memory ran out. */
int sparsefile_read(struct sparse *s, const struct onnxin *file, char reason[REASON_MAX]);

/* The same for a file of a former kind: sparseold.c. */
bool sparseold_is(const struct onnxin *file);
int sparseold_read(struct sparse *s, const struct onnxin *file, char reason[REASON_MAX]);

/* For both: reads a tensor of the file, checks its size and that all are numbers. */
int sparsefile_read_tensor(const struct sparsefile_tensor *t, const struct onnxin *file,
    char reason[REASON_MAX]);

/* The size of the hidden layer, by the biases; 0: not one of ours. */
int sparsefile_hidden(const struct onnxin *file);

#endif
