/*
 * FEN: one byte for the rules, then a FEN, or a JSON record with one. What is
 * accepted is a position the engine agrees with itself about; what is refused
 * has a reason.
 */
#include "fuzz.h"

#include "data/fenline.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char reason[FENLINE_REASON_MAX] = "";
	const struct rules *r;
	struct rules used;
	struct board b;
	int got;

	if (n == 0)
		return 0;
	r = fuzz_rules(data[0]);
	/* a copy, so that a look beyond its end is seen */
	char *text = malloc(n);
	memcpy(text, data + 1, n - 1);
	text[n - 1] = '8';
	if (n > 1 && text[0] == '{')
		got = fenline_read(&b, &used, r, text, n - 1, reason);
	else
		got = fen_read(&b, r, text, n - 1, reason);
	if (got == 0)
		fuzz_position(&b);
	else
		REQUIRE(reason[0] != '\0' &&
		    memchr(reason, '\0', sizeof(reason)) != NULL);
	free(text);
	return 0;
}
