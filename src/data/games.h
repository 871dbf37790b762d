/*
 * The one reader of games that every program uses: any number of files, each
 * JSONL, PGN or packed, compressed or not, told apart by their first bytes. A
 * file may go on in another of these forms. A bad game is reported, counted and
 * skipped.
 */
#ifndef DATA_GAMES_H
#define DATA_GAMES_H

#include "base/records.h"
#include "game.h"
#include "pgn.h"

/* Takes a partial result, a line of n bytes; -1 with a reason. */
typedef int games_partial(void *context, const char *s, size_t n,
    char reason[GAME_REASON_MAX]);

struct games {
	struct game game;	/* the current one */
	struct records records;	/* how many were good, how many bad */
	uint64_t plies;		/* so far, of bad games too */
	float *values;		/* values.h of the current one, if wanted */
	/* The rest is the reader's own. */
	struct game_options options;
	games_partial *partial;
	void *partial_context;
	struct rules rules;
	bool want_values;
	int room;		/* for so many values */
	enum games_format { GAMES_NONE, GAMES_JSON, GAMES_PGN,
	    GAMES_PACKED } format;
	int16_t *scores;	/* of a packed game */
	struct pgn pgn;
};

/*
 * Reads the files (a NULL-terminated list; standard input when it is empty).
 * The common options of cli apply; a wrong --rules ends the program.
 */
void games_start(struct games *s, struct cli *cli, char **files);

/* Lines that are partial results (tally.h) go to this function; without it
 * they are bad records. */
void games_on_partial(struct games *s, games_partial *partial, void *context);

/* From now on has values, and a game with malformed search data is bad. */
void games_want_values(struct games *s);

/* The next game into s->game; false at the end, and when --strict has met
 * something bad. */
bool games_next(struct games *s);

/* Releases all, and says how many games were bad if any were. */
void games_finish(struct games *s);

#endif
