#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "data/novelty.h"
#include "data/rulespec.h"
#include "data/ruletext.h"
#include "engine.h"
#include "play/arena.h"
#include "stats/dirichlet.h"

enum { PERFT_MAX = 6, NUMBERS_MAX = 20 };
static const double level = 0.95;
static const char player_spec[] = NET_DEFAULT, prior_spec[] = "prior";

static struct text said;
static struct rules rules;
static bool has_rules;
static struct net *player_net, *prior_net;

/* One of two rule sets that play in turns. */
static struct series {
	bool is_open;
	struct rules rules;
	struct player player;
	struct openings openings;
	struct arena arena;
	char digest[17];
} series[LAB_SERIES];

static void
add_string(const char *key, const char *s)
{
	text_add_format(&said, "\"%s\":", key);
	text_add_json_string(&said, s, strlen(s));
}

static void
add_text(const char *key, const struct text *t)
{
	text_add_format(&said, "\"%s\":", key);
	text_add_json_string(&said, t->s != NULL ? t->s : "", t->len);
}

/* Reads numbers separated by blanks from the buffer; returns how many. */
static int
read_numbers(size_t n, double numbers[NUMBERS_MAX])
{
	char *p = page_input(), *end;
	int count = 0;

	p[n] = '\0';
	for (; count < NUMBERS_MAX; count++, p = end) {
		numbers[count] = strtod(p, &end);
		if (end == p)
			break;
	}
	return count;
}

/* ---- nets ---- */

static const char *
keep_net(const char *spec, struct net **net, size_t n)
{
	char reason[NET_REASON_MAX];
	struct net_lent *lent = xmalloc(sizeof(*lent));
	char *data = xmalloc(n);

	memcpy(data, page_input(), n);
	*lent = (struct net_lent){ .spec = spec, .data = data, .size = n };
	net_lend(lent);
	*net = net_open(spec, NULL, reason);
	if (*net == NULL)
		return page_error(reason);
	text_clear(&said);
	text_add_string(&said, "{");
	add_string("hash", (*net)->hash);
	text_add_string(&said, "}");
	return said.s;
}

const char *
lab_net(size_t n)
{
	return keep_net(player_spec, &player_net, n);
}

const char *
lab_prior(size_t n)
{
	return keep_net(prior_spec, &prior_net, n);
}

/* ---- rules ---- */

static void
add_value(const struct rules *r, const struct rules_field *f)
{
	char value[RULES_TEXT_MAX];

	rules_print_value(r, f, value);
	text_add_string(&said, value);
}

/* The fields that differ from chess; `comma` stands before the first. */
static void
add_changes(const struct rules *r, const char *comma)
{
	for (size_t i = 0; i < rules_nfields; i++) {
		if (rules_is_classical(r, &rules_fields[i]))
			continue;
		text_add_format(&said, "%s\"%s\":", comma, rules_fields[i].name);
		add_value(r, &rules_fields[i]);
		comma = ",";
	}
}

static void
add_field(const struct rules_field *f)
{
	static const char *const types[] = { [RULE_BOOL] = "bool",
		[RULE_INT] = "int",
		[RULE_WHITE] = "white",
		[RULE_SET] = "set",
		[RULE_FEN] = "fen",
		[RULE_PIECE] = "piece",
		[RULE_PIECES] = "pieces",
		[RULE_SQUARES] = "squares" };
	static const char *const groups[] = { [RULE_SETUP] = "setup",
		[RULE_MOVE] = "move",
		[RULE_END] = "end",
		[RULE_LIMIT] = "limit" };
	struct rules chess;

	rules_init(&chess);
	text_add_string(&said, "{");
	add_string("name", f->name);
	text_add_format(&said,
	    ",\"type\":\"%s\",\"group\":\"%s\",\"sided\":%s,\"lowest\":%d,"
	    "\"highest\":%d,\"classical\":",
	    types[f->type], groups[f->group], f->sided ? "true" : "false", f->lowest,
	    f->highest);
	add_value(&chess, f);
	text_add_string(&said, ",");
	add_string("meaning", f->meaning);
	text_add_string(&said, "}");
}

static void
add_preset(const struct rules_preset *p)
{
	char reason[RULES_REASON_MAX];
	struct rules r;

	rules_parse_sum(&r, p->name, strlen(p->name), reason);
	text_add_string(&said, "{");
	add_string("name", p->name);
	text_add_string(&said, ",");
	add_string("label", p->label);
	text_add_string(&said, ",");
	add_string("sentence", p->sentence);
	text_add_string(&said, ",\"changes\":{");
	add_changes(&r, "");
	text_add_string(&said, "}}");
}

const char *
lab_fields(void)
{
	text_clear(&said);
	text_add_string(&said, "{\"fields\":[");
	for (size_t i = 0; i < rules_nfields; i++) {
		text_add_string(&said, i > 0 ? "," : "");
		add_field(&rules_fields[i]);
	}
	text_add_string(&said, "],\"presets\":[");
	for (int i = 0; i < RULES_PRESETS; i++) {
		text_add_string(&said, i > 0 ? "," : "");
		add_preset(&rules_presets[i]);
	}
	text_add_string(&said, "]}");
	return said.s;
}

/* The values of all fields, and the changed ones alone, with the name, as a user
 * would write them. */
static void
add_values(const struct rules *r)
{
	text_add_string(&said, ",\"fields\":{");
	for (size_t i = 0; i < rules_nfields; i++) {
		text_add_format(&said, "%s\"%s\":", i > 0 ? "," : "",
		    rules_fields[i].name);
		add_value(r, &rules_fields[i]);
	}
	text_add_string(&said, "},\"spec\":{");
	if (r->name[0] != '\0')
		add_string("name", r->name);
	add_changes(r, r->name[0] != '\0' ? "," : "");
	text_add_string(&said, "}");
}

static void
add_words(const struct rules *r)
{
	struct text t = { 0 };
	char unknown[400] = "";

	text_add_string(&said, ",");
	ruletext_title(r, &t);
	add_text("title", &t);
	text_clear(&t);
	ruletext_differences(r, &t);
	text_add_string(&said, ",");
	add_text("sentences", &t);
	text_release(&t);
	if (player_net != NULL)
		net_unknown_fields(player_net, r, unknown, sizeof(unknown));
	text_add_string(&said, ",");
	add_string("unknown", unknown);
	if (prior_net != NULL)
		net_unknown_fields(prior_net, r, unknown, sizeof(unknown));
	text_add_string(&said, ",");
	add_string("unknown_prior", unknown);
}

const char *
lab_rules(size_t n)
{
	char reason[RULES_REASON_MAX], label[RULES_TEXT_MAX], fen[FEN_MAX];
	struct rules r;
	struct board b;

	if (rulespec_parse(&r, page_input(), n, reason) == -1)
		return page_error(reason);
	rules = r;
	has_rules = true;
	board_start(&b, &rules);
	fen_write(&b, fen);
	rules_print(&rules, label);
	text_clear(&said);
	text_add_string(&said, "{");
	add_string("rules", label);
	text_add_string(&said, ",");
	add_string("start", fen);
	text_add_format(&said, ",\"moves\":%d", movegen_count(&b));
	add_values(&rules);
	add_words(&rules);
	text_add_string(&said, "}");
	return said.s;
}

static const char *
set_prior(void)
{
	struct sparse_ints ints;

	if (sparse_quantise(&ints, prior_net->sparse, &rules) == -1)
		return page_error("no memory");
	return page_set_prior(&ints);
}

const char *
lab_board(void)
{
	struct sparse_ints ints;
	bool sparse = player_net != NULL && player_net->sparse != NULL;

	if (!has_rules)
		return page_error("no rules");
	if (sparse && sparse_quantise(&ints, player_net->sparse, &rules) == -1)
		return page_error("no memory");
	const char *answer = page_set_up(&rules, sparse ? &ints : NULL);
	if (prior_net != NULL && prior_net->sparse != NULL &&
	    sparse_has_policy(prior_net->sparse) && strncmp(answer, "{\"error", 7) != 0)
		set_prior();
	return answer;
}

const char *
lab_position(size_t n)
{
	char reason[FEN_REASON_MAX], fen[FEN_MAX];
	struct board b;

	if (fen_read(&b, &rules, page_input(), n, reason) == -1)
		return page_error(reason);
	fen_write(&b, fen);
	text_clear(&said);
	text_add_string(&said, "{");
	add_string("fen", fen);
	text_add_format(&said, ",\"moves\":%d}", movegen_count(&b));
	return said.s;
}

const char *
lab_perft(int depth)
{
	struct board b;

	if (!has_rules || depth < 1 || depth > PERFT_MAX)
		return page_error("no rules, or too deep");
	board_start(&b, &rules);
	text_clear(&said);
	text_add_format(&said, "{\"nodes\":%llu}", (unsigned long long)perft(&b, depth));
	return said.s;
}

/* ---- pieces ---- */

static const char *
describe_piece(const struct piece *p)
{
	struct text t = { 0 };

	ruletext_piece(p, &t);
	text_clear(&said);
	text_add_string(&said, "{");
	page_say_piece(p, &said);
	text_add_string(&said, ",");
	add_text("said", &t);
	text_add_string(&said, "}");
	text_release(&t);
	return said.s;
}

const char *
lab_piece(size_t n)
{
	char reason[REASON_MAX];
	struct piece p;

	page_input()[n] = '\0';
	if (piece_parse(&p, page_input(), reason) == -1)
		return page_error(reason);
	return describe_piece(&p);
}

const char *
lab_betza(size_t n)
{
	double numbers[NUMBERS_MAX];
	char notation[PIECE_TEXT_MAX], reason[REASON_MAX];
	struct piece p = { 0 };

	if (read_numbers(n, numbers) != 2 * (SLIDES + LEAPS))
		return page_error("not the numbers of a piece");
	for (int mode = 0; mode < 2; mode++) {
		const double *from = numbers + mode * (SLIDES + LEAPS);
		for (int i = 0; i < SLIDES; i++)
			p.slide[mode][i] = (uint8_t)from[i] & 7;
		for (int i = 0; i < LEAPS; i++)
			p.leap[mode][i] = (uint8_t)from[SLIDES + i] & 7;
	}
	piece_print(&p, notation);
	if (notation[0] == '\0')
		return page_error("a piece that cannot move has no notation");
	if (piece_parse(&p, notation, reason) == -1)
		return page_error(reason);
	return describe_piece(&p);
}

/* ---- games ---- */

/* Counts the special moves of a game: "kind":number, in the order of their first
 * occurrence. */
static void
add_kinds(const struct game *g)
{
	enum { KINDS = 16 };
	const char *names[KINDS], *kind;
	int count[KINDS], kinds = 0, new_moves = 0, i;
	struct board b = g->start;
	struct undo u;

	for (int ply = 0; ply < g->line.plies; ply++) {
		kind = page_kind(&b, g->line.moves[ply]);
		new_moves += !novelty_is_chess(&b, g->line.moves[ply]);
		for (i = 0; i < kinds && strcmp(names[i], kind) != 0; i++)
			;
		if (kind[0] != '\0' && i == kinds && kinds < KINDS) {
			names[kinds] = kind;
			count[kinds++] = 0;
		}
		if (kind[0] != '\0' && i < KINDS)
			count[i]++;
		board_make(&b, g->line.moves[ply], &u);
	}
	text_add_format(&said, ",\"kinds\":{\"new\":%d", new_moves);
	for (i = 0; i < kinds; i++)
		text_add_format(&said, ",\"%s\":%d", names[i], count[i]);
	text_add_string(&said, "}");
}

static int
take_game(struct game *g, uint64_t k, void *context)
{
	struct series *s = context;
	struct text line = { 0 };

	arena_write_game(&s->arena, g, k, s->digest, &line);
	text_add_string(&said, "{");
	add_text("line", &line);
	text_add_format(&said, ",\"value\":%d,\"end\":\"%s\",\"plies\":%d", g->value,
	    end_name(g->end), g->line.plies);
	add_kinds(g);
	text_add_string(&said, "}");
	text_release(&line);
	return 0;
}

static void
close_series(struct series *s)
{
	if (!s->is_open)
		return;
	arena_release(&s->arena);
	player_close(&s->player);
	s->is_open = false;
}

const char *
lab_series(int which, double seed, double nodes, int sample_plies)
{
	char reason[PLAYER_REASON_MAX];
	struct series *s = &series[which & 1];

	if (!has_rules)
		return page_error("no rules");
	close_series(s);
	memset(s, 0, sizeof(*s));
	s->rules = rules;
	thinking_init(&s->player.thinking);
	s->player.spec = player_net != NULL ? player_spec : "material";
	if (player_net == NULL)
		s->player.thinking.thinker.kind = SEARCH_AB;
	s->player.thinking.limits.nodes = (uint64_t)nodes;
	s->arena = (struct arena){ .rules = &s->rules,
		.openings = &s->openings,
		.players = &s->player,
		.nplayers = 1,
		.seed = (uint64_t)seed,
		.games = 1,
		.sample_plies = sample_plies,
		.resign = -2,
		.slots = 1,
		.threads = 1,
		.take_game = take_game,
		.context = s };
	if (player_open_net(&s->player, NULL, &s->rules, reason) == -1)
		return page_error(reason);
	s->is_open = true;
	if (arena_open(&s->arena) == -1)
		return page_error(s->arena.reason);
	arena_digest(&s->arena, s->digest);
	return "{}";
}

const char *
lab_game(int which, double k)
{
	struct series *s = &series[which & 1];

	if (!s->is_open)
		return page_error("no series");
	s->arena.first = (uint64_t)k;
	text_clear(&said);
	return arena_play(&s->arena) == -1 ? page_error(s->arena.reason) : said.s;
}

const char *
lab_pgn(size_t n)
{
	char reason[GAME_REASON_MAX];
	struct game_options o = { .rules = &rules };
	struct text pgn = { 0 };
	struct game g;

	game_init(&g);
	if (game_read_json(&g, &o, page_input(), n, reason) == -1) {
		game_release(&g);
		return page_error(reason);
	}
	game_write_pgn(&g, &pgn);
	text_clear(&said);
	text_add_string(&said, "{");
	add_text("pgn", &pgn);
	text_add_string(&said, "}");
	text_release(&pgn);
	game_release(&g);
	return said.s;
}

/* ---- counts ---- */

static void
add_range(const char *key, const struct range *r)
{
	text_add_format(&said, "\"%s\":{\"at\":%.6f,\"lo\":%.6f,\"hi\":%.6f}", key, r->at,
	    r->lo, r->hi);
}

static const struct dirichlet_points *
part(const struct dirichlet_points *p)
{
	return p->games > 0 ? p : NULL;
}

const char *
lab_counts(size_t n)
{
	double v[NUMBERS_MAX];
	int count = read_numbers(n, v);
	struct dirichlet d[2];
	struct dirichlet_points points[2];
	struct dirichlet_probs probs;
	struct range r;

	if (count != 6 && count != 12)
		return page_error("not six or twelve numbers");
	for (int i = 0; i < count / 6; i++) {
		const double *from = v + 6 * i;
		d[i] = (struct dirichlet){ (unsigned long long)from[0],
			(unsigned long long)from[1], (unsigned long long)from[2] };
		points[i] = (struct dirichlet_points){ (unsigned long long)from[3],
			from[4], from[5] };
	}
	if (v[0] + v[1] + v[2] + v[3] < 1)
		return page_error("no games");
	text_clear(&said);
	text_add_string(&said, "{");
	dirichlet_draw_rate(&d[0], part(&points[0]), level, &r);
	add_range("draws", &r);
	text_add_string(&said, ",");
	dirichlet_score(&d[0], part(&points[0]), level, &r);
	add_range("score", &r);
	if (count == 12) {
		dirichlet_compare(&d[0], part(&points[0]), &d[1], part(&points[1]),
		    &probs);
		text_add_format(&said, ",\"fewer_draws\":%.6f,\"lower_score\":%.6f",
		    probs.draw_less, probs.score_less);
	}
	text_add_string(&said, "}");
	return said.s;
}

const char *
lab_share(double hits, double total)
{
	struct range r;

	if (dirichlet_share((unsigned long long)hits, (unsigned long long)total, level,
		&r) == -1)
		return page_error("more hits than there are");
	text_clear(&said);
	text_add_string(&said, "{");
	add_range("share", &r);
	text_add_string(&said, "}");
	return said.s;
}
