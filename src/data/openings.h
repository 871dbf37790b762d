/*
 * Openings that games begin with (--openings): a file of games, or of lines with
 * a FEN, told apart by the first line. A fault in the file ends the program.
 */
#ifndef DATA_OPENINGS_H
#define DATA_OPENINGS_H

#include "base/cli.h"
#include "base/rng.h"
#include "game.h"

struct openings {
	struct game *games; /* none is over after its moves */
	int count;
};

/*
 * Reads a regular file of at least one opening under these rules, which must
 * outlive them. With follow, the games may have any rules, and an opening is
 * as much of a game, perhaps nothing, as is legal under these rules and does not
 * end it; such games must have the usual start.
 */
void openings_read(struct openings *o, const struct cli *cli, const struct rules *r,
    const char *path, bool follow);
void openings_release(struct openings *o);

/*
 * Sets game g to opening k (modulo their number; the usual start if there are
 * none), followed by `plies` random plies with all legal moves equally likely,
 * and b to the position after them. If the game would end on the way, other
 * moves are tried, and after some failures fewer plies.
 */
void openings_sample(const struct openings *o, uint64_t k, const struct rules *r,
    int plies, struct rng *rng, struct game *g, struct board *b);

/* Appends lines that identify this set of openings. */
void openings_describe(const struct openings *o, struct text *to);

#endif
