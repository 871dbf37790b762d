/* Compiled once for each instruction set; see isa.h. */
#include "run.h"

#include <string.h>

#include "make.h"
#include "movegen.h"

/*
 * Avoids branches that would be mispredicted: tables map characters to sets,
 * and all attack sets are looked up and masked by the type of piece. Anything
 * uncommon or illegal ends the run.
 */

/* The type for a piece's letter; 0 for other characters. */
static const uint8_t letter_type[256] = {
	['N'] = KNIGHT, ['B'] = BISHOP, ['R'] = ROOK, ['Q'] = QUEEN, ['K'] = KING
};

/* Where a piece may come from, for each character between piece and target. */
#define FILE_SET(c) [c] = FILE_A << ((c) - 'a')
#define RANK_SET(c) [c] = RANK_1 << 8 * ((c) - '1')
/* clang-format off */
static const bitboard letter_from[256] = {
	['x'] = ~0ULL,
	FILE_SET('a'), FILE_SET('b'), FILE_SET('c'), FILE_SET('d'),
	FILE_SET('e'), FILE_SET('f'), FILE_SET('g'), FILE_SET('h'),
	RANK_SET('1'), RANK_SET('2'), RANK_SET('3'), RANK_SET('4'),
	RANK_SET('5'), RANK_SET('6'), RANK_SET('7'), RANK_SET('8'),
};
/* clang-format on */

/* Masks for the attack sets of knight, king, bishop and rook, by type. */
static const bitboard kinds[TYPES][4] = {
	[KNIGHT] = { ~0ULL, 0, 0, 0 },
	[KING] = { 0, ~0ULL, 0, 0 },
	[BISHOP] = { 0, 0, ~0ULL, 0 },
	[ROOK] = { 0, 0, 0, ~0ULL },
	[QUEEN] = { 0, 0, ~0ULL, ~0ULL },
};

/* Is the king safe after a move from `from` to `to`? */
static inline bool
king_is_safe(const struct board *b, bitboard from, int to, bool king_moves)
{
	int us = b->side;
	const bitboard *enemy = b->pieces[us ^ 1];
	int king = king_moves ? to : board_king(b, us);
	bitboard occupied = (board_occupied(b) ^ from) | bit(to);
	bitboard attackers =
	    (attack_bishop(king, occupied) & (enemy[BISHOP] | enemy[QUEEN])) |
	    (attack_rook(king, occupied) & (enemy[ROOK] | enemy[QUEEN])) |
	    (attack_knight[king] & enemy[KNIGHT]) |
	    (attack_pawn[us][king] & enemy[PAWN]) | (attack_king[king] & enemy[KING]);

	return (attackers & ~bit(to)) == 0;
}

/* Pieces of a type, not pawns, that reach `to`. */
static inline bitboard
piece_sources(const struct board *b, int type, int to)
{
	const bitboard *own = b->pieces[b->side], *kind = kinds[type];
	bitboard occupied = board_occupied(b);
	bitboard attacks = (attack_knight[to] & kind[0]) | (attack_king[to] & kind[1]) |
	    (attack_bishop(to, occupied) & kind[2]) |
	    (attack_rook(to, occupied) & kind[3]);

	return (board_landing(b, b->side) & bit(to)) == 0 ? 0 : attacks & own[type];
}

/* Pawns that can step forward to `to`. */
static inline bitboard
pawn_step_sources(const struct board *b, int to)
{
	int us = b->side;
	bitboard occupied = board_occupied(b), target = bit(to);
	bitboard one = us == WHITE ? target >> 8 : target << 8;
	bitboard two = us == WHITE ? target >> 16 : target << 16;

	two &= (one & occupied) != 0 ? 0 : b->rules->double_from[us];
	return (occupied & target) != 0 ? 0 : (one | two) & b->pieces[us][PAWN];
}

static inline bitboard
pawn_capture_sources(const struct board *b, int to)
{
	int us = b->side;

	return (b->pieces[us ^ 1][ALL] & bit(to)) == 0
	    ? 0
	    : attack_pawn[us ^ 1][to] & b->pieces[us][PAWN];
}

/* The run does not handle promotions, nor pawns that step back or sideways. */
static inline bool
pawn_is_plain(const struct board *b, int to)
{
	return (b->rules->pawn_back[b->side] == 0) &
	    (b->rules->pawn_sideways[b->side] == 0) & (own_rank(b->side, to) != 7);
}

/* Nor other pieces and hands, nor moves after the end of a game. */
static inline bool
needs_slow_path(const struct board *b)
{
	return b->rules->odd &&
	    (b->rules->fairy || b->rules->listed || movegen_early_end(b) != END_NONE);
}

/* The squares of departure that the n characters of a piece's move allow. */
static inline bitboard
departures(const unsigned char *s, size_t n)
{
	/* The second of two characters is x, or a rank after a file. */
	if (n > 5 ||
	    (n == 5 && (s[1] == 'x' || (s[2] != 'x' && (s[1] < 'a' || s[2] >= 'a')))))
		return 0;
	return (n > 3 ? letter_from[s[1]] : ~0ULL) & (n > 4 ? letter_from[s[2]] : ~0ULL);
}

/* The move that the n bytes at s stand for; 0 if they are not of a common form
 * or not a legal move. */
static inline move
find_san(const struct board *b, const unsigned char *s, size_t n)
{
	n -= s[n - 1] == '+' || s[n - 1] == '#';
	if (n < 2)
		return 0;
	unsigned file = s[n - 2] - (unsigned)'a', rank = s[n - 1] - (unsigned)'1';
	if ((file | rank) > 7)
		return 0;
	int type = letter_type[s[0]], to = (int)(rank * 8 + file);
	bitboard from = 0;
	if (type != 0)
		from = piece_sources(b, type, to) & departures(s, n);
	else if (!pawn_is_plain(b, to))
		return 0;
	else if (n == 2)
		from = pawn_step_sources(b, to);
	else if (n == 4 && s[1] == 'x' && s[0] >= 'a' && s[0] <= 'h')
		from = pawn_capture_sources(b, to) & letter_from[s[0]];
	if (from == 0 || (from & (from - 1)) != 0 ||
	    !king_is_safe(b, from, to, type == KING))
		return 0;
	return move_make(__builtin_ctzll(from), to, TAG_PLAIN);
}

/* The move from one square to another; 0 if it is special or not legal. */
static inline move
find_long(const struct board *b, int from, int to)
{
	int code = b->square[from], type = code & 15;
	bitboard sources;

	if (type != PAWN)
		sources = piece_sources(b, type, to);
	else if (!pawn_is_plain(b, to))
		return 0;
	else
		sources = file_of(from) == file_of(to) ? pawn_step_sources(b, to)
						       : pawn_capture_sources(b, to);
	if ((sources & bit(from)) == 0 || !king_is_safe(b, bit(from), to, type == KING))
		return 0;
	return move_make(from, to, TAG_PLAIN);
}

/*
 * The length of a word that a blank ends, found in eight bytes at once; 0 if
 * there is no blank among them.
 */
static inline size_t
blank_ended_length(const char *s)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint64_t ones = 0x0101010101010101ULL;
	uint64_t bytes, blanks;

	memcpy(&bytes, s, 8);
	/* The lowest bit set marks the first byte below '!'. */
	blanks = (bytes - '!' * ones) & ~bytes & 0x80 * ones;
	return blanks == 0 ? 0 : (size_t)__builtin_ctzll(blanks) / 8;
#else
	(void)s;
	return 0;
#endif
}

static inline __attribute__((always_inline)) void
play(struct line *l, struct board *b, move m)
{
	int moved =
	    move_is_drop(m) ? b->side << 4 | move_dropped(m) : b->square[move_from(m)];
	struct undo u;

	make_move(b, m, &u);
	int captured = move_is_ep(m) ? b->side << 4 | PAWN : u.captured;
	l->moves[l->plies] = m;
	l->men[l->plies] = (uint16_t)(moved << 5 | captured);
	l->keys[++l->plies] = b->key;
}

/* Tells the compiler that moves of a run are never special. */
static inline void
play_plain(struct line *l, struct board *b, move m)
{
	if (!move_is_plain(m))
		__builtin_unreachable();
	play(l, b, m);
}

void
line_add(struct line *l, struct board *b, move m)
{
	play(l, b, m);
}

const char *
run_play_san(struct line *l, struct board *b, const char *s, const char *end)
{
	end -= RUN_MARGIN;
	while (s < end && !needs_slow_path(b)) {
		if (*s >= 'A') {
			size_t len = blank_ended_length(s);
			if (len < 2 || l->plies + 1 >= l->room)
				break;
			move m = find_san(b, (const unsigned char *)s, len);
			if (m == 0)
				break;
			play_plain(l, b, m);
			s += len;
		} else if (*s >= '0' && *s <= '9') {
			const char *dot = s + 1;
			while (*dot >= '0' && *dot <= '9' && dot < end)
				dot++;
			if (*dot != '.')
				break;
			s = dot + 1;
		} else if (*s == ' ' || *s == '.') {
			s++;
		} else if ((*s == '\n' || *s == '\r') && s[1] != '%') {
			s++;
		} else {
			break; /* or a line that begins with % */
		}
	}
	return s;
}

const char *
run_play_long(struct line *l, struct board *b, const char *s, const char *end)
{
	for (end -= RUN_MARGIN;
	     s < end && s[4] == ' ' && l->plies + 1 < l->room && !needs_slow_path(b);
	     s += 5) {
		unsigned from_file = (unsigned char)s[0] - (unsigned)'a';
		unsigned from_rank = (unsigned char)s[1] - (unsigned)'1';
		unsigned to_file = (unsigned char)s[2] - (unsigned)'a';
		unsigned to_rank = (unsigned char)s[3] - (unsigned)'1';
		if ((from_file | from_rank | to_file | to_rank) > 7)
			break;
		move m = find_long(b, (int)(from_rank * 8 + from_file),
		    (int)(to_rank * 8 + to_file));
		if (m == 0)
			break;
		play_plain(l, b, m);
	}
	return s;
}
