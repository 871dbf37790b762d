#include "ahead.h"

#include <math.h>

#include "chess/attack.h"

/* Nats for features of a move, fitted to lines of nets/prior.onnx in the ten rule
 * sets of the published study. For other priors only their proportions matter:
 * entropy(1) finds the scale. */
static const double LIKELY = 0.8, /* times the probability of the move */
    ATTACKED = -0.33,             /* the piece goes where it is attacked */
    EN_PRISE = -0.4,              /* ... and could be won */
    AIM = -0.13,                  /* for each additional enemy piece that it attacks */
    CHECK = -0.6,                 /* if one of these is the king */
    THREAT = -0.35,               /* if one of these could be won */
    ESCAPE = 0.18;                /* times the type, PAWN 1 to KING 6, of a piece that
			 * could have been won where it stood */

/* A position: who attacks what before the move. */
struct view {
	const struct board *b;
	bitboard occupied;
	bitboard theirs;      /* squares that they attack, even their own pieces' */
	bitboard less[TYPES]; /* ... with a piece of a lower type */
	bitboard upto[TYPES]; /* their pieces of this type or lower */
	bitboard ours, twice; /* squares that we attack, once and more often */
	bitboard from[64];    /* ... from each square that we stand on */
};

/* For few bits: the plainest machines have no POPCNT. */
static int
count(bitboard set)
{
	int n = 0;

	for (; set != 0; set &= set - 1)
		n++;
	return n;
}

static inline bitboard
attacks(const struct view *v, int type, int side, int sq, bitboard occupied)
{
	return type == PAWN ? attack_pawn[side][sq]
			    : attack_captures(v->b->rules, type, side, sq, occupied);
}

static void
look(struct view *v, const struct board *b)
{
	int us = b->side, them = us ^ 1;
	bitboard men = 0;

	v->b = b;
	v->occupied = board_occupied(b);
	v->theirs = v->ours = v->twice = 0;
	for (int type = PAWN; type < b->rules->ntypes; type++) {
		v->less[type] = v->theirs;
		v->upto[type] = men |= b->pieces[them][type];
		for (bitboard set = b->pieces[them][type]; set != 0;)
			v->theirs |=
			    attacks(v, type, them, pop_square(&set), v->occupied);
		for (bitboard set = b->pieces[us][type]; set != 0;) {
			int sq = pop_square(&set);
			bitboard to = attacks(v, type, us, sq, v->occupied);
			v->from[sq] = to;
			v->twice |= v->ours & to;
			v->ours |= to;
		}
	}
}

/* Where a piece could be won: attacked by a lesser one, or undefended. */
static bitboard
loose_squares(const struct view *v, int type, bitboard defended)
{
	return v->less[type] | (v->theirs & ~defended);
}

static double
guess(const struct view *v, move m, double prob)
{
	const struct board *b = v->b;
	bool drop = move_is_drop(m);
	int from = drop ? NO_SQUARE : move_from(m), to = move_to(m), them = b->side ^ 1;
	int was = drop ? move_dropped(m) : type_at(b, from);
	int type = move_is_promotion(m) ? move_promotion(m) : was;
	double sum = LIKELY * prob;

	/* A drop leaves no square: nothing was attacked from it, and nothing escapes. */
	bitboard before = drop ? 0 : v->from[from], left = drop ? 0 : bit(from);
	bitboard men = b->pieces[them][ALL], king = b->pieces[them][KING];
	bitboard aims =
	    men & attacks(v, type, b->side, to, (v->occupied & ~left) | bit(to));
	sum += AIM * (count(aims) - count(men & before));
	if ((loose_squares(v, was, v->ours) & left) != 0)
		sum += ESCAPE * was;
	if ((v->theirs & bit(to)) != 0)
		sum += ATTACKED;
	/* On its new square the piece does not defend itself. */
	if ((loose_squares(v, type, v->twice | (v->ours & ~before)) & bit(to)) != 0)
		sum += EN_PRISE;
	if ((aims & king) != 0)
		sum += CHECK;
	if ((aims & ~king & ~(v->upto[type] & v->theirs)) != 0)
		sum += THREAT;
	return sum;
}

double
ahead_of(const struct board *b, const struct prior *p, uint32_t drawn)
{
	double of_drawn = 0, mean = 0;
	struct view v;

	look(&v, b);
	for (uint32_t i = 0; i < p->nmoves; i++) {
		double prob = prior_of(p, i), g = guess(&v, prior_moves(p)[i], prob);
		mean += prob * g;
		if (i == drawn)
			of_drawn = g;
	}
	return round((of_drawn - mean) * AHEAD_UNITS) / AHEAD_UNITS;
}
