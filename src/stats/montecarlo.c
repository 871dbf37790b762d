/* The published study's way to compare two posteriors, as a check on the exact one. */
#include "dirichlet.h"

static void
draw_rates(struct rng *rng, const struct dirichlet *c, double *draw, double *score)
{
	double d, l, w;

	w = rng_gamma(rng, (double)c->wins + 1);
	d = rng_gamma(rng, (double)c->draws + 1);
	l = rng_gamma(rng, (double)c->losses + 1);
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
