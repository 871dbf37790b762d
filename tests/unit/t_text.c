/* Growing text, JSON strings, UTF-8, and numbers read from text. */
#include "base/text.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <stdlib.h>

#include "base/rng.h"
#include "common.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
test_growing(void)
{
	struct text t = { 0 };
	bool good = true;

	for (int i = 0; i < 100000; i++) {
		text_add_char(&t, (char)('a' + i % 26));
		good = good && t.len == (size_t)i + 1 && t.s[t.len] == '\0' &&
		    t.size > t.len;
	}
	for (int i = 0; i < 100000; i++)
		good = good && t.s[i] == (char)('a' + i % 26);
	ok(good, "a text grows byte by byte and ends with a NUL");
	text_clear(&t);
	ok(t.len == 0 && t.s[0] == '\0', "a cleared text is empty");
	text_add(&t, "a\0b", 3);
	ok(t.len == 3 && memcmp(t.s, "a\0b", 4) == 0, "a text may hold a NUL");
	text_add_format(&t, "%0*d", 5000, 7);
	ok(t.len == 5003 && t.s[5002] == '7' && t.s[5003] == '\0', "a long format");
	text_add(&t, "", 0);
	text_add_string(&t, "");
	ok(t.len == 5003, "adding nothing adds nothing");
	text_release(&t);
	ok(t.s == NULL && t.len == 0 && t.size == 0, "a text is released");
	text_clear(&t);
	text_add(&t, "", 0);
	ok(t.s != NULL && t.s[0] == '\0', "a released text can be used again");
	text_release(&t);
}

/* UTF-8 as Unicode defines it, written apart from the code under test. */
static bool
is_utf8(const char *string, size_t n)
{
	const unsigned char *s = (const unsigned char *)string;

	for (size_t i = 0; i < n;) {
		unsigned c = s[i];
		size_t more = c < 0x80 ? 0
		    : c >> 5 == 6      ? 1
		    : c >> 4 == 14     ? 2
		    : c >> 3 == 30     ? 3
				       : 9;
		if (more == 9 || i + more >= n)
			return false;
		c = more == 0 ? c : c & (0x3fu >> more);
		for (size_t k = 1; k <= more; k++) {
			if (s[i + k] >> 6 != 2)
				return false;
			c = c << 6 | (s[i + k] & 63u);
		}
		static const unsigned least[] = { 0, 0x80, 0x800, 0x10000 };
		if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
			return false;
		i += more + 1;
	}
	return true;
}

/* The JSON of any bytes: valid, on one line, and the same text again when a
 * parser has read it. What was UTF-8 is not changed. */
static bool
check_json(const char *s, size_t n)
{
	struct text json = { 0 }, utf8 = { 0 }, twice = { 0 };

	text_add_json_string(&json, s, n);
	text_add_utf8(&utf8, s, n);
	text_add_utf8(&twice, utf8.s, utf8.len);
	bool good = is_utf8(json.s, json.len) && is_utf8(utf8.s, utf8.len) &&
	    twice.len == utf8.len &&
	    (utf8.len == 0 || memcmp(twice.s, utf8.s, utf8.len) == 0);
	for (size_t i = 0; i < json.len; i++)
		good = good && (unsigned char)json.s[i] >= ' ';
	if (is_utf8(s, n))
		good = good && utf8.len == n && (n == 0 || memcmp(utf8.s, s, n) == 0);
	if (n > 0 && memchr(s, '\0', n) == NULL) {
		cJSON *read = cJSON_ParseWithLength(json.s, json.len);
		good = good && cJSON_IsString(read) &&
		    strlen(read->valuestring) == utf8.len &&
		    memcmp(read->valuestring, utf8.s, utf8.len) == 0;
		cJSON_Delete(read);
	}
	text_release(&json);
	text_release(&utf8);
	text_release(&twice);
	return good;
}

static void
test_json_strings(void)
{
	struct text t = { 0 };
	int wrong = 0;
	char s[16];
	struct rng rng;

	for (int i = 0; i < 256; i++) {
		s[0] = (char)i;
		wrong += !check_json(s, 1);
	}
	ok(wrong == 0, "every byte");
	for (int i = 0; i < 65536; i++) {
		s[0] = (char)(i >> 8);
		s[1] = (char)i;
		wrong += !check_json(s, 2);
	}
	ok(wrong == 0, "every two bytes");
	rng_init(&rng, 1, 1);
	for (int i = 0; i < (SANITIZED ? 100000 : 1000000); i++) {
		/* mostly bytes that could make up a character */
		static const char likely[] = "\xc2\xe0\xed\xef\xf0\xf4\xf5\x80"
					     "\x8f\x90\x9f\xa0\xbf\xc0\xc1 ";
		uint32_t n = rng_below(&rng, sizeof(s));
		for (uint32_t k = 0; k < n; k++)
			s[k] = rng_below(&rng, 4) == 0 ? (char)rng_below(&rng, 256)
						       : likely[rng_below(&rng, 16)];
		wrong += !check_json(s, n);
	}
	ok(wrong == 0, "random bytes");
	for (unsigned c = 0x80; c < 0x110000; c += c < 0x11000 ? 1 : 97) {
		int n = 0;
		if (c >= 0xd800 && c < 0xe000)
			continue;
		if (c >= 0x10000)
			s[n++] = (char)(0xf0 | c >> 18);
		if (c >= 0x800)
			s[n++] = (char)((c < 0x10000 ? 0xe0 : 0x80) |
			    (c >> 12 & (c < 0x10000 ? 15 : 63)));
		s[n++] =
		    (char)((c < 0x800 ? 0xc0 : 0x80) | (c >> 6 & (c < 0x800 ? 31 : 63)));
		s[n++] = (char)(0x80 | (c & 63));
		wrong += !is_utf8(s, (size_t)n) || !check_json(s, (size_t)n);
	}
	ok(wrong == 0, "characters stay as they are");
	text_add_json_string(&t, "a\"b\\c\nd\te\x01\xe4", 11);
	ok(strcmp(t.s, "\"a\\\"b\\\\c\\nd\\te\\u0001\xc3\xa4\"") == 0,
	    "escapes, and Latin-1: %s", t.s);
	text_release(&t);
}

static void
test_folding(void)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{ "", "" },
		{ " ", "" },
		{ "a", "a" },
		{ " a", "a" },
		{ "a ", "a " },
		{ "a  b", "a b" },
		{ "\ta\r\n\nb\v\f", "a b " },
		{ "\x01"
		  "a\x7f\x02"
		  "b",
		    "a b" },
		{ "\xe4 \x80", "\xe4 \x80" },
	};
	struct rng rng;
	int wrong = 0;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct text t = { 0 };
		text_add_folded(&t, rows[i].from, strlen(rows[i].from));
		ok(strcmp(t.s, rows[i].to) == 0 && t.len == strlen(rows[i].to),
		    "folding, row %zu", i);
		text_release(&t);
	}
	rng_init(&rng, 2, 2);
	for (int i = 0; i < 20000; i++) {
		struct text whole = { 0 }, parts = { 0 };
		char s[20];
		size_t n = rng_below(&rng, sizeof(s)), cut;
		for (size_t k = 0; k < n; k++)
			s[k] = " \n\0ab\xe4"[rng_below(&rng, 6)];
		cut = rng_below(&rng, (uint32_t)n + 1);
		text_add_folded(&whole, s, n);
		text_add_folded(&parts, s, cut);
		text_add_folded(&parts, s + cut, n - cut);
		wrong += strcmp(whole.s, parts.s) != 0 || whole.len != parts.len ||
		    strstr(whole.s, "  ") != NULL || whole.s[0] == ' ';
		text_release(&whole);
		text_release(&parts);
	}
	ok(wrong == 0, "folding in parts is folding the whole");
}

static void
test_numbers(void)
{
	static const struct {
		const char *text;
		bool good;
		int64_t v;
	} rows[] = {
		{ "0", true, 0 },
		{ "-0", true, 0 },
		{ "7", true, 7 },
		{ "007", true, 7 },
		{ "-5", true, -5 },
		{ "10", true, 10 },
		{ "-10", true, -10 },
		{ "11", false, 0 },
		{ "-11", false, 0 },
		{ "", false, 0 },
		{ "-", false, 0 },
		{ "+", false, 0 },
		{ "+5", false, 0 },
		{ " 5", false, 0 },
		{ "5 ", false, 0 },
		{ "\n5", false, 0 },
		{ "\v5", false, 0 },
		{ "5\n", false, 0 },
		{ "0x5", false, 0 },
		{ "5.0", false, 0 },
		{ "5e0", false, 0 },
		{ "--5", false, 0 },
		{ "- 5", false, 0 },
		{ "five", false, 0 },
		{ "99999999999999999999", false, 0 },
		{ "-99999999999999999999", false, 0 },
	};
	int64_t v;
	uint64_t u;

	for (size_t i = 0; i < COUNT(rows); i++) {
		v = 12345;
		bool got = number_read(rows[i].text, -10, 10, &v);
		ok(got == rows[i].good && v == (got ? rows[i].v : 12345),
		    "-10..10: %s '%s'", got ? "taken" : "refused",
		    strpbrk(rows[i].text, "\n\v") != NULL ? "(control)" : rows[i].text);
	}
	ok(number_read("9223372036854775807", INT64_MIN, INT64_MAX, &v) && v == INT64_MAX,
	    "the highest");
	ok(number_read("-9223372036854775808", INT64_MIN, INT64_MAX, &v) &&
		v == INT64_MIN,
	    "the lowest");
	ok(!number_read("9223372036854775808", INT64_MIN, INT64_MAX, &v),
	    "one more than the highest");
	ok(number_read_u64("18446744073709551615", &u) && u == UINT64_MAX, "2^64-1");
	ok(number_read_u64("0", &u) && u == 0, "0");
	static const char *const not_u64[] = { "18446744073709551616", "-1", "", " 1",
		"+1", "1 ", "0x1", "-0", "1.5" };
	for (size_t i = 0; i < COUNT(not_u64); i++)
		ok(!number_read_u64(not_u64[i], &u), "not 64 bits: '%s'", not_u64[i]);
}

static void
test_doubles(void)
{
	static const struct {
		const char *text;
		bool good;
		double v;
	} rows[] = {
		{ "0", true, 0 },
		{ "0.5", true, 0.5 },
		{ ".5", true, 0.5 },
		{ "1e-3", true, 1e-3 },
		{ "-2", true, -2 },
		{ "+2", true, 2 },
		{ "3", false, 0 },
		{ "", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "nan", false, 0 },
		{ "inf", false, 0 },
		{ "-inf", false, 0 },
		{ "0x1", false, 0 },
		{ "1e999", false, 0 },
		{ "e", false, 0 },
		{ "1e", false, 0 },
		{ "1,5", false, 0 },
	};
	struct rng rng;
	double v;
	int wrong = 0;

	for (size_t i = 0; i < COUNT(rows); i++) {
		v = 9;
		bool got = number_read_double(rows[i].text, -2, 2, &v);
		ok(got == rows[i].good && v == (got ? rows[i].v : 9), "-2..2: %s '%s'",
		    got ? "taken" : "refused", rows[i].text);
	}
	rng_init(&rng, 3, 3);
	for (int i = 0; i < 20000; i++) {
		struct text t = { 0 };
		union {
			uint64_t bits;
			double d;
		} x = { .bits = rng_next(&rng) };
		if (x.d - x.d != 0)
			continue; /* not finite */
		double d = i % 2 == 0 ? x.d : (double)rng_below(&rng, 1000) / 100;
		text_add_double(&t, d);
		wrong += strtod(t.s, NULL) != d || (i % 2 == 1 && t.len > 4);
		text_release(&t);
	}
	ok(wrong == 0, "doubles read back to themselves, short ones are short");
}

int
main(void)
{
	test_growing();
	test_json_strings();
	test_folding();
	test_numbers();
	test_doubles();
	return tap_end();
}
