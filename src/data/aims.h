/*
 * Aims: what rules should do to the game, as a user writes it in JSON.
 *
 *	{"aims": [{"measure": "score", "between": [0.49, 0.51], "weight": 2},
 *	          {"measure": "draw_rate", "below": 0.3}],
 *	 "change": ["castling_from", "stalemate_value"], "most": 2,
 *	 "map": ["draw_rate", "score"]}
 *
 * An aim names a measure (measures.h) and one of "below", "above", "target" and
 * "between"; "weight" is 1 unless given, "unit" how large a miss counts as 1. "change"
 * lists the fields that may differ from chess (by default all but limits), "keep"
 * fields that may not; "most" is how many may at once (2). "map" names the two
 * measures by which rule sets count as different.
 */
#ifndef DATA_AIMS_H
#define DATA_AIMS_H

#include "chess/rules.h"
#include "measures.h"

enum { AIMS_MAX = 12, AIMS_FIELDS_MAX = 128, AIMS_FILE_MAX = 64 * 1024 };

struct aim {
	struct measure measure;
	double lo, hi; /* -INFINITY, INFINITY: no bound */
	double unit, weight;
};

struct aims {
	struct aim aim[AIMS_MAX];
	int n;
	bool may[AIMS_FIELDS_MAX]; /* by the index of rules_fields */
	int most;
	struct measure map[2];
	double width[2]; /* of a cell of the map */
};

/*
 * Reads the JSON, len bytes. Returns 0, or -1 with a reason: for unknown names with
 * the nearest known one, for aims that contradict each other or that no rule set can
 * meet.
 */
int aims_read(struct aims *a, const char *text, size_t len, char reason[REASON_MAX]);

/* May these rules be proposed: do they change only fields that may, and not too
 * many? */
bool aims_allow(const struct aims *a, const struct rules *r);

/* Appends the aims as a JSON object, with all that was not given; reads back to the
 * same aims. */
void aims_write(const struct aims *a, struct text *t);

#endif
