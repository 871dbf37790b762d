/*
 * A line on standard error that tells how far long work has come: done, of
 * how many, how fast, how long yet. It is shown when standard error is a
 * terminal, a few times a second at most; or when forced, and then, in a log, as
 * a line of its own every half minute.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool shown, log;
	const char *what;	/* what is counted: "games" */
	uint64_t done, total;	/* total 0: not known */
	double share;		/* of the work, where total is not known; or 0 */
	double started, next;	/* seconds */
};

void progress_start(struct progress *p, const char *what, uint64_t total,
    bool force, bool quiet);

/* Tells how much of the work is done where that is not counted in items: a
 * share of the bytes to read, say. */
void progress_set_share(struct progress *p, double share);

/* Counts n more, and shows it if it is time. */
void progress_add(struct progress *p, uint64_t n);

/* Ends the line. */
void progress_end(struct progress *p);

/* Seconds of a clock that never goes back. */
double clock_seconds(void);

/* Seconds of CPU time that the calling thread has used. */
double clock_thread_seconds(void);

#endif
