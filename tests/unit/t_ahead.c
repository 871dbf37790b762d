/*
 * Guesses of how much choice a move leaves: what each thing that a move does is
 * worth, by hand; and that their mean is 0 in any position, under any rules.
 */
#include <math.h>

#include "base/rng.h"
#include "data/rulespec.h"
#include "net/ahead.h"
#include "opennet.h"
#include "tap.h"

static void
read_rules(struct rules *r, const char *spec)
{
	char reason[RULES_REASON_MAX];

	if (rulespec_parse(r, spec, strlen(spec), reason) == -1)
		bail_out("rules", spec, reason);
}

static const struct prior *
prior_at(struct priors *p, const struct board *b)
{
	int64_t at = priors_ask(p, b, 1);

	if (at == -1 || priors_answer(p) == -1)
		bail_out("net", "prior", p->reason);
	return priors_get(p, at);
}

static double
ahead_of_text(struct priors *p, const struct board *b, const char *text)
{
	const struct prior *prior = prior_at(p, b);
	int i = prior_find(prior, move_of(b, text));

	if (i == -1)
		bail_out("move", text, "is not legal");
	return ahead_of(b, prior, (uint32_t)i);
}

/* What the first move has over the second, all moves being equally likely. */
static void
test_by_hand(void)
{
	static const struct {
		const char *rules, *fen, *one, *other, *what;
		double more;
	} cases[] = {
		{ "classical", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d4", "d1d3",
		    "nothing", 0 },
		{ "classical", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", "d1d3",
		    "a check that the king can take", -0.33 - 0.4 - 0.13 - 0.6 },
		{ "classical", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "a1a3",
		    "a check from afar", -0.13 - 0.6 },
		{ "classical", "4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d5", "d1d3",
		    "attacked by a pawn", -0.33 - 0.4 },
		{ "classical", "4k3/8/2p5/8/2P5/8/8/3RK3 w - - 0 1", "d1d5", "d1d3",
		    "... and defended", -0.33 - 0.4 },
		{ "classical", "4k3/8/8/r7/2P5/8/8/3RK3 w - - 0 1", "d1d5", "d1d3",
		    "a rook where a rook attacks and a pawn defends",
		    -0.33 - 0.13 - 0.35 },
		{ "classical", "4k3/8/8/r7/8/8/8/3RK3 w - - 0 1", "d1d5", "d1d3",
		    "... and nobody defends", -0.33 - 0.4 - 0.13 - 0.35 },
		{ "classical", "4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d6", "d1d3",
		    "a threat to a lone pawn", -0.13 - 0.35 },
		{ "classical", "4k3/1p6/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d6", "d1d3",
		    "an attack on a pawn with its defence", -0.13 },
		{ "classical", "4k3/1p6/2q5/8/8/8/8/3RK3 w - - 0 1", "d1d4", "d1d3",
		    "no attack on the queen", 0 },
		{ "classical", "4k3/8/2p5/3R4/8/8/8/4K3 w - - 0 1", "d5d4", "e1f1",
		    "an escape from a pawn", 0.18 * 4 },
		{ "classical", "4k3/8/8/8/8/2p5/8/1N2K3 w - - 0 1", "b1c3", "e1f1",
		    "a capture that gives up what was attacked", 0.13 },
		/* a knight that moves as a king, and the other way about */
		{ "{\"knight\":\"K\"}", "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c2", "b1b2",
		    "other pieces: nothing", 0 },
		{ "{\"knight\":\"K\"}", "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "c3d4",
		    "c3b2", "other pieces: a threat", -0.13 - 0.35 },
	};
	struct net *net = open_net("uniform");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct priors p;
		struct rules r;
		struct board b;
		read_rules(&r, cases[i].rules);
		board_of(&b, &r, cases[i].fen);
		priors_init(&p, net, 4, 1);
		double more = ahead_of_text(&p, &b, cases[i].one) -
		    ahead_of_text(&p, &b, cases[i].other);
		ok(fabs(more - cases[i].more) < 2 / AHEAD_UNITS, "%s: %g", cases[i].what,
		    more);
		priors_release(&p);
	}
	net_close(net);
}

/* Where nothing can be attacked only the probability counts. */
static void
test_likely(void)
{
	struct net *net = open_net("hash:1");
	struct priors p;
	struct rules r;
	struct board b;
	double worst = 0;

	rules_of(&r, "classical");
	board_of(&b, &r, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
	priors_init(&p, net, 4, 1);
	const struct prior *e = prior_at(&p, &b);
	for (uint32_t i = 1; i < e->nmoves; i++)
		worst = fmax(worst,
		    fabs(ahead_of(&b, e, i) - ahead_of(&b, e, 0) -
			0.8 * (prior_of(e, i) - prior_of(e, 0))));
	ok(e->nmoves == 5 && worst < 2 / AHEAD_UNITS, "likely moves");
	priors_release(&p);
	net_close(net);
}

/* Random games: the mean of the guesses is 0 in every position. */
static void
test_mean(const char *rules)
{
	struct net *net = open_net("hash:2");
	struct priors p;
	struct rules r;
	struct rng rng;
	double worst = 0, largest = 0;
	int positions = 0;

	read_rules(&r, rules);
	priors_init(&p, net, 4, 64);
	for (uint64_t game = 0; game < 10; game++) {
		struct board b;
		struct undo u;
		rng_init(&rng, 3, game);
		board_start(&b, &r);
		for (int ply = 0; ply < 80; ply++) {
			const struct prior *e = prior_at(&p, &b);
			double mean = 0;
			if (e->nmoves == 0)
				break;
			for (uint32_t i = 0; i < e->nmoves; i++) {
				double a = ahead_of(&b, e, i);
				mean += prior_of(e, i) * a;
				largest = fmax(largest, fabs(a));
			}
			worst = fmax(worst, fabs(mean));
			positions++;
			board_make(&b, prior_moves(e)[prior_draw(e, rng_double(&rng))],
			    &u);
		}
	}
	ok(positions > 300 && worst < 0.5 / AHEAD_UNITS && largest > 0.5 && largest < 10,
	    "%s: %d positions, guesses up to %.2f, their means 0", rules, positions,
	    largest);
	priors_release(&p);
	net_close(net);
}

int
main(void)
{
	static const char *const rules[] = { "classical", "torpedo", "pawn-sideways",
		"self-capture", "no-castling-10", "chess960",
		"{\"knight\":\"NK\",\"bishop\":\"BW\",\"rook\":\"R4\"}" };

	test_by_hand();
	test_likely();
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		test_mean(rules[i]);
	return tap_end();
}
