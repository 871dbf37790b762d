#include "searcher.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "absearcher.h"
#include "base/progress.h"
#include "batcher.h"

void
thinker_options_init(struct thinker_options *o)
{
	*o = (struct thinker_options){ .tree = search_defaults,
		.batch = 32,
		.memory = -1,
		.threads = 1,
		.temperature = 0.02 };
}

/* ---- thinkers ---- */

/* The kind of searcher for a net; NULL with a reason if there is none. */
static const struct searcher_ops *
find_ops(const struct net *net, enum search_kind kind, char *reason)
{
	bool has_policy = net->sparse == NULL || sparse_has_policy(net->sparse);

	if (kind == SEARCH_TREE || (kind == SEARCH_AS_NET && has_policy))
		return net->sparse != NULL && has_policy ? &direct_searcher_ops
							 : &treesearcher_ops;
	if (net->sparse != NULL || ab_evaluator_kind(net->hash) != AB_NET)
		return &ab_searcher_ops;
	refuse(reason, "alpha-beta cannot search with this net");
	return NULL;
}

/* malloc(3) may promise more memory than there is. */
static bool
is_too_much(int mebibytes)
{
	double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

	return all > 0 && (double)mebibytes * (1 << 20) > all;
}

/* Sets up what its searchers share. */
static int
open_shared(struct thinker *t, char *reason)
{
	if (is_too_much(t->options.memory))
		return refuse(reason, "%d MiB are more than this machine has",
		    t->options.memory);
	return t->ops->open(t, reason);
}

int
thinker_open(struct thinker *t, const struct thinker_options *o, const struct rules *r,
    char reason[SEARCHER_REASON_MAX])
{
	memset(t, 0, sizeof(*t));
	t->options = *o;
	t->rules = *r;
	t->net = net_open(o->spec, &o->net, reason);
	if (t->net == NULL)
		return -1;
	t->ops = find_ops(t->net, o->kind, reason);
	if (t->ops != NULL && t->options.memory == -1)
		t->options.memory = o->few_nodes ? t->ops->few_memory : t->ops->memory;
	if (t->ops == NULL || open_shared(t, reason) == -1) {
		net_close(t->net);
		return -1;
	}
	t->opened = true;
	return 0;
}

static void
close_shared(struct thinker *t)
{
	if (t->opened)
		t->ops->close(t);
	t->opened = false;
}

void
thinker_close(struct thinker *t)
{
	close_shared(t);
	net_close(t->net);
	memset(t, 0, sizeof(*t));
}

int
thinker_set_rules(struct thinker *t, const struct rules *r,
    char reason[SEARCHER_REASON_MAX])
{
	if (rules_equal(&t->rules, r))
		return 0;
	close_shared(t);
	t->rules = *r;
	t->opened = open_shared(t, reason) == 0;
	return t->opened ? 0 : -1;
}

bool
thinker_waits(const struct thinker *t)
{
	return t->ops->waits;
}

int
thinker_answer(struct thinker *t, char reason[SEARCHER_REASON_MAX])
{
	return t->batcher == NULL ? 0 : batcher_answer(t->batcher, reason);
}

uint64_t
thinker_evaluated(const struct thinker *t)
{
	return t->batcher != NULL ? t->batcher->evaluated : t->searched;
}

uint64_t
thinker_cached(const struct thinker *t)
{
	return t->batcher != NULL ? t->batcher->cache.hits : 0;
}

/* ---- searchers ---- */

struct searcher *
searcher_new(struct thinker *t)
{
	struct searcher *s = t->ops->new (t);

	if (s == NULL)
		return NULL;
	s->ops = t->ops;
	s->thinker = t;
	return s;
}

void
searcher_release(struct searcher *s)
{
	s->ops->release(s);
}

void
searcher_begin(struct searcher *s, const struct searcher_task *task)
{
	s->limits = task->limits;
	s->started = clock_seconds();
	s->cpu_spent = 0;
	s->stop = false;
	s->deadline = s->limits.seconds > 0 ? s->started + s->limits.seconds : INFINITY;
	s->ops->begin(s, task);
}

double
searcher_cpu_seconds(const struct searcher *s)
{
	return s->cpu_spent +
	    (s->stepping ? clock_thread_seconds() - s->step_started : 0) +
	    (s->ops->net_seconds != NULL ? s->ops->net_seconds(s) : 0);
}

bool
searcher_is_late(const struct searcher *s)
{
	return s->stop || (s->deadline < INFINITY && clock_seconds() >= s->deadline) ||
	    (s->limits.cpu_seconds > 0 &&
		searcher_cpu_seconds(s) >= s->limits.cpu_seconds);
}

enum searcher_state
searcher_step(struct searcher *s)
{
	s->step_started = clock_thread_seconds();
	s->stepping = true;
	enum searcher_state state = s->ops->step(s);
	s->stepping = false;
	s->cpu_spent += clock_thread_seconds() - s->step_started;
	return state;
}

void
searcher_stop(struct searcher *s)
{
	s->stop = true;
}

void
searcher_set_deadline(struct searcher *s, double deadline)
{
	s->deadline = deadline;
}

void
searcher_result(struct searcher *s, struct found *f)
{
	s->ops->result(s, f);
}

int
searcher_lines(const struct searcher *s, struct found_line *lines, int n)
{
	return s->ops->lines(s, lines, n);
}

void
searcher_advance(struct searcher *s, move m)
{
	if (s->ops->advance != NULL)
		s->ops->advance(s, m);
}

void
searcher_forget(struct searcher *s)
{
	s->ops->forget(s);
}

move
searcher_choose(const struct found *f, bool sample, struct rng *rng)
{
	double sum = 0;

	for (int i = 0; i < f->n; i++)
		sum += f->moves[i].weight;
	if (!sample || f->settled || sum <= 0)
		return f->best;
	double at = rng_double(rng) * sum;
	move m = 0;
	for (int i = 0; i < f->n && at >= 0; i++) {
		if (f->moves[i].weight > 0)
			m = f->moves[i].move;
		at -= f->moves[i].weight;
	}
	return m;
}
