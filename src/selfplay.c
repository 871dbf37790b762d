/*
 * selfplay: a net plays games against itself, many at once. Each game draws its
 * random numbers from its own number, so that neither this nor the way the games
 * are spread over threads and jobs changes any of them.
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
    "Plays games of a net against itself and writes them as JSONL.\n"
    "\n"
    "  -a, --noise ALPHA    Dirichlet noise at the root, as in training (default 0: none)\n"
    "  -B, --batch N        positions that the net evaluates at once (default 32)\n"
    "  -e, --sample-plies N sample moves in the first N plies (default 0)\n"
    "  -f, --first K        number of the first game (default 0)\n"
    "  -G, --gumbel         Gumbel search, for few simulations\n"
    "  -g, --games N        how many games (default 1)\n"
    "  -H, --cache MIB      size of the evaluation cache (default 64), or of each game's\n"
    "                       transposition table (default 16)\n"
    "  -h, --help           show this help\n"
    "  -J, --slots N        games played at the same time (default: twice the batch,\n"
    "                       or one a thread for alpha-beta)\n"
    "  -j, --threads N      use N threads (default: 1, or all cores for alpha-beta)\n"
    "  -k, --async K        K searches in flight for each move (default 1)\n"
    "  -m, --candidates N   moves that Gumbel search considers (default 16)\n"
    "  -N, --net FILE       ONNX file, default (the default), prior, uniform, or material\n"
    "  -O, --openings FILE  openings: PGN, JSONL or FEN lines; the k-th for game k\n"
    CLI_HELP_OUTPUT
    "  -p, --progress       show progress even when not on a terminal\n"
    "  -q, --quiet          show no progress\n"
    "  -R, --resume         continue an interrupted run with the same FILE\n"
    "  -r, --rules SPEC     preset, sum of presets, or JSON file (default classical)\n"
    "  -s, --seed N         seed (default 0)\n"
    "  -T, --movetime S     think S seconds a move instead of --sims\n"
    "  -V, --version        show the version\n"
    "  -v, --sims N         visits of a tree search, or nodes of alpha-beta, for each\n"
    "                       move (default 800)\n"
    "  -w, --resign SCORE   resign below this expected score, -1 to 1 (default: never)\n"
    "  -X, --search-data    write the results of every search, to train on\n"
    "  -Y, --provider NAME  execution provider of ONNX Runtime (cpu, cuda, …)\n"
    "  -z, --compress       compress the output with zstd\n"
    "      --depth N        search N plies deep instead of --sims\n"
    "      --follow         use openings of other rules as far as they are legal, and\n"
    "                       count --sample-plies from the game's first ply\n"
    "      --play-out N     play one game in N to its end despite --resign (default: none)\n"
    "      --random-plies N begin with N random plies (default 0)\n"
    "      --search KIND    tree, ab (alpha-beta) or net (default): the kind that the\n"
    "                       net was made for\n"
    "      --temperature T  of alpha-beta's sampling, in expected score (default 0.02)\n"
    "      --values         like --search-data, but only the value of each search\n";

enum { OPTION_FOLLOW = OPTIONS_OWN, OPTION_PLAY_OUT, OPTION_VALUES };

static const char thinking_options[] = "async batch cache candidates depth "
    "gumbel movetime net noise provider search sims temperature";

static const struct option own_options[] = {
	CLI_LONG_OUTPUT,
	ARENA_LONG,
	{ "follow", no_argument, NULL, OPTION_FOLLOW },
	{ "play-out", required_argument, NULL, OPTION_PLAY_OUT },
	{ "resign", required_argument, NULL, 'w' },
	{ "resume", no_argument, NULL, 'R' },
	{ "sample-plies", required_argument, NULL, 'e' },
	{ "search-data", no_argument, NULL, 'X' },
	{ "values", no_argument, NULL, OPTION_VALUES },
	{ NULL, 0, NULL, 0 }
};

static struct cli cli;
static struct rules rules;
static struct player player;
static struct openings openings;
static struct arena arena = { .rules = &rules, .openings = &openings,
    .players = &player, .nplayers = 1, .games = 1, .resign = -2 };
static struct resume games = { .cli = &cli, .rules = &rules };
static struct progress progress;
static const char *openings_file;
static char digest[17];
static volatile sig_atomic_t ended_by;	/* a signal */
static char progress_text[64] = "games";

/* ---- games ---- */

/* Limits on anything but nodes leave no number to tell. */
static int
sims_told(void)
{
	uint64_t nodes = player.thinking.limits.nodes;

	return nodes == 0 ? -1 : (int)nodes;
}

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
	g->id = game_keep_number(g, index);
	g->seed = game_keep_number(g, arena.seed);
	g->net = game_keep(g, player.identity, strlen(player.identity));
	g->sims = sims_told();
	g->options = game_keep(g, digest, strlen(digest));
	game_write_json(g, &line);
	show_progress();
	return resume_add(&games, index, &line);
}

static bool
is_wanted(uint64_t index, void *unused)
{
	(void)unused;
	return resume_needs(&games, index);
}

/* Why a game cannot be of this run; NULL when it can. Old games do not tell
 * their options. */
static const char *
find_difference(const struct game *g)
{
	uint64_t told;

	if (!rules_equal(&g->rules, &rules))
		return "this game is of another rule set";
	if (strcmp(game_text(g, g->net), player.identity) != 0)
		return "this game is of another net";
	if (!number_read_u64(game_text(g, g->seed), &told) || told != arena.seed)
		return "this game is of another seed";
	if (g->sims != sims_told())
		return "this game has another number of simulations";
	if (g->options.len > 0 && strcmp(game_text(g, g->options), digest) != 0)
		return "this game was played with other options";
	return NULL;
}

/* ---- signals ---- */

/* The first signal ends the games under way, and what is finished is kept; the
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
	struct sigaction now, ours = { .sa_handler = stop_playing,
	    .sa_flags = (int)SA_RESETHAND };

	for (int i = 0; i < 3; i++)
		if (sigaction(ending[i], NULL, &now) == 0 &&
		    now.sa_handler != SIG_IGN)
			sigaction(ending[i], &ours, NULL);
}

/* ---- the command line ---- */

static void
read_option(int c)
{
	switch (c) {
	case 'e':
		arena.sample_plies = (int)cli_number(&cli, "--sample-plies",
		    optarg, 0, 10000);
		break;
	case OPTION_FOLLOW:
		arena.sample_all = true;
		break;
	case OPTION_PLAY_OUT:
		arena.play_out = (int)cli_number(&cli, "--play-out", optarg, 0,
		    1000000);
		break;
	case OPTION_VALUES:
		arena.search_data = arena.only_values = true;
		break;
	case 'O':
		openings_file = optarg;
		break;
	case 'R':
		games.wanted = true;
		break;
	case 'w':
		arena.resign = cli_real(&cli, "--resign", optarg, -1, 1);
		break;
	case 'X':
		arena.search_data = true;
		break;
	default:
		if (!arena_option(&arena, &cli, c) &&
		    !options_read(&cli, c, optarg, &player.thinking, 1))
			cli_option(&cli, c);
	}
}

static void
check_options(int argc)
{
	char reason[PLAYER_REASON_MAX];

	if (optind < argc)
		cli_usage_error(&cli, "no files are read");
	rulespec_option(&rules, &cli);
	options_check(&cli, &player.thinking, 1);
	resume_check(&games);
	player.spec = player.thinking.thinker.spec;
	if (player_open_net(&player, NULL, &rules, reason) == -1)
		errx(EXIT_USAGE, "--net %s: %s", player.spec, reason);
	if (arena.sample_all && openings_file == NULL)
		cli_usage_error(&cli, "--follow goes with --openings");
	if (openings_file != NULL)
		(arena.sample_all ? openings_follow : openings_read)(&openings, &cli, &rules, openings_file);
}

static void
show_speed(void)
{
	uint64_t evaluated = arena_evaluated(&arena);

	fprintf(stderr, "%" PRIu64 " positions evaluated, %.0f/s, %" PRIu64
	    " more from the cache\n", evaluated, (double)evaluated /
	    (clock_seconds() - progress.started), arena_cached(&arena));
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
	progress_start(&progress, progress_text, arena.games - games.kept,
	    cli.progress, cli.quiet);
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
	struct options options;
	int c, status = EXIT_DONE;

	cli_start(&cli, synopsis, help);
	thinking_init(&player.thinking);
	options_make(&options, own_options, thinking_options);
	while ((c = getopt_long(argc, argv, options.shorts, options.longs,
	    NULL)) != -1)
		read_option(c);
	check_options(argc);
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
		raise(ended_by);	/* whoever waits for us is to know */
	return status;
}
