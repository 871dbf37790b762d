/* FEN: what is refused and why, what is dropped, and write(read(x)). */
#include "chess/fen.h"

#include "common.h"
#include "naive/naive.h"
#include "positions.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
test_refused(void)
{
	static const struct {
		const char *fen, *reason;
	} table[] = {
		{ "", "fewer than 8 ranks" },
		{ "   ", "fewer than 8 ranks" },
		{ "hello", "the letter h" },
		{ "8/8/8/8/8/8/8/8 w - - 0 1", "White has no king" },
		{ "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king" },
		{ "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king" },
		{ "4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has more than one king" },
		{ "4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has more than one king" },
		{ "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
		    "White has a pawn on the first or last rank" },
		{ "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
		    "White has a pawn on the first or last rank" },
		{ "4k2p/8/8/8/8/8/8/4K3 w - - 0 1",
		    "Black has a pawn on the first or last rank" },
		{ "4k3/8/8/8/8/8/8/4K2p w - - 0 1",
		    "Black has a pawn on the first or last rank" },
		{ "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
		    "White has more than 8 pawns" },
		{ "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
		    "Black has more than 8 pawns" },
		{ "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1",
		    "White has more than 16 pieces" },
		{ "rnbqkbnr/pppppppp/q7/8/8/8/8/4K3 w - - 0 1",
		    "Black has more than 16 pieces" },
		{ "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "more than 8 ranks" },
		{ "4k3/8/8/8/8/8/4K3 w - - 0 1", "fewer than 8 ranks" },
		{ "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "the unknown character '9'" },
		{ "4k3/8/8/3*4/8/8/8/4K3 w - - 0 1", "the unknown character '*'" },
		{ "4k3/8/8/3\t4/8/8/8/4K3 w - - 0 1", "" },
		{ "4k3/0/8/8/8/8/8/4K3 w - - 0 1", "unknown character" },
		{ "4k4/8/8/8/8/8/8/4K3 w - - 0 1", "does not have 8 squares" },
		{ "4k2/8/8/8/8/8/8/4K3 w - - 0 1", "does not have 8 squares" },
		{ "4k3/8/8/8/8/8/8/4K2 w - - 0 1", "does not have 8 squares" },
		{ "4k3/8/8/8/8/8/8/4K3N w - - 0 1", "does not have 8 squares" },
		{ "4k3/8/44N/8/8/8/8/4K3 w - - 0 1", "does not have 8 squares" },
		{ "4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "more than 8 ranks" },
		{ "/4k3/8/8/8/8/8/8/4K3 w - - 0 1", "does not have 8 squares" },
		{ "4k3/8/8/8/8/8/8/4X3 w - - 0 1", "the letter X" },
		{ "4k3/8/8/8/8/8/8/4K3", "side to move is neither w nor b" },
		{ "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move is neither w nor b" },
		{ "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move is neither w nor b" },
		{ "4k3/8/8/8/8/8/8/4K3 wb - - 0 1", "side to move is neither w nor b" },
		{ "4k3/8/8/8/8/8/8/4R2K w - - 0 1", "the side not to move is in check" },
		{ "4k3/8/8/8/8/8/8/4r2K b - - 0 1", "the side not to move is in check" },
		{ "4k3/5P2/8/8/8/8/8/7K w - - 0 1", "the side not to move is in check" },
		{ "4k3/2N5/8/8/8/8/8/7K w - - 0 1", "the side not to move is in check" },
		{ "8/8/8/8/8/8/6k1/7K w - - 0 1", "the side not to move is in check" },
		{ "4k3/8/8/8/8/8/8/4K3 w", "castling rights are missing" },
		{ "4k3/8/8/8/8/8/8/4K3 w x - 0 1",
		    "castling rights have an unknown character" },
		{ "4k3/8/8/8/8/8/8/4K3 w -- - 0 1",
		    "castling rights have an unknown character" },
		{ "1r2k3/8/8/8/8/8/8/RR2K3 w AB - 0 1",
		    "two rooks on one side of the king" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1",
		    "counts checks, but the rules do not" },
		{ "4k3/8/8/8/8/8/8/4K3 w -", "en passant square is missing" },
		{ "4k3/8/8/8/8/8/8/4K3 w - x 0 1", "en passant square is not a square" },
		{ "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant square is not a square" },
		{ "4k3/8/8/8/8/8/8/4K3 w - i3 0 1", "en passant square is not a square" },
		{ "4k3/8/8/8/8/8/8/4K3 w - e33 0 1",
		    "en passant square is not a square" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove count" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove count" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 99999 1", "halfmove count" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "move number" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0 99999", "move number" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "unexpected text after" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0 1 0", "unexpected text after" },
	};
	struct rules r;
	struct board b;
	char reason[FEN_REASON_MAX];

	rules_init(&r);
	for (size_t i = 0; i < COUNT(table); i++) {
		const char *fen = table[i].fen;
		/* a copy without a NUL, for the sanitizers */
		size_t n = strlen(fen);
		char *copy = malloc(n + 1);
		memcpy(copy, fen, n);
		copy[n] = 'x';
		strcpy(reason, "accepted");
		bool good = fen_read(&b, &r, copy, n, reason) == -1 &&
		    strstr(reason, table[i].reason) != NULL;
		if (!ok(good, "refused: '%s'", fen))
			diag("%s, not: %s", reason, table[i].reason);
		free(copy);
	}
	ok(fen_read(&b, &r, "4k3/8/8/8/8/8/8/4K3 w - - 0 1\0x", 31, reason) == -1,
	    "refused: a NUL and more after the last field");
	ok(fen_read(&b, &r, "4k3/8/8/8/8/8/8/\03K3 w - - 0 1", 30, reason) == -1,
	    "refused: a NUL in the placement");
}

/* What comes back from reading and writing. */
struct rewritten {
	const char *sum, *fen, *written; /* written NULL: the same */
};

static bool
rewrites(const struct rewritten *t)
{
	struct rules r;
	struct board b, again;
	char text[FEN_MAX], reason[FEN_REASON_MAX];
	const char *want = t->written != NULL ? t->written : t->fen;

	rules_of(&r, t->sum);
	if (fen_read(&b, &r, t->fen, strlen(t->fen), reason) == -1) {
		diag("%s", reason);
		return false;
	}
	int n = fen_write(&b, text);
	if (strcmp(text, want) != 0 || n != (int)strlen(text)) {
		diag("%s, not %s", text, want);
		return false;
	}
	board_of(&again, &r, text);
	return memcmp(&b, &again, sizeof(b)) == 0;
}

static void
test_rewritten(const char *what, const struct rewritten *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ok(rewrites(&table[i]), "%s: %s: %s", what, table[i].sum, table[i].fen);
}

#define HOME "r3k2r/8/8/8/8/8/8/R3K2R w "
static const struct rewritten forms[] = {
	{ "classical", START_FEN, NULL },
	{ "classical", "4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
	{ "classical", "4k3/8/8/8/8/8/8/4K3 b - - 7", "4k3/8/8/8/8/8/8/4K3 b - - 7 1" },
	{ "classical", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
	{ "classical", "4k3/8/8/8/8/8/8/4K3 w - - 007 0012",
	    "4k3/8/8/8/8/8/8/4K3 w - - 7 12" },
	{ "classical", "4k3/8/8/8/8/8/8/4K3 w - - 9999 9999", NULL },
	{ "classical", "  4k3/8/8/8/8/8/8/4K3\tw   -\t- 3  4  ",
	    "4k3/8/8/8/8/8/8/4K3 w - - 3 4" },
	{ "classical", "4k3/11111111/17/71/8/323/11111111/4K3 w - - 0 1",
	    "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
	/* six queens more than a set has, but 16 pieces: can be played */
	{ "classical", "QQQQkQQ1/8/8/8/8/8/8/4K3 b - - 0 1", NULL },
};

/* The FEN decides which rooks castle, whatever the start was. */
static const struct rewritten other_castling[] = {
	{ "classical", "r3k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1", NULL },
	{ "classical", "r3k2r/8/8/8/8/8/8/R3K1R1 w GAha - 0 1",
	    "r3k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1" },
	{ "classical", "r3k2r/8/8/8/8/8/8/R3KRR1 w FQkq - 0 1", NULL },
	{ "classical", "r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", NULL },
	{ "chess960", "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1",
	    "1r2k3/8/8/8/8/8/8/1R2K3 w Qq - 0 1" },
	{ "chess960", "1rr1k3/8/8/8/8/8/8/1RR1K3 w Cc - 0 1", NULL },
	{ "chess960+no-castling", "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1",
	    "1r2k3/8/8/8/8/8/8/1R2K3 w - - 0 1" },
	{ "three-check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
	    "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1" },
	{ "three-check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+2",
	    "4k3/8/8/8/8/8/8/4K3 w - - 2+1 0 1" },
	{ "three-check", "4k3/8/8/8/8/8/8/4K3 w - - 1+0 5 9", NULL },
	{ "no-en-passant", "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1",
	    "4k3/8/8/8/4Pp2/8/8/4K3 b - - 0 1" },
};

static const struct rewritten castling[] = {
	{ "classical", HOME "KQkq - 0 1", NULL },
	{ "classical", HOME "qkQK - 0 1", HOME "KQkq - 0 1" },
	{ "classical", HOME "HAha - 0 1", HOME "KQkq - 0 1" },
	{ "classical", HOME "KK - 0 1", HOME "K - 0 1" },
	{ "classical", HOME "Kq - 0 1", NULL },
	{ "no-castling", HOME "KQkq - 0 1", HOME "- - 0 1" },
	{ "no-castling", START_FEN,
	    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1" },
	{ "no-castling-10", HOME "KQkq - 0 1", NULL },
	{ "torpedo+no-castling", HOME "KQkq - 0 1", HOME "- - 0 1" },
	{ "classical", "r3k2b/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	    "r3k2b/8/8/8/8/8/8/R3K2R w KQq - 0 1" },
	{ "classical", "4k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	    "4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1" },
	{ "classical", "Rn2kn1R/8/8/8/8/8/8/rN2KN1r b KQkq - 0 1",
	    "Rn2kn1R/8/8/8/8/8/8/rN2KN1r b - - 0 1" },
};

static const struct rewritten en_passant[] = {
	/* playable: kept */
	{ "classical", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", NULL },
	{ "classical", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", NULL },
	/* nobody can use it */
	{ "classical", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",
	    "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1" },
	{ "classical", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
	    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" },
	/* no pawn has passed */
	{ "classical", "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
	    "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1" },
	/* a piece stands on it, or where the pawn came from */
	{ "classical", "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
	    "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1" },
	{ "classical", "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
	    "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1" },
	/* the wrong side's rank, the wrong pawn */
	{ "classical", "4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1",
	    "4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1" },
	{ "classical", "4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1",
	    "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1" },
	{ "classical", "4k3/8/8/3pP3/8/8/8/4K3 w - d4 0 1",
	    "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1" },
	{ "classical", "4k3/8/8/8/8/8/8/4K3 w - a1 0 1",
	    "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
	{ "classical", "4k3/8/8/8/8/8/8/4K3 w - h8 0 1",
	    "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
	/* the capture would expose the king: rank, file, diagonal */
	{ "classical", "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
	    "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1" },
	{ "classical", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
	    "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1" },
	{ "classical", "6k1/8/5b2/3pP3/3K4/8/8/8 w - d6 0 1",
	    "6k1/8/5b2/3pP3/3K4/8/8/8 w - - 0 1" },
	{ "classical", "6b1/8/8/3pP3/8/8/K7/7k w - d6 0 1",
	    "6b1/8/8/3pP3/8/8/K7/7k w - - 0 1" },
	{ "torpedo", "8/8/8/8/6b1/4Pp2/4K3/7k w - f4 0 1",
	    "8/8/8/8/6b1/4Pp2/4K3/7k w - - 0 1" },
	{ "torpedo", "8/8/8/6k1/1K1pP2r/8/8/8 w - d5 0 1",
	    "8/8/8/6k1/1K1pP2r/8/8/8 w - - 0 1" },
	{ "torpedo", "6k1/8/8/8/8/2b5/3Pp3/4K3 w - e3 0 1",
	    "6k1/8/8/8/8/2b5/3Pp3/4K3 w - - 0 1" },
	{ "classical", "6k1/8/8/3pP3/2K5/8/8/8 w - d6 0 1", NULL },
	/* two could, one of them is pinned */
	{ "classical", "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", NULL },
	/* no double step, no en passant */
	{ "pawn-one-square", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
	    "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1" },
	/* other ranks need other rules */
	{ "classical", "4k3/8/8/8/3pP3/8/8/4K3 w - d5 0 1",
	    "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1" },
	{ "semi-torpedo", "4k3/8/8/8/3pP3/8/8/4K3 w - d5 0 1", NULL },
	{ "torpedo", "4k3/8/8/8/3pP3/8/8/4K3 w - d5 0 1", NULL },
	{ "semi-torpedo", "4k3/8/8/8/8/3pP3/8/4K3 w - d4 0 1",
	    "4k3/8/8/8/8/3pP3/8/4K3 w - - 0 1" },
	{ "torpedo", "4k3/8/8/8/8/3pP3/8/4K3 w - d4 0 1", NULL },
	{ "torpedo", "4k3/8/8/8/8/8/3pP3/6K1 w - d3 0 1", NULL },
	{ "torpedo", "4k3/3pP3/8/8/8/8/8/4K3 b - e6 0 1",
	    "4k3/3pP3/8/8/8/8/8/4K3 b - e6 0 1" },
	{ "torpedo", "4k3/8/3pP3/8/8/8/8/4K3 b - e5 0 1", NULL },
	{ "torpedo", "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1", NULL },
	{ "torpedo", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", NULL },
	/* on the last rank stands no pawn that could have stepped there */
	{ "torpedo", "4k3/8/8/8/8/8/8/4K3 w - d2 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
};

/* Every placement of the other tests, read and written by the oracle too. */
static void
test_like_oracle(void)
{
	struct naive *game = malloc(sizeof(*game));
	struct rules r;
	struct board b;
	char sum[SUM_MAX], text[FEN_MAX], want[NAIVE_FEN];
	int wrong = 0, n = 0;

	for (int i = 0; i < SUMS; i++) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		for (size_t k = 0; k < COUNT(castling) + COUNT(en_passant); k++) {
			const char *fen = k < COUNT(castling)
			    ? castling[k].fen
			    : en_passant[k - COUNT(castling)].fen;
			if (strstr(fen, "HAha") != NULL)
				continue; /* which the oracle does not know */
			board_of(&b, &r, fen);
			fen_write(&b, text);
			naive_init(game, sum, fen);
			naive_fen(game, want);
			n++;
			if (strcmp(text, want) != 0 && wrong++ < 5)
				diag("%s: %s, not %s", sum, text, want);
		}
	}
	ok(wrong == 0, "%d more under all sums, like the oracle", n);
	free(game);
}

/* Every prefix and every changed byte of a FEN: read or refused with a
 * reason, and what is read is a fixed point. */
static void
test_mutations(void)
{
	static const char fen[] =
	    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
	struct rules r;
	struct board b, again;
	char text[sizeof(fen)], written[FEN_MAX], reason[FEN_REASON_MAX];
	int wrong = 0, read = 0, n = 0;

	rules_of(&r, "torpedo+self-capture");
	for (size_t i = 0; i < sizeof(fen) - 1; i++) {
		for (int c = -1; c < 256; c++) {
			size_t len = c == -1 ? i : sizeof(fen) - 1;
			memcpy(text, fen, sizeof(fen));
			if (c != -1)
				text[i] = (char)c;
			n++;
			reason[0] = '\0';
			if (fen_read(&b, &r, text, len, reason) == -1) {
				wrong += reason[0] == '\0';
				continue;
			}
			read++;
			len = (size_t)fen_write(&b, written);
			wrong += fen_read(&again, &r, written, len, reason) == -1 ||
			    memcmp(&b, &again, sizeof(b)) != 0;
		}
	}
	ok(wrong == 0 && read > 100, "%d mutations, %d of them read", n, read);
}

/* Counts at their ends stay numbers that can be read. */
static void
test_last_counts(void)
{
	struct rules r;
	struct board b, again;
	struct undo u;
	char fen[FEN_MAX], reason[FEN_REASON_MAX];
	bool good = true;

	rules_init(&r);
	board_of(&b, &r, "4k3/8/8/8/8/8/8/4K3 b - - 65534 65534");
	for (int i = 0; i < 6; i++) {
		struct board before = b;
		move m = move_of(&b,
		    b.side == BLACK  ? i % 4 == 0 ? "e8d8" : "d8e8"
			: i % 4 == 1 ? "e1d1"
				     : "d1e1");
		board_make(&b, m, &u);
		int n = fen_write(&b, fen);
		good = good && n < FEN_MAX &&
		    fen_read(&again, &r, fen, (size_t)n, reason) == 0 &&
		    memcmp(&again, &b, sizeof(b)) == 0;
		board_unmake(&b, m, &u);
		good = good && memcmp(&before, &b, sizeof(b)) == 0;
		board_make(&b, m, &u);
	}
	ok(good, "counts at their ends: %s", fen);
}

/* The positions that other tests start from can be played. */
static void
test_positions(void)
{
	struct rules r;
	struct board b;
	char reason[FEN_REASON_MAX];
	int wrong = 0;

	rules_of(&r, "torpedo");
	for (int i = 0; i < POSITIONS; i++)
		if (fen_read(&b, &r, positions[i], strlen(positions[i]), reason) == -1) {
			diag("%s: %s", positions[i], reason);
			wrong++;
		}
	ok(wrong == 0, "the %d positions of positions.h", POSITIONS);
}

int
main(void)
{
	test_positions();
	test_last_counts();
	test_refused();
	test_rewritten("forms", forms, COUNT(forms));
	test_rewritten("castling", castling, COUNT(castling));
	test_rewritten("castling from other squares", other_castling,
	    COUNT(other_castling));
	test_rewritten("en passant", en_passant, COUNT(en_passant));
	test_like_oracle();
	test_mutations();
	return tap_end();
}
