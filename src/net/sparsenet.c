/*
 * A sparse net, with or without a policy, behind the three calls of net.h, by its
 * integers; without a policy all priors are equal. The searchers use net->sparse
 * instead, which needs no batches.
 */
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "policy.h"
#include "sparsefile.h"

enum { BATCH_MAX = 256 };

/* The weights for a rule set. */
struct kept_rules {
	bool is_used;
	struct rules rules;
	struct sparse_ints ints;
	struct sparse_stack stack;
};

/*
 * Quantising takes as long as some thousand evaluations. When lines of one rule set
 * are scored under another, queries of both alternate, so the last two are kept.
 */
struct sparse_net {
	struct net net; /* first, so that pointers can be cast */
	struct sparse weights;
	struct kept_rules kept[2];
	int last; /* which of them was used last */
};

static void
forget_rules(struct kept_rules *t)
{
	if (t->is_used)
		sparse_stack_release(&t->stack);
	sparse_ints_release(&t->ints);
	t->is_used = false;
}

static bool
quantise(struct kept_rules *t, const struct net *n, const struct rules *r)
{
	forget_rules(t);
	t->rules = *r;
	t->is_used = sparse_quantise(&t->ints, n->sparse, &t->rules) == 0 &&
	    sparse_stack_init(&t->stack, &t->ints, 1) == 0;
	if (!t->is_used)
		forget_rules(t);
	return t->is_used;
}

/* The weights for these rules; NULL if there is not enough memory. */
static struct kept_rules *
ints_for(struct sparse_net *s, const struct rules *r)
{
	for (int i = 0; i < 2; i++) {
		struct kept_rules *t = &s->kept[s->last ^ i];
		if (t->is_used && rules_equal(&t->rules, r)) {
			s->last ^= i;
			return t;
		}
	}
	s->last ^= 1;
	return quantise(&s->kept[s->last], &s->net, r) ? &s->kept[s->last] : NULL;
}

static void
answer_value(struct sparse_stack *s, struct net_query *q)
{
	int score = sparse_score(s, q->board, 0, -1);

	sparse_wdl(score, sparse_draw(s, q->board, 0), q->wdl);
	for (int j = 0; j < q->nmoves; j++)
		q->priors[j] = 1 / (float)q->nmoves;
}

static int
evaluate(struct net *n, struct net_query *queries, int count, char *reason)
{
	for (int i = 0; i < count; i++) {
		struct kept_rules *t =
		    ints_for((struct sparse_net *)n, queries[i].board->rules);
		if (t == NULL)
			return refuse(reason, "out of memory");
		if (sparse_has_policy(n->sparse))
			policy_answer(&t->ints, &t->stack, &queries[i]);
		else
			answer_value(&t->stack, &queries[i]);
	}
	return 0;
}

static void
close_sparse(struct net *n)
{
	struct sparse_net *s = (struct sparse_net *)n;

	forget_rules(&s->kept[0]);
	forget_rules(&s->kept[1]);
	sparse_release(&s->weights);
	free(s);
}

static struct net *
read_net(const struct onnxin *file, char *reason)
{
	struct sparse_net *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		refuse(reason, "out of memory");
		return NULL;
	}
	if ((sparsefile_is(file) ? sparsefile_read(&s->weights, file, reason)
				 : sparseold_read(&s->weights, file, reason)) == -1) {
		free(s);
		return NULL;
	}
	s->net.evaluate = evaluate;
	s->net.close = close_sparse;
	s->net.largest_batch = BATCH_MAX;
	s->net.sparse = &s->weights;
	net_read_training(&s->net, file);
	return &s->net;
}

struct net *
net_open_sparse(const char *data, size_t size, bool *foreign, char reason[NET_REASON_MAX])
{
	struct onnxin file = { 0 };
	struct net *n = NULL;

	*foreign = onnxin_read(&file, data, size) == -1 ||
	    (!sparsefile_is(&file) && !sparseold_is(&file));
	if (!*foreign)
		n = read_net(&file, reason);
	onnxin_release(&file);
	return n;
}
