/* The published study's way to compare two posteriors, as a check on the exact one. */
#include <math.h>

#include "dirichlet.h"

/* Random numbers for the check by sampling. */
struct source {
	uint64_t (*next)(void *);
	void	*state;
};

/* Uniform in (0,1), never an end. */
static double
source_uniform(const struct source *s)
{
	return ((double)(s->next(s->state) >> 11) + 0.5) * 0x1p-53;
}

static double
source_normal(const struct source *s)
{
	double r, u, v;

	do {			/* a point in the disc, its radius reshaped */
		u = 2 * source_uniform(s) - 1;
		v = 2 * source_uniform(s) - 1;
		r = u * u + v * v;
	} while (r >= 1 || r == 0);
	return u * sqrt(-2 * log(r) / r);
}

/*
 * A gamma variate of shape >= 1, by rejection from the cube of a normal
 * variate (Marsaglia and Tsang 2000).
 */
static double
source_gamma(const struct source *s, double shape)
{
	double cube, d, x;

	d = shape - 1. / 3;
	for (;;) {
		x = source_normal(s);
		cube = 1 + x / sqrt(9 * d);
		cube = cube * cube * cube;
		if (cube > 0 && log(source_uniform(s)) <
		    x * x / 2 + d * (1 - cube + log(cube)))
			return d * cube;
	}
}

static void
source_rates(const struct source *s, const struct dirichlet *c, double *draw,
    double *score)
{
	double d, l, w;

	w = source_gamma(s, (double)c->wins + 1);
	d = source_gamma(s, (double)c->draws + 1);
	l = source_gamma(s, (double)c->losses + 1);
	*draw = d / (w + d + l);
	*score = (w + d / 2) / (w + d + l);
}

int
dirichlet_monte_carlo(const struct dirichlet *a, const struct dirichlet *b,
    unsigned long long samples, uint64_t (*next)(void *), void *state,
    struct dirichlet_probs *probs)
{
	struct source s;
	double draw[2], draw_less, score[2], score_less;
	unsigned long long i;

	if (samples == 0)
		return -1;
	s.next = next;
	s.state = state;
	draw_less = score_less = 0;
	for (i = 0; i < samples; i++) {
		source_rates(&s, a, &draw[0], &score[0]);
		source_rates(&s, b, &draw[1], &score[1]);
		draw_less += draw[0] < draw[1] ? 1 :
		    draw[0] == draw[1] ? 0.5 : 0;
		score_less += score[0] < score[1] ? 1 :
		    score[0] == score[1] ? 0.5 : 0;
	}
	probs->draw_less = draw_less / (double)samples;
	probs->draw_greater = ((double)samples - draw_less) / (double)samples;
	probs->score_less = score_less / (double)samples;
	probs->score_greater = ((double)samples - score_less) / (double)samples;
	return 0;
}
