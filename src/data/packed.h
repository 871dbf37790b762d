/*
 * Games in a few bytes a ply, for training on a hundred million positions:
 * packed(5). A record has its own check sum; records follow each other, so
 * files can be joined by cat.
 *
 *	"RLP1", length, CRC-32 of the rest (4 bytes each, little-endian)
 *	rules, FEN (empty: the usual start), end, id, seed, net, options: texts,
 *	    each with its length in front
 *	result, White's points in hundredths of a win, simulations a move
 *	number of plies; a move each, 16 bits
 *	1 if there are scores; a score each, 16 bits
 *
 * Numbers are written 7 bits to a byte, the lowest first, the top bit set on
 * all but the last; signed ones zigzag.
 */
#ifndef DATA_PACKED_H
#define DATA_PACKED_H

#include "base/text.h"
#include "chess/board.h"
#include "game.h"

enum {
	PACKED_HEAD = 12,	/* bytes before the payload */
	PACKED_MAX = 1 << 20,	/* bytes of a payload */
	PACKED_NO_SCORE = INT16_MAX,
	PACKED_UNIT = 256	/* of a score: the logit of the mover's points */
};

/* Adds a game's record; scores has one for each ply, or is NULL. */
void packed_write(struct text *t, const struct game *g, const int16_t *scores);

/* The score of an expected score from -1 to 1 (NAN: there is none), and back. */
int16_t packed_score(double value);
float packed_value(int16_t score);

/* The search data of JSONL (games(5)) that scores amount to, kept in g->search. */
void packed_search_data(struct game *g, const int16_t *scores);

/* Is this the beginning of a record? n bytes are there. */
bool packed_is(const char *s, size_t n);

/* The bytes of the record that begins at s: 0 when its head is not whole yet,
 * -1 when it is none. */
long packed_size(const char *s, size_t n);

/*
 * Reads a whole record. Every move is checked. scores gets those of the plies
 * and must have room for GAME_PLIES_MAX; *scored tells whether there are any.
 * -1 with a reason.
 */
int packed_read(struct game *g, const char *s, size_t n, int16_t *scores,
    bool *scored, char reason[GAME_REASON_MAX]);

#endif
