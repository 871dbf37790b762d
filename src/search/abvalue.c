/*
 * The static evaluation of a position in alpha-beta's tree, ends of the game, and
 * the key for the transposition table.
 */
#include "absearch.h"

#include <math.h>

#include "base/rng.h"
#include "chess/outcome.h"

static int
material(const struct ab_worker *w)
{
	const struct board *b = &w->board;
	int sum = 0;

	for (int type = PAWN; type < b->rules->ntypes; type++)
		sum += w->worth[type] *
		    (board_count(b, b->side, type) - board_count(b, b->side ^ 1, type));
	return sum;
}

int
ab_eval(struct ab_worker *w, struct ab_ply *s, int ply)
{
	const struct ab_evaluator *j = &w->ab->evaluator;

	switch (j->kind) {
	case AB_NET: {
		int from = ply - 1;
		while (from >= 0 && !s[from - ply].filled)
			from--;
		s->filled = true;
		return sparse_score(&w->sums, &w->board, ply, from);
	}
	case AB_MATERIAL:
		return material(w);
	case AB_NOISE:
		return (int)(rng_stir(w->board.key ^ rng_stir(j->seed)) % 201) - 100;
	default:
		return 0;
	}
}

/* A value for the mover, in hundredths of a win, as a score. */
static int
score_of_points(int points, int ply)
{
	if (points >= 100)
		return AB_MATE - ply;
	if (points <= -100)
		return ply - AB_MATE;
	if (points == 0)
		return 0;
	double p = (100 + points) / 200.0;
	return (int)lround(SPARSE_UNIT * log(p / (1 - p)));
}

static int
score_of_end(const struct board *b, enum end e, int ply)
{
	int points = outcome_value(b, e);

	return score_of_points(b->side == WHITE ? points : -points, ply);
}

/* A draw by repetition, counts or material. Repetitions are looked for in the game
 * and in the line. */
static enum end
find_draw(struct ab_worker *w, int ply)
{
	const struct board *b = &w->board;
	int plies = w->plies + ply;

	if (b->count >= 4) {
		int first = plies - b->count, times = 1;
		if (first < 0)
			first = 0;
		for (int i = plies - 4; i >= first; i -= 2) {
			if (w->keys[i] != b->key)
				continue;
			if (++times == 3 || (i >= w->plies && w->early_draws))
				return END_REPETITION;
		}
	}
	if (b->count >= b->rules->count_limit)
		return END_FIFTY;
	if (plies >= b->rules->ply_limit)
		return END_LENGTH;
	return outcome_dead_material(b) ? END_MATERIAL : END_NONE;
}

/*
 * Must legal moves be counted to see whether the game is over? Yes if it has ended
 * early (movegen_early_end()), or if it may have by a stalemate that is worth
 * something and that quiescence would overlook.
 */
static bool
needs_count(const struct ab_worker *w)
{
	const struct board *b = &w->board;

	return (w->special_ends && movegen_early_end(b) != END_NONE) ||
	    ((b->rules->stalemate_value[WHITE] | b->rules->stalemate_value[BLACK]) != 0 &&
		few_pieces(b));
}

/* Mate and stalemate come before draws. */
bool
ab_is_end(struct ab_worker *w, int ply, int *score)
{
	const struct board *b = &w->board;
	enum end e = find_draw(w, ply);

	if (e == END_NONE && !needs_count(w))
		return false;
	if (e != END_REPETITION && movegen_count(b) == 0)
		e = outcome_now(b, 0);
	if (e == END_NONE)
		return false;
	*score = score_of_end(b, e, ply);
	return true;
}

/* With White's king at its goal Black draws by reaching its own, and else loses. */
static int
score_last_word(const struct board *b, move goal, int ply)
{
	struct board after = *b;
	struct undo u;

	if (goal == 0)
		return ply + 1 - AB_MATE;
	board_make(&after, goal, &u);
	return -score_of_end(&after, outcome_now(&after, 0), ply + 1);
}

bool
ab_goal_decides(struct ab_worker *w, int ply, int *score)
{
	const struct board *b = &w->board;
	const struct rules *r = b->rules;
	int us = b->side;
	bool last =
	    r->last_word && us == BLACK && (b->pieces[WHITE][KING] & r->goal[WHITE]) != 0;
	move list[MOVES_MAX];

	if (!w->special_ends || w->ab->options.plain || ply == 0 ||
	    (r->last_word && us == WHITE) || (last && (r->may_check[us] || r->explode)))
		return false;
	int n = goal_moves(b, list);
	if (last && movegen_count(b) > 0)
		*score = score_last_word(b, n > 0 ? list[0] : 0, ply);
	else if (!last && n > 0)
		*score = AB_MATE - ply - 1;
	else
		return false;
	return true;
}

int
ab_score_without_moves(const struct ab_worker *w, int ply)
{
	return score_of_end(&w->board, outcome_now(&w->board, 0), ply);
}

uint64_t
ab_key(const struct ab_worker *w, int ply)
{
	const struct board *b = &w->board;
	const struct rules *r = b->rules;
	uint64_t key = b->key ^ w->ab->rules_key;

	if (b->castling != 0 &&
	    (b->fullmove < r->castling_from[WHITE] ||
		b->fullmove < r->castling_from[BLACK]))
		key ^= rng_stir(b->fullmove + 1000ULL);
	if (b->count + 20 > r->count_limit)
		key ^= rng_stir(b->count + 100000ULL);
	if (w->plies + ply + 20 > r->ply_limit)
		key ^= rng_stir(200000ULL + (unsigned)(w->plies + ply));
	return key;
}
