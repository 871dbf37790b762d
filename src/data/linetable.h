/*
 * A program that makes a table of lines, a row for each group of lines and each
 * ply: its options, reading, counting, and --histogram. The program itself says
 * what a line adds and what a row tells.
 */
#ifndef DATA_LINETABLE_H
#define DATA_LINETABLE_H

#include "linegroups.h"

enum { LINETABLE_DIGITS = 10 };	/* of numbers; lines have not many more */

struct linetable {
	const char *help;	/* what --help says of it, */
	const char *histogram;	/* ... and of --histogram */
	size_t head_size;	/* bytes that a group needs, */
	size_t ply_size;	/* ... and for each ply, behind those */
	bool by_q;		/* lines differ by what scored them, too */

	/* Why a line cannot be counted; NULL: it can. May be NULL itself. */
	const char *(*misfit)(const struct opening *o);
	/* Counts a line's first `most` plies. */
	void (*add)(void *head, void *plies, int most, const struct opening *o);
	/* What --histogram counts is the sum of this over a line's plies. */
	double (*score)(const struct opening *o, int ply);
	/* Fills a row from what was counted for its ply; g->data is the head. */
	void (*fill)(struct table *t, const struct linegroup *g, int ply,
	    const void *data);
	/* The weights of all lines, by what was counted for the first ply. */
	double (*weight)(const void *data);
	/* Releases what hangs on a head. May be NULL. */
	void (*release)(void *head);
};

/* All of main(). */
int linetable_main(const struct linetable *p, int argc, char *argv[]);

#endif
