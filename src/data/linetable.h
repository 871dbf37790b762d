/*
 * The common part of entropy and kldiv, which make a table of lines with a row
 * for each group and ply: options, reading, counting, and --histogram. The
 * program supplies what a line adds and what a row contains.
 */
#ifndef DATA_LINETABLE_H
#define DATA_LINETABLE_H

#include "linegroups.h"

enum { LINETABLE_DIGITS = 10 }; /* of printed numbers; lines have few more */

struct linetable {
	const char *help;      /* text of --help on the program */
	const char *histogram; /* and on --histogram */
	size_t head_size;      /* bytes of a group's head */
	size_t ply_size;       /* and of each ply, which follow it */
	bool by_q;             /* group lines by the prior that scored them, too */

	/* Why a line cannot be counted; NULL if it can. May be NULL itself. */
	const char *(*misfit)(const struct opening *o);
	/* Counts a line's first `most` plies. */
	void (*add)(void *head, void *plies, int most, const struct opening *o);
	/* --histogram counts the sum of this over a line's plies. */
	double (*score)(const struct opening *o, int ply);
	/* Fills a row from the data of its ply; g->data is the head. */
	void (*fill)(struct table *t, const struct linegroup *g, int ply,
	    const void *data);
	/* The total weight of all lines, from the data of the first ply. */
	double (*weight)(const void *data);
	/* Frees what a head points to. May be NULL. */
	void (*release)(void *head);
};

/* The whole of main(); returns the exit status. */
int linetable_main(const struct linetable *p, int argc, char *argv[]);

#endif
