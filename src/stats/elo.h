/*
 * What the games of a match say about the strength of two players.  Games come
 * in pairs that begin alike, with colours reversed.  The two games of a pair
 * are not independent: an opening may favour one colour, so that the pair is
 * 1 to 1 more often than chance would have it.  The pairs are independent, and
 * they are the unit.
 */
#ifndef STATS_ELO_H
#define STATS_ELO_H

#include <stdint.h>

#include "base/range.h"

/* Pairs by what the first player scored in them, 0 to 2 in steps of 1/200: games
 * can be worth any hundredth of a win. */
enum { ELO_PAIR_SCORES = 401, ELO_HALF_POINT = 100 };

struct elo {
	struct range score;	/* mean of a game, NaN without any, and its
				 * confidence interval */
	double	score_se;	/* standard error, by the variance of the pairs as
				 * they are; NaN below two */
	struct range elo;	/* the score as a difference of Elo */
	double	elo_se;		/* NaN where the score is 0 or 1 */
};

/*
 * The score and an interval of the given level, 1e-6 <= level <= 1 - 1e-6: that
 * of Wilson for as many independent games, won or lost, as would leave the
 * score as uncertain as these pairs do, with Student's t for their number.
 * For that the variance of a pair is estimated with half a pair of each score
 * added, so that a player who has won everything has a lower bound, and drawn
 * games alone are no proof of equality.  Fewer than two pairs set no limit: 0
 * to 1.
 */
void	elo_of_pairs(const uint64_t pairs[ELO_PAIR_SCORES], double level,
	    struct elo *);

/* The difference of Elo for which a score is expected; infinite for 0 and
 * 1. */
double	elo_of_score(double score);

#endif
