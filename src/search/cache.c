#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "net/encode.h"

enum { CACHED_MOVES = 56 };

struct cache_entry {
	uint64_t key; /* 0: empty */
	float wdl[3];
	int nmoves;
	float priors[CACHED_MOVES];
};

int
cache_init(struct cache *c, size_t megabytes)
{
	memset(c, 0, sizeof(*c));
	if (megabytes == 0)
		return 0;
	c->size = 1;
	while (2 * c->size * sizeof(*c->entries) <= megabytes << 20)
		c->size *= 2;
	c->entries = calloc(c->size, sizeof(*c->entries));
	if (c->entries == NULL)
		c->size = 0;
	return c->entries == NULL ? -1 : 0;
}

void
cache_release(struct cache *c)
{
	free(c->entries);
	memset(c, 0, sizeof(*c));
}

/* One cache serves one rule set. */
static uint64_t
query_key(const struct net_query *q)
{
	return encode_key(q->board, q->repetitions);
}

void
cache_expect(const struct cache *c, const struct net_query *q)
{
	if (c->size == 0)
		return;
	const char *e = (const char *)&c->entries[query_key(q) & (c->size - 1)];
	for (size_t i = 0; i < sizeof(struct cache_entry); i += 64)
		__builtin_prefetch(e + i);
}

bool
cache_get(struct cache *c, struct net_query *q)
{
	if (c->size == 0)
		return false;
	uint64_t key = query_key(q);
	const struct cache_entry *e = &c->entries[key & (c->size - 1)];
	if (e->key != key || e->nmoves != q->nmoves)
		return false;
	memcpy(q->wdl, e->wdl, sizeof(q->wdl));
	memcpy(q->priors, e->priors, (size_t)e->nmoves * sizeof(*e->priors));
	c->hits++;
	return true;
}

void
cache_put(struct cache *c, const struct net_query *q)
{
	if (c->size == 0 || q->nmoves > CACHED_MOVES)
		return;
	uint64_t key = query_key(q);
	struct cache_entry *e = &c->entries[key & (c->size - 1)];
	e->key = key;
	e->nmoves = q->nmoves;
	memcpy(e->wdl, q->wdl, sizeof(q->wdl));
	memcpy(e->priors, q->priors, (size_t)q->nmoves * sizeof(*e->priors));
}
