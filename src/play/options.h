/*
 * The options of thinking as one table, options.def: their names, ranges and
 * where they go. A program names those that it takes, adds its own, and gets
 * what getopt_long() wants.
 */
#ifndef PLAY_OPTIONS_H
#define PLAY_OPTIONS_H

#include "base/cli.h"
#include "base/text.h"
#include "search/searcher.h"

/* How somebody thinks. */
struct thinking {
	struct thinker_options thinker;
	struct limits limits;	/* of a move */
};

/* Codes of options without a letter; a program's own begin at OPTIONS_OWN. */
enum {
	OPTION_CPU_TIME = 0x1000, OPTION_DEPTH, OPTION_SEARCH,
	OPTION_TEMPERATURE, OPTIONS_OWN = 256
};

enum { OPTIONS_MAX = 80 };

struct options {
	struct option longs[OPTIONS_MAX];
	char shorts[3 * OPTIONS_MAX];
};

void thinking_init(struct thinking *t);

/* Do two think alike, but for their nets and limits? */
bool thinking_alike(const struct thinking *a, const struct thinking *b);

/* A program's own options, which end with a zero, and those of the table that
 * `names` lists, with a blank between two. */
void options_make(struct options *o, const struct option *own,
    const char *names);

/*
 * Reads an option of the table for n who think; false when it is not one. The
 * argument may be "A,B" where n is 2, for each of them; then a limit may be 0,
 * which is none. What is wrong ends the program.
 */
bool options_read(const struct cli *cli, int c, char *arg,
    struct thinking *each, int n);

/* Ends the program if options do not go together. A limit on time or depth, or
 * of CPU time, takes the place of the usual number of nodes. */
void options_check(const struct cli *cli, struct thinking *each, int n);

/* Adds a line for every option that chooses moves in this kind of search. */
void options_describe(const struct thinking *t, const struct searcher_ops *ops,
    struct text *to);

/* The words of --search: false when it is none of them. */
const char *search_kind_name(enum search_kind kind);
bool search_kind_read(const char *word, enum search_kind *kind);

/* 16 hexadecimal digits that stand for a text, and a NUL. */
void options_digest(const struct text *t, char digest[17]);

#endif
