#include "records.h"

#include <err.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The total size of all files; 0 if one is not a regular file. */
static uint64_t
total_size(char **files)
{
	uint64_t sum = 0;
	struct stat st;

	for (; *files != NULL; files++) {
		int bad = strcmp(*files, "-") == 0 ? fstat(STDIN_FILENO, &st)
						   : stat(*files, &st);
		if (bad || !S_ISREG(st.st_mode))
			return 0;
		sum += (uint64_t)st.st_size;
	}
	return sum;
}

void
records_start(struct records *s, struct cli *cli, const char *what, char **files)
{
	static char *standard_input[] = { "-", NULL };

	memset(s, 0, sizeof(*s));
	s->cli = cli;
	s->what = what;
	s->files = *files != NULL ? files : standard_input;
	progress_start(&s->progress, what, 0, cli->progress, cli->quiet);
	if (s->progress.shown)
		s->bytes = total_size(s->files);
}

void
records_warn(struct records *s, uint64_t line, const char *why)
{
	cli_warn(s->cli, s->in.name, line, "%s", why);
	if (s->cli->strict)
		s->stopped = true;
}

bool
records_open(struct records *s)
{
	while (!s->stopped && *s->files != NULL) {
		if (input_open(&s->in, *s->files++) == 0)
			return s->open = true;
		cli_missing(s->cli, s->in.name);
		s->stopped = s->cli->strict;
	}
	return false;
}

void
records_close(struct records *s)
{
	if (input_error(&s->in) != NULL)
		records_warn(s, 0, input_error(&s->in));
	s->bytes_before += zin_offset(s->in.z);
	input_close(&s->in);
	s->open = false;
}

int
records_line(struct records *s, const char **line, size_t *n)
{
	int got;

	do
		got = input_line(&s->in, line, n);
	while (got == 1 && *n == 0);
	if (got == -1)
		records_warn(s, input_line_number(&s->in, s->in.at - 1),
		    "the line is longer than 16 MiB");
	return got;
}

bool
records_next_line(struct records *s, const char **line, size_t *n)
{
	while (!s->stopped && (s->open || records_open(s))) {
		int got = records_line(s, line, n);
		if (got == 0)
			records_close(s);
		else if (got == 1 && strspn(*line, " \t\r") < *n)
			return true;
	}
	return false;
}

void
records_warn_line(struct records *s, const char *line, const char *why)
{
	records_warn(s, input_line_number(&s->in, line), why);
}

void
records_count(struct records *s, bool good)
{
	if (s->bytes > 0)
		progress_set_share(&s->progress,
		    (double)(s->bytes_before + zin_offset(s->in.z)) / (double)s->bytes);
	progress_add(&s->progress, 1);
	if (good)
		s->good++;
	else
		s->bad++;
}

void
records_finish(struct records *s)
{
	if (s->open)
		records_close(s);
	progress_end(&s->progress);
	if (s->bad > 0 && !s->cli->quiet)
		warnx("%" PRIu64 " of %" PRIu64 " %s were bad", s->bad, s->good + s->bad,
		    s->what);
}
