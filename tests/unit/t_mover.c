/*
 * Players that do not search: what greedy takes, and that all which is equal
 * is equally likely.
 */
#include <math.h>

#include "common.h"
#include "search/mover.h"
#include "tap.h"

typedef move mover(const struct board *b, struct rng *rng);

/* Asks a mover very often; it must play just these moves, alike often. */
static void
expect(mover *play, const char *sum, const char *fen, const char *want, const char *name)
{
	enum { TIMES = 20000, MOST = 64 };
	struct rules r;
	struct board b;
	struct rng rng;
	int counts[MOST] = { 0 }, n = 0, strange = 0;
	char text[6], words[MOST][6];
	double chi = 0;

	rules_of(&r, sum);
	board_of(&b, &r, fen);
	for (const char *s = want; *s != '\0'; s += strspn(s, " ")) {
		size_t len = strcspn(s, " ");
		snprintf(words[n++], sizeof(words[0]), "%.*s", (int)len, s);
		s += len;
	}
	rng_init(&rng, 1, (uint64_t)n);
	for (int k = 0; k < TIMES; k++) {
		int i = 0;
		move_print(&r, play(&b, &rng), text);
		while (i < n && strcmp(words[i], text) != 0)
			i++;
		if (i == n)
			strange++;
		else
			counts[i]++;
	}
	for (int i = 0; i < n; i++)
		chi += pow(counts[i] - (double)TIMES / n, 2) * n / TIMES;
	ok(strange == 0, "%s: %s", name, want);
	ok(chi < n - 1 + 4.5 * sqrt(2 * (n - 1)) + 1,
	    "... alike often (chi-square %.1f, %d ways)", chi, n);
}

int
main(void)
{
	expect(mover_random, "classical", START_FEN,
	    "a2a3 a2a4 b2b3 b2b4 c2c3 "
	    "c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 b1a3 b1c3 "
	    "g1f3 g1h3",
	    "random");
	expect(mover_random, "classical", "6k1/8/6K1/8/8/8/8/R7 b - - 0 1", "g8f8 g8h8",
	    "random, two moves");
	expect(mover_greedy, "classical", "4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1", "e4d5",
	    "the queen, not the rook");
	expect(mover_greedy, "classical", "4k3/8/8/3n1b2/4P3/8/8/4K3 w - - 0 1",
	    "e4d5 e4f5", "knight and bishop are equal");
	expect(mover_greedy, "classical", "4k3/p7/8/2p5/1P6/8/8/R3K3 w - - 0 1",
	    "a1a7 b4c5", "pawns, whatever it costs");
	expect(mover_greedy, "classical", "k7/8/8/3pP3/8/8/8/K7 w - d6 0 2", "e5d6",
	    "en passant is a capture");
	expect(mover_greedy, "classical", "7k/8/8/8/8/8/8/K6r w - - 0 1", "a1a2 a1b2",
	    "nothing to take: any move");
	expect(mover_greedy, "classical", "7k/5ppp/8/8/8/3p4/8/R3K3 w Q - 0 1",
	    "a1b1 a1c1 a1d1 a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 e1d1 e1f1 e1d2 "
	    "e1f2 e1c1",
	    "mate, castling: they are moves like others");
	expect(mover_greedy, "classical", "r1n4k/1P6/8/8/8/8/8/K7 w - - 0 1",
	    "b7a8n b7a8b b7a8r b7a8q", "what is promoted to does not count");
	expect(mover_greedy, "self-capture", "7k/8/8/8/8/p7/P6P/K6Q w - - 0 1",
	    "h1a8 h1b7 h1c6 h1d5 h1e4 h1f3 "
	    "h1g2 h1b1 h1c1 h1d1 h1e1 h1f1 h1g1 h2h3 h2h4 a1b1",
	    "own pieces are not taken");
	expect(mover_greedy, "self-capture", "7k/8/8/8/8/8/PP6/KR5r b - - 0 1", "h1b1",
	    "the opponent's are");
	return tap_end();
}
