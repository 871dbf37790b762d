/*
 * Ratios of sums over games, such as the share of moves of some kind among all
 * moves, where games are independent and moves are not.  The sums are those of a
 * pair for each game: x, the number of its moves; y, of those of the kind.
 */
#ifndef STATS_RATIO_H
#define STATS_RATIO_H

#include "base/range.h"
#include "moments.h"

/*
 * The share y / x, NaN if x is 0, and a confidence interval within [0,1] of the
 * given level, 1e-6 <= level <= 1 - 1e-6: Wilson's interval for the number of
 * independent moves that would have the same standard error as these games (by
 * the variance of a ratio of means), with Student's t for the number of games.
 * Unlike share +- error it is good for rare kinds too.  For a kind that never
 * occurred, or whose share is the same in all games, each game counts as one
 * independent move.  With fewer than two games the interval is 0 to 1.
 */
void ratio_share(const struct pairsums *, double level, struct range *);

/*
 * The same for a ratio that need not be a share: legal moves to positions, or,
 * with x = 1 in every game, the mean of any number that a game has.  The
 * interval is the ratio +- Student's t times its standard error, infinite with
 * fewer than two games.
 */
void ratio_mean(const struct pairsums *, double level, struct range *);

#endif
