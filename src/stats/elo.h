/*
 * The score and Elo difference of two players, from the games of a match.  Games
 * come in pairs with the same opening and colours reversed.  The two games of a
 * pair are not independent: an opening may favour one colour, so that pairs end 1
 * to 1 more often than for independent games.  The pairs are independent, and are
 * the unit of all errors.
 */
#ifndef STATS_ELO_H
#define STATS_ELO_H

#include <stdint.h>

#include "base/range.h"

/* Counts of pairs by the first player's score, 0 to 2 in steps of 1/200, as games
 * can be worth any hundredth of a win. */
enum { ELO_PAIR_SCORES = 401, ELO_HALF_POINT = 100 };

struct elo {
	struct range score; /* mean of a game, NaN without any, and its
	                     * confidence interval */
	double score_se;    /* standard error, by the sample variance of the
	                     * pairs; NaN below two */
	struct range elo;   /* the score as an Elo difference */
	double elo_se;      /* NaN if the score is 0 or 1 */
};

/*
 * The score and its interval of the given level, 1e-6 <= level <= 1 - 1e-6:
 * Wilson's interval for the number of independent games, won or lost, that would
 * have the same standard error as these pairs, with Student's t for their number.
 * The variance of a pair is estimated with half a pair of each score added, so
 * that a player who has won everything has a lower bound, and drawn games alone
 * do not prove equality.  With fewer than two pairs the interval is 0 to 1.
 */
void elo_of_pairs(const uint64_t pairs[ELO_PAIR_SCORES], double level, struct elo *);

/* The Elo difference at which a score is expected; infinite for 0 and 1. */
double elo_of_score(double score);

#endif
