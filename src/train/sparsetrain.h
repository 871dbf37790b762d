/*
 * Training of a sparse net as train(1) does it: games in, steps, a net out. The
 * net's file has the weights as they are learnt, so it is its own checkpoint.
 */
#ifndef TRAIN_SPARSETRAIN_H
#define TRAIN_SPARSETRAIN_H

#include "base/cli.h"
#include "base/message.h"
#include "base/table.h"
#include "data/games.h"
#include "sparsemodel.h"

struct sparsetrain_options {
	int hidden;		/* of a new net */
	int batch, threads, holdout;
	uint64_t seed, steps, every;
	uint64_t warmup;	/* steps in which the rate rises */
	bool counted;		/* steps were given; else each position is seen
				 * `passes` times */
	double passes;
	double rate, final_rate;	/* falls along half a cosine */
	double value_rate;	/* of a prior's value, as a share of the rate */
	double lambda;		/* of the returns: see positions.h */
	size_t window;		/* positions of each rule set */
};

extern const struct sparsetrain_options sparsetrain_defaults;

enum { SPARSETRAIN_BINS = 512 };

struct sparsetrain {
	struct sparsetrain_options options;
	struct positions learnt, held;
	struct sparse_model model;
	struct threadpool pool;
	struct text rules;	/* that it was trained on */
	/* Games that wait for sparsetrain_end_games(), packed; and what values
	 * were worth in them: counts and points by value. */
	struct text waiting;
	double counts[SPARSETRAIN_BINS], points[SPARSETRAIN_BINS];
	uint64_t steps;		/* in all */
	double loss;		/* sum of those that no row has told yet */
	struct table *table;	/* for rows */
};

/* Opens a net to begin with; NULL with a reason, also when it is not sparse. */
struct net *sparsetrain_open(const char *from, char reason[REASON_MAX]);

/* Begins with a net of random weights, or with the one in the file `from`; -1
 * with a reason. */
int sparsetrain_init(struct sparsetrain *t, const struct sparsetrain_options *o,
    const char *from, char reason[REASON_MAX]);
void sparsetrain_release(struct sparsetrain *t);

/* Takes a game whose search values are known: one value a ply, the mover's
 * expected score from -1 to 1, NAN where there is none. */
void sparsetrain_add(struct sparsetrain *t, const struct game *g,
    const float *values);

/*
 * The games since the last call are of one player: their values are corrected
 * by one factor of the logit, so that they tell the results as well as they
 * can, and their positions are taken. A young player's values are far too near
 * to a half, and what is learnt from them would be, too. Returns the factor.
 */
double sparsetrain_end_games(struct sparsetrain *t);

/* One game of N is held out whole: which, depends on the game alone, so that it
 * is never learnt from. */
bool sparsetrain_is_held(const struct game *g, int holdout);

/* How many steps there are to take with so many positions. */
uint64_t sparsetrain_steps(const struct sparsetrain_options *o, size_t positions);

/* What a training does in the loop over its steps. */
struct sparsetrain_loop {
	void *training;
	void (*step)(void *training, double rate);
	/* A row about the last n steps; -1 if it cannot be written. */
	int (*tell)(void *training, double n, double rate, double speed);
};
int sparsetrain_loop(const struct sparsetrain_loop *l,
    const struct sparsetrain_options *o, uint64_t steps, const struct cli *cli);

/* Takes the steps; each `every` steps a row goes to the table. -1 when it
 * cannot be written. */
int sparsetrain_learn(struct sparsetrain *t, struct table *table,
    const struct cli *cli);

/* Adds the net's file to a text; -1 when there is no memory. */
int sparsetrain_export(struct sparsetrain *t, struct text *file);

#endif
