#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ahead.h"
#include "base/memory.h"

void
walk_init(struct walk *w, struct priors *priors, const struct board *start, int plies,
    size_t room)
{
	size_t t = (size_t)plies;

	*w = (struct walk){
		.priors = priors, .start = start, .plies = plies, .room = room
	};
	w->walkers = xreallocarray(NULL, room, sizeof(*w->walkers));
	w->keys = xreallocarray(NULL, room * (t + 1), sizeof(*w->keys));
	w->moves = xreallocarray(NULL, room * t, sizeof(*w->moves));
	w->logp = xreallocarray(NULL, room * t, sizeof(*w->logp));
	w->h = xreallocarray(NULL, room * t, sizeof(*w->h));
	w->ahead = xcalloc(room * t, sizeof(*w->ahead));
}

void
walk_release(struct walk *w)
{
	free(w->walkers);
	free(w->keys);
	free(w->moves);
	free(w->logp);
	free(w->h);
	free(w->ahead);
	memset(w, 0, sizeof(*w));
}

static uint64_t *
keys_of(const struct walk *w, size_t i)
{
	return w->keys + i * (size_t)(w->plies + 1);
}

void
walk_begin(struct walk *w, size_t n, uint64_t seed, uint64_t first)
{
	w->n = n;
	for (size_t i = 0; i < n; i++) {
		w->walkers[i] = (struct walker){ .board = *w->start, .weight = 1 };
		rng_init(&w->walkers[i].rng, seed, first + i);
		keys_of(w, i)[0] = w->start->key;
	}
}

/* Advances by the j-th move of the position's prior. */
static void
take_move(struct walk *w, size_t i, const struct prior *p, uint32_t j)
{
	struct walker *l = &w->walkers[i];
	size_t at = i * (size_t)w->plies + (size_t)l->plies;
	struct undo u;

	w->moves[at] = prior_moves(p)[j];
	w->logp[at] = log(prior_of(p, j));
	w->h[at] = p->h;
	l->weight *= prior_of(p, j);
	board_make(&l->board, w->moves[at], &u);
	keys_of(w, i)[++l->plies] = l->board.key;
}

/* Requests the priors of all lines that are not over. These also show whether
 * there is a legal move. */
static int
ask_all(struct walk *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct walker *l = &w->walkers[i];
		const uint64_t *keys = keys_of(w, i);
		if (l->end != END_NONE)
			continue;
		if (outcome_judge(&l->board, 1, keys, l->plies) != END_NONE) {
			l->end = outcome_find(&l->board, keys, l->plies);
			continue;
		}
		l->prior = priors_ask(w->priors, &l->board,
		    outcome_repetitions(&l->board, keys, l->plies + 1));
		if (l->prior == -1)
			return -1;
	}
	return priors_answer(w->priors);
}

/* The prior of a line that is not over; otherwise NULL. */
static const struct prior *
prior_of_line(struct walk *w, size_t i)
{
	struct walker *l = &w->walkers[i];

	if (l->end != END_NONE)
		return NULL;
	const struct prior *p = priors_get(w->priors, l->prior);
	if (p->nmoves > 0)
		return p;
	l->end = outcome_now(&l->board, 0);
	return NULL;
}

int
walk_forward(struct walk *w)
{
	if (ask_all(w) == -1)
		return -1;
	for (size_t i = 0; i < w->n; i++) {
		const struct prior *p = prior_of_line(w, i);
		if (p == NULL)
			continue;
		struct walker *l = &w->walkers[i];
		uint32_t j = prior_draw(p, rng_double(&l->rng));
		w->ahead[i * (size_t)w->plies + (size_t)l->plies] =
		    ahead_of(&l->board, p, j);
		take_move(w, i, p, j);
	}
	priors_tidy(w->priors);
	return 0;
}

/* A copy of line i, at the end of another walk. */
static void
copy_line(struct walk *to, const struct walk *from, size_t i)
{
	size_t n = to->n++, t = (size_t)to->plies;

	to->walkers[n] = from->walkers[i];
	memcpy(keys_of(to, n), keys_of(from, i), (t + 1) * sizeof(*to->keys));
	memcpy(to->moves + n * t, from->moves + i * t, t * sizeof(*to->moves));
	memcpy(to->logp + n * t, from->logp + i * t, t * sizeof(*to->logp));
	memcpy(to->h + n * t, from->h + i * t, t * sizeof(*to->h));
}

int
walk_branch(struct walk *w, size_t most)
{
	struct walk next;
	size_t n = 0;

	if (ask_all(w) == -1)
		return -1;
	for (size_t i = 0; i < w->n; i++) {
		const struct prior *p = prior_of_line(w, i);
		n += p == NULL ? 1 : p->nmoves;
	}
	if (n > most)
		return 1;
	walk_init(&next, w->priors, w->start, w->plies, n);
	for (size_t i = 0; i < w->n; i++) {
		const struct prior *p = prior_of_line(w, i);
		if (p == NULL)
			copy_line(&next, w, i);
		for (uint32_t j = 0; p != NULL && j < p->nmoves; j++) {
			copy_line(&next, w, i);
			take_move(&next, next.n - 1, p, j);
		}
	}
	priors_tidy(w->priors);
	walk_release(w);
	*w = next;
	return 0;
}

enum end
walk_end(const struct walk *w, size_t i)
{
	const struct walker *l = &w->walkers[i];

	return l->end != END_NONE ? l->end
				  : outcome_find(&l->board, keys_of(w, i), l->plies);
}
