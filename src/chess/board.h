/*
 * A position: bitboards, the piece on each square, and the state that goes
 * with them. Square 0 is a1, 7 is h1, 63 is h8.
 *
 * The en passant square is set only if an en passant capture is legal, so two
 * positions are the same for the repetition rule exactly if their placement,
 * side to move, castling rights, en passant square, checks left to give, hands and
 * promoted pieces (with drops) are equal; the Zobrist key hashes just these.
 */
#ifndef CHESS_BOARD_H
#define CHESS_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "isa.h"
#include "rules.h"

typedef uint64_t bitboard;

/*
 * from, to and a tag: 6, 6 and 4 bits. 0 (a1a1) means no move. The tag of a
 * promotion is TAG_PROMOTION plus the new type, at least KNIGHT, so that no other
 * tag is as high. `from` of a drop is the type of the piece. `to` of castling is
 * the square in its long algebraic form: where the king goes, or, with TAG_ROOK,
 * the rook that it "takes".
 */
typedef uint16_t move;

enum {
	TAG_PLAIN,
	TAG_EN_PASSANT,
	TAG_CASTLING,
	TAG_ROOK,
	TAG_DROP,
	TAG_PROMOTION = 4 /* + type */
};
enum { WHITE_SHORT = 1, WHITE_LONG = 2, BLACK_SHORT = 4, BLACK_LONG = 8 };
enum { NO_SQUARE = 64 };
enum { HAND_MAX = 16 };            /* of each type */
#define HILL 0x0000001818000000ULL /* d4 e4 d5 e5 */

struct board {
	bitboard pieces[2][TYPES]; /* [side][ALL or type] */
	uint64_t key;
	const struct rules *rules;
	union {
		struct {
			uint16_t count;    /* of the 50-move rule, in plies */
			uint16_t fullmove; /* both stop at 65535 */
			uint8_t side;      /* to move */
			uint8_t castling;  /* rights, WHITE_SHORT | … */
			uint8_t ep;        /* en passant square or NO_SQUARE */
			uint8_t checks;    /* with checks_to_win: White's checks left
			                    * to give, Black's in the upper 4 bits;
			                    * else 0 */
		};
		uint64_t state; /* all of these, saved and restored at once */
	};
	uint8_t square[64]; /* 0, or side << 4 | type */
	/* With drops only: */
	uint64_t hand[2];  /* [side]: numbers of pieces, 6 bits for each type; see
	                    * board_in_hand() */
	bitboard promoted; /* pieces that go into a hand as pawns */
	/* Castling from other squares (Chess960); constant during a game. */
	uint8_t rook[4];      /* the rook's square for each castling right; 0 if
	                       * odd_castling is 0 */
	uint8_t odd_castling; /* rights whose king or rook started on another
	                       * than its usual square */
	uint8_t zero[3];      /* padding, so that boards can be compared by
	                       * memcmp(3) */
};

/* What board_unmake() needs beyond the board and the move. */
struct undo {
	uint64_t key, state;
	uint8_t captured;
	/* Only under rules with drops or explode: */
	uint8_t blown[9]; /* what exploded, in the order of squares */
	bitboard blast;   /* where */
	bitboard promoted;
	uint64_t hand[2];
};

/* clang-format off */
static inline int move_from(move m) { return m & 63; }
static inline int move_to(move m) { return (m >> 6) & 63; }
static inline int move_tag(move m) { return m >> 12; }
static inline bool move_is_plain(move m) { return m < 1 << 12; }
static inline bool move_is_ep(move m) { return m >> 12 == TAG_EN_PASSANT; }
static inline bool move_is_castling(move m) { return m >> 13 == TAG_CASTLING >> 1; }
static inline bool move_is_drop(move m) { return m >> 12 == TAG_DROP; }
static inline bool
move_is_promotion(move m)
{
	return m >= (TAG_PROMOTION + KNIGHT) << 12;
}

/* The new type of a promotion; the type of a drop. */
static inline int move_promotion(move m) { return (m >> 12) - TAG_PROMOTION; }
static inline int move_dropped(move m) { return m & 63; }
/* Is it castling written as king takes rook? */
static inline bool move_takes_rook(move m) { return m >> 12 == TAG_ROOK; }
/* clang-format on */

static inline move
move_make(int from, int to, int tag)
{
	return (move)(from | to << 6 | tag << 12);
}

/* clang-format off */
static inline bitboard bit(int sq) { return 1ULL << sq; }
static inline int rank_of(int sq) { return sq >> 3; }
static inline int file_of(int sq) { return sq & 7; }
/* clang-format on */
/* The rank as seen by a side: 0 is its own first rank. */
static inline int
own_rank(int side, int sq)
{
	return side == WHITE ? sq >> 3 : 7 - (sq >> 3);
}

/* Squares one step forward, as a side sees it. */
static inline bitboard
forward(bitboard b, int side)
{
	return side == WHITE ? b << 8 : b >> 8;
}

static inline int
type_at(const struct board *b, int sq)
{
	return b->square[sq] & 15;
}

static inline bitboard
board_occupied(const struct board *b)
{
	return b->pieces[WHITE][ALL] | b->pieces[BLACK][ALL];
}

/* Squares that hold no piece in the way of side's own moves and captures. */
static inline bitboard
board_landing(const struct board *b, int side)
{
	const bitboard *own = b->pieces[side];

	return b->rules->self_capture[side] ? ~own[KING] : ~own[ALL];
}

/* The king's square; only where the side has a king. */
static inline int
board_king(const struct board *b, int side)
{
	return __builtin_ctzll(b->pieces[side][KING]);
}

/* The same, e1 or e8 for a side without a king; of several kings the first. */
static inline int
board_king_or_home(const struct board *b, int side)
{
	return b->pieces[side][KING] != 0 ? board_king(b, side) : 56 * side + 4;
}

/* How many pieces of a type a side has in hand. */
static inline int
board_in_hand(const struct board *b, int side, int type)
{
	return (int)(b->hand[side] >> 6 * (type - PAWN) & 63);
}
static inline uint64_t
hand_one(int type)
{
	return 1ULL << 6 * (type - PAWN);
}

/* How many it has on the board and in hand. */
static inline int
board_count(const struct board *b, int side, int type)
{
	return __builtin_popcountll(b->pieces[side][type]) + board_in_hand(b, side, type);
}

/* The squares of a side's royal pieces. */
static inline bitboard
board_royals(const struct board *b, int side)
{
	bitboard set = 0;

	for (unsigned royal = (unsigned)b->rules->royal[side]; royal != 0;
	     royal &= royal - 1)
		set |= b->pieces[side][KNIGHT + __builtin_ctz(royal)];
	return set;
}

/* To set up a position: board_clear() (White to move, move 1; r must outlive
 * the board), board_put() for each piece, set the state, then board_rekey() for
 * the key. The caller answers for castling rights and en passant square. */
void board_clear(struct board *b, const struct rules *r);
void board_put(struct board *b, int side, int type, int sq);
void board_rekey(struct board *b);

/* The starting position of these rules; with start 960, that of chess. */
void board_start(struct board *b, const struct rules *r);

/* The same, but with start 960 one of the arrays, drawn from rng. Other rules
 * draw nothing. */
void board_start_random(struct board *b, const struct rules *r, struct rng *rng);

/* One of the 960 arrays by its usual number; 518 is that of chess. */
void board_start_960(struct board *b, const struct rules *r, int number);

/* Gives side the right to castle with the rook on sq. King and rook must be on
 * that side's first rank. */
void board_give_castling(struct board *b, int side, int sq);

/* The square of the rook of right i: 0 is WHITE_SHORT, 3 is BLACK_LONG. */
static inline int
board_castling_rook(const struct board *b, int i)
{
	return b->odd_castling ? b->rook[i] : 56 * (i >> 1) + 7 * (~i & 1);
}

/* Checks that a side still has to give; 0 without checks_to_win. */
static inline int
board_checks_left(const struct board *b, int side)
{
	return b->checks >> 4 * side & 15;
}

/* Could the side to move legally capture en passant on ep, if the other side's
 * last move was a double step over it? */
bool board_ep_playable(const struct board *b, int ep);

/* Makes a legal move; board_unmake() with the same move and undo restores every
 * byte. */
void board_make(struct board *b, move m, struct undo *u);
void board_unmake(struct board *b, move m, const struct undo *u);

/* Pieces of side `by` that attack sq, if the occupied squares are `occupied`. */
bitboard board_attackers(const struct board *b, int sq, int by, bitboard occupied);

/* Pieces that give check to the side to move, or to a given side. With explode
 * there is no check while kings touch, as neither can be captured then. */
bitboard board_checkers(const struct board *b);
bitboard board_checkers_of(const struct board *b, int side);

/* Writes a move in long algebraic form, 4 or 5 characters and a NUL; returns
 * the length. A drop is a piece's letter, @ and the square. */
int move_print(const struct rules *r, move m, char text[6]);

/* The same, with castling always as king takes rook. */
int move_print_960(const struct rules *r, move m, char text[6]);

/* The legal move that n bytes of long algebraic form stand for; 0 if there is
 * none. The promotion letter may be a capital, and castling may always be
 * written as king takes rook. */
move move_parse(const struct board *b, const char *text, size_t n);

/* Does the move capture a piece of the opponent? Self-captures do not count. */
static inline bool
board_is_capture(const struct board *b, move m)
{
	int captured = b->square[move_to(m)];

	return (captured != 0 && captured >> 4 != b->side && !move_is_castling(m)) ||
	    move_is_ep(m);
}

/* Captures or promotes? */
static inline bool
board_is_noisy(const struct board *b, move m)
{
	return board_is_capture(b, m) || move_is_promotion(m);
}

#endif
