/*
 * What the net has said of positions, so that it need not be asked twice: a
 * table of fixed size in which the newer answer takes the older one's place.
 * It gives back just the numbers that went in, so it changes nothing but the
 * time that a search takes.
 */
#ifndef SEARCH_CACHE_H
#define SEARCH_CACHE_H

#include "net/net.h"

struct cache_entry;

struct cache {
	struct cache_entry *entries;
	uint64_t size;		/* a power of two */
	uint64_t hits, misses;
};

/* About so many megabytes; 0: no cache. -1 when there is not so much memory. */
int cache_init(struct cache *c, size_t megabytes);
void cache_release(struct cache *c);

/* Tells the machine that a query will be looked up soon: memory is slow. */
void cache_expect(const struct cache *c, const struct net_query *q);

/* Answers a query if it can. */
bool cache_get(struct cache *c, struct net_query *q);

/* Keeps an answer; one with very many moves is not kept. */
void cache_put(struct cache *c, const struct net_query *q);

#endif
