/*
 * The net: its inputs are which piece stands on which square, seen from each side;
 * then come one hidden layer and a few outputs. A move changes only two or three
 * inputs, so the hidden layer's sums (the accumulator) are updated rather than
 * computed anew, and a position costs a tenth of a microsecond. A net may have a
 * second, narrow layer that gives each legal move its logit: a policy (policy.h).
 *
 *	inputs	for each side: (own or other piece) x square, flipped for Black,
 *		and mirrored so that the side's own king is on the e- to h-files;
 *		castling rights, checks left, pieces in hand. Those of the six
 *		kinds of chess, castling and checks have a row of weights for
 *		every zone that this king may be in
 *	hidden	`hidden` numbers for each side, clipped to 0..1 and squared
 *	outputs	by the number of pieces (SPARSE_BUCKETS): the logit of the
 *		mover's expected points, and that of a draw
 *
 * A piece is the sum of its moves: each of Betza's atoms (atoms.h) has weights for
 * every square, own or other. A spare kind has those of its atoms, and a kind of
 * chess its own weights and those of the atoms by which it differs from chess.
 *
 * Other rules change the weights too: each rule feature (encode.h; the net's file
 * names those it knows) adds a change of low rank to the input weights, and a change
 * to the biases and output weights. Features are seen from one side, so that the two
 * sides may play by different rules. sparse_quantise() adds everything up once for a
 * rule set and rounds it to integers, so that the rules cost nothing at a position.
 *
 * Integers: hidden weights in 1/SPARSE_ONE, output weights in 1/SPARSE_OUT,
 * sums in 16 and 32 bits, the same on every machine.
 */
#ifndef NET_SPARSE_H
#define NET_SPARSE_H

#include "atoms.h"
#include "base/text.h"
#include "chess/board.h"
#include "encode.h"

/* How a file names its inputs. */
#define SPARSE_INPUT_NAME "rulelab-sparse-3"

enum {
	/* Kinds of pieces: six of chess, four spare ones. */
	SPARSE_CHESS = KING,
	SPARSE_SPARE = SPARES,
	SPARSE_KINDS = SPARSE_CHESS + SPARSE_SPARE,
	SPARSE_ZONES = 6, /* of a side's own king: sparse_zone() */

	/* Rows of weights for one rule set: those of each zone, then the others. */
	SPARSE_PIECES = 2 * SPARSE_CHESS * 64, /* pieces of chess, castling behind them */
	SPARSE_CHECKS = SPARSE_PIECES + 4,     /* own 1..9 left, the other's */
	SPARSE_ZONED = 800,                    /* rows of a zone */
	SPARSE_SPARE_ROWS = SPARSE_ZONES * SPARSE_ZONED,
	SPARSE_STEPS = 5, /* of a count in hand: sparse_hand_steps() */
	SPARSE_HAND_ROWS = SPARSE_SPARE_ROWS + 2 * SPARSE_SPARE * 64,
	SPARSE_ROWS = SPARSE_HAND_ROWS + 2 * SPARSE_KINDS * SPARSE_STEPS + 4,

	/* Inputs as they are learnt: those of a zone, then a spare kind's own
	 * weights, whatever its letter, and hands, where spare kinds are one. */
	SPARSE_ANY = SPARSE_ZONED,
	SPARSE_HANDS = SPARSE_ANY + 2 * 64,
	SPARSE_INPUTS = SPARSE_HANDS + 2 * (SPARSE_CHESS + 1) * SPARSE_STEPS + 2,
	SPARSE_ATOM_ROWS = ATOMS * 2 * 64, /* [atom][own, other][square] */

	SPARSE_BUCKETS = 8,
	SPARSE_HEADS = 2, /* points, draw */
	SPARSE_RANK = 4,
	SPARSE_HIDDEN_MAX = 1024,
	SPARSE_RULES_MAX = 512,
	SPARSE_RULE_NAME_MAX = ENCODE_FEATURE_NAME_MAX,
	SPARSE_ONE = 255,
	SPARSE_OUT = 128,
	SPARSE_UNIT = 256, /* of a score: expected points are
	                    * 1 / (1 + exp(-score / SPARSE_UNIT)) */
	SPARSE_SCORE_MAX = 20000,
	SPARSE_WEIGHT_MOST = 760, /* of a hidden weight; 43 such fit 16 bits */
	/* Inputs that are not zero, for each side: men, rights, checks, hands. */
	SPARSE_ACTIVE_MAX = 64 + 4 + 2 + 2 * SPARSE_KINDS * SPARSE_STEPS,

	/* The policy: policy.h. */
	POLICY_WIDTH = 64,
	POLICY_ARRIVALS = NET_POLICY, /* index of the first such row */
	POLICY_TAKES = POLICY_ARRIVALS + SPARSE_CHESS * 64,
	POLICY_SPARE_ARRIVALS = POLICY_TAKES + SPARSE_CHESS * 8,
	POLICY_SPARE_TAKES = POLICY_SPARE_ARRIVALS + 64, /* also taken spare pieces */
	POLICY_DROPS = POLICY_SPARE_TAKES + (SPARSE_CHESS + 1) * 8,
	POLICY_PROMOTES = POLICY_DROPS + (SPARSE_CHESS + 1) * 64,
	POLICY_ROWS = POLICY_PROMOTES + 8,
	POLICY_RANK = 2
};

_Static_assert(TYPES == SPARSE_KINDS + 1, "all kinds of pieces are inputs");

/* The largest weight that 8 bits hold: changes by zones, atoms, left. */
#define SPARSE_BYTE_MOST (127.0f / SPARSE_ONE)

/*
 * The arrays of weights, one line each. SPARSE_ARRAY(name, numbers, group, rate, decay,
 * most): with h the hidden units; group VALUE, POLICY, or RULE and POLICY_RULE, which
 * have that many numbers for each rule feature; how fast it learns, a share of the
 * rate; its weight decay; its largest weight.
 */
#define SPARSE_ARRAYS \
	SPARSE_ARRAY(in, SPARSE_INPUTS *h, VALUE, 1, 0, 1.98f) \
	SPARSE_ARRAY(bias, h, VALUE, 1, 0, 1.98f) \
	SPARSE_ARRAY(out, SPARSE_HEADS *SPARSE_BUCKETS * 2 * h, VALUE, 1, 0, 0.99f) \
	SPARSE_ARRAY(out_bias, SPARSE_HEADS *SPARSE_BUCKETS, VALUE, 1, 0, 0.99f) \
	SPARSE_ARRAY(zone, SPARSE_SPARE_ROWS *h, VALUE, 1, 0.01f, SPARSE_BYTE_MOST) \
	SPARSE_ARRAY(atoms, SPARSE_ATOM_ROWS *h, VALUE, 1, 0.01f, SPARSE_BYTE_MOST) \
	SPARSE_ARRAY(left, SPARSE_ZONED *SPARSE_RANK, RULE, 0.3f, 0.01f, \
	    SPARSE_BYTE_MOST) \
	SPARSE_ARRAY(right, SPARSE_RANK *h, RULE, 0.3f, 0.01f, 1.98f) \
	SPARSE_ARRAY(rule_bias, h, RULE, 0.3f, 0.01f, 1.98f) \
	SPARSE_ARRAY(rule_out, 2 * h, RULE, 0.3f, 0.01f, 1.98f) \
	SPARSE_ARRAY(rule_out_bias, SPARSE_BUCKETS, RULE, 0.3f, 0.01f, 1.98f) \
	SPARSE_ARRAY(mix, 2 * h * POLICY_WIDTH, POLICY, 4, 0, 1.98f) \
	SPARSE_ARRAY(mix_bias, POLICY_WIDTH, POLICY, 4, 0, 30) \
	SPARSE_ARRAY(rows, POLICY_ROWS *POLICY_WIDTH, POLICY, 4, 0, 3.96f) \
	SPARSE_ARRAY(row_bias, POLICY_ROWS, POLICY, 4, 0, 30) \
	SPARSE_ARRAY(rule_mix_bias, POLICY_WIDTH, POLICY_RULE, 1.2f, 0.01f, 3.96f) \
	SPARSE_ARRAY(row_left, POLICY_RANK *POLICY_ROWS, POLICY_RULE, 1.2f, 0.01f, \
	    3.96f) \
	SPARSE_ARRAY(row_right, POLICY_RANK *POLICY_WIDTH, POLICY_RULE, 1.2f, 0.01f, \
	    3.96f) \
	SPARSE_ARRAY(rule_row_bias, POLICY_ROWS, POLICY_RULE, 1.2f, 0.01f, 3.96f)

enum sparse_array_id {
#define SPARSE_ARRAY(name, n, group, rate, decay, most) SPARSE_ID_##name,
	SPARSE_ARRAYS
#undef SPARSE_ARRAY
	    SPARSE_NARRAYS
};

enum sparse_group { SPARSE_VALUE, SPARSE_RULE, SPARSE_POLICY, SPARSE_POLICY_RULE };

/* One of them. */
struct sparse_array {
	const char *name;
	size_t n; /* numbers; of a rule's array, for each feature */
	enum sparse_group group;
	float rate, decay, most;
};

/*
 * The weights as they were learnt, in one block of memory. Every array begins at a
 * multiple of SPARSE_ALIGN bytes, and so do those of each rule feature.
 *	in [SPARSE_INPUTS][h], bias [h], out [heads][buckets][2 h],
 *	out_bias [heads][buckets], zone [zones][SPARSE_ZONED][h], added to in;
 *	atoms [atoms][2][64][h]
 *	for each feature: left [SPARSE_ZONED][rank], right [rank][h], rule_bias [h],
 *	rule_out [2 h] and rule_out_bias [buckets] of the points
 *	mix [2 h][width], mix_bias [width], rows [POLICY_ROWS][width], row_bias
 *	for each feature: rule_mix_bias [width], row_left [rank][POLICY_ROWS],
 *	row_right [rank][width], rule_row_bias [POLICY_ROWS]
 * A net without a policy has none of the last two lines: mix is NULL.
 */
struct sparse {
	int hidden, nrules;
	char rules[SPARSE_RULES_MAX][SPARSE_RULE_NAME_MAX];
	size_t floats;
	float *block;
#define SPARSE_ARRAY(name, n, group, rate, decay, most) float *name;
	SPARSE_ARRAYS
#undef SPARSE_ARRAY
};

/* Allocates a net of zeros: 0, or -1 if there is not enough memory. */
int sparse_init(struct sparse *s, int hidden, int nrules, bool policy);
void sparse_release(struct sparse *s);

static inline bool
sparse_has_policy(const struct sparse *s)
{
	return s->mix != NULL;
}

/* What an array is, and where it is: of a rule's, the numbers of feature k. NULL
 * if the net has no such array. */
struct sparse_array sparse_array(const struct sparse *s, int id);
float *sparse_array_at(const struct sparse *s, int id, int k);

/* Is it an array with numbers for each rule feature? */
static inline bool
sparse_is_rule(const struct sparse_array *a)
{
	return a->group == SPARSE_RULE || a->group == SPARSE_POLICY_RULE;
}

/* Numbers from the start of one feature's to the next's. */
static inline size_t
sparse_stride(size_t n)
{
	return (n + 15) / 16 * 16;
}

/* Copies the weights of another net of the same size, except arrays and rule
 * features that only one of them has. */
void sparse_copy_weights(struct sparse *to, const struct sparse *from);

/* Does a rule feature, or an atom, change anything? If not, the net was never
 * trained with it. */
bool sparse_knows_rule(const struct sparse *s, int rule);
bool sparse_knows_atom(const struct sparse *s, int atom);

/*
 * A rule set as the net sees it: the features that it knows, in its order, as each
 * side sees them; and, for each side's kinds, the atoms' shares, beyond those of the
 * piece of chess.
 */
struct sparse_rules {
	float view[2][SPARSE_RULES_MAX];
	float atoms[2][SPARSE_KINDS + 1][ATOMS];
	bool sided;        /* the two sides' differ */
	bool fairy, hands; /* some kind has atoms; there may be pieces in hand */
};
void sparse_read_rules(const struct sparse *s, const struct rules *r,
    struct sparse_rules *to);

/* The weights of the hidden layer for a rule set as `us` sees it: in[SPARSE_ROWS][h],
 * bias[h]. Rows of spare kinds and hands that the rules lack are not set. */
void sparse_compose(const struct sparse *s, const struct sparse_rules *r, int us,
    float *in, float *bias);

/* Those of the outputs with `us` to move: out[heads][buckets][2 h],
 * out_bias[heads][buckets]. */
void sparse_compose_out(const struct sparse *s, const struct sparse_rules *r, int us,
    float *out, float *out_bias);

/* Those of the policy with `us` to move: mix_bias[width], rows[POLICY_ROWS][width],
 * row_bias[POLICY_ROWS]. Rules do not change mix. */
void sparse_compose_policy(const struct sparse *s, const struct sparse_rules *r, int us,
    float *mix_bias, float *rows, float *row_bias);

/* ---- for one rule set, in integers ---- */

struct sparse_ints {
	int hidden;
	bool hands;
	/* [side]: as White sees the board, and as Black does; the same unless the
	 * two sides play by different rules. */
	int16_t *in[2];   /* [SPARSE_ROWS][hidden] */
	int16_t *bias[2]; /* [hidden] */
	int16_t *out[2];  /* [SPARSE_HEADS][SPARSE_BUCKETS][2 * hidden], by mover */
	int32_t out_bias[2][SPARSE_HEADS][SPARSE_BUCKETS];
	int worth[SPARSE_KINDS + 1]; /* of kinds of pieces, as scores */
	int swing; /* mean change of the score from ply to ply in random games */
	/* The policy; mix is NULL without one. */
	int8_t *mix;          /* [2 * hidden / 4][POLICY_WIDTH][4] */
	int8_t *rows[2];      /* [mover][POLICY_ROWS][POLICY_WIDTH] */
	int32_t *row_bias[2]; /* [mover][POLICY_ROWS] */
	int32_t mix_bias[2][POLICY_WIDTH];
};

/* 0, or -1 if there is not enough memory. */
int sparse_quantise(struct sparse_ints *t, const struct sparse *s, const struct rules *r);
void sparse_ints_release(struct sparse_ints *t);

/* Allocates one of this size, all zeros: 0, or -1 if there is not enough memory. */
int sparse_ints_init(struct sparse_ints *t, int hidden, bool policy, bool sided);
static inline bool
sparse_ints_sided(const struct sparse_ints *t)
{
	return t->in[WHITE] != t->in[BLACK];
}

/* Serialised: a line of sizes, then all arrays, little-endian. Reading takes
 * exactly n bytes; it returns NULL, or what is wrong. */
void sparse_ints_write(const struct sparse_ints *t, struct text *to);
const char *sparse_ints_read(struct sparse_ints *t, const char *data, size_t n);

/* ---- inputs ---- */

/* The inputs that follow those of pieces, one bit each, as `us` sees them: castling
 * rights, then 1 to 9 checks that each side has left, where checks win; 0 has no bit. */
static inline uint64_t
sparse_state(int castling, int checks, int us)
{
	int own = us == WHITE ? checks & 15 : checks >> 4;
	int other = us == WHITE ? checks >> 4 : checks & 15;
	uint64_t bits =
	    (uint64_t)(us == WHITE ? castling : castling >> 2 | (castling & 3) << 2);

	return bits |
	    (1ULL << own >> 1 | 1ULL << other >> 1 << 9)
	    << (SPARSE_CHECKS - SPARSE_PIECES);
}

/* The zone of a king's square as its own side sees it, on the e- to h-files: the
 * first rank's halves, the second's, the third and fourth, and beyond. */
static inline int
sparse_zone(int seen)
{
	int rank = seen >> 3, wing = (seen & 7) >= 6;

	return rank == 0 ? wing : rank == 1 ? 2 + wing : rank < 4 ? 4 : 5;
}

/* The square of a side's king, the first of several; its usual one without. */
static inline int
sparse_king(bitboard kings, int us)
{
	return kings != 0 ? __builtin_ctzll(kings) : us == WHITE ? 4 : 60;
}

/* How a side sees the board: mirrored or not, and twice the zone of its king. XOR
 * with sparse_sight() gives a square as it sees it. */
enum { SPARSE_VIEWS = 2 * SPARSE_ZONES };
static inline int
sparse_sight(int us, int view)
{
	return (us == BLACK ? 56 : 0) ^ (view & 1 ? 7 : 0);
}

static inline int
sparse_view(int king, int us)
{
	int mirrored = file_of(king) < 4;

	return mirrored | sparse_zone(king ^ sparse_sight(us, mirrored)) << 1;
}

/* The first row, square 0, of a kind of piece, own or other. */
static inline int
sparse_piece_row(bool other, int kind, int view)
{
	return kind <= SPARSE_CHESS
	    ? (view >> 1) * SPARSE_ZONED + (other * SPARSE_CHESS + kind - 1) * 64
	    : SPARSE_SPARE_ROWS + (other * SPARSE_SPARE + kind - SPARSE_CHESS - 1) * 64;
}

/* The first row of a kind in hand; the i-th is on if there are more than
 * sparse_hand_least[i] of them. */
static inline int
sparse_hand_row(bool other, int kind)
{
	return SPARSE_HAND_ROWS + (other * SPARSE_KINDS + kind - 1) * SPARSE_STEPS;
}

static inline int
sparse_hand_steps(int count)
{
	return count < 3 ? count : count < 5 ? 3 : count < 9 ? 4 : 5;
}

/* Lists the rows of a position's inputs that are on, as `us` sees it; returns their
 * number. */
int sparse_inputs(const struct board *b, int us, uint16_t *rows);

/* The bucket of a position with so many pieces. */
static inline int
sparse_bucket(int men)
{
	int n = (men - 1) / 4;

	return n < SPARSE_BUCKETS ? n : SPARSE_BUCKETS - 1;
}

/* ---- accumulators ---- */

/*
 * The accumulator of a position: the sums of the hidden layer. That of another
 * position is computed by updating any accumulator; the more similar the
 * positions, the faster.
 */
struct accumulator {
	bitboard pieces[2][SPARSE_KINDS + 1]; /* as on the board */
	uint8_t castling, checks;
	uint8_t view[2];                    /* of each side */
	uint8_t hands[2][SPARSE_KINDS + 1]; /* steps of each count */
	int16_t *sums[2];                   /* [side][hidden] */
};

/* Accumulators of a number of positions, and one for each side and view to start
 * from when the king changes wings or zones. */
struct sparse_stack {
	const struct sparse_ints *net;
	int room;
	struct accumulator *at;                    /* [room] */
	struct accumulator begin[2][SPARSE_VIEWS]; /* that side's sums */
	int16_t *memory;
};

/* 0, or -1 if there is not enough memory. */
int sparse_stack_init(struct sparse_stack *s, const struct sparse_ints *net, int room);
void sparse_stack_release(struct sparse_stack *s);

/* The score of a position for its mover. Its sums go to place i, computed from
 * those of place from (or, if that is -1, from those in `begin`). */
int sparse_score(struct sparse_stack *s, const struct board *b, int i, int from);

/* The probability of a draw as a logit in SPARSE_UNITs, for the position that
 * was scored at place i. */
int sparse_draw(const struct sparse_stack *s, const struct board *b, int i);

/* Both as probabilities of the mover's win, a draw, a loss. */
void sparse_wdl(int score, int draw, float wdl[3]);
void sparse_wdl_of_logits(double points, double draw, float wdl[3]);

/* ---- arithmetic, compiled for several instruction sets ---- */

enum { POLICY_TERMS = 3 }; /* rows of a move */

struct sparse_kernels {
	const char *name;
	/* to = from + sum of add - sum of sub; n numbers, a multiple of 64. */
	void (*update)(int16_t *to, const int16_t *from, const int16_t *const *add,
	    int nadd, const int16_t *const *sub, int nsub, int n);
	/* The sum over i of clip(x[i])^2 * w[i], modulo 2^32; n as above. */
	int32_t (*dot)(const int16_t *x, const int16_t *w, int n);
	/* to = clip(x)^2 of n sums, in 1/POLICY_ONE. */
	void (*squash)(uint8_t *to, const int16_t *x, int n);
	/* to[POLICY_WIDTH] = clip(bias + mixture of n numbers). */
	void (*mix)(uint8_t *to, const uint8_t *x, int n, const int8_t *weights,
	    const int32_t *bias);
	/* to[i] = the sum of row products of move i, without biases. */
	void (*rows)(int32_t *to, const uint8_t *mixed, const int8_t *rows,
	    const uint16_t (*terms)[POLICY_TERMS], int n);
};

/* The i-th copy that this processor can run, the plainest first; NULL: no more. */
const struct sparse_kernels *sparse_kernels_copy(int i);
const struct sparse_kernels *sparse_kernels_best(void);

/* Uses a copy other than the best, for tests; NULL: the best. */
void sparse_kernels_use(const struct sparse_kernels *k);

/* ---- helpers ---- */

/* The alignment that vectors need; memory_table() has it. */
enum { SPARSE_ALIGN = 64 };

static inline void
sparse_add_scaled(float *to, float x, const float *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += x * from[i];
}

#endif
