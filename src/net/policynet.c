/*
 * A sparse net with a policy behind the three calls of net.h. Tree search goes
 * to net->policy instead, and needs no batches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "policyfile.h"

enum { BATCH_MAX = 256 };

/* The weights for a rule set. */
struct tuned_rules {
	bool is_tuned;
	struct rules rules;
	struct policy_tuned tuned;
	struct sparse_stack stack;
};

/*
 * Tuning takes as long as some thousand evaluations. Lines of one rule set that
 * are looked at with the eyes of another ask about both in turns, so the last
 * two are kept.
 */
struct policy_net {
	struct net net;		/* first, so that one is the other */
	struct policy weights;
	struct tuned_rules kept[2];
	int last;		/* which of them was asked last */
};

static void
forget_rules(struct tuned_rules *t)
{
	if (!t->is_tuned)
		return;
	sparse_stack_release(&t->stack);
	policy_tuned_release(&t->tuned);
	t->is_tuned = false;
}

static int
tune(struct tuned_rules *t, const struct policy *weights,
    const struct rules *r, char *reason)
{
	forget_rules(t);
	t->rules = *r;
	if (policy_tune(&t->tuned, weights, r) == -1)
		return refuse(reason, "out of memory");
	if (sparse_stack_init(&t->stack, &t->tuned.value, 1) == -1) {
		policy_tuned_release(&t->tuned);
		return refuse(reason, "out of memory");
	}
	t->is_tuned = true;
	return 0;
}

/* The weights for these rules; NULL with a reason. */
static struct tuned_rules *
tuned_for(struct policy_net *p, const struct rules *r, char *reason)
{
	for (int i = 0; i < 2; i++) {
		struct tuned_rules *t = &p->kept[p->last ^ i];
		if (t->is_tuned && rules_equal(&t->rules, r)) {
			p->last ^= i;
			return t;
		}
	}
	p->last ^= 1;
	return tune(&p->kept[p->last], &p->weights, r, reason) == -1 ? NULL :
	    &p->kept[p->last];
}

static int
evaluate(struct net *n, struct net_query *queries, int count, char *reason)
{
	struct policy_net *p = (struct policy_net *)n;

	for (int i = 0; i < count; i++) {
		struct tuned_rules *t = tuned_for(p, queries[i].board->rules,
		    reason);
		if (t == NULL)
			return -1;
		policy_answer(&t->tuned, &t->stack, &queries[i]);
	}
	return 0;
}

static void
close_policy(struct net *n)
{
	struct policy_net *p = (struct policy_net *)n;

	forget_rules(&p->kept[0]);
	forget_rules(&p->kept[1]);
	policy_release(&p->weights);
	free(p);
}

static struct policy_net *
read_net(const struct onnxin *file, char *reason)
{
	struct policy_net *p = calloc(1, sizeof(*p));

	if (p == NULL) {
		refuse(reason, "out of memory");
		return NULL;
	}
	if (policyfile_read(&p->weights, file, reason) == -1) {
		free(p);
		return NULL;
	}
	p->net.evaluate = evaluate;
	p->net.close = close_policy;
	p->net.largest_batch = BATCH_MAX;
	p->net.sparse = &p->weights.value;
	p->net.policy = &p->weights;
	sparsefile_training(file, &p->net);
	return p;
}

struct net *
net_open_policy(const char *data, size_t size, bool *foreign,
    char reason[NET_REASON_MAX])
{
	struct onnxin file = { 0 };
	struct policy_net *p = NULL;

	*foreign = onnxin_read(&file, data, size) == -1 || !policyfile_is(&file);
	if (!*foreign)
		p = read_net(&file, reason);
	onnxin_release(&file);
	return p == NULL ? NULL : &p->net;
}
