/*
 * Forsyth-Edwards notation.
 */
#ifndef CHESS_FEN_H
#define CHESS_FEN_H

#include "board.h"

enum {
	FEN_MAX = 128,		/* longest written FEN, NUL included */
	FEN_REASON_MAX = REASON_MAX	/* room for a reason, NUL included */
};

/*
 * Reads a FEN of len bytes under rules r, which the board goes on pointing
 * to. The two counts may be missing. Refused with a reason are texts that
 * are not FEN and positions that cannot be played: kings missing or doubled,
 * pawns on the first or last rank, more than 16 pieces or 8 pawns of a side,
 * the side not to move in check, checks left to give that the rules do not
 * explain, two rooks that castle to one side. Castling rights are read as KQkq
 * (the outermost rook) and as the letters of the rooks' files. Dropped are
 * rights without king and rook on the first rank, or where the rules forbid
 * castling, and an en passant square that no double step of these rules
 * explains or that nobody can use.
 */
int fen_read(struct board *b, const struct rules *r, const char *text,
    size_t len, char reason[FEN_REASON_MAX]);

/* Writes the position; returns the length. */
int fen_write(const struct board *b, char text[FEN_MAX]);

#endif
