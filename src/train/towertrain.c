#include "towertrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "export.h"

enum {
	HELD_MAX = 20000,
	STATISTICS_POSITIONS = 4096,
	SHOW_PART = 32,
	CONVS_MAX = 1 + 2 * TOWER_BLOCKS_MAX
};

const struct training_options towertrain_defaults = {
	.batch = 256,
	.threads = 1,
	.holdout = 50,
	.every = 100,
	.warmup = 500,
	.passes = 2,
	.rate = 0.03,
	.value_rate = 1,
	.lambda = 0.98,
	.window = 500000,
};

/* ---- beginning and end ---- */

/* Takes the size from the checkpoint; returns 1 if there is one. */
static int
look_at_checkpoint(struct towertrain *t, const char *path, char *reason)
{
	const struct checkpoint *c = &t->so_far;
	struct towertrain_options *o = &t->tower;
	int there = path == NULL ? 0 : checkpoint_look(path, &t->so_far, reason);

	if (there == 1 && o->filters > 0 &&
	    (o->blocks != c->blocks || o->filters != c->filters))
		return refuse(reason, "its size is %dx%d, not %dx%d", c->blocks,
		    c->filters, o->blocks, o->filters);
	if (there == 1) {
		o->blocks = c->blocks;
		o->filters = c->filters;
	} else if (o->filters == 0) {
		o->blocks = 4;
		o->filters = 32;
	}
	return there;
}

int
towertrain_init(struct towertrain *t, const struct training_options *o,
    const struct towertrain_options *tower, const char *checkpoint,
    char reason[CHECKPOINT_REASON_MAX])
{
	size_t batch = (size_t)o->batch;

	memset(t, 0, sizeof(*t));
	t->options = *o;
	t->tower = *tower;
	int there = look_at_checkpoint(t, checkpoint, reason);
	if (there == -1)
		return -1;
	kernels_flush_denormals();
	if (threadpool_init(&t->pool, o->threads) == -1 ||
	    model_init(&t->model, t->tower.blocks, t->tower.filters, o->batch,
		&t->pool) == -1 ||
	    sgd_init(&t->sgd, &t->model.layout) == -1)
		memory_out();
	t->model.value_weight = (float)tower->value_weight;
	t->model.left_weight = (float)tower->left_weight;
	t->chosen = xcalloc(batch, sizeof(*t->chosen));
	t->mirrored = xcalloc(batch, sizeof(*t->mirrored));
	t->targets = xcalloc(batch, sizeof(*t->targets));
	t->places = xcalloc(batch * MOVES_MAX, sizeof(*t->places));
	window_init(&t->learnt, o->window, o->lambda);
	window_init(&t->held, HELD_MAX, o->lambda);
	if (there == 1)
		return checkpoint_read(checkpoint, &t->sgd, reason);
	model_random(&t->model.layout, t->sgd.parameters, o->seed);
	memcpy(t->sgd.average, t->sgd.parameters,
	    t->model.layout.parameters * sizeof(float));
	return 0;
}

void
towertrain_release(struct towertrain *t)
{
	free(t->chosen);
	free(t->mirrored);
	free(t->targets);
	free(t->places);
	sgd_release(&t->sgd);
	model_release(&t->model);
	threadpool_release(&t->pool);
	window_release(&t->learnt);
	window_release(&t->held);
}

/* ---- games ---- */

static size_t
room(const struct window *w)
{
	return w->n < w->limit ? w->limit - w->n : 0;
}

bool
towertrain_begin_file(struct towertrain *t, bool newest_first)
{
	size_t held = room(&t->held);

	t->newest_first = newest_first;
	if (!newest_first)
		return true;
	if (room(&t->learnt) == 0)
		return false;
	window_init(&t->file_learnt, room(&t->learnt), t->options.lambda);
	window_init(&t->file_held, held > 0 ? held : 1, t->options.lambda);
	return true;
}

int
towertrain_add(struct towertrain *t, const struct game *g, char reason[GAME_REASON_MAX])
{
	bool apart = training_holds(&t->options, g);

	if (t->newest_first)
		return window_add(apart ? &t->file_held : &t->file_learnt, g, reason);
	return window_add(apart ? &t->held : &t->learnt, g, reason);
}

void
towertrain_end_file(struct towertrain *t)
{
	if (!t->newest_first)
		return;
	window_append(&t->learnt, &t->file_learnt, room(&t->learnt));
	window_append(&t->held, &t->file_held, room(&t->held));
	window_release(&t->file_learnt);
	window_release(&t->file_held);
}

/* ---- batches ---- */

static void
show_part(void *training, int job, int thread)
{
	struct towertrain *t = training;
	int end = (job + 1) * SHOW_PART;

	(void)thread;
	for (int i = job * SHOW_PART; i < t->count && i < end; i++) {
		const struct sample *s = &t->shown->samples[t->chosen[i]];
		uint16_t *to = t->places + (size_t)i * MOVES_MAX;
		sample_show(t->shown, s, t->mirrored[i], model_input(&t->model, i), to);
		t->targets[i] = (struct model_target){ to, t->shown->probs + s->policy,
			s->moves, { s->wdl[0], s->wdl[1], s->wdl[2] }, s->left };
	}
}

static void
show_batch(struct towertrain *t, const struct window *w, int n)
{
	t->shown = w;
	t->count = n;
	threadpool_run(&t->pool, show_part, t, (n + SHOW_PART - 1) / SHOW_PART);
}

/* Positions to learn from: the window may hold more than its limit. */
static size_t
count_learnt(const struct towertrain *t)
{
	return t->learnt.n < t->learnt.limit ? t->learnt.n : t->learnt.limit;
}

static void
draw_batch(struct towertrain *t, struct rng *r)
{
	size_t n = count_learnt(t), first = t->learnt.n - n;

	for (int i = 0; i < t->options.batch; i++) {
		t->chosen[i] = (uint32_t)(first + rng_below(r, (uint32_t)n));
		t->mirrored[i] = !t->tower.no_mirror && rng_below(r, 2) == 1 &&
		    sample_mirrors(&t->learnt.samples[t->chosen[i]]);
	}
	show_batch(t, &t->learnt, t->options.batch);
}

/* ---- steps ---- */

/* From rate to final_rate exponentially, after the warmup over all calls. */
static double
rate_at(const void *training, uint64_t step, uint64_t total)
{
	const struct towertrain *t = training;
	const struct training_options *o = &t->options;
	double r = o->rate;

	if (o->final_rate > 0 && total > 1)
		r *= pow(o->final_rate / r, (double)step / (double)(total - 1));
	if (t->sgd.steps < o->warmup)
		r *= (double)(t->sgd.steps + 1) / (double)o->warmup;
	return r;
}

static void
add_loss(struct model_loss *sum, struct model_loss l, double share)
{
	sum->policy += l.policy * share;
	sum->value += l.value * share;
	sum->left += l.left * share;
}

static int
take_step(void *training, double rate)
{
	struct towertrain *t = training;
	struct rng r;

	rng_init(&r, t->options.seed, t->sgd.steps);
	draw_batch(t, &r);
	struct model_loss loss =
	    model_learn(&t->model, t->sgd.parameters, t->targets, t->options.batch);
	double size = sgd_step(&t->sgd, &t->tower.sgd, t->model.gradient, rate);
	t->diverged = !isfinite(size);
	if (t->diverged)
		return -1;
	t->so_far.positions += (uint64_t)t->options.batch;
	add_loss(&t->loss, loss, 1);
	t->gradient += size;
	return 0;
}

/* Adds a row, with the means of sums over n. */
static int
tell(struct towertrain *t, const char *kind, double n, struct model_loss sum, double rate,
    double gradient, double speed)
{
	struct table *table = t->table;

	table_string(table, "kind", kind);
	table_count(table, "step", t->sgd.steps);
	table_count(table, "positions", t->so_far.positions);
	table_number(table, "policy_loss", sum.policy * (1 / n));
	table_number(table, "value_loss", sum.value * (1 / n));
	table_number(table, "left_loss", sum.left * (1 / n));
	table_number(table, "rate", rate);
	table_number(table, "gradient", gradient / n);
	table_number(table, "positions_per_second", speed);
	return training_end_row(table);
}

static int
tell_learnt(void *training, double n, double rate, double speed)
{
	struct towertrain *t = training;
	int result = tell(t, "learnt", n, t->loss, rate, t->gradient, speed);

	t->loss = (struct model_loss){ 0 };
	t->gradient = 0;
	return result;
}

/* The losses of the averaged net on held-out games. */
static int
measure_held(struct towertrain *t)
{
	struct model_loss sum = { 0 };
	size_t done = 0, batch = (size_t)t->options.batch;
	double started = clock_seconds();

	for (; done < t->held.n; done += batch) {
		size_t left = t->held.n - done, n = left < batch ? left : batch;
		if (n < batch && done > 0)
			break; /* too few for batch norm */
		for (size_t i = 0; i < n; i++) {
			t->chosen[i] = (uint32_t)(done + i);
			t->mirrored[i] = false;
		}
		show_batch(t, &t->held, (int)n);
		add_loss(&sum,
		    model_measure(&t->model, t->sgd.average, t->targets, (int)n),
		    (double)n);
	}
	done = done < t->held.n ? done : t->held.n;
	return done == 0 ? 0
			 : tell(t, "held-out", (double)done, sum, NAN, NAN,
			       (double)done / (clock_seconds() - started));
}

int
towertrain_learn(struct towertrain *t, struct table *table, const struct cli *cli)
{
	const struct training_options *o = &t->options;
	const struct training_loop loop = { t, rate_at, take_step, tell_learnt };
	uint64_t steps = o->counted
	    ? o->steps
	    : (uint64_t)ceil(o->passes * (double)count_learnt(t) / o->batch);

	t->table = table;
	if (training_run(&loop, o, steps, cli) == -1)
		return -1;
	return measure_held(t);
}

/* ---- the net ---- */

/* Batch norm's statistics for the averaged weights, over many positions; and
 * the ranges of the layers, means over batches. */
static void
gather_statistics(struct towertrain *t, float *mean, float *variance, float *highest,
    float *largest)
{
	const struct model *m = &t->model;
	size_t n = (size_t)m->layout.convs * (size_t)m->layout.filters;
	int batch = t->options.batch;
	int rounds = (STATISTICS_POSITIONS + batch - 1) / batch;
	float high[CONVS_MAX], large[CONVS_MAX];
	struct rng r;

	rng_init(&r, t->options.seed ^ 0x6e6f726d, t->sgd.steps);
	memset(mean, 0, n * sizeof(*mean));
	memset(variance, 0, n * sizeof(*variance));
	for (int i = 0; i < rounds; i++) {
		draw_batch(t, &r);
		model_measure(&t->model, t->sgd.average, t->targets, batch);
		model_ranges(m, high, large);
		for (int j = 0; j < m->layout.convs; j++) {
			highest[j] += high[j] / (float)rounds;
			largest[j] += large[j] / (float)rounds;
		}
		for (size_t j = 0; j < n; j++) {
			mean[j] += m->mean[j] / (float)rounds;
			variance[j] +=
			    (m->variance[j] + m->mean[j] * m->mean[j]) / (float)rounds;
		}
	}
	/* Rounding must not make it negative, and the net NaN. */
	for (size_t j = 0; j < n; j++)
		variance[j] = fmaxf(variance[j] - mean[j] * mean[j], 0);
}

int
towertrain_export(struct towertrain *t, struct text *file, struct text *int8)
{
	size_t n = (size_t)t->model.layout.convs * (size_t)t->model.layout.filters;
	float *mean = kernels_allocate(n), *variance = kernels_allocate(n);
	float highest[CONVS_MAX] = { 0 }, largest[CONVS_MAX] = { 0 };
	struct text rules = { 0 };

	if (mean == NULL || variance == NULL)
		memory_out();
	gather_statistics(t, mean, variance, highest, largest);
	window_rules(&t->learnt, &rules);
	struct export e = { .layout = &t->model.layout,
		.parameters = t->sgd.average,
		.mean = mean,
		.variance = variance,
		.rules = rules.s,
		.steps = t->sgd.steps };
	int result = export_onnx(&e, file);
	e.highest = highest;
	e.largest = largest;
	if (result == 0 && int8 != NULL)
		result = export_onnx(&e, int8);
	text_release(&rules);
	free(mean);
	free(variance);
	return result;
}
