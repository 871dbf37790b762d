/*
 * Lines in groups: those from the same prior, the same start and scored by the
 * same other prior are samples of one thing, and no others are.
 */
#ifndef DATA_LINEGROUPS_H
#define DATA_LINEGROUPS_H

#include "base/histogram.h"
#include "base/table.h"
#include "lines.h"

enum { LINEGROUPS_MAX = 1000 };	/* more are refused: the bound on memory */

struct linegroup {
	struct rules rules, q_rules;
	struct board start;
	char *p, *q;		/* what tables call the rules; by _sort() */
	char *net, *q_net, *from;	/* from: FEN, or startpos */
	bool scored;		/* else what concerns q is empty */
	bool listed;		/* all lines there are, not samples */
	int plies;		/* of the longest line */
	uint64_t lines;
	void *data;		/* the program's own, zeros at first */
	/* For --histogram: */
	struct histogram bins;
	uint64_t infinite, binned;
};

struct linegroups {
	size_t data_size;
	struct linegroup *groups;
	int n, last;
};

/* Groups have so many bytes of data. */
void linegroups_init(struct linegroups *s, size_t data_size);
void linegroups_release(struct linegroups *s);

/* The group of a line, which is counted; NULL when there are too many. Lines
 * differ by q if they are scored and `by_q` is set. Good until the next
 * call. */
struct linegroup *linegroups_count(struct linegroups *s,
    const struct opening *o, bool by_q);

/* Sorts and names them: as the user named the rules, unless other rules have
 * the same name. */
void linegroups_sort(struct linegroups *s);

/* Counts a number in the group's histogram. */
void linegroup_bin(struct linegroup *g, double x, double width);

/* Writes the rows of the histogram, of the bins that are not empty; what is
 * infinite has a row of its own, without a density. */
int linegroup_write_bins(const struct linegroup *g, double width,
    struct table *t);

/* The names of its columns, for a table without rows. */
void linegroups_write_bin_names(bool scored, struct table *t);

#endif
