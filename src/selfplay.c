/*
 * selfplay: a net plays games against itself. Many games are under way at
 * once, so that the net is asked about many positions at a time; each game
 * draws its random numbers from its own number, so that neither this nor the
 * way the games are spread over jobs changes any of them.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/inorder.h"
#include "base/input.h"
#include "base/progress.h"
#include "chess/movegen.h"
#include "data/openings.h"
#include "data/rulespec.h"
#include "search/pool.h"

static const char synopsis[] =
    "[-GpqRVXz] [-a alpha] [-B batch] [-e plies] [-f first]\n"
    "                [-g games] [-H MiB] [-J slots] [-k searches] [-m moves] [-N net]\n"
    "                [-O file] [-o file] [-r rules] [-s seed] [-T seconds] [-v visits]\n"
    "                [-w score] [-Y provider]";
static const char help[] =
    "Plays games of a net against itself and writes them as JSONL.\n"
    "\n"
    "  -a, --noise ALPHA    Dirichlet noise at the root, as in training (default 0: none)\n"
    "  -B, --batch N        positions that the net is asked about at once (default 32)\n"
    "  -e, --sample-plies N draw the move by visits in the first N plies (default 0)\n"
    "  -f, --first K        number of the first game (default 0)\n"
    "  -G, --gumbel         Gumbel search, for few simulations\n"
    "  -g, --games N        how many games (default 1)\n"
    "  -H, --cache MIB      memory for what the net has said (default 64)\n"
    "  -h, --help           show this help\n"
    "  -J, --slots N        games under way at once (default: twice the batch)\n"
    "  -k, --async K        K searches in flight for each move (default 1)\n"
    "  -m, --candidates N   moves that Gumbel search looks at (default 16)\n"
    "  -N, --net FILE       ONNX file, default (the default), prior, uniform, or material\n"
    "  -O, --openings FILE  begin with these: PGN, JSONL, or FEN lines; game k with the k-th\n"
    "  -o, --output FILE    write to FILE (compressed if it ends in .zst)\n"
    "  -p, --progress       show progress even when not on a terminal\n"
    "  -q, --quiet          show no progress\n"
    "  -R, --resume         go on with what a killed run left of FILE\n"
    "  -r, --rules SPEC     preset, sum of presets, or JSON file (default classical)\n"
    "  -s, --seed N         seed (default 0)\n"
    "  -T, --movetime S     think S seconds a move instead of --sims\n"
    "  -V, --version        show the version\n"
    "  -v, --sims N         visits of the root for each move (default 800)\n"
    "  -w, --resign SCORE   resign below this expected score, -1 to 1 (default: never)\n"
    "  -X, --search-data    write visits, priors and values of every move, to train on\n"
    "  -Y, --provider NAME  execution provider of ONNX Runtime (cpu, cuda, …)\n"
    "  -z, --compress       compress the output with zstd\n";

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	{ "async", required_argument, NULL, 'k' },
	{ "batch", required_argument, NULL, 'B' },
	{ "cache", required_argument, NULL, 'H' },
	{ "candidates", required_argument, NULL, 'm' },
	{ "first", required_argument, NULL, 'f' },
	{ "games", required_argument, NULL, 'g' },
	{ "gumbel", no_argument, NULL, 'G' },
	{ "movetime", required_argument, NULL, 'T' },
	{ "net", required_argument, NULL, 'N' },
	{ "noise", required_argument, NULL, 'a' },
	{ "openings", required_argument, NULL, 'O' },
	{ "progress", no_argument, NULL, 'p' },
	{ "provider", required_argument, NULL, 'Y' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "resign", required_argument, NULL, 'w' },
	{ "resume", no_argument, NULL, 'R' },
	{ "rules", required_argument, NULL, 'r' },
	{ "sample-plies", required_argument, NULL, 'e' },
	{ "search-data", no_argument, NULL, 'X' },
	{ "seed", required_argument, NULL, 's' },
	{ "sims", required_argument, NULL, 'v' },
	{ "slots", required_argument, NULL, 'J' },
	{ NULL, 0, NULL, 0 }
};

/* A game under way. */
struct slot {
	bool active;
	uint64_t index;
	struct game game;
	struct board board;
	struct search search;
	struct rng rng;
	int opening_plies;
	double deadline;	/* of the move, with --movetime */
	struct text data;	/* search data so far */
};

static struct cli cli;
static struct rules rules;
static struct net *net;
static struct pool pool;
static struct progress progress;
static struct zout *out;
static struct search_options search_options;
static int batch = 32, slots, sample_plies;
static uint64_t seed, first, games = 1, next_game, next_written;
static double movetime, resign = -2;
static bool search_data, resume;
static struct inorder written;
static struct openings openings;
static const char *net_spec = NET_DEFAULT, *openings_file;
static char progress_text[64] = "games";

/* ---- games ---- */

static void
begin_move(struct slot *s)
{
	bool explore = search_options.gumbel ?
	    s->game.line.plies - s->opening_plies < sample_plies :
	    search_options.noise > 0;

	if (movetime > 0)
		s->deadline = clock_seconds() + movetime;
	search_begin(&s->search, &s->board, s->game.line.keys,
	    s->game.line.plies, &s->rng, explore);
}

/* Begins the next game in a slot; false when there is none left. */
static bool
begin_game(struct slot *s)
{
	struct game *g = &s->game;

	s->active = next_game < first + games;
	if (!s->active)
		return false;
	s->index = next_game++;
	rng_init(&s->rng, seed, s->index);
	openings_begin(&openings, s->index, &rules, g, &s->board);
	s->opening_plies = g->line.plies;
	text_clear(&s->data);
	for (int i = 0; i < s->opening_plies; i++)
		text_add_string(&s->data, i == 0 ? "[null" : ",null");
	search_forget(&s->search);
	begin_move(s);
	return true;
}

static void
add_search_data(struct slot *s)
{
	int n;
	const struct node *child = search_moves(&s->search, &n);
	struct text *t = &s->data;
	float improved[MOVES_MAX];

	text_add_string(t, t->len == 0 ? "[{" : ",{");
	text_add_format(t, "\"value\":%.5f,\"draw\":%.5f,\"moves\":{",
	    search_value(&s->search), search_draw(&s->search));
	if (search_options.gumbel)
		search_improved_policy(&s->search, improved);
	for (int i = 0; i < n; i++) {
		char m[6];
		move_print(child[i].move, m);
		text_add_format(t, "%s\"%s\":[%u,%.5f", i == 0 ? "" : ",", m,
		    child[i].visits, (double)child[i].prior);
		if (search_options.gumbel)
			text_add_format(t, ",%.5f", (double)improved[i]);
		text_add_char(t, ']');
	}
	text_add_string(t, "}}");
}

static int
finish_game(struct slot *s)
{
	struct game *g = &s->game;
	struct text line = { 0 };
	char number[24];
	int n = snprintf(number, sizeof(number), "%" PRIu64, s->index);

	g->id = game_keep(g, number, (size_t)n);
	n = snprintf(number, sizeof(number), "%" PRIu64, seed);
	g->seed = game_keep(g, number, (size_t)n);
	g->net = game_keep(g, net->hash, strlen(net->hash));
	if (movetime == 0)
		g->sims = search_options.sims;
	if (search_data) {
		if (s->data.len == 0)
			text_add_char(&s->data, '[');
		text_add_char(&s->data, ']');
		g->search = game_keep(g, s->data.s, s->data.len);
	}
	game_write_json(g, &line);
	snprintf(progress_text, sizeof(progress_text), "games (%.0f positions/s)",
	    (double)pool.evaluated / (clock_seconds() - progress.started + 1e-9));
	progress_add(&progress, 1);
	return inorder_add(&written, s->index, &line);
}

static void
end_game(struct game *g, enum end e, int value)
{
	g->end = e;
	game_set_value(g, value);
}

/* Plays the move that the search has found. Returns false when the game is
 * over. */
static bool
play_move(struct slot *s)
{
	struct game *g = &s->game;
	bool sample = g->line.plies - s->opening_plies < sample_plies;
	int n, choice = search_choose(&s->search, sample);
	const struct node *child = search_moves(&s->search, &n);

	if (resign > -2 && search_value(&s->search) < resign) {
		end_game(g, END_RESIGN, s->board.side == WHITE ? -100 : 100);
		return false;
	}
	if (search_data)
		add_search_data(s);
	game_grow(g);
	line_add(&g->line, &s->board, child[choice].move);
	enum end e = outcome_find(&s->board, g->line.keys, g->line.plies);
	if (e != END_NONE) {
		end_game(g, e, outcome_value(&s->board, e));
		return false;
	}
	search_advance(&s->search, choice);
	return true;
}

/* Brings a slot to where it has questions. Returns -1 when writing fails. */
static int
advance_slot(struct slot *s)
{
	while (s->active) {
		bool late = movetime > 0 && clock_seconds() >= s->deadline &&
		    s->search.tree.nodes[0].visits > 1;
		if (!late && pool_ask(&pool, &s->search) > 0)
			return 0;
		if (late)
			search_stop(&s->search);
		if (play_move(s)) {
			begin_move(s);
			continue;
		}
		if (finish_game(s) == -1)
			return -1;
		begin_game(s);
	}
	return 0;
}

/* One round: all slots ask, the net answers, all are told. */
static int
play_round(struct slot *slot)
{
	char reason[NET_REASON_MAX];
	int active = 0;

	for (int i = 0; i < slots; i++) {
		if (advance_slot(&slot[i]) == -1)
			return -1;
		active += slot[i].active;
	}
	if (pool_answer(&pool, reason) == -1) {
		zout_abandon(out);
		errx(EXIT_LOST, "--net %s: %s", net_spec, reason);
	}
	return active;
}

static void
play_games(void)
{
	struct slot *slot = calloc((size_t)slots, sizeof(*slot));

	if (slot == NULL)
		err(EXIT_LOST, NULL);
	for (int i = 0; i < slots; i++) {
		game_init(&slot[i].game);
		search_init(&slot[i].search, &search_options);
		begin_game(&slot[i]);
	}
	while (play_round(slot) > 0)
		continue;
	for (int i = 0; i < slots; i++) {
		game_release(&slot[i].game);
		search_release(&slot[i].search);
		text_release(&slot[i].data);
	}
	free(slot);
}

/* ---- resuming ---- */

/* Why a game cannot be of this run; NULL when it can. */
static const char *
find_difference(const struct game *g)
{
	uint64_t told;

	if (!rules_equal(&g->rules, &rules))
		return "this game is of another rule set";
	if (strcmp(game_text(g, g->net), net->hash) != 0)
		return "this game is of another net";
	if (!number_read_u64(game_text(g, g->seed), &told) || told != seed)
		return "this game is of another seed";
	if (g->sims != (movetime > 0 ? -1 : search_options.sims))
		return "this game has another number of simulations";
	return NULL;
}

/* Reads the game of a line and says whether it is the one to come (true) or
 * one that is there already. Any other ends the program. */
static bool
is_next(struct game *g, const char *path, uint64_t line, const char *s, size_t n)
{
	struct game_options o = { .rules = &rules };
	char reason[GAME_REASON_MAX];
	const char *why = reason;
	uint64_t id = 0;

	if (game_read_json(g, &o, s, n, reason) == 0 &&
	    (why = find_difference(g)) == NULL &&
	    (!number_read_u64(game_text(g, g->id), &id) || id < first ||
	    id > next_written))
		why = "this game is not the one that follows";
	if (why != NULL)
		errx(EXIT_LOST, "%s:%" PRIu64 ": %s; --resume leaves the file "
		    "as it is", path, line, why);
	return id == next_written;
}

/* Takes over the games that a file has whole, to a stream if there is one. A
 * last line without an end is what a kill left of a game. */
static void
take_over(const char *path, struct zout *to)
{
	struct input in;
	struct game g;
	const char *s;
	size_t n;

	if (input_open(&in, path) == -1) {
		if (errno == ENOENT)
			return;
		err(EXIT_LOST, "%s", path);
	}
	game_init(&g);
	while (next_written < first + games && input_line(&in, &s, &n) == 1 &&
	    s + n < in.end) {
		if (!is_next(&g, path, input_line_number(&in, s), s, n))
			continue;
		if (to != NULL && (zout_write(to, s, n) == -1 ||
		    zout_write(to, "\n", 1) == -1))
			err(EXIT_LOST, "%s", cli.output);
		next_written++;
	}
	game_release(&g);
	input_close(&in);
}

/* Not a plain file: a pipe, a device. */
static bool
is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static bool
ends_in_zst(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && strcmp(path + n - 4, ".zst") == 0;
}

/* Two runs on one file would take each other's FILE.part away. The lock goes
 * with the process, however it ends; its file is removed at the end. */
static struct text lock_file;

static void
lock_output(void)
{
	text_add_format(&lock_file, "%s.lock", cli.output);
	int fd = open(lock_file.s, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd == -1)
		err(EXIT_LOST, "%s", lock_file.s);
	if (flock(fd, LOCK_EX | LOCK_NB) == -1)
		errx(EXIT_LOST, "%s is being written by another selfplay",
		    cli.output);
}

/*
 * A run that can be resumed writes FILE.part as it goes, and FILE is what that
 * becomes in the end. What a killed run left is copied to a new FILE.part
 * under another name first, so that a kill during that loses nothing either.
 * Returns false when FILE has all games already.
 */
static bool
open_resumable(struct text *part)
{
	struct text new = { 0 };

	take_over(cli.output, NULL);
	if (next_written == first + games && access(cli.output, F_OK) == 0)
		return false;
	lock_output();
	text_add_format(part, "%s.part", cli.output);
	take_over(part->s, NULL);	/* before anything is written */
	next_written = first;
	text_add_format(&new, "%s.new", cli.output);
	out = zout_create(new.s, cli.compress || ends_in_zst(cli.output));
	if (out == NULL)
		err(EXIT_LOST, "%s", new.s);
	take_over(cli.output, out);
	take_over(part->s, out);
	if (zout_flush(out) == -1 || rename(new.s, part->s) == -1)
		err(EXIT_LOST, "%s", part->s);
	next_game = next_written;
	text_release(&new);
	return true;
}

static int
finish(const struct text *part)
{
	if (resume)
		unlink(lock_file.s);
	text_release(&lock_file);
	if (zout_close(out) == -1) {
		warn("%s", cli.output != NULL ? cli.output : "standard output");
		return EXIT_LOST;
	}
	if (resume && rename(part->s, cli.output) == -1) {
		warn("%s", cli.output);
		return EXIT_LOST;
	}
	return EXIT_DONE;
}

/* ---- the command line ---- */

static struct net_options net_options;
static size_t cache_size = 64;

static void
read_option(int c)
{
	switch (c) {
	case 'a':
		search_options.noise = cli_real(&cli, "--noise", optarg, 0, 1000);
		break;
	case 'B':
		batch = (int)cli_number(&cli, "--batch", optarg, 1, 256);
		break;
	case 'e':
		sample_plies = (int)cli_number(&cli, "--sample-plies", optarg, 0,
		    10000);
		break;
	case 'f':
		first = (uint64_t)cli_number(&cli, "--first", optarg, 0, INT64_MAX / 2);
		break;
	case 'G':
		search_options.gumbel = true;
		break;
	case 'g':
		games = (uint64_t)cli_number(&cli, "--games", optarg, 0, INT64_MAX / 2);
		break;
	case 'H':
		cache_size = (size_t)cli_number(&cli, "--cache", optarg, 0, 1 << 20);
		break;
	case 'J':
		slots = (int)cli_number(&cli, "--slots", optarg, 1, 4096);
		break;
	case 'k':
		search_options.async = (int)cli_number(&cli, "--async", optarg, 1,
		    SEARCH_ASYNC_MAX);
		break;
	case 'm':
		search_options.candidates = (int)cli_number(&cli, "--candidates",
		    optarg, 1, 512);
		break;
	case 'N':
		net_spec = optarg;
		break;
	case 'O':
		openings_file = optarg;
		break;
	case 'R':
		resume = true;
		break;
	case 's':
		seed = cli_seed(&cli, optarg);
		break;
	case 'T':
		movetime = cli_real(&cli, "--movetime", optarg, 0.001, 1e6);
		break;
	case 'v':
		search_options.sims = (int)cli_number(&cli, "--sims", optarg, 1,
		    100000000);
		break;
	case 'w':
		resign = cli_real(&cli, "--resign", optarg, -1, 1);
		break;
	case 'X':
		search_data = true;
		break;
	case 'Y':
		net_options.provider = optarg;
		break;
	default:
		cli_option(&cli, c);
	}
}

static void
check_options(int argc)
{
	char reason[NET_REASON_MAX];

	if (optind < argc)
		cli_usage_error(&cli, "no files are read");
	if (rulespec_read(&rules, cli.rules != NULL ? cli.rules : "classical",
	    reason) == -1)
		cli_usage_error(&cli, "--rules: %s", reason);
	if (search_options.gumbel && search_options.async > 1)
		cli_usage_error(&cli, "--gumbel and --async exclude each other");
	if (search_options.gumbel && movetime > 0)
		cli_usage_error(&cli, "--gumbel goes with --sims, not with "
		    "--movetime");
	if (resume && (cli.output == NULL || strcmp(cli.output, "-") == 0 ||
	    is_special(cli.output)))
		cli_usage_error(&cli, "--resume goes with --output and a plain "
		    "file");
	if (movetime > 0)
		search_options.sims = 0;
	if (slots == 0)
		slots = 2 * batch;
	if ((uint64_t)slots > games)
		slots = games > 0 ? (int)games : 1;
	net = net_open(net_spec, &net_options, reason);
	if (net == NULL)
		errx(EXIT_USAGE, "--net %s: %s", net_spec, reason);
	if (openings_file != NULL)
		openings_read(&openings, &cli, &rules, openings_file);
}

static void
play(void)
{
	pool_init(&pool, net, batch, cache_size);
	inorder_start(&written, out, next_written);
	progress_start(&progress, progress_text, first + games - next_game,
	    cli.progress, cli.quiet);
	play_games();
	progress_end(&progress);
	if (cli.progress)
		fprintf(stderr, "%" PRIu64 " positions evaluated, %.0f/s, "
		    "%" PRIu64 " more from the cache\n", pool.evaluated,
		    (double)pool.evaluated / (clock_seconds() - progress.started),
		    pool.cache.hits);
	pool_release(&pool);
	inorder_release(&written);
}

int
main(int argc, char *argv[])
{
	struct text part = { 0 };
	int c;

	cli_start(&cli, synopsis, help);
	search_options = search_defaults;
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT
	    "a:B:e:f:Gg:H:J:k:m:N:O:pqRr:s:T:v:w:XY:", options, NULL)) != -1)
		read_option(c);
	check_options(argc);
	next_game = next_written = first;
	int status = EXIT_DONE;
	if (!resume)
		out = cli_open_output(&cli);
	if (!resume || open_resumable(&part)) {
		play();
		status = finish(&part);
	}
	net_close(net);
	openings_release(&openings);
	text_release(&part);
	return status;
}
