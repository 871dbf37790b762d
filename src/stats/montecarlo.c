/* The published study's way to compare two posteriors, as a check on the exact one. */
#include <math.h>

#include "dirichlet.h"

/* Uniform in (0,1), never an end. */
static double
uniform(struct rng *rng)
{
	return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

static double
normal(struct rng *rng)
{
	double r, u, v;

	do { /* a point in the disc, its radius reshaped */
		u = 2 * uniform(rng) - 1;
		v = 2 * uniform(rng) - 1;
		r = u * u + v * v;
	} while (r >= 1 || r == 0);
	return u * sqrt(-2 * log(r) / r);
}

/*
 * A gamma variate of shape >= 1, by rejection from the cube of a normal
 * variate (Marsaglia and Tsang 2000).
 */
static double
gamma_variate(struct rng *rng, double shape)
{
	double cube, d, x;

	d = shape - 1. / 3;
	for (;;) {
		x = normal(rng);
		cube = 1 + x / sqrt(9 * d);
		cube = cube * cube * cube;
		if (cube > 0 &&
		    log(uniform(rng)) < x * x / 2 + d * (1 - cube + log(cube)))
			return d * cube;
	}
}

static void
draw_rates(struct rng *rng, const struct dirichlet *c, double *draw, double *score)
{
	double d, l, w;

	w = gamma_variate(rng, (double)c->wins + 1);
	d = gamma_variate(rng, (double)c->draws + 1);
	l = gamma_variate(rng, (double)c->losses + 1);
	*draw = d / (w + d + l);
	*score = (w + d / 2) / (w + d + l);
}

int
dirichlet_monte_carlo(const struct dirichlet *a, const struct dirichlet *b,
    unsigned long long samples, struct rng *rng, struct dirichlet_probs *probs)
{
	double draw[2], draw_less, score[2], score_less;
	unsigned long long i;

	if (samples == 0)
		return -1;
	draw_less = score_less = 0;
	for (i = 0; i < samples; i++) {
		draw_rates(rng, a, &draw[0], &score[0]);
		draw_rates(rng, b, &draw[1], &score[1]);
		draw_less += draw[0] < draw[1] ? 1 : draw[0] == draw[1] ? 0.5 : 0;
		score_less += score[0] < score[1] ? 1 : score[0] == score[1] ? 0.5 : 0;
	}
	probs->draw_less = draw_less / (double)samples;
	probs->draw_greater = ((double)samples - draw_less) / (double)samples;
	probs->score_less = score_less / (double)samples;
	probs->score_greater = ((double)samples - score_less) / (double)samples;
	return 0;
}
