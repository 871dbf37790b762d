#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

void
text_reserve(struct text *t, size_t n)
{
	size_t size = t->size;

	if (n < size - t->len && size != 0)
		return;
	if (size < 64)
		size = 64;
	while (size - t->len <= n)
		size *= 2;
	t->s = xreallocarray(t->s, size, 1);
	t->size = size;
}

void
text_release(struct text *t)
{
	free(t->s);
	memset(t, 0, sizeof(*t));
}

void
text_add_string(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void
text_add_char(struct text *t, char c)
{
	text_add(t, &c, 1);
}

void
text_add_varint(struct text *t, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		text_add_char(t, (char)(v | 128));
	text_add_char(t, (char)v);
}

void
text_add_vformat(struct text *t, const char *format, va_list ap)
{
	va_list again;

	text_reserve(t, 64); /* usually enough to format only once */
	size_t room = t->size - t->len;
	va_copy(again, ap);
	int n = vsnprintf(t->s + t->len, room, format, ap);
	if (n >= 0 && (size_t)n >= room) {
		text_reserve(t, (size_t)n);
		vsnprintf(t->s + t->len, (size_t)n + 1, format, again);
	}
	va_end(again);
	t->len += n < 0 ? 0 : (size_t)n;
	t->s[t->len] = '\0';
}

void
text_add_format(struct text *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	text_add_vformat(t, format, ap);
	va_end(ap);
}

size_t
utf8_length(const unsigned char *s, size_t n)
{
	size_t len = s[0] < 0x80          ? 1
	    : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
	    : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
	    : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
					  : 0;

	if (len == 0 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0; /* overlong, a surrogate, beyond Unicode */
	return len;
}

static void
add_escaped(struct text *t, unsigned char c)
{
	switch (c) {
	case '"':
	case '\\':
		text_add_char(t, '\\');
		text_add_char(t, (char)c);
		break;
	case '\n':
		text_add(t, "\\n", 2);
		break;
	case '\r':
		text_add(t, "\\r", 2);
		break;
	case '\t':
		text_add(t, "\\t", 2);
		break;
	default:
		text_add_format(t, "\\u%04x", c);
	}
}

static void
add_latin1(struct text *t, unsigned char c)
{
	text_add_char(t, (char)(0xc0 | c >> 6));
	text_add_char(t, (char)(0x80 | (c & 0x3f)));
}

/* Adds the character at s, of up to n bytes, and returns its length. */
static size_t
add_character(struct text *t, const char *s, size_t n)
{
	size_t len = utf8_length((const unsigned char *)s, n);

	if (len == 0)
		add_latin1(t, (unsigned char)*s);
	else
		text_add(t, s, len);
	return len == 0 ? 1 : len;
}

void
text_add_utf8(struct text *t, const char *string, size_t n)
{
	const unsigned char *s = (const unsigned char *)string;

	for (size_t i = 0; i < n;) {
		size_t plain = i;
		while (plain < n && s[plain] < 0x80)
			plain++;
		text_add(t, string + i, plain - i);
		i = plain;
		if (i < n)
			i += add_character(t, string + i, n - i);
	}
}

void
text_add_folded(struct text *t, const char *s, size_t n)
{
	text_reserve(t, n);
	char *to = t->s + t->len;
	bool blank = t->len == 0 || to[-1] == ' ';

	for (size_t i = 0; i < n; i++) {
		bool space = (unsigned char)s[i] <= ' ' || s[i] == 0x7f;
		*to = space ? ' ' : s[i];
		to += !(space && blank);
		blank = space;
	}
	t->len = (size_t)(to - t->s);
	*to = '\0';
}

void
text_add_json_string(struct text *t, const char *string, size_t n)
{
	const unsigned char *s = (const unsigned char *)string;
	size_t i = 0;

	text_add_char(t, '"');
	while (i < n) {
		size_t plain = i;
		while (plain < n && s[plain] >= 0x20 && s[plain] < 0x7f &&
		    s[plain] != '"' && s[plain] != '\\')
			plain++;
		text_add(t, string + i, plain - i);
		i = plain;
		if (i < n && s[i] < 0x80)
			add_escaped(t, s[i++]);
		else if (i < n)
			i += add_character(t, string + i, n - i);
	}
	text_add_char(t, '"');
}

void
text_add_double(struct text *t, double v)
{
	char s[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(s, sizeof(s), "%.*g", digits, v);
		if (strtod(s, NULL) == v)
			break;
	}
	text_add_string(t, s);
}

/* The strto functions skip any white space; we do not. */
static bool
begins_number(const char *s)
{
	s += *s == '-';
	return *s >= '0' && *s <= '9';
}

bool
number_read(const char *s, int64_t lowest, int64_t highest, int64_t *v)
{
	char *end;

	errno = 0;
	long long n = strtoll(s, &end, 10);
	if (!begins_number(s) || *end != '\0' || errno != 0 || n < lowest || n > highest)
		return false;
	*v = n;
	return true;
}

bool
number_read_u64(const char *s, uint64_t *v)
{
	char *end;

	errno = 0;
	unsigned long long n = strtoull(s, &end, 10);
	if (s[0] == '-' || !begins_number(s) || *end != '\0' || errno != 0)
		return false;
	*v = n;
	return true;
}

bool
number_read_double(const char *s, double lowest, double highest, double *v)
{
	char *end;
	double n = strtod(s, &end);

	if (end == s || *end != '\0' || strspn(s, "0123456789.eE+-") != strlen(s) ||
	    !isfinite(n) || n < lowest || n > highest)
		return false;
	*v = n;
	return true;
}

/* The edit (Levenshtein) distance; long texts are far from everything. */
static int
distance(const char *a, size_t na, const char *b)
{
	enum { LONGEST = 40 };
	int row[LONGEST + 1];
	size_t nb = strlen(b);

	if (na > LONGEST || nb > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= nb; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= na; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= nb; j++) {
			int best = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[nb];
}

void
text_try_nearest(const char *candidate, const char *name, size_t len, int *best,
    const char **nearest)
{
	int d = distance(name, len, candidate);

	if (d < *best) {
		*best = d;
		*nearest = candidate;
	}
}
