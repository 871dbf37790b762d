/*
 * A file seen through a sliding window, for readers that parse bytes in
 * place: by lines, or by moving `at` themselves.
 *
 *	data ......... at ............... end (a NUL, not part of the input)
 *	     has been      is still
 *	     read          to be read
 *
 * Up to 15 bytes beyond the NUL may be read, so that short words can be
 * compared in place; their values mean nothing. A UTF-8 byte order mark at the
 * beginning is skipped.
 *
 * Line ends are not counted while reading but on demand, and when bytes leave
 * the window; each byte once.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zio.h"

/* The longest line that input_line() returns; it bounds the memory used. */
#define INPUT_LINE_MAX ((size_t)16 << 20)

struct input {
	const char *name; /* for messages; "standard input" for "-" */
	struct zin *z;
	char *data, *at, *end;
	size_t size;
	size_t most;         /* bytes to read at once; tests make it small */
	bool ended;          /* end of file, or an error */
	bool cr_lines;       /* lines end in CR alone, as on old Macs */
	uint64_t lines;      /* line ends before `counted` */
	const char *counted; /* a place in the window */
	uint64_t bytes_gone; /* bytes of the input before data */
};

/* Opens a file, or standard input for "-". 0, or -1 with errno set; in->name is
 * set in either case. The path must outlive the input. */
int input_open(struct input *in, const char *path);
void input_close(struct input *in);

/*
 * Reads more. Keeps the bytes from `keep` on (data <= keep <= end); they may
 * move, and `at` with them. Returns the number of bytes added; 0 at the end of
 * the input or after an error (see input_error()). The window grows as needed:
 * the caller has to bound what it keeps.
 */
size_t input_more(struct input *in, const char *keep);

/*
 * The next line, without its end. Returns 1; 0 if there is none; -1 for a line
 * longer than INPUT_LINE_MAX, which is skipped: its last byte, at - 1, is still
 * in the window, for input_line_number(). The last line needs no line end.
 */
int input_line(struct input *in, const char **s, size_t *n);

/* The number of the line that `where` (in the window) is on, from 1. */
uint64_t input_line_number(struct input *in, const char *where);

/* Why reading failed; NULL if it did not. */
const char *input_error(const struct input *in);

#endif
