/*
 * Positions to learn from: the latest ones of a stream of games with search data.
 * A sample has a position and its targets.
 */
#ifndef TRAIN_WINDOW_H
#define TRAIN_WINDOW_H

#include "chess/board.h"
#include "data/game.h"

/* A position of the window. */
struct sample {
	struct board board; /* its rules are the window's own copy */
	uint64_t policy;    /* index of its first move in moves[] and probs[] */
	uint16_t moves;
	uint8_t repetitions; /* how often it has occurred, including now */
	float wdl[3];        /* the mover's win, draw, loss */
	float left;          /* plies left, in hundreds */
};

struct window {
	size_t limit;  /* positions to keep; older ones are dropped */
	double lambda; /* of TD(lambda): weight of the result against later
	                * search values in wdl */
	struct sample *samples;
	size_t n, room;
	move *moves;
	float *probs;
	size_t npolicy, policy_room;
	uint64_t seen;        /* positions added, including dropped ones */
	struct rules **rules; /* all rule sets so far */
	int nrules;
};

void window_init(struct window *w, size_t limit, double lambda);
void window_release(struct window *w);

/* Adds the positions of a game. Returns their number, or -1 with a reason if its
 * search data is malformed. A game without a result or without search data adds
 * none. */
int window_add(struct window *w, const struct game *g, char reason[GAME_REASON_MAX]);

/* Adds the latest positions of another window, `most` at most. */
void window_append(struct window *w, const struct window *from, size_t most);

/* The names of all rule sets so far, separated by commas. */
void window_rules(const struct window *w, struct text *t);

/* The net's input[64][NET_PLANES], and the indices of the moves. mirrored: left and
 * right exchanged, which sample_mirrors() must allow. */
bool sample_mirrors(const struct sample *s);
void sample_show(const struct window *w, const struct sample *s, bool mirrored,
    float *input, uint16_t *places);

#endif
