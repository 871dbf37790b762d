#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_ROOM = 4096 };

static void
make_room(struct node **nodes, uint32_t *room, uint64_t wanted)
{
	uint64_t size = *room == 0 ? FIRST_ROOM : *room;

	if (wanted <= *room)
		return;
	while (size < wanted)
		size += size / 2;
	if (size > UINT32_MAX) /* of indices */
		memory_out();
	*nodes = xreallocarray(*nodes, (size_t)size, sizeof(**nodes));
	*room = (uint32_t)size;
}

void
tree_reset(struct tree *t)
{
	make_room(&t->nodes, &t->room, 1);
	memset(&t->nodes[0], 0, sizeof(t->nodes[0]));
	t->used = 1;
}

void
tree_release(struct tree *t)
{
	free(t->nodes);
	free(t->other);
	memset(t, 0, sizeof(*t));
}

uint32_t
tree_expand(struct tree *t, uint32_t node, int n)
{
	uint32_t first = t->used;

	make_room(&t->nodes, &t->room, (uint64_t)first + (uint64_t)n);
	memset(&t->nodes[first], 0, (size_t)n * sizeof(*t->nodes));
	t->nodes[node].children = first;
	t->nodes[node].nchildren = (uint16_t)n;
	t->used += (uint32_t)n;
	return first;
}

/*
 * Copies breadth first: a copied node points to its children's old place until
 * they are copied, too.
 */
void
tree_advance(struct tree *t, uint32_t child)
{
	uint32_t used = 1;

	make_room(&t->other, &t->other_room, t->used);
	t->other[0] = t->nodes[child];
	for (uint32_t i = 0; i < used; i++) {
		struct node *n = &t->other[i];
		if (n->children == 0)
			continue;
		memcpy(&t->other[used], &t->nodes[n->children],
		    n->nchildren * sizeof(*n));
		n->children = used;
		used += n->nchildren;
	}
	struct node *swap = t->nodes;
	t->nodes = t->other;
	t->other = swap;
	uint32_t room = t->room;
	t->room = t->other_room;
	t->other_room = room;
	t->used = used;
}
