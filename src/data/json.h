/*
 * JSON scanned in place. A tree of nodes (cJSON) would cost ten times what the
 * moves of a game do; these functions find the ends of values and leave them
 * where they are.
 */
#ifndef DATA_JSON_H
#define DATA_JSON_H

#include "base/message.h"
#include "base/text.h"

/* A value as it stands in its line. */
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
 * The end of any value at s; NULL when it is none. Depth is 0 but for values
 * within others. Strings within others are checked to the byte, since search
 * data is handed on as it stands; those of an object's own fields will be when
 * they are read.
 */
const char *json_skip_value(const char *s, const char *end, int depth);

/* Reads the next "key": value of an object. s is behind the brace or a value.
 * The key is without its quotes, a string as a value with them. Returns where
 * it ends; NULL with key->s NULL and *after set at the end of the object, and
 * NULL with key->s set when it is broken. */
const char *json_next_pair(const char *s, const char *end, bool first,
    struct json_value *key, struct json_value *value, const char **after);

static inline bool
json_is_key(struct json_value key, const char *name)
{
	return key.n == strlen(name) && memcmp(key.s, name, key.n) == 0;
}

/* Adds the text of a string, given with its quotes, escapes resolved; -1 when
 * it is none. */
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
 * Finds the fields of an object: values[i] is that of names[i], with s NULL where
 * it is not given. Fields of other names are skipped. -1 with a reason when it is
 * no object, a field is given twice, or more follows.
 */
int json_scan(const struct json_name *names, struct json_value *values, int n,
    const char *s, const char *end, char reason[REASON_MAX]);

/* The n bytes at s as a tree, to be freed by cJSON_Delete(); NULL with a reason
 * when they are not one JSON value and nothing else. */
struct cJSON *json_tree(const char *s, size_t n, char reason[REASON_MAX]);

/* A whole number that is not negative. */
bool json_read_int(struct json_value v, int *n);

#endif
