/*
 * Plays many games at once, from opening to end: one player against itself, or
 * two in pairs of games with the same opening and colours reversed. Game k has its
 * own stream of random numbers, so that neither slots and threads nor the
 * distribution of games over jobs changes any game.
 *
 * A slot holds a game in progress. Each thread has its own slots: many if players
 * wait for a net, which then evaluates positions in batches; one if players
 * compute in the thread itself.
 */
#ifndef PLAY_ARENA_H
#define PLAY_ARENA_H

#include <stdatomic.h>

#include "data/openings.h"
#include "player.h"

enum { ARENA_REASON_MAX = PLAYER_REASON_MAX + 100 };

struct arena {
	/* Set by the caller; 0 turns an option off: */
	const struct rules *rules;
	const struct openings *openings;
	struct player *players;      /* already opened */
	int nplayers;                /* 1 or 2; with 2 the first has White in games of
	                              * even numbers */
	uint64_t seed, first, games; /* numbers first to first + games - 1 */
	int random_plies;            /* before the players' own moves */
	int sample_plies;            /* of their own moves, to be sampled */
	double vary;                 /* the nodes of a move, up to this share */
	bool sample_all;             /* count the opening's plies in sample_plies */
	double resign;               /* below this expected score; -2: never */
	int play_out;                /* one game in this many is never resigned */
	bool search_data;            /* keep it in games */
	bool only_values;            /* without the moves that were considered */
	int slots, threads;          /* 0: what is best for these players */
	/* Is game k to be played? NULL: all are. */
	bool (*is_wanted)(uint64_t k, void *context);
	/* Takes a finished game. Called by one thread at a time; -1 ends all. */
	int (*take_game)(struct game *g, uint64_t k, void *context);
	void *context;
	/* private: */
	struct slot *slot;
	struct worker *workers;
	uint64_t next; /* number of the game to begin next */
	struct arena_lock *lock;
	atomic_bool stopped;
	bool broken;
	int failed; /* index of the player that failed, or -1 */
	char reason[ARENA_REASON_MAX];
};

/* Creates the slots and starts engines. 0, or -1 with the player's index in
 * a->failed and a->reason. Call arena_release() in either case. */
int arena_open(struct arena *a);

/* Plays all games, or until arena_stop() is called. 0, or -1 if a player failed
 * (a->failed and a->reason say which and why) or take_game() did (a->reason is
 * ""). */
int arena_play(struct arena *a);

/* Makes arena_play() return soon, without the games in progress. May be called
 * from a signal handler. */
void arena_stop(struct arena *a);
void arena_release(struct arena *a);

/* Positions that nets have evaluated; take_game() may ask, too. After
 * arena_play(): evaluations that came from their caches, and a player's average
 * CPU seconds a move. */
uint64_t arena_evaluated(const struct arena *a);
uint64_t arena_cached(const struct arena *a);
double arena_cpu_seconds(const struct arena *a, int player);

/* A digest, 16 hexadecimal digits and a NUL, of everything that affects the moves,
 * except rules, seed and nets. */
void arena_digest(const struct arena *a, char digest[17]);

/* Completes a game of one player against itself by its number and where it comes
 * from, and appends it as a line of JSON. The digest is that of arena_digest(). */
void arena_write_game(const struct arena *a, struct game *g, uint64_t k,
    const char *digest, struct text *line);

/* The nodes a move of a player, as games(5) has them; -1 if another limit applies. */
int arena_sims(const struct arena *a, int player);

/* Options of programs that have an arena, besides --openings, --first and --games. */
#define ARENA_FIRST(a, which) \
	CLI_COUNT('f', "first", "K", &(a)->first, 0, INT64_MAX / 2, \
	    "number of the first game" which " (default 0)")
#define ARENA_GAMES(a, usual) \
	CLI_COUNT('g', "games", "N", &(a)->games, 0, INT64_MAX / 2, \
	    "how many games" usual)
#define ARENA_SLOTS(a, h) CLI_INTEGER('J', "slots", "N", &(a)->slots, 1, 4096, h)
#define ARENA_THREADS(a, h) CLI_INTEGER('j', "threads", "N", &(a)->threads, 1, 256, h)
#define ARENA_RANDOM_PLIES(a, usual) \
	CLI_INTEGER(0, "random-plies", "N", &(a)->random_plies, 0, 200, \
	    "begin with N random plies (default " usual ")")

#endif
