#include "policy.h"

#include "chess/movegen.h"

/* encode_move() of plain moves, by squares of arrival and departure. */
static uint16_t places[64 * 64];

__attribute__((constructor)) static void
fill_places(void)
{
	for (int m = 0; m < 64 * 64; m++)
		if (move_from((move)m) != move_to((move)m))
			places[m] = (uint16_t)encode_move(WHITE, (move)m);
}

/* Numbers of what is captured, beside the kinds from pawn to queen. */
enum { TAKES_CASTLING = KING, TAKES_OWN = 7, TAKES_SPARE = 8 };

int
policy_taken(move m, bool own, int kind)
{
	return move_is_castling(m) ? TAKES_CASTLING
	    : move_is_ep(m)        ? PAWN
	    : kind == 0            ? 0
	    : own                  ? TAKES_OWN
	    : kind > SPARSE_CHESS  ? TAKES_SPARE
				   : kind;
}

/* Kinds by a number from 0 on: spare ones are one. */
static int
kind_index(int kind)
{
	return kind > SPARSE_CHESS ? SPARSE_CHESS : kind - 1;
}

/* The row of a move's index. */
static int
index_row(move m, move seen, int kind)
{
	if (move_is_drop(m))
		return POLICY_DROPS + kind_index(kind) * 64 + move_to(seen);
	if (move_is_promotion(m) && move_promotion(m) > QUEEN)
		return POLICY_PROMOTES + move_promotion(m) - KING;
	if (move_is_promotion(m) && move_promotion(m) != QUEEN)
		return encode_move(WHITE, seen);
	return places[seen & 4095];
}

void
policy_terms(move m, int kind, int taken, int sight, uint16_t rows[POLICY_TERMS])
{
	move seen = m ^ (move)(sight | sight << 6);
	int to = move_to(seen);

	rows[0] = (uint16_t)index_row(m, seen, kind);
	rows[1] =
	    (uint16_t)(kind > SPARSE_CHESS ? POLICY_SPARE_ARRIVALS + to
					   : POLICY_ARRIVALS + (kind - 1) * 64 + to);
	rows[2] = (uint16_t)(taken == TAKES_SPARE
		? POLICY_SPARE_TAKES + SPARSE_CHESS + kind_index(kind) * 8
		: kind > SPARSE_CHESS ? POLICY_SPARE_TAKES + SPARSE_CHESS * 8 + taken
				      : POLICY_TAKES + (kind - 1) * 8 + taken);
}

void
policy_move_terms(const struct board *b, move m, uint16_t rows[POLICY_TERMS])
{
	int us = b->side, there = b->square[move_to(m)];
	int view = sparse_view(sparse_king(b->pieces[us][KING], us), us);
	int kind = move_is_drop(m) ? move_dropped(m) : type_at(b, move_from(m));

	policy_terms(m, kind, policy_taken(m, there >> 4 == us, there & 15),
	    sparse_sight(us, view), rows);
}

/* ---- a position ---- */

/* The logits, in 1 / (POLICY_ONE * POLICY_ROW), of the position that sparse_score() has
 * put at place 0. */
static void
find_logits(const struct sparse_ints *t, const struct sparse_stack *s,
    const struct net_query *q, int32_t *logits)
{
	const struct sparse_kernels *k = sparse_kernels_best();
	const struct board *b = q->board;
	int h = t->hidden, us = b->side;
	_Alignas(SPARSE_ALIGN) uint8_t hidden[2 * SPARSE_HIDDEN_MAX], mixed[POLICY_WIDTH];
	uint16_t terms[MOVES_MAX][POLICY_TERMS];

	k->squash(hidden, s->at[0].sums[us], h);
	k->squash(hidden + h, s->at[0].sums[us ^ 1], h);
	k->mix(mixed, hidden, 2 * h, t->mix, t->mix_bias[us]);
	for (int i = 0; i < q->nmoves; i++)
		policy_move_terms(b, q->moves[i], terms[i]);
	k->rows(logits, mixed, t->rows[us], (const uint16_t(*)[POLICY_TERMS])terms,
	    q->nmoves);
	for (int i = 0; i < q->nmoves; i++)
		for (int j = 0; j < POLICY_TERMS; j++)
			logits[i] += t->row_bias[us][terms[i][j]];
}

int
policy_priors(const struct sparse_ints *t, struct sparse_stack *s,
    const struct net_query *q, float temperature)
{
	const float unit = POLICY_ONE * POLICY_ROW * temperature;

	int32_t logits[MOVES_MAX];
	int score = sparse_score(s, q->board, 0, -1);

	if (q->nmoves == 0)
		return score;
	find_logits(t, s, q, logits);
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] = (float)logits[i] / unit;
	net_softmax(q->priors, q->nmoves);
	return score;
}

void
policy_answer(const struct sparse_ints *t, struct sparse_stack *s, struct net_query *q)
{
	int score = policy_priors(t, s, q, 1);

	sparse_wdl(score, sparse_draw(s, q->board, 0), q->wdl);
}
