/*
 * How train(1) trains a net: games in, steps, a net out.
 */
#ifndef TRAIN_NETTRAIN_H
#define TRAIN_NETTRAIN_H

#include "base/table.h"
#include "data/games.h"
#include "netmodel.h"
#include "training.h"

enum { NETTRAIN_BINS = 2048 };

/* A ply of a game that is not yet in the window. */
struct nettrain_ply {
	struct position position;
	struct position_visits visits;
	int16_t score;
	bool kept; /* to learn from */
};

/* Scores of the latest games of a rule set, beside what these positions led to. */
struct nettrain_scale {
	const struct position_set *set; /* of that rule set, in the window */
	double games;
	uint64_t waiting; /* games since the last file's end */
	double factor;    /* of its scores in the file that ends */
	double counts[NETTRAIN_BINS], points[NETTRAIN_BINS]; /* by score */
};

/* A game whose plies wait until the scores of its file are calibrated. */
struct nettrain_game {
	struct positions *to;
	struct position_set *set;
	const struct nettrain_scale *scale;
	int plies, first_side;
	double result; /* White's points */
};

struct nettrain {
	struct training_options options;
	struct net_model model;
	struct net *from;    /* to start from; NULL: nothing */
	struct net *kept;    /* whose knowledge stays as it is; NULL: none */
	struct net *blended; /* that the result is blended with; NULL: none */
	struct positions learnt, held;
	struct threadpool pool;
	uint64_t steps;
	struct net_loss loss;
	struct table *table;
	struct text rules; /* rule sets that it was trained on */
	/* Since the last file's end: */
	struct nettrain_ply *plies;
	struct nettrain_game *games;
	size_t nplies, ply_room, ngames, game_room;
	/* Of each rule set, and of all games: */
	struct nettrain_scale **scales, all;
	size_t nscales;
};

extern const struct training_options nettrain_player, nettrain_prior; /* defaults */

/* Begins, from the net of a file unless that is NULL: 0, or -1 with a reason. With
 * policy, the net has one. */
int nettrain_init(struct nettrain *t, const struct training_options *o, bool policy,
    const char *from, char reason[REASON_MAX]);
void nettrain_release(struct nettrain *t);

/* What a reader of games must be asked for. */
void nettrain_want(const struct nettrain *t, struct games *reader);

/* Adds the game that was read, unless it has no result; the positions come into the
 * window at the end of a file. -1 with a reason if its search data is malformed. */
int nettrain_add(struct nettrain *t, const struct games *reader,
    char reason[GAME_REASON_MAX]);

/* Puts the waiting games into the window, the scores of each rule set multiplied by the
 * factor that makes them fit its results best. */
void nettrain_end_file(struct nettrain *t);

/* Are there positions to learn from, or only to measure on if no step is asked for? */
bool nettrain_has_positions(const struct nettrain *t);

/* Takes the steps, then measures on held-out games: 0, or -1 if a row cannot be
 * written. */
int nettrain_learn(struct nettrain *t, struct table *table, const struct cli *cli);

/* The net as an ONNX file: 0, or -1 if there is not enough memory. */
int nettrain_export(struct nettrain *t, struct text *file);

#endif
