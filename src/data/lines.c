#include "lines.h"

void
lines_start(struct lines *s, struct cli *cli, char **files)
{
	rules_init(&s->rules);
	records_start(&s->records, cli, "lines", files);
}

/* 1; 0 at the end of the file; -1 for a bad line. */
static int
next_line(struct lines *s, struct opening *o)
{
	char reason[GAME_REASON_MAX];
	const char *line;
	size_t n;
	int got = records_line(&s->records, &line, &n);

	if (got == 1 && opening_read_json(o, &s->rules, line, n, reason) == -1) {
		records_warn(&s->records, input_line_number(&s->records.in, line),
		    reason);
		return -1;
	}
	return got;
}

bool
lines_next(struct lines *s, struct opening *o)
{
	struct records *r = &s->records;

	while (!r->stopped) {
		if (!r->open && !records_open(r))
			return false;
		int got = next_line(s, o);
		if (got == 0) {
			records_close(r);
			continue;
		}
		records_count(r, got == 1);
		if (got == 1)
			return true;
	}
	return false;
}

void
lines_refuse(struct lines *s, const char *why)
{
	struct input *in = &s->records.in;

	/* in->at is after the line's end */
	records_warn(&s->records,
	    input_line_number(in, in->at > in->data ? in->at - 1 : in->at), why);
	s->records.good--;
	s->records.bad++;
}

void
lines_finish(struct lines *s)
{
	records_finish(&s->records);
}
