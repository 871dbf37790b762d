/*
 * JSON scanned in place. Building a cJSON tree would cost ten times as much as
 * checking the moves of a game; these functions find the ends of values and
 * copy nothing.
 */
#ifndef DATA_JSON_H
#define DATA_JSON_H

#include "base/message.h"
#include "base/text.h"

/* A value in its line, not copied. */
struct json_value {
	const char *s;
	size_t n;
};

static inline const char *
json_skip_space(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n'))
		s++;
	return s;
}

/*
 * The end of the value at s; NULL if it is not valid. depth is 0 for a value that
 * is not within another. Strings within others are checked completely, since
 * search data is passed on unchanged; others are checked when they are read.
 */
const char *json_skip_value(const char *s, const char *end, int depth);

/* Reads the next "key": value of an object, s being after its brace or after a
 * value. The key comes without its quotes, a string value with them. Returns the
 * end of the pair. At the end of the object returns NULL with key->s NULL and
 * *after set; if the object is malformed, NULL with key->s not NULL. */
const char *json_next_pair(const char *s, const char *end, bool first,
    struct json_value *key, struct json_value *value, const char **after);

static inline bool
json_is_key(struct json_value key, const char *name)
{
	return key.n == strlen(name) && memcmp(key.s, name, key.n) == 0;
}

/* Appends the text of a string, which has its quotes, with escapes resolved. 0,
 * or -1 if it is not a string. */
int json_read_string(struct json_value v, struct text *t);

/* A field that a reader knows. */
struct json_name {
	const char *s;
	size_t n;
};
/* For lists of fields: a member of a struct of values, and its name. */
#define JSON_MEMBER(name) struct json_value name;
#define JSON_NAME(name) { #name, sizeof(#name) - 1 },

/*
 * Finds the fields of an object: values[i] is the value of names[i], with s NULL
 * if it is missing. Unknown fields are skipped. 0, or -1 with a reason if it is
 * not an object, a field is given twice, or text follows.
 */
int json_scan(const struct json_name *names, struct json_value *values, int n,
    const char *s, const char *end, char reason[REASON_MAX]);

/* Parses n bytes into a tree, to be freed with cJSON_Delete(). NULL with a reason
 * if they are not exactly one JSON value. */
struct cJSON *json_tree(const char *s, size_t n, char reason[REASON_MAX]);

/* Reads a whole number that is not negative; false if it is anything else. */
bool json_read_int(struct json_value v, int *n);

#endif
