/*
 * Random rule sets over all fields of rules.def, each of them changed now and
 * then, so that what holds for them may be hoped to hold for a rule that
 * somebody invents tomorrow. Games have small limits, so that they end soon.
 */
#ifndef TESTS_RANDOMRULES_H
#define TESTS_RANDOMRULES_H

#include "chess/ruledraw.h"
#include "common.h"

__attribute__((unused)) static void
random_rules(struct rng *rng, struct rules *r)
{
	char reason[RULES_REASON_MAX];
	bool good;

	do {
		ruledraw_random(r, rng, NULL, 1.0 / 3);
		good = true;
		for (size_t i = 0; i < rules_nfields; i++) {
			const struct rules_field *f = &rules_fields[i];
			if (f->group != RULE_LIMIT || rng_below(rng, 3) != 0)
				continue;
			uint32_t most = rng_below(rng, 3) == 0 ? 5 : 60;
			good = good &&
			    rules_set(r, f, f->lowest + (int)rng_below(rng, most),
				reason) == 0;
		}
	} while (!good || rules_settle(r, reason) == -1);
}

#endif
