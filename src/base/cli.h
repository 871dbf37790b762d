/*
 * The command line: options and their --help from one list, the options that
 * programs share, usage errors, messages and the exit status.
 */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zio.h"

#define RULELAB_VERSION "0.1.0"

enum {
	EXIT_DONE = 0, /* all was consumed */
	EXIT_LOST = 1, /* a bad record, a cut stream, a full disk */
	EXIT_USAGE = 2 /* the command line was wrong */
};

/* What an option does. */
enum cli_kind {
	CLI_KIND_HELP,
	CLI_KIND_VERSION,
	CLI_KIND_FLAG,   /* sets a bool */
	CLI_KIND_CHOICE, /* sets an int to `lowest` */
	CLI_KIND_TEXT,
	CLI_KIND_INTEGER,
	CLI_KIND_COUNT,
	CLI_KIND_SEED,
	CLI_KIND_REAL,
	CLI_KIND_CALL, /* calls a function */
	CLI_KIND_OTHER /* calls cli.other */
};

/*
 * An option: what it does and what --help says about it. A program lists its
 * options in the order of --help, with the macros below.
 */
struct cli_option {
	int letter;           /* 0: none */
	const char *name;     /* NULL ends the list */
	const char *argument; /* its name in --help; NULL: takes none */
	const char *help;     /* '\n' separates lines */
	enum cli_kind kind;
	size_t common; /* if not 0: offset of its value in struct cli */
	union {
		void *any;
		bool *flag;
		const char **text;
		int *integer;
		uint64_t *count;
		double *real;
	} to;
	int64_t lowest, highest;
	double least, most; /* the range of a real number */
	void (*call)(const char *argument);
};

struct cli {
	const char *synopsis; /* "[-z] [-o file] [file ...]" */
	const char *help;     /* what the program does, some lines */
	const struct cli_option *options;
	const char *after; /* text of --help below the options, or NULL */
	bool in_order;     /* options end at the first other argument */
	void (*other)(const struct cli *c, const char *name, char *argument);
	void *filled; /* what other() fills: `nfilled` structs */
	int nfilled;
	char given[128];    /* letters of the options given */
	const char *output; /* NULL: standard output */
	bool compress, strict, quiet, progress, tsv, trust;
	bool missing;      /* an input could not be read: -o FILE stays */
	const char *rules; /* NULL: not given */
	int status;        /* what main() returns in the end */
};

#define CLI_ROW(c, n, a, h, k) \
	.letter = c, .name = n, .argument = a, .help = h, .kind = CLI_KIND_##k

/* Options that programs share. Each program lists those that make sense for
 * it. */
/* clang-format off */
#define CLI_COMMON(c, n, a, h, k, member) \
	{ CLI_ROW(c, n, a, h, k), .common = offsetof(struct cli, member) }
#define CLI_HELP { CLI_ROW('h', "help", NULL, "show this help", HELP) }
#define CLI_VERSION { CLI_ROW('V', "version", NULL, "show the version", VERSION) }
#define CLI_OUTPUT(h) CLI_COMMON('o', "output", "FILE", h, TEXT, output)
#define CLI_OUTPUT_ZST \
	CLI_OUTPUT("write to FILE (compressed if it ends in .zst)")
#define CLI_COMPRESS \
	CLI_COMMON('z', "compress", NULL, "compress the output with zstd", FLAG, \
	    compress)
#define CLI_TSV(before) \
	CLI_COMMON('t', "tsv", NULL, before "write TSV instead of JSONL", FLAG, \
	    tsv)
#define CLI_PROGRESS \
	CLI_COMMON('p', "progress", NULL, \
	    "show progress even when not on a terminal", FLAG, progress)
#define CLI_QUIET(also) \
	CLI_COMMON('q', "quiet", NULL, "show no progress" also, FLAG, quiet)
#define CLI_RULES(h) CLI_COMMON('r', "rules", "SPEC", h, TEXT, rules)
#define CLI_RULES_PLAYED \
	CLI_RULES("preset, sum of presets, or JSON file (default classical)")
#define CLI_RULES_READ \
	CLI_RULES("rules of games that name none (default classical)")
#define CLI_STRICT(record) \
	CLI_COMMON('S', "strict", NULL, "stop at the first bad " record, FLAG, \
	    strict)
#define CLI_TRUST \
	CLI_COMMON(0, "trust", NULL, \
	    "take results and ends as given, whatever the board says", FLAG, trust)
/* The options of programs that read games, except CLI_TRUST. */
#define CLI_READ \
	CLI_PROGRESS, CLI_QUIET(" and no count of bad games"), CLI_RULES_READ, \
	CLI_STRICT("game")

/* A program's own options: letter, name, name of the argument, where the value
 * goes, its range, help. */
#define CLI_FLAG(c, n, t, h) \
	{ CLI_ROW(c, n, NULL, h, FLAG), .to.flag = t }
#define CLI_CHOICE(c, n, t, value, h) \
	{ CLI_ROW(c, n, NULL, h, CHOICE), .to.integer = t, .lowest = value }
#define CLI_TEXT(c, n, a, t, h) \
	{ CLI_ROW(c, n, a, h, TEXT), .to.text = t }
#define CLI_INTEGER(c, n, a, t, from, upto, h) \
	{ CLI_ROW(c, n, a, h, INTEGER), .to.integer = t, .lowest = from, \
	    .highest = upto }
#define CLI_COUNT(c, n, a, t, from, upto, h) \
	{ CLI_ROW(c, n, a, h, COUNT), .to.count = t, .lowest = from, \
	    .highest = upto }
#define CLI_SEED(t, h) \
	{ CLI_ROW('s', "seed", "N", h, SEED), .to.count = t }
#define CLI_REAL(c, n, a, t, from, upto, h) \
	{ CLI_ROW(c, n, a, h, REAL), .to.real = t, .least = from, .most = upto }
#define CLI_LEVEL(t, intervals) \
	CLI_REAL('l', "level", "P", t, 1e-6, 1 - 1e-6, \
	    "level of the " intervals " (default 0.95)")
#define CLI_CALL(c, n, a, f, h) \
	{ CLI_ROW(c, n, a, h, CALL), .call = f }
#define CLI_OTHER(c, n, a, h) \
	{ CLI_ROW(c, n, a, h, OTHER) }
#define CLI_END { .name = NULL }
/* clang-format on */

/* Call first. Also opens those of descriptors 0 to 2 that are closed, calls
 * message_guard(), and lets SIGPIPE end the program quietly. */
void cli_start(struct cli *c, const char *synopsis, const char *help,
    const struct cli_option *options);

/* Reads the options and returns the remaining arguments. Exits on --help,
 * --version and usage errors. */
char **cli_read(struct cli *c, int argc, char *argv[]);

/* Prints the help and exits. */
void cli_help(const struct cli *c) __attribute__((noreturn));

/* Flushes standard output and exits with EXIT_DONE, or with EXIT_LOST and a
 * message when that fails. */
void cli_done(void) __attribute__((noreturn));

/* Prints the message and the synopsis, and exits with EXIT_USAGE. */
void cli_usage_error(const struct cli *c, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/* An option's argument as a number within a range; a usage error if it is not. */
int64_t cli_number(const struct cli *c, const char *option, const char *arg,
    int64_t lowest, int64_t highest);

/* Does what the option's kind says, for the value at `to`; a usage error if the
 * argument does not fit. */
void cli_set(const struct cli *c, const struct cli_option *o, void *to, char *arg);

/* Opens the output that -o and -z name. Exits with a message on failure. */
struct zout *cli_open_output(const struct cli *c);

/* Closes the output and returns the exit status: EXIT_LOST, with a message, if
 * not everything could be written. After bad records that were skipped, -o FILE
 * is still replaced, by the good ones. If an input could not be opened, or
 * --strict stopped, FILE stays as it was. */
int cli_finish(struct cli *c, struct zout *out);

/* Reports a bad record as "prog: file:line: reason" and sets the exit status to
 * EXIT_LOST. With line 0 only the file is named. */
void cli_warn(struct cli *c, const char *file, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for an input that could not be opened, with errno's message. */
void cli_missing(struct cli *c, const char *file);

#endif
