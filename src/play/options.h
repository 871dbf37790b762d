/*
 * The options of thinking as one table, options.def: their names, ranges and
 * where they go. A program has those that it takes among its own, by CLI_OTHER(),
 * and gives them to options_read().
 */
#ifndef PLAY_OPTIONS_H
#define PLAY_OPTIONS_H

#include "base/cli.h"
#include "base/text.h"
#include "search/searcher.h"

/* Those that all programs describe alike. */
#define OPTION_ASYNC CLI_OTHER('k', "async", "K", \
    "K searches in flight for each move (default 1)")
#define OPTION_CANDIDATES CLI_OTHER('m', "candidates", "N", \
    "moves that Gumbel search considers (default 16)")
#define OPTION_DEPTH CLI_OTHER(0, "depth", "N", \
    "search N plies deep instead of --sims")
#define OPTION_GUMBEL CLI_OTHER('G', "gumbel", NULL, \
    "Gumbel search, for few simulations")
#define OPTION_MOVETIME CLI_OTHER('T', "movetime", "S", \
    "think S seconds a move instead of --sims")
#define OPTION_PROVIDER CLI_OTHER('Y', "provider", "NAME", \
    "execution provider of ONNX Runtime (cpu, cuda, …)")
#define OPTION_SEARCH(also) CLI_OTHER(0, "search", "KIND", \
    "tree, ab (alpha-beta) or net (default): the kind that the\n" \
    "net was made for" also)

/* How somebody thinks. */
struct thinking {
	struct thinker_options thinker;
	struct limits limits;	/* of a move */
};

void thinking_init(struct thinking *t);

/* Do two think alike, but for their nets and limits? */
bool thinking_alike(const struct thinking *a, const struct thinking *b);

/*
 * Reads an option of the table for n who think. The argument may be "A,B" where
 * n is 2, for each of them; then a limit may be 0, which is none. What is wrong
 * ends the program.
 */
void options_read(const struct cli *cli, const char *name, char *arg,
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
