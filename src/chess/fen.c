#include "fen.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = " PNBRQK  pnbrqk";

/* What is left of the text. */
struct cursor {
	const char *s, *end;
};

static int
refuse(char *reason, const char *why)
{
	snprintf(reason, FEN_REASON_MAX, "%s", why);
	return -1;
}

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

static int
read_placement(struct board *b, struct cursor f, char *reason)
{
	int file = 0, rank = 7;

	for (; f.s < f.end; f.s++) {
		if (*f.s == '/') {
			if (file != 8 || rank == 0)
				return refuse(reason, file != 8 ?
				    "a rank has not 8 squares" :
				    "there are more than 8 ranks");
			file = 0;
			rank--;
		} else if (*f.s >= '1' && *f.s <= '8') {
			file += *f.s - '0';
		} else {
			const char *p = *f.s == ' ' || *f.s == '\0' ? NULL :
			    strchr(letters, *f.s);
			if (p == NULL)
				return refuse(reason,
				    "the placement has an unknown character");
			int code = (int)(p - letters);
			if (file < 8)
				board_put(b, code >> 3, code & 7,
				    8 * rank + file);
			file++;
		}
		if (file > 8)
			return refuse(reason, "a rank has not 8 squares");
	}
	if (rank != 0 || file != 8)
		return refuse(reason, rank != 0 ?
		    "there are fewer than 8 ranks" : "a rank has not 8 squares");
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
		if (what != NULL) {
			snprintf(reason, FEN_REASON_MAX, "%s has %s", who, what);
			return -1;
		}
	}
	return 0;
}

/* Rights whose king and rook are at home. The letters of the rooks' files
 * mean the same as long as they are the usual ones. */
static int
read_castling(struct board *b, struct cursor f, char *reason)
{
	static const struct {
		char name, file_name;
		uint8_t right, king, rook, side;
	} way[4] = {
		{ 'K', 'H', WHITE_SHORT, 4, 7, WHITE },
		{ 'Q', 'A', WHITE_LONG, 4, 0, WHITE },
		{ 'k', 'h', BLACK_SHORT, 60, 63, BLACK },
		{ 'q', 'a', BLACK_LONG, 60, 56, BLACK },
	};

	if (f.end - f.s == 1 && *f.s == '-')
		return 0;
	if (f.s == f.end)
		return refuse(reason, "the castling rights are missing");
	for (; f.s < f.end; f.s++) {
		int i = 0;
		while (i < 4 && way[i].name != *f.s && way[i].file_name != *f.s)
			i++;
		if (i == 4)
			return refuse(reason, (*f.s >= 'A' && *f.s <= 'H') ||
			    (*f.s >= 'a' && *f.s <= 'h') ?
			    "Chess960 castling is not supported" :
			    "the castling rights have an unknown character");
		if (b->rules->castling_from != 0 &&
		    b->square[way[i].king] == (way[i].side << 3 | KING) &&
		    b->square[way[i].rook] == (way[i].side << 3 | ROOK))
			b->castling |= way[i].right;
	}
	return 0;
}

/* Did the other side's last move pass over ep by a double step? */
static bool
double_step_explains(const struct board *b, int ep)
{
	int them = b->side ^ 1, up = them == WHITE ? 8 : -8;

	if (own_rank(them, ep) < 2 || own_rank(them, ep) > 6)
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
		return refuse(reason, "the en passant square is no square");
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

int
fen_read(struct board *b, const struct rules *r, const char *text, size_t len,
    char reason[FEN_REASON_MAX])
{
	struct cursor c = { text, text + len }, f;

	board_clear(b, r);
	if (read_placement(b, next_field(&c), reason) == -1 ||
	    check_counts(b, reason) == -1)
		return -1;
	f = next_field(&c);
	if (f.end - f.s != 1 || (*f.s != 'w' && *f.s != 'b'))
		return refuse(reason, "the side to move is neither w nor b");
	b->side = *f.s == 'w' ? WHITE : BLACK;
	if (board_attackers(b, board_king(b, b->side ^ 1), b->side,
	    board_occupied(b)) != 0)
		return refuse(reason, "the side not to move is in check");
	if (read_castling(b, next_field(&c), reason) == -1 ||
	    read_ep(b, next_field(&c), reason) == -1)
		return -1;
	if (read_count(next_field(&c), &b->count) == -1)
		return refuse(reason, "the halfmove count is not 0 to 65535");
	if (read_count(next_field(&c), &b->fullmove) == -1)
		return refuse(reason, "the move number is not 0 to 65535");
	if (b->fullmove == 0)
		b->fullmove = 1;	/* often written so; nothing else is meant */
	if (next_field(&c).s != c.end)
		return refuse(reason, "something follows the six fields");
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

int
fen_write(const struct board *b, char text[FEN_MAX])
{
	char *s = write_placement(b, text);

	*s++ = ' ';
	*s++ = b->side == WHITE ? 'w' : 'b';
	*s++ = ' ';
	for (int i = 0; i < 4; i++)
		if ((b->castling & 1 << i) != 0)
			*s++ = "KQkq"[i];
	if (b->castling == 0)
		*s++ = '-';
	*s++ = ' ';
	if (b->ep == NO_SQUARE) {
		*s++ = '-';
	} else {
		*s++ = (char)('a' + file_of(b->ep));
		*s++ = (char)('1' + rank_of(b->ep));
	}
	s += snprintf(s, 16, " %u %u", b->count, b->fullmove);
	return (int)(s - text);
}
