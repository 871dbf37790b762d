/*
 * make_sparse HIDDEN SEED FILE [policy]: a sparse net with random weights, rule
 * features among them, to test with; or one with a policy.
 */
#include <err.h>
#include <stdio.h>

#include "base/rng.h"
#include "base/zio.h"
#include "train/policyexport.h"
#include "train/sparseexport.h"
#include "train/sparsemodel.h"

/* Adds noise to n weights: what is left at zero by a beginner's net would test
 * nothing. */
static void
shake(float *w, size_t n, double width, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		w[i] += (float)(width * (2 * rng_double(rng) - 1));
}

static void
add_policy(struct sparse *value, struct rng *rng, struct text *t)
{
	struct policy p;

	if (policy_init(&p, value->hidden, value->nrules) == -1)
		errx(1, "out of memory");
	memcpy(p.value.rules, value->rules, sizeof(p.value.rules));
	memcpy(p.value.in, value->in, value->floats * sizeof(float));
	shake(p.mix, p.floats, 0.1, rng);
	if (policy_export(&p, "none: random weights", 0, t) == -1)
		errx(1, "out of memory");
	policy_release(&p);
}

int
main(int argc, char *argv[])
{
	struct text t = { 0 };
	struct sparse_model m;
	struct rng rng;
	int64_t hidden;
	uint64_t seed;

	if (argc < 4 || !number_read(argv[1], 64, SPARSE_HIDDEN_MAX, &hidden) ||
	    !number_read_u64(argv[2], &seed) ||
	    (argc > 4 && strcmp(argv[4], "policy") != 0)) {
		fprintf(stderr, "usage: make_sparse hidden seed file [policy]\n");
		return 2;
	}
	rng_init(&rng, seed, 0);
	if (sparse_model_init(&m, (int)hidden, seed, 256) == -1)
		errx(1, "out of memory");
	shake(m.net.in, m.net.floats, 0.02, &rng);
	if (argc > 4)
		add_policy(&m.net, &rng, &t);
	else if (sparse_export(&m.net, "none: random weights", 0, &t) == -1)
		errx(1, "out of memory");
	struct zout *z = zout_open(argv[3], false);
	if (z == NULL || zout_write(z, t.s, t.len) == -1 || zout_close(z) == -1)
		err(1, "%s", argv[3]);
	text_release(&t);
	sparse_model_release(&m);
	return 0;
}
