/*
 * Compiled once for each instruction set; see isa.h. One generator both lists
 * and counts legal moves. It passes whole sets of target squares to a sink;
 * `counting` and the side to move are constants where it is inlined.
 */
#include "movegen.h"

#include "attack.h"
#include "ep.h"
#include "make.h"

#define INLINE static inline __attribute__((always_inline))

/* Receives the moves; list is NULL if they are only counted. */
struct sink {
	move *list;
	int n;
};

/* What restricts the side to move, found once for a position. */
struct limits {
	bitboard occupied;
	bitboard land;  /* squares not closed by an own piece */
	bitboard evade; /* those of them that answer a check */
	bitboard pinned;
	bitboard checkers;
	int king;
};

INLINE int
count_bits(bitboard b)
{
	return __builtin_popcountll(b);
}

INLINE bitboard
last_rank(int us)
{
	return us == WHITE ? RANK_8 : RANK_1;
}

/* All targets of one piece. */
INLINE void
sink_piece(struct sink *s, int from, bitboard targets, bool counting)
{
	if (counting) {
		s->n += count_bits(targets);
		return;
	}
	while (targets != 0)
		s->list[s->n++] = move_make(from, pop_square(&targets), TAG_PLAIN);
}

/* Pawns that all move by the same step; those that reach the last rank get all
 * promotions of the rules. */
INLINE void
sink_pawns(struct sink *s, const struct rules *r, bitboard targets, int step, int us,
    bool counting)
{
	bitboard promoting = targets & last_rank(us);

	if (counting) {
		s->n += count_bits(targets);
		if (promoting != 0)
			s->n += (r->promotions[us] - 1) * count_bits(promoting);
		return;
	}
	targets ^= promoting;
	while (targets != 0) {
		int to = pop_square(&targets);
		s->list[s->n++] = move_make(to - step, to, TAG_PLAIN);
	}
	while (promoting != 0) {
		int to = pop_square(&promoting);
		for (int type = r->ntypes - 1; type >= KNIGHT; type--)
			if ((r->promote_to[us] & 1 << (type - KNIGHT)) != 0)
				s->list[s->n++] =
				    move_make(to - step, to, TAG_PROMOTION + type);
	}
}

/*
 * Finds checks and pins together: between the king and each enemy slider that
 * would attack it on an empty board stands nothing (check), one own piece (a
 * pin) or more.
 */
INLINE void
limits_find(struct limits *l, const struct board *b, int us)
{
	const bitboard *own = b->pieces[us], *enemy = b->pieces[us ^ 1];
	int king = __builtin_ctzll(own[KING]);
	bitboard snipers = (attack_rook_rays[king] & (enemy[ROOK] | enemy[QUEEN])) |
	    (attack_bishop_rays[king] & (enemy[BISHOP] | enemy[QUEEN]));

	l->king = king;
	l->occupied = own[ALL] | enemy[ALL];
	l->pinned = 0;
	l->checkers =
	    (attack_knight[king] & enemy[KNIGHT]) | (attack_pawn[us][king] & enemy[PAWN]);
	while (snipers != 0) {
		int sq = pop_square(&snipers);
		bitboard between = attack_between[king][sq] & l->occupied;
		if (between == 0)
			l->checkers |= bit(sq);
		else if ((between & (between - 1)) == 0)
			l->pinned |= between & own[ALL];
	}
	l->land = board_landing(b, us);
	l->evade = l->land;
	if (l->checkers != 0)
		l->evade &=
		    attack_between[king][__builtin_ctzll(l->checkers)] | l->checkers;
}

/* Squares that enemy sliders attack; occupied lacks the king, so that they see
 * through it. */
INLINE bitboard
slider_attacks(const bitboard *enemy, bitboard occupied)
{
	bitboard set = 0;
	bitboard diagonal = enemy[BISHOP] | enemy[QUEEN];
	bitboard straight = enemy[ROOK] | enemy[QUEEN];

	while (diagonal != 0)
		set |= attack_bishop(pop_square(&diagonal), occupied);
	while (straight != 0)
		set |= attack_rook(pop_square(&straight), occupied);
	return set;
}

enum { ODD_CASTLING = 4 }; /* from other squares: see odd_castling() */

/* Castling rights whose squares between king and rook are empty; attacks on
 * them are not tested. */
INLINE int
castling_open(const struct board *b, const struct limits *l, int us)
{
	int shift = us == WHITE ? 0 : 56;
	int rights = b->castling >> (us == WHITE ? 0 : 2) & 3;

	if (rights == 0 || l->checkers != 0 || b->fullmove < b->rules->castling_from[us])
		return 0;
	if (b->odd_castling)
		return ODD_CASTLING;
	bitboard row = l->occupied >> shift;
	if ((row & 0x60) != 0)
		rights &= ~WHITE_SHORT;
	if ((row & 0x0e) != 0)
		rights &= ~WHITE_LONG;
	return rights;
}

/* Are all squares that king and rook pass free, is none attacked that the king
 * passes, and is it safe afterwards? `attacked` sees through the king. A rook
 * that leaves a corner uncovers no attack, and tested moves are tested later. */
static bool
castling_is_legal(const struct board *b, int us, int king, int rook, bitboard attacked)
{
	int home = king & 56;
	int king_to = home + (rook > king ? 6 : 2);
	int rook_to = home + (rook > king ? 5 : 3);
	bitboard two = bit(king) | bit(rook);
	bitboard way = attack_between[king][king_to] | bit(king_to);
	bitboard occupied = board_occupied(b);

	if ((way & attacked) != 0 ||
	    ((way | attack_between[rook][rook_to] | bit(rook_to)) & ~two & occupied) != 0)
		return false;
	return (bit(rook) & (FILE_A | FILE_H)) != 0 || b->rules->tested ||
	    board_attackers(b, king_to, us ^ 1,
		(occupied & ~two) | bit(king_to) | bit(rook_to)) == 0;
}

/* Castling from any squares, with pieces of any kind; the king is not in check.
 * Returns up to two moves, 16 bits each. An array would cost the hot callers a
 * stack frame with its protector for what they hardly ever need. */
static __attribute__((noinline)) uint32_t
odd_castling(const struct board *b, int us, bitboard attacked)
{
	int king = board_king(b, us);
	uint32_t moves = 0;

	if (b->fullmove < b->rules->castling_from[us])
		return 0;
	for (int i = 2 * us + 1; i >= 2 * us; i--) {
		int rook = board_castling_rook(b, i), to = king + (rook > king ? 2 : -2);
		bool usual = file_of(king) == 4 && !b->rules->king_takes_rook[us] &&
		    file_of(rook) == (rook > king ? 7 : 0);
		if ((b->castling & 1 << i) != 0 &&
		    castling_is_legal(b, us, king, rook, attacked))
			moves = moves << 16 |
			    move_make(king, usual ? to : rook,
				usual ? TAG_CASTLING : TAG_ROOK);
	}
	return moves;
}

INLINE void
sink_castling(struct sink *s, const struct board *b, int us, bitboard attacked,
    bool counting)
{
	for (uint32_t m = odd_castling(b, us, attacked); m != 0; m >>= 16) {
		if (!counting)
			s->list[s->n] = (move)m;
		s->n++;
	}
}

INLINE void
king_moves(struct sink *s, const struct board *b, const struct limits *l, int us,
    bool counting)
{
	const bitboard *enemy = b->pieces[us ^ 1];
	bitboard attacked = attack_pawns(enemy[PAWN], us ^ 1) |
	    attack_knights(enemy[KNIGHT]) | attack_king[__builtin_ctzll(enemy[KING])];
	bitboard targets = attack_king[l->king] & l->land & ~attacked;
	int castling = castling_open(b, l, us);

	if (targets == 0 && castling == 0)
		return;
	attacked |= slider_attacks(enemy, l->occupied ^ bit(l->king));
	sink_piece(s, l->king, targets & ~attacked, counting);
	if (castling == 0)
		return;
	if (castling == ODD_CASTLING) {
		sink_castling(s, b, us, attacked, counting);
		return;
	}
	bitboard row = attacked >> (us == WHITE ? 0 : 56);
	if ((castling & WHITE_SHORT) != 0 && (row & 0x60) == 0) {
		if (!counting)
			s->list[s->n] = move_make(l->king, l->king + 2, TAG_CASTLING);
		s->n++;
	}
	if ((castling & WHITE_LONG) != 0 && (row & 0x0c) == 0) {
		if (!counting)
			s->list[s->n] = move_make(l->king, l->king - 2, TAG_CASTLING);
		s->n++;
	}
}

/* All moves but en passant of a set of pawns that may land on `mask`. */
INLINE void
pawn_moves(struct sink *s, const struct board *b, const struct limits *l, bitboard pawns,
    bitboard mask, int us, bool counting)
{
	const struct rules *r = b->rules;
	int up = us == WHITE ? 8 : -8;
	bitboard empty = ~l->occupied;
	bitboard victims = l->occupied & l->land;
	bitboard west = pawns & ~FILE_A, east = pawns & ~FILE_H;

	bitboard one = forward(pawns, us) & empty;
	bitboard two = forward(one & forward(r->double_from[us], us), us) & empty;
	sink_pawns(s, r, one & mask, up, us, counting);
	sink_pawns(s, r, two & mask, 2 * up, us, counting);
	sink_pawns(s, r, (us == WHITE ? west << 7 : west >> 9) & victims & mask, up - 1,
	    us, counting);
	sink_pawns(s, r, (us == WHITE ? east << 9 : east >> 7) & victims & mask, up + 1,
	    us, counting);
	if (r->pawn_sideways[us]) {
		sink_pawns(s, r, west >> 1 & empty & mask, -1, us, counting);
		sink_pawns(s, r, east << 1 & empty & mask, 1, us, counting);
	}
	if (r->pawn_back[us]) {
		bitboard second = RANK_1 << (us == WHITE ? 8 : 48);
		sink_pawns(s, r, forward(pawns & ~second, us ^ 1) & empty & mask, -up, us,
		    counting);
	}
}

INLINE void
ep_moves(struct sink *s, const struct board *b, int us, bool counting)
{
	bitboard from = attack_pawn[us ^ 1][b->ep] & b->pieces[us][PAWN];

	while (from != 0) {
		int sq = pop_square(&from);
		if (!ep_is_legal(b, us, sq, b->ep))
			continue;
		if (!counting)
			s->list[s->n] = move_make(sq, b->ep, TAG_EN_PASSANT);
		s->n++;
	}
}

/* Pinned pieces move along the pin. */
INLINE void
pinned_moves(struct sink *s, const struct board *b, const struct limits *l, int us,
    bool counting)
{
	bitboard pinned = l->pinned & ~b->pieces[us][KNIGHT];

	while (pinned != 0) {
		int sq = pop_square(&pinned), type = type_at(b, sq);
		bitboard mask = l->evade & attack_line[l->king][sq];
		if (type == PAWN)
			pawn_moves(s, b, l, bit(sq), mask, us, counting);
		else
			sink_piece(s, sq, mask & attack_usual(type, sq, l->occupied),
			    counting);
	}
}

INLINE void
free_moves(struct sink *s, const struct board *b, const struct limits *l, int us,
    bool counting)
{
	const bitboard *own = b->pieces[us];
	bitboard mask = l->evade, set;

	pawn_moves(s, b, l, own[PAWN] & ~l->pinned, mask, us, counting);
	for (set = own[KNIGHT] & ~l->pinned; set != 0;) {
		int sq = pop_square(&set);
		sink_piece(s, sq, attack_knight[sq] & mask, counting);
	}
	if (counting) {
		/* A queen counts as a rook and a bishop: their moves are
		 * disjoint. */
		for (set = (own[BISHOP] | own[QUEEN]) & ~l->pinned; set != 0;)
			s->n += count_bits(mask &
			    attack_bishop(pop_square(&set), l->occupied));
		for (set = (own[ROOK] | own[QUEEN]) & ~l->pinned; set != 0;)
			s->n +=
			    count_bits(mask & attack_rook(pop_square(&set), l->occupied));
		return;
	}
	for (int type = BISHOP; type <= QUEEN; type++) {
		for (set = own[type] & ~l->pinned; set != 0;) {
			int sq = pop_square(&set);
			sink_piece(s, sq, mask & attack_usual(type, sq, l->occupied),
			    false);
		}
	}
}

INLINE int
walk(const struct board *b, move *list, int us, bool counting)
{
	struct sink s = { list, 0 };
	struct limits l;

	limits_find(&l, b, us);
	king_moves(&s, b, &l, us, counting);
	if ((l.checkers & (l.checkers - 1)) != 0)
		return s.n; /* double check: only the king can move */
	free_moves(&s, b, &l, us, counting);
	if (l.pinned != 0)
		pinned_moves(&s, b, &l, us, counting);
	if (b->ep != NO_SQUARE)
		ep_moves(&s, b, us, counting);
	return s.n;
}

/* ---- pieces of any kind ---- */

/* A pinned piece, and the squares that it may go to. */
struct pin {
	int sq;
	bitboard mask;
};

struct fairy_limits {
	struct limits l;
	struct pin pins[64];
	int npins;
};

/* Squares that side `by` attacks, if the occupied squares are `occupied`. */
INLINE bitboard
fairy_attacked(const struct board *b, int by, bitboard occupied)
{
	const bitboard *p = b->pieces[by];
	bitboard attacked = attack_pawns(p[PAWN], by);

	for (int type = KNIGHT; type < b->rules->ntypes; type++)
		for (bitboard set = p[type]; set != 0;)
			attacked |= attack_captures(b->rules, type, by, pop_square(&set),
			    occupied);
	return attacked;
}

/* Like limits_find(), but a leaper's check cannot be blocked, and a pinned piece
 * that leaps along its line may not go beyond the pinning piece. */
static void
fairy_limits_find(struct fairy_limits *f, const struct board *b, int us)
{
	const bitboard *own = b->pieces[us], *enemy = b->pieces[us ^ 1];
	struct limits *l = &f->l;
	bitboard leapers;

	l->king = __builtin_ctzll(own[KING]);
	l->occupied = own[ALL] | enemy[ALL];
	l->pinned = 0;
	f->npins = 0;
	leapers = attack_pawn[us][l->king] & enemy[PAWN];
	l->checkers = 0;
	for (int type = KNIGHT; type < b->rules->ntypes; type++) {
		const struct piece *p = rules_piece(b->rules, us ^ 1, type);
		if (enemy[type] == 0)
			continue;
		leapers |= enemy[type] & attack_leaps(p, PIECE_CAPTURE, us, l->king);
		if (p->far[PIECE_CAPTURE] == 0)
			continue;
		bitboard snipers =
		    enemy[type] & attack_slide_lines(p, PIECE_CAPTURE, us, l->king);
		while (snipers != 0) {
			int sq = pop_square(&snipers);
			bitboard line = attack_between[l->king][sq];
			bitboard between = line & l->occupied;
			if (between == 0) {
				l->checkers |= bit(sq);
			} else if ((between & (between - 1)) == 0 &&
			    (between & own[ALL]) != 0) {
				l->pinned |= between;
				f->pins[f->npins++] =
				    (struct pin){ __builtin_ctzll(between),
					    line | bit(sq) };
			}
		}
	}
	l->checkers |= leapers;
	l->land = board_landing(b, us);
	l->evade = l->land;
	if (l->checkers != 0)
		l->evade &= l->checkers |
		    ((l->checkers & leapers) != 0
			    ? 0
			    : attack_between[l->king][__builtin_ctzll(l->checkers)]);
}

/* Where a piece may go, pins and checks apart. */
INLINE bitboard
fairy_targets(const struct board *b, const struct limits *l, int type, int sq, int us)
{
	const struct piece *p = rules_piece(b->rules, us, type);
	bitboard captures = attack_captures(b->rules, type, us, sq, l->occupied);

	if (!p->split)
		return captures & l->land;
	return (captures & l->occupied & l->land) |
	    (attack_piece(p, PIECE_QUIET, us, sq, l->occupied) & ~l->occupied);
}

INLINE void
fairy_king_moves(struct sink *s, const struct board *b, const struct limits *l,
    bitboard mask, int us, bool counting)
{
	bitboard targets = mask & fairy_targets(b, l, KING, l->king, us) &
	    ~attack_pawns(b->pieces[us ^ 1][PAWN], us ^ 1);
	bool castling =
	    (b->castling >> 2 * us & 3) != 0 && l->checkers == 0 && mask == ~0ULL;

	if (targets == 0 && !castling)
		return;
	bitboard attacked = fairy_attacked(b, us ^ 1, l->occupied ^ bit(l->king));
	sink_piece(s, l->king, targets & ~attacked, counting);
	if (castling)
		sink_castling(s, b, us, attacked, counting);
}

/* Moves of all pieces but the king, and en passant, to squares of `mask`. */
INLINE void
fairy_piece_moves(struct sink *s, const struct board *b, const struct fairy_limits *f,
    bitboard mask, int us, bool counting)
{
	const struct limits *l = &f->l;
	const bitboard *own = b->pieces[us];
	bitboard evade = l->evade & mask;

	pawn_moves(s, b, l, own[PAWN] & ~l->pinned, evade, us, counting);
	for (int type = KNIGHT; type < b->rules->ntypes; type++) {
		if (type == KING)
			continue;
		for (bitboard set = own[type] & ~l->pinned; set != 0;) {
			int sq = pop_square(&set);
			sink_piece(s, sq, evade & fairy_targets(b, l, type, sq, us),
			    counting);
		}
	}
	for (int i = 0; i < f->npins; i++) {
		int sq = f->pins[i].sq, type = type_at(b, sq);
		bitboard to = evade & f->pins[i].mask;
		if (type == PAWN)
			pawn_moves(s, b, l, bit(sq), to, us, counting);
		else
			sink_piece(s, sq, to & fairy_targets(b, l, type, sq, us),
			    counting);
	}
	if (b->ep != NO_SQUARE)
		ep_moves(s, b, us, counting);
}

/* The moves to squares of `mask`, and en passant. */
INLINE int
fairy_walk(const struct board *b, move *list, bitboard mask, int us, bool counting)
{
	struct sink s = { list, 0 };
	struct fairy_limits f;

	fairy_limits_find(&f, b, us);
	fairy_king_moves(&s, b, &f.l, mask, us, counting);
	if ((f.l.checkers & (f.l.checkers - 1)) == 0)
		fairy_piece_moves(&s, b, &f, mask, us, counting);
	return s.n;
}

/* ---- hands, forced captures, explosions, royal pieces of any kind ---- */

/* Nothing is pinned or in check: no piece is royal, or moves are tested later. */
static void
limits_none(struct fairy_limits *f, const struct board *b, int us)
{
	struct limits *l = &f->l;

	l->king = NO_SQUARE;
	l->occupied = board_occupied(b);
	l->pinned = l->checkers = 0;
	l->land = board_landing(b, us) & ~board_royals(b, us);
	l->evade = l->land;
	f->npins = 0;
}

/* Does only the king restrict the moves of this side, as in chess? */
INLINE bool
has_usual_royal(const struct rules *r, int us)
{
	return r->royal[us] == 1 << (KING - KNIGHT) && !r->explode;
}

/* Squares on which a king would be in check. Where captures explode, royal kings
 * cannot capture, and beside them there is no check. */
static bitboard
listed_attacked(const struct board *b, int us)
{
	int them = us ^ 1;
	bitboard occupied = board_occupied(b) ^ bit(board_king(b, us));

	if (!b->rules->explode || b->rules->royal[them] == 0)
		return fairy_attacked(b, them, occupied);
	struct board kingless = *b;
	kingless.pieces[them][KING] = 0;
	return fairy_attacked(&kingless, them, occupied) &
	    ~attack_king[board_king(b, them)];
}

/* Kings whose moves are like those of other pieces, and castling. */
static void
listed_king_moves(struct sink *s, const struct board *b, const struct limits *l,
    bitboard mask, int us)
{
	bool harmless = b->rules->explode && b->rules->royal[us] != 0;
	bool all = mask == ~0ULL;

	if (harmless)
		mask &= ~l->occupied;
	for (bitboard set = b->pieces[us][KING]; set != 0;) {
		int sq = pop_square(&set);
		sink_piece(s, sq, mask & fairy_targets(b, l, KING, sq, us), false);
	}
	if ((b->castling >> 2 * us & 3) != 0 && all && board_checkers_of(b, us) == 0)
		sink_castling(s, b, us, listed_attacked(b, us), false);
}

static void
drop_moves(struct sink *s, const struct board *b, const struct limits *l, int us)
{
	bitboard open = l->evade & ~l->occupied;

	for (int type = PAWN; type < b->rules->ntypes; type++) {
		if (board_in_hand(b, us, type) == 0)
			continue;
		bitboard to = type == PAWN ? open & ~(RANK_1 | RANK_8) : open;
		while (to != 0)
			s->list[s->n++] = move_make(type, pop_square(&to), TAG_DROP);
	}
}

/* Which moves may be illegal where moves are tested: those of these pieces, and those
 * of a type to these squares. All that are not plain may be. */
struct suspects {
	bitboard from;
	bitboard to[TYPES];
};

/* Pieces that stand alone between a king and a slider of side `by`. */
static bitboard
line_blockers(const struct board *b, int king, int by)
{
	const bitboard *p = b->pieces[by];
	bitboard snipers = (attack_rook_rays[king] & (p[ROOK] | p[QUEEN])) |
	    (attack_bishop_rays[king] & (p[BISHOP] | p[QUEEN]));
	bitboard occupied = board_occupied(b), set = 0;

	while (snipers != 0) {
		bitboard between = attack_between[king][pop_square(&snipers)] & occupied;
		if ((between & (between - 1)) == 0)
			set |= between;
	}
	return set;
}

/* Captures explode; others are legal if they neither move the king nor what shields
 * it. */
static void
suspect_explosions(struct suspects *s, const struct board *b, int us)
{
	s->from |= b->pieces[us][KING] | line_blockers(b, board_king(b, us), us ^ 1);
	for (int type = PAWN; type <= QUEEN; type++)
		s->to[type] |= board_occupied(b);
}

static void
suspect_checks(struct suspects *s, const struct board *b, int us)
{
	int king = board_king(b, us ^ 1);
	bitboard occupied = board_occupied(b);

	s->from |= line_blockers(b, king, us);
	s->to[PAWN] |= attack_pawn[us ^ 1][king];
	s->to[KNIGHT] |= attack_knight[king];
	s->to[BISHOP] |= attack_bishop(king, occupied);
	s->to[ROOK] |= attack_rook(king, occupied);
	s->to[QUEEN] |= s->to[BISHOP] | s->to[ROOK];
}

static struct suspects
find_suspects(const struct board *b)
{
	const struct rules *r = b->rules;
	int us = b->side, king = 1 << (KING - KNIGHT);
	struct suspects s = { 0 };

	if (r->fairy || r->royal[us] != king || r->royal[us ^ 1] != king ||
	    (r->explode && board_checkers_of(b, us) != 0)) {
		s.from = ~0ULL;
		return s;
	}
	if (r->explode)
		suspect_explosions(&s, b, us);
	if (!r->may_check[us])
		suspect_checks(&s, b, us);
	return s;
}

/* Is an explosion legal, made out of check by a side whose king alone is royal, and
 * which may give check? Without making it: only sliders can attack the king anew. */
static bool
explosion_is_legal(const struct board *b, move m, int us)
{
	const bitboard *own = b->pieces[us], *enemy = b->pieces[us ^ 1];
	int to = move_to(m), king = __builtin_ctzll(own[KING]);
	bitboard around = attack_king[to], gone = bit(to) | bit(move_from(m));

	if (((around | gone) & own[KING]) != 0)
		return false;
	if (((around | gone) & enemy[KING]) != 0 ||
	    (attack_king[king] & enemy[KING]) != 0)
		return true;
	if (move_is_ep(m))
		gone |= bit(us == WHITE ? to - 8 : to + 8);
	gone |= around & ~(own[PAWN] | enemy[PAWN]);
	bitboard diagonal = (enemy[BISHOP] | enemy[QUEEN]) & ~gone;
	bitboard straight = (enemy[ROOK] | enemy[QUEEN]) & ~gone;
	bitboard occupied = board_occupied(b) & ~gone;
	return ((attack_bishop_rays[king] & diagonal) == 0 ||
		   (attack_bishop(king, occupied) & diagonal) == 0) &&
	    ((attack_rook_rays[king] & straight) == 0 ||
		(attack_rook(king, occupied) & straight) == 0);
}

/* Keeps the legal ones of n moves. */
static int
keep_tested(const struct board *b, move *list, int n)
{
	const struct suspects s = find_suspects(b);
	bool explodes =
	    b->rules->explode && s.from != ~0ULL && b->rules->may_check[b->side];
	struct board now = *b;
	struct undo u;
	int kept = 0;

	for (int i = 0; i < n; i++) {
		move m = list[i];
		int from = move_from(m);
		bool legal = true;
		if (explodes && board_is_capture(b, m)) {
			legal = explosion_is_legal(b, m, b->side);
		} else if (move_tag(m) != TAG_PLAIN || (s.from & bit(from)) != 0 ||
		    (s.to[type_at(b, from)] & bit(move_to(m))) != 0) {
			make_move(&now, m, &u);
			legal = made_legally(&now, b->side);
			unmake_move(&now, m, &u);
		}
		if (legal)
			list[kept++] = m;
	}
	return kept;
}

/* The moves to squares of `mask`; with all squares, drops too. */
static int
listed_moves(const struct board *b, const struct fairy_limits *f, bitboard mask,
    move *list)
{
	struct sink s = { list, 0 };
	const struct limits *l = &f->l;
	int us = b->side;
	bool all = mask == ~0ULL;

	if (l->king != NO_SQUARE)
		fairy_king_moves(&s, b, l, mask, us, false);
	else
		listed_king_moves(&s, b, l, mask, us);
	if ((l->checkers & (l->checkers - 1)) == 0) {
		fairy_piece_moves(&s, b, f, mask, us, false);
		if (all && b->hand[us] != 0)
			drop_moves(&s, b, l, us);
	}
	return b->rules->tested ? keep_tested(b, list, s.n) : s.n;
}

/* The moves to squares of `mask`, and en passant, unless there are captures and one
 * of them must be made. */
static int
listed_walk_to(const struct board *b, bitboard mask, move *list)
{
	struct fairy_limits f;
	int us = b->side, n = 0;

	if (has_usual_royal(b->rules, us))
		fairy_limits_find(&f, b, us);
	else
		limits_none(&f, b, us);
	if (b->rules->must_capture[us])
		n = listed_moves(b, &f, b->pieces[us ^ 1][ALL], list);
	return n > 0 ? n : listed_moves(b, &f, mask, list);
}

static int
listed_walk(const struct board *b, move *list)
{
	return listed_walk_to(b, ~0ULL, list);
}

static __attribute__((noinline)) int
walk_any(const struct board *b, move *list)
{
	if (b->rules->listed)
		return listed_walk(b, list);
	if (b->rules->fairy)
		return b->side == WHITE ? fairy_walk(b, list, ~0ULL, WHITE, false)
					: fairy_walk(b, list, ~0ULL, BLACK, false);
	return b->side == WHITE ? walk(b, list, WHITE, false)
				: walk(b, list, BLACK, false);
}

static __attribute__((noinline)) int
count_listed(const struct board *b)
{
	move list[MOVES_MAX];

	return listed_walk(b, list);
}

static __attribute__((noinline)) int
count_any(const struct board *b)
{
	if (b->rules->listed)
		return count_listed(b);
	if (b->rules->fairy)
		return b->side == WHITE ? fairy_walk(b, NULL, ~0ULL, WHITE, true)
					: fairy_walk(b, NULL, ~0ULL, BLACK, true);
	return b->side == WHITE ? walk(b, NULL, WHITE, true) : walk(b, NULL, BLACK, true);
}

/* ---- captures and promotions ---- */

/* Pawns on their way to the last rank promote, whether they capture or not. */
INLINE int
walk_noisy(const struct board *b, move *list, int us)
{
	const bitboard *own = b->pieces[us];
	bitboard enemy = b->pieces[us ^ 1][ALL];
	struct sink s = { list, 0 };
	struct limits l;

	limits_find(&l, b, us);
	for (bitboard to = attack_king[l.king] & enemy; to != 0;) {
		int sq = pop_square(&to);
		if (board_attackers(b, sq, us ^ 1, l.occupied ^ bit(l.king)) == 0)
			sink_piece(&s, l.king, bit(sq), false);
	}
	if ((l.checkers & (l.checkers - 1)) != 0)
		return s.n;
	bitboard pawns = l.evade & (enemy | last_rank(us));
	pawn_moves(&s, b, &l, own[PAWN] & ~l.pinned, pawns, us, false);
	for (bitboard set = own[PAWN] & l.pinned; set != 0;) {
		int sq = pop_square(&set);
		pawn_moves(&s, b, &l, bit(sq), pawns & attack_line[l.king][sq], us,
		    false);
	}
	l.evade &= enemy;
	for (int type = KNIGHT; type <= QUEEN; type++) {
		for (bitboard set = own[type] & ~l.pinned; set != 0;) {
			int sq = pop_square(&set);
			sink_piece(&s, sq, l.evade & attack_usual(type, sq, l.occupied),
			    false);
		}
	}
	l.pinned &= ~own[PAWN];
	if (l.pinned != 0)
		pinned_moves(&s, b, &l, us, false);
	if (b->ep != NO_SQUARE)
		ep_moves(&s, b, us, false);
	return s.n;
}

/* ---- games that end before mate ---- */

/* Has this side nothing but its royal pieces? */
static bool
is_bare(const struct board *b, int side)
{
	bitboard royals = board_royals(b, side);

	return royals != 0 && b->pieces[side][ALL] == royals && b->hand[side] == 0;
}

/* Can the bare king of the side to move capture the enemy's last piece? */
static bool
takes_last_man(const struct board *b)
{
	int them = b->side ^ 1;
	bitboard men = b->pieces[them][ALL] & ~board_royals(b, them);
	move list[MOVES_MAX];

	if (men == 0 || (men & (men - 1)) != 0 || b->hand[them] != 0)
		return false;
	if (!b->rules->listed)
		return movegen_sources(b, KING, __builtin_ctzll(men), ~0ULL, true) != 0;
	for (int n = listed_walk(b, list); n > 0; n--)
		if (bit(move_to(list[n - 1])) == men)
			return true;
	return false;
}

/* Has a king at its goal won, or, with last_word, drawn? */
static bool
goal_is_reached(const struct board *b)
{
	const uint64_t *goal = b->rules->goal;
	bool white = (b->pieces[WHITE][KING] & goal[WHITE]) != 0;
	bool black = (b->pieces[BLACK][KING] & goal[BLACK]) != 0;

	if (b->side == WHITE)
		return black || (white && b->rules->last_word);
	return white && !b->rules->last_word;
}

static bool
has_lost_all(const struct board *b, int side)
{
	return b->rules->lost_all_value[side] != 0 && b->pieces[side][ALL] == 0 &&
	    b->hand[side] == 0;
}

enum end
movegen_early_end(const struct board *b)
{
	const struct rules *r = b->rules;
	int us = b->side, them = us ^ 1;

	if (!r->ends)
		return END_NONE;
	if (r->checks_to_win[them] != 0 && board_checks_left(b, them) == 0)
		return END_CHECKS;
	if (goal_is_reached(b))
		return movegen_goal_end(b);
	if (r->explode && r->royal[us] != 0 && b->pieces[us][KING] == 0)
		return END_EXPLOSION;
	if (has_lost_all(b, us) || has_lost_all(b, them))
		return END_LOST_ALL;
	if (r->bare_king_value[them] != 0 && is_bare(b, us) && !takes_last_man(b))
		return END_BARE_KING;
	return END_NONE;
}

bool
movegen_can_move(const struct board *b)
{
	return count_any(b) != 0;
}

int
movegen_list(const struct board *b, move *list)
{
	if (__builtin_expect(b->rules->odd, 0))
		return movegen_early_end(b) != END_NONE ? 0 : walk_any(b, list);
	return b->side == WHITE ? walk(b, list, WHITE, false)
				: walk(b, list, BLACK, false);
}

/* Captures and promotions go to these squares, or are en passant; so do a few quiet
 * moves. */
static __attribute__((noinline)) int
noisy_any(const struct board *b, move *list)
{
	int us = b->side, n = 0;
	bitboard mask = b->pieces[us ^ 1][ALL] | last_rank(us);
	int all = b->rules->listed ? listed_walk_to(b, mask, list)
	    : us == WHITE          ? fairy_walk(b, list, mask, WHITE, false)
				   : fairy_walk(b, list, mask, BLACK, false);

	for (int i = 0; i < all; i++)
		if (board_is_noisy(b, list[i]))
			list[n++] = list[i];
	return n;
}

int
movegen_noisy(const struct board *b, move *list)
{
	if (__builtin_expect(b->rules->odd, 0)) {
		if (movegen_early_end(b) != END_NONE)
			return 0;
		if (b->rules->fairy || b->rules->listed)
			return noisy_any(b, list);
	}
	return b->side == WHITE ? walk_noisy(b, list, WHITE) : walk_noisy(b, list, BLACK);
}

int
movegen_count(const struct board *b)
{
	if (__builtin_expect(b->rules->odd, 0))
		return movegen_early_end(b) != END_NONE ? 0 : count_any(b);
	return b->side == WHITE ? walk(b, NULL, WHITE, true) : walk(b, NULL, BLACK, true);
}

/* ---- what movefind.c needs ---- */

int
movegen_listed(const struct board *b, move *list)
{
	return listed_walk(b, list);
}

/* The legal castling moves, as odd_castling() returns them. */
static RARE uint32_t
listed_castling(const struct board *b)
{
	move list[MOVES_MAX];
	uint32_t moves = 0;

	for (int n = movegen_list(b, list); n > 0; n--)
		if (move_is_castling(list[n - 1]))
			moves = moves << 16 | list[n - 1];
	return moves;
}

uint32_t
movegen_both_castlings(const struct board *b)
{
	if (b->castling != 0 && b->rules->listed)
		return listed_castling(b);
	int king = board_king(b, b->side);

	if (b->castling == 0 ||
	    board_attackers(b, king, b->side ^ 1, board_occupied(b)) != 0 ||
	    movegen_early_end(b) != END_NONE)
		return 0;
	return odd_castling(b, b->side,
	    fairy_attacked(b, b->side ^ 1, board_occupied(b) ^ bit(king)));
}
