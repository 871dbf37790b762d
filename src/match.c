/*
 * match: two players play pairs of games with the same opening and colours
 * reversed; writes the score, the difference in Elo and their errors. Many games
 * are played at once, so that a net evaluates many positions at a time.
 */
#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/inorder.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/table.h"
#include "data/openings.h"
#include "data/rulespec.h"
#include "data/variant.h"
#include "play/arena.h"
#include "stats/elo.h"

static const char synopsis[] =
    "[-GpqtVz] [-B batch] [-f first] [-g games] [-H MiB] [-J slots]\n"
    "             [-j threads] [-k searches] [-l level] [-m moves] [-O file] [-o file]\n"
    "             [-r rules] [-s seed] [-T seconds] [-v nodes] [-Y provider]\n"
    "             [option ...] player player";
static const char help[] =
    "Plays games between two players, each opening twice with colours reversed,\n"
    "and writes the score and Elo of the first, a, with their errors. A player is\n"
    "an ONNX file, default, prior, material, uniform, random, greedy, or uci:COMMAND.\n"
    "Two values separated by a comma, as in --sims N,N, are for a and b.\n";

/* A pair of which only one game has ended. */
struct half {
	uint64_t pair;
	int result; /* for a: lost, drawn, won */
	int points; /* for a, in units of 1/200 */
};

static struct cli cli;
static struct rules rules;
static struct player players[2];    /* a, whose score it is, and b */
static struct thinking thinking[2]; /* theirs */
static struct text names[2];
static struct openings openings;
static struct arena arena = { .rules = &rules,
	.openings = &openings,
	.players = players,
	.nplayers = 2,
	.games = 100,
	.resign = -2,
	.random_plies = -1 };
static struct progress progress;
static char progress_text[80] = "games", digest[17];
static struct zout *out, *archive;
static struct inorder archived;
static const char *archive_file, *openings_file;
static double level = 0.95, timeout = 60;
static struct half *halves; /* at most as many as slots */
static int nhalves;
static uint64_t results[3]; /* games of complete pairs: a lost, drew, won */
static uint64_t pairs[ELO_PAIR_SCORES];
static uint64_t points_sum; /* of these, in units of 1/200 */

static void add_setting_a(const char *setting);
static void add_setting_b(const char *setting);

static const struct cli_option options[] = {
	CLI_OTHER('B', "batch", "N",
	    "positions that a net evaluates at once (default 32)"),
	ARENA_FIRST(&arena, ", even"),
	OPTION_GUMBEL,
	ARENA_GAMES(&arena, ", even (default 100)"),
	CLI_OTHER('H', "cache", "MIB",
	    "size of each net's evaluation cache (default 64), or of each\n"
	    "game's transposition table (default 16)"),
	CLI_HELP,
	ARENA_SLOTS(&arena,
	    "games played at the same time (default: twice the batch;\n"
	    "8 with uci:; one per thread for alpha-beta)"),
	ARENA_THREADS(&arena,
	    "use N threads (default: 1; all cores for alpha-beta and for\n"
	    "engines with --cpu-time)"),
	OPTION_ASYNC,
	CLI_LEVEL(&level, "confidence intervals"),
	OPTION_CANDIDATES,
	CLI_TEXT('O', "openings", "FILE", &openings_file,
	    "openings: PGN, JSONL or FEN lines; the k-th for pair k"),
	CLI_OUTPUT_ZST,
	CLI_PROGRESS,
	CLI_QUIET(""),
	CLI_RULES_PLAYED,
	CLI_SEED(&arena.seed, "seed (default 0)"),
	OPTION_MOVETIME,
	CLI_TSV(""),
	CLI_VERSION,
	CLI_OTHER('v', "sims", "N",
	    "visits of a tree search, or nodes, for each move (default 800)"),
	OPTION_PROVIDER,
	CLI_COMPRESS,
	CLI_TEXT(0, "archive", "FILE", &archive_file,
	    "also write the games to FILE (-: standard output, no score)"),
	CLI_OTHER(0, "cpu-time", "MS",
	    "use MS milliseconds of CPU time a move instead of --sims"),
	OPTION_DEPTH,
	CLI_CALL(0, "option-a", "NAME=VALUE", add_setting_a,
	    "UCI option of player a; can be repeated"),
	CLI_CALL(0, "option-b", "NAME=VALUE", add_setting_b, "the same for player b"),
	ARENA_RANDOM_PLIES(&arena, "6; with --openings 0"),
	OPTION_SEARCH(""),
	CLI_REAL(0, "timeout", "S", &timeout, 0.01, 1e6,
	    "give up on a UCI engine that is silent for S seconds\n"
	    "(default 60)"),
	CLI_END,
};

/* ---- games ---- */

/* Counts a game once its pair is complete. */
static void
count_game(uint64_t index, int result, int points)
{
	for (int i = 0; i < nhalves; i++) {
		if (halves[i].pair != index / 2)
			continue;
		results[result]++;
		results[halves[i].result]++;
		pairs[points + halves[i].points]++;
		points_sum += (uint64_t)(points + halves[i].points);
		halves[i] = halves[--nhalves];
		return;
	}
	halves[nhalves++] = (struct half){ index / 2, result, points };
}

static void
show_progress(void)
{
	double n = (double)(results[0] + results[1] + results[2]);

	snprintf(progress_text, sizeof(progress_text),
	    "games (score %.3f, %.0f positions/s)",
	    n == 0 ? 0.5 : (double)points_sum / (200 * n),
	    (double)arena_evaluated(&arena) /
		(clock_seconds() - progress.started + 1e-9));
	progress_add(&progress, 1);
}

static int
write_game(struct game *g, uint64_t index)
{
	const struct text *white = &names[index & 1], *black = &names[~index & 1];
	struct text line = { 0 };

	if (archive == NULL)
		return 0;
	g->id = game_keep_number(g, index);
	g->seed = game_keep_number(g, arena.seed);
	g->white = game_keep_foreign(g, white->s, white->len);
	g->black = game_keep_foreign(g, black->s, black->len);
	g->options = game_keep(g, digest, strlen(digest));
	game_write_json(g, &line);
	return inorder_add(&archived, index, &line);
}

static int
take_game(struct game *g, uint64_t index, void *unused)
{
	int side = (index & 1) == 0 ? 1 : -1;
	int winner = g->result == RESULT_WHITE ? 1 : g->result == RESULT_BLACK ? -1 : 0;

	(void)unused;
	count_game(index, 1 + side * winner, 100 + side * g->value);
	show_progress();
	return write_game(g, index);
}

/* ---- the score ---- */

/* Writes null for a limit that the player does not have. */
static void
add_limit(struct table *t, const char *name, int who, double limit)
{
	bool has = player_thinks(&players[who]) && limit > 0;

	table_number(t, name, has ? limit : NAN);
}

/* Milliseconds of CPU time per move: allowed, and used on average. */
static void
add_cpu_time(struct table *t, const struct limits *a, const struct limits *b)
{
	if (a->cpu_seconds + b->cpu_seconds == 0)
		return;
	add_limit(t, "cpu_time_a", 0, 1000 * a->cpu_seconds);
	add_limit(t, "cpu_time_b", 1, 1000 * b->cpu_seconds);
	add_limit(t, "cpu_used_a", 0, 1000 * arena_cpu_seconds(&arena, 0));
	add_limit(t, "cpu_used_b", 1, 1000 * arena_cpu_seconds(&arena, 1));
}

static void
add_limits(struct table *t)
{
	const struct limits *a = &thinking[0].limits, *b = &thinking[1].limits;

	add_limit(t, "sims_a", 0, (double)a->nodes);
	add_limit(t, "sims_b", 1, (double)b->nodes);
	add_limit(t, "movetime_a", 0, a->seconds);
	add_limit(t, "movetime_b", 1, b->seconds);
	if (a->depth + b->depth > 0) {
		add_limit(t, "depth_a", 0, a->depth);
		add_limit(t, "depth_b", 1, b->depth);
	}
	add_cpu_time(t, a, b);
}

/* Pairs by the nearest half point. */
static void
add_pentanomial(struct table *t)
{
	uint64_t five[5] = { 0 };
	char json[5 * 21 + 2];

	for (int i = 0; i < ELO_PAIR_SCORES; i++)
		five[(i + ELO_HALF_POINT / 2) / ELO_HALF_POINT] += pairs[i];
	snprintf(json, sizeof(json),
	    "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", five[0],
	    five[1], five[2], five[3], five[4]);
	table_json(t, "pentanomial", json);
}

/* Can a game be worth anything but a win, a draw or a loss? The fields that say
 * what an end is worth have a unit of 100, a whole win. */
static bool
rules_give_points(const struct rules *r)
{
	bool points = false;

	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		points = points ||
		    (f->group == RULE_END && f->unit == 100 &&
			(rules_get(r, f, WHITE) % 100 != 0 ||
			    rules_get(r, f, BLACK) % 100 != 0));
	}
	return points;
}

/* Each score of a pair that occurred, and the number of such pairs. */
static void
add_pair_scores(struct table *t)
{
	struct text json = { 0 };

	if (!rules_give_points(&rules))
		return;
	for (int i = 0; i < ELO_PAIR_SCORES; i++)
		if (pairs[i] != 0)
			text_add_format(&json, "%c[%g,%" PRIu64 "]",
			    json.len == 0 ? '[' : ',', i / 200.0, pairs[i]);
	text_add_string(&json, json.len == 0 ? "[]" : "]");
	table_json(t, "pair_scores", json.s);
	text_release(&json);
}

static void
write_score(void)
{
	struct table t;
	struct elo e;
	char label[RULES_TEXT_MAX];
	uint64_t n = results[0] + results[1] + results[2];

	elo_of_pairs(pairs, level, &e);
	rules_label(&rules, label);
	table_start(&t, out, cli.tsv);
	table_string(&t, "rules", label);
	table_string(&t, "a", names[0].s);
	table_string(&t, "b", names[1].s);
	table_count(&t, "games", n);
	table_count(&t, "wins", results[2]);
	table_count(&t, "draws", results[1]);
	table_count(&t, "losses", results[0]);
	table_range(&t, "score", e.score);
	table_range(&t, "elo", e.elo);
	table_number(&t, "elo_se", e.elo_se);
	table_count(&t, "pairs", n / 2);
	add_limits(&t);
	table_number(&t, "score_se", e.score_se);
	add_pentanomial(&t);
	add_pair_scores(&t);
	table_string(&t, "id_a", players[0].identity);
	table_string(&t, "id_b", players[1].identity);
	table_end_row(&t);
	table_release(&t);
}

/* ---- engines and the rules ---- */

/* Classical chess needs no option. Other rules are usually set by UCI_Variant,
 * for uci(1) by its option Rules. */
static int
tell_rules(struct engine *e, char *reason)
{
	const char *offered = engine_option(e, "UCI_Variant");
	char text[RULES_TEXT_MAX];
	struct rules classical;

	rules_init(&classical);
	if (rules_equal(&rules, &classical))
		return 0;
	if (variant_find(&rules, offered, true, text))
		return engine_set(e, "UCI_Variant", text, reason);
	if (engine_option(e, "Rules") != NULL) {
		rules_print(&rules, text);
		return engine_set(e, "Rules", text, reason);
	}
	if (variant_plays_alike(&classical, &rules))
		return 0;
	if (variant_find(&rules, offered, false, text))
		return engine_set(e, "UCI_Variant", text, reason);
	return refuse(reason, "the engine does not play these rules");
}

/* ---- the command line ---- */

static void
check_even(const char *option, uint64_t n)
{
	if (n % 2 != 0)
		cli_usage_error(&cli, "%s takes an even number: games come in pairs",
		    option);
}

static void
add_setting(struct player *p, const char *setting)
{
	if (setting[0] == '\0' || setting[0] == '=' || strpbrk(setting, "\r\n") != NULL)
		cli_usage_error(&cli, "a UCI option is NAME=VALUE, not '%s'", setting);
	if (p->nsettings == PLAYER_SETTINGS_MAX)
		cli_usage_error(&cli, "more than %d UCI options", PLAYER_SETTINGS_MAX);
	p->settings[p->nsettings++] = setting;
}

static void
add_setting_a(const char *setting)
{
	add_setting(&players[0], setting);
}

static void
add_setting_b(const char *setting)
{
	add_setting(&players[1], setting);
}

static void
open_players(char *specs[2])
{
	char reason[PLAYER_REASON_MAX];
	bool same = strcmp(specs[0], specs[1]) == 0;

	for (int i = 0; i < 2; i++) {
		struct player *p = &players[i];
		p->spec = specs[i];
		p->thinking = thinking[i];
		p->timeout = timeout;
		p->tell_rules = tell_rules;
		if (player_open(p, i == 0 ? NULL : &players[0], &rules, reason) == -1)
			errx(EXIT_USAGE, "%s: %s", p->spec, reason);
		if (p->nsettings > 0 && p->kind != PLAYER_ENGINE)
			cli_usage_error(&cli, "%s has no UCI options", p->spec);
		/* games must distinguish the players */
		text_add_format(&names[i], "%s%s", specs[i],
		    !same        ? ""
			: i == 0 ? " (a)"
				 : " (b)");
	}
}

/* Each game played at the same time has its own engines. */
static void
open_arena(void)
{
	arena.take_game = take_game;
	if (arena_open(&arena) == -1)
		errx(EXIT_USAGE, "%s: %s", players[arena.failed].spec, arena.reason);
	halves = xcalloc((size_t)arena.slots, sizeof(*halves));
	arena_digest(&arena, digest);
}

static void
close_all(void)
{
	arena_release(&arena);
	free(halves);
	player_close(&players[1]);
	player_close(&players[0]);
	text_release(&names[0]);
	text_release(&names[1]);
	openings_release(&openings);
}

static bool
is_stdout(const char *file)
{
	return file == NULL || strcmp(file, "-") == 0;
}

static void
check_options(char *specs[])
{
	if (specs[0] == NULL || specs[1] == NULL || specs[2] != NULL)
		cli_usage_error(&cli, "two players are needed");
	check_even("--first", arena.first);
	check_even("--games", arena.games);
	rulespec_option(&rules, &cli);
	options_check(&cli);
	if (archive_file != NULL && strcmp(archive_file, "-") == 0 &&
	    cli.output != NULL && is_stdout(cli.output))
		cli_usage_error(&cli,
		    "--archive and --output cannot both be standard output");
	open_players(specs);
	if (openings_file != NULL)
		openings_read(&openings, &cli, &rules, openings_file, false);
	if (arena.random_plies == -1)
		arena.random_plies = openings_file != NULL ? 0 : 6;
}

/* Games on standard output leave no place for the score, unless --output names
 * a file for it. */
static void
open_outputs(void)
{
	if (archive_file == NULL || !is_stdout(archive_file) || !is_stdout(cli.output))
		out = cli_open_output(&cli);
	if (archive_file == NULL)
		return;
	archive = zout_open(archive_file, cli.compress);
	if (archive == NULL) {
		warn("%s", archive_file);
		zout_abandon(out);
		exit(EXIT_LOST);
	}
	inorder_start(&archived, archive, arena.first);
}

/* Finished games are kept even if not all could be played. */
static void
close_archive(void)
{
	if (archive == NULL)
		return;
	inorder_drain(&archived);
	inorder_release(&archived);
	if (zout_close(archive) == -1) {
		warn("%s", is_stdout(archive_file) ? "standard output" : archive_file);
		cli.status = EXIT_LOST;
	}
}

static void
play_games(void)
{
	progress_start(&progress, progress_text, arena.games, cli.progress, cli.quiet);
	int result = arena_play(&arena);
	progress_end(&progress);
	if (result == -1 && arena.failed >= 0)
		cli_warn(&cli, players[arena.failed].spec, 0, "%s", arena.reason);
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	options_start(&cli, thinking, 2);
	thinking_init(&thinking[0]);
	thinking_init(&thinking[1]);
	check_options(cli_read(&cli, argc, argv));
	open_arena();
	open_outputs();
	play_games();
	close_archive();
	if (out != NULL) {
		write_score();
		cli_finish(&cli, out);
	}
	close_all();
	return cli.status;
}
