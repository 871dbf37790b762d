/*
 * A piece as numbers: the share that it has of each of Betza's atoms, by mode
 * (without capturing, capturing) and way (forward, back, sideways): 1 for a leap,
 * sevenths of a slide's length. A net's file names them, as in "piece:cfN": a
 * capture, forward, by N.
 */
#ifndef NET_ATOMS_H
#define NET_ATOMS_H

#include "chess/pieces.h"

enum {
	ATOMS_LEAPS = 3 + 2 + 2 + 3 + 2, /* ways of D, N, A, H, G */
	ATOMS_MODE = SLIDES + ATOMS_LEAPS,
	ATOMS = 2 * ATOMS_MODE,
	ATOMS_NAME_MAX = 16
};

void atoms_of(const struct piece *p, float share[ATOMS]);
void atoms_name(int atom, char name[ATOMS_NAME_MAX]);

#endif
