/*
 * Neighbours of rule sets and random rule sets: over all fields of rules.def, none
 * of them named.
 */
#include "base/rng.h"
#include "chess/board.h"
#include "chess/ruledraw.h"
#include "common.h"
#include "tap.h"

static int
count_changes(const struct rules *a, const struct rules *b)
{
	int n = 0;

	for (size_t i = 0; i < rules_nfields; i++)
		n += !rules_same(a, b, &rules_fields[i]);
	return n;
}

enum { SEEN_MAX = 256 };
struct seen {
	const struct rules *base;
	const struct rules_field *field;
	int n, far, twice, unsettled;
	struct rules all[SEEN_MAX];
};

static void
see(void *context, const struct rules *r)
{
	struct seen *s = context;
	struct rules again = *r;
	char reason[RULES_REASON_MAX];

	s->far += count_changes(r, s->base) != 1 || rules_same(r, s->base, s->field);
	s->unsettled += rules_settle(&again, reason) == -1 || !rules_equal(&again, r);
	for (int i = 0; i < s->n; i++)
		s->twice += rules_equal(&s->all[i], r);
	if (s->n < SEEN_MAX)
		s->all[s->n++] = *r;
}

static void
test_neighbours(const struct rules *base, const char *name)
{
	static struct seen s;
	int all = 0, bad = 0, back = 0, changed = 0;
	struct rules chess;

	rules_init(&chess);
	for (size_t i = 0; i < rules_nfields; i++) {
		memset(&s, 0, sizeof(s));
		s.base = base;
		s.field = &rules_fields[i];
		ruledraw_neighbours(base, s.field, see, &s);
		bad += s.far + s.twice + s.unsettled;
		bad += s.n == 0 && ruledraw_is_usual(s.field);
		all += s.n;
		if (rules_is_classical(base, s.field))
			continue;
		changed++;
		for (int k = 0; k < s.n; k++)
			back += rules_is_classical(&s.all[k], s.field);
	}
	ok(bad == 0, "%s: %d neighbours, every field, one field each, none twice", name,
	    all);
	ok(back == changed, "%s: of %d changed fields each can be as in chess", name,
	    changed);
}

/* Which spare kinds are on the board or in a hand where games begin. */
static int
count_spares(const struct rules *r, bool in_hand)
{
	struct board b;
	int n = 0;

	board_start(&b, r);
	for (int type = SPARE; type < r->ntypes; type++)
		n += in_hand
		    ? board_in_hand(&b, WHITE, type) + board_in_hand(&b, BLACK, type) > 0
		    : (b.pieces[WHITE][type] | b.pieces[BLACK][type]) != 0;
	return n;
}

struct drawn {
	int changed[64], sided[64]; /* rule sets, by field */
	int bad, outside;           /* contradictions; fields that may not change */
	int spares, absent, in_hand, promote, royal;
};

static void
count_drawn(struct drawn *d, const struct rules *r)
{
	const int spares = ~((1 << (SPARE - KNIGHT)) - 1);
	struct rules again = *r;
	char reason[RULES_REASON_MAX];

	d->bad += rules_settle(&again, reason) == -1 || !rules_equal(&again, r);
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		d->changed[i] += !rules_is_classical(r, f);
		d->sided[i] += rules_is_sided(r, f);
		d->outside += !rules_is_classical(r, f) && f->group == RULE_LIMIT;
	}
	d->spares += r->ntypes - SPARE;
	d->in_hand += count_spares(r, true);
	d->absent += r->ntypes - SPARE - count_spares(r, false) - count_spares(r, true);
	d->promote += (r->promote_to[WHITE] & spares) != 0;
	d->royal += (r->royal[WHITE] & spares) != 0;
}

static void
test_random(void)
{
	struct rules r, chess;
	struct rng rng;
	static struct drawn d;
	int fields = 0, sided = 0;

	rules_init(&chess);
	for (uint64_t k = 0; k < 2000; k++) {
		rng_init(&rng, 1, k);
		ruledraw_random(&r, &rng, NULL, 0.2);
		d.bad += rules_equal(&r, &chess);
		count_drawn(&d, &r);
	}
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		fields += d.changed[i] > 100 || f->group == RULE_LIMIT;
		sided += f->sided ? d.sided[i] > 20 : d.sided[i] == 0;
	}
	ok(d.bad == 0 && d.outside == 0, "2000 random rule sets without contradiction");
	ok(fields == (int)rules_nfields,
	    "every field but limits is changed in many of them");
	ok(sided == (int)rules_nfields,
	    "every field that can differ by side does in some");
	ok(d.spares > 200 && d.absent < d.spares / 10,
	    "%d spare kinds, all but %d of them in the start", d.spares, d.absent);
	ok(d.in_hand > 0 && d.promote > 50 && d.royal > 5,
	    "some are in hand (%d), promoted to (%d), royal (%d)", d.in_hand, d.promote,
	    d.royal);
}

static void
test_allowed(void)
{
	struct rules r, again;
	struct rng rng;
	bool may[64] = { false };
	int outside = 0;

	may[1] = may[3] = true;
	for (uint64_t k = 0; k < 200; k++) {
		rng_init(&rng, 2, k);
		ruledraw_random(&r, &rng, may, 0.5);
		bool found = ruledraw_mutate(&r, &rng, may);
		outside += !found;
		for (size_t i = 0; i < rules_nfields; i++)
			outside += !may[i] && !rules_is_classical(&r, &rules_fields[i]);
	}
	ok(outside == 0, "only fields that may change do");
	memset(may, 0, sizeof(may));
	again = r;
	ok(!ruledraw_mutate(&r, &rng, may) && rules_equal(&r, &again),
	    "no field may: no change is found");
}

static void
test_mutations(void)
{
	struct rules r, before;
	struct rng rng;
	int wrong = 0;

	rng_init(&rng, 3, 0);
	rules_init(&r);
	for (int k = 0; k < 1000; k++) {
		before = r;
		wrong += !ruledraw_mutate(&r, &rng, NULL);
		wrong += count_changes(&r, &before) != 1;
	}
	ok(wrong == 0, "a mutation changes one field");
}

int
main(void)
{
	struct rules r;
	char reason[RULES_REASON_MAX];

	rules_init(&r);
	test_neighbours(&r, "chess");
	if (rules_parse_sum(&r, "torpedo+stalemate-win", 21, reason) == -1)
		return 1;
	test_neighbours(&r, "torpedo+stalemate-win");
	test_random();
	test_allowed();
	test_mutations();
	return tap_end();
}
