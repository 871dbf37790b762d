/*
 * Positions to start from: some that perft tables use, some where rare rules
 * bite, and as many random ones as anybody wants.
 */
#ifndef TESTS_POSITIONS_H
#define TESTS_POSITIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

static const char *const positions[] = {
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
	"r3k2r/p6p/8/8/8/8/P6P/RQ2K1BR w KQkq - 0 1",
	"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
	"r3k2r/1P4P1/8/2pP1Pp1/2Pp1pP1/8/1p4p1/R3K2R w KQkq - 0 1",
	"r2qk2r/pbp2pb1/1p1p2pp/n1n1p3/2P1P3/P2PBNP1/1PQ1NPBP/R3K2R w KQkq - 1 14",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"8/R1pk1pR1/2p1p3/8/B2p4/7B/8/3RK3 b - - 0 1",
	"8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1",
	"8/2p1p1p1/8/K2P1P1r/R2p1p1k/8/2P1P1P1/8 w - - 0 1",
	"8/1P6/8/8/3k1K2/1r6/8/8 w - - 0 1",
	"4k3/pp4pp/8/PP4PP/pp4pp/8/PP4PP/4K3 w - - 0 1",
	"3rk3/8/7b/b2P4/8/2P1P3/r1PK1Pr1/8 w - - 0 1",
	"2k2r1r/2q2p2/2pPp2p/1pPb2p1/p1nP1Q2/P1B3PP/2B2P2/R3R1K1 w - - 0 1",
	"1n1k1n2/8/1P1P1P2/8/8/1p1p1p2/8/1N1K1N2 w - - 0 1",
	/* en passant squares of other rules on every rank */
	"4k3/8/8/8/8/8/2PpP3/6K1 w - d3 0 1",
	"4k3/8/8/8/8/2PpP3/8/4K3 w - d4 0 1",
	"4k3/8/8/8/2PpP3/8/8/4K3 w - d5 0 1",
	"4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
	"6k1/2pPp3/8/8/8/8/8/4K3 b - d6 0 1",
	/* many rivals for one square */
	"2k5/8/8/1Q2Q3/8/1Q6/4Q3/7K w - - 0 1",
	"7k/2N5/N3N3/8/N3N3/2N5/8/K7 w - - 0 1",
	"4k3/8/8/2P5/1P1P4/2P5/8/4K3 w - - 0 1",
	"4k3/8/3p4/2p1p3/3p4/8/8/4K3 b - - 0 1",
	/* pins and checks along all lines */
	"4r2k/1b5b/8/3PPP2/r2PKP1r/3PPP2/1b5b/4r3 w - - 0 1",
	"4k3/8/8/8/1b5b/2P3P1/3R1B2/r2NK2r w - - 0 1",
	"1k2r3/8/8/8/8/5n2/8/R3K2R w KQ - 0 12",
	"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 98 11",
	/* a queen against a king that may be stalemated */
	"k7/8/1K6/8/8/8/8/6Q1 w - - 0 40",
	"7k/5K2/8/6Q1/8/8/8/8 w - - 0 40",
	"k7/P7/8/1K6/8/8/8/8 w - - 90 60",
};
enum { POSITIONS = sizeof(positions) / sizeof(positions[0]) };

/* Puts a piece on a random empty square of the ranks low..high. */
__attribute__((unused)) static void
random_put(struct rng *rng, char *at, char piece, int low, int high)
{
	for (int tries = 0; tries < 200; tries++) {
		int sq = 8 * low + (int)rng_below(rng, (uint32_t)(8 * (high - low + 1)));
		if (at[sq] == '.') {
			at[sq] = piece;
			return;
		}
	}
}

/* Kings, with one chance in three at home with their rooks. */
__attribute__((unused)) static void
random_kings(struct rng *rng, char *at)
{
	if (rng_below(rng, 3) == 0) {
		at[4] = 'K';
		at[0] = at[7] = 'R';
	} else {
		random_put(rng, at, 'K', 0, 7);
	}
	if (rng_below(rng, 3) == 0 && at[60] == '.' && at[56] == '.' && at[63] == '.') {
		at[60] = 'k';
		at[56] = at[63] = 'r';
	} else {
		random_put(rng, at, 'k', 0, 7);
	}
}

__attribute__((unused)) static char *
write_squares(const char at[64], char *s)
{
	for (int rank = 7; rank >= 0; rank--) {
		for (int file = 0; file < 8; file++)
			*s++ = at[8 * rank + file] == '.' ? '1' : at[8 * rank + file];
		*s++ = rank > 0 ? '/' : ' ';
	}
	return s;
}

/* A random FEN; whether it can be played is for the reader to say. */
__attribute__((unused)) static void
random_fen(struct rng *rng, char fen[128])
{
	char at[64], *s = fen;
	uint32_t pawns = rng_below(rng, 9), pieces = rng_below(rng, 6);

	memset(at, '.', sizeof(at));
	random_kings(rng, at);
	for (uint32_t i = 0; i < 2 * pawns; i++)
		random_put(rng, at, "Pp"[i & 1], 1, 6);
	for (uint32_t i = 0; i < 2 * pieces; i++)
		random_put(rng, at, "NBRQnbrq"[4 * (i & 1) + rng_below(rng, 4)], 0, 7);
	s = write_squares(at, s);
	/* a count near its end, now and then; castling soon allowed */
	sprintf(s, "%c KQkq - %u %u", "wb"[rng_below(rng, 2)],
	    rng_below(rng, 4) == 0 ? 80 + rng_below(rng, 21) : 0, 1 + rng_below(rng, 14));
}

/* A bare king, perhaps with a blocked pawn, against a queen or a rook: mates
 * and stalemates are near. */
__attribute__((unused)) static void
endgame_fen(struct rng *rng, char fen[128])
{
	char at[64], *s;
	bool white = rng_below(rng, 2) == 0; /* White is the stronger */

	memset(at, '.', sizeof(at));
	if (rng_below(rng, 3) == 0) {
		int sq = 24 + (int)rng_below(rng, 8);
		at[sq] = 'P';
		at[sq + 8] = 'p';
	}
	random_put(rng, at, white ? 'k' : 'K', rng_below(rng, 2) ? 0 : 7, 7);
	random_put(rng, at, white ? 'K' : 'k', 0, 7);
	for (uint32_t i = 1 + rng_below(rng, 2); i > 0; i--)
		random_put(rng, at, "qQrRbB"[2 * rng_below(rng, 3) + white], 0, 7);
	s = write_squares(at, fen);
	sprintf(s, "%c - - %u 40", "bw"[white], 90 + rng_below(rng, 10));
}

/* A random empty square on a ray from sq, -1 if there is none. */
__attribute__((unused)) static int
random_on_ray(struct rng *rng, const char *at, int sq, int df, int dr)
{
	int file = sq % 8 + df, rank = sq / 8 + dr, best = -1;
	uint32_t n = 0;

	for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += df, rank += dr)
		if (at[8 * rank + file] == '.' && rng_below(rng, ++n) == 0)
			best = 8 * rank + file;
	return best;
}

/*
 * An en passant capture that may be a trap: on a random line through one of
 * the two pawns stand the capturing side's king and an enemy slider. With
 * `before` the double step is still to come. It starts on an own rank from 2
 * to `highest`, of 5 at most: beyond that the pawn promotes.
 */
__attribute__((unused)) static void
trap_fen(struct rng *rng, char fen[128], bool before, int highest)
{
	char at[64];
	bool white = rng_below(rng, 2) == 0; /* White captures */
	int up = white ? -8 : 8;             /* of the pawn that steps */
	int file = (int)rng_below(rng, 8), aside = rng_below(rng, 2) ? 1 : -1;
	int own, king, slider;

	/* mostly from the ranks that only some rules know */
	highest = highest < 5 ? highest : 5;
	own = 1 + (int)rng_below(rng, (uint32_t)highest - 1);
	if (highest > 2 && rng_below(rng, 4) != 0)
		own = 2 + (int)rng_below(rng, (uint32_t)highest - 2);
	if (file + aside < 0 || file + aside > 7)
		aside = -aside;
	int from = (white ? 56 : 0) + own * up + file, to = from + 2 * up;
	do {
		int df = (int)rng_below(rng, 3) - 1, dr = (int)rng_below(rng, 3) - 1;
		int through = rng_below(rng, 3) == 0 ? to : to + aside;
		memset(at, '.', sizeof(at));
		at[to] = white ? 'p' : 'P';
		at[to + aside] = white ? 'P' : 'p';
		at[from] = at[from + up] = 'x'; /* stay empty */
		king = slider = -1;
		if (df == 0 && dr == 0)
			continue;
		king = random_on_ray(rng, at, through, df, dr);
		slider = random_on_ray(rng, at, through, -df, -dr);
		if (king == -1 || slider == -1)
			continue;
		at[king] = white ? 'K' : 'k';
		at[slider] = "qQrRbB"[(rng_below(rng, 2) == 0      ? 0
					      : df == 0 || dr == 0 ? 2
								   : 4) +
		    !white];
	} while (king == -1 || slider == -1);
	random_put(rng, at, white ? 'k' : 'K', 0, 7);
	for (uint32_t i = rng_below(rng, 4); i > 0; i--)
		random_put(rng, at, "NnBbRrPp"[rng_below(rng, 8)], 1, 6);
	at[from] = at[from + up] = '.';
	if (before) {
		at[from] = at[to];
		at[to] = '.';
	}
	char *s = write_squares(at, fen);
	sprintf(s, "%c - %c%c 0 20", "bw"[before ? !white : white], 'a' + file,
	    '1' + (from + up) / 8);
	if (before)
		sprintf(s, "%c - - 0 20", "bw"[!white]);
}

#endif
