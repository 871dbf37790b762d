/*
 * Training of a sparse net with a policy, for train(1): games with visits in,
 * steps, a net out. As with sparsetrain.h, the net's file is its own
 * checkpoint.
 */
#ifndef TRAIN_POLICYTRAIN_H
#define TRAIN_POLICYTRAIN_H

#include "policymodel.h"
#include "sparsetrain.h"

extern const struct training_options policytrain_defaults;

struct policytrain {
	struct training_options options;
	struct net *from; /* the net to start from, or NULL */
	struct policy_window learnt, held;
	struct policy_model model;
	struct threadpool pool;
	uint64_t steps;          /* so far, over all runs */
	struct policy_loss loss; /* sum since the last row */
	struct table *table;     /* for rows */
};

/* Starts from random weights (from is NULL), or from the net in the file `from`,
 * which need not have a policy. 0, or -1 with a reason. */
int policytrain_init(struct policytrain *t, const struct training_options *o,
    const char *from, char reason[REASON_MAX]);
void policytrain_release(struct policytrain *t);

/* Adds the positions of a game with search data; returns their number, or -1 with
 * a reason. */
int policytrain_add(struct policytrain *t, const struct game *g,
    char reason[GAME_REASON_MAX]);

/* Takes the steps, and adds a row to the table every `every` steps. 0, or -1 if one
 * cannot be written. */
int policytrain_learn(struct policytrain *t, struct table *table, const struct cli *cli);

/* Appends the net's file to a text: 0, or -1 if there is not enough memory. */
int policytrain_export(struct policytrain *t, struct text *file);

#endif
