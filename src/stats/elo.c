#include "elo.h"

#include <math.h>

#include "special.h"

/* Pairs added to each score in whole and half points where the variance is
 * estimated, for scores that have not occurred yet. */
static const double unseen = 0.5;

double
elo_of_score(double score)
{
	return 400 * (log10(score) - log10(1 - score));
}

/* Pairs of a score, including those added. */
static double
count(const uint64_t pairs[ELO_PAIR_SCORES], int i, double more)
{
	return (double)pairs[i] + (i % ELO_HALF_POINT == 0 ? more : 0);
}

/* The mean score of a game, and the sum of squares around it, with `more` pairs
 * added to each score. */
static double
sum_up(const uint64_t pairs[ELO_PAIR_SCORES], double more, double *n, double *square)
{
	const double whole = ELO_PAIR_SCORES - 1;
	double sum = 0, mean;

	*n = *square = 0;
	for (int i = 0; i < ELO_PAIR_SCORES; i++) {
		*n += count(pairs, i, more);
		sum += count(pairs, i, more) * i / whole;
	}
	mean = sum / *n;
	for (int i = 0; i < ELO_PAIR_SCORES; i++)
		*square += count(pairs, i, more) * pow(i / whole - mean, 2);
	return mean;
}

/* The number of independent games, won or lost, with the same standard error as n
 * pairs. */
static double
equivalent_games(const uint64_t pairs[ELO_PAIR_SCORES], double n)
{
	double all, mean, square;

	mean = sum_up(pairs, unseen, &all, &square);
	return n * mean * (1 - mean) / (square / all);
}

void
elo_of_pairs(const uint64_t pairs[ELO_PAIR_SCORES], double level, struct elo *e)
{
	double n, square;

	e->score = (struct range){ sum_up(pairs, 0, &n, &square), 0, 1 };
	e->score_se = NAN;
	if (n >= 2) {
		e->score_se = sqrt(square / (n - 1) / n);
		e->score = wilson_range(e->score.at, equivalent_games(pairs, n),
		    student_quantile((1 - level) / 2, n - 1));
	}
	e->elo.at = elo_of_score(e->score.at);
	e->elo.lo = elo_of_score(e->score.lo);
	e->elo.hi = elo_of_score(e->score.hi);
	/* by the slope of elo_of_score() there */
	e->elo_se = isinf(e->elo.at)
	    ? NAN
	    : e->score_se * 400 / log(10) / (e->score.at * (1 - e->score.at));
}
