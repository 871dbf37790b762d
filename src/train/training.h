/*
 * What train(1) does for every kind of net: options, held-out games, and the
 * loop over steps.
 */
#ifndef TRAIN_TRAINING_H
#define TRAIN_TRAINING_H

#include "base/cli.h"
#include "base/table.h"
#include "data/game.h"

struct training_options {
	int hidden; /* of a new sparse net */
	int batch, threads, holdout;
	uint64_t seed, steps, every;
	uint64_t warmup; /* steps in which the rate rises */
	bool counted;    /* steps were given; otherwise each position is used
	                  * `passes` times */
	double passes;
	double rate, final_rate;
	double value_rate;   /* of a prior's value, as a share of the rate */
	const char *keep;    /* net whose knowledge stays as it is; NULL: none */
	const char *blend;   /* net to blend the result with; NULL: none */
	double blend_share;  /* of its weights */
	double lambda;       /* weight of later values in the value target */
	double result_share; /* of the game's result in it, besides */
	uint64_t window;     /* positions; of a sparse net, for each rule set */
};

/* Is this game held out, one in `holdout`? It depends on the game alone, so that no
 * run learns from it. */
bool training_holds(const struct training_options *o, const struct game *g);

/* What a kind of net does in the loop. */
struct training_loop {
	void *training;
	int (*step)(void *training, double rate); /* -1 ends the loop */
	/* Adds a row about the last n steps; -1 if it cannot be written. */
	int (*tell)(void *training, double n, double rate, double speed);
};

/* Takes the steps, with a row every o->every of them; -1 if a call fails. The rate
 * falls from rate to final_rate along half a cosine, after warmup. */
int training_run(const struct training_loop *l, const struct training_options *o,
    uint64_t steps, const struct cli *cli);

/* Ends a row, which is visible at once; -1 if it cannot be written. */
int training_end_row(struct table *t);

#endif
