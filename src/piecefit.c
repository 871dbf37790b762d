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

/* ---- the kinds of pieces ---- */

/* The pieces of a rule set that are fitted: those of chess, kings if they are pieces
 * like others, spare kinds; and all of these in hand. */
struct kinds {
	struct rules rules;
	struct fit_shape shape;
	int type[FIT_TERMS];  /* of each term */
	bool hand[FIT_TERMS]; /* is it in hand? */
	bool replay;          /* captures and promotions alone do not tell the balance */
};

static const char *const names[] = { [PAWN] = "pawn",
	[KNIGHT] = "knight",
	[BISHOP] = "bishop",
	[ROOK] = "rook",
	[QUEEN] = "queen",
	[KING] = "king" };

/* The name of a kind's column, "" if the rules have no such kind. */
static void
kind_name(const struct rules *r, int type, bool hand, char name[16])
{
	char letter[2] = { 0 };

	if (type >= SPARE && type < r->ntypes)
		letter[0] = r->pieces.letter[type - SPARE];
	snprintf(name, 16, "%s%s", type < SPARE ? names[type] : letter,
	    hand ? "_hand" : "");
}

static void
kinds_add(struct kinds *k, int type, bool hand)
{
	struct fit_shape *s = &k->shape;

	k->type[s->terms] = type;
	k->hand[s->terms] = hand;
	kind_name(&k->rules, type, hand, s->name[s->terms]);
	s->terms++;
}

/* The most that the differences may be, so that all fit into a key: the same for all
 * kinds, and more for pawns where there are many kinds. */
static void
kinds_limit(struct kinds *k)
{
	int n = k->shape.terms, bits = 54 / n < 8 ? 54 / n : 8;

	for (int i = 0; i < n; i++)
		k->shape.radix[i] = 1 << bits;
	if (n <= 10)
		return;
	int radix = (int)floor(exp2(45. / (n - 2)));
	for (int i = 1; i < n; i++)
		k->shape.radix[i] = k->type[i] == PAWN ? 16 : radix;
	k->shape.radix[0] = 32;
}

static void
kinds_set(struct kinds *k, const struct rules *r)
{
	const int king = 1 << (KING - KNIGHT);
	bool plain_king = ((r->royal[WHITE] | r->royal[BLACK]) & king) == 0;

	k->rules = *r;
	k->shape.terms = 0;
	for (int hand = 0; hand < 1 + r->hands; hand++)
		for (int type = PAWN; type <= QUEEN || type < r->ntypes; type++)
			if (type != KING || plain_king)
				kinds_add(k, type, hand);
	kinds_limit(k);
	k->replay = k->shape.terms > FIT_PIECES || r->explode;
}

/* Those of these rules; valid until the next call. */
static const struct kinds *
kinds_of(const struct rules *r)
{
	static struct kinds k;

	if (k.shape.terms == 0 || memcmp(&k.rules, r, sizeof(*r)) != 0)
		kinds_set(&k, r);
	return &k;
}

/* White's pieces of each kind less Black's. */
static void
kinds_count(const struct kinds *k, const struct board *b, int d[FIT_TERMS])
{
	for (int i = 0; i < k->shape.terms; i++) {
		int type = k->type[i];
		d[i] = k->hand[i]
		    ? board_in_hand(b, WHITE, type) - board_in_hand(b, BLACK, type)
		    : __builtin_popcountll(b->pieces[WHITE][type]) -
			__builtin_popcountll(b->pieces[BLACK][type]);
	}
}

/* ---- counting ---- */

/*
 * The balance of pieces during a game, as the keys that it is counted under with
 * White and with Black to move, and the cells that the game adds to. In most games it
 * changes only with captures and promotions, of which there are fewer than 64 each.
 *
 * The next capture cannot be predicted, so tables and sums are used here instead
 * of branches.
 */
enum { CHANGES_MAX = 63 + 64, CELLS_A_CHANGE = 4 };

struct balance {
	uint64_t keys[2]; /* 0: a difference is too large to be counted */
	struct histogram_cell cells[CELLS_A_CHANGE * (CHANGES_MAX + 1) + 1];
	size_t ncells;
	uint64_t squares; /* fit_squares() of all positions */
	double won;       /* White's share of a game worth neither a win,
	                   * half a point nor a loss; otherwise NaN */
	double left[2];   /* rounding remainder so far */
	unsigned block;
	int z[2]; /* the outcome in the keys */
};

/* What a piece, side << 4 | type, adds to the keys: it adds to one and subtracts
 * from the other, unless both are from White's view. */
static uint64_t steps[2][32];

static void
steps_init(void)
{
	for (int type = PAWN; type <= QUEEN; type++) {
		uint64_t step = fit_key_step(&fit_chess, type - PAWN);
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

/* Sets the keys of differences, those of White. */
static void
balance_set(struct balance *b, const struct fit_shape *s, const int d[FIT_TERMS])
{
	int minus[FIT_TERMS];

	for (int i = 0; i < s->terms; i++)
		minus[i] = -d[i];
	b->keys[WHITE] = fit_key(s, b->block, d, b->z[WHITE]);
	b->keys[BLACK] =
	    white_view ? b->keys[WHITE] : fit_key(s, b->block, minus, b->z[BLACK]);
}

static void
balance_init(struct balance *b, const struct game *g, const struct kinds *k)
{
	bool parts = g->result == RESULT_DRAW && g->value != 0;
	int z = to_search || parts      ? -1
	    : g->result == RESULT_WHITE ? 1
	    : g->result == RESULT_BLACK ? -1
					: 0;
	int d[FIT_TERMS];

	b->ncells = 0;
	b->squares = 0;
	b->won = parts ? game_points(g) : NAN;
	b->left[WHITE] = b->left[BLACK] = 0.5;
	b->block = block_of(g);
	b->z[WHITE] = z;
	b->z[BLACK] = to_search || parts ? z : -z;
	kinds_count(k, &g->start, d);
	balance_set(b, &k->shape, d);
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

	if (first > last || b->keys[WHITE] == 0)
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
 * before one, unless the game begins or ends there. Returns the first position of
 * the last stretch.
 */
static int
count_changes(struct balance *b, const struct game *g)
{
	int changes[CHANGES_MAX + 1], n = find_changes(&g->line, changes);
	int first = no_start;

	for (int i = 0; i < n; i++) {
		count_stretch(b, g, first, changes[i] - not_before);
		balance_play(b, &g->line, changes[i]);
		first = changes[i] + 1 + not_after;
	}
	return first;
}

static void
balance_flush(struct balance *b, struct histogram *cells)
{
	histogram_add_cells(cells, b->cells, b->ncells);
	b->ncells = 0;
}

/* The same where pieces explode or come from a hand: by the positions. */
static int
count_by_replay(struct balance *b, const struct game *g, const struct kinds *k,
    struct histogram *cells)
{
	int d[FIT_TERMS], before[FIT_TERMS], first = no_start;
	size_t size = (size_t)k->shape.terms * sizeof(*d);
	struct board at = g->start;
	struct undo u;

	kinds_count(k, &at, before);
	for (int i = 0; i < g->line.plies; i++) {
		bool noisy = line_captured(&g->line, i) != 0 ||
		    move_is_promotion(g->line.moves[i]);
		board_make(&at, g->line.moves[i], &u);
		kinds_count(k, &at, d);
		if (!noisy && memcmp(d, before, size) == 0)
			continue;
		count_stretch(b, g, first, i - (noisy && not_before));
		if (b->ncells > CELLS_A_CHANGE * CHANGES_MAX)
			balance_flush(b, cells);
		memcpy(before, d, size);
		balance_set(b, &k->shape, d);
		if (first < i + 1 + (noisy && not_after))
			first = i + 1 + (noisy && not_after);
	}
	return first;
}

static void
count_game(const struct game *g)
{
	const struct kinds *k = kinds_of(&g->rules);
	struct histogram *cells = &tally_count(&tally, g)->cells;
	struct balance b;

	balance_init(&b, g, k);
	int first = k->replay ? count_by_replay(&b, g, k, cells) : count_changes(&b, g);
	count_stretch(&b, g, first, g->line.plies - no_final);
	balance_flush(&b, cells);
	if (b.squares > 0)
		histogram_add(cells, FIT_SQUARES, b.squares);
}

/* ---- the table ---- */

static void
write_weights(struct table *t, const struct fit_result *f, int terms)
{
	struct text json = { 0 };

	for (int i = 0; i <= terms; i++) {
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

	fit.shape = &kinds_of(&g->rules)->shape;
	int failed = fit_solve(&g->cells, &fit, &fitted, reason);

	(void)unused;
	if (reason[0] != '\0')
		cli_warn(&cli, g->label, 0, "%s", reason);
	return !failed;
}

/* Columns beside those of chess, which all rows have if any rule set has the kind:
 * their names, those of hands last. */
enum { COLUMNS_MAX = 2 * (26 + TYPES) };
static char columns[COLUMNS_MAX][16];
static int ncolumns;

static void
columns_add(const struct rules *r, bool hand)
{
	const struct kinds *k = kinds_of(r);

	for (int i = FIT_PIECES; i < k->shape.terms; i++) {
		int c = 0;
		while (c < ncolumns && strcmp(columns[c], k->shape.name[i]) != 0)
			c++;
		if (c == ncolumns && k->hand[i] == hand)
			memcpy(columns[ncolumns++], k->shape.name[i], sizeof(columns[0]));
	}
}

static void
add_value(struct table *t, const struct fit_shape *s, const char *name)
{
	struct range value = { NAN, NAN, NAN };

	for (int i = 0; i < s->terms; i++)
		if (strcmp(s->name[i], name) == 0)
			value =
			    (struct range){ fitted.value[i], fitted.lo[i], fitted.hi[i] };
	table_range(t, name, value);
}

static void
add_fit(struct table *t, const struct tally_group *g, int unused)
{
	const struct fit_shape *s = &kinds_of(&g->rules)->shape;
	const struct fit_result *f = &fitted;

	(void)unused;
	tally_write_name(g, t);
	table_count(t, "games", g->games);
	table_count(t, "positions", f->positions);
	table_number(t, "pawn", f->value[0]);
	for (int p = 1; p < FIT_PIECES; p++)
		add_value(t, s, fit_chess.name[p]);
	for (int c = 0; c < ncolumns; c++)
		add_value(t, s, columns[c]);
	table_number(t, "constant", f->valued ? f->w[0] / f->w[1] : NAN);
	write_weights(t, f, s->terms);
	table_number(t, "mse", f->mse);
	table_string(t, "target", to_search ? "search" : "result");
	write_pieces(t, &g->rules);
}

static void
write_values(struct table *t)
{
	for (int hand = 0; hand <= 1; hand++)
		for (int i = 0; i < tally.ngroups; i++)
			columns_add(&tally.groups[i].rules, hand);
	tally_write_rows(&tally, t, 1, fit_group, add_fit);
}

static bool
is_cell_key(const struct rules *r, uint64_t key)
{
	unsigned block;
	int d[FIT_TERMS], z;

	return (to_search && key == FIT_SQUARES) ||
	    fit_key_parts(&kinds_of(r)->shape, key, &block, d, &z) == 0;
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
