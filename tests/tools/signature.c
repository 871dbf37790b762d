/*
 * The signature of search and net: how many nodes searches of fixed depth look
 * at, from fixed positions, under all presets. Whatever changes what the
 * search does changes this number, and whatever does not must not.
 *
 *	signature [-v] [net]	prints the number and the net's hash; -v: also
 *				each search, on standard error
 */
#include <err.h>
#include <inttypes.h>

#include "common.h"
#include "net/net.h"
#include "search/ab.h"

enum { DEPTH = 11, TABLE = 4 << 20 };

/* Start, middle game, endgame; where castling is not to be had, none is left. */
static const char *const fens[] = {
	NULL,
	"r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 10",
	"4r3/2p2pk1/1p1p2p1/p2P4/P1P2P2/1P4P1/5K2/3R4 b - - 3 38",
};
enum { FENS = sizeof(fens) / sizeof(fens[0]) };

static bool verbose;

static uint64_t
search(struct ab *a, const struct rules *r, const char *fen)
{
	struct ab_limits l = { .depth = DEPTH };
	struct board b;
	char text[6];
	int n;

	board_start(&b, r);
	if (fen != NULL)
		board_of(&b, r, fen);
	ab_forget(a);
	ab_begin(a, &b, &b.key, 0, &l);
	while (ab_deepen(a))
		continue;
	const struct ab_move *m = ab_moves(a, &n);
	move_print(r, m[0].move, text);
	if (verbose)
		fprintf(stderr, "%8" PRIu64 " nodes, depth %d, %s, score %d\n",
		    ab_nodes(a), a->depth, text, m[0].score);
	return ab_nodes(a);
}

static uint64_t
search_preset(const struct net *net, int i)
{
	struct ab_options o = { .table = TABLE };
	struct sparse_ints ints;
	struct ab_evaluator j = { .kind = AB_NET, .net = &ints };
	struct rules r;
	struct ab a;
	uint64_t nodes = 0;

	rules_of(&r, rules_preset_name(i));
	if (verbose)
		fprintf(stderr, "%s\n", rules_preset_name(i));
	if (sparse_quantise(&ints, net->sparse, &r) == -1 ||
	    ab_init(&a, &o, &j, &r) == -1)
		errx(1, "out of memory");
	for (int k = 0; k < FENS; k++)
		nodes += search(&a, &r, fens[k]);
	ab_release(&a);
	sparse_ints_release(&ints);
	return nodes;
}

int
main(int argc, char *argv[])
{
	char reason[NET_REASON_MAX];
	uint64_t nodes = 0;

	verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	argc -= verbose;
	argv += verbose;
	const char *spec = argc > 1 ? argv[1] : NET_DEFAULT;
	struct net *net = net_open(spec, NULL, reason);
	if (net == NULL)
		errx(1, "%s: %s", spec, reason);
	if (net->sparse == NULL)
		errx(1, "%s: not a sparse net", spec);
	for (int i = 0; i < RULES_PRESETS; i++)
		nodes += search_preset(net, i);
	printf("%" PRIu64 " %s\n", nodes, net->hash);
	net_close(net);
	return 0;
}
