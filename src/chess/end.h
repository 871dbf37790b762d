/*
 * The ways in which games end. outcome.h finds out which it was.
 */
#ifndef CHESS_END_H
#define CHESS_END_H

#include <stdbool.h>

/*
 * END(name, word in streams, seen, what to say to people)
 *
 * seen	1: the last position shows it, whatever people say, and has no moves.
 *	0: it is claimed, agreed on, or a limit.
 *
 * New ones come last: files of partial results count them by number.
 */
#define ENDS \
	END(CHECKMATE, "checkmate", 1, "Checkmate") \
	END(STALEMATE, "stalemate", 1, "Stalemate") \
	END(MATERIAL, "material", 0, "Nobody can win with what is left") \
	END(REPETITION, "repetition", 0, "The third repetition") \
	END(FIFTY, "fifty", 0, "Too long without progress") \
	END(LENGTH, "length", 0, \
	    "The game has lasted as long as the rules let it") \
	END(RESIGN, "resign", 0, "Resigned") \
	END(UNKNOWN, "unknown", 0, "Unknown") \
	END(CHECKS, "checks", 1, "The last check that was needed") \
	END(HILL, "hill", 1, "The king has reached the hill") \
	END(BARE_KING, "bare-king", 1, "A bare king")

enum end {
	END_NONE,	/* the game goes on */
#define END(name, word, seen, sentence) END_##name,
	ENDS
#undef END
	END_COUNT
};

/* The word for an end, and what to say; "" for END_NONE. */
const char *end_name(enum end e);
const char *end_sentence(enum end e);

/* Is it seen in the last position? */
bool end_is_seen(enum end e);

#endif
