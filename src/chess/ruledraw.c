#include "ruledraw.h"

#include <stdio.h>

enum {
	VALUES_MAX = 64,
	SHORT_RANGE = 16, /* values of a range that is tried in full */
	STEPS = 4,        /* of a unit */
	TRIES = 1000
};

bool
ruledraw_is_usual(const struct rules_field *f)
{
	return f->group != RULE_LIMIT && f->type != RULE_PIECES;
}

/* ---- the values of a field ---- */

struct numbers {
	int n;
	int of[VALUES_MAX];
};

static void
add_number(struct numbers *s, const struct rules_field *f, int v)
{
	if (v < f->lowest || v > f->highest || s->n == VALUES_MAX)
		return;
	for (int i = 0; i < s->n; i++)
		if (s->of[i] == v)
			return;
	s->of[s->n++] = v;
}

/* What presets change the field to, if its values are numbers. */
static void
add_presets(struct numbers *s, const struct rules_field *f)
{
	for (int i = 0; i < RULES_PRESETS; i++) {
		const struct rules_change *c = rules_presets[i].changes;
		for (int k = 0; k < PRESET_CHANGES && c[k].used; k++)
			if (c[k].offset == f->offset)
				add_number(s, f, c[k].value);
	}
}

static void
list_numbers(const struct rules_field *f, struct numbers *s)
{
	s->n = 0;
	add_number(s, f, f->classical);
	if (f->type == RULE_SET) {
		/* of the letters nbrq, for what cannot be empty */
		for (int v = 1; v <= 15 && f->lowest > 0; v++)
			add_number(s, f, v);
		add_presets(s, f);
		return;
	}
	if (f->highest - f->lowest < SHORT_RANGE) {
		for (int v = f->lowest; v <= f->highest; v++)
			add_number(s, f, v);
		return;
	}
	add_presets(s, f);
	if (f->lowest == 0)
		add_number(s, f, 0);
	for (int k = 1; k <= STEPS; k++) {
		add_number(s, f, f->classical - k * f->unit / STEPS);
		add_number(s, f, f->classical + k * f->unit / STEPS);
	}
}

/* Writes value i of a piece whose letter is c; false if there is none. */
static bool
write_piece(char text[PIECE_TEXT_MAX], char c, int i)
{
	static const char leaps[] = "WFDNAHG", others[] = "NBRQK";
	const int nleaps = sizeof(leaps) - 1, nothers = sizeof(others) - 1;

	if (i == 0)
		snprintf(text, PIECE_TEXT_MAX, "%c", c);
	else if ((i -= 1) < nleaps)
		snprintf(text, PIECE_TEXT_MAX, "%c%c", c, leaps[i]);
	else if ((i -= nleaps) < nothers)
		snprintf(text, PIECE_TEXT_MAX, "%c", others[i]);
	else if ((i -= nothers) < nothers)
		snprintf(text, PIECE_TEXT_MAX, "m%cc%c", c, others[i]);
	else if ((i -= nothers) < 3)
		snprintf(text, PIECE_TEXT_MAX, "%c%d", c, i + 2);
	else if (i == 3)
		snprintf(text, PIECE_TEXT_MAX, "f%cbK", c);
	else
		return false;
	return true;
}

/* The same of other texts: that of chess, then those of presets; starts only of
 * presets that change nothing else. */
static const char *
find_text(const struct rules_field *f, int i)
{
	if (i == 0)
		return "";
	for (int p = 0; p < RULES_PRESETS; p++) {
		const struct rules_change *c = rules_presets[p].changes;
		for (int k = 0; k < PRESET_CHANGES && c[k].used; k++)
			if (c[k].offset == f->offset && c[k].text != NULL &&
			    (f->type != RULE_FEN || !c[1].used) && --i == 0)
				return c[k].text;
	}
	return NULL;
}

int
ruledraw_values(const struct rules_field *f)
{
	struct numbers numbers;
	char text[PIECE_TEXT_MAX];
	int n = 0;

	switch (f->type) {
	case RULE_FEN:
	case RULE_PIECES:
	case RULE_SQUARES:
		while (find_text(f, n) != NULL)
			n++;
		return n;
	case RULE_PIECE:
		while (write_piece(text, (char)f->classical, n))
			n++;
		return n;
	default:
		list_numbers(f, &numbers);
		return numbers.n;
	}
}

int
ruledraw_set(struct rules *r, const struct rules_field *f, int i)
{
	struct numbers numbers;
	struct rules changed = *r;
	char text[PIECE_TEXT_MAX], reason[RULES_REASON_MAX];
	int failed;

	switch (f->type) {
	case RULE_FEN:
	case RULE_PIECES:
	case RULE_SQUARES:
		failed = rules_set_text(&changed, f, find_text(f, i), reason);
		break;
	case RULE_PIECE:
		write_piece(text, (char)f->classical, i);
		failed = rules_set_text(&changed, f, text, reason);
		break;
	default:
		list_numbers(f, &numbers);
		failed = rules_set(&changed, f, numbers.of[i], reason);
	}
	if (failed == 0)
		*r = changed;
	return failed;
}

/* ---- rule sets ---- */

/* Is r, with field f set to value i, another rule set than base? */
static bool
make_neighbour(struct rules *r, const struct rules *base, const struct rules_field *f,
    int i)
{
	char reason[RULES_REASON_MAX];

	*r = *base;
	r->name[0] = '\0';
	return ruledraw_set(r, f, i) == 0 && rules_settle(r, reason) == 0 &&
	    !rules_same(r, base, f);
}

void
ruledraw_neighbours(const struct rules *base, const struct rules_field *f,
    void (*take)(void *context, const struct rules *r), void *context)
{
	struct rules r, before;
	int n = ruledraw_values(f);

	for (int i = 0; i < n; i++) {
		if (!make_neighbour(&r, base, f, i))
			continue;
		/* other texts may mean the same piece */
		int k = 0;
		while (k < i &&
		    !(make_neighbour(&before, base, f, k) && rules_equal(&before, &r)))
			k++;
		if (k == i)
			take(context, &r);
	}
}

static bool
may_change(const bool *may, size_t i)
{
	return may != NULL ? may[i] : ruledraw_is_usual(&rules_fields[i]);
}

bool
ruledraw_mutate(struct rules *r, struct rng *rng, const bool *may)
{
	struct rules changed;

	for (int k = 0; k < TRIES; k++) {
		size_t i = rng_below(rng, (uint32_t)rules_nfields);
		const struct rules_field *f = &rules_fields[i];
		int value = (int)rng_below(rng, (uint32_t)ruledraw_values(f));
		if (may_change(may, i) && make_neighbour(&changed, r, f, value)) {
			*r = changed;
			return true;
		}
	}
	return false;
}

void
ruledraw_random(struct rules *r, struct rng *rng, const bool *may, double chance)
{
	struct rules classical;
	char reason[RULES_REASON_MAX];
	bool good;

	rules_init(&classical);
	do {
		*r = classical;
		good = true;
		for (size_t i = 0; i < rules_nfields; i++) {
			const struct rules_field *f = &rules_fields[i];
			if (!may_change(may, i) || rng_double(rng) >= chance)
				continue;
			int n = ruledraw_values(f);
			good &= ruledraw_set(r, f, (int)rng_below(rng, (uint32_t)n)) == 0;
		}
	} while (!good || rules_settle(r, reason) == -1 || rules_equal(r, &classical));
}
