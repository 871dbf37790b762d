#include "ruletext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/movegen.h"
#include "chess/outcome.h"

enum { RANDOM_GAMES = 200, RANDOM_PLIES = 1000 };

/* ---- pieces ---- */

/* Appends one kind of move: "slides straight", "leaps 2+1 forward". */
static void
say_move(struct text *t, const char *what, const char *where, int mode)
{
	static const char *const how[] = { " without capturing", " only to capture", "" };

	if (t->len > 0 && t->s[t->len - 1] != ' ')
		text_add_string(t, "; ");
	text_add_format(t, "%s%s%s", what, where, how[mode]);
}

/* A set of directions in words; "" for all. */
static const char *
ways_in_words(int ways, bool straight)
{
	static const char *const words[8] = { "", " forward", " back",
		" forward and back", " sideways", " forward and sideways",
		" back and sideways", "" };

	return !straight && ways == (WAY_FORWARD | WAY_BACK) ? "" : words[ways];
}

static void
say_slides(struct text *t, const struct piece *p, int mode, bool straight)
{
	static const int directions[2][3] = { { SLIDE_DIAGONAL, SLIDE_DIAGONAL_BACK, -1 },
		{ SLIDE_FORWARD, SLIDE_BACK, SLIDE_SIDEWAYS } };
	char what[60];

	for (int far = 7; far >= 1; far--) {
		int ways = 0;
		for (int i = 0; i < 2 + straight; i++)
			if (piece_slide_only(p, mode, directions[straight][i]) == far)
				ways |= 1 << i;
		if (ways == 0)
			continue;
		if (far == 1)
			snprintf(what, sizeof(what), "steps one square %s",
			    straight ? "straight" : "diagonally");
		else
			snprintf(what, sizeof(what),
			    far == 7 ? "slides %s" : "slides %s up to %d squares",
			    straight ? "straight" : "diagonally", far);
		say_move(t, what, ways_in_words(ways, straight), mode);
	}
}

static void
say_leaps(struct text *t, const struct piece *p, int mode)
{
	static const char *const names[LEAPS] = { "leaps two squares straight",
		"leaps like a knight", "leaps two squares diagonally",
		"leaps three squares straight", "leaps three squares diagonally" };

	for (int i = 0; i < LEAPS; i++) {
		int ways = piece_leap_only(p, mode, i);
		if (ways != 0)
			say_move(t, names[i],
			    ways_in_words(ways, i == LEAP_D || i == LEAP_H), mode);
	}
}

void
ruletext_piece(const struct piece *p, struct text *t)
{
	struct text moves = { 0 };

	text_reserve(&moves, 1);
	for (int mode = PIECE_BOTH; mode >= PIECE_QUIET; mode--) {
		say_slides(&moves, p, mode, true);
		say_slides(&moves, p, mode, false);
		say_leaps(&moves, p, mode);
	}
	text_add(t, moves.s, moves.len);
	text_release(&moves);
}

static void
say_piece(struct text *t, const char *name, const struct piece *p)
{
	struct text moves = { 0 };
	char notation[PIECE_TEXT_MAX];

	piece_print(p, notation);
	ruletext_piece(p, &moves);
	if (moves.len == 0)
		text_add_format(t, "The %s cannot move.\n", name);
	else
		text_add_format(t, "The %s (%s) %.*s.\n", name, notation, (int)moves.len,
		    moves.s);
	text_release(&moves);
}

/* ---- other fields ---- */

/* Pieces of a set in words. */
static void
add_set(struct text *t, const struct rules *r, int set)
{
	static const char *const names[] = { "knights", "bishops", "rooks", "queens",
		"kings" };
	const char *between = "";

	if (set == 0)
		text_add_string(t, "no piece");
	for (int i = r->ntypes - KNIGHT - 1; i >= 0; i--) {
		if ((set >> i & 1) == 0)
			continue;
		if (KNIGHT + i <= KING)
			text_add_format(t, "%s%s", between, names[i]);
		else
			text_add_format(t, "%s%c", between, r->letter[KNIGHT + i]);
		int left = set & ((1 << i) - 1);
		between = (left & (left - 1)) == 0 ? " or " : ", ";
	}
}

/* What an end is worth to a side, up to the words for that side: a value in hundredths
 * of a win. */
static void
add_worth(struct text *t, int value)
{
	if (value == 100 || value == -100)
		text_add_string(t, value > 0 ? "wins for" : "loses for");
	else if (value == 50 || value == -50)
		text_add_format(t, "is worth %s of a point to",
		    value > 0 ? "three quarters" : "a quarter");
	else
		text_add_format(t, "is worth %g points to", (100 + value) / 200.0);
}

/* A value, or a number as an ordinal where the sentence continues with "th": returns
 * what is left of the sentence. */
static const char *
add_value(struct text *t, const char *value, const char *rest)
{
	static const char *const suffixes[] = { "th", "st", "nd", "rd" };
	int number = atoi(value);

	text_add_string(t, value);
	if (strncmp(rest, "th", 2) != 0)
		return rest;
	text_add_string(t,
	    number % 100 / 10 != 1 && number % 10 < 4 ? suffixes[number % 10] : "th");
	return rest + 2;
}

/* Does the preset change the field? */
static bool
changes(const struct rules_preset *p, const struct rules_field *f)
{
	for (int i = 0; i < PRESET_CHANGES && p->changes[i].used; i++)
		if (p->changes[i].offset == f->offset)
			return true;
	return false;
}

/* The preset that gives the field this value, the largest first; NULL if none
 * does. */
static const struct rules_preset *
preset_of(const struct rules *r, const struct rules_field *f)
{
	for (int n = PRESET_CHANGES; n > 0; n--)
		for (int i = 1; i < RULES_PRESETS; i++) {
			const struct rules_preset *p = &rules_presets[i];
			if (p->changes[n - 1].used && changes(p, f) &&
			    rules_has_preset(r, p))
				return p;
		}
	return NULL;
}

/* Describes a side's value that no preset has. */
static void
say_value(struct text *t, const struct rules *r, const struct rules_field *f, int side)
{
	char value[RULES_VALUE_MAX];

	rules_print_text(r, f, side, value);
	if (f->sentence == NULL) {
		text_add_format(t, "%c%s: %s.\n", f->meaning[0] - 'a' + 'A',
		    f->meaning + 1, rules_get(r, f, side) ? "yes" : "no");
		return;
	}
	if (f->type == RULE_SQUARES && value[0] == '\0') {
		text_add_string(t, "No square wins for its king.\n");
		return;
	}
	for (const char *s = f->sentence; *s != '\0'; s++)
		if (*s == '#' && f->type == RULE_SET)
			add_set(t, r, rules_get(r, f, side));
		else if (*s == '#')
			s = add_value(t, value, s + 1) - 1;
		else if (*s == '$')
			add_worth(t, rules_get(r, f, side));
		else
			text_add_char(t, *s);
	text_add_char(t, '\n');
}

static void
say_spares(struct text *t, const struct rules *r)
{
	char name[16];

	for (int i = 0; i < SPARES && r->pieces.letter[i] != '\0'; i++) {
		snprintf(name, sizeof(name), "piece %c", r->letter[SPARE + i]);
		say_piece(t, name, &r->pieces.piece[i]);
	}
}

static void
say_side(struct text *t, const struct rules *r, const struct rules_field *f, int side)
{
	if (f->type == RULE_PIECE)
		say_piece(t, f->name, rules_get_piece(r, f, side));
	else
		say_value(t, r, f, side);
}

static void
say_field(struct text *t, const struct rules *r, const struct rules_field *f)
{
	const struct rules_preset *p = preset_of(r, f);

	if (f->type == RULE_PIECES) {
		say_spares(t, r);
	} else if (p != NULL) {
		/* with its first field */
		if (p->changes[0].offset == f->offset)
			text_add_format(t, "%s\n", p->sentence);
	} else if (!rules_is_sided(r, f)) {
		say_side(t, r, f, WHITE);
	} else {
		text_add_string(t, "White: ");
		say_side(t, r, f, WHITE);
		text_add_string(t, "Black: ");
		say_side(t, r, f, BLACK);
	}
}

void
ruletext_title(const struct rules *r, struct text *t)
{
	char sum[RULES_TEXT_MAX];
	const char *between = "";

	if (r->name[0] != '\0') {
		text_add_string(t, r->name);
		return;
	}
	if (rules_is_custom(r)) {
		text_add_string(t, "Chess under other rules");
		return;
	}
	rules_print(r, sum);
	if (strcmp(sum, rules_presets[0].name) == 0) {
		text_add_string(t, "Chess");
		return;
	}
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		const struct rules_preset *p =
		    rules_is_classical(r, f) ? NULL : preset_of(r, f);
		if (p == NULL || p->changes[0].offset != f->offset)
			continue;
		text_add_format(t, "%s%s", between, p->label);
		between = " + ";
	}
}

void
ruletext_differences(const struct rules *r, struct text *t)
{
	int n = 0;

	for (size_t i = 0; i < rules_nfields; i++) {
		if (rules_is_classical(r, &rules_fields[i]))
			continue;
		say_field(t, r, &rules_fields[i]);
		n++;
	}
	if (n == 0)
		text_add_format(t, "%s\n", rules_presets[0].sentence);
}

/* ---- random games ---- */

static enum end
random_game(const struct rules *r, struct rng *rng)
{
	uint64_t keys[RANDOM_PLIES + 1];
	move list[MOVES_MAX];
	struct board b;
	struct undo u;
	enum end e = END_NONE;

	board_start_random(&b, r, rng);
	for (int ply = 0; ply < RANDOM_PLIES; ply++) {
		int n = movegen_list(&b, list);
		keys[ply] = b.key;
		if ((e = outcome_judge(&b, n, keys, ply)) != END_NONE)
			break;
		board_make(&b, list[rng_below(rng, (uint32_t)n)], &u);
	}
	return e == END_NONE ? END_LENGTH : e;
}

static void
say_ends(struct text *t, const struct rules *r)
{
	int count[END_COUNT] = { 0 };
	const char *comma = "";
	struct rng rng;
	int seen = 0;

	for (int i = 0; i < RANDOM_GAMES; i++) {
		rng_init(&rng, 1, (uint64_t)i);
		count[random_game(r, &rng)]++;
	}
	text_add_format(t, "%d games of random moves ended by ", RANDOM_GAMES);
	for (int e = END_NONE + 1; e < END_COUNT; e++) {
		if (count[e] == 0)
			continue;
		text_add_format(t, "%s%s (%d)", comma, end_name((enum end)e), count[e]);
		comma = ", ";
		seen += end_is_seen((enum end)e) ? count[e] : 0;
	}
	text_add_format(t, ".\n%s",
	    seen == 0 ? "None of them was decided on the board: perhaps no game can be.\n"
		      : "");
}

void
ruletext_describe(const struct rules *r, struct text *t)
{
	struct board b;
	char name[RULES_TEXT_MAX];

	rules_label(r, name);
	text_add_format(t, "%s:\n", name);
	ruletext_differences(r, t);
	board_start(&b, r);
	int n = movegen_count(&b);
	text_add_format(t, "The start has %d move%s.\n", n, n == 1 ? "" : "s");
	say_ends(t, r);
}
