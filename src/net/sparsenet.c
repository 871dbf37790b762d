/*
 * A sparse net behind the three calls of net.h: values by its integers, equal
 * priors, as it has no policy. Alpha-beta goes to net->sparse instead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "sparsefile.h"

enum { BATCH_MAX = 256 };

struct sparse_net {
	struct net net;		/* first, so that one is the other */
	struct sparse weights;
	struct rules rules;	/* that these are tuned for */
	bool is_tuned;
	struct sparse_tuned tuned;
	struct sparse_stack stack;
};

static int
tune(struct sparse_net *s, const struct rules *r, char *reason)
{
	if (s->is_tuned && rules_equal(&s->rules, r))
		return 0;
	if (s->is_tuned) {
		sparse_stack_release(&s->stack);
		sparse_tuned_release(&s->tuned);
	}
	s->is_tuned = false;
	s->rules = *r;
	if (sparse_tune(&s->tuned, &s->weights, r) == -1 ||
	    sparse_stack_init(&s->stack, &s->tuned, 1) == -1) {
		sparse_tuned_release(&s->tuned);
		return refuse(reason, "out of memory");
	}
	s->is_tuned = true;
	return 0;
}

static int
evaluate(struct net *n, struct net_query *queries, int count, char *reason)
{
	struct sparse_net *s = (struct sparse_net *)n;

	for (int i = 0; i < count; i++) {
		struct net_query *q = &queries[i];
		if (tune(s, q->board->rules, reason) == -1)
			return -1;
		int score = sparse_score(&s->stack, q->board, 0, -1);
		sparse_wdl(score, sparse_draw(&s->stack, q->board, 0), q->wdl);
		for (int j = 0; j < q->nmoves; j++)
			q->priors[j] = 1 / (float)q->nmoves;
	}
	return 0;
}

static void
close_sparse(struct net *n)
{
	struct sparse_net *s = (struct sparse_net *)n;

	if (s->is_tuned) {
		sparse_stack_release(&s->stack);
		sparse_tuned_release(&s->tuned);
	}
	sparse_release(&s->weights);
	free(s);
}

static struct sparse_net *
read_net(const struct onnxin *file, char *reason)
{
	struct sparse_net *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		refuse(reason, "out of memory");
		return NULL;
	}
	if (sparsefile_read(&s->weights, file, reason) == -1) {
		free(s);
		return NULL;
	}
	s->net.evaluate = evaluate;
	s->net.close = close_sparse;
	s->net.largest_batch = BATCH_MAX;
	s->net.sparse = &s->weights;
	sparsefile_training(file, &s->net);
	return s;
}

struct net *
net_open_sparse(const char *data, size_t size, bool *foreign,
    char reason[NET_REASON_MAX])
{
	struct onnxin file = { 0 };
	struct sparse_net *s = NULL;

	*foreign = onnxin_read(&file, data, size) == -1 || !sparsefile_is(&file);
	if (!*foreign)
		s = read_net(&file, reason);
	onnxin_release(&file);
	return s == NULL ? NULL : &s->net;
}
