/*
 * Another program that finds moves, by the UCI protocol: a child process in a
 * process group of its own, which is killed when its parent ends, however that
 * happens (on Linux).
 *
 *	engine_start(), engine_set() ...
 *	for each game
 *		engine_begin()
 *		for each of its moves
 *			engine_go()
 *			engine_answer() until there is one; engine_wait()
 *	engine_release()
 *
 * Functions that fail give a reason; after that only engine_release() may be
 * called. None waits longer than the timeout.
 */
#ifndef SEARCH_ENGINE_H
#define SEARCH_ENGINE_H

#include <sys/types.h>

#include "base/message.h"
#include "base/text.h"
#include "chess/board.h"
#include "chess/run.h"
#include "limits.h"

enum {
	ENGINE_NAME_MAX = 100,
	ENGINE_REASON_MAX = REASON_MAX,
	ENGINE_SAID_MAX = 1 << 20 /* bytes of its output not yet read */
};

struct engine {
	pid_t pid;                  /* 0: it is not running */
	int to, from;               /* what it reads, what it writes */
	double timeout;             /* seconds that it has for an answer */
	double deadline;            /* of the answer that is waited for */
	double cpu_started;         /* its CPU clock at the last engine_go() */
	double cpu_limit;           /* seconds after which it is stopped; 0: none */
	double dismissed;           /* when it was sent quit; 0: it was not */
	char name[ENGINE_NAME_MAX]; /* as it calls itself; or "" */
	struct text options;        /* that it offers, a line each */
	struct text said;           /* its output; not yet read from `used` on */
	size_t used;
	bool chess960; /* UCI_Chess960 is set: castling is king takes rook */
};

/* Runs a simple command of the shell, and waits for its uciok. */
int engine_start(struct engine *e, const char *command, double timeout,
    char reason[ENGINE_REASON_MAX]);

/* How it describes an option, such as " type spin min 1 max 8", up to a line
 * feed; NULL if it has none of this name. */
const char *engine_option(const struct engine *e, const char *name);

/* Sets an option, or pushes a button (value NULL); one that it does not have is
 * a failure. */
int engine_set(struct engine *e, const char *name, const char *value,
    char reason[ENGINE_REASON_MAX]);

/* Begins a new game; the engine is to forget earlier ones. */
int engine_begin(struct engine *e, char reason[ENGINE_REASON_MAX]);

/* Starts it thinking about the position after a line under rules r that began at
 * `start` (NULL: the usual one). It is sent one limit: seconds, depth or nodes. A limit
 * on CPU time is not sent: engine_answer() stops it then. Where castling begins on other
 * squares UCI_Chess960 is set; an engine without this option fails. */
int engine_go(struct engine *e, const struct rules *r, const struct board *start,
    const struct line *l, const struct limits *limits, char reason[ENGINE_REASON_MAX]);

/* CPU seconds of its process since then, without its children's; 0 if that
 * cannot be determined. */
double engine_cpu_seconds(const struct engine *e);

/* Its move in position b: returns 1; 0 if it has not answered yet; -1 if it
 * cannot, is late, or the move is not legal. Does not wait. */
int engine_answer(struct engine *e, const struct board *b, move *m,
    char reason[ENGINE_REASON_MAX]);

/* Waits until one of n engines says something, is late, or has used up its CPU
 * time. */
void engine_wait(struct engine *const *engines, int n);

/* Sends quit without waiting, so that engines exit in parallel. */
void engine_dismiss(struct engine *e);

/* Waits some seconds for it to exit, and kills it if it does not. */
void engine_release(struct engine *e);

#endif
