/*
 * Packed games: what is written reads back to the same game, under all presets
 * and random rule sets; every flipped bit and every cut is refused with a
 * reason.
 */
#include <math.h>

#include "chess/outcome.h"
#include "common.h"
#include "data/packed.h"
#include "randomrules.h"
#include "tap.h"

enum { RULE_SETS = 60, PLIES = 120 };

static struct rng rng;
static int16_t scores[GAME_PLIES_MAX], again_scores[GAME_PLIES_MAX];

static struct span
random_text(struct game *g)
{
	static const char *const texts[] = { "", "1", "0123456789abcdef",
		"na\xc3\xafve \"quoted\" \\ text" };
	const char *s = texts[rng_below(&rng, 4)];

	return game_keep(g, s, strlen(s));
}

/* A random game; every other one begins where it likes. */
static void
make_game(struct game *g, const struct rules *r, int k)
{
	struct board b;

	game_clear(g);
	game_set_rules(g, r);
	if (k % 2 != 0) {
		struct undo u;
		move list[MOVES_MAX];
		board_start_random(&g->start, &g->rules, &rng);
		int n = movegen_list(&g->start, list);
		board_make(&g->start, list[rng_below(&rng, (uint32_t)n)], &u);
		g->usual_start = false;
	}
	b = g->start;
	for (int i = 0; i < PLIES && game_grow(g); i++) {
		move list[MOVES_MAX];
		int n = movegen_list(&b, list);
		if (n == 0)
			break;
		scores[i] = rng_below(&rng, 9) == 0
		    ? PACKED_NO_SCORE
		    : (int16_t)((int)rng_below(&rng, 65535) - 32768);
		line_add(&g->line, &b, list[rng_below(&rng, (uint32_t)n)]);
	}
	g->end = outcome_find(&b, g->line.keys, g->line.plies);
	if (g->end == END_NONE) {
		g->end = END_UNKNOWN;
		game_set_value(g, (int)rng_below(&rng, 201) - 100);
	} else {
		game_set_value(g, outcome_value(&b, g->end));
	}
	g->sims = (int)rng_below(&rng, 3) * 400 - 1;
	g->id = random_text(g);
	g->seed = random_text(g);
	g->net = random_text(g);
}

static bool
same_game(const struct game *a, const struct game *b)
{
	struct text s = { 0 }, t = { 0 };

	game_write_json(a, &s);
	game_write_json(b, &t);
	bool same = s.len == t.len && memcmp(s.s, t.s, s.len) == 0 &&
	    a->value == b->value && a->end == b->end &&
	    memcmp(a->line.keys, b->line.keys,
		(size_t)(a->line.plies + 1) * sizeof(*a->line.keys)) == 0 &&
	    rules_equal(&a->rules, &b->rules);
	text_release(&s);
	text_release(&t);
	return same;
}

/* Records, one behind the other, as a file has them. */
static void
check_round_trip(void)
{
	struct game g, again;
	struct text t = { 0 };
	int wrong = 0, games = 0, split = 0;
	long plies = 0;
	char reason[GAME_REASON_MAX];

	game_init(&g);
	game_init(&again);
	for (int i = 0; i < RULES_PRESETS + RULE_SETS; i++)
		for (int k = 0; k < 6; k++) {
			struct rules r;
			bool scored = k % 3 != 0, has_scores;
			size_t begin = t.len;
			if (i < RULES_PRESETS)
				rules_of(&r, rules_preset_name(i));
			else
				random_rules(&rng, &r);
			make_game(&g, &r, k);
			packed_write(&t, &g, scored ? scores : NULL);
			const char *s = t.s + begin;
			size_t n = t.len - begin;
			split += packed_size(s, n) != (long)n ||
			    packed_size(s, PACKED_HEAD) != (long)n ||
			    packed_size(s, PACKED_HEAD - 1) != 0;
			wrong += packed_read(&again, true, s, n, again_scores,
				     &has_scores, reason) == -1 ||
			    !same_game(&g, &again) || has_scores != scored ||
			    (scored &&
				memcmp(scores, again_scores,
				    (size_t)g.line.plies * sizeof(*scores)) != 0);
			games++;
			plies += g.line.plies;
		}
	ok(wrong == 0, "%d games of %ld plies read back as they were: %d did not", games,
	    plies, wrong);
	ok(split == 0, "a record has its size");
	text_release(&t);
	game_release(&g);
	game_release(&again);
}

static void
check_damage(void)
{
	struct game g, again;
	struct text t = { 0 };
	struct rules r;
	char reason[GAME_REASON_MAX];
	int taken = 0, silent = 0, bits = 0, cuts = 0, cut_taken = 0;
	bool scored;

	game_init(&g);
	game_init(&again);
	rules_of(&r, "torpedo");
	make_game(&g, &r, 1);
	packed_write(&t, &g, scores);
	for (size_t i = 0; i < 8 * t.len; i++, bits++) {
		t.s[i / 8] = (char)(t.s[i / 8] ^ 1 << i % 8);
		reason[0] = '\0';
		taken += packed_read(&again, true, t.s, t.len, again_scores, &scored,
			     reason) == 0;
		silent += reason[0] == '\0';
		t.s[i / 8] = (char)(t.s[i / 8] ^ 1 << i % 8);
	}
	ok(taken == 0 && silent == 0,
	    "%d bits flipped, one at a time: %d taken, %d without a reason", bits, taken,
	    silent);
	for (size_t n = PACKED_HEAD; n < t.len; n++, cuts++)
		cut_taken +=
		    packed_read(&again, true, t.s, n, again_scores, &scored, reason) == 0;
	ok(cut_taken == 0, "%d cuts: %d taken", cuts, cut_taken);
	ok(packed_read(&again, true, t.s, t.len, again_scores, &scored, reason) == 0,
	    "the game itself is taken");
	text_release(&t);
	game_release(&g);
	game_release(&again);
}

/* A record may name rules, but no file. */
static void
check_rules_are_no_file(void)
{
	static const char record[] = "RLP1\x10\0\0\0\x4d\xcc\xf4\x2a"
				     "\x0f/dev/null.rules";
	struct game g;
	char reason[GAME_REASON_MAX] = "";
	bool scored;

	game_init(&g);
	ok(packed_read(&g, true, record, PACKED_HEAD + 16, scores, &scored, reason) ==
		    -1 &&
		strncmp(reason, "rules: ", 7) == 0 && strstr(reason, "file") == NULL,
	    "rules are no file: %s", reason);
	game_release(&g);
}

/* A damaged end record is none, and no game. */
static void
check_ends(void)
{
	struct text t = { 0 };
	struct game g;
	char reason[GAME_REASON_MAX];
	uint64_t games = 0;
	bool scored;
	int taken = 0;

	packed_write_end(&t, 1234567);
	ok(packed_read_end(t.s, t.len, &games, reason) == 0 && games == 1234567,
	    "the end of 1,234,567 games");
	for (size_t n = 0; n < t.len; n++)
		taken += packed_read_end(t.s, n, &games, reason) == 0;
	for (size_t i = 0; i < 8 * t.len; i++) {
		t.s[i / 8] = (char)(t.s[i / 8] ^ 1 << i % 8);
		taken += packed_read_end(t.s, t.len, &games, reason) == 0;
		t.s[i / 8] = (char)(t.s[i / 8] ^ 1 << i % 8);
	}
	ok(taken == 0, "cut, or with a bit flipped: %d taken", taken);
	game_init(&g);
	ok(packed_read(&g, true, t.s, t.len, scores, &scored, reason) == -1,
	    "it is no game: %s", reason);
	game_release(&g);
	text_release(&t);
}

static void
check_scores(void)
{
	double worst = 0;

	for (double v = -0.99; v <= 0.99; v += 0.001)
		worst = fmax(worst, fabs((double)packed_value(packed_score(v)) - v));
	ok(worst < 0.001, "values as scores: off by %.5f at most", worst);
	ok(packed_score(NAN) == PACKED_NO_SCORE && isnan(packed_value(PACKED_NO_SCORE)),
	    "no value, no score");
	ok(packed_score(1) == -packed_score(-1) && packed_score(1) != PACKED_NO_SCORE &&
		packed_value(packed_score(1)) > 0.999f,
	    "sure wins stay so");
}

int
main(void)
{
	rng_init(&rng, 4711, 0);
	check_round_trip();
	check_damage();
	check_rules_are_no_file();
	check_ends();
	check_scores();
	return tap_end();
}
