#include "tally.h"

#include <cjson/cJSON.h>
#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "json.h"
#include "rulespec.h"

enum {
	CELLS_A_LINE = 20000, /* keeps a line well below INPUT_LINE_MAX */
	DIGEST_DIGITS = 16
};

/* The most games: JSON numbers are exact up to this. */
static const uint64_t games_max = (uint64_t)1 << 53;

void
tally_init(struct tally *t, const char *program, tally_key *is_key)
{
	memset(t, 0, sizeof(*t));
	t->program = program;
	t->is_key = is_key;
	t->level = 0.95;
}

void
tally_release(struct tally *t)
{
	for (int i = 0; i < t->ngroups; i++) {
		free(t->groups[i].by);
		free(t->groups[i].name);
		free(t->groups[i].label);
		free(t->groups[i].own);
		histogram_release(&t->groups[i].cells);
	}
	histogram_release(&t->seen);
	free(t->groups);
	free(t->slots);
	memset(t, 0, sizeof(*t));
}

/* ---- groups ---- */

static bool
is_group(const struct tally_group *g, const struct rules *r, const char *by)
{
	return (by == NULL ? g->by == NULL : g->by != NULL && strcmp(g->by, by) == 0) &&
	    rules_equal(&g->rules, r);
}

/* The slot of a group, or the free one where it would go. */
static size_t
slot_of(const struct tally *t, const struct rules *r, const char *by)
{
	uint64_t hash = rules_hash(r);

	for (const char *s = r->name; *s != '\0'; s++)
		hash = rng_stir(hash + (unsigned char)*s);
	for (const char *s = by != NULL ? by : ""; *s != '\0'; s++)
		hash = rng_stir(hash + (unsigned char)*s);
	size_t i = (size_t)hash & (t->nslots - 1);
	while (t->slots[i] != 0 && !is_group(&t->groups[t->slots[i] - 1], r, by))
		i = (i + 1) & (t->nslots - 1);
	return i;
}

static void
fill_slots(struct tally *t)
{
	memset(t->slots, 0, t->nslots * sizeof(*t->slots));
	for (int i = 0; i < t->ngroups; i++) {
		const struct tally_group *g = &t->groups[i];
		t->slots[slot_of(t, &g->rules, g->by)] = i + 1;
	}
}

/* The group, or NULL if there is none. */
static struct tally_group *
look_up(struct tally *t, const struct rules *r, const char *by)
{
	if (t->ngroups == 0)
		return NULL;
	if (!is_group(&t->groups[t->last], r, by)) {
		int found = t->slots[slot_of(t, r, by)];
		if (found == 0)
			return NULL;
		t->last = found - 1;
	}
	return &t->groups[t->last];
}

static struct tally_group *
add_group(struct tally *t, const struct rules *r, const char *by)
{
	struct tally_group *g;

	if (t->ngroups == t->room) {
		t->room = t->room == 0 ? 16 : 2 * t->room;
		t->nslots = 2 * (size_t)t->room;
		t->groups = xreallocarray(t->groups, (size_t)t->room, sizeof(*t->groups));
		t->slots = xreallocarray(t->slots, t->nslots, sizeof(*t->slots));
		fill_slots(t);
	}
	t->last = t->ngroups++;
	t->slots[slot_of(t, r, by)] = t->ngroups;
	g = &t->groups[t->last];
	memset(g, 0, sizeof(*g));
	g->rules = *r;
	g->by = by != NULL ? xstrdup(by) : NULL;
	return g;
}

/* The value of a tag or of a field of this name. */
static const char *
tag_value(const struct game *g, const char *name)
{
	static const char *const names[] = { "white", "black", "net", "seed" };
	static char number[16];
	const struct span fields[] = { g->white, g->black, g->net, g->seed };
	const struct game_tag *tag = game_find_tag(g, name);

	if (tag != NULL)
		return game_text(g, tag->value);
	for (int i = 0; i < 4; i++)
		if (strcasecmp(name, names[i]) == 0 && fields[i].len > 0)
			return game_text(g, fields[i]);
	if (strcasecmp(name, "result") == 0)
		return result_name(g->result);
	if (strcasecmp(name, "end") == 0)
		return end_name(g->end);
	if (strcasecmp(name, "sims") != 0 || g->sims < 0)
		return "";
	snprintf(number, sizeof(number), "%d", g->sims);
	return number;
}

struct tally_group *
tally_find(struct tally *t, const struct game *g)
{
	const char *by = t->by != NULL ? tag_value(g, t->by) : NULL;
	struct tally_group *group = look_up(t, &g->rules, by);

	if (group != NULL)
		return group;
	if (t->ngroups == TALLY_GROUPS_MAX)
		errx(1, "more than %d rule sets or values of --by", TALLY_GROUPS_MAX);
	return add_group(t, &g->rules, by);
}

struct tally_group *
tally_count(struct tally *t, const struct game *g)
{
	struct tally_group *group = tally_find(t, g);

	group->games++;
	return group;
}

/* Has its group had a game with the same moves, start, end and result? Remembers
 * this one. */
static bool
is_copy(struct tally *t, const struct game *g)
{
	struct tally_group *group = tally_find(t, g);
	uint64_t hash = rng_stir((uint64_t)(group - t->groups) + 1);

	hash = rng_stir(hash + g->line.keys[0] + 4 * g->end + g->result);
	for (int i = 0; i < g->line.plies; i++)
		hash = rng_stir(hash + g->line.moves[i] + 1);
	hash |= 1;
	if (histogram_get(&t->seen, hash) > 0) {
		group->copies++;
		return true;
	}
	if (t->seen.used >= TALLY_DISTINCT_MAX)
		errx(1, "more than %d distinct games", TALLY_DISTINCT_MAX);
	histogram_add(&t->seen, hash, 1);
	return false;
}

/* ---- order and names ---- */

/* By the text of the rules, then by the tag's value, numbers numerically. */
static int
compare_groups(const void *a, const void *b)
{
	const struct tally_group *x = a, *y = b;
	char xr[RULES_TEXT_MAX], yr[RULES_TEXT_MAX];

	rules_print(&x->rules, xr);
	rules_print(&y->rules, yr);
	int c = strcmp(xr, yr);
	return c != 0 || x->by == NULL ? c : strverscmp(x->by, y->by);
}

static void
set_name(struct tally_group *g, bool in_full)
{
	struct text label = { 0 };
	char name[RULES_TEXT_MAX];

	(in_full ? rules_print : rules_label)(&g->rules, name);
	text_add_string(&label, name);
	if (g->by != NULL) {
		text_add_char(&label, ':');
		text_add_string(&label, g->by);
	}
	free(g->name);
	free(g->label);
	g->name = xstrdup(name);
	g->label = label.s;
}

/* Are these different rules of the same name? Sorting makes them neighbours. */
static bool
is_namesake(const struct tally_group *a, const struct tally_group *b)
{
	return a->rules.name[0] != '\0' && strcmp(a->rules.name, b->rules.name) == 0;
}

void
tally_sort(struct tally *t)
{
	int first, end, n = t->ngroups;

	if (n == 0)
		return;
	qsort(t->groups, (size_t)n, sizeof(*t->groups), compare_groups);
	fill_slots(t);
	t->last = 0;
	for (first = 0; first < n; first = end) {
		const struct tally_group *g = &t->groups[first];
		end = first + 1;
		while (end < n && rules_equal(&t->groups[end].rules, &g->rules))
			end++;
		bool in_full = (first > 0 && is_namesake(g, g - 1)) ||
		    (end < n && is_namesake(g, &t->groups[end]));
		for (int i = first; i < end; i++)
			set_name(&t->groups[i], in_full);
	}
}

struct tally_group
tally_nothing(const struct tally *t)
{
	static char empty[] = "";

	return (struct tally_group){
		.by = t->by != NULL ? empty : NULL, .name = empty, .label = empty
	};
}

void
tally_write_rows(const struct tally *t, struct table *table, int n,
    bool (*has)(const struct tally_group *g, int row),
    void (*add)(struct table *table, const struct tally_group *g, int row))
{
	struct tally_group none = tally_nothing(t);

	for (int i = 0; i < n * t->ngroups; i++) {
		const struct tally_group *g = &t->groups[i / n];
		if (has != NULL && !has(g, i % n))
			continue;
		add(table, g, i % n);
		if (table_end_row(table) == -1)
			return;
	}
	add(table, &none, 0);
	table_end_names(table);
}

void
tally_write_name(const struct tally_group *g, struct table *table)
{
	table_string(table, "rules", g->name);
	if (g->by != NULL)
		table_string(table, "by", g->by);
}

/* ---- writing ---- */

/* Appends a line up to its cells. */
static void
add_head(const struct tally *t, const struct rules *r, const char *by, uint64_t games,
    struct text *line)
{
	text_add_format(line, "{\"partial\":\"%s\",\"v\":1,\"rules\":", t->program);
	rules_write_json(r, line);
	if (by != NULL) {
		text_add_string(line, ",\"tag\":");
		text_add_json_string(line, t->by, strlen(t->by));
		text_add_string(line, ",\"by\":");
		text_add_json_string(line, by, strlen(by));
	}
	text_add_format(line, ",\"games\":%" PRIu64 ",\"cells\":\"", games);
}

/* Appends a line with cells first to last - 1 of a group. */
static void
add_line(const struct tally *t, const struct tally_group *g,
    const struct histogram_cell *cells, size_t first, size_t last, struct text *line)
{
	char digest[DIGEST_DIGITS + 1];

	add_head(t, &g->rules, g->by, first == 0 ? g->games : 0, line);
	for (size_t i = first; i < last; i++)
		text_add_format(line, "%s%" PRIx64 ":%" PRIu64, i == first ? "" : " ",
		    cells[i].key, cells[i].count);
	sha256_text(line->s, line->len, digest, DIGEST_DIGITS);
	text_add_format(line, "\",\"digest\":\"%s\"}\n", digest);
}

int
tally_write(const struct tally *t, struct zout *out)
{
	struct text line = { 0 };
	int result = 0;

	for (int i = 0; result == 0 && i < t->ngroups; i++) {
		const struct tally_group *g = &t->groups[i];
		size_t n, first = 0;
		struct histogram_cell *cells = histogram_sorted(&g->cells, &n);
		do {
			size_t last = n - first > CELLS_A_LINE ? first + CELLS_A_LINE : n;
			text_clear(&line);
			add_line(t, g, cells, first, last, &line);
			result = zout_write(out, line.s, line.len);
			first = last;
		} while (result == 0 && first < n);
		free(cells);
	}
	text_release(&line);
	return result;
}

/* ---- reading ---- */

/* A line of a partial result. */
struct partial {
	struct rules rules;
	const char *by; /* NULL: not by a tag */
	uint64_t games, sum;
	uint64_t cells_sum;
	size_t ncells;
	const char *cells;
};

static bool
read_number(const char **s, unsigned base, uint64_t *v)
{
	static const char digits[] = "0123456789abcdef";
	const char *start = *s, *d;

	for (*v = 0; (d = memchr(digits, **s, base)) != NULL; ++*s) {
		uint64_t digit = (uint64_t)(d - digits);
		if (*v > (UINT64_MAX - digit) / base)
			return false;
		*v = *v * base + digit;
	}
	return *s != start;
}

/* Reads the cell at *s, and moves *s after it and a blank. */
static bool
read_cell(const char **s, struct histogram_cell *c)
{
	if (!read_number(s, 16, &c->key) || *(*s)++ != ':' ||
	    !read_number(s, 10, &c->count))
		return false;
	if (**s == '\0')
		return true;
	return *(*s)++ == ' ' && **s != '\0';
}

/* A long partial result has its games in the first line, and more cells in the
 * lines that follow. */
static int
check_sum(const struct tally *t, const struct partial *p, char *reason)
{
	bool goes_on = p->games == 0 && t->owed > 0;
	uint64_t games = goes_on ? t->owed : p->games;

	if (t->owed > 0 && !goes_on)
		return refuse(reason, "the previous partial result is cut short");
	if (p->cells_sum > games || (p->cells_sum < games && p->ncells < CELLS_A_LINE))
		return refuse(reason,
		    "the cells of the partial result sum to %" PRIu64
		    ", not to its %" PRIu64 " games",
		    p->cells_sum, games);
	return 0;
}

/* Checks everything before anything is added, so that a bad line adds nothing. No
 * sum of counts of any cells may overflow. */
static int
check_cells(const struct tally *t, struct partial *p, char *reason)
{
	const char *s = p->cells;
	struct histogram_cell c;

	p->sum = p->games;
	while (*s != '\0') {
		if (!read_cell(&s, &c))
			return refuse(reason,
			    "the partial result has a cell that is not key:count");
		if (c.key == 0 || t->is_key == NULL || !t->is_key(c.key))
			return refuse(reason,
			    "the partial result has a cell with an unknown key");
		if (c.count > INT64_MAX - p->sum)
			return refuse(reason,
			    "the counts of the partial result are too large");
		if (t->is_share != NULL && t->is_share(c.key) && c.count > p->games)
			return refuse(reason,
			    "the partial result counts more than its games");
		p->sum += c.count;
		p->cells_sum += c.count;
		p->ncells++;
	}
	return t->sums ? check_sum(t, p, reason) : 0;
}

/* Whether the digest is that of the line as add_line() would write it: the order
 * of the fields and blanks do not matter. Earlier versions wrote none. */
static int
check_digest(const struct tally *t, const struct partial *p, const cJSON *digest,
    char *reason)
{
	struct text line = { 0 };
	char expected[DIGEST_DIGITS + 1];

	if (digest == NULL)
		return 0;
	add_head(t, &p->rules, p->by, p->games, &line);
	text_add_string(&line, p->cells);
	sha256_text(line.s, line.len, expected, DIGEST_DIGITS);
	text_release(&line);
	if (!cJSON_IsString(digest) || strcmp(digest->valuestring, expected) != 0)
		return refuse(reason, "the partial result does not match its digest");
	return 0;
}

/* Is it a value that games can have: UTF-8, no control characters, not too
 * long? */
static bool
is_value(const char *s)
{
	struct text t = { 0 };
	size_t n = strlen(s);
	bool good = n <= GAME_VALUE_MAX;

	for (size_t i = 0; i < n; i++)
		good = good && (unsigned char)s[i] >= ' ' && s[i] != 0x7f;
	text_add_utf8(&t, s, n);
	good = good && t.len == n; /* what is not UTF-8 gets longer */
	text_release(&t);
	return good;
}

static int
check_by(const struct tally *t, struct partial *p, const cJSON *tag, const cJSON *by,
    char *reason)
{
	if (tag == NULL && by == NULL && t->by == NULL)
		return 0;
	if (t->by == NULL || !cJSON_IsString(tag) || strcmp(tag->valuestring, t->by) != 0)
		return refuse(reason, "a partial result made with another --by");
	if (!cJSON_IsString(by) || !is_value(by->valuestring))
		return refuse(reason, "the partial result has no value of the tag");
	p->by = by->valuestring;
	return 0;
}

static int
check_games(struct partial *p, const cJSON *games, char *reason)
{
	if (!cJSON_IsNumber(games) || !(games->valuedouble >= 0) ||
	    games->valuedouble > (double)games_max ||
	    games->valuedouble != floor(games->valuedouble))
		return refuse(reason, "the partial result has no number of games");
	p->games = (uint64_t)games->valuedouble;
	return 0;
}

static int
check_object(const struct tally *t, struct partial *p, const cJSON *json, char *reason)
{
	const cJSON *program = cJSON_GetObjectItemCaseSensitive(json, "partial");
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(json, "v");
	const cJSON *cells = cJSON_GetObjectItemCaseSensitive(json, "cells");
	const cJSON *rules = cJSON_GetObjectItemCaseSensitive(json, "rules");

	if (!cJSON_IsString(program))
		return refuse(reason, "not a partial result");
	if (strcmp(program->valuestring, t->program) != 0)
		return refuse(reason, "a partial result of '%.80s', not of '%.80s'",
		    program->valuestring, t->program);
	if (!cJSON_IsNumber(version) || version->valuedouble != 1)
		return refuse(reason, "not version 1 of a partial result");
	if (!cJSON_IsString(cells))
		return refuse(reason, "the partial result has no cells");
	p->cells = cells->valuestring;
	if (check_by(t, p, cJSON_GetObjectItemCaseSensitive(json, "tag"),
		cJSON_GetObjectItemCaseSensitive(json, "by"), reason) == -1 ||
	    check_games(p, cJSON_GetObjectItemCaseSensitive(json, "games"), reason) == -1)
		return -1;
	if (rules == NULL)
		return refuse(reason, "the partial result has no rules");
	if (rulespec_from_tree(&p->rules, rules, reason) == -1 ||
	    check_cells(t, p, reason) == -1)
		return -1;
	return check_digest(t, p, cJSON_GetObjectItemCaseSensitive(json, "digest"),
	    reason);
}

static int
add_partial(struct tally *t, const struct partial *p, char *reason)
{
	struct tally_group *g = look_up(t, &p->rules, p->by);
	const char *s = p->cells;
	struct histogram_cell c;

	if (g == NULL && t->ngroups == TALLY_GROUPS_MAX)
		return refuse(reason, "too many rule sets or values of --by");
	if (g != NULL && (g->games > games_max - p->games || p->sum > INT64_MAX - g->sum))
		return refuse(reason, "the counts of all partial results are too large");
	if (g == NULL)
		g = add_group(t, &p->rules, p->by);
	g->games += p->games;
	g->sum += p->sum;
	if (t->sums)
		t->owed = (t->owed > 0 ? t->owed : p->games) - p->cells_sum;
	while (*s != '\0' && read_cell(&s, &c))
		histogram_add(&g->cells, c.key, c.count);
	return 0;
}

int
tally_read(void *tally, const char *s, size_t n, char reason[GAME_REASON_MAX])
{
	struct tally *t = tally;
	struct partial p = { 0 };
	cJSON *json = json_tree(s, n, reason);
	int result = json == NULL ? -1 : check_object(t, &p, json, reason);

	if (result == 0)
		result = add_partial(t, &p, reason);
	cJSON_Delete(json);
	return result;
}

int
tally_run(struct tally *t, struct cli *cli, char **files,
    void (*count)(const struct game *g), void (*write)(struct table *table))
{
	static struct games games;

	if (t->partial && cli->tsv)
		cli_usage_error(cli, "--partial and --tsv exclude each other");
	if (t->partial && t->distinct)
		cli_usage_error(cli, "--distinct needs all games at once, not --partial");
	games_start(&games, cli, files);
	games_on_partial(&games, tally_read, t);
	if (t->want_values)
		games_want_values(&games);
	struct zout *out = cli_open_output(cli);
	table_start(&t->table, out, cli->tsv);
	while (games_next(&games)) {
		t->values = games.values;
		t->number = games.records.good;
		if (!t->distinct || !is_copy(t, &games.game))
			count(&games.game);
	}
	games_finish(&games);
	if (t->owed > 0) {
		warnx("the last partial result is cut short");
		cli->status = EXIT_LOST;
	}
	tally_sort(t);
	if (t->partial)
		tally_write(t, out);
	else
		write(&t->table);
	table_release(&t->table);
	tally_release(t);
	return cli_finish(cli, out);
}
