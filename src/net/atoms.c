#include "atoms.h"

#include <stdio.h>

static const char *const slides[SLIDES] = { "fR", "bR", "fB", "bB", "sR" };

/* The ways that a leap can be restricted to. */
static int
ways_of(int leap)
{
	return leap == LEAP_D || leap == LEAP_H ? 3 : 2;
}

void
atoms_of(const struct piece *p, float share[ATOMS])
{
	int n = 0;

	for (int mode = PIECE_QUIET; mode <= PIECE_CAPTURE; mode++) {
		for (int i = 0; i < SLIDES; i++)
			share[n++] = (float)p->slide[mode][i] / 7;
		for (int i = 0; i < LEAPS; i++)
			for (int w = 0; w < ways_of(i); w++)
				share[n++] = (float)(p->leap[mode][i] >> w & 1);
	}
}

void
atoms_name(int atom, char name[ATOMS_NAME_MAX])
{
	char mode = "mc"[atom / ATOMS_MODE];
	int n = atom % ATOMS_MODE, leap = 0;

	if (n < SLIDES) {
		snprintf(name, ATOMS_NAME_MAX, "piece:%c%s", mode, slides[n]);
		return;
	}
	for (n -= SLIDES; n >= ways_of(leap); leap++)
		n -= ways_of(leap);
	snprintf(name, ATOMS_NAME_MAX, "piece:%c%c%c", mode, "fbs"[n], "DNAHG"[leap]);
}
