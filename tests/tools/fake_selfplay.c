/*
 * Takes the place of selfplay where games only need results: those of a known truth.
 * Each value of each field has an effect on how often games are drawn, and another on
 * White's score, part of it common to all values of the field; most fields have
 * small effects, few have large ones; and each pair of changed fields has an effect of
 * its own. The effects are random numbers, $FAKE_TRUTH being their seed: nothing tells
 * them but games, least of all the features from which propose(1) learns. Moves are
 * random, and how strong the players are does not matter.
 *
 *	fake_selfplay [--rules SPEC] [--games N] [--first K] [--seed S] [--output FILE]
 *	fake_selfplay --truth SPEC ...	writes draw rate and score of each as JSON
 *
 * Other options of selfplay are ignored.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/zio.h"
#include "chess/board.h"
#include "chess/make.h"
#include "chess/movegen.h"
#include "data/game.h"
#include "data/rulespec.h"

enum { PLIES = 6 };

static uint64_t truth;

/* A normal number that belongs to a text. */
static double
effect(const char *kind, const char *text)
{
	struct text t = { 0 };
	struct rng rng;
	unsigned char hash[SHA256_SIZE];
	uint64_t key;

	text_add_format(&t, "%s %s", kind, text);
	sha256(t.s, t.len, hash);
	text_release(&t);
	memcpy(&key, hash, sizeof(key));
	rng_init(&rng, truth, key);
	return rng_normal(&rng);
}

static double
logistic(double x)
{
	return 1 / (1 + exp(-x));
}

/* How a field is changed; "" if it is not. */
static void
print_change(const struct rules *r, const struct rules_field *f, struct text *t)
{
	char value[RULES_VALUE_MAX];

	text_clear(t);
	text_add_string(t, "");
	if (rules_is_classical(r, f))
		return;
	rules_print_value(r, f, value);
	text_add_format(t, "%s=%s", f->name, value);
}

/* The sum of all effects on one of the numbers. */
static double
sum(const struct rules *r, const char *number)
{
	static struct text one, other, pair;
	char name[64];
	double all = 0;

	for (size_t i = 0; i < rules_nfields; i++) {
		print_change(r, &rules_fields[i], &one);
		if (one.len == 0)
			continue;
		snprintf(name, sizeof(name), "%s", rules_fields[i].name);
		double field = effect(number, name), size = effect("size", name);
		all += size * size * 0.7 * (field + effect(number, one.s));
		for (size_t k = 0; k < i; k++) {
			print_change(r, &rules_fields[k], &other);
			text_clear(&pair);
			text_add_format(&pair, "%s and %s", one.s, other.s);
			all += other.len > 0 ? 0.3 * effect(number, pair.s) : 0;
		}
	}
	return all;
}

static void
tell_truth(const struct rules *r, double *draw, double *win)
{
	*draw = 0.05 + 0.7 * logistic(-0.3 + 0.8 * sum(r, "draws"));
	*win = (1 - *draw) * logistic(0.2 + 0.4 * sum(r, "wins"));
}

static void
add_moves(const struct rules *r, struct rng *rng, struct text *t)
{
	struct board b;
	struct undo u;
	move list[MOVES_MAX];
	char s[8];

	board_start(&b, r);
	for (int i = 0; i < PLIES; i++) {
		int n = movegen_list(&b, list);
		if (n == 0)
			break;
		move m = list[rng_below(rng, (uint32_t)n)];
		struct board next = b;
		board_make(&next, m, &u);
		if (movegen_count(&next) == 0 || (r->ends && movegen_early_end(&next)))
			break;
		move_print(b.rules, m, s);
		text_add_format(t, "%s%s", i > 0 ? " " : "", s);
		b = next;
	}
}

static void
play(struct zout *out, const struct rules *r, uint64_t seed, uint64_t k)
{
	static struct text t;
	struct rng rng;
	double draw, win;

	tell_truth(r, &draw, &win);
	rng_init(&rng, seed + rules_hash(r), k);
	double u = rng_double(&rng);
	text_clear(&t);
	text_add_format(&t, "{\"v\":1,\"id\":\"%llu\",\"rules\":", (unsigned long long)k);
	rules_write_json(r, &t);
	text_add_string(&t, ",\"moves\":\"");
	add_moves(r, &rng, &t);
	text_add_format(&t, "\",\"result\":\"%s\"}\n",
	    u < win              ? "1-0"
		: u < win + draw ? "1/2-1/2"
				 : "0-1");
	zout_write(out, t.s, t.len);
}

static const char *
option(int argc, char **argv, const char *name, const char *letter, const char *usual)
{
	for (int i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], name) == 0 || strcmp(argv[i], letter) == 0)
			usual = argv[i + 1];
	return usual;
}

int
main(int argc, char **argv)
{
	struct rules r;
	char reason[RULES_REASON_MAX];
	const char *seed_text = getenv("FAKE_TRUTH");
	const char *asked = option(argc, argv, "--truth", "--truth", NULL);
	const char *spec = option(argc, argv, "--rules", "-r", "classical");
	const char *output = option(argc, argv, "--output", "-o", NULL);

	truth = seed_text != NULL ? strtoull(seed_text, NULL, 10) * 1000 : 0;
	if (rulespec_read(&r, asked != NULL ? asked : spec, reason) == -1)
		errx(2, "%s", reason);
	for (int i = 2; asked != NULL && i < argc; i++) {
		double draw, win;
		if (rulespec_read(&r, argv[i], reason) == -1)
			errx(2, "%s", reason);
		tell_truth(&r, &draw, &win);
		printf("{\"draw_rate\":%.9f,\"score\":%.9f}\n", draw, win + draw / 2);
	}
	if (asked != NULL)
		return 0;
	uint64_t games = strtoull(option(argc, argv, "--games", "-g", "1"), NULL, 10);
	uint64_t first = strtoull(option(argc, argv, "--first", "-f", "0"), NULL, 10);
	uint64_t seed = strtoull(option(argc, argv, "--seed", "-s", "0"), NULL, 10);
	struct zout *out = zout_open(output, false);
	if (out == NULL)
		err(1, "%s", output);
	for (uint64_t k = first; k < first + games; k++)
		play(out, &r, seed, k);
	if (zout_close(out) == -1)
		err(1, "%s", output != NULL ? output : "standard output");
	return 0;
}
