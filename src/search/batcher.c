#include "batcher.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

/* A search and its queries, which are side by side. */
struct batcher_asker {
	struct search *search;
	int first, count;
};

int
batcher_init(struct batcher *p, struct net *net, int batch, size_t cache_size)
{
	memset(p, 0, sizeof(*p));
	p->net = net;
	p->batch = batch;
	return cache_init(&p->cache, cache_size);
}

void
batcher_release(struct batcher *p)
{
	cache_release(&p->cache);
	free(p->askers);
	free(p->queries);
	free(p->missing);
	free(p->missing_at);
	memset(p, 0, sizeof(*p));
}

/* Makes room for another search and all queries that it may make. */
static void
make_room(struct batcher *p)
{
	if (p->naskers == p->askers_room) {
		p->askers_room = 2 * p->askers_room + 16;
		p->askers =
		    xreallocarray(p->askers, (size_t)p->askers_room, sizeof(*p->askers));
	}
	if (p->nqueries + SEARCH_ASYNC_MAX > p->room) {
		p->room = 2 * p->room + SEARCH_ASYNC_MAX;
		p->queries =
		    xreallocarray(p->queries, (size_t)p->room, sizeof(*p->queries));
		p->missing =
		    xreallocarray(p->missing, (size_t)p->room, sizeof(*p->missing));
		p->missing_at =
		    xreallocarray(p->missing_at, (size_t)p->room, sizeof(*p->missing_at));
	}
}

int
batcher_ask(struct batcher *p, struct search *s)
{
	make_room(p);
	int first = p->nqueries;
	int n = search_ask(s, p->queries + first);
	if (n == 0)
		return 0;
	for (int i = first; i < first + n; i++)
		cache_expect(&p->cache, &p->queries[i]);
	p->askers[p->naskers++] = (struct batcher_asker){ s, first, n };
	p->nqueries += n;
	return n;
}

/* Evaluates the first n of missing. */
static int
ask_net(struct batcher *p, int n, char *reason)
{
	/* in batches of about the same size, as small ones are slow */
	int parts = (n + p->batch - 1) / p->batch;

	for (int i = 0, count; i < n; i += count, parts--) {
		count = (n - i + parts - 1) / parts;
		if (net_evaluate(p->net, p->missing + i, count, reason) == -1)
			return -1;
		for (int j = i; j < i + count; j++) {
			memcpy(p->queries[p->missing_at[j]].wdl, p->missing[j].wdl,
			    sizeof(p->missing[j].wdl));
			cache_put(&p->cache, &p->missing[j]);
		}
		p->evaluated += (uint64_t)count;
	}
	return 0;
}

/* Divides the CPU time of the evaluation among the searches. */
static void
charge(struct batcher *p, double seconds)
{
	for (int i = 0; i < p->naskers; i++)
		p->askers[i].search->cpu_seconds +=
		    seconds * p->askers[i].count / p->nqueries;
}

int
batcher_answer(struct batcher *p, char reason[NET_REASON_MAX])
{
	double started = clock_thread_seconds();
	int n = 0;

	for (int i = 0; i < p->nqueries; i++) {
		if (cache_get(&p->cache, &p->queries[i]))
			continue;
		p->missing_at[n] = i;
		p->missing[n++] = p->queries[i];
	}
	if (ask_net(p, n, reason) == -1)
		return -1;
	for (int i = 0; i < p->naskers; i++)
		search_tell(p->askers[i].search, p->queries + p->askers[i].first,
		    p->askers[i].count);
	charge(p, clock_thread_seconds() - started);
	p->naskers = p->nqueries = 0;
	return 0;
}
