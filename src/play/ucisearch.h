/*
 * The search of a UCI engine: a thread that searches the game's position, reports
 * what it finds, and ends with `bestmove`. The caller may change options, game and
 * task only while no search runs; uci_search_stop() and uci_search_ponderhit() may
 * be called at any time. After a change of options that needs it (enum uci_change),
 * call uci_search_close().
 */
#ifndef PLAY_UCISEARCH_H
#define PLAY_UCISEARCH_H

#include <pthread.h>

#include "chess/run.h"
#include "ucioptions.h"

enum { UCI_PLIES_MAX = 20000 };

struct uci_search {
	struct uci_options *options;
	bool failed; /* a net could not be opened, or has failed */
	/* The game: its start, its moves, and its last position. */
	struct board start, board;
	struct line line;
	/* The task. */
	struct uci_task {
		struct limits limits;
		bool infinite;
		bool mate;            /* until a result is proven */
		move only[MOVES_MAX]; /* searchmoves */
		int nonly;            /* 0: all moves */
	} task;
	atomic_bool ponder; /* the clock does not run yet */
	/* private: */
	bool running; /* the thread has to be joined */
	bool over;    /* there is no legal move */
	atomic_bool stop;
	pthread_t thread;
	struct rng rng;
	double started;
	struct thinker thinker;
	bool ready; /* the thinker is open */
	struct searcher *searcher;
	struct found found;
	struct found_line lines[UCI_MULTIPV_MAX];
	/* The game that the searcher knows. */
	struct board followed_start;
	int followed_plies; /* -1: none */
	move followed[UCI_PLIES_MAX];
	move moves[UCI_PLIES_MAX + 1];
	uint64_t keys[UCI_PLIES_MAX + 1];
	uint16_t men[UCI_PLIES_MAX + 1];
};

/* Sets up the start of the rules. o must outlive s. */
void uci_search_init(struct uci_search *s, struct uci_options *o);

/* Sets the game to this start, NULL: that of the rules, without moves. */
void uci_search_set_start(struct uci_search *s, const struct board *b);

/* Stops the search, and forgets everything found, for a new game. */
void uci_search_new_game(struct uci_search *s);

/* Opens net and searcher as the options say, unless they are open. False, with a
 * message to the GUI, if that fails. */
bool uci_search_prepare(struct uci_search *s);
void uci_search_close(struct uci_search *s);

/* Starts the search: 0, or -1 if no thread can be started. */
int uci_search_begin(struct uci_search *s);

/* Stop the search and wait for its end; or only wait. */
void uci_search_stop(struct uci_search *s);
void uci_search_wait(struct uci_search *s);

/* The expected move has been played: the clock starts. */
void uci_search_ponderhit(struct uci_search *s);

#endif
