/*
 * uci: the search as a chess engine, for GUIs and match drivers that speak
 * the UCI protocol. One thread reads commands, another thinks. What both use
 * is changed by the first alone, and only while nobody thinks; but for
 * go.stop, go.ponder and go.clock_from, which are atomic.
 */
#include <ctype.h>
#include <err.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cli.h"
#include "base/progress.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "chess/run.h"
#include "data/rulespec.h"
#include "search/cache.h"
#include "search/report.h"
#include "search/search.h"

static const char synopsis[] = "[-V] [-N net] [-r rules] [-v visits] [-Y provider]";
static const char help[] =
    "A chess engine for any rule set and any net, on the UCI protocol.\n"
    "\n"
    "  -h, --help           show this help\n"
    "  -N, --net FILE       ONNX file, default (the default), uniform, … (option Net)\n"
    "  -r, --rules SPEC     preset, sum of presets, or JSON file (option Rules)\n"
    "  -V, --version        show the version\n"
    "  -v, --sims N         visits for a move when nothing else limits it (option Sims)\n"
    "  -Y, --provider NAME  execution provider of ONNX Runtime (cpu, cuda, …)\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "net", required_argument, NULL, 'N' },
	{ "provider", required_argument, NULL, 'Y' },
	{ "rules", required_argument, NULL, 'r' },
	{ "sims", required_argument, NULL, 'v' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 }
};

enum {
	SIMS_MAX = 100000000, THREADS_MAX = 256, MEMORY_MAX = 65536,
	MULTIPV_MAX = 256, OVERHEAD_MAX = 5000, PLIES_MAX = 20000,
	COMMAND_MAX = 1 << 18,	/* bytes of a line, enough for PLIES_MAX */
	IN_FLIGHT = 8,		/* positions that the net is asked about at once */
	SLICE = 10000,		/* visits between two looks at clock and stop */
	QUOTED = 60		/* bytes that a message quotes at most */
};

static struct cli cli;

/* The rules in force are those of Rules if that is set, else of UCI_Variant. */
static struct rules rules, variant_rules, own_rules;
static bool has_own_rules;

/* The game: where it began, its moves, and where it stands. */
static struct board start, board;
static move line_moves[PLIES_MAX + 1];
static uint64_t line_keys[PLIES_MAX + 1];
static uint8_t line_men[PLIES_MAX + 1];
static struct line line = { .moves = line_moves, .keys = line_keys,
    .men = line_men, .room = PLIES_MAX + 1 };

/* The engine, and the game that its tree belongs to. */
static struct net *net;
static struct cache cache;
static struct search search;
static bool search_ready;
static struct {
	struct board start;
	move moves[PLIES_MAX];
	int plies;		/* -1: there is no tree */
} searched = { .plies = -1 };

/* Options. */
static struct text net_name;
static struct net_options net_options = { .threads = 1 };
static int sims = 800, multipv = 1, cache_memory = 64, tree_memory = 1024;
static int overhead = 30;
static bool show_wdl = true;
static const char *usual_net = NET_DEFAULT, *usual_rules = "";

static void forget_net(void);
static void forget_cache(void);

static struct spin {
	const char *name;
	int *value, lowest, highest;
	void (*changed)(void);
	int usual;
} spins[] = {
	{ "Sims", &sims, 1, SIMS_MAX, NULL, 0 },
	{ "Threads", &net_options.threads, 1, THREADS_MAX, forget_net, 0 },
	{ "Hash", &cache_memory, 0, MEMORY_MAX, forget_cache, 0 },
	{ "TreeMemory", &tree_memory, 1, MEMORY_MAX, NULL, 0 },
	{ "MultiPV", &multipv, 1, MULTIPV_MAX, NULL, 0 },
	{ "Move Overhead", &overhead, 0, OVERHEAD_MAX, NULL, 0 },
};
enum { SPINS = sizeof(spins) / sizeof(spins[0]) };

/* A search under way. */
static struct {
	pthread_t thread;
	bool running;			/* the thread is to be joined */
	atomic_bool stop, ponder;	/* ponder: the clock does not run yet */
	_Atomic double clock_from;	/* when the clock began to run */
	bool infinite;
	int nodes, depth;		/* 0: no limit */
	double budget;			/* seconds; 0: no limit */
	move only[MOVES_MAX];		/* searchmoves */
	int nonly;			/* 0: all of them */
	double started;
	uint32_t visits_before;
} go;

/* ---- talking ---- */

/* Writes a line. It may quote anything, and comes out as clean UTF-8. */
__attribute__((format(printf, 1, 2)))
static void
say(const char *format, ...)
{
	struct text clean = { 0 };
	char *s = NULL;
	va_list ap;

	va_start(ap, format);
	int n = vasprintf(&s, format, ap);
	va_end(ap);
	if (n == -1)
		err(EXIT_LOST, NULL);
	for (int i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			s[i] = '?';
	text_add_utf8(&clean, s, (size_t)n);
	text_add_char(&clean, '\n');
	flockfile(stdout);
	fwrite(clean.s, 1, clean.len, stdout);
	fflush(stdout);
	funlockfile(stdout);
	text_release(&clean);
	free(s);
}

static void
do_uci(char *rest)
{
	struct text variants = { 0 };

	(void)rest;
	say("id name rulelab %s", RULELAB_VERSION);
	say("id author the rulelab authors");
	say("option name Net type string default %s", usual_net);
	for (int i = 0; i < SPINS; i++)
		say("option name %s type spin default %d min %d max %d",
		    spins[i].name, spins[i].usual, spins[i].lowest,
		    spins[i].highest);
	say("option name Ponder type check default false");
	say("option name UCI_ShowWDL type check default true");
	for (int i = 1; i < RULES_PRESETS; i++)
		text_add_format(&variants, " var %s", rules_preset_name(i));
	say("option name UCI_Variant type combo default chess var chess%s",
	    variants.s);
	say("option name Rules type string default %s",
	    usual_rules[0] == '\0' ? "<empty>" : usual_rules);
	say("uciok");
	text_release(&variants);
}

/* ---- the engine ---- */

static void
forget_tree(void)
{
	if (search_ready)
		search_forget(&search);
	searched.plies = -1;
}

static void
forget_cache(void)
{
	cache_release(&cache);
}

static void
forget_net(void)
{
	net_close(net);
	net = NULL;
	forget_cache();
	forget_tree();
}

/* Makes the net and the search that the options ask for, if they are not
 * there. False with a message when that cannot be done. */
static bool
get_ready(void)
{
	char reason[NET_REASON_MAX];
	struct search_options o = search_defaults;

	if (net == NULL) {
		net = net_open(net_name.s, &net_options, reason);
		if (net == NULL) {
			say("info string cannot use Net %s: %s", net_name.s,
			    reason);
			cli.status = EXIT_LOST;
			return false;
		}
	}
	if (cache.size == 0)
		cache_init(&cache, (size_t)cache_memory);
	if (!search_ready) {
		o.async = IN_FLIGHT;
		o.sims = 0;
		search_init(&search, &o);
		search_ready = true;
	}
	return true;
}

static bool
advance(move m)
{
	int n;
	const struct node *child = search_moves(&search, &n);

	for (int i = 0; i < n; i++) {
		if (child[i].move != m)
			continue;
		search_advance(&search, i);
		return true;
	}
	return false;
}

/* Goes down the tree to the position on the board, if it leads there. */
static void
follow_line(void)
{
	bool same = searched.plies >= 0 && searched.plies <= line.plies &&
	    memcmp(&searched.start, &start, sizeof(start)) == 0 &&
	    memcmp(searched.moves, line.moves,
	    (size_t)searched.plies * sizeof(*line.moves)) == 0;

	for (int i = searched.plies; same && i < line.plies; i++)
		same = advance(line.moves[i]);
	/* Where the search thought that the game was over, as by a draw that
	 * nobody claimed, visits tell nothing about the moves. */
	if (!same || search.tree.nodes[0].end != END_NONE)
		search_forget(&search);
	searched.start = start;
	searched.plies = line.plies;
	memcpy(searched.moves, line.moves,
	    (size_t)line.plies * sizeof(*line.moves));
}

/* ---- what the search has found ---- */

/* How long the expected line is. */
static int
depth_reached(void)
{
	move pv[REPORT_LINE_MAX];

	return report_line(&search, report_best(&search, &search.tree.nodes[0]).node, pv);
}

static void
add_wdl(struct text *t, const struct node *n, double q, double draw)
{
	double win = fmin(fmax((1 - draw + q) / 2, 0), 1);
	double loss = fmin(fmax((1 - draw - q) / 2, 0), 1);
	int w = (int)lround(1000 * win), l = (int)lround(1000 * loss);

	if (n->proof != 0) {
		w = n->proof > 0 ? 1000 : 0;
		l = 1000 - w;
	}
	if (w + l > 1000)
		l = 1000 - w;
	text_add_format(t, " wdl %d %d %d", w, 1000 - w - l, l);
}

static void
add_score(struct text *t, const struct report *c)
{
	const struct node *n = c->node, *root = &search.tree.nodes[0];
	/* of a move not looked at, what is known of the position */
	const struct node *known = n->visits > 0 ? n : root;
	double q = known->value / fmax(known->visits, 1);
	double draw = (double)known->draws / fmax(known->visits, 1);

	if (known == root)
		q = -q;
	if (n->proof > 0)
		text_add_format(t, " score mate %d", (c->plies + 1) / 2);
	else if (n->proof < 0)
		text_add_format(t, " score mate -%d", c->plies / 2);
	else
		text_add_format(t, " score cp %ld",
		    lround(250 * atanh(0.998 * q)));
	if (show_wdl)
		add_wdl(t, n, q, draw);
}

static uint64_t
tree_limit(void)
{
	/* Two blocks of memory, each of which may be larger by half than what
	 * is used of it. */
	return ((uint64_t)tree_memory << 20) / (3 * sizeof(struct node));
}

static void
add_effort(struct text *t)
{
	uint32_t visits = search.tree.nodes[0].visits;
	double spent = fmax(clock_seconds() - go.started, 0.001);

	/* the first visit of the root is that of no move */
	text_add_format(t, " nodes %u nps %.0f hashfull %.0f time %.0f",
	    visits - (visits > 0), (visits - go.visits_before) / spent,
	    fmin(1000.0 * search.tree.used / (double)tree_limit(), 1000),
	    1000 * spent);
}

static void
say_line(int rank, const struct report *c)
{
	struct text t = { 0 };
	move pv[REPORT_LINE_MAX];
	char m[6];
	int length = report_line(&search, c->node, pv);

	text_add_format(&t, "info depth %d seldepth %d multipv %d", length,
	    length, rank);
	add_score(&t, c);
	add_effort(&t);
	text_add_string(&t, " pv");
	for (int i = 0; i < length; i++) {
		move_print(pv[i], m);
		text_add_format(&t, " %s", m);
	}
	say("%s", t.s);
	text_release(&t);
}

/* The best lines; of those that have not been looked at only the first. */
static void
say_info(void)
{
	struct report sorted[MOVES_MAX];
	int n = report_moves(&search, sorted);

	for (int i = 0; i < n && i < multipv; i++)
		if (i == 0 || sorted[i].node->visits > 0)
			say_line(i + 1, &sorted[i]);
}

/* There is nothing to play: the game is over, or the net has failed. */
static void
say_no_move(void)
{
	if (movegen_count(&board) == 0) {
		bool lost = outcome_winner(&board, outcome_now(&board, 0)) != 0;
		say("info depth 0 score %s 0", lost ? "mate" : "cp");
	}
	say("bestmove 0000");
}

static void
say_best(void)
{
	move pv[REPORT_LINE_MAX];
	char best[6], ponder[6];

	if (search.tree.nodes[0].nchildren == 0) {
		say_no_move();
		return;
	}
	int length = report_line(&search, report_best(&search, &search.tree.nodes[0]).node, pv);
	move_print(pv[0], best);
	if (length == 1) {
		say("bestmove %s", best);
		return;
	}
	move_print(pv[1], ponder);
	say("bestmove %s ponder %s", best, ponder);
}

/* ---- thinking ---- */

/* Nodes and proven results end a search by themselves. */
static bool
is_over(void)
{
	if (search.tree.nodes[0].children == 0)
		return false;	/* nothing is known of any move */
	if (go.stop || search.tree.used >= tree_limit())
		return true;
	if (go.ponder || go.infinite)
		return false;
	if (go.depth > 0 && depth_reached() >= go.depth)
		return true;
	return go.budget > 0 && clock_seconds() - go.clock_from >= go.budget;
}

/* Where most lines end the game, a search goes through very many visits and
 * asks nothing; so it gets its nodes in slices. */
static int
next_slice(void)
{
	uint32_t visits = search.tree.nodes[0].visits;

	return go.nodes == 0 ? 0 : (int)fmin(go.nodes, (double)visits + SLICE);
}

/* One batch; false when there is nothing left to ask. */
static bool
think_once(void)
{
	struct net_query queries[IN_FLIGHT], missing[IN_FLIGHT];
	int asked = 0, place[IN_FLIGHT];
	char reason[NET_REASON_MAX];

	search.options.sims = next_slice();
	int n = search_ask(&search, queries);
	if (n == 0)
		return search.tree.nodes[0].proof == 0 &&
		    search.options.sims < go.nodes;

	for (int i = 0; i < n; i++) {
		if (cache_get(&cache, &queries[i]))
			continue;
		place[asked] = i;
		missing[asked++] = queries[i];
	}
	if (asked > 0 && net_evaluate(net, missing, asked, reason) == -1) {
		say("info string the net failed: %s", reason);
		cli.status = EXIT_LOST;
		search_stop(&search);
		return false;
	}
	for (int i = 0; i < asked; i++) {
		memcpy(queries[place[i]].wdl, missing[i].wdl,
		    sizeof(missing[i].wdl));
		cache_put(&cache, &missing[i]);
	}
	search_tell(&search, queries, n);
	return true;
}

static bool
is_wanted(move m)
{
	for (int i = 0; i < go.nonly; i++)
		if (go.only[i] == m)
			return true;
	return go.nonly == 0;
}

/* Leaves the root, just expanded, only the moves of searchmoves. */
static void
keep_wanted_moves(void)
{
	struct node *root = &search.tree.nodes[0];
	struct node *child = &search.tree.nodes[root->children];
	uint16_t kept = 0;
	float sum = 0;

	for (int i = 0; i < root->nchildren; i++) {
		if (!is_wanted(child[i].move))
			continue;
		sum += child[i].prior;
		child[kept++] = child[i];
	}
	root->nchildren = kept;
	for (int i = 0; i < kept; i++)
		child[i].prior = sum > 0 ? child[i].prior / sum :
		    1 / (float)kept;
}

static void *
think(void *unused)
{
	struct rng rng;
	double next_info = clock_seconds() + 0.5;
	bool more = movegen_count(&board) > 0;

	(void)unused;
	rng_init(&rng, 0, 0);
	search_begin(&search, &board, line.keys, line.plies, &rng, false);
	while (more && !is_over()) {
		bool first = search.tree.nodes[0].children == 0;
		more = think_once();
		if (first && more && go.nonly > 0)
			keep_wanted_moves();
		if (clock_seconds() >= next_info) {
			say_info();
			next_info = clock_seconds() + 1;
		}
	}
	search_stop(&search);
	/* The protocol wants no answer before stop or ponderhit. */
	while (!go.stop && (go.infinite || go.ponder))
		nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
	say_info();
	say_best();
	return NULL;
}

static void
finish_thinking(void)
{
	if (!go.running)
		return;
	pthread_join(go.thread, NULL);
	go.running = false;
}

static void
stop_thinking(void)
{
	go.stop = true;
	finish_thinking();
}

/* ---- words and moves ---- */

static char *
next_word(char **s)
{
	*s += strspn(*s, " \t\r");
	if (**s == '\0')
		return NULL;
	char *word = *s;
	*s += strcspn(*s, " \t\r");
	if (**s != '\0')
		*(*s)++ = '\0';
	return word;
}

/* Where a word stands in a text, NULL if it does not. */
static char *
find_word(char *s, const char *word)
{
	size_t n = strlen(word);

	for (s += strspn(s, " \t\r"); *s != '\0'; s += strspn(s, " \t\r")) {
		size_t length = strcspn(s, " \t\r");
		if (length == n && strncmp(s, word, n) == 0)
			return s;
		s += length;
	}
	return NULL;
}

/* Cuts a text's blanks off at both ends. */
static char *
trim(char *s)
{
	s += strspn(s, " \t\r");
	size_t n = strlen(s);
	while (n > 0 && strchr(" \t\r", s[n - 1]) != NULL)
		n--;
	s[n] = '\0';
	return s;
}

/* The next word, if it is a number; one out of range is taken to the nearest
 * in it. */
static bool
next_number(char **s, double lowest, double highest, double *v)
{
	const char *at = *s + strspn(*s, " \t\r");

	if (!isdigit((unsigned char)*at) &&
	    !(*at == '-' && isdigit((unsigned char)at[1])))
		return false;
	*v = fmin(fmax(strtod(next_word(s), NULL), lowest), highest);
	return true;
}

/* Does a text begin with a move as it is written? */
static bool
looks_like_move(const char *s)
{
	size_t n = strcspn(s, " \t\r");

	return (n == 4 || n == 5) && s[0] >= 'a' && s[0] <= 'h' &&
	    s[1] >= '1' && s[1] <= '8' && s[2] >= 'a' && s[2] <= 'h' &&
	    s[3] >= '1' && s[3] <= '8';
}

/* The legal move that a word means, 0 when it means none. */
static move
read_move(const char *s)
{
	return move_parse(&board, s, strcspn(s, " \t\r"));
}

/* ---- go ---- */

/* What the clocks show: milliseconds left and added for each move, and moves
 * to the next control (0: none). */
struct clocks {
	double left[2], added[2];
	bool running[2];
	double moves;
};

/* Seconds for a move of a side. */
static double
clock_budget(const struct clocks *c, int side)
{
	double left = c->left[side];
	double share = left / (c->moves > 0 ? c->moves + 1 : 25) +
	    0.8 * c->added[side];

	share = fmin(share, 0.6 * left) - overhead;
	return fmax(share, 1) / 1000;
}

static void
read_searchmoves(char **s)
{
	for (;;) {
		*s += strspn(*s, " \t\r");
		if (!looks_like_move(*s))
			return;
		const char *word = next_word(s);
		move m = read_move(word);
		if (m == 0)
			say("info string illegal move %s", word);
		else if (go.nonly == 0 || !is_wanted(m))
			go.only[go.nonly++] = m;
	}
}

static void
read_limit(const char *word, char **s, struct clocks *c)
{
	double v;
	int side = word[0] == 'b';

	if (strcmp(word, "infinite") == 0) {
		go.infinite = true;
	} else if (strcmp(word, "ponder") == 0) {
		go.ponder = true;
	} else if (strcmp(word, "searchmoves") == 0) {
		read_searchmoves(s);
	} else if (!next_number(s, 0, 1e12, &v)) {
		return;
	} else if (strcmp(word, "wtime") == 0 || strcmp(word, "btime") == 0) {
		c->left[side] = v;
		c->running[side] = true;
	} else if (strcmp(word, "winc") == 0 || strcmp(word, "binc") == 0) {
		c->added[side] = v;
	} else if (strcmp(word, "movestogo") == 0) {
		c->moves = v;
	} else if (strcmp(word, "movetime") == 0) {
		go.budget = fmax(v, 1) / 1000;
	} else if (strcmp(word, "nodes") == 0) {
		go.nodes = (int)fmin(fmax(v, 1), SIMS_MAX);
	} else if (strcmp(word, "depth") == 0) {
		go.depth = (int)fmin(fmax(v, 1), REPORT_LINE_MAX);
	} else if (strcmp(word, "mate") == 0) {
		go.depth = INT32_MAX;	/* until a result is proven */
	}
}

static void
read_limits(char *s)
{
	struct clocks c = { 0 };
	char *word;

	go.stop = false;
	go.ponder = false;
	go.infinite = false;
	go.nonly = go.nodes = go.depth = 0;
	go.budget = 0;
	while ((word = next_word(&s)) != NULL)
		read_limit(word, &s, &c);
	if (c.running[board.side] && go.budget == 0)
		go.budget = clock_budget(&c, board.side);
	if (go.infinite)
		go.nodes = 0;
	else if (go.nodes == 0 && go.budget == 0 && go.depth == 0)
		go.nodes = sims;
}

static void
do_go(char *rest)
{
	stop_thinking();
	if (!get_ready()) {
		say_no_move();
		return;
	}
	read_limits(rest);
	if (go.nonly > 0)
		forget_tree();
	follow_line();
	if (go.nonly > 0)
		searched.plies = -1;	/* it will not be all of the tree */
	go.started = clock_seconds();
	go.clock_from = go.started;
	go.visits_before = search.tree.nodes[0].visits;
	if (pthread_create(&go.thread, NULL, think, NULL) != 0)
		errx(EXIT_LOST, "cannot start a thread");
	go.running = true;
}

static void
do_stop(char *rest)
{
	(void)rest;
	stop_thinking();
}

static void
do_ponderhit(char *rest)
{
	(void)rest;
	go.clock_from = clock_seconds();
	go.ponder = false;
}

/* ---- position ---- */

static void
set_start(const struct board *b)
{
	start = board = *b;
	line.plies = 0;
	line.keys[0] = b->key;
}

static void
play_moves(char *s)
{
	const char *word;

	while ((word = next_word(&s)) != NULL) {
		move m = read_move(word);
		if (m == 0) {
			say("info string illegal move %.*s", QUOTED, word);
			return;
		}
		if (line.plies == PLIES_MAX) {
			say("info string more than %d plies", PLIES_MAX);
			return;
		}
		line_add(&line, &board, m);
	}
}

static void
do_position(char *s)
{
	char reason[FEN_REASON_MAX], *moves = find_word(s, "moves"), *word;
	struct board b;

	stop_thinking();
	if (moves != NULL) {
		*moves = '\0';
		moves += strlen("moves");
	}
	word = next_word(&s);
	if (word != NULL && strcmp(word, "fen") == 0) {
		s = trim(s);
		if (fen_read(&b, &rules, s, strlen(s), reason) == -1) {
			say("info string bad position: %s", reason);
			return;
		}
	} else if (word != NULL && strcmp(word, "startpos") == 0) {
		board_start(&b, &rules);
	} else {
		say("info string a position is startpos or fen");
		return;
	}
	set_start(&b);
	if (moves != NULL)
		play_moves(moves);
}

static void
do_ucinewgame(char *rest)
{
	(void)rest;
	stop_thinking();
	forget_tree();
}

/* ---- options ---- */

/* GUIs and drivers know nothing of a limit on plies that is not one of the
 * user's own, so the engine must not reckon with it. */
static void
lift_ply_limit(struct rules *r)
{
	const struct rules_field *f = rules_find_field("ply_limit");
	char reason[RULES_REASON_MAX];

	if (rules_get(r, f) == f->classical)
		rules_set(r, f, f->highest, reason);
	rules_finish(r);
}

/* Goes over to the rules that the options ask for. */
static void
use_rules(void)
{
	struct rules r = has_own_rules ? own_rules : variant_rules;
	struct board b;

	lift_ply_limit(&r);
	if (rules_equal(&r, &rules))
		return;
	rules = r;
	forget_cache();
	forget_tree();
	board_start(&b, &rules);
	set_start(&b);
}

static void
set_variant(const char *value)
{
	struct rules r;
	char name[RULES_TEXT_MAX], reason[RULES_REASON_MAX];

	snprintf(name, sizeof(name), "%s", value);
	for (char *s = name; *s != '\0'; s++)
		*s = (char)tolower((unsigned char)*s);
	if (strcmp(name, "chess") == 0)
		strcpy(name, "classical");
	if (rules_parse_sum(&r, name, strlen(name), reason) == -1) {
		say("info string cannot play %.*s: %s", QUOTED, value, reason);
		return;
	}
	variant_rules = r;
	if (has_own_rules)
		say("info string Rules is set, UCI_Variant has no effect");
	use_rules();
}

static void
set_rules(const char *value)
{
	struct rules r;
	char reason[RULES_REASON_MAX];
	bool given = value[0] != '\0' && strcmp(value, "<empty>") != 0;

	if (given && rulespec_read(&r, value, reason) == -1) {
		say("info string cannot play %.*s: %s", QUOTED, value, reason);
		return;
	}
	has_own_rules = given;
	if (given)
		own_rules = r;
	use_rules();
}

static void
set_net(const char *value)
{
	if (value[0] == '\0' || strcmp(value, "<empty>") == 0) {
		say("info string Net is a file, uniform, or material");
		return;
	}
	text_clear(&net_name);
	text_add_string(&net_name, value);
	forget_net();
}

static void
set_spin(struct spin *spin, const char *value)
{
	int64_t n;

	if (!number_read(value, spin->lowest, spin->highest, &n)) {
		say("info string %s is a number from %d to %d, not %.*s",
		    spin->name, spin->lowest, spin->highest, QUOTED, value);
		return;
	}
	if (*spin->value == (int)n)
		return;
	*spin->value = (int)n;
	if (spin->changed != NULL)
		spin->changed();
}

static void
set_check(const char *name, const char *value, bool *check)
{
	if (strcasecmp(value, "true") == 0)
		*check = true;
	else if (strcasecmp(value, "false") == 0)
		*check = false;
	else
		say("info string %s is true or false, not %.*s", name, QUOTED,
		    value);
}

static void
set_option(const char *name, const char *value)
{
	static bool ponder;	/* the GUI's affair */

	for (int i = 0; i < SPINS; i++) {
		if (strcasecmp(name, spins[i].name) == 0) {
			set_spin(&spins[i], value);
			return;
		}
	}
	if (strcasecmp(name, "Net") == 0)
		set_net(value);
	else if (strcasecmp(name, "Rules") == 0)
		set_rules(value);
	else if (strcasecmp(name, "UCI_Variant") == 0)
		set_variant(value);
	else if (strcasecmp(name, "UCI_ShowWDL") == 0)
		set_check(name, value, &show_wdl);
	else if (strcasecmp(name, "Ponder") == 0)
		set_check(name, value, &ponder);
	else
		say("info string no option %.*s", QUOTED, name);
}

/* name NAME [value VALUE]; both may have blanks inside. */
static void
do_setoption(char *s)
{
	const char *word = next_word(&s);
	char *value;

	stop_thinking();
	if (word == NULL || strcmp(word, "name") != 0) {
		say("info string setoption wants a name");
		return;
	}
	value = find_word(s, "value");
	if (value != NULL) {
		*value = '\0';
		value += strlen("value");
	}
	set_option(trim(s), value == NULL ? "" : trim(value));
}

/* ---- commands ---- */

static void
do_isready(char *rest)
{
	(void)rest;
	if (!go.running)
		get_ready();
	say("readyok");
}

static void
do_nothing(char *rest)
{
	(void)rest;
}

static const struct command {
	const char *name;
	void (*obey)(char *rest);	/* NULL: quit */
} commands[] = {
	{ "debug", do_nothing },
	{ "go", do_go },
	{ "isready", do_isready },
	{ "ponderhit", do_ponderhit },
	{ "position", do_position },
	{ "quit", NULL },
	{ "register", do_nothing },
	{ "setoption", do_setoption },
	{ "stop", do_stop },
	{ "uci", do_uci },
	{ "ucinewgame", do_ucinewgame },
	{ NULL, NULL }
};

static const struct command *
find_command(const char *word)
{
	const struct command *c = commands;

	while (c->name != NULL && strcmp(c->name, word) != 0)
		c++;
	return c->name == NULL ? NULL : c;
}

/* Obeys a line; words before the command are passed over, as the protocol
 * wants it. Returns false on quit. */
static bool
obey(char *s)
{
	const char *word, *first = NULL;

	while ((word = next_word(&s)) != NULL) {
		const struct command *c = find_command(word);
		if (first == NULL)
			first = word;
		if (c == NULL)
			continue;
		if (c->obey == NULL)
			return false;
		c->obey(s);
		return true;
	}
	if (first != NULL)
		say("info string unknown command %.*s", QUOTED, first);
	return true;
}

/* Reads a line; false at the end of input. One that is too long to be a
 * command becomes empty. */
static bool
read_command(char s[COMMAND_MAX])
{
	size_t n = 0;
	int c;

	while ((c = getc(stdin)) != EOF && c != '\n') {
		if (n < COMMAND_MAX)
			s[n] = c == '\0' ? '?' : (char)c;
		n++;
	}
	if (n >= COMMAND_MAX) {
		say("info string a line has more than %d bytes", COMMAND_MAX - 1);
		n = 0;
	}
	s[n] = '\0';
	return c != EOF || n > 0;
}

/* Until quit, or the end of input: then a search that ends by itself may. */
static void
converse(void)
{
	static char command[COMMAND_MAX];
	bool on = true;

	while (on && read_command(command))
		on = obey(command);
	if (ferror(stdin)) {
		warn("standard input");
		cli.status = EXIT_LOST;
	}
	if (on && !go.infinite && !go.ponder)
		finish_thinking();
	stop_thinking();
}

static void
release_all(void)
{
	forget_net();
	if (search_ready)
		search_release(&search);
	text_release(&net_name);
}

int
main(int argc, char *argv[])
{
	char reason[RULES_REASON_MAX];
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, "hN:r:Vv:Y:", options, NULL)) != -1) {
		if (c == 'N')
			usual_net = optarg;
		else if (c == 'r')
			usual_rules = optarg;
		else if (c == 'v')
			sims = (int)cli_number(&cli, "--sims", optarg, 1, SIMS_MAX);
		else if (c == 'Y')
			net_options.provider = optarg;
		else
			cli_option(&cli, c);
	}
	if (optind < argc)
		cli_usage_error(&cli, "no files are read");
	for (int i = 0; i < SPINS; i++)
		spins[i].usual = *spins[i].value;
	text_add_string(&net_name, usual_net);
	rules_init(&variant_rules);
	has_own_rules = usual_rules[0] != '\0';
	if (has_own_rules && rulespec_read(&own_rules, usual_rules, reason) == -1)
		cli_usage_error(&cli, "--rules: %s", reason);
	use_rules();
	converse();
	release_all();
	if (ferror(stdout) || fflush(stdout) == EOF)
		err(EXIT_LOST, "standard output");
	return cli.status;
}
