/*
 * The graph of a tower in its ONNX file: the only list of its nodes, their names
 * and the sizes of their weights. The writer follows it, and the reader compares
 * a file with it.
 */
#ifndef NET_TOWERGRAPH_H
#define NET_TOWERGRAPH_H

#include <stdbool.h>

#include "net.h"
#include "tower.h"

/* Inputs and outputs. */
#define NET_NAME_BOARD "board"
#define NET_NAME_POLICY "policy"
#define NET_NAME_WDL "wdl"
#define NET_NAME_LEFT "moves_left"

enum {
	TOWER_NAME_MAX = 16,
	TOWER_STEM_NODES = 2,
	TOWER_BLOCK_NODES = 5,
	TOWER_HEAD_NODES = 9,
	TOWER_NODES_MAX =
	    TOWER_STEM_NODES + TOWER_HEAD_NODES + TOWER_BLOCK_NODES * TOWER_BLOCKS_MAX
};

struct tower_node {
	const char *type;          /* "Conv", "Gemm", "Relu", … */
	char name[TOWER_NAME_MAX]; /* its weights are NAME.w and NAME.b; empty:
	                            * it has none */
	char in[TOWER_NAME_MAX], other[TOWER_NAME_MAX]; /* other: or empty */
	char out[TOWER_NAME_MAX];
	int to, from; /* weights: [to][from], */
	int kernel;   /* of a convolution: [kernel][kernel] more */
	int layer;    /* which 3x3 convolution, or which head */
	bool is_head;
};

/* Lists all nodes in order; returns their number. The last one, the plies left, is
 * not in every file. */
int tower_nodes(struct tower_node nodes[TOWER_NODES_MAX], int blocks, int filters);

/* The names of a node's weights, and of its biases. */
struct tower_names {
	char of[2][TOWER_NAME_MAX + 2];
};
struct tower_names tower_node_names(const struct tower_node *n);

/* The sizes of a node's weights (of its biases: the first alone): how many. */
int tower_node_dims(const struct tower_node *n, int64_t dims[4]);

/* The blocks of a tower with this many nodes; -1 if no tower has that many. */
int tower_count_blocks(int nodes);

#endif
