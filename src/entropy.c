/*
 * entropy: the entropy of a prior's openings, and numbers of candidate moves,
 * from lines sampled from it.
 */
#include <math.h>

#include "data/linetable.h"
#include "stats/entropy.h"

static void
add(void *strata, void *plies, int most, const struct opening *o)
{
	uint32_t moves[STRATA_PLIES];
	const struct entropy_line l = {
		.weight = o->weight > 0 ? o->weight : 1,
		.plies = o->game.line.plies,
		.over = o->game.end != END_NONE,
		.logp = o->logp,
		.h = o->h,
		.ahead = o->guessed ? o->ahead : NULL,
		.moves = moves,
	};

	for (int i = 0; i < STRATA_PLIES && i < l.plies; i++)
		moves[i] = o->game.line.moves[i];
	/* Lines listed by --all are not samples: they have weights instead. */
	entropy_add(plies, o->weight > 0 ? NULL : strata, most, &l);
}

static double
score(const struct opening *o, int ply)
{
	return -o->logp[ply];
}

/* Listed lines have no sampling error. */
static double
error_of(const struct linegroup *g, const struct moments *m)
{
	return g->listed ? 0 : moments_error(m);
}

static void
fill(struct table *t, const struct linegroup *g, int ply, const void *data)
{
	const struct entropy_ply *p = data;
	const struct strata_mean h = strata_mean(g->data, ply - 1, &p->h);

	table_string(t, "rules", g->p);
	table_count(t, "ply", (uint64_t)ply);
	table_count(t, "lines", p->lines);
	table_rounded(t, "h", h.mean, LINETABLE_DIGITS);
	table_rounded(t, "h_se", g->listed ? 0 : h.error, LINETABLE_DIGITS);
	table_rounded(t, "h_plain", moments_mean(&p->plain), LINETABLE_DIGITS);
	table_rounded(t, "h_plain_se", error_of(g, &p->plain), LINETABLE_DIGITS);
	table_rounded(t, "m", moments_mean(&p->m), LINETABLE_DIGITS);
	table_rounded(t, "m_se", error_of(g, &p->m), LINETABLE_DIGITS);
	table_rounded(t, "equivalent", exp(h.mean), LINETABLE_DIGITS);
	table_count(t, "over", p->over);
	table_string(t, "net", g->net);
	table_string(t, "start", g->from);
}

static double
weight(const void *data)
{
	return ((const struct entropy_ply *)data)->h.n;
}

static void
release(void *strata)
{
	strata_release(strata);
}

int
main(int argc, char *argv[])
{
	static const struct linetable program = {
		.help = "Reads lines and writes the entropy of the openings "
			"for each ply.\n",
		.histogram = "write a histogram of -log p of whole lines instead",
		.head_size = sizeof(struct strata),
		.ply_size = sizeof(struct entropy_ply),
		.add = add,
		.score = score,
		.fill = fill,
		.weight = weight,
		.release = release,
	};

	return linetable_main(&program, argc, argv);
}
