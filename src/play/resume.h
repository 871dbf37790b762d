/*
 * The games of a run, written in the order of their numbers, so that a run that
 * was ended on its way can be gone on with.
 *
 * Into a plain file they go by way of FILE.part, which is written as games
 * finish and becomes FILE when all are there. Whatever ends the program before,
 * the games in FILE.part are whole, and a run that resumes takes them over. Two
 * runs on one file would take each other's FILE.part away, so FILE.lock is held
 * meanwhile.
 */
#ifndef PLAY_RESUME_H
#define PLAY_RESUME_H

#include "base/cli.h"
#include "base/inorder.h"
#include "data/game.h"

struct resume {
	/* By the caller: */
	const struct cli *cli;	/* --output and --compress */
	const struct rules *rules;
	uint64_t first, games;	/* numbers first to first + games - 1 */
	bool wanted;		/* go on with what is there */
	/* Why a game cannot be of this run; NULL when it can. */
	const char *(*differs)(const struct game *g);
	/* Its own: */
	struct zout *out;
	struct inorder lines;
	char *path;		/* what FILE leads to; NULL: not a plain file */
	struct text part, lock;	/* names */
	uint64_t next;		/* all before it are there */
	uint64_t *early;	/* numbers of games that are there beyond that */
	size_t nearly;
	uint64_t kept;		/* games that were there, and are now */
};

/* Ends the program if --resume does not go with --output. */
void resume_check(const struct resume *r);

/* Opens the output. False when FILE has all games already. What is wrong ends
 * the program: a file that cannot be opened, games of another run. */
bool resume_open(struct resume *r);

/* Is game k still to be played? */
bool resume_needs(const struct resume *r, uint64_t k);

/* Takes the line of game k, which is empty afterwards. -1 when writing fails. */
int resume_add(struct resume *r, uint64_t k, struct text *line);

/* Ends it: with all games, FILE takes its place; otherwise what there is stays
 * in FILE.part. Says what was lost, or kept, and returns the exit status. */
int resume_close(struct resume *r, bool all);

#endif
