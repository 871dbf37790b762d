/*
 * What a page is given: rules, net and prior come back as they were, whatever the net's
 * size; what is cut, too long or of no size that a net has is refused.
 */
#include "common.h"
#include "net/policy.h"
#include "page/kit.h"
#include "randomrules.h"
#include "sparsenet.h"
#include "tap.h"

/* Scores of random positions are the same. */
static bool
scores_agree(const struct sparse_ints *a, const struct sparse_ints *b,
    const struct rules *r, struct rng *rng)
{
	struct sparse_stack s, t;
	struct board p;
	bool same = true;

	if (sparse_stack_init(&s, a, 1) == -1 || sparse_stack_init(&t, b, 1) == -1)
		bail_out("stack", "", "no memory");
	board_start(&p, r);
	for (int i = 0; i < 60; i++) {
		move list[MOVES_MAX];
		struct undo u;
		int n = movegen_list(&p, list);
		if (n == 0)
			break;
		board_make(&p, list[rng_below(rng, (uint32_t)n)], &u);
		same = same && sparse_score(&s, &p, 0, -1) == sparse_score(&t, &p, 0, -1);
	}
	sparse_stack_release(&s);
	sparse_stack_release(&t);
	return same && a->swing == b->swing &&
	    memcmp(a->worth, b->worth, sizeof(a->worth)) == 0;
}

static bool
answers_agree(const struct sparse_ints *a, const struct sparse_ints *b,
    const struct rules *r)
{
	const struct sparse_ints *both[2] = { a, b };
	float priors[2][MOVES_MAX];
	move list[MOVES_MAX];
	struct sparse_stack s;
	struct board start;

	board_start(&start, r);
	int n = movegen_list(&start, list);
	for (int i = 0; i < 2; i++) {
		struct net_query q = {
			.board = &start, .moves = list, .nmoves = n, .priors = priors[i]
		};
		if (sparse_stack_init(&s, both[i], 1) == -1)
			bail_out("stack", "", "no memory");
		policy_answer(both[i], &s, &q);
		sparse_stack_release(&s);
	}
	return memcmp(priors[0], priors[1], (size_t)n * sizeof(float)) == 0 &&
	    (n < 2 || priors[0][0] != priors[0][1]);
}

static void
test_round_trip(int hidden, struct rng *rng)
{
	struct sparse net;
	bool good = true;

	random_sparse(&net, hidden, 1, false);
	for (int i = 0; i < 20 && good; i++) {
		struct sparse_ints ints, again;
		struct rules r, read;
		struct text t = { 0 };
		char reason[KIT_REASON_MAX] = "";
		bool has;

		random_rules(rng, &r);
		if (sparse_quantise(&ints, &net, &r) == -1)
			bail_out("net", "", "no memory");
		kit_write(&t, &r, &ints);
		good = kit_read(t.s, t.len, &read, &again, &has, reason) == 0 && has &&
		    rules_equal(&r, &read) && again.hidden == hidden &&
		    scores_agree(&ints, &again, &r, rng);
		if (!good)
			diag("%s", reason);
		else
			sparse_ints_release(&again);
		sparse_ints_release(&ints);
		text_release(&t);
	}
	sparse_release(&net);
	ok(good, "rules and a net of %d come back", hidden);
}

/* A prior for some rules answers as it did before it was bytes. */
static void
test_prior(struct rng *rng)
{
	struct sparse p;
	bool good = true;
	const char *why = NULL;

	random_sparse(&p, 128, 3, true);
	for (int i = 0; i < 10 && good; i++) {
		struct sparse_ints ints, again;
		struct rules r;
		struct text t = { 0 };

		random_rules(rng, &r);
		if (sparse_quantise(&ints, &p, &r) == -1)
			bail_out("prior", "", "no memory");
		sparse_ints_write(&ints, &t);
		why = sparse_ints_read(&again, t.s, t.len);
		good = why == NULL && answers_agree(&ints, &again, &r);
		if (why == NULL)
			sparse_ints_release(&again);
		good = good && sparse_ints_read(&again, t.s, t.len - 1) != NULL &&
		    sparse_ints_read(&again, t.s, t.len / 3) != NULL &&
		    sparse_ints_read(&again, t.s, 5) != NULL;
		text_add_char(&t, 'x');
		good = good && sparse_ints_read(&again, t.s, t.len) != NULL;
		text_release(&t);
		sparse_ints_release(&ints);
	}
	sparse_release(&p);
	ok(good, "a prior comes back, and a cut one is refused%s%s",
	    why == NULL ? "" : ": ", why == NULL ? "" : why);
}

static void
is_refused(const char *data, size_t n, const char *why, const char *what)
{
	struct sparse_ints net;
	struct rules r;
	char reason[KIT_REASON_MAX] = "";
	bool has;

	ok(kit_read(data, n, &r, &net, &has, reason) == -1 && strstr(reason, why) != NULL,
	    "%s is refused: %s", what, reason);
}

static void
test_refused(void)
{
	static const char *const sizes[] = { "63 sides 1", "65 sides 1",
		"99999999 sides 1", "-64 sides 1", "x sides 1", "64 sides 3" };
	struct sparse net;
	struct sparse_ints ints;
	struct rules r;
	struct text t = { 0 };

	random_sparse(&net, 64, 2, false);
	rules_init(&r);
	if (sparse_quantise(&ints, &net, &r) == -1)
		bail_out("net", "", "no memory");
	kit_write(&t, &r, &ints);
	is_refused(t.s, t.len - 1, "not as many bytes", "a net without its last byte");
	is_refused(t.s, 70, "not as many bytes", "a net without its numbers");
	is_refused(t.s, 25, "no line of sizes", "a net without a size");
	text_add_char(&t, 'x');
	is_refused(t.s, t.len, "more bytes", "a net with a byte more");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		text_clear(&t);
		text_add_format(&t,
		    "rulelab-page-1\nsparse\n\nhidden %s policy 0 hands 0\n", sizes[i]);
		is_refused(t.s, t.len, "a size that no net has", "such a size");
	}
	is_refused("rulelab-page-1\nmaterial\n\nx", 27, "bytes behind",
	    "a kit with more than it says");
	text_release(&t);
	sparse_ints_release(&ints);
	sparse_release(&net);
}

int
main(void)
{
	struct rng rng;

	rng_init(&rng, 18, 0);
	test_round_trip(64, &rng);
	test_round_trip(320, &rng);
	test_prior(&rng);
	test_refused();
	return tap_end();
}
