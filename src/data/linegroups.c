#include "linegroups.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "chess/fen.h"

/* The key of bin 0: keys of a histogram are positive, bins may be negative. */
#define BIN_ZERO ((int64_t)1 << 40)

void
linegroups_init(struct linegroups *s, size_t data_size)
{
	memset(s, 0, sizeof(*s));
	s->data_size = data_size;
	s->groups = xcalloc(LINEGROUPS_MAX, sizeof(*s->groups));
}

void
linegroups_release(struct linegroups *s)
{
	for (int i = 0; i < s->n; i++) {
		struct linegroup *g = &s->groups[i];
		free(g->p);
		free(g->q);
		free(g->net);
		free(g->q_net);
		free(g->from);
		free(g->data);
		histogram_release(&g->bins);
	}
	free(s->groups);
	memset(s, 0, sizeof(*s));
}

static const char *
net_name(const struct game *g, struct span net)
{
	return net.len == 0 ? "" : game_text(g, net);
}

/* Compares positions without their pointers to rules. */
static bool
same_start(const struct board *a, const struct board *b)
{
	struct board copy = *b;

	copy.rules = a->rules;
	return memcmp(a, &copy, sizeof(copy)) == 0;
}

static bool
belongs(const struct linegroup *g, const struct opening *o, bool by_q)
{
	return g->listed == (o->weight > 0) && rules_equal(&g->rules, &o->game.rules) &&
	    strcmp(g->net, net_name(&o->game, o->game.net)) == 0 &&
	    same_start(&g->start, &o->game.start) &&
	    (!by_q ||
		(rules_equal(&g->q_rules, &o->q_rules) &&
		    strcmp(g->q_net, net_name(&o->game, o->q_net)) == 0));
}

static void
add_group(struct linegroups *s, const struct opening *o, bool by_q)
{
	struct linegroup *g = &s->groups[s->n++];
	char fen[FEN_MAX];

	g->rules = o->game.rules;
	g->start = o->game.start;
	g->start.rules = NULL;
	g->net = xstrdup(net_name(&o->game, o->game.net));
	g->scored = by_q;
	if (by_q)
		g->q_rules = o->q_rules;
	g->q_net = xstrdup(by_q ? net_name(&o->game, o->q_net) : "");
	g->listed = o->weight > 0;
	fen_write(&o->game.start, fen);
	g->from = xstrdup(o->game.usual_start ? "startpos" : fen);
	g->data = xcalloc(1, s->data_size);
}

struct linegroup *
linegroups_count(struct linegroups *s, const struct opening *o, bool by_q)
{
	int i = s->last;

	if (s->n == 0 || !belongs(&s->groups[i], o, by_q))
		for (i = 0; i < s->n && !belongs(&s->groups[i], o, by_q); i++)
			continue;
	if (i == LINEGROUPS_MAX)
		return NULL;
	if (i == s->n)
		add_group(s, o, by_q);
	s->last = i;
	struct linegroup *g = &s->groups[i];
	if (o->game.line.plies > g->plies)
		g->plies = o->game.line.plies;
	return g;
}

/* ---- names ---- */

static int
compare_rules(const struct rules *a, const struct rules *b)
{
	char x[RULES_TEXT_MAX], y[RULES_TEXT_MAX];

	rules_print(a, x);
	rules_print(b, y);
	return strcmp(x, y);
}

static int
compare(const void *a, const void *b)
{
	const struct linegroup *x = a, *y = b;
	int c = compare_rules(&x->rules, &y->rules);

	if (c == 0)
		c = strcmp(x->net, y->net);
	if (c == 0 && x->scored)
		c = compare_rules(&x->q_rules, &y->q_rules);
	if (c == 0)
		c = strcmp(x->q_net, y->q_net);
	if (c == 0)
		c = strcmp(x->from, y->from);
	return c != 0 ? c : x->listed - y->listed;
}

/* Are these different rules of the same name? */
static bool
is_namesake(const struct rules *a, const struct rules *b)
{
	return a->name[0] != '\0' && strcmp(a->name, b->name) == 0 && !rules_equal(a, b);
}

static char *
name_of(const struct linegroups *s, const struct rules *r)
{
	char text[RULES_TEXT_MAX];
	bool in_full = false;

	for (int i = 0; i < s->n && !in_full; i++)
		in_full = is_namesake(r, &s->groups[i].rules) ||
		    (s->groups[i].scored && is_namesake(r, &s->groups[i].q_rules));
	if (in_full)
		rules_print(r, text);
	else
		rules_label(r, text);
	return xstrdup(text);
}

void
linegroups_sort(struct linegroups *s)
{
	qsort(s->groups, (size_t)s->n, sizeof(*s->groups), compare);
	for (int i = 0; i < s->n; i++) {
		struct linegroup *g = &s->groups[i];
		g->p = name_of(s, &g->rules);
		g->q = g->scored ? name_of(s, &g->q_rules) : xstrdup("");
	}
}

/* ---- histograms ---- */

void
linegroup_bin(struct linegroup *g, double x, double width)
{
	g->binned++;
	if (isinf(x)) {
		g->infinite++;
		return;
	}
	histogram_add(&g->bins, (uint64_t)(BIN_ZERO + (int64_t)floor(x / width)), 1);
}

static void
add_bin(const struct linegroup *g, double lo, double width, uint64_t count,
    struct table *t)
{
	table_string(t, "rules", g->p);
	table_rounded(t, "lo", lo, 10);
	table_rounded(t, "hi", lo + width, 10);
	table_count(t, "count", count);
	table_rounded(t, "density",
	    isinf(lo) ? NAN : (double)count / (double)g->binned / width, 10);
	if (g->scored)
		table_string(t, "q", g->q);
	table_string(t, "net", g->net);
	if (g->scored)
		table_string(t, "q_net", g->q_net);
	table_string(t, "start", g->from);
}

void
linegroups_write_bin_names(bool scored, struct table *t)
{
	struct linegroup none = {
		.p = "", .q = "", .net = "", .q_net = "", .from = "", .scored = scored
	};

	add_bin(&none, 0, 1, 0, t);
	table_end_names(t);
}

int
linegroup_write_bins(const struct linegroup *g, double width, struct table *t)
{
	size_t n;
	struct histogram_cell *cells = histogram_sorted(&g->bins, &n);
	int result = 0;

	for (size_t i = 0; i < n && result == 0; i++) {
		double bin = (double)((int64_t)cells[i].key - BIN_ZERO);
		add_bin(g, bin * width, width, cells[i].count, t);
		result = table_end_row(t);
	}
	if (g->infinite > 0 && result == 0) {
		add_bin(g, INFINITY, width, g->infinite, t);
		result = table_end_row(t);
	}
	free(cells);
	return result;
}
