/*
 * gamestats: measures how long games are, how much choice they have, how much
 * they swing and when they are decided. A row for each measure, with games as
 * the unit.
 */
#include <math.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/table.h"
#include "chess/make.h"
#include "chess/movegen.h"
#include "data/novelty.h"
#include "data/tally.h"
#include "stats/course.h"
#include "stats/dirichlet.h"
#include "stats/ratio.h"

static const char synopsis[] =
    "[-pqStVz] [-b tag] [-l level] [-o file] [-r rules] [--distinct]\n"
    "                 [--trust] [file ...]";
static const char help[] =
    "Measures games (JSONL, PGN or packed) for each rule set: length, choice,\n"
    "captures and, where games have search data, swings, drama, decisive moments.\n";

static struct cli cli;
static struct tally tally;

static const struct cli_option options[] = {
	TALLY_BY(&tally, "measure"),
	TALLY_DISTINCT(&tally),
	CLI_HELP,
	CLI_LEVEL(&tally.level, "intervals"),
	CLI_OUTPUT_ZST,
	CLI_READ,
	CLI_TSV(""),
	CLI_TRUST,
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
};

/* MEAN, PART, SHARE, HITS: as gamemeasures.def tells. */
enum kind { MEAN, PART, SHARE, HITS };

enum measure {
#define MEASURE(name, word, kind) name,
#include "data/gamemeasures.def"
#undef MEASURE
	MEASURE_COUNT
};

static const struct {
	const char *name;
	enum kind kind;
} measures[MEASURE_COUNT] = {
#define MEASURE(name, word, kind) { word, kind },
#include "data/gamemeasures.def"
#undef MEASURE
};

/* The most pieces, without kings and pawns, that an endgame may have. */
enum { ENDGAME_PIECES = 6 };

/* The sums of each measure, of a group. */
struct sums {
	struct pairsums of[MEASURE_COUNT];
};

/* ---- one game ---- */

static int
count_pieces(const struct board *b)
{
	int n = 0;

	for (int side = WHITE; side <= BLACK; side++)
		n += __builtin_popcountll(b->pieces[side][ALL] &
		    ~(b->pieces[side][KING] | b->pieces[side][PAWN]));
	return n;
}

/* The measures that need the board: choice, captures, squares, endgame. */
static void
look_at_moves(struct sums *s, const struct game *g)
{
	int plies = g->line.plies, legal = 0, forced = 0, captures = 0, end = 0;
	struct board b = g->start;
	bitboard used = 0;
	struct undo undo;

	for (int i = 0; i < plies; i++) {
		int choice = movegen_count(&b);
		legal += choice;
		forced += choice == 1;
		captures += line_captured(&g->line, i) != 0;
		end += count_pieces(&b) <= ENDGAME_PIECES;
		used |= bit(move_to(g->line.moves[i]));
		board_make(&b, g->line.moves[i], &undo);
	}
	pairsums_add(&s->of[LENGTH], 1, plies);
	pairsums_add(&s->of[BRANCHING], plies, legal);
	pairsums_add(&s->of[FORCED], plies, forced);
	pairsums_add(&s->of[CAPTURES], plies, captures);
	pairsums_add(&s->of[ENDGAME], plies, end);
	pairsums_add(&s->of[COVERAGE], 1, __builtin_popcountll(used) / 64.);
}

static void
look_for_novelty(struct sums *s, const struct game *g)
{
	struct board b = g->start;
	struct rules chess;
	struct undo undo;
	int i = 0;

	rules_init(&chess);
	if (rules_equal(b.rules, &chess))
		return;
	while (i < g->line.plies && novelty_is_chess(&b, g->line.moves[i]))
		board_make(&b, g->line.moves[i++], &undo);
	pairsums_add(&s->of[NOVELTY], 1, i < g->line.plies);
}

/* The values of the searched positions, from one side's view, and their plies. */
struct course {
	float *value;
	int *ply;
	int n, room;
};

static void
course_read(struct course *c, const struct game *g, int view)
{
	int plies = g->line.plies;

	if (plies > c->room) {
		c->room = 2 * plies;
		c->value = xreallocarray(c->value, (size_t)c->room, sizeof(*c->value));
		c->ply = xreallocarray(c->ply, (size_t)c->room, sizeof(*c->ply));
	}
	c->n = 0;
	for (int i = 0; i < plies; i++) {
		float v = tally.values[i];
		if (isnan(v))
			continue;
		c->value[c->n] = ((g->start.side ^ i) & 1) == view ? v : -v;
		c->ply[c->n++] = i;
	}
}

/* Counts moves between two searched positions, and those among them after which
 * the mover's value is higher by COURSE_KILLER than before. */
static void
count_killers(struct sums *s, const struct course *c, const struct game *g)
{
	int moves = 0, killers = 0;

	for (int i = 0; i + 1 < c->n; i++) {
		if (c->ply[i + 1] != c->ply[i] + 1)
			continue;
		double gain = (double)c->value[i + 1] - (double)c->value[i];
		bool white = ((g->start.side ^ c->ply[i]) & 1) == WHITE;
		moves++;
		/* Values have seven digits. */
		killers += (white ? gain : -gain) >= COURSE_KILLER - 1e-6;
	}
	if (moves > 0)
		pairsums_add(&s->of[KILLERS], moves, killers);
}

static void
look_at_winner(struct sums *s, const struct course *c, const struct game *g)
{
	double behind = course_behind(c->value, c->n);
	int from = course_won_from(c->value, c->n);

	pairsums_add(&s->of[DRAMA], 1, behind);
	pairsums_add(&s->of[COMEBACKS], 1, behind >= COURSE_WON);
	pairsums_add(&s->of[DECIDED], 1,
	    from == c->n ? 1 : (double)c->ply[from] / g->line.plies);
}

static void
look_at_values(struct sums *s, const struct game *g)
{
	static struct course c;

	course_read(&c, g, WHITE);
	if (c.n == 0)
		return;
	pairsums_add(&s->of[LEAD_CHANGES], 1, course_lead_changes(c.value, c.n));
	for (int third = -1; third < 3; third++) {
		double x = course_uncertainty(c.value, c.n, third);
		if (!isnan(x))
			pairsums_add(&s->of[UNCERTAINTY + 1 + third], 1, x);
	}
	count_killers(s, &c, g);
	if (g->result == RESULT_DRAW)
		return;
	course_read(&c, g, g->result == RESULT_WHITE ? WHITE : BLACK);
	look_at_winner(s, &c, g);
}

static void
count_game(const struct game *g)
{
	struct tally_group *group = tally_find(&tally, g);

	if (group->own == NULL)
		group->own = xcalloc(1, sizeof(struct sums));
	if (g->result == RESULT_NONE)
		return;
	look_at_moves(group->own, g);
	look_for_novelty(group->own, g);
	look_at_values(group->own, g);
}

/* ---- the table ---- */

static const struct pairsums *
sums_of(const struct tally_group *g, int m)
{
	static const struct sums nothing;
	const struct sums *s = g->own != NULL ? g->own : &nothing;

	return &s->of[m];
}

static struct range
range_of(const struct pairsums *r, enum kind kind)
{
	struct range range;

	if (kind == HITS) {
		dirichlet_share((unsigned long long)r->y, (unsigned long long)r->n,
		    tally.level, &range);
		return range;
	}
	if (kind == SHARE)
		ratio_share(r, tally.level, &range);
	else
		ratio_mean(r, tally.level, &range);
	range.lo = fmax(range.lo, 0);
	range.hi = kind == PART ? fmin(range.hi, 1) : range.hi;
	return range;
}

static bool
has_measure(const struct tally_group *g, int m)
{
	return sums_of(g, m)->n > 0;
}

static void
add_measure(struct table *t, const struct tally_group *g, int m)
{
	const struct pairsums *r = sums_of(g, m);
	struct range range = range_of(r, measures[m].kind);

	tally_write_name(g, t);
	table_string(t, "measure", measures[m].name);
	table_number(t, "games", r->n);
	table_number(t, "mean", range.at);
	table_number(t, "lo", range.lo);
	table_number(t, "hi", range.hi);
}

static void
write_measures(struct table *t)
{
	tally_write_rows(&tally, t, MEASURE_COUNT, has_measure, add_measure);
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	tally_init(&tally, "gamestats", NULL);
	tally.want_values = true;
	return tally_run(&tally, &cli, cli_read(&cli, argc, argv), count_game,
	    write_measures);
}
