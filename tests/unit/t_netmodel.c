/*
 * The net as it is trained, with a policy and without: the gradient of every array
 * against differences of a loss that is computed in double precision from the formulas
 * (sparsenet.h); the same bits for any number of threads; windows of positions; nets
 * that overfit a batch.
 */
#include "data/rulespec.h"
#include "randomrules.h"
#include "sparsenet.h"
#include "tap.h"
#include "train/netmodel.h"
#include "unpack.h"

enum { HIDDEN = 64, BATCH = 16, SETS = 8, POSITIONS_A_SET = 60 };

static struct rng rng;
static struct threadpool pool;

/* ---- positions ---- */

static bool
has_same_inputs(const struct position *p, const struct board *b)
{
	uint16_t packed[2][SPARSE_ACTIVE_MAX], want[SPARSE_ACTIVE_MAX];
	int n = position_inputs(p, packed[0], packed[1]);
	bool same = true;

	for (int them = 0; them < 2; them++) {
		bool there[SPARSE_ROWS] = { false };
		same = same && n == sparse_inputs(b, b->side ^ them, want);
		for (int i = 0; i < n; i++)
			there[packed[them][i]] = true;
		for (int i = 0; i < n && same; i++)
			same = there[want[i]];
	}
	return same;
}

static bool
unpacks(const struct position *p, const struct board *b)
{
	struct board again;

	position_unpack(p, b->rules, &again);
	return memcmp(again.pieces, b->pieces, sizeof(again.pieces)) == 0 &&
	    memcmp(again.square, b->square, sizeof(again.square)) == 0 &&
	    memcmp(again.hand, b->hand, sizeof(again.hand)) == 0 &&
	    again.side == b->side && again.castling == b->castling &&
	    again.checks == b->checks;
}

/* Some of the first moves have visits. */
static struct position_visits
random_visits(const struct board *b, const move *list, int n)
{
	float visits[8];

	n = n < 8 ? n : 8;
	for (int i = 0; i < n; i++)
		visits[i] = (float)(1 + rng_below(&rng, 100));
	return position_share(b, list, visits, n);
}

/* Adds n positions of random games; returns how many were not packed well. */
static int
add_positions(struct positions *w, const struct rules *r, int n)
{
	int wrong = 0;

	while (n > 0) {
		struct board b;
		board_start_random(&b, r, &rng);
		for (int ply = 0; ply < 60 && n > 0; ply++) {
			move list[MOVES_MAX];
			struct undo u;
			struct position p;
			int k = movegen_list(&b, list);
			if (k == 0)
				break;
			if (ply % 3 == 2) {
				struct position_visits v = { NULL, 0 };
				if (w->policy)
					v = random_visits(&b, list, k);
				position_pack(&p, &b);
				p.target = (uint16_t)rng_below(&rng, 65536);
				p.drawn = rng_below(&rng, 2) & 1;
				wrong += !has_same_inputs(&p, &b) || !unpacks(&p, &b);
				position_add(w, positions_of(w, r), &p, &v);
				n--;
			}
			board_make(&b, list[rng_below(&rng, (uint32_t)k)], &u);
		}
	}
	return wrong;
}

static void
read_rules(struct rules *r, const char *spec)
{
	char reason[RULES_REASON_MAX];

	if (rulespec_parse(r, spec, strlen(spec), reason) == -1)
		bail_out("rules", spec, reason);
}

/* Positions under rules that differ for the sides, with changed and spare pieces, with
 * hands, and under random rules. */
static void
fill_window(struct positions *w, bool policy)
{
	static const char *const specs[] = { "armageddon",
		"{\"knight\":\"NAfsR\",\"queen\":\"BcN\"}", "crazyhouse",
		"{\"double_step\":{\"white\":6,\"black\":2},"
		"\"rook\":{\"white\":\"RF\",\"black\":\"R\"},\"drops\":true,"
		"\"pieces\":{\"a\":\"BN\",\"c\":\"mRcN\"},"
		"\"start\":\"rnacqknr/pppppppp/8/8/8/8/PPPPPPPP/RNACQKNR w - - 0 1\"}" };
	int wrong = 0;

	positions_init(w, 1000, policy);
	for (size_t i = 0; i < SETS; i++) {
		struct rules r;
		if (i < sizeof(specs) / sizeof(specs[0]))
			read_rules(&r, specs[i]);
		else
			random_rules(&rng, &r);
		wrong += add_positions(w, &r, POSITIONS_A_SET);
	}
	ok(wrong == 0, "%d positions are packed and unpacked", (int)positions_count(w));
}

static void
check_window(void)
{
	struct positions w;
	struct rules r;
	int bad = 0;

	positions_init(&w, 25, true);
	rules_of(&r, "torpedo");
	add_positions(&w, &r, 20);
	ok(positions_count(&w) == 20 && w.nsets == 1, "positions are kept");
	for (int i = 0; i < 20; i++) {
		const struct position_visits *v = &w.sets[0]->visits[i];
		struct board b;
		move list[MOVES_MAX];
		int sum = 0;
		position_unpack(&w.sets[0]->at[i], &r, &b);
		for (int k = 0; k < v->n; k++)
			sum += v->moves[k].share;
		/* but for en passant, which a position does not keep */
		bad += abs(sum - POSITION_SHARES) > 10 ||
		    abs(movegen_list(&b, list) - v->n) > 1;
	}
	ok(bad == 0, "all legal moves have shares that sum to one");
	add_positions(&w, &r, 20);
	ok(positions_count(&w) == 25, "new ones take the place of the oldest");
	w.newest_first = true;
	struct position was = w.sets[0]->at[0];
	add_positions(&w, &r, 20);
	ok(memcmp(&was, &w.sets[0]->at[0], sizeof(was)) == 0,
	    "unless the newest come first");
	positions_release(&w);
}

/* ---- the loss ---- */

/* The cross-entropy of a position's moves. */
static double
policy_loss(const struct sparse *s, const float *view, const struct plain_answer *a,
    const struct board *b, const struct position_visits *v)
{
	double logits[MOVES_MAX], most = -INFINITY, sum = 0, loss = 0;

	for (int i = 0; i < v->n; i++) {
		uint16_t terms[POLICY_TERMS];
		policy_move_terms(b, v->moves[i].move, terms);
		logits[i] = plain_logit(s, view, a, terms);
		most = fmax(most, logits[i]);
	}
	for (int i = 0; i < v->n; i++)
		sum += exp(logits[i] - most);
	for (int i = 0; i < v->n; i++)
		loss += (double)v->moves[i].share / POSITION_SHARES *
		    (most + log(sum) - logits[i]);
	return loss;
}

/* Four times the squared error of points, and the share of the policy's loss; or, of
 * the draw's head, which does not change the hidden layer, the cross-entropy. */
static double
sample_loss(const struct net_model *m, const struct net_part *part,
    const struct net_sample *at, bool of_draws)
{
	static struct plain_answer a;
	const struct position *p = at->position;
	struct plain_inputs in = { .side = p->side,
		.men = __builtin_popcountll(position_occupied(p)) };
	struct rules chess;
	struct board b;

	in.n = position_inputs(p, in.rows[0], in.rows[1]);
	plain_answer(&m->net, &part->rules, &in, &a);
	double q = 1 / (1 + exp(-a.logits[of_draws])), off = q - p->target / 65535.0;
	if (of_draws)
		return -log(p->drawn ? q : 1 - q);
	if (at->visits == NULL)
		return 4 * off * off;
	rules_init(&chess);
	position_unpack(p, &chess, &b);
	return 4 * off * off +
	    (double)m->policy_weight *
	    policy_loss(&m->net, part->rules.view[p->side], &a, &b, at->visits);
}

static double
loss(const struct net_model *m, bool of_draws)
{
	double sum = 0;

	for (int i = 0; i < NET_PARTS; i++)
		for (int k = 0; k < m->part_size; k++)
			sum +=
			    sample_loss(m, &m->part[i], &m->part[i].samples[k], of_draws);
	return sum / (NET_PARTS * m->part_size);
}

/* ---- gradients ---- */

/* Keeps a gradient at the places that its weights have in the net's block. */
static void
keep_gradient(void *context, float *at, const float *g, size_t n)
{
	struct net_model *m = context;

	memcpy(m->first.block + (at - m->net.block), g, n * sizeof(float));
}

/* The slope along a direction, half that of the gradient and half random, by
 * the gradient and by differences. */
static void
check_slope(struct net_model *m, const char *name, float *weights, size_t n,
    bool of_draws)
{
	const float *gradient = m->first.block + (weights - m->net.block);
	float *direction = malloc(n * sizeof(float)), *kept = malloc(n * sizeof(float));
	double length = 0, chance = 0, slope = 0, best = INFINITY;

	if (direction == NULL || kept == NULL)
		bail_out("gradient", name, "out of memory");
	memcpy(kept, weights, n * sizeof(float));
	for (size_t i = 0; i < n; i++) {
		/* features that are not there have no gradient */
		direction[i] = gradient[i] == 0 ? 0 : (float)(2 * rng_double(&rng) - 1);
		length += (double)gradient[i] * (double)gradient[i];
		chance += (double)direction[i] * (double)direction[i];
	}
	for (size_t i = 0; i < n; i++) {
		direction[i] = (float)((double)gradient[i] / sqrt(length) +
		    (double)direction[i] / sqrt(chance));
		slope += (double)direction[i] * (double)gradient[i];
	}
	for (double step = 0.1; best >= 0.01 && step > 2e-4; step /= 4) {
		double l[2];
		for (int side = 0; side < 2; side++) {
			for (size_t i = 0; i < n; i++)
				weights[i] =
				    kept[i] + (float)(side ? step : -step) * direction[i];
			l[side] = loss(m, of_draws);
		}
		best = fmin(best, fabs((l[1] - l[0]) / (2 * step) / slope - 1));
	}
	memcpy(weights, kept, n * sizeof(float));
	ok(length > 0 && best < 0.01, "gradient of %s: slope %.3g, relative error %.1e",
	    name, slope, best);
	free(direction);
	free(kept);
}

/* Draws batches until one has rules of every kind. */
static struct net_loss
take_gradient(struct net_model *m, const struct positions *w)
{
	struct net_loss l;
	bool sided = false, hands = false;

	m->sink = keep_gradient;
	m->sink_context = m;
	for (uint64_t i = 0; !sided || !hands; i++) {
		struct rng draws;
		rng_init(&draws, 5, i);
		l = net_model_step(m, w, &draws, 0, &pool);
		sided = hands = false;
		for (int k = 0; k < NET_PARTS; k++) {
			const struct sparse_rules *r = &m->part[k].rules;
			sided |= r->sided && r->fairy && r->hands;
			hands |= !r->sided && r->hands;
		}
	}
	return l;
}

static void
check_gradients(const struct positions *w)
{
	struct net_model m;
	struct sparse net;

	if (net_model_init(&m, HIDDEN, NULL, w, 3, BATCH) == -1)
		bail_out("model", "", "out of memory");
	random_sparse(&net, HIDDEN, 17, w->policy);
	sparse_copy_weights(&m.net, &net);
	sparse_release(&net);
	struct net_loss told = take_gradient(&m, w);
	double sum = 4 * told.value + (double)m.policy_weight * told.policy;
	ok(fabs(sum / loss(&m, false) - 1) < 1e-4,
	    "the loss that it tells is right: %.6f", sum);
	for (int id = 0; id < SPARSE_NARRAYS; id++) {
		struct sparse_array a = sparse_array(&m.net, id);
		float *at = sparse_array_at(&m.net, id, 0);
		size_t n =
		    sparse_is_rule(&a) ? sparse_stride(a.n) * (size_t)m.net.nrules : a.n;
		bool heads = id == SPARSE_ID_out || id == SPARSE_ID_out_bias;
		if (at == NULL)
			continue;
		check_slope(&m, a.name, at, heads ? n / 2 : n, false);
		if (heads)
			check_slope(&m, a.name, at + n / 2, n / 2, true);
	}
	net_model_release(&m);
}

/* ---- targets ---- */

/* By the formula of train(1), from each ply on. */
static double
plain_return(const double *p, int ply, int plies, double result_white, int first,
    double g, double share)
{
	double sum = 0, left = 1;
	int side = first ^ (ply & 1);
	double result = side == WHITE ? result_white : 1 - result_white;

	for (int i = ply; i < plies; i++) {
		double mine = (i - ply) % 2 == 0 ? p[i] : 1 - p[i];
		if (isnan(p[i]))
			continue;
		sum += left * (1 - g) * mine;
		left *= g;
	}
	return share * result + (1 - share) * (sum + left * result);
}

static void
check_returns(void)
{
	double worst = 0;

	for (int round = 0; round < 1000; round++) {
		double p[12], was[12], g = rng_double(&rng);
		double share = round % 4 == 0 ? 0 : rng_double(&rng);
		double result = 0.25 * (double)rng_below(&rng, 5);
		int first = round & 1, plies = 1 + (int)rng_below(&rng, 12);
		for (int i = 0; i < plies; i++)
			was[i] = p[i] = rng_below(&rng, 4) == 0 ? NAN : rng_double(&rng);
		positions_returns(p, plies, result, first, g, share);
		for (int i = 0; i < plies; i++)
			worst = fmax(worst,
			    fabs(p[i] -
				plain_return(was, i, plies, result, first, g, share)));
	}
	ok(worst < 1e-12, "returns of 1000 games, off by at most %.1g", worst);
}

/* ---- threads, and learning ---- */

struct learnt {
	double value, policy; /* the policy's divergence */
};

static struct learnt
learn(struct net_model *m, const struct positions *w, int threads, int steps, int batch)
{
	struct threadpool own;
	struct rng draws;
	struct learnt mean = { 0, 0 };

	if (net_model_init(m, HIDDEN, NULL, w, 3, batch) == -1 ||
	    threadpool_init(&own, threads) == -1)
		bail_out("model", "", "out of memory");
	rng_init(&draws, 5, 0);
	for (int i = 0; i < steps; i++) {
		struct net_loss l = net_model_step(m, w, &draws, 0.003, &own);
		double share = i == 0 ? 1 : 0.05;
		mean.value += share * (l.value - mean.value);
		mean.policy += share * (l.policy - l.entropy - mean.policy);
	}
	threadpool_release(&own);
	return mean;
}

static void
check_threads(const struct positions *w)
{
	struct net_model one, more;

	learn(&one, w, 1, 5, BATCH);
	for (int threads = 2; threads <= 3; threads++) {
		learn(&more, w, threads, 5, BATCH);
		ok(memcmp(one.net.block, more.net.block,
		       one.net.floats * sizeof(float)) == 0 &&
			memcmp(one.average.block, more.average.block,
			    one.net.floats * sizeof(float)) == 0,
		    "%d threads learn the same bits", threads);
		net_model_release(&more);
	}
	net_model_release(&one);
}

static void
check_learning(const struct positions *w)
{
	struct net_model m, more;
	struct positions other;
	struct rules r;

	struct learnt first = learn(&m, w, 2, 1, 128);
	net_model_release(&m);
	struct learnt last = learn(&m, w, 2, 300, 128);
	ok(last.value < 0.01 && last.policy <= first.policy / 2,
	    "%d positions are overfitted: squared error %.4f, divergence %.3f after %.3f",
	    (int)positions_count(w), last.value, last.policy, first.policy);
	positions_init(&other, 100, w->policy);
	read_rules(&r, "stalemate-win");
	add_positions(&other, &r, 20);
	if (net_model_init(&more, HIDDEN, &m.net, &other, 1, BATCH) == -1)
		bail_out("model", "", "no memory");
	ok(more.net.nrules >= m.net.nrules &&
		memcmp(more.net.in, m.net.in, SPARSE_INPUTS * HIDDEN * sizeof(float)) ==
		    0,
	    "a net continues with other rules");
	net_model_release(&m);
	net_model_release(&more);
	positions_release(&other);
}

/* A weighted mean of the weights of two nets. */
static void
check_blend(const struct positions *w)
{
	struct net_model m;
	struct sparse other;
	bool right = true;

	if (net_model_init(&m, HIDDEN, NULL, w, 3, BATCH) == -1)
		bail_out("model", "", "no memory");
	random_sparse(&other, HIDDEN, 23, w->policy);
	float *was = malloc(m.average.floats * sizeof(float));
	if (was == NULL)
		bail_out("model", "", "no memory");
	memcpy(was, m.average.block, m.average.floats * sizeof(float));
	if (net_model_blend(&m, &other, 0.25f) == -1)
		bail_out("blend", "", "no memory");
	for (size_t i = 0; i < SPARSE_INPUTS * HIDDEN; i++) {
		float want = 0.75f * was[m.average.in - m.average.block + (ptrdiff_t)i] +
		    0.25f * other.in[i];
		right = right && fabsf(m.average.in[i] - want) < 1e-5f;
	}
	ok(right, "a quarter of the way to another net");
	net_model_release(&m);
	sparse_release(&other);
	free(was);
}

/* Without a rate for the value, only the policy learns. */
static void
check_value_rate(const struct positions *w)
{
	struct net_model m;
	struct rng draws;
	bool right = true;

	if (net_model_init(&m, HIDDEN, NULL, w, 3, BATCH) == -1)
		bail_out("model", "", "no memory");
	m.value_rate = 0;
	size_t value = (size_t)(m.net.mix - m.net.block);
	float *was = malloc(m.net.floats * sizeof(float));
	if (was == NULL)
		bail_out("model", "", "no memory");
	memcpy(was, m.net.block, m.net.floats * sizeof(float));
	rng_init(&draws, 9, 0);
	net_model_step(&m, w, &draws, 3e-3, &pool);
	right = memcmp(was, m.net.block, value * sizeof(float)) == 0 &&
	    memcmp(was + value, m.net.mix, 2 * HIDDEN * POLICY_WIDTH * sizeof(float)) !=
		0;
	ok(right, "without a rate for it the value stays as it is");
	free(was);
	net_model_release(&m);
}

int
main(void)
{
	rng_init(&rng, 77, 0);
	if (threadpool_init(&pool, 2) == -1)
		bail_out("pool", "", "out of memory");
	check_window();
	check_returns();
	for (int policy = 0; policy < 2; policy++) {
		struct positions w;
		fill_window(&w, policy);
		check_gradients(&w);
		check_threads(&w);
		check_learning(&w);
		check_blend(&w);
		if (policy)
			check_value_rate(&w);
		positions_release(&w);
	}
	threadpool_release(&pool);
	return tap_end();
}
