/*
 * Random rule sets for tests: JSON with any choice of the fields that there
 * are in rules(7). Not all are free of contradiction:
 * that is for the reader to say.
 */
#ifndef TESTS_RANDOMSPEC_H
#define TESTS_RANDOMSPEC_H

#include <stdio.h>
#include <string.h>

#include "base/rng.h"

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
			continue;	/* a rider */
		if (one_in(rng, 4))
			*s++ = "mc"[rng_below(rng, 2)];
		if (one_in(rng, 3) && strchr("WDHR", atom) != NULL) {
			static const char *const ways[] = { "f", "b", "s", "v",
			    "fs", "bs", "fb", "vs" };
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

static inline char *
random_key(char *s, const char *key)
{
	return s + sprintf(s, "%s\"%s\":", s[-1] == '{' ? "" : ",", key);
}

static inline char *
random_number(struct rng *rng, char *s, uint32_t chance, const char *key,
    int lowest, int highest)
{
	if (!one_in(rng, chance))
		return s;
	s = random_key(s, key);
	return s + sprintf(s, "%d", lowest +
	    (int)rng_below(rng, (uint32_t)(highest - lowest + 1)));
}

static inline char *
random_switch(struct rng *rng, char *s, uint32_t chance, const char *key,
    const char *value)
{
	if (!one_in(rng, chance))
		return s;
	s = random_key(s, key);
	return s + sprintf(s, "%s", value);
}

__attribute__((unused)) static void
random_rules(struct rng *rng, char text[RANDOM_RULES_MAX])
{
	static const char *const pieces[] = { "knight", "bishop", "rook",
	    "queen", "king" };
	static const int steps[] = { 0, 2, 3, 4, 5, 6 };
	static const int late[] = { 0, 1, 3, 11 };
	static const char *const starts[] = { "\"960\"",
	    "\"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1\"",
	    "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w kq - 0 1\"",
	    "\"4k2r/4p3/8/8/8/8/4P3/R3K3 b Qk - 3 9\"" };
	char *s = text, piece[RANDOM_PIECE_MAX];
	bool fairy = one_in(rng, 2);

	*s++ = '{';
	s = random_switch(rng, s, 3, "start", starts[rng_below(rng,
	    one_in(rng, 3) ? 4 : 1)]);
	if (one_in(rng, 4)) {
		s = random_key(s, "castling_from");
		s += sprintf(s, "%d", late[rng_below(rng, 4)]);
	}
	if (one_in(rng, 3)) {
		s = random_key(s, "double_step");
		s += sprintf(s, "%d", steps[rng_below(rng, 6)]);
	}
	s = random_switch(rng, s, 5, "pawn_back", "true");
	s = random_switch(rng, s, 5, "pawn_sideways", "true");
	s = random_switch(rng, s, 6, "en_passant", "false");
	if (one_in(rng, 5)) {
		uint32_t set = 1 + rng_below(rng, 15);
		s = random_key(s, "promote_to");
		*s++ = '"';
		for (int i = 3; i >= 0; i--)
			if ((set >> i & 1) != 0)
				*s++ = "nbrq"[i];
		*s++ = '"';
	}
	s = random_switch(rng, s, 5, "self_capture", "true");
	for (int i = 0; i < 5 && fairy; i++) {
		if (!one_in(rng, i == 4 ? 4 : 2))
			continue;
		random_piece(rng, piece);
		s = random_key(s, pieces[i]);
		s += sprintf(s, "\"%s\"", piece);
	}
	s = random_number(rng, s, 4, "checks_to_win", 0, 9);
	s = random_switch(rng, s, 5, "hill_wins", "true");
	s = random_number(rng, s, 4, "stalemate_value", -100, 100);
	s = random_number(rng, s, 4, "bare_king_value", 0, 100);
	s = random_number(rng, s, 4, "repetition_value", -100, 100);
	s = random_number(rng, s, 4, "draw_value", -100, 100);
	s = random_number(rng, s, 8, "count_limit", 1, 150);
	s = random_number(rng, s, 8, "ply_limit", 1, 300);
	strcpy(s, "}");
}

#endif
