/* Reads rule sets: sums of presets, or fields as JSON. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"

/* Presets by their fields. */
static const struct {
	const char *name, *fields;
} presets[] = {
	{ "classical", "{}" },
	{ "no-castling", "{\"castling_from\":0}" },
	{ "no-castling-10", "{\"castling_from\":11}" },
	{ "pawn-one-square", "{\"double_step\":0}" },
	{ "stalemate-win", "{\"stalemate_value\":100}" },
	{ "semi-torpedo", "{\"double_step\":3}" },
	{ "torpedo", "{\"double_step\":6}" },
	{ "pawn-back", "{\"pawn_back\":true}" },
	{ "pawn-sideways", "{\"pawn_sideways\":true}" },
	{ "self-capture", "{\"self_capture\":true}" },
	{ "atomic", "{\"explode\":true}" },
	{ "antichess",
	    "{\"must_capture\":true,\"royal\":\"\",\"promote_to\":\"nbrqk\","
	    "\"castling_from\":0,\"stalemate_value\":-100,\"lost_all_value\":100}" },
	{ "crazyhouse", "{\"drops\":true}" },
	{ "horde",
	    "{\"start\":\"rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/"
	    "PPPPPPPP w kq - 0 1\",\"royal\":{\"white\":\"\",\"black\":\"k\"},"
	    "\"lost_all_value\":-100}" },
	{ "racing-kings",
	    "{\"goal\":\"rank 8\",\"last_word\":true,\"may_check\":false}" },
};
enum { NPRESETS = sizeof(presets) / sizeof(presets[0]) };

static const char *const contradictions[][2] = {
	{ "no-castling", "no-castling-10" },
	{ "pawn-one-square", "torpedo" },
	{ "pawn-one-square", "semi-torpedo" },
};

static void
usual_rules(struct naive_rules *rules)
{
	struct naive_side *s = rules->side;
	int i;

	memset(rules, 0, sizeof(*rules));
	s->castling_from = 1;
	s->double_to = 2;
	s->en_passant = s->may_check = true;
	strcpy(s->promote_to, "nbrq");
	strcpy(s->royal, "k");
	strcpy(rules->letters, "NBRQK");
	for (i = 0; i < 5; i++)
		s->piece[i][0] = rules->letters[i];
	rules->side[1] = rules->side[0];
	rules->count_limit = 100;
	rules->ply_limit = 512;
}

/* Squares, and ranks as "rank 8". */
static void
set_goal(struct naive_side *s, const char *text)
{
	int file, rank;

	memset(s->goal, 0, sizeof(s->goal));
	for (; *text != '\0'; text++) {
		if (strncmp(text, "rank ", 5) == 0) {
			rank = text[5] - '1';
			for (file = 0; file < 8; file++)
				s->goal[8 * rank + file] = true;
			text += 5;
		} else if (*text >= 'a' && *text <= 'h') {
			file = *text++ - 'a';
			s->goal[8 * (*text - '1') + file] = true;
		}
	}
}

/* Does the first rank of either side have pawns? */
static void
read_start(struct naive_rules *rules, const char *fen)
{
	const char *top = strchr(fen, '/'), *end = strpbrk(fen, " [");
	const char *s;

	rules->side[0].low_pawns = rules->side[1].low_pawns = false;
	if (top == NULL || end == NULL)
		return;
	for (s = fen; s < top; s++)
		rules->side[1].low_pawns |= *s == 'p';
	for (s = end; *s != '/'; s--)
		rules->side[0].low_pawns |= *s == 'P';
}

/* A field that is the same for both sides; -1 if it is not such a field. */
static int
set_common(struct naive_rules *rules, const char *key, const char *value, int number)
{
	if (strcmp(key, "explode") == 0)
		rules->explode = number;
	else if (strcmp(key, "last_word") == 0)
		rules->last_word = number;
	else if (strcmp(key, "draw_value") == 0)
		rules->draw_value = number;
	else if (strcmp(key, "count_limit") == 0)
		rules->count_limit = number;
	else if (strcmp(key, "ply_limit") == 0)
		rules->ply_limit = number;
	else if (strcmp(key, "start") == 0)
		read_start(rules, value);
	else if (strcmp(key, "name") != 0)
		return -1;
	return 0;
}

/* A field about pawns and pieces. */
static int
set_moves(struct naive_side *s, const char *key, const char *value, int number)
{
	static const char *const pieces[] = { "knight", "bishop", "rook", "queen",
		"king" };
	int i;

	for (i = 0; i < 5; i++)
		if (strcmp(key, pieces[i]) == 0) {
			snprintf(s->piece[i], NAIVE_PIECE, "%.63s", value);
			return 0;
		}
	if (strcmp(key, "castling_from") == 0)
		s->castling_from = number == 0 ? INT_MAX : number;
	else if (strcmp(key, "double_step") == 0)
		s->double_to = number;
	else if (strcmp(key, "pawn_back") == 0)
		s->pawn_back = number;
	else if (strcmp(key, "pawn_sideways") == 0)
		s->pawn_sideways = number;
	else if (strcmp(key, "self_capture") == 0)
		s->self_capture = number;
	else if (strcmp(key, "en_passant") == 0)
		s->en_passant = number;
	else if (strcmp(key, "promote_to") == 0)
		snprintf(s->promote_to, sizeof(s->promote_to), "%.9s", value);
	else if (strcmp(key, "drops") == 0)
		s->drops = number;
	else if (strcmp(key, "must_capture") == 0)
		s->must_capture = number;
	else if (strcmp(key, "may_check") == 0)
		s->may_check = number;
	else
		return -1;
	return 0;
}

/* A field about ends. */
static int
set_ends(struct naive_side *s, const char *key, const char *value, int number)
{
	if (strcmp(key, "royal") == 0)
		snprintf(s->royal, sizeof(s->royal), "%.9s", value);
	else if (strcmp(key, "checks_to_win") == 0)
		s->checks_to_win = number;
	else if (strcmp(key, "goal") == 0)
		set_goal(s, value);
	else if (strcmp(key, "hill_wins") == 0)
		set_goal(s, number ? "d4 e4 d5 e5" : "");
	else if (strcmp(key, "stalemate_value") == 0)
		s->stalemate_value = number;
	else if (strcmp(key, "stalemate_wins") == 0)
		s->stalemate_value = 100 * number;
	else if (strcmp(key, "lost_all_value") == 0)
		s->lost_all_value = number;
	else if (strcmp(key, "bare_king_value") == 0)
		s->bare_king_value = number;
	else if (strcmp(key, "repetition_value") == 0)
		s->repetition_value = number;
	else
		return -1;
	return 0;
}

/* One field of the sides from first to last; its value is a number, true, false, or
 * a text. */
static int
set_field(struct naive_rules *rules, int first, int last, const char *key,
    const char *value)
{
	const int number = strcmp(value, "true") == 0 ? 1 : atoi(value);
	int i;

	if (set_common(rules, key, value, number) == 0)
		return 0;
	for (i = first; i <= last; i++)
		if (set_moves(&rules->side[i], key, value, number) == -1 &&
		    set_ends(&rules->side[i], key, value, number) == -1)
			return -1;
	return 0;
}

/* Reads `"key":`; returns the text behind it, NULL if there is none. */
static const char *
read_key(const char *text, char key[32])
{
	int n;

	return sscanf(text, "\"%31[a-z_]\":%n", key, &n) == 1 ? text + n : NULL;
}

/* Reads a number, true, false or a text; returns the text behind it. */
static const char *
read_value(const char *text, char value[NAIVE_FEN])
{
	int n = 2;

	value[0] = '\0';
	if (strncmp(text, "\"\"", 2) == 0 ||
	    sscanf(text, "\"%255[^\"]\"%n", value, &n) == 1 ||
	    sscanf(text, "%255[-a-z0-9]%n", value, &n) == 1)
		return text + n;
	return NULL;
}

/* A spare kind takes its place among the letters. */
static void
add_kind(struct naive_rules *rules, char letter, const char *notation)
{
	int i, k, n = (int)strlen(rules->letters), side;

	for (i = 5; i < n && rules->letters[i] < letter; i++)
		continue;
	memmove(rules->letters + i + 1, rules->letters + i, (size_t)(n - i) + 1);
	rules->letters[i] = letter;
	for (side = 0; side < 2; side++) {
		for (k = n; k > i; k--)
			strcpy(rules->side[side].piece[k],
			    rules->side[side].piece[k - 1]);
		snprintf(rules->side[side].piece[i], NAIVE_PIECE, "%.63s", notation);
	}
}

/* An object: spare kinds, or a value for each side. */
static const char *
read_object(struct naive_rules *rules, const char *field, const char *text)
{
	char key[32], value[NAIVE_FEN];
	int side;

	for (text++; *text != '}'; text += *text == ',') {
		if ((text = read_key(text, key)) == NULL ||
		    (text = read_value(text, value)) == NULL)
			return NULL;
		side = strcmp(key, "black") == 0;
		if (strcmp(field, "pieces") == 0)
			add_kind(rules, (char)toupper((unsigned char)key[0]), value);
		else if (set_field(rules, side, side, field, value) == -1)
			return NULL;
	}
	return text + 1;
}

static int read_sum(struct naive_rules *, const char *);

/* An object of fields, without blanks and escapes. */
static int
read_fields(struct naive_rules *rules, const char *text)
{
	char key[32], value[NAIVE_FEN];

	for (text++; *text != '}'; text += *text == ',') {
		if ((text = read_key(text, key)) == NULL)
			return -1;
		if (*text == '{') {
			if ((text = read_object(rules, key, text)) == NULL)
				return -1;
			continue;
		}
		if ((text = read_value(text, value)) == NULL)
			return -1;
		if (strcmp(key, "base") == 0 ? read_sum(rules, value) == -1
					     : set_field(rules, 0, 1, key, value) == -1)
			return -1;
	}
	return 0;
}

/* Is the preset one of the sum? */
static bool
is_given(const char *sum, const char *name)
{
	const size_t len = strlen(name);
	size_t n;

	for (;; sum += n + 1) {
		n = strcspn(sum, "+");
		if (n == len && strncmp(sum, name, n) == 0)
			return true;
		if (sum[n] == '\0')
			return false;
	}
}

static int
read_sum(struct naive_rules *rules, const char *sum)
{
	size_t i, known = 0, names = 1;
	const char *s;

	for (i = 0; i < sizeof(contradictions) / sizeof(contradictions[0]); i++)
		if (is_given(sum, contradictions[i][0]) &&
		    is_given(sum, contradictions[i][1]))
			return -1;
	for (s = sum; *s != '\0'; s++)
		names += *s == '+';
	for (i = 0; i < NPRESETS; i++) {
		for (s = sum; (s = strstr(s, presets[i].name)) != NULL; s++) {
			const char end = s[strlen(presets[i].name)];
			known +=
			    (s == sum || s[-1] == '+') && (end == '\0' || end == '+');
		}
		if (is_given(sum, presets[i].name))
			read_fields(rules, presets[i].fields);
	}
	return known == names ? 0 : -1;
}

int
naive_read_rules(struct naive_rules *rules, const char *spec)
{
	usual_rules(rules);
	return spec[0] == '{' ? read_fields(rules, spec) : read_sum(rules, spec);
}
