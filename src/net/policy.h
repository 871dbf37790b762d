/*
 * A sparse net with a policy: the value net of sparse.h and, on top of the same
 * hidden layer, a second, narrow one that gives each legal move its logit.
 *
 *	hidden	2 * hidden numbers, own and the other's, as in sparse.h
 *	mixed	POLICY_WIDTH numbers, clipped to 0..1
 *	rows	a bias and a row of POLICY_WIDTH weights each; a move's logit is
 *		the sum over three rows: one for its index (encode_move()), one
 *		for piece and target square, one for piece and captured piece
 *
 * Moves are seen as the mover's accumulator sees the board: flipped vertically for
 * Black, and mirrored if its own king is on the a- to d-files.
 *
 * As in sparse.h, the rules change the weights: each rule feature changes the
 * biases, and the rows by a change of low rank. policy_tune() adds them up.
 * The features are those of the hidden layer, the same for both sides.
 *
 * Integers: hidden and mixed numbers in 1/POLICY_ONE, weights of the narrow
 * layer in 1/POLICY_MIX, of rows in 1/POLICY_ROW, 8 bits each; sums in 32.
 * So a move's logit is the same on every machine.
 */
#ifndef NET_POLICY_H
#define NET_POLICY_H

#include "encode.h"
#include "net.h"
#include "sparse.h"

#define POLICY_INPUT_NAME "rulelab-sparse-policy-2"
#define POLICY_INPUT_NAME_1 "rulelab-sparse-policy-1" /* without zones */

enum {
	POLICY_WIDTH = 64,
	POLICY_ARRIVALS = NET_POLICY, /* index of the first such row */
	POLICY_TAKES = POLICY_ARRIVALS + 6 * 64,
	POLICY_ROWS = POLICY_TAKES + 6 * 8,
	POLICY_RANK = 2,
	POLICY_TERMS = 3, /* rows of a move */
	POLICY_ONE = 127,
	POLICY_MIX = 64,
	POLICY_ROW = 32
};

/* The weights as they were learnt: those of the value in a block of their own,
 * the others in one that begins with mix. */
struct policy {
	struct sparse value;
	size_t floats;
	float *mix;      /* [2 * hidden][POLICY_WIDTH] */
	float *mix_bias; /* [POLICY_WIDTH] */
	float *rows;     /* [POLICY_ROWS][POLICY_WIDTH] */
	float *row_bias; /* [POLICY_ROWS] */
	/* For each rule feature: */
	float *rule_mix_bias; /* [nrules][POLICY_WIDTH] */
	float *left;          /* [nrules][POLICY_RANK][POLICY_ROWS] */
	float *right;         /* [nrules][POLICY_RANK][POLICY_WIDTH] */
	float *rule_row_bias; /* [nrules][POLICY_ROWS] */
};

/* Allocates a net of zeros: 0, or -1 if there is not enough memory. The second one
 * takes over the value's weights, whether it succeeds or not. */
int policy_init(struct policy *p, int hidden, int nrules);
int policy_init_value(struct policy *p, struct sparse *value);
void policy_release(struct policy *p);

/* Copies the weights of another net of the same size, as sparse_take() does. */
void policy_take(struct policy *to, const struct policy *from);

/* The weights for a rule set, with its changes: rows[POLICY_ROWS][POLICY_WIDTH],
 * row_bias[POLICY_ROWS], mix_bias[POLICY_WIDTH]. Rules do not change mix. */
void policy_compose(const struct policy *p, const struct sparse_rules *r, float *mix_bias,
    float *rows, float *row_bias);

/*
 * The rows of a move. turn is policy_turn(): XOR with it gives a square as the mover
 * sees it; type is the piece, and taken what it captures, by policy_taken().
 */
static inline int
policy_turn(int side, int king)
{
	return (side == BLACK ? 56 : 0) ^ (file_of(king) < 4 ? 7 : 0);
}

/* The piece that a move captures, given the content of its target square; 0: none.
 * Castling and self-captures have numbers of their own. */
static inline int
policy_taken(move m, int side, int there)
{
	return move_kind(m) == MOVE_CASTLING  ? KING
	    : move_kind(m) == MOVE_EN_PASSANT ? PAWN
	    : there == 0                      ? 0
	    : there >> 3 == side              ? KING + 1
					      : there & 7;
}

void policy_terms(move m, int type, int taken, int turn, uint16_t rows[POLICY_TERMS]);

/* ---- for one rule set, in integers ---- */

struct policy_tuned {
	struct sparse_tuned value;
	int8_t *mix;       /* [2 * hidden / 4][POLICY_WIDTH][4] */
	int8_t *rows;      /* [POLICY_ROWS][POLICY_WIDTH] */
	int32_t *row_bias; /* [POLICY_ROWS] */
	int32_t mix_bias[POLICY_WIDTH];
};

/* 0, or -1 if there is not enough memory. */
int policy_tune(struct policy_tuned *t, const struct policy *p, const struct rules *r);
void policy_tuned_release(struct policy_tuned *t);

/* The same as bytes, as sparse_tuned_write() and sparse_tuned_read() do it. */
void policy_tuned_write(const struct policy_tuned *t, struct text *to);
const char *policy_tuned_read(struct policy_tuned *t, const char *data, size_t n);

/*
 * Evaluates a query under the rule set that the net has been tuned for. The stack is
 * one of t->value with room for one position, used by one thread at a time.
 * policy_priors() sets only the priors, with logits divided by the temperature, and
 * returns the score of sparse_score(), whose sums are at place 0, for callers that
 * compute the value from it.
 */
int policy_priors(const struct policy_tuned *t, struct sparse_stack *s,
    const struct net_query *q, float temperature);
void policy_answer(const struct policy_tuned *t, struct sparse_stack *s,
    struct net_query *q);

/* The logits alone, in 1 / (POLICY_ONE * POLICY_ROW), of the position that
 * sparse_score() has put at place 0. */
void policy_logits(const struct policy_tuned *t, const struct sparse_stack *s,
    const struct net_query *q, int32_t *logits);

/* ---- arithmetic, compiled for several instruction sets ---- */

struct policy_kernels {
	const char *name;
	/* to = clip(x)^2 of n sums of sparse.h, in 1/POLICY_ONE. */
	void (*squash)(uint8_t *to, const int16_t *x, int n);
	/* to[POLICY_WIDTH] = clip(bias + mixture of n numbers). */
	void (*mix)(uint8_t *to, const uint8_t *x, int n, const int8_t *weights,
	    const int32_t *bias);
	/* to[i] = the sum of row products of move i, without biases. */
	void (*rows)(int32_t *to, const uint8_t *mixed, const int8_t *rows,
	    const uint16_t (*terms)[POLICY_TERMS], int n);
};

/* The i-th copy that this processor can run, the plainest first; NULL: no more. */
const struct policy_kernels *policy_kernels_copy(int i);

/* Uses a copy other than the best, for tests; NULL: the best. */
void policy_kernels_use(const struct policy_kernels *k);

#endif
