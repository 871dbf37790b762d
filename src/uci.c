/*
 * uci: the search as a chess engine, for GUIs and match drivers that speak
 * the UCI protocol. One thread reads commands, another thinks.
 */
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
#include "chess/run.h"
#include "data/rulespec.h"
#include "search/cache.h"
#include "search/search.h"

static const char synopsis[] = "[-V] [-N net] [-r rules] [-v visits] [-Y provider]";
static const char help[] =
    "A chess engine for any rule set and any net, on the UCI protocol.\n"
    "\n"
    "  -h, --help           show this help\n"
    "  -N, --net FILE       ONNX file, uniform, or material (default; option Net)\n"
    "  -r, --rules SPEC     preset, sum of presets, or JSON file (option UCI_Variant)\n"
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
	SIMS_MAX = 100000000, THREADS_MAX = 256, CACHE_MAX = 65536,
	MULTIPV_MAX = 256, IN_FLIGHT = 8, OVERHEAD_MS = 30, PLIES_MAX = 20000,
	PV_MAX = 40
};

/* What the game is and where it stands. Only the reading thread changes this,
 * and only while nobody thinks. */
static struct cli cli;
static struct rules rules;
static struct text rules_name;	/* as the user gave it */
static struct board board;
static struct line line;
static struct board start;

/* Options. */
static struct text net_name;
static struct net_options net_options;
static int sims = 800, multipv = 1, cache_size = 64;

/* The engine. */
static struct net *net;
static struct cache cache;
static struct search search;
static bool search_ready;
static struct line searched;	/* the line that the tree belongs to */

/* A search under way. */
static struct {
	pthread_t thread;
	bool running;
	atomic_bool stop, ponder;	/* ponder: the clock does not run yet */
	bool infinite;
	int nodes;			/* 0: no limit */
	double budget;			/* seconds; 0: no limit */
	double started;
	_Atomic double clock_from;	/* when the clock began to run */
	uint64_t visits_before;
} go;

/* ---- talking ---- */

__attribute__((format(printf, 1, 2)))
static void
say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	flockfile(stdout);
	vprintf(format, ap);
	putchar('\n');
	fflush(stdout);
	funlockfile(stdout);
	va_end(ap);
}

static void
say_options(void)
{
	say("id name rulelab %s", RULELAB_VERSION);
	say("id author the rulelab authors");
	say("option name Net type string default %s", net_name.s);
	say("option name Sims type spin default %d min 1 max %d", sims, SIMS_MAX);
	say("option name Threads type spin default 1 min 1 max %d", THREADS_MAX);
	say("option name Hash type spin default %d min 0 max %d", cache_size,
	    CACHE_MAX);
	say("option name MultiPV type spin default 1 min 1 max %d", MULTIPV_MAX);
	say("option name Ponder type check default false");
	say("option name UCI_ShowWDL type check default true");
	flockfile(stdout);
	printf("option name UCI_Variant type combo default %s var chess",
	    strcmp(rules_name.s, "classical") == 0 ? "chess" : rules_name.s);
	for (int i = 1; i < RULES_PRESETS; i++)
		printf(" var %s", rules_preset_name(i));
	printf("\n");
	funlockfile(stdout);
	say("option name Rules type string default %s", rules_name.s);
	say("uciok");
}

/* ---- lines of moves ---- */

static void
line_reserve(struct line *l)
{
	if (l->room != 0)
		return;
	l->room = PLIES_MAX + 1;
	l->moves = calloc((size_t)l->room, sizeof(*l->moves));
	l->keys = calloc((size_t)l->room, sizeof(*l->keys));
	l->men = calloc((size_t)l->room, sizeof(*l->men));
	if (l->moves == NULL || l->keys == NULL || l->men == NULL)
		err(EXIT_LOST, NULL);
}

static void
line_release(struct line *l)
{
	free(l->moves);
	free(l->keys);
	free(l->men);
}

static void
set_start(const struct board *b)
{
	start = board = *b;
	line.plies = 0;
	line.keys[0] = b->key;
}

/* The legal move of n bytes at s, 0 when there is none. */
static move
read_move(const char *s, size_t n)
{
	static const char promotions[] = "  nbrq";

	if (n < 4 || n > 5 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' ||
	    s[1] > '8' || s[2] < 'a' || s[2] > 'h' || s[3] < '1' || s[3] > '8')
		return 0;
	const char *p = n == 5 ? strchr(promotions + 2, s[4]) : promotions;
	if (p == NULL || (n == 5 && *p == '\0'))
		return 0;
	return movegen_find(&board, (s[1] - '1') * 8 + s[0] - 'a',
	    (s[3] - '1') * 8 + s[2] - 'a', (int)(p - promotions));
}

/* ---- the engine ---- */

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
			return false;
		}
	}
	if (cache.size == 0)
		cache_init(&cache, (size_t)cache_size);
	if (!search_ready) {
		o.async = IN_FLIGHT;
		o.sims = 0;
		search_init(&search, &o);
		search_ready = true;
		searched.plies = -1;
	}
	return true;
}

static void
forget_tree(void)
{
	if (search_ready)
		search_forget(&search);
	searched.plies = -1;
}

static void
forget_net(void)
{
	net_close(net);
	net = NULL;
	cache_release(&cache);
	forget_tree();
}

/* Goes down the tree to the position on the board, if it leads there. */
static void
follow_line(void)
{
	bool same = searched.plies >= 0 && searched.plies <= line.plies &&
	    memcmp(searched.keys, line.keys,
	    (size_t)(searched.plies + 1) * sizeof(*line.keys)) == 0;

	for (int i = searched.plies; same && i < line.plies; i++) {
		int n, child = 0;
		const struct node *moves = search_moves(&search, &n);
		while (child < n && moves[child].move != line.moves[i])
			child++;
		same = child < n;
		if (same)
			search_advance(&search, child);
	}
	if (!same)
		search_forget(&search);
	line_reserve(&searched);
	searched.plies = line.plies;
	memcpy(searched.keys, line.keys,
	    (size_t)(line.plies + 1) * sizeof(*line.keys));
}

/* ---- what the search has found ---- */

/* Better first: a proven win, no proven loss, visits, prior. */
static int
compare_children(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;

	if (x->proof != y->proof && (x->proof > 0 || y->proof > 0 ||
	    x->proof < 0 || y->proof < 0))
		return y->proof - x->proof;
	if (x->visits != y->visits)
		return x->visits < y->visits ? 1 : -1;
	return x->prior < y->prior ? 1 : x->prior > y->prior ? -1 : 0;
}

static int
sorted_children(const struct node *n, const struct node **sorted)
{
	for (int i = 0; i < n->nchildren; i++)
		sorted[i] = &search.tree.nodes[n->children + (uint32_t)i];
	qsort(sorted, n->nchildren, sizeof(*sorted), compare_children);
	return n->nchildren;
}

/* The line that is expected after a move, itself first. */
static int
read_pv(const struct node *n, move *pv)
{
	const struct node *sorted[MOVES_MAX];
	int length = 0;

	for (;;) {
		pv[length++] = n->move;
		if (length == PV_MAX || n->children == 0)
			return length;
		sorted_children(n, sorted);
		n = sorted[0];
		if (n->visits == 0)
			return length;
	}
}

static void
add_score(struct text *t, const struct node *n, int pv_length)
{
	double q = n->visits == 0 ? 0 : n->value / n->visits;
	double draw = n->visits == 0 ? 0 : (double)n->draws / n->visits;

	if (n->proof > 0)
		text_add_format(t, " score mate %d", (pv_length + 1) / 2);
	else if (n->proof < 0)
		text_add_format(t, " score mate -%d", pv_length / 2);
	else
		text_add_format(t, " score cp %d",
		    (int)lround(250 * atanh(0.998 * q)));
	double win = fmin(fmax((1 - draw + q) / 2, 0), 1);
	double loss = fmin(fmax((1 - draw - q) / 2, 0), 1);
	int w = (int)lround(1000 * win), l = (int)lround(1000 * loss);
	text_add_format(t, " wdl %d %d %d", w, w + l < 1000 ? 1000 - w - l : 0, l);
}

static void
say_info(void)
{
	const struct node *sorted[MOVES_MAX];
	const struct node *root = &search.tree.nodes[0];
	int n = sorted_children(root, sorted);
	double spent = clock_seconds() - go.started;
	uint64_t nodes = root->visits - go.visits_before;

	for (int i = 0; i < n && i < multipv; i++) {
		struct text t = { 0 };
		move pv[PV_MAX];
		char m[6];
		int length = read_pv(sorted[i], pv);
		text_add_format(&t, "info depth %d seldepth %d", length, length);
		if (multipv > 1)
			text_add_format(&t, " multipv %d", i + 1);
		add_score(&t, sorted[i], length);
		text_add_format(&t, " nodes %llu nps %.0f time %.0f pv",
		    (unsigned long long)nodes, spent > 0 ?
		    (double)nodes / spent : 0, 1000 * spent);
		for (int j = 0; j < length; j++) {
			move_print(pv[j], m);
			text_add_format(&t, " %s", m);
		}
		say("%s", t.s);
		text_release(&t);
	}
}

static void
say_best(void)
{
	const struct node *sorted[MOVES_MAX];
	const struct node *root = &search.tree.nodes[0];
	move pv[PV_MAX];
	char best[6], ponder[6];

	if (sorted_children(root, sorted) == 0) {
		move list[MOVES_MAX];
		/* stopped before the first answer, or the game is over */
		if (movegen_list(&board, list) == 0) {
			say("bestmove 0000");
			return;
		}
		move_print(list[0], best);
		say("bestmove %s", best);
		return;
	}
	int length = read_pv(sorted[0], pv);
	move_print(pv[0], best);
	if (length == 1) {
		say("bestmove %s", best);
		return;
	}
	move_print(pv[1], ponder);
	say("bestmove %s ponder %s", best, ponder);
}

/* ---- thinking ---- */

static bool
is_over(void)
{
	const struct node *root = &search.tree.nodes[0];

	if (go.stop)
		return true;
	if (go.ponder || go.infinite)
		return false;
	if (root->proof != 0 && root->children != 0)
		return true;
	if (go.nodes > 0 && root->visits - go.visits_before >= (unsigned)go.nodes)
		return true;
	return go.budget > 0 && root->visits > 1 &&
	    clock_seconds() - go.clock_from >= go.budget;
}

/* One batch; false when there is nothing left to ask. */
static bool
think_once(void)
{
	struct net_query queries[IN_FLIGHT], missing[IN_FLIGHT];
	int n = search_ask(&search, queries), asked = 0, place[IN_FLIGHT];
	char reason[NET_REASON_MAX];

	for (int i = 0; i < n; i++) {
		if (cache_get(&cache, &queries[i]))
			continue;
		place[asked] = i;
		missing[asked++] = queries[i];
	}
	if (asked > 0 && net_evaluate(net, missing, asked, reason) == -1) {
		say("info string the net: %s", reason);
		search_stop(&search);
		return false;
	}
	for (int i = 0; i < asked; i++) {
		memcpy(queries[place[i]].wdl, missing[i].wdl,
		    sizeof(missing[i].wdl));
		cache_put(&cache, &missing[i]);
	}
	if (n > 0)
		search_tell(&search, queries, n);
	return n > 0;
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
		more = think_once();
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
stop_thinking(void)
{
	if (!go.running)
		return;
	go.stop = true;
	pthread_join(go.thread, NULL);
	go.running = false;
}

/* Seconds for a move, from what the clock shows: milliseconds left, added for
 * each move, and moves to the next control (0: none). */
static double
clock_budget(double left, double added, int moves)
{
	double share = left / (moves > 0 ? moves + 1 : 25) + 0.8 * added;

	if (share > 0.6 * left)
		share = 0.6 * left;
	share -= OVERHEAD_MS;
	return fmax(share, 1) / 1000;
}

/* ---- commands ---- */

static char *
next_word(char **s)
{
	*s += strspn(*s, " \t\r\n");
	if (**s == '\0')
		return NULL;
	char *word = *s;
	*s += strcspn(*s, " \t\r\n");
	if (**s != '\0')
		*(*s)++ = '\0';
	return word;
}

static double
next_number(char **s)
{
	char *word = next_word(s);

	return word == NULL ? 0 : strtod(word, NULL);
}

static void
do_go(char *s)
{
	double left[2] = { 0, 0 }, added[2] = { 0, 0 };
	bool clock = false;
	int moves = 0;
	char *word;

	stop_thinking();
	if (!get_ready()) {
		say("bestmove 0000");
		return;
	}
	go.nodes = 0;
	go.budget = 0;
	go.infinite = go.ponder = go.stop = false;
	while ((word = next_word(&s)) != NULL) {
		if (strcmp(word, "wtime") == 0 || strcmp(word, "btime") == 0) {
			left[word[0] == 'b'] = next_number(&s);
			clock = true;
		} else if (strcmp(word, "winc") == 0 || strcmp(word, "binc") == 0) {
			added[word[0] == 'b'] = next_number(&s);
		} else if (strcmp(word, "movestogo") == 0) {
			moves = (int)fmin(next_number(&s), 1000);
		} else if (strcmp(word, "movetime") == 0) {
			go.budget = fmax(next_number(&s), 1) / 1000;
		} else if (strcmp(word, "nodes") == 0) {
			go.nodes = (int)fmin(fmax(next_number(&s), 1), SIMS_MAX);
		} else if (strcmp(word, "infinite") == 0) {
			go.infinite = true;
		} else if (strcmp(word, "ponder") == 0) {
			go.ponder = true;
		}
	}
	if (clock && go.budget == 0)
		go.budget = clock_budget(left[board.side], added[board.side], moves);
	if (go.nodes == 0 && go.budget == 0)
		go.nodes = sims;
	follow_line();
	go.started = go.clock_from = clock_seconds();
	go.visits_before = search.tree.nodes[0].visits;
	if (pthread_create(&go.thread, NULL, think, NULL) != 0)
		errx(EXIT_LOST, "cannot start a thread");
	go.running = true;
}

static void
do_position(char *s)
{
	char reason[FEN_REASON_MAX], *moves = strstr(s, "moves"), *word;
	struct board b;

	stop_thinking();
	if (moves != NULL)
		moves[-1] = '\0';
	s += strspn(s, " \t\r\n");
	if (strncmp(s, "fen", 3) == 0) {
		s += 3;
		if (fen_read(&b, &rules, s, strcspn(s, "\r\n"), reason) == -1) {
			say("info string bad position: %s", reason);
			return;
		}
	} else {
		board_start(&b, &rules);
	}
	set_start(&b);
	if (moves == NULL)
		return;
	moves += strlen("moves");
	while ((word = next_word(&moves)) != NULL && line.plies < PLIES_MAX) {
		move m = read_move(word, strlen(word));
		if (m == 0) {
			say("info string illegal move %s", word);
			return;
		}
		line_add(&line, &board, m);
	}
}

static void
set_rules(const char *spec)
{
	struct rules r;
	struct board b;
	char reason[RULES_REASON_MAX];

	if (rulespec_read(&r, strcmp(spec, "chess") == 0 ? "classical" : spec,
	    reason) == -1) {
		say("info string cannot play %s: %s", spec, reason);
		return;
	}
	rules = r;
	text_clear(&rules_name);
	text_add_string(&rules_name, strcmp(spec, "chess") == 0 ? "classical" :
	    spec);
	cache_release(&cache);
	forget_tree();
	board_start(&b, &rules);
	set_start(&b);
}

static void
set_number(const char *name, const char *value, int lowest, int highest, int *v)
{
	int64_t n;

	if (number_read(value, lowest, highest, &n))
		*v = (int)n;
	else
		say("info string %s is not %d to %d: %s", name, lowest, highest,
		    value);
}

static void
do_setoption(char *s)
{
	char *name = strstr(s, "name "), *value = strstr(s, " value ");

	if (name == NULL)
		return;
	stop_thinking();
	name += 5;
	if (value != NULL) {
		*value = '\0';
		value += 7;
	} else {
		value = name + strlen(name);
	}
	name[strcspn(name, "\r\n")] = '\0';
	value[strcspn(value, "\r\n")] = '\0';
	if (strcasecmp(name, "Net") == 0) {
		text_clear(&net_name);
		text_add_string(&net_name, value);
		forget_net();
	} else if (strcasecmp(name, "Threads") == 0) {
		set_number(name, value, 1, THREADS_MAX, &net_options.threads);
		forget_net();
	} else if (strcasecmp(name, "Hash") == 0) {
		set_number(name, value, 0, CACHE_MAX, &cache_size);
		cache_release(&cache);
	} else if (strcasecmp(name, "Sims") == 0) {
		set_number(name, value, 1, SIMS_MAX, &sims);
	} else if (strcasecmp(name, "MultiPV") == 0) {
		set_number(name, value, 1, MULTIPV_MAX, &multipv);
	} else if (strcasecmp(name, "UCI_Variant") == 0 ||
	    strcasecmp(name, "Rules") == 0) {
		set_rules(value);
	} else if (strcasecmp(name, "Ponder") != 0 &&
	    strcasecmp(name, "UCI_ShowWDL") != 0) {
		say("info string no option %s", name);
	}
}

/* Returns false on quit. */
static bool
obey(char *s)
{
	char *rest = s, *word = next_word(&rest);

	if (word == NULL)
		return true;
	if (strcmp(word, "uci") == 0) {
		say_options();
	} else if (strcmp(word, "isready") == 0) {
		if (!go.running)
			get_ready();
		say("readyok");
	} else if (strcmp(word, "ucinewgame") == 0) {
		stop_thinking();
		forget_tree();
	} else if (strcmp(word, "position") == 0) {
		do_position(rest);
	} else if (strcmp(word, "setoption") == 0) {
		do_setoption(rest);
	} else if (strcmp(word, "go") == 0) {
		do_go(rest);
	} else if (strcmp(word, "stop") == 0) {
		stop_thinking();
	} else if (strcmp(word, "ponderhit") == 0) {
		go.clock_from = clock_seconds();
		go.ponder = false;
	} else if (strcmp(word, "quit") == 0) {
		return false;
	} else if (strcmp(word, "debug") != 0 && strcmp(word, "register") != 0) {
		say("info string unknown command %s", word);
	}
	return true;
}

static void
release_all(void)
{
	stop_thinking();
	forget_net();
	if (search_ready)
		search_release(&search);
	line_release(&line);
	line_release(&searched);
	text_release(&net_name);
	text_release(&rules_name);
}

int
main(int argc, char *argv[])
{
	char *command = NULL, reason[RULES_REASON_MAX];
	const char *net_spec = "material", *rules_spec = "classical";
	size_t size = 0;
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, "hN:r:Vv:Y:", options, NULL)) != -1) {
		if (c == 'N')
			net_spec = optarg;
		else if (c == 'r')
			rules_spec = optarg;
		else if (c == 'v')
			sims = (int)cli_number(&cli, "--sims", optarg, 1, SIMS_MAX);
		else if (c == 'Y')
			net_options.provider = optarg;
		else
			cli_option(&cli, c);
	}
	if (optind < argc)
		cli_usage_error(&cli, "no files are read");
	if (rulespec_read(&rules, rules_spec, reason) == -1)
		cli_usage_error(&cli, "--rules: %s", reason);
	line_reserve(&line);
	text_add_string(&net_name, net_spec);
	set_rules(rules_spec);
	while (getline(&command, &size, stdin) != -1 && obey(command))
		continue;
	release_all();
	free(command);
	return EXIT_DONE;
}
