/*
 * A file seen through a sliding window, for readers that want to look at
 * bytes in place: by lines, or by moving `at` themselves.
 *
 *	data ......... at ............... end (a NUL, not part of the input)
 *	     has been      is still
 *	     read          to be read
 *
 * Some bytes behind end may be looked at, not that they mean anything: short
 * words can be compared in place. A UTF-8 byte order mark at the beginning is
 * skipped.
 *
 * Line numbers are not kept while reading; they are counted when somebody
 * asks and when bytes leave the window, each byte once.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zio.h"

/* The longest line that input_line() hands out: the bound on memory. */
#define INPUT_LINE_MAX ((size_t)16 << 20)

struct input {
	const char *name;	/* for messages; "standard input" for "-" */
	struct zin *z;
	char *data, *at, *end;
	size_t size;
	size_t most;		/* bytes to read at once; tests make it small */
	bool ended;		/* nothing more comes */
	bool cr_lines;		/* lines end in CR alone, as on old Macs */
	uint64_t lines;		/* line ends before counted */
	const char *counted;	/* in the window */
	uint64_t bytes_gone;	/* bytes before data */
};

/* Opens a file or "-"; -1 with errno set, the name being set all the same. The
 * path must outlive the input. */
int input_open(struct input *in, const char *path);
void input_close(struct input *in);

/*
 * Reads more. Bytes from `keep` (data <= keep <= end) on stay; they may move,
 * and `at` moves along. Returns how many bytes were added; 0 at the end or
 * when something is wrong (input_error()). The window grows as needed:
 * it is up to the caller to bound what is kept.
 */
size_t input_more(struct input *in, const char *keep);

/*
 * The next line, without its end. Returns 1; 0 when there is none; -1 for a
 * line that is longer than INPUT_LINE_MAX, which is skipped but for its
 * last byte, at - 1, which tells its number. The last line needs no end.
 */
int input_line(struct input *in, const char **s, size_t *n);

/* The number of the line that `where` (in the window) is on, from 1. */
uint64_t input_line_number(struct input *in, const char *where);

/* Why reading ended early, NULL when it did not. */
const char *input_error(const struct input *in);

#endif
