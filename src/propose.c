/*
 * propose: which rule sets to play next, given aims and what was measured so far.
 *
 * A surrogate of each measure, learnt from all rule sets measured, predicts those
 * that were not. What to play is chosen by the expected improvement on the best.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/records.h"
#include "base/table.h"
#include "chess/ruledraw.h"
#include "data/aims.h"
#include "data/game.h"
#include "data/measured.h"
#include "net/rulespace.h"
#include "stats/elites.h"
#include "stats/goal.h"
#include "stats/surrogate.h"

enum {
	DRAWS = 256,      /* samples of expected improvement */
	RANDOM = 300,     /* candidates drawn at random */
	MUTATIONS = 300,  /* candidates that differ from good rules by some fields */
	PARENTS = 6,      /* best rule sets whose neighbours are candidates */
	SHORT_LIST = 120, /* candidates that are weighed again after each choice */
	AGAIN = 4         /* one proposal of so many plays more games of a rule set */
};

static const char synopsis[] =
    "[-CkRSVz] [-b n] [-F n] [-G games] [-g games] [-o file] [-s seed]\n"
    "               aims [file ...]";
static const char help[] =
    "Reads aims (JSON) and rule sets with their measures (JSONL), and writes which\n"
    "rule sets to play next, as JSONL.\n";

static struct cli cli;
static bool check, rank, at_random;
static int batch = 8, finalists;
static uint64_t games_first = 40, games_most = 640, seed;

static const struct cli_option options[] = {
	CLI_INTEGER('b', "batch", "N", &batch, 1, 1000,
	    "propose N rule sets (default 8)"),
	CLI_FLAG('C', "check", &check, "only check the aims, and write them in full"),
	CLI_INTEGER('F', "finalists", "N", &finalists, 1, 1000,
	    "write the N best and different rule sets instead"),
	CLI_COUNT('G', "most-games", "N", &games_most, 1, 1000000000,
	    "play no rule set more often than this (default 640)"),
	CLI_COUNT('g', "games", "N", &games_first, 1, 1000000000,
	    "games of a rule set at first (default 40)"),
	CLI_HELP,
	CLI_FLAG('k', "rank", &rank, "write all rule sets measured, best first, instead"),
	CLI_OUTPUT_ZST,
	CLI_FLAG('R', "random", &at_random, "propose at random, for comparison"),
	CLI_STRICT("row"),
	CLI_SEED(&seed, "seed (default 0)"),
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
};

/* ---- aims and measures ---- */

static struct aims aims;
static struct goal goals[AIMS_MAX];
/* The measures wanted: those of the aims, in their order, then those of the map. */
static struct measure wanted[MEASURED_MAX];
static int nwanted;
static int map_at[2]; /* of the map, among these */

static struct measured *seen;
static int nseen;

static void
read_aims(const char *path)
{
	static char text[AIMS_FILE_MAX];
	char reason[REASON_MAX];
	size_t have = 0;
	ssize_t n = 1;
	struct zin *z = zin_open(path);

	if (z == NULL)
		err(EXIT_USAGE, "%s", path);
	while (n > 0 && have < sizeof(text)) {
		n = zin_read(z, text + have, sizeof(text) - have);
		have += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		errx(EXIT_USAGE, "%s: %s", path, zin_error(z));
	zin_close(z);
	if (have == sizeof(text))
		errx(EXIT_USAGE, "%s: not a file of aims: it is too long", path);
	if (aims_read(&aims, text, have, reason) == -1)
		errx(EXIT_USAGE, "%s: %s", path, reason);
}

static void
list_wanted(void)
{
	nwanted = aims.n;
	for (int i = 0; i < aims.n; i++) {
		const struct aim *a = &aims.aim[i];
		wanted[i] = a->measure;
		goals[i] = (struct goal){ a->lo, a->hi, a->unit, a->weight };
	}
	for (int i = 0; i < 2; i++) {
		int k = 0;
		while (k < nwanted && strcmp(wanted[k].name, aims.map[i].name) != 0)
			k++;
		if (k == nwanted)
			wanted[nwanted++] = aims.map[i];
		map_at[i] = k;
	}
}

static void
read_measured(char **files)
{
	static struct records records;
	static struct measured m;
	char reason[REASON_MAX];
	const char *s;
	size_t n;

	records_start(&records, &cli, "rule sets", files);
	while (records_next_line(&records, &s, &n)) {
		if (measured_read(&m, s, n, wanted, nwanted, reason) == -1) {
			records_warn_line(&records, s, reason);
			continue;
		}
		seen = xreallocarray(seen, (size_t)nseen + 1, sizeof(*seen));
		seen[nseen++] = m;
		records_count(&records, true);
	}
	records_finish(&records);
}

/* ---- the surrogates ---- */

static struct surrogate models[MEASURED_MAX];
static void
learn_models(void)
{
	int d = rulespace_dimensions();
	double *x = xreallocarray(NULL, (size_t)d, sizeof(*x));

	for (int m = 0; m < nwanted; m++)
		surrogate_init(&models[m], d);
	for (int i = 0; i < nseen; i++) {
		rulespace_point(&seen[i].rules, x);
		for (int m = 0; m < nwanted; m++)
			if (!wanted[m].exact && isfinite(seen[i].at[m]))
				surrogate_add(&models[m], x, seen[i].at[m],
				    measured_error(&seen[i], m));
	}
	for (int m = 0; m < nwanted; m++)
		if (models[m].n > 0)
			surrogate_fit(&models[m]);
	free(x);
}

/* What is expected of a rule set. */
struct outlook {
	double mean[MEASURED_MAX], sd[MEASURED_MAX];
	double loss;        /* expected */
	double chance;      /* to meet all aims */
	double improvement; /* expected, on the best */
};

/* Before anything was measured, anything may be. */
static void
predict(const struct rules *r, const double *x, struct outlook *o)
{
	for (int m = 0; m < nwanted; m++) {
		o->mean[m] = rules_count_changes(r);
		o->sd[m] = 0;
		if (!wanted[m].exact && models[m].n > 0)
			surrogate_predict(&models[m], x, &o->mean[m], &o->sd[m]);
		else if (!wanted[m].exact) {
			o->mean[m] = 0.5;
			o->sd[m] = 1;
		}
		o->mean[m] = fmin(fmax(o->mean[m], 0), wanted[m].highest);
	}
	o->loss = goals_expected(goals, aims.n, o->mean, o->sd);
	o->chance = goals_chance(goals, aims.n, o->mean, o->sd);
	o->improvement = 0;
}

/* ---- candidates ---- */

struct candidate {
	struct rules rules;
	uint64_t hash;
	double *x;
	const char *why;
	int parent; /* index of the rule set that it was made of, or -1 */
	int again;  /* index of a rule set that was measured, or -1 */
	bool taken;
	struct outlook outlook;
};

static struct candidate *candidates;
static int ncandidates;

static bool
is_known(const struct rules *r, uint64_t hash)
{
	for (int i = 0; i < nseen; i++)
		if (rules_equal(&seen[i].rules, r))
			return true;
	for (int i = 0; i < ncandidates; i++)
		if (candidates[i].hash == hash && rules_equal(&candidates[i].rules, r))
			return true;
	return false;
}

static struct candidate *
add_candidate(const struct rules *r, const char *why, int parent)
{
	candidates =
	    xreallocarray(candidates, (size_t)ncandidates + 1, sizeof(*candidates));
	struct candidate *c = &candidates[ncandidates++];
	memset(c, 0, sizeof(*c));
	c->rules = *r;
	c->rules.name[0] = '\0';
	c->hash = rules_hash(r);
	c->why = why;
	c->parent = parent;
	c->again = -1;
	c->outlook.loss = c->outlook.chance = c->outlook.improvement = NAN;
	c->x = xreallocarray(NULL, (size_t)rulespace_dimensions(), sizeof(double));
	rulespace_point(r, c->x);
	return c;
}

/* Adds rules that are allowed and new. */
static void
offer(const struct rules *r, const char *why, int parent)
{
	if (aims_allow(&aims, r) && !is_known(r, rules_hash(r)))
		add_candidate(r, why, parent);
}

static int parent_now; /* of offer_neighbour() */

static void
offer_neighbour(void *context, const struct rules *r)
{
	(void)context;
	offer(r, "neighbour", parent_now);
}

static void
offer_neighbours(const struct rules *r, int parent)
{
	parent_now = parent;
	for (size_t i = 0; i < rules_nfields; i++)
		if (aims.may[i])
			ruledraw_neighbours(r, &rules_fields[i], offer_neighbour, NULL);
}

/* Chess with one to `most` changes. */
static void
offer_random(struct rng *rng, int n)
{
	for (int k = 0; k < n; k++) {
		struct rules r;
		rules_init(&r);
		int changes = 1 + (int)rng_below(rng, (uint32_t)aims.most);
		for (int i = 0; i < changes; i++)
			ruledraw_mutate(&r, rng, aims.may);
		offer(&r, "random", -1);
	}
}

/* Rule sets measured, best first, and the archive of good and different ones. */
static struct outlook *outlooks; /* of seen[] */
static int *order;
static struct elites archive;

static int
compare_losses(const void *a, const void *b)
{
	int i = *(const int *)a, k = *(const int *)b;
	double x = outlooks[i].loss, y = outlooks[k].loss;

	return x < y ? -1 : x > y ? 1 : i - k;
}

static void
rank_seen(void)
{
	double *x = xreallocarray(NULL, (size_t)rulespace_dimensions(), sizeof(*x));

	outlooks = xcalloc((size_t)nseen + 1, sizeof(*outlooks));
	order = xcalloc((size_t)nseen + 1, sizeof(*order));
	elites_init(&archive, aims.width);
	for (int i = 0; i < nseen; i++) {
		rulespace_point(&seen[i].rules, x);
		predict(&seen[i].rules, x, &outlooks[i]);
		order[i] = i;
	}
	free(x);
	qsort(order, (size_t)nseen, sizeof(*order), compare_losses);
	for (int i = 0; i < nseen; i++) {
		const struct outlook *o = &outlooks[order[i]];
		double at[2] = { o->mean[map_at[0]], o->mean[map_at[1]] };
		if (aims_allow(&aims, &seen[order[i]].rules))
			elites_offer(&archive, at, o->loss, order[i]);
	}
}

/* The k-th best of the rules that may be proposed; -1 if there are fewer. */
static int
find_best(int k)
{
	for (int i = 0; i < nseen; i++)
		if (aims_allow(&aims, &seen[order[i]].rules) && k-- == 0)
			return order[i];
	return -1;
}

static void
offer_near_good(struct rng *rng)
{
	struct rules chess;

	rules_init(&chess);
	offer_neighbours(&chess, -1);
	for (int k = 0; k < PARENTS; k++) {
		int i = find_best(k);
		if (i >= 0)
			offer_neighbours(&seen[i].rules, i);
	}
	for (int k = 0; k < MUTATIONS && archive.n > 0; k++) {
		int i = archive.all[rng_below(rng, (uint32_t)archive.n)].item;
		struct rules r = seen[i].rules;
		int changes = 1 + (int)rng_below(rng, 2);
		for (int c = 0; c < changes; c++)
			ruledraw_mutate(&r, rng, aims.may);
		offer(&r, "mutation", i);
	}
}

/* ---- choice ---- */

static double samples[DRAWS * AIMS_MAX];

static void
weigh(struct candidate *c, double best)
{
	predict(&c->rules, c->x, &c->outlook);
	c->outlook.improvement = goals_improvement(goals, aims.n, c->outlook.mean,
	    c->outlook.sd, best, samples, DRAWS);
}

static int
compare_improvements(const void *a, const void *b)
{
	const struct candidate *c = a, *d = b;
	double x = c->outlook.improvement, y = d->outlook.improvement;

	if (x != y)
		return x > y ? -1 : 1;
	x = c->outlook.loss;
	y = d->outlook.loss;
	return x < y ? -1 : x > y ? 1 : c->hash < d->hash ? -1 : c->hash > d->hash;
}

/* The models take what they expect of a chosen rule set for measured, so that the
 * next choice is made elsewhere. */
static void
believe(const struct candidate *c)
{
	for (int m = 0; m < nwanted; m++)
		if (models[m].n > 0)
			surrogate_extend(&models[m], c->x, c->outlook.mean[m],
			    c->outlook.sd[m] / 2);
}

/* Is this candidate one of the kind that is to be chosen now? */
static bool
is_eligible(const struct candidate *c, bool again)
{
	return !c->taken && (c->again >= 0) == again;
}

/* The best candidate of a kind after what was chosen before; NULL if there is none. */
static struct candidate *
choose(bool again, double best)
{
	struct candidate *found = NULL;
	int weighed = 0;

	for (int i = 0; i < ncandidates && weighed < SHORT_LIST; i++) {
		struct candidate *c = &candidates[i];
		if (!is_eligible(c, again))
			continue;
		weigh(c, best);
		weighed++;
		if (found == NULL || compare_improvements(c, found) < 0)
			found = c;
	}
	if (found != NULL) {
		found->taken = true;
		believe(found);
	}
	return found;
}

/* ---- writing ---- */

static struct text rules_text, expected_text;

static const char *
json_of(const struct rules *r)
{
	text_clear(&rules_text);
	rules_write_changes(r, false, &rules_text);
	return rules_text.s;
}

/* What is expected of the measures wanted, with 95 % intervals. */
static void
write_expected(struct table *t, const struct outlook *o)
{
	const char *comma = "";

	text_clear(&expected_text);
	text_add_char(&expected_text, '{');
	for (int m = 0; m < nwanted && !isnan(o->loss); m++) {
		double far = MEASURED_DEVIATIONS * o->sd[m], at = o->mean[m];
		text_add_format(&expected_text, "%s\"%s\":[%.6g,%.6g,%.6g]", comma,
		    wanted[m].name, at, fmax(at - far, 0),
		    fmin(at + far, wanted[m].highest));
		comma = ",";
	}
	text_add_char(&expected_text, '}');
	table_json(t, "expected", expected_text.s);
}

static void
write_proposal(struct table *t, const char *id, const struct rules *r, uint64_t games,
    const char *why, const char *from, const struct outlook *o)
{
	table_string(t, "id", id);
	table_json(t, "rules", json_of(r));
	table_count(t, "games", games);
	table_string(t, "why", why);
	table_string(t, "from", from);
	table_rounded(t, "loss", o->loss, 6);
	table_rounded(t, "chance", o->chance, 6);
	table_rounded(t, "improvement", o->improvement, 6);
	write_expected(t, o);
	table_end_row(t);
}

/* The id of the next new rule set. */
static const char *
next_id(void)
{
	static char id[MEASURED_ID_MAX];
	static int n;

	if (n == 0)
		n = nseen;
	snprintf(id, sizeof(id), "%04d", ++n);
	return id;
}

static void
write_candidate(struct table *t, const struct candidate *c)
{
	const char *from = c->parent >= 0 ? seen[c->parent].id : "";

	if (c->again < 0) {
		write_proposal(t, next_id(), &c->rules, games_first, c->why, from,
		    &c->outlook);
		return;
	}
	const struct measured *m = &seen[c->again];
	uint64_t games = m->games * 2 < games_most ? m->games * 2 : games_most;
	write_proposal(t, m->id, &m->rules, games, "again", "", &c->outlook);
}

/* Chess and the published study's rule sets come first: they give the models their
 * bearings, and people know them. */
static void
propose_known(struct table *t)
{
	struct rules r;
	char reason[REASON_MAX];

	for (int i = 0; i < RULES_PRESETS; i++) {
		const struct rules_preset *p = &rules_presets[i];
		if (p->study > 0 &&
		    rules_parse_sum(&r, p->name, strlen(p->name), reason) == 0 &&
		    !is_known(&r, rules_hash(&r))) {
			struct candidate *c = add_candidate(&r, "preset", -1);
			c->taken = true;
			write_candidate(t, c);
		}
	}
}

/* Rule sets that were measured and may be measured better. */
static void
offer_again(void)
{
	for (int i = 0; i < nseen; i++) {
		if (!aims_allow(&aims, &seen[i].rules) || seen[i].games >= games_most)
			continue;
		struct candidate *c = add_candidate(&seen[i].rules, "again", -1);
		c->again = i;
	}
}

static void
propose_by_model(struct table *t)
{
	struct rng rng;
	int best = find_best(0);
	double least = best >= 0 ? outlooks[best].loss : INFINITY;

	rng_init(&rng, seed, (uint64_t)nseen);
	goals_sample(&rng, samples, DRAWS, aims.n);
	offer_near_good(&rng);
	offer_random(&rng, RANDOM);
	offer_again();
	for (int i = 0; i < ncandidates; i++)
		if (!candidates[i].taken)
			weigh(&candidates[i], least);
	qsort(candidates, (size_t)ncandidates, sizeof(*candidates), compare_improvements);
	for (int k = 0; k < batch; k++) {
		struct candidate *c = choose(k % AGAIN == AGAIN - 1, least);
		if (c == NULL)
			c = choose(k % AGAIN != AGAIN - 1, least);
		if (c != NULL)
			write_candidate(t, c);
	}
}

/* New rule sets at random, with as many games. */
static void
propose_at_random(struct table *t)
{
	struct rng rng;
	int first = ncandidates;

	rng_init(&rng, seed, (uint64_t)nseen);
	for (int tries = 0; ncandidates < first + batch && tries < RANDOM; tries++)
		offer_random(&rng, 1);
	for (int i = first; i < ncandidates; i++)
		write_candidate(t, &candidates[i]);
}

static void
propose(struct table *t)
{
	if (nseen == 0)
		propose_known(t);
	if (at_random || nseen == 0)
		propose_at_random(t);
	else
		propose_by_model(t);
}

/* ---- what was found ---- */

static bool
is_elite(int i)
{
	for (int k = 0; k < archive.n; k++)
		if (archive.all[k].item == i)
			return true;
	return false;
}

static void
write_ranked(struct table *t, int i)
{
	const struct measured *m = &seen[i];
	const struct outlook *o = &outlooks[i];
	double own[MEASURED_MAX];

	for (int k = 0; k < aims.n; k++)
		own[k] = isfinite(m->at[k]) ? m->at[k] : o->mean[k];
	table_string(t, "id", m->id);
	table_json(t, "rules", json_of(&m->rules));
	table_count(t, "games", m->games);
	table_rounded(t, "loss", o->loss, 6);
	table_rounded(t, "chance", o->chance, 6);
	table_rounded(t, "own_loss", goals_loss(goals, aims.n, own), 6);
	table_json(t, "allowed", aims_allow(&aims, &m->rules) ? "true" : "false");
	table_json(t, "elite", is_elite(i) ? "true" : "false");
	write_expected(t, o);
	table_end_row(t);
}

/* Of each cell of the map its best, best cells first; then the others. */
static void
write_finalists(struct table *t)
{
	int left = finalists;

	for (int other = 0; other < 2; other++)
		for (int k = 0, i; left > 0 && (i = find_best(k)) >= 0; k++) {
			if (is_elite(i) == (other == 1))
				continue;
			write_ranked(t, i);
			left--;
		}
}

static void
write_all(struct table *t)
{
	if (finalists > 0)
		write_finalists(t);
	else if (rank)
		for (int i = 0; i < nseen; i++)
			write_ranked(t, order[i]);
	else
		propose(t);
}

static void
release(void)
{
	for (int i = 0; i < ncandidates; i++)
		free(candidates[i].x);
	free(candidates);
	for (int m = 0; m < nwanted; m++)
		surrogate_release(&models[m]);
	elites_release(&archive);
	free(outlooks);
	free(order);
	free(seen);
	text_release(&rules_text);
	text_release(&expected_text);
}

int
main(int argc, char *argv[])
{
	struct text text = { 0 };
	struct table table;

	cli_start(&cli, synopsis, help, options);
	char **files = cli_read(&cli, argc, argv);
	if (*files == NULL)
		cli_usage_error(&cli, "a file of aims is needed");
	if (check + rank + at_random + (finalists > 0) > 1)
		cli_usage_error(&cli,
		    "only one of --check, --finalists, --random and --rank");
	read_aims(*files++);
	if (check) {
		struct zout *plain = cli_open_output(&cli);
		aims_write(&aims, &text);
		zout_write(plain, text.s, text.len);
		text_release(&text);
		return cli_finish(&cli, plain);
	}
	list_wanted();
	read_measured(files);
	struct zout *out = cli_open_output(&cli);
	learn_models();
	rank_seen();
	table_start(&table, out, false);
	write_all(&table);
	table_release(&table);
	release();
	return cli_finish(&cli, out);
}
