/*
 * Counts of games in groups: by rule set and, with --by, by the value of a tag.
 * A tally is the whole state of a program that counts games, so that it can be
 * written (partial.h), read back, and added up in any order.
 */
#ifndef DATA_TALLY_H
#define DATA_TALLY_H

#include "base/histogram.h"
#include "base/table.h"
#include "games.h"

/* More values of a tag are refused; this bounds the memory. */
enum { TALLY_GROUPS_MAX = 100000 };

struct tally_group {
	struct rules rules;
	char *by;    /* the tag's value; NULL without --by */
	char *name;  /* of the rules in tables; set by tally_sort() */
	char *label; /* of the group in tables: rules, or rules:by */
	uint64_t games;
	uint64_t copies; /* repeated games, not counted under --distinct */
	uint64_t sum;    /* of all counts in partial results */
	struct histogram cells;
	void *own; /* the program's, freed with the group */
};

/* Is this a valid key of a cell of such rules in this program? A NULL function: none
 * is. */
typedef bool tally_key(const struct rules *r, uint64_t key);

struct tally {
	const char *program;
	const char *by; /* the tag; NULL: by rule set alone */
	double level;   /* of intervals */
	bool partial;   /* write a partial result */
	tally_key *is_key;
	tally_key *is_share; /* is its count at most the games'? or NULL */
	bool sums;           /* each game is in exactly one cell */
	uint64_t expected;   /* sum of the hashes of lines still to come; 0: none */
	struct tally_group *groups;
	int ngroups, room;
	int *slots; /* a hash table: a group's index + 1, or 0 */
	size_t nslots;
	int last;              /* index of the group found last */
	bool want_values;      /* set `values` from search data */
	const float *values;   /* of the game being counted; values.h */
	uint64_t number;       /* of that game among the good ones, from 1 */
	struct table table;    /* rows that `count` writes come first */
	bool distinct;         /* do not count repeated games */
	struct histogram seen; /* hashes of games, with distinct */
};

/* More distinct games end the program; this bounds the memory. */
enum { TALLY_DISTINCT_MAX = 1 << 26 };

/* Options of programs that count games. */
#define TALLY_BY(t, verb) \
	CLI_TEXT('b', "by", "TAG", &(t)->by, verb " separately for each value of a tag")
#define TALLY_DISTINCT(t) \
	CLI_FLAG(0, "distinct", &(t)->distinct, "count repeated games only once")
#define TALLY_PARTIAL(t, program) \
	CLI_FLAG('x', "partial", &(t)->partial, \
	    "write counts that another " program " reads and adds up")

/* program, its name in partial results, must outlive the tally. */
void tally_init(struct tally *t, const char *program, tally_key *is_key);

void tally_release(struct tally *t);

/* The group of these rules and this value of the tag, or NULL if there is none. The
 * pointer is valid until a group is added. */
struct tally_group *tally_look_up(struct tally *t, const struct rules *r, const char *by);

/* Adds a group that there is not yet. */
struct tally_group *tally_add_group(struct tally *t, const struct rules *r,
    const char *by);

/* The group of a game, created if necessary. Ends the program if there are too
 * many. The pointer is valid until the next call. */
struct tally_group *tally_find(struct tally *t, const struct game *g);

/* The same, and counts the game. */
struct tally_group *tally_count(struct tally *t, const struct game *g);

/* Sorts the groups as tables show them, and sets their names: those that the user
 * gave to the rules, unless different rules share one. */
void tally_sort(struct tally *t);

/* An empty group, for the header of a table without rows. */
struct tally_group tally_nothing(const struct tally *t);

/* Writes a table with rows 0 to n - 1 of each group, without those that has(), if
 * not NULL, says are missing. */
void tally_write_rows(const struct tally *t, struct table *table, int n,
    bool (*has)(const struct tally_group *g, int row),
    void (*add)(struct table *table, const struct tally_group *g, int row));

/* Writes the first columns of every table: rules and, with --by, by. */
void tally_write_name(const struct tally_group *g, struct table *table);

/* The rest of main() after the options, for a program that counts games. Reads all
 * files, adds partial results, and calls count() for every game, without
 * repetitions if t->distinct. Then calls write() for the table, or writes a
 * partial result itself. Returns the exit status. */
int tally_run(struct tally *t, struct cli *cli, char **files,
    void (*count)(const struct game *g), void (*write)(struct table *table));

#endif
