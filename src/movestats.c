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
#include "chess/movekind.h"
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
kind_key(enum movekind k, enum stat s)
{
	return 256 * (uint64_t)(k + 1) + (uint64_t)s;
}

static bool
is_cell_key(const struct rules *r, uint64_t key)
{
	(void)r;
	return key < 256 ? key >= MOVES && key <= DECISIVE
			 : key / 256 <= MOVEKINDS && key % 256 <= FULLMOVES;
}

/* Of the games, how many? */
static bool
is_share_key(const struct rules *r, uint64_t key)
{
	(void)r;
	return key == DECISIVE || (key >= 256 && key % 256 == GAMES_WITH);
}

/* ---- counting ---- */

/* A move of a kind. */
struct found {
	int ply;
	enum movekind kind;
};

/* The special moves of one game. */
struct use {
	uint64_t moves[MOVEKINDS], fullmoves[MOVEKINDS];
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
use_add(struct use *u, const struct game *g, int ply, enum movekind k)
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
use_add_set(struct use *u, const struct game *g, int ply, movekinds set)
{
	for (; set != 0; set &= set - 1)
		use_add(u, g, ply, (enum movekind)__builtin_ctzll(set));
}

/* What the rules of the last game have: kinds, and which moves to look at. */
struct looked_for {
	struct rules rules;
	movekinds under;
	bool needs_board;
	bool promotions;
	bool men[1024]; /* by what moved and what was captured, as in struct line */
};

static void
look_for(struct looked_for *l, const struct rules *r)
{
	const movekinds pawn_moves = movekind_bit(KIND_TORPEDO) |
	    movekind_bit(KIND_BACK) | movekind_bit(KIND_SIDEWAYS);
	const movekinds captures =
	    movekind_bit(KIND_EXPLOSION) | movekind_bit(KIND_FORCED_CAPTURE);

	l->rules = *r;
	l->under = movekinds_under(r);
	l->needs_board = movekinds_need_board(r);
	l->promotions = (l->under & movekind_bit(KIND_PROMOTION)) != 0;
	for (int men = 0; men < 1024; men++) {
		bool capture = (men & 31) != 0, own = men >> 9 == (men >> 4 & 1);
		l->men[men] = ((men >> 5 & 15) == PAWN && (l->under & pawn_moves) != 0) ||
		    (capture && (own || (l->under & captures) != 0));
	}
}

static void
look_at_positions(struct use *u, const struct game *g)
{
	struct board b = g->start;
	struct undo undo;

	for (int i = 0; i < g->line.plies; i++) {
		use_add_set(u, g, i, movekinds_at(&b, g->line.moves[i]));
		board_make(&b, g->line.moves[i], &undo);
	}
}

/*
 * Most moves are not special, and most rules allow few kinds. En passant, castling,
 * drops and promotions are marked in the move; for the others a table says, by the
 * piece that moves and the piece captured, whether to look closer.
 */
static void
look_at_moves(struct use *u, const struct game *g, const struct looked_for *f)
{
	const struct line *l = &g->line;

	for (int i = 0; i < l->plies; i++) {
		move m = l->moves[i];
		bool odd = !move_is_plain(m);
		if (f->men[l->men[i]] | (odd & (f->promotions | !move_is_promotion(m))))
			use_add_set(u, g, i,
			    f->under &
				movekinds_of(&g->rules, m, line_moved(l, i),
				    line_captured(l, i)));
	}
}

/* An end counts as a move, the last one, if there is one. */
static void
look_at_end(struct use *u, const struct game *g)
{
	bool won = g->result == RESULT_WHITE || g->result == RESULT_BLACK;

	u->ended = movekind_of_end(&g->rules, g->end, won);
	if (u->ended != -1 && g->line.plies > 0)
		use_add(u, g, g->line.plies - 1, (enum movekind)u->ended);
}

static void
count_kind(struct histogram *cells, const struct use *u, enum movekind k, uint64_t plies)
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
	static struct looked_for f;
	static struct use u;

	if (memcmp(&f.rules, &g->rules, sizeof(f.rules)) != 0)
		look_for(&f, &g->rules);
	use_clear(&u);
	if (f.needs_board)
		look_at_positions(&u, g);
	else
		look_at_moves(&u, g, &f);
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
	for (int k = 0; (u->any || u->ended != -1) && k < MOVEKINDS; k++)
		count_kind(cells, u, (enum movekind)k, plies);
}

/* ---- each move ---- */

static int
compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->ply != y->ply ? (x->ply > y->ply) - (x->ply < y->ply)
				: (x->kind > y->kind) - (x->kind < y->kind);
}

static const char *const classes[] = {
	[KIND_IS_NEW] = "new",
	[KIND_IS_USUAL] = "usual",
	[KIND_IS_PART] = "part",
};

static void
add_found(struct table *t, const char *id, int ply, const char *text, enum movekind k,
    bool is_main)
{
	table_count(t, "game", tally.number);
	table_string(t, "id", id);
	table_count(t, "ply", (uint64_t)ply + 1);
	table_string(t, "move", text);
	table_string(t, "kind", movekind_name(k));
	table_string(t, "class", classes[movekind_class(k)]);
	table_json(t, "main", is_main ? "true" : "false");
}

/* The kind that stands for all kinds of found[i]'s move. */
static int
main_kind_of(const struct use *u, int i)
{
	movekinds set = 0;

	for (int j = i; j >= 0 && u->found[j].ply == u->found[i].ply; j--)
		set |= movekind_bit(u->found[j].kind);
	for (int j = i; j < u->nfound && u->found[j].ply == u->found[i].ply; j++)
		set |= movekind_bit(u->found[j].kind);
	return movekind_mark(set);
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
		add_found(&tally.table, id.s, f->ply, text, f->kind,
		    main_kind_of(u, i) == (int)f->kind);
		if (table_end_row(&tally.table) == -1)
			break;
	}
	text_release(&id);
}

static void
write_names(struct table *t)
{
	add_found(t, "", 0, "", (enum movekind)0, false);
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
	return (movekinds_under(&g->rules) & movekind_bit((enum movekind)k)) != 0;
}

/* Is the kind a way to win, counted among decisive games? */
static bool
is_win(enum movekind k)
{
	return k == KIND_STALEMATE_WIN || k == KIND_CHECKS_WIN || k == KIND_HILL_WIN ||
	    k == KIND_GOAL_WIN || k == KIND_EXPLOSION_WIN;
}

static void
add_kind(struct table *t, const struct tally_group *g, int row)
{
	enum movekind k = (enum movekind)row;
	uint64_t games = is_win(k) ? count_of(g, DECISIVE) : g->games;
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
	table_string(t, "kind", movekind_name(k));
	table_count(t, "games", games);
	table_count(t, "games_with", games_with);
	table_range(t, "games_share", in_games);
	table_count(t, "moves", moves);
	table_count(t, "moves_with", moves_with);
	table_range(t, "moves_share", in_moves);
	table_number(t, "fullmove_mean",
	    (double)count_of(g, kind_key(k, FULLMOVES)) / sums.y);
	table_string(t, "class", classes[movekind_class(k)]);
}

static void
write_use(struct table *t)
{
	tally_write_rows(&tally, t, MOVEKINDS, has_kind, add_kind);
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
