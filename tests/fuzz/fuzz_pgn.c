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
	struct game_options o;

	fuzz_file(fuzz_read_pgn, data, n, &o);
	return 0;
}
