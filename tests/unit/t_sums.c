/*
 * Perft of sums of presets, agreed with the naive oracle, and how the legal
 * moves of each preset stand to those of classical chess.
 */
#include "base/rng.h"
#include "chess/perft.h"
#include "common.h"
#include "naive/naive.h"
#include "positions.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const sums[] = {
	"torpedo+no-castling",
	"semi-torpedo+pawn-back",
	"torpedo+pawn-sideways",
	"torpedo+self-capture",
	"pawn-back+pawn-sideways",
	"pawn-one-square+pawn-sideways+self-capture",
	"self-capture+stalemate-win+no-castling-10",
	"semi-torpedo+pawn-sideways+no-castling",
	"torpedo+pawn-back+pawn-sideways+self-capture+stalemate-win",
	"pawn-one-square+pawn-back+no-castling-10",
};

/* Positions and how deep: some thousands to a hundred thousand leaves. */
static const struct {
	const char *fen;
	int depth;
} trees[] = {
	{ START_FEN, 3 },
	{ "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3 },
	{ "r3k2r/1P4P1/8/2pP1Pp1/2Pp1pP1/8/1p4p1/R3K2R w KQkq - 0 10", 3 },
	{ "8/2p1p1p1/8/K2P1P1r/R2p1p1k/8/2P1P1P1/8 w - - 0 1", 4 },
	{ "1n1k1n2/8/1P1P1P2/8/8/1p1p1p2/8/1N1K1N2 w - - 0 1", 4 },
	{ "3rk3/8/7b/b2P4/8/2P1P3/r1PK1Pr1/8 w - - 0 1", 3 },
	{ "4k3/pp4pp/8/PP4PP/pp4pp/8/PP4PP/4K3 w - - 0 1", 3 },
	{ "6k1/2pPp3/8/8/8/8/2PpP3/6K1 b - d6 0 1", 4 },
	{ "r3k2r/p6p/8/8/8/8/P6P/RQ2K1BR w KQkq - 0 9", 3 },
};

static void
test_perft(struct naive *oracle)
{
	struct rules r;
	struct board b, before;

	for (size_t i = 0; i < COUNT(sums); i++) {
		uint64_t nodes = 0;
		int wrong = 0;
		rules_of(&r, sums[i]);
		for (size_t k = 0; k < COUNT(trees); k++) {
			int depth = trees[k].depth - (SANITIZED ? 1 : 0);
			board_of(&b, &r, trees[k].fen);
			before = b;
			uint64_t n = perft(&b, depth);
			naive_init(oracle, sums[i], trees[k].fen);
			uint64_t want = naive_perft(oracle, depth);
			nodes += n;
			if (n == want && memcmp(&b, &before, sizeof(b)) == 0)
				continue;
			wrong++;
			diag("%s: %s, depth %d: %llu, not %llu", sums[i], trees[k].fen,
			    depth, (unsigned long long)n, (unsigned long long)want);
		}
		ok(wrong == 0 && nodes > 10000, "%s: %d trees, %llu leaves", sums[i],
		    (int)COUNT(trees), (unsigned long long)nodes);
	}
}

/* Is each move of a one of b? */
static bool
is_subset(const struct board *a, const struct board *b)
{
	move few[MOVES_MAX], many[MOVES_MAX];
	int n = movegen_list(a, few), m = movegen_list(b, many);

	for (int i = 0; i < n; i++) {
		int j = 0;
		while (j < m && many[j] != few[i])
			j++;
		if (j == m)
			return false;
	}
	return true;
}

/* As rules.md tells, for positions of the same placement. */
static void
test_relations(void)
{
	static const struct {
		const char *preset;
		bool subset, superset;
	} table[] = {
		{ "torpedo", false, true },
		{ "semi-torpedo", false, true },
		{ "pawn-back", false, true },
		{ "pawn-sideways", false, true },
		{ "self-capture", false, true },
		{ "no-castling", true, false },
		{ "no-castling-10", true, false },
		{ "pawn-one-square", true, false },
		{ "stalemate-win", true, true },
	};
	struct rules classical, r;
	struct board b, other;
	char fen[128], reason[FEN_REASON_MAX];

	rules_init(&classical);
	for (size_t i = 0; i < COUNT(table); i++) {
		struct rng rng;
		int wrong = 0, differ = 0, n = 0;
		rng_init(&rng, 4, 0);
		rules_of(&r, table[i].preset);
		while (n < 5000) {
			random_fen(&rng, fen);
			if (n < POSITIONS)
				strcpy(fen, positions[n]);
			n++;
			if (fen_read(&b, &classical, fen, strlen(fen), reason) == -1)
				continue;
			if (r.self_capture[WHITE] && b.odd_castling)
				continue; /* a contradiction: rules(7) */
			board_of(&other, &r, fen);
			if (b.ep != other.ep)
				continue; /* not the same position */
			bool sub = is_subset(&other, &b);
			bool super = is_subset(&b, &other);
			differ += !sub || !super;
			wrong += sub < table[i].subset || super < table[i].superset;
		}
		ok(wrong == 0 && (differ > 0) != (table[i].subset && table[i].superset),
		    "%s has %s of classical moves; %d positions differ", table[i].preset,
		    table[i].subset && table[i].superset ? "the same set"
			: table[i].subset                ? "a subset"
							 : "a superset",
		    differ);
	}
}

int
main(void)
{
	struct naive *oracle = malloc(sizeof(*oracle));

	test_perft(oracle);
	test_relations();
	free(oracle);
	return tap_end();
}
