#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"

struct move {
	int from;
	int to;
	char promote;		/* 'q', 'r', 'b', 'n' or '\0' */
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
	{ 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 },
	{ 1, 1 }, { 1, -1 }, { -1, -1 }, { -1, 1 }
};

static const struct step leaps[8] = {
	{ 1, 2 }, { 2, 1 }, { 2, -1 }, { 1, -2 },
	{ -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 }
};

/* Castling in the order of the rights: where king and rook start and end. */
static const struct castle {
	char letter;
	int king, rook;
	int king_to, rook_to;
} castles[4] = {
	{ 'K', 4, 7, 6, 5 },
	{ 'Q', 4, 0, 2, 3 },
	{ 'k', 60, 63, 62, 61 },
	{ 'q', 60, 56, 58, 59 }
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

/* Attack. */

static bool
holds(const struct naive_pos *pos, int square, char piece)
{
	return square >= 0 && pos->at[square] == piece;
}

static bool
attacked_on_line(const struct naive_pos *pos, int square, int direction,
    bool white)
{
	const struct step *d = &around[direction];
	const char slider = piece_of(direction < 4 ? 'R' : 'B', white);
	const char queen = piece_of('Q', white);

	for (;;) {
		square = stepped(square, d->file, d->rank);
		if (square < 0)
			return false;
		if (pos->at[square] != '.')
			return pos->at[square] == slider ||
			    pos->at[square] == queen;
	}
}

/*
 * Does that side attack the square?  No rule changes this: pawns attack by
 * their captures alone, wherever else they may step.
 */
static bool
attacked(const struct naive_pos *pos, int square, bool white)
{
	const char pawn = piece_of('P', white);
	const char knight = piece_of('N', white);
	const char king = piece_of('K', white);
	int i;

	for (i = 0; i < 8; i++) {
		if (attacked_on_line(pos, square, i, white) ||
		    holds(pos, stepped(square, leaps[i].file, leaps[i].rank),
		    knight) ||
		    holds(pos, stepped(square, around[i].file, around[i].rank),
		    king))
			return true;
	}
	return holds(pos, stepped(square, -1, -ahead(white)), pawn) ||
	    holds(pos, stepped(square, 1, -ahead(white)), pawn);
}

static bool
in_check(const struct naive_pos *pos, bool white)
{
	return attacked(pos, find_king(pos, white), !white);
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
	    file_of(m.from) != file_of(m.to) &&
	    rank_of(m.from) != rank_of(m.to);
}

static bool
is_capture(const struct naive_pos *pos, struct move m)
{
	return pos->at[m.to] != '.' || is_en_passant(pos, m);
}

static bool
is_castling(const struct naive_pos *pos, struct move m)
{
	return kind_of(pos->at[m.from]) == 'K' &&
	    abs(file_of(m.from) - file_of(m.to)) == 2;
}

static bool
is_double_step(const struct naive_pos *pos, struct move m)
{
	return is_pawn_move(pos, m) &&
	    abs(rank_of(m.from) - rank_of(m.to)) == 2;
}

static bool
resets_count(const struct naive_rules *rules, const struct naive_pos *pos,
    struct move m)
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
 * Whatever leaves or reaches the home square of a king or a rook ends the
 * right: the piece has moved, or somebody, perhaps its own side, has taken it.
 */
static void
lose_rights(struct naive_pos *pos, struct move m)
{
	const struct castle *c;
	int i;

	for (i = 0; i < 4; i++) {
		c = &castles[i];
		if (m.from == c->king || m.from == c->rook ||
		    m.to == c->king || m.to == c->rook)
			pos->right[i] = false;
	}
}

static void
move_castling_rook(struct naive_pos *pos, struct move m)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (castles[i].king == m.from && castles[i].king_to == m.to) {
			pos->at[castles[i].rook_to] = pos->at[castles[i].rook];
			pos->at[castles[i].rook] = '.';
		}
	}
}

static struct naive_pos
after(const struct naive_rules *rules, const struct naive_pos *pos,
    struct move m)
{
	struct naive_pos next = *pos;

	next.count = resets_count(rules, pos, m) ? 0 : pos->count + 1;
	if (is_en_passant(pos, m))
		next.at[stepped(m.to, 0, -ahead(pos->white))] = '.';
	if (is_castling(pos, m))
		move_castling_rook(&next, m);
	next.at[m.to] = m.promote == '\0' ? pos->at[m.from] :
	    piece_of(kind_of(m.promote), pos->white);
	next.at[m.from] = '.';
	lose_rights(&next, m);
	next.ep = is_double_step(pos, m) ? (m.from + m.to) / 2 : -1;
	next.white = !pos->white;
	if (next.white)
		next.number++;
	return next;
}

static bool
is_safe(const struct naive_rules *rules, const struct naive_pos *pos,
    struct move m)
{
	struct naive_pos next = after(rules, pos, m);

	return !in_check(&next, pos->white);
}

/* Moves, at first without a look at the own king. */

static void
add(struct moves *list, int from, int to, char promote)
{
	struct move *m = &list->move[list->n++];

	m->from = from;
	m->to = to;
	m->promote = promote;
}

/* May a piece of the side to move end its capture on this occupied square? */
static bool
may_take(const struct naive_rules *rules, const struct naive_pos *pos,
    int square)
{
	const char piece = pos->at[square];

	if (piece == '.')
		return false;
	if (!is_of(piece, pos->white))
		return true;
	return rules->self_capture && kind_of(piece) != 'K';
}

static void
add_pawn(const struct naive_pos *pos, struct moves *list, int from, int to)
{
	static const char pieces[] = "qrbn";
	int i;

	if (own_rank(to, pos->white) != 8) {
		add(list, from, to, '\0');
		return;
	}
	for (i = 0; i < 4; i++)
		add(list, from, to, pieces[i]);
}

/* Returns whether the pawn may step there, which needs an empty square. */
static bool
add_pawn_step(const struct naive_pos *pos, struct moves *list, int from,
    int to)
{
	if (to < 0 || pos->at[to] != '.')
		return false;
	add_pawn(pos, list, from, to);
	return true;
}

static void
add_pawn_capture(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list, int from, int to)
{
	if (to >= 0 && (to == pos->ep || may_take(rules, pos, to)))
		add_pawn(pos, list, from, to);
}

static void
pawn_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    int from, struct moves *list)
{
	const int up = ahead(pos->white);
	const int rank = own_rank(from, pos->white);

	/* From the 7th rank the second square is off the board. */
	if (add_pawn_step(pos, list, from, stepped(from, 0, up)) &&
	    rank >= 2 && rank <= rules->double_to)
		add_pawn_step(pos, list, from, stepped(from, 0, 2 * up));
	if (rules->pawn_back && rank > 2)
		add_pawn_step(pos, list, from, stepped(from, 0, -up));
	if (rules->pawn_sideways) {
		add_pawn_step(pos, list, from, stepped(from, -1, 0));
		add_pawn_step(pos, list, from, stepped(from, 1, 0));
	}
	add_pawn_capture(rules, pos, list, from, stepped(from, -1, up));
	add_pawn_capture(rules, pos, list, from, stepped(from, 1, up));
}

/* All moves of a piece in one direction, at most so many squares far. */
static void
line_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    int from, struct step d, int far, struct moves *list)
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
piece_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    int from, struct moves *list)
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

/* Is the way free, and does the king not start or pass in attack? */
static bool
may_castle(const struct naive_pos *pos, const struct castle *c)
{
	const int toward = c->rook > c->king ? 1 : -1;
	int square;

	for (square = c->king + toward; square != c->rook; square += toward)
		if (pos->at[square] != '.')
			return false;
	for (square = c->king; square != c->king_to; square += toward)
		if (attacked(pos, square, !pos->white))
			return false;
	return true;
}

static void
castling_moves(const struct naive_rules *rules, const struct naive_pos *pos,
    struct moves *list)
{
	int i;

	if (pos->number < rules->castling_from)
		return;
	for (i = 0; i < 4; i++)
		if (pos->right[i] && (i < 2) == pos->white &&
		    may_castle(pos, &castles[i]))
			add(list, castles[i].king, castles[i].king_to, '\0');
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

/* The en passant square if a capture there is legal, or -1. */
static int
live_ep(const struct naive_rules *rules, const struct naive_pos *pos)
{
	struct move m = { -1, pos->ep, '\0' };
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
	CLASSICAL, NO_CASTLING, NO_CASTLING_10, PAWN_ONE_SQUARE, STALEMATE_WIN,
	TORPEDO, SEMI_TORPEDO, PAWN_BACK, PAWN_SIDEWAYS, SELF_CAPTURE,
	NPRESETS
};

static const char *const presets[NPRESETS] = {
	"classical", "no-castling", "no-castling-10", "pawn-one-square",
	"stalemate-win", "torpedo", "semi-torpedo", "pawn-back",
	"pawn-sideways", "self-capture"
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

static int
read_rules(struct naive_rules *rules, const char *spec)
{
	bool given[NPRESETS] = { false };

	if (read_sum(spec, given) == -1)
		return -1;
	if (given[NO_CASTLING] && given[NO_CASTLING_10])
		return -1;
	if (given[PAWN_ONE_SQUARE] && (given[TORPEDO] || given[SEMI_TORPEDO]))
		return -1;
	rules->castling_from = given[NO_CASTLING] ? INT_MAX :
	    given[NO_CASTLING_10] ? 11 : 0;
	rules->double_to = given[PAWN_ONE_SQUARE] ? 0 :
	    given[TORPEDO] ? 6 : given[SEMI_TORPEDO] ? 3 : 2;
	rules->stalemate_wins = given[STALEMATE_WIN];
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
	if (file != 8 || rank != 0 ||
	    find_king(pos, true) < 0 || find_king(pos, false) < 0)
		return -1;
	return 0;
}

static void
read_rights(const struct naive_rules *rules, struct naive_pos *pos,
    const char *text)
{
	const struct castle *c;
	int i;

	for (i = 0; i < 4; i++) {
		c = &castles[i];
		pos->right[i] = rules->castling_from != INT_MAX &&
		    strchr(text, c->letter) != NULL &&
		    pos->at[c->king] == piece_of('K', i < 2) &&
		    pos->at[c->rook] == piece_of('R', i < 2);
	}
}

/*
 * Keeps the square only if a pawn of the side that has just moved stands
 * beyond it, and the squares it would have left and passed are empty.
 */
static void
read_ep(const struct naive_rules *rules, struct naive_pos *pos,
    const char *text)
{
	const bool mover = !pos->white;
	int from, rank, square;

	pos->ep = -1;
	if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
		return;
	square = 8 * (text[1] - '1') + text[0] - 'a';
	from = stepped(square, 0, -ahead(mover));
	if (from < 0 || pos->at[from] != '.' || pos->at[square] != '.' ||
	    !holds(pos, stepped(square, 0, ahead(mover)),
	    piece_of('P', mover)))
		return;
	rank = own_rank(from, mover);
	if (rank >= 2 && rank <= rules->double_to)
		pos->ep = square;
}

static int
read_fen(const struct naive_rules *rules, struct naive_pos *pos,
    const char *fen)
{
	char placement[NAIVE_FEN], side[2], rights[8], ep[4];

	if (sscanf(fen, "%127s %1s %7s %3s %d %d", placement, side, rights, ep,
	    &pos->count, &pos->number) != 6)
		return -1;
	if (read_placement(pos, placement) == -1 ||
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
		}
		if (empty > 0)
			*out++ = (char)('0' + empty);
		if (rank > 0)
			*out++ = '/';
	}
	return out;
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
		if (pos->right[i])
			*out++ = castles[i].letter;
	if (out == start)
		*out++ = '-';
	*out++ = ' ';
	if (ep < 0)
		*out++ = '-';
	else
		out = write_square(out, ep);
	sprintf(out, " %d %d", pos->count, pos->number);
}

/* Moves as text. */

static struct move
read_move(const char *text)
{
	struct move m;

	m.from = 8 * (text[1] - '1') + text[0] - 'a';
	m.to = 8 * (text[3] - '1') + text[2] - 'a';
	m.promote = text[4];
	return m;
}

static void
write_move(struct move m, char *out)
{
	out = write_square(out, m.from);
	out = write_square(out, m.to);
	*out++ = m.promote;
	if (m.promote != '\0')
		*out = '\0';
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

	legal_moves(&game->rules, &game->pos, &list);
	for (i = 0; i < list.n; i++)
		write_move(list.move[i], out[i]);
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
		key->right[i] = pos->right[i] ? castles[i].letter : '-';
	key->ep = (char)live_ep(&game->rules, pos);
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
	game->pos = after(&game->rules, &game->pos, read_move(move));
	game->plies++;
	remember(game);
}

bool
naive_in_check(const struct naive *game)
{
	return in_check(&game->pos, game->pos.white);
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
	int heavy;		/* queens, rooks, and pawns, which promote */
	int knights;
	int bishops[2];		/* on dark squares, on light squares */
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

	if (rules->stalemate_wins)
		return both.heavy + both.knights + both.bishops[0] +
		    both.bishops[1] == 0;
	if (rules->self_capture)
		return is_weak(white) && is_weak(black);
	return is_weak(both);
}

const char *
naive_end(const struct naive *game)
{
	struct moves list;

	legal_moves(&game->rules, &game->pos, &list);
	if (list.n == 0)
		return naive_in_check(game) ? "checkmate" : "stalemate";
	if (repetitions(game) >= 3)
		return "repetition";
	if (game->pos.count >= 100)
		return "fifty";
	if (is_dead(&game->rules, &game->pos))
		return "material";
	if (game->plies >= NAIVE_PLIES)
		return "length";
	return "";
}

int
naive_winner(const struct naive *game)
{
	const char *end = naive_end(game);

	if (strcmp(end, "checkmate") == 0 ||
	    (strcmp(end, "stalemate") == 0 && game->rules.stalemate_wins))
		return game->pos.white ? -1 : 1;
	return 0;
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
	legal_moves(rules, pos, &list);
	if (depth == 1)
		return (unsigned long long)list.n;
	for (i = 0; i < list.n; i++) {
		next = after(rules, pos, list.move[i]);
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
		if (list.move[i].to != m.to || from == m.from ||
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
	const struct move m = read_move(move);
	const struct naive_pos next = after(rules, pos, m);
	struct moves list;

	if (is_castling(pos, m))
		out += sprintf(out, "%s", m.to > m.from ? "O-O" : "O-O-O");
	else
		out = write_plain_san(rules, pos, m, out);
	if (in_check(&next, next.white)) {
		legal_moves(rules, &next, &list);
		*out++ = list.n == 0 ? '#' : '+';
	}
	*out = '\0';
}
