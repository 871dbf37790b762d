/* Compiled once for each instruction set; see isa.h. */
#include "run.h"

#include <string.h>

#include "make.h"
#include "movegen.h"

/*
 * Avoids branches that would be mispredicted, and waiting for large tables:
 * characters are mapped to sets by small ones. Anything uncommon or illegal ends
 * the run.
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

/* Where a piece reaches a square from if nothing is in its way: the union of two sets. */
static const bitboard nowhere[64];
static const bitboard *const from_afar[TYPES][2] = {
	[ALL] = { nowhere, nowhere }, /* of an empty square */
	[KNIGHT] = { attack_knight, attack_knight },
	[KING] = { attack_king, attack_king },
	[BISHOP] = { attack_bishop_rays, attack_bishop_rays },
	[ROOK] = { attack_rook_rays, attack_rook_rays },
	[QUEEN] = { attack_bishop_rays, attack_rook_rays },
};

/* Is the king safe after a move from `from` to `to`? */
static inline bool
king_is_safe(const struct board *b, bitboard from, int to, bool king_moves)
{
	int us = b->side;
	const bitboard *enemy = b->pieces[us ^ 1];
	/* a set, as a choice of squares would be a branch */
	int king = __builtin_ctzll(king_moves ? bit(to) : b->pieces[us][KING]);
	bitboard occupied = (board_occupied(b) ^ from) | bit(to);
	bitboard attackers =
	    (attack_bishop(king, occupied) & (enemy[BISHOP] | enemy[QUEEN])) |
	    (attack_rook(king, occupied) & (enemy[ROOK] | enemy[QUEEN])) |
	    (attack_knight[king] & enemy[KNIGHT]) |
	    (attack_pawn[us][king] & enemy[PAWN]) | (attack_king[king] & enemy[KING]);

	return (attackers & ~bit(to)) == 0;
}

/*
 * Those of the allowed pieces of a type, not pawns, that reach `to`. Mostly only
 * one stands on a line with it, which the small tables show; what is in its way
 * is looked up apart, so that nothing waits for the answer.
 */
static inline bitboard
piece_sources(const struct board *b, int type, int to, bitboard allowed)
{
	const bitboard *const *afar = from_afar[type];
	bitboard occupied = board_occupied(b);
	bitboard from = (afar[0][to] | afar[1][to]) & b->pieces[b->side][type] & allowed;

	if ((from & (from - 1)) != 0)
		from &= attack_usual(type, to, occupied);
	if (from == 0 || (board_landing(b, b->side) & bit(to)) == 0 ||
	    (attack_between[__builtin_ctzll(from)][to] & occupied) != 0)
		return 0;
	return from;
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
	return letter_from[n > 3 ? s[1] : 'x'] & letter_from[n > 4 ? s[2] : 'x'];
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
		from = piece_sources(b, type, to, departures(s, n));
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
		sources = piece_sources(b, type, to, bit(from));
	else if (!pawn_is_plain(b, to))
		return 0;
	else
		sources = file_of(from) == file_of(to) ? pawn_step_sources(b, to)
						       : pawn_capture_sources(b, to);
	if ((sources & bit(from)) == 0 || !king_is_safe(b, bit(from), to, type == KING))
		return 0;
	return move_make(from, to, TAG_PLAIN);
}

/* What separates moves, besides their numbers. */
static const bool is_blank[256] = { [' '] = true, ['\n'] = true, ['\r'] = true };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ALL_BYTES(c) (0x0101010101010101ULL * (c))

static inline uint64_t
eight_bytes(const char *s)
{
	uint64_t bytes;

	memcpy(&bytes, s, 8);
	return bytes;
}

/*
 * The length of a word that a blank ends, found in eight bytes at once; 0 if
 * there is no blank among them.
 */
static inline size_t
blank_ended_length(const char *s)
{
	uint64_t bytes = eight_bytes(s);
	/* The lowest bit set marks the first byte below '!'. */
	uint64_t blanks = (bytes - ALL_BYTES('!')) & ~bytes & ALL_BYTES(0x80);

	return blanks == 0 ? 0 : (size_t)__builtin_ctzll(blanks) / 8;
}

/* Are the low n bytes digits? n is from 1 to 7. */
static inline bool
are_digits(uint64_t bytes, size_t n)
{
	uint64_t values = (bytes ^ ALL_BYTES('0')) & (~0ULL >> (64 - 8 * n));

	return ((values | (values + ALL_BYTES(128 - 10))) & ALL_BYTES(0x80)) == 0;
}

/* The length of what stands between two moves, " ", " 12. " or " 12." with any
 * blank; 0 if it is anything else. */
static inline size_t
gap_length(const char *s)
{
	uint64_t bytes = eight_bytes(s), letters = bytes & ALL_BYTES(0x40);
	const unsigned char *at = (const unsigned char *)s;

	if (letters == 0 || !is_blank[at[0]])
		return 0;
	size_t n = (size_t)__builtin_ctzll(letters) / 8;
	if (n == 1)
		return 1;
	size_t dot = n - 1 - is_blank[at[n - 1]];
	return dot > 1 && at[dot] == '.' && are_digits(bytes >> 8, dot - 1) ? n : 0;
}
#else
static inline size_t
blank_ended_length(const char *s)
{
	(void)s;
	return 0;
}

static inline size_t
gap_length(const char *s)
{
	(void)s;
	return 0;
}
#endif

/* The end of a move number, or of one byte between moves; s if neither is here. */
static const char *
skip_number(const char *s, const char *end)
{
	const char *dot = s;

	/* A line may begin with %. */
	if (is_blank[(unsigned char)*s])
		return *s == ' ' || s[1] != '%' ? s + 1 : s;
	while (*dot >= '0' && *dot <= '9' && dot < end)
		dot++;
	return *dot == '.' ? dot + 1 : s;
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
		s += gap_length(s);
		if (*s < 'A') {
			const char *next = skip_number(s, end);
			if (next == s)
				break;
			s = next;
			continue;
		}
		size_t len = blank_ended_length(s);
		if (len < 2 || l->plies + 1 >= l->room)
			break;
		move m = find_san(b, (const unsigned char *)s, len);
		if (m == 0)
			break;
		play_plain(l, b, m);
		s += len;
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
