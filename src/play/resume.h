/*
 * Writes the games of a run in the order of their numbers, so that an interrupted
 * run can be resumed.
 *
 * For a regular file, games are written to FILE.part as they finish, and FILE.part
 * is renamed to FILE when all are there. If the program ends before, FILE.part has
 * the finished games, and --resume continues from them. FILE.lock keeps two runs
 * from writing the same file.
 */
#ifndef PLAY_RESUME_H
#define PLAY_RESUME_H

#include "base/cli.h"
#include "base/inorder.h"
#include "data/game.h"

struct resume {
	/* Set by the caller: */
	const struct cli *cli; /* --output and --compress */
	const struct rules *rules;
	uint64_t first, games; /* numbers first to first + games - 1 */
	bool wanted;           /* --resume */
	/* Why a game cannot belong to this run; NULL if it can. */
	const char *(*differs)(const struct game *g);
	/* private: */
	struct zout *out;
	struct inorder lines;
	char *path;             /* FILE with links followed; NULL: not a regular
	                         * file */
	struct text part, lock; /* names */
	uint64_t next;          /* all games before it are there */
	uint64_t *early;        /* numbers of later games that are there */
	size_t early_count;
	uint64_t kept; /* games written, including earlier runs */
};

/* A usage error, which ends the program, if --resume is given without --output
 * and a regular file. */
void resume_check(const struct resume *r);

/* Opens the output. False if FILE has all games already. Ends the program if a
 * file cannot be opened, or has games of another run. */
bool resume_open(struct resume *r);

/* Is game k still to be played? */
bool resume_needs(const struct resume *r, uint64_t k);

/* Adds the line of game k, taking over its text (*line is empty afterwards). 0, or
 * -1 if writing fails. */
int resume_add(struct resume *r, uint64_t k, struct text *line);

/* Closes the output. all: FILE.part becomes FILE; otherwise it is kept. Reports
 * what was lost or kept, and returns the exit status. */
int resume_close(struct resume *r, bool all);

#endif
