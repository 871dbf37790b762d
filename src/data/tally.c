#include "tally.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "partial.h"

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

struct tally_group *
tally_look_up(struct tally *t, const struct rules *r, const char *by)
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

struct tally_group *
tally_add_group(struct tally *t, const struct rules *r, const char *by)
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
	struct tally_group *group = tally_look_up(t, &g->rules, by);

	if (group != NULL)
		return group;
	if (t->ngroups == TALLY_GROUPS_MAX)
		errx(1, "more than %d rule sets or values of --by", TALLY_GROUPS_MAX);
	return tally_add_group(t, &g->rules, by);
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
	games_on_partial(&games, partial_read, t);
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
	if (partial_is_cut(t)) {
		warnx("lines of a partial result are missing, or are repeated");
		cli->status = EXIT_LOST;
	}
	tally_sort(t);
	if (t->partial)
		partial_write(t, out);
	else
		write(&t->table);
	table_release(&t->table);
	tally_release(t);
	return cli_finish(cli, out);
}
