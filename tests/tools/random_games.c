/*
 * Random games as JSONL: games(5).
 *
 *	random_games [-m plies] [-s n] SEED GAMES RULES
 *
 * RULES is what --rules takes, or "random": each game has a rule set of its own,
 * any combination of all fields. Each game goes on until the rules end it or it
 * has had -m plies (default 400); a game that is cut so has the result "*". One
 * game in -s (default 4, 0: none) starts from a random position. In most games
 * promotions, castling, en passant and captures are played more often than
 * chance would have it. Game k of a seed is the same whatever GAMES is.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "data/game.h"
#include "data/rulespec.h"
#include "positions.h"
#include "randomspec.h"

static int max_plies = 400, start_share = 4;

static void
usage(void)
{
	fprintf(stderr, "usage: random_games [-m plies] [-s n] SEED GAMES RULES\n");
	exit(2);
}

static int64_t
number(const char *s, int64_t highest)
{
	int64_t v;

	if (!number_read(s, 0, highest, &v))
		usage();
	return v;
}

/* Mostly any position, sometimes one of those where rare rules bite; the usual start
 * where none of many is one of these rules. */
static void
set_start(struct game *g, struct rng *rng)
{
	char fen[128], reason[FEN_REASON_MAX];
	struct board usual, b;

	int tries = 200;

	board_start(&usual, &g->rules);
	do {
		if (tries-- == 0)
			return;
		switch (rng_below(rng, 4)) {
		case 0:
			strcpy(fen, positions[rng_below(rng, POSITIONS)]);
			break;
		case 1:
			endgame_fen(rng, fen);
			break;
		case 2:
			trap_fen(rng, fen, rng_below(rng, 2) == 0, 5);
			break;
		default:
			random_fen(rng, fen);
		}
	} while (fen_read(&b, &g->rules, fen, strlen(fen), reason) == -1 ||
	    movegen_count(&b) == 0);
	g->start = b;
	g->usual_start =
	    usual.key == b.key && usual.count == b.count && usual.fullmove == b.fullmove;
}

/* A legal move; of eight, `eager` are not quiet ones where there are such. */
static move
choose(const struct board *b, struct rng *rng, uint32_t eager)
{
	move list[MOVES_MAX];
	uint32_t n = (uint32_t)movegen_list(b, list);
	move m = list[rng_below(rng, n)];

	if (rng_below(rng, 8) >= eager)
		return m;
	for (uint32_t i = 0, found = 0; i < n; i++)
		if ((!move_is_plain(list[i]) || b->square[move_to(list[i])] != 0) &&
		    rng_below(rng, ++found) == 0)
			m = list[i];
	return m;
}

static void
play(struct game *g, struct rng *rng)
{
	struct board b = g->start;
	uint32_t eager = rng_below(rng, 4);
	enum end e;

	game_grow(g);
	g->line.keys[0] = b.key;
	while ((e = outcome_find(&b, g->line.keys, g->line.plies)) == END_NONE &&
	    g->line.plies < max_plies && game_grow(g))
		line_add(&g->line, &b, choose(&b, rng, eager));
	g->end = e == END_NONE ? END_UNKNOWN : e;
	g->result = RESULT_NONE;
	if (e != END_NONE)
		game_set_value(g, outcome_value(&b, e));
}

static void
choose_rules(struct rules *r, struct rng *rng)
{
	char text[RANDOM_RULES_MAX], reason[RULES_REASON_MAX];

	do
		random_rules(rng, text);
	while (rulespec_parse(r, text, strlen(text), reason) == -1);
}

static void
write_game(struct game *g, const struct rules *r, uint64_t seed, uint64_t k,
    struct text *t)
{
	struct rng rng;
	struct rules own;
	char id[24], text[24];
	int n = snprintf(id, sizeof(id), "%" PRIu64, k);
	int len = snprintf(text, sizeof(text), "%" PRIu64, seed);

	rng_init(&rng, seed, k);
	if (r == NULL) {
		choose_rules(&own, &rng);
		r = &own;
	}
	game_clear(g);
	game_set_rules(g, r);
	if (strcmp(r->start, "960") == 0) {
		struct board usual = g->start;
		board_start_random(&g->start, &g->rules, &rng);
		g->usual_start = g->start.key == usual.key;
	}
	if (start_share > 0 && rng_below(&rng, (uint32_t)start_share) == 0)
		set_start(g, &rng);
	play(g, &rng);
	g->id = game_keep(g, id, (size_t)n);
	g->seed = game_keep(g, text, (size_t)len);
	text_clear(t);
	game_write_json(g, t);
}

int
main(int argc, char *argv[])
{
	struct game g;
	struct rules r;
	struct text t = { 0 };
	char reason[RULES_REASON_MAX];
	int c;

	while ((c = getopt(argc, argv, "m:s:")) != -1) {
		if (c == 'm')
			max_plies = (int)number(optarg, GAME_PLIES_MAX);
		else if (c == 's')
			start_share = (int)number(optarg, 1000000);
		else
			usage();
	}
	if (argc - optind != 3)
		usage();
	uint64_t seed;
	if (!number_read_u64(argv[optind], &seed))
		usage();
	int64_t games = number(argv[optind + 1], INT64_MAX);
	bool random = strcmp(argv[optind + 2], "random") == 0;
	if (!random && rulespec_read(&r, argv[optind + 2], reason) == -1)
		errx(2, "%s", reason);

	game_init(&g);
	for (int64_t k = 0; k < games; k++) {
		write_game(&g, random ? NULL : &r, seed, (uint64_t)k, &t);
		if (fwrite(t.s, 1, t.len, stdout) != t.len)
			err(1, "standard output");
	}
	game_release(&g);
	text_release(&t);
	if (fflush(stdout) == EOF)
		err(1, "standard output");
	return 0;
}
