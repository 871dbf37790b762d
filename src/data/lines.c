#include "lines.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

/* The size of all files together; 0 when one is no plain file. */
static uint64_t
total_size(char **files)
{
	uint64_t sum = 0;
	struct stat st;

	for (; *files != NULL; files++) {
		int bad = strcmp(*files, "-") == 0 ? fstat(STDIN_FILENO, &st) :
		    stat(*files, &st);
		if (bad || !S_ISREG(st.st_mode))
			return 0;
		sum += (uint64_t)st.st_size;
	}
	return sum;
}

void
lines_start(struct lines *s, struct cli *cli, char **files)
{
	static char *standard_input[] = { "-", NULL };

	memset(s, 0, sizeof(*s));
	s->cli = cli;
	s->files = *files != NULL ? files : standard_input;
	rules_init(&s->rules);
	progress_start(&s->progress, "lines", 0, cli->progress, cli->quiet);
	if (s->progress.shown)
		s->bytes = total_size(s->files);
}

static void
warn_bad(struct lines *s, uint64_t line, const char *why)
{
	cli_warn(s->cli, s->in.name, line, "%s", why);
	if (s->cli->strict)
		s->stopped = true;
}

static void
open_next(struct lines *s)
{
	if (input_open(&s->in, *s->files++) == -1) {
		cli_warn(s->cli, s->in.name, 0, "%s", strerror(errno));
		s->stopped = s->cli->strict;
		return;
	}
	s->open = true;
}

static void
close_file(struct lines *s)
{
	if (input_error(&s->in) != NULL)
		warn_bad(s, 0, input_error(&s->in));
	s->bytes_before += zin_offset(s->in.z);
	input_close(&s->in);
	s->open = false;
}

/* 1, 0 at the end of the file, -1 for a bad one. */
static int
next_line(struct lines *s, struct opening *o)
{
	char reason[GAME_REASON_MAX];
	const char *line;
	size_t n;
	int got;

	do
		got = input_line(&s->in, &line, &n);
	while (got == 1 && n == 0);
	if (got == 0)
		return 0;
	if (got == -1) {
		warn_bad(s, input_line_number(&s->in, s->in.at - 1),
		    "the line is longer than 16 MiB");
		return -1;
	}
	if (opening_read_json(o, &s->rules, line, n, reason) == -1) {
		warn_bad(s, input_line_number(&s->in, line), reason);
		return -1;
	}
	return 1;
}

bool
lines_next(struct lines *s, struct opening *o)
{
	while (!s->stopped) {
		if (!s->open) {
			if (*s->files == NULL)
				return false;
			open_next(s);
			continue;
		}
		int got = next_line(s, o);
		if (got == 0) {
			close_file(s);
			continue;
		}
		if (s->bytes > 0)
			progress_set_share(&s->progress, (double)(s->bytes_before +
			    zin_offset(s->in.z)) / (double)s->bytes);
		progress_add(&s->progress, 1);
		if (got == 1) {
			s->good++;
			return true;
		}
		s->bad++;
	}
	return false;
}

void
lines_refuse(struct lines *s, const char *why)
{
	/* the line has been read, with its end: that is just before */
	warn_bad(s, input_line_number(&s->in, s->in.at > s->in.data ?
	    s->in.at - 1 : s->in.at), why);
	s->good--;
	s->bad++;
}

void
lines_finish(struct lines *s)
{
	if (s->open)
		close_file(s);
	progress_end(&s->progress);
	if (s->bad > 0 && !s->cli->quiet)
		warnx("%" PRIu64 " of %" PRIu64 " lines were bad", s->bad,
		    s->good + s->bad);
}
