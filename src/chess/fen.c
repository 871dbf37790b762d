#include "fen.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = " PNBRQK  pnbrqk";

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

/* Is it a whole board, of ten files or ranks or more? Letters that we do not know are pieces,
 * too, and ten empty squares are written 10. */
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

static int
read_placement(struct board *b, struct cursor f, char *reason)
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
		} else {
			const char *p =
			    *f.s == ' ' || *f.s == '\0' ? NULL : strchr(letters, *f.s);
			if (p == NULL)
				return refuse(reason,
				    "the placement has an unknown character");
			int code = (int)(p - letters);
			if (file < 8)
				board_put(b, code >> 3, code & 7, 8 * rank + file);
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
check_counts(const struct board *b, char *reason)
{
	for (int side = WHITE; side <= BLACK; side++) {
		const bitboard *p = b->pieces[side];
		const char *who = side == WHITE ? "White" : "Black";
		const char *what = NULL;
		if (p[KING] == 0)
			what = "no king";
		else if ((p[KING] & (p[KING] - 1)) != 0)
			what = "more than one king";
		else if (__builtin_popcountll(p[PAWN]) > 8)
			what = "more than 8 pawns";
		else if (__builtin_popcountll(p[ALL]) > 16)
			what = "more than 16 pieces";
		else if ((p[PAWN] & (0xffULL | 0xffULL << 56)) != 0)
			what = "a pawn on the first or last rank";
		if (what != NULL)
			return refuse(reason, "%s has %s", who, what);
	}
	return 0;
}

/* The rook that a right's letter stands for: with K and Q the outermost on that
 * side of the king, otherwise the one on that file. NO_SQUARE if none. */
static int
find_rook(const struct board *b, int side, char letter)
{
	int home = side == WHITE ? 0 : 56, king = board_king(b, side);
	int file = letter == 'K' ? 7 : letter == 'Q' ? 0 : letter - 'A';
	int step = letter == 'K' ? -1 : letter == 'Q' ? 1 : 0;

	if ((king & 56) != home)
		return NO_SQUARE;
	for (int sq = home + file; sq != king; sq += step) {
		if (b->square[sq] == (side << 3 | ROOK))
			return sq;
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
	if (rook == NO_SQUARE || b->rules->castling_from == 0)
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
	if (b->odd_castling && b->rules->self_capture)
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

	if (own_rank(them, ep) < 2 || own_rank(them, ep) > 6 || !b->rules->en_passant)
		return false;
	return b->square[ep] == 0 && b->square[ep - up] == 0 &&
	    b->square[ep + up] == (them << 3 | PAWN) &&
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
	int n = b->rules->checks_to_win, left[2];
	bool given = *f.s == '+';

	if (n == 0)
		return refuse(reason, "the FEN counts checks, but the rules do not");
	f.s += given;
	if (f.end - f.s != 3 || f.s[0] < '0' || f.s[0] > '9' || f.s[1] != '+' ||
	    f.s[2] < '0' || f.s[2] > '9')
		return refuse(reason, "the checks are not of the form 3+3 or +0+0");
	for (int side = WHITE; side <= BLACK; side++) {
		left[side] = f.s[2 * side] - '0';
		if (given)
			left[side] = n - left[side];
		if (left[side] < 0 || left[side] > n)
			return refuse(reason, "there are more checks than checks_to_win");
	}
	if (left[b->side] == 0)
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
	if (refuse_size(f, reason) == -1 || read_placement(b, f, reason) == -1 ||
	    check_counts(b, reason) == -1)
		return -1;
	f = next_field(&c);
	if (f.end - f.s != 1 || (*f.s != 'w' && *f.s != 'b'))
		return refuse(reason, "the side to move is neither w nor b");
	b->side = *f.s == 'w' ? WHITE : BLACK;
	if (board_attackers(b, board_king(b, b->side ^ 1), b->side, board_occupied(b)) !=
	    0)
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
			*s++ = letters[code];
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
	if (b->rules->checks_to_win != 0)
		s += snprintf(s, 8, " %d+%d", board_checks_left(b, WHITE),
		    board_checks_left(b, BLACK));
	s += snprintf(s, 16, " %u %u", b->count, b->fullmove);
	return (int)(s - text);
}
