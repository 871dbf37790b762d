/*
 * Aims, or, after a line with them, a row of measures. What is accepted is written as
 * aims that read back to the same text; what is refused has a reason.
 */
#include "fuzz.h"

#include <math.h>

#include "data/aims.h"
#include "data/measured.h"

static void
check_aims(const struct aims *a)
{
	struct aims again;
	struct text one = { 0 }, two = { 0 };
	char reason[REASON_MAX];
	struct rules chess;

	rules_init(&chess);
	REQUIRE(aims_allow(a, &chess));
	REQUIRE(a->n > 0 && a->n <= AIMS_MAX && a->width[0] > 0 && a->width[1] > 0);
	for (int i = 0; i < a->n; i++)
		REQUIRE(a->aim[i].lo <= a->aim[i].hi && a->aim[i].unit > 0);
	aims_write(a, &one);
	REQUIRE(aims_read(&again, one.s, one.len, reason) == 0);
	aims_write(&again, &two);
	REQUIRE(strcmp(one.s, two.s) == 0);
	text_release(&one);
	text_release(&two);
}

static void
check_row(const struct aims *a, const char *s, size_t n)
{
	static struct measured m;
	struct measure wanted[AIMS_MAX];
	char reason[REASON_MAX] = "";

	for (int i = 0; i < a->n; i++)
		wanted[i] = a->aim[i].measure;
	if (measured_read(&m, s, n, wanted, a->n, reason) == -1) {
		REQUIRE(reason[0] != '\0');
		return;
	}
	for (int i = 0; i < a->n; i++)
		REQUIRE(isnan(m.at[i]) || measured_error(&m, i) >= 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const uint8_t *line = n > 0 ? memchr(data, '\n', n) : NULL;
	size_t len = line != NULL ? (size_t)(line - data) : n;
	size_t rest = line != NULL ? n - len - 1 : 0;
	char *text = malloc(len + 1), *row = malloc(rest + 1);
	char reason[REASON_MAX] = "";
	struct aims a;

	memcpy(text, data, len);
	text[len] = '}';
	if (rest > 0)
		memcpy(row, line + 1, rest);
	row[rest] = '}';
	if (aims_read(&a, text, len, reason) == 0) {
		check_aims(&a);
		check_row(&a, row, rest);
	} else {
		REQUIRE(reason[0] != '\0');
	}
	free(text);
	free(row);
	return 0;
}
