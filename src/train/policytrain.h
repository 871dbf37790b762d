/*
 * Training of a sparse net with a policy as train(1) does it: games with visits
 * in, steps, a net out. As with sparsetrain.h the net's file is its own
 * checkpoint.
 */
#ifndef TRAIN_POLICYTRAIN_H
#define TRAIN_POLICYTRAIN_H

#include "policymodel.h"
#include "sparsetrain.h"

extern const struct training_options policytrain_defaults;

struct policytrain {
	struct training_options options;
	struct net *from;	/* to begin with; or NULL */
	struct policy_window learnt, held;
	struct policy_model model;
	struct threadpool pool;
	uint64_t steps;		/* in all */
	struct policy_loss loss;	/* sum since the last row */
	struct table *table;	/* for rows */
};

/* Begins with random weights, or with the net of the file `from`, which may be
 * one without a policy; -1 with a reason. */
int policytrain_init(struct policytrain *t, const struct training_options *o,
    const char *from, char reason[REASON_MAX]);
void policytrain_release(struct policytrain *t);

/* Takes the positions of a game with search data; returns how many, or -1 with
 * a reason. */
int policytrain_add(struct policytrain *t, const struct game *g,
    char reason[GAME_REASON_MAX]);

/* Takes the steps; each `every` steps a row goes to the table. -1 when it
 * cannot be written. */
int policytrain_learn(struct policytrain *t, struct table *table,
    const struct cli *cli);

/* Adds the net's file to a text; -1 when there is no memory. */
int policytrain_export(struct policytrain *t, struct text *file);

#endif
