/*
 * priorwalk: samples lines from a net's prior, without search or as a search changes it,
 * and scores lines by another prior, perhaps under other rules.
 *
 * The net evaluates each position once, and many at a time. Neither this nor
 * the way lines are spread over jobs changes a line.
 */
#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "data/lines.h"
#include "data/rulespec.h"
#include "net/walk.h"
#include "play/options.h"
#include "play/player.h"
#include "play/searched.h"

static const char synopsis[] =
    "[-pqVz] [-A start] [-B batch] [-f first] [-H MiB] [-I lines]\n"
    "                 [-N net] [-o file] [-r rules] [-s seed] [-U plies]\n"
    "                 [-v sims] [-Y provider] [--search kind] [--temperature T]\n"
    "       priorwalk -u [-pqVz] [-A start] [-B batch] [-H MiB] [-N net] [-o file]\n"
    "                 [-r rules] [-U plies] [-v sims] [-Y provider]\n"
    "                 [--search kind] [--temperature T]\n"
    "       priorwalk -Q net [-pqSVz] [-B batch] [-H MiB] [-N net] [-o file]\n"
    "                 [-r rules] [-Y provider] [--temperature T] [file ...]";
static const char help[] =
    "Draws lines from a net's prior and writes them as JSONL; with --score reads\n"
    "lines and adds their probabilities under another prior.\n";

enum {
	TOGETHER_PLIES = 1 << 20, /* of lines that advance together */
	ALL_LINES_MAX = 2000000,  /* of --all */
	SCORED_TOGETHER = 256
};

static struct cli cli;
static struct rules rules;
static struct net *net, *q_net;
static struct thinking thinking; /* nets and their options */
static struct priors priors, q_priors;
static struct priors *of_q; /* one of them: p and q may share a net */
static struct progress progress;
static struct zout *out;
static struct board start;
static bool usual_start = true, all;
static int plies = 20;
static uint64_t seed, first, nlines = 10000, cache_size = 512;
static double search_temperature;
static const char *net_spec, *score_spec, *start_text;

static const struct cli_option options[] = {
	CLI_TEXT('A', "start", "START", &start_text,
	    "FEN, or moves such as '1. e4' or 'e2e4 e7e5'"),
	CLI_OTHER('B', "batch", "N",
	    "positions that the net evaluates at once (default 32)"),
	CLI_COUNT('f', "first", "K", &first, 0, INT64_MAX / 2,
	    "number of the first line (default 0)"),
	CLI_COUNT('H', "cache", "MIB", &cache_size, 0, 30000,
	    "size of the evaluation cache (default 512)"),
	CLI_HELP,
	CLI_COUNT('I', "lines", "N", &nlines, 0, INT64_MAX / 2,
	    "how many lines (default 10000)"),
	CLI_OTHER('N', "net", "FILE",
	    "ONNX file, default, prior (the default), uniform, or\n"
	    "material; with --score the net of the lines (default:\n"
	    "that of --score)"),
	CLI_OUTPUT_ZST,
	CLI_PROGRESS,
	CLI_TEXT('Q', "score", "FILE", &score_spec,
	    "read lines and score them by this net and --rules"),
	CLI_QUIET(" and no count of bad lines"),
	CLI_RULES_PLAYED,
	CLI_STRICT("line"),
	CLI_SEED(&seed, "seed (default 0)"),
	CLI_INTEGER('U', "plies", "T", &plies, 1, OPENING_PLIES_MAX,
	    "plies of a line (default 20)"),
	CLI_FLAG('u', "all", &all, "list all possible lines, with their probabilities"),
	CLI_VERSION,
	CLI_OTHER('v', "sims", "N",
	    "take what a search of N visits or nodes chooses, not the net's\n"
	    "prior: shares of visits, or the weights by which selfplay draws\n"
	    "moves of alpha-beta"),
	OPTION_PROVIDER,
	CLI_COMPRESS,
	OPTION_SEARCH(""),
	CLI_OTHER(0, "temperature", "T",
	    "above 1 flattens the prior, below 1 sharpens it (default 1); of\n"
	    "alpha-beta's weights, in expected score (default 0.02)"),
	CLI_END,
};

__attribute__((noreturn)) static void
end_for_net(const struct priors *p)
{
	zout_abandon(out);
	errx(EXIT_LOST, "%s: %s", p->net == net ? "--net" : "--score", p->reason);
}

/* ---- sampling ---- */

/* Fills in a sampled line for writing. */
static void
fill_opening(struct opening *o, const struct walk *w, size_t i)
{
	const struct walker *l = &w->walkers[i];
	size_t at = i * (size_t)w->plies, n = (size_t)l->plies;

	o->game.line.plies = l->plies;
	memcpy(o->game.line.moves, w->moves + at, n * sizeof(*w->moves));
	memcpy(o->logp, w->logp + at, n * sizeof(*o->logp));
	memcpy(o->h, w->h + at, n * sizeof(*o->h));
	memcpy(o->ahead, w->ahead + at, n * sizeof(*o->ahead));
	o->guessed = !all;
	o->weight = all ? l->weight : 0;
	o->game.end = walk_end(w, i);
}

static int
write_walk(struct opening *o, const struct walk *w)
{
	static struct text text;

	for (size_t i = 0; i < w->n; i++) {
		fill_opening(o, w, i);
		opening_write_json(o, &text);
		if (text.len < 1 << 16 && i + 1 < w->n)
			continue;
		if (zout_write(out, text.s, text.len) == -1)
			return -1;
		text_clear(&text);
	}
	progress_add(&progress, w->n);
	return 0;
}

static void
start_opening(struct opening *o)
{
	opening_init(o);
	game_set_rules(&o->game, &rules);
	o->game.start = start;
	o->game.usual_start = usual_start;
	o->game.net = game_keep(&o->game, net->hash, strlen(net->hash));
	game_grow(&o->game); /* room for OPENING_PLIES_MAX, and more */
}

static void
list_lines(struct opening *o)
{
	struct walk w;
	int got = 0;

	walk_init(&w, &priors, &start, plies, 1);
	walk_begin(&w, 1, 0, 0);
	for (int t = 0; t < plies && got == 0; t++)
		got = walk_branch(&w, ALL_LINES_MAX);
	if (got == -1)
		end_for_net(&priors);
	if (got == 1) {
		zout_abandon(out);
		errx(EXIT_USAGE, "--all: there are more than %d lines", ALL_LINES_MAX);
	}
	write_walk(o, &w);
	walk_release(&w);
}

static void
draw_lines(struct opening *o)
{
	struct walk w;
	uint64_t most = TOGETHER_PLIES / (uint64_t)plies, done = 0;

	walk_init(&w, &priors, &start, plies, (size_t)(nlines < most ? nlines : most));
	while (done < nlines) {
		walk_begin(&w, (size_t)(nlines - done < most ? nlines - done : most),
		    seed, first + done);
		for (int t = 0; t < plies; t++)
			if (walk_forward(&w) == -1)
				end_for_net(&priors);
		done += w.n;
		if (write_walk(o, &w) == -1)
			break;
	}
	walk_release(&w);
}

static void
walk(void)
{
	struct opening o;

	start_opening(&o);
	progress_start(&progress, "lines", all ? 0 : nlines, cli.progress, cli.quiet);
	if (all)
		list_lines(&o);
	else
		draw_lines(&o);
	progress_end(&progress);
	opening_release(&o);
}

/* ---- scoring ---- */

/* A line to score, and the indices of its positions' priors. */
struct scored {
	struct opening line;
	int64_t p[OPENING_PLIES_MAX], q[OPENING_PLIES_MAX];
};

enum { NO_POSITION = -2 };

static int64_t
ask(struct priors *p, const struct board *b, const uint64_t *keys, int n)
{
	int64_t at = priors_ask(p, b, outcome_repetitions(b, keys, n));

	if (at == -1)
		end_for_net(p);
	return at;
}

static void
answer(struct priors *p)
{
	if (priors_answer(p) == -1)
		end_for_net(p);
}

/*
 * Converts the position to q's rules, which may not allow its en passant square
 * or castling rights. -1 if it cannot be played.
 */
static int
adapt(struct board *b)
{
	struct board adapted;
	char fen[FEN_MAX], reason[FEN_REASON_MAX];
	int n = fen_write(b, fen);

	if (fen_read(&adapted, &rules, fen, (size_t)n, reason) == -1)
		return -1;
	*b = adapted;
	return 0;
}

/*
 * Converts the start to q's rules. If p's rules have no castling, p's start says
 * nothing about castling rights, and q has those that kings and rooks at home
 * allow. -1 if it cannot be played.
 */
static int
adapt_start(struct board *q, const struct board *p)
{
	*q = *p;
	if (!p->rules->castles[WHITE] && !p->rules->castles[BLACK])
		q->castling = WHITE_SHORT | WHITE_LONG | BLACK_SHORT | BLACK_LONG;
	q->rules = &rules;
	return adapt(q);
}

/* Can a move of p be made on q's board, even if it is not legal there? */
static bool
can_be_made(const struct board *q, const struct board *p, move m)
{
	return !move_is_drop(m) && q->square[move_from(m)] == p->square[move_from(m)] &&
	    type_at(q, move_to(m)) != KING && q->pieces[WHITE][KING] != 0 &&
	    q->pieces[BLACK][KING] != 0;
}

/*
 * Plays p's move on both boards, whether or not it is legal under q's rules. q's
 * board keeps its own castling rights, but has the pieces where p's has them, even
 * if only one of them explodes. Returns as adapt(); `fits` is what it returned
 * before.
 */
static int
follow(struct board *q, struct board *p, move m, int fits)
{
	struct undo u;
	int promotion = move_is_promotion(m) ? move_promotion(m) : 0;
	bool legal = fits == 0 &&
	    (move_is_drop(m) ? movegen_drop(q, move_dropped(m), move_to(m))
			     : movegen_find(q, move_from(m), move_to(m), promotion)) == m;
	bool made = legal || can_be_made(q, p, m);

	if (made)
		board_make(q, m, &u);
	board_make(p, m, &u);
	if (!made || memcmp(q->square, p->square, sizeof(q->square)) != 0) {
		*q = *p;
		q->rules = &rules;
		legal = false;
	}
	return legal ? 0 : adapt(q);
}

/* Asks both priors about all positions of a line. */
static void
ask_line(struct scored *s)
{
	const struct game *g = &s->line.game;
	struct board p = g->start, q;
	static uint64_t keys[OPENING_PLIES_MAX + 1];
	int fits = adapt_start(&q, &p);

	for (int i = 0; i < g->line.plies; i++) {
		move m = g->line.moves[i];
		keys[i] = q.key;
		s->p[i] = ask(&priors, &p, g->line.keys, i + 1);
		s->q[i] = fits == -1 ? NO_POSITION : ask(of_q, &q, keys, i + 1);
		fits = follow(&q, &p, m, fits);
	}
}

/* Fills in q's numbers once the priors have been evaluated. */
static void
score_line(struct scored *s)
{
	static const struct prior none;
	struct opening *o = &s->line;
	struct game *g = &o->game;

	o->scored = true;
	o->q_rules = rules;
	o->q_net = game_keep(g, of_q->net->hash, strlen(of_q->net->hash));
	for (int i = 0; i < g->line.plies; i++) {
		const struct prior *p = priors_get(&priors, s->p[i]);
		const struct prior *q =
		    s->q[i] == NO_POSITION ? &none : priors_get(of_q, s->q[i]);
		int j = prior_find(q, g->line.moves[i]);
		o->q_logp[i] = j == -1 ? -INFINITY : log(prior_of(q, (uint32_t)j));
		o->q_h[i] = q->nmoves == 0 ? NAN : q->h;
		prior_compare(p, q, &o->kl[i], &o->hr[i]);
	}
}

static int
write_scored(struct scored *s, int n)
{
	struct text text = { 0 };

	answer(&priors);
	answer(of_q);
	for (int i = 0; i < n; i++) {
		score_line(&s[i]);
		opening_write_json(&s[i].line, &text);
	}
	priors_tidy(&priors);
	if (of_q != &priors)
		priors_tidy(of_q);
	int result = n == 0 ? 0 : zout_write(out, text.s, text.len);
	text_release(&text);
	return result;
}

static void
score(char **files)
{
	static struct lines lines;
	struct scored *s = xcalloc(SCORED_TOGETHER, sizeof(*s));
	int n = 0;

	for (int i = 0; i < SCORED_TOGETHER; i++)
		opening_init(&s[i].line);
	lines_start(&lines, &cli, files);
	while (lines_next(&lines, &s[n].line)) {
		const struct game *g = &s[n].line.game;
		if (!net_is(net, g->net.len == 0 ? "" : game_text(g, g->net))) {
			lines_refuse(&lines,
			    "the line was drawn from a net other than --net");
			continue;
		}
		ask_line(&s[n]);
		if (++n < SCORED_TOGETHER)
			continue;
		if (write_scored(s, n) == -1)
			break;
		n = 0;
	}
	write_scored(s, n);
	lines_finish(&lines);
	for (int i = 0; i < SCORED_TOGETHER; i++)
		opening_release(&s[i].line);
	free(s);
}

/* ---- the command line ---- */

/* The length of a move number: digits and dots, perhaps before a move. */
static size_t
move_number(const char *s)
{
	size_t digits = strspn(s, "0123456789");
	size_t dots = strspn(s + digits, ".");

	return digits > 0 && dots > 0 ? digits + dots : 0;
}

/* Plays the moves of --start. */
static void
play_start(const char *s)
{
	struct undo u;
	move m;

	for (;;) {
		s += strspn(s, " \t\n");
		s += move_number(s);
		s += strspn(s, " \t\n");
		size_t n = strcspn(s, " \t\n");
		if (n == 0)
			return;
		if (san_read(&start, s, n, &m) != SAN_OK)
			errx(EXIT_USAGE, "--start: '%.*s' is not a legal move",
			    n < 20 ? (int)n : 20, s);
		board_make(&start, m, &u);
		usual_start = false;
		s += n;
	}
}

static void
read_start(void)
{
	char reason[FEN_REASON_MAX];
	struct board usual;

	board_start(&start, &rules);
	usual = start;
	if (start_text == NULL || strcmp(start_text, "startpos") == 0)
		return;
	if (strchr(start_text, '/') == NULL)
		play_start(start_text);
	else if (fen_read(&start, &rules, start_text, strlen(start_text), reason) == -1)
		errx(EXIT_USAGE, "--start: %s", reason);
	usual_start = memcmp(&start, &usual, sizeof(start)) == 0;
	if (outcome_find(&start, &start.key, 0) != END_NONE)
		errx(EXIT_USAGE, "--start: the game is over there");
}

/* Is a search asked for? */
static bool
searches(void)
{
	return thinking.limits.nodes > 0;
}

/* The net of the lines, or the search whose choices they follow. */
static struct net *
open_net(const char *option, const char *spec)
{
	char reason[SEARCHER_REASON_MAX];

	if (!searches())
		return player_read_net(option, spec, &thinking.thinker.net, &rules);
	thinking.thinker.spec = spec;
	struct net *n = searched_open(&thinking, &rules, reason);
	if (n == NULL)
		errx(EXIT_USAGE, "%s %s: %s", option, spec, reason);
	player_warn_fields(searched_net(n), spec, &rules);
	return n;
}

static void
check_options(char **files)
{
	net_spec = thinking.thinker.spec;
	if (score_spec == NULL && *files != NULL)
		cli_usage_error(&cli, "no files are read without --score");
	if (score_spec == NULL && net_spec == NULL)
		net_spec = NET_PRIOR;
	if (score_spec == NULL && cli.strict)
		cli_usage_error(&cli, "--strict needs --score");
	if (score_spec != NULL && strpbrk(cli.given, "AfIsUu") != NULL)
		cli_usage_error(&cli,
		    "--score reads lines and cannot be combined "
		    "with --all, --first, --lines, --plies, --seed or --start");
	if (all && strpbrk(cli.given, "fIs") != NULL)
		cli_usage_error(&cli,
		    "--all does not sample and cannot be combined "
		    "with --first, --lines or --seed");
	if (score_spec != NULL && searches())
		cli_usage_error(&cli, "--score cannot be combined with --sims");
	if (!searches() && thinking.thinker.kind != SEARCH_AS_NET)
		cli_usage_error(&cli, "--search needs --sims");
	rulespec_option(&rules, &cli);
	read_start();
	if (thinking.thinker.temperature == 0) /* not given */
		thinking.thinker.temperature = searches() ? search_temperature : 1;
	net = net_spec != NULL ? open_net("--net", net_spec)
			       : open_net("--score", score_spec);
	priors_init(&priors, net, thinking.thinker.batch, cache_size);
	priors.temperature = searches() ? 1 : thinking.thinker.temperature;
	of_q = &priors;
	if (score_spec != NULL && net_spec != NULL && strcmp(net_spec, score_spec) != 0) {
		q_net = open_net("--score", score_spec);
		of_q = &q_priors;
		priors_init(of_q, q_net, thinking.thinker.batch, cache_size);
		of_q->temperature = priors.temperature;
	}
}

/* How many positions the nets evaluated. */
static void
tell_work(double seconds)
{
	uint64_t evaluated = priors.evaluated + q_priors.evaluated;
	uint64_t asked = priors.asked + q_priors.asked;

	fprintf(stderr,
	    "%" PRIu64 " positions evaluated, %.1f %% of %" PRIu64 ", %.0f/s\n",
	    evaluated, 100 * (double)evaluated / (double)(asked > 0 ? asked : 1), asked,
	    (double)evaluated / seconds);
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	options_start(&cli, &thinking, 1);
	thinking_init(&thinking);
	/* These defaults depend on whether --sims and --score are given. */
	thinking.limits.nodes = 0;
	search_temperature = thinking.thinker.temperature;
	thinking.thinker.temperature = 0;
	thinking.thinker.spec = NULL;
	char **files = cli_read(&cli, argc, argv);
	check_options(files);
	out = cli_open_output(&cli);
	double began = clock_seconds();
	if (score_spec != NULL)
		score(files);
	else
		walk();
	if (cli.progress)
		tell_work(clock_seconds() - began);
	priors_release(&priors);
	priors_release(&q_priors);
	net_close(net);
	net_close(q_net);
	return cli_finish(&cli, out);
}
