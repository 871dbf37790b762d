#include "elo.h"

#include <math.h>

#include "ratio.h"

double
elo_of_score(double score)
{
	return 400 * (log10(score) - log10(1 - score));
}

void
elo_of_pairs(const uint64_t pairs[ELO_PAIR_SCORES], double level,
    struct elo *e)
{
	struct ratio r = { 0 };
	struct ratio_range range;
	double square = 0;

	/* A share of points: two are to be had in each pair. */
	for (int i = 0; i < ELO_PAIR_SCORES; i++) {
		double n = (double)pairs[i], points = i / 2.0;
		r.games += n;
		r.all += 2 * n;
		r.kind += n * points;
		r.all_all += 4 * n;
		r.kind_kind += n * points * points;
		r.kind_all += 2 * n * points;
	}
	ratio_share(&r, level, &range);
	e->score = range.share;
	e->score_lo = range.share == 0 ? 0 : range.lo;
	e->score_hi = range.share == 1 ? 1 : range.hi;
	for (int i = 0; i < ELO_PAIR_SCORES; i++)
		square += (double)pairs[i] * pow(i / 4.0 - e->score, 2);
	e->score_se = r.games < 2 ? NAN :
	    sqrt(square / (r.games - 1) / r.games);
	e->elo = elo_of_score(e->score);
	e->elo_lo = elo_of_score(e->score_lo);
	e->elo_hi = elo_of_score(e->score_hi);
	/* the slope of elo_of_score() there */
	e->elo_se = isinf(e->elo) ? NAN :
	    e->score_se * 400 / log(10) / (e->score * (1 - e->score));
}
