/*
 * The `search` field of a game, what was found out at every ply: games(5).
 * Written and read ply by ply; names of moves are compared with the legal ones
 * by the reader's caller, which has the board.
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
	double improved;		/* Gumbel's policy; -1: not told */
	double score;		/* expected, of whoever moves; NAN: not told */
};

struct searchdata_ply {
	bool known;		/* false: a ply of the opening */
	double value, draw;	/* of the side to move; draw -1: not told */
	bool scored;		/* moves have scores, and neither visits nor priors */
	struct searchdata_move moves[MOVES_MAX];
	int n;
};

/* Adds the next ply to a text that is empty at first; ends it. */
void searchdata_add(struct text *t, const struct searchdata_ply *p);
void searchdata_end(struct text *t);

/* What is left to read. */
struct searchdata {
	const char *s, *end;
	bool begun;
};

void searchdata_start(struct searchdata *d, const char *s, size_t n);

/* 1: the next ply; 0: there are no more; -1: it is not search data. */
int searchdata_next(struct searchdata *d, struct searchdata_ply *p);

#endif
