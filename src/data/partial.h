/*
 * Partial results: a tally as text, which another run of the same program reads and
 * adds to its own, in any order.
 *
 * One or more lines of JSON for each group:
 *	{"partial":"drawstats","v":1,"rules":"torpedo","tag":"White","by":"…",
 *	 "games":12,"cells":"1a:3 2b:9","digest":"0123456789abcdef"}
 * with keys in hexadecimal and counts in decimal; "tag" and "by", its value,
 * only if games were counted by a tag. The digest, which earlier versions did not
 * write, covers all that stands before it. If there are several lines, the first
 * has their number, "lines", and the games; each further one has its own, "line",
 * and "of", the digest of the first, so that a lost line is noticed.
 */
#ifndef DATA_PARTIAL_H
#define DATA_PARTIAL_H

#include "tally.h"

/* Writes all groups: 0, or -1 once writing has failed. */
int partial_write(const struct tally *t, struct zout *out);

/* Adds a line of n bytes: 0, or -1 with a reason. For games_on_partial(). */
int partial_read(void *tally, const char *s, size_t n, char reason[GAME_REASON_MAX]);

/* Is a line missing of what was read, or was one read twice? */
bool partial_is_cut(const struct tally *t);

#endif
