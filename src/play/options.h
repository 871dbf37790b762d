/*
 * The options of searching, which options.def lists with their ranges and where
 * they go. A program lists those that it takes among its own options, with
 * CLI_OTHER(), and calls options_start().
 */
#ifndef PLAY_OPTIONS_H
#define PLAY_OPTIONS_H

#include "base/cli.h"
#include "base/text.h"
#include "search/searcher.h"

/* Options with the same --help in all programs. */
#define OPTION_ASYNC \
	CLI_OTHER('k', "async", "K", "K searches in flight for each move (default 1)")
#define OPTION_CANDIDATES \
	CLI_OTHER('m', "candidates", "N", \
	    "moves that Gumbel search considers (default 16)")
#define OPTION_DEPTH CLI_OTHER(0, "depth", "N", "search N plies deep instead of --sims")
#define OPTION_GUMBEL CLI_OTHER('G', "gumbel", NULL, "Gumbel search, for few simulations")
#define OPTION_MOVETIME \
	CLI_OTHER('T', "movetime", "S", "think S seconds a move instead of --sims")
#define OPTION_PROVIDER \
	CLI_OTHER('Y', "provider", "NAME", \
	    "execution provider of ONNX Runtime (cpu, cuda, …)")
#define OPTION_SEARCH(also) \
	CLI_OTHER(0, "search", "KIND", \
	    "tree, ab (alpha-beta) or net (default): the kind that the\n" \
	    "net was made for" also)

/* How a player searches. */
struct thinking {
	struct thinker_options thinker;
	struct limits limits; /* of a move */
};

void thinking_init(struct thinking *t);

/* Are they equal except for nets and limits? */
bool thinking_alike(const struct thinking *a, const struct thinking *b);

/*
 * Lets cli_read() read the options of the table for n players. If n is 2, an
 * argument may be "A,B", a value for each; a limit may then be 0, which means none.
 */
void options_start(struct cli *cli, struct thinking *each, int n);

/* Ends the program if the options that were read contradict each other. A limit on
 * depth, time or CPU time replaces the default number of nodes. */
void options_check(const struct cli *cli);

/* Appends a line for every option that affects the moves of this kind of search. */
void options_describe(const struct thinking *t, const struct searcher_ops *ops,
    struct text *to);

/* The words of --search; reading returns false for any other word. */
const char *search_kind_name(enum search_kind kind);
bool search_kind_read(const char *word, enum search_kind *kind);

/* A digest of a text: 16 hexadecimal digits and a NUL. */
void options_digest(const struct text *t, char digest[17]);

#endif
