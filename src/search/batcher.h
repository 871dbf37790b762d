/*
 * A net that answers the questions of many searches at once. In each round
 * every search asks, the net answers what the cache cannot, and every search
 * is told:
 *
 *	for each search that is to go on
 *		batcher_ask()	0: it has come to its end
 *	batcher_answer()
 *
 * An answer does not depend on what is asked beside it, so nor does a search
 * on the others of the batcher.
 */
#ifndef SEARCH_BATCHER_H
#define SEARCH_BATCHER_H

#include "cache.h"
#include "search.h"

struct batcher {
	struct net *net;	/* the caller's */
	struct cache cache;
	int batch;		/* positions that the net is asked about at once */
	_Atomic uint64_t evaluated;	/* answers of the net */
	struct batcher_asker *askers;	/* of this round */
	int naskers, askers_room;
	struct net_query *queries, *missing;
	int *missing_at;	/* the places of those in queries */
	int nqueries, room;
};

/* batch is not more than the net takes; a cache of so many megabytes. -1 when
 * there is not so much memory. */
int batcher_init(struct batcher *p, struct net *net, int batch, size_t cache_size);
void batcher_release(struct batcher *p);

/* Takes what a search asks, and returns how much: 0 when it does not. */
int batcher_ask(struct batcher *p, struct search *s);

/* Answers, and tells all who have asked. -1 with a reason if the net fails. */
int batcher_answer(struct batcher *p, char reason[NET_REASON_MAX]);

#endif
