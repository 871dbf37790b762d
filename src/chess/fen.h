/*
 * Forsyth-Edwards notation.
 */
#ifndef CHESS_FEN_H
#define CHESS_FEN_H

#include "board.h"

enum {
	FEN_MAX = 192,              /* longest written FEN, NUL included */
	FEN_REASON_MAX = REASON_MAX /* room for a reason, NUL included */
};

/*
 * Reads a FEN of len bytes under rules r, which must outlive the board. Returns
 * 0, or -1 with a reason.
 *
 * The two counts may be missing. Castling rights may be written as KQkq (the
 * outermost rook) or as the files of the rooks (X-FEN, Shredder-FEN). With drops,
 * pieces in hand stand behind the placement as [QNpp] or as a ninth rank, and ~
 * behind a piece that goes into a hand as a pawn. Refused are positions that cannot
 * be played: a royal king missing or more than one, pawns on the first or last rank,
 * more pieces or pawns of a side than 16 and 8 or than the start has, the side not
 * to move in check, checks left to give that contradict the rules, two rooks
 * that castle to the same side, pieces in hand without drops or too many. Dropped
 * without a word are castling rights without king and rook on the first rank, or
 * under rules without castling, and an en passant square that no double step can have
 * passed or on which no capture is legal.
 */
int fen_read(struct board *b, const struct rules *r, const char *text, size_t len,
    char reason[FEN_REASON_MAX]);

/* Writes the position as X-FEN; returns the length. */
int fen_write(const struct board *b, char text[FEN_MAX]);

#endif
