#include "pgnparts.h"

#include <stdio.h>

enum {
	COMMENT_LOOK = 4096, /* lookahead to decide whether a brace closes */
	COMMENT_KEEP = 64    /* last bytes of the window to look at again */
};

/* A line that begins with this begins a game, even within a comment. */
#define EVENT "[Event "
enum { EVENT_LENGTH = sizeof(EVENT) - 1 };

/* Bytes that matter inside a variation. */
static const bool in_variation[256] = {
	[0] = true,
	['('] = true,
	[')'] = true,
	['{'] = true,
	[';'] = true,
	['\n'] = true,
	['\r'] = true,
};

bool
pgn_brace_closes(const char *begin, const char *s, const char *end)
{
	const char *slash = s;

	while (slash > begin && slash[-1] == '\\')
		slash--;
	if ((s - slash) % 2 == 0)
		return true;
	for (s++; s < end && *s != '{'; s++)
		if (*s == '}')
			return false;
	return true;
}

/* Appends to the note being collected, with white space folded. Stops soon after
 * it is too long. */
static void
collect(struct pgn *r, const char *s, const char *end)
{
	if (r->options->notes && r->note.len <= GAME_NOTE_MAX + 8)
		text_add_folded(&r->note, s, (size_t)(end - s));
}

/* Skips the rest of the line, up to its end. */
static void
skip_line(struct pgn *r)
{
	struct input *in = r->in;
	char nl = in->cr_lines ? '\r' : '\n';

	for (;;) {
		char *end = memchr(in->at, nl, (size_t)(in->end - in->at));
		char *stop = end != NULL ? end : in->end;
		collect(r, in->at, stop);
		in->at = stop;
		if (end != NULL || pgn_at_end(in))
			return;
	}
}

static void
keep_note(struct pgn *r, enum note kind)
{
	struct game *g = r->g;

	if (r->note.len > 0 && r->note.s[r->note.len - 1] == ' ')
		r->note.len--;
	if (!r->options->notes || r->note.len == 0 || r->bad)
		return;
	struct span text = game_keep_foreign(g, r->note.s, r->note.len);
	if (text.len > GAME_NOTE_MAX) {
		g->text.len = text.at;
		snprintf(r->reason, sizeof(r->reason),
		    "a comment of more than %d bytes is left out", GAME_NOTE_MAX);
	} else if (game_add_note(g, kind, g->line.plies, text) == -1) {
		pgn_make_bad(r, r->in->at, "too many comments for one game");
	}
}

/* Finds a line that begins with [Event; NULL if there is none. */
static char *
find_event(const struct input *in, char *s, char *end)
{
	char nl = in->cr_lines ? '\r' : '\n';

	while ((s = memchr(s, nl, (size_t)(end - s))) != NULL)
		if (end - ++s >= EVENT_LENGTH && memcmp(s, EVENT, EVENT_LENGTH) == 0)
			return s;
	return NULL;
}

/*
 * Skips a comment in braces from the opening one at in->at. Unless it is kept, a
 * comment of any length needs no memory. False if it is never closed.
 */
static bool
skip_comment(struct pgn *r)
{
	struct input *in = r->in;

	in->at++;
	for (;;) {
		char *close = memchr(in->at, '}', (size_t)(in->end - in->at));
		char *stop = close != NULL ? close : in->end;
		char *event = find_event(in, in->at, stop);
		if (event != NULL) {
			pgn_make_bad(r, event, "the comment before this is never closed");
			in->at = event;
			return false;
		}
		if (close != NULL && close > in->at && close[-1] == '\\') {
			size_t n = (size_t)(close - in->at);
			pgn_look_ahead(in, n + COMMENT_LOOK);
			close = in->at + n;
			if (!pgn_brace_closes(in->at, close, in->end)) {
				collect(r, in->at, close + 1);
				in->at = close + 1;
				continue;
			}
		}
		if (close != NULL) {
			collect(r, in->at, close);
			in->at = close + 1;
			return true;
		}
		/* The last bytes may begin an Event tag, or be backslashes
		 * before a brace. */
		if (!in->ended)
			stop -=
			    stop - in->at > COMMENT_KEEP ? COMMENT_KEEP : stop - in->at;
		collect(r, in->at, stop);
		in->at = stop;
		if (input_more(in, in->at) == 0 && in->at == in->end) {
			pgn_make_bad(r, in->at, "the file ends within a comment");
			return false;
		}
	}
}

void
pgn_read_comment(struct pgn *r)
{
	text_clear(&r->note);
	if (*r->in->at == '{') {
		skip_comment(r);
	} else {
		r->in->at++;
		skip_line(r);
	}
	keep_note(r, NOTE_COMMENT);
}

void
pgn_skip_escape(struct pgn *r)
{
	size_t len = r->note.len;

	skip_line(r);
	r->note.len = len;
}

/* Skips a line end within a variation; false if the next line begins a game. */
static bool
skip_line_end(struct pgn *r)
{
	struct input *in = r->in;

	pgn_look_ahead(in, 1 + EVENT_LENGTH);
	collect(r, in->at, in->at + 1);
	in->at++;
	if (memcmp(in->at, EVENT, EVENT_LENGTH) == 0) {
		pgn_make_bad(r, in->at, "the variation before this is never closed");
		return false;
	}
	if (*in->at == '%')
		pgn_skip_escape(r);
	return true;
}

/* Skips a variation and those in it. */
static void
skip_variation(struct pgn *r)
{
	struct input *in = r->in;
	static const char brace = '}';
	size_t depth = 0;
	bool closed = true;

	do {
		char *s = in->at;
		while (!in_variation[(unsigned char)*s])
			s++;
		collect(r, in->at, s);
		in->at = s;
		switch (*s) {
		case '(':
		case ')':
			depth += *s == '(' ? 1 : (size_t)-1;
			collect(r, s, s + 1);
			in->at++;
			break;
		case '{':
			collect(r, s, s + 1);
			closed = skip_comment(r);
			collect(r, &brace, &brace + 1);
			break;
		case ';':
			pgn_skip_escape(r);
			break;
		case '\0':
			if (s < in->end)
				in->at++;
			else
				closed = !pgn_at_end(in);
			break;
		default:
			closed = skip_line_end(r);
		}
	} while (depth > 0 && closed);
	if (!closed)
		pgn_make_bad(r, in->at, "the file ends within a variation");
}

/* The note is kept without the outer parentheses. */
void
pgn_read_variation(struct pgn *r)
{
	text_clear(&r->note);
	skip_variation(r);
	if (r->bad)
		return;
	if (r->note.len >= 2) {
		size_t cut = r->note.s[1] == ' ' ? 2 : 1;
		memmove(r->note.s, r->note.s + cut, r->note.len - cut);
		r->note.len -= cut + 1;
	}
	keep_note(r, NOTE_VARIATION);
}
