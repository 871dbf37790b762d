/*
 * Counts of games, in groups: by rule set, and by the value of a tag when
 * asked for. All that the counting programs keep is such a tally, so it can
 * be written (a partial result), read back, and added up in any order with
 * the same outcome.
 *
 * A partial result is one or more lines of JSON for each group:
 *	{"partial":"drawstats","v":1,"rules":"torpedo","tag":"White","by":"…",
 *	 "games":12,"cells":"1a:3 2b:9"}
 * with keys in hexadecimal and counts in decimal; tag and by, its value, are
 * there when games were counted by a tag.
 */
#ifndef DATA_TALLY_H
#define DATA_TALLY_H

#include "base/histogram.h"
#include "base/table.h"
#include "games.h"

/* More values of a tag than this are refused: the bound on memory. */
enum { TALLY_GROUPS_MAX = 100000 };

struct tally_group {
	struct rules rules;
	char *by;		/* the tag's value; NULL without --by */
	char *name;		/* what tables call the rules; by tally_sort() */
	char *label;		/* and the group: rules, or rules:by */
	uint64_t games;
	uint64_t copies;	/* of these games, not counted: distinct */
	uint64_t sum;		/* of all numbers that were read */
	struct histogram cells;
	void *own;		/* the program's, freed with the group */
};

/* May a cell have this key? Those of other programs may not; NULL: none may. */
typedef bool tally_key(uint64_t key);

struct tally {
	const char *program;
	const char *by;		/* the tag; NULL: by rule set alone */
	double level;		/* of intervals */
	bool partial;		/* write a partial result */
	tally_key *is_key;
	tally_key *is_share;	/* cells that count some of the games; or NULL */
	bool sums;		/* each game is in one cell */
	uint64_t owed;		/* games whose cells the next line should have */
	struct tally_group *groups;
	int ngroups, room;
	int *slots;		/* a hash table: a group's index + 1, or 0 */
	size_t nslots;
	int last;		/* the group last asked for */
	bool want_values;	/* of searches: then they are in values */
	const float *values;	/* of the game that is counted; values.h */
	uint64_t number;	/* of that game among the good ones, from 1 */
	struct table table;	/* rows that `count` writes come first */
	bool distinct;		/* repeated games do not count */
	struct histogram seen;	/* then: hashes of games */
};

/* More distinct games than this end the program: the bound on memory. */
enum { TALLY_DISTINCT_MAX = 1 << 26 };

/* The options that programs which count share. */
#define TALLY_BY(t, verb) \
	CLI_TEXT('b', "by", "TAG", &(t)->by, \
	    verb " separately for each value of a tag")
#define TALLY_DISTINCT(t) \
	CLI_FLAG(0, "distinct", &(t)->distinct, "count repeated games only once")
#define TALLY_PARTIAL(t, program) \
	CLI_FLAG('x', "partial", &(t)->partial, \
	    "write counts that another " program " reads and adds up")

/* The string must outlive the tally. */
void tally_init(struct tally *t, const char *program, tally_key *is_key);

void tally_release(struct tally *t);

/* The group that a game belongs to, made if need be. Ends the program when
 * there are too many. The pointer is good until the next call. */
struct tally_group *tally_find(struct tally *t, const struct game *g);

/* The same, and counts the game. */
struct tally_group *tally_count(struct tally *t, const struct game *g);

/* Counts in a group; ends the program when memory runs out. */
void tally_add(struct tally_group *g, uint64_t key, uint64_t count);

/* Counts in many cells at once, which is faster. */
void tally_add_cells(struct tally_group *g, const struct histogram_cell *cells,
    size_t n);

/* Sorts the groups into the order in which they are shown, and names them:
 * as the user named the rules, unless other rules have the same name. */
void tally_sort(struct tally *t);

/* A group without games, for the names of a table that has no rows. */
struct tally_group tally_nothing(const struct tally *t);

/* The columns that every table begins with: rules and, with --by, by. */
void tally_write_name(const struct tally_group *g, struct table *table);

/* Writes the partial result. */
int tally_write(const struct tally *t, struct zout *out);

/* Adds a partial result, a line of n bytes; -1 with a reason. Fits
 * games_on_partial(). */
int tally_read(void *tally, const char *s, size_t n,
    char reason[GAME_REASON_MAX]);

/* The rest of main(), for a program that counts games: reads all of the files,
 * partial results among them, with `count` for every game, copies left out if
 * t->distinct; then has `write` make the table, or writes a partial result
 * itself. Returns the exit status. */
int tally_run(struct tally *t, struct cli *cli, char **files,
    void (*count)(const struct game *g), void (*write)(struct table *table));

#endif
