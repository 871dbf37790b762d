/*
 * The search of a UCI engine: a thread that thinks about a game, says what it
 * finds, and ends with `bestmove`. The caller changes options, game and task
 * only while nobody thinks; uci_search_stop() and uci_search_ponderhit() may be
 * called at any time. Options whose change asks for it are followed by
 * uci_search_close().
 */
#ifndef PLAY_UCISEARCH_H
#define PLAY_UCISEARCH_H

#include <pthread.h>

#include "chess/run.h"
#include "ucioptions.h"

enum { UCI_PLIES_MAX = 20000 };

struct uci_search {
	struct uci_options *options;
	bool failed;		/* a net could not be opened, or has failed */
	/* The game: where it began, its moves, and where it stands. */
	struct board start, board;
	struct line line;
	/* The task. */
	struct uci_task {
		struct limits limits;
		bool infinite;
		bool mate;	/* until a result is sure */
		move only[MOVES_MAX];	/* searchmoves */
		int nonly;	/* 0: all of them */
	} task;
	atomic_bool ponder;	/* the clock does not run yet */
	/* For the module itself: */
	bool running;		/* the thread is to be joined */
	bool over;		/* nobody can move */
	atomic_bool stop;
	pthread_t thread;
	struct rng rng;
	double started;
	struct thinker thinker;
	bool ready;		/* it is open */
	struct searcher *searcher;
	struct found found;
	struct found_line lines[UCI_MULTIPV_MAX];
	/* The game that the searcher follows. */
	struct board followed_start;
	int followed_plies;	/* -1: none */
	move followed[UCI_PLIES_MAX];
	move moves[UCI_PLIES_MAX + 1];
	uint64_t keys[UCI_PLIES_MAX + 1];
	uint8_t men[UCI_PLIES_MAX + 1];
};

/* With the start of a game on the board. */
void uci_search_init(struct uci_search *s, struct uci_options *o);

/* Puts the start of a game on the board: NULL, the one of the rules. */
void uci_search_set_start(struct uci_search *s, const struct board *b);

/* Another game begins: stops, and forgets what it has found. */
void uci_search_new_game(struct uci_search *s);

/* Makes the net and the search that the options ask for, if they are not
 * there. False, and says why, if that cannot be done. */
bool uci_search_prepare(struct uci_search *s);
void uci_search_close(struct uci_search *s);

/* Begins to think; -1: no thread can be started. */
int uci_search_begin(struct uci_search *s);

/* Ends the search, and waits until it has ended; or only waits. */
void uci_search_stop(struct uci_search *s);
void uci_search_wait(struct uci_search *s);

/* The move that was expected has been played: the clock runs. */
void uci_search_ponderhit(struct uci_search *s);

#endif
