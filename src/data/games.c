#include "games.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "packed.h"
#include "rulespec.h"
#include "values.h"

enum { BRACE_LOOK = 64 }; /* bytes that decide what a brace begins */

void
games_start(struct games *s, struct cli *cli, char **files)
{
	memset(s, 0, sizeof(*s));
	rulespec_option(&s->rules, cli);
	s->options.rules = &s->rules;
	s->options.trust = cli->trust;
	game_init(&s->game);
	records_start(&s->records, cli, "games", files);
}

/* Skips any amount of white space. */
static void
skip_space(struct input *in)
{
	do {
		while (*in->at == ' ' || (*in->at >= '\t' && *in->at <= '\r'))
			in->at++;
	} while (in->at == in->end && input_more(in, in->at) > 0);
}

/* A brace and a quote begin JSON, and hardly ever a comment in PGN. */
static bool
is_json(struct input *in)
{
	size_t n = 1;

	skip_space(in);
	while (in->end - in->at < BRACE_LOOK && input_more(in, in->at) > 0)
		continue;
	if (*in->at != '{')
		return false;
	while (n < BRACE_LOOK &&
	    (in->at[n] == ' ' || (in->at[n] >= '\t' && in->at[n] <= '\r')))
		n++;
	return in->at[n] == '"' || in->at[n] == '}';
}

/* Does PGN, that is a tag, follow lines of JSON? */
static bool
is_pgn(struct input *in)
{
	skip_space(in);
	while (in->end - in->at < 2 && input_more(in, in->at) > 0)
		continue;
	return *in->at == '[' &&
	    ((in->at[1] >= 'A' && in->at[1] <= 'Z') ||
		(in->at[1] >= 'a' && in->at[1] <= 'z'));
}

/* Why the file, whose beginning is in the window, cannot be read; NULL if it
 * can. Such files would otherwise pass for PGN without games. */
static const char *
find_fault(const struct input *in)
{
	const char *s = in->at + 1;

	if (memcmp(in->at, "\xff\xfe", 2) == 0 || memcmp(in->at, "\xfe\xff", 2) == 0)
		return "this is UTF-16; only UTF-8 and Latin-1 can be read";
	while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
		s++;
	if (*in->at == '[' && *s == '{')
		return "this is a JSON array; games are objects, one a line";
	return NULL;
}

static bool
is_packed(struct input *in)
{
	while (in->end - in->at < PACKED_HEAD && input_more(in, in->at) > 0)
		continue;
	return packed_is(in->at, (size_t)(in->end - in->at));
}

/* A game may have this many plies. */
static void
make_score_room(struct games *s)
{
	if (s->scores == NULL)
		s->scores = xmalloc(GAME_PLIES_MAX * sizeof(*s->scores));
}

/* Starts reading games of one format. */
static void
begin_format(struct games *s, enum games_format format)
{
	s->format = format;
	if (format == GAMES_PGN)
		pgn_start(&s->pgn, &s->records.in, &s->options);
	else if (format == GAMES_PACKED)
		make_score_room(s);
}

static void
end_format(struct games *s)
{
	if (s->format == GAMES_PGN)
		pgn_release(&s->pgn);
	s->format = GAMES_NONE;
}

/* Detects the format of a file that has just been opened. */
static void
begin_file(struct games *s)
{
	struct input *in = &s->records.in;

	if (is_packed(in)) {
		begin_format(s, GAMES_PACKED);
		return;
	}
	bool json = is_json(in);
	const char *fault = find_fault(in);
	if (fault != NULL) {
		records_warn(&s->records, 0, fault);
		records_close(&s->records);
	} else {
		begin_format(s, json ? GAMES_JSON : GAMES_PGN);
	}
}

static void
end_file(struct games *s)
{
	end_format(s);
	records_close(&s->records);
}

void
games_on_partial(struct games *s, games_partial *partial, void *context)
{
	s->partial = partial;
	s->partial_context = context;
}

/* Handles a line that is a partial result; false if it is not one. */
static bool
take_partial(struct games *s, const char *line, size_t n)
{
	static const char mark[] = "{\"partial\":";
	char reason[GAME_REASON_MAX] =
	    "a partial result, which this program does not take";

	if (n < sizeof(mark) - 1 || memcmp(line, mark, sizeof(mark) - 1) != 0)
		return false;
	if (s->partial == NULL || s->partial(s->partial_context, line, n, reason) == -1)
		records_warn(&s->records, input_line_number(&s->records.in, line),
		    reason);
	return true;
}

static void
make_room(struct games *s)
{
	if (s->game.line.plies < s->room)
		return;
	s->room = 2 * s->game.line.plies + 100;
	s->values = xreallocarray(s->values, (size_t)s->room, sizeof(*s->values));
}

static int
read_values(struct games *s, char *reason)
{
	make_room(s);
	if (values_read(&s->game, s->values, reason) == -1)
		return -1;
	for (int i = 0; s->want_scores && i < s->game.line.plies; i++)
		s->scores[i] = packed_score((double)s->values[i]);
	return 0;
}

/* Like pgn_next(): 1; 0 at the end of the file or of this format; -1 for a bad
 * game. */
static int
next_json(struct games *s)
{
	char reason[GAME_REASON_MAX];
	const char *line;
	size_t n;
	int got;

	do {
		if (is_pgn(&s->records.in) || is_packed(&s->records.in))
			return 0;
		got = records_line(&s->records, &line, &n);
	} while (got == 1 && take_partial(s, line, n) && !s->records.stopped);
	if (got == 1 && s->records.stopped)
		return 0;
	if (got != 1)
		return got;
	got = game_read_json(&s->game, &s->options, line, n, reason);
	if (got == 0 && s->want_values)
		got = read_values(s, reason);
	s->plies += (uint64_t)s->game.line.plies;
	if (got == -1) {
		records_warn(&s->records, input_line_number(&s->records.in, line),
		    reason);
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
		records_warn(&s->records, s->pgn.line, s->pgn.reason);
	if (got == 1 && s->want_values)
		read_values(s, s->pgn.reason); /* it has none */
	return got;
}

/* Brings the next packed game into the window and returns its length; 0 at the
 * end of the file or where text begins, -1 if it is not one or is cut short. */
static long
packed_window(struct input *in)
{
	long n;

	do {
		n = packed_size(in->at, (size_t)(in->end - in->at));
		if (n > 0 && in->end - in->at >= n)
			return n;
	} while (n != -1 && input_more(in, in->at) > 0);
	return is_json(in) || is_pgn(in) || in->at == in->end ? 0 : -1;
}

/* Do these bytes look like the beginning of a game in text? */
static bool
is_text_game(struct input *in)
{
	static const char event[] = "[Event \"";

	while (in->end - in->at < BRACE_LOOK && input_more(in, in->at) > 0)
		continue;
	return pgn_is_json(in) || /* a NUL follows the last byte */
	    strncmp(in->at, event, sizeof(event) - 1) == 0;
}

/* Skips to where the next game may begin. */
static void
skip_to_game(struct input *in)
{
	do {
		if (in->at < in->end)
			in->at++;
	} while (!is_packed(in) && !is_text_game(in) && in->at < in->end);
}

/* Skips a bad record of n bytes. If no record follows, it was cut short, and
 * others may begin within these bytes. */
static void
skip_packed(struct input *in, long n)
{
	while (in->end - in->at < n + PACKED_HEAD && input_more(in, in->at) > 0)
		continue;
	if (in->end - in->at == n ||
	    packed_is(in->at + n, (size_t)(in->end - in->at - n)))
		in->at += n;
	else
		skip_to_game(in);
}

static void
take_values(struct games *s, bool scored)
{
	make_room(s);
	for (int i = 0; i < s->game.line.plies; i++)
		s->values[i] = scored ? packed_value(s->scores[i]) : NAN;
}

/* Says that packed games are missing: `packed` were written, or an unknown number. */
static void
warn_of_lost(struct games *s, bool known, uint64_t packed)
{
	char reason[GAME_REASON_MAX];

	if (known)
		snprintf(reason, sizeof(reason),
		    "%" PRIu64 " games were packed, %" PRIu64 " of them are here", packed,
		    s->unended);
	else
		snprintf(reason, sizeof(reason),
		    "the end of the packed games is missing, after %" PRIu64 " games",
		    s->unended);
	records_warn(&s->records, 0, reason);
}

/* Takes an end record of n bytes: have all games come that it counts? */
static void
take_end(struct games *s, long n)
{
	struct input *in = &s->records.in;
	char reason[GAME_REASON_MAX];
	uint64_t packed;

	if (packed_read_end(in->at, (size_t)n, &packed, reason) == -1) {
		records_warn(&s->records, 0, reason);
		skip_packed(in, n);
	} else {
		if (!s->uncounted && packed != s->unended)
			warn_of_lost(s, packed > s->unended, packed);
		in->at += n;
	}
	s->unended = 0;
	s->uncounted = false;
}

/* At the end of packed games, where an end record should be the last. */
static void
check_ended(struct games *s)
{
	if (s->unended > 0 && !s->uncounted && !s->records.stopped &&
	    input_error(&s->records.in) == NULL)
		warn_of_lost(s, false, 0);
	s->unended = 0;
	s->uncounted = false;
}

static int
next_packed(struct games *s)
{
	struct input *in = &s->records.in;
	char reason[GAME_REASON_MAX] = "not a packed game, or cut short";
	bool scored;
	long n = packed_window(in);

	while (n > 0 && packed_is_end(in->at, (size_t)n) && !s->records.stopped) {
		take_end(s, n);
		n = packed_window(in);
	}
	if (n == 0 || s->records.stopped)
		return 0;
	s->unended += n > 0 && packed_wants_end(in->at, (size_t)n);
	if (n == -1 ||
	    packed_read(&s->game, s->options.trust, in->at, (size_t)n, s->scores, &scored,
		reason) == -1) {
		records_warn(&s->records, 0, reason);
		s->uncounted = true;
		if (n == -1)
			skip_to_game(in);
		else
			skip_packed(in, n);
		return -1;
	}
	in->at += n;
	s->plies += (uint64_t)s->game.line.plies;
	for (int i = 0; s->want_scores && !scored && i < s->game.line.plies; i++)
		s->scores[i] = PACKED_NO_SCORE;
	if (s->want_values && !s->want_scores)
		take_values(s, scored);
	if (s->options.search && scored && !s->want_scores)
		packed_search_data(&s->game, s->scores);
	return 1;
}

/* Games without an id get their number in the input. */
static void
name_game(struct games *s)
{
	if (s->game.id.len == 0)
		s->game.id = game_keep_number(&s->game, s->records.good + s->records.bad);
}

void
games_want_values(struct games *s)
{
	s->want_values = s->options.search = true;
}

void
games_want_scores(struct games *s)
{
	games_want_values(s);
	s->want_scores = true;
	make_score_room(s);
}

/* The format may change within a file, as when several are joined. After PGN a
 * brace may begin a comment. */
static bool
switch_format(struct games *s)
{
	struct input *in = &s->records.in;
	enum games_format next = is_packed(in)                         ? GAMES_PACKED
	    : (s->format == GAMES_PGN ? pgn_is_json(in) : is_json(in)) ? GAMES_JSON
	    : is_pgn(in)                                               ? GAMES_PGN
								       : s->format;

	if (next == s->format || s->records.stopped)
		return false;
	end_format(s);
	begin_format(s, next);
	return true;
}

bool
games_next(struct games *s)
{
	struct records *r = &s->records;

	while (!r->stopped) {
		if (!r->open) {
			if (!records_open(r))
				return false;
			begin_file(s);
			continue;
		}
		int got = s->format == GAMES_JSON ? next_json(s)
		    : s->format == GAMES_PGN      ? next_pgn(s)
						  : next_packed(s);
		if (got == 0) {
			check_ended(s);
			if (!switch_format(s))
				end_file(s);
			continue;
		}
		records_count(r, got == 1);
		if (got == 1) {
			name_game(s);
			return !r->stopped;
		}
	}
	return false;
}

void
games_finish(struct games *s)
{
	if (s->records.open)
		end_file(s);
	records_finish(&s->records);
	game_release(&s->game);
	free(s->values);
	s->values = NULL;
	free(s->scores);
	s->scores = NULL;
}
