/*
 * Files of sparse nets: changes to a good one. What is taken for a sparse net answers;
 * what is refused has a reason.
 */
#include <math.h>

#include "netfile.h"
#include "train/sparseexport.h"

static const struct netfile *
good(void)
{
	static struct netfile f;
	struct sparse s;

	if (f.nplaces > 0)
		return &f;
	REQUIRE(sparse_init(&s, 64, 2) == 0);
	strcpy(s.rules[0], "double_step");
	strcpy(s.rules[1], "pawn_back");
	s.rule_bias[0] = s.rule_bias[64] = 1;
	REQUIRE(sparse_export(&s, "\"torpedo\"", 5, &f.text) == 0);
	sparse_release(&s);
	netfile_find_places(&f);
	return &f;
}

static void
ask(struct net *net)
{
	struct net_query q;
	char reason[NET_REASON_MAX] = "";

	REQUIRE(netfile_ask(net, &q, reason) == 0);
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
	char *file = netfile_change(good(), data, n, &size);
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
