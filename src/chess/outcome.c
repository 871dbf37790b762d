#include "outcome.h"

#include "attack.h"
#include "movegen.h"

static const struct {
	const char *word, *sentence;
	bool seen;
} ends[END_COUNT] = { { "", "", false },
#define END(name, word, seen, sentence) { word, sentence, seen },
	ENDS
#undef END
};

#define LIGHT_SQUARES 0x55aa55aa55aa55aaULL

const char *
end_name(enum end e)
{
	return ends[e].word;
}

const char *
end_sentence(enum end e)
{
	return ends[e].sentence;
}

bool
end_is_seen(enum end e)
{
	return ends[e].seen;
}

/* Has it bishops only, all on squares of one colour? */
static bool
one_coloured_bishops(const bitboard *p)
{
	return (p[ALL] & ~(p[BISHOP] | p[KING])) == 0 &&
	    ((p[BISHOP] & LIGHT_SQUARES) == 0 || (p[BISHOP] & ~LIGHT_SQUARES) == 0);
}

static bool
lone_knight(const bitboard *p)
{
	return (p[ALL] & ~(p[KNIGHT] | p[KING])) == 0 &&
	    (p[KNIGHT] & (p[KNIGHT] - 1)) == 0;
}

/* Do the rules allow a win with any material? Bare kings can reach a goal and
 * repeat positions, any piece can bare the other king, and where pieces drop,
 * explode, must capture or are not royal, nothing is sure. */
static bool
never_dead(const struct rules *r)
{
	bool never = r->listed;

	for (int side = WHITE; side <= BLACK; side++)
		never |= r->goal[side] != 0 || r->repetition_value[side] != 0 ||
		    r->bare_king_value[side] != 0 || r->lost_all_value[side] != 0 ||
		    rules_is_strange(r, side, KING);
	return never;
}

/* Is there a knight or bishop that moves differently from chess? */
static bool
strange_minors(const struct board *b)
{
	const bitboard *w = b->pieces[WHITE], *k = b->pieces[BLACK];
	const struct rules *r = b->rules;

	return (w[KNIGHT] != 0 && rules_is_strange(r, WHITE, KNIGHT)) ||
	    (k[KNIGHT] != 0 && rules_is_strange(r, BLACK, KNIGHT)) ||
	    (w[BISHOP] != 0 && rules_is_strange(r, WHITE, BISHOP)) ||
	    (k[BISHOP] != 0 && rules_is_strange(r, BLACK, BISHOP));
}

/*
 * In chess a lone minor piece can mate only if the enemy's own pieces block
 * their king's flight squares, and bishops of one colour not even then. Where a
 * king may capture its own pieces, they cannot block it, so a side that cannot
 * mate a bare king cannot mate at all. Where stalemate is worth something or
 * checks win, a minor piece is enough. Pieces that move differently from chess
 * are always assumed to be enough.
 */
bool
outcome_dead_material(const struct board *b)
{
	const bitboard *w = b->pieces[WHITE], *k = b->pieces[BLACK];
	const struct rules *r = b->rules;
	bitboard bishops = w[BISHOP] | k[BISHOP];
	bitboard all = board_occupied(b);

	if ((w[PAWN] | k[PAWN] | w[ROOK] | k[ROOK] | w[QUEEN] | k[QUEEN]) != 0 ||
	    never_dead(r))
		return false;
	if ((all & ~(w[KING] | k[KING] | w[KNIGHT] | k[KNIGHT] | bishops)) != 0)
		return false; /* spare kinds */
	if (r->stalemate_value[WHITE] != 0 || r->stalemate_value[BLACK] != 0 ||
	    r->checks_to_win[WHITE] != 0 || r->checks_to_win[BLACK] != 0 ||
	    strange_minors(b))
		return all == (w[KING] | k[KING]);
	if (r->self_capture[WHITE] && r->self_capture[BLACK])
		return (one_coloured_bishops(w) || lone_knight(w)) &&
		    (one_coloured_bishops(k) || lone_knight(k));
	if ((w[KNIGHT] | k[KNIGHT]) != 0)
		return __builtin_popcountll(all) == 3;
	return (bishops & LIGHT_SQUARES) == 0 || (bishops & ~LIGHT_SQUARES) == 0;
}

int
outcome_repetitions(const struct board *b, const uint64_t *keys, int n)
{
	int first = n - 1 - b->count, times = 1;

	if (first < 0)
		first = 0;
	for (int i = n - 3; i >= first; i -= 2)
		times += keys[i] == keys[n - 1];
	return times;
}

enum end
outcome_find(const struct board *b, const uint64_t *keys, int plies)
{
	return outcome_judge(b, movegen_count(b), keys, plies);
}

/* Has White reached its goal, and Black the last word? */
static bool
white_waits(const struct board *b)
{
	return b->rules->last_word && b->side == BLACK &&
	    (b->pieces[WHITE][KING] & b->rules->goal[WHITE]) != 0;
}

enum end
outcome_now(const struct board *b, int nmoves)
{
	enum end e;

	if (nmoves != 0)
		return END_NONE;
	bool check = board_checkers(b) != 0;
	if (check && (!b->rules->ends || !movegen_can_move(b)))
		return END_CHECKMATE;
	e = movegen_early_end(b);
	if (e == END_NONE && white_waits(b))
		return movegen_goal_end(b);
	return e != END_NONE ? e : END_STALEMATE;
}

enum end
outcome_judge(const struct board *b, int nmoves, const uint64_t *keys, int plies)
{
	if (nmoves == 0)
		return outcome_now(b, nmoves);
	if (b->count >= 4 && outcome_repetitions(b, keys, plies + 1) >= 3)
		return END_REPETITION;
	if (b->count >= b->rules->count_limit)
		return END_FIFTY;
	if (outcome_dead_material(b))
		return END_MATERIAL;
	if (plies >= b->rules->ply_limit)
		return END_LENGTH;
	return END_NONE;
}

static bool
both_are_bare(const struct board *b)
{
	return board_occupied(b) == (board_royals(b, WHITE) | board_royals(b, BLACK)) &&
	    b->hand[WHITE] == 0 && b->hand[BLACK] == 0;
}

/* With last_word both kings may have reached their goals, or White's before
 * Black's move. */
static int
goal_value(const struct board *b)
{
	const uint64_t *goal = b->rules->goal;
	bool white = (b->pieces[WHITE][KING] & goal[WHITE]) != 0;
	bool black = (b->pieces[BLACK][KING] & goal[BLACK]) != 0;

	if (!b->rules->last_word || b->side == BLACK)
		return 100;
	return 100 * (black - white);
}

static int
lost_all_value(const struct board *b)
{
	int us = b->side, value = 0;

	if (b->pieces[us][ALL] == 0 && b->hand[us] == 0)
		value -= b->rules->lost_all_value[us];
	if (b->pieces[us ^ 1][ALL] == 0 && b->hand[us ^ 1] == 0)
		value += b->rules->lost_all_value[us ^ 1];
	return value > 100 ? 100 : value < -100 ? -100 : value;
}

/* What it is worth to the side that has just moved; 0: an ordinary draw. */
static int
mover_value(const struct board *b, enum end e)
{
	int mover = b->side ^ 1;

	switch (e) {
	case END_CHECKMATE:
	case END_CHECKS:
	case END_EXPLOSION:
		return 100;
	case END_HILL:
	case END_GOAL:
		return goal_value(b);
	case END_LOST_ALL:
		return lost_all_value(b);
	case END_STALEMATE:
		return b->rules->stalemate_value[mover];
	case END_REPETITION:
		return b->rules->repetition_value[mover];
	case END_BARE_KING:
		return both_are_bare(b) ? 0 : b->rules->bare_king_value[mover];
	/* no default, so that the compiler reports a missing end */
	case END_MATERIAL:
	case END_FIFTY:
	case END_LENGTH:
	case END_RESIGN:
	case END_UNKNOWN:
	case END_NONE:
	case END_COUNT:
		break;
	}
	return 0;
}

int
outcome_value(const struct board *b, enum end e)
{
	int value = mover_value(b, e);

	if (value != 0)
		return b->side == WHITE ? -value : value;
	return e == END_NONE || e == END_RESIGN || e == END_UNKNOWN
	    ? 0
	    : b->rules->draw_value;
}

int
outcome_winner(const struct board *b, enum end e)
{
	int value = outcome_value(b, e);

	return (value == 100) - (value == -100);
}
