/*
 * Reads as much of an ONNX file as nets of our own architecture need: its nodes,
 * weights and metadata. Names and weights point into the file's bytes, which must
 * outlive them.
 */
#ifndef NET_ONNXIN_H
#define NET_ONNXIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a node, of weights; and the most nodes, weights, … of a file. */
enum { ONNXIN_INPUTS = 3, ONNXIN_DIMS = 4, ONNXIN_MOST = 4096 };

struct onnxin_name {
	const char *s;
	size_t n;
};

struct onnxin_node {
	struct onnxin_name type, in[ONNXIN_INPUTS], out;
	int nin, nout;
	int nattributes; /* of which our nets have none */
};

struct onnxin_weights {
	struct onnxin_name name;
	int64_t dims[ONNXIN_DIMS];
	int ndims;
	int64_t type;    /* 1: float */
	const char *raw; /* little-endian, perhaps not aligned */
	size_t size;     /* bytes of it */
};

struct onnxin_pair {
	struct onnxin_name key, value;
};

struct onnxin {
	struct onnxin_node *nodes;
	struct onnxin_weights *weights;
	struct onnxin_pair *pairs;
	int nnodes, nweights, npairs;
};

/*
 * Does a file contain its whole net, as it was written? An ONNX file may refer,
 * anywhere in it, to other files with weights. The files that we write end with a
 * pair of the metadata, ONNXIN_KEY_DIGEST and the SHA-256 of all bytes before that
 * pair. Files of others, and those that we wrote before, have none and are not
 * checked.
 */
#define ONNXIN_KEY_DIGEST "rulelab.sha256"
enum onnxin_fault { ONNXIN_WHOLE, ONNXIN_BROKEN, ONNXIN_EXTERNAL, ONNXIN_CHANGED };
enum onnxin_fault onnxin_check(const char *data, size_t n);

/* 0, or -1 if it is not an ONNX file, is truncated, or has parts that this
 * reader does not know. */
int onnxin_read(struct onnxin *o, const char *data, size_t n);
void onnxin_release(struct onnxin *o);

bool onnxin_is(struct onnxin_name a, const char *s);

/* The weights of this name; NULL if there are none. */
const struct onnxin_weights *onnxin_find(const struct onnxin *o, const char *name);
/* The metadata's value of a key; length 0 if there is none. */
struct onnxin_name onnxin_metadata(const struct onnxin *o, const char *key);
/* The same as a string, truncated to size. */
void onnxin_copy(const struct onnxin *o, const char *key, char *to, size_t size);

#endif
