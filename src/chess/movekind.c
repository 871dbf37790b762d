#include "movekind.h"

#include "movegen.h"

/* Does a value of either side reach this? Is it not 0? */
static bool
reaches(const int16_t value[2], int least)
{
	return value[WHITE] >= least || value[BLACK] >= least;
}
static bool
either(const int16_t value[2])
{
	return value[WHITE] != 0 || value[BLACK] != 0;
}

static bool
has_hill(const struct rules *r)
{
	return r->goal[WHITE] == HILL || r->goal[BLACK] == HILL;
}

static bool
has_goal(const struct rules *r)
{
	return (r->goal[WHITE] | r->goal[BLACK]) != 0;
}

/* May a pawn of either side become one of these types, a bit for each? */
static bool
may_become(const struct rules *r, unsigned types)
{
	return ((unsigned)(r->promote_to[WHITE] | r->promote_to[BLACK]) & types) != 0;
}

static bool
has_other_promotions(const struct rules *r)
{
	return r->promotions[WHITE] != 4 || r->promotions[BLACK] != 4 || r->fairy;
}

/* Do the rules allow a kind? */
#define MAY(name, test) \
	static bool name(const struct rules *r) \
	{ \
		return test; \
	}
/* clang-format off */
MAY(may_torpedo, reaches(r->double_step, 3))
MAY(may_double_from_4, reaches(r->double_step, 4))
MAY(may_double_from_5, reaches(r->double_step, 5))
MAY(may_torpedo_promote, reaches(r->double_step, 6))
MAY(may_double, either(r->double_step))
MAY(may_back, either(r->pawn_back))
MAY(may_sideways, either(r->pawn_sideways))
MAY(may_take_own, either(r->self_capture))
MAY(may_take_own_spare, either(r->self_capture) && r->ntypes > SPARE)
MAY(may_castle, either(r->castling_from))
MAY(may_castle_late, reaches(r->castling_from, 2))
MAY(may_stalemate_win, reaches(r->stalemate_value, 100))
MAY(may_win_by_checks, either(r->checks_to_win))
MAY(may_win_by_hill, has_hill(r))
MAY(may_win_by_goal, has_goal(r) && (!has_hill(r) || r->last_word))
MAY(may_bare, either(r->bare_king_value))
/* Promotions are shown only where they differ from classical chess. */
MAY(may_promote, has_other_promotions(r))
MAY(may_promote_king, may_become(r, 1U << (KING - KNIGHT)))
MAY(may_promote_spare, may_become(r, ~0U << (SPARE - KNIGHT)))
MAY(may_drop, r->hands)
MAY(may_drop_king, r->hands && r->kingless)
MAY(may_drop_spare, r->hands && r->ntypes > SPARE)
MAY(may_explode, r->explode)
MAY(may_be_forced, either(r->must_capture))
MAY(may_lose_all, either(r->lost_all_value))
/* clang-format on */

static const struct {
	const char *name;
	bool (*may)(const struct rules *r);
	enum movekind_class class;
	int mark;
} kinds[MOVEKINDS] = {
#define KIND(name, word, may, class, mark) { word, may, KIND_IS_##class, mark },
#include "movekinds.def"
#undef KIND
};

const char *
movekind_name(enum movekind k)
{
	return kinds[k].name;
}

enum movekind_class
movekind_class(enum movekind k)
{
	return kinds[k].class;
}

movekinds
movekinds_under(const struct rules *r)
{
	movekinds set = 0;

	for (int k = 0; k < MOVEKINDS; k++)
		set |= (movekinds)kinds[k].may(r) << k;
	return set;
}

/* The part of a kind for a type: `pawn` is that of pawns, those of the other pieces
 * of chess follow it, and spare kinds share one. */
static movekinds
part(enum movekind pawn, int type, enum movekind king, enum movekind spare)
{
	return movekind_bit(type >= SPARE ? spare
		: type == KING            ? king
					  : (enum movekind)((int)pawn + type - PAWN));
}

static movekinds
kinds_of_pawn_move(move m, int side)
{
	int rank = own_rank(side, move_from(m));
	int landed = own_rank(side, move_to(m)), steps = landed - rank;

	if (move_is_ep(m))
		return movekind_bit(KIND_EN_PASSANT) |
		    movekind_bit((enum movekind)(KIND_EN_PASSANT_RANK_3 + landed - 2)) |
		    (landed != 5 ? movekind_bit(KIND_EN_PASSANT_TORPEDO) : 0);
	if (steps == 2 && rank != 1)
		return movekind_bit(KIND_TORPEDO) |
		    (move_is_promotion(m) ? movekind_bit(KIND_TORPEDO_PROMOTION) : 0);
	return steps == -1 ? movekind_bit(KIND_BACK)
	    : steps == 0   ? movekind_bit(KIND_SIDEWAYS)
			   : 0;
}

static movekinds
kinds_of_capture(const struct rules *r, int moved, int captured)
{
	movekinds set = r->explode ? movekind_bit(KIND_EXPLOSION) : 0;

	if (captured >> 4 == moved >> 4)
		return set | movekind_bit(KIND_SELF) |
		    part(KIND_SELF_PAWN, captured & 15, KIND_SELF, KIND_SELF_SPARE) |
		    part(KIND_SELF_BY_PAWN, moved & 15, KIND_SELF_BY_KING,
			KIND_SELF_BY_SPARE);
	if (r->must_capture[moved >> 4])
		set |= movekind_bit(KIND_FORCED_CAPTURE);
	return set;
}

static movekinds
kinds_of_castling(const struct rules *r, move m, int side)
{
	return movekind_bit(KIND_CASTLE) |
	    movekind_bit(move_to(m) > move_from(m) ? KIND_CASTLE_SHORT
						   : KIND_CASTLE_LONG) |
	    (r->castling_from[side] > 1 ? movekind_bit(KIND_CASTLE_LATE) : 0);
}

movekinds
movekinds_of(const struct rules *r, move m, int moved, int captured)
{
	int side = moved >> 4;
	movekinds set = 0;

	if (move_is_drop(m))
		return movekind_bit(KIND_DROP) |
		    part(KIND_DROP_PAWN, move_dropped(m), KIND_DROP_KING,
			KIND_DROP_SPARE);
	if (move_is_castling(m))
		return kinds_of_castling(r, m, side);
	if ((moved & 15) == PAWN)
		set |= kinds_of_pawn_move(m, side);
	if (captured != 0)
		set |= kinds_of_capture(r, moved, captured);
	if (move_is_promotion(m))
		set |= movekind_bit(KIND_PROMOTION) |
		    part(KIND_PROMOTION_KNIGHT - 1, move_promotion(m),
			KIND_PROMOTION_KING, KIND_PROMOTION_SPARE);
	return set;
}

bool
movekinds_need_board(const struct rules *r)
{
	return may_win_by_checks(r) || may_be_forced(r);
}

static bool
gives_check(const struct board *b, move m)
{
	struct board after = *b;
	struct undo u;

	board_make(&after, m, &u);
	return board_checkers(&after) != 0;
}

movekinds
movekinds_at(const struct board *b, move m)
{
	int to = move_to(m), them = b->side ^ 1;
	int moved =
	    move_is_drop(m) ? b->side << 4 | move_dropped(m) : b->square[move_from(m)];
	int captured = move_is_ep(m) ? them << 4 | PAWN : b->square[to];
	movekinds under = movekinds_under(b->rules);
	movekinds set = movekinds_of(b->rules, m, moved, captured) & under;

	if ((set & movekind_bit(KIND_FORCED_CAPTURE)) != 0 && movegen_count(b) == 1)
		set |= movekind_bit(KIND_ONLY_CAPTURE);
	if ((under & movekind_bit(KIND_CHECK)) != 0 && gives_check(b, m))
		set |= movekind_bit(KIND_CHECK);
	return set;
}

int
movekind_of_end(const struct rules *r, enum end e, bool won)
{
	switch (e) {
	case END_STALEMATE:
		return won && may_stalemate_win(r) ? KIND_STALEMATE_WIN : -1;
	case END_CHECKS:
		return won ? KIND_CHECKS_WIN : -1;
	case END_HILL:
		return won ? KIND_HILL_WIN : -1;
	case END_GOAL:
		return won ? KIND_GOAL_WIN : -1;
	case END_EXPLOSION:
		return won ? KIND_EXPLOSION_WIN : -1;
	case END_BARE_KING:
		return KIND_BARE_KING;
	case END_LOST_ALL:
		return KIND_LOST_ALL;
	default:
		return -1;
	}
}

int
movekind_mark(movekinds set)
{
	int best = -1;

	for (; set != 0; set &= set - 1) {
		int k = __builtin_ctzll(set);
		if (kinds[k].mark != 0 &&
		    (best == -1 || kinds[k].mark < kinds[best].mark))
			best = k;
	}
	return best;
}
