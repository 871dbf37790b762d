/*
 * Files of sparse nets: changes to a good one. What is taken for a sparse net answers;
 * what is refused has a reason.
 */
#include <math.h>

#include "netfile.h"

/* Asks a net about the start. */
static void
ask(struct net *net)
{
	struct rules rules;
	struct board b;
	move moves[MOVES_MAX];
	float priors[MOVES_MAX];
	char reason[NET_REASON_MAX] = "";

	rules_init(&rules);
	board_of(&b, &rules, START_FEN);
	struct net_query q = { .board = &b,
		.repetitions = 1,
		.moves = moves,
		.nmoves = movegen_list(&b, moves),
		.priors = priors };
	REQUIRE(net_evaluate(net, &q, 1, reason) == 0);
	REQUIRE(fabsf(q.wdl[0] + q.wdl[1] + q.wdl[2] - 1) < 1e-3f);
	for (int i = 0; i < 3; i++)
		REQUIRE(q.wdl[i] >= -1e-6f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char reason[NET_REASON_MAX] = "";
	size_t size;
	bool foreign;
	char *file = netfile_change(netfile_sparse(), data, n, &size);
	struct net *net = net_open_sparse(file, size, &foreign, reason);

	if (net != NULL)
		ask(net);
	else
		REQUIRE(foreign || reason[0] != '\0');
	if (n == 0)
		REQUIRE(net != NULL); /* without a change */
	net_close(net);
	free(file);
	return 0;
}
