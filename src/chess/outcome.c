#include "outcome.h"

#include "movegen.h"

static const char *const names[END_COUNT] = {
	"",
#define END(name, word) word,
	ENDS
#undef END
};

#define LIGHT_SQUARES 0x55aa55aa55aa55aaULL

const char *
end_name(enum end e)
{
	return names[e];
}

/* Bishops only, all on squares of one colour. */
static bool
one_coloured_bishops(const bitboard *p)
{
	return (p[ALL] & ~(p[BISHOP] | p[KING])) == 0 &&
	    ((p[BISHOP] & LIGHT_SQUARES) == 0 ||
	    (p[BISHOP] & ~LIGHT_SQUARES) == 0);
}

static bool
lone_knight(const bitboard *p)
{
	return (p[ALL] & ~(p[KNIGHT] | p[KING])) == 0 &&
	    (p[KNIGHT] & (p[KNIGHT] - 1)) == 0;
}

/*
 * In chess a lone minor piece wins only when the enemy's own pieces take
 * flight squares from their king, and bishops of one colour not even then.
 * Where the king may capture its own pieces nothing of its own is in its way,
 * so a side that cannot mate a bare king cannot mate at all. Where stalemate
 * wins, a minor piece is enough.
 */
bool
outcome_dead_material(const struct board *b)
{
	const bitboard *w = b->pieces[WHITE], *k = b->pieces[BLACK];
	bitboard bishops = w[BISHOP] | k[BISHOP];
	bitboard all = board_occupied(b);

	if ((w[PAWN] | k[PAWN] | w[ROOK] | k[ROOK] | w[QUEEN] | k[QUEEN]) != 0)
		return false;
	if (b->rules->stalemate_wins)
		return all == (w[KING] | k[KING]);
	if (b->rules->self_capture)
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

enum end
outcome_judge(const struct board *b, int nmoves, const uint64_t *keys,
    int plies)
{
	if (nmoves == 0)
		return board_checkers(b) != 0 ? END_CHECKMATE : END_STALEMATE;
	if (outcome_dead_material(b))
		return END_MATERIAL;
	if (b->count >= 4 && outcome_repetitions(b, keys, plies + 1) >= 3)
		return END_REPETITION;
	if (b->count >= b->rules->count_limit)
		return END_FIFTY;
	if (plies >= b->rules->ply_limit)
		return END_LENGTH;
	return END_NONE;
}

int
outcome_winner(const struct board *b, enum end e)
{
	bool won = e == END_CHECKMATE ||
	    (e == END_STALEMATE && b->rules->stalemate_wins);

	if (!won)
		return 0;
	return b->side == WHITE ? -1 : 1;
}
