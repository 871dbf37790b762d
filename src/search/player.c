#include "player.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/progress.h"
#include "mover.h"

static const char engine_prefix[] = "uci:";
enum { PREFIX = sizeof(engine_prefix) - 1 };

static int
open_net(struct player *p, const struct net_options *o, int batch,
    size_t cache_size, char *reason)
{
	p->net = net_open(p->spec, o, reason);
	if (p->net == NULL)
		return -1;
	p->pool = malloc(sizeof(*p->pool));
	if (p->pool == NULL)
		err(EXIT_LOST, NULL);
	pool_init(p->pool, p->net, batch, cache_size);
	return 0;
}

int
player_open(struct player *p, struct player *other,
    const struct net_options *o, int batch, size_t cache_size,
    char reason[PLAYER_REASON_MAX])
{
	p->net = NULL;
	p->pool = NULL;
	p->shares = false;
	p->identity[0] = '\0';
	p->kind = strcmp(p->spec, "random") == 0 ? PLAYER_RANDOM :
	    strcmp(p->spec, "greedy") == 0 ? PLAYER_GREEDY :
	    strncmp(p->spec, engine_prefix, PREFIX) == 0 ? PLAYER_ENGINE :
	    PLAYER_NET;
	if (p->kind != PLAYER_NET)
		return 0;
	if (other != NULL && strcmp(other->spec, p->spec) == 0) {
		p->net = other->net;
		p->pool = other->pool;
		p->shares = true;
	} else if (open_net(p, o, batch, cache_size, reason) == -1) {
		return -1;
	}
	snprintf(p->identity, sizeof(p->identity), "%s", p->net->hash);
	return 0;
}

void
player_close(struct player *p)
{
	if (p->net == NULL || p->shares)
		return;
	net_close(p->net);
	pool_release(p->pool);
	free(p->pool);
}

bool
player_thinks(const struct player *p)
{
	return p->kind == PLAYER_NET || p->kind == PLAYER_ENGINE;
}

/* ---- seats ---- */

/* NAME=VALUE, or NAME alone for a button. */
static int
set_option(struct engine *e, const char *setting, char *reason)
{
	char *name = strdup(setting), *value;

	if (name == NULL)
		err(EXIT_LOST, NULL);
	if ((value = strchr(name, '=')) != NULL)
		*value++ = '\0';
	int result = engine_set(e, name, value, reason);
	free(name);
	return result;
}

static int
set_up_engine(struct engine *e, struct player *p, char *reason)
{
	if (engine_start(e, p->spec + PREFIX, p->timeout, reason) == -1)
		return -1;
	snprintf(p->identity, sizeof(p->identity), "%s", e->name);
	if (p->tell_rules != NULL && p->tell_rules(e, reason) == -1)
		return -1;
	for (int i = 0; i < p->nsettings; i++)
		if (set_option(e, p->settings[i], reason) == -1)
			return -1;
	return 0;
}

int
seat_init(struct seat *s, struct player *p, char reason[PLAYER_REASON_MAX])
{
	struct search_options o = p->search;

	memset(s, 0, sizeof(*s));
	s->player = p;
	if (p->kind == PLAYER_NET) {
		o.sims = p->movetime > 0 ? 0 : p->sims;
		search_init(&s->search, &o);
	}
	return p->kind == PLAYER_ENGINE ?
	    set_up_engine(&s->engine, p, reason) : 0;
}

void
seat_dismiss(struct seat *s)
{
	if (s->player->kind == PLAYER_ENGINE)
		engine_dismiss(&s->engine);
}

void
seat_release(struct seat *s)
{
	if (s->player->kind == PLAYER_NET)
		search_release(&s->search);
	if (s->player->kind == PLAYER_ENGINE)
		engine_release(&s->engine);
}

int
seat_begin(struct seat *s, char reason[PLAYER_REASON_MAX])
{
	s->thinking = false;
	if (s->player->kind == PLAYER_NET)
		search_forget(&s->search);
	return s->player->kind == PLAYER_ENGINE ?
	    engine_begin(&s->engine, reason) : 0;
}

static int
find_net_move(struct seat *s, const struct seat_view *v, move *m)
{
	const struct player *p = s->player;
	struct search *search = &s->search;
	int n;

	if (!s->thinking) {
		s->deadline = clock_seconds() + p->movetime;
		search_begin(search, v->board, v->line->keys, v->line->plies,
		    v->rng, false);
		s->thinking = true;
	}
	if (p->movetime > 0 && clock_seconds() >= s->deadline &&
	    search->tree.nodes[0].visits > 1)
		search_stop(search);
	else if (pool_ask(p->pool, search) > 0)
		return 0;
	int choice = search_choose(search, false);
	*m = search_moves(search, &n)[choice].move;
	return 1;
}

static int
find_engine_move(struct seat *s, const struct seat_view *v, move *m,
    char *reason)
{
	const struct player *p = s->player;

	if (!s->thinking && engine_go(&s->engine, v->start, v->line, p->sims,
	    p->movetime, reason) == -1)
		return -1;
	s->thinking = true;
	return engine_answer(&s->engine, v->board, m, reason);
}

int
seat_find_move(struct seat *s, const struct seat_view *v, move *m,
    char reason[PLAYER_REASON_MAX])
{
	switch (s->player->kind) {
	case PLAYER_RANDOM:
		*m = mover_random(v->board, v->rng);
		return 1;
	case PLAYER_GREEDY:
		*m = mover_greedy(v->board, v->rng);
		return 1;
	case PLAYER_NET:
		return find_net_move(s, v, m);
	default:
		return find_engine_move(s, v, m, reason);
	}
}

void
seat_follow(struct seat *s, move m)
{
	int n;

	s->thinking = false;
	if (s->player->kind != PLAYER_NET)
		return;
	const struct node *child = search_moves(&s->search, &n);
	for (int i = 0; i < n; i++) {
		if (child[i].move != m)
			continue;
		search_advance(&s->search, i);
		return;
	}
	search_forget(&s->search);
}
