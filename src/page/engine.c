#include "engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "base/text.h"
#include "chess/attack.h"
#include "chess/fen.h"
#include "chess/make.h"
#include "chess/movegen.h"
#include "chess/movekind.h"
#include "chess/outcome.h"
#include "chess/san.h"
#include "kit.h"
#include "net/policy.h"
#include "search/ab.h"

enum { PLIES_MAX = 10000, TABLE = 16 << 20, LINE_SHOWN = 12 };

static char *room;
static struct text said;

static struct rules rules;
static struct sparse_ints net;
static bool is_open, has_net;
static struct ab ab;
static struct sparse_ints prior;
static struct sparse_stack prior_sums;
static bool has_prior;

/* The game: its start, its moves, and its last position. */
static struct board start, board;
static move moves[PLIES_MAX];
static uint64_t keys[PLIES_MAX + 1];
static int plies;

/* The search under way. */
static struct {
	double seconds, began, temperature;
	uint32_t seed;
} think;

const char *
page_error(const char *why)
{
	text_clear(&said);
	text_add_string(&said, "{\"error\":");
	text_add_json_string(&said, why, strlen(why));
	text_add_string(&said, "}");
	return said.s;
}

static void
add_string(const char *key, const char *s)
{
	text_add_format(&said, "\"%s\":", key);
	text_add_json_string(&said, s, strlen(s));
}

char *
page_room(size_t n)
{
	free(room);
	room = malloc(n + 1);
	return room;
}

char *
page_input(void)
{
	return room;
}

/* ---- opening ---- */

static void
close_prior(void)
{
	if (!has_prior)
		return;
	sparse_stack_release(&prior_sums);
	sparse_ints_release(&prior);
	has_prior = false;
}

static void
close_board(void)
{
	close_prior();
	if (!is_open)
		return;
	ab_release(&ab);
	if (has_net)
		sparse_ints_release(&net);
	is_open = has_net = false;
}

static void
say_numbers(const char *key, const uint8_t *quiet, const uint8_t *capture, int n,
    struct text *to)
{
	const uint8_t *both[] = { quiet, capture };

	text_add_format(to, ",\"%s\":[", key);
	for (int mode = 0; mode < 2; mode++) {
		text_add_string(to, mode == 0 ? "[" : ",[");
		for (int i = 0; i < n; i++)
			text_add_format(to, "%s%d", i > 0 ? "," : "", both[mode][i]);
		text_add_string(to, "]");
	}
	text_add_string(to, "]");
}

void
page_say_piece(const struct piece *p, struct text *to)
{
	char notation[PIECE_TEXT_MAX];

	piece_print(p, notation);
	text_add_format(to, "\"piece\":\"%s\"", notation);
	say_numbers("slide", p->slide[0], p->slide[1], SLIDES, to);
	say_numbers("leap", p->leap[0], p->leap[1], LEAPS, to);
}

/* The pieces that differ from chess, by their letters, and what the net holds all of
 * them for worth. Black's have small letters where they differ from White's. */
static void
say_pieces(void)
{
	const char *comma = "", *letters = rules.letter;

	text_add_string(&said, ",\"pieces\":{");
	for (int i = 2 * KNIGHT; i < 2 * rules.ntypes; i++) {
		int type = i / 2, side = i % 2;
		const struct piece *p = rules_piece(&rules, side, type);
		if (!rules_is_strange(&rules, side, type) ||
		    (side == BLACK && rules_is_strange(&rules, WHITE, type) &&
			piece_equal(p, rules_piece(&rules, WHITE, type))))
			continue;
		text_add_format(&said, "%s\"%c\":{", comma,
		    side == WHITE ? letters[type] : letters[type] + 'a' - 'A');
		page_say_piece(p, &said);
		text_add_string(&said, "}");
		comma = ",";
	}
	text_add_string(&said, "},\"worth\":{");
	for (int type = PAWN; has_net && type <= QUEEN; type++)
		text_add_format(&said, "%s\"%c\":%d", type == PAWN ? "" : ",",
		    letters[type], net.worth[type]);
	text_add_string(&said, "}");
}

static const char *
describe_kit(void)
{
	char label[RULES_TEXT_MAX], fen[FEN_MAX];

	text_clear(&said);
	rules_print(&rules, label);
	text_add_string(&said, "{");
	add_string("rules", label);
	fen_write(&start, fen);
	text_add_string(&said, ",");
	add_string("start", fen);
	say_pieces();
	text_add_format(&said, ",\"net\":%s,\"chess960\":%s,\"kernels\":\"%s\"}",
	    has_net ? "true" : "false",
	    strcmp(rules.start, "960") == 0 ? "true" : "false",
	    sparse_kernels_best()->name);
	return said.s;
}

const char *
page_set_up(const struct rules *r, const struct sparse_ints *ints)
{
	struct ab_options o = { .table = TABLE, .threads = 1 };
	struct ab_evaluator j = { .kind = ints != NULL ? AB_NET : AB_MATERIAL,
		.net = &net };

	close_board();
	rules = *r;
	if (ints != NULL)
		net = *ints;
	has_net = ints != NULL;
	is_open = true;
	if (ab_init(&ab, &o, &j, &rules) == -1) {
		close_board();
		return page_error("no memory");
	}
	ab_forget(&ab);
	board_start(&start, &rules);
	board = start;
	keys[0] = board.key;
	plies = 0;
	return describe_kit();
}

const char *
page_open(size_t n)
{
	char reason[KIT_REASON_MAX];
	struct sparse_ints ints;
	struct rules r;
	bool is_sparse;

	if (kit_read(room, n, &r, &ints, &is_sparse, reason) == -1)
		return page_error(reason);
	return page_set_up(&r, is_sparse ? &ints : NULL);
}

const char *
page_set_prior(const struct sparse_ints *p)
{
	close_prior();
	prior = *p;
	if (prior.mix == NULL) {
		sparse_ints_release(&prior);
		return page_error("a net without a policy");
	}
	if (sparse_stack_init(&prior_sums, &prior, 1) == -1) {
		sparse_ints_release(&prior);
		return page_error("no memory");
	}
	has_prior = true;
	return "{}";
}

const char *
page_open_prior(size_t n)
{
	struct sparse_ints p;
	const char *why = sparse_ints_read(&p, room, n);

	return why != NULL ? page_error(why) : page_set_prior(&p);
}

const char *
page_start(int number)
{
	struct board b;
	char fen[FEN_MAX];

	if (!is_open)
		return page_error("no kit");
	if (strcmp(rules.start, "960") == 0)
		board_start_960(&b, &rules, number);
	else
		board_start(&b, &rules);
	fen_write(&b, fen);
	text_clear(&said);
	text_add_string(&said, "{");
	add_string("fen", fen);
	text_add_string(&said, "}");
	return said.s;
}

/* ---- the game ---- */

const char *
page_kind(const struct board *b, move m)
{
	int kind = movekind_mark(movekinds_at(b, m));

	return kind == -1 ? "" : movekind_name((enum movekind)kind);
}

static void
add_move(const struct board *b, move m)
{
	char text[6], san[SAN_MAX];

	move_print(&rules, m, text);
	san_write(b, m, san);
	text_add_format(&said, "{\"m\":\"%s\",\"san\":\"%s\",\"kind\":\"%s\"", text, san,
	    page_kind(b, m));
	if (move_is_castling(m))
		text_add_format(&said, ",\"king\":%d,\"rook\":%d", castling_king_to(m),
		    castling_rook_from(m));
	if (move_is_ep(m))
		text_add_format(&said, ",\"gone\":%d", ep_victim(b->side, move_to(m)));
}

static void
add_position(const struct board *b)
{
	char fen[FEN_MAX];

	fen_write(b, fen);
	text_add_format(&said, "\"fen\":\"%s\",\"check\":%s", fen,
	    board_checkers(b) != 0 ? "true" : "false");
	if ((rules.checks_to_win[WHITE] | rules.checks_to_win[BLACK]) > 0)
		text_add_format(&said, ",\"checks\":[%d,%d]", board_checks_left(b, WHITE),
		    board_checks_left(b, BLACK));
}

static void
add_end(enum end e)
{
	int value = outcome_value(&board, e);

	text_add_string(&said, ",");
	add_string("end", end_name(e));
	text_add_format(&said, ",\"points\":%g,\"said\":\"%s: ", (100 + value) / 200.0,
	    end_sentence(e));
	if (value == 100 || value == -100)
		text_add_format(&said, "%s wins.\"", value > 0 ? "White" : "Black");
	else if (value == 0)
		text_add_string(&said, "a draw.\"");
	else
		text_add_format(&said, "%g points for White, %g for Black.\"",
		    (100 + value) / 200.0, (100 - value) / 200.0);
}

static const char *
describe_game(void)
{
	move list[MOVES_MAX];
	struct board b = start;
	struct undo u;
	enum end e = outcome_find(&board, keys, plies);
	int n;

	text_clear(&said);
	text_add_string(&said, "{\"line\":[{");
	add_position(&b);
	for (int i = 0; i < plies; i++) {
		text_add_string(&said, "},");
		add_move(&b, moves[i]);
		text_add_string(&said, ",");
		board_make(&b, moves[i], &u);
		add_position(&b);
	}
	text_add_string(&said, "}],\"moves\":[");
	n = e != END_NONE ? 0 : movegen_list(&board, list);
	for (int i = 0; i < n; i++) {
		if (i > 0)
			text_add_string(&said, ",");
		add_move(&board, list[i]);
		text_add_string(&said, "}");
	}
	text_add_string(&said, "]");
	if (e != END_NONE)
		add_end(e);
	text_add_format(&said, ",\"repetitions\":%d}",
	    outcome_repetitions(&board, keys, plies + 1));
	return said.s;
}

const char *
page_game(size_t n)
{
	char reason[FEN_REASON_MAX];
	const char *p = room, *end = room + n, *lf = memchr(p, '\n', n);
	struct board b;
	struct undo u;

	if (!is_open || lf == NULL)
		return page_error("no kit, or no line end behind the FEN");
	if (lf == p)
		board_start(&b, &rules);
	else if (fen_read(&b, &rules, p, (size_t)(lf - p), reason) == -1)
		return page_error(reason);
	start = board = b;
	keys[0] = b.key;
	for (plies = 0, p = lf + 1; p < end && plies < PLIES_MAX;) {
		const char *blank = memchr(p, ' ', (size_t)(end - p));
		size_t len = (size_t)((blank == NULL ? end : blank) - p);
		move m = len == 0 ? 0 : move_parse(&board, p, len);
		if (len > 0 && (m == 0 || outcome_find(&board, keys, plies) != END_NONE))
			return page_error("a move that is not legal");
		p += len + 1;
		if (len == 0)
			continue;
		board_make(&board, m, &u);
		moves[plies++] = m;
		keys[plies] = board.key;
	}
	return describe_game();
}

const char *
page_read_move(size_t n)
{
	char text[6];
	move m = move_parse(&board, room, n);

	if (m == 0) {
		int status = san_read(&board, room, n, &m);
		if (status != SAN_OK)
			return page_error(status == SAN_SYNTAX ? "that is not a move"
				: status == SAN_ILLEGAL ? "no legal move reads like this"
							: "several moves read like this");
	}
	move_print(&rules, m, text);
	text_clear(&said);
	text_add_format(&said, "{\"m\":\"%s\"}", text);
	return said.s;
}

/* ---- thinking ---- */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool
is_late(const void *context)
{
	(void)context;
	return think.seconds > 0 && now() - think.began >= think.seconds;
}

const char *
page_begin(double nodes, double seconds, int lines, double temperature, uint32_t seed)
{
	/* A move worse by six temperatures is sampled once in 400 times. */
	struct ab_limits l = { .nodes = (uint64_t)nodes,
		.lines = lines,
		.spread = 6 * temperature,
		.late = is_late };

	if (!is_open)
		return page_error("no kit");
	if (outcome_find(&board, keys, plies) != END_NONE)
		return page_error("the game is over");
	think.seconds = seconds;
	think.began = now();
	think.temperature = temperature;
	think.seed = seed;
	ab_begin(&ab, &board, keys, plies, &l);
	return "{}";
}

static double
value_of(int score)
{
	return tanh(score / (2.0 * SPARSE_UNIT));
}

/* The move to play: the best, or a sampled one. */
static move
choose(const struct ab_move *m, int n)
{
	struct rng rng;
	double sum = 0, weight[MOVES_MAX];

	if (think.temperature <= 0)
		return m[0].move;
	for (int i = 0; i < n; i++) {
		weight[i] = m[i].depth > 0 && (i == 0 || m[i].exact)
		    ? exp((value_of(m[i].score) - value_of(m[0].score)) /
			  think.temperature)
		    : 0;
		sum += weight[i];
	}
	rng_init(&rng, think.seed, (uint64_t)plies);
	double at = rng_double(&rng) * sum;
	for (int i = 0; i < n; i++)
		if ((at -= weight[i]) < 0)
			return m[i].move;
	return m[0].move;
}

static void
add_line(const struct ab_move *m)
{
	struct board b = board;
	struct undo u;
	char text[6], san[SAN_MAX];
	int plies_left = AB_MATE - abs(m->score);

	move_print(&rules, m->move, text);
	san_write(&b, m->move, san);
	text_add_format(&said,
	    "{\"m\":\"%s\",\"san\":\"%s\",\"score\":%d,\"value\":%.4f,\"depth\":%d", text,
	    san, m->score, value_of(m->score), m->depth);
	if (abs(m->score) > AB_MATE_BOUND)
		text_add_format(&said, ",\"sure\":%d",
		    m->score > 0 ? (plies_left + 1) / 2 : -(plies_left / 2));
	text_add_string(&said, ",\"pv\":[");
	for (int i = 0; i < m->pv_length && i < LINE_SHOWN; i++) {
		san_write(&b, m->pv[i], san);
		text_add_format(&said, "%s\"%s\"", i > 0 ? "," : "", san);
		board_make(&b, m->pv[i], &u);
	}
	text_add_string(&said, "]}");
}

const char *
page_think(void)
{
	bool more = ab_deepen(&ab) && !is_late(NULL);
	int n, shown = 0;
	const struct ab_move *m = ab_moves(&ab, &n);
	char text[6];

	text_clear(&said);
	text_add_format(&said, "{\"done\":%s,\"depth\":%d,\"nodes\":%llu",
	    more ? "false" : "true", ab.depth, (unsigned long long)ab_nodes(&ab));
	if (n > 0) {
		move_print(&rules, choose(m, n), text);
		text_add_format(&said, ",\"best\":\"%s\"", text);
	}
	text_add_string(&said, ",\"lines\":[");
	for (int i = 0; i < n && i < ab.limits.lines; i++) {
		if (m[i].depth == 0)
			break;
		if (shown++ > 0)
			text_add_string(&said, ",");
		add_line(&m[i]);
	}
	text_add_string(&said, "]}");
	return said.s;
}

void
page_forget(void)
{
	if (is_open)
		ab_forget(&ab);
}

/* ---- the prior ---- */

static const float *sorted_by;

static int
compare_priors(const void *a, const void *b)
{
	float p = sorted_by[*(const int *)a], q = sorted_by[*(const int *)b];

	return p < q ? 1 : p > q ? -1 : *(const int *)a - *(const int *)b;
}

const char *
page_prior(void)
{
	move list[MOVES_MAX];
	float priors[MOVES_MAX];
	int order[MOVES_MAX];
	struct net_query q = { .board = &board,
		.moves = list,
		.priors = priors,
		.repetitions = outcome_repetitions(&board, keys, plies + 1) };

	if (!has_prior)
		return page_error("no prior");
	q.nmoves = outcome_find(&board, keys, plies) != END_NONE
	    ? 0
	    : movegen_list(&board, list);
	if (q.nmoves > 0)
		policy_answer(&prior, &prior_sums, &q);
	for (int i = 0; i < q.nmoves; i++)
		order[i] = i;
	sorted_by = priors;
	qsort(order, (size_t)q.nmoves, sizeof(*order), compare_priors);
	text_clear(&said);
	text_add_string(&said, "{\"moves\":[");
	for (int i = 0; i < q.nmoves; i++) {
		if (i > 0)
			text_add_string(&said, ",");
		add_move(&board, list[order[i]]);
		text_add_format(&said, ",\"p\":%.5f}", (double)priors[order[i]]);
	}
	text_add_string(&said, "]}");
	return said.s;
}
