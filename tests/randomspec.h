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

enum { RANDOM_RULES_MAX = 2048, RANDOM_PIECE_MAX = 48 };

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

/* What several fields of a rule set have to agree on. */
struct random_kinds {
	bool fairy;              /* pieces of chess move otherwise */
	char spares[SPARES + 1]; /* small letters */
	char royal;              /* a royal kind, to which no pawn promotes; 0: none */
};

static inline void
random_kinds(struct rng *rng, struct random_kinds *k)
{
	static const char letters[] = "acdefghijlmostuvwxyz";
	char all[10];
	uint32_t n = one_in(rng, 3) ? 1 + rng_below(rng, SPARES) : 0;

	memset(k, 0, sizeof(*k));
	k->fairy = one_in(rng, 2);
	for (uint32_t i = 0; i < n;) {
		char c = letters[rng_below(rng, sizeof(letters) - 1)];
		if (strchr(k->spares, c) == NULL)
			k->spares[i++] = c;
	}
	snprintf(all, sizeof(all), "nbrq%s", k->spares);
	if (one_in(rng, 8))
		k->royal = all[rng_below(rng, (uint32_t)strlen(all))];
}

/* How often a field is changed: once in so many times. */
static inline uint32_t
random_chance(const struct rules_field *f, const struct random_kinds *k)
{
	for (int i = 0; i < RANDOM_CHOICES; i++)
		if (strcmp(random_choices[i].name, f->name) == 0)
			return random_choices[i].chance;
	switch (f->type) {
	case RULE_PIECES:
		return k->spares[0] != '\0' ? 1 : 0;
	case RULE_PIECE:
		return !k->fairy ? 0 : f->classical == 'K' ? 4 : 2;
	case RULE_FEN:
		return k->spares[0] != '\0' ? 1 : 3;
	case RULE_SET:
		return k->royal != '\0' ? 1 : 5;
	case RULE_INT:
	case RULE_WHITE:
		return f->group == RULE_END ? 6 : 4;
	default:
		return 7;
	}
}

static inline int
random_number(struct rng *rng, const struct rules_field *f)
{
	int i = 0, limit = f->highest;

	while (i < RANDOM_CHOICES && strcmp(random_choices[i].name, f->name) != 0)
		i++;
	if (i < RANDOM_CHOICES && random_choices[i].nvalues > 0)
		return random_choices[i]
		    .values[rng_below(rng, (uint32_t)random_choices[i].nvalues)];
	if (i < RANDOM_CHOICES)
		limit = random_choices[i].limit;
	else if (limit > 100 && one_in(rng, 2))
		limit = 20; /* something happens soon */
	return f->lowest + (int)rng_below(rng, (uint32_t)(limit - f->lowest + 1));
}

/* What pawns become, without the royal kind; or what is royal. */
static inline char *
random_letters(struct rng *rng, char *s, const struct rules_field *f,
    const struct random_kinds *k)
{
	char all[10];

	if (f->lowest == 0) {
		static const char *const ways[] = { "", "k" };
		return s + sprintf(s, "%s%.1s", ways[rng_below(rng, 2)], &k->royal);
	}
	snprintf(all, sizeof(all), "nbrqk%s", k->spares);
	for (const char *c = all; *c != '\0'; c++)
		if (*c != k->royal && one_in(rng, *c == 'k' ? 6 : 2))
			*s++ = *c;
	return s;
}

static inline char *
random_squares(struct rng *rng, char *s)
{
	if (one_in(rng, 3))
		return s + sprintf(s, "d4 e4 d5 e5");
	if (one_in(rng, 2))
		return s + sprintf(s, "rank %u", 1 + rng_below(rng, 8));
	for (uint32_t n = rng_below(rng, 4); n > 0; n--)
		s += sprintf(s, "%c%u%s", "abcdefgh"[rng_below(rng, 8)],
		    1 + rng_below(rng, 8), n > 1 ? " " : "");
	return s;
}

/* A start with the spare kinds in place of pieces of one side or both. */
static inline char *
random_spare_start(struct rng *rng, char *s, const struct random_kinds *k)
{
	char fen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

	for (const char *c = k->spares; *c != '\0'; c++) {
		uint32_t file = rng_below(rng, 8), whose = 1 + rng_below(rng, 3);
		if (file == 4)
			continue;
		if ((whose & 1) != 0)
			fen[file] = *c;
		if ((whose & 2) != 0)
			fen[35 + file] = (char)(*c - 'a' + 'A');
	}
	return s + sprintf(s, "%s", fen);
}

static inline char *
random_start(struct rng *rng, char *s, const struct random_kinds *k)
{
	static const char *const starts[] = { "960",
		"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w kq - 0 1",
		"4k2r/4p3/8/8/8/8/4P3/R3K3 b Qk - 3 9",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/PPPPKPPP w kq - 0 1",
		"rppqkppr/8/2n2n2/4p3/4P3/2N2N2/8/RPPQKPPR w KQkq - 0 1" };

	if (k->spares[0] != '\0' && !one_in(rng, 4))
		return random_spare_start(rng, s, k);
	return s + sprintf(s, "%s", starts[rng_below(rng, one_in(rng, 2) ? 6 : 1)]);
}

/* A value as JSON. */
static inline char *
random_value(struct rng *rng, char *s, const struct rules_field *f,
    const struct random_kinds *k)
{
	char piece[RANDOM_PIECE_MAX];

	switch (f->type) {
	case RULE_BOOL:
		return s + sprintf(s, one_in(rng, 5) != !f->classical ? "true" : "false");
	case RULE_INT:
	case RULE_WHITE:
		return s + sprintf(s, "%d", random_number(rng, f));
	case RULE_PIECES:
		*s++ = '{';
		for (const char *c = k->spares; *c != '\0'; c++) {
			random_piece(rng, piece);
			s += sprintf(s, "\"%c\":\"%s\"%s", *c, piece, c[1] ? "," : "}");
		}
		return s;
	default:
		break;
	}
	*s++ = '"';
	if (f->type == RULE_FEN) {
		s = random_start(rng, s, k);
	} else if (f->type == RULE_PIECE) {
		random_piece(rng, piece);
		s += sprintf(s, "%s", piece);
	} else {
		s = f->type == RULE_SET ? random_letters(rng, s, f, k)
					: random_squares(rng, s);
	}
	*s++ = '"';
	return s;
}

__attribute__((unused)) static void
random_rules(struct rng *rng, char text[RANDOM_RULES_MAX])
{
	struct random_kinds k;
	char *s = text;

	random_kinds(rng, &k);
	*s++ = '{';
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		uint32_t chance = random_chance(f, &k);
		if (chance == 0 || !one_in(rng, chance))
			continue;
		s += sprintf(s, "%s\"%s\":", s[-1] == '{' ? "" : ",", f->name);
		if (!f->sided || !one_in(rng, 4)) {
			s = random_value(rng, s, f, &k);
			continue;
		}
		s = random_value(rng, s + sprintf(s, "{\"white\":"), f, &k);
		s = random_value(rng, s + sprintf(s, ",\"black\":"), f, &k);
		*s++ = '}';
	}
	strcpy(s, "}");
}

#endif
