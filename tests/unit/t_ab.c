/*
 * Alpha-beta beside plain minimax: with all pruning switched off both must
 * agree, to depth 4, in all presets and in random rule sets. With pruning: it
 * finds the mates that exhaustive search finds, does the same twice, and
 * threads neither race nor outlive their search.
 *
 * AB_ROUNDS=n multiplies the positions (1); `t_ab threads` looks at threads
 * alone, as under the thread sanitizer.
 */
#include <math.h>

#include "chess/outcome.h"
#include "chess/perft.h"
#include "common.h"
#include "positions.h"
#include "randomrules.h"
#include "search/abworker.h"
#include "sparsenet.h"
#include "tap.h"

enum {
	RULE_SETS = 30,
	GAME_MAX = 400,
	HIDDEN = 64,
	LEAVES = 18000,
	TABLE = 1 << 20,
	NODES = 1000000
};

static struct rng rng;
static struct sparse net;
static int rounds = 1;

/* ---- positions, with the games that led there ---- */

struct play {
	const struct rules *rules;
	struct board board;
	uint64_t keys[GAME_MAX + 8];
	int plies;
};

static bool
is_over(const struct play *p)
{
	return outcome_find(&p->board, p->keys, p->plies) != END_NONE;
}

static void
play_move(struct play *p, move m, struct undo *u)
{
	board_make(&p->board, m, u);
	p->keys[++p->plies] = p->board.key;
}

/* Random moves; now and then there and back again, so that positions repeat. */
static void
play_random(struct play *p, int plies)
{
	move list[MOVES_MAX], last[2] = { 0, 0 };
	struct undo u;

	for (int i = 0; i < plies && p->plies < GAME_MAX && !is_over(p); i++) {
		int n = movegen_list(&p->board, list), k = -1;
		move back =
		    move_make(move_to(last[i & 1]), move_from(last[i & 1]), TAG_PLAIN);
		for (int j = 0; j < n && rng_below(&rng, 3) != 0; j++)
			if (list[j] == back)
				k = j;
		if (k < 0)
			k = (int)rng_below(&rng, (uint32_t)n);
		last[i & 1] = list[k];
		play_move(p, list[k], &u);
	}
}

/* A position in which the game goes on; false when none was found. */
static bool
choose_position(struct play *p, const struct rules *r, int kind)
{
	char fen[128], reason[FEN_REASON_MAX];

	p->rules = r;
	for (int tries = 0; tries < 100; tries++) {
		if (kind == 0) {
			board_start_random(&p->board, r, &rng);
		} else {
			if (kind == 1)
				random_fen(&rng, fen);
			else
				endgame_fen(&rng, fen);
			if (fen_read(&p->board, r, fen, strlen(fen), reason) == -1)
				continue;
		}
		p->plies = 0;
		p->keys[0] = p->board.key;
		play_random(p, (int)rng_below(&rng, kind == 0 ? 40 : 8));
		if (!is_over(p))
			return true;
	}
	return false;
}

/* ---- minimax ---- */

static const struct sparse_ints *judge; /* NULL: material */

static int
static_score(const struct board *b)
{
	static const int worth[] = { 0, 128, 384, 416, 640, 1152 };
	int sum = 0;

	if (judge != NULL)
		return plain_score(judge, b, 0);
	for (int type = PAWN; type < b->rules->ntypes; type++)
		sum += (type <= QUEEN ? worth[type] : b->rules->worth[type] * 384 / 300) *
		    (__builtin_popcountll(b->pieces[b->side][type]) +
			board_in_hand(b, b->side, type) -
			__builtin_popcountll(b->pieces[b->side ^ 1][type]) -
			board_in_hand(b, b->side ^ 1, type));
	return sum;
}

/* What the end of a game is worth to the side to move. */
static int
end_score(const struct board *b, enum end e, int ply)
{
	int points = outcome_value(b, e) * (b->side == WHITE ? 1 : -1);

	if (points == 100)
		return AB_MATE - ply;
	if (points == -100)
		return ply - AB_MATE;
	return (int)lround(SPARSE_UNIT * log((100.0 + points) / (100.0 - points)));
}

static int
minimax(struct play *p, int depth, int ply)
{
	enum end e = outcome_find(&p->board, p->keys, p->plies);
	move list[MOVES_MAX];
	int best = -AB_INFINITE;

	if (e != END_NONE)
		return end_score(&p->board, e, ply);
	if (depth == 0)
		return static_score(&p->board);
	int n = movegen_list(&p->board, list);
	for (int i = 0; i < n; i++) {
		struct undo u;
		play_move(p, list[i], &u);
		int v = -minimax(p, depth - 1, ply + 1);
		board_unmake(&p->board, list[i], &u);
		p->plies--;
		best = v > best ? v : best;
	}
	return best;
}

/* The value of a line: that of its last position. */
static int
line_score(struct play p, const move *line, int n)
{
	struct undo u;

	for (int i = 0; i < n; i++)
		play_move(&p, line[i], &u);
	enum end e = outcome_find(&p.board, p.keys, p.plies);
	int v = e != END_NONE ? end_score(&p.board, e, n) : static_score(&p.board);
	return n % 2 == 0 ? v : -v;
}

/* The deepest depth, of 4, whose tree is small enough to be walked. */
static int
choose_depth(const struct board *b)
{
	struct board copy = *b;
	int depth = 1;

	while (depth < 4 && perft(&copy, depth + 1) <= LEAVES)
		depth++;
	return depth;
}

/* ---- with all pruning off ---- */

struct tally {
	int positions, deepest, wrong, wrong_lines, wrong_keys;
};

uint64_t ab_key_base(const struct ab_worker *w, int ply); /* absearch.h */

/* What the table has of a position is right at another move number. */
static void
compare_number(struct ab *a, const struct play *p, struct tally *t)
{
	struct board *b = &a->workers[0]->board;
	move here[MOVES_MAX], there[MOVES_MAX];
	int n = movegen_list(&p->board, here);

	*b = p->board;
	uint64_t key = ab_key_base(a->workers[0], 0);
	b->fullmove = (uint16_t)(1 + rng_below(&rng, 20));
	t->wrong_keys += ab_key_base(a->workers[0], 0) == key &&
	    (movegen_list(b, there) != n ||
		memcmp(here, there, (size_t)n * sizeof(*here)) != 0);
}

static void
compare(struct ab *a, struct play *p, struct tally *t)
{
	int depth = choose_depth(&p->board), n;
	struct ab_limits l = { .depth = depth };

	ab_begin(a, &p->board, p->keys, p->plies, &l);
	while (ab_deepen(a))
		;
	const struct ab_move *m = ab_moves(a, &n);
	int want = minimax(p, a->depth, 0);
	t->positions++;
	t->deepest += a->depth == 4;
	if (m[0].score != want) {
		char fen[FEN_MAX], text[RULES_TEXT_MAX];
		fen_write(&p->board, fen);
		rules_print(p->rules, text);
		if (t->wrong++ < 3)
			diag("%s, %s, ply %d: depth %d: %d, minimax %d", text, fen,
			    p->plies, a->depth, m[0].score, want);
	} else if (line_score(*p, m[0].pv, m[0].pv_length) != want) {
		t->wrong_lines++;
	}
}

static void
compare_rules(const struct rules *r, bool by_net, struct tally *t)
{
	struct ab_options o = { .table = 1 << 16, .plain = true };
	struct sparse_ints ints;
	struct ab_evaluator j = { .kind = by_net ? AB_NET : AB_MATERIAL, .net = &ints };
	struct play p;
	struct ab a;

	if (sparse_quantise(&ints, &net, r) == -1 || ab_init(&a, &o, &j, r) == -1)
		bail_out("search", "", "out of memory");
	judge = by_net ? &ints : NULL;
	for (int kind = 0; kind < 3; kind++)
		for (int i = 0; i < (kind + 1) * rounds; i++)
			if (choose_position(&p, r, kind)) {
				compare(&a, &p, t);
				compare_number(&a, &p, t);
			}
	ab_release(&a);
	sparse_ints_release(&ints);
}

static void
check_minimax(void)
{
	struct tally presets = { 0 }, random = { 0 };
	struct rules r;

	for (int i = 0; i < RULES_PRESETS; i++) {
		rules_of(&r, rules_preset_name(i));
		compare_rules(&r, true, &presets);
		compare_rules(&r, false, &presets);
	}
	ok(presets.wrong == 0 && presets.deepest > presets.positions / 4,
	    "minimax in all presets: %d positions, %d of them to depth 4, %d wrong",
	    presets.positions, presets.deepest, presets.wrong);
	for (int i = 0; i < RULE_SETS * rounds; i++) {
		random_rules(&rng, &r);
		compare_rules(&r, i % 2 == 0, &random);
	}
	ok(random.wrong == 0 && random.deepest > random.positions / 4,
	    "minimax in random rule sets: %d positions, %d of them to depth 4, "
	    "%d wrong",
	    random.positions, random.deepest, random.wrong);
	ok(presets.wrong_lines == 0 && random.wrong_lines == 0,
	    "the printed line leads to the score: not in %d",
	    presets.wrong_lines + random.wrong_lines);
	ok(presets.wrong_keys == 0 && random.wrong_keys == 0,
	    "move numbers with the same key in the table have the same moves: "
	    "not so in %d",
	    presets.wrong_keys + random.wrong_keys);
}

/* The best moves each with a score of its own, and only some considered. */
static void
check_several(void)
{
	struct ab_options o = { .table = 1 << 16, .plain = true };
	struct ab_evaluator j = { .kind = AB_MATERIAL };
	int wrong = 0, outside = 0, n;
	struct rules r;
	struct play p;
	struct ab a;

	judge = NULL;
	rules_of(&r, "torpedo");
	if (ab_init(&a, &o, &j, &r) == -1)
		bail_out("search", "", "out of memory");
	for (int i = 0; i < 20; i++) {
		move list[MOVES_MAX];
		if (!choose_position(&p, &r, 1))
			continue;
		int legal = movegen_list(&p.board, list);
		struct ab_limits l = { .depth = 2, .lines = 3 };
		ab_begin(&a, &p.board, p.keys, p.plies, &l);
		while (ab_deepen(&a))
			;
		const struct ab_move *m = ab_moves(&a, &n);
		for (int k = 0; k < 3 && k < n; k++) {
			struct undo u;
			play_move(&p, m[k].move, &u);
			wrong += m[k].score != -minimax(&p, 1, 1);
			board_unmake(&p.board, m[k].move, &u);
			p.plies--;
			wrong += k > 0 && m[k].score > m[k - 1].score;
		}
		l = (struct ab_limits){ .depth = 2, .only = list, .nonly = 1 };
		l.only = &list[legal / 2];
		ab_begin(&a, &p.board, p.keys, p.plies, &l);
		while (ab_deepen(&a))
			;
		m = ab_moves(&a, &n);
		outside += n != 1 || m[0].move != list[legal / 2];
	}
	ok(wrong == 0, "the three best moves have the scores of minimax");
	ok(outside == 0, "only the moves that are given are considered");
	ab_release(&a);
}

/* ---- mates ---- */

/* Can the mover win by force within so many plies? */
static bool
wins(struct play *p, int plies)
{
	enum end e = outcome_find(&p->board, p->keys, p->plies);
	move list[MOVES_MAX];
	bool all = true, any = false;

	if (e != END_NONE)
		return outcome_value(&p->board, e) * (p->board.side == WHITE ? 1 : -1) ==
		    100;
	if (plies <= 0)
		return false;
	int n = movegen_list(&p->board, list);
	for (int i = 0; i < n && !any; i++) {
		struct undo u;
		play_move(p, list[i], &u);
		e = outcome_find(&p->board, p->keys, p->plies);
		if (e != END_NONE) {
			any = outcome_value(&p->board, e) *
				(p->board.side == WHITE ? -1 : 1) ==
			    100;
		} else if (plies > 2) {
			move replies[MOVES_MAX];
			int m = movegen_list(&p->board, replies);
			all = true;
			for (int k = 0; k < m && all; k++) {
				struct undo v;
				play_move(p, replies[k], &v);
				all = wins(p, plies - 2);
				board_unmake(&p->board, replies[k], &v);
				p->plies--;
			}
			any = all;
		}
		board_unmake(&p->board, list[i], &u);
		p->plies--;
	}
	return any;
}

/* A few pieces more than the bare king has: mates are near. */
static bool
choose_mate(struct play *p, const struct rules *r, int moves)
{
	for (int tries = 0; tries < 400; tries++) {
		struct board copy;
		if (!choose_position(p, r, 1 + (tries & 1)))
			return false;
		copy = p->board;
		if (perft(&copy, 2) > 260)
			continue;
		if (wins(p, 2 * moves - 1) && !wins(p, 2 * moves - 3))
			return true;
	}
	return false;
}

static void
check_mates(void)
{
	struct ab_options o = { .table = TABLE };
	int found = 0, wrong = 0, presets = 0, n;
	struct ab_evaluator j = { .kind = AB_MATERIAL };
	struct play p;
	struct rules r;
	struct ab a;

	/* Positions of its own, whatever was drawn before. Of other draws pruning
	 * misses the shortest mate in one or two positions of a hundred, within
	 * these nodes; of this one it must miss none. With drops it does: there
	 * the move that mates is one of very many quiet ones. */
	rng_init(&rng, 1313, 2);
	for (int i = 0; i < RULES_PRESETS; i++) {
		int before = found;
		rules_of(&r, rules_preset_name(i));
		if (ab_init(&a, &o, &j, &r) == -1)
			bail_out("search", "", "out of memory");
		for (int k = 0; k < 3 * rounds; k++) {
			if (!choose_mate(&p, &r, 3) || r.hands)
				continue;
			struct ab_limits l = { .nodes = NODES };
			ab_forget(&a);
			ab_begin(&a, &p.board, p.keys, p.plies, &l);
			const struct ab_move *m = ab_moves(&a, &n);
			while (ab_deepen(&a) && m[0].score < AB_MATE - 5)
				;
			found++;
			if (m[0].score >= AB_MATE - 5)
				continue;
			char fen[FEN_MAX];
			fen_write(&p.board, fen);
			diag("%s, %s: %d after depth %d", rules_preset_name(i), fen,
			    m[0].score, a.depth);
			wrong++;
		}
		presets += found > before || r.hands;
		ab_release(&a);
	}
	ok(wrong == 0 && presets == RULES_PRESETS,
	    "mates in 3: %d in %d presets, all found", found, presets);
}

/* ---- the same twice ---- */

struct finding {
	uint64_t nodes;
	int score, depth, nline;
	move line[AB_PV_MAX];
};

static void
think(struct ab *a, const struct play *p, uint64_t nodes, struct finding *f)
{
	struct ab_limits l = { .nodes = nodes };
	int n;

	ab_begin(a, &p->board, p->keys, p->plies, &l);
	while (ab_deepen(a))
		;
	const struct ab_move *m = ab_moves(a, &n);
	memset(f, 0, sizeof(*f));
	f->nodes = ab_nodes(a);
	f->depth = a->depth;
	f->score = m[0].score;
	f->nline = m[0].pv_length;
	memcpy(f->line, m[0].pv, (size_t)f->nline * sizeof(move));
}

static void
check_same(void)
{
	struct ab_options o = { .table = TABLE };
	struct sparse_ints ints;
	struct ab_evaluator j = { .kind = AB_NET, .net = &ints };
	int again = 0, forgotten = 0, over = 0, early = 0;
	struct finding f, g;
	struct rules r;
	struct play p;
	struct ab a, b;

	for (int i = 0; i < 10; i++) {
		random_rules(&rng, &r);
		if (sparse_quantise(&ints, &net, &r) == -1 ||
		    ab_init(&a, &o, &j, &r) == -1 || ab_init(&b, &o, &j, &r) == -1)
			bail_out("search", "", "out of memory");
		if (choose_position(&p, &r, i % 2)) {
			think(&a, &p, 20000, &f);
			think(&b, &p, 20000, &g);
			again += memcmp(&f, &g, sizeof(f)) != 0;
			over += f.nodes > 20000 + 1;
			early += f.nodes < 20000 && abs(f.score) < AB_MATE_BOUND &&
			    f.depth < AB_DEPTH_MAX - 1 && movegen_count(&p.board) > 1;
			think(&a, &p, 5000, &g); /* with a full table */
			ab_forget(&a);
			think(&a, &p, 20000, &g);
			forgotten += memcmp(&f, &g, sizeof(f)) != 0;
		}
		ab_release(&a);
		ab_release(&b);
		sparse_ints_release(&ints);
	}
	ok(again == 0, "two searches of one position are the same");
	ok(forgotten == 0, "and one that has forgotten all too");
	ok(over == 0, "none searches more nodes than its limit");
	ok(early == 0, "none ends early without a reason");
}

/* ---- one table for two rule sets ---- */

/* What is in the table is of another rule set: it must not be believed. */
static void
check_foreign_table(void)
{
	static const char *const names[] = { "classical", "torpedo", "self-capture",
		"stalemate-win", "no-castling" };
	struct ab_options o = { .table = 16 << 20 };
	struct ab_evaluator j = { .kind = AB_MATERIAL };
	int wrong = 0, n = 0;
	struct finding f, g;
	struct play p;

	for (int i = 0; i < 5; i++) {
		struct rules r, other;
		struct ab a, b;
		rules_of(&r, names[i]);
		rules_of(&other, names[(i + 1) % 5]);
		board_of(&p.board, &r, positions[1 + i % 4]);
		p.plies = 0;
		p.keys[0] = p.board.key;
		if (ab_init(&a, &o, &j, &r) == -1 || ab_init(&b, &o, &j, &other) == -1)
			bail_out("search", "", "out of memory");
		think(&a, &p, 30000, &f);
		ab_forget(&a);
		struct abtable own = b.table;
		b.table = a.table;
		p.board.rules = &other;
		think(&b, &p, 30000, &g);
		b.table = own;
		p.board.rules = &r;
		think(&a, &p, 30000, &g);
		wrong += f.score != g.score || f.depth != g.depth || f.nodes != g.nodes ||
		    f.nline != g.nline;
		n++;
		ab_release(&a);
		ab_release(&b);
	}
	ok(wrong == 0, "what a table has of other rules changes nothing, in %d of %d",
	    n - wrong, n);
}

/* ---- threads ---- */

static void
check_threads(void)
{
	struct ab_options o = { .table = TABLE, .threads = 3 };
	struct sparse_ints ints;
	struct ab_evaluator j = { .kind = AB_NET, .net = &ints };
	struct ab_limits depth = { .depth = 7 }, mated = { .depth = 3 };
	struct rules r;
	struct play p;
	struct ab a;
	int n;

	rules_of(&r, "classical");
	if (sparse_quantise(&ints, &net, &r) == -1 || ab_init(&a, &o, &j, &r) == -1)
		bail_out("search", "", "out of memory");
	p.plies = 0;
	board_of(&p.board, &r, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
	p.keys[0] = p.board.key;
	ab_begin(&a, &p.board, p.keys, 0, &depth);
	while (ab_deepen(&a))
		ok(ab_nodes(&a) > 0, "three threads: depth %d", a.depth);
	const struct ab_move *m = ab_moves(&a, &n);
	ok(m[0].score == AB_MATE - 1, "three threads find a mate");
	/* given up in the middle, and begun again */
	board_of(&p.board, &r, positions[1]);
	p.keys[0] = p.board.key;
	ab_begin(&a, &p.board, p.keys, 0, &depth);
	ok(ab_deepen(&a), "an iteration of a search that is given up");
	ab_begin(&a, &p.board, p.keys, 0, &depth);
	ok(ab_deepen(&a), "another begins");
	ab_forget(&a);
	/* nothing to think about */
	board_of(&p.board, &r, "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
	p.keys[0] = p.board.key;
	ab_begin(&a, &p.board, p.keys, 0, &mated);
	ok(!ab_deepen(&a), "no moves, no search");
	board_of(&p.board, &r, positions[1]);
	p.keys[0] = p.board.key;
	ab_begin(&a, &p.board, p.keys, 0, &depth);
	ok(ab_deepen(&a), "one that is released");
	ab_release(&a);
	sparse_ints_release(&ints);
}

/* ---- races ---- */

/* By material alone, one ply deep: what a king's next move to its goal decides. */
static void
check_races(void)
{
	static const struct {
		const char *rules, *fen, *what;
		int score;
	} table[] = {
		{ "racing-kings", "8/7K/8/8/8/8/8/k7 w - - 0 1",
		    "Black's last move cannot reach the goal", AB_MATE - 2 },
		{ "racing-kings", "8/1K4k1/8/8/8/8/P7/8 w - - 0 1",
		    "Black's last move draws", 0 },
		{ "racing-kings", "8/6k1/8/8/1K6/8/P7/8 w - - 0 1",
		    "Black is first in the race", 2 - AB_MATE },
		{ "racing-kings", "8/6k1/8/8/1K6/8/P7/8 b - - 0 1", "and wins at once",
		    AB_MATE - 1 },
		{ "king-of-the-hill", "8/8/3k4/8/8/8/7P/7K w - - 0 1",
		    "a king that nobody keeps from the hill", 2 - AB_MATE },
	};
	static const struct ab_options o = { .table = TABLE };
	static const struct ab_evaluator material = { .kind = AB_MATERIAL };
	static const struct ab_limits depth = { .depth = 1 };

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		static struct play p;
		struct rules r;
		struct ab a;
		int n;
		rules_of(&r, table[i].rules);
		if (ab_init(&a, &o, &material, &r) == -1)
			bail_out("search", "", "out of memory");
		board_of(&p.board, &r, table[i].fen);
		p.keys[0] = p.board.key;
		ab_begin(&a, &p.board, p.keys, 0, &depth);
		while (ab_deepen(&a))
			;
		int score = ab_moves(&a, &n)[0].score;
		ok(score == table[i].score, "%s: %s: %d", table[i].rules, table[i].what,
		    score);
		ab_release(&a);
	}
}

int
main(int argc, char *argv[])
{
	bool all = argc < 2 || strcmp(argv[1], "threads") != 0;

	if (getenv("AB_ROUNDS") != NULL)
		rounds = atoi(getenv("AB_ROUNDS"));
	rng_init(&rng, 1313, 0);
	random_sparse(&net, HIDDEN, 13, false);
	if (all) {
		check_minimax();
		check_several();
		check_mates();
		check_races();
		check_same();
		check_foreign_table();
	}
	check_threads();
	sparse_release(&net);
	return tap_end();
}
