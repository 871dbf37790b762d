#include "window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "chess/make.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "data/searchdata.h"
#include "net/encode.h"

void
window_init(struct window *w, size_t limit, double lambda)
{
	memset(w, 0, sizeof(*w));
	w->limit = limit;
	w->lambda = lambda;
}

void
window_release(struct window *w)
{
	for (int i = 0; i < w->nrules; i++)
		free(w->rules[i]);
	free(w->rules);
	free(w->samples);
	free(w->moves);
	free(w->probs);
	memset(w, 0, sizeof(*w));
}

/* The window's own copy of some rules, whose address does not change. */
static const struct rules *
keep_rules(struct window *w, const struct rules *r)
{
	struct rules own = *r, classical;

	/* The limit on plies is not an input of nets; training games may have
	 * a lower one. */
	rules_init(&classical);
	own.ply_limit = classical.ply_limit;
	rules_finish(&own);
	for (int i = w->nrules - 1; i >= 0; i--)
		if (rules_equal(w->rules[i], &own))
			return w->rules[i];
	w->rules = xreallocarray(w->rules, (size_t)w->nrules + 1, sizeof(*w->rules));
	struct rules *copy = xmalloc(sizeof(*copy));
	*copy = own;
	return w->rules[w->nrules++] = copy;
}

void
window_rules(const struct window *w, struct text *t)
{
	for (int i = 0; i < w->nrules; i++) {
		if (i > 0)
			text_add_char(t, ',');
		rules_write_json(w->rules[i], t);
	}
}

/* Drops the oldest positions once there are twice as many as the limit, so
 * that moving the others costs little. */
static void
forget(struct window *w)
{
	if (w->n < 2 * w->limit)
		return;
	size_t gone = w->n - w->limit;
	uint64_t first = w->samples[gone].policy;
	memmove(w->samples, w->samples + gone, w->limit * sizeof(*w->samples));
	w->n = w->limit;
	for (size_t i = 0; i < w->n; i++)
		w->samples[i].policy -= first;
	w->npolicy -= first;
	memmove(w->moves, w->moves + first, w->npolicy * sizeof(*w->moves));
	memmove(w->probs, w->probs + first, w->npolicy * sizeof(*w->probs));
}

/* Room for one more sample, and for its moves. */
static void
reserve(struct window *w)
{
	if (w->n == w->room) {
		w->room = 2 * w->room + 1024;
		w->samples = xreallocarray(w->samples, w->room, sizeof(*w->samples));
	}
	if (w->npolicy + MOVES_MAX > w->policy_room) {
		w->policy_room = 2 * w->policy_room + (1 << 16);
		w->moves = xreallocarray(w->moves, w->policy_room, sizeof(*w->moves));
		w->probs = xreallocarray(w->probs, w->policy_room, sizeof(*w->probs));
	}
}

void
window_append(struct window *w, const struct window *from, size_t most)
{
	size_t first = from->n < most ? 0 : from->n - most;

	for (size_t i = first; i < from->n; i++) {
		reserve(w);
		struct sample *s = &w->samples[w->n++];
		*s = from->samples[i];
		s->board.rules = keep_rules(w, s->board.rules);
		memcpy(w->moves + w->npolicy, from->moves + s->policy,
		    s->moves * sizeof(*w->moves));
		memcpy(w->probs + w->npolicy, from->probs + s->policy,
		    s->moves * sizeof(*w->probs));
		s->policy = w->npolicy;
		w->npolicy += s->moves;
	}
	w->seen += from->n - first;
}

/* ---- targets ---- */

/* The legal move of this name; 0 if there is none. */
static move
find_named(const char *name, const move *legal, int n, int *hint)
{
	for (int i = 0; i < n; i++) {
		/* Names are usually in the order of movegen_list(). */
		move m = legal[(*hint + i) % n];
		char text[6];
		move_print(m, text);
		if (strcmp(text, name) == 0) {
			*hint = (*hint + i + 1) % n;
			return m;
		}
	}
	return 0;
}

/* Adds the policy of a ply: Gumbel's improved one, otherwise the shares of visits.
 * Returns the number of moves, or -1. */
static int
add_policy(struct window *w, const struct board *b, const struct searchdata_ply *ply)
{
	move legal[MOVES_MAX];
	int n = movegen_list(b, legal), hint = 0;
	float sum = 0;

	for (int i = 0; i < ply->n; i++) {
		const struct searchdata_move *m = &ply->moves[i];
		move found = n == 0 ? 0 : find_named(m->name, legal, n, &hint);
		if (found == 0)
			return -1;
		float weight = (float)(m->improved >= 0 ? m->improved : m->visits);
		w->moves[w->npolicy + (size_t)i] = found;
		w->probs[w->npolicy + (size_t)i] = weight;
		sum += weight;
	}
	if (!(sum > 0) || !isfinite(sum))
		return -1;
	for (int i = 0; i < ply->n; i++)
		w->probs[w->npolicy + (size_t)i] /= sum;
	w->npolicy += (size_t)ply->n;
	return ply->n;
}

/* Probabilities of win, draw and loss for the side to move. */
static void
search_wdl(const struct searchdata_ply *ply, float wdl[3])
{
	float v = (float)ply->value, size = v < 0 ? -v : v;
	float draw = ply->draw >= 0 ? (float)ply->draw : 1 - size;

	if (draw > 1 - size)
		draw = 1 - size;
	wdl[0] = (1 - draw + v) / 2;
	wdl[1] = draw;
	wdl[2] = (1 - draw - v) / 2;
}

static void
turn(float wdl[3])
{
	float t = wdl[0];

	wdl[0] = wdl[2];
	wdl[2] = t;
}

/* Sets the value targets of the samples from `first` on. Each has its own search's
 * result in wdl; that is replaced by the target from later plies. */
static void
set_results(struct window *w, size_t first, const struct game *g)
{
	float after[3] = { g->result == RESULT_WHITE, g->result == RESULT_DRAW,
		g->result == RESULT_BLACK }; /* as White sees it */
	float lambda = (float)w->lambda;

	for (size_t i = w->n; i-- > first;) {
		struct sample *s = &w->samples[i];
		float found[3];
		bool black = s->board.side == BLACK;
		memcpy(found, s->wdl, sizeof(found));
		memcpy(s->wdl, after, sizeof(after));
		if (black) {
			turn(s->wdl);
			turn(found);
		}
		for (int j = 0; j < 3; j++)
			after[j] = lambda * after[j] + (1 - lambda) * found[j];
	}
}

/* Removes the samples that a game has added. */
static int
take_back(struct window *w, size_t n, size_t npolicy, char *reason, int ply)
{
	w->n = n;
	w->npolicy = npolicy;
	return refuse(reason, "ply %d: malformed search data", ply + 1);
}

int
window_add(struct window *w, const struct game *g, char reason[GAME_REASON_MAX])
{
	struct searchdata data;
	static struct searchdata_ply ply; /* large */
	struct board b = g->start;
	struct undo undo;
	int more, i = 0;

	if (g->search.len == 0 || g->result == RESULT_NONE)
		return 0;
	forget(w);
	size_t first = w->n, first_policy = w->npolicy;
	b.rules = keep_rules(w, &g->rules);
	searchdata_start(&data, game_text(g, g->search), g->search.len);
	while ((more = searchdata_next(&data, &ply)) == 1) {
		if (i == g->line.plies)
			return take_back(w, first, first_policy, reason, i);
		if (ply.known && !ply.scored) { /* scores are not a policy */
			reserve(w);
			struct sample *s = &w->samples[w->n];
			s->policy = w->npolicy;
			int moves = add_policy(w, &b, &ply);
			if (moves < 0)
				return take_back(w, first, first_policy, reason, i);
			s->board = b;
			s->moves = (uint16_t)moves;
			int stood = outcome_repetitions(&b, g->line.keys, i + 1);
			s->repetitions = (uint8_t)(stood > 3 ? 3 : stood);
			s->left = (float)(g->line.plies - i) / 100;
			search_wdl(&ply, s->wdl);
			w->n++;
		}
		board_make(&b, g->line.moves[i++], &undo);
	}
	if (more < 0)
		return take_back(w, first, first_policy, reason, i);
	set_results(w, first, g);
	w->seen += w->n - first;
	return (int)(w->n - first);
}

/* ---- inputs ---- */

bool
sample_mirrors(const struct sample *s)
{
	return s->board.castling == 0;
}

/* The same square, or move, with left and right exchanged. */
static move
mirror_move(move m)
{
	return (move)(m ^ (7 | 7 << 6));
}

static bitboard
mirror_set(bitboard s)
{
	s = (s & 0x5555555555555555) << 1 | (s >> 1 & 0x5555555555555555);
	s = (s & 0x3333333333333333) << 2 | (s >> 2 & 0x3333333333333333);
	return (s & 0x0f0f0f0f0f0f0f0f) << 4 | (s >> 4 & 0x0f0f0f0f0f0f0f0f);
}

void
sample_show(const struct window *w, const struct sample *s, bool mirrored, float *input,
    uint16_t *places)
{
	struct board b = s->board;

	if (mirrored) {
		/* The encoder reads only the bitboards and the en passant square. */
		for (int side = 0; side < 2; side++)
			for (int type = ALL; type <= KING; type++)
				b.pieces[side][type] = mirror_set(b.pieces[side][type]);
		b.ep = b.ep == NO_SQUARE ? b.ep : b.ep ^ 7;
	}
	encode_squares(&b, s->repetitions, input);
	for (int i = 0; i < s->moves; i++) {
		move m = w->moves[s->policy + (size_t)i];
		places[i] = (uint16_t)encode_move(b.side, mirrored ? mirror_move(m) : m);
	}
}
