/*
 * Priors: each position is asked about once, whatever else is asked; answers
 * are those of the net alone; distributions are drawn from, and compared, as
 * they are defined.
 */
#include <math.h>

#include "base/rng.h"
#include "net/prior.h"
#include "opennet.h"
#include "tap.h"

/* ---- the memory ---- */

static void
test_once(void)
{
	struct net *net = open_net("hash:1");
	struct priors p;
	struct rules classical, torpedo;
	struct board b, later;

	rules_of(&classical, "classical");
	rules_of(&torpedo, "torpedo");
	priors_init(&p, net, 4, 1);
	board_start(&b, &classical);
	int64_t first = priors_ask(&p, &b, 1), again = priors_ask(&p, &b, 1);
	ok(first > 0 && first == again, "the same position, the same answer");
	later = b;
	later.fullmove = 7;
	ok(priors_ask(&p, &later, 1) == first,
	    "the number of the move is not seen in chess");
	later.count = 3;
	ok(priors_ask(&p, &later, 1) != first, "the 50-move count is");
	ok(priors_ask(&p, &b, 2) != first, "so are repetitions");
	later = b;
	later.rules = &torpedo;
	ok(priors_ask(&p, &later, 1) != first, "and rules");
	ok(priors_answer(&p) == 0 && p.evaluated == 4 && p.asked == 6,
	    "each is evaluated once");
	const struct prior *e = priors_get(&p, first);
	double sum = 0;
	for (uint32_t i = 0; i < e->nmoves; i++)
		sum += prior_of(e, i);
	ok(e->nmoves == 20 && fabs(sum - 1) < 1e-12, "it sums to 1");
	priors_release(&p);
	net_close(net);
}

/* Probabilities of moves are raised to a power. */
static void
test_temperature(void)
{
	struct net *net = open_net("hash:1");
	struct priors plain, flat;
	struct rules classical;
	struct board b;
	double away = 0, sum = 0, h = 0;

	rules_of(&classical, "classical");
	board_start(&b, &classical);
	priors_init(&plain, net, 1, 1);
	priors_init(&flat, net, 1, 1);
	flat.temperature = 2.5;
	int64_t at = priors_ask(&plain, &b, 1), too = priors_ask(&flat, &b, 1);
	ok(priors_answer(&plain) == 0 && priors_answer(&flat) == 0, "answers");
	const struct prior *p = priors_get(&plain, at);
	const struct prior *q = priors_get(&flat, too);
	for (uint32_t i = 0; i < p->nmoves; i++) {
		away = fmax(away,
		    fabs(pow(prior_of(p, i) / prior_of(p, 0), 0.4) -
			prior_of(q, i) / prior_of(q, 0)));
		sum += prior_of(q, i);
		h -= prior_of(q, i) * log(prior_of(q, i));
	}
	ok(away < 1e-6 && fabs(sum - 1) < 1e-12,
	    "probabilities to the power 1/T, %.1g off", away);
	ok(fabs(h - q->h) < 1e-9 && q->h > p->h, "and their entropy is larger");
	priors_release(&plain);
	priors_release(&flat);
	net_close(net);
}

/* What is forgotten is asked for again, with the same outcome. */
static void
test_forgetting(void)
{
	struct net *net = open_net("hash:1");
	struct priors small, large;
	struct rules classical;
	struct board b;
	struct undo u;
	struct rng rng;
	bool same = true;

	rules_of(&classical, "classical");
	priors_init(&small, net, 1, 0);
	priors_init(&large, net, 7, 64);
	rng_init(&rng, 1, 1);
	for (int game = 0; game < 300; game++) {
		board_start(&b, &classical);
		for (int ply = 0; ply < 6; ply++) {
			move moves[MOVES_MAX];
			int n = movegen_list(&b, moves);
			int64_t a = priors_ask(&small, &b, 1);
			int64_t c = priors_ask(&large, &b, 1);
			priors_answer(&small);
			priors_answer(&large);
			const struct prior *x = priors_get(&small, a);
			const struct prior *y = priors_get(&large, c);
			same &= x->h == y->h && x->nmoves == y->nmoves &&
			    x->nmoves == (uint32_t)n &&
			    memcmp(x->weights, y->weights,
				x->nmoves * (sizeof(float) + sizeof(move))) == 0;
			priors_tidy(&small);
			board_make(&b, moves[rng_below(&rng, (uint32_t)n)], &u);
		}
	}
	ok(same, "answers do not depend on what is remembered");
	ok(small.evaluated == 1800 && large.evaluated < 1500 && large.evaluated > 1000,
	    "%llu evaluations instead of %llu", (unsigned long long)large.evaluated,
	    (unsigned long long)small.evaluated);
	priors_release(&small);
	priors_release(&large);
	net_close(net);
}

/* ---- distributions ---- */

enum { MOST = 12 };

/* A prior over moves from a1 to the squares of a set. */
static struct prior *
make_prior(const double *weights, const int *squares, int n)
{
	struct prior *p = calloc(1, sizeof(*p) + MOST * (sizeof(float) + sizeof(move)));
	double sum = 0;

	if (p == NULL)
		bail_out("prior", "", "no memory");
	p->nmoves = (uint32_t)n;
	for (int i = 0; i < n; i++) {
		p->weights[i] = (float)weights[i];
		sum += (double)p->weights[i];
	}
	p->scale = 1 / sum;
	for (int i = 0; i < n; i++) {
		((move *)(p->weights + n))[i] = move_make(0, squares[i], TAG_PLAIN);
		p->h -= prior_of(p, (uint32_t)i) * log(prior_of(p, (uint32_t)i));
	}
	return p;
}

static struct prior *
random_prior(struct rng *rng)
{
	double weights[MOST];
	int squares[MOST], n = 1 + (int)rng_below(rng, MOST - 1);
	int from = (int)rng_below(rng, 6);
	double power = 6 * rng_double(rng);

	for (int i = 0; i < n; i++) {
		squares[i] = from + i;
		weights[i] = pow(rng_double(rng) + 1e-3, power);
	}
	return make_prior(weights, squares, n);
}

static void
test_bound(void)
{
	struct rng rng;
	int bad = 0, negative = 0, infinite = 0;

	rng_init(&rng, 2, 0);
	for (int i = 0; i < 100000; i++) {
		struct prior *p = random_prior(&rng), *q = random_prior(&rng);
		double kl, hr;
		prior_compare(p, q, &kl, &hr);
		bad += exp(hr) > (exp(p->h) + exp(q->h)) * (1 + 1e-12);
		negative += !(kl >= 0);
		infinite += isinf(kl) != 0;
		free(p);
		free(q);
	}
	ok(bad == 0, "m_r <= m_p + m_q for any two");
	ok(negative == 0 && infinite > 1000, "no divergence is negative");
}

static void
test_compare(void)
{
	static const int low[] = { 1, 2 }, high[] = { 3, 4 }, all[] = { 1, 2, 3, 4 };
	static const double even[] = { 1, 1, 1, 1 }, odd[] = { 3, 1, 0, 0 };
	static const struct prior none;
	struct prior *a = make_prior(even, low, 2), *b = make_prior(even, high, 2);
	struct prior *c = make_prior(even, all, 4), *d = make_prior(odd, low, 2);
	double kl, hr;

	prior_compare(a, b, &kl, &hr);
	ok(isinf(kl) && fabs(hr - log(4)) < 1e-15,
	    "nothing in common: the bound is reached");
	prior_compare(a, c, &kl, &hr);
	/* r is 1/3, 1/3, 1/6, 1/6 */
	ok(fabs(kl - log(2)) < 1e-15 &&
		fabs(hr - (2. / 3 * log(3) + 1. / 3 * log(6))) < 1e-15,
	    "a subset has a finite divergence");
	prior_compare(c, a, &kl, &hr);
	ok(isinf(kl), "a superset has not");
	prior_compare(d, a, &kl, &hr);
	ok(fabs(kl - (0.75 * log(1.5) + 0.25 * log(0.5))) < 1e-15,
	    "the same moves, other probabilities");
	prior_compare(d, d, &kl, &hr);
	ok(kl == 0 && hr == d->h, "nothing differs from itself");
	prior_compare(d, &none, &kl, &hr);
	ok(isinf(kl) && fabs(hr - d->h) < 1e-15, "q without a legal move");
	ok(fabs(prior_shannon(a, b) - log(2)) < 1e-15 && prior_shannon(d, d) == 0,
	    "Jensen and Shannon: log 2 with nothing in common, 0 with everything");
	/* the middle of 1/2, 1/2 and four quarters is 3/8, 3/8, 1/8, 1/8 */
	ok(fabs(prior_shannon(a, c) -
	       (log(4. / 3) + 0.5 * log(2. / 3) + 0.5 * log(2)) / 2) < 1e-15 &&
		prior_shannon(a, c) == prior_shannon(c, a),
	    "of a subset, and symmetric");
	free(a);
	free(b);
	free(c);
	free(d);
}

static void
test_draw(void)
{
	static const double weights[] = { 5, 1, 3, 1 };
	static const int squares[] = { 1, 2, 3, 4 };
	struct prior *p = make_prior(weights, squares, 4);
	int times[4] = { 0 };
	bool good = true;

	for (int i = 0; i < 10000; i++)
		times[prior_draw(p, (i + 0.5) / 10000)]++;
	for (int i = 0; i < 4; i++)
		good &= times[i] == (int)(1000 * weights[i]);
	ok(good, "moves are drawn as often as they should be");
	ok(prior_draw(p, 0) == 0 && prior_draw(p, 1 - 0x1p-53) == 3,
	    "the ends of the range");
	ok(prior_find(p, move_make(0, 3, TAG_PLAIN)) == 2 &&
		prior_find(p, move_make(0, 5, TAG_PLAIN)) == -1,
	    "found");
	free(p);
}

int
main(void)
{
	test_once();
	test_temperature();
	test_forgetting();
	test_bound();
	test_compare();
	test_draw();
	return tap_end();
}
