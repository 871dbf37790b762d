/*
 * Rule sets and what was measured of them, a line of JSON each:
 *
 *	{"id":"0007","rules":{"stalemate_value":100},"games":80,
 *	 "measures":{"score":[0.52,0.48,0.56],"draw_rate":[0.21,0.14,0.3]}}
 *
 * A measure is a value and the ends of its 95 % interval.
 */
#ifndef DATA_MEASURED_H
#define DATA_MEASURED_H

#include <stdint.h>

#include "chess/rules.h"
#include "measures.h"

/* Half the width of a 95 % interval, in standard errors. */
#define MEASURED_DEVIATIONS 1.959963984540054

enum { MEASURED_MAX = 16, MEASURED_ID_MAX = 32 };

struct measured {
	char id[MEASURED_ID_MAX];
	struct rules rules;
	uint64_t games;
	/* Of the measures wanted; NaN: not measured. */
	double at[MEASURED_MAX], lo[MEASURED_MAX], hi[MEASURED_MAX];
};

/*
 * Reads a line of len bytes, with n of the measures. `fields` is counted, not
 * read; a share of moves that is missing is 0, as the rules do not allow them.
 * Returns 0, or -1 with a reason.
 */
int measured_read(struct measured *m, const char *text, size_t len,
    const struct measure *wanted, int n, char reason[REASON_MAX]);

/* Standard error of measure i, from its interval. */
double measured_error(const struct measured *m, int i);

#endif
