/* SAN: what a lenient reader takes, what it refuses, and writing. */
#include "chess/san.h"

#include "common.h"
#include "naive/naive.h"
#include "positions.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define KNIGHTS "k7/8/8/8/8/2N5/8/K5N1 w - - 0 1"  /* c3, g1; e2 */
#define PINNED "k3r3/8/8/8/4N3/8/8/N3K3 w - - 0 1" /* a1, e4; c3 no */
#define PROMOTE "3n3k/2P5/8/8/8/8/8/K7 w - - 0 1"
#define PASSED "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1"
#define CROSS "4k3/8/8/2P5/1P1P4/2P5/8/4K3 w - - 0 1" /* all near c4 */

static const struct reading {
	const char *sum, *fen, *text;
	const char *uci; /* NULL: error tells */
	int error;
} readings[] = {
	/* canonical */
	{ "classical", START_FEN, "e4", "e2e4", 0 },
	{ "classical", START_FEN, "Nf3", "g1f3", 0 },
	{ "classical", KIWIPETE, "O-O", "e1g1", 0 },
	{ "classical", KIWIPETE, "O-O-O", "e1c1", 0 },
	{ "classical", PROMOTE, "cxd8=Q+", "c7d8q", 0 },
	{ "classical", PASSED, "exd6", "e5d6", 0 },
	/* superfluous disambiguation */
	{ "classical", START_FEN, "Ngf3", "g1f3", 0 },
	{ "classical", START_FEN, "N1f3", "g1f3", 0 },
	{ "classical", START_FEN, "Ng1f3", "g1f3", 0 },
	{ "classical", START_FEN, "ee4", "e2e4", 0 },
	{ "classical", START_FEN, "2e4", "e2e4", 0 },
	{ "classical", START_FEN, "e2e4", "e2e4", 0 },
	{ "classical", START_FEN, "e2-e4", "e2e4", 0 },
	{ "classical", START_FEN, "Ng1-f3", "g1f3", 0 },
	{ "classical", KNIGHTS, "Ncxe2", "c3e2", 0 },
	{ "classical", KNIGHTS, "Nge2", "g1e2", 0 },
	{ "classical", KNIGHTS, "N3e2", "c3e2", 0 },
	{ "classical", KNIGHTS, "N1e2", "g1e2", 0 },
	{ "classical", KNIGHTS, "Nc3e2", "c3e2", 0 },
	{ "classical", "k3r3/8/8/8/4N3/8/8/N3K3 w - - 0 1", "Nb3", "a1b3", 0 },
	{ "classical", "k3r3/8/8/8/4N3/8/8/3NK3 w - - 0 1", "Nc3", "d1c3", 0 },
	{ "classical", "k3r3/8/8/8/4N3/8/8/3NK3 w - - 0 1", "Ndc3", "d1c3", 0 },
	{ "classical", "k3r3/8/8/8/4N3/8/8/3NK3 w - - 0 1", "N1c3", "d1c3", 0 },
	/* castling as people write it */
	{ "classical", KIWIPETE, "0-0", "e1g1", 0 },
	{ "classical", KIWIPETE, "0-0-0", "e1c1", 0 },
	{ "classical", KIWIPETE, "O-O+", "e1g1", 0 },
	{ "classical", KIWIPETE, "O-O-O!?", "e1c1", 0 },
	{ "classical", KIWIPETE, "e1g1", "e1g1", 0 },
	/* signs missing, extra or wrong */
	{ "classical", START_FEN, "e4+", "e2e4", 0 },
	{ "classical", START_FEN, "e4#", "e2e4", 0 },
	{ "classical", START_FEN, "e4!", "e2e4", 0 },
	{ "classical", START_FEN, "e4??", "e2e4", 0 },
	{ "classical", START_FEN, "Nf3+!?", "g1f3", 0 },
	{ "classical", START_FEN, "Nf3++", "g1f3", 0 },
	{ "classical", PROMOTE, "cxd8=Q", "c7d8q", 0 },
	{ "classical", PROMOTE, "cd8=Q", "c7d8q", 0 },
	{ "classical", KIWIPETE, "Nd7", "e5d7", 0 },
	{ "classical", KIWIPETE, "Nxd3", "e5d3", 0 },
	/* promotion */
	{ "classical", PROMOTE, "c8Q", "c7c8q", 0 },
	{ "classical", PROMOTE, "c8=Q", "c7c8q", 0 },
	{ "classical", PROMOTE, "c8=N", "c7c8n", 0 },
	{ "classical", PROMOTE, "c8B", "c7c8b", 0 },
	{ "classical", PROMOTE, "c8=R+", "c7c8r", 0 },
	{ "classical", PROMOTE, "c8(Q)", "c7c8q", 0 },
	{ "classical", PROMOTE, "c8/Q", "c7c8q", 0 },
	{ "classical", PROMOTE, "c7c8q", "c7c8q", 0 },
	{ "classical", PROMOTE, "cxd8N", "c7d8n", 0 },
	{ "classical", PROMOTE, "c7xd8=R!", "c7d8r", 0 },
	/* en passant */
	{ "classical", PASSED, "exd6e.p.", "e5d6", 0 },
	{ "classical", PASSED, "exd6e.p.+", "e5d6", 0 },
	{ "classical", PASSED, "exd6+e.p.", "e5d6", 0 },
	{ "classical", PASSED, "exd6ep", "e5d6", 0 },
	{ "classical", PASSED, "ed6", "e5d6", 0 },
	{ "classical", PASSED, "ed6e.p.", "e5d6", 0 },
	{ "classical", PASSED, "e5xd6", "e5d6", 0 },
	{ "classical", PASSED, "5xd6", "e5d6", 0 },
	{ "classical", PASSED, "e5d6", "e5d6", 0 },
	{ "torpedo", "4k3/8/8/8/2PpP3/8/8/4K3 w - d5 0 1", "cxd5", "c4d5", 0 },
	{ "torpedo", "4k3/8/8/8/2PpP3/8/8/4K3 w - d5 0 1", "exd5", "e4d5", 0 },
	/* pawns that need a departure */
	{ "pawn-sideways", CROSS, "cc4", "c3c4", 0 },
	{ "pawn-sideways", CROSS, "bc4", "b4c4", 0 },
	{ "pawn-sideways", CROSS, "dc4", "d4c4", 0 },
	{ "pawn-sideways", "4k3/8/8/8/2P5/3P4/8/4K3 w - - 0 1", "dd4", "d3d4", 0 },
	{ "pawn-sideways", "4k3/8/8/8/2P5/3P4/8/4K3 w - - 0 1", "cd4", "c4d4", 0 },
	{ "pawn-sideways", "4k3/8/8/2P5/3P4/8/8/4K3 w - - 0 1", "cd5", "c5d5", 0 },
	{ "pawn-back", CROSS, "5c4", "c5c4", 0 },
	{ "pawn-back", CROSS, "3c4", "c3c4", 0 },
	{ "pawn-back", CROSS, "c5c4", "c5c4", 0 },
	{ "pawn-back+pawn-sideways", CROSS, "c5c4", "c5c4", 0 },
	{ "pawn-back+pawn-sideways", CROSS, "5c4", "c5c4", 0 },
	{ "pawn-back+pawn-sideways", CROSS, "bc4", "b4c4", 0 },
	{ "pawn-back+pawn-sideways", CROSS, "b4c4", "b4c4", 0 },
	/* a step where one is legal, with the x only the capture */
	{ "pawn-sideways", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6", 0 },
	{ "pawn-sideways", "4k3/8/4P3/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "e6d6", 0 },
	{ "pawn-sideways", "4k3/8/4P3/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6", 0 },
	/* the rules' own moves */
	{ "torpedo", "7k/8/4P3/8/8/8/8/K7 w - - 0 1", "e8=Q", "e6e8q", 0 },
	{ "torpedo", "7k/8/4P3/8/8/8/8/K7 w - - 0 1", "e8N", "e6e8n", 0 },
	{ "self-capture", START_FEN, "Rxa2", "a1a2", 0 },
	{ "self-capture", START_FEN, "Kxe2", "e1e2", 0 },
	{ "self-capture", "4k3/8/8/4N3/3P4/8/8/4K3 w - - 0 1", "dxe5", "d4e5", 0 },
	{ "self-capture", "4N2k/3P4/8/8/8/8/8/K7 w - - 0 1", "dxe8=B", "d7e8b", 0 },
	/* two legal readings */
	{ "classical", KNIGHTS, "Ne2", NULL, SAN_AMBIGUOUS },
	{ "classical", "7k/2N5/N3N3/8/N3N3/2N5/8/K7 w - - 0 1", "Nac5", NULL,
	    SAN_AMBIGUOUS },
	{ "classical", "7k/2N5/N3N3/8/N3N3/2N5/8/K7 w - - 0 1", "N6c5", NULL,
	    SAN_AMBIGUOUS },
	{ "classical", "7k/2N5/N3N3/8/N3N3/2N5/8/K7 w - - 0 1", "Na6c5", "a6c5", 0 },
	{ "pawn-sideways", CROSS, "c4", NULL, SAN_AMBIGUOUS },
	{ "pawn-sideways", CROSS, "4c4", NULL, SAN_AMBIGUOUS },
	{ "pawn-back", CROSS, "c4", NULL, SAN_AMBIGUOUS },
	{ "pawn-back", CROSS, "cc4", NULL, SAN_AMBIGUOUS },
	{ "classical", "k7/8/8/2PpP3/8/8/8/K7 w - d6 0 1", "xd6", NULL, SAN_AMBIGUOUS },
	{ "classical", PROMOTE, "c8", NULL, SAN_AMBIGUOUS },
	{ "classical", PROMOTE, "cxd8", NULL, SAN_AMBIGUOUS },
	{ "classical", PROMOTE, "c8+", NULL, SAN_AMBIGUOUS },
	/* no legal reading */
	{ "classical", START_FEN, "e5", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "Nd2", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "Bb5", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "O-O", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "exd3", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "e4=Q", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "Nbf3", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "e7e5", NULL, SAN_ILLEGAL },
	{ "classical", START_FEN, "e3e4", NULL, SAN_ILLEGAL },
	{ "classical", KIWIPETE, "Kg1", NULL, SAN_ILLEGAL },
	{ "classical", KIWIPETE, "Ke2", NULL, SAN_ILLEGAL },
	{ "classical", PROMOTE, "c8=K", NULL, SAN_SYNTAX },
	{ "classical", PROMOTE, "c7c8", NULL, SAN_AMBIGUOUS },
	{ "classical", PASSED, "d6", NULL, SAN_ILLEGAL },
	{ "classical", "k7/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "exd6", NULL, SAN_ILLEGAL },
	{ "no-castling", KIWIPETE, "O-O", NULL, SAN_ILLEGAL },
	{ "no-castling-10", KIWIPETE, "O-O", NULL, SAN_ILLEGAL },
	{ "pawn-one-square", START_FEN, "e4", NULL, SAN_ILLEGAL },
	{ "classical", PINNED, "Nc3", NULL, SAN_ILLEGAL },
	{ "self-capture", START_FEN, "Qxe1", NULL, SAN_ILLEGAL },
	/* no move's text */
	{ "classical", START_FEN, "", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "e", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "+", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "e9", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "N", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "Nf", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "--", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "Z0", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "1-0", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "*", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "e4 e5", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "Ngx-f3", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "O-O-O-O", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "O", NULL, SAN_SYNTAX },
	{ "classical", START_FEN, "O-x-O", NULL, SAN_SYNTAX },
};

static void
test_readings(void)
{
	static const char *const words[] = { "taken", "syntax", "illegal", "ambiguous" };

	for (size_t i = 0; i < COUNT(readings); i++) {
		const struct reading *t = &readings[i];
		struct rules r;
		struct board b;
		move m = 0;
		char uci[6] = "";
		size_t n = strlen(t->text);
		char *copy = malloc(n + 1); /* no NUL, for the sanitizers */

		memcpy(copy, t->text, n);
		copy[n] = '8';
		rules_of(&r, t->sum);
		board_of(&b, &r, t->fen);
		int got = san_read(&b, copy, n, &m);
		if (got == SAN_OK)
			move_print(&r, m, uci);
		bool good = t->uci != NULL ? got == SAN_OK && strcmp(uci, t->uci) == 0
					   : got == t->error;
		if (!ok(good, "'%s' %s: %s", t->text,
			t->uci != NULL ? t->uci : words[-t->error], t->fen))
			diag("%s %s", words[-got], uci);
		free(copy);
	}
}

/* Long texts of what is cut off at the end must not eat the stack. */
static void
test_long_text(void)
{
	enum { SIZE = 4 << 20 };
	struct rules r;
	struct board b;
	move m;
	char *s = malloc(SIZE);

	rules_init(&r);
	board_of(&b, &r, PASSED);
	memcpy(s, "exd6", 4);
	for (int i = 4; i < SIZE; i += 4)
		memcpy(s + i, "e.p.", 4);
	int got = san_read(&b, s, SIZE, &m);
	ok(got == SAN_OK || got == SAN_SYNTAX, "a move and a million 'e.p.'");
	memset(s + 4, '!', SIZE - 4);
	ok(san_read(&b, s, SIZE, &m) == SAN_OK, "a move and a lot of '!'");
	free(s);
}

static const struct {
	const char *sum, *fen, *uci, *san;
} writings[] = {
	{ "classical", START_FEN, "e2e4", "e4" },
	{ "classical", START_FEN, "g1f3", "Nf3" },
	{ "classical", KNIGHTS, "c3e2", "Nce2" },
	{ "classical", KIWIPETE, "e1g1", "O-O" },
	{ "classical", KIWIPETE, "e1c1", "O-O-O" },
	{ "classical", PROMOTE, "c7d8q", "cxd8=Q+" },
	{ "classical", PROMOTE, "c7c8n", "c8=N" },
	{ "classical", PASSED, "e5d6", "exd6" },
	{ "classical", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+" },
	{ "classical", "7k/2N5/N3N3/8/N3N3/2N5/8/K7 w - - 0 1", "a6c5", "Na6c5" },
	{ "classical", "7k/8/8/8/8/R7/8/R6K w - - 0 1", "a1a2", "R1a2" },
	{ "classical", "1k6/8/8/8/R6R/8/8/7K w - - 0 1", "a4e4", "Rae4" },
	{ "classical", "k3r3/8/8/8/4N3/8/8/3NK3 w - - 0 1", "d1c3", "Nc3" },
	{ "classical", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#" },
	{ "classical", "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "g1g3", "Qg3" },
	{ "stalemate-win", "k7/8/1K6/8/8/8/8/5Q2 w - - 0 1", "f1f4", "Qf4" },
	{ "pawn-sideways", "4k3/8/8/8/2P5/3P4/8/4K3 w - - 0 1", "d3d4", "dd4" },
	{ "pawn-sideways", "4k3/8/8/8/2P5/3P4/8/4K3 w - - 0 1", "c4d4", "cd4" },
	{ "pawn-sideways", "4k3/8/8/2P5/3P4/8/8/4K3 w - - 0 1", "c5d5", "cd5" },
	{ "pawn-sideways", "4k3/8/8/2P5/8/8/8/4K3 w - - 0 1", "c5d5", "d5" },
	{ "pawn-back", CROSS, "c5c4", "5c4" },
	{ "pawn-back", CROSS, "c3c4", "3c4" },
	{ "pawn-back+pawn-sideways", CROSS, "c5c4", "5c4" },
	{ "pawn-back+pawn-sideways", CROSS, "b4c4", "bc4" },
	/* a rival that is pinned is none */
	{ "pawn-sideways", "1k1r4/8/8/8/2PP4/3K4/8/8 w - - 0 1", "c4c5", "c5" },
	{ "pawn-sideways", "3rk3/8/8/8/2P5/3P4/8/3K4 w - - 0 1", "c4d4", "cd4" },
	{ "pawn-sideways", "k3r3/8/8/4P3/3P4/8/8/4K3 w - - 0 1", "d4d5", "d5" },
	/* a capture is no rival of a step */
	{ "pawn-sideways", "4k3/8/4P3/3pP3/8/8/8/4K3 w - d6 0 1", "e6d6", "d6" },
	{ "pawn-sideways", "4k3/8/4P3/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6" },
	{ "torpedo", "4k3/8/8/8/2PpP3/8/8/4K3 w - d5 0 1", "c4d5", "cxd5" },
	{ "torpedo", "7k/8/4P3/8/8/8/8/K7 w - - 0 1", "e6e8q", "e8=Q+" },
	{ "torpedo", "8/8/8/8/4P3/8/8/K2k4 w - - 0 1", "e4e6", "e6" },
	{ "self-capture", START_FEN, "h1h2", "Rxh2" },
	{ "self-capture", START_FEN, "e1e2", "Kxe2" },
	{ "self-capture", "4N2k/3P4/8/8/8/8/8/K7 w - - 0 1", "d7e8b", "dxe8=B" },
	{ "self-capture", "7k/8/8/8/8/2N5/4P3/K5N1 w - - 0 1", "c3e2", "Ncxe2" },
};

static void
test_writings(void)
{
	struct rules r;
	struct board b;
	char text[SAN_MAX];

	for (size_t i = 0; i < COUNT(writings); i++) {
		rules_of(&r, writings[i].sum);
		board_of(&b, &r, writings[i].fen);
		move m = move_of(&b, writings[i].uci);
		text[0] = '\0';
		int n = m != 0 ? san_write(&b, m, text) : 0;
		if (!ok(strcmp(text, writings[i].san) == 0 && n == (int)strlen(text),
			"%s is %s", writings[i].uci, writings[i].san))
			diag("it is %s: %s", text, writings[i].fen);
	}
}

/* Everything about the SAN of one position: different moves have different
 * texts, each reads back to its move, each is what the oracle writes. */
static int
check_position(const struct board *b, const struct naive *game, int *moves)
{
	move list[MOVES_MAX], m;
	static char san[MOVES_MAX][SAN_MAX];
	char want[NAIVE_SAN], uci[6];
	int n = movegen_list(b, list), wrong = 0;

	for (int i = 0; i < n; i++) {
		int len = san_write(b, list[i], san[i]);
		move_print(b->rules, list[i], uci);
		bool good = len == (int)strlen(san[i]) && len < SAN_MAX &&
		    san_read(b, san[i], (size_t)len, &m) == SAN_OK && m == list[i] &&
		    san_read(b, uci, strlen(uci), &m) == SAN_OK && m == list[i];
		for (int j = 0; j < i; j++)
			good = good && strcmp(san[i], san[j]) != 0;
		if (game != NULL) {
			naive_san(game, uci, want);
			good = good && strcmp(want, san[i]) == 0;
		}
		if (!good)
			note("%s %s", uci, san[i]);
		wrong += !good;
	}
	*moves += n;
	return wrong;
}

static void
test_all_moves(void)
{
	struct naive *game = malloc(sizeof(*game));
	struct rng rng;
	struct rules r;
	struct board b;
	char sum[SUM_MAX], fen[128], reason[FEN_REASON_MAX];
	int wrong = 0, moves = 0, compared = 0, n = 0;

	rng_init(&rng, 3, 0);
	for (int i = 0; i < SUMS; i++) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		for (int k = 0; k < 3 * POSITIONS; k++) {
			if (k < POSITIONS)
				strcpy(fen, positions[k]);
			else
				random_fen(&rng, fen);
			if (fen_read(&b, &r, fen, strlen(fen), reason) == -1)
				continue;
			bool compare = (i + k) % (SANITIZED ? 8 : 2) == 0;
			if (compare)
				naive_init(game, sum, fen);
			compared += compare;
			n++;
			int bad = check_position(&b, compare ? game : NULL, &moves);
			if (bad != 0 && wrong++ < 5)
				diag("%s: %s: %d moves", sum, fen, bad);
		}
	}
	ok(wrong == 0,
	    "%d moves of %d positions under all sums, %d positions like the oracle",
	    moves, n, compared);
	free(game);
}

int
main(void)
{
	test_readings();
	test_long_text();
	test_writings();
	test_all_moves();
	return tap_end();
}
