#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"

struct move {
	int from;
	int to;
	char promote; /* 'q', 'r', 'b', 'n' or '\0' */
	int castle;   /* which right is used, or -1; to is where the king
	               * goes then, which may be where it stands */
};

struct moves {
	int n;
	struct move move[NAIVE_MOVES];
};

struct step {
	int file;
	int rank;
};

/* The four straight directions, then the four diagonal ones. */
static const struct step around[8] = {
	{ 0, 1 },
	{ 1, 0 },
	{ 0, -1 },
	{ -1, 0 },
	{ 1, 1 },
	{ 1, -1 },
	{ -1, -1 },
	{ -1, 1 },
};

static const struct step leaps[8] = {
	{ 1, 2 },
	{ 2, 1 },
	{ 2, -1 },
	{ 1, -2 },
	{ -1, -2 },
	{ -2, -1 },
	{ -2, 1 },
	{ -1, 2 },
};

/* Squares and pieces. */

static int
file_of(int square)
{
	return square % 8;
}

static int
rank_of(int square)
{
	return square / 8;
}

/* The square a step away, or -1 off the board. */
static int
stepped(int square, int file, int rank)
{
	file += file_of(square);
	rank += rank_of(square);
	if (file < 0 || file > 7 || rank < 0 || rank > 7)
		return -1;
	return 8 * rank + file;
}

/* The rank as its owner counts it, 1 to 8. */
static int
own_rank(int square, bool white)
{
	return white ? rank_of(square) + 1 : 8 - rank_of(square);
}

static int
ahead(bool white)
{
	return white ? 1 : -1;
}

static char
kind_of(char piece)
{
	return (char)toupper((unsigned char)piece);
}

static char
piece_of(char kind, bool white)
{
	return white ? kind : (char)tolower((unsigned char)kind);
}

static bool
is_of(char piece, bool white)
{
	if (piece == '.')
		return false;
	return (piece >= 'A' && piece <= 'Z') == white;
}

static int
find_king(const struct naive_pos *pos, bool white)
{
	const char king = piece_of('K', white);
	int square;

	for (square = 0; square < 64; square++)
		if (pos->at[square] == king)
			return square;
	return -1;
}

/* Pieces in Betza's notation. */

/* One atom of a piece's text with what stands around it. */
struct atom {
	char name;
	bool quiet, capture;
	bool forward, back, sideways; /* which of its moves are left */
	int far;
};

/* Reads one atom and returns the text behind it. */
static const char *
read_atom(const char *text, struct atom *a)
{
	bool quiet = false, capture = false, any = false;

	memset(a, 0, sizeof(*a));
	for (; *text >= 'a' && *text <= 'z'; text++) {
		quiet |= *text == 'm';
		capture |= *text == 'c';
		a->forward |= *text == 'f' || *text == 'v';
		a->back |= *text == 'b' || *text == 'v';
		a->sideways |= *text == 's';
		any |= strchr("fbsv", *text) != NULL;
	}
	a->quiet = quiet || !capture;
	a->capture = capture || !quiet;
	if (!any)
		a->forward = a->back = a->sideways = true;
	a->name = *text++;
	a->far = strchr("RBQ", a->name) != NULL ? 7 : 1;
	if (*text >= '1' && *text <= '7')
		a->far = *text++ - '0';
	return text;
}

/* Does an atom have the single step, or leap, of (file, rank)?  Forward is
 * positive here. */
static bool
has_step(const struct atom *a, int file, int rank)
{
	static const struct {
		char name;
		int small, large;
	} kinds[] = {
		{ 'W', 0, 1 },
		{ 'F', 1, 1 },
		{ 'D', 0, 2 },
		{ 'N', 1, 2 },
		{ 'A', 2, 2 },
		{ 'H', 0, 3 },
		{ 'G', 3, 3 },
		{ 'R', 0, 1 },
		{ 'B', 1, 1 },
		{ 'Q', 0, 1 },
		{ 'Q', 1, 1 },
		{ 'K', 0, 1 },
		{ 'K', 1, 1 },
	};
	const int x = abs(file), y = abs(rank);
	size_t i;

	if (rank > 0 ? !a->forward : rank < 0 ? !a->back : !a->sideways)
		return false;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].name == a->name && kinds[i].small == (x < y ? x : y) &&
		    kinds[i].large == (x < y ? y : x))
			return true;
	return false;
}

/* Are the squares between empty, in n steps of (file, rank)? */
static bool
is_clear(const struct naive_pos *pos, int from, int file, int rank, int n)
{
	int square = from;

	while (--n > 0) {
		square = stepped(square, file, rank);
		if (pos->at[square] != '.')
			return false;
	}
	return true;
}

/* Does a piece with this notation reach a square, moving or capturing? */
static bool
reaches(const struct naive_pos *pos, const char *text, int from, int to, bool white,
    bool capture)
{
	const int file = file_of(to) - file_of(from);
	const int rank = rank_of(to) - rank_of(from);
	struct atom a;
	int n;

	while (*text != '\0') {
		text = read_atom(text, &a);
		if (capture ? !a.capture : !a.quiet)
			continue;
		for (n = 1; n <= a.far; n++)
			if (file % n == 0 && rank % n == 0 &&
			    has_step(&a, file / n, ahead(white) * rank / n) &&
			    is_clear(pos, from, file / n, rank / n, n))
				return true;
	}
	return false;
}

/* The notation of a kind of piece. */
static const char *
notation(const struct naive_rules *rules, char kind)
{
	return rules->piece[strchr("NBRQK", kind) - "NBRQK"];
}

static bool
is_usual(const struct naive_rules *rules)
{
	int i;

	for (i = 0; i < 5; i++)
		if (rules->piece[i][0] != "NBRQK"[i] || rules->piece[i][1] != '\0')
			return false;
	return true;
}

/* Attack. */

static bool
holds(const struct naive_pos *pos, int square, char piece)
{
	return square >= 0 && pos->at[square] == piece;
}

static bool
attacked_on_line(const struct naive_pos *pos, int square, int direction, bool white)
{
	const struct step *d = &around[direction];
	const char slider = piece_of(direction < 4 ? 'R' : 'B', white);
	const char queen = piece_of('Q', white);

	for (;;) {
		square = stepped(square, d->file, d->rank);
		if (square < 0)
			return false;
		if (pos->at[square] != '.')
			return pos->at[square] == slider || pos->at[square] == queen;
	}
}

/* The usual pieces, for which walks need not be so slow. */
static bool
attacked_as_usual(const struct naive_pos *pos, int square, bool white)
{
	const char knight = piece_of('N', white);
	const char king = piece_of('K', white);
	int i;

	for (i = 0; i < 8; i++) {
		if (attacked_on_line(pos, square, i, white) ||
		    holds(pos, stepped(square, leaps[i].file, leaps[i].rank), knight) ||
		    holds(pos, stepped(square, around[i].file, around[i].rank), king))
			return true;
	}
	return false;
}

/* Does that side attack the square?  Pawns attack by their captures alone,
 * wherever else they may step; pieces by what may capture. */
static bool
attacked(const struct naive_rules *rules, const struct naive_pos *pos, int square,
    bool white)
{
	const char pawn = piece_of('P', white);
	int from;

	if (holds(pos, stepped(square, -1, -ahead(white)), pawn) ||
	    holds(pos, stepped(square, 1, -ahead(white)), pawn))
		return true;
	if (is_usual(rules))
		return attacked_as_usual(pos, square, white);
	for (from = 0; from < 64; from++)
		if (from != square && is_of(pos->at[from], white) &&
		    kind_of(pos->at[from]) != 'P' &&
		    reaches(pos, notation(rules, kind_of(pos->at[from])), from, square,
			white, true))
			return true;
	return false;
}

static bool
in_check(const struct naive_rules *rules, const struct naive_pos *pos, bool white)
{
	return attacked(rules, pos, find_king(pos, white), !white);
}

/* Making a move on a copy. */

static bool
is_pawn_move(const struct naive_pos *pos, struct move m)
{
	return kind_of(pos->at[m.from]) == 'P';
}

/* A pawn that goes diagonally to an empty square takes en passant. */
static bool
is_en_passant(const struct naive_pos *pos, struct move m)
{
	return is_pawn_move(pos, m) && pos->at[m.to] == '.' &&
	    file_of(m.from) != file_of(m.to) && rank_of(m.from) != rank_of(m.to);
}

static bool
is_castling(struct move m)
{
	return m.castle >= 0;
}

static bool
is_capture(const struct naive_pos *pos, struct move m)
{
	return !is_castling(m) && (pos->at[m.to] != '.' || is_en_passant(pos, m));
}

static bool
is_double_step(const struct naive_pos *pos, struct move m)
{
	return is_pawn_move(pos, m) && abs(rank_of(m.from) - rank_of(m.to)) == 2;
}

static bool
resets_count(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	if (is_capture(pos, m))
		return true;
	if (!is_pawn_move(pos, m) || rules->pawn_back)
		return false;
	if (rules->pawn_sideways)
		return rank_of(m.from) != rank_of(m.to);
	return true;
}

/*
 * A king that moves loses both rights.  Whatever leaves or reaches the square
 * of a castling rook ends that right: it has moved, or somebody, perhaps its
 * own side, has taken it.
 */
static void
lose_rights(struct naive_pos *next, const struct naive_pos *pos, struct move m)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (kind_of(pos->at[m.from]) == 'K' && (i < 2) == pos->white)
			next->rook[i] = -1;
		if (!is_castling(m) && (next->rook[i] == m.from || next->rook[i] == m.to))
			next->rook[i] = -1;
	}
}

/* The king goes to the g- or c-file, the rook beside it. */
static void
castle(struct naive_pos *next, const struct naive_pos *pos, struct move m)
{
	const int rook = pos->rook[m.castle];
	const bool right = m.castle % 2 == 0;

	next->at[m.from] = '.';
	next->at[rook] = '.';
	next->at[m.to] = pos->at[m.from];
	next->at[m.to + (right ? -1 : 1)] = pos->at[rook];
}

static struct naive_pos
after(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	struct naive_pos next = *pos;

	next.count = resets_count(rules, pos, m) ? 0 : pos->count + 1;
	if (is_castling(m)) {
		castle(&next, pos, m);
	} else {
		if (is_en_passant(pos, m))
			next.at[stepped(m.to, 0, -ahead(pos->white))] = '.';
		next.at[m.to] = m.promote == '\0'
		    ? pos->at[m.from]
		    : piece_of(kind_of(m.promote), pos->white);
		next.at[m.from] = '.';
	}
	lose_rights(&next, pos, m);
	next.ep = rules->en_passant && is_double_step(pos, m) ? (m.from + m.to) / 2 : -1;
	next.white = !pos->white;
	if (next.white)
		next.number++;
	return next;
}

/* The same with the check that it may have given counted. */
static struct naive_pos
after_all(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	struct naive_pos next = after(rules, pos, m);
	int *left = &next.checks[pos->white ? 0 : 1];

	if (rules->checks_to_win > 0 && *left > 0 && in_check(rules, &next, next.white))
		--*left;
	return next;
}

static bool
is_safe(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	struct naive_pos next = after(rules, pos, m);

	return !in_check(rules, &next, pos->white);
}

/* Moves, at first without a look at the own king. */

static void
add(struct moves *list, int from, int to, char promote)
{
	struct move *m = &list->move[list->n++];

	m->from = from;
	m->to = to;
	m->promote = promote;
	m->castle = -1;
}

/* May a piece of the side to move end its capture on this occupied square? */
static bool
may_take(const struct naive_rules *rules, const struct naive_pos *pos, int square)
{
	const char piece = pos->at[square];

	if (piece == '.')
		return false;
	if (!is_of(piece, pos->white))
		return true;
	return rules->self_capture && kind_of(piece) != 'K';
}

static void
add_pawn(const struct naive_rules *rules, const struct naive_pos *pos, struct moves *list,
    int from, int to)
{
	const char *piece;

	if (own_rank(to, pos->white) != 8) {
		add(list, from, to, '\0');
		return;
	}
	for (piece = rules->promote_to; *piece != '\0'; piece++)
		add(list, from, to, *piece);
}

/* Returns whether the pawn may step there, which needs an empty square. */
static bool
add_pawn_step(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list, int from, int to)
{
	if (to < 0 || pos->at[to] != '.')
		return false;
	add_pawn(rules, pos, list, from, to);
	return true;
}

static void
add_pawn_capture(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list, int from, int to)
{
	if (to >= 0 && (to == pos->ep || may_take(rules, pos, to)))
		add_pawn(rules, pos, list, from, to);
}

static void
pawn_moves(const struct naive_rules *rules, const struct naive_pos *pos, int from,
    struct moves *list)
{
	const int up = ahead(pos->white);
	const int rank = own_rank(from, pos->white);

	/* From the 7th rank the second square is off the board. */
	if (add_pawn_step(rules, pos, list, from, stepped(from, 0, up)) && rank >= 2 &&
	    rank <= rules->double_to)
		add_pawn_step(rules, pos, list, from, stepped(from, 0, 2 * up));
	if (rules->pawn_back && rank > 2)
		add_pawn_step(rules, pos, list, from, stepped(from, 0, -up));
	if (rules->pawn_sideways) {
		add_pawn_step(rules, pos, list, from, stepped(from, -1, 0));
		add_pawn_step(rules, pos, list, from, stepped(from, 1, 0));
	}
	add_pawn_capture(rules, pos, list, from, stepped(from, -1, up));
	add_pawn_capture(rules, pos, list, from, stepped(from, 1, up));
}

/* All moves of a piece in one direction, at most so many squares far. */
static void
line_moves(const struct naive_rules *rules, const struct naive_pos *pos, int from,
    struct step d, int far, struct moves *list)
{
	int to;

	for (to = stepped(from, d.file, d.rank); to >= 0 && far-- > 0;
	     to = stepped(to, d.file, d.rank)) {
		if (pos->at[to] == '.' || may_take(rules, pos, to))
			add(list, from, to, '\0');
		if (pos->at[to] != '.')
			return;
	}
}

static void
usual_moves(const struct naive_rules *rules, const struct naive_pos *pos, int from,
    struct moves *list)
{
	const char kind = kind_of(pos->at[from]);
	const struct step *d = kind == 'N' ? leaps : around;
	const int first = kind == 'B' ? 4 : 0;
	const int last = kind == 'R' ? 4 : 8;
	const int far = kind == 'N' || kind == 'K' ? 1 : 7;
	int i;

	for (i = first; i < last; i++)
		line_moves(rules, pos, from, d[i], far, list);
}

/* A square reached twice is one move. */
static void
piece_moves(const struct naive_rules *rules, const struct naive_pos *pos, int from,
    struct moves *list)
{
	const char *text = notation(rules, kind_of(pos->at[from]));
	int to;

	if (is_usual(rules)) {
		usual_moves(rules, pos, from, list);
		return;
	}
	for (to = 0; to < 64; to++) {
		if (to == from || (pos->at[to] != '.' && !may_take(rules, pos, to)))
			continue;
		if (reaches(pos, text, from, to, pos->white, pos->at[to] != '.'))
			add(list, from, to, '\0');
	}
}

/* Castling. */

static bool
is_between(int square, int a, int b)
{
	return (a <= square && square <= b) || (b <= square && square <= a);
}

/* Is the way free of others, and does the king not start or pass in attack?
 * That it does not end so is looked at later. */
static bool
may_castle(const struct naive_rules *rules, const struct naive_pos *pos, int right)
{
	const int king = find_king(pos, pos->white), rook = pos->rook[right];
	const int home = pos->white ? 0 : 56;
	const int king_to = home + (right % 2 == 0 ? 6 : 2);
	const int rook_to = home + (right % 2 == 0 ? 5 : 3);
	int square;

	for (square = home; square < home + 8; square++) {
		if ((is_between(square, king, king_to) ||
			is_between(square, rook, rook_to)) &&
		    square != king && square != rook && pos->at[square] != '.')
			return false;
		if (is_between(square, king, king_to) &&
		    attacked(rules, pos, square, !pos->white) &&
		    (square == king || pos->at[square] == '.' || square == rook))
			return false;
	}
	return true;
}

static void
castling_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	int i;

	if (pos->number < rules->castling_from)
		return;
	for (i = 0; i < 4; i++) {
		if (pos->rook[i] < 0 || (i < 2) != pos->white ||
		    !may_castle(rules, pos, i))
			continue;
		add(list, find_king(pos, pos->white),
		    (pos->white ? 0 : 56) + (i % 2 == 0 ? 6 : 2), '\0');
		list->move[list->n - 1].castle = i;
	}
}

static void
legal_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	int i, n, square;

	list->n = 0;
	for (square = 0; square < 64; square++) {
		if (!is_of(pos->at[square], pos->white))
			continue;
		if (kind_of(pos->at[square]) == 'P')
			pawn_moves(rules, pos, square, list);
		else
			piece_moves(rules, pos, square, list);
	}
	castling_moves(rules, pos, list);

	n = list->n;
	list->n = 0;
	for (i = 0; i < n; i++)
		if (is_safe(rules, pos, list->move[i]))
			list->move[list->n++] = list->move[i];
}

/* Ends before mate. */

static bool
has_won_by_checks(const struct naive_rules *rules, const struct naive_pos *pos)
{
	return rules->checks_to_win > 0 && pos->checks[pos->white ? 1 : 0] == 0;
}

static bool
has_won_by_hill(const struct naive_rules *rules, const struct naive_pos *pos)
{
	const int king = find_king(pos, !pos->white);

	return rules->hill_wins && (file_of(king) == 3 || file_of(king) == 4) &&
	    (rank_of(king) == 3 || rank_of(king) == 4);
}

static int
men_of(const struct naive_pos *pos, bool white)
{
	int square, n = 0;

	for (square = 0; square < 64; square++)
		n += is_of(pos->at[square], white);
	return n;
}

/* The side to move has its king alone and cannot take the other's last man. */
static bool
is_bared(const struct naive_rules *rules, const struct naive_pos *pos,
    const struct moves *list)
{
	int i;

	if (rules->bare_king_value == 0 || men_of(pos, pos->white) > 1)
		return false;
	for (i = 0; i < list->n && men_of(pos, !pos->white) == 2; i++)
		if (is_capture(pos, list->move[i]))
			return false;
	return true;
}

/* The legal moves, none when the game is over. */
static void
playable_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	legal_moves(rules, pos, list);
	if (has_won_by_checks(rules, pos) || has_won_by_hill(rules, pos) ||
	    is_bared(rules, pos, list))
		list->n = 0;
}

/* The en passant square if a capture there is legal, or -1. */
static int
live_ep(const struct naive_rules *rules, const struct naive_pos *pos)
{
	struct move m = { -1, pos->ep, '\0', -1 };
	int side;

	if (pos->ep < 0)
		return -1;
	for (side = -1; side <= 1; side += 2) {
		m.from = stepped(pos->ep, side, -ahead(pos->white));
		if (holds(pos, m.from, piece_of('P', pos->white)) &&
		    is_safe(rules, pos, m))
			return pos->ep;
	}
	return -1;
}

/* Rules. */

enum preset {
	CLASSICAL,
	NO_CASTLING,
	NO_CASTLING_10,
	PAWN_ONE_SQUARE,
	STALEMATE_WIN,
	TORPEDO,
	SEMI_TORPEDO,
	PAWN_BACK,
	PAWN_SIDEWAYS,
	SELF_CAPTURE,
	NPRESETS
};

static const char *const presets[NPRESETS] = {
	"classical",
	"no-castling",
	"no-castling-10",
	"pawn-one-square",
	"stalemate-win",
	"torpedo",
	"semi-torpedo",
	"pawn-back",
	"pawn-sideways",
	"self-capture",
};

/* Marks every preset of the sum; -1 if one is unknown. */
static int
read_sum(const char *spec, bool *given)
{
	size_t len;
	int i;

	for (;;) {
		len = strcspn(spec, "+");
		for (i = 0; i < NPRESETS; i++)
			if (strlen(presets[i]) == len &&
			    strncmp(presets[i], spec, len) == 0)
				break;
		if (i == NPRESETS)
			return -1;
		given[i] = true;
		if (spec[len] == '\0')
			return 0;
		spec += len + 1;
	}
}

static void
usual_rules(struct naive_rules *rules)
{
	int i;

	memset(rules, 0, sizeof(*rules));
	rules->castling_from = 1;
	rules->double_to = 2;
	rules->en_passant = true;
	strcpy(rules->promote_to, "nbrq");
	rules->count_limit = 100;
	rules->ply_limit = 512;
	for (i = 0; i < 5; i++)
		rules->piece[i][0] = "NBRQK"[i];
}

/* One field; its value is a number, true, false, or a text. */
static int
set_field(struct naive_rules *rules, const char *key, const char *value)
{
	static const char *const pieces[] = { "knight", "bishop", "rook", "queen",
		"king" };
	const int number = strcmp(value, "true") == 0 ? 1 : atoi(value);
	int i;

	for (i = 0; i < 5; i++)
		if (strcmp(key, pieces[i]) == 0) {
			snprintf(rules->piece[i], NAIVE_PIECE, "%.63s", value);
			return 0;
		}
	if (strcmp(key, "castling_from") == 0)
		rules->castling_from = number == 0 ? INT_MAX : number;
	else if (strcmp(key, "double_step") == 0)
		rules->double_to = number;
	else if (strcmp(key, "pawn_back") == 0)
		rules->pawn_back = number;
	else if (strcmp(key, "pawn_sideways") == 0)
		rules->pawn_sideways = number;
	else if (strcmp(key, "self_capture") == 0)
		rules->self_capture = number;
	else if (strcmp(key, "en_passant") == 0)
		rules->en_passant = number;
	else if (strcmp(key, "promote_to") == 0)
		snprintf(rules->promote_to, sizeof(rules->promote_to), "%.4s", value);
	else if (strcmp(key, "checks_to_win") == 0)
		rules->checks_to_win = number;
	else if (strcmp(key, "hill_wins") == 0)
		rules->hill_wins = number;
	else if (strcmp(key, "goal") == 0)
		rules->hill_wins = true;
	else if (strcmp(key, "stalemate_value") == 0)
		rules->stalemate_value = number;
	else if (strcmp(key, "stalemate_wins") == 0)
		rules->stalemate_value = 100 * number;
	else if (strcmp(key, "bare_king_value") == 0)
		rules->bare_king_value = number;
	else if (strcmp(key, "repetition_value") == 0)
		rules->repetition_value = number;
	else if (strcmp(key, "draw_value") == 0)
		rules->draw_value = number;
	else if (strcmp(key, "count_limit") == 0)
		rules->count_limit = number;
	else if (strcmp(key, "ply_limit") == 0)
		rules->ply_limit = number;
	else if (strcmp(key, "start") != 0) /* the FEN decides */
		return -1;
	return 0;
}

/* An object of fields, without blanks and escapes. */
static int
read_fields(struct naive_rules *rules, const char *text)
{
	char key[32], value[NAIVE_FEN];
	int n;

	for (text++; *text != '}'; text += *text == ',') {
		if (sscanf(text, "\"%31[a-z_]\":%n", key, &n) != 1)
			return -1;
		text += n;
		value[0] = '\0';
		if (strncmp(text, "\"\"", 2) == 0)
			n = 2;
		else if (sscanf(text, "\"%127[^\"]\"%n", value, &n) != 1 &&
		    sscanf(text, "%127[-a-z0-9]%n", value, &n) != 1)
			return -1;
		text += n;
		if (set_field(rules, key, value) == -1)
			return -1;
	}
	return 0;
}

static int
read_rules(struct naive_rules *rules, const char *spec)
{
	bool given[NPRESETS] = { false };

	usual_rules(rules);
	if (spec[0] == '{')
		return read_fields(rules, spec);
	if (read_sum(spec, given) == -1)
		return -1;
	if (given[NO_CASTLING] && given[NO_CASTLING_10])
		return -1;
	if (given[PAWN_ONE_SQUARE] && (given[TORPEDO] || given[SEMI_TORPEDO]))
		return -1;
	rules->castling_from = given[NO_CASTLING] ? INT_MAX
	    : given[NO_CASTLING_10]               ? 11
						  : 1;
	rules->double_to = given[PAWN_ONE_SQUARE] ? 0
	    : given[TORPEDO]                      ? 6
	    : given[SEMI_TORPEDO]                 ? 3
						  : 2;
	rules->stalemate_value = given[STALEMATE_WIN] ? 100 : 0;
	rules->pawn_back = given[PAWN_BACK];
	rules->pawn_sideways = given[PAWN_SIDEWAYS];
	rules->self_capture = given[SELF_CAPTURE];
	return 0;
}

/* FEN. */

static int
read_placement(struct naive_pos *pos, const char *text)
{
	int file = 0, rank = 7;

	memset(pos->at, '.', sizeof(pos->at));
	for (; *text != '\0'; text++) {
		if (*text == '/') {
			if (file != 8 || rank == 0)
				return -1;
			file = 0;
			rank--;
		} else if (*text >= '1' && *text <= '8') {
			file += *text - '0';
		} else if (strchr("PNBRQKpnbrqk", *text) != NULL) {
			if (file > 7)
				return -1;
			pos->at[8 * rank + file++] = *text;
		} else {
			return -1;
		}
	}
	if (file != 8 || rank != 0 || find_king(pos, true) < 0 ||
	    find_king(pos, false) < 0)
		return -1;
	return 0;
}

/* The outermost rook on that side of the king, or -1. */
static int
outermost(const struct naive_pos *pos, bool white, bool right)
{
	const int home = white ? 0 : 56, king = find_king(pos, white);
	int square;

	if (king < home || king > home + 7)
		return -1;
	for (square = right ? home + 7 : home; square != king; square += right ? -1 : 1)
		if (pos->at[square] == piece_of('R', white))
			return square;
	return -1;
}

static void
read_rights(const struct naive_rules *rules, struct naive_pos *pos, const char *text)
{
	int king, square;
	bool white;

	pos->rook[0] = pos->rook[1] = pos->rook[2] = pos->rook[3] = -1;
	for (; *text != '\0' && *text != '-'; text++) {
		white = *text >= 'A' && *text <= 'Z';
		king = find_king(pos, white);
		if (kind_of(*text) == 'K' || kind_of(*text) == 'Q') {
			square = outermost(pos, white, kind_of(*text) == 'K');
		} else {
			square = (white ? 0 : 56) + kind_of(*text) - 'A';
			if (!holds(pos, square, piece_of('R', white)) ||
			    rank_of(king) != rank_of(square))
				square = -1;
		}
		if (square >= 0 && rules->castling_from != INT_MAX)
			pos->rook[(white ? 0 : 2) + (square < king)] = square;
	}
}

/*
 * Keeps the square only if a pawn of the side that has just moved stands
 * beyond it, and the squares it would have left and passed are empty.
 */
static void
read_ep(const struct naive_rules *rules, struct naive_pos *pos, const char *text)
{
	const bool mover = !pos->white;
	int from, rank, square;

	pos->ep = -1;
	if (!rules->en_passant || text[0] < 'a' || text[0] > 'h' || text[1] < '1' ||
	    text[1] > '8')
		return;
	square = 8 * (text[1] - '1') + text[0] - 'a';
	from = stepped(square, 0, -ahead(mover));
	if (from < 0 || pos->at[from] != '.' || pos->at[square] != '.' ||
	    !holds(pos, stepped(square, 0, ahead(mover)), piece_of('P', mover)))
		return;
	rank = own_rank(from, mover);
	if (rank >= 2 && rank <= rules->double_to)
		pos->ep = square;
}

static int
read_fen(const struct naive_rules *rules, struct naive_pos *pos, const char *fen)
{
	char placement[NAIVE_FEN], side[2], rights[8], ep[4];
	int n;

	if (sscanf(fen, "%127s %1s %7s %3s %n", placement, side, rights, ep, &n) != 4)
		return -1;
	fen += n;
	pos->checks[0] = pos->checks[1] = rules->checks_to_win;
	if (sscanf(fen, "%1d+%1d %d %d", &pos->checks[0], &pos->checks[1], &pos->count,
		&pos->number) != 4) {
		pos->checks[0] = pos->checks[1] = rules->checks_to_win;
		if (sscanf(fen, "%d %d", &pos->count, &pos->number) != 2)
			return -1;
	}
	if (read_placement(pos, placement) == -1 || (side[0] != 'w' && side[0] != 'b'))
		return -1;
	pos->white = side[0] == 'w';
	read_rights(rules, pos, rights);
	read_ep(rules, pos, ep);
	return 0;
}

static char *
write_square(char *out, int square)
{
	*out++ = (char)('a' + file_of(square));
	*out++ = (char)('1' + rank_of(square));
	return out;
}

static char *
write_placement(const struct naive_pos *pos, char *out)
{
	int file, rank, empty;
	char piece;

	for (rank = 7; rank >= 0; rank--) {
		empty = 0;
		for (file = 0; file < 8; file++) {
			piece = pos->at[8 * rank + file];
			if (piece == '.') {
				empty++;
				continue;
			}
			if (empty > 0)
				*out++ = (char)('0' + empty);
			empty = 0;
			*out++ = piece;
		}
		if (empty > 0)
			*out++ = (char)('0' + empty);
		if (rank > 0)
			*out++ = '/';
	}
	return out;
}

static char
right_letter(const struct naive_pos *pos, int i)
{
	const bool white = i < 2;
	char c = i % 2 == 0 ? 'K' : 'Q';

	if (outermost(pos, white, i % 2 == 0) != pos->rook[i])
		c = (char)('A' + file_of(pos->rook[i]));
	return piece_of(c, white);
}

void
naive_fen(const struct naive *game, char *out)
{
	const struct naive_pos *pos = &game->pos;
	const int ep = live_ep(&game->rules, pos);
	char *start;
	int i;

	out = write_placement(pos, out);
	*out++ = ' ';
	*out++ = pos->white ? 'w' : 'b';
	*out++ = ' ';
	start = out;
	for (i = 0; i < 4; i++)
		if (pos->rook[i] >= 0)
			*out++ = right_letter(pos, i);
	if (out == start)
		*out++ = '-';
	*out++ = ' ';
	if (ep < 0)
		*out++ = '-';
	else
		out = write_square(out, ep);
	if (game->rules.checks_to_win > 0)
		out += sprintf(out, " %d+%d", pos->checks[0], pos->checks[1]);
	sprintf(out, " %d %d", pos->count, pos->number);
}

/* Moves as text. */

/* Can the king by itself go two squares along its rank to an empty square? */
static bool
king_goes_two(const struct naive_rules *rules)
{
	struct naive_pos empty;

	memset(empty.at, '.', sizeof(empty.at));
	return reaches(&empty, notation(rules, 'K'), 4, 6, true, false);
}

/* Castling is king takes rook, unless both stand on the usual squares. */
static int
written_to(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	int rook;

	if (!is_castling(m))
		return m.to;
	rook = pos->rook[m.castle];
	if (file_of(m.from) == 4 && file_of(rook) == (m.castle % 2 == 0 ? 7 : 0) &&
	    !king_goes_two(rules))
		return m.to;
	return rook;
}

static void
write_move(const struct naive_rules *rules, const struct naive_pos *pos, struct move m,
    char *out)
{
	out = write_square(out, m.from);
	out = write_square(out, written_to(rules, pos, m));
	*out++ = m.promote;
	if (m.promote != '\0')
		*out = '\0';
}

/* The legal move of this text. */
static struct move
read_move(const struct naive_rules *rules, const struct naive_pos *pos, const char *text)
{
	const struct move none = { 0, 0, '\0', -1 };
	struct moves list;
	char written[6];
	int i;

	legal_moves(rules, pos, &list);
	for (i = 0; i < list.n; i++) {
		write_move(rules, pos, list.move[i], written);
		if (strcmp(written, text) == 0)
			return list.move[i];
	}
	return none;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

int
naive_moves(const struct naive *game, char (*out)[6])
{
	struct moves list;
	int i;

	playable_moves(&game->rules, &game->pos, &list);
	for (i = 0; i < list.n; i++)
		write_move(&game->rules, &game->pos, list.move[i], out[i]);
	qsort(out, (size_t)list.n, sizeof(*out), by_text);
	return list.n;
}

/* The game. */

static void
remember(struct naive *game)
{
	const struct naive_pos *pos = &game->pos;
	struct naive_key *key;
	int i;

	if (game->npast == NAIVE_PAST) {
		memmove(game->past, game->past + 1,
		    (NAIVE_PAST - 1) * sizeof(game->past[0]));
		game->npast--;
	}
	key = &game->past[game->npast++];
	memcpy(key->at, pos->at, sizeof(key->at));
	key->side = pos->white ? 'w' : 'b';
	for (i = 0; i < 4; i++)
		key->right[i] = (char)pos->rook[i];
	key->ep = (char)live_ep(&game->rules, pos);
	key->checks[0] = (char)pos->checks[0];
	key->checks[1] = (char)pos->checks[1];
}

int
naive_init(struct naive *game, const char *spec, const char *fen)
{
	if (read_rules(&game->rules, spec) == -1 ||
	    read_fen(&game->rules, &game->pos, fen) == -1)
		return -1;
	game->plies = 0;
	game->npast = 0;
	remember(game);
	return 0;
}

void
naive_play(struct naive *game, const char *move)
{
	game->pos = after_all(&game->rules, &game->pos,
	    read_move(&game->rules, &game->pos, move));
	game->plies++;
	remember(game);
}

bool
naive_in_check(const struct naive *game)
{
	return in_check(&game->rules, &game->pos, game->pos.white);
}

static int
repetitions(const struct naive *game)
{
	const struct naive_key *now = &game->past[game->npast - 1];
	int i, n = 0;

	/* The key is all characters, so no padding can differ. */
	for (i = 0; i < game->npast; i++)
		if (memcmp(&game->past[i], now, sizeof(*now)) == 0)
			n++;
	return n;
}

/* Dead material. */

struct material {
	int heavy; /* queens, rooks, and pawns, which promote */
	int knights;
	int bishops[2]; /* on dark squares, on light squares */
};

static struct material
material_of(const struct naive_pos *pos, bool white)
{
	struct material m = { 0, 0, { 0, 0 } };
	int square;

	for (square = 0; square < 64; square++) {
		if (!is_of(pos->at[square], white))
			continue;
		switch (kind_of(pos->at[square])) {
		case 'K':
			break;
		case 'N':
			m.knights++;
			break;
		case 'B':
			m.bishops[(file_of(square) + rank_of(square)) % 2]++;
			break;
		default:
			m.heavy++;
		}
	}
	return m;
}

static struct material
sum(struct material a, struct material b)
{
	a.heavy += b.heavy;
	a.knights += b.knights;
	a.bishops[0] += b.bishops[0];
	a.bishops[1] += b.bishops[1];
	return a;
}

/* Nothing, one knight, or bishops of one colour however many. */
static bool
is_weak(struct material m)
{
	const int bishops = m.bishops[0] + m.bishops[1];

	if (m.heavy > 0)
		return false;
	if (bishops == 0)
		return m.knights <= 1;
	return m.knights == 0 && (m.bishops[0] == 0 || m.bishops[1] == 0);
}

/*
 * Can no play from this balance end in a win?
 *
 * A side with weak material cannot mate a bare king.  It can mate a king
 * whose own men stand in its way, if these are not themselves bishops of the
 * colour it has; so what counts classically is the material of both sides
 * together.
 *
 * Where a king may take its own men they are never in its way.  Strip a mated
 * side of them: lines only open, hence the king stays in check and every
 * square next to it stays attacked, and it is mate still.  So who cannot mate
 * a bare king cannot mate at all, and each side counts alone.
 *
 * Where stalemate wins, any man beside the kings can win alone, and play may
 * always come down to that one.  selfcheck.c looks at all placements of the
 * small balances to confirm each of these.
 */
static bool
is_dead(const struct naive_rules *rules, const struct naive_pos *pos)
{
	const struct material white = material_of(pos, true);
	const struct material black = material_of(pos, false);
	const struct material both = sum(white, black);
	const int minors = both.knights + both.bishops[0] + both.bishops[1];

	/* Where even kings alone can do something, nothing is dead: they can
	 * reach the hill, repeat, bare each other, or check in a way of their
	 * own. */
	if (rules->hill_wins || rules->repetition_value != 0 ||
	    rules->bare_king_value != 0 || strcmp(rules->piece[4], "K") != 0)
		return false;
	/* What moves otherwise than in chess may do anything. */
	if ((both.knights > 0 && strcmp(rules->piece[0], "N") != 0) ||
	    (minors > both.knights && strcmp(rules->piece[1], "B") != 0))
		return false;
	if (rules->stalemate_value != 0 || rules->checks_to_win > 0)
		return both.heavy + minors == 0;
	if (rules->self_capture)
		return is_weak(white) && is_weak(black);
	return is_weak(both);
}

const char *
naive_end(const struct naive *game)
{
	struct moves list;

	legal_moves(&game->rules, &game->pos, &list);
	if (list.n == 0 && naive_in_check(game))
		return "checkmate";
	if (has_won_by_checks(&game->rules, &game->pos))
		return "checks";
	if (has_won_by_hill(&game->rules, &game->pos))
		return "hill";
	if (is_bared(&game->rules, &game->pos, &list))
		return "bare-king";
	if (list.n == 0)
		return "stalemate";
	if (repetitions(game) >= 3)
		return "repetition";
	if (game->pos.count >= game->rules.count_limit)
		return "fifty";
	if (is_dead(&game->rules, &game->pos))
		return "material";
	if (game->plies >= game->rules.ply_limit)
		return "length";
	return "";
}

int
naive_value(const struct naive *game)
{
	const struct naive_rules *rules = &game->rules;
	const char *end = naive_end(game);
	const int mover = game->pos.white ? -1 : 1;
	int value = 0;

	if (*end == '\0')
		return 0;
	if (strcmp(end, "checkmate") == 0 || strcmp(end, "checks") == 0 ||
	    strcmp(end, "hill") == 0)
		value = 100;
	else if (strcmp(end, "bare-king") == 0 &&
	    men_of(&game->pos, !game->pos.white) > 1)
		value = rules->bare_king_value;
	else if (strcmp(end, "stalemate") == 0)
		value = rules->stalemate_value;
	else if (strcmp(end, "repetition") == 0)
		value = rules->repetition_value;
	return value != 0 ? mover * value : rules->draw_value;
}

int
naive_winner(const struct naive *game)
{
	const int value = naive_value(game);

	return value == 100 ? 1 : value == -100 ? -1 : 0;
}

/* Perft. */

static unsigned long long
perft(const struct naive_rules *rules, const struct naive_pos *pos, int depth)
{
	struct moves list;
	struct naive_pos next;
	unsigned long long n = 0;
	int i;

	if (depth <= 0)
		return 1;
	playable_moves(rules, pos, &list);
	if (depth == 1)
		return (unsigned long long)list.n;
	for (i = 0; i < list.n; i++) {
		next = after_all(rules, pos, list.move[i]);
		n += perft(rules, &next, depth - 1);
	}
	return n;
}

unsigned long long
naive_perft(const struct naive *game, int depth)
{
	return perft(&game->rules, &game->pos, depth);
}

/* SAN. */

/*
 * Writes as much of the departure as tells the move from those of its rivals:
 * other men of the same kind that may legally go to the same square, for
 * pawns without capturing.  The file if no rival shares it, else the rank if
 * no rival shares that, else both.
 */
static char *
write_departure(const struct naive_rules *rules, const struct naive_pos *pos,
    struct move m, char *out)
{
	struct moves list;
	bool rival = false, same_file = false, same_rank = false;
	int from, i;

	legal_moves(rules, pos, &list);
	for (i = 0; i < list.n; i++) {
		from = list.move[i].from;
		if (is_castling(list.move[i]) || list.move[i].to != m.to ||
		    from == m.from || pos->at[from] != pos->at[m.from])
			continue;
		if (is_pawn_move(pos, m) && is_capture(pos, list.move[i]))
			continue;
		rival = true;
		same_file |= file_of(from) == file_of(m.from);
		same_rank |= rank_of(from) == rank_of(m.from);
	}
	if (rival && (!same_file || same_rank))
		*out++ = (char)('a' + file_of(m.from));
	if (rival && same_file)
		*out++ = (char)('1' + rank_of(m.from));
	return out;
}

static char *
write_plain_san(const struct naive_rules *rules, const struct naive_pos *pos,
    struct move m, char *out)
{
	const bool pawn = is_pawn_move(pos, m);

	if (!pawn)
		*out++ = kind_of(pos->at[m.from]);
	if (pawn && is_capture(pos, m))
		*out++ = (char)('a' + file_of(m.from));
	else
		out = write_departure(rules, pos, m, out);
	if (is_capture(pos, m))
		*out++ = 'x';
	out = write_square(out, m.to);
	if (m.promote != '\0') {
		*out++ = '=';
		*out++ = kind_of(m.promote);
	}
	return out;
}

void
naive_san(const struct naive *game, const char *move, char *out)
{
	const struct naive_rules *rules = &game->rules;
	const struct naive_pos *pos = &game->pos;
	const struct move m = read_move(rules, pos, move);
	const struct naive_pos next = after(rules, pos, m);
	struct moves list;

	if (is_castling(m))
		out += sprintf(out, "%s", m.castle % 2 == 0 ? "O-O" : "O-O-O");
	else
		out = write_plain_san(rules, pos, m, out);
	if (in_check(rules, &next, next.white)) {
		legal_moves(rules, &next, &list);
		*out++ = list.n == 0 ? '#' : '+';
	}
	*out = '\0';
}
