#include "inorder.h"

#include <stdlib.h>

#include "memory.h"

struct inorder_line {
	uint64_t number;
	struct text text;
};

void
inorder_start(struct inorder *o, struct zout *out, uint64_t first)
{
	memset(o, 0, sizeof(*o));
	o->out = out;
	o->next = first;
}

/* Writes a waiting line, and moves the last one into its place. */
static int
write_waiting(struct inorder *o, size_t i)
{
	struct inorder_line *line = &o->waiting[i];

	if (zout_write(o->out, line->text.s, line->text.len) == -1 ||
	    zout_flush(o->out) == -1)
		return -1;
	o->next = line->number + 1;
	text_release(&line->text);
	*line = o->waiting[--o->nwaiting];
	return 0;
}

int
inorder_add(struct inorder *o, uint64_t number, struct text *line)
{
	if (o->nwaiting == o->room) {
		o->room = o->room == 0 ? 64 : 2 * o->room;
		o->waiting = xreallocarray(o->waiting, o->room, sizeof(*o->waiting));
	}
	o->waiting[o->nwaiting++] = (struct inorder_line){ number, *line };
	*line = (struct text){ 0 };
	for (size_t i = 0; i < o->nwaiting;) {
		if (o->waiting[i].number != o->next) {
			i++;
			continue;
		}
		if (write_waiting(o, i) == -1)
			return -1;
		i = 0;
	}
	return 0;
}

int
inorder_drain(struct inorder *o)
{
	while (o->nwaiting > 0) {
		size_t first = 0;
		for (size_t i = 1; i < o->nwaiting; i++)
			if (o->waiting[i].number < o->waiting[first].number)
				first = i;
		if (write_waiting(o, first) == -1)
			return -1;
	}
	return 0;
}

void
inorder_release(struct inorder *o)
{
	for (size_t i = 0; i < o->nwaiting; i++)
		text_release(&o->waiting[i].text);
	free(o->waiting);
	memset(o, 0, sizeof(*o));
}
