/*
 * What every program's command line has in common: the options that mean the
 * same everywhere, how wrong ones are refused, and the exit status.
 */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "zio.h"

#define RULELAB_VERSION "0.1.0"

enum {
	EXIT_DONE = 0,	/* all was consumed */
	EXIT_LOST = 1,	/* a bad record, a cut stream, a full disk */
	EXIT_USAGE = 2	/* the command line was wrong */
};

struct cli {
	const char *synopsis;	/* "[-z] [-o file] [file ...]" */
	const char *help;	/* the options, a line each */
	const char *output;	/* NULL: standard output */
	bool compress, strict, quiet, progress, tsv, trust;
	bool missing;		/* an input could not be opened */
	const char *rules;	/* NULL: not given */
	int status;		/* what main() returns in the end */
};

/* The common options. A program takes those that make sense for it, so that
 * the others are refused. */
#define CLI_SHORT_OUTPUT "ho:Vz"
#define CLI_LONG_OUTPUT \
	{ "compress", no_argument, NULL, 'z' }, \
	{ "help", no_argument, NULL, 'h' }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "version", no_argument, NULL, 'V' }
#define CLI_SHORT_INPUT "pqr:S"
#define CLI_LONG_INPUT \
	{ "progress", no_argument, NULL, 'p' }, \
	{ "quiet", no_argument, NULL, 'q' }, \
	{ "rules", required_argument, NULL, 'r' }, \
	{ "strict", no_argument, NULL, 'S' }
#define CLI_SHORT_TABLE "t"
#define CLI_LONG_TABLE \
	{ "tsv", no_argument, NULL, 't' }

/* For programs that read games. */
enum { CLI_TRUST = 1000 };	/* has no letter */
#define CLI_LONG_GAMES \
	{ "trust", no_argument, NULL, CLI_TRUST }
#define CLI_HELP_OUTPUT \
	"  -o, --output FILE    write to FILE (compressed if it ends in .zst)\n"
#define CLI_HELP_READ \
	"  -p, --progress       show progress even when not on a terminal\n" \
	"  -q, --quiet          show no progress and no count of bad games\n" \
	"  -r, --rules SPEC     rules of games that name none (default classical)\n" \
	"  -S, --strict         stop at the first bad game\n"
#define CLI_HELP_GAMES \
	"      --trust          take results and ends as given, whatever the board says\n"

/* Call first: standard streams that are closed stay out of the way of files,
 * and a closed pipe ends the program quietly, as it should. */
void cli_start(struct cli *c, const char *synopsis, const char *help);

/* Deals with a common option, and with what getopt_long() refused; exits for
 * --help, --version and wrong usage. */
void cli_option(struct cli *c, int option);

/* Ends the program with EXIT_USAGE. */
__attribute__((format(printf, 2, 3), noreturn))
void cli_usage_error(const struct cli *c, const char *format, ...);

/* The argument of an option as a number in a range, or a usage error. */
int64_t cli_number(const struct cli *c, const char *option, const char *arg,
    int64_t lowest, int64_t highest);
double cli_real(const struct cli *c, const char *option, const char *arg,
    double lowest, double highest);
uint64_t cli_seed(const struct cli *c, const char *arg);

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
