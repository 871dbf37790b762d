/*
 * Players: a net that searches, a simple mover, or a UCI engine. A player is what
 * all its games share; a seat is its state in one of many games in progress.
 */
#ifndef PLAY_PLAYER_H
#define PLAY_PLAYER_H

#include "options.h"
#include "search/engine.h"

enum { PLAYER_SETTINGS_MAX = 64, PLAYER_REASON_MAX = REASON_MAX };

struct player {
	/* Set by the caller before player_open(): */
	const char *spec; /* random, greedy, uci:COMMAND, or a net */
	struct thinking thinking;
	double timeout; /* seconds that an engine gets beyond its limits */
	const char *settings[PLAYER_SETTINGS_MAX]; /* engine options: NAME=VALUE,
	                                            * or NAME for a button */
	int nsettings;
	/* or NULL; not called if UCI_Variant is among the settings */
	int (*tell_rules)(struct engine *e, char *reason);
	/* Set by player_open(): */
	enum { PLAYER_RANDOM, PLAYER_GREEDY, PLAYER_NET, PLAYER_ENGINE } kind;
	struct thinker *thinker;
	bool shares;                    /* the thinker belongs to another player */
	char identity[ENGINE_NAME_MAX]; /* hash of a net, name of an engine */
};

/* A game in progress, as its players see it. */
struct seat_view {
	const struct board *start; /* NULL: the usual one */
	const struct board *board;
	const struct line *line;
	struct rng *rng;
	bool sampled;         /* the move is to be sampled */
	double vary;          /* up to this share more or fewer nodes; 0: exactly */
	atomic_bool *stopped; /* the run is ending: moves are no longer needed */
};

struct seat {
	struct player *player;
	struct searcher *searcher; /* of a net */
	struct engine engine;
	bool thinking;      /* a move has been requested */
	bool waits_for_net; /* so there is no move yet */
	double debt;        /* CPU seconds used beyond the limit */
	double cpu_seconds; /* used for moves so far */
	uint64_t moves;     /* found so far */
};

/* Opens the player's net, if it has one, for these rules; shares that of `other`
 * (or NULL) if both search alike. 0, or -1 with a reason. */
int player_open(struct player *p, const struct player *other, const struct rules *r,
    char reason[PLAYER_REASON_MAX]);

/* The same, but takes any spec for a net. */
int player_open_net(struct player *p, const struct player *other, const struct rules *r,
    char reason[PLAYER_REASON_MAX]);
void player_close(struct player *p);

/* Does it obey limits? Does its search wait for a net? Does it compute in the
 * calling thread? */
bool player_thinks(const struct player *p);
bool player_waits(const struct player *p);
bool player_computes(const struct player *p);

/* Appends lines about everything that affects its moves. */
void player_describe(const struct player *p, struct text *to);

/* Sets up a seat, with the player's thinker or an equal one. Starts an engine, and
 * stores its name in p->identity. 0, or -1 with a reason; call seat_release() in
 * either case. */
int seat_init(struct seat *s, struct player *p, struct thinker *t,
    char reason[PLAYER_REASON_MAX]);

/* Sends quit without waiting, so that engines exit in parallel. */
void seat_dismiss(struct seat *s);
void seat_release(struct seat *s);

/* Starts a new game: 0, or -1 with a reason. */
int seat_begin(struct seat *s, char reason[PLAYER_REASON_MAX]);

/* Finds a move for the side to move: 1; 0 if it has to wait for its net or engine,
 * then call it again; -1 with a reason. f gets what the search has found; without a
 * search it has no moves. */
int seat_find_move(struct seat *s, const struct seat_view *v, move *m, struct found *f,
    char reason[PLAYER_REASON_MAX]);

/* Call after each move, of either side. */
void seat_follow(struct seat *s, move m);

/* Warns of fields of the rules that a net was not trained on, if there are any. */
void player_warn_fields(const struct net *n, const char *spec, const struct rules *r);

/* Opens the net of an option, or ends the program; warns as above. */
struct net *player_read_net(const char *option, const char *spec,
    const struct net_options *o, const struct rules *r);

#endif
