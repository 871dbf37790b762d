/*
 * The tree of a search: nodes in one block of memory, the children of a node
 * side by side. Nodes are not allocated one by one: the block grows, and when a
 * child becomes the root, its subtree is copied to the other of two blocks.
 */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include "chess/board.h"

/* A move and what is known about it. Values are from -1 to 1, for the side that
 * makes the move. */
struct node {
	double value; /* sum over visits */
	float draws;  /* sum over visits of the probability of a draw */
	float prior;
	float net_value; /* the net's value when it was expanded */
	uint32_t visits;
	uint32_t children; /* index of the first; 0: not expanded */
	uint16_t nchildren;
	uint16_t pending; /* visits not yet evaluated, counted as losses */
	move move;
	int8_t proof; /* 1: this move is a proven win, -1: a proven loss */
	uint8_t end;  /* enum end, if the game is over after it */
	int8_t worth; /* the end's value, in hundredths of a win */
};

/* A node's value for the side that moves into it; pending visits count as
 * losses. */
static inline double
node_value(const struct node *n)
{
	return (n->value - n->pending) / (double)(n->visits + n->pending);
}

/* The value of a node for the side to move there. */
static inline double
node_mover_value(const struct node *n)
{
	return n->visits == 0 ? 0 : 0 - n->value / n->visits; /* never -0 */
}

struct tree {
	struct node *nodes, *other;
	uint32_t used, room, other_room;
};

/* Drops all nodes but the root, node 0. A struct tree starts as zeros. */
void tree_reset(struct tree *t);
void tree_release(struct tree *t);

/* Gives a node n children, set to zeros, and returns the index of the first. All
 * nodes may move. */
uint32_t tree_expand(struct tree *t, uint32_t node, int n);

/* Makes a child the root, and keeps its subtree. */
void tree_advance(struct tree *t, uint32_t child);

#endif
