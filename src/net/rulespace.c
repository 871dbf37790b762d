#include "rulespace.h"

#include <math.h>
#include <stdlib.h>

#include "atoms.h"
#include "base/memory.h"
#include "chess/board.h"
#include "encode.h"

/* Both views of the same rules together count as one. */
#define VIEW M_SQRT1_2
/* A queen that moves like a king lacks ten atoms, and counts about as a switch. */
#define ATOM 0.35
/* Eight pieces more count as a switch. */
#define MAN 0.125

enum { SPARE_ATOMS = (TYPES - SPARE) * ATOMS };

/* The dimensions of a field beside those of its features. */
static int
own_dimensions(const struct rules_field *f)
{
	switch (f->type) {
	case RULE_PIECE:
		return 2 * (1 + ATOMS);
	case RULE_PIECES:
		return 1 + SPARE_ATOMS;
	case RULE_FEN:
		return 1 + 2 * (TYPES - PAWN);
	default:
		return 0;
	}
}

int
rulespace_dimensions(void)
{
	int n = 2 * encode_nfeatures();

	for (size_t i = 0; i < rules_nfields; i++)
		n += own_dimensions(&rules_fields[i]);
	return n;
}

/* The difference of two pieces. A slide's first squares count more than its last. */
static double *
put_piece(double *x, const struct piece *p, const struct piece *usual, double scale)
{
	float have[ATOMS], had[ATOMS] = { 0 };

	atoms_of(p, have);
	if (usual != NULL)
		atoms_of(usual, had);
	for (int i = 0; i < ATOMS; i++)
		*x++ = scale * ATOM * (sqrt((double)have[i]) - sqrt((double)had[i]));
	return x;
}

static double *
put_pieces(double *x, const struct rules *r, const struct rules_field *f)
{
	const struct piece *usual = rules_classical_piece(f), *p;

	for (int side = WHITE; side <= BLACK; side++) {
		p = rules_get_piece(r, f, side);
		*x++ = piece_equal(p, usual) ? 0 : VIEW;
		x = put_piece(x, p, usual, VIEW);
	}
	return x;
}

static double *
put_spares(double *x, const struct rules *r, const struct rules_field *f)
{
	static const struct piece none;

	*x++ = !rules_is_classical(r, f);
	for (int kind = SPARE; kind < TYPES; kind++)
		x = put_piece(x, kind < r->ntypes ? &r->kind[WHITE][kind] : &none, NULL,
		    1);
	return x;
}

/* The men of the start, less those of chess, and whether it is another start. */
static double *
put_start(double *x, const struct rules *r, const struct rules_field *f)
{
	static const int usual[TYPES] = { [PAWN] = 8,
		[KNIGHT] = 2,
		[BISHOP] = 2,
		[ROOK] = 2,
		[QUEEN] = 1,
		[KING] = 1 };
	struct board b;

	board_start(&b, r);
	*x++ = !rules_is_classical(r, f);
	for (int side = WHITE; side <= BLACK; side++)
		for (int type = PAWN; type < TYPES; type++)
			*x++ = MAN *
			    (__builtin_popcountll(b.pieces[side][type]) - usual[type]);
	return x;
}

void
rulespace_point(const struct rules *r, double *x)
{
	int n = encode_nfeatures();
	float *view = xreallocarray(NULL, (size_t)n, sizeof(*view));

	for (int side = WHITE; side <= BLACK; side++) {
		encode_rule_features(r, side, view);
		for (int i = 0; i < n; i++)
			*x++ = (double)view[i] * VIEW;
	}
	free(view);
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (f->type == RULE_PIECE)
			x = put_pieces(x, r, f);
		else if (f->type == RULE_PIECES)
			x = put_spares(x, r, f);
		else if (f->type == RULE_FEN)
			x = put_start(x, r, f);
	}
}
