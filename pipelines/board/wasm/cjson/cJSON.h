/* The part of cJSON that rules and games need, for pages, as Debian has cJSON only
 * compiled for its own processors. The names and their meaning are cJSON's. */
#ifndef WASM_CJSON_H
#define WASM_CJSON_H

#include <stdbool.h>
#include <stddef.h>

enum {
	CJSON_FALSE,
	CJSON_TRUE,
	CJSON_NULL,
	CJSON_NUMBER,
	CJSON_STRING,
	CJSON_ARRAY,
	CJSON_OBJECT
};

typedef struct cJSON {
	struct cJSON *next, *child;
	int type;
	char *valuestring, *string;
	double valuedouble;
	int valueint;
} cJSON;

typedef struct {
	void *(*malloc_fn)(size_t n);
	void (*free_fn)(void *p);
} cJSON_Hooks;

void cJSON_InitHooks(cJSON_Hooks *hooks);
cJSON *cJSON_ParseWithLengthOpts(const char *s, size_t n, const char **end, int whole);
void cJSON_Delete(cJSON *item);
cJSON *cJSON_GetObjectItemCaseSensitive(const cJSON *object, const char *name);
int cJSON_GetArraySize(const cJSON *array);
cJSON *cJSON_GetArrayItem(const cJSON *array, int i);
char *cJSON_PrintUnformatted(const cJSON *item);
void cJSON_free(void *p);

#define cJSON_ArrayForEach(item, array) \
	for (item = (array) != NULL ? (array)->child : NULL; item != NULL; \
	     item = item->next)

static inline int
cJSON_is(const cJSON *item, int type)
{
	return item != NULL && item->type == type;
}

#define cJSON_IsFalse(item) cJSON_is(item, CJSON_FALSE)
#define cJSON_IsTrue(item) cJSON_is(item, CJSON_TRUE)
#define cJSON_IsBool(item) (cJSON_IsTrue(item) || cJSON_IsFalse(item))
#define cJSON_IsNull(item) cJSON_is(item, CJSON_NULL)
#define cJSON_IsNumber(item) cJSON_is(item, CJSON_NUMBER)
#define cJSON_IsString(item) cJSON_is(item, CJSON_STRING)
#define cJSON_IsArray(item) cJSON_is(item, CJSON_ARRAY)
#define cJSON_IsObject(item) cJSON_is(item, CJSON_OBJECT)

static inline char *
cJSON_GetStringValue(const cJSON *item)
{
	return cJSON_IsString(item) ? item->valuestring : NULL;
}

#endif
