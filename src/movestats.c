/*
 * movestats: how often the moves are used that one game has and another has
 * not: in how many games, and what share of all moves.
 */
#include <math.h>
#include <string.h>

#include "base/cli.h"
#include "base/table.h"
#include "data/tally.h"
#include "stats/dirichlet.h"

static const char synopsis[] =
    "[-pqStVxz] [-b tag] [-l level] [-o file] [-r rules] [file ...]";
static const char help[] =
    "Counts special moves in games (JSONL or PGN) for each rule set.\n"
    "\n"
    "  -b, --by TAG         count apart for each value of a tag, too\n"
    "  -h, --help           show this help\n"
    "  -l, --level P        level of the intervals (default 0.95)\n"
    "  -o, --output FILE    write to FILE (compressed if it ends in .zst)\n"
    "  -p, --progress       show progress even when not on a terminal\n"
    "  -q, --quiet          show no progress and no count of bad games\n"
    "  -r, --rules SPEC     rules of games that tell none (default classical)\n"
    "  -S, --strict         stop at the first bad game\n"
    "  -t, --tsv            write TSV instead of JSONL\n"
    "  -V, --version        show the version\n"
    "  -x, --partial        write counts that another movestats reads and adds up\n"
    "  -z, --compress       compress the output with zstd\n";

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	CLI_LONG_INPUT,
	CLI_LONG_TABLE,
	{ "by", required_argument, NULL, 'b' },
	{ "level", required_argument, NULL, 'l' },
	{ "partial", no_argument, NULL, 'x' },
	{ NULL, 0, NULL, 0 }
};

/* Rules under which a kind of move can be met; shown only there. */
static bool may_torpedo(const struct rules *r) { return r->double_step > 2; }
static bool may_torpedo_promote(const struct rules *r) { return r->double_step > 5; }
static bool may_double_from_4(const struct rules *r) { return r->double_step > 3; }
static bool may_double_from_5(const struct rules *r) { return r->double_step > 4; }
static bool may_double(const struct rules *r) { return r->double_step > 0; }
static bool may_back(const struct rules *r) { return r->pawn_back; }
static bool may_sideways(const struct rules *r) { return r->pawn_sideways; }
static bool may_take_own(const struct rules *r) { return r->self_capture; }
static bool may_castle(const struct rules *r) { return r->castling_from != 0; }
static bool may_win_by_stalemate(const struct rules *r) { return r->stalemate_wins; }

/* The kinds. Ranks of en passant are those of the square landed on, as the
 * capturing side counts them: the 6th in chess, and never below the 3rd. */
#define KINDS \
	KIND(TORPEDO, "torpedo", may_torpedo) \
	KIND(TORPEDO_PROMOTION, "torpedo-promotion", may_torpedo_promote) \
	KIND(EN_PASSANT, "en-passant", may_double) \
	KIND(EN_PASSANT_TORPEDO, "en-passant-torpedo", may_torpedo) \
	KIND(EN_PASSANT_RANK_3, "en-passant-rank-3", may_double_from_5) \
	KIND(EN_PASSANT_RANK_4, "en-passant-rank-4", may_double_from_4) \
	KIND(EN_PASSANT_RANK_5, "en-passant-rank-5", may_torpedo) \
	KIND(EN_PASSANT_RANK_6, "en-passant-rank-6", may_double) \
	KIND(BACK, "back", may_back) \
	KIND(SIDEWAYS, "sideways", may_sideways) \
	KIND(SELF, "self-capture", may_take_own) \
	KIND(SELF_PAWN, "self-capture-pawn", may_take_own) \
	KIND(SELF_KNIGHT, "self-capture-knight", may_take_own) \
	KIND(SELF_BISHOP, "self-capture-bishop", may_take_own) \
	KIND(SELF_ROOK, "self-capture-rook", may_take_own) \
	KIND(SELF_QUEEN, "self-capture-queen", may_take_own) \
	KIND(SELF_BY_PAWN, "self-capture-by-pawn", may_take_own) \
	KIND(SELF_BY_KNIGHT, "self-capture-by-knight", may_take_own) \
	KIND(SELF_BY_BISHOP, "self-capture-by-bishop", may_take_own) \
	KIND(SELF_BY_ROOK, "self-capture-by-rook", may_take_own) \
	KIND(SELF_BY_QUEEN, "self-capture-by-queen", may_take_own) \
	KIND(SELF_BY_KING, "self-capture-by-king", may_take_own) \
	KIND(CASTLE, "castle", may_castle) \
	KIND(CASTLE_SHORT, "castle-short", may_castle) \
	KIND(CASTLE_LONG, "castle-long", may_castle) \
	KIND(STALEMATE_WIN, "stalemate-win", may_win_by_stalemate)

enum kind {
#define KIND(name, word, may) name,
	KINDS
#undef KIND
	KIND_COUNT
};

static const struct {
	const char *name;
	bool (*may)(const struct rules *r);
} kinds[KIND_COUNT] = {
#define KIND(name, word, may) { word, may },
	KINDS
#undef KIND
};

/*
 * What is counted: for the group, and for each kind. The squares and products
 * are sums over games, and give the error of a share of moves with the game
 * as the unit.
 */
enum stat {
	GAMES_WITH,	/* games in which the kind occurs */
	MOVES_WITH,	/* moves of the kind */
	SQUARES,	/* of a game's moves of the kind */
	PRODUCTS,	/* of these and all moves of the game */
	FULLMOVES	/* sum of the move numbers of these moves */
};
enum total { MOVES = 1, MOVE_SQUARES, DECISIVE };

static struct cli cli;
static struct tally tally;
static double level = 0.95;

static uint64_t
total_key(enum total t)
{
	return (uint64_t)t;
}

static uint64_t
kind_key(enum kind k, enum stat s)
{
	return 256 * (uint64_t)(k + 1) + (uint64_t)s;
}

/* ---- counting ---- */

/* Of one game. */
struct use {
	uint64_t moves[KIND_COUNT], fullmoves[KIND_COUNT];
	bool any;	/* else all is zero */
};

static void
use_add(struct use *u, enum kind k, unsigned fullmove)
{
	u->moves[k]++;
	u->fullmoves[k] += fullmove;
	u->any = true;
}

static void
look_at_pawn(struct use *u, int side, int from, int to, move m, unsigned n)
{
	int rank = own_rank(side, from), steps = own_rank(side, to) - rank;

	if (move_kind(m) == MOVE_EN_PASSANT) {
		int landed = own_rank(side, to) + 1;
		use_add(u, EN_PASSANT, n);
		use_add(u, (enum kind)(EN_PASSANT_RANK_3 + landed - 3), n);
		if (landed != 6)
			use_add(u, EN_PASSANT_TORPEDO, n);
	} else if (steps == 2 && rank != 1) {
		use_add(u, TORPEDO, n);
		if (move_kind(m) == MOVE_PROMOTION)
			use_add(u, TORPEDO_PROMOTION, n);
	} else if (steps == -1) {
		use_add(u, BACK, n);
	} else if (steps == 0) {
		use_add(u, SIDEWAYS, n);
	}
}

static void
look_at_game(struct use *u, const struct game *g)
{
	for (int i = 0; i < g->line.plies; i++) {
		move m = g->line.moves[i];
		int moved = line_moved(&g->line, i);
		int captured = line_captured(&g->line, i);
		unsigned n = g->start.fullmove +
		    ((unsigned)i + g->start.side) / 2;
		if ((moved & 7) == PAWN)
			look_at_pawn(u, moved >> 3, move_from(m), move_to(m), m, n);
		if (captured != 0 && captured >> 3 == moved >> 3) {
			use_add(u, SELF, n);
			use_add(u, (enum kind)(SELF_PAWN + (captured & 7) - PAWN), n);
			use_add(u, (enum kind)(SELF_BY_PAWN + (moved & 7) - PAWN), n);
		}
		if (move_kind(m) == MOVE_CASTLING) {
			use_add(u, CASTLE, n);
			use_add(u, move_to(m) > move_from(m) ? CASTLE_SHORT :
			    CASTLE_LONG, n);
		}
	}
}

/* A win by stalemate is the last move of a decisive game. */
static void
look_at_end(struct use *u, const struct game *g)
{
	if (g->rules.stalemate_wins && g->end == END_STALEMATE &&
	    (g->result == RESULT_WHITE || g->result == RESULT_BLACK))
		use_add(u, STALEMATE_WIN, g->start.fullmove +
		    ((unsigned)g->line.plies + g->start.side + 1) / 2 - 1);
}

static void
count_game(const struct game *g)
{
	static struct use u;
	struct tally_group *group = tally_count(&tally, g);
	uint64_t plies = (uint64_t)g->line.plies;

	if (u.any)
		memset(&u, 0, sizeof(u));
	tally_add(group, total_key(MOVES), plies);
	tally_add(group, total_key(MOVE_SQUARES), plies * plies);
	if (g->result == RESULT_WHITE || g->result == RESULT_BLACK)
		tally_add(group, total_key(DECISIVE), 1);
	look_at_game(&u, g);
	look_at_end(&u, g);
	for (int k = 0; u.any && k < KIND_COUNT; k++) {
		uint64_t n = u.moves[k];
		if (n == 0)
			continue;
		tally_add(group, kind_key((enum kind)k, GAMES_WITH), 1);
		tally_add(group, kind_key((enum kind)k, MOVES_WITH), n);
		tally_add(group, kind_key((enum kind)k, SQUARES), n * n);
		tally_add(group, kind_key((enum kind)k, PRODUCTS), n * plies);
		tally_add(group, kind_key((enum kind)k, FULLMOVES),
		    u.fullmoves[k]);
	}
}

/* ---- the table ---- */

/*
 * The standard error of a share of moves. Games are what is independent, so
 * it is that of a ratio of two means over games.
 */
static double
share_error(double games, double moves, double moves_square, double with,
    double squares, double products)
{
	double share = with / moves;
	double residuals = squares - 2 * share * products +
	    share * share * moves_square;

	if (games < 2 || !(moves > 0))
		return NAN;
	return sqrt(fmax(residuals, 0) * games / (games - 1)) / moves;
}

/* The z with P(|Z| < z) = level for a normal Z, by bisection. */
static double
normal_quantile(double p)
{
	double lo = 0, hi = 10;

	for (int i = 0; i < 60; i++) {
		double mid = (lo + hi) / 2;
		*(erf(mid / sqrt(2)) < p ? &lo : &hi) = mid;
	}
	return (lo + hi) / 2;
}

static int
write_kind(struct table *t, const struct tally_group *g, enum kind k)
{
	const struct histogram *h = &g->cells;
	uint64_t with = histogram_get(h, kind_key(k, GAMES_WITH));
	uint64_t moves = histogram_get(h, total_key(MOVES));
	uint64_t moves_with = histogram_get(h, kind_key(k, MOVES_WITH));
	uint64_t games = k == STALEMATE_WIN ?
	    histogram_get(h, total_key(DECISIVE)) : g->games;
	struct dirichlet_range range = { NAN, NAN, NAN };
	double share = (double)moves_with / (double)moves;
	double error = normal_quantile(level) * share_error((double)g->games,
	    (double)moves, (double)histogram_get(h, total_key(MOVE_SQUARES)),
	    (double)moves_with, (double)histogram_get(h, kind_key(k, SQUARES)),
	    (double)histogram_get(h, kind_key(k, PRODUCTS)));

	dirichlet_share(with, games, level, &range);
	tally_write_name(g, t);
	table_string(t, "kind", kinds[k].name);
	table_count(t, "games", games);
	table_count(t, "games_with", with);
	table_number(t, "games_share", (double)with / (double)games);
	table_number(t, "games_share_lo", range.lo);
	table_number(t, "games_share_hi", range.hi);
	table_count(t, "moves", moves);
	table_count(t, "moves_with", moves_with);
	table_number(t, "moves_share", share);
	table_number(t, "moves_share_lo", fmax(share - error, 0));
	table_number(t, "moves_share_hi", fmin(share + error, 1));
	table_number(t, "fullmove_mean",
	    (double)histogram_get(h, kind_key(k, FULLMOVES)) /
	    (double)moves_with);
	return table_end_row(t);
}

static void
write_use(struct table *t)
{
	for (int i = 0; i < tally.ngroups; i++)
		for (int k = 0; k < KIND_COUNT; k++)
			if (kinds[k].may(&tally.groups[i].rules) &&
			    write_kind(t, &tally.groups[i], (enum kind)k) == -1)
				return;
}

int
main(int argc, char *argv[])
{
	static struct games games;
	struct table table;
	const char *by = NULL;
	bool partial = false;
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_INPUT
	    CLI_SHORT_TABLE "b:l:x", options, NULL)) != -1) {
		if (c == 'b')
			by = optarg;
		else if (c == 'l')
			level = cli_real(&cli, "--level", optarg, 1e-6, 1 - 1e-6);
		else if (c == 'x')
			partial = true;
		else
			cli_option(&cli, c);
	}
	if (partial && cli.tsv)
		cli_usage_error(&cli, "--partial is not a table");

	tally_init(&tally, "movestats", by);
	games_start(&games, &cli, argv + optind);
	games_on_partial(&games, tally_read, &tally);
	struct zout *out = cli_open_output(&cli);
	while (games_next(&games))
		count_game(&games.game);
	games_finish(&games);
	tally_sort(&tally);
	table_start(&table, out, cli.tsv);
	if (partial)
		tally_write(&tally, out);
	else
		write_use(&table);
	table_release(&table);
	tally_release(&tally);
	return cli_finish(&cli, out);
}
