#include "openings.h"

#include <err.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/input.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "fenline.h"
#include "games.h"

/* Appends an opening without moves. */
static struct game *
new_opening(struct openings *o, const struct rules *r)
{
	o->games = xreallocarray(o->games, (size_t)(o->count + 1), sizeof(*o->games));
	struct game *g = &o->games[o->count++];
	game_init(g);
	game_set_rules(g, r);
	g->start.rules = r; /* not &g->rules, as the growing array moves g */
	return g;
}

/* Sets the board to the start of a game that has no moves yet. */
static void
begin_line(struct game *g, struct board *b)
{
	*b = g->start;
	game_grow(g);
	g->line.keys[0] = b->key;
}

/* Copies start and moves to a game without moves; *b becomes the final position. */
static void
copy_line(struct game *to, const struct game *from, const struct rules *r,
    struct board *b)
{
	to->start = from->start;
	to->start.rules = r;
	to->usual_start = from->usual_start;
	begin_line(to, b);
	for (int i = 0; i < from->line.plies && game_grow(to); i++)
		line_add(&to->line, b, from->line.moves[i]);
}

static void
add_opening(struct openings *o, const struct rules *r, const struct game *g)
{
	struct game *kept = new_opening(o, r);
	struct board b;

	copy_line(kept, g, r, &b);
	if (outcome_find(&b, kept->line.keys, kept->line.plies) != END_NONE)
		errx(EXIT_USAGE, "--openings: the game is over after opening %d",
		    o->count);
}

static bool
is_legal(const struct board *b, move m)
{
	move list[MOVES_MAX];
	int n = movegen_list(b, list);

	return move_is_among(list, n, m);
}

/* As much of a game as these rules allow. */
static void
add_followed(struct openings *o, const struct rules *r, const struct game *g)
{
	struct game *kept = new_opening(o, r);
	struct board b;

	if (!g->usual_start)
		errx(EXIT_USAGE,
		    "--openings: with --follow opening %d must have the usual start",
		    o->count);
	begin_line(kept, &b);
	for (int i = 0; i < g->line.plies && is_legal(&b, g->line.moves[i]); i++) {
		game_grow(kept);
		line_add(&kept->line, &b, g->line.moves[i]);
		if (outcome_find(&b, kept->line.keys, kept->line.plies) != END_NONE) {
			kept->line.plies--;
			break;
		}
	}
}

/* Is it meant as a FEN, even if it is a bad one: has its first word eight ranks? */
static bool
looks_like_fen(const char *s, size_t n)
{
	int slashes = 0;

	if (n > 0 && (*s == '{' || *s == '['))
		return false; /* a game */
	for (; n > 0 && *s != ' '; s++, n--)
		slashes += *s == '/';
	return slashes >= 7;
}

/* Reads a file of FEN lines; false if its first line is not one. */
static bool
read_fens(struct openings *o, const struct rules *r, const char *path)
{
	struct input in;
	struct game g;
	const char *s;
	size_t n;
	char reason[FENLINE_REASON_MAX] = "a FEN is expected here";
	struct rules used;
	int got;

	if (input_open(&in, path) == -1)
		err(EXIT_USAGE, "--openings %s", path);
	game_init(&g);
	for (int line = 1; (got = input_line(&in, &s, &n)) != 0; line++) {
		if (got == 1 && n == 0)
			continue;
		game_clear(&g);
		game_set_rules(&g, r);
		if (got == -1 || s[0] == '{' || s[0] == '[' ||
		    fenline_read(&g.start, &used, r, s, n, reason) == -1) {
			if (o->count > 0 || (got == 1 && looks_like_fen(s, n)))
				errx(EXIT_USAGE, "--openings %s:%d: %s", path, line,
				    reason);
			break;
		}
		g.usual_start = false;
		add_opening(o, r, &g);
	}
	if (o->count > 0 && input_error(&in) != NULL)
		errx(EXIT_USAGE, "--openings %s: %s", path, input_error(&in));
	input_close(&in);
	game_release(&g);
	return o->count > 0;
}

static void
check_file(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
		errx(EXIT_USAGE, "--openings %s: not a regular file", path);
}

/* Reads a file of games, with follow as far as these rules allow. */
static void
read_games(struct openings *o, const struct cli *cli, const struct rules *r,
    const char *path, bool follow)
{
	struct cli strict = *cli;
	struct games reader;
	char *files[] = { (char *)path, NULL };

	strict.strict = true;
	if (follow)
		strict.rules = NULL;
	games_start(&reader, &strict, files);
	while (games_next(&reader))
		if (follow)
			add_followed(o, r, &reader.game);
		else if (rules_equal(&reader.game.rules, r))
			add_opening(o, r, &reader.game);
		else
			errx(EXIT_USAGE, "--openings %s: opening %d has another rule set",
			    path, o->count + 1);
	games_finish(&reader);
	if (strict.status != EXIT_DONE)
		exit(EXIT_USAGE);
	if (o->count == 0)
		errx(EXIT_USAGE, "--openings %s: no openings", path);
}

void
openings_read(struct openings *o, const struct cli *cli, const struct rules *r,
    const char *path, bool follow)
{
	memset(o, 0, sizeof(*o));
	check_file(path);
	if (follow || !read_fens(o, r, path))
		read_games(o, cli, r, path, follow);
}

void
openings_release(struct openings *o)
{
	for (int i = 0; i < o->count; i++)
		game_release(&o->games[i]);
	free(o->games);
	memset(o, 0, sizeof(*o));
}

static void
begin(const struct openings *o, uint64_t k, const struct rules *r, struct game *g,
    struct board *b)
{
	const struct game *opening =
	    o->count == 0 ? NULL : &o->games[k % (uint64_t)o->count];

	game_clear(g);
	game_set_rules(g, r);
	if (opening != NULL)
		copy_line(g, opening, &g->rules, b);
	else
		begin_line(g, b);
}

/* False if the game ends on the way. */
static bool
add_random_plies(struct game *g, struct board *b, int n, struct rng *rng)
{
	move list[MOVES_MAX];

	while (n-- > 0 && game_grow(g)) {
		int moves = movegen_list(b, list);
		line_add(&g->line, b, list[rng_below(rng, (uint32_t)moves)]);
		if (outcome_find(b, g->line.keys, g->line.plies) != END_NONE)
			return false;
	}
	return true;
}

/* The start of a game without an opening; with start 960 one of the arrays. */
static void
draw_start(struct game *g, struct board *b, struct rng *rng)
{
	board_start_random(&g->start, &g->rules, rng);
	g->usual_start = g->start.key == b->key;
	*b = g->start;
	g->line.keys[0] = b->key;
}

void
openings_sample(const struct openings *o, uint64_t k, const struct rules *r, int plies,
    struct rng *rng, struct game *g, struct board *b)
{
	enum { TRIES = 50 };

	for (int i = 0;; i++) {
		begin(o, k, r, g, b);
		if (o->count == 0)
			draw_start(g, b, rng);
		if (add_random_plies(g, b, plies - i / TRIES, rng))
			return;
	}
}

void
openings_describe(const struct openings *o, struct text *to)
{
	char fen[FEN_MAX];

	for (int i = 0; i < o->count; i++) {
		fen_write(&o->games[i].start, fen);
		text_add_format(to, "%s ", fen);
		game_write_moves(&o->games[i], to);
		text_add_char(to, '\n');
	}
}
