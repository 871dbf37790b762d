#include "entropy.h"

#include <math.h>

void
moments_add(struct moments *m, double x, double weight)
{
	if (isinf(x)) {
		m->infinite++;
		return;
	}
	/* Welford's way: numbers that are all equal have just that mean. */
	double before = x - m->mean;
	m->n += weight;
	m->mean += before * weight / m->n;
	m->squares += weight * before * (x - m->mean);
}

double
moments_mean(const struct moments *m)
{
	if (m->infinite > 0)
		return INFINITY;
	return m->n > 0 ? m->mean : NAN;
}

double
moments_error(const struct moments *m)
{
	if (m->infinite > 0 || m->n < 2)
		return NAN;
	return sqrt(m->squares / (m->n - 1) / m->n);
}

void
entropy_add(struct entropy_ply *plies, int most, const struct entropy_line *l)
{
	double h = 0, plain = 0;

	for (int t = 0; t < most && (t < l->plies || l->over); t++) {
		struct entropy_ply *p = &plies[t];
		p->lines++;
		if (t < l->plies) {
			h += l->h[t];
			plain -= l->logp[t];
			moments_add(&p->m, exp(l->h[t]), l->weight);
		} else {
			p->over++;
		}
		moments_add(&p->h, h, l->weight);
		moments_add(&p->plain, plain, l->weight);
	}
}

/* The number of candidate moves; none where there is no legal move. */
static double
candidates(double h)
{
	return isnan(h) ? 0 : exp(h);
}

void
divergence_add(struct divergence_ply *plies, int most,
    const struct divergence_line *l)
{
	double kl = 0, plain = 0;

	for (int t = 0; t < most && (t < l->plies || l->over); t++) {
		struct divergence_ply *p = &plies[t];
		p->lines++;
		if (t < l->plies) {
			kl += l->kl[t];
			plain += l->logp[t] - l->logq[t];
			moments_add(&p->additional,
			    exp(l->hr[t]) - candidates(l->hq[t]), l->weight);
		} else {
			p->over++;
		}
		p->infinite += isinf(plain) ? 1 : 0;
		moments_add(&p->kl, kl, l->weight);
		moments_add(&p->plain, plain, l->weight);
	}
}
