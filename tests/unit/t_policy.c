/*
 * The sparse net with a policy: integers on every instruction set, against
 * floats computed plainly from the weights; its symmetries; its file; the
 * gradient of its training, whatever the threads; positions to learn from.
 */
#include <math.h>
#include <unistd.h>

#include "base/rng.h"
#include "common.h"
#include "net/policyfile.h"
#include "positions.h"
#include "search/ab.h"
#include "search/searcher.h"
#include "tap.h"
#include "train/policyexport.h"
#include "train/policymodel.h"
#include "unpack.h"

enum { HIDDEN = 64, BATCH = 64 };

static struct rng rng;

/* ---- a net, and games to learn from ---- */

static void
blur(float *w, size_t n, double spread)
{
	for (size_t i = 0; i < n; i++)
		w[i] += (float)((2 * rng_double(&rng) - 1) * spread);
}

static const char *const presets[] = { "classical", "torpedo", "pawn-sideways",
	"self-capture", "no-castling" };
enum { PRESETS = sizeof(presets) / sizeof(presets[0]) };

/* Random moves, some visits for each of their alternatives. */
static void
add_game(struct policy_window *w, const struct rules *r, int plies)
{
	static move moves[64][8];
	static float visits[64][8];
	struct policy_found found[64] = { 0 };
	struct game g;
	struct board b;

	game_init(&g);
	game_set_rules(&g, r);
	b = g.start;
	for (int i = 0; i < plies; i++) {
		move list[MOVES_MAX];
		int n = movegen_list(&b, list);
		found[i] = (struct policy_found){ (float)rng_double(&rng), n < 8 ? n : 8,
			moves[i], visits[i] };
		for (int k = 0; k < found[i].n; k++) {
			moves[i][k] = list[k];
			visits[i][k] = (float)(1 + rng_below(&rng, 100));
		}
		game_grow(&g);
		line_add(&g.line, &b, list[rng_below(&rng, (uint32_t)n)]);
	}
	g.result = RESULT_WHITE;
	g.value = 100;
	policy_window_add(w, &g, found);
	game_release(&g);
}

static void
fill_window(struct policy_window *w)
{
	policy_window_init(w, 1000, 0.9);
	for (int i = 0; i < PRESETS; i++) {
		struct rules r;
		rules_of(&r, presets[i]);
		add_game(w, &r, 40);
	}
}

/* A net in which every weight matters. */
static void
make_model(struct policy_model *m, const struct policy_window *w)
{
	if (policy_model_init(m, HIDDEN, NULL, NULL, w, 3, BATCH) == -1)
		bail_out("model", "", "no memory");
	blur(m->net.value.left,
	    m->net.value.floats - (size_t)(m->net.value.left - m->net.value.in), 0.05);
	blur(m->net.rows, (size_t)(m->net.rule_mix_bias - m->net.rows), 0.3);
	blur(m->net.rule_mix_bias,
	    m->net.floats - (size_t)(m->net.rule_mix_bias - m->net.mix), 0.1);
	policy_take(&m->average, &m->net);
}

/* ---- positions ---- */

struct answer {
	move moves[MOVES_MAX];
	float priors[MOVES_MAX];
	int n;
	float wdl[3];
};

static void
ask(const struct policy_tuned *t, const struct board *b, struct answer *a)
{
	struct sparse_stack s;

	if (sparse_stack_init(&s, &t->value, 1) == -1)
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

/* Priors in double precision from the weights as they were learnt, in the
 * plainest way. */
static void
plain_priors(const struct policy *p, const struct board *b, struct answer *a)
{
	static double hidden[2 * HIDDEN];
	double mixed[POLICY_WIDTH], sum = 0, most = -INFINITY;
	double logits[MOVES_MAX];
	struct sparse_rules rules;
	int h = p->value.hidden, king = board_king(b, b->side);
	static float in[SPARSE_ROWS * HIDDEN], bias[HIDDEN];
	static float out[SPARSE_HEADS * SPARSE_BUCKETS * 2 * HIDDEN];
	float out_bias[SPARSE_HEADS * SPARSE_BUCKETS];

	sparse_read_rules(&p->value, b->rules, &rules);
	sparse_compose(&p->value, &rules, b->side, in, bias, out, out_bias);
	for (int them = 0; them < 2; them++) {
		uint16_t inputs[SPARSE_ACTIVE_MAX];
		int n = sparse_inputs(b, b->side ^ them, inputs);
		for (int i = 0; i < h; i++) {
			double x = (double)bias[i];
			for (int k = 0; k < n; k++)
				x += (double)in[inputs[k] * h + i];
			x = fmin(fmax(x, 0), 1);
			hidden[them * h + i] = x * x;
		}
	}
	for (int j = 0; j < POLICY_WIDTH; j++) {
		double x = (double)p->mix_bias[j];
		for (int k = 0; k < p->value.nrules; k++)
			x += (double)(rules.in[k] *
			    p->rule_mix_bias[k * POLICY_WIDTH + j]);
		for (int i = 0; i < 2 * h; i++)
			x += hidden[i] * (double)p->mix[i * POLICY_WIDTH + j];
		mixed[j] = fmin(fmax(x, 0), 1);
	}
	a->n = movegen_list(b, a->moves);
	for (int i = 0; i < a->n; i++) {
		move m = a->moves[i];
		uint16_t terms[POLICY_TERMS];
		policy_terms(m, type_at(b, move_from(m)),
		    policy_taken(m, b->side, b->square[move_to(m)]),
		    policy_turn(b->side, king), terms);
		logits[i] = 0;
		for (int t = 0; t < POLICY_TERMS; t++) {
			int row = terms[t];
			double x = (double)p->row_bias[row];
			for (int k = 0; k < p->value.nrules; k++) {
				x += (double)(rules.in[k] *
				    p->rule_row_bias[k * POLICY_ROWS + row]);
				for (int c = k * POLICY_RANK; c < (k + 1) * POLICY_RANK;
				     c++)
					for (int j = 0; j < POLICY_WIDTH; j++)
						x += mixed[j] *
						    (double)(rules.in[k] *
							p->left[c * POLICY_ROWS + row] *
							p->right[c * POLICY_WIDTH + j]);
			}
			for (int j = 0; j < POLICY_WIDTH; j++)
				x += mixed[j] * (double)p->rows[row * POLICY_WIDTH + j];
			logits[i] += x;
		}
		most = fmax(most, logits[i]);
	}
	for (int i = 0; i < a->n; i++)
		sum += logits[i] = exp(logits[i] - most);
	for (int i = 0; i < a->n; i++)
		a->priors[i] = (float)(logits[i] / sum);
}

static void
check_answers(const struct policy *p)
{
	const struct policy_kernels *k;
	double worst = 0;
	int differ = 0, copies = 0;

	for (int i = 0; i < 60; i++) {
		struct rules r;
		struct board b;
		struct policy_tuned t;
		struct answer plain, first, other;
		rules_of(&r, presets[i % PRESETS]);
		random_board(&b, &r);
		if (policy_tune(&t, p, &r) == -1)
			bail_out("net", presets[i % PRESETS], "no memory");
		plain_priors(p, &b, &plain);
		for (int j = 0; (k = policy_kernels_copy(j)) != NULL; j++) {
			policy_kernels_use(k);
			ask(&t, &b, j == 0 ? &first : &other);
			copies = j + 1;
			differ += j > 0 &&
			    memcmp(first.priors, other.priors,
				(size_t)first.n * sizeof(float)) != 0;
		}
		for (int j = 0; j < plain.n; j++)
			worst = fmax(worst,
			    fabs((double)(plain.priors[j] - first.priors[j])));
		policy_tuned_release(&t);
	}
	policy_kernels_use(NULL);
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
			board_put(to, (b->square[sq] >> 3) ^ (turn >= 56),
			    b->square[sq] & 7, sq ^ turn);
	to->side = b->side ^ (turn >= 56);
	board_rekey(to);
}

static void
check_symmetry(const struct policy *p)
{
	struct rules r;
	struct policy_tuned t;
	int bad = 0, seen = 0;

	rules_of(&r, "no-castling");
	if (policy_tune(&t, p, &r) == -1)
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
	policy_tuned_release(&t);
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
		int turn = policy_turn(b.side, board_king(&b, b.side));
		for (int j = 0; j < n; j++) {
			policy_terms(list[j], type_at(&b, move_from(list[j])),
			    policy_taken(list[j], b.side, b.square[move_to(list[j])]),
			    turn, terms[j]);
			for (int t = 0; t < POLICY_TERMS; t++)
				same += terms[j][t] >= POLICY_ROWS;
			for (int k = 0; k < j; k++)
				same += terms[j][0] == terms[k][0];
		}
	}
	ok(same == 0, "each move has a place of its own");
}

/* Rule sets in turns: a net that keeps the weights of some of them answers as one
 * that has just been tuned. */
static bool
answers_in_turns(struct net *n, const struct policy *p)
{
	static const char *const names[] = { "torpedo", "classical", "torpedo",
		"no-castling", "torpedo", "classical", "no-castling" };
	char reason[NET_REASON_MAX];
	bool equal = true;

	for (int i = 0; i < 7; i++) {
		struct policy_tuned tuned;
		struct answer want, got;
		struct rules r;
		struct board b;

		rules_of(&r, names[i]);
		random_board(&b, &r);
		if (policy_tune(&tuned, p, &r) == -1)
			bail_out("net", names[i], "no memory");
		ask(&tuned, &b, &want);
		policy_tuned_release(&tuned);
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
check_file(const struct policy *p)
{
	struct text t = { 0 };
	char reason[NET_REASON_MAX];
	bool foreign, equal = false;

	if (policy_export(p, "classical,torpedo", 77, &t) == -1)
		bail_out("export", "", "no memory");
	struct net *n = net_open_sparse(t.s, t.len, &foreign, reason);
	ok(n != NULL && !foreign && n->policy != NULL && n->steps == 77 &&
		strcmp(n->rules, "classical,torpedo") == 0,
	    "its file is read");
	if (n != NULL) {
		equal = memcmp(n->policy->mix, p->mix, p->floats * sizeof(float)) == 0 &&
		    memcmp(n->sparse->in, p->value.in, p->value.floats * sizeof(float)) ==
			0;
		equal = equal && answers_in_turns(n, p);
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

/* ONNX Runtime computes the file's graph in floats, as plain_priors() does. */
static void
check_graph(const struct policy *p)
{
	struct text t = { 0 };
	char reason[NET_REASON_MAX];
	struct net_options ort = { .provider = "cpu" };
	double worst = 0;

	if (policy_export(p, "", 1, &t) == -1)
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
		struct answer plain, graph;
		rules_of(&r, presets[i % PRESETS]);
		random_board(&b, &r);
		plain_priors(p, &b, &plain);
		struct net_query q = { .board = &b,
			.repetitions = 1,
			.moves = plain.moves,
			.nmoves = plain.n,
			.priors = graph.priors };
		if (net_evaluate(n, &q, 1, reason) == -1)
			bail_out("ONNX Runtime", "", reason);
		for (int j = 0; j < plain.n; j++)
			worst = fmax(worst,
			    fabs((double)(plain.priors[j] - graph.priors[j])));
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
	struct sparse_tuned tuned;
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
	judge.net = &tuned;
	if (sparse_tune(&tuned, net->sparse, b->rules) == -1 ||
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
	sparse_tuned_release(&tuned);
	const struct node *child = search_moves(&s, &n);
	for (int i = 0; i < n; i++)
		visits[i] = child[i].visits;
	search_release(&s);
	return n;
}

/* A player whose searchers do not wait visits the same nodes. */
static void
check_search(const struct policy *p, const char *preset, bool gumbel)
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
	int fd = mkstemp(path), differ = 0, steps = 0;

	if (fd == -1 || policy_export(p, "", 1, &t) == -1 ||
	    write(fd, t.s, t.len) != (ssize_t)t.len)
		bail_out("file", path, "cannot be written");
	close(fd);
	rules_of(&r, preset);
	random_board(&b, &r);
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

/* ---- training ---- */

static double
loss_of(struct policy_model *m, const struct policy_window *w, struct threadpool *pool)
{
	struct rng r;

	rng_init(&r, 5, 5);
	struct policy_loss l = policy_model_step(m, w, &r, 0, pool);
	/* as sparsestep.c weighs the value: four times the squares */
	return 4 * l.value + (double)m->policy_weight * l.policy;
}

/* Where the gradient is large, it is that of differences. */
static int
count_wrong(struct policy_model *m, const struct policy_window *w,
    struct threadpool *pool, float *weights, const float *gradient, size_t n, int *tried)
{
	int wrong = 0;
	float *seen = malloc(n * sizeof(*seen));

	loss_of(m, w, pool);
	memcpy(seen, gradient, n * sizeof(*seen));
	for (int i = 0; i < 12; i++) {
		size_t best = 0;
		for (int k = 0; k < 400; k++) {
			size_t at = (size_t)(rng_double(&rng) * (double)n);
			if (fabsf(seen[at]) > fabsf(seen[best]) || k == 0)
				best = at;
		}
		if (fabsf(seen[best]) < 1e-5f)
			continue;
		float was = weights[best], step = 2e-3f;
		weights[best] = was + step;
		double up = loss_of(m, w, pool);
		weights[best] = was - step;
		double down = loss_of(m, w, pool);
		weights[best] = was;
		double slope = (up - down) / (2 * (double)step);
		double off = fabs(slope - (double)seen[best]);
		wrong += off > 0.08 * fabs(slope) + 2e-5;
		++*tried;
	}
	free(seen);
	return wrong;
}

static void
check_gradient(const struct policy_window *w)
{
	struct policy_model m;
	struct threadpool pool;

	make_model(&m, w);
	threadpool_init(&pool, 1);
	struct policy *p = &m.net, *g = &m.gradient;
#define CHECK(array, n) \
	do { \
		int tried = 0, \
		    wrong = count_wrong(&m, w, &pool, p->array, g->array, (size_t)(n), \
			&tried); \
		ok(tried > 3 && wrong <= tried / 6, \
		    "gradient of " #array ": %d wrong of %d", wrong, tried); \
	} while (0)
	CHECK(value.in, SPARSE_INPUTS * HIDDEN);
	CHECK(value.zone, SPARSE_ROWS * HIDDEN);
	CHECK(value.bias, HIDDEN);
	CHECK(value.left, p->value.right - p->value.left);
	CHECK(value.rule_bias, p->value.rule_out - p->value.rule_bias);
	CHECK(mix, p->mix_bias - p->mix);
	CHECK(mix_bias, POLICY_WIDTH);
	CHECK(rows, p->row_bias - p->rows);
	CHECK(row_bias, POLICY_ROWS);
	CHECK(rule_mix_bias, p->left - p->rule_mix_bias);
	CHECK(left, p->right - p->left);
	CHECK(right, p->rule_row_bias - p->right);
	CHECK(rule_row_bias, p->value.nrules * POLICY_ROWS);
#undef CHECK
	threadpool_release(&pool);
	policy_model_release(&m);
}

static void
learn(struct policy_model *m, const struct policy_window *w, int threads, double *before,
    double *after)
{
	struct threadpool pool;

	make_model(m, w);
	threadpool_init(&pool, threads);
	for (int i = 0; i < 60; i++) {
		struct rng r;
		rng_init(&r, 9, (uint64_t)i);
		struct policy_loss l = policy_model_step(m, w, &r, 3e-3, &pool);
		*(i == 0 ? before : after) = l.policy - l.entropy;
	}
	threadpool_release(&pool);
}

static void
check_learning(const struct policy_window *w)
{
	struct policy_model a, b;
	double before, after;

	rng_init(&rng, 20, 0);
	learn(&a, w, 1, &before, &after);
	ok(after < before / 2 && after > -1e-6,
	    "divergence of the policy falls from %.3f to %.3f", before, after);
	rng_init(&rng, 20, 0);
	learn(&b, w, 3, &before, &after);
	ok(memcmp(a.net.mix, b.net.mix, a.net.floats * sizeof(float)) == 0 &&
		memcmp(a.net.value.in, b.net.value.in,
		    a.net.value.floats * sizeof(float)) == 0,
	    "three threads learn the same bits as one");
	policy_model_release(&b);
	/* a new rule set is told to a net that does not know it */
	struct policy_window more;
	struct rules r;
	policy_window_init(&more, 100, 0.9);
	rules_of(&r, "stalemate-win");
	add_game(&more, &r, 20);
	if (policy_model_init(&b, HIDDEN, &a.net, NULL, &more, 1, BATCH) == -1)
		bail_out("model", "", "no memory");
	ok(b.net.value.nrules > a.net.value.nrules &&
		memcmp(b.net.rows, a.net.rows,
		    POLICY_ROWS * POLICY_WIDTH * sizeof(float)) == 0,
	    "a net continues with rules that are new to it");
	policy_model_release(&a);
	policy_model_release(&b);
	policy_window_release(&more);
}

/* With no rate for the value, only the policy learns. */
static void
check_value_rate(const struct policy_window *w)
{
	struct policy_model m;
	struct threadpool pool;
	struct rng r;

	make_model(&m, w);
	m.value_rate = 0;
	struct policy before;
	if (policy_init(&before, HIDDEN, m.net.value.nrules) == -1)
		bail_out("model", "", "no memory");
	memcpy(before.value.rules, m.net.value.rules, sizeof(before.value.rules));
	policy_take(&before, &m.net);
	threadpool_init(&pool, 1);
	rng_init(&r, 9, 0);
	policy_model_step(&m, w, &r, 3e-3, &pool);
	ok(memcmp(m.net.value.in, before.value.in, before.value.floats * sizeof(float)) ==
		    0 &&
		memcmp(m.net.mix, before.mix, before.floats * sizeof(float)) != 0,
	    "without a rate for it the value stays as it is");
	policy_release(&before);
	threadpool_release(&pool);
	policy_model_release(&m);
}

static void
check_window(void)
{
	struct policy_window w;
	struct rules r;
	double sum = 0;
	int legal = 0;

	policy_window_init(&w, 25, 0.9);
	rules_of(&r, "torpedo");
	add_game(&w, &r, 20);
	ok(policy_window_count(&w) == 20 && w.nsets == 1, "positions are kept");
	for (int i = 0; i < 20; i++) {
		const struct policy_sample *s = &w.sets[0]->at[i];
		struct board b;
		move list[MOVES_MAX];
		position_unpack(&s->position, &r, &b);
		sum = 0;
		for (int k = 0; k < s->n; k++)
			sum += s->targets[k].share;
		if (fabs(sum - POLICY_SHARES) > 10)
			break;
		/* but for en passant, which a position does not keep */
		legal += abs(movegen_list(&b, list) - s->n) <= 1;
	}
	ok(fabs(sum - POLICY_SHARES) <= 10 && legal == 20,
	    "all legal moves have shares that sum to one");
	add_game(&w, &r, 20);
	ok(policy_window_count(&w) == 25, "new ones take the place of the oldest");
	w.newest_first = true;
	struct position was = w.sets[0]->at[0].position;
	add_game(&w, &r, 20);
	ok(memcmp(&was, &w.sets[0]->at[0].position, sizeof(was)) == 0,
	    "unless the newest come first");
	policy_window_release(&w);
}

int
main(void)
{
	struct policy_window w;
	struct policy_model m;

	rng_init(&rng, 1, 0);
	fill_window(&w);
	make_model(&m, &w);
	check_terms();
	check_answers(&m.net);
	check_symmetry(&m.net);
	check_file(&m.net);
	check_graph(&m.net);
	for (int i = 0; i < PRESETS; i++)
		check_search(&m.net, presets[i], i % 2 == 1);
	ok(changed > 0, "quiescence changes the value of %d leaves", changed);
	policy_model_release(&m);
	check_window();
	check_gradient(&w);
	check_learning(&w);
	check_value_rate(&w);
	policy_window_release(&w);
	return tap_end();
}
