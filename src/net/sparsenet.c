/*
 * A sparse net, with or without a policy, behind the three calls of net.h, by its
 * integers; without a policy all priors are equal. Alpha-beta uses net->sparse
 * instead, and tree search net->policy, which needs no batches.
 */
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "policyfile.h"

enum { BATCH_MAX = 256 };

/* The weights for a rule set. */
struct tuned_rules {
	bool is_tuned;
	struct rules rules;
	struct policy_tuned tuned; /* without a policy: its value alone */
	struct sparse_stack stack;
};

/*
 * Tuning takes as long as some thousand evaluations. When lines of one rule set
 * are scored under another, queries of both alternate, so the last two are kept.
 */
struct sparse_net {
	struct net net; /* first, so that pointers can be cast */
	struct policy weights;
	struct tuned_rules kept[2];
	int last; /* which of them was used last */
};

static void
forget_rules(struct tuned_rules *t)
{
	if (t->is_tuned)
		sparse_stack_release(&t->stack);
	policy_tuned_release(&t->tuned);
	t->is_tuned = false;
}

static bool
tune(struct tuned_rules *t, const struct net *n, const struct rules *r)
{
	forget_rules(t);
	t->rules = *r;
	t->is_tuned =
	    (n->policy != NULL ? policy_tune(&t->tuned, n->policy, r)
			       : sparse_tune(&t->tuned.value, n->sparse, r)) == 0 &&
	    sparse_stack_init(&t->stack, &t->tuned.value, 1) == 0;
	if (!t->is_tuned)
		forget_rules(t);
	return t->is_tuned;
}

/* The weights for these rules; NULL if there is not enough memory. */
static struct tuned_rules *
tuned_for(struct sparse_net *s, const struct rules *r)
{
	for (int i = 0; i < 2; i++) {
		struct tuned_rules *t = &s->kept[s->last ^ i];
		if (t->is_tuned && rules_equal(&t->rules, r)) {
			s->last ^= i;
			return t;
		}
	}
	s->last ^= 1;
	return tune(&s->kept[s->last], &s->net, r) ? &s->kept[s->last] : NULL;
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
		struct tuned_rules *t =
		    tuned_for((struct sparse_net *)n, queries[i].board->rules);
		if (t == NULL)
			return refuse(reason, "out of memory");
		if (n->policy != NULL)
			policy_answer(&t->tuned, &t->stack, &queries[i]);
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
	policy_release(&s->weights);
	free(s);
}

static struct net *
read_net(const struct onnxin *file, bool policy, char *reason)
{
	struct sparse_net *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		refuse(reason, "out of memory");
		return NULL;
	}
	if ((policy ? policyfile_read(&s->weights, file, reason)
		    : sparsefile_read(&s->weights.value, file, reason)) == -1) {
		free(s);
		return NULL;
	}
	s->net.evaluate = evaluate;
	s->net.close = close_sparse;
	s->net.largest_batch = BATCH_MAX;
	s->net.sparse = &s->weights.value;
	s->net.policy = policy ? &s->weights : NULL;
	net_read_training(&s->net, file);
	return &s->net;
}

struct net *
net_open_sparse(const char *data, size_t size, bool *foreign, char reason[NET_REASON_MAX])
{
	struct onnxin file = { 0 };
	struct net *n = NULL;
	bool readable = onnxin_read(&file, data, size) == 0;
	bool policy = readable && policyfile_is(&file);

	*foreign = !policy && !(readable && sparsefile_is(&file));
	if (!*foreign)
		n = read_net(&file, policy, reason);
	onnxin_release(&file);
	return n;
}
