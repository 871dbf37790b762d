/*
 * Training of a sparse net, for train(1): games in, steps, a net out. The
 * net's file has the weights as they are learnt, so it is its own checkpoint.
 */
#ifndef TRAIN_SPARSETRAIN_H
#define TRAIN_SPARSETRAIN_H

#include "base/message.h"
#include "sparsemodel.h"
#include "training.h"

extern const struct training_options sparsetrain_defaults;

enum { SPARSETRAIN_BINS = 512 };

struct sparsetrain {
	struct training_options options;
	struct positions learnt, held;
	struct sparse_model model;
	struct threadpool pool;
	struct text rules; /* that it was trained on */
	/* Games that wait for sparsetrain_end_games(), packed; and the results
	 * of positions in them, by value: counts and points. */
	struct text waiting;
	double counts[SPARSETRAIN_BINS], points[SPARSETRAIN_BINS];
	uint64_t steps;      /* so far, over all runs */
	double loss;         /* sum since the last row */
	struct table *table; /* for rows */
};

/* Opens the net to start from; NULL with a reason, also if it is not sparse. */
struct net *sparsetrain_open(const char *from, char reason[REASON_MAX]);

/* Starts from random weights (from is NULL), or from the net in the file `from`. 0,
 * or -1 with a reason. */
int sparsetrain_init(struct sparsetrain *t, const struct training_options *o,
    const char *from, char reason[REASON_MAX]);
void sparsetrain_release(struct sparsetrain *t);

/* Adds a game with its search values: for each ply the mover's expected score, -1
 * to 1, or NAN if there is none. */
void sparsetrain_add(struct sparsetrain *t, const struct game *g, const float *values);

/*
 * Adds the positions of the games since the last call, which one player must have
 * played, with calibrated values: the logits are multiplied by a factor fitted to the
 * results, because a player early in its training has values far too close to a half.
 * Returns the factor.
 */
double sparsetrain_end_games(struct sparsetrain *t);

/* The number of steps to take for this many positions. */
uint64_t sparsetrain_steps(const struct training_options *o, size_t positions);

/* Takes the steps, and adds a row to the table every `every` steps. 0, or -1 if one
 * cannot be written. */
int sparsetrain_learn(struct sparsetrain *t, struct table *table, const struct cli *cli);

/* Appends the net's file to a text: 0, or -1 if there is not enough memory. */
int sparsetrain_export(struct sparsetrain *t, struct text *file);

#endif
