/*
 * Random rule sets over all fields of rules.def, each of them changed now and
 * then, so that what holds for them may be hoped to hold for a rule that
 * somebody invents tomorrow.
 */
#ifndef TESTS_RANDOMRULES_H
#define TESTS_RANDOMRULES_H

#include "base/rng.h"
#include "common.h"

/* Pieces to exchange those of chess by; kings get the shorter ones. */
static const char *const random_pieces[] = { "FD", "WA", "mWcF", "K", "N", "R2", "fRbB",
	"BN", "RN", "NH", "Q3", "vRsF2", "WG", "mNcK" };
enum {
	RANDOM_PIECES = sizeof(random_pieces) / sizeof(random_pieces[0]),
	RANDOM_KINGS = 6
};

/* Numbers near where something happens soon. */
static int
random_number(struct rng *rng, const struct rules_field *f)
{
	int highest = f->highest > 100 ? f->group == RULE_LIMIT ? 60 : 20 : f->highest;
	if (f->group == RULE_LIMIT && rng_below(rng, 3) == 0)
		highest = 5;
	int v = f->lowest + (int)rng_below(rng, (uint32_t)(highest - f->lowest + 1));

	/* whole wins are the limit cases of points */
	if (f->highest == 100 && rng_below(rng, 3) == 0)
		v = f->lowest < 0 && rng_below(rng, 2) ? f->lowest : f->highest;
	return v;
}

static int
random_field(struct rng *rng, struct rules *r, const struct rules_field *f, char *reason)
{
	switch (f->type) {
	case RULE_FEN:
		return rules_set_text(r, f,
		    rng_below(rng, 2)
			? "960"
			: "nbrqkrbn/pppppppp/8/8/8/8/PPPPPPPP/NBRQKRBN w - - 0 1",
		    reason);
	case RULE_PIECE:
		return rules_set_text(r, f,
		    random_pieces[rng_below(rng,
			strcmp(f->name, "king") == 0 ? RANDOM_KINGS : RANDOM_PIECES)],
		    reason);
	default:
		return rules_set(r, f, random_number(rng, f), reason);
	}
}

/* A rule set in which one field of three is changed; one that contradicts
 * itself is drawn again. */
__attribute__((unused)) static void
random_rules(struct rng *rng, struct rules *r)
{
	char reason[RULES_REASON_MAX];
	bool good;

	do {
		rules_init(r);
		good = true;
		for (size_t i = 0; i < rules_nfields; i++)
			if (rng_below(rng, 3) == 0 &&
			    random_field(rng, r, &rules_fields[i], reason) == -1)
				good = false;
	} while (!good || rules_settle(r, reason) == -1);
}

#endif
