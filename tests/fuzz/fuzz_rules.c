/*
 * Rules: a sum of presets or JSON. What is accepted prints as a text that
 * reads back to the same rule set, can be told in sentences, and can be played;
 * what is refused has a reason.
 */
#include "fuzz.h"

#include "base/rng.h"
#include "data/ruletext.h"
#include "positions.h"

/* Sentences, each on a line of its own. */
static void
tell(const struct rules *r)
{
	struct text t = { 0 };

	ruletext_differences(r, &t);
	REQUIRE(t.len > 0 && t.s[t.len - 1] == '\n' && t.s[0] != '\n');
	REQUIRE(strstr(t.s, "\n\n") == NULL);
	text_release(&t);
}

/* The rule set as it prints, which must be the same and print the same. */
static void
print_and_parse(const struct rules *r)
{
	struct rules again;
	char text[RULES_TEXT_MAX], second[RULES_TEXT_MAX];
	char reason[RULES_REASON_MAX];

	rules_print(r, text);
	REQUIRE(strlen(text) < RULES_TEXT_MAX - 1);
	REQUIRE(rulespec_parse(&again, text, strlen(text), reason) == 0);
	REQUIRE(rules_equal(r, &again));
	REQUIRE(memcmp(r->double_from, again.double_from, sizeof(r->double_from)) == 0);
	rules_print(&again, second);
	REQUIRE(strcmp(text, second) == 0);
	REQUIRE(rules_is_custom(r) == (text[0] == '{'));
	REQUIRE(rules_hash(r) == rules_hash(&again));
	rules_label(r, text);
	REQUIRE(text[0] != '\0');
	tell(r);
}

/* A few moves from a position that the text chooses. */
static void
play(const struct rules *r, uint64_t seed)
{
	struct rng rng;
	struct board b;
	struct undo u;
	move list[MOVES_MAX];

	rng_init(&rng, seed, 0);
	fuzz_board(&b, r, positions[rng_below(&rng, POSITIONS)]);
	for (int plies = 0; plies < 4; plies++) {
		int n = movegen_list(&b, list);
		fuzz_position(&b);
		if (n == 0)
			break;
		board_make(&b, list[rng_below(&rng, (uint32_t)n)], &u);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct rules r;
	char reason[RULES_REASON_MAX] = "";
	char *text = malloc(n + 1);
	uint64_t seed = n;

	memcpy(text, data, n);
	text[n] = '}';
	if (rulespec_parse(&r, text, n, reason) == 0) {
		for (size_t i = 0; i < n; i++)
			seed = seed * 31 + data[i];
		print_and_parse(&r);
		if (seed % 8 == 0) /* it takes longer than all the rest */
			play(&r, seed);
	} else {
		REQUIRE(reason[0] != '\0' &&
		    memchr(reason, '\0', sizeof(reason)) != NULL);
	}
	free(text);
	return 0;
}
