/*
 * Kinds of special moves (movekinds.def): moves that not every rule set has, and
 * moves that end a game by a rule that chess lacks. A move may be of several kinds,
 * so they come as sets, a bit for each.
 */
#ifndef CHESS_MOVEKIND_H
#define CHESS_MOVEKIND_H

#include "board.h"
#include "end.h"

enum movekind {
#define KIND(name, word, may, class, mark) KIND_##name,
#include "movekinds.def"
#undef KIND
	MOVEKINDS
};

enum movekind_class { KIND_IS_NEW, KIND_IS_USUAL, KIND_IS_PART };

typedef uint64_t movekinds;
_Static_assert(MOVEKINDS <= 64, "a set of kinds has 64 bits");

static inline movekinds
movekind_bit(enum movekind k)
{
	return 1ULL << k;
}

/* The name in tables; the class. */
const char *movekind_name(enum movekind k);
enum movekind_class movekind_class(enum movekind k);

/* The kinds that games of these rules can have. */
movekinds movekinds_under(const struct rules *r);

/*
 * The kinds of a legal move of what was moved, capturing what was captured (0:
 * nothing), as struct line has them. Knows all but those that need the position,
 * movekinds_need_board(), and those of ends. May name kinds that the rules do not
 * have: a double step from the first rank counts as a torpedo move.
 */
movekinds movekinds_of(const struct rules *r, move m, int moved, int captured);

/* Can there be kinds that only movekinds_at() finds? */
bool movekinds_need_board(const struct rules *r);

/* All kinds of a legal move in position b that the rules have, but those of ends. */
movekinds movekinds_at(const struct board *b, move m);

/* The kind of a game's end that decided it (won), or did not; -1 for an ordinary
 * one. It counts as a kind of the last move. */
int movekind_of_end(const struct rules *r, enum end e, bool won);

/* The kind that stands for all of a set; -1 if none does. */
int movekind_mark(movekinds set);

#endif
