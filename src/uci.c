/*
 * uci: the search as a chess engine, for GUIs and match drivers that speak
 * the UCI protocol. One thread reads commands, another thinks. What both use
 * is changed by the first alone, and only while nobody thinks; but for
 * go.stop and go.ponder, which are atomic, and the searcher's stop and deadline.
 */
#include <ctype.h>
#include <err.h>
#include <inttypes.h>
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
#include "data/variant.h"
#include "play/options.h"

static const char synopsis[] = "[-V] [-N net] [-r rules] [-v nodes] [-Y provider]\n"
    "           [--search kind]";
static const char help[] =
    "A UCI chess engine for any rule set and any net.\n";

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_OTHER('N', "net", "FILE",
	    "ONNX file, default (the default), uniform, … (option Net)"),
	CLI_RULES("preset, sum of presets, or JSON file (option Rules)"),
	CLI_VERSION,
	CLI_OTHER('v', "sims", "N",
	    "visits or nodes for a move when nothing else limits it\n"
	    "(option Sims)"),
	OPTION_PROVIDER,
	OPTION_SEARCH(" (option Search)"),
	CLI_END
};

enum {
	SIMS_MAX = 100000000, THREADS_MAX = 256, MEMORY_MAX = 65536,
	DEPTH_MAX = 1000,
	MULTIPV_MAX = 256, OVERHEAD_MAX = 5000, PLIES_MAX = 20000,
	COMMAND_MAX = 1 << 18,	/* bytes of a line, enough for PLIES_MAX */
	IN_FLIGHT = 8,		/* positions that the net is asked about at once */
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

/* The engine, and the game that its searcher follows. */
static struct thinker thinker;
static bool thinker_ready;
static struct searcher *searcher;
static struct {
	struct board start;
	move moves[PLIES_MAX];
	int plies;		/* -1: it follows none */
} searched = { .plies = -1 };

/* Options. */
static struct text net_name;
static struct thinking thinking;
static int sims, multipv = 1, threads = 1, memory, tree_memory = 1024;
static int overhead = 30;
static bool show_wdl = true;
static bool chess960;		/* castling is told as the king taking its rook */
static const char *usual_rules = "";

static void forget_thinker(void);

static struct spin {
	const char *name;
	int *value, lowest, highest;
	void (*changed)(void);
	int usual;
} spins[] = {
	{ "Sims", &sims, 1, SIMS_MAX, NULL, 0 },
	{ "Threads", &threads, 1, THREADS_MAX, forget_thinker, 0 },
	{ "Hash", &memory, 0, MEMORY_MAX, forget_thinker, 0 },
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
	bool infinite, mate;		/* mate: until a result is sure */
	bool over;			/* nobody can move */
	struct limits limits;
	move only[MOVES_MAX];		/* searchmoves */
	int nonly;			/* 0: all of them */
	struct rng rng;
	double started;
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
	say("option name Net type string default %s", thinking.thinker.spec);
	say("option name Search type combo default %s var net var tree var ab",
	    search_kind_name(thinking.thinker.kind));
	for (int i = 0; i < SPINS; i++)
		say("option name %s type spin default %d min %d max %d",
		    spins[i].name, spins[i].usual, spins[i].lowest,
		    spins[i].highest);
	say("option name Ponder type check default false");
	say("option name UCI_ShowWDL type check default true");
	say("option name UCI_Chess960 type check default false");
	for (int i = 1; i < RULES_PRESETS; i++) {
		const char *name = rules_preset_name(i);
		text_add_format(&variants, " var %s", name);
		if ((name = variant_uci_name(name)) != NULL)
			text_add_format(&variants, " var %s", name);
	}
	say("option name UCI_Variant type combo default chess var chess%s",
	    variants.s);
	say("option name Rules type string default %s",
	    usual_rules[0] == '\0' ? "<empty>" : usual_rules);
	say("uciok");
	text_release(&variants);
}

/* A king that leaps three squares may take its rook where that is allowed:
 * castling keeps its own form then. */
static void
print_move(move m, char text[6])
{
	bool leaps = rules.self_capture &&
	    piece_goes_sideways(&rules.king, PIECE_CAPTURE, 3);

	if (chess960 && !leaps)
		move_print_960(m, text);
	else
		move_print(m, text);
}

/* ---- the engine ---- */

static void
forget_searcher(void)
{
	if (searcher != NULL)
		searcher_release(searcher);
	searcher = NULL;
	searched.plies = -1;
}

static void
forget_thinker(void)
{
	forget_searcher();
	if (thinker_ready)
		thinker_close(&thinker);
	thinker_ready = false;
}

/* A net plays rules that it was not trained on, but should not do so secretly. */
static void
say_untold(void)
{
	char fields[400];

	if (net_untold(thinker.net, &rules, fields, sizeof(fields)) > 0)
		say("info string the net was not trained on %s", fields);
}

/* Where the search has so much memory as it may have. */
static bool
open_thinker(int mebibytes, char *reason)
{
	struct thinker_options o = thinking.thinker;

	o.spec = net_name.s;
	o.tree.async = o.batch = IN_FLIGHT;
	o.tree.sims = 0;
	o.memory = mebibytes;
	o.threads = o.net.threads = threads;
	thinker_ready = thinker_open(&thinker, &o, &rules, reason) == 0;
	if (thinker_ready) {
		searcher = searcher_new(&thinker);
		say_untold();
	}
	if (thinker_ready && searcher == NULL) {
		snprintf(reason, SEARCHER_REASON_MAX, "there is no memory for "
		    "Hash %d", mebibytes);
		forget_thinker();
	}
	return thinker_ready;
}

/* With the usual Hash, if it is not that which is wrong. */
static bool
open_with_less(char *reason)
{
	char first[SEARCHER_REASON_MAX];
	int usual = 0;

	for (int i = 0; i < SPINS; i++)
		if (spins[i].value == &memory)
			usual = spins[i].usual;
	snprintf(first, sizeof(first), "%s", reason);
	if (memory <= usual || !open_thinker(usual, reason))
		return false;
	say("info string Hash is %d and not %d: %s", usual, memory, first);
	memory = usual;
	return true;
}

/* Makes the net and the search that the options ask for, if they are not
 * there. False with a message when that cannot be done. */
static bool
get_ready(void)
{
	char reason[SEARCHER_REASON_MAX];

	bool other = thinker_ready && !rules_equal(&thinker.rules, &rules);
	if (other)
		forget_searcher();
	if (thinker_ready && thinker_set_rules(&thinker, &rules, reason) == -1)
		forget_thinker();
	if (other && thinker_ready)
		say_untold();
	if (thinker_ready && searcher == NULL &&
	    (searcher = searcher_new(&thinker)) == NULL)
		forget_thinker();
	if (!thinker_ready && !open_thinker(memory, reason) &&
	    !open_with_less(reason)) {
		say("info string cannot use Net %s: %s", net_name.s, reason);
		cli.status = EXIT_LOST;
		return false;
	}
	thinker.options.tree_memory = tree_memory;
	return true;
}

/* Follows the game to the position on the board, if it leads there. */
static void
follow_line(void)
{
	bool same = searched.plies >= 0 && searched.plies <= line.plies &&
	    memcmp(&searched.start, &start, sizeof(start)) == 0 &&
	    memcmp(searched.moves, line.moves,
	    (size_t)searched.plies * sizeof(*line.moves)) == 0;

	if (!same)
		searcher_advance(searcher, 0);
	for (int i = searched.plies; same && i < line.plies; i++)
		searcher_advance(searcher, line.moves[i]);
	searched.start = start;
	searched.plies = line.plies;
	memcpy(searched.moves, line.moves,
	    (size_t)line.plies * sizeof(*line.moves));
}

/* ---- what the search has found ---- */

static void
add_wdl(struct text *t, const double wdl[3])
{
	int w = (int)lround(1000 * wdl[0]), l = (int)lround(1000 * wdl[2]);

	if (w + l > 1000)
		l = 1000 - w;
	text_add_format(t, " wdl %d %d %d", w, 1000 - w - l, l);
}

static void
add_score(struct text *t, const struct found_line *l)
{
	if (l->mate != 0)
		text_add_format(t, " score mate %d", l->mate);
	else
		text_add_format(t, " score cp %d", l->centipawns);
	if (show_wdl)
		add_wdl(t, l->wdl);
}

static void
say_line(int rank, const struct found_line *l, const struct found *f)
{
	struct text t = { 0 };
	double spent = fmax(clock_seconds() - go.started, 0.001);
	char m[6];

	text_add_format(&t, "info depth %d seldepth %d multipv %d", l->depth,
	    l->seldepth, rank);
	add_score(&t, l);
	text_add_format(&t, " nodes %" PRIu64 " nps %.0f hashfull %d time %.0f pv",
	    f->nodes, (double)f->fresh / spent, f->hashfull, 1000 * spent);
	for (int i = 0; i < l->length; i++) {
		print_move(l->moves[i], m);
		text_add_format(&t, " %s", m);
	}
	say("%s", t.s);
	text_release(&t);
}

/* Of the thread that thinks. */
static struct found found;
static struct found_line lines[MULTIPV_MAX];

static void
say_info(void)
{
	int n = searcher_lines(searcher, lines, multipv);

	searcher_result(searcher, &found);
	for (int i = 0; i < n; i++)
		say_line(i + 1, &lines[i], &found);
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

/* After say_info(). */
static void
say_best(void)
{
	char best[6], ponder[6];

	if (found.best == 0) {
		say_no_move();
		return;
	}
	print_move(found.best, best);
	if (searcher_lines(searcher, lines, 1) == 0 || lines[0].length < 2 ||
	    lines[0].moves[0] != found.best) {
		say("bestmove %s", best);
		return;
	}
	print_move(lines[0].moves[1], ponder);
	say("bestmove %s ponder %s", best, ponder);
}

static void
say_result(void)
{
	say_info();
	if (found.memory_full)
		say("info string the search has ended because TreeMemory, %d MiB, "
		    "is used up", tree_memory);
	say_best();
}

/* ---- thinking ---- */

/* Goes on for a while; false when the search has ended. */
static bool
think_once(void)
{
	char reason[SEARCHER_REASON_MAX];
	enum searcher_state state = searcher_step(searcher);

	if (state == SEARCHER_WAITS && thinker_answer(&thinker, reason) == -1) {
		say("info string the net failed: %s", reason);
		cli.status = EXIT_LOST;
		return false;
	}
	return state != SEARCHER_DONE;
}

static bool
is_sure(void)
{
	return searcher_lines(searcher, lines, 1) > 0 && lines[0].mate != 0;
}

/* Says what there is after each iteration, or where there are none now and
 * then. */
static void
search_position(void)
{
	double next_info = go.started + 0.5;

	while (think_once()) {
		bool iterates = thinker.ops == &ab_searcher_ops;
		if (go.mate && iterates && is_sure())
			return;
		if (!iterates && clock_seconds() < next_info)
			continue;
		say_info();
		next_info = clock_seconds() + 1;
	}
}

static void *
think(void *unused)
{
	(void)unused;
	if (!go.over)
		search_position();
	/* The protocol wants no answer before stop or ponderhit. */
	while (!go.stop && (go.infinite || go.ponder))
		nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
	if (go.over)
		say_no_move();
	else
		say_result();
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
	if (go.running && !go.over)
		searcher_stop(searcher);
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

static bool
is_wanted(move m)
{
	for (int i = 0; i < go.nonly; i++)
		if (go.only[i] == m)
			return true;
	return false;
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
		else if (!is_wanted(m))
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
		go.limits.seconds = fmax(v, 1) / 1000;
	} else if (strcmp(word, "nodes") == 0) {
		go.limits.nodes = (uint64_t)fmin(fmax(v, 1), SIMS_MAX);
	} else if (strcmp(word, "depth") == 0) {
		go.limits.depth = (int)fmin(fmax(v, 1), DEPTH_MAX);
	} else if (strcmp(word, "mate") == 0) {
		go.mate = true;
	}
}

static void
read_limits(char *s)
{
	struct clocks c = { 0 };
	char *word;

	go.stop = false;
	go.ponder = false;
	go.infinite = go.mate = false;
	go.nonly = 0;
	go.limits = (struct limits){ 0 };
	struct limits *l = &go.limits;
	while ((word = next_word(&s)) != NULL)
		read_limit(word, &s, &c);
	if (c.running[board.side] && l->seconds == 0)
		l->seconds = clock_budget(&c, board.side);
	if (go.infinite)
		*l = (struct limits){ 0 };
	else if (l->nodes == 0 && l->seconds == 0 && l->depth == 0 && !go.mate)
		l->nodes = (uint64_t)sims;
}

/* What is asked for; a clock that does not run yet sets no deadline. */
static void
begin_search(void)
{
	struct searcher_task task = { .board = &board, .keys = line.keys,
	    .plies = line.plies, .rng = &go.rng, .only = go.only,
	    .nonly = go.nonly, .lines = multipv, .limits = go.limits };

	if (go.ponder)
		task.limits.seconds = 0;
	rng_init(&go.rng, 0, 0);
	follow_line();
	go.started = clock_seconds();
	searcher_begin(searcher, &task);
}

static void
do_go(char *rest)
{
	stop_thinking();
	read_limits(rest);
	if (!get_ready()) {
		say_no_move();
		return;
	}
	go.over = movegen_count(&board) == 0;
	if (!go.over)
		begin_search();
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
	if (go.running && go.ponder && !go.over && go.limits.seconds > 0)
		searcher_set_deadline(searcher, clock_seconds() +
		    go.limits.seconds);
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
	if (searcher != NULL)
		searcher_forget(searcher);
	searched.plies = -1;
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
	searched.plies = -1;
	board_start(&b, &rules);
	set_start(&b);
}

static void
set_variant(const char *value)
{
	struct rules r;
	char name[RULES_TEXT_MAX], reason[RULES_REASON_MAX] = "it has no name";

	snprintf(name, sizeof(name), "%s", value);
	for (char *s = name; *name != '{' && *s != '\0'; s++)
		*s = (char)tolower((unsigned char)*s);
	if (name[0] == '\0' ||
	    variant_read(&r, name, strlen(name), reason) == -1) {
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
	forget_thinker();
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
set_search(const char *value)
{
	if (search_kind_read(value, &thinking.thinker.kind))
		forget_thinker();
	else
		say("info string Search is net, tree or ab, not %.*s", QUOTED,
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
	else if (strcasecmp(name, "Search") == 0)
		set_search(value);
	else if (strcasecmp(name, "UCI_Variant") == 0)
		set_variant(value);
	else if (strcasecmp(name, "UCI_Chess960") == 0)
		set_check(name, value, &chess960);
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

/* Obeys a line; words before the command are skipped, as the protocol
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
	forget_thinker();
	text_release(&net_name);
}

static void
read_thinking(const char *name, char *arg)
{
	options_read(&cli, name, arg, &thinking, 1);
}

int
main(int argc, char *argv[])
{
	char reason[RULES_REASON_MAX];

	cli_start(&cli, synopsis, help, options);
	cli.other = read_thinking;
	thinking_init(&thinking);
	thinking.thinker.memory = 64;
	if (*cli_read(&cli, argc, argv) != NULL)
		cli_usage_error(&cli, "no files are read");
	sims = (int)thinking.limits.nodes;
	memory = thinking.thinker.memory;
	if (cli.rules != NULL)
		usual_rules = cli.rules;
	for (int i = 0; i < SPINS; i++)
		spins[i].usual = *spins[i].value;
	text_add_string(&net_name, thinking.thinker.spec);
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
