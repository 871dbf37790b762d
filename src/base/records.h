/*
 * Records from any number of files: opening one after the other, what is bad
 * reported and counted, progress. What a record is only its reader knows; it
 * keeps a struct records, asks for the next file when none is open, and says how
 * each record went.
 */
#ifndef BASE_RECORDS_H
#define BASE_RECORDS_H

#include "cli.h"
#include "input.h"
#include "progress.h"

struct records {
	uint64_t good, bad;	/* so far */
	bool open;		/* there is a file, in */
	bool stopped;		/* --strict has met something bad */
	struct input in;
	struct cli *cli;
	/* The rest is its own. */
	const char *what;
	char **files;
	struct progress progress;
	uint64_t bytes, bytes_before;	/* of all files, of those read; bytes 0:
					 * not known */
};

/* Files: a NULL-terminated list; standard input when it is empty. what: records
 * in messages, "games". */
void records_start(struct records *s, struct cli *cli, const char *what,
    char **files);

/* Opens the next file that can be opened; those that cannot are reported. False
 * when there is none left, and when --strict stops. */
bool records_open(struct records *s);

/* Ends with the file that is open; an error that it ended with is reported. */
void records_close(struct records *s);

/* Reports something bad in the file that is open; line 0: none in particular. */
void records_warn(struct records *s, uint64_t line, const char *why);

/* The next line that is not empty, up to its end, which is passed: 1, 0 at the
 * end of the file, -1 for one too long, which has been reported. */
int records_line(struct records *s, const char **line, size_t *n);

/* Counts a record. */
void records_count(struct records *s, bool good);

/* Closes what is open, ends progress, says how many were bad if any were. */
void records_finish(struct records *s);

#endif
