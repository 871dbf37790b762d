/*
 * Both kinds of searchers keep what searcher.h says: limits, stopping, moves to
 * consider, lines, what is forgotten, and the choice of a move.
 */
#include <math.h>

#include "base/progress.h"
#include "common.h"
#include "search/searcher.h"
#include "tap.h"

static struct rules rules;
static struct thinker thinker;
static struct searcher *searcher;
static struct board board;
static struct rng rng;
static struct found found, again;
static struct searcher_task task;

/* A quiet position, and a mate in one. */
static const char quiet[] =
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
static const char mate[] =
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4";

static void
run(void)
{
	char reason[SEARCHER_REASON_MAX];
	enum searcher_state state;

	while ((state = searcher_step(searcher)) != SEARCHER_DONE)
		if (state == SEARCHER_WAITS && thinker_answer(&thinker, reason) == -1)
			bail_out("net", "material", reason);
}

static void
set_position(const char *fen, const struct limits *l)
{
	board_of(&board, &rules, fen);
	rng_init(&rng, 1, 1);
	task = (struct searcher_task){
		.board = &board, .keys = &board.key, .rng = &rng, .limits = *l
	};
}

static void
think(const char *fen, const struct limits *l, struct found *f)
{
	set_position(fen, l);
	searcher_begin(searcher, &task);
	run();
	searcher_result(searcher, f);
}

static bool
is_legal(move m)
{
	move list[MOVES_MAX];
	int n = movegen_list(&board, list);

	while (n-- > 0)
		if (list[n] == m)
			return true;
	return false;
}

static void
test_limits(const char *kind)
{
	searcher_forget(searcher);
	think(quiet, &(struct limits){ .nodes = 500 }, &found);
	ok(is_legal(found.best) && found.nodes >= 250 && found.nodes <= 510,
	    "%s: 500 nodes, and it took %d", kind, (int)found.nodes);
	searcher_forget(searcher);
	think(quiet, &(struct limits){ .depth = 2 }, &found);
	ok(is_legal(found.best) && found.depth >= 2 && found.depth <= 3,
	    "%s: so deep, %d", kind, found.depth);
	searcher_forget(searcher);
	think(quiet, &(struct limits){ .seconds = 0.05 }, &found);
	ok(is_legal(found.best), "%s: so long", kind);
	searcher_forget(searcher);
	think(quiet, &(struct limits){ .cpu_seconds = 0.02 }, &found);
	double used = searcher_cpu_seconds(searcher);
	ok(is_legal(found.best) && used >= 0.02 && used < 0.2,
	    "%s: 20 ms of CPU time, %.1f", kind, 1000 * used);
	set_position(quiet, &(struct limits){ 0 });
	searcher_begin(searcher, &task);
	searcher_stop(searcher);
	run();
	searcher_result(searcher, &found);
	ok(is_legal(found.best), "%s: stopped at once, it has a move", kind);
	searcher_begin(searcher, &task);
	double deadline = clock_seconds() + 0.02;
	searcher_set_deadline(searcher, deadline);
	run();
	ok(clock_seconds() >= deadline, "%s: a deadline that comes later", kind);
}

static bool
same_moves(void)
{
	bool same = found.best == again.best && found.n == again.n &&
	    found.nodes == again.nodes && found.value == again.value;

	for (int i = 0; i < found.n && same; i++)
		same = found.moves[i].weight == again.moves[i].weight;
	return same;
}

static void
test_forgetting(const char *kind)
{
	struct limits l = { .nodes = 800 };

	searcher_forget(searcher);
	think(quiet, &l, &found);
	think(mate, &l, &again);
	searcher_forget(searcher);
	think(quiet, &l, &again);
	ok(same_moves(), "%s: after another game the same is found", kind);
	struct searcher *kept = searcher;
	searcher = searcher_new(&thinker);
	think(quiet, &l, &again);
	searcher_release(searcher);
	searcher = kept;
	ok(same_moves(), "%s: and by another searcher", kind);
}

static void
test_found(const char *kind)
{
	double sum = 0;
	bool in_order = true, bounded = true;
	move list[MOVES_MAX];

	searcher_forget(searcher);
	think(quiet, &(struct limits){ .nodes = 1000 }, &found);
	int n = movegen_list(&board, list);
	for (int i = 0; i < found.n; i++) {
		in_order &= found.moves[i].move == list[i];
		bounded &= !(fabs((double)found.moves[i].value) > 1) &&
		    found.moves[i].weight >= 0;
		sum += found.moves[i].weight;
	}
	ok(found.n == n && in_order && bounded && sum > 0,
	    "%s: all moves, in their order", kind);
	sum = found.wdl[0] + found.wdl[1] + found.wdl[2];
	ok(fabs(sum - 1) < 1e-4 && fabs(found.wdl[0] - found.wdl[2] - found.value) < 0.02,
	    "%s: probabilities make up the value", kind);
	searcher_forget(searcher);
	think(mate, &(struct limits){ .nodes = 1000 }, &found);
	struct found_line line;
	ok(found.settled && found.best == move_of(&board, "f3f7") &&
		searcher_lines(searcher, &line, 1) == 1 && line.mate == 1 &&
		line.length == 1 && line.wdl[0] == 1,
	    "%s: a mate is settled", kind);
}

static void
test_lines(const char *kind)
{
	struct found_line lines[4];
	bool differ = true, ordered = true;

	searcher_forget(searcher);
	set_position(quiet, &(struct limits){ .nodes = 3000 });
	task.lines = 3;
	searcher_begin(searcher, &task);
	run();
	searcher_result(searcher, &found);
	int n = searcher_lines(searcher, lines, 3);
	for (int i = 1; i < n; i++) {
		for (int j = 0; j < i; j++)
			differ &= lines[i].moves[0] != lines[j].moves[0];
		if (found.scored) /* a tree goes by visits */
			ordered &= lines[i].value <= lines[i - 1].value;
	}
	ok(n == 3 && differ && ordered && lines[0].moves[0] == found.best,
	    "%s: three lines, the best first", kind);
}

static void
test_only(const char *kind)
{
	move only[2];

	searcher_forget(searcher);
	set_position(quiet, &(struct limits){ .nodes = 400 });
	only[0] = move_of(&board, "a2a3");
	only[1] = move_of(&board, "h2h4");
	task.only = only;
	task.nonly = 2;
	searcher_begin(searcher, &task);
	run();
	searcher_result(searcher, &found);
	ok(found.n == 2 && (found.best == only[0] || found.best == only[1]),
	    "%s: two moves to consider", kind);
	think(quiet, &(struct limits){ .nodes = 400 }, &found);
	ok(found.n > 20, "%s: and then all again", kind);
}

/* Moves are drawn as often as their weights say; what is settled is played. */
static void
test_choice(void)
{
	static struct found f;
	int count[3] = { 0 };

	rng_init(&rng, 4, 2);
	f.best = 3;
	f.n = 3;
	for (int i = 0; i < 3; i++)
		f.moves[i] = (struct found_move){ .move = (move)(i + 1),
			.weight = i == 1 ? 0 : i + 1 };
	for (int i = 0; i < 40000; i++)
		count[searcher_choose(&f, true, &rng) - 1]++;
	ok(count[1] == 0 && abs(count[0] - 10000) < 400, "drawn by weights: %d, %d, %d",
	    count[0], count[1], count[2]);
	ok(searcher_choose(&f, false, &rng) == 3, "the best, where none is drawn");
	f.settled = true;
	f.best = 2;
	ok(searcher_choose(&f, true, &rng) == 2, "what is settled is played");
	f.settled = false;
	f.moves[0].weight = f.moves[2].weight = 0;
	ok(searcher_choose(&f, true, &rng) == 2, "the best, where nothing weighs");
	f.n = 0;
	f.best = 0;
	ok(searcher_choose(&f, true, &rng) == 0, "none, where there is none");
}

static void
test_kind(enum search_kind kind, const char *name)
{
	struct thinker_options o;
	char reason[SEARCHER_REASON_MAX];

	thinker_options_init(&o);
	o.spec = "material";
	o.kind = kind;
	if (thinker_open(&thinker, &o, &rules, reason) == -1)
		bail_out("thinker", name, reason);
	ok(thinker_waits(&thinker) == (kind == SEARCH_TREE), "%s: who waits for the net",
	    name);
	searcher = searcher_new(&thinker);
	test_limits(name);
	test_forgetting(name);
	test_found(name);
	test_lines(name);
	test_only(name);
	searcher_release(searcher);
	thinker_close(&thinker);
	o.memory = 1 << 20;
	ok(thinker_open(&thinker, &o, &rules, reason) == -1 &&
		strstr(reason, "MiB") != NULL,
	    "%s: a tebibyte: %s", name, reason);
}

int
main(void)
{
	rules_of(&rules, "classical");
	test_kind(SEARCH_TREE, "tree");
	test_kind(SEARCH_AB, "alpha-beta");
	test_choice();
	return tap_end();
}
