/*
 * Groups of lines(5): lines from the same prior and the same start, scored by the
 * same other prior, are samples of one distribution.
 */
#ifndef DATA_LINEGROUPS_H
#define DATA_LINEGROUPS_H

#include "base/histogram.h"
#include "base/table.h"
#include "lines.h"

enum { LINEGROUPS_MAX = 1000 }; /* bounds the memory */

struct linegroup {
	struct rules rules, q_rules;
	struct board start;
	char *p, *q;              /* names of the rules; set by linegroups_sort() */
	char *net, *q_net, *from; /* from: FEN, or startpos */
	bool scored;              /* otherwise all about q is empty */
	bool listed;              /* the list of all lines, not samples */
	int plies;                /* of the longest line */
	void *data;               /* the program's own, initially zeros */
	/* For --histogram: */
	struct histogram bins;
	uint64_t infinite, binned;
};

struct linegroups {
	size_t data_size;
	struct linegroup *groups;
	int n, last;
};

/* data_size: bytes of each group's data. */
void linegroups_init(struct linegroups *s, size_t data_size);
void linegroups_release(struct linegroups *s);

/* Counts a line in its group, which is created if necessary; NULL if there are
 * too many. With by_q, lines scored by different priors are in different groups.
 * The pointer is valid until the next call. */
struct linegroup *linegroups_count(struct linegroups *s, const struct opening *o,
    bool by_q);

/* Sorts the groups and sets their names: those that the user gave to the rules,
 * unless different rules share one. */
void linegroups_sort(struct linegroups *s);

/* Counts a number in the group's histogram. */
void linegroup_bin(struct linegroup *g, double x, double width);

/* Writes a row for each bin that is not empty; infinite numbers have a row of
 * their own, without a density. 0, or -1 once writing has failed. */
int linegroup_write_bins(const struct linegroup *g, double width, struct table *t);

/* Writes the header of a histogram without rows. */
void linegroups_write_bin_names(bool scored, struct table *t);

#endif
