/*
 * drawstats: results, draw rates, ends and lengths of games for each rule set,
 * with credible intervals; comparisons of rule sets.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/table.h"
#include "data/pairing.h"
#include "data/tally.h"
#include "stats/dirichlet.h"
#include "stats/family.h"
#include "stats/homogeneity.h"
#include "stats/paired.h"

static const char synopsis[] =
    "[-CLpqStVxz] [-b tag] [-l level] [-M samples] [-o file] [-r rules]\n"
    "                 [-s seed] [--alike plies] [--distinct] [--homogeneity]\n"
    "                 [--paired] [--power difference] [--trust] [file ...]";
static const char help[] =
    "Counts the results of games (JSONL, PGN or packed) for each rule set.\n";

static struct cli cli;
static struct tally tally;
static bool compared, homogeneity, lengths; /* the table to write instead */
static double difference;      /* of --power, which is another; 0: not given */
static bool by_pairs;          /* --paired */
static int alike;              /* --alike; 0: count all games */
static uint64_t seed, samples; /* samples 0: by quadrature */

static const struct cli_option options[] = {
	CLI_INTEGER(0, "alike", "N", &alike, 1, PAIRING_PLIES,
	    "count only pairs whose first N plies are the same"),
	TALLY_BY(&tally, "count"),
	CLI_FLAG('C', "compare", &compared,
	    "write p(draw rate A < B), p(score A > B) for every pair"),
	TALLY_DISTINCT(&tally),
	CLI_HELP,
	CLI_FLAG(0, "homogeneity", &homogeneity,
	    "test whether the rule sets differ at all"),
	CLI_FLAG('L', "lengths", &lengths, "write the number of games of each length"),
	CLI_LEVEL(&tally.level, "credible intervals"),
	CLI_COUNT('M', "monte-carlo", "N", &samples, 1, 1000000000000,
	    "compare by N samples instead of quadrature"),
	CLI_OUTPUT_ZST,
	CLI_FLAG(0, "paired", &by_pairs,
	    "compare games of the same id and seed as pairs"),
	CLI_REAL(0, "power", "D", &difference, 1e-6, 1 - 1e-6,
	    "write how many games it takes to detect a difference of D"),
	CLI_READ,
	CLI_SEED(&seed, "seed of --monte-carlo (default 0)"),
	CLI_TSV(""),
	CLI_TRUST,
	CLI_VERSION,
	TALLY_PARTIAL(&tally, "drawstats"),
	CLI_COMPRESS,
	CLI_END,
};

/*
 * A game is counted under its plies, its end, its result and, if it is worth
 * neither 1, 1/2 nor 0 points, which is written as a draw with points, its points
 * to White in units of 1e-4, plus 1. Such a game is no draw.
 */
#define POINT_UNITS 10000

static uint64_t
cell_key(int plies, enum end e, enum result r, unsigned points)
{
	return (uint64_t)points << 32 | (uint64_t)plies << 8 | (uint64_t)e << 4 |
	    (uint64_t)r;
}

/* clang-format off */
static enum result cell_result(uint64_t key) { return (enum result)(key & 3); }
static enum end cell_end(uint64_t key) { return (enum end)(key >> 4 & 15); }
static uint64_t cell_plies(uint64_t key) { return key >> 8 & 0xffffff; }
static uint64_t cell_points(uint64_t key) { return key >> 32; }
/* clang-format on */

static bool
is_cell_key(const struct rules *r, uint64_t key)
{
	(void)r;
	return (key & 12) == 0 && cell_end(key) > END_NONE && cell_end(key) < END_COUNT &&
	    cell_plies(key) <= GAME_PLIES_MAX && cell_points(key) <= POINT_UNITS + 1 &&
	    cell_points(key) != POINT_UNITS / 2 + 1 &&
	    (cell_points(key) == 0 || cell_result(key) == RESULT_DRAW);
}

static bool
is_draw(uint64_t key)
{
	return cell_result(key) == RESULT_DRAW && cell_points(key) == 0;
}

/* The sums over the cells of a group. */
struct summary {
	struct dirichlet counts;
	struct dirichlet_points parts; /* games worth a part of a point, all of them */
	uint64_t part_wins;            /* worth more than half a point to White */
	uint64_t games, unknown;       /* with and without a result */
	uint64_t ends[END_COUNT];
	double plies_mean, plies_median;
};

/* ---- summing up ---- */

static int
compare_plies(const void *a, const void *b)
{
	const struct histogram_cell *x = a, *y = b;
	uint64_t xp = cell_plies(x->key), yp = cell_plies(y->key);

	if (xp != yp)
		return xp < yp ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

static struct histogram_cell *
sorted_cells(const struct tally_group *g, size_t *n)
{
	struct histogram_cell *cells = histogram_sorted(&g->cells, n);

	qsort(cells, *n, sizeof(*cells), compare_plies);
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
			return ((double)low + (double)cell_plies(cells[i].key)) / 2;
	}
	return NAN;
}

static void
add_parts(struct summary *s, double points, uint64_t count)
{
	s->parts.games += count;
	s->parts.sum += points * (double)count;
	s->parts.squares += points * points * (double)count;
	s->part_wins += points > 0.5 ? count : 0;
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
		s->counts.draws += is_draw(key) ? count : 0;
		if (cell_points(key) > 0)
			add_parts(s, ((double)cell_points(key) - 1) / POINT_UNITS, count);
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
			text_add_format(&json, "%s\"%s\":%llu", json.len > 1 ? "," : "",
			    end_name((enum end)e), (unsigned long long)s->ends[e]);
	text_add_char(&json, '}');
	table_json(t, "ends", json.s);
	text_release(&json);
}

static void
add_outcome(struct table *t, const struct tally_group *g, int unused)
{
	struct summary s;
	struct range draw, score;

	(void)unused;
	sum_up(g, &s);
	dirichlet_draw_rate(&s.counts, &s.parts, tally.level, &draw);
	dirichlet_score(&s.counts, &s.parts, tally.level, &score);
	tally_write_name(g, t);
	table_count(t, "games", s.games);
	table_count(t, "wins", s.counts.wins);
	table_count(t, "draws", s.counts.draws);
	table_count(t, "losses", s.counts.losses);
	table_range(t, "draw_rate", draw);
	table_range(t, "score", score);
	table_number(t, "plies_mean", s.plies_mean);
	table_number(t, "plies_median", s.plies_median);
	write_ends(t, &s);
	table_count(t, "unknown", s.unknown);
	if (tally.distinct)
		table_count(t, "copies", g->copies);
	table_count(t, "part_wins", s.part_wins);
	table_count(t, "part_losses", s.parts.games - s.part_wins);
	table_number(t, "part_points", s.parts.sum);
}

static void
write_outcomes(struct table *t)
{
	tally_write_rows(&tally, t, 1, NULL, add_outcome);
}

/* Pair k of seed s has its own random numbers, so that its result does not
 * depend on other options. Sampling does not support parts of points. */
static void
compare_pair(const struct summary *a, const struct summary *b, uint64_t k,
    struct dirichlet_probs *probs)
{
	struct rng rng;

	if (samples == 0 || a->parts.games + b->parts.games > 0) {
		dirichlet_compare(&a->counts, &a->parts, &b->counts, &b->parts, probs);
		return;
	}
	rng_init(&rng, seed, k);
	dirichlet_monte_carlo(&a->counts, &b->counts, samples, &rng, probs);
}

/* ---- pairs of games ---- */

/* The sums over the pairs of two groups, and over their games: with --alike over
 * those of the pairs, whose plies and ends are not summed up. */
struct pairs {
	struct pairsums draws, points;
	double shared; /* sum of the plies that the games of a pair share */
	struct summary a, b;
};

static void
count_paired(struct summary *s, const struct pairing_game *g)
{
	s->games++;
	s->counts.draws += g->drawn;
	s->counts.wins += g->points == 1;
	s->counts.losses += g->points == 0;
	if (!g->drawn && g->points > 0 && g->points < 1)
		add_parts(s, g->points, 1);
}

/* s are the sums of all groups. */
static struct pairs
find_pairs(size_t a, size_t b, const struct summary *s)
{
	struct pairs p = { 0 };
	struct pairing_cursor at = { 0 };
	const struct pairing_game *x, *y;

	while (pairing_next(tally.groups[a].own, tally.groups[b].own, &at, &x, &y)) {
		int shared = pairing_shared(x, y);
		if (shared < alike)
			continue;
		pairsums_add(&p.draws, x->drawn, y->drawn);
		pairsums_add(&p.points, x->points, y->points);
		p.shared += shared;
		count_paired(&p.a, x);
		count_paired(&p.b, y);
	}
	if (alike == 0) {
		p.a = s[a];
		p.b = s[b];
	}
	return p;
}

static void
sort_pairings(void)
{
	for (int i = 0; i < tally.ngroups; i++)
		if (!pairing_sort(tally.groups[i].own))
			errx(EXIT_LOST,
			    "--paired: two games of %s have the same id and seed",
			    tally.groups[i].label);
}

/* A number in groups a and b: its ranges and how the means are correlated. */
struct contrast {
	struct range a, b;
	double correlation;
};

static struct contrast
contrast_draws(const struct pairs *p)
{
	struct contrast c;

	dirichlet_draw_rate(&p->a.counts, &p->a.parts, tally.level, &c.a);
	dirichlet_draw_rate(&p->b.counts, &p->b.parts, tally.level, &c.b);
	c.correlation =
	    paired_of_means(&p->draws, (double)p->a.games, (double)p->b.games);
	return c;
}

static struct contrast
contrast_scores(const struct pairs *p)
{
	struct contrast c;

	dirichlet_score(&p->a.counts, &p->a.parts, tally.level, &c.a);
	dirichlet_score(&p->b.counts, &p->b.parts, tally.level, &c.b);
	c.correlation =
	    paired_of_means(&p->points, (double)p->a.games, (double)p->b.games);
	return c;
}

/* Turns the probabilities for independent games into those for pairs. The
 * widths of the intervals serve as standard errors. */
static void
pair_up(const struct pairs *p, struct dirichlet_probs *probs)
{
	struct contrast c = contrast_draws(p);

	paired_probabilities(&probs->draw_less, &probs->draw_greater, c.a.hi - c.a.lo,
	    c.b.hi - c.b.lo, c.correlation);
	c = contrast_scores(p);
	paired_probabilities(&probs->score_less, &probs->score_greater, c.a.hi - c.a.lo,
	    c.b.hi - c.b.lo, c.correlation);
}

static void
add_pairs(struct table *t, const struct pairs *p)
{
	struct contrast draws = contrast_draws(p), scores = contrast_scores(p);

	table_number(t, "pairs", p->draws.n);
	table_number(t, "shared_plies", p->shared / p->draws.n);
	table_range(t, "draw_diff",
	    paired_difference(draws.a, draws.b, draws.correlation));
	table_number(t, "draw_correlation", paired_correlation(&p->draws));
	table_range(t, "score_diff",
	    paired_difference(scores.a, scores.b, scores.correlation));
	table_number(t, "score_correlation", paired_correlation(&p->points));
}

/* ---- all pairs of rule sets ---- */

/* More groups than this are not compared, to bound memory. */
enum { COMPARED_MAX = 2000 };

/* The p of both tests of a pair, and both adjusted. */
enum { P_DRAW, P_SCORE, P_COUNT };
struct pair_tests {
	double holm[P_COUNT], bh[P_COUNT];
};

static void
add_comparison(struct table *t, const char *a, const char *b,
    const struct dirichlet_probs *probs, const struct pair_tests *p)
{
	table_string(t, "a", a);
	table_string(t, "b", b);
	table_number(t, "p_draw_less", probs->draw_less);
	table_number(t, "p_score_greater", probs->score_greater);
	table_number(t, "p_draw_greater", probs->draw_greater);
	table_number(t, "p_score_less", probs->score_less);
	table_number(t, "p_holm", fmin(p->holm[P_DRAW], p->holm[P_SCORE]));
	table_number(t, "p_bh", fmin(p->bh[P_DRAW], p->bh[P_SCORE]));
	table_number(t, "p_draw_holm", p->holm[P_DRAW]);
	table_number(t, "p_score_holm", p->holm[P_SCORE]);
	table_number(t, "p_draw_bh", p->bh[P_DRAW]);
	table_number(t, "p_score_bh", p->bh[P_SCORE]);
}

static struct summary *
sum_up_all(void)
{
	struct summary *s = xcalloc((size_t)tally.ngroups + 1, sizeof(*s));

	for (int i = 0; i < tally.ngroups; i++)
		sum_up(&tally.groups[i], &s[i]);
	return s;
}

/* All pairs, each in both orders: the probabilities of group i beside group j are at
 * i * n + j. */
static struct dirichlet_probs *
compare_all(const struct summary *s, size_t n)
{
	struct dirichlet_probs *probs = xcalloc(n * n + 1, sizeof(*probs));

	for (size_t i = 0; i < n * n; i++) {
		size_t a = i / n, b = i % n;
		if (a == b)
			continue;
		if (!by_pairs) {
			compare_pair(&s[a], &s[b], i, &probs[i]);
			continue;
		}
		struct pairs p = find_pairs(a, b, s);
		compare_pair(&p.a, &p.b, i, &probs[i]);
		pair_up(&p, &probs[i]);
	}
	return probs;
}

/* The place of the unordered pair i, j among all of them. */
static size_t
pair_index(size_t i, size_t j)
{
	return i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i;
}

/* Two-sided p of all unordered pairs, draw rate and score, as one family. */
static struct pair_tests *
test_pairs(const struct dirichlet_probs *probs, size_t n)
{
	size_t pairs = n * (n - 1) / 2, tests = P_COUNT * pairs;
	struct pair_tests *t = xcalloc(pairs + 1, sizeof(*t));
	double *p = xcalloc(3 * tests + 1, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const struct dirichlet_probs *o = &probs[i * n + j];
			double *at = p + P_COUNT * pair_index(i, j);
			at[P_DRAW] = 2 * fmin(o->draw_less, o->draw_greater);
			at[P_SCORE] = 2 * fmin(o->score_less, o->score_greater);
		}
	family_holm(p, tests, p + tests);
	family_bh(p, tests, p + 2 * tests);
	for (size_t k = 0; k < tests; k++) {
		t[k / P_COUNT].holm[k % P_COUNT] = p[tests + k];
		t[k / P_COUNT].bh[k % P_COUNT] = p[2 * tests + k];
	}
	free(p);
	return t;
}

static void
write_comparison(struct table *t)
{
	size_t n = (size_t)tally.ngroups;
	if (n > COMPARED_MAX)
		errx(EXIT_LOST, "more than %d rule sets or values of --by to compare",
		    COMPARED_MAX);
	sort_pairings();
	struct summary *s = sum_up_all();
	struct dirichlet_probs *probs = compare_all(s, n);
	struct pair_tests *tests = test_pairs(probs, n);
	struct pairs pairs = { 0 };
	int failed = 0;

	for (size_t k = 0; k < n * n && !failed; k++) {
		size_t i = k / n, j = k % n;
		if (i == j)
			continue;
		add_comparison(t, tally.groups[i].label, tally.groups[j].label, &probs[k],
		    &tests[pair_index(i, j)]);
		if (by_pairs) {
			pairs = find_pairs(i, j, s);
			add_pairs(t, &pairs);
		}
		failed = table_end_row(t);
	}
	add_comparison(t, "", "", &probs[n * n], &tests[n * (n - 1) / 2]);
	if (by_pairs)
		add_pairs(t, &pairs);
	table_end_names(t);
	free(tests);
	free(probs);
	free(s);
}

/* ---- homogeneity and power ---- */

/* Games, and mean and mean square of White's points. */
static struct homogeneity_group
points_of(const struct summary *s)
{
	double draws = (double)s->counts.draws;
	double games = (double)s->games, wins = (double)s->counts.wins;

	return (struct homogeneity_group){ games,
		(wins + draws / 2 + s->parts.sum) / games,
		(wins + draws / 4 + s->parts.squares) / games };
}

static struct homogeneity_group
draws_of(const struct summary *s)
{
	double share = (double)s->counts.draws / (double)s->games;

	return (struct homogeneity_group){ (double)s->games, share, share };
}

static void
add_homogeneity(struct table *t, const char *measure, double games,
    const struct homogeneity *h)
{
	table_string(t, "measure", measure);
	table_count(t, "groups", (uint64_t)h->groups);
	table_number(t, "games", games);
	table_number(t, "statistic", h->statistic);
	table_number(t, "dof", h->dof);
	table_number(t, "dof_below", h->dof_below > 0 ? h->dof_below : NAN);
	table_number(t, "p", h->p);
	table_number(t, "spread", h->spread);
	table_number(t, "games_needed", h->games_needed);
}

static void
write_homogeneity(struct table *t)
{
	struct summary *s = sum_up_all();
	struct homogeneity_group *draws, *points;
	struct homogeneity h;
	double games = 0;

	draws = xcalloc((size_t)tally.ngroups + 1, sizeof(*draws));
	points = xcalloc((size_t)tally.ngroups + 1, sizeof(*points));
	for (int i = 0; i < tally.ngroups; i++) {
		draws[i] = draws_of(&s[i]);
		points[i] = points_of(&s[i]);
		games += (double)s[i].games;
	}
	homogeneity_of_shares(draws, tally.ngroups, &h);
	add_homogeneity(t, "draw_rate", games, &h);
	if (table_end_row(t) == 0) {
		homogeneity_of_means(points, tally.ngroups, &h);
		add_homogeneity(t, "score", games, &h);
		table_end_row(t);
	}
	free(points);
	free(draws);
	free(s);
}

static void
add_power(struct table *t, const struct tally_group *g, int unused)
{
	struct summary s;

	(void)unused;
	sum_up(g, &s);
	struct homogeneity_group draws = draws_of(&s), points = points_of(&s);
	/* One more game of each result: even if all games so far ended the
	 * same way, the next need not. */
	s.counts.wins++;
	s.counts.draws++;
	s.counts.losses++;
	s.games += 3;
	struct homogeneity_group more = points_of(&s);
	double variance = more.square - more.mean * more.mean;
	tally_write_name(g, t);
	table_number(t, "games", draws.games);
	table_number(t, "difference", difference);
	table_number(t, "power", POWER);
	table_number(t, "draw_rate", draws.mean);
	table_number(t, "draw_rate_games",
	    power_of_share(draws.mean, difference, tally.level));
	table_number(t, "draw_rate_noticed",
	    noticed_share(draws.mean, draws.games, tally.level));
	table_number(t, "score", points.mean);
	table_number(t, "score_games", power_of_mean(variance, difference, tally.level));
	table_number(t, "score_noticed",
	    noticed_mean(variance, points.games, tally.level));
}

static void
write_power(struct table *t)
{
	tally_write_rows(&tally, t, 1, NULL, add_power);
}

/* ---- lengths ---- */

static void
add_length(struct table *t, const struct tally_group *g, bool decisive, uint64_t plies,
    uint64_t games)
{
	tally_write_name(g, t);
	table_string(t, "kind", decisive ? "decisive" : "all");
	table_count(t, "plies", plies);
	table_count(t, "games", games);
}

/* Rows of one kind: all games with a result, or the decisive ones. */
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
		if (games == 0 || (i + 1 < n && cell_plies(cells[i + 1].key) == plies))
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

/* The points that a cell's key has. */
static unsigned
points_code(const struct game *g)
{
	return g->result != RESULT_DRAW || g->value == 0
	    ? 0
	    : (unsigned)(g->value + 100) * (POINT_UNITS / 200) + 1;
}

static void
count_game(const struct game *g)
{
	struct tally_group *group = tally_count(&tally, g);
	struct pairing *list = group->own;

	histogram_add(&group->cells,
	    cell_key(g->line.plies, g->end, g->result, points_code(g)), 1);
	if (!by_pairs || g->result == RESULT_NONE)
		return;
	pairing_add(&list, g, game_points(g));
	group->own = list;
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	tally_init(&tally, "drawstats", is_cell_key);
	tally.sums = true;
	char **files = cli_read(&cli, argc, argv);
	if (compared + homogeneity + lengths + tally.partial + (difference > 0) > 1)
		cli_usage_error(&cli,
		    "--compare, --homogeneity, --lengths, "
		    "--partial and --power exclude each other");
	if (samples > 0 && !compared)
		cli_usage_error(&cli, "--monte-carlo needs --compare");
	if (by_pairs && !compared)
		cli_usage_error(&cli, "--paired needs --compare");
	if (alike > 0 && !by_pairs)
		cli_usage_error(&cli, "--alike needs --paired");
	return tally_run(&tally, &cli, files, count_game,
	    compared             ? write_comparison
		: homogeneity    ? write_homogeneity
		: lengths        ? write_lengths
		: difference > 0 ? write_power
				 : write_outcomes);
}
