#include "ruledraw.h"

#include <stdio.h>
#include <string.h>

enum {
	VALUES_MAX = 64,
	SHORT_RANGE = 16, /* values of a range that is tried in full */
	STEPS = 4,        /* of a unit */
	TRIES = 1000,
	SIDED = 4, /* one drawn value in so many differs by side */
	BOTH = 2   /* sides */
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

/* How many values a field is tried with, chess's among them. */
static int
count_values(const struct rules_field *f)
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

static int
set_text(struct rules *r, const struct rules_field *f, int side, const char *text)
{
	char reason[RULES_REASON_MAX];

	return side == BOTH ? rules_set_text(r, f, text, reason)
			    : rules_set_text_side(r, f, side, text, reason);
}

static int
set_number(struct rules *r, const struct rules_field *f, int side, int value)
{
	char reason[RULES_REASON_MAX];

	return side == BOTH ? rules_set(r, f, value, reason)
			    : rules_set_side(r, f, side, value, reason);
}

/* Sets a field, of a side or BOTH, to value i of count_values(f). -1 if that is not a
 * value of it; r may then be half changed. */
static int
set_value(struct rules *r, const struct rules_field *f, int side, int i)
{
	struct numbers numbers;
	char text[PIECE_TEXT_MAX];

	switch (f->type) {
	case RULE_FEN:
	case RULE_PIECES:
	case RULE_SQUARES:
		return set_text(r, f, side, find_text(f, i));
	case RULE_PIECE:
		write_piece(text, (char)f->classical, i);
		return set_text(r, f, side, text);
	default:
		list_numbers(f, &numbers);
		return set_number(r, f, side, numbers.of[i]);
	}
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
	return set_value(r, f, BOTH, i) == 0 && rules_settle(r, reason) == 0 &&
	    !rules_same(r, base, f);
}

void
ruledraw_neighbours(const struct rules *base, const struct rules_field *f,
    void (*take)(void *context, const struct rules *r), void *context)
{
	struct rules r, before;
	int n = count_values(f);

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
		int value = (int)rng_below(rng, (uint32_t)count_values(f));
		if (may_change(may, i) && make_neighbour(&changed, r, f, value)) {
			*r = changed;
			return true;
		}
	}
	return false;
}

/* ---- random rule sets ---- */

static bool
one_in(struct rng *rng, uint32_t n)
{
	return rng_below(rng, n) == 0;
}

/* Moves like a piece of chess with a change, or two or three atoms at random. */
static void
draw_notation(char text[PIECE_TEXT_MAX], struct rng *rng)
{
	static const char atoms[] = "WFDNAHGRB";
	const uint32_t n = sizeof(atoms) - 1;
	uint32_t first = rng_below(rng, n);

	if (one_in(rng, 2)) {
		char base = "NBRQK"[rng_below(rng, 5)];
		int count = 0;
		while (write_piece(text, base, count))
			count++;
		write_piece(text, base, (int)rng_below(rng, (uint32_t)count));
		return;
	}
	char second = atoms[(first + 1 + rng_below(rng, n - 1)) % n];
	const char *third[] = { "", "", "fW", "bF", "mD", "cH" };
	snprintf(text, PIECE_TEXT_MAX, "%c%c%s", atoms[first], second,
	    third[rng_below(rng, 6)]);
}

/* One to four spare kinds, few more often. */
static int
draw_pieces(struct rules *r, const struct rules_field *f, struct rng *rng)
{
	static const char letters[] = "acdefghijlmostuvwxyz";
	char text[SPARES * (PIECE_TEXT_MAX + 3)] = "", notation[PIECE_TEXT_MAX];
	int n = 1;

	while (n < SPARES && one_in(rng, 2))
		n++;
	for (int i = 0; i < n; i++) {
		char letter;
		do
			letter = letters[rng_below(rng, sizeof(letters) - 1)];
		while (strchr(text, letter) != NULL);
		draw_notation(notation, rng);
		size_t len = strlen(text);
		snprintf(text + len, sizeof(text) - len, "%s%c:%s", i > 0 ? "," : "",
		    letter, notation);
	}
	return set_text(r, f, BOTH, text);
}

/* Puts a spare kind in the place of one of chess's in an army, of all of them or,
 * if these are two, perhaps of one. */
static void
enlist(char army[9], char letter, struct rng *rng)
{
	char old;

	do
		old = "RNBQ"[rng_below(rng, 4)];
	while (strchr(army, old) == NULL);
	*strchr(army, old) = letter;
	char *other = strchr(army, old);
	if (other != NULL && !one_in(rng, 3))
		*other = letter;
}

/* Takes spare pieces off an army and puts them into its hand. */
static void
pocket(char army[9], char *hand)
{
	for (char *s = army; *s != '\0'; s++) {
		if (strchr("RNBQK", *s) == NULL) {
			*hand++ = *s;
			*s = '1';
		}
	}
	*hand = '\0';
}

static void
lower(char *s)
{
	for (; *s != '\0'; s++)
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s - 'A' + 'a');
}

/* Chess's start with every spare kind in one army or in both, on the board or,
 * where pieces drop, perhaps in hand. */
static int
draw_start(struct rules *r, struct rng *rng)
{
	char army[2][9] = { "RNBQKBNR", "RNBQKBNR" }, hand[2][9] = { "", "" };
	char fen[RULES_FEN_MAX];

	for (int i = 0; i < SPARES && r->pieces.letter[i] != '\0'; i++) {
		uint32_t whose = one_in(rng, 2) ? 3 : 1 + rng_below(rng, 2);
		for (int side = WHITE; side <= BLACK; side++)
			if ((whose >> side & 1) != 0)
				enlist(army[side], r->letter[SPARE + i], rng);
	}
	for (int side = WHITE; side <= BLACK; side++)
		if (r->drops[side] && one_in(rng, 3))
			pocket(army[side], hand[side]);
	lower(army[BLACK]);
	lower(hand[BLACK]);
	snprintf(fen, sizeof(fen), "%s/pppppppp/8/8/8/8/PPPPPPPP/%s[%s%s] w KQkq - 0 1",
	    army[BLACK], army[WHITE], hand[WHITE], hand[BLACK]);
	return set_text(r, rules_find_field("start"), BOTH, fen);
}

/* The royal pieces: none, those of one kind, or kings and those of another. */
static int
draw_royals(const struct rules *r, struct rng *rng)
{
	const int king = 1 << (KING - KNIGHT);
	int one = 1 << rng_below(rng, (uint32_t)(r->ntypes - KNIGHT));

	switch (rng_below(rng, 3)) {
	case 0:
		return 0;
	case 1:
		return one;
	default:
		return king | one;
	}
}

/* The squares of presets, a rank, or one to four squares anywhere. */
static void
draw_squares(const struct rules_field *f, char text[16], struct rng *rng)
{
	int n = count_values(f);
	char *s = text;

	switch (rng_below(rng, 3)) {
	case 0:
		snprintf(text, 16, "%s", find_text(f, (int)rng_below(rng, (uint32_t)n)));
		return;
	case 1:
		snprintf(text, 16, "rank %u", 1 + rng_below(rng, 8));
		return;
	default:
		for (uint32_t k = 1 + rng_below(rng, 4); k > 0; k--)
			s += sprintf(s, "%s%c%u", s == text ? "" : " ",
			    "abcdefgh"[rng_below(rng, 8)], 1 + rng_below(rng, 8));
	}
}

/* A value for a side or BOTH. */
static int
draw_value(struct rules *r, const struct rules_field *f, int side, struct rng *rng)
{
	char text[16];

	if (f->type == RULE_PIECES)
		return draw_pieces(r, f, rng);
	if (f->type == RULE_SET && f->lowest == 0)
		return set_number(r, f, side, draw_royals(r, rng));
	if (f->type == RULE_SQUARES) {
		draw_squares(f, text, rng);
		return set_text(r, f, side, text);
	}
	return set_value(r, f, side, (int)rng_below(rng, (uint32_t)count_values(f)));
}

static int
draw_field(struct rules *r, const struct rules_field *f, struct rng *rng)
{
	if (!f->sided || !one_in(rng, SIDED))
		return draw_value(r, f, BOTH, rng);
	int failed = draw_value(r, f, WHITE, rng);
	return failed == 0 ? draw_value(r, f, BLACK, rng) : -1;
}

/* Makes what pawns become agree with the other fields: spare kinds, perhaps;
 * nothing royal. */
static void
mend_promotions(struct rules *r, struct rng *rng)
{
	for (int i = 0; i < SPARES && r->pieces.letter[i] != '\0'; i++)
		if (one_in(rng, 2))
			for (int side = WHITE; side <= BLACK; side++)
				r->promote_to[side] |=
				    (int16_t)(1 << (SPARE + i - KNIGHT));
	for (int side = WHITE; side <= BLACK; side++)
		r->promote_to[side] &= (int16_t)~r->royal[side];
}

static bool
draws(const bool *may, const struct rules_field *f)
{
	return may != NULL ? may[f - rules_fields] : f->group != RULE_LIMIT;
}

/* One draw, which may contradict itself. Spare kinds come first, as other fields
 * may name them. */
static bool
draw_all(struct rules *r, struct rng *rng, const bool *may, double chance)
{
	const struct rules_field *spares = rules_find_field("pieces");
	bool good = true;

	if (draws(may, spares) && rng_double(rng) < chance)
		good = draw_field(r, spares, rng) == 0;
	for (size_t i = 0; i < rules_nfields && good; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (f != spares && draws(may, f) && rng_double(rng) < chance)
			good = draw_field(r, f, rng) == 0;
	}
	if (!good)
		return false;
	if (draws(may, rules_find_field("promote_to")))
		mend_promotions(r, rng);
	if (r->ntypes > SPARE && draws(may, rules_find_field("start")))
		good = draw_start(r, rng) == 0;
	return good && r->promote_to[WHITE] != 0 && r->promote_to[BLACK] != 0;
}

void
ruledraw_random(struct rules *r, struct rng *rng, const bool *may, double chance)
{
	struct rules classical;
	char reason[RULES_REASON_MAX];

	rules_init(&classical);
	do
		*r = classical;
	while (!draw_all(r, rng, may, chance) || rules_settle(r, reason) == -1 ||
	    rules_equal(r, &classical));
}
