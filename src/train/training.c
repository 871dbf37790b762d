#include "training.h"

#include <math.h>

#include "base/progress.h"
#include "base/rng.h"

bool
training_holds(const struct training_options *o, const struct game *g)
{
	uint64_t h = 0;

	for (int i = 1; i <= g->line.plies; i++)
		h = rng_stir(h ^ g->line.keys[i]);
	return o->holdout > 0 && rng_stir(h) % (uint64_t)o->holdout == 0;
}

static double
rate_at(const struct training_options *o, uint64_t step, uint64_t steps)
{
	double f = (double)step / (double)steps;
	double r = o->final_rate + (o->rate - o->final_rate) * 0.5 * (1 + cos(M_PI * f));

	return step < o->warmup ? r * (double)(step + 1) / (double)o->warmup : r;
}

int
training_run(const struct training_loop *l, const struct training_options *o,
    uint64_t steps, const struct cli *cli)
{
	double started = clock_seconds();
	struct progress progress;
	uint64_t reported = 0;

	progress_start(&progress, "steps", steps, cli->progress, cli->quiet);
	for (uint64_t i = 0; i < steps; i++) {
		double rate = rate_at(o, i, steps);
		if (l->step(l->training, rate) == -1)
			return -1;
		progress_add(&progress, 1);
		if ((i + 1) % o->every != 0 && i + 1 < steps)
			continue;
		double n = (double)(i + 1 - reported), now = clock_seconds();
		if (l->tell(l->training, n, rate, n * o->batch / (now - started)) == -1)
			return -1;
		reported = i + 1;
		started = now;
	}
	progress_end(&progress);
	return 0;
}

int
training_end_row(struct table *t)
{
	return table_end_row(t) == -1 ? -1 : zout_flush(t->out);
}
