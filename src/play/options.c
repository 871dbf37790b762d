#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define CLI_KIND_SEARCH CLI_KIND_OTHER /* a word of --search */
enum who { NONE, TREE = 1, AB = 2, ANY = TREE | AB };

static const struct row {
	const char *name;
	enum cli_kind kind;
	size_t offset;
	double lowest, highest, scale;
	enum who who;
} rows[] = {
#define OPTION(name, kind, member, lowest, highest, scale, who) \
	{ name, CLI_KIND_##kind, offsetof(struct thinking, member), lowest, highest, \
		scale, who },
#include "options.def"
#undef OPTION
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char *const kinds[] = { "net", "tree", "ab" };

void
thinking_init(struct thinking *t)
{
	thinker_options_init(&t->thinker);
	t->thinker.spec = NET_DEFAULT;
	t->limits = (struct limits){ .nodes = (uint64_t)search_defaults.sims };
}

/* ---- reading ---- */

const char *
search_kind_name(enum search_kind kind)
{
	return kinds[kind];
}

bool
search_kind_read(const char *word, enum search_kind *kind)
{
	for (int i = 0; i < (int)(sizeof(kinds) / sizeof(kinds[0])); i++) {
		if (strcmp(word, kinds[i]) != 0)
			continue;
		*kind = (enum search_kind)i;
		return true;
	}
	return false;
}

static void
set(const struct cli *c, const struct row *row, char *arg, struct thinking *t,
    double lowest)
{
	void *at = (char *)t + row->offset;
	const struct cli_option o = { .name = row->name,
		.kind = row->kind,
		.lowest = (int64_t)lowest,
		.highest = (int64_t)row->highest,
		.least = lowest,
		.most = row->highest };

	if (row->kind != CLI_KIND_SEARCH)
		cli_set(c, &o, at, arg);
	else if (!search_kind_read(arg, at))
		cli_usage_error(c, "--search is net, tree or ab, not '%s'", arg);
	if (row->kind == CLI_KIND_REAL)
		*(double *)at *= row->scale;
}

/* One player may lack a limit that the other has. */
static bool
is_limit(const struct row *row)
{
	return row->offset >= offsetof(struct thinking, limits) &&
	    row->offset != offsetof(struct thinking, limits.nodes);
}

static void
read_option(const struct cli *c, const char *name, char *arg)
{
	const struct row *row = rows;
	struct thinking *player = c->filled;
	int n = c->nfilled;

	while (strcmp(row->name, name) != 0)
		if (++row == rows + ROWS)
			abort();
	char *comma = n > 1 && row->kind != CLI_KIND_FLAG && row->kind != CLI_KIND_TEXT
	    ? strchr(arg, ',')
	    : NULL;
	if (comma != NULL)
		*comma = '\0';
	for (int i = 0; i < n; i++)
		set(c, row, comma != NULL && i > 0 ? comma + 1 : arg, &player[i],
		    n > 1 && is_limit(row) ? 0 : row->lowest);
}

void
options_start(struct cli *c, struct thinking *each, int n)
{
	c->other = read_option;
	c->filled = each;
	c->nfilled = n;
}

static bool
has_other_limit(const struct limits *l)
{
	return l->seconds > 0 || l->cpu_seconds > 0 || l->depth > 0;
}

void
options_check(const struct cli *c)
{
	struct thinking *t = c->filled;

	for (int i = 0; i < c->nfilled; i++, t++) {
		const struct search_options *o = &t->thinker.tree;
		struct limits *l = &t->limits;
		if (o->gumbel && o->async > 1)
			cli_usage_error(c, "--gumbel and --async exclude each other");
		if (o->gumbel && has_other_limit(l))
			cli_usage_error(c,
			    "--gumbel needs --sims and cannot be combined with --%s",
			    l->seconds > 0     ? "movetime"
				: l->depth > 0 ? "depth"
					       : "cpu-time");
		if (has_other_limit(l))
			l->nodes = 0;
	}
}

/* ---- description ---- */

static void
describe(const struct row *row, const struct thinking *t, struct text *to)
{
	const void *at = (const char *)t + row->offset;

	text_add_format(to, "%s ", row->name);
	if (row->kind == CLI_KIND_INTEGER)
		text_add_format(to, "%d\n", *(const int *)at);
	else if (row->kind == CLI_KIND_COUNT)
		text_add_format(to, "%llu\n", (unsigned long long)*(const uint64_t *)at);
	else if (row->kind == CLI_KIND_FLAG)
		text_add_format(to, "%d\n", *(const bool *)at);
	else if (row->kind == CLI_KIND_REAL)
		text_add_format(to, "%.17g\n", *(const double *)at);
	else if (row->kind == CLI_KIND_SEARCH)
		text_add_format(to, "%s\n", kinds[*(const enum search_kind *)at]);
}

static void
describe_all(const struct thinking *t, struct text *to)
{
	for (int i = 0; i < ROWS; i++)
		if (rows[i].offset < offsetof(struct thinking, limits))
			describe(&rows[i], t, to);
}

bool
thinking_alike(const struct thinking *a, const struct thinking *b)
{
	struct text x = { 0 }, y = { 0 };

	describe_all(a, &x);
	describe_all(b, &y);
	bool alike =
	    strcmp(x.s, y.s) == 0 && a->thinker.few_nodes == b->thinker.few_nodes;
	text_release(&x);
	text_release(&y);
	return alike;
}

void
options_describe(const struct thinking *t, const struct searcher_ops *ops,
    struct text *to)
{
	enum who who = ops == &ab_searcher_ops ? AB : TREE;

	text_add_format(to, "%s\n", ops->name);
	for (int i = 0; i < ROWS; i++)
		if (rows[i].who & who)
			describe(&rows[i], t, to);
}

void
options_digest(const struct text *t, char digest[17])
{
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

	for (size_t i = 0; i < t->len; i++)
		hash = (hash ^ (unsigned char)t->s[i]) * 0x100000001b3;
	snprintf(digest, 17, "%016llx", (unsigned long long)rng_stir(hash));
}
