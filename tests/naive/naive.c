#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"

struct move {
	int from; /* -1 for a drop */
	int to;
	char promote; /* a small letter or '\0' */
	char drop;    /* a capital or '\0' */
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

static const struct naive_side *
side_of(const struct naive_rules *rules, bool white)
{
	return &rules->side[white ? 0 : 1];
}

static bool
has_hands(const struct naive_rules *rules)
{
	return rules->side[0].drops || rules->side[1].drops;
}

/* Is it one of the kinds that check and mate are about for its side? */
static bool
is_royal(const struct naive_rules *rules, char piece)
{
	const bool white = is_of(piece, true);

	return piece != '.' &&
	    strchr(side_of(rules, white)->royal, tolower((unsigned char)piece)) != NULL;
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

/* The notation of a kind of a side's pieces. */
static const char *
notation(const struct naive_rules *rules, char kind, bool white)
{
	return side_of(rules, white)
	    ->piece[strchr(rules->letters, kind) - rules->letters];
}

/* How far the notation goes by this step, at once or one by one; 0: not at all. */
static int
how_far(const char *text, int file, int rank, bool capture)
{
	struct atom a;
	int far = 0;

	while (*text != '\0') {
		text = read_atom(text, &a);
		if ((capture ? a.capture : a.quiet) && has_step(&a, file, rank) &&
		    a.far > far)
			far = a.far;
	}
	return far;
}

/* Do two notations mean the same piece? */
static bool
is_alike(const char *a, const char *b)
{
	int file, rank;

	for (file = -3; file <= 3; file++)
		for (rank = -3; rank <= 3; rank++)
			if (how_far(a, file, rank, false) !=
				how_far(b, file, rank, false) ||
			    how_far(a, file, rank, true) != how_far(b, file, rank, true))
				return false;
	return true;
}

/* Are there no pieces but those of chess, written as there? */
static bool
is_usual(const struct naive_rules *rules)
{
	int i;

	for (i = 0; i < 10; i++) {
		const char *text = rules->side[i / 5].piece[i % 5];
		if (text[0] != rules->letters[i % 5] || text[1] != '\0')
			return false;
	}
	return rules->letters[5] == '\0';
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
attacked_as_usual(const struct naive_pos *pos, int square, bool white, bool by_king)
{
	const char knight = piece_of('N', white);
	const char king = piece_of('K', white);
	int i;

	for (i = 0; i < 8; i++) {
		if (attacked_on_line(pos, square, i, white) ||
		    holds(pos, stepped(square, leaps[i].file, leaps[i].rank), knight) ||
		    (by_king &&
			holds(pos, stepped(square, around[i].file, around[i].rank),
			    king)))
			return true;
	}
	return false;
}

/* Where captures explode, royal kings cannot capture. */
static bool
is_harmless(const struct naive_rules *rules, char piece)
{
	return rules->explode && kind_of(piece) == 'K' && is_royal(rules, piece);
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
		return attacked_as_usual(pos, square, white,
		    !is_harmless(rules, piece_of('K', white)));
	for (from = 0; from < 64; from++)
		if (from != square && is_of(pos->at[from], white) &&
		    kind_of(pos->at[from]) != 'P' && !is_harmless(rules, pos->at[from]) &&
		    reaches(pos, notation(rules, kind_of(pos->at[from]), white), from,
			square, white, true))
			return true;
	return false;
}

/* Where captures explode: does a royal king of that side stand beside the square,
 * so that nobody would capture there? */
static bool
is_sheltered(const struct naive_rules *rules, const struct naive_pos *pos, int square,
    bool white)
{
	const char king = piece_of('K', white);
	int i;

	for (i = 0; i < 8; i++)
		if (rules->explode && is_royal(rules, king) &&
		    holds(pos, stepped(square, around[i].file, around[i].rank), king))
			return true;
	return false;
}

/* Would a royal piece of that side be in check there? */
static bool
is_threatened(const struct naive_rules *rules, const struct naive_pos *pos, int square,
    bool white)
{
	return attacked(rules, pos, square, !white) &&
	    !is_sheltered(rules, pos, square, !white);
}

/* Is any royal piece of that side in check? */
static bool
in_check(const struct naive_rules *rules, const struct naive_pos *pos, bool white)
{
	int square;

	for (square = 0; square < 64; square++)
		if (is_of(pos->at[square], white) && is_royal(rules, pos->at[square]) &&
		    is_threatened(rules, pos, square, white))
			return true;
	return false;
}

/* Has its king been lost by an explosion? */
static bool
has_exploded(const struct naive_rules *rules, const struct naive_pos *pos, bool white)
{
	return rules->explode && is_royal(rules, piece_of('K', white)) &&
	    find_king(pos, white) < 0;
}

/* Making a move on a copy. */

static bool
is_drop(struct move m)
{
	return m.drop != '\0';
}

static bool
is_pawn_move(const struct naive_pos *pos, struct move m)
{
	return !is_drop(m) && kind_of(pos->at[m.from]) == 'P';
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

/* Does it capture a piece of the other side? */
static bool
takes_enemy(const struct naive_pos *pos, struct move m)
{
	return is_capture(pos, m) && !is_of(pos->at[m.to], pos->white);
}

static bool
is_double_step(const struct naive_pos *pos, struct move m)
{
	return is_pawn_move(pos, m) && abs(rank_of(m.from) - rank_of(m.to)) == 2;
}

static bool
resets_count(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	const struct naive_side *own = side_of(rules, pos->white);

	if (is_capture(pos, m) || m.drop == 'P')
		return true;
	if (!is_pawn_move(pos, m) || own->pawn_back)
		return false;
	if (own->pawn_sideways)
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

	for (i = 0; i < 4 && !is_drop(m); i++) {
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

/* A captured piece goes into the hand, as a pawn if it was one. */
static void
keep_captured(const struct naive_rules *rules, struct naive_pos *next,
    const struct naive_pos *pos, struct move m)
{
	char kind = kind_of(pos->at[m.to]);

	if (!takes_enemy(pos, m) || !side_of(rules, pos->white)->drops)
		return;
	if (is_en_passant(pos, m) || pos->promoted[m.to])
		kind = 'P';
	next->hand[pos->white ? 0 : 1][kind - 'A']++;
}

/* The captured piece and the capturing one are gone, and all but pawns around. */
static void
explode(struct naive_pos *next, int centre)
{
	int i, k, square;

	for (i = -1; i < 8; i++) {
		square = i < 0 ? centre : stepped(centre, around[i].file, around[i].rank);
		if (square < 0 || (i >= 0 && kind_of(next->at[square]) == 'P'))
			continue;
		for (k = 0; k < 4; k++)
			if (next->rook[k] == square ||
			    next->at[square] == piece_of('K', k < 2))
				next->rook[k] = -1;
		next->at[square] = '.';
		next->promoted[square] = false;
	}
}

static void
move_piece(const struct naive_rules *rules, struct naive_pos *next,
    const struct naive_pos *pos, struct move m)
{
	keep_captured(rules, next, pos, m);
	if (is_en_passant(pos, m))
		next->at[stepped(m.to, 0, -ahead(pos->white))] = '.';
	next->at[m.to] = m.promote == '\0' ? pos->at[m.from]
					   : piece_of(kind_of(m.promote), pos->white);
	next->promoted[m.to] =
	    has_hands(rules) && (pos->promoted[m.from] || m.promote != '\0');
	next->at[m.from] = '.';
	next->promoted[m.from] = false;
	if (rules->explode && is_capture(pos, m))
		explode(next, m.to);
}

/* A double step that promotes, or that begins on the first rank, gives no right to
 * capture en passant. */
static bool
allows_en_passant(const struct naive_rules *rules, const struct naive_pos *pos,
    struct move m)
{
	return side_of(rules, !pos->white)->en_passant && is_double_step(pos, m) &&
	    m.promote == '\0' && own_rank(m.from, pos->white) > 1;
}

static struct naive_pos
after(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	struct naive_pos next = *pos;

	next.count = resets_count(rules, pos, m) ? 0 : pos->count + 1;
	lose_rights(&next, pos, m);
	if (is_drop(m)) {
		next.at[m.to] = piece_of(m.drop, pos->white);
		next.hand[pos->white ? 0 : 1][m.drop - 'A']--;
	} else if (is_castling(m)) {
		castle(&next, pos, m);
	} else {
		move_piece(rules, &next, pos, m);
	}
	next.ep = allows_en_passant(rules, pos, m) ? (m.from + m.to) / 2 : -1;
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

	if (*left > 0 && in_check(rules, &next, next.white))
		--*left;
	return next;
}

/* May the move be made: is no own royal piece in check then, and no other where that
 * is forbidden?  The explosion of the other king settles all. */
static bool
is_safe(const struct naive_rules *rules, const struct naive_pos *pos, struct move m)
{
	struct naive_pos next = after(rules, pos, m);

	if (has_exploded(rules, &next, pos->white))
		return false;
	if (has_exploded(rules, &next, !pos->white))
		return true;
	return !in_check(rules, &next, pos->white) &&
	    (side_of(rules, pos->white)->may_check ||
		!in_check(rules, &next, !pos->white));
}

/* Moves, at first without a look at the own king. */

static void
add(struct moves *list, int from, int to, char promote)
{
	struct move *m = &list->move[list->n++];

	m->from = from;
	m->to = to;
	m->promote = promote;
	m->drop = '\0';
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
	return side_of(rules, pos->white)->self_capture && kind_of(piece) != 'K' &&
	    !is_royal(rules, piece);
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
	for (piece = side_of(rules, pos->white)->promote_to; *piece != '\0'; piece++)
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
	const struct naive_side *own = side_of(rules, pos->white);
	const int up = ahead(pos->white);
	const int rank = own_rank(from, pos->white);

	/* From the 7th rank the second square is off the board. */
	if (add_pawn_step(rules, pos, list, from, stepped(from, 0, up)) &&
	    rank >= (own->low_pawns ? 1 : 2) && rank <= own->double_to)
		add_pawn_step(rules, pos, list, from, stepped(from, 0, 2 * up));
	if (own->pawn_back && rank > 2)
		add_pawn_step(rules, pos, list, from, stepped(from, 0, -up));
	if (own->pawn_sideways) {
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
		if (pos->at[to] == '.' ||
		    (may_take(rules, pos, to) && !is_harmless(rules, pos->at[from])))
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
	const char *text = notation(rules, kind_of(pos->at[from]), pos->white);
	int to;

	if (is_usual(rules)) {
		usual_moves(rules, pos, from, list);
		return;
	}
	for (to = 0; to < 64; to++) {
		if (to == from ||
		    (pos->at[to] != '.' &&
			(!may_take(rules, pos, to) || is_harmless(rules, pos->at[from]))))
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
	struct naive_pos without = *pos; /* the king, which does not shield its way */
	int square;

	without.at[king] = '.';
	for (square = home; square < home + 8; square++) {
		if ((is_between(square, king, king_to) ||
			is_between(square, rook, rook_to)) &&
		    square != king && square != rook && pos->at[square] != '.')
			return false;
		if (is_between(square, king, king_to) &&
		    is_threatened(rules, &without, square, pos->white))
			return false;
	}
	return true;
}

static void
castling_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	int i;

	if (pos->number < side_of(rules, pos->white)->castling_from ||
	    in_check(rules, pos, pos->white))
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

/* Pieces in hand go to any empty square, pawns not to the first and last rank. */
static void
drop_moves(const struct naive_pos *pos, struct moves *list)
{
	const char *hand = pos->hand[pos->white ? 0 : 1];
	int i, to;

	for (i = 0; i < 26; i++) {
		for (to = 0; to < 64 && hand[i] > 0; to++) {
			if (pos->at[to] != '.' ||
			    ('A' + i == 'P' && (rank_of(to) == 0 || rank_of(to) == 7)))
				continue;
			add(list, -1, to, '\0');
			list->move[list->n - 1].drop = (char)('A' + i);
		}
	}
}

static void
all_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	int square;

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
	drop_moves(pos, list);
}

static void
legal_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	bool forced = false;
	int i, n;

	all_moves(rules, pos, list);
	n = list->n;
	list->n = 0;
	for (i = 0; i < n; i++)
		if (is_safe(rules, pos, list->move[i])) {
			forced |= takes_enemy(pos, list->move[i]);
			list->move[list->n++] = list->move[i];
		}
	if (!forced || !side_of(rules, pos->white)->must_capture)
		return;
	n = list->n;
	list->n = 0;
	for (i = 0; i < n; i++)
		if (takes_enemy(pos, list->move[i]))
			list->move[list->n++] = list->move[i];
}

/* Ends before mate. */

static bool
has_won_by_checks(const struct naive_rules *rules, const struct naive_pos *pos)
{
	return side_of(rules, !pos->white)->checks_to_win > 0 &&
	    pos->checks[pos->white ? 1 : 0] == 0;
}

/* Does a king of that side stand on one of its goals? */
static bool
is_at_goal(const struct naive_rules *rules, const struct naive_pos *pos, bool white)
{
	int square;

	for (square = 0; square < 64; square++)
		if (side_of(rules, white)->goal[square] &&
		    pos->at[square] == piece_of('K', white))
			return true;
	return false;
}

/* White is at its goal, and Black still has a move. */
static bool
awaits_last_word(const struct naive_rules *rules, const struct naive_pos *pos)
{
	return rules->last_word && !pos->white && is_at_goal(rules, pos, true);
}

/* The side that has moved is at its goal, or White was before Black's last word. */
static bool
is_over_by_goal(const struct naive_rules *rules, const struct naive_pos *pos)
{
	if (pos->white)
		return is_at_goal(rules, pos, false) ||
		    (rules->last_word && is_at_goal(rules, pos, true));
	return !rules->last_word && is_at_goal(rules, pos, true);
}

/* The name of that end, by the squares of who has reached them, Black if both. */
static const char *
goal_name(const struct naive_rules *rules, const struct naive_pos *pos)
{
	const bool white = !is_at_goal(rules, pos, false) || !pos->white;
	const bool *goal = side_of(rules, white)->goal;
	int square;

	for (square = 0; square < 64; square++)
		if (goal[square] !=
		    ((file_of(square) == 3 || file_of(square) == 4) &&
			(rank_of(square) == 3 || rank_of(square) == 4)))
			return "goal";
	return "hill";
}

static int
men_of(const struct naive_pos *pos, bool white)
{
	int square, n = 0;

	for (square = 0; square < 64; square++)
		n += is_of(pos->at[square], white);
	return n;
}

static int
royals_of(const struct naive_rules *rules, const struct naive_pos *pos, bool white)
{
	int square, n = 0;

	for (square = 0; square < 64; square++)
		n += is_of(pos->at[square], white) && is_royal(rules, pos->at[square]);
	return n;
}

static int
hand_of(const struct naive_pos *pos, bool white)
{
	int i, n = 0;

	for (i = 0; i < 26; i++)
		n += pos->hand[white ? 0 : 1][i];
	return n;
}

static bool
has_lost_all(const struct naive_pos *pos, bool white)
{
	return men_of(pos, white) == 0 && hand_of(pos, white) == 0;
}

static bool
is_over_by_loss(const struct naive_rules *rules, const struct naive_pos *pos)
{
	return (rules->side[0].lost_all_value != 0 && has_lost_all(pos, true)) ||
	    (rules->side[1].lost_all_value != 0 && has_lost_all(pos, false));
}

/* Has that side nothing but its king, or its other royal pieces? */
static bool
is_bare(const struct naive_rules *rules, const struct naive_pos *pos, bool white)
{
	const int royals = royals_of(rules, pos, white);

	return royals > 0 && men_of(pos, white) == royals && hand_of(pos, white) == 0;
}

/* The side to move has its king alone and cannot take the other's last man. */
static bool
is_bared(const struct naive_rules *rules, const struct naive_pos *pos,
    const struct moves *list)
{
	const bool other = !pos->white;
	int i;

	if (side_of(rules, other)->bare_king_value == 0 ||
	    !is_bare(rules, pos, pos->white))
		return false;
	if (men_of(pos, other) != royals_of(rules, pos, other) + 1 ||
	    hand_of(pos, other) > 0)
		return true;
	for (i = 0; i < list->n; i++)
		if (takes_enemy(pos, list->move[i]))
			return false;
	return true;
}

/* The end, "" if there is none, that leaves legal moves unplayed. */
static const char *
early_end(const struct naive_rules *rules, const struct naive_pos *pos,
    const struct moves *list)
{
	if (has_won_by_checks(rules, pos))
		return "checks";
	if (is_over_by_goal(rules, pos))
		return goal_name(rules, pos);
	if (has_exploded(rules, pos, pos->white))
		return "explosion";
	if (is_over_by_loss(rules, pos))
		return "lost-all";
	return is_bared(rules, pos, list) ? "bare-king" : "";
}

/* The legal moves, none when the game is over. */
static void
playable_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	legal_moves(rules, pos, list);
	if (early_end(rules, pos, list)[0] != '\0')
		list->n = 0;
}

/* The en passant square if a capture there is legal, or -1. */
static int
live_ep(const struct naive_rules *rules, const struct naive_pos *pos)
{
	struct move m = { -1, pos->ep, '\0', '\0', -1 };
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

/* FEN. */

/* Pieces in hand, as in QNpp. */
static int
read_hands(struct naive_pos *pos, const char *text)
{
	for (; *text != '\0' && *text != ']'; text++) {
		if (!isalpha((unsigned char)*text))
			return -1;
		pos->hand[is_of(*text, true) ? 0 : 1][kind_of(*text) - 'A']++;
	}
	return *text == ']' ? 0 : -1;
}

static int
read_placement(const struct naive_rules *rules, struct naive_pos *pos, const char *text)
{
	int file = 0, rank = 7;

	memset(pos->at, '.', sizeof(pos->at));
	memset(pos->promoted, 0, sizeof(pos->promoted));
	memset(pos->hand, 0, sizeof(pos->hand));
	for (; *text != '\0' && *text != '['; text++) {
		if (*text == '/') {
			if (file != 8 || rank == 0)
				return -1;
			file = 0;
			rank--;
		} else if (*text >= '1' && *text <= '8') {
			file += *text - '0';
		} else if (*text == '~' && file > 0) {
			pos->promoted[8 * rank + file - 1] = true;
		} else if (*text == 'P' || *text == 'p' ||
		    (isalpha((unsigned char)*text) &&
			strchr(rules->letters, kind_of(*text)) != NULL)) {
			if (file > 7)
				return -1;
			pos->at[8 * rank + file++] = *text;
		} else {
			return -1;
		}
	}
	if (file != 8 || rank != 0)
		return -1;
	return *text == '[' ? read_hands(pos, text + 1) : 0;
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
		if (king < 0)
			continue;
		if (kind_of(*text) == 'K' || kind_of(*text) == 'Q') {
			square = outermost(pos, white, kind_of(*text) == 'K');
		} else {
			square = (white ? 0 : 56) + kind_of(*text) - 'A';
			if (!holds(pos, square, piece_of('R', white)) ||
			    rank_of(king) != rank_of(square))
				square = -1;
		}
		if (square >= 0 && !pos->promoted[square] &&
		    side_of(rules, white)->castling_from != INT_MAX &&
		    is_royal(rules, pos->at[king]))
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
	if (!side_of(rules, pos->white)->en_passant || text[0] < 'a' || text[0] > 'h' ||
	    text[1] < '1' || text[1] > '8')
		return;
	square = 8 * (text[1] - '1') + text[0] - 'a';
	from = stepped(square, 0, -ahead(mover));
	if (from < 0 || pos->at[from] != '.' || pos->at[square] != '.' ||
	    !holds(pos, stepped(square, 0, ahead(mover)), piece_of('P', mover)))
		return;
	rank = own_rank(from, mover);
	if (rank >= 2 && rank <= side_of(rules, mover)->double_to)
		pos->ep = square;
}

static int
read_fen(const struct naive_rules *rules, struct naive_pos *pos, const char *fen)
{
	char placement[NAIVE_FEN], side[2], rights[8], ep[4];
	int n;

	if (sscanf(fen, "%255s %1s %7s %3s %n", placement, side, rights, ep, &n) != 4)
		return -1;
	fen += n;
	pos->checks[0] = rules->side[0].checks_to_win;
	pos->checks[1] = rules->side[1].checks_to_win;
	if (sscanf(fen, "%1d+%1d %d %d", &pos->checks[0], &pos->checks[1], &pos->count,
		&pos->number) != 4) {
		pos->checks[0] = rules->side[0].checks_to_win;
		pos->checks[1] = rules->side[1].checks_to_win;
		if (sscanf(fen, "%d %d", &pos->count, &pos->number) != 2)
			return -1;
	}
	if (read_placement(rules, pos, placement) == -1 ||
	    (side[0] != 'w' && side[0] != 'b'))
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
			if (pos->promoted[8 * rank + file])
				*out++ = '~';
		}
		if (empty > 0)
			*out++ = (char)('0' + empty);
		if (rank > 0)
			*out++ = '/';
	}
	return out;
}

/* White's pieces in hand, then Black's; spare kinds, the last letter first, then
 * KQRBNP. */
static char *
write_hands(const struct naive_rules *rules, const struct naive_pos *pos, char *out)
{
	int i, n, side;

	*out++ = '[';
	for (side = 0; side < 2; side++)
		for (i = (int)strlen(rules->letters) - 1; i >= -1; i--) {
			const char kind = i < 0 ? 'P' : rules->letters[i];
			for (n = pos->hand[side][kind - 'A']; n > 0; n--)
				*out++ = piece_of(kind, side == 0);
		}
	*out++ = ']';
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
	if (has_hands(&game->rules))
		out = write_hands(&game->rules, pos, out);
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
	if (game->rules.side[0].checks_to_win > 0 ||
	    game->rules.side[1].checks_to_win > 0)
		out += sprintf(out, " %d+%d", pos->checks[0], pos->checks[1]);
	sprintf(out, " %d %d", pos->count, pos->number);
}

/* Moves as text. */

/* Can the king by itself go two squares along its rank to an empty square? */
static bool
king_goes_two(const struct naive_rules *rules, bool white)
{
	struct naive_pos empty;

	memset(empty.at, '.', sizeof(empty.at));
	return reaches(&empty, notation(rules, 'K', white), 4, 6, white, false);
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
	    !king_goes_two(rules, pos->white))
		return m.to;
	return rook;
}

static void
write_move(const struct naive_rules *rules, const struct naive_pos *pos, struct move m,
    char *out)
{
	if (is_drop(m)) {
		*out++ = m.drop;
		*out++ = '@';
	} else {
		out = write_square(out, m.from);
	}
	out = write_square(out, written_to(rules, pos, m));
	*out++ = m.promote;
	if (m.promote != '\0')
		*out = '\0';
}

/* The legal move of this text. */
static struct move
read_move(const struct naive_rules *rules, const struct naive_pos *pos, const char *text)
{
	const struct move none = { 0, 0, '\0', '\0', -1 };
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
	for (i = 0; i < 64; i++)
		key->promoted[i] = (char)pos->promoted[i];
	memcpy(key->hand, pos->hand, sizeof(key->hand));
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
	if (naive_read_rules(&game->rules, spec) == -1 ||
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
	bool small_wins = false, judged_alone = true;
	int i, square;

	for (i = 0; i < 2; i++) {
		const struct naive_side *s = &rules->side[i];
		const struct material m = i == 0 ? white : black;
		/* Where even kings alone can do something, nothing is dead: they can
		 * reach a goal, repeat, bare each other, lose all, or check in a way
		 * of their own. */
		for (square = 0; square < 64; square++)
			if (s->goal[square])
				return false;
		if (s->repetition_value != 0 || s->bare_king_value != 0 ||
		    s->lost_all_value != 0 || !is_alike(s->piece[4], "K"))
			return false;
		/* Nor where pieces come back, must capture or may not check, or
		 * where check is about others than the king. */
		if (s->drops || s->must_capture || !s->may_check ||
		    strcmp(s->royal, "k") != 0)
			return false;
		/* What moves otherwise than in chess may do anything. */
		small_wins |= (m.knights > 0 && !is_alike(s->piece[0], "N")) ||
		    (m.bishops[0] + m.bishops[1] > 0 && !is_alike(s->piece[1], "B")) ||
		    s->stalemate_value != 0 || s->checks_to_win > 0;
		judged_alone &= s->self_capture;
	}
	if (rules->explode)
		return false;
	if (small_wins)
		return both.heavy + minors == 0;
	if (judged_alone)
		return is_weak(white) && is_weak(black);
	return is_weak(both);
}

static bool
is_mate(const struct naive *game, const struct moves *list)
{
	return list->n == 0 && naive_in_check(game);
}

const char *
naive_end(const struct naive *game)
{
	const char *end;
	struct moves list;

	legal_moves(&game->rules, &game->pos, &list);
	if (is_mate(game, &list))
		return "checkmate";
	end = early_end(&game->rules, &game->pos, &list);
	if (end[0] != '\0')
		return end;
	if (list.n == 0)
		return awaits_last_word(&game->rules, &game->pos)
		    ? goal_name(&game->rules, &game->pos)
		    : "stalemate";
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

/* What reaching goals is worth to the side that has moved. */
static int
goal_value(const struct naive_rules *rules, const struct naive_pos *pos)
{
	if (!rules->last_word || !pos->white)
		return 100;
	return 100 * (is_at_goal(rules, pos, false) - is_at_goal(rules, pos, true));
}

/* The same of having lost all, by one side or both. */
static int
loss_value(const struct naive_rules *rules, const struct naive_pos *pos)
{
	int value = 0;

	if (has_lost_all(pos, !pos->white))
		value += side_of(rules, !pos->white)->lost_all_value;
	if (has_lost_all(pos, pos->white))
		value -= side_of(rules, pos->white)->lost_all_value;
	return value > 100 ? 100 : value < -100 ? -100 : value;
}

/* What the end is worth to the side that has moved; 0: an ordinary draw. */
static int
mover_value(const struct naive_rules *rules, const struct naive_pos *pos, const char *end)
{
	const struct naive_side *mover = side_of(rules, !pos->white);

	if (strcmp(end, "checkmate") == 0 || strcmp(end, "checks") == 0 ||
	    strcmp(end, "explosion") == 0)
		return 100;
	if (strcmp(end, "hill") == 0 || strcmp(end, "goal") == 0)
		return goal_value(rules, pos);
	if (strcmp(end, "lost-all") == 0)
		return loss_value(rules, pos);
	/* an explosion may have left the mover nothing at all */
	if (strcmp(end, "bare-king") == 0)
		return men_of(pos, !pos->white) == royals_of(rules, pos, !pos->white) &&
			hand_of(pos, !pos->white) == 0
		    ? 0
		    : mover->bare_king_value;
	if (strcmp(end, "stalemate") == 0)
		return mover->stalemate_value;
	if (strcmp(end, "repetition") == 0)
		return mover->repetition_value;
	return 0;
}

int
naive_value(const struct naive *game)
{
	const char *end = naive_end(game);
	const int value = mover_value(&game->rules, &game->pos, end);

	if (*end == '\0')
		return 0;
	return value == 0 ? game->rules.draw_value : game->pos.white ? -value : value;
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
		if (is_drop(list.move[i]) || is_castling(list.move[i]) ||
		    list.move[i].to != m.to || from == m.from ||
		    pos->at[from] != pos->at[m.from])
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

	if (is_drop(m)) {
		*out++ = m.drop;
		*out++ = '@';
		out = write_square(out, m.to);
	} else if (is_castling(m))
		out += sprintf(out, "%s", m.castle % 2 == 0 ? "O-O" : "O-O-O");
	else
		out = write_plain_san(rules, pos, m, out);
	legal_moves(rules, &next, &list);
	if (in_check(rules, &next, next.white)) {
		*out++ = list.n == 0 ? '#' : '+';
	} else if (strcmp(early_end(rules, &next, &list), "explosion") == 0) {
		*out++ = '#';
	}
	*out = '\0';
}
