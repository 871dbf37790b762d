/*
 * Whoever plays: a net that searches, one of the simple movers, or another
 * program. A player is what is common to all games; a seat is what it has of
 * its own in one of many games that are under way at once.
 */
#ifndef SEARCH_PLAYER_H
#define SEARCH_PLAYER_H

#include "engine.h"
#include "pool.h"

enum { PLAYER_SETTINGS_MAX = 64, PLAYER_REASON_MAX = 300 };

struct player {
	/* By the caller, before player_open(): */
	const char *spec;	/* random, greedy, uci:COMMAND, or as net_open() */
	struct search_options search;
	int sims;		/* visits, or nodes of an engine, for each move */
	double movetime;	/* seconds instead; 0: none */
	double timeout;		/* seconds that an engine gets beyond that */
	const char *settings[PLAYER_SETTINGS_MAX];	/* NAME=VALUE or NAME */
	int nsettings;		/* of an engine's options */
	int (*tell_rules)(struct engine *e, char *reason);	/* or NULL */
	/* By player_open(): */
	enum { PLAYER_RANDOM, PLAYER_GREEDY, PLAYER_NET, PLAYER_ENGINE } kind;
	struct net *net;
	struct pool *pool;	/* its questions; perhaps another one's, too */
	bool shares;		/* net and pool belong to another */
	char identity[ENGINE_NAME_MAX];	/* hash of a net, name of an engine */
};

/* A game that is under way, as its players see it. */
struct seat_view {
	const struct board *start;	/* NULL: the usual one */
	const struct board *board;
	const struct line *line;
	struct rng *rng;
};

struct seat {
	struct player *player;
	struct search search;	/* of a net */
	struct engine engine;
	bool thinking;		/* it has been asked for its move */
	double deadline;	/* of a net's move, with movetime */
};

/* Opens a net if it is one, with a pool of its own; one that another player has
 * opened (or NULL) is shared. -1 with a reason. */
int player_open(struct player *p, struct player *other,
    const struct net_options *o, int batch, size_t cache_size,
    char reason[PLAYER_REASON_MAX]);
void player_close(struct player *p);

/* Does it use sims and movetime? */
bool player_thinks(const struct player *p);

/* Sits down; an engine is started and set up, and has its name in identity
 * then. -1 with a reason; seat_release() is due all the same. */
int seat_init(struct seat *s, struct player *p, char reason[PLAYER_REASON_MAX]);

/* Asks an engine to go; so many of them can go at the same time. */
void seat_dismiss(struct seat *s);
void seat_release(struct seat *s);

/* Another game begins. */
int seat_begin(struct seat *s, char reason[PLAYER_REASON_MAX]);

/* The move, if the player is the one to move: 1; 0 when it has to wait for its
 * pool or engine, and this is to be called again; -1 with a reason. */
int seat_find_move(struct seat *s, const struct seat_view *v, move *m,
    char reason[PLAYER_REASON_MAX]);

/* A move has been made, by whomever. */
void seat_follow(struct seat *s, move m);

#endif
