#include "policywindow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chess/movegen.h"
#include "data/searchdata.h"

void
policy_window_init(struct policy_window *w, size_t limit, double g)
{
	memset(w, 0, sizeof(*w));
	w->limit = limit;
	w->g = g;
}

static void
free_targets(const struct policy_sample *s)
{
	free((void *)(uintptr_t)s->targets);
}

void
policy_window_release(struct policy_window *w)
{
	for (int i = 0; i < w->nsets; i++) {
		for (size_t j = 0; j < w->sets[i]->n; j++)
			free_targets(&w->sets[i]->at[j]);
		free(w->sets[i]->at);
		free(w->sets[i]);
	}
	free(w->sets);
	memset(w, 0, sizeof(*w));
}

size_t
policy_window_count(const struct policy_window *w)
{
	size_t n = 0;

	for (int i = 0; i < w->nsets; i++)
		n += w->sets[i]->n;
	return n;
}

/* The limit on plies is for training alone: sets do not differ in it. */
static struct policy_set *
set_of(struct policy_window *w, const struct rules *r)
{
	struct rules own = *r, classical;

	rules_init(&classical);
	own.ply_limit = classical.ply_limit;
	rules_finish(&own);
	for (int i = 0; i < w->nsets; i++)
		if (rules_equal(&w->sets[i]->rules, &own))
			return w->sets[i];
	w->sets = xreallocarray(w->sets, (size_t)w->nsets + 1, sizeof(*w->sets));
	struct policy_set *s = xcalloc(1, sizeof(*s));
	s->rules = own;
	return w->sets[w->nsets++] = s;
}

static void
add_sample(struct policy_window *w, struct policy_set *s,
    const struct policy_sample *sample)
{
	w->seen++;
	if (s->n == s->room && s->n < w->limit) {
		s->room = 2 * s->room + 1024 < w->limit ? 2 * s->room + 1024 : w->limit;
		s->at = xreallocarray(s->at, s->room, sizeof(*s->at));
	}
	if (s->n < s->room) {
		s->at[s->n++] = *sample;
		return;
	}
	if (w->newest_first) {
		free_targets(sample);
		return;
	}
	free_targets(&s->at[s->next]);
	s->at[s->next] = *sample;
	s->next = (s->next + 1) % s->n;
}

/* The legal moves with their shares of the visits; false if no legal move
 * has any. */
static bool
fill_targets(struct policy_sample *s, const struct board *b, const struct policy_found *f)
{
	move legal[MOVES_MAX];
	double sum = 0;

	for (int i = 0; i < f->n; i++)
		sum += (double)f->visits[i];
	s->n = movegen_list(b, legal);
	if (!(sum > 0) || s->n == 0)
		return false;
	struct policy_target *t = xcalloc((size_t)s->n, sizeof(*t));
	s->targets = t;
	for (int i = 0, k = 0; i < s->n; i++) {
		t[i].move = legal[i];
		/* they are mostly in the order of movegen_list() */
		for (int j = 0; j < f->n; j++, k++)
			if (f->moves[k % f->n] == legal[i]) {
				t[i].share = (uint16_t)lround(POLICY_SHARES *
				    (double)f->visits[k % f->n] / sum);
				break;
			}
	}
	return true;
}

int
policy_window_add(struct policy_window *w, const struct game *g,
    const struct policy_found *found)
{
	struct board b = g->start;
	struct undo u;
	int plies = g->line.plies, added = 0;
	double *returns = xcalloc((size_t)plies + 1, sizeof(*returns));
	struct policy_set *s = set_of(w, &g->rules);

	for (int i = 0; i < plies; i++)
		returns[i] = (double)found[i].points;
	positions_returns(returns, plies, 0.5 + g->value / 200.0, g->start.side, w->g);
	for (int i = 0; i < plies; i++) {
		struct policy_sample sample = { .n = 0 };
		if (found[i].n > 0 && fill_targets(&sample, &b, &found[i])) {
			position_pack(&sample.position, &b, returns[i],
			    g->result == RESULT_DRAW);
			add_sample(w, s, &sample);
			added++;
		}
		board_make(&b, g->line.moves[i], &u);
	}
	free(returns);
	return added;
}

/* ---- from search data ---- */

/* The search results of all plies of a game, in memory that grows. */
struct gathered {
	struct policy_found *found;
	move *moves;
	float *visits;
	size_t n, room;
};

static void
gather_move(struct gathered *t, struct policy_found *f, move m, double visits)
{
	if (t->n == t->room) {
		t->room = 2 * t->room + MOVES_MAX;
		t->moves = xreallocarray(t->moves, t->room, sizeof(*t->moves));
		t->visits = xreallocarray(t->visits, t->room, sizeof(*t->visits));
	}
	t->moves[t->n] = m;
	t->visits[t->n++] = (float)visits;
	f->n++;
}

/* -1 when a move is not legal. */
static int
gather(struct gathered *t, int ply, const struct board *b, const struct searchdata_ply *p,
    move played)
{
	struct policy_found *f = &t->found[ply];
	double sum = 0;

	*f = (struct policy_found){ NAN, 0, NULL, NULL };
	if (!p->known)
		return 0;
	f->points = (float)(p->value + 1) / 2;
	for (int i = 0; i < p->n && !p->scored; i++) {
		const struct searchdata_move *m = &p->moves[i];
		move found = move_parse(b, m->name, strlen(m->name));
		double visits = m->improved >= 0 ? m->improved : m->visits;
		if (found == 0)
			return -1;
		gather_move(t, f, found, visits);
		sum += visits;
	}
	if (sum == 0)
		gather_move(t, f, played, 1);
	return 0;
}

static int
gather_all(struct gathered *t, const struct game *g, int *ply)
{
	struct searchdata data;
	struct searchdata_ply *p = xmalloc(sizeof(*p)); /* large */
	struct board b = g->start;
	struct undo u;
	int more;

	searchdata_start(&data, game_text(g, g->search), g->search.len);
	for (*ply = 0; (more = searchdata_next(&data, p)) == 1; ++*ply) {
		if (*ply == g->line.plies ||
		    gather(t, *ply, &b, p, g->line.moves[*ply]) == -1) {
			more = -1;
			break;
		}
		board_make(&b, g->line.moves[*ply], &u);
	}
	free(p);
	return more;
}

int
policy_window_add_data(struct policy_window *w, const struct game *g,
    char reason[GAME_REASON_MAX])
{
	struct gathered t = { 0 };
	int ply, added = -1;

	if (g->search.len == 0 || g->result == RESULT_NONE)
		return 0;
	t.found = xcalloc((size_t)g->line.plies + 1, sizeof(*t.found));
	for (int i = 0; i < g->line.plies; i++)
		t.found[i].points = NAN;
	if (gather_all(&t, g, &ply) == -1) {
		snprintf(reason, GAME_REASON_MAX, "ply %d: malformed search data",
		    ply + 1);
	} else {
		size_t at = 0; /* the arrays no longer move */
		for (int i = 0; i < g->line.plies; i++) {
			t.found[i].moves = t.moves + at;
			t.found[i].visits = t.visits + at;
			at += (size_t)t.found[i].n;
		}
		added = policy_window_add(w, g, t.found);
	}
	free(t.found);
	free(t.moves);
	free(t.visits);
	return added;
}
