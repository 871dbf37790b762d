/*
 * Lines of openings: one byte for the rules of those that tell none, then
 * lines. What is accepted is within its bounds, and is written as JSON that is
 * accepted and written as the same bytes; what is refused has a reason.
 */
#include <math.h>

#include "fuzz.h"

#include <cjson/cJSON.h>

#include "data/lines.h"

static struct opening *
fuzz_opening(int which)
{
	static struct opening o[2];

	if (o[which].logp == NULL)
		opening_init(&o[which]);
	return &o[which];
}

static void
check(const struct opening *o)
{
	const struct game *g = &o->game;

	REQUIRE(g->line.plies <= OPENING_PLIES_MAX);
	REQUIRE(o->weight >= 0 && o->weight <= 1);
	for (int i = 0; i < g->line.plies; i++) {
		REQUIRE(isfinite(o->logp[i]) && o->logp[i] <= 0);
		REQUIRE(o->h[i] >= 0 && o->h[i] < 100);
		REQUIRE(!o->guessed || fabs(o->ahead[i]) < 100);
		if (!o->scored)
			continue;
		REQUIRE(o->q_logp[i] <= 0);
		REQUIRE(isnan(o->q_h[i]) || (o->q_h[i] >= 0 && o->q_h[i] < 100));
		REQUIRE(o->hr[i] >= 0 && o->hr[i] < 100);
		REQUIRE(o->kl[i] >= 0);
	}
}

static void
try_line(const struct rules *rules, const char *s, size_t n)
{
	struct opening *o = fuzz_opening(0), *again = fuzz_opening(1);
	char reason[GAME_REASON_MAX] = "";
	struct text first = { 0 }, second = { 0 };

	if (opening_read_json(o, rules, s, n, reason) == -1) {
		REQUIRE(reason[0] != '\0' &&
		    memchr(reason, '\0', sizeof(reason)) != NULL);
		return;
	}
	check(o);
	opening_write_json(o, &first);
	REQUIRE(first.len > 0 && first.s[first.len - 1] == '\n' &&
	    strlen(first.s) == first.len);
	cJSON *json = cJSON_ParseWithLength(first.s, first.len);
	REQUIRE(json != NULL);
	cJSON_Delete(json);
	REQUIRE(opening_read_json(again, rules, first.s, first.len - 1, reason) == 0);
	check(again);
	opening_write_json(again, &second);
	REQUIRE(first.len == second.len && memcmp(first.s, second.s, first.len) == 0);
	text_release(&first);
	text_release(&second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n < 1)
		return 0;
	const struct rules *rules = fuzz_rules(data[0]);
	const char *s = (const char *)data + 1, *end = s + n - 1;
	while (s < end) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((nl != NULL ? nl : end) - s);
		/* in a buffer of its own, so that no byte behind it is read */
		char *copy = malloc(len + 1);
		REQUIRE(copy != NULL);
		memcpy(copy, s, len);
		copy[len] = '\0';
		try_line(rules, copy, len);
		free(copy);
		s += len + 1;
	}
	return 0;
}
