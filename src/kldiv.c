/*
 * kldiv: the divergence between the openings of two priors, from lines sampled
 * from one and scored by the other.
 */
#include "data/linetable.h"
#include "stats/entropy.h"

static const char *
misfit(const struct opening *o)
{
	return o->scored ? NULL : "the line has not been scored: there is no q";
}

static void
add(void *head, void *plies, int most, const struct opening *o)
{
	const struct divergence_line l = {
		.weight = o->weight > 0 ? o->weight : 1,
		.plies = o->game.line.plies,
		.over = o->game.end != END_NONE,
		.logp = o->logp,
		.logq = o->q_logp,
		.kl = o->kl,
		.hq = o->q_h,
		.hr = o->hr,
	};

	(void)head;
	divergence_add(plies, most, &l);
}

static double
score(const struct opening *o, int ply)
{
	return o->logp[ply] - o->q_logp[ply];
}

/* Listed lines have no sampling error. */
static double
error_of(const struct linegroup *g, const struct moments *m)
{
	return g->listed && m->infinite == 0 ? 0 : moments_error(m);
}

static void
fill(struct table *t, const struct linegroup *g, int ply, const void *data)
{
	const struct divergence_ply *p = data;

	table_string(t, "p", g->p);
	table_string(t, "q", g->q);
	table_count(t, "ply", (uint64_t)ply);
	table_count(t, "lines", p->lines);
	table_rounded(t, "kl", moments_mean(&p->kl), LINETABLE_DIGITS);
	table_rounded(t, "kl_se", error_of(g, &p->kl), LINETABLE_DIGITS);
	table_rounded(t, "kl_plain", moments_mean(&p->plain), LINETABLE_DIGITS);
	table_rounded(t, "kl_plain_se", error_of(g, &p->plain), LINETABLE_DIGITS);
	table_count(t, "infinite", p->infinite);
	table_rounded(t, "additional", moments_mean(&p->additional), LINETABLE_DIGITS);
	table_rounded(t, "additional_se", error_of(g, &p->additional), LINETABLE_DIGITS);
	table_count(t, "over", p->over);
	table_string(t, "p_net", g->net);
	table_string(t, "q_net", g->q_net);
	table_string(t, "start", g->from);
}

static double
weight(const void *data)
{
	return ((const struct divergence_ply *)data)->additional.n;
}

int
main(int argc, char *argv[])
{
	static const struct linetable program = {
		.help = "Reads scored lines and writes the divergence of the priors "
			"for each ply.\n",
		.histogram = "write a histogram of log p - log q instead",
		.ply_size = sizeof(struct divergence_ply),
		.by_q = true,
		.misfit = misfit,
		.add = add,
		.score = score,
		.fill = fill,
		.weight = weight,
	};

	return linetable_main(&program, argc, argv);
}
