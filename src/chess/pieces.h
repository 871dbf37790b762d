/*
 * How a piece moves, in Betza's notation. Atoms are leaps, W (1,0), F (1,1),
 * D (2,0), N (2,1), A (2,2), H (3,0), G (3,3), and slides, R and B; Q is RB
 * and K is WF. A number after W, F, R, B, Q or K limits how far it goes.
 * Letters before an atom restrict it: m moves only, c captures only, f forward,
 * b back, s sideways, v both f and b. Every piece moves the same to the left
 * and to the right.
 *
 * A piece is stored parsed: different texts for the same piece give equal
 * structs, which are printed as the same text.
 */
#ifndef CHESS_PIECES_H
#define CHESS_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/message.h"

enum { PIECE_QUIET, PIECE_CAPTURE, PIECE_BOTH }; /* modes of moving */
enum { PIECE_TEXT_MAX = 128 }; /* room for a printed piece, NUL included */

/* Directions of slides as White sees them; for Black, forward and back are
 * exchanged: SLIDE_FORWARD ^ side, SLIDE_DIAGONAL ^ side. */
enum {
	SLIDE_FORWARD,
	SLIDE_BACK,
	SLIDE_DIAGONAL,
	SLIDE_DIAGONAL_BACK,
	SLIDE_SIDEWAYS,
	SLIDES
};
enum { LEAP_D, LEAP_N, LEAP_A, LEAP_H, LEAP_G, LEAPS };
enum { FAR_STRAIGHT = 1, FAR_DIAGONAL = 2 };
enum { WAY_FORWARD = 1, WAY_BACK = 2, WAY_SIDEWAYS = 4 };

struct piece {
	uint8_t slide[2][SLIDES]; /* [mode]: squares, 0 to 7 */
	uint8_t leap[2][LEAPS];   /* [mode]: WAY_FORWARD | … */
	/* Derived from these: */
	uint64_t pattern[2][2]; /* [mode][side]: squares that leaps and single
	                         * steps reach from d4 */
	uint8_t far[2];         /* [mode]: slides more than one step, FAR_STRAIGHT
	                         * | … */
	bool split;             /* captures differ from quiet moves */
};

/* Reads the notation: 0, or -1 with a reason. */
int piece_parse(struct piece *p, const char *text, char reason[REASON_MAX]);

/* Writes the canonical text; returns its length. */
int piece_print(const struct piece *p, char text[PIECE_TEXT_MAX]);

bool piece_equal(const struct piece *a, const struct piece *b);

/* How far it slides in a direction, and which ways it leaps, in one mode but not in
 * the other, or with PIECE_BOTH in both. */
int piece_slide_only(const struct piece *p, int mode, int direction);
int piece_leap_only(const struct piece *p, int mode, int leap);

/* Can it go n squares along its rank in this mode? */
bool piece_goes_sideways(const struct piece *p, int mode, int n);

#endif
