/*
 * Records of any kind from many files: opens one file after the other, reports
 * and counts bad records, shows progress. A reader of records keeps a struct
 * records, calls records_open() when no file is open, parses s->in itself and
 * calls records_count() for each record.
 */
#ifndef BASE_RECORDS_H
#define BASE_RECORDS_H

#include "cli.h"
#include "input.h"
#include "progress.h"

struct records {
	uint64_t good, bad; /* so far */
	bool open;          /* a file is open: `in` */
	bool stopped;       /* something was bad under --strict */
	struct input in;
	struct cli *cli;
	/* private: */
	const char *what;
	char **files;
	struct progress progress;
	uint64_t bytes;        /* size of all files; 0: unknown */
	uint64_t bytes_before; /* of the files already closed */
};

/* files: a NULL-terminated list; if it is empty, standard input is read. what:
 * the name of records in messages, "games". All must outlive s. */
void records_start(struct records *s, struct cli *cli, const char *what, char **files);

/* Opens the next file that can be opened, and reports those that cannot. False
 * when none is left, and when --strict stops. */
bool records_open(struct records *s);

/* Closes the open file, and reports the read error that ended it, if any. */
void records_close(struct records *s);

/* Reports a fault in the open file; line 0: no line in particular. */
void records_warn(struct records *s, uint64_t line, const char *why);

/* The next line that is not empty, without its end. Returns 1; 0 at the end of
 * the file; -1 for a line that is too long, which is reported and skipped. */
int records_line(struct records *s, const char **line, size_t *n);

/* The next line of all files, opened and closed in turn, that is not blank. False after
 * the last one, and when --strict stops. */
bool records_next_line(struct records *s, const char **line, size_t *n);

/* Reports what is wrong with the line that was read last. */
void records_warn_line(struct records *s, const char *line, const char *why);

/* Counts a record. */
void records_count(struct records *s, bool good);

/* Closes the open file, ends the progress line, and reports the number of bad
 * records if there were any. */
void records_finish(struct records *s);

#endif
