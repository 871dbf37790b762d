#include "nettrain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chess/movegen.h"
#include "data/packed.h"
#include "data/searchdata.h"
#include "net/net.h"
#include "netexport.h"

/* PROVEN_SCORE: beyond it an end is proven. FACTOR_GAMES: the factor of logits is that of
 * about so many games, or of a file's, if it has more. */
enum {
	HELD_PLAYER = 40000,
	HELD_PRIOR = 10000,
	PROVEN_SCORE = 2000,
	FACTOR_GAMES = 1000
};

const struct training_options nettrain_player = {
	.hidden = 256,
	.batch = 8192,
	.threads = 1,
	.holdout = 50,
	.every = 100,
	.warmup = 100,
	.passes = 3,
	.rate = 0.0006,
	.final_rate = 0.00004,
	.value_rate = 1,
	.lambda = 0.7,
	.window = 3000000,
};

const struct training_options nettrain_prior = {
	.hidden = 256,
	.batch = 2048,
	.threads = 1,
	.holdout = 50,
	.every = 100,
	.warmup = 30,
	.passes = 4,
	.rate = 0.001,
	.final_rate = 0.0003,
	.value_rate = 1,
	.lambda = 0.88,
	.window = 100000,
};

/* The net of an option's file; NULL with a reason. */
static struct net *
open_sparse(const char *option, const char *file, char reason[REASON_MAX])
{
	char why[NET_REASON_MAX] = "not a sparse net";
	struct net *net = net_open(file, NULL, why);

	if (net != NULL && net->sparse != NULL)
		return net;
	net_close(net);
	refuse(reason, "%s %s: %s", option, file, why);
	return NULL;
}

/* Opens the net of --keep or --blend, which has to be of the same size: 0, or -1 with a
 * reason. */
static int
open_beside(struct net **to, const struct nettrain *t, const char *option,
    const char *file, char reason[REASON_MAX])
{
	int hidden = t->from != NULL ? t->from->sparse->hidden : t->options.hidden;

	if (file == NULL)
		return 0;
	struct net *net = open_sparse(option, file, reason);
	if (net == NULL)
		return -1;
	*to = net;
	return net->sparse->hidden == hidden
	    ? 0
	    : refuse(reason, "%s %s: it has %d hidden units, the net %d", option, file,
		  net->sparse->hidden, hidden);
}

int
nettrain_init(struct nettrain *t, const struct training_options *o, bool policy,
    const char *from, char reason[REASON_MAX])
{
	memset(t, 0, sizeof(*t));
	t->options = *o;
	if (from != NULL) {
		t->from = open_sparse("--checkpoint", from, reason);
		if (t->from == NULL)
			return -1;
		if (!policy || sparse_has_policy(t->from->sparse))
			t->steps = t->from->steps;
		text_add_string(&t->rules, t->from->rules);
	}
	if (open_beside(&t->kept, t, "--keep", o->keep, reason) == -1 ||
	    open_beside(&t->blended, t, "--blend", o->blend, reason) == -1) {
		net_close(t->from);
		net_close(t->kept);
		net_close(t->blended);
		return -1;
	}
	if (threadpool_init(&t->pool, o->threads) == -1)
		memory_out();
	positions_init(&t->learnt, o->window, policy);
	positions_init(&t->held, policy ? HELD_PRIOR : HELD_PLAYER, policy);
	return 0;
}

void
nettrain_release(struct nettrain *t)
{
	net_model_release(&t->model);
	threadpool_release(&t->pool);
	positions_release(&t->learnt);
	positions_release(&t->held);
	text_release(&t->rules);
	for (size_t i = 0; i < t->nscales; i++)
		free(t->scales[i]);
	free(t->scales);
	free(t->plies);
	free(t->games);
	net_close(t->from);
	net_close(t->kept);
	net_close(t->blended);
}

/* ---- games ---- */

void
nettrain_want(const struct nettrain *t, struct games *reader)
{
	if (t->learnt.policy)
		reader->options.search = true;
	games_want_scores(reader);
}

/* Adds the name of a rule set that is not in the list yet. */
static void
name_rules(struct text *list, const struct rules *r)
{
	char name[RULES_TEXT_MAX];
	const char *at = list->s;
	size_t n;

	rules_label(r, name);
	n = strlen(name);
	while (list->len > 0 && (at = strstr(at, name)) != NULL) {
		if ((at == list->s || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
			return;
		at += n;
	}
	if (list->len + n > 400) /* a few names are enough */
		return;
	text_add_format(list, "%s%s", list->len == 0 ? "" : ",", name);
}

/* A quiet position without check can be evaluated statically. A proven end is found
 * by search and needs no net. */
static bool
is_worth_learning(const struct board *b, move m, int score)
{
	return abs(score) < PROVEN_SCORE && b->square[move_to(m)] == 0 &&
	    !move_is_promotion(m) && !move_is_ep(m) && board_checkers(b) == 0;
}

static struct nettrain_ply *
new_ply(struct nettrain *t)
{
	if (t->nplies == t->ply_room) {
		t->ply_room = 2 * t->ply_room + 65536;
		t->plies = xreallocarray(t->plies, t->ply_room, sizeof(*t->plies));
	}
	return &t->plies[t->nplies++];
}

static struct nettrain_game *
new_game(struct nettrain *t)
{
	if (t->ngames == t->game_room) {
		t->game_room = 2 * t->game_room + 1024;
		t->games = xreallocarray(t->games, t->game_room, sizeof(*t->games));
	}
	return &t->games[t->ngames++];
}

/* Room for all logits that a score may have. */
static int
bin_of(int score)
{
	int i = score * (NETTRAIN_BINS / 2) / (10 * PACKED_UNIT) + NETTRAIN_BINS / 2;

	return i < 0 ? 0 : i >= NETTRAIN_BINS ? NETTRAIN_BINS - 1 : i;
}

static double
logit_of(int bin)
{
	return (bin - NETTRAIN_BINS / 2) * 10.0 / (NETTRAIN_BINS / 2);
}

static void
count_score(struct nettrain_scale *scale, int16_t score, double points)
{
	scale->counts[bin_of(score)]++;
	scale->points[bin_of(score)] += points;
}

static void
add_ply(struct nettrain *t, const struct board *b, move m, int16_t score, bool drawn)
{
	struct nettrain_ply *p = new_ply(t);

	position_pack(&p->position, b);
	p->position.drawn = drawn;
	p->score = score;
	p->visits = (struct position_visits){ NULL, 0 };
	p->kept = score != PACKED_NO_SCORE && is_worth_learning(b, m, score);
}

/* ---- visits ---- */

/* The moves of a search and their visits. */
struct found {
	move moves[MOVES_MAX];
	float visits[MOVES_MAX];
	int n;
};

static void
add_found(struct found *f, move m, double visits)
{
	if (f->n == MOVES_MAX)
		return;
	f->moves[f->n] = m;
	f->visits[f->n++] = (float)visits;
}

/* Those of a ply; where there is a value but no visits, the move that was played
 * counts as the only one. -1 if a move is not legal. */
static int
read_visits(struct found *f, const struct board *b, const struct searchdata_ply *p,
    move played)
{
	double sum = 0;

	f->n = 0;
	for (int i = 0; i < p->n && p->known && !p->scored; i++) {
		const struct searchdata_move *m = &p->moves[i];
		move found = move_parse(b, m->name, strlen(m->name));
		double visits = m->improved >= 0 ? m->improved : m->visits;
		if (found == 0)
			return -1;
		add_found(f, found, visits);
		sum += visits;
	}
	if (p->known && sum == 0)
		add_found(f, played, 1);
	return 0;
}

/* Without search data, moves that were searched count as the only ones visited. */
static void
add_played(struct nettrain *t, const struct game *g, size_t first)
{
	const float one = 1;
	struct board b = g->start;
	struct undo u;

	for (int i = 0; i < g->line.plies; i++) {
		struct nettrain_ply *to = &t->plies[first + (size_t)i];
		if (to->score != PACKED_NO_SCORE)
			to->visits = position_share(&b, &g->line.moves[i], &one, 1);
		to->kept = to->visits.n > 0;
		board_make(&b, g->line.moves[i], &u);
	}
}

/* Gives the plies of the last game, from `first` on, their visits; those without are
 * not kept, and all that have some are. -1 with a reason. */
static int
add_visits(struct nettrain *t, const struct game *g, size_t first,
    char reason[GAME_REASON_MAX])
{
	struct searchdata data;
	struct searchdata_ply *p = xmalloc(sizeof(*p)); /* large */
	struct found *f = xmalloc(sizeof(*f));
	struct board b = g->start;
	struct undo u;
	int more, i = 0;

	for (size_t k = first; k < t->nplies; k++)
		t->plies[k].kept = false;
	searchdata_start(&data, game_text(g, g->search), g->search.len);
	for (; (more = searchdata_next(&data, p)) == 1; i++) {
		if (i == g->line.plies || read_visits(f, &b, p, g->line.moves[i]) == -1) {
			more = -1;
			break;
		}
		struct nettrain_ply *to = &t->plies[first + (size_t)i];
		to->visits = position_share(&b, f->moves, f->visits, f->n);
		to->kept = to->visits.n > 0;
		board_make(&b, g->line.moves[i], &u);
	}
	free(p);
	free(f);
	if (more == -1)
		snprintf(reason, GAME_REASON_MAX, "ply %d: malformed search data", i + 1);
	return more;
}

static void
drop_plies(struct nettrain *t, size_t first)
{
	for (size_t i = first; i < t->nplies; i++)
		free((void *)(uintptr_t)t->plies[i].visits.moves);
	t->nplies = first;
}

/* The scores of a rule set's games. */
static struct nettrain_scale *
scale_of(struct nettrain *t, const struct rules *r)
{
	const struct position_set *set = positions_of(&t->learnt, r);

	for (size_t i = 0; i < t->nscales; i++)
		if (t->scales[i]->set == set)
			return t->scales[i];
	t->scales =
	    xreallocarray(t->scales, t->nscales + 1, sizeof(struct nettrain_scale *));
	struct nettrain_scale *scale = xcalloc(1, sizeof(*scale));
	scale->set = set;
	return t->scales[t->nscales++] = scale;
}

static void
add_scores(struct nettrain *t, struct nettrain_scale *scale, const struct game *g,
    const int16_t *scores, double result)
{
	for (int i = 0; i < g->line.plies; i++) {
		double points = (g->start.side ^ (i & 1)) == WHITE ? result : 1 - result;
		if (scores[i] == PACKED_NO_SCORE)
			continue;
		count_score(scale, scores[i], points);
		count_score(&t->all, scores[i], points);
	}
	scale->games++;
	scale->waiting++;
	t->all.games++;
	t->all.waiting++;
}

int
nettrain_add(struct nettrain *t, const struct games *reader, char reason[GAME_REASON_MAX])
{
	const struct game *g = &reader->game;
	struct board b = g->start;
	struct undo u;
	size_t first = t->nplies;
	double result = 0.5 + g->value / 200.0;
	struct nettrain_scale *scale;

	if (g->result == RESULT_NONE)
		return 0;
	for (int i = 0; i < g->line.plies; i++) {
		add_ply(t, &b, g->line.moves[i], reader->scores[i],
		    g->result == RESULT_DRAW);
		board_make(&b, g->line.moves[i], &u);
	}
	if (t->learnt.policy && g->search.len == 0)
		add_played(t, g, first);
	else if (t->learnt.policy && add_visits(t, g, first, reason) == -1) {
		drop_plies(t, first);
		return -1;
	}
	scale = scale_of(t, &g->rules);
	add_scores(t, scale, g, reader->scores, result);
	struct positions *to = training_holds(&t->options, g) ? &t->held : &t->learnt;
	struct position_set *set = positions_of(to, &g->rules);
	if (to == &t->learnt && set->seen == 0)
		name_rules(&t->rules, &set->rules);
	*new_game(t) = (struct nettrain_game){ to, set, scale, g->line.plies,
		g->start.side, result };
	return 0;
}

/* ---- from games to the window ---- */

/* The factor of logits with the highest likelihood, by Newton's method. */
static double
fit_factor(const double *counts, const double *points)
{
	double k = 1;

	for (int round = 0; round < 50; round++) {
		double slope = 0, curve = 1e-9;
		for (int i = 0; i < NETTRAIN_BINS; i++) {
			double x = logit_of(i), p = 1 / (1 + exp(-k * x));
			slope += x * (points[i] - counts[i] * p);
			curve += x * x * counts[i] * p * (1 - p);
		}
		k += fmin(fmax(slope / curve, -0.3), 0.3);
		k = fmin(fmax(k, 0.3), 5);
	}
	return k;
}

/* The positions of a game, its scores corrected. */
static void
add_game(struct nettrain *t, const struct nettrain_game *g, struct nettrain_ply *plies,
    double *returns)
{
	double factor = g->scale->factor;

	for (int i = 0; i < g->plies; i++)
		returns[i] = plies[i].score == PACKED_NO_SCORE
		    ? NAN
		    : 1 / (1 + exp(-factor * plies[i].score / PACKED_UNIT));
	positions_returns(returns, g->plies, g->result, g->first_side, t->options.lambda,
	    t->options.result_share);
	for (int i = 0; i < g->plies; i++) {
		if (!plies[i].kept)
			continue;
		plies[i].position.target = (uint16_t)lround(returns[i] * 65535);
		position_add(g->to, g->set, &plies[i].position, &plies[i].visits);
	}
}

/* A few games would give the next factor a large error, so that of several files is
 * estimated together. */
static void
forget_scores(struct nettrain_scale *scale)
{
	double share = 1 - fmin((double)scale->waiting / FACTOR_GAMES, 1);

	for (int i = 0; i < NETTRAIN_BINS; i++) {
		scale->counts[i] *= share;
		scale->points[i] *= share;
	}
	scale->games *= share;
	scale->waiting = 0;
}

/* The factor of a rule set's scores; games of others stand in for those that it lacks. */
static double
find_factor(const struct nettrain *t, const struct nettrain_scale *own)
{
	const struct nettrain_scale *all = &t->all;
	double lacking = fmax(FACTOR_GAMES - own->games, 0) / fmax(all->games, 1);
	double counts[NETTRAIN_BINS], points[NETTRAIN_BINS];

	for (int i = 0; i < NETTRAIN_BINS; i++) {
		counts[i] = own->counts[i] + lacking * all->counts[i];
		points[i] = own->points[i] + lacking * all->points[i];
	}
	return fit_factor(counts, points);
}

void
nettrain_end_file(struct nettrain *t)
{
	double *returns = xmalloc((GAME_PLIES_MAX + 1) * sizeof(*returns));
	struct nettrain_ply *at = t->plies;

	for (size_t i = 0; i < t->nscales; i++)
		if (t->scales[i]->waiting > 0)
			t->scales[i]->factor = find_factor(t, t->scales[i]);
	for (size_t i = 0; i < t->ngames; i++) {
		add_game(t, &t->games[i], at, returns);
		at += t->games[i].plies;
	}
	free(returns);
	for (size_t i = 0; i < t->nscales; i++)
		forget_scores(t->scales[i]);
	forget_scores(&t->all);
	t->nplies = t->ngames = 0;
}

bool
nettrain_has_positions(const struct nettrain *t)
{
	return positions_count(&t->learnt) > 0 ||
	    (t->options.counted && t->options.steps == 0 &&
		(positions_count(&t->held) > 0 || t->from != NULL));
}

/* ---- steps ---- */

static int
take_step(void *training, double rate)
{
	struct nettrain *t = training;
	struct rng r;

	rng_init(&r, t->options.seed, t->steps++);
	struct net_loss l = net_model_step(&t->model, &t->learnt, &r, rate, &t->pool);
	net_loss_add(&t->loss, &l, 1);
	return 0;
}

static int
write_row(struct nettrain *t, const char *kind, const struct net_loss *l, double rate,
    double speed)
{
	struct table *table = t->table;

	table_string(table, "kind", kind);
	table_count(table, "step", t->steps);
	table_count(table, "positions", positions_count(&t->learnt));
	if (t->learnt.policy) {
		table_number(table, "policy_loss", l->policy);
		table_number(table, "target_entropy", l->entropy);
	}
	table_number(table, "value_loss", l->value);
	if (t->learnt.policy) {
		table_number(table, "first_choice", l->first);
		table_number(table, "first_three", l->third);
	}
	table_number(table, "rate", rate);
	table_number(table, "positions_per_second", speed);
	return training_end_row(table);
}

static int
write_learnt(void *training, double n, double rate, double speed)
{
	struct nettrain *t = training;
	struct net_loss mean = { 0 };

	net_loss_add(&mean, &t->loss, 1 / n);
	t->loss = (struct net_loss){ 0 };
	return write_row(t, "learnt", &mean, rate, speed);
}

/* The losses on held-out games, with the same weight for every rule set. */
static int
measure_held(struct nettrain *t)
{
	struct net_loss mean = { 0 };
	int n = 0;

	for (int i = 0; i < t->held.nsets; i++)
		n += t->held.sets[i]->n > 0;
	for (int i = 0; i < t->held.nsets; i++) {
		const struct position_set *s = t->held.sets[i];
		struct net_loss sum = { 0 };
		if (s->n == 0)
			continue;
		net_model_test(&t->model, s, &sum);
		net_loss_add(&mean, &sum, 1 / ((double)s->n * n));
	}
	return n > 0 ? write_row(t, "held-out", &mean, NAN, NAN) : 0;
}

int
nettrain_learn(struct nettrain *t, struct table *table, const struct cli *cli)
{
	const struct training_options *o = &t->options;
	const struct training_loop loop = { t, take_step, write_learnt };
	double all = (double)positions_count(&t->learnt);
	uint64_t steps =
	    o->counted ? o->steps : (uint64_t)(o->passes * all / o->batch) + 1;

	t->table = table;
	if (net_model_init(&t->model, o->hidden, t->from != NULL ? t->from->sparse : NULL,
		&t->learnt, o->seed, o->batch) == -1)
		memory_out();
	t->model.value_rate = (float)o->value_rate;
	if (t->kept != NULL)
		net_model_keep(&t->model, t->kept->sparse);
	if (training_run(&loop, o, steps, cli) == -1)
		return -1;
	if (t->blended != NULL &&
	    net_model_blend(&t->model, t->blended->sparse, (float)o->blend_share) == -1)
		memory_out();
	if (steps > 0 || t->blended != NULL)
		net_model_round(&t->model);
	return measure_held(t);
}

int
nettrain_export(struct nettrain *t, struct text *file)
{
	return net_export(&t->model.average, t->rules.len > 0 ? t->rules.s : "", t->steps,
	    file);
}
