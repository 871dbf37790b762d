/*
 * For fuzzers: a property that does not hold ends the process, and the engine
 * is asked whether it agrees with itself about a position.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "chess/perft.h"
#include "chess/san.h"
#include "common.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define REQUIRE(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
			    __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* The rule set that a byte stands for: any sum of presets. */
__attribute__((unused)) static const struct rules *
fuzz_rules(uint8_t byte)
{
	static struct rules all[SUMS];
	static bool known[SUMS];
	int i = byte % SUMS;
	char sum[SUM_MAX];

	if (!known[i]) {
		sum_of_index(i, sum);
		rules_of(&all[i], sum);
		known[i] = true;
	}
	return &all[i];
}

/* What is written reads back to the same bytes. */
__attribute__((unused)) static void
fuzz_fen_again(const struct board *b)
{
	struct board again;
	char fen[FEN_MAX], reason[FEN_REASON_MAX];
	int n = fen_write(b, fen);

	REQUIRE(n > 0 && n < FEN_MAX && fen[n] == '\0');
	REQUIRE(fen_read(&again, b->rules, fen, (size_t)n, reason) == 0);
	REQUIRE(memcmp(&again, b, sizeof(again)) == 0);
}

/* One legal move: found, written, read, made and taken back. */
__attribute__((unused)) static void
fuzz_move(const struct board *b, move m)
{
	struct board after = *b, fresh;
	struct undo u;
	char san[SAN_MAX];
	move read = 0;
	int promotion = move_kind(m) == MOVE_PROMOTION ? move_promotion(m) : 0;
	int n = san_write(b, m, san);

	REQUIRE(n < SAN_MAX && san[n] == '\0');
	REQUIRE(san_read(b, san, (size_t)n, &read) == SAN_OK && read == m);
	REQUIRE(movegen_find(b, move_from(m), move_to(m), promotion) == m);
	board_make(&after, m, &u);
	fresh = after;
	board_rekey(&fresh);
	REQUIRE(fresh.key == after.key);
	REQUIRE(board_attackers(&after, board_king(&after, b->side),
	    after.side, board_occupied(&after)) == 0);
	fuzz_fen_again(&after);
	board_unmake(&after, m, &u);
	REQUIRE(memcmp(&after, b, sizeof(after)) == 0);
}

/* All that the engine says of one position. */
__attribute__((unused)) static void
fuzz_position(const struct board *b)
{
	struct board copy = *b;
	move list[MOVES_MAX];
	int n = movegen_list(b, list);

	REQUIRE(n <= MOVES_MAX && movegen_count(b) == n);
	REQUIRE(perft(&copy, 1) == (uint64_t)n);
	REQUIRE(memcmp(&copy, b, sizeof(copy)) == 0);
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < i; j++)
			REQUIRE(list[i] != list[j]);
		fuzz_move(b, list[i]);
	}
	fuzz_fen_again(b);
	enum end e = outcome_find(b, &b->key, 0);
	REQUIRE((n == 0) == (e == END_CHECKMATE || e == END_STALEMATE));
}

#endif
