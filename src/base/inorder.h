/*
 * Lines that go out in the order of their numbers, whatever the order in
 * which they come: one that is early waits for those before it.
 */
#ifndef BASE_INORDER_H
#define BASE_INORDER_H

#include <stddef.h>
#include <stdint.h>

#include "text.h"
#include "zio.h"

struct inorder {
	struct zout *out;
	uint64_t next;		/* number of the line to go out next */
	struct inorder_line *waiting;
	size_t nwaiting, room;
};

/* To out, of which the caller remains the owner; the first line is `first`. */
void inorder_start(struct inorder *o, struct zout *out, uint64_t first);

/* Takes line `number` with its text, which is empty afterwards, and writes
 * what has become writable. Each number comes once. -1 when writing fails. */
int inorder_add(struct inorder *o, uint64_t number, struct text *line);

/* Writes those that still wait, in order, for others that never came. */
int inorder_drain(struct inorder *o);

void inorder_release(struct inorder *o);

#endif
