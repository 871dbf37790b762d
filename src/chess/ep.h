/*
 * The legality of en passant captures, on any rank. Two pawns leave their
 * squares at once, so that pins do not tell: the position after the capture is
 * tested for check.
 */
#ifndef CHESS_EP_H
#define CHESS_EP_H

#include "attack.h"

/* The square of the pawn that side captures by going to ep. */
static inline int
ep_victim(int side, int ep)
{
	return side == WHITE ? ep - 8 : ep + 8;
}

/* The same as ep_is_legal() under rules with other royal pieces or explosions. */
bool board_ep_is_safe(const struct board *b, int side, int from, int ep);

/* Is side's king safe after its pawn on from captures en passant? */
static inline bool
ep_is_legal(const struct board *b, int side, int from, int ep)
{
	const bitboard *enemy = b->pieces[side ^ 1];

	if (__builtin_expect(b->rules->listed, 0))
		return board_ep_is_safe(b, side, from, ep);
	int king = board_king(b, side);
	bitboard victim = bit(ep_victim(side, ep));
	bitboard occupied = (board_occupied(b) ^ victim ^ bit(from)) | bit(ep);

	if (b->rules->fairy)
		return (board_attackers(b, king, side ^ 1, occupied) & ~victim) == 0;
	bitboard attackers =
	    (attack_bishop(king, occupied) & (enemy[BISHOP] | enemy[QUEEN])) |
	    (attack_rook(king, occupied) & (enemy[ROOK] | enemy[QUEEN])) |
	    (attack_knight[king] & enemy[KNIGHT]) |
	    (attack_pawn[side][king] & enemy[PAWN] & ~victim);

	return attackers == 0;
}

#endif
