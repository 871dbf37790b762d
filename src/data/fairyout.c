#include "fairyout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "chess/board.h"
#include "chess/fen.h"
#include "fairyini.h"
#include "fairykeys.h"

struct out {
	const struct rules *r;
	struct text *t;
	bool start, promotions, kinds; /* these keys are needed, for several fields */
	char letter[FAIRY_KINDS];      /* that a kind there has; 0: none */
};

static void
write_key(struct out *o, const char *key, const char *value)
{
	text_add_format(o->t, "%s = %s\n", key, value);
}

/* Fields with one key for a value: those of both sides. */
/* clang-format off */
static const struct {
	const char *field;
	int value;
	const char *key, *text;
} simple[] = {
	{ "castling_from", 0, "castling", "false" },
	{ "double_step", 0, "doubleStep", "false" },
	{ "en_passant", 0, "enPassantRegion", "-" },
	{ "drops", 1, "pieceDrops", "true" },
	{ "drops", 1, "capturesToHand", "true" },
	{ "must_capture", 1, "mustCapture", "true" },
	{ "may_check", 0, "checking", "false" },
	{ "last_word", 1, "flagMove", "true" },
	/* of the side to move, where ours are of the other */
	{ "stalemate_value", 100, "stalemateValue", "loss" },
	{ "stalemate_value", -100, "stalemateValue", "win" },
	{ "repetition_value", 100, "nFoldValue", "loss" },
	{ "repetition_value", -100, "nFoldValue", "win" },
};
/* clang-format on */

static bool
write_simple(struct out *o, const struct rules_field *f)
{
	bool written = false;

	if (rules_is_sided(o->r, f))
		return false;
	for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++) {
		if (strcmp(simple[i].field, f->name) != 0 ||
		    simple[i].value != rules_get(o->r, f, WHITE))
			continue;
		write_key(o, simple[i].key, simple[i].text);
		written = true;
	}
	return written;
}

/* "*2 *3", the ranks from which pawns step two squares. */
static int
write_steps(struct out *o, const struct rules_field *f, char *reason)
{
	(void)f;
	(void)reason;
	for (int side = WHITE; side <= BLACK; side++) {
		char text[32] = "-", *s = text;
		for (int rank = 2; rank <= o->r->double_step[side]; rank++)
			s += sprintf(s, "%s*%d", rank > 2 ? " " : "",
			    side == WHITE ? rank : 9 - rank);
		write_key(o,
		    side == WHITE ? "doubleStepRegionWhite" : "doubleStepRegionBlack",
		    text);
	}
	return 0;
}

static int
write_goal(struct out *o, const struct rules_field *f, char *reason)
{
	(void)f;
	(void)reason;
	write_key(o, "flagPiece", "k");
	for (int side = WHITE; side <= BLACK; side++) {
		char text[64 * 3 + 1] = "-", *s = text;
		for (uint64_t set = o->r->goal[side]; set != 0; set &= set - 1) {
			int sq = __builtin_ctzll(set);
			s += sprintf(s, "%s%c%d", s > text ? " " : "", 'a' + sq % 8,
			    sq / 8 + 1);
		}
		write_key(o, side == WHITE ? "whiteFlag" : "blackFlag", text);
	}
	return 0;
}

static int
write_limit(struct out *o, const struct rules_field *f, char *reason)
{
	char text[16];
	int plies = o->r->count_limit;

	if (plies % 2 != 0)
		return refuse(reason, "%s: only whole moves", f->name);
	snprintf(text, sizeof(text), "%d", plies == f->highest ? 0 : plies / 2);
	write_key(o, "nMoveRule", text);
	return 0;
}

/* The number stands in the start. */
static int
write_checks(struct out *o, const struct rules_field *f, char *reason)
{
	if (rules_is_sided(o->r, f))
		return refuse(reason, "%s: only the same for both sides", f->name);
	write_key(o, "checkCounting", "true");
	o->start = true;
	return 0;
}

static int
write_start(struct out *o, const struct rules_field *f, char *reason)
{
	if (o->r->first_rank_pawns[WHITE] || o->r->first_rank_pawns[BLACK])
		return refuse(reason,
		    "%s: not with pawns on their first rank, whose double steps "
		    "have rules of their own there",
		    f->name);
	if (strcmp(o->r->start, "960") == 0)
		return refuse(reason,
		    "%s: 960 is no variant there, but the option UCI_Chess960", f->name);
	o->start = true;
	return 0;
}

static int
write_promotions(struct out *o, const struct rules_field *f, char *reason)
{
	(void)f;
	(void)reason;
	o->promotions = true;
	return 0;
}

/* ---- kinds of pieces ---- */

/* The first that moves so, where two names mean the same; -1: none. */
static int
find_kind(const struct piece *p)
{
	struct piece known;
	char reason[REASON_MAX];

	for (int kind = 0; kind < FAIRY_KING; kind++) {
		const char *moves = fairy_kind_moves(kind);
		if (moves != NULL && moves[0] != '\0' &&
		    piece_parse(&known, moves, reason) == 0 && piece_equal(&known, p))
			return kind;
	}
	return -1;
}

/* A name stands for the pieces of one letter. */
static int
add_kind(struct out *o, const char *field, char letter, const struct piece *p,
    char *reason)
{
	char moves[PIECE_TEXT_MAX];
	int kind = find_kind(p);

	if (kind == -1) {
		piece_print(p, moves);
		return refuse(reason, "%s: no piece there has a name and the moves %s",
		    field, moves);
	}
	if (o->letter[kind] != '\0')
		return refuse(reason, "%s: %c and %c move alike", field, o->letter[kind],
		    letter);
	o->letter[kind] = letter;
	return 0;
}

static const char usual[] = "nbrq";
static const char *const usual_names[] = { "knight", "bishop", "rook", "queen" };

/* All of them, as each may have the name of another. */
static int
write_kinds(struct out *o, char *reason)
{
	const struct spare_pieces *all = &o->r->pieces;
	char name[FAIRY_KEY_MAX], text[] = "-";

	for (int i = 0; i < 4; i++)
		if (add_kind(o, usual_names[i], usual[i], &o->r->kind[WHITE][KNIGHT + i],
			reason) == -1)
			return -1;
	for (int i = 0; i < SPARES && all->letter[i] != '\0'; i++)
		if (add_kind(o, "pieces", all->letter[i], &all->piece[i], reason) == -1)
			return -1;
	for (int kind = FAIRY_PAWN + 1; kind < FAIRY_KING; kind++) {
		char was = kind <= 4 ? usual[kind - 1] : '\0';
		text[0] = o->letter[kind] != '\0' ? o->letter[kind] : '-';
		if (o->letter[kind] != was)
			write_key(o, fairy_kind_name(kind, name), text);
	}
	return 0;
}

static int
write_piece(struct out *o, const struct rules_field *f, char *reason)
{
	bool castles = o->r->castles[WHITE] || o->r->castles[BLACK];

	if (f->type == RULE_PIECE && rules_is_sided(o->r, f))
		return refuse(reason, "%s: only the same for both sides", f->name);
	if (f->type == RULE_PIECE && f->classical == 'K')
		return refuse(reason, "%s: only one that moves as in chess", f->name);
	if (f->type == RULE_PIECE && f->classical == 'R' && castles)
		return refuse(reason, "%s: only without castling", f->name);
	o->promotions = o->kinds = true;
	return 0;
}

/* ---- the section ---- */

static const struct {
	const char *field;
	int (*write)(struct out *, const struct rules_field *, char *);
} others[] = {
	{ "start", write_start },
	{ "double_step", write_steps },
	{ "promote_to", write_promotions },
	{ "knight", write_piece },
	{ "bishop", write_piece },
	{ "rook", write_piece },
	{ "queen", write_piece },
	{ "king", write_piece },
	{ "pieces", write_piece },
	{ "checks_to_win", write_checks },
	{ "goal", write_goal },
	{ "count_limit", write_limit },
};

static int
write_field(struct out *o, const struct rules_field *f, char *reason)
{
	char value[RULES_VALUE_MAX];

	if (write_simple(o, f))
		return 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(others[i].field, f->name) == 0)
			return others[i].write(o, f, reason);
	rules_print_value(o->r, f, value);
	return refuse(reason, "%s: Fairy-Stockfish has no key for %.200s", f->name,
	    value);
}

/* Keys that more than one field needs. */
static int
write_shared(struct out *o, char *reason)
{
	const struct rules_field *f = rules_find_field("promote_to");
	char text[RULES_VALUE_MAX], fen[FEN_MAX];
	struct board b;

	if (o->kinds && write_kinds(o, reason) == -1)
		return -1;
	if (o->start) {
		board_start(&b, o->r);
		fen_write(&b, fen);
		write_key(o, "startFen", fen);
	}
	for (int side = WHITE; side <= BLACK && o->promotions; side++) {
		bool both = !rules_is_sided(o->r, f);
		rules_print_text(o->r, f, side, text);
		if (!both || side == WHITE)
			write_key(o,
			    both                ? "promotionPieceTypes"
				: side == WHITE ? "promotionPieceTypesWhite"
						: "promotionPieceTypesBlack",
			    text);
	}
	return 0;
}

void
fairyout_name(const struct rules *r, char name[FAIRYOUT_NAME_MAX])
{
	char label[RULES_TEXT_MAX];

	if (r->name[0] == '\0' && rules_is_custom(r))
		snprintf(label, sizeof(label), "%016" PRIx64, rules_hash(r));
	else
		rules_label(r, label);
	snprintf(name, FAIRYOUT_NAME_MAX, "rulelab-%s", label);
}

/* Is a reader's rule set the same? A kind of pieces that no game has, for instance, is
 * none to it. */
static int
read_back(const struct rules *r, const char *section, const char *name, char *reason)
{
	struct text lost = { 0 };
	struct fairyini_keys keys;
	struct rules again;

	int got = fairyini_read(&again, section, strlen(section), name, &lost, &keys);
	text_release(&lost);
	memcpy(again.name, r->name, sizeof(again.name));
	if (got == 0 && rules_equal(&again, r))
		return 0;
	for (size_t i = 0; i < rules_nfields; i++)
		if (!rules_is_classical(r, &rules_fields[i]) &&
		    (got == -1 || !rules_same(&again, r, &rules_fields[i])))
			return refuse(reason, "%s: not with these other fields",
			    rules_fields[i].name);
	return refuse(reason, "start: not with these other fields");
}

int
fairyout_write(const struct rules *r, struct text *t, char reason[RULES_REASON_MAX])
{
	struct out o = { .r = r, .t = t };
	char name[FAIRYOUT_NAME_MAX];
	size_t before = t->len;

	fairyout_name(r, name);
	text_add_format(t, "[%s:chess]\n", name);
	int result = 0;
	for (size_t i = 0; i < rules_nfields && result == 0; i++)
		if (!rules_is_classical(r, &rules_fields[i]))
			result = write_field(&o, &rules_fields[i], reason);
	if (result == 0)
		result = write_shared(&o, reason);
	if (result == 0)
		result = read_back(r, t->s + before, name, reason);
	if (result == -1) {
		t->len = before;
		t->s[before] = '\0';
	}
	return result;
}
