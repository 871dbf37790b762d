/*
 * How games end: dead material (against all placements of small balances),
 * repetition, the 50-move count, the ply limit, and who has won.
 */
#include "chess/outcome.h"

#include "common.h"
#include "data/rulespec.h"
#include "naive/naive.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- dead material ---- */

/* Two more pieces beside the kings at most. A second bishop stands on squares
 * of the first one's colour or of the other. */
struct balance {
	const char *name;
	int n;
	struct man {
		int side, type;
		int other_colour; /* than the first bishop's */
	} man[2];
	/* dead under: classical, self-capture; where stalemate wins only bare
	 * kings are */
	bool dead, dead_self_capture;
};

static const struct balance balances[] = {
	{ "K v K", 0, { { 0 } }, true, true },
	{ "K+N v K", 1, { { WHITE, KNIGHT, 0 } }, true, true },
	{ "K+B v K", 1, { { WHITE, BISHOP, 0 } }, true, true },
	{ "K+R v K", 1, { { WHITE, ROOK, 0 } }, false, false },
	{ "K+Q v K", 1, { { WHITE, QUEEN, 0 } }, false, false },
	{ "K v K+N", 1, { { BLACK, KNIGHT, 0 } }, true, true },
	{ "K v K+B", 1, { { BLACK, BISHOP, 0 } }, true, true },
	{ "K+N v K+N", 2, { { WHITE, KNIGHT, 0 }, { BLACK, KNIGHT, 0 } }, false, true },
	{ "K+B v K+N", 2, { { WHITE, BISHOP, 0 }, { BLACK, KNIGHT, 0 } }, false, true },
	{ "K+N v K+B", 2, { { WHITE, KNIGHT, 0 }, { BLACK, BISHOP, 0 } }, false, true },
	{ "K+B v K+B, same colour", 2, { { WHITE, BISHOP, 0 }, { BLACK, BISHOP, 0 } },
	    true, true },
	{ "K+B v K+B, opposite colours", 2,
	    { { WHITE, BISHOP, 0 }, { BLACK, BISHOP, 1 } }, false, true },
	{ "K+B+B v K, same colour", 2, { { WHITE, BISHOP, 0 }, { WHITE, BISHOP, 0 } },
	    true, true },
	{ "K+B+B v K, opposite colours", 2,
	    { { WHITE, BISHOP, 0 }, { WHITE, BISHOP, 1 } }, false, false },
	{ "K+N+N v K", 2, { { WHITE, KNIGHT, 0 }, { WHITE, KNIGHT, 0 } }, false, false },
	{ "K v K+B+N", 2, { { BLACK, BISHOP, 0 }, { BLACK, KNIGHT, 0 } }, false, false },
	{ "K+R v K+N", 2, { { WHITE, ROOK, 0 }, { BLACK, KNIGHT, 0 } }, false, false },
};

static int
colour_of(int sq)
{
	return (file_of(sq) + rank_of(sq)) & 1;
}

/* Is this position, the loser to move, won for the other side? */
static bool
is_won(const struct board *b)
{
	int winner = b->side ^ 1;

	if (board_attackers(b, board_king(b, winner), b->side, board_occupied(b)) != 0)
		return false; /* cannot be played */
	if (movegen_count(b) != 0)
		return false;
	return outcome_winner(b,
		   board_checkers(b) != 0 ? END_CHECKMATE : END_STALEMATE) ==
	    (winner == WHITE ? 1 : -1);
}

/* Puts the men from the i-th on everywhere. The men that `gone` names have
 * been captured. */
static bool
place_men(const struct board *b, const struct balance *t, int gone, int i, int colour)
{
	const struct man *man = &t->man[i];
	struct board next;

	if (i == t->n)
		return is_won(b);
	if ((gone >> i & 1) != 0)
		return place_men(b, t, gone, i + 1, colour);
	for (int sq = 0; sq < 64; sq++) {
		int c = colour_of(sq);
		if (b->square[sq] != 0)
			continue;
		if (man->type == BISHOP && colour != -1 &&
		    (c ^ man->other_colour) != colour)
			continue;
		next = *b;
		board_put(&next, man->side, man->type, sq);
		if (place_men(&next, t, gone, i + 1,
			man->type == BISHOP && colour == -1 ? c : colour))
			return true;
	}
	return false;
}

/* The loser's king stands on a triangle of ten squares: without pawns and
 * castling all else is a reflection of that. */
static bool
place_kings(const struct rules *r, const struct balance *t, int gone, int loser)
{
	static const int triangle[] = { 0, 1, 2, 3, 9, 10, 11, 18, 19, 27 };
	struct board b;

	for (size_t i = 0; i < COUNT(triangle); i++) {
		for (int sq = 0; sq < 64; sq++) {
			if (sq == triangle[i])
				continue;
			board_clear(&b, r);
			b.side = (uint8_t)loser;
			board_put(&b, loser, KING, triangle[i]);
			board_put(&b, loser ^ 1, KING, sq);
			if (place_men(&b, t, gone, 0, -1))
				return true;
		}
	}
	return false;
}

/* Can anybody win with these men, or after some were captured? */
static bool
can_be_won(const struct rules *r, const struct balance *t)
{
	for (int gone = 0; gone < 1 << t->n; gone++)
		if (place_kings(r, t, gone, WHITE) || place_kings(r, t, gone, BLACK))
			return true;
	return false;
}

/* What the engine says of the balance, the men being put anywhere. */
static bool
engine_says_dead(const struct rules *r, const struct balance *t)
{
	static const int where[2][2] = { { 18, 36 }, { 37, 17 } };
	struct board b;
	int colour = -1, said = -1;

	for (int k = 0; k < 2; k++) {
		board_clear(&b, r);
		board_put(&b, WHITE, KING, 4);
		board_put(&b, BLACK, KING, 60);
		for (int i = 0; i < t->n; i++) {
			int sq = where[k][i];
			if (t->man[i].type == BISHOP && colour != -1 &&
			    (colour_of(sq) ^ t->man[i].other_colour) != colour)
				sq++;
			if (t->man[i].type == BISHOP && colour == -1)
				colour = colour_of(sq);
			board_put(&b, t->man[i].side, t->man[i].type, sq);
		}
		bool dead = outcome_dead_material(&b);
		if (said != -1 && said != dead)
			return !t->dead; /* wherever they stand */
		said = dead;
		colour = -1;
	}
	return said == 1;
}

static void
test_balances(void)
{
	static const struct {
		const char *sum;
		bool stalemate_wins, self_capture;
	} table[] = {
		{ "classical", false, false },
		{ "self-capture", false, true },
		{ "stalemate-win", true, false },
		{ "self-capture+stalemate-win", true, true },
	};
	struct rules r;

	for (size_t k = 0; k < COUNT(table); k++) {
		rules_of(&r, table[k].sum);
		for (size_t i = 0; i < COUNT(balances); i++) {
			const struct balance *t = &balances[i];
			bool dead = table[k].stalemate_wins ? t->n == 0
			    : table[k].self_capture         ? t->dead_self_capture
							    : t->dead;
			if (!ok(engine_says_dead(&r, t) == dead, "%s: %s is %s",
				table[k].sum, t->name, dead ? "dead" : "alive"))
				continue;
			if (SANITIZED && dead && t->n == 2)
				continue; /* too slow, and seen without */
			ok(can_be_won(&r, t) != dead, "%s: %s: %s placement is a win",
			    table[k].sum, t->name, dead ? "no" : "some");
		}
	}
}

/* Larger balances, by FEN: dead under classical, self-capture. */
static void
test_material_table(void)
{
	static const struct {
		const char *fen;
		bool dead, dead_self_capture;
	} table[] = {
		{ "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false, false },
		{ "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1", false, false },
		{ "4k3/8/8/8/2R5/8/8/4K3 w - - 0 1", false, false },
		{ "4k3/8/8/8/2q5/8/8/4K3 w - - 0 1", false, false },
		{ "b3k3/1b6/8/8/8/8/6B1/4K2B w - - 0 1", true, true },
		{ "b3k3/1b6/8/8/8/6B1/8/4K2B w - - 0 1", false, false },
		{ "bb2k3/8/8/8/8/8/8/4K3 w - - 0 1", false, false },
		{ "b3k3/1b6/8/8/8/8/7B/4K1B1 w - - 0 1", false, true },
		{ "4k1nn/8/8/8/8/8/8/4K2B w - - 0 1", false, false },
		{ "4k1n1/8/8/8/8/8/6B1/4K2B w - - 0 1", false, true },
		{ "4k1n1/8/8/8/8/8/7N/4K2B w - - 0 1", false, false },
	};
	struct rules r;
	struct board b;
	char sum[SUM_MAX];
	int wrong = 0, n = 0;

	for (int i = 0; i < SUMS; i++) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		for (size_t k = 0; k < COUNT(table); k++) {
			board_of(&b, &r, table[k].fen);
			bool dead = !r.stalemate_value[WHITE] &&
			    (r.self_capture[WHITE] ? table[k].dead_self_capture
						   : table[k].dead);
			n++;
			if (outcome_dead_material(&b) != dead && wrong++ < 5)
				diag("%s: %s is %s", sum, table[k].fen,
				    dead ? "alive" : "dead");
		}
	}
	ok(wrong == 0, "%d balances under all sums", n);
}

/* ---- games ---- */

/* A game, after which ply it ends first, and how; the oracle is asked too. */
static const struct game {
	const char *what, *sum, *fen, *moves;
	int plies; /* at which the end comes; -1: never */
	const char *end;
	int winner;
} games[] = {
#define SHUFFLE "g1f3 g8f6 f3g1 f6g8 "
#define KINGS "e1d1 e8d8 d1e1 d8e8 "
	{ "threefold repetition", "classical", START_FEN, SHUFFLE SHUFFLE, 8,
	    "repetition", 0 },
	{ "twice is not enough", "classical", START_FEN, SHUFFLE "g1f3 g8f6 f3g1", -1, "",
	    0 },
	{ "in another order", "classical", START_FEN,
	    "g1f3 b8c6 f3g1 c6b8 b1c3 g8f6 c3b1 f6g8", 8, "repetition", 0 },
	{ "a pawn move between", "classical", START_FEN,
	    SHUFFLE "e2e3 e7e6 " SHUFFLE "g1f3 g8f6 f3g1", -1, "", 0 },
	{ "other side to move", "classical", "4k2q/8/8/8/8/8/8/4K2Q w - - 0 1",
	    "e1e2 e8e7 e2d1 e7e8 d1e1 e8d8 e1e2 d8e8", -1, "", 0 },
	/* the position after e4 comes again without the right */
	{ "en passant was legal", "classical", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
	    "e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1", -1, "", 0 },
	{ "en passant was legal, once more", "classical",
	    "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
	    "e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1", 10,
	    "repetition", 0 },
	{ "en passant was not legal: nobody there", "classical",
	    "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1",
	    "e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1", 9, "repetition", 0 },
	{ "en passant was not legal: pinned on the file", "classical",
	    "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
	    "e2e4 d8e8 e1e2 e8d8 e2e1 d8e8 e1e2 e8d8 e2e1", 9, "repetition", 0 },
	{ "en passant was not legal: exposed on the rank", "classical",
	    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
	    "e2e4 a4b4 e1d1 b4a4 d1e1 a4b4 e1d1 b4a4 d1e1", 9, "repetition", 0 },
	{ "torpedo: en passant on another rank", "torpedo",
	    "4k3/8/8/3p4/8/4P3/8/4K3 w - - 0 1",
	    "e3e5 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1", -1, "", 0 },
	{ "castling rights were lost", "classical",
	    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	    "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8", -1, "", 0 },
	{ "castling rights were lost, once more", "classical",
	    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	    "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8 h1g1 h8g8", 10, "repetition", 0 },
	{ "no castling, no rights", "no-castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	    "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8", 8, "repetition", 0 },
	{ "rights that are not yet of use", "no-castling-10",
	    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	    "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8", -1, "", 0 },
	{ "pawns repeat too: back", "pawn-back", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
	    "e2e3 e7e6 e3e2 e6e7 e2e3 e7e6 e3e2 e6e7", 8, "repetition", 0 },
	{ "pawns repeat too: a double step and two back", "pawn-back",
	    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
	    "e2e4 e8d8 e4e3 d8e8 e3e2 e8d8 e2e4 d8e8 e4e3 e8d8 e3e2 d8e8", -1, "", 0 },
	{ "pawns repeat too: sideways", "pawn-sideways",
	    "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
	    "e2d2 e7d7 d2e2 d7e7 e2d2 e7d7 d2e2 d7e7", 8, "repetition", 0 },
	/* the count */
	{ "fifty moves", "classical", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", 1,
	    "fifty", 0 },
	{ "not yet", "classical", "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2", -1, "", 0 },
	{ "mate on the last ply", "classical", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80",
	    "a1a8", 1, "checkmate", 1 },
	{ "mate by Black on the last ply", "classical",
	    "r5k1/8/8/8/8/8/5PPP/6K1 b - - 99 80", "a8a1", 1, "checkmate", -1 },
	{ "stalemate on the last ply", "classical", "k7/8/1K6/8/8/8/8/6Q1 w - - 99 80",
	    "g1g3", 1, "stalemate", 0 },
	{ "stalemate on the last ply wins", "stalemate-win",
	    "k7/8/1K6/8/8/8/8/6Q1 w - - 99 80", "g1g3", 1, "stalemate", 1 },
	{ "dead material before the count", "classical",
	    "4k3/8/8/8/8/8/4r3/4K3 w - - 99 80", "e1e2", 1, "material", 0 },
	{ "repetition before the count", "classical", "4k3/8/8/8/8/8/8/R3K3 w - - 92 80",
	    KINGS KINGS, 8, "repetition", 0 },
	{ "a pawn move saves", "classical", "4k3/8/8/8/8/8/4P3/4K3 w - - 99 80", "e2e3",
	    -1, "", 0 },
	{ "a pawn move does not save", "pawn-back", "4k3/8/8/8/8/8/4P3/4K3 w - - 99 80",
	    "e2e3", 1, "fifty", 0 },
	{ "nor does promotion", "pawn-back", "8/4P1k1/8/8/8/8/8/4K3 w - - 99 80", "e7e8q",
	    1, "fifty", 0 },
	{ "but a capture does", "pawn-back", "4k3/8/8/8/8/8/r7/R3K3 w - - 99 80", "a1a2",
	    -1, "", 0 },
	{ "a step forward saves", "pawn-sideways", "4k3/8/8/8/8/8/4P3/4K3 w - - 99 80",
	    "e2e3", -1, "", 0 },
	{ "a step sideways does not", "pawn-sideways",
	    "4k3/8/8/8/8/8/4P3/4K3 w - - 99 80", "e2d2", 1, "fifty", 0 },
	{ "mate by a pawn on the last ply", "pawn-back",
	    "7k/8/6PK/8/2B5/8/8/8 w - - 99 80", "g6g7", 1, "checkmate", 1 },
	{ "taking one's own piece saves", "self-capture",
	    "4k3/8/8/8/8/8/8/RN2K3 w - - 99 80", "a1b1", -1, "", 0 },
	/* wins */
	{ "fool's mate", "classical", START_FEN, "f2f3 e7e5 g2g4 d8h4", 4, "checkmate",
	    -1 },
	{ "no mate: the king takes its own pawn", "self-capture",
	    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", -1, "", 0 },
	{ "mate", "classical", "R7/8/8/1p6/8/8/2K5/k7 b - - 0 1", "", 0, "checkmate", 1 },
	{ "no mate: a pawn steps between", "pawn-sideways",
	    "R7/8/8/1p6/8/8/2K5/k7 b - - 0 1", "", -1, "", 0 },
	{ "stalemate is a draw", "classical", "k7/8/1K6/8/8/8/8/6Q1 w - - 0 80", "g1g3",
	    1, "stalemate", 0 },
	{ "stalemate wins", "stalemate-win", "K7/8/1k6/8/8/8/8/6q1 b - - 0 80", "g1g3", 1,
	    "stalemate", -1 },
	{ "stalemate with a blocked pawn", "classical",
	    "4k3/8/8/4p3/4P3/8/2q5/K7 w - - 0 80", "", 0, "stalemate", 0 },
	{ "no stalemate: a pawn steps back", "pawn-back",
	    "4k3/8/8/4p3/4P3/8/2q5/K7 w - - 0 80", "", -1, "", 0 },
	{ "material", "classical", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 80", "e1e2", 1,
	    "material", 0 },
	{ "not dead where stalemate wins", "stalemate-win",
	    "4k3/8/8/8/8/3b4/4n3/4K3 w - - 0 80", "e1d1 d3b1", -1, "", 0 },
};

static void
test_game(const struct game *g, struct naive *oracle)
{
	struct rules r;
	struct board b;
	struct undo u;
	uint64_t keys[64];
	char uci[6];
	const char *moves = g->moves;
	int plies = 0, used, ended = -1;
	enum end end = END_NONE;
	bool good = true;

	rules_of(&r, g->sum);
	board_of(&b, &r, g->fen);
	naive_init(oracle, g->sum, g->fen);
	for (;;) {
		keys[plies] = b.key;
		enum end e = outcome_find(&b, keys, plies);
		good = good && strcmp(end_name(e), naive_end(oracle)) == 0 &&
		    outcome_winner(&b, e) == naive_winner(oracle);
		if (e != END_NONE && ended == -1) {
			ended = plies;
			end = e;
			good = good && outcome_winner(&b, e) == g->winner;
		}
		if (sscanf(moves, "%5s%n", uci, &used) != 1)
			break;
		moves += used;
		move m = move_of(&b, uci);
		if (m == 0)
			bail_out(g->what, uci, "not legal");
		board_make(&b, m, &u);
		naive_play(oracle, uci);
		plies++;
	}
	if (!ok(good && ended == g->plies && strcmp(end_name(end), g->end) == 0, "%s: %s",
		g->sum, g->what))
		diag("'%s' after %d plies, the oracle ends with '%s'", end_name(end),
		    ended, naive_end(oracle));
}

/* ---- the count ---- */

enum kind { PIECE, STEP, SIDEWAYS, BACK, TAKES };

static void
test_count(void)
{
	static const struct {
		const char *fen, *uci;
		enum kind kind;
		const char *needs; /* a preset, without which it is illegal */
	} table[] = {
		{ "4k3/8/8/8/8/8/4P3/4K2R w K - 50 20", "h1h2", PIECE, "" },
		{ "4k3/8/8/8/8/8/4P3/4K2R w K - 50 20", "e1f1", PIECE, "" },
		{ "4k3/8/8/8/8/8/4P3/4K2R w K - 50 20", "e1g1", PIECE, "castling" },
		{ "4k3/8/8/8/8/8/4P3/4K2R w K - 50 20", "e2e3", STEP, "" },
		{ "4k3/8/8/8/8/8/4P3/4K2R w K - 50 20", "e2e4", STEP, "double" },
		{ "4k3/8/8/8/4P3/8/8/4K3 w - - 50 20", "e4e6", STEP, "torpedo" },
		{ "4k3/8/8/8/4P3/8/8/4K3 w - - 50 20", "e4e3", BACK, "pawn-back" },
		{ "4k3/8/8/8/4P3/8/8/4K3 w - - 50 20", "e4d4", SIDEWAYS,
		    "pawn-sideways" },
		{ "8/4P1k1/8/8/8/8/8/4K3 w - - 50 20", "e7e8q", STEP, "" },
		{ "8/4P1k1/8/8/8/8/8/4K3 w - - 50 20", "e7e8n", STEP, "" },
		{ "8/6k1/4P3/8/8/8/8/4K3 w - - 50 20", "e6e8q", STEP, "torpedo" },
		{ "3r4/4P1k1/8/8/8/8/8/4K3 w - - 50 20", "e7d8q", TAKES, "" },
		{ "4k3/8/8/3pP3/8/8/8/4K3 w - d6 50 20", "e5d6", TAKES, "double" },
		{ "4k3/8/8/3p4/4P3/8/8/4K3 w - - 50 20", "e4d5", TAKES, "" },
		{ "4k3/8/8/3p4/8/2N5/8/4K3 w - - 50 20", "c3d5", TAKES, "" },
		{ "4k3/8/8/3P4/8/2N5/8/4K3 w - - 50 20", "c3d5", TAKES, "self-capture" },
		{ "4k3/8/8/3N4/4P3/8/8/4K3 w - - 50 20", "e4d5", TAKES, "self-capture" },
		{ "4k3/8/8/8/8/8/4P3/4K3 w - - 50 20", "e1e2", TAKES, "self-capture" },
	};
	struct rules r;
	struct board b;
	struct undo u;
	char sum[SUM_MAX];
	int wrong = 0, n = 0;

	for (int i = 0; i < SUMS; i++) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		for (size_t k = 0; k < COUNT(table); k++) {
			const char *needs = table[k].needs;
			enum kind kind = table[k].kind;
			bool legal = strcmp(needs, "castling") == 0
			    ? r.castling_from[WHITE] != 0
			    : strcmp(needs, "double") == 0 ? r.double_step[WHITE] != 0
			    : strcmp(needs, "torpedo") == 0
			    ? r.double_step[WHITE] == 6
			    : needs[0] == '\0' || strstr(sum, needs) != NULL;
			bool resets = kind == TAKES ||
			    (kind != PIECE && !r.pawn_back[WHITE] &&
				(!r.pawn_sideways[WHITE] || kind != SIDEWAYS));
			board_of(&b, &r, table[k].fen);
			move m = move_of(&b, table[k].uci);
			if (m != 0)
				board_make(&b, m, &u);
			n++;
			if (((m != 0) != legal ||
				(legal && b.count != (resets ? 0 : 51))) &&
			    wrong++ < 5)
				diag("%s: %s %s: legal %d, count %d", sum, table[k].fen,
				    table[k].uci, m != 0, b.count);
		}
	}
	ok(wrong == 0, "%d moves reset the count or do not, under all sums", n);
}

/* ---- limits of a user's own rules, and of plies ---- */

static void
test_limits(void)
{
	static const char json[] = "{\"count_limit\":10,\"ply_limit\":20}";
	struct rules r;
	struct board b;
	uint64_t keys[600] = { 0 };
	char reason[RULES_REASON_MAX];

	if (rulespec_parse(&r, json, strlen(json), reason) == -1)
		bail_out("rules", json, reason);
	board_of(&b, &r, "4k3/8/8/8/8/8/8/R3K3 w - - 9 1");
	ok(outcome_find(&b, keys, 0) == END_NONE, "9 of a count of 10");
	b.count = 10;
	ok(outcome_find(&b, keys, 0) == END_FIFTY, "10 of a count of 10");
	b.count = 0;
	ok(outcome_find(&b, keys, 19) == END_NONE, "19 of 20 plies");
	ok(outcome_find(&b, keys, 20) == END_LENGTH, "20 of 20 plies");
	rules_of(&r, "classical");
	ok(outcome_find(&b, keys, 511) == END_NONE, "511 plies");
	ok(outcome_find(&b, keys, 512) == END_LENGTH, "512 plies");
	board_of(&b, &r, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
	ok(outcome_find(&b, keys, 512) == END_CHECKMATE, "mate on ply 512");
	board_of(&b, &r, "k7/8/1K6/8/8/6Q1/8/8 b - - 100 1");
	ok(outcome_find(&b, keys, 512) == END_STALEMATE,
	    "stalemate on ply 512 and of the count");
}

static void
test_names(void)
{
	static const char *const names[END_COUNT] = { "", "checkmate", "stalemate",
		"material", "repetition", "fifty", "length", "resign", "unknown",
		"checks", "hill", "bare-king", "goal", "explosion", "lost-all" };
	bool good = true;

	for (int e = 0; e < END_COUNT; e++)
		good = good && strcmp(end_name((enum end)e), names[e]) == 0;
	ok(good, "the words for ends");
}

int
main(void)
{
	struct naive *oracle = malloc(sizeof(*oracle));

	test_names();
	test_material_table();
	test_count();
	test_limits();
	for (size_t i = 0; i < COUNT(games); i++)
		test_game(&games[i], oracle);
	free(oracle);
	test_balances();
	return tap_end();
}
