/*
 * PGN: one byte for the rules of games that tell none, one for how the file is
 * read, then the file. However the bytes come the games are the same, and
 * what is written, as JSON or as PGN, reads back to the same games.
 */
#include "fuzz.h"
#include "games.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct reading whole, parts;

	if (n < 2)
		return 0;
	struct game_options o = { .rules = fuzz_rules(data[0]),
		.notes = (data[1] & 1) != 0 };
	const char *text = (const char *)data + 2;
	fuzz_read_pgn(&whole, text, n - 2, SIZE_MAX, &o);
	fuzz_read_pgn(&parts, text, n - 2, 1 + data[1] / 2 % 61, &o);
	fuzz_same(&whole, &parts);
	fuzz_again(&whole, &o);
	reading_release(&whole);
	reading_release(&parts);
	return 0;
}
