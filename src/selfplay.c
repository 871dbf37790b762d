/*
 * selfplay: a net plays games against itself, many at once. The random numbers of
 * a game depend only on the seed and its number, so neither this nor the way the
 * games are spread over threads and jobs changes a game.
 */
#include <err.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "base/progress.h"
#include "data/openings.h"
#include "data/rulespec.h"
#include "play/arena.h"
#include "play/resume.h"

static const char synopsis[] =
    "[-GpqRVXz] [-a alpha] [-B batch] [-e plies] [-f first]\n"
    "                [-g games] [-H MiB] [-J slots] [-j threads] [-k searches]\n"
    "                [-m moves] [-N net] [-O file] [-o file] [-r rules] [-s seed]\n"
    "                [-T seconds] [-v nodes] [-w score] [-Y provider] [option ...]";
static const char help[] =
    "Plays games of a net against itself and writes them as JSONL.\n";

static struct cli cli;
static struct rules rules;
static struct player player;
static struct openings openings;
static struct arena arena = { .rules = &rules,
	.openings = &openings,
	.players = &player,
	.nplayers = 1,
	.games = 1,
	.resign = -2 };
static struct resume games = { .cli = &cli, .rules = &rules };
static struct progress progress;
static const char *openings_file;
static char digest[17];
static volatile sig_atomic_t ended_by; /* a signal */
static char progress_text[64] = "games";

static const struct cli_option options[] = {
	CLI_OTHER('a', "noise", "ALPHA",
	    "Dirichlet noise at the root, as in training (default 0: none)"),
	CLI_OTHER('B', "batch", "N",
	    "positions that the net evaluates at once (default 32)"),
	CLI_INTEGER('e', "sample-plies", "N", &arena.sample_plies, 0, 10000,
	    "sample moves in the first N plies (default 0)"),
	ARENA_FIRST(&arena, ""),
	OPTION_GUMBEL,
	ARENA_GAMES(&arena, " (default 1)"),
	CLI_OTHER('H', "cache", "MIB",
	    "size of the evaluation cache (default 64), or of each game's\n"
	    "transposition table (default 16)"),
	CLI_HELP,
	ARENA_SLOTS(&arena,
	    "games played at the same time (default: twice the batch,\n"
	    "or one per thread for alpha-beta)"),
	ARENA_THREADS(&arena, "use N threads (default: 1, or all cores for alpha-beta)"),
	OPTION_ASYNC,
	OPTION_CANDIDATES,
	CLI_OTHER('N', "net", "FILE",
	    "ONNX file, default (the default), prior, uniform, or material"),
	CLI_TEXT('O', "openings", "FILE", &openings_file,
	    "openings: PGN, JSONL or FEN lines; the k-th for game k"),
	CLI_OUTPUT_ZST,
	CLI_PROGRESS,
	CLI_QUIET(""),
	CLI_FLAG('R', "resume", &games.wanted,
	    "continue an interrupted run with the same FILE"),
	CLI_RULES_PLAYED,
	CLI_SEED(&arena.seed, "seed (default 0)"),
	OPTION_MOVETIME,
	CLI_VERSION,
	CLI_OTHER('v', "sims", "N",
	    "visits of a tree search, or nodes of alpha-beta, for each\n"
	    "move (default 800)"),
	CLI_REAL('w', "resign", "SCORE", &arena.resign, -1, 1,
	    "resign below this expected score, -1 to 1 (default: never)"),
	CLI_FLAG('X', "search-data", &arena.search_data,
	    "write the results of every search, to train on"),
	OPTION_PROVIDER,
	CLI_COMPRESS,
	OPTION_DEPTH,
	CLI_FLAG(0, "follow", &arena.sample_all,
	    "use openings of other rules as far as they are legal, and\n"
	    "count --sample-plies from the game's first ply"),
	CLI_INTEGER(0, "play-out", "N", &arena.play_out, 0, 1000000,
	    "play one game in N to its end despite --resign (default: none)"),
	ARENA_RANDOM_PLIES(&arena, "0"),
	OPTION_SEARCH(""),
	CLI_OTHER(0, "temperature", "T",
	    "for sampling by alpha-beta, in expected score (default 0.02)"),
	CLI_FLAG(0, "values", &arena.only_values,
	    "like --search-data, but only the value of each search"),
	CLI_REAL(0, "vary", "SHARE", &arena.vary, 0, 1,
	    "search up to this share more or fewer nodes for each move, for\n"
	    "variety without sampling (default 0)"),
	CLI_END,
};

/* ---- games ---- */

static void
show_progress(void)
{
	snprintf(progress_text, sizeof(progress_text), "games (%.0f positions/s)",
	    (double)arena_evaluated(&arena) /
		(clock_seconds() - progress.started + 1e-9));
	progress_add(&progress, 1);
}

static int
take_game(struct game *g, uint64_t index, void *unused)
{
	struct text line = { 0 };

	(void)unused;
	arena_write_game(&arena, g, index, digest, &line);
	show_progress();
	return resume_add(&games, index, &line);
}

static bool
is_wanted(uint64_t index, void *unused)
{
	(void)unused;
	return resume_needs(&games, index);
}

/* Why a game cannot belong to this run; NULL if it can. Old games do not contain
 * a digest of the options. */
static const char *
find_difference(const struct game *g)
{
	uint64_t given;

	if (!rules_equal(&g->rules, &rules))
		return "this game has another rule set";
	if (strcmp(game_text(g, g->net), player.identity) != 0)
		return "this game has another net";
	if (!number_read_u64(game_text(g, g->seed), &given) || given != arena.seed)
		return "this game has another seed";
	if (g->sims != arena_sims(&arena, 0))
		return "this game has another number of simulations";
	if (g->options.len > 0 && strcmp(game_text(g, g->options), digest) != 0)
		return "this game was played with other options";
	return NULL;
}

/* ---- signals ---- */

/* The first signal stops the unfinished games and keeps the finished ones; the
 * second ends the program at once. */
static void
stop_playing(int sig)
{
	ended_by = sig;
	arena_stop(&arena);
}

static void
catch_signals(void)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction now,
	    ours = { .sa_handler = stop_playing, .sa_flags = (int)SA_RESETHAND };

	for (int i = 0; i < 3; i++)
		if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaction(ending[i], &ours, NULL);
}

/* ---- the command line ---- */

static void
check_options(char **files)
{
	char reason[PLAYER_REASON_MAX];

	if (*files != NULL)
		cli_usage_error(&cli, "no files are read");
	if (arena.only_values)
		arena.search_data = true;
	rulespec_option(&rules, &cli);
	options_check(&cli);
	resume_check(&games);
	player.spec = player.thinking.thinker.spec;
	if (player_open_net(&player, NULL, &rules, reason) == -1)
		errx(EXIT_USAGE, "--net %s: %s", player.spec, reason);
	if (arena.sample_all && openings_file == NULL)
		cli_usage_error(&cli, "--follow needs --openings");
	if (openings_file != NULL)
		openings_read(&openings, &cli, &rules, openings_file, arena.sample_all);
}

static void
show_speed(void)
{
	uint64_t evaluated = arena_evaluated(&arena);

	fprintf(stderr,
	    "%" PRIu64 " positions evaluated, %.0f/s, %" PRIu64 " more from the cache\n",
	    evaluated, (double)evaluated / (clock_seconds() - progress.started),
	    arena_cached(&arena));
}

/* Plays, and returns the exit status. */
static int
play(void)
{
	arena.is_wanted = is_wanted;
	arena.take_game = take_game;
	if (arena_open(&arena) == -1)
		errx(EXIT_LOST, "--net %s: %s", player.spec, arena.reason);
	if (games.path != NULL)
		catch_signals();
	progress_start(&progress, progress_text, arena.games - games.kept, cli.progress,
	    cli.quiet);
	int result = arena_play(&arena);
	progress_end(&progress);
	if (cli.progress)
		show_speed();
	if (result == -1 && arena.failed >= 0)
		warnx("--net %s: %s", player.spec, arena.reason);
	bool all = result == 0 && !arena.stopped;
	arena_release(&arena);
	return resume_close(&games, all);
}

int
main(int argc, char *argv[])
{
	int status = EXIT_DONE;

	cli_start(&cli, synopsis, help, options);
	options_start(&cli, &player.thinking, 1);
	thinking_init(&player.thinking);
	check_options(cli_read(&cli, argc, argv));
	arena_digest(&arena, digest);
	games.first = arena.first;
	games.games = arena.games;
	games.differs = find_difference;
	if (resume_open(&games))
		status = play();
	else
		resume_close(&games, true);
	player_close(&player);
	openings_release(&openings);
	if (ended_by != 0)
		raise(ended_by); /* so that the parent sees the signal */
	return status;
}
