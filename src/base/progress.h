/*
 * The progress of long work on standard error: items done, total, rate, time
 * left. On a terminal it is one line, updated up to five times a second.
 * Elsewhere it is shown only if forced, as a new line every 30 seconds.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool shown, log;      /* log: standard error is no terminal */
	const char *what;     /* what is counted: "games" */
	uint64_t done, total; /* total 0: unknown */
	double share;         /* of the work done, if total is unknown; or 0 */
	double started, next; /* seconds */
};

/* Starts the clock. `what` must outlive p; quiet shows nothing. */
void progress_start(struct progress *p, const char *what, uint64_t total, bool force,
    bool quiet);

/* Sets the share of the work that is done, for work whose total is unknown: a
 * share of the bytes to read, say. */
void progress_set_share(struct progress *p, double share);

/* Counts n more items, and updates the display when due. */
void progress_add(struct progress *p, uint64_t n);

/* Shows the final state and ends the line. */
void progress_end(struct progress *p);

/* Seconds of a monotonic clock. */
double clock_seconds(void);

/* Seconds of CPU time that the calling thread has used. */
double clock_thread_seconds(void);

#endif
