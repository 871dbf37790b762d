/*
 * The measures of rule sets that aims can name (aims.h), by the names of our tables:
 * draw_rate, score and plies_mean of drawstats, and its ends as ends:END; the measures
 * of gamestats; the shares of movestats as games_share:KIND and moves_share:KIND; and
 * fields, moves_differ and prior_distance of distance.
 */
#ifndef DATA_MEASURES_H
#define DATA_MEASURES_H

#include <stdbool.h>

#include "base/message.h"
#include "base/text.h"

enum { MEASURE_NAME_MAX = 48 };

struct measure {
	char name[MEASURE_NAME_MAX];
	double highest; /* 1 for shares; the lowest value is always 0 */
	bool exact;     /* the rules tell it: `fields` */
	bool absent;    /* rules that do not allow such moves have none: 0 */
};

/* Finds a measure by name: 0, or -1 with a reason that has the nearest name. */
int measure_find(struct measure *m, const char *name, char reason[REASON_MAX]);

#endif
