/*
 * What every program's command line has in common: the options that mean the
 * same everywhere, how wrong ones are refused, and the exit status.
 */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zio.h"

#define RULELAB_VERSION "0.1.0"

enum {
	EXIT_DONE = 0,	/* all was consumed */
	EXIT_LOST = 1,	/* a bad record, a cut stream, a full disk */
	EXIT_USAGE = 2	/* the command line was wrong */
};

/* What an option does. */
enum cli_kind {
	CLI_KIND_HELP, CLI_KIND_VERSION,
	CLI_KIND_FLAG,		/* sets a bool */
	CLI_KIND_CHOICE,	/* sets an int to the lowest of its range */
	CLI_KIND_TEXT, CLI_KIND_INTEGER, CLI_KIND_COUNT, CLI_KIND_SEED,
	CLI_KIND_REAL,
	CLI_KIND_CALL,		/* calls a function */
	CLI_KIND_OTHER		/* calls cli.other */
};

/*
 * An option, in one place: what --help says of it and what it does. A program
 * has a list of them in the order of --help, made by the macros below.
 */
struct cli_option {
	int letter;		/* 0: none */
	const char *name;	/* NULL ends the list */
	const char *argument;	/* as --help calls it; NULL: it takes none */
	const char *help;	/* with a line end where another line begins */
	enum cli_kind kind;
	size_t common;		/* if not 0: where in struct cli its value is */
	union {
		void *any;
		bool *flag;
		const char **text;
		int *integer;
		uint64_t *count;
		double *real;
	} to;
	int64_t lowest, highest;
	double least, most;	/* the range of a real number */
	void (*call)(const char *argument);
};

struct cli {
	const char *synopsis;	/* "[-z] [-o file] [file ...]" */
	const char *help;	/* what the program does, some lines */
	const struct cli_option *options;
	const char *after;	/* what --help says behind the options, or NULL */
	bool in_order;		/* options end where other arguments begin */
	void (*other)(const char *name, char *argument);
	char given[128];	/* letters of the options that were given */
	const char *output;	/* NULL: standard output */
	bool compress, strict, quiet, progress, tsv, trust;
	bool missing;		/* an input could not be read: -o FILE stays */
	const char *rules;	/* NULL: not given */
	int status;		/* what main() returns in the end */
};

#define CLI_ROW(c, n, a, h, k) \
	.letter = c, .name = n, .argument = a, .help = h, .kind = CLI_KIND_##k

/* The options that programs have in common. Each takes those that make sense
 * for it. */
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
/* Those of programs that read games, but for CLI_TRUST. */
#define CLI_READ \
	CLI_PROGRESS, CLI_QUIET(" and no count of bad games"), CLI_RULES_READ, \
	CLI_STRICT("game")

/* A program's own: letter, name, what its argument is called, where its value
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

/* Call first: standard streams that are closed stay out of the way of files,
 * and a closed pipe ends the program quietly, as it should. */
void cli_start(struct cli *c, const char *synopsis, const char *help,
    const struct cli_option *options);

/* Reads the options, and returns the arguments behind them. Exits for --help,
 * --version and wrong usage. */
char **cli_read(struct cli *c, int argc, char *argv[]);

/* What --help does. */
__attribute__((noreturn))
void cli_help(const struct cli *c);

/* Ends a program that has said all it had to say. */
__attribute__((noreturn))
void cli_done(void);

/* Ends the program with EXIT_USAGE. */
__attribute__((format(printf, 2, 3), noreturn))
void cli_usage_error(const struct cli *c, const char *format, ...);

/* The argument of an option as a number in a range, or a usage error. */
int64_t cli_number(const struct cli *c, const char *option, const char *arg,
    int64_t lowest, int64_t highest);
double cli_real(const struct cli *c, const char *option, const char *arg,
    double lowest, double highest);

/* Opens the output that -o and -z ask for; exits with a message if it
 * cannot. */
struct zout *cli_open_output(const struct cli *c);

/* Closes it and returns the exit status: EXIT_LOST with a message when not
 * everything could be written. Bad records that were skipped do not keep a
 * named file from being replaced: it has the good ones. An input that could not
 * be opened does, and so does what --strict has stopped: then the file is left
 * as it was before. */
int cli_finish(struct cli *c, struct zout *out);

/* Says what happened to a record and remembers it for the exit status. With
 * line 0 only the file is named. */
__attribute__((format(printf, 4, 5)))
void cli_warn(struct cli *c, const char *file, uint64_t line,
    const char *format, ...);

/* The same for an input that could not be opened; errno tells why. */
void cli_missing(struct cli *c, const char *file);

#endif
