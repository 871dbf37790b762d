/*
 * What several unit tests need: rule sets, boards and moves from text, where
 * text that cannot be read is a mistake in the test itself.
 */
#ifndef TESTS_COMMON_H
#define TESTS_COMMON_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/rules.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { SUM_MAX = 128, SUMS = 192 };

__attribute__((unused, noreturn)) static void
bail_out(const char *what, const char *text, const char *reason)
{
	printf("Bail out! %s '%s': %s\n", what, text, reason);
	exit(1);
}

/* CPU time of this process. */
__attribute__((unused)) static double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((unused)) static uint64_t
from_environment(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s != NULL && *s != '\0' ? strtoull(s, NULL, 10) : otherwise;
}

__attribute__((unused)) static void
rules_of(struct rules *r, const char *sum)
{
	char reason[RULES_REASON_MAX];

	if (rules_parse_sum(r, sum, strlen(sum), reason) == -1)
		bail_out("rules", sum, reason);
}

__attribute__((unused)) static void
board_of(struct board *b, const struct rules *r, const char *fen)
{
	char reason[FEN_REASON_MAX];

	if (fen_read(b, r, fen, strlen(fen), reason) == -1)
		bail_out("FEN", fen, reason);
}

/* A legal move from its long algebraic form, 0 when it is not legal. */
__attribute__((unused)) static move
move_of(const struct board *b, const char *uci)
{
	return move_parse(b, uci, strlen(uci));
}

/* Plays moves, separated by spaces; a move that is not legal ends the test. */
__attribute__((unused)) static void
play_all(struct board *b, const char *moves)
{
	struct undo u;
	char uci[6];
	int n;

	while (sscanf(moves, "%5s%n", uci, &n) == 1) {
		move m = move_of(b, uci);
		if (m == 0)
			bail_out("move", uci, "not legal");
		board_make(b, m, &u);
		moves += n;
	}
}

__attribute__((unused)) static void
append_preset(char *sum, const char *preset)
{
	if (preset[0] == '\0')
		return;
	if (sum[0] != '\0')
		strcat(sum, "+");
	strcat(sum, preset);
}

/*
 * Sum number i of 0..SUMS-1: every rule set that a sum of presets gives, each
 * once, in a fixed order; 0 is classical.
 */
__attribute__((unused)) static void
sum_of_index(int i, char sum[SUM_MAX])
{
	static const char *const pawns[4] = { "", "pawn-one-square", "semi-torpedo",
		"torpedo" };
	static const char *const castling[3] = { "", "no-castling", "no-castling-10" };
	static const char *const others[4] = { "pawn-back", "pawn-sideways",
		"self-capture", "stalemate-win" };

	sum[0] = '\0';
	append_preset(sum, pawns[i % 4]);
	i /= 4;
	append_preset(sum, castling[i % 3]);
	i /= 3;
	for (int k = 0; k < 4; k++)
		append_preset(sum, (i >> k & 1) != 0 ? others[k] : "");
	if (sum[0] == '\0')
		strcpy(sum, "classical");
}

/* Does movegen_noisy() give those of the n legal moves that capture or promote,
 * each once? */
static inline bool
noisy_moves_agree(const struct board *b, const move *list, int n)
{
	move noisy[MOVES_MAX];
	int count = movegen_noisy(b, noisy), found = 0;

	for (int i = 0; i < n; i++) {
		if (!board_is_noisy(b, list[i]))
			continue;
		int times = 0;
		for (int k = 0; k < count; k++)
			times += noisy[k] == list[i];
		if (times != 1)
			return false;
		found++;
	}
	return found == count;
}

#endif
