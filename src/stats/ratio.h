/*
 * A share of what games consist of, moves of some kind among all moves say,
 * where games are what is independent and moves are not.  The sums over games
 * that it needs can be added up in any order.
 */
#ifndef STATS_RATIO_H
#define STATS_RATIO_H

#include "base/range.h"

/* Of every game: a, all its moves; k, those of the kind. */
struct ratio {
	double	games;
	double	all, kind;			/* sums of a and k */
	double	all_all, kind_kind, kind_all;	/* of a a, k k and k a */
};

/*
 * The share, NaN when there is nothing to share, and a confidence interval,
 * within [0,1], of the given level, 1e-6 <= level <= 1 - 1e-6.
 * The variance of a ratio of means tells how many independent moves would
 * be as good as the games are, and Wilson's interval for so many, with
 * Student's t for the number of games, is the answer.  Unlike share +- error
 * it holds for rare kinds too.  For a kind that never came, or whose share is
 * the same in all games, each game stands for one independent move.  Fewer
 * than two games set no limit: 0 to 1.
 */
void	ratio_share(const struct ratio *, double level, struct range *);

/*
 * The same for a ratio that need not be a share: legal moves to positions, or,
 * with a = 1 in every game, the mean of any number that a game has.  The
 * interval is the ratio +- Student's t times its error.  Fewer than two games
 * set no limit: it is infinite.
 */
void	ratio_mean(const struct ratio *, double level, struct range *);

/* Adds a game. */
void	ratio_add(struct ratio *, double all, double kind);

#endif
