#include "searchdata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

enum { VISITS_MAX = 1000000000 };

/* ---- writing ---- */

static void
add_move(struct text *t, const struct searchdata_move *m)
{
	text_add_format(t, "\"%s\":[%.0f,%.5f", m->name, m->visits, m->prior);
	if (m->improved >= 0)
		text_add_format(t, ",%.5f", m->improved);
	text_add_char(t, ']');
}

/* Omits what is not known about a move. */
static void
add_moves(struct text *t, const struct searchdata_ply *p)
{
	const char *comma = "";

	text_add_string(t, p->scored ? ",\"scores\":{" : ",\"moves\":{");
	for (int i = 0; i < p->n; i++) {
		const struct searchdata_move *m = &p->moves[i];
		if (p->scored && isnan(m->score))
			continue;
		text_add_string(t, comma);
		comma = ",";
		if (p->scored)
			text_add_format(t, "\"%s\":%.5f", m->name, m->score);
		else
			add_move(t, m);
	}
	text_add_char(t, '}');
}

void
searchdata_add(struct text *t, const struct searchdata_ply *p)
{
	text_add_char(t, t->len == 0 ? '[' : ',');
	if (!p->known) {
		text_add_string(t, "null");
		return;
	}
	text_add_format(t, "{\"value\":%.5f", p->value);
	if (p->draw >= 0)
		text_add_format(t, ",\"draw\":%.5f", p->draw);
	if (p->n > 0)
		add_moves(t, p);
	text_add_char(t, '}');
}

void
searchdata_end(struct text *t)
{
	text_add_string(t, t->len == 0 ? "[]" : "]");
}

/* ---- reading ---- */

void
searchdata_start(struct searchdata *d, const char *s, size_t n)
{
	*d = (struct searchdata){ s, s + n, false };
}

/* The next character that is not blank; '\0' at the end, and for a NUL byte,
 * which is never valid. */
static char
look(struct searchdata *d)
{
	d->s = json_skip_space(d->s, d->end);
	return d->s < d->end ? *d->s : '\0';
}

static bool
take(struct searchdata *d, char c)
{
	if (look(d) != c)
		return false;
	d->s++;
	return true;
}

/* A string without escapes, of less than `size` bytes. */
static bool
take_string(struct searchdata *d, char *to, size_t size)
{
	if (!take(d, '"'))
		return false;
	size_t n = 0;
	for (; d->s < d->end && *d->s != '"'; d->s++) {
		if (n + 1 == size || *d->s == '\\')
			return false;
		to[n++] = *d->s;
	}
	to[n] = '\0';
	return take(d, '"');
}

/* A plain decimal whose digits and power of ten are exact in a float: the division
 * rounds once, as strtof() does, which takes ten times as long. */
static bool
take_decimal(struct searchdata *d, double *x)
{
	static const float powers[] = { 1, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f };
	enum { EXACT = 1 << 24, MOST = 7 };
	const char *s = d->s, *point = NULL;
	bool negative = s < d->end && *s == '-';
	uint32_t digits = 0;

	const char *first = s += negative;
	for (; s < d->end; s++) {
		if (*s == '.' && point == NULL && s > first)
			point = s;
		else if (*s >= '0' && *s <= '9' && digits < EXACT / 10)
			digits = 10 * digits + (uint32_t)(*s - '0');
		else
			break;
	}
	long places = point != NULL ? s - point - 1 : 0;
	if (s == first || places > MOST || (point != NULL && places == 0) ||
	    (s < d->end && *s != ',' && *s != ']' && *s != '}'))
		return false;
	float f = (float)digits / powers[places];
	*x = (double)(negative ? -f : f);
	d->s = s;
	return true;
}

/* Rounded to a float, as nets are trained on floats. */
static bool
take_number(struct searchdata *d, double *x)
{
	char text[40];
	size_t n = 0;

	look(d);
	if (take_decimal(d, x))
		return true;
	for (; d->s < d->end && n + 1 < sizeof(text) && *d->s != '\0' &&
	     strchr("+-.0123456789eE", *d->s) != NULL;
	     d->s++)
		text[n++] = *d->s;
	text[n] = '\0';
	char *stop;
	*x = (double)strtof(text, &stop);
	return n > 0 && *stop == '\0' && isfinite(*x);
}

static bool
take_share(struct searchdata *d, double *x)
{
	return take_number(d, x) && *x >= 0 && *x <= 1;
}

/* "e2e4":[visits,prior,improved] */
static bool
take_move(struct searchdata *d, struct searchdata_move *m)
{
	m->improved = -1;
	m->score = NAN;
	return take_string(d, m->name, sizeof(m->name)) && take(d, ':') && take(d, '[') &&
	    take_number(d, &m->visits) && take(d, ',') && take_share(d, &m->prior) &&
	    (!take(d, ',') || take_share(d, &m->improved)) && take(d, ']') &&
	    m->visits >= 0 && m->visits <= VISITS_MAX;
}

/* "e2e4":score */
static bool
take_score(struct searchdata *d, struct searchdata_move *m)
{
	m->visits = m->prior = 0;
	m->improved = -1;
	return take_string(d, m->name, sizeof(m->name)) && take(d, ':') &&
	    take_number(d, &m->score) && fabs(m->score) <= 1;
}

static bool
take_moves(struct searchdata *d, struct searchdata_ply *p)
{
	if (!take(d, '{'))
		return false;
	if (take(d, '}'))
		return true;
	do {
		if (p->n == MOVES_MAX ||
		    !(p->scored ? take_score(d, &p->moves[p->n])
				: take_move(d, &p->moves[p->n])))
			return false;
		p->n++;
	} while (take(d, ','));
	return take(d, '}');
}

static bool
take_field(struct searchdata *d, struct searchdata_ply *p)
{
	char key[16];

	if (!take_string(d, key, sizeof(key)) || !take(d, ':'))
		return false;
	if (strcmp(key, "value") == 0)
		return take_number(d, &p->value) && fabs(p->value) <= 1;
	if (strcmp(key, "draw") == 0)
		return take_share(d, &p->draw);
	p->scored = strcmp(key, "scores") == 0;
	return (p->scored || strcmp(key, "moves") == 0) && p->n == 0 && take_moves(d, p);
}

static bool
take_ply(struct searchdata *d, struct searchdata_ply *p)
{
	p->known = p->scored = false;
	p->n = 0;
	p->value = 0;
	p->draw = -1;
	if (look(d) == 'n') {
		if (d->end - d->s < 4 || memcmp(d->s, "null", 4) != 0)
			return false;
		d->s += 4;
		return true;
	}
	p->known = true;
	if (!take(d, '{'))
		return false;
	do {
		if (!take_field(d, p))
			return false;
	} while (take(d, ','));
	return take(d, '}');
}

int
searchdata_next(struct searchdata *d, struct searchdata_ply *p)
{
	bool first = !d->begun;

	if (first && !take(d, '['))
		return -1;
	d->begun = true;
	if (take(d, ']')) {
		look(d);
		return d->s == d->end ? 0 : -1;
	}
	if (!first && !take(d, ','))
		return -1;
	return take_ply(d, p) ? 1 : -1;
}
