/*
 * Files of sparse nets: changes to a good one, each two bytes of a place among
 * those that are not weights and one of what to put there; a last byte alone is
 * a cut. What is taken for a sparse net answers; what is refused has a reason.
 */
#include <math.h>

#include "base/text.h"
#include "fuzz.h"
#include "net/net.h"
#include "train/sparseexport.h"

enum { FILE_MAX = 1 << 20, ZEROS = 48 };

/* A net of zeros, of which places[] are those that weights are not. */
static const struct text *
good(const uint32_t **places, size_t *nplaces)
{
	static struct text t;
	static uint32_t list[FILE_MAX];
	static size_t n;
	struct sparse s;

	*places = list;
	*nplaces = n;
	if (t.len > 0)
		return &t;
	REQUIRE(sparse_init(&s, 64, 2) == 0);
	strcpy(s.rules[0], "double_step");
	strcpy(s.rules[1], "pawn_back");
	s.rule_bias[0] = s.rule_bias[64] = 1;
	REQUIRE(sparse_export(&s, "\"torpedo\"", 5, &t) == 0 && t.len < FILE_MAX);
	sparse_release(&s);
	for (size_t i = 0, run = 0; i < t.len; i++) {
		run = t.s[i] == '\0' ? run + 1 : 0;
		if (run < ZEROS)
			list[n++] = (uint32_t)i;
	}
	*nplaces = n;
	return &t;
}

static void
ask(struct net *net)
{
	static struct rules rules;
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
	const uint32_t *places;
	size_t nplaces, i = 0;
	const struct text *whole = good(&places, &nplaces);
	char reason[NET_REASON_MAX] = "";
	size_t size = whole->len;
	bool foreign;
	char *s = malloc(size);

	REQUIRE(s != NULL);
	memcpy(s, whole->s, size);
	for (; i + 3 <= n; i += 3)
		s[places[(size_t)(data[i] | data[i + 1] << 8) % nplaces]] =
		    (char)data[i + 2];
	if (i < n)
		size -= (size_t)data[i] * 331 % size;
	/* a copy that ends where the file ends */
	char *file = malloc(size);
	REQUIRE(file != NULL);
	memcpy(file, s, size);
	free(s);
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
