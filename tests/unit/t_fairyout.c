/*
 * Rule sets as variants of Fairy-Stockfish: what is written reads back, for presets and
 * for random choices of all fields; each refusal names a field.
 */
#include "data/fairyini.h"
#include "data/fairyout.h"
#include "data/rulespec.h"
#include "randomspec.h"
#include "tap.h"

enum { RULE_SETS = 200000 };

static int written, refused, wrong, nameless;

static bool
names_field(const char *reason)
{
	for (size_t i = 0; i < rules_nfields; i++) {
		size_t n = strlen(rules_fields[i].name);
		if (strncmp(reason, rules_fields[i].name, n) == 0 && reason[n] == ':')
			return true;
	}
	return false;
}

/* Does it come back, and nothing else with it? */
static void
there_and_back(const struct rules *r)
{
	struct text t = { 0 }, lost = { 0 };
	char name[FAIRYOUT_NAME_MAX], reason[RULES_REASON_MAX], spec[RULES_TEXT_MAX];
	struct fairyini_keys keys;
	struct rules again;

	text_add_string(&t, "[before]\n");
	size_t before = t.len;
	if (fairyout_write(r, &t, reason) == -1) {
		refused++;
		nameless += !names_field(reason) || t.len != before;
	} else {
		written++;
		fairyout_name(r, name);
		if (fairyini_read(&again, t.s, t.len, name, &lost, &keys) == -1 ||
		    keys.lost != 0 || !rules_equal(r, &again)) {
			rules_print(r, spec);
			note("%s\n%s%s", spec, t.s, lost.len > 0 ? lost.s : "");
			wrong++;
		}
	}
	text_release(&t);
	text_release(&lost);
}

/* The fields of a random rule set, changed in chess one by one. */
static void
one_by_one(const struct rules *all)
{
	char text[RULES_VALUE_MAX + 64], value[RULES_VALUE_MAX], reason[RULES_REASON_MAX];
	struct rules r;

	for (size_t i = 0; i < rules_nfields; i++) {
		if (rules_is_classical(all, &rules_fields[i]))
			continue;
		rules_print_value(all, &rules_fields[i], value);
		snprintf(text, sizeof(text), "{\"%s\":%s}", rules_fields[i].name, value);
		if (rulespec_parse(&r, text, strlen(text), reason) == 0)
			there_and_back(&r);
	}
}

int
main(void)
{
	char spec[RANDOM_RULES_MAX], reason[RULES_REASON_MAX];
	struct rules r;
	struct rng rng;

	for (int i = 0; i < RULES_PRESETS; i++) {
		const char *name = rules_preset_name(i);
		if (rulespec_parse(&r, name, strlen(name), reason) == 0)
			there_and_back(&r);
	}
	ok(wrong == 0 && nameless == 0 && written == 11,
	    "%d presets read back, %d are refused", written, refused);
	written = refused = 0;
	for (uint64_t i = 0; i < RULE_SETS; i++) {
		rng_init(&rng, 35, i);
		random_rules(&rng, spec);
		if (rulespec_parse(&r, spec, strlen(spec), reason) == -1)
			continue;
		there_and_back(&r);
		if (i % 20 == 0)
			one_by_one(&r);
	}
	ok(wrong == 0, "%d random rule sets read back", written);
	ok(written > 1000, "enough of them can be written");
	ok(nameless == 0, "%d refusals name the field", refused);
	return tap_end();
}
