/*
 * The field "search" of a game, games(5): the result of the search at every ply.
 * Written and read ply by ply. The reader does not know the board: its caller
 * has to match the names of moves with legal moves.
 */
#ifndef DATA_SEARCHDATA_H
#define DATA_SEARCHDATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "chess/movegen.h"

struct searchdata_move {
	char name[6];
	double visits, prior;
	double improved; /* Gumbel's improved policy; -1: not given */
	double score;    /* expected, for the mover; NAN: not given */
};

struct searchdata_ply {
	bool known;         /* false: no search, as in an opening */
	double value, draw; /* for the side to move; draw -1: not given */
	bool scored;        /* moves have scores, but no visits and priors */
	struct searchdata_move moves[MOVES_MAX];
	int n;
};

/* Append the next ply to a text that starts empty, and the end after the last. */
void searchdata_add(struct text *t, const struct searchdata_ply *p);
void searchdata_end(struct text *t);

/* The unread part. */
struct searchdata {
	const char *s, *end;
	bool begun;
};

void searchdata_start(struct searchdata *d, const char *s, size_t n);

/* Reads the next ply: 1; 0 if there are no more; -1 if it is malformed. */
int searchdata_next(struct searchdata *d, struct searchdata_ply *p);

#endif
