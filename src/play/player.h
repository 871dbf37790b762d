/*
 * Whoever plays: a net that searches, one of the simple movers, or another
 * program. A player is what is common to all games; a seat is what it has of
 * its own in one of many games that are under way at once.
 */
#ifndef PLAY_PLAYER_H
#define PLAY_PLAYER_H

#include "options.h"
#include "search/engine.h"

enum { PLAYER_SETTINGS_MAX = 64, PLAYER_REASON_MAX = 300 };

struct player {
	/* By the caller, before player_open(): */
	const char *spec;	/* random, greedy, uci:COMMAND, or as net_open() */
	struct thinking thinking;
	double timeout;		/* seconds that an engine gets beyond its limits */
	const char *settings[PLAYER_SETTINGS_MAX];	/* NAME=VALUE or NAME */
	int nsettings;		/* of an engine's options */
	int (*tell_rules)(struct engine *e, char *reason);	/* or NULL */
	/* By player_open(): */
	enum { PLAYER_RANDOM, PLAYER_GREEDY, PLAYER_NET, PLAYER_ENGINE } kind;
	struct thinker *thinker;	/* perhaps another player's, too */
	bool shares;		/* it belongs to another */
	char identity[ENGINE_NAME_MAX];	/* hash of a net, name of an engine */
};

/* A game that is under way, as its players see it. */
struct seat_view {
	const struct board *start;	/* NULL: the usual one */
	const struct board *board;
	const struct line *line;
	struct rng *rng;
	bool draws;		/* the move is drawn among those that are good */
	atomic_bool *stopped;	/* all is to end: moves are of no use */
};

struct seat {
	struct player *player;
	struct searcher *searcher;	/* of a net */
	struct engine engine;
	bool thinking;		/* it has been asked for its move */
	bool waits_for_net;	/* that is why there is no move yet */
	double debt;		/* CPU seconds used beyond those it had */
	double cpu_seconds;	/* used for moves so far */
	uint64_t moves;		/* that it has found */
};

/* Opens a net if it is one, for these rules; that of another player (or NULL) is
 * shared if it thinks alike. -1 with a reason. */
int player_open(struct player *p, const struct player *other, const struct rules *r,
    char reason[PLAYER_REASON_MAX]);

/* The same for one that must be a net, whatever it is called. */
int player_open_net(struct player *p, const struct player *other,
    const struct rules *r, char reason[PLAYER_REASON_MAX]);
void player_close(struct player *p);

/* Does it use limits? Does its search wait for a net; does it compute in the
 * thread that asks it for a move? */
bool player_thinks(const struct player *p);
bool player_waits(const struct player *p);
bool player_computes(const struct player *p);

/* Adds lines that say all that chooses its moves. */
void player_describe(const struct player *p, struct text *to);

/* Sits down, with a thinker that is the player's or one like it; an engine is
 * started and set up, and has its name in identity then. -1 with a reason;
 * seat_release() is due all the same. */
int seat_init(struct seat *s, struct player *p, struct thinker *t,
    char reason[PLAYER_REASON_MAX]);

/* Sends quit without waiting, so that engines exit in parallel. */
void seat_dismiss(struct seat *s);
void seat_release(struct seat *s);

/* Another game begins. */
int seat_begin(struct seat *s, char reason[PLAYER_REASON_MAX]);

/* The move, if the player is the one to move: 1; 0 when it has to wait for its
 * net or engine, and this is to be called again; -1 with a reason. What a
 * search has found goes to f; it has no moves of those who do not search. */
int seat_find_move(struct seat *s, const struct seat_view *v, move *m,
    struct found *f, char reason[PLAYER_REASON_MAX]);

/* A move has been made, by whomever. */
void seat_follow(struct seat *s, move m);

/* Says on standard error which fields of the rules a net was never told of, if
 * there are any. */
void player_warn_untold(const struct net *n, const char *spec,
    const struct rules *r);

#endif
