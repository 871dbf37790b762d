/*
 * movestats: how often special moves, which not all rule sets have, are used: the
 * share of games with such a move, and their share of all moves.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/table.h"
#include "data/tally.h"
#include "stats/dirichlet.h"
#include "stats/ratio.h"

static const char synopsis[] =
    "[-pqStVxz] [-b tag] [-l level] [-o file] [-r rules] [--distinct]\n"
    "                 [--each] [--trust] [file ...]";
static const char help[] =
    "Counts special moves in games (JSONL, PGN or packed) for each rule set.\n";

static struct cli cli;
static struct tally tally;
static bool each; /* --each */

static const struct cli_option options[] = {
	TALLY_BY(&tally, "count"),
	TALLY_DISTINCT(&tally),
	CLI_FLAG(0, "each", &each, "write a row for each special move instead"),
	CLI_HELP,
	CLI_LEVEL(&tally.level, "intervals"),
	CLI_OUTPUT_ZST,
	CLI_READ,
	CLI_TSV(""),
	CLI_TRUST,
	CLI_VERSION,
	TALLY_PARTIAL(&tally, "movestats"),
	CLI_COMPRESS,
	CLI_END,
};

/* Do the rules allow a kind of move? Only such kinds are shown. */
/* clang-format off */
static bool may_torpedo(const struct rules *r) { return r->double_step[WHITE] > 2 || r->double_step[BLACK] > 2; }
static bool may_torpedo_promote(const struct rules *r) { return r->double_step[WHITE] > 5 || r->double_step[BLACK] > 5; }
static bool may_double_from_4(const struct rules *r) { return r->double_step[WHITE] > 3 || r->double_step[BLACK] > 3; }
static bool may_double_from_5(const struct rules *r) { return r->double_step[WHITE] > 4 || r->double_step[BLACK] > 4; }
static bool may_double(const struct rules *r) { return r->double_step[WHITE] > 0 || r->double_step[BLACK] > 0; }
static bool may_back(const struct rules *r) { return r->pawn_back[WHITE] || r->pawn_back[BLACK]; }
static bool may_sideways(const struct rules *r) { return r->pawn_sideways[WHITE] || r->pawn_sideways[BLACK]; }
static bool may_take_own(const struct rules *r) { return r->self_capture[WHITE] || r->self_capture[BLACK]; }
static bool may_castle(const struct rules *r) { return r->castling_from[WHITE] != 0 || r->castling_from[BLACK] != 0; }
static bool may_stalemate_win(const struct rules *r) { return r->stalemate_value[WHITE] == 100 || r->stalemate_value[BLACK] == 100; }
static bool may_win_by_checks(const struct rules *r) { return r->checks_to_win[WHITE] != 0 || r->checks_to_win[BLACK] != 0; }
static bool may_win_by_hill(const struct rules *r) { return (r->goal[WHITE] | r->goal[BLACK]) != 0; }
static bool may_bare(const struct rules *r) { return r->bare_king_value[WHITE] != 0 || r->bare_king_value[BLACK] != 0; }
/* Promotions are shown only where they differ from classical chess. */
static bool may_promote(const struct rules *r) { return r->promotions[WHITE] != 4 || r->promotions[BLACK] != 4 || r->fairy; }
/* clang-format on */

enum kind {
#define KIND(name, word, may) name,
#include "data/movekinds.def"
#undef KIND
	KIND_COUNT
};

static const struct {
	const char *name;
	bool (*may)(const struct rules *r);
} kinds[KIND_COUNT] = {
#define KIND(name, word, may) { word, may },
#include "data/movekinds.def"
#undef KIND
};

/*
 * The counts of a group and of each kind. The squares and products are sums over
 * games, and give the error of a share of moves with the game as the unit.
 */
enum stat {
	GAMES_WITH, /* games in which the kind occurs */
	MOVES_WITH, /* moves of the kind */
	SQUARES,    /* of a game's moves of the kind */
	PRODUCTS,   /* of these and all moves of the game */
	FULLMOVES   /* sum of the move numbers of these moves */
};
enum { MOVES = 1, MOVE_SQUARES, DECISIVE };

static uint64_t
kind_key(enum kind k, enum stat s)
{
	return 256 * (uint64_t)(k + 1) + (uint64_t)s;
}

static bool
is_cell_key(uint64_t key)
{
	return key < 256 ? key >= MOVES && key <= DECISIVE
			 : key / 256 <= KIND_COUNT && key % 256 <= FULLMOVES;
}

/* Of the games, how many? */
static bool
is_share_key(uint64_t key)
{
	return key == DECISIVE || (key >= 256 && key % 256 == GAMES_WITH);
}

/* ---- counting ---- */

/* A move of a kind. */
struct found {
	int ply;
	enum kind kind;
};

/* The special moves of one game. */
struct use {
	uint64_t moves[KIND_COUNT], fullmoves[KIND_COUNT];
	bool any;            /* false: all of these are zero */
	int ended;           /* the kind that ended the game, or -1 */
	struct found *found; /* for --each */
	int nfound, room;
};

static void
use_clear(struct use *u)
{
	struct use empty = { .found = u->found, .room = u->room };

	if (u->any)
		*u = empty;
}

static void
use_add(struct use *u, const struct game *g, int ply, enum kind k)
{
	u->moves[k]++;
	u->fullmoves[k] += g->start.fullmove + ((unsigned)ply + g->start.side) / 2;
	u->any = true;
	if (!each)
		return;
	if (u->nfound == u->room) {
		u->room = u->room * 2 + 64;
		u->found = xreallocarray(u->found, (size_t)u->room, sizeof(*u->found));
	}
	u->found[u->nfound++] = (struct found){ ply, k };
}

static void
look_at_pawn(struct use *u, const struct game *g, int i, int side)
{
	move m = g->line.moves[i];
	int rank = own_rank(side, move_from(m));
	int landed = own_rank(side, move_to(m)), steps = landed - rank;

	if (move_is_ep(m)) {
		use_add(u, g, i, EN_PASSANT);
		use_add(u, g, i, (enum kind)(EN_PASSANT_RANK_3 + landed - 2));
		if (landed != 5)
			use_add(u, g, i, EN_PASSANT_TORPEDO);
	} else if (steps == 2 && rank != 1) {
		use_add(u, g, i, TORPEDO);
		if (move_is_promotion(m))
			use_add(u, g, i, TORPEDO_PROMOTION);
	} else if (steps == -1) {
		use_add(u, g, i, BACK);
	} else if (steps == 0) {
		use_add(u, g, i, SIDEWAYS);
	}
}

static void
look_at_move(struct use *u, const struct game *g, int i)
{
	move m = g->line.moves[i];
	int moved = line_moved(&g->line, i);
	int captured = line_captured(&g->line, i);

	if ((moved & 15) == PAWN)
		look_at_pawn(u, g, i, moved >> 4);
	if (captured != 0 && captured >> 4 == moved >> 4) {
		use_add(u, g, i, SELF);
		use_add(u, g, i, (enum kind)(SELF_PAWN + (captured & 15) - PAWN));
		use_add(u, g, i, (enum kind)(SELF_BY_PAWN + (moved & 15) - PAWN));
	}
	if (move_is_castling(m)) {
		use_add(u, g, i, CASTLE);
		use_add(u, g, i, move_to(m) > move_from(m) ? CASTLE_SHORT : CASTLE_LONG);
	}
}

/*
 * Most moves are not special, and most rules allow few kinds. En passant and
 * castling are marked in the move; for the others a table says, by the piece
 * that moves and the piece captured, whether to look closer.
 */
static void
look_at_game(struct use *u, const struct game *g)
{
	static bool look[1024];
	static struct rules rules;
	const struct line *l = &g->line;

	if (memcmp(&rules, &g->rules, sizeof(rules)) != 0) {
		rules = g->rules;
		for (int men = 0; men < 1024; men++)
			look[men] = ((men >> 5 & 15) == PAWN &&
					(may_torpedo(&rules) || may_back(&rules) ||
					    may_sideways(&rules))) ||
			    ((men & 31) != 0 && men >> 9 == (men >> 4 & 1));
	}
	for (int i = 0; i < l->plies; i++)
		if (look[l->men[i]] |
		    (!move_is_plain(l->moves[i]) & !move_is_promotion(l->moves[i])))
			look_at_move(u, g, i);
}

static void
look_at_promotions(struct use *u, const struct game *g)
{
	for (int i = 0; i < g->line.plies; i++) {
		move m = g->line.moves[i];
		if (!move_is_promotion(m))
			continue;
		use_add(u, g, i, PROMOTION);
		use_add(u, g, i,
		    (enum kind)(PROMOTION_KNIGHT + move_promotion(m) - KNIGHT));
	}
}

static void
look_at_checks(struct use *u, const struct game *g)
{
	struct board b = g->start;
	struct undo undo;

	for (int i = 0; i < g->line.plies; i++) {
		board_make(&b, g->line.moves[i], &undo);
		if (board_checkers(&b) != 0)
			use_add(u, g, i, CHECK);
	}
}

/* The kind that ended the game; -1: none. */
static int
kind_of_end(const struct game *g)
{
	bool won = g->result == RESULT_WHITE || g->result == RESULT_BLACK;

	switch (g->end) {
	case END_STALEMATE:
		return won && may_stalemate_win(&g->rules) ? STALEMATE_WIN : -1;
	case END_CHECKS:
		return won ? CHECKS_WIN : -1;
	case END_HILL:
		return won ? HILL_WIN : -1;
	case END_BARE_KING:
		return BARE_KING;
	default:
		return -1;
	}
}

/* An end counts as a move, the last one, if there is one. */
static void
look_at_end(struct use *u, const struct game *g)
{
	u->ended = kind_of_end(g);
	if (u->ended != -1 && g->line.plies > 0)
		use_add(u, g, g->line.plies - 1, (enum kind)u->ended);
}

static void
count_kind(struct histogram *cells, const struct use *u, enum kind k, uint64_t plies)
{
	uint64_t n = u->moves[k];

	if (n > 0 || (int)k == u->ended)
		histogram_add(cells, kind_key(k, GAMES_WITH), 1);
	if (n == 0)
		return;
	histogram_add(cells, kind_key(k, MOVES_WITH), n);
	histogram_add(cells, kind_key(k, SQUARES), n * n);
	histogram_add(cells, kind_key(k, PRODUCTS), n * plies);
	histogram_add(cells, kind_key(k, FULLMOVES), u->fullmoves[k]);
}

static const struct use *
use_of_game(const struct game *g)
{
	static struct use u;

	use_clear(&u);
	look_at_game(&u, g);
	if (may_promote(&g->rules))
		look_at_promotions(&u, g);
	if (may_win_by_checks(&g->rules))
		look_at_checks(&u, g);
	look_at_end(&u, g);
	return &u;
}

static void
count_game(const struct game *g)
{
	struct histogram *cells = &tally_count(&tally, g)->cells;
	uint64_t plies = (uint64_t)g->line.plies;
	const struct use *u = use_of_game(g);

	histogram_add(cells, MOVES, plies);
	histogram_add(cells, MOVE_SQUARES, plies * plies);
	if (g->result == RESULT_WHITE || g->result == RESULT_BLACK)
		histogram_add(cells, DECISIVE, 1);
	for (int k = 0; (u->any || u->ended != -1) && k < KIND_COUNT; k++)
		count_kind(cells, u, (enum kind)k, plies);
}

/* ---- each move ---- */

static int
compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->ply != y->ply ? (x->ply > y->ply) - (x->ply < y->ply)
				: (x->kind > y->kind) - (x->kind < y->kind);
}

static void
add_found(struct table *t, const char *id, int ply, const char *text, const char *kind)
{
	table_count(t, "game", tally.number);
	table_string(t, "id", id);
	table_count(t, "ply", (uint64_t)ply + 1);
	table_string(t, "move", text);
	table_string(t, "kind", kind);
}

static void
write_game(const struct game *g)
{
	const struct use *u = use_of_game(g);
	struct text id = { 0 };
	char text[6];

	text_add(&id, g->text.s + g->id.at, g->id.len);
	if (u->nfound > 0)
		qsort(u->found, (size_t)u->nfound, sizeof(*u->found), compare_found);
	for (int i = 0; i < u->nfound; i++) {
		const struct found *f = &u->found[i];
		move_print(&g->rules, g->line.moves[f->ply], text);
		add_found(&tally.table, id.s, f->ply, text, kinds[f->kind].name);
		if (table_end_row(&tally.table) == -1)
			break;
	}
	text_release(&id);
}

static void
write_names(struct table *t)
{
	add_found(t, "", 0, "", "");
	table_end_names(t);
}

/* ---- the table ---- */

static uint64_t
count_of(const struct tally_group *g, uint64_t key)
{
	return histogram_get(&g->cells, key);
}

static bool
has_kind(const struct tally_group *g, int k)
{
	return kinds[k].may(&g->rules);
}

static void
add_kind(struct table *t, const struct tally_group *g, int row)
{
	enum kind k = (enum kind)row;
	uint64_t games = k == STALEMATE_WIN || k == CHECKS_WIN || k == HILL_WIN
	    ? count_of(g, DECISIVE)
	    : g->games;
	uint64_t games_with = count_of(g, kind_key(k, GAMES_WITH));
	uint64_t moves = count_of(g, MOVES);
	uint64_t moves_with = count_of(g, kind_key(k, MOVES_WITH));
	const struct pairsums sums = {
		.n = (double)g->games,
		.x = (double)moves,
		.y = (double)moves_with,
		.xx = (double)count_of(g, MOVE_SQUARES),
		.yy = (double)count_of(g, kind_key(k, SQUARES)),
		.xy = (double)count_of(g, kind_key(k, PRODUCTS)),
	};
	struct range in_games, in_moves;

	dirichlet_share(games_with, games, tally.level, &in_games);
	ratio_share(&sums, tally.level, &in_moves);
	tally_write_name(g, t);
	table_string(t, "kind", kinds[k].name);
	table_count(t, "games", games);
	table_count(t, "games_with", games_with);
	table_range(t, "games_share", in_games);
	table_count(t, "moves", moves);
	table_count(t, "moves_with", moves_with);
	table_range(t, "moves_share", in_moves);
	table_number(t, "fullmove_mean",
	    (double)count_of(g, kind_key(k, FULLMOVES)) / sums.y);
}

static void
write_use(struct table *t)
{
	tally_write_rows(&tally, t, KIND_COUNT, has_kind, add_kind);
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	tally_init(&tally, "movestats", is_cell_key);
	tally.is_share = is_share_key;
	char **files = cli_read(&cli, argc, argv);
	if (!each)
		return tally_run(&tally, &cli, files, count_game, write_use);
	if (tally.partial || tally.by != NULL)
		cli_usage_error(&cli,
		    "--each does not count and cannot be "
		    "combined with --by or --partial");
	tally.is_key = NULL;
	return tally_run(&tally, &cli, files, write_game, write_names);
}
