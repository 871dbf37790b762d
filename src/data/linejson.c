/*
 * Reads and writes an opening's line of JSON. There may be many millions of
 * numbers, so their usual form, decimals without exponent, is printed and
 * parsed by hand.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "chess/fen.h"
#include "gamejson.h"
#include "lines.h"

enum { DECIMALS = 12, NUMBERS = 7 };
#define UNITS 1e12 /* 10 to the power of DECIMALS */

/* The arrays with a number for every ply: where they are, and their range. */
static const struct numbers {
	const char *name;
	double lowest, highest;
	size_t offset;
	bool may_be_infinite; /* the end of the range may be */
	bool may_be_missing;
} numbers[NUMBERS] = {
#define FIELD(member) offsetof(struct opening, member)
	{ "logp", -1000, 0, FIELD(logp), false, false },
	{ "h", 0, 10, FIELD(h), false, false },
	{ "ahead", -10, 10, FIELD(ahead), false, false },
	{ "logp", -1000, 0, FIELD(q_logp), true, false },
	{ "h", 0, 10, FIELD(q_h), false, true },
	{ "hr", 0, 10, FIELD(hr), false, false },
	{ "kl", 0, 1000, FIELD(kl), true, false },
#undef FIELD
};
enum { LOGP, H, AHEAD, Q_LOGP, Q_H, HR, KL };

static double **
member(struct opening *o, int which)
{
	return (double **)(void *)((char *)o + numbers[which].offset);
}

void
opening_init(struct opening *o)
{
	memset(o, 0, sizeof(*o));
	game_init(&o->game);
	for (int i = 0; i < NUMBERS; i++)
		*member(o, i) = xcalloc(OPENING_PLIES_MAX, sizeof(double));
}

void
opening_release(struct opening *o)
{
	game_release(&o->game);
	for (int i = 0; i < NUMBERS; i++)
		free(*member(o, i));
	memset(o, 0, sizeof(*o));
}

/* ---- writing ---- */

/* Omits trailing zeros. */
static void
write_number(double v, struct text *t)
{
	char s[32], *end = s + sizeof(s), *d = end;
	uint64_t units = (uint64_t)(fabs(v) * UNITS + 0.5);
	bool negative = v < 0 && units > 0;
	int decimals = DECIMALS;

	while (decimals > 0 && units % 10 == 0) {
		units /= 10;
		decimals--;
	}
	for (int i = 0; i < decimals; i++, units /= 10)
		*--d = (char)('0' + units % 10);
	if (decimals > 0)
		*--d = '.';
	do
		*--d = (char)('0' + units % 10);
	while ((units /= 10) > 0);
	if (negative)
		*--d = '-';
	text_add(t, d, (size_t)(end - d));
}

static void
write_numbers(const struct opening *o, int which, const char *key, struct text *t)
{
	const double *v = *member((struct opening *)o, which);

	text_add_string(t, key);
	for (int i = 0; i < o->game.line.plies; i++) {
		text_add_char(t, i == 0 ? '[' : ',');
		if (isnan(v[i]))
			text_add_string(t, "null");
		else if (isinf(v[i]))
			text_add_string(t, v[i] < 0 ? "\"-inf\"" : "\"inf\"");
		else
			write_number(v[i], t);
	}
	text_add_string(t, o->game.line.plies == 0 ? "[]" : "]");
}

static void
write_string(const struct game *g, const char *key, struct span s, struct text *t)
{
	if (s.len == 0)
		return;
	text_add_string(t, key);
	text_add_json_string(t, game_text(g, s), s.len);
}

static void
write_score(const struct opening *o, struct text *t)
{
	text_add_string(t, ",\"q\":{\"rules\":");
	rules_write_json(&o->q_rules, t);
	write_string(&o->game, ",\"net\":", o->q_net, t);
	write_numbers(o, Q_LOGP, ",\"logp\":", t);
	write_numbers(o, Q_H, ",\"h\":", t);
	text_add_char(t, '}');
	write_numbers(o, HR, ",\"hr\":", t);
	write_numbers(o, KL, ",\"kl\":", t);
}

void
opening_write_json(const struct opening *o, struct text *t)
{
	const struct game *g = &o->game;

	text_add_string(t, "{\"v\":1,\"rules\":");
	rules_write_json(&g->rules, t);
	write_string(g, ",\"net\":", g->net, t);
	game_write_line(g, t);
	if (g->end != END_NONE)
		text_add_format(t, ",\"end\":\"%s\"", end_name(g->end));
	if (o->weight > 0) {
		text_add_string(t, ",\"weight\":");
		text_add_double(t, o->weight);
	}
	write_numbers(o, LOGP, ",\"logp\":", t);
	write_numbers(o, H, ",\"h\":", t);
	if (o->guessed)
		write_numbers(o, AHEAD, ",\"ahead\":", t);
	if (o->scored)
		write_score(o, t);
	text_add_string(t, "}\n");
}

/* ---- reading ---- */

/* The fields of a line, and of its q. */
/* clang-format off */
#define FIELDS(FIELD) \
	FIELD(v) FIELD(rules) FIELD(net) FIELD(start) FIELD(moves) FIELD(end) \
	FIELD(weight) FIELD(logp) FIELD(h) FIELD(ahead) FIELD(q) FIELD(hr) FIELD(kl)
/* clang-format on */

struct fields {
	FIELDS(JSON_MEMBER)
};

static int
scan(struct fields *f, const char *s, const char *end, char *reason)
{
	static const struct json_name names[] = { FIELDS(JSON_NAME) };

	return json_scan(names, (struct json_value *)f, sizeof(names) / sizeof(names[0]),
	    s, end, reason);
}

/* Any valid JSON number. */
static double
read_long_number(const char *s, const char *end)
{
	char copy[64];
	size_t n = (size_t)(end - s);

	if (n >= sizeof(copy))
		return NAN;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return strtod(copy, NULL);
}

/* A number of up to 15 digits is a quotient of two doubles that are exact, a
 * whole number and a power of ten, so that this gives what strtod() would. */
static double
read_number(const char *s, const char *end)
{
	static const double tens[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
		1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	bool negative = s < end && *s == '-';
	int digits = 0, decimals = 0;
	uint64_t units = 0;
	const char *c = s + negative;

	for (bool point = false; c < end && digits <= 15; c++) {
		if (*c == '.') {
			point = true;
			continue;
		}
		if (*c < '0' || *c > '9')
			break;
		units = 10 * units + (uint64_t)(*c - '0');
		digits++;
		decimals += point;
	}
	if (c < end || digits == 0 || digits > 15)
		return read_long_number(s, end);
	double v = (double)units / tens[decimals];
	return negative ? -v : v;
}

/* Reads one number of an array; -1 if it is not one or out of range. */
static int
read_one(const struct numbers *which, const char *s, const char *end, double *v)
{
	if (which->may_be_infinite && *s == '"') {
		struct json_value text = { s, (size_t)(end - s) };
		bool negative = which->lowest < 0;
		*v = negative ? -INFINITY : INFINITY;
		return json_is_key(text, negative ? "\"-inf\"" : "\"inf\"") ? 0 : -1;
	}
	if (which->may_be_missing && *s == 'n') {
		*v = NAN;
		return 0;
	}
	if (*s != '-' && (*s < '0' || *s > '9'))
		return -1;
	*v = read_number(s, end);
	return *v >= which->lowest && *v <= which->highest ? 0 : -1;
}

static int
read_numbers(struct opening *o, int which, struct json_value v, char *reason)
{
	double *to = *member(o, which);
	const char *s, *end, *next;
	int n = 0;

	if (v.s == NULL || *v.s != '[')
		return refuse(reason, "%s is not an array", numbers[which].name);
	end = v.s + v.n;
	s = json_skip_space(v.s + 1, end);
	for (; *s != ']'; s = json_skip_space(next, end)) {
		if (*s == ',')
			s = json_skip_space(s + 1, end);
		next = json_skip_value(s, end, 0);
		if (next == NULL || n == o->game.line.plies ||
		    read_one(&numbers[which], s, next, &to[n]) == -1)
			break;
		n++;
	}
	if (*s != ']' || n < o->game.line.plies)
		return refuse(reason, "%s does not have one valid number for each move",
		    numbers[which].name);
	return 0;
}

static int
read_net(struct game *g, struct json_value v, struct span *net, char *reason)
{
	static const struct span none;

	*net = none;
	if (v.s == NULL)
		return 0;
	if (game_keep_json(g, v, net) == -1 || net->len > GAME_NAME_MAX)
		return refuse(reason, "net is not a string, or too long");
	return 0;
}

/* Reads the field q. */
static int
read_score(struct opening *o, const struct fields *line, char *reason)
{
	struct game *g = &o->game;
	char why[GAME_REASON_MAX];
	struct fields f;

	o->scored = line->q.s != NULL;
	if (!o->scored)
		return 0;
	if (scan(&f, line->q.s, line->q.s + line->q.n, reason) == -1)
		return -1;
	if (f.rules.s == NULL)
		return refuse(reason, "q has no rules");
	if (game_parse_rules(g, f.rules, &o->q_rules, why) == -1)
		return refuse(reason, "q: %s", why);
	if (read_net(g, f.net, &o->q_net, reason) == -1 ||
	    read_numbers(o, Q_LOGP, f.logp, reason) == -1 ||
	    read_numbers(o, Q_H, f.h, reason) == -1 ||
	    read_numbers(o, HR, line->hr, reason) == -1 ||
	    read_numbers(o, KL, line->kl, reason) == -1)
		return -1;
	return 0;
}

/* Derives the end from the position; the field may be missing, but not wrong. */
static int
read_end(struct game *g, const struct board *final, struct json_value v, char *reason)
{
	const char *s;
	size_t n;
	enum end given;

	g->end = outcome_find(final, g->line.keys, g->line.plies);
	if (v.s == NULL)
		return 0;
	if (!game_json_word(g, v, &s, &n) || !end_read(s, n, &given) || given != g->end)
		return refuse(reason, "end contradicts the position");
	return 0;
}

static int
read_weight(struct opening *o, struct json_value v, char *reason)
{
	o->weight = 0;
	if (v.s == NULL)
		return 0;
	o->weight = *v.s == '"' ? NAN : read_number(v.s, v.s + v.n);
	if (!(o->weight > 0 && o->weight <= 1))
		return refuse(reason, "weight is not within 0..1");
	return 0;
}

int
opening_read_json(struct opening *o, const struct rules *rules, const char *s, size_t n,
    char reason[GAME_REASON_MAX])
{
	struct game_options options = { .rules = rules };
	struct game *g = &o->game;
	struct fields f;
	struct board final;
	int version;

	game_clear(g);
	if (scan(&f, s, s + n, reason) == -1)
		return -1;
	if (!json_read_int(f.v, &version) || version != 1)
		return refuse(reason, "v is not 1");
	if (game_read_rules(g, &options, f.rules, reason) == -1 ||
	    read_net(g, f.net, &g->net, reason) == -1 ||
	    game_read_start(g, f.start, reason) == -1 ||
	    game_read_moves(g, f.moves, &final, reason) == -1)
		return -1;
	if (g->line.plies > OPENING_PLIES_MAX)
		return refuse(reason, "too many moves for one line");
	if (read_end(g, &final, f.end, reason) == -1 ||
	    read_weight(o, f.weight, reason) == -1 ||
	    read_numbers(o, LOGP, f.logp, reason) == -1 ||
	    read_numbers(o, H, f.h, reason) == -1)
		return -1;
	o->guessed = f.ahead.s != NULL;
	if (o->guessed && read_numbers(o, AHEAD, f.ahead, reason) == -1)
		return -1;
	return read_score(o, &f, reason);
}
