#include "json.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NESTING_MAX = 64 };

/* The end of a string whose opening quote is at s; NULL if there is none. */
static const char *
skip_string(const char *s, const char *end)
{
	for (s++;;) {
		s = memchr(s, '"', (size_t)(end - s));
		if (s == NULL)
			return NULL;
		const char *b = s;
		while (b[-1] == '\\')
			b--;
		s++;
		if ((s - 1 - b) % 2 == 0)
			return s;
	}
}

static int
hex4(const char *s, const char *end)
{
	int v = 0;

	if (end - s < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = s[i];
		int digit = c >= '0' && c <= '9' ? c - '0'
		    : c >= 'a' && c <= 'f'       ? c - 'a' + 10
		    : c >= 'A' && c <= 'F'       ? c - 'A' + 10
						 : -1;
		if (digit < 0)
			return -1;
		v = v << 4 | digit;
	}
	return v;
}

/* The same, with every byte checked. */
static const char *
check_string(const char *s, const char *end)
{
	for (s++; s < end && (unsigned char)*s >= ' '; s++) {
		if (*s == '"')
			return s + 1;
		if (*s != '\\')
			continue;
		if (++s == end || *s == '\0' || strchr("\"\\/bfnrtu", *s) == NULL)
			return NULL;
		if (*s == 'u' && hex4(s + 1, end) < 0)
			return NULL;
	}
	return NULL;
}

static const char *
skip_digits(const char *s, const char *end)
{
	while (s < end && *s >= '0' && *s <= '9')
		s++;
	return s;
}

static const char *
skip_number(const char *s, const char *end)
{
	const char *digits = s += *s == '-', *begin;

	s = skip_digits(digits, end);
	if (s == digits || (*digits == '0' && s > digits + 1))
		return NULL;
	if (s < end && *s == '.') {
		begin = ++s;
		if ((s = skip_digits(s, end)) == begin)
			return NULL;
	}
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		if (s < end && (*s == '+' || *s == '-'))
			s++;
		begin = s;
		if ((s = skip_digits(s, end)) == begin)
			return NULL;
	}
	return s;
}

static const char *
skip_word(const char *s, const char *end)
{
	static const char *const words[] = { "true", "false", "null" };

	for (int i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);
		if ((size_t)(end - s) >= n && memcmp(s, words[i], n) == 0)
			return s + n;
	}
	return NULL;
}

/* An array or an object. */
static const char *
skip_members(const char *s, const char *end, int depth)
{
	bool object = *s == '{';
	char close = object ? '}' : ']';

	if (depth == NESTING_MAX)
		return NULL;
	s = json_skip_space(s + 1, end);
	if (s < end && *s == close)
		return s + 1;
	for (;;) {
		if (object) {
			if (s == end || *s != '"' || (s = check_string(s, end)) == NULL)
				return NULL;
			s = json_skip_space(s, end);
			if (s == end || *s++ != ':')
				return NULL;
		}
		s = json_skip_value(json_skip_space(s, end), end, depth + 1);
		if (s == NULL || (s = json_skip_space(s, end)) == end)
			return NULL;
		if (*s == close)
			return s + 1;
		if (*s++ != ',')
			return NULL;
		s = json_skip_space(s, end);
	}
}

const char *
json_skip_value(const char *s, const char *end, int depth)
{
	if (s == end)
		return NULL;
	switch (*s) {
	case '"':
		return depth == 0 ? skip_string(s, end) : check_string(s, end);
	case '{':
	case '[':
		return skip_members(s, end, depth);
	case 't':
	case 'f':
	case 'n':
		return skip_word(s, end);
	default:
		return skip_number(s, end);
	}
}

const char *
json_next_pair(const char *s, const char *end, bool first, struct json_value *key,
    struct json_value *value, const char **after)
{
	key->s = NULL;
	s = json_skip_space(s, end);
	if (s < end && *s == '}') {
		*after = s + 1;
		return NULL;
	}
	key->s = s;
	if (!first) {
		if (s == end || *s != ',')
			return NULL;
		s = json_skip_space(s + 1, end);
	}
	if (s == end || *s != '"')
		return NULL;
	const char *close = skip_string(s, end);
	if (close == NULL)
		return NULL;
	key->s = s + 1;
	key->n = (size_t)(close - s - 2);
	s = json_skip_space(close, end);
	if (s == end || *s != ':')
		return NULL;
	s = json_skip_space(s + 1, end);
	value->s = s;
	s = json_skip_value(s, end, 0);
	if (s == NULL)
		return NULL;
	value->n = (size_t)(s - value->s);
	return s;
}

static void
add_utf8(struct text *t, int c)
{
	char s[4];
	size_t n = 0;

	if (c < 0x80) {
		s[n++] = (char)c;
	} else if (c < 0x800) {
		s[n++] = (char)(0xc0 | c >> 6);
		s[n++] = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		s[n++] = (char)(0xe0 | c >> 12);
		s[n++] = (char)(0x80 | (c >> 6 & 63));
		s[n++] = (char)(0x80 | (c & 63));
	} else {
		s[n++] = (char)(0xf0 | c >> 18);
		s[n++] = (char)(0x80 | (c >> 12 & 63));
		s[n++] = (char)(0x80 | (c >> 6 & 63));
		s[n++] = (char)(0x80 | (c & 63));
	}
	text_add(t, s, n);
}

/* Appends the character of \uXXXX, s being after the u; a surrogate pair is one
 * character. Returns its end, NULL if it is malformed. */
static const char *
add_unicode(struct text *t, const char *s, const char *end)
{
	int c = hex4(s, end);

	s += 4;
	if (c < 0)
		return NULL;
	if (c >= 0xd800 && c < 0xdc00 && end - s >= 6 && s[0] == '\\' && s[1] == 'u') {
		int low = hex4(s + 2, end);
		if (low < 0xdc00 || low > 0xdfff)
			return NULL;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		s += 6;
	} else if (c >= 0xd800 && c < 0xe000) {
		return NULL;
	}
	add_utf8(t, c);
	return s;
}

int
json_read_string(struct json_value v, struct text *t)
{
	if (v.n < 2 || v.s[0] != '"' || check_string(v.s, v.s + v.n) == NULL)
		return -1;
	const char *s = v.s + 1, *end = v.s + v.n - 1, *escape;
	while ((escape = memchr(s, '\\', (size_t)(end - s))) != NULL) {
		static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
		text_add(t, s, (size_t)(escape - s));
		s = escape + 2;
		if (escape[1] == 'u') {
			s = add_unicode(t, s, end);
			if (s == NULL)
				return -1;
			continue;
		}
		text_add_char(t, to[strchr(from, escape[1]) - from]);
	}
	text_add(t, s, (size_t)(end - s));
	return 0;
}

bool
json_read_int(struct json_value v, int *n)
{
	int64_t wide;
	char digits[16];

	if (v.n == 0 || v.n >= sizeof(digits))
		return false;
	memcpy(digits, v.s, v.n);
	digits[v.n] = '\0';
	if (!number_read(digits, 0, INT_MAX, &wide))
		return false;
	*n = (int)wide;
	return true;
}

/* Does the text end within a string, an object or an array? */
static bool
is_cut(const char *s, size_t n)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		if (quoted && s[i] == '\\')
			i++;
		else if (s[i] == '"')
			quoted = !quoted;
		else if (!quoted)
			depth +=
			    (s[i] == '{' || s[i] == '[') - (s[i] == '}' || s[i] == ']');
	}
	return quoted || depth > 0;
}

/* Where a key's quote is missing, cJSON points after the character that stands
 * in its place. */
static const char *
wrong_place(const char *s, const char *at)
{
	const char *c = at - 1;

	if (c <= s || strchr(" \t\r\n\"", *c) != NULL)
		return at;
	do
		c--;
	while (c > s && strchr(" \t\r\n", *c) != NULL);
	return *c == ',' || *c == '{' ? at - 1 : at;
}

/* The n bytes at s are not JSON; cJSON stopped at `at`. */
static int
refuse_at(char *reason, const char *s, size_t n, const char *at)
{
	const char *begin = s;
	int line = 1, rest;

	if (at == NULL)
		return refuse(reason, "not valid JSON");
	at = wrong_place(s, at);
	for (const char *c = s; c < at; c++)
		if (*c == '\n') {
			line++;
			begin = c + 1;
		}
	rest = s + n - at < 20 ? (int)(s + n - at) : 20;
	if (rest <= 1 && is_cut(s, n))
		return refuse(reason, "not valid JSON: it is cut short");
	/* the end of a file's last line is not worth quoting */
	while (rest > 1 && (unsigned char)at[rest - 1] <= ' ')
		rest--;
	if (line == 1)
		return refuse(reason, "not valid JSON from column %zu on: %.*s",
		    (size_t)(at - begin) + 1, rest, at);
	return refuse(reason, "not valid JSON from line %d, column %zu on: %.*s", line,
	    (size_t)(at - begin) + 1, rest, at);
}

/* The same, where cJSON has not been tried yet. */
static int
refuse_json(char *reason, const char *s, size_t n)
{
	const char *at = NULL;
	cJSON *tree = cJSON_ParseWithLengthOpts(s, n, &at, false);

	refuse_at(reason, s, n, tree != NULL ? NULL : at);
	cJSON_Delete(tree);
	return -1;
}

/* cJSON returns NULL for lack of memory as for bad JSON, so that it must not
 * run out of it. */
__attribute__((constructor)) static void
end_without_memory(void)
{
	cJSON_InitHooks(&(cJSON_Hooks){ xmalloc, free });
}

/* cJSON's strings end at a NUL, so that text after it would be lost. */
static bool
has_nul(const char *s, size_t n)
{
	if (memchr(s, '\0', n) != NULL)
		return true;
	for (size_t i = 0; i + 6 <= n; i++) {
		if (s[i] != '\\')
			continue;
		if (memcmp(s + i + 1, "u0000", 5) == 0)
			return true;
		i++;
	}
	return false;
}

cJSON *
json_tree(const char *s, size_t n, char reason[REASON_MAX])
{
	const char *at = NULL;

	if (has_nul(s, n)) {
		refuse(reason, "a NUL in the JSON");
		return NULL;
	}
	cJSON *tree = cJSON_ParseWithLengthOpts(s, n, &at, false);
	if (tree == NULL) {
		refuse_at(reason, s, n, at);
	} else if (json_skip_space(at, s + n) != s + n) {
		refuse(reason, "unexpected text after the JSON");
		cJSON_Delete(tree);
		tree = NULL;
	}
	return tree;
}

static struct json_value *
find_value(const struct json_name *names, struct json_value *values, int n,
    struct json_value key)
{
	for (int i = 0; i < n; i++)
		if (key.n == names[i].n && memcmp(key.s, names[i].s, key.n) == 0)
			return &values[i];
	return NULL;
}

int
json_scan(const struct json_name *names, struct json_value *values, int n, const char *s,
    const char *end, char reason[REASON_MAX])
{
	const char *whole = s, *after = NULL;
	struct json_value key, value;
	bool first = true;

	memset(values, 0, (size_t)n * sizeof(*values));
	s = json_skip_space(s, end);
	if (s == end || *s != '{')
		return refuse(reason, "not a JSON object");
	for (s++; (s = json_next_pair(s, end, first, &key, &value, &after)) != NULL;
	     first = false) {
		struct json_value *found = find_value(names, values, n, key);
		if (found != NULL && found->s != NULL)
			return refuse(reason, "%.*s is given twice", (int)key.n, key.s);
		if (found != NULL)
			*found = value;
	}
	if (key.s != NULL)
		return refuse_json(reason, whole, (size_t)(end - whole));
	if (json_skip_space(after, end) != end)
		return refuse(reason, "unexpected text after the JSON object");
	return 0;
}
