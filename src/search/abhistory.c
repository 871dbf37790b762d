#include "abhistory.h"

#include "base/rng.h"

/* ---- history ---- */

static void
learn(int16_t *h, int bonus)
{
	int size = bonus < 0 ? -bonus : bonus;

	*h = (int16_t)(*h + bonus - *h * size / HISTORY_MAX);
}

static void
reward_quiet(struct ab_worker *w, struct ab_ply *s, move m, int bonus)
{
	const struct board *b = &w->board;
	int from = move_from(m), to = move_to(m);
	int piece = piece_index(b->square[from]);

	learn(&w->quiet[b->side][from][to], bonus);
	learn(&(*s[-1].continuation)[piece][to], bonus);
	learn(&(*s[-2].continuation)[piece][to], bonus);
	learn(&(*s[-4].continuation)[piece][to], bonus / 2);
}

void
history_reward(struct ab_worker *w, struct ab_ply *s, move best, int depth,
    const move *quiets, int nquiets, const move *captures, int ncaptures)
{
	const struct board *b = &w->board;
	int bonus = 192 * depth - 71;

	if (bonus > 1632)
		bonus = 1632;
	if (board_is_noisy(b, best)) {
		learn(capture_history(w, best), bonus);
	} else {
		if (s->killers[0] != best) {
			s->killers[1] = s->killers[0];
			s->killers[0] = best;
		}
		if (s[-1].move != 0) {
			int to = move_to(s[-1].move);
			if (b->square[to] != 0)
				w->counter[piece_index(b->square[to])][to] = best;
		}
		reward_quiet(w, s, best, bonus);
		for (int i = 0; i < nquiets; i++)
			reward_quiet(w, s, quiets[i], -bonus * 114 / 100);
	}
	for (int i = 0; i < ncaptures; i++)
		learn(capture_history(w, captures[i]), -bonus);
}

void
history_reward_last(struct ab_worker *w, struct ab_ply *s, int depth)
{
	const struct board *b = &w->board;
	int from = move_from(s[-1].move), to = move_to(s[-1].move);
	int code = b->square[to], bonus = 37 * depth - 26;

	if (code == 0)		/* castling, or it has died */
		return;
	learn(&w->quiet[b->side ^ 1][from][to], bonus);
	learn(&(*s[-2].continuation)[piece_index(code)][to], bonus);
}

/* ---- corrections of the static score ---- */

/* By the pawns, and by the other pieces of each side. */
static unsigned
correction_place(const struct board *b, int which)
{
	uint64_t x;

	if (which == 0)
		x = rng_stir(b->pieces[WHITE][PAWN] * 0x9e3779b97f4a7c15ULL ^
		    b->pieces[BLACK][PAWN]);
	else
		x = rng_stir((b->pieces[which - 1][ALL] ^
		    b->pieces[which - 1][PAWN]) + 0x632be59bd9b4e019ULL *
		    (b->pieces[which - 1][KNIGHT] ^
		    b->pieces[which - 1][ROOK] * 3 ^
		    b->pieces[which - 1][QUEEN] * 7 ^
		    b->pieces[which - 1][KING] * 11));
	return (unsigned)(x % CORRECTIONS);
}

int
correction_of(const struct ab_worker *w)
{
	const struct board *b = &w->board;
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += w->corrections[i][b->side][correction_place(b, i)];
	return sum / 56;
}

void
correction_learn(struct ab_worker *w, int depth, int off)
{
	const struct board *b = &w->board;
	int weight = depth + 1 > 16 ? 16 : depth + 1;

	int most = 3 * w->unit;

	off = off > most ? most : off < -most ? -most : off;
	for (int i = 0; i < 3; i++) {
		int16_t *c = &w->corrections[i][b->side][correction_place(b, i)];
		*c = (int16_t)((*c * (256 - weight) + off * 32 * weight) / 256);
	}
}
