/* Compiled once for each instruction set; see isa.h. */
#include "san.h"

#include <string.h>

#include "attack.h"
#include "movegen.h"

/* The parts of a move's text; -1 for a file or rank that is not given. */
struct parts {
	int type, promotion;
	int file, rank; /* of departure */
	int to;
	bool capture;
};

/* clang-format off */
static inline bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static inline bool is_rank(char c) { return c >= '1' && c <= '8'; }
/* clang-format on */

/* The type of a capital letter; PAWN for other characters. */
static inline int
piece_type(const struct rules *r, char c)
{
	switch (c) {
	case 'N':
		return KNIGHT;
	case 'B':
		return BISHOP;
	case 'R':
		return ROOK;
	case 'Q':
		return QUEEN;
	case 'K':
		return KING;
	default:
		for (int type = SPARE; type < r->ntypes; type++)
			if (r->letter[type] == c)
				return type;
		return PAWN;
	}
}

/* The end of the text without + # ! ? and e.p. */
static const char *
cut_suffix(const char *s, const char *e)
{
	for (;;) {
		if (e > s &&
		    (e[-1] == '+' || e[-1] == '#' || e[-1] == '!' || e[-1] == '?'))
			e--;
		else if (e - s > 4 && memcmp(e - 4, "e.p.", 4) == 0)
			e -= 4;
		else if (e - s > 2 && e[-1] == 'p' && e[-2] == 'e')
			e -= 2;
		else
			return e;
	}
}

/* Cuts off "=Q", "Q", "(Q)" or "/Q", in either case. */
static const char *
cut_promotion(const struct rules *r, const char *s, const char *e, struct parts *p)
{
	if (e - s > 4 && e[-1] == ')' && e[-3] == '(')
		e--;
	if (e - s < 3 || is_rank(e[-1]))
		return e;
	char c = e[-1];
	if (c >= 'a')
		c = (char)(c - 'a' + 'A');
	int type = piece_type(r, c);
	if (type == PAWN || (type == KING && !r->kingless))
		return e;
	p->promotion = type;
	e--;
	if (e[-1] == '=' || e[-1] == '/' || e[-1] == '(')
		e--;
	return e;
}

static int
take_apart(const struct rules *r, const char *s, const char *e, struct parts *p)
{
	p->promotion = 0;
	p->file = p->rank = -1;
	p->capture = false;
	p->type = piece_type(r, *s);
	if (p->type != PAWN || *s == 'P')
		s++;
	else
		e = cut_promotion(r, s, e, p);
	if (e - s < 2 || !is_file(e[-2]) || !is_rank(e[-1]))
		return SAN_SYNTAX;
	p->to = (e[-1] - '1') * 8 + (e[-2] - 'a');
	e -= 2;
	if (s < e && is_file(*s))
		p->file = *s++ - 'a';
	if (s < e && is_rank(*s))
		p->rank = *s++ - '1';
	if (s < e && (*s == 'x' || *s == ':')) {
		p->capture = true;
		s++;
	} else if (s < e && *s == '-') {
		s++;
	}
	return s == e ? SAN_OK : SAN_SYNTAX;
}

/* Castling with the letter O or the digit 0, with or without dashes. */
static int
read_castling(const struct board *b, const char *s, const char *e, move *m)
{
	int wings = 0;
	char o = *s;

	for (; s < e; s++) {
		if (*s == o)
			wings++;
		else if (*s != '-')
			return SAN_SYNTAX;
	}
	if (wings != 2 && wings != 3)
		return SAN_SYNTAX;
	*m = movegen_castling(b, wings == 2);
	return *m != 0 ? SAN_OK : SAN_ILLEGAL;
}

static bitboard
departures(const struct parts *p)
{
	bitboard set = ~0ULL;

	if (p->file >= 0)
		set &= FILE_A << p->file;
	if (p->rank >= 0)
		set &= RANK_1 << (8 * p->rank);
	return set;
}

static int
read_pawn(const struct board *b, const struct parts *p, move *m)
{
	bitboard allowed = departures(p), from = 0;
	bool capture = p->capture;

	if (!capture)
		from = movegen_sources(b, PAWN, p->to, allowed, false);
	if (from == 0 && (capture || p->file >= 0)) {
		capture = true;
		from = movegen_sources(b, PAWN, p->to, allowed, true);
	}
	if (from == 0)
		return SAN_ILLEGAL;
	if ((from & (from - 1)) != 0)
		return SAN_AMBIGUOUS;
	bool promotes = own_rank(b->side, p->to) == 7;
	int sq = __builtin_ctzll(from), tag = TAG_PLAIN;
	int promotion = p->promotion, may = b->rules->promote_to[b->side];
	if (promotes && promotion == 0 && b->rules->promotions[b->side] == 1)
		promotion = KNIGHT + __builtin_ctz((unsigned)may);
	if (promotes && promotion == 0)
		return SAN_AMBIGUOUS;
	if (promotes ? (may & 1 << (promotion - KNIGHT)) == 0 : promotion != 0)
		return SAN_ILLEGAL;
	if (promotes)
		tag = TAG_PROMOTION + promotion;
	else if (capture && p->to == b->ep)
		tag = TAG_EN_PASSANT;
	*m = move_make(sq, p->to, tag);
	return SAN_OK;
}

/* N@f3, and @f3 or P@f3 for a pawn. */
static int
read_drop(const struct board *b, const char *s, const char *e, move *m)
{
	int type = *s == '@' || *s == 'P' ? PAWN : piece_type(b->rules, *s);

	s += *s != '@';
	if (e - s != 3 || *s != '@' || !is_file(s[1]) || !is_rank(s[2]) ||
	    (type == PAWN && s[-1] != 'P' && s[-1] != '@'))
		return SAN_SYNTAX;
	*m = movegen_drop(b, type, (s[2] - '1') * 8 + (s[1] - 'a'));
	return *m != 0 ? SAN_OK : SAN_ILLEGAL;
}

/* Is it written as castling, and not as a move of a spare kind O? */
static bool
is_castling(const char *s)
{
	return (*s == 'O' || *s == '0' || *s == 'o') && (s[1] == '-' || s[1] == *s);
}

int
san_read(const struct board *b, const char *text, size_t len, move *m)
{
	struct parts p;
	const char *e = cut_suffix(text, text + len);

	if (e - text < 2)
		return SAN_SYNTAX;
	if (is_castling(text))
		return read_castling(b, text, e, m);
	if (b->rules->hands && memchr(text, '@', (size_t)(e - text)) != NULL)
		return read_drop(b, text, e, m);
	if (take_apart(b->rules, text, e, &p) != SAN_OK)
		return SAN_SYNTAX;
	if (movegen_early_end(b) != END_NONE)
		return SAN_ILLEGAL;
	if (p.type == PAWN) {
		/* e2e4, but also g1f3 and e1g1, as engines write them */
		int from = p.file >= 0 && p.rank >= 0 ? p.rank * 8 + p.file : -1;
		if (from >= 0 && type_at(b, from) != PAWN && *text != 'P') {
			*m = movegen_find(b, from, p.to, p.promotion);
			return *m != 0 ? SAN_OK : SAN_ILLEGAL;
		}
		return read_pawn(b, &p, m);
	}
	bitboard from = movegen_sources(b, p.type, p.to, departures(&p), false);
	if (from == 0)
		return SAN_ILLEGAL;
	if ((from & (from - 1)) != 0)
		return SAN_AMBIGUOUS;
	*m = move_make(__builtin_ctzll(from), p.to, TAG_PLAIN);
	return SAN_OK;
}

/* Writes file, rank or both of `from`, as needed to tell it from its rivals. */
static char *
write_departure(char *s, int from, bitboard rivals)
{
	bool file, rank;

	rivals &= ~bit(from);
	if (rivals == 0)
		return s;
	file = (rivals & FILE_A << file_of(from)) == 0;
	rank = !file && (rivals & RANK_1 << (from & 56)) == 0;
	if (!rank)
		*s++ = (char)('a' + file_of(from));
	if (!file)
		*s++ = (char)('1' + rank_of(from));
	return s;
}

static char *
write_square(char *s, int sq)
{
	*s++ = (char)('a' + file_of(sq));
	*s++ = (char)('1' + rank_of(sq));
	return s;
}

static char *
write_body(const struct board *b, move m, char *s)
{
	int from = move_from(m), to = move_to(m), type = type_at(b, from);
	bool capture = b->square[to] != 0 || move_is_ep(m);

	if (move_is_castling(m)) {
		const char *o = to > from ? "O-O" : "O-O-O";
		memcpy(s, o, strlen(o));
		return s + strlen(o);
	}
	if (move_is_drop(m)) {
		*s++ = b->rules->letter[move_dropped(m)];
		*s++ = '@';
		return write_square(s, to);
	}
	if (type != PAWN)
		*s++ = b->rules->letter[type];
	if (type == PAWN && capture)
		*s++ = (char)('a' + file_of(from));
	else
		s = write_departure(s, from, movegen_sources(b, type, to, ~0ULL, false));
	if (capture)
		*s++ = 'x';
	s = write_square(s, to);
	if (move_is_promotion(m)) {
		*s++ = '=';
		*s++ = b->rules->letter[move_promotion(m)];
	}
	return s;
}

int
san_write(const struct board *b, move m, char *text)
{
	char *s = write_body(b, m, text);
	struct board after = *b;
	struct undo u;

	board_make(&after, m, &u);
	if (board_checkers(&after) != 0)
		*s++ = movegen_can_move(&after) ? '+' : '#';
	else if (after.rules->explode && movegen_early_end(&after) == END_EXPLOSION)
		*s++ = '#';
	*s = '\0';
	return (int)(s - text);
}
