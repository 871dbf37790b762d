/*
 * SAN: a byte for the rules, one for the position, then a move on each line.
 * What is accepted is a legal move, what is any move's canonical text is that
 * move, and the game goes on from there.
 */
#include "fuzz.h"

#include "positions.h"

/* The text of a legal move must be read as that move. */
static void
check_canonical(const struct board *b, const char *text, size_t n, int got, move m)
{
	move list[MOVES_MAX];
	char san[SAN_MAX];
	int moves = movegen_list(b, list);
	bool legal = false;

	for (int i = 0; i < moves; i++) {
		int len = san_write(b, list[i], san);
		if ((size_t)len == n && memcmp(san, text, n) == 0)
			REQUIRE(got == SAN_OK && m == list[i]);
		legal = legal || list[i] == m;
	}
	REQUIRE(got != SAN_OK || legal);
	REQUIRE(got == SAN_OK || got == SAN_SYNTAX || got == SAN_ILLEGAL ||
	    got == SAN_AMBIGUOUS);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct board b;
	struct undo u;

	if (n < 2)
		return 0;
	fuzz_board(&b, fuzz_rules(data[0]), positions[data[1] % POSITIONS]);
	const uint8_t *at = data + 2, *end = data + n;
	for (int plies = 0; at < end && plies < 20; plies++) {
		const uint8_t *nl = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((nl != NULL ? nl : end) - at);
		char *text = malloc(len + 1);
		move m = 0;

		memcpy(text, at, len);
		text[len] = '8';
		int got = san_read(&b, text, len, &m);
		check_canonical(&b, text, len, got, m);
		free(text);
		if (got == SAN_OK) {
			fuzz_move(&b, m);
			board_make(&b, m, &u);
		}
		at += len + 1;
	}
	return 0;
}
