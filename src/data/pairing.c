#include "pairing.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"

static uint64_t
stir_text(uint64_t hash, const char *s)
{
	for (; *s != '\0'; s++)
		hash = rng_stir(hash + (unsigned char)*s);
	return rng_stir(hash + 256);
}

void
pairing_add(struct pairing **list, const struct game *g, double points)
{
	struct pairing *p = *list;

	if (g->id.len == 0)
		return;
	if (p == NULL || p->n == p->room) {
		size_t n = p == NULL ? 0 : p->n, room = n == 0 ? 64 : 2 * n;
		p = *list = xreallocarray(p, 1, sizeof(*p) + room * sizeof(*p->games));
		p->n = n;
		p->room = room;
	}
	struct pairing_game *to = &p->games[p->n++];
	memset(to, 0, sizeof(*to));
	to->id = stir_text(1, game_text(g, g->id));
	if (g->seed.len > 0)
		to->id = stir_text(to->id, game_text(g, g->seed));
	/* Rules without castling give the usual start another key. */
	to->start = g->usual_start ? 0 : g->line.keys[0];
	to->points = points;
	to->drawn = g->result == RESULT_DRAW && g->value == 0;
	to->plies =
	    (uint8_t)(g->line.plies < PAIRING_PLIES ? g->line.plies : PAIRING_PLIES);
	memcpy(to->moves, g->line.moves, to->plies * sizeof(move));
}

static int
compare_ids(const void *a, const void *b)
{
	const struct pairing_game *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

bool
pairing_sort(struct pairing *p)
{
	if (p == NULL)
		return true;
	qsort(p->games, p->n, sizeof(*p->games), compare_ids);
	for (size_t i = 1; i < p->n; i++)
		if (p->games[i].id == p->games[i - 1].id)
			return false;
	return true;
}

bool
pairing_next(const struct pairing *a, const struct pairing *b, struct pairing_cursor *at,
    const struct pairing_game **of_a, const struct pairing_game **of_b)
{
	while (a != NULL && b != NULL && at->i < a->n && at->j < b->n) {
		*of_a = &a->games[at->i];
		*of_b = &b->games[at->j];
		int c = compare_ids(*of_a, *of_b);
		at->i += c <= 0;
		at->j += c >= 0;
		if (c == 0)
			return true;
	}
	return false;
}

int
pairing_shared(const struct pairing_game *a, const struct pairing_game *b)
{
	int i = 0;

	if (a->start != b->start)
		return 0;
	while (i < a->plies && i < b->plies && a->moves[i] == b->moves[i])
		i++;
	return i;
}
