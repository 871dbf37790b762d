#include "abhistory.h"

#include "base/rng.h"

/* ---- history ---- */

static void
add_bonus(int16_t *h, int bonus)
{
	int size = bonus < 0 ? -bonus : bonus;

	*h = (int16_t)(*h + bonus - *h * size / HISTORY_MAX);
}

static void
reward_quiet(struct ab_worker *w, struct ab_ply *s, move m, int bonus)
{
	const struct board *b = &w->board;
	int from = move_from(m), to = move_to(m);
	int piece = piece_index(moved_code(b, m));

	add_bonus(&w->quiet[b->side][from][to], bonus);
	add_bonus(&w->pawn[s->pawns % PAWNS][piece][to], bonus);
	add_bonus(&(*s[-1].continuation)[piece][to], bonus);
	add_bonus(&(*s[-2].continuation)[piece][to], bonus);
	add_bonus(&(*s[-4].continuation)[piece][to], bonus / 2);
}

void
history_reward(struct ab_worker *w, struct ab_ply *s, move best, int depth,
    const move *quiets, int nquiets, const move *captures, int ncaptures)
{
	const struct board *b = &w->board;
	int bonus = 207 * depth - 90;

	if (bonus > 1632)
		bonus = 1632;
	if (board_is_noisy(b, best)) {
		add_bonus(capture_history(w, best), bonus);
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
		add_bonus(capture_history(w, captures[i]), -bonus);
}

void
history_reward_last(struct ab_worker *w, struct ab_ply *s, int depth)
{
	const struct board *b = &w->board;
	int from = move_from(s[-1].move), to = move_to(s[-1].move);
	int code = b->square[to], bonus = 29 * depth - 36;

	if (code == 0) /* the piece is elsewhere: castling */
		return;
	add_bonus(&w->quiet[b->side ^ 1][from][to], bonus);
	add_bonus(&(*s[-2].continuation)[piece_index(code)][to], bonus);
}

void
history_update_by_eval(struct ab_worker *w, struct ab_ply *s)
{
	const struct board *b = &w->board;
	int from = move_from(s[-1].move), to = move_to(s[-1].move);
	int bonus = 15 - (s[-1].eval + s->eval) * 145 / w->unit;

	if (b->square[to] == 0)
		return;
	bonus = bonus > 800 ? 800 : bonus < -800 ? -800 : bonus;
	add_bonus(&w->quiet[b->side ^ 1][from][to], bonus);
}

void
history_update_after_research(struct ab_worker *w, struct ab_ply *s, int sign)
{
	int to = move_to(s->move), code = w->board.square[to];

	if (code == 0)
		return;
	add_bonus(&(*s[-1].continuation)[piece_index(code)][to], sign * 280);
	add_bonus(&(*s[-2].continuation)[piece_index(code)][to], sign * 280);
}

unsigned
pawns_hash(const struct board *b)
{
	return (unsigned)(rng_stir(b->pieces[WHITE][PAWN] * 0x9e3779b97f4a7c15ULL ^
			      b->pieces[BLACK][PAWN]) %
	    CORRECTIONS);
}

/* ---- corrections of the static score ---- */

/* Keyed by the pawns (0), by the other pieces of each side (1, 2), and by the
 * last two moves (3). */
static unsigned
correction_place(const struct ab_worker *w, const struct ab_ply *s, int which)
{
	const struct board *b = &w->board;
	uint64_t x;

	if (which == 0)
		return s->pawns;
	if (which == 3)
		x = rng_stir(s[-1].piece_to * 1024ULL + s[-2].piece_to);
	else
		x = rng_stir((b->pieces[which - 1][ALL] ^ b->pieces[which - 1][PAWN]) +
		    0x632be59bd9b4e019ULL *
			(b->pieces[which - 1][KNIGHT] ^ b->pieces[which - 1][ROOK] * 3 ^
			    b->pieces[which - 1][QUEEN] * 7 ^
			    b->pieces[which - 1][KING] * 11));
	return (unsigned)(x % CORRECTIONS);
}

int
correction_of(const struct ab_worker *w, struct ab_ply *s)
{
	static const int weights[CORRECTION_KINDS] = { 95, 95, 95, 70 };
	const struct board *b = &w->board;
	int sum = 0;

	s->pawns = pawns_hash(b);
	for (int i = 0; i < CORRECTION_KINDS; i++)
		sum += weights[i] * w->corrections[i][b->side][correction_place(w, s, i)];
	return sum / 5600;
}

void
correction_update(struct ab_worker *w, const struct ab_ply *s, int depth, int off)
{
	const struct board *b = &w->board;
	int weight = depth + 1 > 16 ? 16 : depth + 1;

	int most = 3 * w->unit;

	off = off > most ? most : off < -most ? -most : off;
	for (int i = 0; i < CORRECTION_KINDS; i++) {
		int16_t *c = &w->corrections[i][b->side][correction_place(w, s, i)];
		*c = (int16_t)((*c * (256 - weight) + off * 32 * weight) / 256);
	}
}
