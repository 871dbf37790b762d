#include "cli.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "text.h"

/* Descriptors 0 to 2 are open before anything else is, or a file that is opened
 * would get one of them, and messages with it. Reading or writing a closed one
 * fails as before: it is opened the wrong way round. */
static void
open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1 && open("/dev/null",
		    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(EXIT_LOST);
}

void
cli_start(struct cli *c, const char *synopsis, const char *help)
{
	memset(c, 0, sizeof(*c));
	c->synopsis = synopsis;
	c->help = help;
	open_standard();
	message_guard();
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);	/* too large a file is a failed write */
}

static void
help(const struct cli *c)
{
	printf("usage: %s %s\n\n%s", program_invocation_short_name, c->synopsis,
	    c->help);
	if (fflush(stdout) == EOF)
		err(EXIT_LOST, "standard output");
	exit(EXIT_DONE);
}

void
cli_option(struct cli *c, int option)
{
	switch (option) {
	case 'h':
		help(c);
		break;
	case 'o':
		c->output = optarg;
		break;
	case 'p':
		c->progress = true;
		break;
	case 'q':
		c->quiet = true;
		break;
	case 'r':
		c->rules = optarg;
		break;
	case 'S':
		c->strict = true;
		break;
	case 't':
		c->tsv = true;
		break;
	case CLI_TRUST:
		c->trust = true;
		break;
	case 'V':
		printf("%s (rulelab) %s\n", program_invocation_short_name,
		    RULELAB_VERSION);
		if (fflush(stdout) == EOF)
			err(EXIT_LOST, "standard output");
		exit(EXIT_DONE);
	case 'z':
		c->compress = true;
		break;
	default:	/* getopt_long() has said what is wrong */
		fprintf(stderr, "usage: %s %s\n",
		    program_invocation_short_name, c->synopsis);
		exit(EXIT_USAGE);
	}
}

void
cli_usage_error(const struct cli *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vwarnx(format, ap);
	va_end(ap);
	fprintf(stderr, "usage: %s %s\n", program_invocation_short_name,
	    c->synopsis);
	exit(EXIT_USAGE);
}

int64_t
cli_number(const struct cli *c, const char *option, const char *arg,
    int64_t lowest, int64_t highest)
{
	int64_t v;

	if (!number_read(arg, lowest, highest, &v))
		cli_usage_error(c, "%s takes a number from %" PRId64 " to %"
		    PRId64 ", not '%s'", option, lowest, highest, arg);
	return v;
}

double
cli_real(const struct cli *c, const char *option, const char *arg,
    double lowest, double highest)
{
	double v;

	if (!number_read_double(arg, lowest, highest, &v))
		cli_usage_error(c, "%s takes a number from %g to %g, not '%s'",
		    option, lowest, highest, arg);
	return v;
}

uint64_t
cli_seed(const struct cli *c, const char *arg)
{
	uint64_t v;

	if (!number_read_u64(arg, &v))
		cli_usage_error(c, "--seed takes a number from 0 to 2^64-1, "
		    "not '%s'", arg);
	return v;
}

struct zout *
cli_open_output(const struct cli *c)
{
	struct zout *out = zout_open(c->output, c->compress);

	if (out == NULL)
		err(EXIT_LOST, "%s", c->output != NULL ? c->output :
		    "standard output");
	return out;
}

int
cli_finish(struct cli *c, struct zout *out)
{
	if (c->status != EXIT_DONE && (c->strict || c->missing) &&
	    zout_replaces(out)) {
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
cli_warn(struct cli *c, const char *file, uint64_t line, const char *format,
    ...)
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
