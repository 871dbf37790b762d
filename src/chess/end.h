/*
 * The ways in which games end; outcome.h detects them.
 */
#ifndef CHESS_END_H
#define CHESS_END_H

#include <stdbool.h>

/*
 * END(name, word in streams, seen, sentence for people)
 *
 * seen	1: the last position alone proves it, and has no legal moves.
 *	0: it depends on the game's history or a limit, or is agreed or claimed.
 *
 * Add new ones at the end: files of partial results store them by number.
 */
#define ENDS \
	END(CHECKMATE, "checkmate", 1, "Checkmate") \
	END(STALEMATE, "stalemate", 1, "Stalemate") \
	END(MATERIAL, "material", 0, "Nobody can win with what is left") \
	END(REPETITION, "repetition", 0, "The third repetition") \
	END(FIFTY, "fifty", 0, "Too long without progress") \
	END(LENGTH, "length", 0, "The game has reached the rules' ply limit") \
	END(RESIGN, "resign", 0, "Resigned") \
	END(UNKNOWN, "unknown", 0, "Unknown") \
	END(CHECKS, "checks", 1, "The last check that was needed") \
	END(HILL, "hill", 1, "The king has reached the hill") \
	END(BARE_KING, "bare-king", 1, "A bare king") \
	END(GOAL, "goal", 1, "The king has reached its goal") \
	END(EXPLOSION, "explosion", 1, "The king has exploded") \
	END(LOST_ALL, "lost-all", 1, "No pieces left")

enum end {
	END_NONE, /* the game goes on */
#define END(name, word, seen, sentence) END_##name,
	ENDS
#undef END
	    END_COUNT
};

/* The word for an end, and its sentence; "" for END_NONE. */
const char *end_name(enum end e);
const char *end_sentence(enum end e);

/* Does the last position alone prove it? */
bool end_is_seen(enum end e);

#endif
