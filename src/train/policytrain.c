#include "policytrain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "net/kernels.h"
#include "policyexport.h"

enum { WARMUP = 30, HELD_MAX = 10000 };

const struct sparsetrain_options policytrain_defaults = {
	.hidden = 256, .batch = 2048, .threads = 1, .holdout = 50, .every = 100,
	.passes = 4, .rate = 0.001, .final_rate = 0.0003, .value_rate = 1, .lambda = 0.88,
	.window = 100000
};

int
policytrain_init(struct policytrain *t, const struct sparsetrain_options *o,
    const char *from, char reason[REASON_MAX])
{
	memset(t, 0, sizeof(*t));
	t->options = *o;
	kernels_flush_denormals();
	if (from != NULL && (t->from = net_open(from, NULL, reason)) == NULL)
		return -1;
	if (t->from != NULL && t->from->sparse == NULL) {
		net_close(t->from);
		return refuse(reason, "not a sparse net");
	}
	if (t->from != NULL && t->from->policy != NULL)
		t->steps = t->from->steps;
	if (threadpool_init(&t->pool, o->threads) == -1)
		memory_out();
	policy_window_init(&t->learnt, o->window, o->lambda);
	policy_window_init(&t->held, HELD_MAX, o->lambda);
	return 0;
}

void
policytrain_release(struct policytrain *t)
{
	policy_model_release(&t->model);
	threadpool_release(&t->pool);
	policy_window_release(&t->learnt);
	policy_window_release(&t->held);
	net_close(t->from);
}

int
policytrain_add(struct policytrain *t, const struct game *g, bool held,
    char reason[GAME_REASON_MAX])
{
	return policy_window_add_data(held ? &t->held : &t->learnt, g, reason);
}

/* ---- steps ---- */

static double
rate_at(const struct sparsetrain_options *o, uint64_t step, uint64_t steps)
{
	double f = (double)step / (double)steps;
	double r = o->final_rate + (o->rate - o->final_rate) * 0.5 *
	    (1 + cos(M_PI * f));

	return step < WARMUP ? r * (double)(step + 1) / WARMUP : r;
}

static int
tell(struct policytrain *t, struct table *table, const char *kind,
    const struct policy_loss *l, double rate, double speed)
{
	table_string(table, "kind", kind);
	table_count(table, "step", t->steps);
	table_count(table, "positions", policy_window_count(&t->learnt));
	table_number(table, "policy_loss", l->policy);
	table_number(table, "target_entropy", l->entropy);
	table_number(table, "value_loss", l->value);
	table_number(table, "first_choice", l->first);
	table_number(table, "first_three", l->third);
	table_number(table, "rate", rate);
	table_number(table, "positions_per_second", speed);
	return table_end_row(table);
}

static int
measure_held(struct policytrain *t, struct table *table)
{
	struct policy_loss sum = { 0 }, mean = { 0 };
	size_t n = policy_window_count(&t->held);

	if (n == 0)
		return 0;
	for (int i = 0; i < t->held.nsets; i++)
		policy_model_test(&t->model, t->held.sets[i], &sum);
	policy_loss_add(&mean, &sum, 1 / (double)n);
	return tell(t, table, "held-out", &mean, NAN, NAN);
}

static int
take_steps(struct policytrain *t, struct table *table, const struct cli *cli,
    uint64_t steps)
{
	const struct sparsetrain_options *o = &t->options;
	struct policy_loss sum = { 0 };
	double started = clock_seconds();
	struct progress progress;
	uint64_t told = 0;

	progress_start(&progress, "steps", steps, cli->progress, cli->quiet);
	for (uint64_t i = 0; i < steps; i++) {
		struct rng r;
		double rate = rate_at(o, i, steps);
		rng_init(&r, o->seed, t->steps++);
		struct policy_loss l = policy_model_step(&t->model, &t->learnt,
		    &r, rate, &t->pool);
		policy_loss_add(&sum, &l, 1);
		progress_add(&progress, 1);
		if ((i + 1) % o->every != 0 && i + 1 < steps)
			continue;
		double n = (double)(i + 1 - told), now = clock_seconds();
		struct policy_loss mean = { 0 };
		policy_loss_add(&mean, &sum, 1 / n);
		if (tell(t, table, "learnt", &mean, rate, n * o->batch /
		    (now - started)) == -1)
			return -1;
		told = i + 1;
		started = now;
		sum = (struct policy_loss){ 0 };
	}
	progress_end(&progress);
	return 0;
}

int
policytrain_learn(struct policytrain *t, struct table *table,
    const struct cli *cli)
{
	const struct sparsetrain_options *o = &t->options;
	uint64_t steps = o->counted ? o->steps : (uint64_t)(o->passes *
	    (double)policy_window_count(&t->learnt) / o->batch) + 1;

	if (policy_model_init(&t->model, o->hidden, t->from != NULL ?
	    t->from->policy : NULL, t->from != NULL ? t->from->sparse : NULL,
	    &t->learnt, o->seed, o->batch) == -1)
		memory_out();
	t->model.value_rate = (float)o->value_rate;
	if (take_steps(t, table, cli, steps) == -1)
		return -1;
	return measure_held(t, table);
}

/* As much of the list of rule sets as a reader of nets keeps. */
static void
name_rules(const struct policytrain *t, struct text *names)
{
	char name[RULES_TEXT_MAX];

	text_add_string(names, "");
	for (int i = 0; i < t->learnt.nsets; i++) {
		rules_label(&t->learnt.sets[i]->rules, name);
		if (names->len + strlen(name) > 400)
			break;
		text_add_format(names, "%s%s", i == 0 ? "" : ",", name);
	}
}

int
policytrain_export(struct policytrain *t, struct text *file)
{
	struct text names = { 0 };

	name_rules(t, &names);
	int result = policy_export(&t->model.average, names.s, t->steps, file);
	text_release(&names);
	return result;
}
