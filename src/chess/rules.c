#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "base/rng.h"
#include "base/text.h"
#include "board.h"
#include "fen.h"
#include "outcome.h"

const struct rules_field rules_fields[] = {
#define SIDED_ONE false
#define SIDED_EACH true
#define RULE(name, type, sides, lo, hi, def, unit, group, doc, sentence) \
	{ #name, RULE_##type, RULE_##group, SIDED_##sides, lo, hi, def, unit, doc, \
		sentence, offsetof(struct rules, name), sizeof(MEMBER_##type) },
#define RULE_ALIAS(name, field, value, text)
#include "rules.def"
#undef RULE
#undef RULE_ALIAS
};
const size_t rules_nfields = sizeof(rules_fields) / sizeof(rules_fields[0]);

static const struct {
	const char *name;
	size_t offset;
	int value;
	const char *text;
} aliases[] = {
#define RULE(name, type, sides, lo, hi, def, unit, group, doc, sentence)
#define RULE_ALIAS(name, field, value, text) \
	{ #name, offsetof(struct rules, field), value, text },
#include "rules.def"
#undef RULE
#undef RULE_ALIAS
};

/* The member of a field, for a side. */
static void *
at(const struct rules *r, const struct rules_field *f, int side)
{
	return (char *)(uintptr_t)r + f->offset + (f->sided ? (size_t)side * f->size : 0);
}

static bool
is_number(const struct rules_field *f)
{
	return f->type <= RULE_SET;
}

/* ---- values ---- */

/* Classical chess, filled before main(), as every game needs it. */
static struct rules classical;

__attribute__((constructor)) static void
init_classical(void)
{
	char letter[2] = "", reason[REASON_MAX];

	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		letter[0] = (char)f->classical;
		for (int side = 0; side < 1 + f->sided; side++)
			if (f->type == RULE_PIECE)
				(void)piece_parse(at(&classical, f, side), letter,
				    reason);
			else if (is_number(f))
				*(int16_t *)at(&classical, f, side) =
				    (int16_t)f->classical;
	}
	rules_finish(&classical);
}

void
rules_init(struct rules *r)
{
	*r = classical;
}

/* Letters and moves of all kinds of pieces. */
static void
finish_pieces(struct rules *r)
{
	int n = 0;

	memset(r->letter, 0, sizeof(r->letter));
	memcpy(r->letter, " PNBRQK", 7);
	while (n < SPARES && r->pieces.letter[n] != '\0') {
		r->letter[SPARE + n] = (char)(r->pieces.letter[n] - 'a' + 'A');
		n++;
	}
	r->ntypes = (uint8_t)(SPARE + n);
	for (int side = WHITE; side <= BLACK; side++) {
		memset(r->kind[side], 0, sizeof(r->kind[side]));
		r->kind[side][KNIGHT] = r->knight[side];
		r->kind[side][BISHOP] = r->bishop[side];
		r->kind[side][ROOK] = r->rook[side];
		r->kind[side][QUEEN] = r->queen[side];
		r->kind[side][KING] = r->king[side];
		for (int i = 0; i < n; i++)
			r->kind[side][SPARE + i] = r->pieces.piece[i];
		unsigned strange = 0;
		for (int type = KNIGHT; type < TYPES; type++)
			if (type >= SPARE ? type < r->ntypes
					  : !piece_equal(&r->kind[side][type],
						&classical.kind[WHITE][type]))
				strange |= 1U << (type - KNIGHT);
		r->strange[side] = r == &classical ? 0 : (uint16_t)strange;
	}
	r->fairy = (r->strange[WHITE] | r->strange[BLACK]) != 0;
}

/* Spare kinds are worth as much as a knight with so many moves. */
static void
finish_worth(struct rules *r)
{
	static const int16_t usual[] = { 0, 100, 300, 325, 500, 900, 0 };
	const int only_king = 1 << (KING - KNIGHT);

	memset(r->worth, 0, sizeof(r->worth));
	memcpy(r->worth, usual, sizeof(usual));
	if (((r->royal[WHITE] & r->royal[BLACK]) & only_king) == 0)
		r->worth[KING] = 300;
	for (int type = SPARE; type < r->ntypes; type++)
		r->worth[type] =
		    (int16_t)(300 / 5.25 * attack_mobility(&r->kind[WHITE][type]));
}

/* How many pieces and pawns a side can have, by the start. */
static void
finish_counts(struct rules *r)
{
	int men[2] = { 0, 0 }, pawns[2] = { 0, 0 }, rank = 7;
	const char *s = r->start;

	r->first_rank_pawns[WHITE] = r->first_rank_pawns[BLACK] = false;
	for (; strcmp(r->start, "960") != 0 && *s != '\0' && *s != ' ' && *s != '[';
	     s++) {
		int side = *s >= 'a';
		rank -= *s == '/';
		if ((*s | 32) < 'a' || (*s | 32) > 'z')
			continue;
		men[side]++;
		pawns[side] += (*s | 32) == 'p';
		if ((*s | 32) == 'p' && rank == (side == WHITE ? 0 : 7))
			r->first_rank_pawns[side] = true;
	}
	for (int side = WHITE; side <= BLACK; side++) {
		int most = men[side] > 16 ? men[side] : 16;
		int most_pawns = pawns[side] > 8 ? pawns[side] : 8;
		r->most_men[side] = (uint8_t)(r->hands ? 32 : most);
		r->most_pawns[side] = (uint8_t)(r->hands ? 16 : most_pawns);
	}
}

void
rules_finish(struct rules *r)
{
	const int only_king = 1 << (KING - KNIGHT);
	bool royal_usual = true;

	r->tested = r->explode;
	r->listed = false;
	r->ends = r->explode;
	r->hands = r->drops[WHITE] || r->drops[BLACK];
	r->kingless = r->explode;
	finish_counts(r);
	for (int side = WHITE; side <= BLACK; side++) {
		r->double_from[side] = 0;
		for (int rank = r->first_rank_pawns[side] ? 1 : 2;
		     rank <= r->double_step[side]; rank++)
			r->double_from[side] |= 0xffULL
			    << 8 * (side == WHITE ? rank - 1 : 8 - rank);
		r->ends |= r->checks_to_win[side] != 0 || r->goal[side] != 0 ||
		    r->bare_king_value[side] != 0 || r->lost_all_value[side] != 0;
		r->kingless |= (r->royal[side] & only_king) == 0;
		royal_usual &= r->royal[side] == only_king;
		r->tested |= !r->may_check[side] ||
		    (r->royal[side] != 0 && r->royal[side] != only_king);
		r->listed |= r->must_capture[side] || r->drops[side];
		r->king_takes_rook[side] =
		    piece_goes_sideways(&r->king[side], PIECE_QUIET, 2);
		r->castles[side] =
		    r->castling_from[side] != 0 && (r->royal[side] & only_king) != 0;
		r->promotions[side] =
		    (uint8_t)__builtin_popcount((unsigned)r->promote_to[side]);
	}
	finish_pieces(r);
	finish_worth(r);
	r->listed |= r->tested || !royal_usual;
	r->odd = r->fairy || r->ends || r->listed;
	r->extra = r->checks_to_win[WHITE] != 0 || r->checks_to_win[BLACK] != 0 ||
	    r->hands || r->explode;
}

int
rules_type(const struct rules *r, char letter)
{
	char capital =
	    letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;

	for (int type = PAWN; type < r->ntypes; type++)
		if (r->letter[type] == capital)
			return type;
	return 0;
}

const struct rules_field *
rules_find_field(const char *name)
{
	for (size_t i = 0; i < rules_nfields; i++)
		if (strcmp(rules_fields[i].name, name) == 0)
			return &rules_fields[i];
	return NULL;
}

const struct rules_field *
rules_field_at(size_t offset)
{
	const struct rules_field *f = rules_fields;

	while (f->offset != offset)
		f++;
	return f;
}

const struct rules_field *
rules_find_alias(const char *name, int *value, const char **text)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(aliases[i].name, name) != 0)
			continue;
		*value = aliases[i].value;
		*text = aliases[i].text;
		return rules_field_at(aliases[i].offset);
	}
	return NULL;
}

const char *
rules_nearest_field(const char *name)
{
	const char *nearest = NULL;
	size_t len = strlen(name);
	int best = (int)len / 4 + 1;

	for (size_t i = 0; i < rules_nfields; i++)
		text_try_nearest(rules_fields[i].name, name, len, &best, &nearest);
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		text_try_nearest(aliases[i].name, name, len, &best, &nearest);
	return nearest;
}

int
rules_get(const struct rules *r, const struct rules_field *f, int side)
{
	return *(const int16_t *)at(r, f, side);
}

int
rules_set_side(struct rules *r, const struct rules_field *f, int side, int value,
    char *reason)
{
	if (!is_number(f))
		return refuse(reason, "%s is not a number", f->name);
	if (value < f->lowest || value > f->highest)
		return refuse(reason, "%s is %d, not within %d..%d", f->name, value,
		    f->lowest, f->highest);
	if (f->offset == offsetof(struct rules, double_step) && value == 1)
		return refuse(reason,
		    "double_step is 1, but no pawn stands on its 1st rank "
		    "(0: never, 2: as in chess)");
	*(int16_t *)at(r, f, side) = (int16_t)value;
	return 0;
}

int
rules_set(struct rules *r, const struct rules_field *f, int value, char *reason)
{
	if (rules_set_side(r, f, WHITE, value, reason) == -1)
		return -1;
	return rules_set_side(r, f, BLACK, value, reason);
}

static int
set_letters(struct rules *r, const struct rules_field *f, int side, const char *text,
    char *reason)
{
	int set = 0;

	for (const char *s = text; *s != '\0'; s++) {
		int type = *s >= 'a' && *s <= 'z' ? rules_type(r, *s) : 0;
		int one = type >= KNIGHT ? 1 << (type - KNIGHT) : 0;
		if (one == 0)
			return refuse(reason, "%s has a letter other than n b r q k%s",
			    f->name, r->ntypes > SPARE ? " and those of pieces" : "");
		if ((set & one) != 0)
			return refuse(reason, "%s has the letter %c twice", f->name, *s);
		set |= one;
	}
	if (set == 0 && f->lowest > 0)
		return refuse(reason, "%s is empty: pawns must become something",
		    f->name);
	*(int16_t *)at(r, f, side) = (int16_t)set;
	return 0;
}

static int
add_spare(struct spare_pieces *p, const char *text, size_t n, char *reason)
{
	char notation[PIECE_TEXT_MAX], why[REASON_MAX];
	struct piece piece;
	int i = 0, count = 0;

	if (n < 2 || text[0] < 'a' || text[0] > 'z' || text[1] != ':')
		return refuse(reason, "pieces has a name that is not one small letter");
	if (strchr("pnbrqk", text[0]) != NULL)
		return refuse(reason, "pieces has the letter %c, which chess uses",
		    text[0]);
	snprintf(notation, sizeof(notation), "%.*s", (int)(n - 2), text + 2);
	if (n - 2 >= sizeof(notation) || piece_parse(&piece, notation, why) == -1)
		return refuse(reason, "pieces: %c \"%.40s\": %s", text[0], notation,
		    n - 2 >= sizeof(notation) ? "too long" : why);
	while (count < SPARES && p->letter[count] != '\0')
		count++;
	while (i < count && p->letter[i] < text[0])
		i++;
	if (i < count && p->letter[i] == text[0])
		return refuse(reason, "pieces has the letter %c twice", text[0]);
	if (count == SPARES)
		return refuse(reason, "pieces has more than %d letters", SPARES);
	for (int k = count; k > i; k--) {
		p->letter[k] = p->letter[k - 1];
		p->piece[k] = p->piece[k - 1];
	}
	p->letter[i] = text[0];
	p->piece[i] = piece;
	return 0;
}

/* "a:BN,c:RN" */
static int
set_pieces(struct rules *r, const char *text, char *reason)
{
	memset(&r->pieces, 0, sizeof(r->pieces));
	for (const char *s = text; *s != '\0';) {
		size_t n = strcspn(s, ",");
		if (add_spare(&r->pieces, s, n, reason) == -1)
			return -1;
		s += n + (s[n] == ',');
	}
	finish_pieces(r);
	return 0;
}

/* Squares, or "rank 8", separated by blanks. */
static int
set_squares(uint64_t *set, const struct rules_field *f, const char *text, char *reason)
{
	uint64_t all = 0;

	for (const char *s = text; *(s += strspn(s, " ")) != '\0'; s += strcspn(s, " ")) {
		int n = (int)strcspn(s, " ");
		if (n == 4 && strncmp(s, "rank", 4) == 0 && s[4] == ' ' && s[5] >= '1' &&
		    s[5] <= '8' && (s[6] == ' ' || s[6] == '\0')) {
			all |= 0xffULL << 8 * (s[5] - '1');
			s += 5;
		} else if (n == 2 && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' &&
		    s[1] <= '8') {
			all |= 1ULL << (8 * (s[1] - '1') + s[0] - 'a');
		} else {
			return refuse(reason, "%s: '%.*s' is not a square", f->name,
			    n < 20 ? n : 20, s);
		}
	}
	*set = all;
	return 0;
}

int
rules_set_text_side(struct rules *r, const struct rules_field *f, int side,
    const char *text, char *reason)
{
	char why[RULES_REASON_MAX];

	switch (f->type) {
	case RULE_SET:
		return set_letters(r, f, side, text, reason);
	case RULE_PIECE:
		if (piece_parse(at(r, f, side), text, why) == 0)
			return 0;
		return refuse(reason, "%s \"%.40s\": %s", f->name, text, why);
	case RULE_PIECES:
		return set_pieces(r, text, reason);
	case RULE_SQUARES:
		return set_squares(at(r, f, side), f, text, reason);
	case RULE_FEN:
		if (strlen(text) >= RULES_FEN_MAX)
			return refuse(reason, "%s is too long for a FEN", f->name);
		memset(r->start, 0, RULES_FEN_MAX);
		strcpy(r->start, text);
		return 0;
	default:
		return refuse(reason, "%s is not a text", f->name);
	}
}

int
rules_set_text(struct rules *r, const struct rules_field *f, const char *text,
    char *reason)
{
	if (rules_set_text_side(r, f, WHITE, text, reason) == -1)
		return -1;
	return f->sided ? rules_set_text_side(r, f, BLACK, text, reason) : 0;
}

int
rules_set_name(struct rules *r, const char *name, char *reason)
{
	size_t len = strlen(name);

	if (len == 0 || len > RULES_NAME_MAX ||
	    strspn(name,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
		len)
		return refuse(reason,
		    "a rule set's name is 1 to %d letters, digits, '-', '_' or '.'",
		    RULES_NAME_MAX);
	for (int i = 0; i < RULES_PRESETS; i++) {
		if (strcmp(name, rules_presets[i].name) == 0)
			return refuse(reason, "the name %s is taken by a preset", name);
	}
	memset(r->name, 0, sizeof(r->name));
	memcpy(r->name, name, len);
	return 0;
}

bool
rules_is_classical(const struct rules *r, const struct rules_field *f)
{
	return rules_same(r, &classical, f);
}

int
rules_count_changes(const struct rules *r)
{
	int n = 0;

	for (size_t i = 0; i < rules_nfields; i++)
		n += !rules_is_classical(r, &rules_fields[i]);
	return n;
}

static bool
same_spares(const struct spare_pieces *a, const struct spare_pieces *b)
{
	for (int i = 0; i < SPARES; i++)
		if (a->letter[i] != b->letter[i] ||
		    !piece_equal(&a->piece[i], &b->piece[i]))
			return false;
	return true;
}

static bool
same_value(const struct rules_field *f, const void *a, const void *b)
{
	switch (f->type) {
	case RULE_FEN:
		return strcmp(a, b) == 0;
	case RULE_PIECE:
		return piece_equal(a, b);
	case RULE_PIECES:
		return same_spares(a, b);
	default:
		return memcmp(a, b, f->size) == 0;
	}
}

bool
rules_same(const struct rules *a, const struct rules *b, const struct rules_field *f)
{
	return same_value(f, at(a, f, WHITE), at(b, f, WHITE)) &&
	    same_value(f, at(a, f, BLACK), at(b, f, BLACK));
}

bool
rules_is_sided(const struct rules *r, const struct rules_field *f)
{
	return !same_value(f, at(r, f, WHITE), at(r, f, BLACK));
}

bool
rules_equal(const struct rules *a, const struct rules *b)
{
	for (size_t i = 0; i < rules_nfields; i++)
		if (!rules_same(a, b, &rules_fields[i]))
			return false;
	return strcmp(a->name, b->name) == 0;
}

const struct piece *
rules_get_piece(const struct rules *r, const struct rules_field *f, int side)
{
	return at(r, f, side);
}

const struct piece *
rules_classical_piece(const struct rules_field *f)
{
	return at(&classical, f, WHITE);
}

static uint64_t
hash_bytes(uint64_t hash, const void *p, size_t n)
{
	const uint8_t *s = p;

	for (size_t i = 0; i < n; i++)
		hash = rng_stir(hash + s[i]);
	return hash;
}

static uint64_t
hash_piece(uint64_t hash, const struct piece *p)
{
	return hash_bytes(hash, p, sizeof(p->slide) + sizeof(p->leap));
}

static uint64_t
hash_value(uint64_t hash, const struct rules *r, const struct rules_field *f, int side)
{
	const void *p = at(r, f, side);

	switch (f->type) {
	case RULE_FEN:
		return hash_bytes(hash, p, strlen(p));
	case RULE_PIECE:
		return r->fairy ? hash_piece(hash, p) : hash;
	case RULE_PIECES:
		for (int i = 0; i < SPARES && r->pieces.letter[i] != '\0'; i++)
			hash = hash_piece(rng_stir(hash + (uint64_t)r->pieces.letter[i]),
			    &r->pieces.piece[i]);
		return hash;
	case RULE_SQUARES:
		return rng_stir(hash + r->goal[side]);
	default:
		return rng_stir(hash + (uint64_t)rules_get(r, f, side));
	}
}

uint64_t
rules_hash(const struct rules *r)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		hash = hash_value(hash, r, f, WHITE);
		if (rules_is_sided(r, f))
			hash = hash_value(hash ^ i, r, f, BLACK);
	}
	return hash;
}

/* ---- contradictions ---- */

/* Brings the start into the form that fen_write() gives; "" for the usual one. */
static int
settle_start(struct rules *r, char *reason)
{
	char why[FEN_REASON_MAX];
	struct board b, usual;

	if (r->start[0] == '\0' || strcmp(r->start, "960") == 0)
		return 0;
	if (fen_read(&b, r, r->start, strlen(r->start), why) == -1)
		return refuse(reason, "start: %s", why);
	memset(r->start, 0, sizeof(r->start));
	board_start(&usual, r);
	if (memcmp(&b, &usual, sizeof(b)) != 0)
		fen_write(&b, r->start);
	return 0;
}

/* Players take for granted that a game has not ended where it begins, and that it is
 * about something. */
static int
refuse_finished_start(const struct rules *r, char *reason)
{
	struct board b;

	board_start(&b, r);
	for (int side = WHITE; side <= BLACK; side++)
		if (r->royal[side] != 0 && board_royals(&b, side) == 0)
			return refuse(reason, "start: %s has no royal piece",
			    side == WHITE ? "White" : "Black");
	enum end e = outcome_find(&b, &b.key, 0);
	return e == END_NONE
	    ? 0
	    : refuse(reason, "start: the game is over there (%s)", end_name(e));
}

/* Contradictions of one side's fields. */
static int
settle_side(const struct rules *r, int side, char *reason)
{
	const int only_king = 1 << (KING - KNIGHT);
	const struct piece *king = &r->king[side];

	if (r->self_capture[side] && r->castles[side]) {
		if (strcmp(r->start, "960") == 0)
			return refuse(reason,
			    "self_capture contradicts "
			    "start 960: king takes own rook would be two moves "
			    "(castling_from 0 takes castling away)");
		if (piece_goes_sideways(king, PIECE_QUIET, 2) ||
		    piece_goes_sideways(king, PIECE_CAPTURE, 2))
			return refuse(reason,
			    "self_capture contradicts a "
			    "king that goes two squares along its rank: it "
			    "could be castling");
	}
	if (r->self_capture[side] && r->drops[side])
		return refuse(reason,
		    "self_capture contradicts drops: "
		    "captured pieces change sides");
	if (r->drops[side] && (r->royal[side] & ~r->royal[side ^ 1]) != 0)
		return refuse(reason,
		    "drops contradict royal: a captured piece would become royal");
	int known = (1 << (r->ntypes - KNIGHT)) - 1;
	if (((r->promote_to[side] | r->royal[side]) & ~known) != 0)
		return refuse(reason, "%s has the letter of a piece that pieces lacks",
		    (r->promote_to[side] & ~known) != 0 ? "promote_to" : "royal");
	if ((r->promote_to[side] & r->royal[side]) != 0)
		return refuse(reason,
		    "promote_to contradicts royal: pawns cannot become royal pieces");
	if (r->explode && r->royal[side] != 0 && r->royal[side] != only_king)
		return refuse(reason,
		    "explode contradicts royal: only kings can be royal then");
	if (!r->may_check[side] && r->checks_to_win[side] != 0)
		return refuse(reason, "checks_to_win contradicts may_check false");
	return 0;
}

int
rules_settle(struct rules *r, char *reason)
{
	rules_finish(r);
	if (settle_side(r, WHITE, reason) == -1 || settle_side(r, BLACK, reason) == -1)
		return -1;
	if (settle_start(r, reason) == -1)
		return -1;
	rules_finish(r);
	return refuse_finished_start(r, reason);
}

/* ---- printing ---- */

static char *
print_spares(char *s, const struct spare_pieces *p, const char *form)
{
	char notation[PIECE_TEXT_MAX];

	for (int i = 0; i < SPARES && p->letter[i] != '\0'; i++) {
		piece_print(&p->piece[i], notation);
		if (i > 0)
			*s++ = ',';
		s += sprintf(s, form, p->letter[i], notation);
	}
	*s = '\0';
	return s;
}

static void
print_squares(char *s, uint64_t set)
{
	*s = '\0';
	for (int rank = 0; rank < 8; rank++) {
		if (set == 0xffULL << 8 * rank) {
			sprintf(s, "rank %d", rank + 1);
			return;
		}
	}
	for (const char *blank = ""; set != 0; set &= set - 1, blank = " ") {
		int sq = __builtin_ctzll(set);
		s += sprintf(s, "%s%c%d", blank, 'a' + sq % 8, sq / 8 + 1);
	}
}

void
rules_print_text(const struct rules *r, const struct rules_field *f, int side, char *text)
{
	char *s = text;

	switch (f->type) {
	case RULE_BOOL:
	case RULE_INT:
	case RULE_WHITE:
		snprintf(text, RULES_VALUE_MAX, "%d", rules_get(r, f, side));
		return;
	case RULE_SET:
		for (int type = KNIGHT; type < r->ntypes; type++)
			if ((rules_get(r, f, side) >> (type - KNIGHT) & 1) != 0)
				*s++ = (char)(r->letter[type] - 'A' + 'a');
		*s = '\0';
		return;
	case RULE_FEN:
		strcpy(text, r->start);
		return;
	case RULE_PIECE:
		piece_print(at(r, f, side), text);
		return;
	case RULE_PIECES:
		print_spares(text, &r->pieces, "%c:%s");
		return;
	case RULE_SQUARES:
		print_squares(text, r->goal[side]);
		return;
	}
}

static void
print_side(const struct rules *r, const struct rules_field *f, int side, char *text)
{
	if (f->type == RULE_BOOL) {
		strcpy(text, rules_get(r, f, side) ? "true" : "false");
		return;
	}
	if (f->type == RULE_INT || f->type == RULE_WHITE) {
		rules_print_text(r, f, side, text);
		return;
	}
	if (f->type == RULE_PIECES) {
		text[0] = '{';
		strcpy(print_spares(text + 1, &r->pieces, "\"%c\":\"%s\""), "}");
		return;
	}
	text[0] = '"';
	rules_print_text(r, f, side, text + 1);
	strcat(text, "\"");
}

void
rules_print_value(const struct rules *r, const struct rules_field *f, char *text)
{
	if (!rules_is_sided(r, f)) {
		print_side(r, f, WHITE, text);
		return;
	}
	strcpy(text, "{\"white\":");
	print_side(r, f, WHITE, text + strlen(text));
	strcat(text, ",\"black\":");
	print_side(r, f, BLACK, text + strlen(text));
	strcat(text, "}");
}
