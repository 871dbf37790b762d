/*
 * drawstats: who wins, how often it is drawn, how games end, how long they
 * are; for each rule set, with what the numbers of games leave open.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/rng.h"
#include "base/table.h"
#include "data/tally.h"
#include "stats/dirichlet.h"

static const char synopsis[] =
    "[-CLpqStVxz] [-b tag] [-l level] [-M samples] [-o file] [-r rules]\n"
    "                 [-s seed] [file ...]";
static const char help[] =
    "Counts the results of games (JSONL or PGN) for each rule set.\n"
    "\n"
    "  -b, --by TAG         count apart for each value of a tag, too\n"
    "  -C, --compare        write p(draw rate A < B), p(score A > B) for every pair\n"
    "  -h, --help           show this help\n"
    "  -L, --lengths        write how many games have how many plies\n"
    "  -l, --level P        level of the credible intervals (default 0.95)\n"
    "  -M, --monte-carlo N  compare by N samples instead of quadrature\n"
    "  -o, --output FILE    write to FILE (compressed if it ends in .zst)\n"
    "  -p, --progress       show progress even when not on a terminal\n"
    "  -q, --quiet          show no progress and no count of bad games\n"
    "  -r, --rules SPEC     rules of games that tell none (default classical)\n"
    "  -S, --strict         stop at the first bad game\n"
    "  -s, --seed N         seed of --monte-carlo (default 0)\n"
    "  -t, --tsv            write TSV instead of JSONL\n"
    "  -V, --version        show the version\n"
    "  -x, --partial        write counts that another drawstats reads and adds up\n"
    "  -z, --compress       compress the output with zstd\n";

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	CLI_LONG_INPUT,
	CLI_LONG_TABLE,
	{ "by", required_argument, NULL, 'b' },
	{ "compare", no_argument, NULL, 'C' },
	{ "lengths", no_argument, NULL, 'L' },
	{ "level", required_argument, NULL, 'l' },
	{ "monte-carlo", required_argument, NULL, 'M' },
	{ "partial", no_argument, NULL, 'x' },
	{ "seed", required_argument, NULL, 's' },
	{ NULL, 0, NULL, 0 }
};

static struct cli cli;
static struct tally tally;
static double level = 0.95;
static uint64_t seed, samples;	/* samples 0: by quadrature */

/* A game is counted under its plies, its end and its result. */
static uint64_t
cell_key(int plies, enum end e, enum result r)
{
	return (uint64_t)plies << 8 | (uint64_t)e << 4 | (uint64_t)r;
}

static enum result cell_result(uint64_t key) { return (enum result)(key & 3); }
static enum end cell_end(uint64_t key) { return (enum end)(key >> 4 & 15); }
static uint64_t cell_plies(uint64_t key) { return key >> 8; }

static bool
is_cell_key(uint64_t key)
{
	return (key & 12) == 0 && cell_end(key) > END_NONE &&
	    cell_end(key) < END_COUNT && cell_plies(key) <= GAME_PLIES_MAX;
}

/* What the cells of a group say. */
struct summary {
	struct dirichlet counts;
	uint64_t games, unknown;	/* with and without a result */
	uint64_t ends[END_COUNT];
	double plies_mean, plies_median;
};

/* ---- summing up ---- */

static struct histogram_cell *
sorted_cells(const struct tally_group *g, size_t *n)
{
	struct histogram_cell *cells = histogram_sorted(&g->cells, n);

	if (cells == NULL)
		err(EXIT_LOST, NULL);
	return cells;
}

/* The plies that half of the games do not exceed; the mean of the two in the
 * middle where their number is even. Cells are sorted by plies. */
static double
median(const struct histogram_cell *cells, size_t n, uint64_t games)
{
	uint64_t seen = 0, low = 0;
	bool have_low = false;

	for (size_t i = 0; i < n; i++) {
		if (cell_result(cells[i].key) == RESULT_NONE)
			continue;
		seen += cells[i].count;
		if (!have_low && 2 * seen >= games) {
			low = cell_plies(cells[i].key);
			have_low = true;
		}
		if (2 * seen > games)
			return ((double)low +
			    (double)cell_plies(cells[i].key)) / 2;
	}
	return NAN;
}

static void
sum_up(const struct tally_group *g, struct summary *s)
{
	size_t n;
	struct histogram_cell *cells = sorted_cells(g, &n);
	double plies = 0;

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < n; i++) {
		uint64_t key = cells[i].key, count = cells[i].count;
		enum result r = cell_result(key);
		if (r == RESULT_NONE) {
			s->unknown += count;
			continue;
		}
		s->games += count;
		s->counts.wins += r == RESULT_WHITE ? count : 0;
		s->counts.losses += r == RESULT_BLACK ? count : 0;
		s->counts.draws += r == RESULT_DRAW ? count : 0;
		s->ends[cell_end(key)] += count;
		plies += (double)cell_plies(key) * (double)count;
	}
	s->plies_mean = s->games > 0 ? plies / (double)s->games : NAN;
	s->plies_median = median(cells, n, s->games);
	free(cells);
}

/* ---- tables ---- */

static void
write_ends(struct table *t, const struct summary *s)
{
	struct text json = { 0 };

	text_add_char(&json, '{');
	for (int e = END_NONE + 1; e < END_COUNT; e++)
		if (s->ends[e] > 0)
			text_add_format(&json, "%s\"%s\":%llu",
			    json.len > 1 ? "," : "", end_name((enum end)e),
			    (unsigned long long)s->ends[e]);
	text_add_char(&json, '}');
	table_json(t, "ends", json.s);
	text_release(&json);
}

static void
add_outcome(struct table *t, const struct tally_group *g)
{
	struct summary s;
	struct dirichlet_range draw, score;

	sum_up(g, &s);
	dirichlet_draw_rate(&s.counts, level, &draw);
	dirichlet_score(&s.counts, level, &score);
	double games = (double)s.games;
	tally_write_name(g, t);
	table_count(t, "games", s.games);
	table_count(t, "wins", s.counts.wins);
	table_count(t, "draws", s.counts.draws);
	table_count(t, "losses", s.counts.losses);
	table_number(t, "draw_rate", (double)s.counts.draws / games);
	table_number(t, "draw_rate_lo", draw.lo);
	table_number(t, "draw_rate_hi", draw.hi);
	table_number(t, "score", ((double)s.counts.wins +
	    (double)s.counts.draws / 2) / games);
	table_number(t, "score_lo", score.lo);
	table_number(t, "score_hi", score.hi);
	table_number(t, "plies_mean", s.plies_mean);
	table_number(t, "plies_median", s.plies_median);
	write_ends(t, &s);
	table_count(t, "unknown", s.unknown);
}

static void
write_outcomes(struct table *t)
{
	struct tally_group none = tally_nothing(&tally);

	for (int i = 0; i < tally.ngroups; i++) {
		add_outcome(t, &tally.groups[i]);
		if (table_end_row(t) == -1)
			return;
	}
	add_outcome(t, &none);
	table_end_names(t);
}

static uint64_t
next_random(void *state)
{
	return rng_next(state);
}

/* Pair k of seed s has its own random numbers, so that what is asked for
 * besides does not matter. */
static void
compare_pair(const struct summary *a, const struct summary *b, uint64_t k,
    struct dirichlet_odds *odds)
{
	struct rng rng;

	if (samples == 0) {
		dirichlet_compare(&a->counts, &b->counts, odds);
		return;
	}
	rng_init(&rng, seed, k);
	dirichlet_monte_carlo(&a->counts, &b->counts, samples, next_random,
	    &rng, odds);
}

static void
add_odds(struct table *t, const char *a, const char *b,
    const struct dirichlet_odds *odds)
{
	table_string(t, "a", a);
	table_string(t, "b", b);
	table_number(t, "p_draw_less", odds->draw_less);
	table_number(t, "p_score_greater", odds->score_greater);
	table_number(t, "p_draw_greater", odds->draw_greater);
	table_number(t, "p_score_less", odds->score_less);
}

static void
write_comparison(struct table *t)
{
	struct summary *s = calloc((size_t)tally.ngroups + 1, sizeof(*s));
	struct dirichlet_odds odds = { 0 };
	int failed = 0;

	if (s == NULL)
		err(EXIT_LOST, NULL);
	for (int i = 0; i < tally.ngroups; i++)
		sum_up(&tally.groups[i], &s[i]);
	for (int i = 0; i < tally.ngroups && !failed; i++) {
		for (int j = 0; j < tally.ngroups && !failed; j++) {
			if (i == j)
				continue;
			compare_pair(&s[i], &s[j], (uint64_t)i *
			    (uint64_t)tally.ngroups + (uint64_t)j, &odds);
			add_odds(t, tally.groups[i].label,
			    tally.groups[j].label, &odds);
			failed = table_end_row(t);
		}
	}
	add_odds(t, "", "", &odds);
	table_end_names(t);
	free(s);
}

static void
add_length(struct table *t, const struct tally_group *g, bool decisive,
    uint64_t plies, uint64_t games)
{
	tally_write_name(g, t);
	table_string(t, "kind", decisive ? "decisive" : "all");
	table_count(t, "plies", plies);
	table_count(t, "games", games);
}

/* Rows of one kind: all games with a result, or those that somebody won. */
static int
write_lengths_of(struct table *t, const struct tally_group *g, bool decisive)
{
	size_t n;
	struct histogram_cell *cells = sorted_cells(g, &n);
	uint64_t games = 0;
	int result = 0;

	for (size_t i = 0; i < n && result == 0; i++) {
		enum result r = cell_result(cells[i].key);
		uint64_t plies = cell_plies(cells[i].key);
		if (r != RESULT_NONE && !(decisive && r == RESULT_DRAW))
			games += cells[i].count;
		if (games == 0 || (i + 1 < n &&
		    cell_plies(cells[i + 1].key) == plies))
			continue;
		add_length(t, g, decisive, plies, games);
		result = table_end_row(t);
		games = 0;
	}
	free(cells);
	return result;
}

static void
write_lengths(struct table *t)
{
	struct tally_group none = tally_nothing(&tally);

	for (int i = 0; i < tally.ngroups; i++)
		if (write_lengths_of(t, &tally.groups[i], false) == -1 ||
		    write_lengths_of(t, &tally.groups[i], true) == -1)
			return;
	add_length(t, &none, false, 0, 0);
	table_end_names(t);
}

static void
count_game(const struct game *g)
{
	tally_add(tally_count(&tally, g),
	    cell_key(g->line.plies, g->end, g->result), 1);
}

int
main(int argc, char *argv[])
{
	const char *by = NULL;
	bool compare = false, lengths = false, partial = false;
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_INPUT
	    CLI_SHORT_TABLE "b:CLl:M:s:x", options, NULL)) != -1) {
		if (c == 'b')
			by = optarg;
		else if (c == 'C')
			compare = true;
		else if (c == 'L')
			lengths = true;
		else if (c == 'l')
			level = cli_real(&cli, "--level", optarg, 1e-6, 1 - 1e-6);
		else if (c == 'M')
			samples = (uint64_t)cli_number(&cli, "--monte-carlo",
			    optarg, 1, 1000000000000);
		else if (c == 's')
			seed = cli_seed(&cli, optarg);
		else if (c == 'x')
			partial = true;
		else
			cli_option(&cli, c);
	}
	if (compare + lengths + partial > 1)
		cli_usage_error(&cli, "--compare, --lengths and --partial "
		    "exclude each other");
	if (samples > 0 && !compare)
		cli_usage_error(&cli, "--monte-carlo goes with --compare");
	tally_init(&tally, "drawstats", by, is_cell_key);
	return tally_run(&tally, &cli, partial, argv + optind, count_game,
	    compare ? write_comparison : lengths ? write_lengths :
	    write_outcomes);
}
