/*
 * Fairy-Stockfish's ini files: a variant's name on the first line, then the
 * file. What is read is a rule set that prints and reads back; what is not
 * says why. What can be written as such a file reads back.
 */
#include "fuzz.h"

#include "data/fairyini.h"
#include "data/fairyout.h"

/* What can be written reads back. */
static void
check_written(const struct rules *r)
{
	struct text t = { 0 }, lost = { 0 };
	char name[FAIRYOUT_NAME_MAX], reason[RULES_REASON_MAX];
	struct fairyini_keys keys;
	struct rules again;

	text_reserve(&t, 1);
	if (fairyout_write(r, &t, reason) == 0) {
		fairyout_name(r, name);
		REQUIRE(fairyini_read(&again, t.s, t.len, name, &lost, &keys) == 0);
		REQUIRE(keys.lost == 0 && rules_equal(r, &again));
	} else {
		REQUIRE(t.len == 0);
	}
	text_release(&t);
	text_release(&lost);
}

static void
check_rules(const struct rules *r)
{
	char text[RULES_TEXT_MAX], reason[RULES_REASON_MAX];
	struct rules again;
	struct board b;

	rules_print(r, text);
	REQUIRE(rulespec_parse(&again, text, strlen(text), reason) == 0);
	REQUIRE(rules_equal(r, &again));
	check_written(r);
	board_start(&b, r);
	fuzz_position(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const uint8_t *line = n > 0 ? memchr(data, '\n', n) : NULL;
	size_t len = line != NULL ? (size_t)(line - data) : n;
	size_t rest = line != NULL ? n - len - 1 : 0;
	struct text lost = { 0 };
	struct rules r;

	/* copies, so that a look beyond the end is seen */
	char *name = strndup((const char *)data, len), *file = malloc(rest + 1);
	if (rest > 0)
		memcpy(file, line + 1, rest);
	file[rest] = '=';
	struct fairyini_keys keys;
	int got = fairyini_read(&r, file, rest, name, &lost, &keys);
	REQUIRE(keys.lost >= 0);
	if (got == 0)
		check_rules(&r);
	else
		REQUIRE(lost.len > 0);
	text_release(&lost);
	free(file);
	free(name);
	return 0;
}
