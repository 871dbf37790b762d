/*
 * A sparse net: its inputs are which piece stands on which square, seen from each
 * side; then come one hidden layer and a few outputs. A move changes only two or
 * three inputs, so the hidden layer's sums (the accumulator) are updated rather than
 * computed anew, and a position costs a tenth of a microsecond.
 *
 *	inputs	SPARSE_INPUTS for each side: (own or other piece) x square,
 *		flipped for Black, and mirrored so that the side's own king is
 *		on the e- to h-files; then castling rights and checks left. Each
 *		has a row of weights for every zone that this king may be in
 *	hidden	`hidden` numbers for each side, clipped to 0..1 and squared
 *	outputs	by the number of pieces (SPARSE_BUCKETS): the logit of the
 *		mover's expected points, and that of a draw
 *
 * The rules change the weights: each rule feature (the net's file names them) adds
 * a change of low rank to the input weights, and a change to the biases and output
 * weights. sparse_tune() adds them up once for a rule set, and rounds to integers,
 * so that they cost nothing at a position.
 *
 * Integers: hidden weights in 1/SPARSE_ONE, output weights in 1/SPARSE_OUT,
 * sums in 16 and 32 bits, the same on every machine.
 */
#ifndef NET_SPARSE_H
#define NET_SPARSE_H

#include "base/text.h"
#include "chess/board.h"
#include "encode.h"

/* How a file names its inputs; the first kind had no zones. */
#define SPARSE_INPUT_NAME "rulelab-sparse-2"
#define SPARSE_INPUT_NAME_1 "rulelab-sparse-1"

enum {
	SPARSE_PIECES = 768,               /* inputs of pieces, castling behind them */
	SPARSE_CHECKS = SPARSE_PIECES + 4, /* own 1..9 left, the other's */
	SPARSE_INPUTS = 800,
	SPARSE_ZONES = 6, /* of a side's own king: sparse_zone() */
	SPARSE_ROWS = SPARSE_ZONES * SPARSE_INPUTS,
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
	SPARSE_WEIGHT_MOST = 760, /* of a hidden weight */
	SPARSE_ACTIVE_MAX = 40    /* inputs that are not zero, for each side */
};

/* The largest change of an input's weight by a zone: 8 bits. */
#define SPARSE_ZONE_MOST (127.0f / SPARSE_ONE)

/* The weights as they were learnt. The arrays are in one block of memory, `floats`
 * numbers beginning with `in`. */
struct sparse {
	int hidden, nrules;
	char rules[SPARSE_RULES_MAX][SPARSE_RULE_NAME_MAX];
	size_t floats;
	float *in;       /* [SPARSE_INPUTS][hidden] */
	float *bias;     /* [hidden] */
	float *out;      /* [SPARSE_HEADS][SPARSE_BUCKETS][2 * hidden] */
	float *out_bias; /* [SPARSE_HEADS][SPARSE_BUCKETS] */
	float *zone;     /* [SPARSE_ROWS][hidden], added to in */
	/* For each rule feature: */
	float *left;          /* [nrules][SPARSE_INPUTS][SPARSE_RANK] */
	float *right;         /* [nrules][SPARSE_RANK][hidden] */
	float *rule_bias;     /* [nrules][hidden] */
	float *rule_out;      /* [nrules][2 * hidden], of the points */
	float *rule_out_bias; /* [nrules][SPARSE_BUCKETS] */
};

/* Allocates a net of zeros: 0, or -1 if there is not enough memory. */
int sparse_init(struct sparse *s, int hidden, int nrules);
void sparse_release(struct sparse *s);

/* Copies the weights of another net of the same size; a rule feature that only
 * one of them has is skipped. */
void sparse_take(struct sparse *to, const struct sparse *from);

/* Does a rule feature change anything? If not, the net was never trained with it. */
bool sparse_knows_rule(const struct sparse *s, int rule);

/*
 * The features of a rule set (encode.h) that the net knows, in the net's order:
 * in[nrules] for the hidden layer, and view[side][nrules] for the outputs
 * when that side is to move. They differ where a rule treats White and
 * Black differently; the hidden layer does not get such features.
 */
struct sparse_rules {
	float in[SPARSE_RULES_MAX], view[2][SPARSE_RULES_MAX];
	bool sided; /* the views differ */
};
void sparse_read_rules(const struct sparse *s, const struct rules *r,
    struct sparse_rules *to);

/* The weights for a rule set with `side` to move: in[rows][hidden], bias[hidden],
 * out[heads][buckets][2 * hidden], out_bias[heads][buckets]. */
void sparse_compose(const struct sparse *s, const struct sparse_rules *r, int side,
    float *in, float *bias, float *out, float *out_bias);

/* ---- for one rule set, in integers ---- */

struct sparse_tuned {
	int hidden;
	int16_t *in;     /* [SPARSE_ROWS][hidden] */
	int16_t *bias;   /* [hidden] */
	int16_t *out[2]; /* [mover][SPARSE_HEADS][SPARSE_BUCKETS][2 * hidden] */
	int32_t out_bias[2][SPARSE_HEADS][SPARSE_BUCKETS];
	int worth[8]; /* of piece types, as scores, by sparse_tune() */
};

/* 0, or -1 if there is not enough memory. */
int sparse_tune(struct sparse_tuned *t, const struct sparse *s, const struct rules *r);
void sparse_tuned_release(struct sparse_tuned *t);

/* Allocates one of this size, all zeros: 0, or -1 if there is not enough memory. */
int sparse_tuned_init(struct sparse_tuned *t, int hidden);

/* Serialised: a line of sizes, then all arrays, little-endian. Reading takes
 * exactly n bytes; it returns NULL, or what is wrong. */
void sparse_tuned_write(const struct sparse_tuned *t, struct text *to);
const char *sparse_tuned_read(struct sparse_tuned *t, const char *data, size_t n);

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

/* Lists the rows of weights of a position's inputs, as `us` sees it; returns their
 * number. Row r is input r % SPARSE_INPUTS, in the zone of its king. */
int sparse_inputs(const struct board *b, int us, uint16_t *inputs);

/* The bucket of a position. */
static inline int
sparse_bucket(const struct board *b)
{
	int n = (__builtin_popcountll(board_occupied(b)) - 1) / 4;

	return n < SPARSE_BUCKETS ? n : SPARSE_BUCKETS - 1;
}

enum { SPARSE_VIEWS = 2 * SPARSE_ZONES };

/*
 * The accumulator of a position: the sums of the hidden layer. That of another
 * position is computed by updating any accumulator; the more similar the
 * positions, the faster.
 */
struct sparse_place {
	bitboard pieces[2][7]; /* as on the board */
	uint8_t castling, checks;
	uint8_t view[2];  /* of each side: mirrored or not, and its zone */
	int16_t *sums[2]; /* [side][hidden] */
};

/* Accumulators of a number of positions, and one for each side and view to start
 * from when the king changes wings or zones. */
struct sparse_stack {
	const struct sparse_tuned *net;
	int room;
	struct sparse_place *at;                    /* [room] */
	struct sparse_place begin[2][SPARSE_VIEWS]; /* that side's sums */
	int16_t *memory;
};

/* 0, or -1 if there is not enough memory. */
int sparse_stack_init(struct sparse_stack *s, const struct sparse_tuned *net, int room);
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

struct sparse_kernels {
	const char *name;
	/* to = from + sum of add - sum of sub; n numbers, a multiple of 64. */
	void (*update)(int16_t *to, const int16_t *from, const int16_t *const *add,
	    int nadd, const int16_t *const *sub, int nsub, int n);
	/* The sum over i of clip(x[i])^2 * w[i], modulo 2^32; n as above. */
	int32_t (*dot)(const int16_t *x, const int16_t *w, int n);
};

/* The i-th copy that this processor can run, the plainest first; NULL: no more. */
const struct sparse_kernels *sparse_kernels_copy(int i);
const struct sparse_kernels *sparse_kernels_best(void);

/* ---- what nets with a policy share ---- */

/* The alignment that vectors need; memory_table() has it. */
enum { SPARSE_ALIGN = 64 };

/* An array with n numbers for each of a net's rule features. */
struct sparse_rule_array {
	float *array;
	size_t n;
};

/* Those of a sparse net, from rule feature k on: left, rule_bias, rule_out,
 * rule_out_bias; and right, which does nothing without left. */
enum { SPARSE_RULE_ARRAYS = 5 };
void sparse_rule_arrays(const struct sparse *s, int k,
    struct sparse_rule_array list[SPARSE_RULE_ARRAYS]);

/* Copies these arrays for the features that both have. */
void sparse_take_rules(const struct sparse *to, const struct sparse_rule_array *a,
    const struct sparse *from, const struct sparse_rule_array *b, int arrays);

/* x in units, rounded and clamped to -most..most. */
int32_t sparse_round(float x, float unit, float most);

static inline void
sparse_add_scaled(float *to, float x, const float *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += x * from[i];
}

#endif
