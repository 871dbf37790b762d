/*
 * piecefit: estimates the values of the pieces from games: the weights of
 * tanh(w.d), d being the differences in numbers of pieces, that best predict
 * the results of the games, or the values of their searches.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "base/rng.h"
#include "base/table.h"
#include "data/tally.h"
#include "stats/fit.h"

static const char synopsis[] =
    "[-dEFKpqStVWxz] [-b tag] [-i positions] [-l level] [-o file] [-r rules]\n"
    "                [--distinct] [--target target] [--trust] [file ...]";
static const char help[] =
    "Fits piece values to games (JSONL, PGN or packed) for each rule set.\n";

static struct cli cli;
static struct tally tally;
static struct fit_options fit;
static struct fit_result fitted;   /* of the group being written */
static bool not_before, not_after; /* of a capture or promotion */
static bool no_start, no_final, decisive, white_view;
static bool to_search; /* --target search */

static void
read_positions(const char *arg)
{
	not_before = strcmp(arg, "quiet") == 0 || strcmp(arg, "not-before") == 0;
	not_after = strcmp(arg, "quiet") == 0 || strcmp(arg, "not-after") == 0;
	if (!not_before && !not_after && strcmp(arg, "all") != 0)
		cli_usage_error(&cli,
		    "--positions takes all, quiet, not-before or not-after, not '%s'",
		    arg);
}

static void
read_target(const char *arg)
{
	to_search = strcmp(arg, "search") == 0;
	fit.unit = to_search ? FIT_UNIT : 1;
	if (!to_search && strcmp(arg, "result") != 0)
		cli_usage_error(&cli, "--target takes result or search, not '%s'", arg);
}

static const struct cli_option options[] = {
	TALLY_BY(&tally, "fit"),
	CLI_FLAG('d', "decisive", &decisive, "leave out drawn games"),
	TALLY_DISTINCT(&tally),
	CLI_FLAG('E', "no-final", &no_final, "leave out the final position"),
	CLI_FLAG('F', "no-start", &no_start, "leave out the start position"),
	CLI_HELP,
	CLI_CALL('i', "positions", "WHICH", read_positions,
	    "all (default), quiet, not-before or not-after:\n"
	    "leave out those just before or after a capture or promotion"),
	CLI_CHOICE('K', "no-constant", &fit.no_constant, 1,
	    "fit without the advantage of having the move"),
	CLI_LEVEL(&tally.level, "confidence intervals"),
	CLI_OUTPUT_ZST,
	CLI_READ,
	CLI_CALL(0, "target", "WHAT", read_target,
	    "fit to the result (default), or to search: the values\n"
	    "of the players' searches"),
	CLI_TSV(""),
	CLI_TRUST,
	CLI_VERSION,
	CLI_FLAG('W', "white-view", &white_view,
	    "take White's view, not that of the side to move"),
	TALLY_PARTIAL(&tally, "piecefit"),
	CLI_COMPRESS,
	CLI_END,
};

/* ---- counting ---- */

/*
 * The balance of pieces during a game, as the keys that it is counted under with
 * White and with Black to move, and the cells that the game adds to. It changes
 * with captures and promotions, of which a game has at most 30 and 16.
 *
 * The next capture cannot be predicted, so tables and sums are used here instead
 * of branches.
 */
enum { CHANGES_MAX = 30 + 16 };

struct balance {
	uint64_t keys[2];
	struct histogram_cell cells[4 * (CHANGES_MAX + 1) + 1];
	size_t ncells;
	uint64_t squares; /* fit_squares() of all positions */
	double won;       /* White's share of a game worth neither a win,
	                   * half a point nor a loss; otherwise NaN */
	double left[2];   /* rounding remainder so far */
};

/* What a piece, side << 4 | type, adds to the keys: it adds to one and subtracts
 * from the other, unless both are from White's view. */
static uint64_t steps[2][32];

static void
steps_init(void)
{
	for (int type = PAWN; type <= QUEEN; type++) {
		uint64_t step = fit_key_step(type - PAWN);
		steps[WHITE][WHITE << 4 | type] = step;
		steps[WHITE][BLACK << 4 | type] = -step;
		steps[BLACK][WHITE << 4 | type] = white_view ? step : -step;
		steps[BLACK][BLACK << 4 | type] = white_view ? -step : step;
	}
}

/* Adds (by 1) or removes (by -1) a piece; no piece, or a king, changes nothing. */
static void
balance_change(struct balance *b, int code, int by)
{
	b->keys[WHITE] += steps[WHITE][code] * (uint64_t)by;
	b->keys[BLACK] += steps[BLACK][code] * (uint64_t)by;
}

/* Counts positions, or parts of them, with this balance and this side to move;
 * outcome is added to the key of the lowest outcome. */
static void
balance_count(struct balance *b, int side, uint64_t outcome, uint64_t positions)
{
	b->cells[b->ncells] =
	    (struct histogram_cell){ b->keys[side] + outcome, positions };
	b->ncells += positions > 0;
}

/* Games are the unit of the confidence intervals. A game's block depends only on
 * its moves, so that partial results add up. It must not depend on the result,
 * or the results within a block would agree by construction. */
static unsigned
block_of(const struct game *g)
{
	const struct line *l = &g->line;
	uint64_t h = rng_stir(l->keys[l->plies] + (uint64_t)l->plies);

	return (unsigned)(rng_stir(h + l->keys[l->plies / 2]) % FIT_BLOCKS);
}

static void
balance_init(struct balance *b, const struct game *g)
{
	bool parts = g->result == RESULT_DRAW && g->value != 0;
	int z = to_search || parts      ? -1
	    : g->result == RESULT_WHITE ? 1
	    : g->result == RESULT_BLACK ? -1
					: 0;
	int d[FIT_PIECES], minus[FIT_PIECES];
	unsigned block = block_of(g);

	for (int i = 0; i < FIT_PIECES; i++) {
		d[i] = __builtin_popcountll(g->start.pieces[WHITE][PAWN + i]) -
		    __builtin_popcountll(g->start.pieces[BLACK][PAWN + i]);
		minus[i] = -d[i];
	}
	b->ncells = 0;
	b->squares = 0;
	b->won = parts ? game_points(g) : NAN;
	b->left[WHITE] = b->left[BLACK] = 0.5;
	b->keys[WHITE] = fit_key(block, d, z);
	b->keys[BLACK] = white_view ? b->keys[WHITE]
				    : fit_key(block, minus, to_search || parts ? z : -z);
}

/* The plies that change the balance: captures and promotions. */
static int
find_changes(const struct line *l, int changes[CHANGES_MAX + 1])
{
	const uint16_t *men = l->men;
	const move *moves = l->moves;
	int n = 0;

	for (int i = 0, plies = l->plies; i < plies; i++) {
		changes[n] = i;
		n += ((men[i] & 31) != 0) | (move_is_promotion(moves[i]));
	}
	return n;
}

static void
balance_play(struct balance *b, const struct line *l, int ply)
{
	int moved = line_moved(l, ply);

	balance_change(b, line_captured(l, ply), -1);
	if (move_is_promotion(l->moves[ply])) {
		balance_change(b, moved, -1);
		balance_change(b, (moved & 16) | move_promotion(l->moves[ply]), 1);
	}
}

/* What outcomes add to the key of a loss, as fit_key() makes it. */
enum { LOST = 0, WON = 2 };

/* Counts positions of a game worth other points as a mixture of won and lost ones
 * with that mean. */
static void
count_points(struct balance *b, int side, int positions)
{
	double part = side == BLACK && !white_view ? 1 - b->won : b->won;
	double won = part * positions + b->left[side];

	b->left[side] = won - floor(won);
	balance_count(b, side, WON, (uint64_t)floor(won));
	balance_count(b, side, LOST, (uint64_t)(positions - (int)floor(won)));
}

/* The same for the values of the search, where there are any; the final position
 * has none. */
static void
count_values(struct balance *b, const struct game *g, int first, int last, int side)
{
	uint64_t won[2] = { 0, 0 }, all[2] = { 0, 0 };

	for (int i = first; i <= last && i < g->line.plies; i++, side ^= 1) {
		double z = (double)tally.values[i];
		if (isnan(z))
			continue;
		if (white_view && side == BLACK)
			z = -z;
		won[side] += fit_parts(z);
		all[side] += FIT_UNIT;
		b->squares += fit_squares(z);
	}
	for (side = WHITE; side <= BLACK; side++) {
		balance_count(b, side, WON, won[side]);
		balance_count(b, side, LOST, all[side] - won[side]);
	}
}

/* Counts the positions first to last, which have the same balance. */
static void
count_stretch(struct balance *b, const struct game *g, int first, int last)
{
	int side = (g->start.side ^ first) & 1;

	if (first > last)
		return;
	if (to_search) {
		count_values(b, g, first, last, side);
		return;
	}
	int own = (last - first) / 2 + 1, other = (last - first + 1) / 2;
	if (!isnan(b->won)) {
		count_points(b, side, own);
		count_points(b, side ^ 1, other);
		return;
	}
	balance_count(b, side, 0, (uint64_t)own);
	balance_count(b, side ^ 1, 0, (uint64_t)other);
}

/*
 * Position i is the one before ply i. Between two changes of the balance there is
 * a stretch of positions, the first just after a change and the last just
 * before one, unless the game begins or ends there.
 */
static void
count_game(const struct game *g)
{
	int changes[CHANGES_MAX + 1], n = find_changes(&g->line, changes);
	int first = no_start;
	struct balance b;

	balance_init(&b, g);
	for (int i = 0; i < n; i++) {
		count_stretch(&b, g, first, changes[i] - not_before);
		balance_play(&b, &g->line, changes[i]);
		first = changes[i] + 1 + not_after;
	}
	count_stretch(&b, g, first, g->line.plies - no_final);
	struct tally_group *group = tally_count(&tally, g);
	histogram_add_cells(&group->cells, b.cells, b.ncells);
	if (b.squares > 0)
		histogram_add(&group->cells, FIT_SQUARES, b.squares);
}

/* ---- the table ---- */

static void
write_weights(struct table *t, const struct fit_result *f)
{
	struct text json = { 0 };

	for (int i = 0; i < FIT_WEIGHTS; i++) {
		text_add_char(&json, i == 0 ? '[' : ',');
		text_add_double(&json, f->w[i]);
	}
	text_add_char(&json, ']');
	table_json(t, "w", json.s);
	text_release(&json);
}

/* The pieces that the rules redefine. */
static void
write_pieces(struct table *t, const struct rules *r)
{
	struct text json = { 0 };

	rules_write_changes(r, true, &json);
	table_json(t, "pieces", json.s);
	text_release(&json);
}

/* Fits the values of a group; false if that is impossible. */
static bool
fit_group(const struct tally_group *g, int unused)
{
	char reason[REASON_MAX];
	int failed = fit_solve(&g->cells, &fit, &fitted, reason);

	(void)unused;
	if (reason[0] != '\0')
		cli_warn(&cli, g->label, 0, "%s", reason);
	return !failed;
}

static void
add_fit(struct table *t, const struct tally_group *g, int unused)
{
	static const char *const names[] = { "pawn", "knight", "bishop", "rook",
		"queen" };
	const struct fit_result *f = &fitted;

	(void)unused;
	tally_write_name(g, t);
	table_count(t, "games", g->games);
	table_count(t, "positions", f->positions);
	table_number(t, "pawn", f->value[0]);
	for (int p = 1; p < FIT_PIECES; p++)
		table_range(t, names[p],
		    (struct range){ f->value[p], f->lo[p], f->hi[p] });
	table_number(t, "constant", f->valued ? f->w[0] / f->w[1] : NAN);
	write_weights(t, f);
	table_number(t, "mse", f->mse);
	table_string(t, "target", to_search ? "search" : "result");
	write_pieces(t, &g->rules);
}

static void
write_values(struct table *t)
{
	tally_write_rows(&tally, t, 1, fit_group, add_fit);
}

static bool
is_cell_key(uint64_t key)
{
	unsigned block;
	int d[FIT_PIECES], z;

	return (to_search && key == FIT_SQUARES) ||
	    fit_key_parts(key, &block, d, &z) == 0;
}

/* The kind of partial results: counts made with different options must not be
 * added up. */
static const char *
partial_kind(void)
{
	static char kind[100];

	snprintf(kind, sizeof(kind), "piecefit%s%s%s%s%s%s%s", to_search ? "+search" : "",
	    not_before ? "+not-before" : "", not_after ? "+not-after" : "",
	    no_start ? "+no-start" : "", no_final ? "+no-final" : "",
	    decisive ? "+decisive" : "", white_view ? "+white-view" : "");
	return kind;
}

static void
count_if_wanted(const struct game *g)
{
	if ((!to_search && g->result == RESULT_NONE) ||
	    (decisive && g->result == RESULT_DRAW))
		tally_find(&tally, g);
	else
		count_game(g);
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	tally_init(&tally, NULL, is_cell_key);
	char **files = cli_read(&cli, argc, argv);
	fit.level = tally.level;
	tally.program = partial_kind();
	tally.want_values = to_search;
	steps_init();
	return tally_run(&tally, &cli, files, count_if_wanted, write_values);
}
