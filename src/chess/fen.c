#include "fen.h"

#include <stdio.h>
#include <string.h>

/* The unread part of the text. */
struct cursor {
	const char *s, *end;
};

/* The next field; empty when there is none. */
static struct cursor
next_field(struct cursor *c)
{
	struct cursor f;

	while (c->s < c->end && (*c->s == ' ' || *c->s == '\t'))
		c->s++;
	f.s = c->s;
	while (c->s < c->end && *c->s != ' ' && *c->s != '\t')
		c->s++;
	f.end = c->s;
	return f;
}

/* Is it a whole board, of ten files or ranks or more? Letters that we do not know are
 * pieces, too, and ten empty squares are written 10. */
static int
refuse_size(struct cursor f, char *reason)
{
	int files = 0, ranks = 1, most = 0;

	for (const char *s = f.s; s < f.end && *s != '['; s++) {
		if (*s == '/') {
			ranks++;
			files = 0;
		} else if (*s >= '0' && *s <= '9') {
			files += *s == '0' && s > f.s && s[-1] == '1' ? 9 : *s - '0';
		} else {
			files += *s != '+' && *s != '~';
		}
		most = files > most ? files : most;
	}
	return ranks < 4 || (most < 10 && ranks < 10)
	    ? 0
	    : refuse(reason,
		  "a board of %d files and %d ranks: boards have 64 squares here", most,
		  ranks);
}

/* The piece that a letter stands for, side << 4 | type; 0 if none does. */
static int
piece_code(const struct rules *r, char c)
{
	int type =
	    (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? rules_type(r, c) : 0;

	return type == 0 ? 0 : (c >= 'a' ? BLACK : WHITE) << 4 | type;
}

static int
refuse_letter(const struct rules *r, char c, char *reason)
{
	if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
		return refuse(reason,
		    "the placement has the letter %c, which is no piece of these rules",
		    c);
	(void)r;
	if (c > ' ' && c <= '~')
		return refuse(reason, "the placement has the unknown character '%c'", c);
	return refuse(reason, "the placement has an unknown character");
}

/* The letters of pieces in hand. */
static int
read_hands(struct board *b, const char *s, const char *end, char *reason)
{
	for (; s < end; s++) {
		int code = piece_code(b->rules, *s), side = code >> 4, type = code & 15;
		if (*s == '-' && end - s == 1)
			break;
		if (code == 0)
			return refuse_letter(b->rules, *s, reason);
		if (!b->rules->drops[side])
			return refuse(reason,
			    "%s has pieces in hand, but the rules give it no drops",
			    side == WHITE ? "White" : "Black");
		if (type > PAWN && (b->rules->royal[side] & 1 << (type - KNIGHT)) != 0)
			return refuse(reason, "%s has a royal piece in hand",
			    side == WHITE ? "White" : "Black");
		if (board_in_hand(b, side, type) == HAND_MAX)
			return refuse(reason, "%s has more than %d of a kind in hand",
			    side == WHITE ? "White" : "Black", HAND_MAX);
		b->hand[side] += hand_one(type);
	}
	return 0;
}

/* Where the hands begin: [QNpp], or a ninth rank. NULL if there are none. */
static const char *
find_hands(struct cursor f)
{
	int ranks = 0;

	for (const char *s = f.s; s < f.end; s++) {
		ranks += *s == '/';
		if (*s == '[' || (ranks == 8 && *s == '/'))
			return s;
	}
	return NULL;
}

static int
read_ranks(struct board *b, struct cursor f, char *reason)
{
	int file = 0, rank = 7;

	for (; f.s < f.end; f.s++) {
		if (*f.s == '/') {
			if (file != 8 || rank == 0)
				return refuse(reason,
				    file != 8 ? "a rank does not have 8 squares"
					      : "there are more than 8 ranks");
			file = 0;
			rank--;
		} else if (*f.s >= '1' && *f.s <= '8') {
			file += *f.s - '0';
		} else if (*f.s == '~' && b->rules->hands && file > 0 && file <= 8 &&
		    b->square[8 * rank + file - 1] != 0) {
			b->promoted |= bit(8 * rank + file - 1);
		} else {
			int code = piece_code(b->rules, *f.s);
			if (code == 0)
				return refuse_letter(b->rules, *f.s, reason);
			if (file < 8)
				board_put(b, code >> 4, code & 15, 8 * rank + file);
			file++;
		}
		if (file > 8)
			return refuse(reason, "a rank does not have 8 squares");
	}
	if (rank != 0 || file != 8)
		return refuse(reason,
		    rank != 0 ? "there are fewer than 8 ranks"
			      : "a rank does not have 8 squares");
	return 0;
}

static int
read_placement(struct board *b, struct cursor f, char *reason)
{
	const char *hands = find_hands(f);

	if (hands != NULL && *hands == '/' && !b->rules->hands)
		hands = NULL;
	struct cursor ranks = { f.s, hands != NULL ? hands : f.end };
	if (hands != NULL && *hands == '[' && f.end[-1] != ']')
		return refuse(reason, "the pieces in hand do not end with ]");
	if (read_ranks(b, ranks, reason) == -1)
		return -1;
	return hands == NULL ? 0
			     : read_hands(b, hands + 1, f.end - (*hands == '['), reason);
}

/* What is wrong with the royal pieces of a side; NULL if nothing is. An exploded
 * king ends the game, so that only the side to move can lack it. */
static const char *
wrong_royals(const struct board *b, int side)
{
	bitboard kings = b->pieces[side][KING];
	unsigned royal = (unsigned)b->rules->royal[side];

	if (royal == 0)
		return NULL;
	if ((royal >> (KING - KNIGHT) & 1) == 0)
		return board_royals(b, side) == 0 ? "no royal piece" : NULL;
	if (kings == 0)
		return b->rules->explode && side == b->side ? NULL : "no king";
	return (kings & (kings - 1)) != 0 ? "more than one king" : NULL;
}

/* Is the king of the side to move gone, and the game over? */
static bool
has_exploded(const struct board *b)
{
	return b->rules->explode && b->rules->royal[b->side] != 0 &&
	    b->pieces[b->side][KING] == 0;
}

static int
check_counts(const struct board *b, char *reason)
{
	for (int side = WHITE; side <= BLACK; side++) {
		const struct rules *r = b->rules;
		const bitboard *p = b->pieces[side];
		const char *who = side == WHITE ? "White" : "Black";
		const char *what = wrong_royals(b, side);
		bitboard edge = 0xffULL | 0xffULL << 56;
		if (r->first_rank_pawns[side])
			edge = side == WHITE ? 0xffULL << 56 : 0xffULL;
		if (what == NULL && (p[PAWN] & edge) != 0)
			what = r->first_rank_pawns[side]
			    ? "a pawn on the last rank"
			    : "a pawn on the first or last rank";
		if (what != NULL)
			return refuse(reason, "%s has %s", who, what);
		if (__builtin_popcountll(p[PAWN]) > r->most_pawns[side])
			return refuse(reason, "%s has more than %d pawns", who,
			    r->most_pawns[side]);
		if (__builtin_popcountll(p[ALL]) > r->most_men[side])
			return refuse(reason, "%s has more than %d pieces", who,
			    r->most_men[side]);
	}
	return 0;
}

/* With drops any piece may come into one hand, which holds up to 16 of a kind; a
 * promoted piece counts as a pawn. */
static int
check_hands(const struct board *b, char *reason)
{
	int all = __builtin_popcountll(board_occupied(b));

	for (int type = PAWN; b->rules->hands && type < b->rules->ntypes; type++) {
		bitboard set = b->pieces[WHITE][type] | b->pieces[BLACK][type];
		int hand = board_in_hand(b, WHITE, type) + board_in_hand(b, BLACK, type);
		set = type == PAWN ? set | b->promoted : set & ~b->promoted;
		all += hand;
		if (__builtin_popcountll(set) + hand > HAND_MAX)
			return refuse(reason,
			    "there are more than %d of a kind, and hands hold no more",
			    HAND_MAX);
	}
	if (b->rules->hands && all > 32)
		return refuse(reason, "there are more than 32 pieces, hands included");
	return 0;
}

/* The rook that a right's letter stands for: with K and Q the outermost on that
 * side of the king, otherwise the one on that file. NO_SQUARE if none, or if it was
 * a pawn and so has moved. */
static int
find_rook(const struct board *b, int side, char letter)
{
	if (!b->rules->castles[side] || b->pieces[side][KING] == 0)
		return NO_SQUARE;
	int home = side == WHITE ? 0 : 56, king = board_king(b, side);
	int file = letter == 'K' ? 7 : letter == 'Q' ? 0 : letter - 'A';
	int step = letter == 'K' ? -1 : letter == 'Q' ? 1 : 0;

	if ((king & 56) != home)
		return NO_SQUARE;
	for (int sq = home + file; sq != king; sq += step) {
		if (b->square[sq] == (side << 4 | ROOK))
			return (b->promoted & bit(sq)) != 0 ? NO_SQUARE : sq;
		if (step == 0)
			break;
	}
	return NO_SQUARE;
}

static int
read_right(struct board *b, char c, char *reason)
{
	int side = c >= 'a' ? BLACK : WHITE;
	char letter = side == BLACK ? (char)(c - 'a' + 'A') : c;

	if (letter != 'K' && letter != 'Q' && (letter < 'A' || letter > 'H'))
		return refuse(reason, "the castling rights have an unknown character");
	int rook = find_rook(b, side, letter);
	if (rook == NO_SQUARE)
		return 0;
	int i = 2 * side + (rook < board_king(b, side));
	if ((b->castling & 1 << i) != 0 && b->rook[i] != rook)
		return refuse(reason, "castling with two rooks on one side of the king");
	board_give_castling(b, side, rook);
	return 0;
}

static int
read_castling(struct board *b, struct cursor f, char *reason)
{
	if (f.end - f.s == 1 && *f.s == '-')
		return 0;
	if (f.s == f.end)
		return refuse(reason, "the castling rights are missing");
	for (; f.s < f.end; f.s++)
		if (read_right(b, *f.s, reason) == -1)
			return -1;
	if ((b->odd_castling & 3 && b->rules->self_capture[WHITE]) ||
	    (b->odd_castling & 12 && b->rules->self_capture[BLACK]))
		return refuse(reason,
		    "castling from other than the usual "
		    "squares contradicts self_capture");
	return 0;
}

/* Can the other side's last move have been a double step over ep? */
static bool
double_step_explains(const struct board *b, int ep)
{
	int them = b->side ^ 1, up = them == WHITE ? 8 : -8;

	if (own_rank(them, ep) < 2 || own_rank(them, ep) > 6 ||
	    !b->rules->en_passant[b->side])
		return false;
	return b->square[ep] == 0 && b->square[ep - up] == 0 &&
	    b->square[ep + up] == (them << 4 | PAWN) &&
	    (b->rules->double_from[them] & bit(ep - up)) != 0;
}

static int
read_ep(struct board *b, struct cursor f, char *reason)
{
	if (f.end - f.s == 1 && *f.s == '-')
		return 0;
	if (f.s == f.end)
		return refuse(reason, "the en passant square is missing");
	if (f.end - f.s != 2 || f.s[0] < 'a' || f.s[0] > 'h' || f.s[1] < '1' ||
	    f.s[1] > '8')
		return refuse(reason, "the en passant square is not a square");
	int ep = (f.s[1] - '1') * 8 + (f.s[0] - 'a');
	if (double_step_explains(b, ep) && board_ep_playable(b, ep))
		b->ep = (uint8_t)ep;
	return 0;
}

/* A count that fits into 16 bits; a missing field leaves the value. */
static int
read_count(struct cursor f, uint16_t *value)
{
	int n = 0;

	if (f.s == f.end)
		return 0;
	if (f.end - f.s > 5)
		return -1;
	for (; f.s < f.end; f.s++) {
		if (*f.s < '0' || *f.s > '9')
			return -1;
		n = 10 * n + (*f.s - '0');
	}
	if (n > UINT16_MAX)
		return -1;
	*value = (uint16_t)n;
	return 0;
}

/* Does this field count checks: 3+3, those left, or +0+0, those given? */
static bool
is_checks(struct cursor f)
{
	return f.s < f.end && memchr(f.s, '+', (size_t)(f.end - f.s)) != NULL;
}

static int
read_checks(struct board *b, struct cursor f, char *reason)
{
	const int16_t *n = b->rules->checks_to_win;
	bool given = *f.s == '+';
	int left[2];

	if (n[WHITE] == 0 && n[BLACK] == 0)
		return refuse(reason, "the FEN counts checks, but the rules do not");
	f.s += given;
	if (f.end - f.s != 3 || f.s[0] < '0' || f.s[0] > '9' || f.s[1] != '+' ||
	    f.s[2] < '0' || f.s[2] > '9')
		return refuse(reason, "the checks are not of the form 3+3 or +0+0");
	for (int side = WHITE; side <= BLACK; side++) {
		left[side] = f.s[2 * side] - '0';
		if (given)
			left[side] = n[side] - left[side];
		if (left[side] < 0 || left[side] > n[side])
			return refuse(reason, "there are more checks than checks_to_win");
	}
	if (left[b->side] == 0 && n[b->side] != 0)
		return refuse(reason,
		    "the side to move has given its last check already");
	b->checks = (uint8_t)(left[WHITE] | left[BLACK] << 4);
	return 0;
}

int
fen_read(struct board *b, const struct rules *r, const char *text, size_t len,
    char reason[FEN_REASON_MAX])
{
	struct cursor c = { text, text + len }, f;

	board_clear(b, r);
	f = next_field(&c);
	if (refuse_size(f, reason) == -1 || read_placement(b, f, reason) == -1)
		return -1;
	f = next_field(&c);
	bool black = f.end - f.s == 1 && *f.s == 'b';
	b->side = black ? BLACK : WHITE;
	if (check_counts(b, reason) == -1 || check_hands(b, reason) == -1)
		return -1;
	if (f.end - f.s != 1 || (*f.s != 'w' && *f.s != 'b'))
		return refuse(reason, "the side to move is neither w nor b");
	if (board_checkers_of(b, b->side ^ 1) != 0 && !has_exploded(b))
		return refuse(reason, "the side not to move is in check");
	if (read_castling(b, next_field(&c), reason) == -1 ||
	    read_ep(b, next_field(&c), reason) == -1)
		return -1;
	f = next_field(&c);
	bool checks = is_checks(f) && *f.s != '+';
	if (checks) {
		if (read_checks(b, f, reason) == -1)
			return -1;
		f = next_field(&c);
	}
	if (!is_checks(f)) {
		if (read_count(f, &b->count) == -1)
			return refuse(reason, "the halfmove count is not 0 to 65535");
		f = next_field(&c);
	}
	if (!is_checks(f)) {
		if (read_count(f, &b->fullmove) == -1)
			return refuse(reason, "the move number is not 0 to 65535");
		f = next_field(&c);
	}
	if (b->fullmove == 0)
		b->fullmove = 1; /* many programs write 0 for it */
	if (!checks && is_checks(f) && *f.s == '+') {
		if (read_checks(b, f, reason) == -1)
			return -1;
		f = next_field(&c);
	}
	if (f.s != f.end)
		return refuse(reason, "unexpected text after the last field");
	board_rekey(b);
	return 0;
}

static char
letter_of(const struct rules *r, int code)
{
	char c = r->letter[code & 15];

	return code >> 4 == WHITE ? c : (char)(c - 'A' + 'a');
}

static char *
write_hands(const struct board *b, char *s)
{
	*s++ = '[';
	for (int side = WHITE; side <= BLACK; side++)
		for (int type = b->rules->ntypes - 1; type >= PAWN; type--)
			for (int n = board_in_hand(b, side, type); n > 0; n--)
				*s++ = letter_of(b->rules, side << 4 | type);
	*s++ = ']';
	return s;
}

static char *
write_placement(const struct board *b, char *s)
{
	for (int rank = 7; rank >= 0; rank--) {
		int empty = 0;
		for (int file = 0; file < 8; file++) {
			int code = b->square[8 * rank + file];
			if (code == 0) {
				empty++;
				continue;
			}
			if (empty != 0)
				*s++ = (char)('0' + empty);
			empty = 0;
			*s++ = letter_of(b->rules, code);
			if ((b->promoted & bit(8 * rank + file)) != 0)
				*s++ = '~';
		}
		if (empty != 0)
			*s++ = (char)('0' + empty);
		if (rank != 0)
			*s++ = '/';
	}
	return s;
}

/* K or Q if the rook of right i is the outermost, else its file. */
static char
castling_letter(const struct board *b, int i)
{
	int side = i >> 1;
	char c = "KQ"[i & 1];

	if (find_rook(b, side, c) != board_castling_rook(b, i))
		c = (char)('A' + file_of(board_castling_rook(b, i)));
	return side == WHITE ? c : (char)(c - 'A' + 'a');
}

int
fen_write(const struct board *b, char text[FEN_MAX])
{
	char *s = write_placement(b, text);

	if (b->rules->hands)
		s = write_hands(b, s);
	*s++ = ' ';
	*s++ = b->side == WHITE ? 'w' : 'b';
	*s++ = ' ';
	for (int i = 0; i < 4; i++)
		if ((b->castling & 1 << i) != 0)
			*s++ = castling_letter(b, i);
	if (b->castling == 0)
		*s++ = '-';
	*s++ = ' ';
	if (b->ep == NO_SQUARE) {
		*s++ = '-';
	} else {
		*s++ = (char)('a' + file_of(b->ep));
		*s++ = (char)('1' + rank_of(b->ep));
	}
	if (b->rules->checks_to_win[WHITE] != 0 || b->rules->checks_to_win[BLACK] != 0)
		s += snprintf(s, 8, " %d+%d", board_checks_left(b, WHITE),
		    board_checks_left(b, BLACK));
	s += snprintf(s, 16, " %u %u", b->count, b->fullmove);
	return (int)(s - text);
}
