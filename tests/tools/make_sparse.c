/*
 * make_sparse HIDDEN SEED FILE: a sparse net with random weights, rule features
 * among them, to test with.
 */
#include <err.h>
#include <stdio.h>

#include "base/rng.h"
#include "base/zio.h"
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

int
main(int argc, char *argv[])
{
	struct text t = { 0 };
	struct sparse_model m;
	struct rng rng;
	int64_t hidden;
	uint64_t seed;

	if (argc != 4 || !number_read(argv[1], 64, SPARSE_HIDDEN_MAX, &hidden) ||
	    !number_read_u64(argv[2], &seed)) {
		fprintf(stderr, "usage: make_sparse hidden seed file\n");
		return 2;
	}
	rng_init(&rng, seed, 0);
	if (sparse_model_init(&m, (int)hidden, seed, 256) == -1)
		errx(1, "out of memory");
	shake(m.net.in, m.net.floats, 0.02, &rng);
	if (sparse_export(&m.net, "none: random weights", 0, &t) == -1)
		errx(1, "out of memory");
	struct zout *z = zout_open(argv[3], false);
	if (z == NULL || zout_write(z, t.s, t.len) == -1 || zout_close(z) == -1)
		err(1, "%s", argv[3]);
	text_release(&t);
	sparse_model_release(&m);
	return 0;
}
