#include "abworker.h"

#include "abhistory.h"
#include "chess/attack.h"
#include "see.h"

static int
capture_score(struct ab_worker *w, move m)
{
	const struct board *b = &w->board;
	int v = w->worth[captured_type(b, m)] * 16 - w->worth[type_at(b, move_from(m))] +
	    *capture_history(w, m) * 50 / 100;

	if (b->rules->explode && board_is_capture(b, m))
		return see_explosion(b, m, w->worth) * 16 +
		    *capture_history(w, m) * 50 / 100;
	if (move_is_promotion(m))
		v += w->worth[move_promotion(m)] * 16;
	return v;
}

int
goal_moves(const struct board *b, move *list)
{
	int us = b->side, found = 0;
	const struct piece *p = rules_piece(b->rules, us, KING);
	bitboard king = b->pieces[us][KING], goal = b->rules->goal[us] & ~king;
	bitboard occupied = board_occupied(b), may = 0;

	if (goal == 0)
		return 0;
	for (bitboard set = king; set != 0;) {
		int sq = pop_square(&set);
		may |= attack_piece(p, PIECE_CAPTURE, us, sq, occupied) |
		    attack_piece(p, PIECE_QUIET, us, sq, occupied);
	}
	if ((may & goal) == 0)
		return 0;
	int n = movegen_list(b, list);
	for (int i = 0; i < n; i++)
		if (!move_is_drop(list[i]) && (king & bit(move_from(list[i]))) != 0 &&
		    (goal & bit(move_to(list[i]))) != 0 && !move_is_castling(list[i]))
			list[found++] = list[i];
	return found;
}

/* Losing captures come after quiet moves, underpromotions last. */
static int
noisy_score(struct ab_worker *w, move m)
{
	const struct board *b = &w->board;

	if (move_is_promotion(m) && move_promotion(m) != w->promotion)
		return ORDER_BAD + capture_score(w, m) - (1 << 20);
	return capture_score(w, m) +
	    (see_at_least(b, m, -w->unit / 4, w->worth) ? ORDER_GOOD : ORDER_BAD);
}

/* hit: squares that enemy pawns attack, which pieces should leave and avoid. */
static int
quiet_score(struct ab_worker *w, struct ab_ply *s, move m, move counter, bitboard hit)
{
	const struct board *b = &w->board;

	if (is_self_capture(b, m))
		return history_of(w, s, m) - (1 << 20) - w->worth[type_at(b, move_to(m))];
	if (m == s->killers[0])
		return ORDER_KILLER + 2;
	if (m == s->killers[1])
		return ORDER_KILLER + 1;
	if (m == counter)
		return ORDER_KILLER;
	int safer = 0;
	if (type_at(b, move_from(m)) != PAWN && !move_is_drop(m))
		safer = (hit & bit(move_from(m)) ? 7000 : 0) -
		    (hit & bit(move_to(m)) ? 7000 : 0);
	return history_of(w, s, m) + safer;
}

void
picker_init(struct ab_picker *p, struct ab_worker *w, struct ab_ply *s, move first)
{
	const struct board *b = &w->board;
	bitboard hit = attack_pawns(b->pieces[b->side ^ 1][PAWN], b->side ^ 1);
	move counter = 0;

	if (s[-1].move != 0) {
		int to = move_to(s[-1].move), code = b->square[to];
		counter = code != 0 ? w->counter[piece_index(code)][to] : 0;
	}
	if (s->in_check)
		s->pawns = pawns_hash(b);
	p->n = movegen_list(b, p->list);
	p->next = 0;
	for (int i = 0; i < p->n; i++) {
		move m = p->list[i];
		p->score[i] = m == first   ? ORDER_FIRST
		    : board_is_noisy(b, m) ? noisy_score(w, m)
					   : quiet_score(w, s, m, counter, hit);
	}
}

static void
add_goal_moves(struct ab_picker *p, const struct board *b)
{
	move list[MOVES_MAX];

	for (int n = goal_moves(b, list); n > 0; n--)
		if (!board_is_noisy(b, list[n - 1])) {
			p->score[p->n] = ORDER_GOOD;
			p->list[p->n++] = list[n - 1];
		}
}

void
picker_init_noisy(struct ab_picker *p, struct ab_worker *w, move first)
{
	int n = movegen_noisy(&w->board, p->list);

	p->n = p->next = 0;
	for (int i = 0; i < n; i++) {
		move m = p->list[i];
		if (move_is_promotion(m) && move_promotion(m) != w->promotion)
			continue;
		p->score[p->n] = m == first ? ORDER_FIRST : capture_score(w, m);
		p->list[p->n++] = m;
	}
	/* without the last word, a king's arrival ends the game: ab_goal_decides() */
	if (w->board.rules->last_word && w->board.side == WHITE)
		add_goal_moves(p, &w->board);
}

move
picker_next(struct ab_picker *p, int *score)
{
	int best = p->next;

	if (p->next == p->n)
		return 0;
	for (int i = p->next + 1; i < p->n; i++)
		if (p->score[i] > p->score[best])
			best = i;
	move m = p->list[best];
	*score = p->score[best];
	p->list[best] = p->list[p->next];
	p->score[best] = p->score[p->next];
	p->next++;
	return m;
}

void
picker_drop_quiet(struct ab_picker *p, const struct board *b)
{
	int n = p->next;

	for (int i = p->next; i < p->n; i++)
		if (board_is_noisy(b, p->list[i])) {
			p->list[n] = p->list[i];
			p->score[n++] = p->score[i];
		}
	p->n = n;
}
