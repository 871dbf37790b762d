/*
 * uci: the search as a chess engine, for GUIs and match drivers that speak
 * the UCI protocol. This file reads commands; play/ucioptions has the options,
 * play/ucisearch the thread that thinks.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "play/ucisearch.h"
#include "play/ucitext.h"

static const char synopsis[] = "[-V] [-N net] [-r rules] [-v nodes] [-Y provider]\n"
			       "           [--search kind]";
static const char help[] = "A UCI chess engine for any rule set and any net.\n";

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
	CLI_END,
};

enum { DEPTH_MAX = 1000 };

static struct cli cli;
static struct uci_options setting;
static struct uci_search search;

/* ---- moves ---- */

/* Does a text begin with the form of a move? */
static bool
looks_like_move(const char *s)
{
	size_t n = strcspn(s, " \t\r");

	return (n == 4 || n == 5) && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' &&
	    s[1] <= '8' && s[2] >= 'a' && s[2] <= 'h' && s[3] >= '1' && s[3] <= '8';
}

/* The legal move that a word stands for; 0 if there is none. */
static move
read_move(const char *s)
{
	return move_parse(&search.board, s, strlen(s));
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
	double share = left / (c->moves > 0 ? c->moves + 1 : 25) + 0.8 * c->added[side];

	share = fmin(share, 0.6 * left) - setting.now.overhead;
	return fmax(share, 1) / 1000;
}

static void
read_searchmoves(char **s)
{
	for (;;) {
		*s += strspn(*s, " \t\r");
		if (!looks_like_move(*s))
			return;
		const char *word = uci_next_word(s);
		move m = read_move(word);
		if (m == 0)
			uci_say("info string illegal move %s", word);
		else if (!move_is_among(search.task.only, search.task.nonly, m))
			search.task.only[search.task.nonly++] = m;
	}
}

static void
read_limit(const char *word, char **s, struct clocks *c)
{
	struct uci_task *t = &search.task;
	double v;
	int side = word[0] == 'b';

	if (strcmp(word, "infinite") == 0) {
		t->infinite = true;
	} else if (strcmp(word, "ponder") == 0) {
		search.ponder = true;
	} else if (strcmp(word, "searchmoves") == 0) {
		read_searchmoves(s);
	} else if (!uci_next_number(s, 0, 1e12, &v)) {
		return;
	} else if (strcmp(word, "wtime") == 0 || strcmp(word, "btime") == 0) {
		c->left[side] = v;
		c->running[side] = true;
	} else if (strcmp(word, "winc") == 0 || strcmp(word, "binc") == 0) {
		c->added[side] = v;
	} else if (strcmp(word, "movestogo") == 0) {
		c->moves = v;
	} else if (strcmp(word, "movetime") == 0) {
		t->limits.seconds = fmax(v, 1) / 1000;
	} else if (strcmp(word, "nodes") == 0) {
		t->limits.nodes = (uint64_t)fmin(fmax(v, 1), UCI_NODES_MAX);
	} else if (strcmp(word, "depth") == 0) {
		t->limits.depth = (int)fmin(fmax(v, 1), DEPTH_MAX);
	} else if (strcmp(word, "mate") == 0) {
		t->mate = true;
	}
}

static void
read_limits(char *s)
{
	struct uci_task *t = &search.task;
	struct clocks c = { 0 };
	int side = search.board.side;
	char *word;

	*t = (struct uci_task){ 0 };
	search.ponder = false;
	while ((word = uci_next_word(&s)) != NULL)
		read_limit(word, &s, &c);
	if (c.running[side] && t->limits.seconds == 0)
		t->limits.seconds = clock_budget(&c, side);
	if (t->infinite)
		t->limits = (struct limits){ 0 };
	else if (t->limits.nodes == 0 && t->limits.seconds == 0 && t->limits.depth == 0 &&
	    !t->mate)
		t->limits.nodes = (uint64_t)setting.now.sims;
}

static void
do_go(char *rest)
{
	uci_search_stop(&search);
	read_limits(rest);
	if (uci_search_begin(&search) == -1)
		errx(EXIT_LOST, "cannot start a thread");
}

/* ---- position ---- */

static void
play_moves(char *s)
{
	const char *word;

	while ((word = uci_next_word(&s)) != NULL) {
		move m = read_move(word);
		if (m == 0) {
			uci_say("info string illegal move %.*s", UCI_QUOTED, word);
			return;
		}
		if (search.line.plies == UCI_PLIES_MAX) {
			uci_say("info string more than %d plies", UCI_PLIES_MAX);
			return;
		}
		line_add(&search.line, &search.board, m);
	}
}

static void
do_position(char *s)
{
	char reason[FEN_REASON_MAX], *moves = uci_split(s, "moves");
	const char *word = uci_next_word(&s);
	struct board b;

	uci_search_stop(&search);
	if (word != NULL && strcmp(word, "fen") == 0) {
		s = uci_trim(s);
		if (fen_read(&b, &setting.rules, s, strlen(s), reason) == -1) {
			uci_say("info string bad position: %s", reason);
			return;
		}
		uci_search_set_start(&search, &b);
	} else if (word != NULL && strcmp(word, "startpos") == 0) {
		uci_search_set_start(&search, NULL);
	} else {
		uci_say("info string a position is startpos or fen");
		return;
	}
	if (moves != NULL)
		play_moves(moves);
}

/* ---- the other commands ---- */

/* name NAME [value VALUE]; both may have blanks inside. */
static void
do_setoption(char *s)
{
	const char *word = uci_next_word(&s);

	uci_search_stop(&search);
	if (word == NULL || strcmp(word, "name") != 0) {
		uci_say("info string setoption wants a name");
		return;
	}
	char *value = uci_split(s, "value");
	switch (uci_options_set(&setting, uci_trim(s),
	    value == NULL ? "" : uci_trim(value))) {
	case UCI_NEW_THINKER:
		uci_search_close(&search);
		break;
	case UCI_NEW_RULES:
		uci_search_set_start(&search, NULL);
		break;
	case UCI_SAME:
		break;
	}
}

static void
do_uci(char *rest)
{
	(void)rest;
	uci_say("id name rulelab %s", RULELAB_VERSION);
	uci_say("id author the rulelab authors");
	uci_options_say(&setting);
	uci_say("uciok");
}

static void
do_isready(char *rest)
{
	(void)rest;
	if (!search.running)
		uci_search_prepare(&search);
	uci_say("readyok");
}

static void
do_nothing(char *rest)
{
	(void)rest;
}

static const struct command {
	const char *name;
	void (*obey)(char *rest);
	void (*search)(struct uci_search *s); /* if that is all */
} commands[] = {
	{ "debug", do_nothing, NULL },
	{ "go", do_go, NULL },
	{ "isready", do_isready, NULL },
	{ "ponderhit", NULL, uci_search_ponderhit },
	{ "position", do_position, NULL },
	{ "quit", NULL, NULL },
	{ "register", do_nothing, NULL },
	{ "setoption", do_setoption, NULL },
	{ "stop", NULL, uci_search_stop },
	{ "uci", do_uci, NULL },
	{ "ucinewgame", NULL, uci_search_new_game },
	{ NULL, NULL, NULL },
};

static const struct command *
find_command(const char *word)
{
	const struct command *c = commands;

	while (c->name != NULL && strcmp(c->name, word) != 0)
		c++;
	return c->name == NULL ? NULL : c;
}

/* Executes a line; words before the command are skipped, as the protocol
 * demands. Returns false on quit. */
static bool
obey(char *s)
{
	const char *word, *first = NULL;

	while ((word = uci_next_word(&s)) != NULL) {
		const struct command *c = find_command(word);
		if (first == NULL)
			first = word;
		if (c == NULL)
			continue;
		if (c->obey != NULL)
			c->obey(s);
		if (c->search != NULL)
			c->search(&search);
		return c->obey != NULL || c->search != NULL;
	}
	if (first != NULL)
		uci_say("info string unknown command %.*s", UCI_QUOTED, first);
	return true;
}

/* Reads until quit, or the end of input: then a search with a limit is completed. */
static void
converse(void)
{
	static char line[UCI_LINE_MAX];
	bool on = true;

	while (on && uci_read_line(line))
		on = obey(line);
	if (ferror(stdin)) {
		warn("standard input");
		cli.status = EXIT_LOST;
	}
	if (on && !search.task.infinite && !search.ponder)
		uci_search_wait(&search);
	uci_search_stop(&search);
}

int
main(int argc, char *argv[])
{
	char reason[RULES_REASON_MAX];

	cli_start(&cli, synopsis, help, options);
	options_start(&cli, &setting.now.thinking, 1);
	uci_options_init(&setting);
	if (*cli_read(&cli, argc, argv) != NULL)
		cli_usage_error(&cli, "no files are read");
	if (uci_options_start(&setting, cli.rules, reason) == -1)
		cli_usage_error(&cli, "--rules: %s", reason);
	uci_search_init(&search, &setting);
	converse();
	if (search.failed)
		cli.status = EXIT_LOST;
	uci_search_close(&search);
	uci_options_release(&setting);
	if (ferror(stdout) || fflush(stdout) == EOF)
		err(EXIT_LOST, "standard output");
	return cli.status;
}
