/*
 * Random rule sets for tests: JSON with any choice of the fields of rules.def,
 * so that a new field is tested without being named here. Not all are free of
 * contradiction: that is for the reader to say.
 */
#ifndef TESTS_RANDOMSPEC_H
#define TESTS_RANDOMSPEC_H

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "chess/rules.h"

enum { RANDOM_RULES_MAX = 1024, RANDOM_PIECE_MAX = 48 };

static inline bool
one_in(struct rng *rng, uint32_t n)
{
	return rng_below(rng, n) == 0;
}

/* One to three atoms, with letters and numbers where they can have some. */
__attribute__((unused)) static void
random_piece(struct rng *rng, char text[RANDOM_PIECE_MAX])
{
	char *s = text;
	uint32_t atoms = one_in(rng, 30) ? 0 : 1 + rng_below(rng, 3);

	for (uint32_t i = 0; i < atoms; i++) {
		char atom = "WFDNAHGRBQK"[rng_below(rng, 11)];
		if (s > text && s[-1] == atom)
			continue; /* a rider */
		if (one_in(rng, 4))
			*s++ = "mc"[rng_below(rng, 2)];
		if (one_in(rng, 3) && strchr("WDHR", atom) != NULL) {
			static const char *const ways[] = { "f", "b", "s", "v", "fs",
				"bs", "fb", "vs" };
			const char *w = ways[rng_below(rng, 8)];
			s += sprintf(s, "%s", w);
		} else if (one_in(rng, 3)) {
			*s++ = "fb"[rng_below(rng, 2)];
		}
		*s++ = atom;
		if (one_in(rng, 3) && strchr("WFRBQK", atom) != NULL)
			*s++ = (char)('1' + rng_below(rng, 7));
	}
	*s = '\0';
}

/* Fields of which some values are more telling than others, or which are to
 * be changed less or more often: once in so many times. */
static const struct {
	const char *name;
	uint32_t chance;
	int nvalues; /* 0: any up to the limit */
	int values[6], limit;
} random_choices[] = {
	{ "castling_from", 4, 4, { 0, 1, 3, 11 }, 0 },
	{ "double_step", 3, 6, { 0, 2, 3, 4, 5, 6 }, 0 },
	{ "en_passant", 6, 0, { 0 }, 0 },
	{ "count_limit", 8, 0, { 0 }, 150 },
	{ "ply_limit", 8, 0, { 0 }, 300 },
};
enum { RANDOM_CHOICES = sizeof(random_choices) / sizeof(random_choices[0]) };

/* A number, or what it stands for: true, false, letters. */
static inline char *
print_random(char *s, const struct rules_field *f, int value)
{
	if (f->type == RULE_BOOL)
		return s + sprintf(s, "%s", value ? "true" : "false");
	if (f->type != RULE_SET)
		return s + sprintf(s, "%d", value);
	*s++ = '"';
	for (int i = 3; i >= 0; i--)
		if ((value >> i & 1) != 0)
			*s++ = "nbrq"[i];
	*s++ = '"';
	return s;
}

static inline char *
random_key(char *s, const struct rules_field *f)
{
	return s + sprintf(s, "%s\"%s\":", s[-1] == '{' ? "" : ",", f->name);
}

/* A field that is a number, now and then. */
static inline char *
random_number(struct rng *rng, char *s, const struct rules_field *f)
{
	int i = 0, value = !f->classical, limit = f->type == RULE_SET ? 15 : f->highest;
	uint32_t chance = f->type == RULE_INT || f->type == RULE_WHITE ? 4 : 5;

	while (i < RANDOM_CHOICES && strcmp(random_choices[i].name, f->name) != 0)
		i++;
	if (!one_in(rng, i < RANDOM_CHOICES ? random_choices[i].chance : chance))
		return s;
	if (i < RANDOM_CHOICES && random_choices[i].nvalues > 0)
		value = random_choices[i]
			    .values[rng_below(rng, (uint32_t)random_choices[i].nvalues)];
	else if (f->type != RULE_BOOL) {
		if (i < RANDOM_CHOICES)
			limit = random_choices[i].limit;
		else if (limit > 100 && one_in(rng, 2))
			limit = 20; /* something happens soon */
		value =
		    f->lowest + (int)rng_below(rng, (uint32_t)(limit - f->lowest + 1));
	}
	return print_random(random_key(s, f), f, value);
}

static inline char *
random_start(struct rng *rng, char *s, const struct rules_field *f)
{
	static const char *const starts[] = { "960",
		"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w kq - 0 1",
		"4k2r/4p3/8/8/8/8/4P3/R3K3 b Qk - 3 9" };
	const char *start = starts[rng_below(rng, one_in(rng, 3) ? 4 : 1)];

	if (!one_in(rng, 3))
		return s;
	s = random_key(s, f);
	return s + sprintf(s, "\"%s\"", start);
}

/* Fields that the oracle does not know yet. */
static inline bool
is_unknown(const struct rules_field *f)
{
	static const char *const names[] = { "pieces", "drops", "explode", "must_capture",
		"may_check", "royal", "last_word", "lost_all_value" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(f->name, names[i]) == 0)
			return true;
	return false;
}

__attribute__((unused)) static void
random_rules(struct rng *rng, char text[RANDOM_RULES_MAX])
{
	char *s = text, piece[RANDOM_PIECE_MAX];
	bool fairy = one_in(rng, 2);

	*s++ = '{';
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		if (is_unknown(f))
			continue;
		if (f->type == RULE_SQUARES) {
			if (one_in(rng, 5)) {
				s = random_key(s, f);
				s += sprintf(s, "\"d4 e4 d5 e5\"");
			}
		} else if (f->type == RULE_FEN) {
			s = random_start(rng, s, f);
		} else if (f->type != RULE_PIECE) {
			s = random_number(rng, s, f);
		} else if (fairy && one_in(rng, f->classical == 'K' ? 4 : 2)) {
			random_piece(rng, piece);
			s = random_key(s, f);
			s += sprintf(s, "\"%s\"", piece);
		}
	}
	strcpy(s, "}");
}

#endif
