#include "entropy.h"

#include <math.h>
#include <stddef.h>

void
entropy_add(struct entropy_ply *plies, struct strata *strata, int most,
    const struct entropy_line *l)
{
	const struct strata_line start = { l->moves, l->logp, l->plies };
	int cell = strata == NULL ? 0 : strata_find(strata, &start);
	double h = 0, plain = 0, ahead = l->ahead == NULL ? NAN : 0;

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
		if (strata != NULL)
			strata_add(strata, cell, t, h, ahead);
		/* The move of a ply affects later plies only. */
		if (l->ahead != NULL && t < l->plies)
			ahead += l->ahead[t];
	}
}

/* The number of candidate moves; none where there is no legal move. */
static double
candidates(double h)
{
	return isnan(h) ? 0 : exp(h);
}

void
divergence_add(struct divergence_ply *plies, int most, const struct divergence_line *l)
{
	double kl = 0, plain = 0;

	for (int t = 0; t < most && (t < l->plies || l->over); t++) {
		struct divergence_ply *p = &plies[t];
		p->lines++;
		if (t < l->plies) {
			kl += l->kl[t];
			plain += l->logp[t] - l->logq[t];
			moments_add(&p->additional, exp(l->hr[t]) - candidates(l->hq[t]),
			    l->weight);
		} else {
			p->over++;
		}
		p->infinite += isinf(plain) ? 1 : 0;
		moments_add(&p->kl, kl, l->weight);
		moments_add(&p->plain, plain, l->weight);
	}
}
