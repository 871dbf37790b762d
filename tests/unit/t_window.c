/*
 * What training reads and shows: search data as it may be written, what a net
 * should say of each position, how the window forgets, and positions with left
 * and right exchanged.
 */
#include <math.h>

#include "base/rng.h"
#include "common.h"
#include "data/searchdata.h"
#include "net/encode.h"
#include "positions.h"
#include "tap.h"
#include "train/window.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* ---- search data ---- */

/* What the reader says, ply by ply: a known ply gives the number of its moves,
 * one of an opening n, a bad one an x. */
static const struct {
	const char *text, *want;
} readings[] = {
	{ "[]", "" },
	{ " [ ] ", "" },
	{ "[null]", "n" },
	{ "\t[ null ,\r\n null ]\n", "nn" },
	{ "[{\"value\":0,\"moves\":{}}]", "0" },
	{ "[{\"value\":-1,\"draw\":0,\"moves\":{\"e2e4\":[1,0.5]}}]", "1" },
	{ "[{\"moves\":{\"e2e4\":[1,0.5,0.25]},\"value\":1}]", "1" },
	{ "[{\"moves\":{\"a7a8q\":[1,0.5],\"a7a8n\":[1e2,5E-1,1]}}]", "2" },
	{ "[ { \"value\" : 0.5 , \"moves\" : { \"e2e4\" : [ 1 , 0.5 ] , "
	  "\"d2d4\" : [ 2 , 1 , 0 ] } } , null ]",
	    "2n" },
	{ "[null,{\"value\":0},null]", "n0n" },
	/* not so */
	{ "", "x" },
	{ " ", "x" },
	{ "null", "x" },
	{ "{}", "x" },
	{ "[", "x" },
	{ "[nul]", "x" },
	{ "[null", "nx" },
	{ "[null,", "nx" },
	{ "[null,]", "nx" },
	{ "[,null]", "x" },
	{ "[null null]", "nx" },
	{ "[]]", "x" },
	{ "[] []", "x" },
	{ "[null]x", "nx" },
	{ "[{}]", "x" },
	{ "[{\"value\":2}]", "x" },
	{ "[{\"value\":-1.001}]", "x" },
	{ "[{\"value\":nan}]", "x" },
	{ "[{\"value\":1e999}]", "x" },
	{ "[{\"value\":\"1\"}]", "x" },
	{ "[{\"value\":}]", "x" },
	{ "[{\"value\":1e}]", "x" },
	{ "[{\"value\":--1}]", "x" },
	{ "[{\"draw\":1.5}]", "x" },
	{ "[{\"draw\":-0.1}]", "x" },
	{ "[{\"other\":1}]", "x" },
	{ "[{\"a very long name of a field\":1}]", "x" },
	{ "[{\"v\\u0061lue\":1}]", "x" },
	{ "[{\"value\":0,}]", "x" },
	{ "[{\"value\":0]", "x" },
	{ "[{value:0}]", "x" },
	{ "[{\"moves\":[]}]", "x" },
	{ "[{\"moves\":{\"e2e4\":1}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[-1,0]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0,-0.5]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0,0,0]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0],}}]", "x" },
	{ "[{\"moves\":{\"e2e4ee\":[1,0]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0]}", "x" },
	{ "[{\"value\":0.000000000000000000000000000000000000000001}]", "x" },
};

static void
read_all(const char *s, size_t n, char *got)
{
	static struct searchdata_ply ply;
	struct searchdata d;
	int more;

	searchdata_start(&d, s, n);
	while ((more = searchdata_next(&d, &ply)) == 1)
		*got++ = ply.known ? (char)('0' + ply.n) : 'n';
	if (more < 0)
		*got++ = 'x';
	*got = '\0';
}

static void
test_readings(void)
{
	char got[64];

	for (int i = 0; i < COUNT(readings); i++) {
		read_all(readings[i].text, strlen(readings[i].text), got);
		ok(strcmp(got, readings[i].want) == 0,
		    "search data %s gives '%s' (got '%s')",
		    i == 3       ? "with blanks"
			: i == 8 ? "with more blanks"
				 : readings[i].text,
		    readings[i].want, got);
	}
	read_all("[null]\0", 7, got);
	ok(strcmp(got, "nx") == 0, "a byte of zero is not the end");
	read_all("[{\"value\":1\0}]", 14, got);
	ok(strcmp(got, "x") == 0, "... nor a part of a number");
}

static void
test_values(void)
{
	static const char text[] =
	    "[{\"value\":-0.25,\"draw\":0.5,\"moves\":{"
	    "\"e2e4\":[3,0.125,0.75],\"d2d4\":[1,0.5]}},{\"value\":0.5}]";
	static struct searchdata_ply p;
	struct searchdata d;

	searchdata_start(&d, text, sizeof(text) - 1);
	int more = searchdata_next(&d, &p);
	ok(more == 1 && p.value == -0.25f && p.draw == 0.5f && p.n == 2,
	    "value and draw are read");
	ok(strcmp(p.moves[0].name, "e2e4") == 0 && p.moves[0].visits == 3 &&
		p.moves[0].prior == 0.125f && p.moves[0].improved == 0.75f,
	    "visits, prior, improved policy");
	ok(p.moves[1].improved == -1, "an improved policy that is not told");
	more = searchdata_next(&d, &p);
	ok(more == 1 && p.draw == -1 && p.n == 0,
	    "a draw that is not told, after one that was");
}

/* ---- games into the window ---- */

/* -1 when the window refuses it; a line that is no game ends the test. */
static int
add_game(struct window *w, const char *rules, const char *moves, const char *result,
    const char *search)
{
	static struct game g;
	static bool begun;
	static struct rules classical;
	const struct game_options o = { .rules = &classical, .search = true };
	char line[4096], reason[GAME_REASON_MAX] = "";

	if (!begun)
		game_init(&g);
	begun = true;
	rules_init(&classical);
	snprintf(line, sizeof(line),
	    "{\"v\":1,\"rules\":\"%s\",\"moves\":\"%s\",\"result\":\"%s\"%s%s}", rules,
	    moves, result, search[0] != '\0' ? ",\"search\":" : "", search);
	if (game_read_json(&g, &o, line, strlen(line), reason) == -1)
		bail_out("game", line, reason);
	int n = window_add(w, &g, reason);
	if (n == -1 && strstr(reason, "ply") == NULL)
		bail_out("reason", reason, "does not tell the ply");
	return n;
}

static bool
near(float a, double b)
{
	return fabs((double)a - b) < 1e-6;
}

static const char four_moves[] = "e2e4 e7e5 g1f3 b8c6";
static const char four_plies[] =
    "[{\"value\":0.2,\"draw\":0.5,\"moves\":{\"e2e4\":[3,0.5],\"d2d4\":[1,0.5]}},"
    "{\"value\":-0.1,\"draw\":0.6,\"moves\":{\"e7e5\":[1,0.1,0.6],"
    "\"c7c5\":[9,0.1,0.2]}},null,{\"value\":0,\"moves\":{\"b8c6\":[5,1]}}]";

/*
 * By hand, as White sees it. Found: (0.35, 0.5, 0.15), (0.25, 0.6, 0.15), and
 * (0, 1, 0) where no draw is told. With lambda 1/2 from the result (1, 0, 0)
 * backwards: (1, 0, 0), then half of it and half of (0, 1, 0), then half of
 * that and half of (0.25, 0.6, 0.15).
 */
static void
test_targets(void)
{
	static const double wdl[3][3] = { { 0.375, 0.55, 0.075 }, { 0, 0.5, 0.5 },
		{ 0, 0, 1 } };
	static const double left[3] = { 0.04, 0.03, 0.01 };
	struct window w;

	window_init(&w, 100, 0.5);
	ok(add_game(&w, "classical", four_moves, "1-0", four_plies) == 3 && w.n == 3 &&
		w.seen == 3,
	    "a ply of an opening is no position");
	for (int i = 0; i < 3; i++) {
		const struct sample *s = &w.samples[i];
		ok(near(s->wdl[0], wdl[i][0]) && near(s->wdl[1], wdl[i][1]) &&
			near(s->wdl[2], wdl[i][2]),
		    "position %d: what came after it, as the mover sees it (%g %g %g)",
		    i + 1, (double)s->wdl[0], (double)s->wdl[1], (double)s->wdl[2]);
		ok(near(s->left, left[i]), "... and the plies left");
	}
	const struct sample *s = &w.samples[0];
	ok(s->moves == 2 && near(w.probs[s->policy], 0.75) &&
		near(w.probs[s->policy + 1], 0.25),
	    "probabilities by visits");
	s = &w.samples[1];
	ok(s->moves == 2 && near(w.probs[s->policy], 0.75) &&
		near(w.probs[s->policy + 1], 0.25),
	    "probabilities by the improved policy, which need not sum to 1");
	window_release(&w);

	/* 1: the result alone; 0: the next search alone. */
	window_init(&w, 100, 1);
	add_game(&w, "classical", four_moves, "0-1", four_plies);
	ok(near(w.samples[0].wdl[2], 1) && near(w.samples[1].wdl[0], 1),
	    "lambda 1: the result");
	window_release(&w);
	window_init(&w, 100, 0);
	add_game(&w, "classical", four_moves, "0-1", four_plies);
	ok(near(w.samples[0].wdl[0], 0.25) && near(w.samples[0].wdl[1], 0.6) &&
		near(w.samples[1].wdl[1], 1) && near(w.samples[2].wdl[0], 1),
	    "lambda 0: the search that came next");
	window_release(&w);
}

/* Games that teach nothing, and games that are refused. */
static void
test_refusals(void)
{
	static const struct {
		const char *what, *search;
	} bad[] = {
		{ "a move that is not legal",
		    "[{\"value\":0,\"moves\":{\"e2e5\":[1,1]}},null,null,null]" },
		{ "one of another ply",
		    "[null,{\"value\":0,\"moves\":{\"e2e4\":[1,1]}},null,null]" },
		{ "no visit", "[{\"value\":0,\"moves\":{\"e2e4\":[0,1]}}]" },
		{ "no move", "[{\"value\":0}]" },
		{ "visits without end",
		    "[{\"moves\":{\"e2e4\":[3e38,1],\"d2d4\":[3e38,1]}}]" },
		{ "more plies than moves", "[null,null,null,null,null]" },
		{ "no search data", "[null,true]" },
		{ "a number", "17" },
	};
	struct window w;

	window_init(&w, 100, 0.5);
	ok(add_game(&w, "classical", four_moves, "1-0", "") == 0 && w.n == 0,
	    "no search data, no position");
	ok(add_game(&w, "classical", four_moves, "*", four_plies) == 0 && w.n == 0,
	    "no result, no position");
	add_game(&w, "classical", four_moves, "1-0", four_plies);
	size_t n = w.n, npolicy = w.npolicy;
	for (int i = 0; i < COUNT(bad); i++)
		ok(add_game(&w, "classical", four_moves, "1-0", bad[i].search) == -1 &&
			w.n == n && w.npolicy == npolicy,
		    "refused, and nothing added: %s", bad[i].what);
	window_release(&w);
}

static void
test_repetitions(void)
{
	static const char ply[] = "{\"value\":0,\"moves\":{\"%s\":[1,1]}}";
	static const char *const moves[] = { "g1f3", "g8f6", "f3g1", "f6g8", "g1f3",
		"g8f6", "f3g1", "f6g8" };
	static const int want[] = { 1, 1, 1, 1, 2, 2, 2, 2 };
	struct window w;
	char line[200] = "", search[1000] = "[";
	bool same = true;

	for (int i = 0; i < 8; i++) {
		sprintf(line + strlen(line), "%s%s", i > 0 ? " " : "", moves[i]);
		strcat(search, i > 0 ? "," : "");
		sprintf(search + strlen(search), ply, moves[i]);
	}
	strcat(search, "]");
	window_init(&w, 100, 0.5);
	add_game(&w, "classical", line, "1/2-1/2", search);
	for (int i = 0; i < 8; i++)
		same = same && w.samples[i].repetitions == want[i];
	ok(w.n == 8 && same, "how often a position has stood");
	window_release(&w);
}

/* ---- forgetting ---- */

/* Is what the window says of each of its last n samples the game's? */
static bool
same_end(const struct window *w, const struct window *all, size_t n)
{
	if (w->n < n || all->n < n)
		return false;
	for (size_t i = 1; i <= n; i++) {
		const struct sample *a = &w->samples[w->n - i];
		const struct sample *b = &all->samples[all->n - i];
		if (a->board.key != b->board.key || a->moves != b->moves ||
		    memcmp(a->wdl, b->wdl, sizeof(a->wdl)) != 0 ||
		    !rules_equal(a->board.rules, b->board.rules) ||
		    memcmp(w->moves + a->policy, all->moves + b->policy,
			a->moves * sizeof(*w->moves)) != 0 ||
		    memcmp(w->probs + a->policy, all->probs + b->policy,
			a->moves * sizeof(*w->probs)) != 0)
			return false;
	}
	return true;
}

static void
test_forgetting(void)
{
	static const char *const rules[] = { "classical", "torpedo", "no-castling" };
	struct window w, all, part, joined;
	size_t most = 0;
	bool same = true;

	window_init(&w, 10, 0.5);
	window_init(&all, 100000, 0.5);
	for (int i = 0; i < 50; i++) {
		for (int k = 0; k < 2; k++)
			add_game(k == 0 ? &w : &all, rules[i % 3], four_moves,
			    i % 2 ? "1-0" : "0-1", four_plies);
		same = same && same_end(&w, &all, w.n < 10 ? w.n : 10);
		most = w.n > most ? w.n : most;
	}
	ok(same && all.n == 150, "the latest positions stay");
	ok(most < 30 && w.seen == 150, "... and few others (%zu at most)", most);
	window_init(&part, 20, 0.5);
	for (int i = 0; i < 6; i++)
		add_game(&part, rules[i % 3], four_moves, "1-0", four_plies);
	window_init(&joined, 100, 0.5);
	window_append(&joined, &part, 4);
	window_append(&joined, &all, 7);
	ok(joined.n == 11 && same_end(&joined, &all, 7),
	    "the latest of one window added to another");
	joined.n = 4;
	ok(same_end(&joined, &part, 4), "... behind those of the first");
	window_append(&joined, &part, 1000);
	ok(joined.n == 4 + part.n, "... and all, if there are fewer");
	struct text names = { 0 };
	window_rules(&joined, &names);
	ok(names.s != NULL && strstr(names.s, "\"torpedo\"") != NULL &&
		strstr(names.s, "\"no-castling\"") != NULL,
	    "the rules it has met: %s", names.s);
	text_release(&names);
	window_release(&w);
	window_release(&all);
	window_release(&part);
	window_release(&joined);
}

/* ---- left and right exchanged ---- */

/* The FEN of a position with left and right exchanged. */
static void
mirror_fen(const struct board *b, char fen[FEN_MAX])
{
	char plain[FEN_MAX], *field[6], *s = plain, *to = fen;

	fen_write(b, plain);
	for (int i = 0; i < 6; i++)
		field[i] = strtok_r(i == 0 ? plain : NULL, " ", &s);
	for (char *rank = strtok_r(field[0], "/", &s); rank != NULL;
	     rank = strtok_r(NULL, "/", &s)) {
		if (to > fen)
			*to++ = '/';
		for (size_t i = strlen(rank); i > 0; i--)
			*to++ = rank[i - 1];
	}
	if (field[3][0] != '-')
		field[3][0] = (char)('a' + 'h' - field[3][0]);
	sprintf(to, " %s %s %s %s %s", field[1], field[2], field[3], field[4], field[5]);
}

static int
compare_places(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void
list_places(const struct board *b, uint16_t *places, int *n)
{
	move list[MOVES_MAX];

	*n = movegen_list(b, list);
	for (int i = 0; i < *n; i++)
		places[i] = (uint16_t)encode_move(b->side, list[i]);
	qsort(places, (size_t)*n, sizeof(*places), compare_places);
}

/* Is what is shown of the position, mirrored, what the mirrored position is? */
static bool
mirrors(const struct board *b, int repetitions)
{
	static float shown[NET_INPUT], want[NET_INPUT];
	static move moves[MOVES_MAX];
	uint16_t places[MOVES_MAX], want_places[MOVES_MAX];
	char fen[FEN_MAX];
	struct board m;
	int n;
	struct sample s = { .board = *b, .repetitions = (uint8_t)repetitions };
	struct window w = { .moves = moves };

	s.moves = (uint16_t)movegen_list(b, moves);
	sample_show(&w, &s, true, shown, places);
	qsort(places, s.moves, sizeof(*places), compare_places);
	mirror_fen(b, fen);
	board_of(&m, b->rules, fen);
	encode_squares(&m, repetitions, want);
	list_places(&m, want_places, &n);
	return memcmp(shown, want, sizeof(want)) == 0 && n == s.moves &&
	    memcmp(places, want_places, (size_t)n * sizeof(*places)) == 0;
}

/* Without mirroring it is the position itself. */
static bool
shows(const struct board *b)
{
	static float shown[NET_INPUT], want[NET_INPUT];
	static move moves[MOVES_MAX];
	uint16_t places[MOVES_MAX];
	struct sample s = { .board = *b, .repetitions = 2 };
	struct window w = { .moves = moves };
	bool same = true;

	s.moves = (uint16_t)movegen_list(b, moves);
	sample_show(&w, &s, false, shown, places);
	encode_squares(b, 2, want);
	for (int i = 0; i < s.moves; i++)
		same = same && places[i] == encode_move(b->side, moves[i]);
	return same && memcmp(shown, want, sizeof(want)) == 0;
}

static void
test_mirror(const char *sum)
{
	struct rules r;
	struct rng rng;
	int count = 0, wrong = 0, ep = 0, refused = 0;

	rules_of(&r, sum);
	rng_init(&rng, 5, 0);
	for (int walk = 0; walk < (SANITIZED ? 20 : 100); walk++) {
		struct board b;
		struct undo u;
		move list[MOVES_MAX];
		int n;
		board_of(&b, &r, positions[walk % POSITIONS]);
		for (int ply = 0; ply < 60 && (n = movegen_list(&b, list)) > 0; ply++) {
			struct sample s = { .board = b };
			wrong += !shows(&b);
			if (sample_mirrors(&s)) {
				wrong += !mirrors(&b, 1 + ply % 3);
				ep += b.ep != NO_SQUARE;
				count++;
			} else {
				refused++;
			}
			board_make(&b, list[rng_below(&rng, (uint32_t)n)], &u);
		}
	}
	ok(wrong == 0 && count > 500 && refused > 0,
	    "%s: %d positions mirrored, %d with an en passant square", sum, count, ep);
}

int
main(void)
{
	test_readings();
	test_values();
	test_targets();
	test_refusals();
	test_repetitions();
	test_forgetting();
	test_mirror("classical");
	test_mirror("torpedo+pawn-back");
	test_mirror("no-castling-10+pawn-sideways");
	test_mirror("semi-torpedo+self-capture+stalemate-win");
	test_mirror("torpedo+self-capture+pawn-back+pawn-sideways+stalemate-win");
	return tap_end();
}
