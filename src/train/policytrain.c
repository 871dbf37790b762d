#include "policytrain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "policyexport.h"

enum { HELD_MAX = 10000 };

const struct training_options policytrain_defaults = {
	.hidden = 256,
	.batch = 2048,
	.threads = 1,
	.holdout = 50,
	.every = 100,
	.warmup = 30,
	.passes = 4,
	.rate = 0.001,
	.final_rate = 0.0003,
	.value_rate = 1,
	.lambda = 0.88,
	.window = 100000,
};

int
policytrain_init(struct policytrain *t, const struct training_options *o,
    const char *from, char reason[REASON_MAX])
{
	memset(t, 0, sizeof(*t));
	t->options = *o;
	if (from != NULL && (t->from = sparsetrain_open(from, reason)) == NULL)
		return -1;
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
policytrain_add(struct policytrain *t, const struct game *g, char reason[GAME_REASON_MAX])
{
	struct policy_window *w = training_holds(&t->options, g) ? &t->held : &t->learnt;

	return policy_window_add_data(w, g, reason);
}

/* ---- steps ---- */

static int
take_step(void *training, double rate)
{
	struct policytrain *t = training;
	struct rng r;

	rng_init(&r, t->options.seed, t->steps++);
	struct policy_loss l =
	    policy_model_step(&t->model, &t->learnt, &r, rate, &t->pool);
	policy_loss_add(&t->loss, &l, 1);
	return 0;
}

static int
tell(struct policytrain *t, const char *kind, const struct policy_loss *l, double rate,
    double speed)
{
	struct table *table = t->table;

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
	return training_end_row(table);
}

static int
tell_learnt(void *training, double n, double rate, double speed)
{
	struct policytrain *t = training;
	struct policy_loss mean = { 0 };

	policy_loss_add(&mean, &t->loss, 1 / n);
	t->loss = (struct policy_loss){ 0 };
	return tell(t, "learnt", &mean, rate, speed);
}

static int
measure_held(struct policytrain *t)
{
	struct policy_loss sum = { 0 }, mean = { 0 };
	size_t n = policy_window_count(&t->held);

	if (n == 0)
		return 0;
	for (int i = 0; i < t->held.nsets; i++)
		policy_model_test(&t->model, t->held.sets[i], &sum);
	policy_loss_add(&mean, &sum, 1 / (double)n);
	return tell(t, "held-out", &mean, NAN, NAN);
}

int
policytrain_learn(struct policytrain *t, struct table *table, const struct cli *cli)
{
	const struct training_options *o = &t->options;
	const struct training_loop loop = { t, take_step, tell_learnt };
	uint64_t steps = sparsetrain_steps(o, policy_window_count(&t->learnt));

	t->table = table;
	if (policy_model_init(&t->model, o->hidden,
		t->from != NULL ? t->from->policy : NULL,
		t->from != NULL ? t->from->sparse : NULL, &t->learnt, o->seed,
		o->batch) == -1)
		memory_out();
	t->model.value_rate = (float)o->value_rate;
	if (training_run(&loop, o, steps, cli) == -1)
		return -1;
	return measure_held(t);
}

/* The list of rule sets, as far as the reader of nets keeps it. */
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
