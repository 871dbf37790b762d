/*
 * Writes numbered lines in the order of their numbers, in whatever order they
 * arrive: a line that is early is kept until all before it are written.
 */
#ifndef BASE_INORDER_H
#define BASE_INORDER_H

#include <stddef.h>
#include <stdint.h>

#include "text.h"
#include "zio.h"

struct inorder {
	struct zout *out;
	uint64_t next; /* number of the next line to write */
	struct inorder_line *waiting;
	size_t nwaiting, room;
};

/* Writes to out, which the caller still owns, from line number `first` on. */
void inorder_start(struct inorder *o, struct zout *out, uint64_t first);

/* Adds line `number`, taking over its text (*line is empty afterwards), and
 * writes all lines that are next. Add each number once. 0, or -1 with errno set
 * if writing fails. */
int inorder_add(struct inorder *o, uint64_t number, struct text *line);

/* Writes the lines that still wait, in order, skipping the missing numbers.
 * 0, or -1 as above. */
int inorder_drain(struct inorder *o);

/* Frees the lines that were not written. */
void inorder_release(struct inorder *o);

#endif
