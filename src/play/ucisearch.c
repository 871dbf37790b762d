#include "ucisearch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/progress.h"
#include "chess/outcome.h"
#include "ucitext.h"

enum { IN_FLIGHT = 8 }; /* positions that the net evaluates at once */

/* ---- the net and the searcher ---- */

static void
forget_searcher(struct uci_search *s)
{
	if (s->searcher != NULL)
		searcher_release(s->searcher);
	s->searcher = NULL;
	s->followed_plies = -1;
}

void
uci_search_close(struct uci_search *s)
{
	forget_searcher(s);
	if (s->ready)
		thinker_close(&s->thinker);
	s->ready = false;
}

/* Reports rules that the net was not trained on. */
static void
say_unknown_fields(const struct uci_search *s)
{
	char fields[400];

	if (net_unknown_fields(s->thinker.net, &s->options->rules, fields,
		sizeof(fields)) > 0)
		uci_say("info string the net was not trained on %s", fields);
}

static bool
open_thinker(struct uci_search *s, int hash, char *reason)
{
	struct thinker_options o = s->options->now.thinking.thinker;

	o.tree.async = o.batch = IN_FLIGHT;
	o.tree.sims = 0;
	o.memory = hash;
	o.net.threads = o.threads;
	s->ready = thinker_open(&s->thinker, &o, &s->options->rules, reason) == 0;
	if (s->ready) {
		s->searcher = searcher_new(&s->thinker);
		say_unknown_fields(s);
	}
	if (s->ready && s->searcher == NULL) {
		refuse(reason, "not enough memory for Hash %d", hash);
		uci_search_close(s);
	}
	return s->ready;
}

/* Tries the default Hash, in case a larger one was the reason. */
static bool
open_with_less(struct uci_search *s, char *reason)
{
	int usual = s->options->usual.thinking.thinker.memory;
	int *hash = &s->options->now.thinking.thinker.memory;
	char first[SEARCHER_REASON_MAX];

	snprintf(first, sizeof(first), "%s", reason);
	if (*hash <= usual || !open_thinker(s, usual, reason))
		return false;
	uci_say("info string Hash is %d and not %d: %s", usual, *hash, first);
	*hash = usual;
	return true;
}

bool
uci_search_prepare(struct uci_search *s)
{
	const struct thinker_options *o = &s->options->now.thinking.thinker;
	const struct rules *rules = &s->options->rules;
	char reason[SEARCHER_REASON_MAX];
	bool other = s->ready && !rules_equal(&s->thinker.rules, rules);

	if (other)
		forget_searcher(s);
	if (s->ready && thinker_set_rules(&s->thinker, rules, reason) == -1)
		uci_search_close(s);
	if (other && s->ready)
		say_unknown_fields(s);
	if (s->ready && s->searcher == NULL &&
	    (s->searcher = searcher_new(&s->thinker)) == NULL)
		uci_search_close(s);
	if (!s->ready && !open_thinker(s, o->memory, reason) &&
	    !open_with_less(s, reason)) {
		uci_say("info string cannot use Net %s: %s", o->spec, reason);
		s->failed = true;
		return false;
	}
	s->thinker.options.tree_memory = o->tree_memory;
	return true;
}

/* ---- the game ---- */

void
uci_search_init(struct uci_search *s, struct uci_options *o)
{
	memset(s, 0, sizeof(*s));
	s->options = o;
	s->followed_plies = -1;
	s->line = (struct line){ .moves = s->moves,
		.keys = s->keys,
		.men = s->men,
		.room = UCI_PLIES_MAX + 1 };
	uci_search_set_start(s, NULL);
}

void
uci_search_set_start(struct uci_search *s, const struct board *b)
{
	if (b != NULL)
		s->start = *b;
	else
		board_start(&s->start, &s->options->rules);
	s->board = s->start;
	s->line.plies = 0;
	s->line.keys[0] = s->start.key;
}

void
uci_search_new_game(struct uci_search *s)
{
	uci_search_stop(s);
	if (s->searcher != NULL)
		searcher_forget(s->searcher);
	s->followed_plies = -1;
}

/* Advances the searcher to the position on the board, move by move if it knows the
 * beginning of this game. */
static void
follow_line(struct uci_search *s)
{
	const struct line *l = &s->line;
	bool same = s->followed_plies >= 0 && s->followed_plies <= l->plies &&
	    memcmp(&s->followed_start, &s->start, sizeof(s->start)) == 0 &&
	    memcmp(s->followed, l->moves,
		(size_t)s->followed_plies * sizeof(*l->moves)) == 0;

	if (!same)
		searcher_advance(s->searcher, 0);
	for (int i = s->followed_plies; same && i < l->plies; i++)
		searcher_advance(s->searcher, l->moves[i]);
	s->followed_start = s->start;
	s->followed_plies = l->plies;
	memcpy(s->followed, l->moves, (size_t)l->plies * sizeof(*l->moves));
}

/* ---- what the search has found ---- */

/* A king that leaps three squares may be able to capture its own rook: castling
 * keeps its usual form then. */
static void
print_move(const struct uci_search *s, move m, char text[6])
{
	const struct rules *r = &s->options->rules;
	bool leaps = (r->self_capture[WHITE] &&
			 piece_goes_sideways(&r->king[WHITE], PIECE_CAPTURE, 3)) ||
	    (r->self_capture[BLACK] &&
		piece_goes_sideways(&r->king[BLACK], PIECE_CAPTURE, 3));

	if (s->options->now.chess960 && !leaps)
		move_print_960(r, m, text);
	else
		move_print(r, m, text);
}

static void
add_wdl(struct text *t, const double wdl[3])
{
	int w = (int)lround(1000 * wdl[0]), l = (int)lround(1000 * wdl[2]);

	if (w + l > 1000)
		l = 1000 - w;
	text_add_format(t, " wdl %d %d %d", w, 1000 - w - l, l);
}

static void
say_line(const struct uci_search *s, int rank, const struct found_line *l)
{
	const struct found *f = &s->found;
	struct text t = { 0 };
	double spent = fmax(clock_seconds() - s->started, 0.001);
	char m[6];

	text_add_format(&t, "info depth %d seldepth %d multipv %d score %s %d", l->depth,
	    l->seldepth, rank, l->mate != 0 ? "mate" : "cp",
	    l->mate != 0 ? l->mate : l->centipawns);
	if (s->options->now.show_wdl)
		add_wdl(&t, l->wdl);
	text_add_format(&t, " nodes %" PRIu64 " nps %.0f hashfull %d time %.0f pv",
	    f->nodes, (double)f->fresh / spent, f->hashfull, 1000 * spent);
	for (int i = 0; i < l->length; i++) {
		print_move(s, l->moves[i], m);
		text_add_format(&t, " %s", m);
	}
	uci_say("%s", t.s);
	text_release(&t);
}

static void
say_info(struct uci_search *s)
{
	int n = searcher_lines(s->searcher, s->lines, s->options->now.multipv);

	searcher_result(s->searcher, &s->found);
	for (int i = 0; i < n; i++)
		say_line(s, i + 1, &s->lines[i]);
}

/* There is no move: the game is over, or the net has failed. */
static void
say_no_move(const struct uci_search *s)
{
	const struct board *b = &s->board;

	if (movegen_count(b) == 0) {
		bool lost = outcome_winner(b, outcome_now(b, 0)) != 0;
		uci_say("info depth 0 score %s 0", lost ? "mate" : "cp");
	}
	uci_say("bestmove 0000");
}

static void
say_best(struct uci_search *s)
{
	const struct found_line *first = &s->lines[0];
	char best[6], ponder[6];

	if (s->found.best == 0) {
		say_no_move(s);
		return;
	}
	print_move(s, s->found.best, best);
	if (searcher_lines(s->searcher, s->lines, 1) == 0 || first->length < 2 ||
	    first->moves[0] != s->found.best) {
		uci_say("bestmove %s", best);
		return;
	}
	print_move(s, first->moves[1], ponder);
	uci_say("bestmove %s ponder %s", best, ponder);
}

static void
say_result(struct uci_search *s)
{
	say_info(s);
	if (s->found.memory_full)
		uci_say("info string the search has ended because TreeMemory, "
			"%d MiB, is used up",
		    s->thinker.options.tree_memory);
	say_best(s);
}

/* ---- thinking ---- */

/* Searches for a while; false if the search has ended. */
static bool
think_once(struct uci_search *s)
{
	char reason[SEARCHER_REASON_MAX];
	enum searcher_state state = searcher_step(s->searcher);

	if (state == SEARCHER_WAITS && thinker_answer(&s->thinker, reason) == -1) {
		uci_say("info string the net failed: %s", reason);
		s->failed = true;
		return false;
	}
	return state != SEARCHER_DONE;
}

static bool
is_sure(struct uci_search *s)
{
	return searcher_lines(s->searcher, s->lines, 1) > 0 && s->lines[0].mate != 0;
}

/* Reports what has been found after each iteration, or every second in a search
 * without iterations. */
static void
search_position(struct uci_search *s)
{
	double next_info = s->started + 0.5;

	while (think_once(s)) {
		bool iterates = s->thinker.ops == &ab_searcher_ops;
		if (s->task.mate && iterates && is_sure(s))
			return;
		if (!iterates && clock_seconds() < next_info)
			continue;
		say_info(s);
		next_info = clock_seconds() + 1;
	}
}

static void *
think(void *search)
{
	struct uci_search *s = search;

	if (!s->over)
		search_position(s);
	/* The protocol forbids bestmove before stop or ponderhit. */
	while (!s->stop && (s->task.infinite || s->ponder))
		nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
	if (s->over)
		say_no_move(s);
	else
		say_result(s);
	return NULL;
}

/* While pondering, the clock does not run, so there is no deadline. */
static void
begin_search(struct uci_search *s)
{
	struct searcher_task task = { .board = &s->board,
		.keys = s->line.keys,
		.plies = s->line.plies,
		.rng = &s->rng,
		.only = s->task.only,
		.nonly = s->task.nonly,
		.lines = s->options->now.multipv,
		.limits = s->task.limits };

	if (s->ponder)
		task.limits.seconds = 0;
	rng_init(&s->rng, 0, 0);
	follow_line(s);
	s->started = clock_seconds();
	searcher_begin(s->searcher, &task);
}

int
uci_search_begin(struct uci_search *s)
{
	s->stop = false;
	if (!uci_search_prepare(s)) {
		say_no_move(s);
		return 0;
	}
	s->over = movegen_count(&s->board) == 0;
	if (!s->over)
		begin_search(s);
	s->running = pthread_create(&s->thread, NULL, think, s) == 0;
	return s->running ? 0 : -1;
}

void
uci_search_wait(struct uci_search *s)
{
	if (s->running)
		pthread_join(s->thread, NULL);
	s->running = false;
}

void
uci_search_stop(struct uci_search *s)
{
	s->stop = true;
	if (s->running && !s->over)
		searcher_stop(s->searcher);
	uci_search_wait(s);
}

void
uci_search_ponderhit(struct uci_search *s)
{
	double seconds = s->task.limits.seconds;

	if (s->running && s->ponder && !s->over && seconds > 0)
		searcher_set_deadline(s->searcher, clock_seconds() + seconds);
	s->ponder = false;
}
