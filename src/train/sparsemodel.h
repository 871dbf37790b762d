/*
 * A sparse net in training: its weights, Adam's state, and a step over a batch,
 * whose parts are divided among threads. Each part has positions of one rule set
 * and sums of its own, so the result does not depend on the number of
 * threads.
 */
#ifndef TRAIN_SPARSEMODEL_H
#define TRAIN_SPARSEMODEL_H

#include "base/rng.h"
#include "sparsestep.h"
#include "threadpool.h"

enum { SPARSE_PARTS = 4 };

struct sparse_model {
	struct sparse net, gradient, first, second; /* Adam's moments */
	uint64_t steps;                             /* since the moments were 0 */
	struct sparse_whole weights[SPARSE_PARTS], sums[SPARSE_PARTS];
	struct sparse_rules rules[SPARSE_PARTS];
	/* The gradients of those rule features of a part that are not 0, one
	 * after the other, each with its five arrays side by side. */
	float *rule_sums[SPARSE_PARTS];
	size_t rule_floats, rule_room[SPARSE_PARTS];
	int sides[SPARSE_PARTS]; /* to move, where that matters */
	double losses[SPARSE_PARTS];
	const struct position **chosen[SPARSE_PARTS];
	int part_size;
	bool active[SPARSE_RULES_MAX]; /* rule features met since the moments
	                                * began; others do not change */
	float rule_rate;               /* of the rules' changes, beside the rest's */
};

/* A random net with all rule features: 0, or -1 if there is not enough memory. */
int sparse_model_init(struct sparse_model *m, int hidden, uint64_t seed, int batch);
void sparse_model_release(struct sparse_model *m);

/* Random initial weights: n numbers from -spread to spread; those of a whole net,
 * which must be zeros. */
void sparse_fill_random(float *w, size_t n, double spread, struct rng *rng);
void sparse_fill(struct sparse *s, struct rng *rng);

/* One step over a batch drawn from the positions, each part from one rule set,
 * which is chosen in proportion to its positions; returns the mean squared error
 * of points. */
double sparse_model_step(struct sparse_model *m, struct positions *p, struct rng *rng,
    double rate, struct threadpool *pool);

/* The mean squared error over n positions. */
double sparse_model_test(struct sparse_model *m, const struct rules *r,
    const struct position *p, size_t n);

#endif
