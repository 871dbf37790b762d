/*
 * distance: how far rule sets are from chess: fields that differ, positions of chess
 * games whose legal moves differ, and how far a net's priors are apart there.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/table.h"
#include "chess/fen.h"
#include "chess/make.h"
#include "chess/movegen.h"
#include "data/games.h"
#include "data/rulespec.h"
#include "net/prior.h"
#include "play/player.h"
#include "stats/ratio.h"

enum { BATCH = 32, CACHE_MIB = 256 };

static const char synopsis[] =
    "[-qStVz] [-G file] [-l level] [-N net] [-n positions] [-o file]\n"
    "                [rules ...]";
static const char help[] =
    "Tells how far rule sets are from chess: those given, or those that are lines\n"
    "of the standard input, as genmoves --neighbours writes them.\n";

static struct cli cli;
static const char *games_file, *net_spec;
static double level = 0.95;
static int most = 1000;
static struct net *net;
static struct priors priors;

static const struct cli_option options[] = {
	CLI_TEXT('G', "games", "FILE", &games_file,
	    "compare legal moves in positions of these games of chess"),
	CLI_HELP,
	CLI_LEVEL(&level, "intervals"),
	CLI_TEXT('N', "net", "FILE", &net_spec,
	    "compare this net's priors there too (needs --games)"),
	CLI_INTEGER('n', "positions", "N", &most, 1, 1000000,
	    "compare at most N positions (default 1000)"),
	CLI_OUTPUT_ZST,
	CLI_QUIET(""),
	CLI_STRICT("record"),
	CLI_TSV(""),
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
};

/* ---- positions of chess ---- */

struct position {
	char fen[FEN_MAX];
	int game;
};

static struct rules chess;
static struct position *positions;
static int npositions;

/* Neighbouring positions tell nearly the same, so one in STEP is taken, at another
 * place of each game. */
enum { STEP = 5 };

static void
take_game(const struct game *g, int number)
{
	struct board b = g->start;
	struct undo undo;

	for (int i = 0; i < g->line.plies && npositions < most; i++) {
		if (i % STEP == number % STEP) {
			positions[npositions].game = number;
			fen_write(&b, positions[npositions++].fen);
		}
		board_make(&b, g->line.moves[i], &undo);
	}
}

static void
read_positions(void)
{
	static struct games games;
	char *files[] = { (char *)(uintptr_t)games_file, NULL };
	int number = 0;

	positions = xreallocarray(NULL, (size_t)most, sizeof(*positions));
	games_start(&games, &cli, files);
	while (npositions < most && games_next(&games))
		if (rules_equal(games.game.start.rules, &chess))
			take_game(&games.game, number++);
	games_finish(&games);
	if (npositions == 0)
		errx(EXIT_LOST, "%s: no games of chess", games_file);
}

/* ---- comparison ---- */

/* Do two positions have the same legal moves? */
static bool
has_same_moves(const struct board *a, const struct board *b)
{
	move of_a[MOVES_MAX], of_b[MOVES_MAX];
	int n = movegen_list(a, of_a), same = 0;

	if (movegen_list(b, of_b) != n)
		return false;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			same += of_a[i] == of_b[k];
	return same == n;
}

/* How far the priors of two positions are apart; the greatest distance if one of
 * them has ended. */
static double
compare_priors(const struct board *a, const struct board *b)
{
	int64_t at[2] = { priors_ask(&priors, a, 1), priors_ask(&priors, b, 1) };

	if (at[0] == -1 || at[1] == -1 || priors_answer(&priors) == -1)
		errx(EXIT_LOST, "--net: %s", priors.reason);
	const struct prior *p = priors_get(&priors, at[0]);
	const struct prior *q = priors_get(&priors, at[1]);
	double far = p->nmoves == 0 && q->nmoves == 0 ? 0
	    : p->nmoves == 0 || q->nmoves == 0        ? M_LN2
						      : prior_shannon(p, q);
	priors_tidy(&priors);
	return far;
}

struct sums {
	double positions, differ, far; /* of one game */
	struct pairsums moves, priors;
};

static void
end_game(struct sums *s)
{
	if (s->positions > 0) {
		pairsums_add(&s->moves, s->positions, s->differ);
		pairsums_add(&s->priors, s->positions, s->far);
	}
	s->positions = s->differ = s->far = 0;
}

/* A position that cannot be played under the other rules differs. */
static void
compare(struct sums *s, const struct rules *r, const struct position *p)
{
	struct board a, b;
	char reason[FEN_REASON_MAX];
	size_t n = strlen(p->fen);

	s->positions++;
	bool sound = fen_read(&a, &chess, p->fen, n, reason) == 0 &&
	    fen_read(&b, r, p->fen, n, reason) == 0;
	s->differ += !sound || !has_same_moves(&a, &b);
	if (net != NULL)
		s->far += sound ? compare_priors(&a, &b) : M_LN2;
}

static void
write_row(struct table *t, const struct rules *r)
{
	struct range differ = { NAN, NAN, NAN }, far = differ;
	struct sums s = { 0 };
	char name[RULES_TEXT_MAX];

	for (int i = 0; i < npositions; i++) {
		if (i > 0 && positions[i].game != positions[i - 1].game)
			end_game(&s);
		compare(&s, r, &positions[i]);
	}
	end_game(&s);
	if (npositions > 0)
		ratio_share(&s.moves, level, &differ);
	if (net != NULL) {
		ratio_mean(&s.priors, level, &far);
		far.lo = fmax(far.lo, 0);
	}
	rules_label(r, name);
	table_string(t, "rules", name);
	table_count(t, "fields", (uint64_t)rules_count_changes(r));
	table_count(t, "positions", (uint64_t)npositions);
	table_range(t, "moves_differ", differ);
	table_range(t, "prior_distance", far);
	table_end_row(t);
}

/* ---- rule sets ---- */

static void
do_arguments(struct table *t, char **specs)
{
	struct rules r;

	for (; *specs != NULL; specs++)
		if (rulespec_argument(&r, &cli, *specs))
			write_row(t, &r);
}

/* The lines of the standard input. */
static void
do_input(struct table *t)
{
	static struct records records;
	static char *none[] = { NULL };
	struct rules r;
	char reason[RULES_REASON_MAX];
	const char *s;
	size_t n;

	records_start(&records, &cli, "rule sets", none);
	while (records_next_line(&records, &s, &n)) {
		if (rulespec_parse(&r, s, n, reason) == -1) {
			records_warn_line(&records, s, reason);
			continue;
		}
		write_row(t, &r);
		records_count(&records, true);
	}
	records_finish(&records);
}

int
main(int argc, char *argv[])
{
	struct table table;

	cli_start(&cli, synopsis, help, options);
	char **specs = cli_read(&cli, argc, argv);
	rules_init(&chess);
	if (net_spec != NULL && games_file == NULL)
		cli_usage_error(&cli, "--net needs --games");
	if (net_spec != NULL) {
		net = player_read_net("--net", net_spec, NULL, &chess);
		priors_init(&priors, net,
		    net->largest_batch < BATCH ? net->largest_batch : BATCH, CACHE_MIB);
	}
	struct zout *out = cli_open_output(&cli);
	if (games_file != NULL)
		read_positions();
	table_start(&table, out, cli.tsv);
	if (*specs == NULL)
		do_input(&table);
	do_arguments(&table, specs);
	table_release(&table);
	if (net != NULL) {
		priors_release(&priors);
		net_close(net);
	}
	free(positions);
	return cli_finish(&cli, out);
}
