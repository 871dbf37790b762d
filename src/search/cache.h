/*
 * The evaluation cache: a table of fixed size, in which a newer evaluation
 * replaces an older one, so that the net need not evaluate a position twice. It
 * returns exactly the numbers that were stored, so a search gives the same result
 * with it, only faster.
 */
#ifndef SEARCH_CACHE_H
#define SEARCH_CACHE_H

#include "net/net.h"

struct cache_entry;

struct cache {
	struct cache_entry *entries;
	uint64_t size; /* a power of two */
	uint64_t hits;
};

/* Allocates about this many megabytes; 0: no cache. 0, or -1 if there is not
 * enough memory. */
int cache_init(struct cache *c, size_t megabytes);
void cache_release(struct cache *c);

/* Prefetches the entry of a query that will be looked up soon. */
void cache_expect(const struct cache *c, const struct net_query *q);

/* Fills in a query's evaluation if it is stored; false if not. */
bool cache_get(struct cache *c, struct net_query *q);

/* Stores an evaluation; one with very many moves is not stored. */
void cache_put(struct cache *c, const struct net_query *q);

#endif
