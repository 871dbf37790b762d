/*
 * A growing piece of text, and numbers read from text with their range
 * checked. Bytes are counted: a text may hold NULs.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	char *s;	/* NUL-terminated unless empty and never used */
	size_t len, size;
};

/* Room for n more bytes and a NUL. */
void text_reserve(struct text *t, size_t n);
void text_release(struct text *t);

static inline void
text_clear(struct text *t)
{
	t->len = 0;
	if (t->s != NULL)
		t->s[0] = '\0';
}

static inline void
text_add(struct text *t, const char *s, size_t n)
{
	if (n >= t->size - t->len)
		text_reserve(t, n);
	memcpy(t->s + t->len, s, n);
	t->len += n;
	t->s[t->len] = '\0';
}

void text_add_string(struct text *t, const char *s);
void text_add_char(struct text *t, char c);
__attribute__((format(printf, 2, 3)))
void text_add_format(struct text *t, const char *format, ...);
__attribute__((format(printf, 2, 0)))
void text_add_vformat(struct text *t, const char *format, va_list ap);

/* Adds a JSON string, quotes included. Bytes that are not UTF-8 are taken for
 * Latin-1, so what comes out is always valid. */
void text_add_json_string(struct text *t, const char *s, size_t n);

/* How many of the n > 0 bytes at s are a character in UTF-8; 0 when they begin
 * with none. */
size_t utf8_length(const unsigned char *s, size_t n);

/* Adds bytes as UTF-8; those that are not are taken for Latin-1. */
void text_add_utf8(struct text *t, const char *s, size_t n);

/* Adds text whose white space, other control characters included, is folded
 * into single blanks; none at the beginning, perhaps one at the end. */
void text_add_folded(struct text *t, const char *s, size_t n);

/* A double with the fewest digits that read back to the same number. */
void text_add_double(struct text *t, double v);

/* A number in binary: seven bits a byte, the lowest first, all but the last
 * byte with the highest bit set. */
void text_add_varint(struct text *t, uint64_t v);

/* The whole text as a decimal number within [lowest, highest]; false if it is
 * not, blanks before or behind it included. */
bool number_read(const char *s, int64_t lowest, int64_t highest, int64_t *v);
bool number_read_u64(const char *s, uint64_t *v);
bool number_read_double(const char *s, double lowest, double highest,
    double *v);

/* Takes a candidate for the nearest to a name if fewer letters than *best have to
 * be changed, added or taken away. */
void text_try_nearest(const char *candidate, const char *name, size_t len,
    int *best, const char **nearest);

#endif
