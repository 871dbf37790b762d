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
#include "data/rulespec.h"
#include "randomspec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define REQUIRE(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, \
			    #condition); \
			abort(); \
		} \
	} while (0)

/* Any choice of fields: random rule set number i that contradicts itself in
 * nothing. */
__attribute__((unused)) static void
fuzz_random_rules(struct rules *r, uint64_t i)
{
	char spec[RANDOM_RULES_MAX], reason[RULES_REASON_MAX];
	struct rng rng;

	rng_init(&rng, 16, i);
	do
		random_rules(&rng, spec);
	while (rulespec_parse(r, spec, strlen(spec), reason) == -1);
}

/* The rule set that a byte stands for: any sum of the first presets, or one of
 * 64 random choices of all fields. */
__attribute__((unused)) static const struct rules *
fuzz_rules(uint8_t byte)
{
	static struct rules all[256];
	static bool known[256];
	char sum[SUM_MAX];

	if (!known[byte] && byte < SUMS) {
		sum_of_index(byte, sum);
		rules_of(&all[byte], sum);
	} else if (!known[byte]) {
		fuzz_random_rules(&all[byte], byte);
	}
	known[byte] = true;
	return &all[byte];
}

/* A position, or the start where the rules do not have it. */
__attribute__((unused)) static void
fuzz_board(struct board *b, const struct rules *r, const char *fen)
{
	char reason[FEN_REASON_MAX];

	if (fen_read(b, r, fen, strlen(fen), reason) == -1)
		board_start(b, r);
}

/* What is written reads back to the same bytes, but for the squares of rooks
 * that may not castle any more. */
__attribute__((unused)) static void
fuzz_fen_again(const struct board *b)
{
	struct board again;
	char fen[FEN_MAX], reason[FEN_REASON_MAX];
	int n = fen_write(b, fen);

	REQUIRE(n > 0 && n < FEN_MAX && fen[n] == '\0');
	REQUIRE(fen_read(&again, b->rules, fen, (size_t)n, reason) == 0);
	for (int i = 0; i < 4; i++)
		REQUIRE((b->castling & 1 << i) == 0 ||
		    board_castling_rook(b, i) == board_castling_rook(&again, i));
	REQUIRE(again.odd_castling == (b->odd_castling & b->castling));
	again.odd_castling = b->odd_castling;
	memcpy(again.rook, b->rook, sizeof(b->rook));
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
	int promotion = move_is_promotion(m) ? move_promotion(m) : 0;
	int n = san_write(b, m, san);

	REQUIRE(n < SAN_MAX && san[n] == '\0');
	REQUIRE(san_read(b, san, (size_t)n, &read) == SAN_OK && read == m);
	REQUIRE(movegen_find(b, move_from(m), move_to(m), promotion) == m);
	board_make(&after, m, &u);
	fresh = after;
	board_rekey(&fresh);
	REQUIRE(fresh.key == after.key);
	/* a side may have no king; who explodes the other's may leave his in check */
	REQUIRE(board_checkers_of(&after, b->side) == 0 ||
	    (b->rules->explode && after.pieces[after.side][KING] == 0));
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
	REQUIRE((n == 0) == end_is_seen(e));
	int value = outcome_value(b, e);
	REQUIRE(value >= -100 && value <= 100);
	REQUIRE(outcome_winner(b, e) == (value == 100) - (value == -100));
}

#endif
