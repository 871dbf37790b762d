/*
 * Many games under way at once, from their openings to their ends: one player
 * against itself, or two in pairs of games that begin alike with colours
 * reversed. Each game draws its random numbers from its own number, so neither
 * the number of slots and threads nor the way games are spread over jobs changes
 * any of them.
 *
 * A slot is room for one game under way. Each thread has its own slots: many
 * where players wait for a net, which is asked about many positions at once
 * then, and one where a player computes in the thread that asks it.
 */
#ifndef PLAY_ARENA_H
#define PLAY_ARENA_H

#include <stdatomic.h>

#include "data/openings.h"
#include "player.h"

enum { ARENA_REASON_MAX = PLAYER_REASON_MAX + 100 };

struct arena {
	/* By the caller; what is 0 is not wanted: */
	const struct rules *rules;
	const struct openings *openings;
	struct player *players;	/* that have been opened */
	int nplayers;		/* 1 or 2; with 2 the first has White in games of
				 * even numbers */
	uint64_t seed, first, games;	/* numbers first to first + games - 1 */
	int random_plies;	/* before the players' own moves */
	int sample_plies;	/* of their own that they draw, */
	bool sample_all;	/* or, those of the opening counted too */
	double resign;		/* below this expected score; -2: never */
	int play_out;		/* one game of so many is never resigned; 0: none */
	bool search_data;	/* kept in games, */
	bool only_values;	/* but for the moves that were considered */
	int slots, threads;	/* 0: what is best for these players */
	/* Is game k to be played? NULL: all are. */
	bool (*is_wanted)(uint64_t k, void *context);
	/* Game k is over. Called by one thread at a time; -1 ends all. */
	int (*take_game)(struct game *g, uint64_t k, void *context);
	void *context;
	/* The arena's own: */
	struct slot *slot;
	struct worker *workers;
	uint64_t next;		/* number of the game to begin next */
	struct arena_lock *lock;
	atomic_bool stopped;
	bool broken;
	int failed;		/* player that has, or -1 */
	char reason[ARENA_REASON_MAX];
};

/* Makes slots and threads, and starts engines. -1 with the number of the player
 * in `failed` and a reason. arena_release() is due all the same. */
int arena_open(struct arena *a);

/* Plays all games, or until arena_stop() is called. -1 when something has
 * failed: a player, and `failed` and `reason` say which and why, or take_game(),
 * and the reason is "". */
int arena_play(struct arena *a);

/* Ends it soon; games that are not over are given up. May be called by a
 * signal handler. */
void arena_stop(struct arena *a);
void arena_release(struct arena *a);

/* Positions that nets have judged, also for take_game(). When all is over: how
 * many were in their caches; CPU seconds that a player has used for a move on
 * average. */
uint64_t arena_evaluated(const struct arena *a);
uint64_t arena_cached(const struct arena *a);
double arena_cpu_seconds(const struct arena *a, int player);

/* 16 hexadecimal digits, and a NUL, that stand for all that chooses moves, but
 * for rules, seed and nets. */
void arena_digest(const struct arena *a, char digest[17]);

/* Options of programs that have an arena, besides --openings, --first and --games. */
#define ARENA_FIRST(a, which) \
	CLI_COUNT('f', "first", "K", &(a)->first, 0, INT64_MAX / 2, \
	    "number of the first game" which " (default 0)")
#define ARENA_GAMES(a, usual) \
	CLI_COUNT('g', "games", "N", &(a)->games, 0, INT64_MAX / 2, \
	    "how many games" usual)
#define ARENA_SLOTS(a, h) CLI_INTEGER('J', "slots", "N", &(a)->slots, 1, 4096, h)
#define ARENA_THREADS(a, h) \
	CLI_INTEGER('j', "threads", "N", &(a)->threads, 1, 256, h)
#define ARENA_RANDOM_PLIES(a, usual) \
	CLI_INTEGER(0, "random-plies", "N", &(a)->random_plies, 0, 200, \
	    "begin with N random plies (default " usual ")")

#endif
