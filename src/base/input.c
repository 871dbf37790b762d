#include "input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

enum {
	READ_SIZE = 128 * 1024,
	BEGINNING = 4096, /* bytes that decide the kind of line ends */
	SLACK = 16        /* bytes beyond the end that may be read */
};

/* For users who forgot to name a file. */
static void
tell_waiting(void)
{
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		fprintf(stderr, "%s: reading from the terminal; end with ^D\n",
		    program_invocation_short_name);
}

int
input_open(struct input *in, const char *path)
{
	memset(in, 0, sizeof(*in));
	in->name = strcmp(path, "-") == 0 ? "standard input" : path;
	if (in->name != path)
		tell_waiting();
	in->z = zin_open(path);
	if (in->z == NULL)
		return -1;
	in->most = SIZE_MAX;
	in->size = 2 * READ_SIZE;
	in->data = xmalloc(in->size + SLACK);
	memset(in->data, 0, SLACK);
	in->at = in->end = in->data;
	in->counted = in->data;
	*in->end = '\0';
	return 0;
}

void
input_close(struct input *in)
{
	zin_close(in->z);
	free(in->data);
	memset(in, 0, sizeof(*in));
}

static uint64_t
count_lines(const struct input *in, const char *from, const char *to)
{
	char nl = in->cr_lines ? '\r' : '\n';
	uint64_t n = 0;

	/* Byte-sized sums let the compiler vectorise the loop. */
	for (; to - from >= 128; from += 128) {
		uint8_t block = 0;
		for (int i = 0; i < 128; i++)
			block = (uint8_t)(block + (from[i] == nl));
		n += block;
	}
	for (; from < to; from++)
		n += *from == nl;
	return n;
}

/* Reads what fits; returns how much that was. */
static size_t
read_some(struct input *in)
{
	size_t room = in->size - (size_t)(in->end - in->data);
	ssize_t n = zin_read(in->z, in->end, room < in->most ? room : in->most);

	if (n <= 0) {
		in->ended = true;
		n = 0;
	}
	in->end += n;
	*in->end = '\0';
	return (size_t)n;
}

/*
 * Reads the first bytes, detects the line ends of old Macintosh files (no LF
 * at all) and skips a byte order mark. Reads until that is decided, so that
 * the sizes of single reads do not matter.
 */
static size_t
read_beginning(struct input *in)
{
	size_t n = 0, more;
	bool lf;

	do {
		more = read_some(in);
		lf = memchr(in->data + n, '\n', more) != NULL;
		n += more;
	} while (more > 0 && !lf && n < BEGINNING);
	size_t looked = n < BEGINNING ? n : BEGINNING;
	in->cr_lines = memchr(in->data, '\n', looked) == NULL &&
	    memchr(in->data, '\r', looked) != NULL;
	if (n >= 3 && memcmp(in->data, "\xef\xbb\xbf", 3) == 0)
		in->at += 3;
	return n;
}

/* Moves what is kept to the front of the window. */
static void
slide(struct input *in, const char *keep)
{
	size_t gone = (size_t)(keep - in->data);

	if (gone == 0)
		return;
	in->lines = input_line_number(in, keep) - 1;
	in->counted = in->data;
	in->bytes_gone += gone;
	memmove(in->data, keep, (size_t)(in->end - keep));
	in->at -= gone;
	in->end -= gone;
}

static void
grow(struct input *in)
{
	size_t at = (size_t)(in->at - in->data);
	size_t have = (size_t)(in->end - in->data);
	size_t counted = (size_t)(in->counted - in->data);
	char *data = xreallocarray(in->data, 2 * in->size + SLACK, 1);

	in->size *= 2;
	in->counted = data + counted;
	in->data = data;
	in->at = data + at;
	in->end = data + have;
}

size_t
input_more(struct input *in, const char *keep)
{
	if (in->ended)
		return 0;
	if (in->bytes_gone == 0 && in->end == in->data)
		return read_beginning(in);
	slide(in, keep);
	if (in->size - (size_t)(in->end - in->data) < READ_SIZE)
		grow(in);
	return read_some(in);
}

/* Skips a line that is too long; nl is its end, or NULL if not yet read. Its
 * last byte stays in the window. */
static int
skip_line(struct input *in, char *nl)
{
	while (nl == NULL) {
		in->at = in->end;
		if (input_more(in, in->at - 1) == 0)
			return -1;
		nl = memchr(in->at, in->cr_lines ? '\r' : '\n',
		    (size_t)(in->end - in->at));
	}
	in->at = nl + 1;
	return -1;
}

int
input_line(struct input *in, const char **s, size_t *n)
{
	size_t seen = 0;

	for (;;) {
		size_t have = (size_t)(in->end - in->at);
		char *nl = memchr(in->at + seen, in->cr_lines ? '\r' : '\n', have - seen);
		if ((nl == NULL ? have : (size_t)(nl - in->at)) > INPUT_LINE_MAX)
			return skip_line(in, nl);
		if (nl == NULL) {
			seen = have;
			if (input_more(in, in->at) > 0)
				continue;
			/* Part of a line, where a stream is cut short, must
			 * not be taken for a whole one. */
			if (in->at == in->end || input_error(in) != NULL)
				return 0;
			nl = in->end;
		}
		*s = in->at;
		*n = (size_t)(nl - in->at);
		in->at = nl < in->end ? nl + 1 : nl;
		if (*n > 0 && (*s)[*n - 1] == '\r')
			--*n;
		return 1;
	}
}

uint64_t
input_line_number(struct input *in, const char *where)
{
	if (where < in->counted)
		return 1 + in->lines - count_lines(in, where, in->counted);
	in->lines += count_lines(in, in->counted, where);
	in->counted = where;
	return 1 + in->lines;
}

const char *
input_error(const struct input *in)
{
	return zin_error(in->z);
}
