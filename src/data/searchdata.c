#include "searchdata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
searchdata_start(struct searchdata *d, const char *s, size_t n)
{
	*d = (struct searchdata){ s, s + n, false };
}

/* The next character that is not blank; '\0' at the end. */
static char
look(struct searchdata *d)
{
	while (d->s < d->end && (*d->s == ' ' || *d->s == '\t' ||
	    *d->s == '\n' || *d->s == '\r'))
		d->s++;
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

static bool
take_number(struct searchdata *d, float *x)
{
	char text[40];
	size_t n = 0;

	for (look(d); d->s < d->end && n + 1 < sizeof(text) &&
	    strchr("+-.0123456789eE", *d->s) != NULL; d->s++)
		text[n++] = *d->s;
	text[n] = '\0';
	char *stop;
	*x = strtof(text, &stop);
	return n > 0 && *stop == '\0' && isfinite(*x);
}

/* "e2e4":[visits,prior,improved] */
static bool
take_move(struct searchdata *d, struct searchdata_move *m)
{
	m->improved = -1;
	return take_string(d, m->name, sizeof(m->name)) && take(d, ':') &&
	    take(d, '[') && take_number(d, &m->visits) && take(d, ',') &&
	    take_number(d, &m->prior) && (!take(d, ',') ||
	    take_number(d, &m->improved)) && take(d, ']') && m->visits >= 0;
}

static bool
take_moves(struct searchdata *d, struct searchdata_ply *p)
{
	if (!take(d, '{'))
		return false;
	if (take(d, '}'))
		return true;
	do {
		if (p->n == MOVES_MAX || !take_move(d, &p->moves[p->n]))
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
		return take_number(d, &p->value) && fabsf(p->value) <= 1;
	if (strcmp(key, "draw") == 0)
		return take_number(d, &p->draw) && p->draw >= 0 && p->draw <= 1;
	return strcmp(key, "moves") == 0 && take_moves(d, p);
}

static bool
take_ply(struct searchdata *d, struct searchdata_ply *p)
{
	p->known = false;
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
	if (!d->begun) {
		if (!take(d, '['))
			return -1;
		d->begun = true;
		if (take(d, ']'))
			return look(d) == '\0' ? 0 : -1;
	} else if (take(d, ']')) {
		return look(d) == '\0' ? 0 : -1;
	} else if (!take(d, ',')) {
		return -1;
	}
	return take_ply(d, p) ? 1 : -1;
}
