/*
 * A net with a policy: integers on every instruction set, and ONNX Runtime's floats,
 * against plain arithmetic in double precision; its symmetries; its file; its search.
 */
#include <unistd.h>

#include "net/sparsefile.h"
#include "positions.h"
#include "search/ab.h"
#include "search/searcher.h"
#include "sparsenet.h"
#include "tap.h"
#include "train/netexport.h"

enum { HIDDEN = 64 };

static struct rng rng;

static const char *const presets[] = { "classical", "torpedo", "pawn-sideways",
	"self-capture", "no-castling" };
enum { PRESETS = sizeof(presets) / sizeof(presets[0]) };

/* ---- positions ---- */

struct answer {
	move moves[MOVES_MAX];
	float priors[MOVES_MAX];
	int n;
	float wdl[3];
};

static void
ask(const struct sparse_ints *t, const struct board *b, struct answer *a)
{
	struct sparse_stack s;

	if (sparse_stack_init(&s, t, 1) == -1)
		bail_out("stack", "", "no memory");
	a->n = movegen_list(b, a->moves);
	struct net_query q = { .board = b,
		.repetitions = 1,
		.moves = a->moves,
		.nmoves = a->n,
		.priors = a->priors };
	policy_answer(t, &s, &q);
	memcpy(a->wdl, q.wdl, sizeof(a->wdl));
	sparse_stack_release(&s);
}

static void
random_board(struct board *b, const struct rules *r)
{
	struct undo u;

	board_of(b, r, positions[rng_below(&rng, POSITIONS)]);
	for (uint32_t ply = rng_below(&rng, 20); ply > 0; ply--) {
		move list[MOVES_MAX];
		int n = movegen_list(b, list);
		if (n > 0)
			board_make(b, list[rng_below(&rng, (uint32_t)n)], &u);
	}
}

/* The largest difference of priors from plain arithmetic. */
static double
difference(const struct sparse *p, const struct board *b, const struct answer *a)
{
	static struct plain_answer plain;
	double priors[MOVES_MAX], worst = 0;

	plain_evaluate(p, b, a->moves, a->n, &plain, priors);
	for (int i = 0; i < a->n; i++)
		worst = fmax(worst, fabs(priors[i] - (double)a->priors[i]));
	return worst;
}

static void
check_answers(const struct sparse *p)
{
	const struct sparse_kernels *k;
	double worst = 0;
	int differ = 0, copies = 0;

	for (int i = 0; i < 60; i++) {
		struct rules r;
		struct board b;
		struct sparse_ints t;
		struct answer first, other;
		rules_of(&r, presets[i % PRESETS]);
		random_board(&b, &r);
		if (sparse_quantise(&t, p, &r) == -1)
			bail_out("net", presets[i % PRESETS], "no memory");
		for (int j = 0; (k = sparse_kernels_copy(j)) != NULL; j++) {
			sparse_kernels_use(k);
			ask(&t, &b, j == 0 ? &first : &other);
			copies = j + 1;
			differ += j > 0 &&
			    memcmp(first.priors, other.priors,
				(size_t)first.n * sizeof(float)) != 0;
		}
		worst = fmax(worst, difference(p, &b, &first));
		sparse_ints_release(&t);
	}
	sparse_kernels_use(NULL);
	ok(differ == 0, "priors have the same bits on %d instruction sets", copies);
	ok(worst < 0.03, "integers are near the plain floats: %g", worst);
}

/* The same position for the other side, or with left and right exchanged, where
 * nobody may castle. */
static void
turn_board(struct board *to, const struct board *b, int turn)
{
	board_clear(to, b->rules);
	for (int sq = 0; sq < 64; sq++)
		if (b->square[sq] != 0)
			board_put(to, (b->square[sq] >> 4) ^ (turn >= 56),
			    b->square[sq] & 7, sq ^ turn);
	to->side = b->side ^ (turn >= 56);
	board_rekey(to);
}

static void
check_symmetry(const struct sparse *p)
{
	struct rules r;
	struct sparse_ints t;
	int bad = 0, seen = 0;

	rules_of(&r, "no-castling");
	if (sparse_quantise(&t, p, &r) == -1)
		bail_out("net", "no-castling", "no memory");
	for (int i = 0; i < 60; i++) {
		struct board b, turned;
		struct answer a, c;
		random_board(&b, &r);
		if (b.ep != NO_SQUARE || b.castling != 0)
			continue;
		int turn = (int[]){ 7, 56, 63 }[i % 3];
		turn_board(&turned, &b, turn);
		ask(&t, &b, &a);
		ask(&t, &turned, &c);
		bad += a.n != c.n || memcmp(a.wdl, c.wdl, sizeof(a.wdl)) != 0;
		for (int j = 0; j < a.n; j++) {
			move m = a.moves[j] ^ (move)(turn | turn << 6);
			int k = 0;
			while (k < c.n && c.moves[k] != m)
				k++;
			/* the sum of floats may be taken in another order */
			bad += k == c.n || fabsf(c.priors[k] - a.priors[j]) > 1e-6f;
		}
		seen++;
	}
	sparse_ints_release(&t);
	ok(bad == 0 && seen > 20, "sides and wings are exchanged in %d positions", seen);
}

/* Every move of a position has rows of its own. */
static void
check_terms(void)
{
	int same = 0;

	for (int i = 0; i < 200; i++) {
		struct rules r;
		struct board b;
		move list[MOVES_MAX];
		uint16_t terms[MOVES_MAX][POLICY_TERMS];
		rules_of(&r, presets[i % PRESETS]);
		random_board(&b, &r);
		int n = movegen_list(&b, list);
		for (int j = 0; j < n; j++) {
			policy_move_terms(&b, list[j], terms[j]);
			for (int t = 0; t < POLICY_TERMS; t++)
				same += terms[j][t] >= POLICY_ROWS;
			for (int k = 0; k < j; k++)
				same += terms[j][0] == terms[k][0];
		}
	}
	ok(same == 0, "each move has a place of its own");
}

/* Rule sets in turns: a net that keeps the weights of some of them answers as one
 * that has just been ints. */
static bool
answers_in_turns(struct net *n, const struct sparse *p)
{
	static const char *const names[] = { "torpedo", "classical", "torpedo",
		"no-castling", "torpedo", "classical", "no-castling" };
	char reason[NET_REASON_MAX];
	bool equal = true;

	for (int i = 0; i < 7; i++) {
		struct sparse_ints ints;
		struct answer want, got;
		struct rules r;
		struct board b;

		rules_of(&r, names[i]);
		random_board(&b, &r);
		if (sparse_quantise(&ints, p, &r) == -1)
			bail_out("net", names[i], "no memory");
		ask(&ints, &b, &want);
		sparse_ints_release(&ints);
		got.n = movegen_list(&b, got.moves);
		struct net_query q = { .board = &b,
			.repetitions = 1,
			.moves = got.moves,
			.nmoves = got.n,
			.priors = got.priors };
		equal = equal && net_evaluate(n, &q, 1, reason) == 0 &&
		    memcmp(want.priors, got.priors, (size_t)got.n * sizeof(float)) == 0;
	}
	return equal;
}

/* ---- files ---- */

static void
check_file(const struct sparse *p)
{
	struct text t = { 0 };
	char reason[NET_REASON_MAX];
	bool foreign, equal = false;

	if (net_export(p, "classical,torpedo", 77, &t) == -1)
		bail_out("export", "", "no memory");
	struct net *n = net_open_sparse(t.s, t.len, &foreign, reason);
	ok(n != NULL && !foreign && sparse_has_policy(n->sparse) && n->steps == 77 &&
		strcmp(n->rules, "classical,torpedo") == 0,
	    "its file is read");
	if (n != NULL) {
		equal =
		    memcmp(n->sparse->block, p->block, p->floats * sizeof(float)) == 0 &&
		    answers_in_turns(n, p);
		net_close(n);
	}
	ok(equal, "it has the weights and gives the answers that were written");
	int opened = 0, tried = 0;
	for (size_t cut = 0; cut < t.len; cut += 1 + t.len / 50, tried++) {
		n = net_open_sparse(t.s, cut, &foreign, reason);
		opened += n != NULL;
		net_close(n);
	}
	ok(opened == 0, "none of %d cut files is", tried);
	float bad = NAN;
	memcpy(t.s + t.len / 2 / 4 * 4, &bad, sizeof(bad));
	memcpy(t.s + t.len / 2 / 4 * 4 + 5, &bad, sizeof(bad));
	memcpy(t.s + t.len / 2 / 4 * 4 + 10, &bad, sizeof(bad));
	memcpy(t.s + t.len / 2 / 4 * 4 + 15, &bad, sizeof(bad));
	n = net_open_sparse(t.s, t.len, &foreign, reason);
	ok(n == NULL && !foreign, "one with weights that are no numbers is refused");
	net_close(n);
	text_release(&t);
}

/* ONNX Runtime computes the file's graph in floats, without rounding. */
static void
check_graph(const struct sparse *p)
{
	struct text t = { 0 };
	char reason[NET_REASON_MAX];
	struct net_options ort = { .provider = "cpu" };
	double worst = 0;

	if (net_export(p, "", 1, &t) == -1)
		bail_out("export", "", "no memory");
	struct net *n = net_open_onnx(t.s, t.len, &ort, reason);
	text_release(&t);
	if (n == NULL && strstr(reason, "ONNX Runtime") != NULL) {
		printf("ok %d # SKIP %s\n", ++tap_count, reason);
		return;
	}
	for (int i = 0; i < 40 && n != NULL; i++) {
		struct rules r;
		struct board b;
		struct answer graph;
		rules_of(&r, presets[i % PRESETS]);
		random_board(&b, &r);
		graph.n = movegen_list(&b, graph.moves);
		struct net_query q = { .board = &b,
			.repetitions = 1,
			.moves = graph.moves,
			.nmoves = graph.n,
			.priors = graph.priors };
		if (net_evaluate(n, &q, 1, reason) == -1)
			bail_out("ONNX Runtime", "", reason);
		worst = fmax(worst, difference(p, &b, &graph));
	}
	ok(n != NULL && worst < 1e-4, "ONNX Runtime's graph: off by %.1e %s", worst,
	    n == NULL ? reason : "");
	net_close(n);
}

/* ---- search ---- */

static int changed; /* leaves whose value quiescence has changed */

/* A query's priors at another temperature. */
static void
temper(struct net_query *q, double temperature)
{
	double p[MOVES_MAX], sum = 0;

	for (int i = 0; i < q->nmoves; i++)
		sum += p[i] = pow((double)q->priors[i], 1 / temperature);
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] = (float)(p[i] / sum);
}

/* Visits of the root's moves by a search that asks the net like any other, and
 * takes for the value what quiescence makes of it. */
static int
plain_visits(struct net *net, const struct board *b, bool gumbel, double *visits)
{
	struct ab_options small = { .table = 1 << 16, .threads = 1 };
	struct ab_evaluator judge = { .kind = AB_NET };
	struct sparse_ints ints;
	struct ab leaves;
	struct search_options o = search_defaults;
	struct search s;
	struct rng r;
	struct net_query q;
	char reason[NET_REASON_MAX];
	int n;

	o.sims = 200;
	o.gumbel = gumbel;
	o.noise = 0.3;
	search_trust_values(&o);
	rng_init(&r, 11, 0);
	judge.net = &ints;
	if (sparse_quantise(&ints, net->sparse, b->rules) == -1 ||
	    ab_init(&leaves, &small, &judge, b->rules) == -1 ||
	    ab_quiet_begin(&leaves) == -1)
		bail_out("leaves", "", "out of memory");
	search_init(&s, &o);
	search_begin(&s, b, &b->key, 0, &r, true);
	while (search_ask(&s, &q) > 0) {
		if (net_evaluate(net, &q, 1, reason) == -1)
			bail_out("net", "", reason);
		temper(&q, o.temperature);
		struct sparse_stack *sums = ab_sums(&leaves);
		int seen = sparse_score(sums, q.board, 0, -1);
		int quiet = ab_quiet_score(&leaves, q.board, seen);
		changed += quiet != seen;
		sparse_wdl(quiet, sparse_draw(sums, q.board, 0), q.wdl);
		search_tell(&s, &q, 1);
	}
	ab_release(&leaves);
	sparse_ints_release(&ints);
	const struct node *child = search_moves(&s, &n);
	for (int i = 0; i < n; i++)
		visits[i] = child[i].visits;
	search_release(&s);
	return n;
}

/* A player whose searchers do not wait visits the same nodes. */
static void
check_search(const struct sparse *p, const char *preset, bool gumbel)
{
	char path[] = "/tmp/t_policy.XXXXXX", reason[NET_REASON_MAX];
	struct text t = { 0 };
	struct thinker_options o;
	struct thinker thinker;
	struct rules r;
	struct board b;
	struct rng game;
	static struct found f;
	double visits[MOVES_MAX];
	move list[MOVES_MAX];
	int fd = mkstemp(path), differ = 0, steps = 0;

	if (fd == -1 || net_export(p, "", 1, &t) == -1 ||
	    write(fd, t.s, t.len) != (ssize_t)t.len)
		bail_out("file", path, "cannot be written");
	close(fd);
	rules_of(&r, preset);
	do
		random_board(&b, &r);
	while (movegen_list(&b, list) < 2);
	thinker_options_init(&o);
	o.spec = path;
	o.tree.gumbel = gumbel;
	o.tree.noise = 0.3;
	if (thinker_open(&thinker, &o, &r, reason) == -1)
		bail_out("thinker", path, reason);
	struct searcher *s = searcher_new(&thinker);
	rng_init(&game, 11, 0);
	searcher_forget(s);
	struct searcher_task task = { .board = &b,
		.keys = &b.key,
		.rng = &game,
		.sampled = true,
		.limits = { .nodes = 200 } };
	searcher_begin(s, &task);
	while (searcher_step(s) != SEARCHER_DONE && steps < 1000)
		steps++;
	searcher_result(s, &f);
	int n = plain_visits(thinker.net, &b, gumbel, visits);
	for (int i = 0; i < n && i < f.n; i++)
		differ += fabs(visits[i] - f.moves[i].weight) > 0;
	ok(!thinker_waits(&thinker) && n == f.n && differ == 0 && n > 1,
	    "%s, %s: does not wait and visits the same", preset,
	    gumbel ? "Gumbel" : "PUCT");
	searcher_release(s);
	thinker_close(&thinker);
	unlink(path);
	text_release(&t);
}

int
main(void)
{
	struct sparse net;

	rng_init(&rng, 1, 0);
	random_sparse(&net, HIDDEN, 3, true);
	check_terms();
	check_answers(&net);
	check_symmetry(&net);
	check_file(&net);
	check_graph(&net);
	for (int i = 0; i < PRESETS; i++)
		check_search(&net, presets[i], i % 2 == 1);
	ok(changed > 0, "quiescence changes the value of %d leaves", changed);
	sparse_release(&net);
	return tap_end();
}
