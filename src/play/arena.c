#include "arena.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "chess/outcome.h"
#include "data/searchdata.h"

enum { ENGINE_SLOTS = 8, SLOTS_BESIDE = 16 };

struct arena_lock {
	pthread_mutex_t mutex;
};

/* A game in progress. */
struct slot {
	bool active;
	uint64_t index;
	struct game game;
	struct board board;
	struct rng rng;
	struct seat seats[2]; /* of the players */
	int nseats;           /* number initialised */
	int opening_plies;
	bool over;
	struct text data; /* search data so far */
};

/* A thread and its state. */
struct worker {
	struct arena *arena;
	pthread_t thread;
	struct slot *slot;
	int slots;
	struct thinker own[2]; /* for nets that threads cannot share */
	struct thinker *thinkers[2];
	struct found found;
	struct searchdata_ply ply;
};

/* ---- the beginning and the end of a game ---- */

/* Whose move it is: the first player has White in games of even numbers. */
static struct seat *
to_move(struct arena *a, struct slot *s)
{
	int who = (int)(s->index & 1) ^ (s->board.side == BLACK);

	return &s->seats[a->nplayers == 1 ? 0 : who];
}

/* Keeps the first failure: later ones may be its consequences. */
static int
fail(struct arena *a, const struct player *p, const struct slot *s, const char *reason)
{
	pthread_mutex_lock(&a->lock->mutex);
	a->broken = true;
	if (a->failed == -1 && p != NULL) {
		a->failed = (int)(p - a->players);
		if (s == NULL)
			snprintf(a->reason, sizeof(a->reason), "%s", reason);
		else
			snprintf(a->reason, sizeof(a->reason),
			    "game %" PRIu64 ", ply %d: %s", s->index, s->game.line.plies,
			    reason);
	}
	pthread_mutex_unlock(&a->lock->mutex);
	arena_stop(a);
	return -1;
}

/* The number of the next game; false if none is left. */
static bool
next_index(struct arena *a, uint64_t *index)
{
	uint64_t end = a->first + a->games;

	pthread_mutex_lock(&a->lock->mutex);
	while (a->next < end && a->is_wanted != NULL &&
	    !a->is_wanted(a->next, a->context))
		a->next++;
	bool any = a->next < end && !a->stopped;
	if (any)
		*index = a->next++;
	pthread_mutex_unlock(&a->lock->mutex);
	return any;
}

/* Begins the next game in a slot, if one is left. Openings have their own stream
 * of random numbers. */
static int
begin_game(struct worker *w, struct slot *s)
{
	struct arena *a = w->arena;
	char reason[PLAYER_REASON_MAX];
	struct rng rng;

	s->active = next_index(a, &s->index);
	if (!s->active)
		return 0;
	uint64_t opening = a->nplayers == 1 ? s->index : s->index / 2;
	rng_init(&s->rng, a->seed, s->index);
	rng_init(&rng, a->seed, opening | 1ULL << 63);
	openings_sample(a->openings, opening, a->rules, a->random_plies, &rng, &s->game,
	    &s->board);
	s->opening_plies = s->game.line.plies;
	s->over = false;
	text_clear(&s->data);
	w->ply.known = false;
	for (int i = 0; i < s->opening_plies && a->search_data; i++)
		searchdata_add(&s->data, &w->ply);
	for (int i = 0; i < a->nplayers; i++)
		if (seat_begin(&s->seats[i], reason) == -1)
			return fail(a, s->seats[i].player, s, reason);
	return 0;
}

static void
end_game(struct slot *s, enum end e, int value)
{
	s->over = true;
	s->game.end = e;
	game_set_value(&s->game, value);
}

static int
finish_game(struct worker *w, struct slot *s)
{
	struct arena *a = w->arena;
	struct game *g = &s->game;

	if (a->search_data) {
		searchdata_end(&s->data);
		g->search = game_keep(g, s->data.s, s->data.len);
	}
	pthread_mutex_lock(&a->lock->mutex);
	int result = a->take_game(g, s->index, a->context);
	pthread_mutex_unlock(&a->lock->mutex);
	return result == -1 ? fail(a, NULL, s, "") : begin_game(w, s);
}

/* ---- moves ---- */

static void
keep_search_data(struct worker *w, struct slot *s)
{
	const struct found *f = &w->found;
	struct searchdata_ply *p = &w->ply;

	p->known = f->n > 0;
	p->value = f->value;
	p->draw = f->wdl[1];
	p->scored = f->scored;
	p->n = w->arena->only_values ? 0 : f->n;
	for (int i = 0; i < p->n; i++) {
		const struct found_move *m = &f->moves[i];
		struct searchdata_move *to = &p->moves[i];
		move_print(w->arena->rules, m->move, to->name);
		to->visits = m->weight;
		to->prior = (double)m->prior;
		to->improved = (double)m->improved;
		to->score = (double)m->value;
	}
	searchdata_add(&s->data, p);
}

/* Some games are never resigned, so that nets learn endgames, too. */
static bool
is_played_out(const struct arena *a, uint64_t index)
{
	return a->play_out > 0 &&
	    rng_stir(a->seed ^ rng_stir(index)) % (uint64_t)a->play_out == 0;
}

/* Plays a move and stores the search data. */
static void
play_move(struct worker *w, struct slot *s, move m)
{
	struct arena *a = w->arena;
	struct game *g = &s->game;

	if (w->found.n > 0 && w->found.value < a->resign && !is_played_out(a, s->index)) {
		end_game(s, END_RESIGN, s->board.side == WHITE ? -100 : 100);
		return;
	}
	if (a->search_data)
		keep_search_data(w, s);
	for (int i = 0; i < a->nplayers; i++)
		seat_follow(&s->seats[i], m);
	game_grow(g);
	line_add(&g->line, &s->board, m);
	enum end e = outcome_find(&s->board, g->line.keys, g->line.plies);
	if (e != END_NONE)
		end_game(s, e, outcome_value(&s->board, e));
}

/* Is the next move sampled, for variety? */
static bool
is_drawn(const struct arena *a, const struct slot *s)
{
	return s->game.line.plies - (a->sample_all ? 0 : s->opening_plies) <
	    a->sample_plies;
}

/* Plays on in a slot until it has to wait (0) or its next game begins (1), so that
 * all slots advance evenly, even with players that never wait. -1 if something
 * fails. */
static int
advance_slot(struct worker *w, struct slot *s)
{
	struct arena *a = w->arena;
	char reason[PLAYER_REASON_MAX];
	move m = 0;

	while (s->active && !s->over && !a->stopped) {
		struct seat *seat = to_move(a, s);
		bool usual = s->game.usual_start && a->rules->start[0] == '\0';
		struct seat_view v = { usual ? NULL : &s->game.start, &s->board,
			&s->game.line, &s->rng, is_drawn(a, s), a->vary, &a->stopped };
		int found = seat_find_move(seat, &v, &m, &w->found, reason);
		if (found == -1)
			return fail(a, seat->player, s, reason);
		if (found == 0)
			return 0;
		if (!a->stopped) /* else the search may be incomplete */
			play_move(w, s, m);
	}
	if (!s->active || a->stopped)
		return 0;
	return finish_game(w, s) == -1 ? -1 : 1;
}

/* Waits until an engine has written something. */
static void
wait_for_engines(struct worker *w)
{
	struct engine **thinking = xcalloc((size_t)w->slots, sizeof(*thinking));
	int n = 0;

	for (int i = 0; i < w->slots; i++)
		if (w->slot[i].active)
			thinking[n++] = &to_move(w->arena, &w->slot[i])->engine;
	engine_wait(thinking, n);
	free(thinking);
}

static int
answer_all(struct worker *w)
{
	struct arena *a = w->arena;
	char reason[SEARCHER_REASON_MAX];

	for (int i = 0; i < a->nplayers; i++)
		if (w->thinkers[i] != NULL &&
		    thinker_answer(w->thinkers[i], reason) == -1)
			return fail(a, &a->players[i], NULL, reason);
	return 0;
}

/* One round: advances all slots, then evaluates the positions that they wait for.
 * Returns the number of games in progress, -1 if something has failed. */
static int
play_round(struct worker *w)
{
	int active = 0, asked = 0, begun = 0;

	for (int i = 0; i < w->slots && !w->arena->stopped; i++) {
		struct slot *s = &w->slot[i];
		int went = advance_slot(w, s);
		if (went == -1)
			return -1;
		begun += went;
		active += s->active;
		asked += s->active && went == 0 && to_move(w->arena, s)->waits_for_net;
	}
	if (answer_all(w) == -1)
		return -1;
	if (active > 0 && asked == 0 && begun == 0 && !w->arena->stopped)
		wait_for_engines(w);
	return active;
}

static void *
work(void *worker)
{
	struct worker *w = worker;
	int going = 1;

	for (int i = 0; i < w->slots && going > 0; i++)
		going = begin_game(w, &w->slot[i]) == -1 ? -1 : 1;
	while (going > 0 && !w->arena->stopped)
		going = play_round(w);
	return NULL;
}

int
arena_play(struct arena *a)
{
	int started = 1;

	a->next = a->first;
	/* Fewer threads play the same games. */
	while (started < a->threads &&
	    pthread_create(&a->workers[started].thread, NULL, work,
		&a->workers[started]) == 0)
		started++;
	work(&a->workers[0]);
	for (int i = 1; i < started; i++)
		pthread_join(a->workers[i].thread, NULL);
	return a->broken ? -1 : 0;
}

void
arena_stop(struct arena *a)
{
	a->stopped = true;
	for (int i = 0; i < a->slots; i++)
		for (int j = 0; j < a->slot[i].nseats; j++)
			if (a->slot[i].seats[j].searcher != NULL)
				searcher_stop(a->slot[i].seats[j].searcher);
}

/* A sum over all thinkers, each counted once. */
static uint64_t
sum_up(const struct arena *a, uint64_t (*count)(const struct thinker *t))
{
	uint64_t sum = 0;

	for (int i = 0; i < a->threads; i++) {
		const struct worker *w = &a->workers[i];
		for (int j = 0; j < a->nplayers; j++)
			if (w->thinkers[j] != NULL &&
			    (i == 0 || w->thinkers[j] != a->workers[0].thinkers[j]) &&
			    (j == 0 || w->thinkers[1] != w->thinkers[0]))
				sum += count(w->thinkers[j]);
	}
	return sum;
}

uint64_t
arena_evaluated(const struct arena *a)
{
	return sum_up(a, thinker_evaluated);
}

uint64_t
arena_cached(const struct arena *a)
{
	return sum_up(a, thinker_cached);
}

double
arena_cpu_seconds(const struct arena *a, int player)
{
	double sum = 0, moves = 0;

	for (int i = 0; i < a->slots; i++) {
		sum += a->slot[i].seats[player].cpu_seconds;
		moves += (double)a->slot[i].seats[player].moves;
	}
	return moves > 0 ? sum / moves : 0;
}

static void
describe(const struct arena *a, struct text *to)
{
	text_add_format(to, "sample %d\nrandom %d\nresign %.17g\ndata %d\n",
	    a->sample_plies, a->random_plies, a->resign, a->search_data);
	if (a->play_out > 0 || a->only_values)
		text_add_format(to, "play-out %d\nvalues %d\n", a->play_out,
		    a->only_values);
	if (a->sample_all)
		text_add_string(to, "sample all\n");
	if (a->vary > 0)
		text_add_format(to, "vary %.17g\n", a->vary);
	openings_describe(a->openings, to);
	for (int i = 0; i < a->nplayers; i++)
		player_describe(&a->players[i], to);
}

void
arena_digest(const struct arena *a, char digest[17])
{
	struct text t = { 0 };

	describe(a, &t);
	options_digest(&t, digest);
	text_release(&t);
}

int
arena_sims(const struct arena *a, int player)
{
	uint64_t nodes = a->players[player].thinking.limits.nodes;

	return nodes == 0 ? -1 : (int)nodes;
}

void
arena_write_game(const struct arena *a, struct game *g, uint64_t k, const char *digest,
    struct text *line)
{
	const char *identity = a->players[0].identity;

	g->id = game_keep_number(g, k);
	g->seed = game_keep_number(g, a->seed);
	g->net = game_keep(g, identity, strlen(identity));
	g->sims = arena_sims(a, 0);
	g->options = game_keep(g, digest, strlen(digest));
	game_write_json(g, line);
}

/* ---- opening and releasing ---- */

static bool
any_player(const struct arena *a, bool (*is)(const struct player *))
{
	return is(&a->players[0]) || (a->nplayers > 1 && is(&a->players[1]));
}

static bool
is_engine(const struct player *p)
{
	return p->kind == PLAYER_ENGINE;
}

/* Its CPU clock has to be polled, so that nobody else may block the thread. */
static bool
is_timed_engine(const struct player *p)
{
	return is_engine(p) && p->thinking.limits.cpu_seconds > 0;
}

/* The number of games that a thread plays at once. More give a net larger batches;
 * but with a player that computes itself each game has a transposition table, and
 * with an engine a process. */
static int
slots_a_thread(const struct arena *a, bool computes)
{
	bool waits = any_player(a, player_waits);
	bool engine = any_player(a, is_engine);

	if (computes)
		return !waits ? 1 : engine ? ENGINE_SLOTS / 2 : SLOTS_BESIDE;
	return engine ? ENGINE_SLOTS : 2 * a->players[0].thinking.thinker.batch;
}

static void
choose_sizes(struct arena *a)
{
	bool computes = any_player(a, player_computes) || any_player(a, is_timed_engine);
	int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);

	if (a->threads == 0)
		a->threads = computes && cores > 1 ? cores : 1;
	if (a->slots == 0)
		a->slots = a->threads * slots_a_thread(a, computes);
	if ((uint64_t)a->slots > a->games)
		a->slots = a->games > 0 ? (int)a->games : 1;
	if (a->threads > a->slots)
		a->threads = a->slots;
}

/* Sets up the thinkers of a thread: those of the players, or its own where threads
 * cannot share a net. */
static int
open_worker(struct arena *a, int number)
{
	struct worker *w = &a->workers[number];
	char reason[SEARCHER_REASON_MAX];

	for (int i = 0; i < a->nplayers; i++) {
		struct player *p = &a->players[i];
		w->thinkers[i] = p->thinker;
		if (number == 0 || !player_waits(p))
			continue;
		if (p->shares) {
			w->thinkers[i] = w->thinkers[0];
			continue;
		}
		w->thinkers[i] = NULL;
		if (thinker_open(&w->own[i], &p->thinking.thinker, a->rules, reason) ==
		    -1)
			return fail(a, p, NULL, reason);
		w->thinkers[i] = &w->own[i];
	}
	return 0;
}

static int
open_slot(struct arena *a, struct worker *w, struct slot *s)
{
	char reason[PLAYER_REASON_MAX];

	game_init(&s->game);
	for (int i = 0; i < a->nplayers; i++) {
		int result =
		    seat_init(&s->seats[i], &a->players[i], w->thinkers[i], reason);
		s->nseats++;
		if (result == -1)
			return fail(a, &a->players[i], NULL, reason);
	}
	return 0;
}

int
arena_open(struct arena *a)
{
	int next = 0;

	a->failed = -1;
	a->reason[0] = '\0';
	a->stopped = a->broken = false;
	choose_sizes(a);
	a->lock = xmalloc(sizeof(*a->lock));
	pthread_mutex_init(&a->lock->mutex, NULL);
	a->slot = xcalloc((size_t)a->slots, sizeof(*a->slot));
	a->workers = xcalloc((size_t)a->threads, sizeof(*a->workers));
	for (int i = 0; i < a->threads; i++) {
		struct worker *w = &a->workers[i];
		w->arena = a;
		w->slot = &a->slot[next];
		w->slots = (a->slots - next) / (a->threads - i);
		next += w->slots;
		if (open_worker(a, i) == -1)
			return -1;
		for (int j = 0; j < w->slots; j++)
			if (open_slot(a, w, &w->slot[j]) == -1)
				return -1;
	}
	return 0;
}

void
arena_release(struct arena *a)
{
	for (int i = 0; i < a->slots; i++)
		for (int j = 0; j < a->slot[i].nseats; j++)
			seat_dismiss(&a->slot[i].seats[j]);
	for (int i = 0; i < a->slots; i++) {
		for (int j = 0; j < a->slot[i].nseats; j++)
			seat_release(&a->slot[i].seats[j]);
		if (a->slot[i].nseats > 0)
			game_release(&a->slot[i].game);
		text_release(&a->slot[i].data);
	}
	for (int i = 0; i < a->threads; i++)
		for (int j = 0; j < a->nplayers; j++)
			if (a->workers[i].thinkers[j] == &a->workers[i].own[j])
				thinker_close(&a->workers[i].own[j]);
	pthread_mutex_destroy(&a->lock->mutex);
	free(a->lock);
	free(a->slot);
	free(a->workers);
}
