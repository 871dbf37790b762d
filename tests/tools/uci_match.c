/*
 * uci_match: plays games between two UCI engines and watches their manners.
 *
 *	uci_match [-p] [-c ms+ms | -i ms | -m ms | -n nodes] [-1 name=value]
 *	    [-2 name=value] [-g games] [-o plies] [-r rules] [-s seed]
 *	    [-t seconds] engine engine
 *
 * An engine is a command for the shell. The games go to standard output as
 * JSONL; colours alternate, and both games of a pair begin with the same -o
 * random plies. A move is thought about for -n nodes (default 50), -m
 * milliseconds, on a clock (-c), or without end until it is told to stop (-i).
 * -p has the engines ponder; -1 and -2 set options of the first and second.
 *
 * Each fault is reported on standard error, and so are totals at the end: crashes,
 * hangs (nothing for -t seconds), illegal moves, time losses (by more than -t),
 * answers that nobody asked for, and info that does not parse, its pv included.
 * The exit status is 1 if there was any.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/rng.h"
#include "common.h"
#include "data/game.h"
#include "data/rulespec.h"

enum { OPTIONS_MAX = 16, LINE_MAX_BYTES = 1 << 16 };
enum state { IDLE, THINKING, PONDERING };

struct engine {
	int number; /* 1 or 2 */
	const char *command;
	const char *options[OPTIONS_MAX];
	int noptions;
	pid_t pid;   /* 0: does not run */
	int in, out; /* what it reads, what it writes */
	char buffer[LINE_MAX_BYTES + 1];
	size_t have, used;
	char name[80];
	bool has_variant, has_rules;
	enum state state;
	struct board board; /* what it thinks about */
	char ponder[8];     /* what it expects; "" nothing */
	double left;        /* on its clock, ms */
};

static struct engine engines[2];
static enum { NODES, MOVETIME, CLOCK, INFINITE } limit = NODES;
static double amount = 50, added;
static int games = 2, opening_plies, patience = 20;
static bool pondering;
static uint64_t seed;
static struct rules rules;
static const char *rules_spec = "classical";
static int faults, game_number, all_plies, hits, infos;
static struct game game;

static void
usage(void)
{
	fprintf(stderr,
	    "usage: uci_match [-p] [-c ms+ms | -i ms | -m ms | "
	    "-n nodes] [-1 name=value]\n           [-2 name=value] [-g games] "
	    "[-o plies] [-r rules] [-s seed]\n           [-t seconds] engine engine\n");
	exit(2);
}

__attribute__((format(printf, 2, 3))) static void
fault(const struct engine *e, const char *format, ...)
{
	va_list ap;

	faults++;
	fprintf(stderr, "game %d, ply %d, engine %d: ", game_number, game.line.plies,
	    e->number);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* ---- talking to an engine ---- */

static void
engine_start(struct engine *e)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) == -1 || pipe2(from, O_CLOEXEC) == -1)
		err(2, "pipe");
	e->pid = fork();
	if (e->pid == -1)
		err(2, "fork");
	if (e->pid == 0) {
		char *script = NULL;
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		signal(SIGPIPE, SIG_DFL);
		if (asprintf(&script, "exec %s", e->command) == -1)
			_exit(127);
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	e->in = to[1];
	e->out = from[0];
	e->have = e->used = 0;
	e->state = IDLE;
	e->ponder[0] = '\0';
	e->has_variant = e->has_rules = false;
	snprintf(e->name, sizeof(e->name), "engine %d", e->number);
}

/* Ends an engine that has failed. */
static void
engine_kill(struct engine *e)
{
	if (e->pid == 0)
		return;
	kill(e->pid, SIGKILL);
	waitpid(e->pid, NULL, 0);
	close(e->in);
	close(e->out);
	e->pid = 0;
}

__attribute__((format(printf, 2, 3))) static void
engine_send(struct engine *e, const char *format, ...)
{
	char *s = NULL;
	va_list ap;

	if (e->pid == 0)
		return;
	va_start(ap, format);
	int n = vasprintf(&s, format, ap);
	va_end(ap);
	if (n == -1)
		err(2, NULL);
	/* A dead engine shows itself when it is read from. */
	for (ssize_t done = 0, k; done < n; done += k)
		if ((k = write(e->in, s + done, (size_t)(n - done))) <= 0)
			break;
	free(s);
}

/* The next line without its end, NULL when there is none by the deadline or
 * the engine has died: that is a fault, and it runs no more. */
static char *
engine_line(struct engine *e, double deadline, const char *waiting_for)
{
	while (e->pid != 0) {
		char *line = e->buffer + e->used;
		char *end = memchr(line, '\n', e->have - e->used);
		if (end != NULL) {
			*end = '\0';
			e->used = (size_t)(end + 1 - e->buffer);
			line[strcspn(line, "\r")] = '\0';
			return line;
		}
		memmove(e->buffer, line, e->have - e->used);
		e->have -= e->used;
		e->used = 0;
		double wait = deadline - clock_seconds();
		struct pollfd p = { .fd = e->out, .events = POLLIN };
		ssize_t n = 0;
		if (e->have < LINE_MAX_BYTES && wait > 0 &&
		    poll(&p, 1, (int)(1000 * wait) + 1) >= 0 && p.revents == 0)
			continue;
		if (e->have < LINE_MAX_BYTES && p.revents != 0)
			n = read(e->out, e->buffer + e->have, LINE_MAX_BYTES - e->have);
		if (n > 0) {
			e->have += (size_t)n;
			continue;
		}
		fault(e, "%s while waiting for %s", p.revents != 0 ? "crash" : "hang",
		    waiting_for);
		engine_kill(e);
	}
	return NULL;
}

/* ---- what it says ---- */

/* Plays the moves of a pv; they must all be legal. */
static void
check_pv(struct engine *e, char *s, const char *line)
{
	struct board b = e->board;
	struct undo u;
	char *save = NULL;

	if (e->state == IDLE)
		return; /* of what, is not known any more */
	for (char *word = strtok_r(s, " ", &save); word != NULL;
	     word = strtok_r(NULL, " ", &save)) {
		move m = strlen(word) >= 4 && strlen(word) <= 5 ? move_of(&b, word) : 0;
		if (m == 0) {
			fault(e, "illegal move %s in pv: %s", word, line);
			return;
		}
		board_make(&b, m, &u);
	}
}

/* Numbers behind a word of info: how many, and their range. */
static const struct {
	const char *word;
	int count;
	int64_t lowest, highest;
} fields[] = {
	{ "depth", 1, 0, 1000 },
	{ "seldepth", 1, 0, 1000 },
	{ "time", 1, 0, 1 << 30 },
	{ "nodes", 1, 0, INT64_MAX },
	{ "multipv", 1, 1, 500 },
	{ "cp", 1, -100000, 100000 },
	{ "mate", 1, -1000, 1000 },
	{ "wdl", 3, 0, 1000 },
	{ "nps", 1, 0, INT64_MAX },
	{ "hashfull", 1, 0, 1000 },
	{ "tbhits", 1, 0, INT64_MAX },
	{ "cpuload", 1, 0, 1000 },
	{ "currmovenumber", 1, 1, 500 },
	{ "score", 0, 0, 0 },
	{ "lowerbound", 0, 0, 0 },
	{ "upperbound", 0, 0, 0 },
};

static bool
check_field(const char *word, char **save)
{
	int64_t v, sum = 0;
	size_t i = 0, n = sizeof(fields) / sizeof(fields[0]);

	while (i < n && strcmp(fields[i].word, word) != 0)
		i++;
	if (i == n)
		return false;
	for (int k = 0; k < fields[i].count; k++) {
		const char *number = strtok_r(NULL, " ", save);
		if (number == NULL ||
		    !number_read(number, fields[i].lowest, fields[i].highest, &v))
			return false;
		sum += v;
	}
	return strcmp(word, "wdl") != 0 || sum == 1000;
}

static void
check_info(struct engine *e, const char *line)
{
	char *copy = strdup(line), *save = NULL;

	if (copy == NULL)
		err(2, NULL);
	infos++;
	strtok_r(copy, " ", &save);
	for (char *word; (word = strtok_r(NULL, " ", &save)) != NULL;) {
		if (strcmp(word, "string") == 0)
			break;
		if (strcmp(word, "pv") == 0) {
			check_pv(e, save, line);
			break;
		}
		if (strcmp(word, "currmove") == 0) {
			strtok_r(NULL, " ", &save);
		} else if (!check_field(word, &save)) {
			fault(e, "info does not parse at %s: %s", word, line);
			break;
		}
	}
	free(copy);
}

/* Waits for a line that begins with a word, and returns it; looks at all
 * others on the way. */
static char *
engine_expect(struct engine *e, const char *word, double deadline)
{
	char *line;
	size_t n = strlen(word);

	while ((line = engine_line(e, deadline, word)) != NULL) {
		size_t first = strcspn(line, " ");
		if (first == n && strncmp(line, word, n) == 0)
			return line;
		if (strncmp(line, "info ", 5) == 0)
			check_info(e, line);
		else if (strncmp(line, "bestmove", 8) == 0)
			fault(e, "nobody has asked for %s", line);
		else if (strncmp(line, "id name ", 8) == 0)
			snprintf(e->name, sizeof(e->name), "%.70s", line + 8);
		else if (strncmp(line, "option name UCI_Variant ", 24) == 0)
			e->has_variant = true;
		else if (strncmp(line, "option name Rules ", 18) == 0)
			e->has_rules = true;
		else if (strcmp(word, "uciok") != 0)
			fault(e, "what is this? %s", line);
	}
	return NULL;
}

static double
soon(void)
{
	return clock_seconds() + patience;
}

static bool
is_preset(const char *spec)
{
	for (int i = 1; i < RULES_PRESETS; i++)
		if (strcmp(spec, rules_preset_name(i)) == 0)
			return true;
	return false;
}

/* Whatever it still has to say, it says now: a second answer comes to light. */
static bool
engine_ping(struct engine *e)
{
	if (e->pid == 0)
		return false;
	engine_send(e, "isready\n");
	return engine_expect(e, "readyok", soon()) != NULL;
}

/* Starts an engine if it does not run, and makes it ready for a game. */
static bool
engine_ready(struct engine *e)
{
	if (e->pid == 0) {
		engine_start(e);
		engine_send(e, "uci\n");
		if (engine_expect(e, "uciok", soon()) == NULL)
			return false;
		for (int i = 0; i < e->noptions; i++) {
			int n = (int)strcspn(e->options[i], "=");
			engine_send(e, "setoption name %.*s value %s\n", n, e->options[i],
			    e->options[i] + n + 1);
		}
		if (pondering)
			engine_send(e, "setoption name Ponder value true\n");
		if (e->has_variant && is_preset(rules_spec))
			engine_send(e, "setoption name UCI_Variant value %s\n",
			    rules_spec);
		else if (e->has_rules)
			engine_send(e, "setoption name Rules value %s\n", rules_spec);
	}
	e->left = amount;
	e->ponder[0] = '\0';
	engine_send(e, "ucinewgame\n");
	return engine_ping(e);
}

static void
engine_quit(struct engine *e)
{
	int status = 0;
	double deadline = soon();

	if (e->pid == 0)
		return;
	engine_send(e, "quit\n");
	while (waitpid(e->pid, &status, WNOHANG) == 0) {
		if (clock_seconds() >= deadline) {
			fault(e, "hang after quit");
			engine_kill(e);
			return;
		}
		poll(NULL, 0, 5);
	}
	if (status != 0)
		fault(e, "ended with status %d", status);
	close(e->in);
	close(e->out);
	e->pid = 0;
}

/* ---- moves ---- */

static void
send_go(struct engine *e, const struct board *b, const char *also)
{
	struct text t = { 0 };
	char fen[FEN_MAX], m[6];
	const struct engine *white = &engines[game_number % 2];
	const struct engine *black = &engines[(game_number + 1) % 2];

	if (game.usual_start)
		text_add_string(&t, "position startpos");
	else
		fen_write(&game.start, fen), text_add_format(&t, "position fen %s", fen);
	for (int i = 0; i < game.line.plies; i++) {
		move_print(&game.rules, game.line.moves[i], m);
		text_add_format(&t, "%s %s", i == 0 ? " moves" : "", m);
	}
	if (also[0] != '\0')
		text_add_format(&t, "%s %s", game.line.plies == 0 ? " moves" : "", also);
	engine_send(e, "%s\ngo%s", t.s, also[0] != '\0' ? " ponder" : "");
	if (limit == NODES)
		engine_send(e, " nodes %.0f\n", amount);
	else if (limit == MOVETIME)
		engine_send(e, " movetime %.0f\n", amount);
	else if (limit == INFINITE)
		engine_send(e, " infinite\n");
	else
		engine_send(e, " wtime %.0f btime %.0f winc %.0f binc %.0f\n",
		    white->left, black->left, added, added);
	e->state = also[0] != '\0' ? PONDERING : THINKING;
	e->board = *b;
	text_release(&t);
}

/* The answer to a go; 0 when there is none or it is illegal. */
static move
read_bestmove(struct engine *e, double deadline)
{
	char *save = NULL, *line = engine_expect(e, "bestmove", deadline);
	struct undo u;

	e->ponder[0] = '\0';
	if (line == NULL)
		return 0;
	strtok_r(line, " ", &save);
	const char *best = strtok_r(NULL, " ", &save);
	const char *word = strtok_r(NULL, " ", &save);
	const char *ponder = strtok_r(NULL, " ", &save);
	move m = best != NULL && strlen(best) >= 4 && strlen(best) <= 5
	    ? move_of(&e->board, best)
	    : 0;
	e->state = IDLE;
	if (m == 0) {
		fault(e, "illegal move %s", best == NULL ? "" : best);
		return 0;
	}
	board_make(&e->board, m, &u);
	if (word != NULL &&
	    (strcmp(word, "ponder") != 0 || ponder == NULL || strlen(ponder) > 5 ||
		move_of(&e->board, ponder) == 0))
		fault(e, "bad ponder move after %s", best);
	else if (word != NULL)
		snprintf(e->ponder, sizeof(e->ponder), "%s", ponder);
	return m;
}

/* The engine has pondered on its expectation; was it right? */
static void
end_pondering(struct engine *e, const struct board *b)
{
	char last[6];

	move_print(&game.rules, game.line.moves[game.line.plies - 1], last);
	if (strcmp(last, e->ponder) == 0) {
		engine_send(e, "ponderhit\n");
		e->state = THINKING;
		hits++;
		return;
	}
	engine_send(e, "stop\n");
	read_bestmove(e, soon());
	engine_ping(e);
	if (e->pid != 0)
		send_go(e, b, "");
}

static move
think(struct engine *e, const struct board *b)
{
	double began = clock_seconds(), allowed = patience;

	if (e->state == PONDERING)
		end_pondering(e, b);
	else
		send_go(e, b, "");
	if (limit == MOVETIME)
		allowed += amount / 1000;
	else if (limit == CLOCK)
		allowed += e->left / 1000 + patience;
	else if (limit == INFINITE) {
		poll(NULL, 0, (int)amount);
		engine_send(e, "stop\n");
	}
	move m = read_bestmove(e, began + allowed);
	if (limit == CLOCK) {
		e->left += added - 1000 * (clock_seconds() - began);
		if (e->left < -1000.0 * patience)
			fault(e, "loses on time by %.0f ms", -e->left);
		/* a crowded machine is no fault of an engine's */
		e->left = e->left < 1 ? 1 : e->left;
	}
	engine_ping(e);
	return m;
}

/* After its move: it may think on while the other does. */
static void
begin_pondering(struct engine *e, const struct board *b)
{
	struct board expected = *b;
	struct undo u;

	if (!pondering || e->ponder[0] == '\0')
		return;
	board_make(&expected, move_of(b, e->ponder), &u);
	if (movegen_count(&expected) == 0)
		return;
	send_go(e, &expected, e->ponder);
}

/* ---- games ---- */

static void
play_opening(struct board *b)
{
	struct rng rng;
	move list[MOVES_MAX];

	rng_init(&rng, seed, (uint64_t)game_number / 2);
	for (int i = 0; i < opening_plies; i++) {
		if (outcome_find(b, game.line.keys, game.line.plies) != END_NONE)
			return;
		int n = movegen_list(b, list);
		game_grow(&game);
		line_add(&game.line, b, list[rng_below(&rng, (uint32_t)n)]);
	}
}

/* Both stop to think. */
static void
settle(void)
{
	for (int i = 0; i < 2; i++) {
		struct engine *e = &engines[i];
		if (e->pid != 0 && e->state != IDLE) {
			engine_send(e, "stop\n");
			read_bestmove(e, soon());
		}
	}
}

static void
set_result(const struct board *b, enum end end)
{
	game.end = end == END_NONE ? END_UNKNOWN : end;
	if (end == END_NONE) /* who was to move has failed */
		game_set_value(&game, b->side == WHITE ? -100 : 100);
	else
		game_set_value(&game, outcome_value(b, end));
}

static void
play_game(void)
{
	struct board b;
	enum end end = END_NONE;

	game_clear(&game);
	game_set_rules(&game, &rules);
	game_grow(&game);
	b = game.start;
	game.line.keys[0] = b.key;
	if (!engine_ready(&engines[0]) || !engine_ready(&engines[1]))
		return;
	play_opening(&b);
	while ((end = outcome_find(&b, game.line.keys, game.line.plies)) == END_NONE) {
		struct engine *e = &engines[(game_number + (b.side == BLACK)) % 2];
		move m = think(e, &b);
		if (m == 0)
			break;
		game_grow(&game);
		line_add(&game.line, &b, m);
		begin_pondering(e, &b);
	}
	set_result(&b, end);
	all_plies += game.line.plies;
	settle();
}

static void
write_game(struct text *t)
{
	char id[16];
	const char *white = engines[game_number % 2].name;
	const char *black = engines[(game_number + 1) % 2].name;

	game.id =
	    game_keep(&game, id, (size_t)snprintf(id, sizeof(id), "%d", game_number));
	game.white = game_keep_foreign(&game, white, strlen(white));
	game.black = game_keep_foreign(&game, black, strlen(black));
	text_clear(t);
	game_write_json(&game, t);
	fwrite(t->s, 1, t->len, stdout);
	fflush(stdout);
}

static double
number(const char *s)
{
	double v;

	if (!number_read_double(s, 0, 1e9, &v))
		usage();
	return v;
}

static void
set_clock(char *arg)
{
	char *plus = strchr(arg, '+');

	limit = CLOCK;
	if (plus != NULL) {
		*plus = '\0';
		added = number(plus + 1);
	}
	amount = number(arg);
}

static void
add_engine_option(struct engine *e, const char *option)
{
	if (e->noptions == OPTIONS_MAX || strchr(option, '=') == NULL)
		usage();
	e->options[e->noptions++] = option;
}

static void
read_options(int argc, char *argv[])
{
	int c;

	while ((c = getopt(argc, argv, "1:2:c:g:i:m:n:o:pr:s:t:")) != -1) {
		if (c == '1' || c == '2')
			add_engine_option(&engines[c - '1'], optarg);
		else if (c == 'c')
			set_clock(optarg);
		else if (c == 'i' || c == 'm' || c == 'n') {
			limit = c == 'i' ? INFINITE : c == 'm' ? MOVETIME : NODES;
			amount = number(optarg);
		} else if (c == 'g')
			games = (int)number(optarg);
		else if (c == 'o')
			opening_plies = (int)number(optarg);
		else if (c == 'p')
			pondering = true;
		else if (c == 'r')
			rules_spec = optarg;
		else if (c == 's')
			seed = (uint64_t)number(optarg);
		else if (c == 't')
			patience = (int)number(optarg);
		else
			usage();
	}
	if (argc - optind != 2)
		usage();
	for (int i = 0; i < 2; i++) {
		engines[i].number = i + 1;
		engines[i].command = argv[optind + i];
	}
}

int
main(int argc, char *argv[])
{
	char reason[RULES_REASON_MAX];
	struct text t = { 0 };

	read_options(argc, argv);
	if (rulespec_read(&rules, rules_spec, reason) == -1)
		errx(2, "%s", reason);
	signal(SIGPIPE, SIG_IGN);
	game_init(&game);
	for (game_number = 0; game_number < games; game_number++) {
		play_game();
		write_game(&t);
	}
	engine_quit(&engines[0]);
	engine_quit(&engines[1]);
	fprintf(stderr, "%d games, %d plies, %d infos, %d ponder hits, %d faults\n",
	    games, all_plies, infos, hits, faults);
	game_release(&game);
	text_release(&t);
	if (ferror(stdout) || fflush(stdout) == EOF)
		err(2, "standard output");
	return faults != 0;
}
