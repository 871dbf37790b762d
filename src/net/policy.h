/*
 * The policy of a net (sparse.h): on top of the hidden layer, a second, narrow one
 * gives each legal move its logit.
 *
 *	hidden	2 * hidden numbers, own and the other's
 *	mixed	POLICY_WIDTH numbers, clipped to 0..1
 *	rows	a bias and a row of POLICY_WIDTH weights each; a move's logit is
 *		the sum over three rows: one for its index (encode_move(); a drop
 *		or a promotion to a king or a spare kind has others), one for piece
 *		and target square, one for piece and captured piece
 *
 * Moves are seen as the mover's accumulator sees the board: flipped vertically for
 * Black, and mirrored if its own king is on the a- to d-files.
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

enum { POLICY_ONE = 127, POLICY_MIX = 64, POLICY_ROW = 32 };

/*
 * The rows of a move. sight is sparse_sight() of the mover; kind is the piece, and
 * taken what it captures, by policy_taken().
 */
void policy_terms(move m, int kind, int taken, int sight, uint16_t rows[POLICY_TERMS]);

/* What a move captures, given the side and kind of piece on its target square (kind
 * 0: none): the kind, or a number of its own for castling, a self-capture, and a
 * spare kind. */
int policy_taken(move m, bool own, int kind);

/*
 * Evaluates a query under the rule set that t is for. The stack is one of t with room
 * for one position, used by one thread at a time. policy_priors() sets only the
 * priors, with logits divided by the temperature, and returns the score of
 * sparse_score(), whose sums are at place 0, for callers that compute the value from
 * it.
 */
int policy_priors(const struct sparse_ints *t, struct sparse_stack *s,
    const struct net_query *q, float temperature);
void policy_answer(const struct sparse_ints *t, struct sparse_stack *s,
    struct net_query *q);

/* The rows of the i-th move of a query. */
void policy_move_terms(const struct board *b, move m, uint16_t rows[POLICY_TERMS]);

#endif
