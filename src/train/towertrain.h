/*
 * Training of a tower, for train(1): games with search data in, steps, a net and
 * a checkpoint out.
 */
#ifndef TRAIN_TOWERTRAIN_H
#define TRAIN_TOWERTRAIN_H

#include "checkpoint.h"
#include "training.h"
#include "window.h"

extern const struct training_options towertrain_defaults;

struct towertrain_options {
	int blocks, filters; /* 0 filters: the checkpoint's size, or 4x32 */
	bool no_mirror;
	double value_weight, left_weight; /* of the losses */
	struct sgd_options sgd;
};

struct towertrain {
	struct training_options options;
	struct towertrain_options tower;
	struct window learnt, held;
	struct window file_learnt, file_held; /* of the file being read */
	bool newest_first;
	struct threadpool pool;
	struct model model;
	struct sgd sgd;
	struct checkpoint so_far;
	/* The batch. */
	const struct window *shown; /* where it is drawn from */
	int count;
	uint32_t *chosen;
	bool *mirrored;
	uint16_t *places;
	struct model_target *targets;
	/* Sums since the last row. */
	struct model_loss loss;
	double gradient;
	bool diverged; /* the gradient is not a number */
	struct table *table;
};

/* Starts from random weights, or from the checkpoint if that file exists (NULL:
 * none). 0, or -1 with a reason. */
int towertrain_init(struct towertrain *t, const struct training_options *o,
    const struct towertrain_options *tower, const char *checkpoint,
    char reason[CHECKPOINT_REASON_MAX]);
void towertrain_release(struct towertrain *t);

/*
 * Adds the games of a file, between begin and end. With newest_first, newer files
 * come first: their latest games are taken while there is room, and
 * towertrain_begin_file() returns false when there is none left. towertrain_add()
 * returns -1 with a reason if a game's search data is malformed.
 */
bool towertrain_begin_file(struct towertrain *t, bool newest_first);
int towertrain_add(struct towertrain *t, const struct game *g,
    char reason[GAME_REASON_MAX]);
void towertrain_end_file(struct towertrain *t);

/* Takes the steps, with rows in the table, and measures the held-out games. 0, or -1
 * if a row cannot be written, or t->diverged. */
int towertrain_learn(struct towertrain *t, struct table *table, const struct cli *cli);

/* Appends the file of the averaged net to a text, and the same in 8-bit integers to
 * another (or NULL). 0, or -1 if there is not enough memory. */
int towertrain_export(struct towertrain *t, struct text *file, struct text *int8);

#endif
