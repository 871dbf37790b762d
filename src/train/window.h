/*
 * Positions to learn from: the latest ones of a stream of games that carry
 * search data. A sample keeps the position and what the net should have said.
 */
#ifndef TRAIN_WINDOW_H
#define TRAIN_WINDOW_H

#include "chess/board.h"
#include "data/game.h"

/* A position of the window. */
struct sample {
	struct board board;	/* its rules are the window's own copy */
	uint64_t policy;	/* place of its first move in moves[] and probs[] */
	uint16_t moves;
	uint8_t repetitions;	/* how often it has stood, now included */
	float wdl[3];		/* the mover's win, draw, loss */
	float left;		/* plies left, in hundreds */
};

struct window {
	size_t limit;		/* positions that are kept; older ones go */
	double lambda;		/* of TD(lambda): how much of the result, and how
				 * little of later searches, is in wdl */
	struct sample *samples;
	size_t n, room;
	move *moves;
	float *probs;
	size_t npolicy, policy_room;
	uint64_t seen;		/* positions added, those that are gone included */
	struct rules **rules;	/* every one that was met */
	int nrules;
};

void window_init(struct window *w, size_t limit, double lambda);
void window_release(struct window *w);

/* Adds the positions of a game. Returns how many, or -1 with a reason when its
 * search data is none. A game without a result or without search data adds
 * none. */
int window_add(struct window *w, const struct game *g,
    char reason[GAME_REASON_MAX]);

/* Adds the latest positions of another window, `most` at most. */
void window_append(struct window *w, const struct window *from, size_t most);

/* The names of all rule sets met, with commas between. */
void window_rules(const struct window *w, struct text *t);

/* What the net is shown and should say: input[64][NET_PLANES], and the places
 * of the moves. mirrored: left and right exchanged, which sample_mirrors() must
 * allow. */
bool sample_mirrors(const struct sample *s);
void sample_show(const struct window *w, const struct sample *s, bool mirrored,
    float *input, uint16_t *places);

#endif
