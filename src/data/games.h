/*
 * The reader of games for all programs: any number of files, each JSONL, PGN or
 * packed, compressed or not, told apart by their first bytes. The format may
 * change within a file. A bad game is reported, counted and skipped.
 */
#ifndef DATA_GAMES_H
#define DATA_GAMES_H

#include "base/records.h"
#include "game.h"
#include "pgn.h"

/* Takes a partial result, a line of n bytes: 0, or -1 with a reason. */
typedef int games_partial(void *context, const char *s, size_t n,
    char reason[GAME_REASON_MAX]);

struct games {
	struct game game;       /* the current one */
	struct records records; /* counts of good and bad games */
	uint64_t plies;         /* so far, including bad games */
	float *values;          /* values.h of the current game, if wanted */
	int16_t *scores;        /* the same as scores of packed.h, if wanted */
	/* private: */
	struct game_options options;
	games_partial *partial;
	void *partial_context;
	struct rules rules;
	bool want_values, want_scores;
	int room;         /* of values */
	uint64_t unended; /* packed games since the last end record */
	bool uncounted;   /* a bad one, which may be several, was among them */
	enum games_format { GAMES_NONE, GAMES_JSON, GAMES_PGN, GAMES_PACKED } format;
	struct pgn pgn;
};

/*
 * Starts reading the files, a NULL-terminated list; if it is empty, standard
 * input. The common options of cli apply; a wrong --rules ends the program.
 */
void games_start(struct games *s, struct cli *cli, char **files);

/* Passes lines that are partial results (tally.h) to a function; otherwise they
 * are bad records. */
void games_on_partial(struct games *s, games_partial *partial, void *context);

/* Makes games_next() set s->values; a game with malformed search data is then
 * bad. */
void games_want_values(struct games *s);

/* Makes games_next() set s->scores, PACKED_NO_SCORE where there was no search; a
 * packed game's are those that it has. */
void games_want_scores(struct games *s);

/* Reads the next game into s->game; false at the end, and when --strict stops. */
bool games_next(struct games *s);

/* Releases everything, and reports the number of bad games if there were any. */
void games_finish(struct games *s);

#endif
