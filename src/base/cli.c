#include "cli.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "text.h"

enum {
	HELP_COLUMN = 23, /* where --help says what an option does */
	OPTIONS_MAX = 60
};

/* If one of descriptors 0 to 2 were closed, the next file opened would get its
 * number, and with it what is meant for the stream. The placeholder is opened
 * for the wrong direction, so that using the stream still fails. */
static void
open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(EXIT_LOST);
}

void
cli_start(struct cli *c, const char *synopsis, const char *help,
    const struct cli_option *options)
{
	memset(c, 0, sizeof(*c));
	c->synopsis = synopsis;
	c->help = help;
	c->options = options;
	open_standard();
	message_guard();
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN); /* too large a file is a failed write */
}

/* ---- help ---- */

void
cli_done(void)
{
	if (fflush(stdout) == EOF)
		err(EXIT_LOST, "standard output");
	exit(EXIT_DONE);
}

static void
print_option(const struct cli_option *o)
{
	char letter[] = "   ";
	const char *s = o->help;

	if (o->letter != 0)
		snprintf(letter, sizeof(letter), "-%c,", o->letter);
	int n = printf("  %s --%s%s%s", letter, o->name, o->argument != NULL ? " " : "",
	    o->argument != NULL ? o->argument : "");
	int blanks = n < HELP_COLUMN ? HELP_COLUMN - n : 2;
	for (;; blanks = HELP_COLUMN) {
		size_t length = strcspn(s, "\n");
		printf("%*s%.*s\n", blanks, "", (int)length, s);
		if (s[length] == '\0')
			return;
		s += length + 1;
	}
}

void
cli_help(const struct cli *c)
{
	printf("usage: %s %s\n\n%s\n", program_invocation_short_name, c->synopsis,
	    c->help);
	for (const struct cli_option *o = c->options; o->name != NULL; o++)
		print_option(o);
	if (c->after != NULL)
		printf("\n%s", c->after);
	cli_done();
}

__attribute__((noreturn)) static void
end_usage(const struct cli *c)
{
	fprintf(stderr, "usage: %s %s\n", program_invocation_short_name, c->synopsis);
	exit(EXIT_USAGE);
}

/* ---- options ---- */

/* getopt_long() returns a letter, or LONG plus the option's index. */
enum { LONG = 256 };

static void
list_options(const struct cli *c, struct option longs[OPTIONS_MAX],
    char shorts[2 * OPTIONS_MAX + 1])
{
	int n = 0;

	if (c->in_order)
		*shorts++ = '+';
	for (const struct cli_option *o = c->options; o->name != NULL; o++) {
		bool takes = o->argument != NULL;
		if (n + 1 == OPTIONS_MAX)
			abort();
		longs[n] = (struct option){ o->name,
			takes ? required_argument : no_argument, NULL, LONG + n };
		n++;
		if (o->letter == 0)
			continue;
		*shorts++ = (char)o->letter;
		if (takes)
			*shorts++ = ':';
	}
	longs[n] = (struct option){ NULL, 0, NULL, 0 };
	*shorts = '\0';
}

static const struct cli_option *
find_option(const struct cli *c, int code)
{
	const struct cli_option *o = c->options;

	if (code == '?') /* getopt_long() has printed the reason */
		end_usage(c);
	if (code >= LONG)
		return o + code - LONG;
	while (o->letter != code)
		o++;
	return o;
}

static void
remember(struct cli *c, int letter)
{
	size_t n = strlen(c->given);

	if (letter != 0 && strchr(c->given, letter) == NULL)
		c->given[n] = (char)letter;
}

static double
read_real(const struct cli *c, const char *option, const char *arg, double lowest,
    double highest)
{
	double v;

	if (!number_read_double(arg, lowest, highest, &v))
		cli_usage_error(c, "%s takes a number from %g to %g, not '%s'", option,
		    lowest, highest, arg);
	return v;
}

void
cli_set(const struct cli *c, const struct cli_option *o, void *to, char *arg)
{
	char name[40];

	snprintf(name, sizeof(name), "--%s", o->name);
	switch (o->kind) {
	case CLI_KIND_FLAG:
		*(bool *)to = true;
		break;
	case CLI_KIND_CHOICE:
		*(int *)to = (int)o->lowest;
		break;
	case CLI_KIND_TEXT:
		*(const char **)to = arg;
		break;
	case CLI_KIND_INTEGER:
		*(int *)to = (int)cli_number(c, name, arg, o->lowest, o->highest);
		break;
	case CLI_KIND_COUNT:
		*(uint64_t *)to =
		    (uint64_t)cli_number(c, name, arg, o->lowest, o->highest);
		break;
	case CLI_KIND_SEED:
		if (!number_read_u64(arg, to))
			cli_usage_error(c, "%s takes a number from 0 to 2^64-1, not '%s'",
			    name, arg);
		break;
	case CLI_KIND_REAL:
		*(double *)to = read_real(c, name, arg, o->least, o->most);
		break;
	case CLI_KIND_CALL:
		o->call(arg);
		break;
	case CLI_KIND_OTHER:
		c->other(c, o->name, arg);
		break;
	case CLI_KIND_HELP:
		cli_help(c);
	case CLI_KIND_VERSION:
		printf("%s (rulelab) %s\n", program_invocation_short_name,
		    RULELAB_VERSION);
		cli_done();
	}
}

char **
cli_read(struct cli *c, int argc, char *argv[])
{
	struct option longs[OPTIONS_MAX];
	char shorts[2 * OPTIONS_MAX + 1];
	int code;

	list_options(c, longs, shorts);
	argv[0] = program_invocation_short_name; /* for its messages */
	while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct cli_option *o = find_option(c, code);
		remember(c, o->letter);
		cli_set(c, o, o->common != 0 ? (char *)c + o->common : o->to.any, optarg);
	}
	return argv + optind;
}

void
cli_usage_error(const struct cli *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vwarnx(format, ap);
	va_end(ap);
	end_usage(c);
}

int64_t
cli_number(const struct cli *c, const char *option, const char *arg, int64_t lowest,
    int64_t highest)
{
	int64_t v;

	if (!number_read(arg, lowest, highest, &v))
		cli_usage_error(c,
		    "%s takes a number from %" PRId64 " to %" PRId64 ", not '%s'", option,
		    lowest, highest, arg);
	return v;
}

struct zout *
cli_open_output(const struct cli *c)
{
	struct zout *out = zout_open(c->output, c->compress);

	if (out == NULL)
		err(EXIT_LOST, "%s", c->output != NULL ? c->output : "standard output");
	return out;
}

int
cli_finish(struct cli *c, struct zout *out)
{
	if (c->status != EXIT_DONE && (c->strict || c->missing) && zout_replaces(out)) {
		zout_abandon(out);
		return c->status;
	}
	if (zout_close(out) == -1) {
		warn("%s", c->output != NULL ? c->output : "standard output");
		c->status = EXIT_LOST;
	}
	return c->status;
}

void
cli_warn(struct cli *c, const char *file, uint64_t line, const char *format, ...)
{
	char name[512], reason[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	message_clean(reason);
	snprintf(name, sizeof(name), "%s", file);
	message_clean(name);
	fprintf(stderr, "%s: %s:", program_invocation_short_name, name);
	if (line != 0)
		fprintf(stderr, "%" PRIu64 ":", line);
	fprintf(stderr, " %s\n", reason);
	c->status = EXIT_LOST;
}

void
cli_missing(struct cli *c, const char *file)
{
	cli_warn(c, file, 0, "%s", strerror(errno));
	c->missing = true;
}
