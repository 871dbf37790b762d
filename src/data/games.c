#include "games.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rulespec.h"

enum { BRACE_LOOK = 64 };	/* how far to look what a brace begins */

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
games_start(struct games *s, struct cli *cli, char **files)
{
	static char *standard_input[] = { "-", NULL };
	char reason[RULES_REASON_MAX];

	memset(s, 0, sizeof(*s));
	s->cli = cli;
	s->files = *files != NULL ? files : standard_input;
	if (rulespec_read(&s->rules, cli->rules != NULL ? cli->rules :
	    "classical", reason) == -1)
		cli_usage_error(cli, "--rules: %s", reason);
	s->options.rules = &s->rules;
	game_init(&s->game);
	progress_start(&s->progress, "games", 0, cli->progress, cli->quiet);
	if (s->progress.shown)
		s->bytes = total_size(s->files);
}

/* Passes over white space; as much of it as there may be. */
static void
skip_space(struct input *in)
{
	do {
		while (*in->at == ' ' || (*in->at >= '\t' && *in->at <= '\r'))
			in->at++;
	} while (in->at == in->end && input_more(in, in->at) > 0);
}

/* JSON begins with a brace and a quote; a comment in PGN hardly ever. */
static bool
is_json(struct input *in)
{
	size_t n = 1;

	skip_space(in);
	while (in->end - in->at < BRACE_LOOK && input_more(in, in->at) > 0)
		continue;
	if (*in->at != '{')
		return false;
	while (n < BRACE_LOOK && (in->at[n] == ' ' ||
	    (in->at[n] >= '\t' && in->at[n] <= '\r')))
		n++;
	return in->at[n] == '"' || in->at[n] == '}';
}

/* Why the file, whose beginning is in the window, cannot be read; NULL if it
 * can. These would pass for PGN in which there is nothing. */
static const char *
find_fault(const struct input *in)
{
	const char *s = in->at + 1;

	if (memcmp(in->at, "\xff\xfe", 2) == 0 ||
	    memcmp(in->at, "\xfe\xff", 2) == 0)
		return "this is UTF-16; only UTF-8 and Latin-1 can be read";
	while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
		s++;
	if (*in->at == '[' && *s == '{')
		return "this is a JSON array; games are objects, one a line";
	return NULL;
}

static void
warn_bad(struct games *s, uint64_t line, const char *why)
{
	cli_warn(s->cli, s->in.name, line, "%s", why);
	if (s->cli->strict)
		s->stopped = true;
}

static bool
open_next(struct games *s)
{
	if (input_open(&s->in, *s->files++) == -1) {
		cli_warn(s->cli, s->in.name, 0, "%s", strerror(errno));
		s->stopped = s->cli->strict;
		return false;
	}
	s->open = true;
	s->format = is_json(&s->in) ? GAMES_JSON : GAMES_PGN;
	const char *fault = find_fault(&s->in);
	if (fault != NULL) {
		warn_bad(s, 0, fault);
		input_close(&s->in);
		s->open = false;
		return false;
	}
	if (s->format == GAMES_PGN)
		pgn_start(&s->pgn, &s->in, &s->options);
	return true;
}

static void
close_file(struct games *s)
{
	if (input_error(&s->in) != NULL)
		warn_bad(s, 0, input_error(&s->in));
	if (s->format == GAMES_PGN)
		pgn_release(&s->pgn);
	s->bytes_before += zin_offset(s->in.z);
	input_close(&s->in);
	s->open = false;
}

void
games_on_partial(struct games *s, games_partial *partial, void *context)
{
	s->partial = partial;
	s->partial_context = context;
}

/* Deals with a line that is a partial result; false when it is none. */
static bool
take_partial(struct games *s, const char *line, size_t n)
{
	static const char mark[] = "{\"partial\":";
	char reason[GAME_REASON_MAX] =
	    "a partial result, which this program does not take";

	if (n < sizeof(mark) - 1 || memcmp(line, mark, sizeof(mark) - 1) != 0)
		return false;
	if (s->partial == NULL ||
	    s->partial(s->partial_context, line, n, reason) == -1)
		warn_bad(s, input_line_number(&s->in, line), reason);
	return true;
}

/* 1, 0 at the end of the file, -1 for a bad one, as pgn_next(). */
static int
next_json(struct games *s)
{
	char reason[GAME_REASON_MAX];
	const char *line;
	size_t n;
	int got;

	do
		got = input_line(&s->in, &line, &n);
	while (got == 1 && (n == 0 || take_partial(s, line, n)) && !s->stopped);
	if (got == 0 || s->stopped)
		return 0;
	if (got == -1) {
		warn_bad(s, input_line_number(&s->in, s->in.at - 1),
		    "the line is longer than 16 MiB");
		return -1;
	}
	got = game_read_json(&s->game, &s->options, line, n, reason);
	s->plies += (uint64_t)s->game.line.plies;
	if (got == -1) {
		warn_bad(s, input_line_number(&s->in, line), reason);
		return -1;
	}
	return 1;
}

static int
next_pgn(struct games *s)
{
	uint64_t before = s->pgn.plies;
	int got = pgn_next(&s->pgn, &s->game);

	s->plies += s->pgn.plies - before;
	if (got != 0 && s->pgn.reason[0] != '\0')
		warn_bad(s, s->pgn.line, s->pgn.reason);
	return got;
}

/* Games that do not say who they are get their place in the input. */
static void
name_game(struct games *s)
{
	char digits[20], *d = digits + sizeof(digits);
	uint64_t n = s->good + s->bad;

	if (s->game.id.len > 0)
		return;
	do
		*--d = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	s->game.id = game_keep(&s->game, d,
	    (size_t)(digits + sizeof(digits) - d));
}

bool
games_next(struct games *s)
{
	while (!s->stopped) {
		if (!s->open) {
			if (*s->files == NULL)
				return false;
			open_next(s);
			continue;
		}
		int got = s->format == GAMES_JSON ? next_json(s) : next_pgn(s);
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
			name_game(s);
			return !s->stopped;
		}
		s->bad++;
	}
	return false;
}

void
games_finish(struct games *s)
{
	if (s->open)
		close_file(s);
	progress_end(&s->progress);
	if (s->bad > 0 && !s->cli->quiet)
		warnx("%" PRIu64 " of %" PRIu64 " games were bad", s->bad,
		    s->good + s->bad);
	game_release(&s->game);
}
