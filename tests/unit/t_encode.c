/*
 * What a net sees and says: every legal move of every rule set has a place of
 * its own, and every plane says what encode.h promises.
 */
#include "base/rng.h"
#include "common.h"
#include "net/sparse.h"
#include "positions.h"
#include "tap.h"

static float input[NET_INPUT];

/* ---- places of moves ---- */

/* Two moves at one place, or one out of range, in this position? */
static bool
places_clash(const struct board *b)
{
	static int seen[NET_POLICY], round;
	move list[MOVES_MAX];
	int n = movegen_list(b, list);

	round++;
	for (int i = 0; i < n; i++) {
		int place = encode_move(b->side, list[i]);
		if (place < 0 || place >= NET_POLICY || seen[place] == round)
			return true;
		seen[place] = round;
	}
	return false;
}

/* A square and a direction as the mover sees them lead to the same move: the
 * place of a move tells its departure. */
static bool
departs_right(const struct board *b)
{
	move list[MOVES_MAX];
	int n = movegen_list(b, list);

	for (int i = 0; i < n; i++) {
		int from = encode_move(b->side, list[i]) % 64;
		if ((b->side == WHITE ? from : from ^ 56) != move_from(list[i]))
			return false;
	}
	return true;
}

static int
walk(struct rng *rng, const struct rules *r, const char *fen, int plies, int *clashes)
{
	struct board b;
	struct undo u;
	char reason[FEN_REASON_MAX];
	move list[MOVES_MAX];
	int done = 0, n;

	if (fen_read(&b, r, fen, strlen(fen), reason) == -1)
		return 0;
	while (done < plies && (n = movegen_list(&b, list)) > 0) {
		*clashes += places_clash(&b) || !departs_right(&b);
		/* promotions and odd steps of pawns are rare: prefer them */
		move m = list[rng_below(rng, (uint32_t)n)];
		for (int tries = 0; tries < 3 && type_at(&b, move_from(m)) != PAWN;
		     tries++)
			m = list[rng_below(rng, (uint32_t)n)];
		board_make(&b, m, &u);
		done++;
	}
	return done;
}

static void
test_walks(void)
{
	int walks = SANITIZED ? 2 : 12, count = 0, clashes = 0;

	for (int i = 0; i < SUMS; i++) {
		struct rules r;
		struct rng rng;
		char sum[SUM_MAX], fen[128];
		sum_of_index(i, sum);
		rules_of(&r, sum);
		rng_init(&rng, 3, (uint64_t)i);
		for (int k = 0; k < walks; k++) {
			random_fen(&rng, fen);
			count += walk(&rng, &r, fen, 100, &clashes);
			count += walk(&rng, &r, positions[rng_below(&rng, POSITIONS)],
			    100, &clashes);
		}
	}
	ok(clashes == 0 && count > 10000,
	    "moves have places of their own in %d positions of all %d sums", count,
	    (int)SUMS);
}

/* Every move that a pawn, knight or queen could ever make from any square. */
static void
test_all_moves(void)
{
	static int seen[NET_POLICY];
	int count = 0, clashes = 0;

	for (int from = 0; from < 64; from++)
		for (int to = 0; to < 64; to++) {
			int df = abs(file_of(to) - file_of(from));
			int dr = abs(rank_of(to) - rank_of(from));
			if (from == to ||
			    (df != 0 && dr != 0 && df != dr && df * dr != 2))
				continue;
			bool promotes = rank_of(to) == 7 &&
			    ((df <= 1 && rank_of(from) == 6) ||
				(df == 0 && rank_of(from) == 5));
			for (int p = promotes ? KNIGHT : QUEEN; p <= QUEEN; p++) {
				move m = move_make(from, to,
				    p == QUEEN ? TAG_PLAIN : TAG_PROMOTION + p);
				int place = encode_move(WHITE, m);
				clashes +=
				    place < 0 || place >= NET_POLICY || seen[place]++ > 0;
				count++;
			}
		}
	/* 1792 queen's and knight's moves, 3 x (22 + 8) under-promotions */
	ok(clashes == 0 && count == 1792 + 90, "so have all %d moves there are", count);
}

static const struct {
	const char *rules, *fen, *move;
	int plane, from; /* as the mover sees the board */
} examples[] = {
	{ "classical", START_FEN, "e2e4", 1, 12 },
	{ "classical", START_FEN, "e2e3", 0, 12 },
	{ "classical", START_FEN, "g1f3", 56 + 2, 6 },
	{ "classical", START_FEN, "g1h3", 56 + 4 + 2, 6 },
	{ "classical", START_FEN, "b1a3", 56 + 2, 1 },
	{ "classical", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 7 * 2 + 1, 4 },
	{ "classical", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 7 * 6 + 1, 4 },
	{ "classical", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1a8", 6, 0 },
	{ "classical", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1h8", 7 * 1 + 6, 0 },
	{ "classical", "7Q/4k3/8/8/8/8/8/4K3 w - - 0 1", "h8a1", 7 * 5 + 6, 63 },
	{ "classical", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 7 * 7, 36 },
	{ "classical", "1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q", 0, 48 },
	{ "classical", "1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8q", 7 * 1, 48 },
	{ "classical", "1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8n", 64, 48 },
	{ "classical", "1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8b", 67, 48 },
	{ "classical", "1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8r", 70, 48 },
	{ "classical", "1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8r", 72, 48 },
	{ "classical", "n6k/1P6/8/8/8/8/8/7K w - - 0 1", "b7a8n", 65, 49 },
	{ "torpedo", "7k/8/P7/8/8/8/8/7K w - - 0 1", "a6a8q", 1, 40 },
	{ "torpedo", "7k/8/P7/8/8/8/8/7K w - - 0 1", "a6a8n", 73, 40 },
	{ "torpedo", "7k/8/P7/8/8/8/8/7K w - - 0 1", "a6a8b", 74, 40 },
	{ "torpedo", "7k/8/P7/8/8/8/8/7K w - - 0 1", "a6a8r", 75, 40 },
	{ "pawn-back", "7k/8/P7/8/8/8/8/7K w - - 0 1", "a6a5", 7 * 4, 40 },
	{ "pawn-sideways", "7k/8/P7/8/8/8/8/7K w - - 0 1", "a6b6", 7 * 2, 40 },
	{ "self-capture", START_FEN, "a1a2", 0, 0 },
	/* Black's own view: the same as White's upside down */
	{ "classical", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "e7e5",
	    1, 12 },
	{ "classical", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "g8f6",
	    56 + 2, 6 },
	{ "classical", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8g8", 7 * 2 + 1, 4 },
	{ "classical", "7k/8/8/8/8/8/p7/1N5K b - - 0 1", "a2b1n", 66, 48 },
	{ "torpedo", "7k/8/8/8/8/p7/8/7K b - - 0 1", "a3a1n", 73, 40 },
	{ "pawn-back", "7k/8/8/8/8/p7/8/7K b - - 0 1", "a3a4", 7 * 4, 40 },
};

static void
test_examples(void)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct rules r;
		struct board b;
		rules_of(&r, examples[i].rules);
		board_of(&b, &r, examples[i].fen);
		move m = move_of(&b, examples[i].move);
		int place = encode_move(b.side, m);
		ok(m != 0 && place / 64 == examples[i].plane &&
			place % 64 == examples[i].from,
		    "%s of %s is plane %d, square %d (got %d, %d)", examples[i].move,
		    b.side == WHITE ? "White" : "Black", examples[i].plane,
		    examples[i].from, place / 64, place % 64);
	}
}

/* ---- planes ---- */

/* Is the plane just this set of squares? */
static bool
plane_is(int plane, bitboard set)
{
	for (int sq = 0; sq < 64; sq++)
		if (input[64 * plane + sq] != (float)(set >> sq & 1))
			return false;
	return true;
}

static bool
plane_all(int plane, float value)
{
	for (int sq = 0; sq < 64; sq++)
		if (input[64 * plane + sq] != value)
			return false;
	return true;
}

static void
see(const char *rules, const char *fen, int repetitions)
{
	static struct rules r;
	struct board b;

	rules_of(&r, rules);
	board_of(&b, &r, fen);
	/* whatever was there before must not shine through */
	for (int i = 0; i < NET_INPUT; i++)
		input[i] = 77;
	encode_position(&b, repetitions, input);
}

static void
test_start(void)
{
	static const bitboard own[6] = { 0xff00, 0x42, 0x24, 0x81, 0x08, 0x10 };

	for (int side = 0; side < 2; side++) {
		bool men = true, rights = true, rest = true;
		see("classical",
		    side == 0
			? START_FEN
			: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
		    1);
		for (int i = 0; i < 6; i++)
			men = men && plane_is(i, own[i]) &&
			    plane_is(6 + i, __builtin_bswap64(own[i]));
		for (int i = 12; i < 16; i++)
			rights = rights && plane_all(i, 1);
		for (int i = 16; i < NET_PLANES; i++)
			rest = rest && plane_all(i, i == 19 || i == 21 || i == 28);
		ok(men, "the start: men, %s's view", side == 0 ? "White" : "Black");
		ok(rights, "... castling rights");
		ok(rest, "... nothing else but castling, double steps and ones");
	}
}

static void
test_state(void)
{
	see("classical", "4k2r/8/8/3pP3/8/8/8/R3K3 w Qk d6 25 30", 1);
	ok(plane_all(12, 0) && plane_all(13, 1) && plane_all(14, 1) && plane_all(15, 0),
	    "castling rights of White long and Black short");
	ok(plane_is(16, bit(43)), "the en passant square d6");
	ok(plane_all(17, 0.25f), "a count of 25 is a quarter");
	see("classical", "4k2r/8/8/8/3pP3/8/8/R3K3 b Qk e3 99 30", 2);
	ok(plane_all(12, 1) && plane_all(13, 0) && plane_all(14, 0) && plane_all(15, 1),
	    "the same rights as Black sees them");
	ok(plane_is(16, bit(44)), "e3 is e6 to Black");
	ok(plane_all(17, 99 / 100.f) && plane_all(18, 0.5f),
	    "a count of 99, and a position that stood before");
	see("classical", "4k3/8/8/8/8/8/4P3/4K3 w - - 200 30", 3);
	ok(plane_all(17, 1) && plane_all(18, 1), "a count beyond the limit is 1");
}

static const struct {
	const char *rules;
	int plane;
	float value;
} rule_planes[] = {
	{ "classical", 19, 1 },
	{ "no-castling", 19, 0 },
	{ "no-castling-10", 19, 1 },
	{ "classical", 20, 0 },
	{ "no-castling", 20, 0 },
	{ "no-castling-10", 20, 1 },
	{ "classical", 21, 1 },
	{ "pawn-one-square", 21, 0 },
	{ "classical", 22, 0 },
	{ "semi-torpedo", 22, 1 },
	{ "semi-torpedo", 23, 0 },
	{ "torpedo", 22, 1 },
	{ "torpedo", 23, 1 },
	{ "classical", 24, 0 },
	{ "pawn-back", 24, 1 },
	{ "pawn-sideways", 25, 1 },
	{ "self-capture", 26, 1 },
	{ "stalemate-win", 27, 1 },
	{ "stalemate-win", 26, 0 },
	{ "torpedo", 28, 1 },
	{ "torpedo", 29, 0 },
	{ "torpedo", 31, 0 },
};

static void
test_rules(void)
{
	for (size_t i = 0; i < sizeof(rule_planes) / sizeof(rule_planes[0]); i++) {
		see(rule_planes[i].rules, START_FEN, 1);
		ok(plane_all(rule_planes[i].plane, rule_planes[i].value),
		    "%s: plane %d is %g", rule_planes[i].rules, rule_planes[i].plane,
		    (double)rule_planes[i].value);
	}
	see("no-castling-10", "4k3/8/8/8/8/8/8/4K2R w K - 0 8", 1);
	ok(plane_all(20, 0.3f), "three moves before castling becomes legal");
	see("no-castling-10", "4k3/8/8/8/8/8/8/4K2R w K - 0 11", 1);
	ok(plane_all(20, 0), "now it is legal");
}

/* All 192 sums look different, for one net has to tell them apart. */
static void
test_sums_differ(void)
{
	static float seen[SUMS][10];
	int equal = 0;

	for (int i = 0; i < SUMS; i++) {
		char sum[SUM_MAX];
		sum_of_index(i, sum);
		see(sum, START_FEN, 1);
		for (int k = 0; k < 10; k++)
			seen[i][k] = input[64 * (19 + k)];
		for (int k = 0; k < i; k++)
			equal += memcmp(seen[i], seen[k], sizeof(seen[i])) == 0;
	}
	ok(equal == 0, "no two of %d rule sets look the same", (int)SUMS);
}

/* A position and its mirror image, colours exchanged, look the same. */
static void
test_mirror(void)
{
	static float other[NET_INPUT];
	struct rules r;
	struct rng rng;
	int same = 0, count = 0;

	rng_init(&rng, 9, 0);
	rules_of(&r, "torpedo+pawn-back");
	while (count < 500) {
		struct board b, m;
		char fen[128], reason[FEN_REASON_MAX];
		random_fen(&rng, fen);
		if (fen_read(&b, &r, fen, strlen(fen), reason) == -1)
			continue;
		board_clear(&m, &r);
		for (int sq = 0; sq < 64; sq++)
			if (b.square[sq] != 0)
				board_put(&m, (b.square[sq] >> 4) ^ 1, type_at(&b, sq),
				    sq ^ 56);
		m.side = b.side ^ 1;
		m.castling = (uint8_t)((b.castling >> 2 | b.castling << 2) & 15);
		m.count = b.count;
		m.fullmove = b.fullmove;
		m.ep = b.ep == NO_SQUARE ? NO_SQUARE : b.ep ^ 56;
		board_rekey(&m);
		encode_position(&b, 1, input);
		encode_position(&m, 1, other);
		same += memcmp(input, other, sizeof(input)) == 0;
		count++;
	}
	ok(same == count, "both sides see themselves alike, in %d positions", count);
}

/* ---- rules as features ---- */

static bool
features_differ(const struct rules *a, const struct rules *b, int side)
{
	static struct sparse names; /* has no weights */
	static struct sparse_rules ra, rb;

	names.nrules = encode_nfeatures();
	for (int i = 0; i < names.nrules; i++)
		encode_feature_name(i, names.rules[i]);
	sparse_read_rules(&names, a, &ra);
	sparse_read_rules(&names, b, &rb);
	return memcmp(ra.view[side], rb.view[side], sizeof(ra.view[side])) != 0 ||
	    memcmp(ra.atoms, rb.atoms, sizeof(ra.atoms)) != 0;
}

/* Other values of a field, as far as it has some. */
static int
other_values(const struct rules_field *f, struct rules list[8])
{
	static const char *const pieces[] = { "W", "BN", "fNbW", "mRcB", "R3D", "",
		"cfHsW", "vRA" };
	static const char *const squares[] = { "a1", "b2 c3", "rank 8", "d4 e4 d5 e5",
		"h1 h2 h3", "e5", "a8 h8", "rank 4" };
	char reason[RULES_REASON_MAX], spares[20];
	int n = 0;

	for (int i = 0; i < 8; i++) {
		int v = f->lowest + i * (f->highest - f->lowest) / 7;
		struct rules *r = &list[n];
		rules_init(r);
		snprintf(spares, sizeof(spares), "a:%s,c:BN", pieces[i]);
		const char *text = f->type == RULE_PIECE ? pieces[i]
		    : f->type == RULE_PIECES             ? spares
		    : f->type == RULE_SQUARES            ? squares[i]
							 : NULL;
		if (text != NULL
			? rules_set_text(r, f, text, reason) == 0
			: f->type != RULE_FEN && rules_set(r, f, v, reason) == 0) {
			rules_finish(r);
			n += !rules_is_classical(r, f);
		}
	}
	return n;
}

/* A field cannot be added to rules.def without becoming an input of nets. */
static void
test_features(void)
{
	struct rules classical, list[8];
	float out[SPARSE_RULES_MAX];
	char name[ENCODE_FEATURE_NAME_MAX], text[200];
	int n = encode_nfeatures(), zero = 0, twice = 0;
	static char seen[SPARSE_RULES_MAX][ENCODE_FEATURE_NAME_MAX];

	rules_init(&classical);
	encode_rule_features(&classical, BLACK, out);
	for (int i = 0; i < n; i++) {
		zero += out[i] == 0;
		encode_feature_name(i, name);
		for (int j = 0; j < i; j++)
			twice += strcmp(seen[j], name) == 0;
		strcpy(seen[i], name);
	}
	ok(n > 15 && n <= SPARSE_RULES_MAX && zero == n && twice == 0,
	    "%d features, no name twice, all 0 for classical chess", n);
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		int told = 0, differ = 0, pairs = 0, many = other_values(f, list);
		for (int k = 0; k < many; k++) {
			told += features_differ(&classical, &list[k], WHITE);
			for (int m = 0; m < k; m++) {
				if (rules_same(&list[k], &list[m], f))
					continue;
				pairs++;
				differ += features_differ(&list[k], &list[m], BLACK);
			}
		}
		if (f->unit == 0)
			ok(told == 0, "%s: is no input", f->name);
		else
			ok(many > 0 && told == many && 2 * differ >= pairs &&
				encode_unknown_fields(&list[0], "", text, sizeof(text)) ==
				    1 &&
				strcmp(text, f->name) == 0 &&
				encode_unknown_fields(&list[0], f->name, text,
				    sizeof(text)) == 0,
			    "%s: told", f->name);
	}
}

static int
unknown(const char *spec, const char *known, char *text)
{
	struct rules r;

	rules_of(&r, spec);
	return encode_unknown_fields(&r, known, text, 200);
}

static void
test_unknown_fields(void)
{
	char text[200];

	ok(unknown("torpedo+no-castling+stalemate-win", ENCODE_INPUT_FIELDS, text) == 0,
	    "the old presets are known to old nets");
	ok(unknown("stalemate-3-4+chess960", ENCODE_INPUT_FIELDS, text) == 1 &&
		strcmp(text, "stalemate_value") == 0,
	    "another value is not: %s", text);
	ok(unknown("three-check+armageddon", ENCODE_INPUT_FIELDS, text) == 2 &&
		strcmp(text, "checks_to_win, draw_value") == 0,
	    "two: %s", text);
	ok(unknown("three-check+armageddon", "draw_value checks_to_win:0", text) == 0,
	    "features are known by their field");
}

int
main(void)
{
	test_walks();
	test_all_moves();
	test_examples();
	test_start();
	test_state();
	test_rules();
	test_sums_differ();
	test_mirror();
	test_features();
	test_unknown_fields();
	return tap_end();
}
