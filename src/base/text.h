/*
 * Strings that grow, and numbers read from text with their range checked. A
 * struct text, initialised to zeros, counts its bytes and may hold NULs.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	char *s; /* NUL-terminated unless empty and never used */
	size_t len, size;
};

/* Makes room for n more bytes and a NUL. */
void text_reserve(struct text *t, size_t n);

/* Frees the memory and leaves the text empty. */
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
void text_add_format(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_add_vformat(struct text *t, const char *format, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* Adds a JSON string with its quotes. Bytes that are not UTF-8 are taken for
 * Latin-1, so that the result is always valid. */
void text_add_json_string(struct text *t, const char *s, size_t n);

/* The length of the UTF-8 character at the beginning of the n > 0 bytes at s; 0
 * if there is none. */
size_t utf8_length(const unsigned char *s, size_t n);

/* Adds UTF-8; bytes that are not UTF-8 are taken for Latin-1. */
void text_add_utf8(struct text *t, const char *s, size_t n);

/* Adds text with every run of white space and control characters replaced by
 * one blank; none at the beginning of t, perhaps one at the end. */
void text_add_folded(struct text *t, const char *s, size_t n);

/* Adds a double with as few digits as read back to the same number. */
void text_add_double(struct text *t, double v);

/* Adds a number in binary (LEB128): seven bits a byte, the lowest first, the
 * highest bit set in all bytes but the last. */
void text_add_varint(struct text *t, uint64_t v);

/* Reads the whole string as a decimal number within [lowest, highest]. False,
 * with *v unchanged, if it is anything else; blanks are not skipped. */
bool number_read(const char *s, int64_t lowest, int64_t highest, int64_t *v);
bool number_read_u64(const char *s, uint64_t *v);
bool number_read_double(const char *s, double lowest, double highest, double *v);

/* If the edit distance between candidate and name is below *best, stores it there
 * and the candidate in *nearest. */
void text_try_nearest(const char *candidate, const char *name, size_t len, int *best,
    const char **nearest);

#endif
