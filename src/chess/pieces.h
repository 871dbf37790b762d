/*
 * How a piece moves, in Betza's notation. Atoms are leaps, W (1,0), F (1,1),
 * D (2,0), N (2,1), A (2,2), H (3,0), G (3,3), and slides, R and B; Q is RB
 * and K is WF. A number behind W, F, R, B, Q or K limits how far it goes.
 * Letters in front restrict an atom: m moves only, c captures only, f b s v
 * forward, back, sideways, both f and b. Every piece is the same in the
 * mirror, so left and right do not exist.
 *
 * A piece is kept taken apart: texts that mean the same piece are equal, and
 * are printed alike.
 */
#ifndef CHESS_PIECES_H
#define CHESS_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PIECE_QUIET, PIECE_CAPTURE };	/* what a move does where it lands */
enum { PIECE_TEXT_MAX = 128 };		/* room for a printed piece */

/* Directions of slides as White sees them; those of Black have the first four
 * in pairs exchanged. */
enum { SLIDE_FORWARD, SLIDE_BACK, SLIDE_DIAGONAL, SLIDE_DIAGONAL_BACK,
    SLIDE_SIDEWAYS, SLIDES };
enum { LEAP_D, LEAP_N, LEAP_A, LEAP_H, LEAP_G, LEAPS };
enum { FAR_STRAIGHT = 1, FAR_DIAGONAL = 2 };
enum { WAY_FORWARD = 1, WAY_BACK = 2, WAY_SIDEWAYS = 4 };

struct piece {
	uint8_t slide[2][SLIDES];	/* [quiet or capture]: squares, 0 to 7 */
	uint8_t leap[2][LEAPS];		/* WAY_FORWARD | … */
	/* Derived: where leaps and single steps go from d4, [quiet or
	 * capture][side]. */
	uint64_t pattern[2][2];
	uint8_t far[2];		/* FAR_STRAIGHT | …: so it slides, beyond one step */
	bool split;		/* it moves otherwise than it captures */
};

/* Reads the notation. -1 with a reason of at most `room` bytes. */
int piece_parse(struct piece *p, const char *text, char *reason, size_t room);

/* The canonical text; returns its length. */
int piece_print(const struct piece *p, char text[PIECE_TEXT_MAX]);

bool piece_equal(const struct piece *a, const struct piece *b);

/* Can it go n squares along its rank, moving or capturing as `mode` says? */
bool piece_goes_sideways(const struct piece *p, int mode, int n);

#endif
