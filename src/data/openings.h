/*
 * Openings that games begin with: a file of games, PGN or JSONL, or of FEN
 * lines, which is told by its first line. What is wrong with the file of an
 * option --openings ends the program.
 */
#ifndef DATA_OPENINGS_H
#define DATA_OPENINGS_H

#include "base/cli.h"
#include "base/rng.h"
#include "game.h"

struct openings {
	struct game *games;	/* after the moves of none is the game over */
	int count;		/* 0: there are none */
};

/*
 * Reads a plain file of openings under these rules, which must outlive them;
 * at least one. With follow it is a file of games of any rules, and each opening
 * is as much of one as is legal under these rules and does not end the game:
 * nothing at all perhaps. Such games must begin with the usual start.
 */
void openings_read(struct openings *o, const struct cli *cli,
    const struct rules *r, const char *path, bool follow);
void openings_release(struct openings *o);

/*
 * Makes a game begin like opening k, counted round and round, and then with so
 * many random plies, each legal move as likely as the others; from the usual
 * start if there are no openings. Brings a board to where it stands then. What
 * the game was before is forgotten. Where the game would be over on the way, others are tried, and after
 * some in vain shorter ones.
 */
void openings_sample(const struct openings *o, uint64_t k,
    const struct rules *r, int plies, struct rng *rng, struct game *g,
    struct board *b);

/* Adds lines that tell one set of openings from another. */
void openings_describe(const struct openings *o, struct text *to);

#endif
