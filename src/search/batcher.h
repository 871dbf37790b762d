/*
 * Collects the positions that many searches want evaluated, and evaluates those
 * that are not in the cache in batches. In each round:
 *
 *	for each search that is to continue
 *		batcher_ask()	0: the search is done
 *	batcher_answer()
 *
 * An evaluation does not depend on the rest of its batch, so a search does not
 * depend on the others.
 */
#ifndef SEARCH_BATCHER_H
#define SEARCH_BATCHER_H

#include "cache.h"
#include "search.h"

struct batcher {
	struct net *net; /* the caller's */
	struct cache cache;
	int batch;                    /* positions that the net evaluates at once */
	_Atomic uint64_t evaluated;   /* by the net, not from the cache */
	struct batcher_asker *askers; /* of this round */
	int naskers, askers_room;
	struct net_query *queries, *missing;
	int *missing_at; /* the places of those in queries */
	int nqueries, room;
};

/* batch is at most what the net takes; cache_size is in megabytes. 0, or -1 if
 * there is not enough memory. The net must outlive p. */
int batcher_init(struct batcher *p, struct net *net, int batch, size_t cache_size);
void batcher_release(struct batcher *p);

/* Collects the positions that a search wants evaluated and returns their number,
 * 0 if there are none. */
int batcher_ask(struct batcher *p, struct search *s);

/* Evaluates them and passes the evaluations to their searches. 0, or -1 with a
 * reason if the net fails. */
int batcher_answer(struct batcher *p, char reason[NET_REASON_MAX]);

#endif
