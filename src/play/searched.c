#include "searched.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct searched {
	struct net net; /* first, so that pointers can be cast */
	struct thinker thinker;
	struct searcher *searcher;
	struct limits limits;
	struct found found;
};

/* Searches a position: 0, or -1 with a reason. */
static int
search(struct searched *s, const struct board *b, char *reason)
{
	struct rng rng;
	enum searcher_state state;
	struct searcher_task task = { .board = b,
		.keys = &b->key,
		.rng = &rng,
		.sampled = true,
		.limits = s->limits };

	rng_init(&rng, b->key, 0);
	searcher_forget(s->searcher);
	searcher_begin(s->searcher, &task);
	while ((state = searcher_step(s->searcher)) != SEARCHER_DONE)
		if (state == SEARCHER_WAITS && thinker_answer(&s->thinker, reason) == -1)
			return -1;
	searcher_result(s->searcher, &s->found);
	return 0;
}

static double
weight_of(const struct found *f, move m)
{
	for (int i = 0; i < f->n; i++)
		if (f->moves[i].move == m)
			return f->moves[i].weight;
	return 0;
}

/* The shares of the moves; a move that nothing is known of has none. */
static void
share(const struct found *f, struct net_query *q)
{
	double sum = 0;

	for (int i = 0; i < f->n; i++)
		sum += f->moves[i].weight;
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] = sum > 0 ? (float)(weight_of(f, q->moves[i]) / sum)
				       : 1 / (float)q->nmoves;
	for (int i = 0; i < 3; i++)
		q->wdl[i] = (float)f->wdl[i];
}

static int
evaluate(struct net *n, struct net_query *queries, int count, char *reason)
{
	struct searched *s = (struct searched *)n;

	for (int i = 0; i < count; i++) {
		if (!rules_equal(&s->thinker.rules, queries[i].board->rules))
			return refuse(reason, "a search plays by one rule set");
		if (search(s, queries[i].board, reason) == -1)
			return -1;
		share(&s->found, &queries[i]);
	}
	return 0;
}

static void
close_searched(struct net *n)
{
	struct searched *s = (struct searched *)n;

	if (s->searcher != NULL)
		searcher_release(s->searcher);
	thinker_close(&s->thinker);
	free(s);
}

static void
name(struct searched *s, const struct thinking *t)
{
	struct text text = { 0 };

	text_add_format(&text, "%s\n", s->thinker.net->hash);
	options_describe(t, s->thinker.ops, &text);
	options_digest(&text, s->net.hash);
	text_release(&text);
}

struct net *
searched_open(const struct thinking *t, const struct rules *r,
    char reason[SEARCHER_REASON_MAX])
{
	struct searched *s = xcalloc(1, sizeof(*s));

	if (thinker_open(&s->thinker, &t->thinker, r, reason) == -1) {
		free(s);
		return NULL;
	}
	s->limits = t->limits;
	s->net.evaluate = evaluate;
	s->net.close = close_searched;
	s->net.largest_batch = 1;
	name(s, t);
	s->searcher = searcher_new(&s->thinker);
	if (s->searcher != NULL)
		return &s->net;
	close_searched(&s->net);
	refuse(reason, "out of memory");
	return NULL;
}

const struct net *
searched_net(const struct net *n)
{
	return ((const struct searched *)n)->thinker.net;
}
