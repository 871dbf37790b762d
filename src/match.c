/*
 * match: two players play games against each other, in pairs that begin alike
 * with colours reversed; who is stronger, and how sure is it? Many games are
 * under way at once, so that a net is asked about many positions at a time.
 */
#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/inorder.h"
#include "base/progress.h"
#include "base/table.h"
#include "data/openings.h"
#include "data/rulespec.h"
#include "data/variant.h"
#include "search/player.h"
#include "stats/elo.h"

static const char synopsis[] =
    "[-GpqtVz] [-B batch] [-f first] [-g games] [-H MiB] [-J slots]\n"
    "             [-k searches] [-l level] [-m moves] [-O file] [-o file] [-r rules]\n"
    "             [-s seed] [-T seconds] [-v visits] [-Y provider] [option ...]\n"
    "             player player";
static const char help[] =
    "Plays games between two players, each opening twice with colours reversed,\n"
    "and writes the score and Elo of the first, a, with their errors. A player is\n"
    "an ONNX file, material, uniform, random, greedy, or uci:COMMAND.\n"
    "\n"
    "  -B, --batch N        positions that a net is asked about at once (default 32)\n"
    "  -f, --first K        number of the first game, even (default 0)\n"
    "  -G, --gumbel         Gumbel search, for few simulations\n"
    "  -g, --games N        how many games, even (default 100)\n"
    "  -H, --cache MIB      memory for what each net has said (default 64)\n"
    "  -h, --help           show this help\n"
    "  -J, --slots N        games under way at once (default: twice the batch; 8 with uci:)\n"
    "  -k, --async K        K searches in flight for each move (default 1)\n"
    "  -l, --level P        level of the confidence intervals (default 0.95)\n"
    "  -m, --candidates N   moves that Gumbel search looks at (default 16)\n"
    "  -O, --openings FILE  begin with these: PGN, JSONL, or FEN lines; pair k with the k-th\n"
    "  -o, --output FILE    write to FILE (compressed if it ends in .zst)\n"
    "  -p, --progress       show progress even when not on a terminal\n"
    "  -q, --quiet          show no progress\n"
    "  -r, --rules SPEC     preset, sum of presets, or JSON file (default classical)\n"
    "  -s, --seed N         seed (default 0)\n"
    "  -T, --movetime S     think S seconds a move instead of --sims; S,S for each player\n"
    "  -t, --tsv            write TSV instead of JSONL\n"
    "  -V, --version        show the version\n"
    "  -v, --sims N         visits or UCI nodes a move; N,N for each player (default 800)\n"
    "  -Y, --provider NAME  execution provider of ONNX Runtime (cpu, cuda, …)\n"
    "  -z, --compress       compress the output with zstd\n"
    "      --archive FILE   write the games to FILE, too (-: standard output, no score)\n"
    "      --option-a NAME=VALUE  UCI option of player a; as often as needed\n"
    "      --option-b NAME=VALUE  the same for player b\n"
    "      --random-plies N begin with N random plies (default 6; with --openings 0)\n"
    "      --timeout S      give up a UCI engine that is silent so long (default 60)\n";

enum {
	OPTION_A = 256, OPTION_ARCHIVE, OPTION_B, OPTION_RANDOM_PLIES,
	OPTION_TIMEOUT
};

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	CLI_LONG_TABLE,
	{ "archive", required_argument, NULL, OPTION_ARCHIVE },
	{ "async", required_argument, NULL, 'k' },
	{ "batch", required_argument, NULL, 'B' },
	{ "cache", required_argument, NULL, 'H' },
	{ "candidates", required_argument, NULL, 'm' },
	{ "first", required_argument, NULL, 'f' },
	{ "games", required_argument, NULL, 'g' },
	{ "gumbel", no_argument, NULL, 'G' },
	{ "level", required_argument, NULL, 'l' },
	{ "movetime", required_argument, NULL, 'T' },
	{ "openings", required_argument, NULL, 'O' },
	{ "option-a", required_argument, NULL, OPTION_A },
	{ "option-b", required_argument, NULL, OPTION_B },
	{ "progress", no_argument, NULL, 'p' },
	{ "provider", required_argument, NULL, 'Y' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "random-plies", required_argument, NULL, OPTION_RANDOM_PLIES },
	{ "rules", required_argument, NULL, 'r' },
	{ "seed", required_argument, NULL, 's' },
	{ "sims", required_argument, NULL, 'v' },
	{ "slots", required_argument, NULL, 'J' },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ NULL, 0, NULL, 0 }
};

/* A game under way. */
struct slot {
	bool active;
	uint64_t index;
	struct game game;
	struct board board;
	struct rng rng;
	struct seat seats[2];	/* of a and b */
};

enum { ENGINE_SLOTS = 8 };	/* by default, when an engine plays */

/* A pair of which one game is over; at most as many as slots. */
struct half {
	uint64_t pair;
	int points;		/* of a, in halves */
};

static struct cli cli;
static struct player players[2];	/* a, whose score it is, and b */
static struct text names[2];
static struct slot *slot;
static struct rules rules;
static struct openings openings;
static struct search_options search_options;
static struct net_options net_options;
static struct progress progress;
static char progress_text[80] = "games";
static struct zout *out, *archive;
static struct inorder archived;
static const char *archive_file, *openings_file;
static int batch = 32, slots, random_plies = -1;
static uint64_t seed, first, games = 100, next_game;
static double level = 0.95, timeout = 60;
static size_t cache_size = 64;
static struct half *halves;
static int nhalves;
static uint64_t results[3];	/* games that a lost, drew, won: of whole pairs */
static uint64_t pairs[ELO_PAIR_SCORES];

/* ---- the beginning and the end of a game ---- */

/* Who is to move, 0 or 1: a has White in games of even numbers. */
static int
to_move(const struct slot *s)
{
	return (int)(s->index & 1) ^ (s->board.side == BLACK);
}

/* Says what is wrong with a player. */
static int
fail_player(const struct slot *s, int who, const char *reason)
{
	cli_warn(&cli, players[who].spec, 0, "game %" PRIu64 ", ply %d: %s",
	    s->index, s->game.line.plies, reason);
	return -1;
}

/* Begins the next game in a slot, if there is one left. The opening is that of
 * its pair, from random numbers that games do not use. */
static int
begin_game(struct slot *s)
{
	char reason[PLAYER_REASON_MAX];
	struct rng rng;

	s->active = next_game < first + games;
	if (!s->active)
		return 0;
	s->index = next_game++;
	rng_init(&s->rng, seed, s->index);
	rng_init(&rng, seed, s->index / 2 | 1ULL << 63);
	openings_sample(&openings, s->index / 2, &rules, random_plies, &rng,
	    &s->game, &s->board);
	for (int i = 0; i < 2; i++)
		if (seat_begin(&s->seats[i], reason) == -1)
			return fail_player(s, i, reason);
	return 0;
}

/* Counts a game once its pair is whole. */
static void
count_game(uint64_t index, int points)
{
	for (int i = 0; i < nhalves; i++) {
		if (halves[i].pair != index / 2)
			continue;
		results[points]++;
		results[halves[i].points]++;
		pairs[points + halves[i].points]++;
		halves[i] = halves[--nhalves];
		return;
	}
	halves[nhalves++] = (struct half){ index / 2, points };
}

static void
show_progress(void)
{
	double n = (double)(results[0] + results[1] + results[2]);
	uint64_t evaluated = 0;

	for (int i = 0; i < 2; i++)
		if (players[i].pool != NULL && !players[i].shares)
			evaluated += players[i].pool->evaluated;
	snprintf(progress_text, sizeof(progress_text),
	    "games (score %.3f, %.0f positions/s)", n == 0 ? 0.5 :
	    ((double)results[2] + (double)results[1] / 2) / n,
	    (double)evaluated / (clock_seconds() - progress.started + 1e-9));
	progress_add(&progress, 1);
}

static struct span
keep_number(struct game *g, uint64_t v)
{
	char number[24];
	int n = snprintf(number, sizeof(number), "%" PRIu64, v);

	return game_keep(g, number, (size_t)n);
}

static int
write_game(struct slot *s)
{
	struct game *g = &s->game;
	const struct text *white = &names[s->index & 1];
	const struct text *black = &names[~s->index & 1];
	struct text line = { 0 };

	if (archive == NULL)
		return 0;
	g->id = keep_number(g, s->index);
	g->seed = keep_number(g, seed);
	g->white = game_keep_foreign(g, white->s, white->len);
	g->black = game_keep_foreign(g, black->s, black->len);
	game_write_json(g, &line);
	return inorder_add(&archived, s->index, &line);
}

static int
finish_game(struct slot *s, enum end e)
{
	struct game *g = &s->game;
	int winner = outcome_winner(&s->board, e);

	g->end = e;
	game_set_value(g, outcome_value(&s->board, e));
	count_game(s->index, (s->index & 1) == 0 ? 1 + winner : 1 - winner);
	show_progress();
	return write_game(s);
}

/* ---- moves ---- */

/* The player to move finds a move, 1, or has to wait, 0. */
static int
find_move(struct slot *s, move *m)
{
	char reason[PLAYER_REASON_MAX];
	int who = to_move(s);
	struct seat_view v = { s->game.usual_start ? NULL : &s->game.start,
	    &s->board, &s->game.line, &s->rng };
	int found = seat_find_move(&s->seats[who], &v, m, reason);

	return found == -1 ? fail_player(s, who, reason) : found;
}

static enum end
play_move(struct slot *s, move m)
{
	struct line *l = &s->game.line;

	seat_follow(&s->seats[0], m);
	seat_follow(&s->seats[1], m);
	game_grow(&s->game);
	line_add(l, &s->board, m);
	return outcome_find(&s->board, l->keys, l->plies);
}

/* Brings a slot to where it waits for somebody, 0, or to the beginning of its
 * next game, 1: all slots go on at the same pace, or one would play all games
 * of those who never wait. -1 when something fails. */
static int
advance_slot(struct slot *s)
{
	enum end e = END_NONE;
	move m;

	while (s->active && e == END_NONE) {
		int found = find_move(s, &m);
		if (found != 1)
			return found;
		e = play_move(s, m);
	}
	if (!s->active)
		return 0;
	return finish_game(s, e) == -1 || begin_game(s) == -1 ? -1 : 1;
}

/* Nobody asks a net: waits until an engine has something to say. */
static void
wait_for_engines(void)
{
	struct engine **thinking = calloc((size_t)slots, sizeof(*thinking));
	int n = 0;

	if (thinking == NULL)
		err(EXIT_LOST, NULL);
	for (int i = 0; i < slots; i++)
		if (slot[i].active)
			thinking[n++] = &slot[i].seats[to_move(&slot[i])].engine;
	engine_wait(thinking, n);
	free(thinking);
}

/* One round: all slots ask, the nets answer, all are told. Returns how many
 * games are under way, -1 when something has failed. */
static int
play_round(void)
{
	char reason[NET_REASON_MAX];
	int active = 0, asked = 0, begun = 0;

	for (int i = 0; i < slots; i++) {
		int went = advance_slot(&slot[i]);
		if (went == -1)
			return -1;	/* writing tells why when it ends */
		begun += went;
		active += slot[i].active;
	}
	for (int i = 0; i < 2; i++) {
		struct pool *pool = players[i].pool;
		if (pool == NULL)
			continue;
		asked += pool->nqueries;
		if (pool_answer(pool, reason) == -1) {
			cli_warn(&cli, players[i].spec, 0, "%s", reason);
			return -1;
		}
	}
	if (active > 0 && asked == 0 && begun == 0)
		wait_for_engines();
	return active;
}

static void
play_games(void)
{
	for (int i = 0; i < slots; i++)
		if (begin_game(&slot[i]) == -1)
			return;
	while (play_round() > 0)
		continue;
}

/* ---- the score ---- */

/* Nothing is written for what a player does not have. */
static void
add_limits(struct table *t)
{
	bool timed[2], counted[2];

	for (int i = 0; i < 2; i++) {
		bool thinks = player_thinks(&players[i]);
		timed[i] = thinks && players[i].movetime > 0;
		counted[i] = thinks && !timed[i];
	}
	table_number(t, "sims_a", counted[0] ? (double)players[0].sims : NAN);
	table_number(t, "sims_b", counted[1] ? (double)players[1].sims : NAN);
	table_number(t, "movetime_a", timed[0] ? players[0].movetime : NAN);
	table_number(t, "movetime_b", timed[1] ? players[1].movetime : NAN);
}

static void
add_pairs(struct table *t)
{
	struct text json = { 0 };

	for (int i = 0; i < ELO_PAIR_SCORES; i++)
		text_add_format(&json, "%c%" PRIu64, i == 0 ? '[' : ',',
		    pairs[i]);
	text_add_char(&json, ']');
	table_json(t, "pentanomial", json.s);
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
	table_number(&t, "score", e.score);
	table_number(&t, "score_lo", e.score_lo);
	table_number(&t, "score_hi", e.score_hi);
	table_number(&t, "elo", e.elo);
	table_number(&t, "elo_lo", e.elo_lo);
	table_number(&t, "elo_hi", e.elo_hi);
	table_number(&t, "elo_se", e.elo_se);
	table_count(&t, "pairs", n / 2);
	add_limits(&t);
	table_number(&t, "score_se", e.score_se);
	add_pairs(&t);
	table_string(&t, "id_a", players[0].identity);
	table_string(&t, "id_b", players[1].identity);
	table_end_row(&t);
	table_release(&t);
}

/* ---- engines and the rules ---- */

/* Chess needs no words. For other rules UCI_Variant is the common way, and the
 * option Rules is that of uci(1). */
static int
tell_rules(struct engine *e, char *reason)
{
	const char *told = engine_option(e, "UCI_Variant");
	char text[RULES_TEXT_MAX];
	struct rules classical;

	rules_init(&classical);
	if (rules_equal(&rules, &classical))
		return 0;
	if (variant_find(&rules, told, true, text))
		return engine_set(e, "UCI_Variant", text, reason);
	if (engine_option(e, "Rules") != NULL) {
		rules_print(&rules, text);
		return engine_set(e, "Rules", text, reason);
	}
	if (variant_plays_alike(&classical, &rules))
		return 0;
	if (variant_find(&rules, told, false, text))
		return engine_set(e, "UCI_Variant", text, reason);
	snprintf(reason, PLAYER_REASON_MAX, "the engine does not play these "
	    "rules");
	return -1;
}

/* ---- the command line ---- */

/* "N", or "N,N" for each player: cuts the argument in two. */
static void
cut_argument(char *arg, const char *each[2])
{
	char *comma = strchr(arg, ',');

	each[0] = each[1] = arg;
	if (comma != NULL) {
		*comma = '\0';
		each[1] = comma + 1;
	}
}

static void
read_limits(int c, char *arg)
{
	const char *each[2];

	cut_argument(arg, each);
	for (int i = 0; i < 2; i++)
		if (c == 'T')
			players[i].movetime = cli_real(&cli, "--movetime",
			    each[i], 0, 1e6);
		else
			players[i].sims = (int)cli_number(&cli, "--sims",
			    each[i], 1, 100000000);
}

static uint64_t
read_even(const char *option)
{
	int64_t n = cli_number(&cli, option, optarg, 0, INT64_MAX / 2);

	if (n % 2 != 0)
		cli_usage_error(&cli, "%s takes an even number: games come in "
		    "pairs", option);
	return (uint64_t)n;
}

static void
add_setting(struct player *p, const char *setting)
{
	if (setting[0] == '\0' || setting[0] == '=' ||
	    strpbrk(setting, "\r\n") != NULL)
		cli_usage_error(&cli, "a UCI option is NAME=VALUE, not '%s'",
		    setting);
	if (p->nsettings == PLAYER_SETTINGS_MAX)
		cli_usage_error(&cli, "more than %d UCI options",
		    PLAYER_SETTINGS_MAX);
	p->settings[p->nsettings++] = setting;
}

static void
read_option(int c)
{
	switch (c) {
	case OPTION_ARCHIVE:
		archive_file = optarg;
		break;
	case 'B':
		batch = (int)cli_number(&cli, "--batch", optarg, 1, 256);
		break;
	case 'f':
		first = read_even("--first");
		break;
	case 'G':
		search_options.gumbel = true;
		break;
	case 'g':
		games = read_even("--games");
		break;
	case 'H':
		cache_size = (size_t)cli_number(&cli, "--cache", optarg, 0, 1 << 20);
		break;
	case OPTION_RANDOM_PLIES:
		random_plies = (int)cli_number(&cli, "--random-plies", optarg,
		    0, 200);
		break;
	case 'J':
		slots = (int)cli_number(&cli, "--slots", optarg, 1, 4096);
		break;
	case 'k':
		search_options.async = (int)cli_number(&cli, "--async", optarg, 1,
		    SEARCH_ASYNC_MAX);
		break;
	case 'l':
		level = cli_real(&cli, "--level", optarg, 1e-6, 1 - 1e-6);
		break;
	case 'm':
		search_options.candidates = (int)cli_number(&cli, "--candidates",
		    optarg, 1, 512);
		break;
	case 'O':
		openings_file = optarg;
		break;
	case 's':
		seed = cli_seed(&cli, optarg);
		break;
	case 'T':
	case 'v':
		read_limits(c, optarg);
		break;
	case OPTION_A:
	case OPTION_B:
		add_setting(&players[c == OPTION_B], optarg);
		break;
	case OPTION_TIMEOUT:
		timeout = cli_real(&cli, "--timeout", optarg, 0.01, 1e6);
		break;
	case 'Y':
		net_options.provider = optarg;
		break;
	default:
		cli_option(&cli, c);
	}
}

static void
open_players(char *specs[2])
{
	char reason[PLAYER_REASON_MAX];
	bool same = strcmp(specs[0], specs[1]) == 0;

	for (int i = 0; i < 2; i++) {
		struct player *p = &players[i];
		p->spec = specs[i];
		p->search = search_options;
		p->timeout = timeout;
		p->tell_rules = tell_rules;
		if (player_open(p, i == 0 ? NULL : &players[0], &net_options,
		    batch, cache_size, reason) == -1)
			errx(EXIT_USAGE, "%s: %s", p->spec, reason);
		if (p->nsettings > 0 && p->kind != PLAYER_ENGINE)
			cli_usage_error(&cli, "%s has no UCI options", p->spec);
		/* a game must tell who is who */
		text_add_format(&names[i], "%s%s", specs[i], !same ? "" :
		    i == 0 ? " (a)" : " (b)");
	}
}

/* The games that can be under way at once; each has its own engines. */
static void
open_slots(void)
{
	char reason[PLAYER_REASON_MAX];

	if (slots == 0)
		slots = players[0].kind == PLAYER_ENGINE ||
		    players[1].kind == PLAYER_ENGINE ? ENGINE_SLOTS : 2 * batch;
	if ((uint64_t)slots > games)
		slots = games > 0 ? (int)games : 1;
	slot = calloc((size_t)slots, sizeof(*slot));
	halves = calloc((size_t)slots, sizeof(*halves));
	if (slot == NULL || halves == NULL)
		err(EXIT_LOST, NULL);
	for (int i = 0; i < slots; i++) {
		game_init(&slot[i].game);
		for (int j = 0; j < 2; j++)
			if (seat_init(&slot[i].seats[j], &players[j],
			    reason) == -1)
				errx(EXIT_USAGE, "%s: %s", players[j].spec,
				    reason);
	}
}

static void
close_all(void)
{
	for (int i = 0; i < slots; i++) {
		seat_dismiss(&slot[i].seats[0]);
		seat_dismiss(&slot[i].seats[1]);
	}
	for (int i = 0; i < slots; i++) {
		game_release(&slot[i].game);
		seat_release(&slot[i].seats[0]);
		seat_release(&slot[i].seats[1]);
	}
	free(slot);
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
check_options(int argc, char *argv[])
{
	char reason[RULES_REASON_MAX];

	if (argc - optind != 2)
		cli_usage_error(&cli, "two players are needed");
	if (rulespec_read(&rules, cli.rules != NULL ? cli.rules : "classical",
	    reason) == -1)
		cli_usage_error(&cli, "--rules: %s", reason);
	if (search_options.gumbel && search_options.async > 1)
		cli_usage_error(&cli, "--gumbel and --async exclude each other");
	if (search_options.gumbel && players[0].movetime + players[1].movetime > 0)
		cli_usage_error(&cli, "--gumbel goes with --sims, not with "
		    "--movetime");
	if (archive_file != NULL && strcmp(archive_file, "-") == 0 &&
	    cli.output != NULL && is_stdout(cli.output))
		cli_usage_error(&cli, "--archive and --output cannot both be "
		    "standard output");
	open_players(argv + optind);
	if (openings_file != NULL)
		openings_read(&openings, &cli, &rules, openings_file);
	if (random_plies == -1)
		random_plies = openings_file != NULL ? 0 : 6;
}

/* Games on standard output leave no place for the score, unless it has a file
 * of its own. */
static void
open_outputs(void)
{
	if (archive_file == NULL || !is_stdout(archive_file) ||
	    !is_stdout(cli.output))
		out = cli_open_output(&cli);
	if (archive_file == NULL)
		return;
	archive = zout_open(archive_file, cli.compress);
	if (archive == NULL) {
		warn("%s", archive_file);
		zout_abandon(out);
		exit(EXIT_LOST);
	}
	inorder_start(&archived, archive, first);
}

/* Games that are over are kept even when not all could be played. */
static void
close_archive(void)
{
	if (archive == NULL)
		return;
	inorder_drain(&archived);
	inorder_release(&archived);
	if (zout_close(archive) == -1) {
		warn("%s", is_stdout(archive_file) ? "standard output" :
		    archive_file);
		cli.status = EXIT_LOST;
	}
}

int
main(int argc, char *argv[])
{
	int c;

	cli_start(&cli, synopsis, help);
	search_options = search_defaults;
	players[0].sims = players[1].sims = search_options.sims;
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_TABLE
	    "B:f:Gg:H:J:k:l:m:O:pqr:s:T:v:Y:", options, NULL)) != -1)
		read_option(c);
	check_options(argc, argv);
	open_slots();
	open_outputs();
	next_game = first;
	progress_start(&progress, progress_text, games, cli.progress, cli.quiet);
	play_games();
	progress_end(&progress);
	close_archive();
	if (out != NULL) {
		write_score();
		cli_finish(&cli, out);
	}
	close_all();
	return cli.status;
}
