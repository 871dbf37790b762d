#include <stdio.h>

#include "kit.h"

/* What hundredths of a win are in points: 100 is 1, 0 is 1/2. */
static void
add_points(struct text *t, int value)
{
	text_add_format(t, "%g", (100 + value) / 200.0);
}

static void
add_number(struct text *t, const char *before, int n, const char *behind)
{
	text_add_format(t, "%s%d%s\n", before, n, behind);
}

static void
add_value(struct text *t, const char *what, int value, const char *whom)
{
	text_add_format(t, "%s is worth ", what);
	add_points(t, value);
	text_add_format(t, " points to %s.\n", whom);
}

static void
add_promotions(struct text *t, int set)
{
	static const char *const names[] = { "knights", "bishops", "rooks",
	    "queens" };
	const char *between = "Pawns may become only ";

	for (int i = 3; i >= 0; i--)
		if (set >> i & 1) {
			text_add_format(t, "%s%s", between, names[i]);
			between = " or ";
		}
	text_add_string(t, ".\n");
}

/* How a strange piece moves: its notation, which rules(7) explains. */
static void
add_piece(struct text *t, const struct rules *r, const struct rules_field *f)
{
	char value[PIECE_TEXT_MAX + 2];

	rules_print_value(r, f, value);
	text_add_format(t, "%c%ss move otherwise: %.*s in Betza's notation.\n",
	    f->name[0] - 'a' + 'A', f->name + 1, (int)strlen(value) - 2,
	    value + 1);
}

/* The preset that changes this field to this value; NULL when none does. */
static const struct rules_preset *
find_preset(const struct rules *r, const struct rules_field *f)
{
	for (int i = 1; i < RULES_PRESETS; i++) {
		const struct rules_preset *p = &rules_presets[i];
		if (p->offset != f->offset)
			continue;
		if (f->type == RULE_FEN ? strcmp(r->start, p->text) == 0 :
		    f->type != RULE_PIECE && rules_get(r, f) == p->value)
			return p;
	}
	return NULL;
}

static void
add_sentence(struct text *t, const struct rules *r, const struct rules_field *f)
{
	const struct rules_preset *preset = find_preset(r, f);
	const char *n = f->name;
	int v = f->type == RULE_FEN || f->type == RULE_PIECE ? 0 :
	    rules_get(r, f);

	if (preset != NULL)
		text_add_format(t, "%s\n", preset->sentence);
	else if (f->type == RULE_PIECE)
		add_piece(t, r, f);
	else if (strcmp(n, "start") == 0)
		text_add_string(t, "Games begin from a position of their own.\n");
	else if (strcmp(n, "castling_from") == 0)
		add_number(t, "Castling is legal only from move ", v, " on.");
	else if (strcmp(n, "double_step") == 0)
		add_number(t, "Pawns may step two squares from every rank up to "
		    "their ", v, "th.");
	else if (strcmp(n, "promote_to") == 0)
		add_promotions(t, v);
	else if (strcmp(n, "checks_to_win") == 0)
		add_number(t, "Who gives ", v, v == 1 ? " check wins." :
		    " checks wins.");
	else if (strcmp(n, "stalemate_value") == 0)
		add_value(t, "Stalemate", v, "the side that gives it");
	else if (strcmp(n, "bare_king_value") == 0)
		add_value(t, "Taking the opponent's last piece", v,
		    "who takes it");
	else if (strcmp(n, "repetition_value") == 0)
		add_value(t, "A third repetition", v,
		    "the side that brings it about");
	else if (strcmp(n, "draw_value") == 0)
		add_value(t, "A draw", v, "White");
	else if (strcmp(n, "count_limit") == 0)
		add_number(t, "The game is drawn after ", v,
		    " plies without progress.");
	else if (strcmp(n, "ply_limit") == 0)
		add_number(t, "The game is drawn after ", v, " plies.");
	else
		text_add_format(t, "%s: %d (%s).\n", n, v, f->meaning);
}

void
kit_title(struct text *t, const struct rules *r)
{
	const char *between = "";

	if (r->name[0] != '\0') {
		text_add_string(t, r->name);
		return;
	}
	if (rules_is_custom(r)) {
		text_add_string(t, "Chess under other rules");
		return;
	}
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_preset *p = find_preset(r, &rules_fields[i]);
		if (p == NULL || rules_is_classical(r, &rules_fields[i]))
			continue;
		text_add_format(t, "%s%s", between, p->label);
		between = " + ";
	}
	if (between[0] == '\0')
		text_add_string(t, "Chess");
}

void
kit_sentences(struct text *t, const struct rules *r)
{
	size_t before = t->len;

	for (size_t i = 0; i < rules_nfields; i++)
		if (!rules_is_classical(r, &rules_fields[i]))
			add_sentence(t, r, &rules_fields[i]);
	if (t->len == before)
		text_add_format(t, "%s\n", rules_presets[0].sentence);
}
