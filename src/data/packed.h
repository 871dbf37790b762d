/*
 * Games in a few bytes a ply, for training on a hundred million positions:
 * packed(5). A file is a sequence of records, each with a checksum, so that files
 * can be joined with cat.
 *
 *	"RLP2", length, CRC-32 of the rest (4 bytes each, little-endian)
 *	rules, FEN (empty: the usual start), end, id, seed, net, options: strings,
 *	    each preceded by its length
 *	result, value to White in hundredths of a win, simulations a move
 *	number of plies; a move for each, 16 bits
 *	1 if there are scores; a score for each ply, 16 bits
 *
 * Numbers are varints (text_add_varint()), signed ones zigzag-encoded.
 *
 * So that a stream which lost whole records can be noticed, an end record follows the
 * games of each writer: "RLPE", and behind length and CRC-32 the number of games since
 * the last one. Files from before it have games that begin with "RLP1", and no end.
 */
#ifndef DATA_PACKED_H
#define DATA_PACKED_H

#include "base/text.h"
#include "chess/board.h"
#include "game.h"

enum {
	PACKED_HEAD = 12,     /* bytes before the payload */
	PACKED_MAX = 1 << 20, /* bytes of a payload */
	PACKED_NO_SCORE = INT16_MAX,
	PACKED_UNIT = 256 /* a score is a logit of the mover's points, times this */
};

/* Appends a game's record; scores has one for each ply, or is NULL. */
void packed_write(struct text *t, const struct game *g, const int16_t *scores);

/* Appends an end record, for so many games. */
void packed_write_end(struct text *t, uint64_t games);

/* Converts an expected result from -1 to 1 (NAN: none) to a score, and back. */
int16_t packed_score(double value);
float packed_value(int16_t score);

/* Sets g->search to the search data of games(5) for these scores. */
void packed_search_data(struct game *g, const int16_t *scores);

/* Are the n bytes at s the beginning of a record? Of an end record? Of a game that an
 * end record must follow, at once or after others? */
bool packed_is(const char *s, size_t n);
bool packed_is_end(const char *s, size_t n);
bool packed_wants_end(const char *s, size_t n);

/* The size of the record at s: 0 if n bytes are too few to tell, -1 if it is not
 * a record. */
long packed_size(const char *s, size_t n);

/*
 * Reads a whole record and checks every move and, unless trust, the end. scores
 * needs room for GAME_PLIES_MAX; *scored says whether there are any. 0, or -1 with
 * a reason.
 */
int packed_read(struct game *g, bool trust, const char *s, size_t n, int16_t *scores,
    bool *scored, char reason[GAME_REASON_MAX]);

/* Reads a whole end record: 0 and the number of games, or -1 with a reason. */
int packed_read_end(const char *s, size_t n, uint64_t *games,
    char reason[GAME_REASON_MAX]);

#endif
