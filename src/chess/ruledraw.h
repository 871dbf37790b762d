/*
 * Rule sets near others, and random ones: which values a field is tried with,
 * derived from rules.def and presets.def, so that a new field is tried without
 * being named here.
 *
 * A number takes all values of a short range; of a long one its presets', the
 * value that turns it off, and steps of a quarter of its unit, up to one unit from
 * chess. A piece gains a leap, moves like another, moves like itself and captures
 * like another, gets shorter slides, or retreats only as a king.
 */
#ifndef CHESS_RULEDRAW_H
#define CHESS_RULEDRAW_H

#include "base/rng.h"
#include "rules.h"

/* May a field be changed by itself where nobody says otherwise? All but the limits
 * that cut games short, and spare kinds, which need a start that has them. */
bool ruledraw_is_usual(const struct rules_field *f);

/*
 * The rule sets that differ from `base` in field f alone, settled and without
 * contradiction, no two alike: calls take() for each, in a fixed order. Names
 * are dropped.
 */
void ruledraw_neighbours(const struct rules *base, const struct rules_field *f,
    void (*take)(void *context, const struct rules *r), void *context);

/* Changes one field at random, of those with may[i] (NULL: the usual ones). False,
 * with r as it was, if no change is found. */
bool ruledraw_mutate(struct rules *r, struct rng *rng, const bool *may);

/*
 * Chess with each of the fields with may[i] (NULL: all but limits) changed with
 * probability `chance`, at least one of them, and no contradiction. A field that
 * can may differ by side. Spare kinds stand in the start or in the hands there if
 * that may change, and pawns may become some of them.
 */
void ruledraw_random(struct rules *r, struct rng *rng, const bool *may, double chance);

#endif
