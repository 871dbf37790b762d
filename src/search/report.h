/*
 * What a tree search has found, for people: the moves, best first, the expected
 * lines after them, and the distance to a proven end.
 */
#ifndef SEARCH_REPORT_H
#define SEARCH_REPORT_H

#include "chess/movegen.h"
#include "search.h"

enum { REPORT_LINE_MAX = 40 };

/* A move and, if it is proven, the plies to the end of the game, including this
 * one. */
struct report {
	const struct node *node;
	int plies;
};

/* Lists the root's moves, best first; returns their number. */
int report_moves(const struct search *s, struct report sorted[MOVES_MAX]);

/* The best child of a node that has children. */
struct report report_best(const struct search *s, const struct node *n);

/* The expected line, beginning with the move itself; returns its length. */
int report_line(const struct search *s, const struct node *n, move pv[REPORT_LINE_MAX]);

#endif
