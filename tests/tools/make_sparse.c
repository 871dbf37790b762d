/*
 * make_sparse HIDDEN SEED FILE [policy]: a net with random weights, with a policy or
 * without.
 */
#include <err.h>
#include <stdio.h>

#include "base/text.h"
#include "base/zio.h"
#include "sparsenet.h"
#include "train/netexport.h"

int
main(int argc, char *argv[])
{
	struct text t = { 0 };
	struct sparse net;
	int64_t hidden;
	uint64_t seed;

	if (argc < 4 || !number_read(argv[1], 64, SPARSE_HIDDEN_MAX, &hidden) ||
	    !number_read_u64(argv[2], &seed) ||
	    (argc > 4 && strcmp(argv[4], "policy") != 0)) {
		fprintf(stderr, "usage: make_sparse hidden seed file [policy]\n");
		return 2;
	}
	random_sparse(&net, (int)hidden, seed, argc > 4);
	if (net_export(&net, "none: random weights", 0, &t) == -1)
		errx(1, "out of memory");
	struct zout *z = zout_open(argv[3], false);
	if (z == NULL || zout_write(z, t.s, t.len) == -1 || zout_close(z) == -1)
		err(1, "%s", argv[3]);
	text_release(&t);
	sparse_release(&net);
	return 0;
}
