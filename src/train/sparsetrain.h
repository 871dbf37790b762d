/*
 * Training of a sparse net as train(1) does it: games in, steps, a net out. The
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
	struct text rules;	/* that it was trained on */
	/* Games that wait for sparsetrain_end_games(), packed; and what values
	 * were worth in them: counts and points by value. */
	struct text waiting;
	double counts[SPARSETRAIN_BINS], points[SPARSETRAIN_BINS];
	uint64_t steps;		/* in all */
	double loss;		/* sum since the last row */
	struct table *table;	/* for rows */
};

/* Opens a net to begin with; NULL with a reason, also when it is not sparse. */
struct net *sparsetrain_open(const char *from, char reason[REASON_MAX]);

/* Begins with a net of random weights, or with the one in the file `from`; -1
 * with a reason. */
int sparsetrain_init(struct sparsetrain *t, const struct training_options *o,
    const char *from, char reason[REASON_MAX]);
void sparsetrain_release(struct sparsetrain *t);

/* Takes a game whose search values are known: one value a ply, the mover's
 * expected score from -1 to 1, NAN where there is none. */
void sparsetrain_add(struct sparsetrain *t, const struct game *g,
    const float *values);

/*
 * Takes the positions of the games since the last call, which are of one player,
 * their values calibrated: one factor of the logit is fitted to the results. A young
 * player's values are far too near a half, and a net would learn that. Returns the
 * factor.
 */
double sparsetrain_end_games(struct sparsetrain *t);

/* How many steps to take with so many positions. */
uint64_t sparsetrain_steps(const struct training_options *o, size_t positions);

/* Takes the steps; each `every` steps a row goes to the table. -1 when it
 * cannot be written. */
int sparsetrain_learn(struct sparsetrain *t, struct table *table,
    const struct cli *cli);

/* Adds the net's file to a text; -1 when there is no memory. */
int sparsetrain_export(struct sparsetrain *t, struct text *file);

#endif
