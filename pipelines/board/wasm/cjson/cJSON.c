#include "cJSON.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { DEEPEST = 64 };

/* What is read, and the place that it has reached or, after a failure, where it
 * failed. */
struct reader {
	const char *at, *end;
	int depth;
};

static cJSON *read_value(struct reader *r);

void
cJSON_InitHooks(cJSON_Hooks *hooks)
{
	(void)hooks; /* memory never runs out: base/memory.h */
}

void
cJSON_free(void *p)
{
	free(p);
}

void
cJSON_Delete(cJSON *item)
{
	while (item != NULL) {
		cJSON *next = item->next;
		cJSON_Delete(item->child);
		free(item->valuestring);
		free(item->string);
		free(item);
		item = next;
	}
}

static void
skip_space(struct reader *r)
{
	while (r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0')
		r->at++;
}

static bool
take(struct reader *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static int
read_hex(struct reader *r)
{
	char digits[5] = "", *end;

	if (r->end - r->at < 4)
		return -1;
	memcpy(digits, r->at, 4);
	long v = strtol(digits, &end, 16);
	if (end != digits + 4 || digits[0] == '-' || digits[0] == '+')
		return -1;
	r->at += 4;
	return (int)v;
}

static void
add_utf8(struct text *t, int c)
{
	if (c < 0x80) {
		text_add_char(t, (char)c);
		return;
	}
	if (c < 0x800) {
		text_add_char(t, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			text_add_char(t, (char)(0xe0 | c >> 12));
		} else {
			text_add_char(t, (char)(0xf0 | c >> 18));
			text_add_char(t, (char)(0x80 | (c >> 12 & 63)));
		}
		text_add_char(t, (char)(0x80 | (c >> 6 & 63)));
	}
	text_add_char(t, (char)(0x80 | (c & 63)));
}

/* \uXXXX, of which two may be halves of one character. */
static bool
read_code(struct reader *r, struct text *t)
{
	int c = read_hex(r);

	if (c < 0 || (c >= 0xdc00 && c < 0xe000))
		return false;
	if (c >= 0xd800 && c < 0xdc00) {
		if (r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u')
			return false;
		r->at += 2;
		int low = read_hex(r);
		if (low < 0xdc00 || low >= 0xe000)
			return false;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	add_utf8(t, c);
	return true;
}

static char *
read_string(struct reader *r)
{
	static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	struct text t = { 0 };

	if (!take(r, '"'))
		return NULL;
	text_reserve(&t, 1);
	while (r->at < r->end && *r->at != '"') {
		const char *name;
		if (*r->at != '\\') {
			text_add_char(&t, *r->at++);
			continue;
		}
		if (++r->at == r->end || *r->at == '\0')
			break;
		if (*r->at == 'u') {
			r->at++;
			if (!read_code(r, &t))
				break;
		} else if ((name = strchr(names, *r->at)) != NULL) {
			text_add_char(&t, meant[name - names]);
			r->at++;
		} else {
			break;
		}
	}
	if (r->at < r->end && *r->at == '"') {
		r->at++;
		text_add_char(&t, '\0');
		return t.s;
	}
	text_release(&t);
	return NULL;
}

/* The members of an array or object, up to its closing bracket. */
static bool
read_members(struct reader *r, cJSON *to, bool named)
{
	char close = named ? '}' : ']';
	cJSON **last = &to->child;

	if (++r->depth > DEEPEST)
		return false;
	if (take(r, close)) {
		r->depth--;
		return true;
	}
	do {
		char *name = named ? read_string(r) : NULL;
		if (named && (name == NULL || !take(r, ':'))) {
			free(name);
			return false;
		}
		*last = read_value(r);
		if (*last == NULL) {
			free(name);
			return false;
		}
		(*last)->string = name;
		last = &(*last)->next;
	} while (take(r, ','));
	r->depth--;
	return take(r, close);
}

static bool
read_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

static bool
read_number(struct reader *r, cJSON *to)
{
	char copy[64], *end;
	size_t n = 0;

	while (r->at + n < r->end && n < sizeof(copy) - 1 &&
	    strchr("0123456789+-.eE", r->at[n]) != NULL && r->at[n] != '\0') {
		copy[n] = r->at[n];
		n++;
	}
	copy[n] = '\0';
	to->valuedouble = strtod(copy, &end);
	if (end == copy)
		return false;
	r->at += end - copy;
	to->valueint = to->valuedouble >= INT_MAX ? INT_MAX
	    : to->valuedouble <= INT_MIN          ? INT_MIN
						  : (int)to->valuedouble;
	return true;
}

static bool
fill(struct reader *r, cJSON *to)
{
	static const char *const words[] = { "false", "true", "null" };

	for (int i = 0; i < 3; i++)
		if (read_word(r, words[i])) {
			to->type = i;
			return true;
		}
	if (*r->at == '"') {
		to->type = CJSON_STRING;
		return (to->valuestring = read_string(r)) != NULL;
	}
	if (*r->at == '[' || *r->at == '{') {
		to->type = *r->at++ == '[' ? CJSON_ARRAY : CJSON_OBJECT;
		return read_members(r, to, to->type == CJSON_OBJECT);
	}
	to->type = CJSON_NUMBER;
	return read_number(r, to);
}

static cJSON *
read_value(struct reader *r)
{
	skip_space(r);
	if (r->at == r->end)
		return NULL;
	cJSON *item = xcalloc(1, sizeof(*item));
	if (fill(r, item))
		return item;
	cJSON_Delete(item);
	return NULL;
}

cJSON *
cJSON_ParseWithLengthOpts(const char *s, size_t n, const char **end, int whole)
{
	struct reader r = { s, s + n, 0 };
	cJSON *item = read_value(&r);

	(void)whole;
	*end = r.at;
	return item;
}

cJSON *
cJSON_GetObjectItemCaseSensitive(const cJSON *object, const char *name)
{
	cJSON *item;

	cJSON_ArrayForEach(item, object)
	{
		if (item->string != NULL && strcmp(item->string, name) == 0)
			return item;
	}
	return NULL;
}

cJSON *
cJSON_GetArrayItem(const cJSON *array, int i)
{
	cJSON *item;

	cJSON_ArrayForEach(item, array)
	{
		if (i-- == 0)
			return item;
	}
	return NULL;
}

int
cJSON_GetArraySize(const cJSON *array)
{
	const cJSON *item;
	int n = 0;

	cJSON_ArrayForEach(item, array)
	{
		n++;
	}
	return n;
}

static void
print(const cJSON *item, struct text *t)
{
	static const char *const words[] = { "false", "true", "null" };
	const cJSON *member;

	if (item->type <= CJSON_NULL) {
		text_add_string(t, words[item->type]);
	} else if (item->type == CJSON_NUMBER) {
		text_add_format(t, "%.17g", item->valuedouble);
	} else if (item->type == CJSON_STRING) {
		text_add_json_string(t, item->valuestring, strlen(item->valuestring));
	} else {
		bool named = item->type == CJSON_OBJECT;
		text_add_char(t, named ? '{' : '[');
		cJSON_ArrayForEach(member, item)
		{
			if (member != item->child)
				text_add_char(t, ',');
			if (named) {
				text_add_json_string(t, member->string,
				    strlen(member->string));
				text_add_char(t, ':');
			}
			print(member, t);
		}
		text_add_char(t, named ? '}' : ']');
	}
}

char *
cJSON_PrintUnformatted(const cJSON *item)
{
	struct text t = { 0 };

	print(item, &t);
	return t.s;
}
