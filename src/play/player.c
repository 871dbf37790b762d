#include "player.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "search/mover.h"

static const char engine_prefix[] = "uci:";
enum { PREFIX = sizeof(engine_prefix) - 1 };

void
player_warn_fields(const struct net *n, const char *spec, const struct rules *r)
{
	char fields[400];

	if (net_unknown_fields(n, r, fields, sizeof(fields)) > 0)
		warnx("the net %s was not trained on %s: it plays by the rules, "
		      "but judges as if they were those of chess",
		    spec, fields);
}

struct net *
player_read_net(const char *option, const char *spec, const struct net_options *o,
    const struct rules *r)
{
	char reason[NET_REASON_MAX];
	struct net *n = net_open(spec, o, reason);

	if (n == NULL)
		errx(EXIT_USAGE, "%s %s: %s", option, spec, reason);
	player_warn_fields(n, spec, r);
	return n;
}

int
player_open_net(struct player *p, const struct player *other, const struct rules *r,
    char reason[PLAYER_REASON_MAX])
{
	p->kind = PLAYER_NET;
	p->thinking.thinker.spec = p->spec;
	p->thinking.thinker.few_nodes =
	    p->thinking.limits.nodes > 0 && p->thinking.limits.nodes <= FEW_NODES;
	p->shares = other != NULL && other->thinker != NULL &&
	    strcmp(p->spec, other->spec) == 0 &&
	    thinking_alike(&p->thinking, &other->thinking);
	p->thinker = p->shares ? other->thinker : xcalloc(1, sizeof(*p->thinker));
	if (!p->shares &&
	    thinker_open(p->thinker, &p->thinking.thinker, r, reason) == -1) {
		free(p->thinker);
		p->thinker = NULL;
		return -1;
	}
	snprintf(p->identity, sizeof(p->identity), "%s", p->thinker->net->hash);
	if (!p->shares)
		player_warn_fields(p->thinker->net, p->spec, r);
	return 0;
}

int
player_open(struct player *p, const struct player *other, const struct rules *r,
    char reason[PLAYER_REASON_MAX])
{
	p->thinker = NULL;
	p->shares = false;
	p->identity[0] = '\0';
	p->kind = strcmp(p->spec, "random") == 0           ? PLAYER_RANDOM
	    : strcmp(p->spec, "greedy") == 0               ? PLAYER_GREEDY
	    : strncmp(p->spec, engine_prefix, PREFIX) == 0 ? PLAYER_ENGINE
							   : PLAYER_NET;
	return p->kind == PLAYER_NET ? player_open_net(p, other, r, reason) : 0;
}

void
player_close(struct player *p)
{
	if (p->thinker == NULL || p->shares)
		return;
	thinker_close(p->thinker);
	free(p->thinker);
}

bool
player_thinks(const struct player *p)
{
	return p->kind == PLAYER_NET || p->kind == PLAYER_ENGINE;
}

bool
player_waits(const struct player *p)
{
	return p->kind == PLAYER_NET && thinker_waits(p->thinker);
}

bool
player_computes(const struct player *p)
{
	return p->kind == PLAYER_NET && !thinker_waits(p->thinker);
}

void
player_describe(const struct player *p, struct text *to)
{
	if (p->kind == PLAYER_NET) {
		struct thinking t = { p->thinker->options, p->thinking.limits };
		options_describe(&t, p->thinker->ops, to);
		return;
	}
	text_add_format(to, "%s\n", p->spec);
	for (int i = 0; i < p->nsettings; i++)
		text_add_format(to, "%s\n", p->settings[i]);
	if (p->kind == PLAYER_ENGINE)
		text_add_format(to, "%llu %d %.17g %.17g\n",
		    (unsigned long long)p->thinking.limits.nodes,
		    p->thinking.limits.depth, p->thinking.limits.seconds,
		    p->thinking.limits.cpu_seconds);
}

/* ---- seats ---- */

/* NAME=VALUE, or NAME alone for a button. */
static int
set_option(struct engine *e, const char *setting, char *reason)
{
	char *name = xstrdup(setting), *value;

	if ((value = strchr(name, '=')) != NULL)
		*value++ = '\0';
	int result = engine_set(e, name, value, reason);
	free(name);
	return result;
}

/* Do the caller's settings say which rules it plays? */
static bool
says_variant(const struct player *p)
{
	static const char name[] = "UCI_Variant=";

	for (int i = 0; i < p->nsettings; i++)
		if (strncasecmp(p->settings[i], name, sizeof(name) - 1) == 0)
			return true;
	return false;
}

static int
set_up_engine(struct engine *e, struct player *p, char *reason)
{
	if (engine_start(e, p->spec + PREFIX, p->timeout, reason) == -1)
		return -1;
	snprintf(p->identity, sizeof(p->identity), "%s", e->name);
	if (p->tell_rules != NULL && !says_variant(p) && p->tell_rules(e, reason) == -1)
		return -1;
	for (int i = 0; i < p->nsettings; i++)
		if (set_option(e, p->settings[i], reason) == -1)
			return -1;
	return 0;
}

int
seat_init(struct seat *s, struct player *p, struct thinker *t,
    char reason[PLAYER_REASON_MAX])
{
	memset(s, 0, sizeof(*s));
	s->player = p;
	if (p->kind == PLAYER_NET)
		s->searcher = searcher_new(t);
	if (p->kind == PLAYER_NET && s->searcher == NULL)
		memory_out();
	return p->kind == PLAYER_ENGINE ? set_up_engine(&s->engine, p, reason) : 0;
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
		searcher_release(s->searcher);
	if (s->player->kind == PLAYER_ENGINE)
		engine_release(&s->engine);
}

int
seat_begin(struct seat *s, char reason[PLAYER_REASON_MAX])
{
	s->thinking = false;
	s->debt = 0;
	if (s->player->kind == PLAYER_NET)
		searcher_forget(s->searcher);
	return s->player->kind == PLAYER_ENGINE ? engine_begin(&s->engine, reason) : 0;
}

/* ---- moves ---- */

/* The limits of a move. Searches overrun their CPU time a little; the excess is
 * subtracted from the next moves, which keep at least a quarter. */
static struct limits
limit_move(const struct seat *s)
{
	struct limits l = s->player->thinking.limits;

	if (l.cpu_seconds > 0)
		l.cpu_seconds = fmax(l.cpu_seconds - s->debt, l.cpu_seconds / 4);
	return l;
}

static void
account(struct seat *s, double cpu_seconds)
{
	s->moves++;
	s->cpu_seconds += cpu_seconds;
	s->debt = fmax(s->debt + cpu_seconds - s->player->thinking.limits.cpu_seconds, 0);
}

static uint64_t
vary_nodes(uint64_t nodes, const struct seat_view *v)
{
	double n = (double)nodes * (1 + v->vary * (2 * rng_double(v->rng) - 1));

	return nodes == 0 ? 0 : n < 1 ? 1 : (uint64_t)n;
}

static void
begin_search(struct seat *s, const struct seat_view *v)
{
	struct searcher_task task = { .board = v->board,
		.keys = v->line->keys,
		.plies = v->line->plies,
		.rng = v->rng,
		.sampled = v->sampled,
		.limits = limit_move(s) };

	if (v->vary > 0)
		task.limits.nodes = vary_nodes(task.limits.nodes, v);
	searcher_begin(s->searcher, &task);
	if (*v->stopped) /* perhaps before the search began */
		searcher_stop(s->searcher);
	s->thinking = true;
}

static int
find_net_move(struct seat *s, const struct seat_view *v, move *m, struct found *f)
{
	enum searcher_state state;

	if (!s->thinking)
		begin_search(s, v);
	do {
		state = searcher_step(s->searcher);
	} while (state == SEARCHER_WORKING);
	s->waits_for_net = state == SEARCHER_WAITS;
	if (s->waits_for_net)
		return 0;
	account(s, searcher_cpu_seconds(s->searcher));
	searcher_result(s->searcher, f);
	s->searcher->thinker->searched += f->fresh;
	*m = searcher_choose(f, v->sampled, v->rng);
	return 1;
}

static int
find_engine_move(struct seat *s, const struct seat_view *v, move *m, char *reason)
{
	struct limits l = limit_move(s);

	if (!s->thinking &&
	    engine_go(&s->engine, v->board->rules, v->start, v->line, &l, reason) == -1)
		return -1;
	s->thinking = true;
	int got = engine_answer(&s->engine, v->board, m, reason);
	if (got == 1)
		account(s, engine_cpu_seconds(&s->engine));
	return got;
}

int
seat_find_move(struct seat *s, const struct seat_view *v, move *m, struct found *f,
    char reason[PLAYER_REASON_MAX])
{
	f->n = 0;
	switch (s->player->kind) {
	case PLAYER_RANDOM:
		*m = mover_random(v->board, v->rng);
		return 1;
	case PLAYER_GREEDY:
		*m = mover_greedy(v->board, v->rng);
		return 1;
	case PLAYER_NET:
		return find_net_move(s, v, m, f);
	default:
		return find_engine_move(s, v, m, reason);
	}
}

void
seat_follow(struct seat *s, move m)
{
	s->thinking = false;
	if (s->player->kind == PLAYER_NET)
		searcher_advance(s->searcher, m);
}
