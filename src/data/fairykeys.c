#include "fairykeys.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEVER = 10000 };

/* Kinds of pieces by their names there, in the order in which their keys are read:
 * a later kind takes a letter from an earlier one. NULL: our notation cannot say how it
 * moves. Behind them come customPiece1 to customPiece25, and king. */
/* clang-format off */
static const struct {
	const char *name, *moves;
} named[] = {
	{ "pawn", "" }, { "knight", "N" }, { "bishop", "B" }, { "rook", "R" },
	{ "queen", "Q" }, { "fers", "F" }, { "alfil", "A" }, { "fersAlfil", "FA" },
	{ "silver", "FfW" }, { "aiwok", "RNF" }, { "bers", "RF" },
	{ "archbishop", "BN" }, { "chancellor", "RN" }, { "amazon", "QN" },
	{ "knibis", "mNcB" }, { "biskni", "mBcN" }, { "kniroo", "mNcR" },
	{ "rookni", "mRcN" }, { "shogiPawn", "fW" }, { "lance", "fR" },
	{ "shogiKnight", NULL }, { "gold", "WfF" }, { "dragonHorse", "BW" },
	{ "clobber", "cW" }, { "breakthrough", "fmWfF" }, { "immobile", "" },
	{ "cannon", NULL }, { "janggiCannon", NULL }, { "soldier", "fsW" },
	{ "horse", NULL }, { "elephant", NULL }, { "janggiElephant", NULL },
	{ "wazir", "W" }, { "commoner", "K" }, { "centaur", "KN" }, { "banner", NULL },
};
/* clang-format on */

enum { NAMED = sizeof(named) / sizeof(named[0]), CUSTOMS = FAIRY_KINDS - NAMED - 1 };

/* ---- what is lost ---- */

/* The number of a key among those that were read. */
static int
see(struct fairy_variant *v, const char *key)
{
	int i = 0;

	while (i < v->nseen && strncmp(v->seen[i], key, FAIRY_KEY_MAX - 1) != 0)
		i++;
	if (i == v->nseen && i < FAIRY_KEYS_MAX) {
		snprintf(v->seen[i], FAIRY_KEY_MAX, "%s", key);
		v->nseen++;
		v->counts.read++;
	}
	return i;
}

void
fairy_lose(struct fairy_variant *v, const char *key, const char *value, const char *why)
{
	int i = see(v, key);

	if (i < FAIRY_KEYS_MAX && v->seen_lost[i])
		return;
	if (i < FAIRY_KEYS_MAX) {
		v->seen_lost[i] = true;
		v->counts.lost++;
	}
	text_add_format(v->lost, "%.60s = %.60s: %s\n", key, value, why);
}

void
fairy_lose_all(struct fairy_variant *v, const char *stem, int side, const char *why)
{
	for (int i = 0; i < v->nseen; i++) {
		const char *key = v->seen[i];
		size_t n = strlen(key);
		bool black = n > 5 && strcmp(key + n - 5, "Black") == 0;
		bool white = n > 5 && strcmp(key + n - 5, "White") == 0;
		if (strncmp(key, stem, strlen(stem)) != 0 || v->seen_lost[i] ||
		    (side != -1 && (side == WHITE ? black : white)))
			continue;
		v->seen_lost[i] = true;
		v->counts.lost++;
		text_add_format(v->lost, "%.60s: %s\n", key, why);
	}
}

/* ---- setting fields ---- */

void
fairy_set_number(struct fairy_variant *v, const char *field, int side, int number,
    const char *key, const char *value)
{
	char reason[RULES_REASON_MAX];
	const struct rules_field *f = rules_find_field(field);

	if ((side == -1 ? rules_set(v->rules, f, number, reason)
			: rules_set_side(v->rules, f, side, number, reason)) == -1)
		fairy_lose(v, key, value, reason);
}

void
fairy_set_text(struct fairy_variant *v, const char *field, int side, const char *text,
    const char *key, const char *value)
{
	char reason[RULES_REASON_MAX];
	const struct rules_field *f = rules_find_field(field);

	if ((side == -1 ? rules_set_text(v->rules, f, text, reason)
			: rules_set_text_side(v->rules, f, side, text, reason)) == -1)
		fairy_lose(v, key, value, reason);
}

/* ---- kinds of pieces ---- */

const char *
fairy_kind_name(int kind, char name[FAIRY_KEY_MAX])
{
	if (kind < NAMED)
		return named[kind].name;
	if (kind == FAIRY_KING)
		return "king";
	snprintf(name, FAIRY_KEY_MAX, "customPiece%d", kind - NAMED + 1);
	return name;
}

const char *
fairy_kind_moves(int kind)
{
	return kind < NAMED ? named[kind].moves : kind == FAIRY_KING ? "K" : NULL;
}

int
fairy_kind_of(const struct fairy_variant *v, char letter)
{
	int kind = FAIRY_KINDS - 1;

	while (kind >= 0 && v->kinds[kind].letter != letter)
		kind--;
	return kind;
}

void
fairy_remove_kind(struct fairy_kind *k)
{
	k->letter = '\0';
	k->becomes[WHITE] = k->becomes[BLACK] = false;
}

/* Their notation to ours: all four forward (backward) leaps of a knight are fhN
 * (bhN) there and fN (bN) here; fN there means two of them. */
static bool
translate(const char *s, char moves[FAIRY_VALUE_MAX])
{
	struct piece parsed;
	char reason[REASON_MAX], *to = moves;

	for (; *s != '\0'; s++) {
		if ((*s == 'f' || *s == 'b') && s[1] == 'h' && s[2] == 'N') {
			*to++ = *s++;
			continue;
		}
		if ((*s == 'f' || *s == 'b') && s[1] == 'N')
			return false;
		*to++ = *s;
	}
	*to = '\0';
	return piece_parse(&parsed, moves, reason) == 0;
}

/* "n:fNbW", "b" for a piece that has a name, "-" for none. */
static void
add_kind(struct fairy_variant *v, int kind, const char *key, const char *value)
{
	struct fairy_kind *k = &v->kinds[kind];
	char letter = (char)tolower((unsigned char)value[0]);
	bool custom = kind >= NAMED && kind < FAIRY_KING;
	const char *usual = fairy_kind_moves(kind);

	if (value[0] == '-') {
		fairy_remove_kind(k);
		return;
	}
	if (letter < 'a' || letter > 'z' || (custom && value[1] != ':')) {
		fairy_lose(v, key, value, "no letter and notation");
		return;
	}
	int old = fairy_kind_of(v, letter);
	if (old != -1 && old != kind)
		fairy_remove_kind(&v->kinds[old]);
	k->letter = letter;
	if (custom || (kind == FAIRY_KING && value[1] == ':')) {
		k->foreign = !translate(value + 2, k->moves);
		if (k->foreign)
			snprintf(k->moves, sizeof(k->moves), "%s", value + 2);
	} else {
		k->foreign = usual == NULL;
		snprintf(k->moves, sizeof(k->moves), "%s", usual != NULL ? usual : "");
	}
}

static bool
is_piece_key(const char *key, int *kind)
{
	char name[FAIRY_KEY_MAX];

	for (*kind = 0; *kind < FAIRY_KINDS; ++*kind)
		if (strcmp(key, fairy_kind_name(*kind, name)) == 0)
			return true;
	return false;
}

static void
add_pieces(struct fairy_variant *v, const struct fairy_section *s)
{
	char name[FAIRY_KEY_MAX];

	for (int kind = 0; kind < FAIRY_KINDS; kind++)
		for (int i = 0; i < s->n; i++)
			if (strcmp(s->pairs[i].key, fairy_kind_name(kind, name)) == 0)
				add_kind(v, kind, s->pairs[i].key, s->pairs[i].value);
}

/* ---- values ---- */

/* A value to the side not to move: win, draw and loss mean the side to move. */
static bool
read_value(const char *s, int *value)
{
	*value = strcmp(s, "loss") == 0 ? 100 : strcmp(s, "win") == 0 ? -100 : 0;
	return *value != 0 || strcmp(s, "draw") == 0;
}

static bool
read_bool(const char *s, bool *value)
{
	*value = strcmp(s, "true") == 0;
	return *value || strcmp(s, "false") == 0;
}

/* "d4 e4", "*8", "a*"; "-" and "" are none. False if a square is not on our board. */
static bool
read_squares(const char *s, uint64_t *set)
{
	char word[8];
	int n = 0;

	*set = 0;
	if (strcmp(s, "-") == 0)
		return true;
	for (; sscanf(s, "%7s%n", word, &n) == 1; s += n) {
		bool file = word[0] >= 'a' && word[0] <= 'h';
		bool rank = word[1] >= '1' && word[1] <= '8';
		if ((!file && word[0] != '*') || (!rank && word[1] != '*') ||
		    word[2] != '\0')
			return false;
		uint64_t files = file ? 0x0101010101010101ULL << (word[0] - 'a') : ~0ULL;
		*set |= files & (rank ? 0xffULL << 8 * (word[1] - '1') : ~0ULL);
	}
	return true;
}

static void
print_squares(uint64_t set, char text[64 * 3 + 1])
{
	char *s = text;

	*s = '\0';
	for (; set != 0; set &= set - 1) {
		int sq = __builtin_ctzll(set);
		s += sprintf(s, "%s%c%d", s > text ? " " : "", 'a' + sq % 8, sq / 8 + 1);
	}
}

/* The highest rank of "*2 *3", as a side counts ranks, if these are all from its 2nd
 * on; 0 for none, -1 for any other region. Whether the 1st is one of them. */
static int
highest_rank(const char *s, int side, bool *low)
{
	uint64_t set;
	int highest = 0;

	if (!read_squares(s, &set))
		return -1;
	*low = false;
	for (int rank = 1; rank <= 8; rank++) {
		int row = side == WHITE ? rank - 1 : 8 - rank;
		uint64_t on = set >> 8 * row & 0xff;
		if (on != 0 && on != 0xff)
			return -1;
		if (rank == 1)
			*low = on != 0;
		else if (on != 0 && highest != (rank == 2 ? 0 : rank - 1))
			return -1;
		else if (on != 0)
			highest = rank;
	}
	/* from their 7th and 8th rank there is no room for it */
	return highest > 6 ? 6 : highest;
}

/* ---- keys ---- */

/* Keys that do not matter here, or state what holds for every rule set. */
static bool
says_nothing(const char *key, const char *value)
{
	/* clang-format off */
	static const struct {
		const char *key, *value;
	} list[] = {
		{ "variantTemplate", NULL }, { "pieceToCharTable", NULL },
		{ "pieceValueMg", NULL }, { "pieceValueEg", NULL },
		{ "nnueAlias", NULL }, { "endgameEval", NULL },
		{ "pocketSize", NULL }, { "flagPieceCount", "1" },
		{ "flagPieceSafe", "false" }, { "flagPieceBlockedWin", "false" },
		{ "nFoldRule", "3" }, { "twoBoards", "false" },
		{ "dropChecks", "true" }, { "dropLoop", "false" },
		{ "dropOnTop", "false" }, { "dropPromoted", "false" },
		{ "dropNoDoubled", "-" }, { "mustDrop", "false" },
		{ "firstRankPawnDrops", "false" },
		{ "promotionZonePawnDrops", "false" },
		{ "immobilityIllegal", "false" }, { "shogiDoubledPawn", "true" },
		{ "enclosingDrop", "none" }, { "flipEnclosedPieces", "none" },
		{ "petrifyOnCapture", "false" }, { "petrifyOnCaptureTypes", "-" },
		{ "blastImmuneTypes", "none" }, { "mutuallyImmuneTypes", "none" },
		{ "pawnTypes", "p" }, { "promotionPawnTypes", "p" },
		{ "promotionPawnTypesWhite", "p" }, { "promotionPawnTypesBlack", "p" },
		{ "promotionRank", "8" }, { "promotionRegion", "*8" },
		{ "promotionRegionWhite", "*8" }, { "promotionRegionBlack", "*1" },
		{ "promotedPieceType", "" }, { "promotedPieceType", "-" },
		{ "promotionLimit", "" }, { "mandatoryPawnPromotion", "true" },
		{ "mandatoryPiecePromotion", "false" }, { "pieceDemotion", "false" },
		{ "piecePromotionOnCapture", "false" },
		{ "sittuyinPromotion", "false" }, { "firstRankDoubleSteps", "false" },
		{ "tripleStepRegionWhite", "-" }, { "tripleStepRegionBlack", "-" },
		{ "enPassantTypes", "p" }, { "enPassantTypesWhite", "p" },
		{ "enPassantTypesBlack", "p" }, { "nMoveRuleTypes", "p" },
		{ "nMoveRuleTypesWhite", "p" }, { "nMoveRuleTypesBlack", "p" },
		{ "castlingDroppedPiece", "false" },
		{ "castlingKingsideFile", "g" }, { "castlingQueensideFile", "c" },
		{ "castlingRank", "1" }, { "castlingKingFile", "e" },
		{ "castlingWins", "-" }, { "oppositeCastling", "false" },
		{ "kingType", "k" }, { "checkmateValue", "loss" },
		{ "nFoldValueAbsolute", "false" }, { "stalematePieceCount", "false" },
		{ "pass", "false" }, { "passOnStalemate", "false" },
		{ "kingPass", "false" }, { "kingPassOnStalemate", "false" },
		{ "gating", "false" }, { "seirawanGating", "false" },
		{ "arrowGating", "false" }, { "duckGating", "false" },
		{ "staticGating", "false" }, { "pastGating", "false" },
		{ "wallingRule", "none" }, { "cambodianMoves", "false" },
		{ "makpongRule", "false" }, { "flyingGeneral", "false" },
		{ "perpetualCheckIllegal", "false" },
		{ "moveRepetitionIllegal", "false" }, { "chasingRule", "none" },
		{ "shogiPawnDropMateIllegal", "false" }, { "shatarMateRule", "false" },
		{ "bikjangRule", "false" }, { "connectN", "0" },
		{ "countingRule", "none" }, { "materialCounting", "none" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(list[i].key, key) == 0 &&
		    (list[i].value == NULL || strcmp(list[i].value, value) == 0))
			return true;
	return false;
}

/* Keys that are true or false; into our field, or kept for fairykeys_settle(). */
static bool
set_bool(struct fairy_variant *v, const char *key, const char *value)
{
	static const struct {
		const char *key, *field;
	} fields[] = {
		{ "castling", "castling_from" },
		{ "selfCapture", "self_capture" },
		{ "mustCapture", "must_capture" },
		{ "blastOnCapture", "explode" },
		{ "checking", "may_check" },
		{ "flagMove", "last_word" },
	};
	bool yes;

	if (!read_bool(value, &yes))
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(key, fields[i].key) == 0) {
			fairy_set_number(v, fields[i].field, -1, yes, key, value);
			return true;
		}
	}
	if (strcmp(key, "pieceDrops") == 0)
		v->drops = yes;
	else if (strcmp(key, "capturesToHand") == 0)
		v->to_hand = yes;
	else if (strcmp(key, "doubleStep") == 0)
		v->double_steps = yes;
	else if (strcmp(key, "checkCounting") == 0)
		v->checks = yes ? -1 : 0;
	else if (strcmp(key, "chess960") == 0)
		fairy_set_text(v, "start", -1, yes ? "960" : "", key, value);
	else if (strcmp(key, "extinctionPseudoRoyal") == 0)
		v->pseudo_royal = yes;
	else
		return false;
	return true;
}

/* "promotionPieceTypesWhite" is "promotionPieceTypes" for one side: 0 or 1, -1 for
 * both, -2 if it is not this key. */
static int
side_of(const char *key, const char *stem)
{
	size_t n = strlen(stem);

	if (strncmp(key, stem, n) != 0)
		return -2;
	key += n;
	return key[0] == '\0'           ? -1
	    : strcmp(key, "White") == 0 ? WHITE
	    : strcmp(key, "Black") == 0 ? BLACK
					: -2;
}

static void
set_promotions(struct fairy_variant *v, int side, const char *key, const char *value)
{
	for (int kind = 0; kind < FAIRY_KINDS; kind++)
		v->kinds[kind].becomes[side] = false;
	for (const char *s = value; *s != '\0'; s++) {
		int kind = fairy_kind_of(v, (char)tolower((unsigned char)*s));
		if (*s != '-' && kind == -1)
			fairy_lose(v, key, value, "a letter has no piece");
		else if (*s != '-')
			v->kinds[kind].becomes[side] = true;
	}
}

static void
set_region(struct fairy_variant *v, int side, const char *key, const char *value)
{
	bool low;
	int rank = highest_rank(value, side, &low);

	if (rank == -1) {
		fairy_lose(v, key, value, "only whole ranks, from the 2nd on");
		return;
	}
	v->highest_rank[side] = rank;
	v->low_pawns[side] = low;
}

static void
set_goal(struct fairy_variant *v, int side, const char *key, const char *value)
{
	char text[64 * 3 + 1];
	uint64_t set;

	if (!read_squares(value, &set)) {
		fairy_lose(v, key, value, "not squares of this board");
		return;
	}
	print_squares(set, text);
	fairy_set_text(v, "goal", side, text, key, value);
}

/* Keys that each side may have, or both; whiteFlag and blackFlag are older names. */
static bool
set_sided(struct fairy_variant *v, const char *key, const char *value)
{
	static const struct {
		const char *stem;
		void (*set)(struct fairy_variant *, int, const char *, const char *);
	} list[] = {
		{ "promotionPieceTypes", set_promotions },
		{ "doubleStepRegion", set_region },
		{ "flagRegion", set_goal },
	};

	for (int i = 0; i < 3; i++) {
		int side = side_of(key, list[i].stem);
		for (int each = WHITE; each <= BLACK && side != -2; each++)
			if (side == -1 || side == each)
				list[i].set(v, each, key, value);
		if (side != -2)
			return true;
	}
	if (strcmp(key, "whiteFlag") == 0 || strcmp(key, "blackFlag") == 0) {
		set_goal(v, key[0] == 'b', key, value);
		return true;
	}
	int side = side_of(key, "flagPiece");
	for (int each = WHITE; each <= BLACK && side != -2; each++)
		if (side == -1 || side == each)
			v->flag_piece[each] = value[1] == '\0'
			    ? (char)tolower((unsigned char)value[0])
			    : '*';
	return side != -2;
}

/* What happens to a side without some of its pieces. */
static bool
set_extinction(struct fairy_variant *v, const char *key, const char *value)
{
	int n;

	if (strcmp(key, "extinctionValue") == 0) {
		bool none = strcmp(value, "none") == 0;
		if (!none && (!read_value(value, &n) || n == 0))
			return false;
		v->extinct_value = none ? 0 : -n;
	} else if (strcmp(key, "extinctionPieceTypes") == 0) {
		snprintf(v->extinct, sizeof(v->extinct), "%s", value);
	} else if (strncmp(key, "extinction", 10) == 0) {
		v->other_extinction |=
		    strcmp(value, "0") != 0 && strcmp(value, "false") != 0;
	} else {
		return false;
	}
	return true;
}

static void
set_key(struct fairy_variant *v, const char *key, const char *value)
{
	int n, kind;

	if (is_piece_key(key, &kind) || says_nothing(key, value) ||
	    set_bool(v, key, value) || set_sided(v, key, value) ||
	    set_extinction(v, key, value))
		return;
	if (strcmp(key, "startFen") == 0)
		snprintf(v->start, sizeof(v->start), "%s", value);
	else if (strcmp(key, "castlingKingPiece") == 0)
		snprintf(v->castling_king, sizeof(v->castling_king), "%s", value);
	else if (strcmp(key, "castlingRookPieces") == 0 ||
	    strcmp(key, "castlingRookPiece") == 0)
		snprintf(v->castling_rooks, sizeof(v->castling_rooks), "%s", value);
	else if (strcmp(key, "doubleStepRank") == 0 && strcmp(value, "2") == 0)
		v->highest_rank[WHITE] = v->highest_rank[BLACK] = 2;
	else if (strcmp(key, "enPassantRegion") == 0 && strcmp(value, "-") == 0)
		fairy_set_number(v, "en_passant", -1, 0, key, value);
	else if (strcmp(key, "enPassantRegion") == 0 && strcmp(value, "*3 *6") == 0 &&
	    v->highest_rank[WHITE] <= 2 && v->highest_rank[BLACK] <= 2)
		/* all ranks that double steps pass over */
		fairy_set_number(v, "en_passant", -1, 1, key, value);
	else if (strcmp(key, "stalemateValue") == 0 && read_value(value, &n))
		fairy_set_number(v, "stalemate_value", -1, n, key, value);
	else if (strcmp(key, "nFoldValue") == 0 && read_value(value, &n))
		fairy_set_number(v, "repetition_value", -1, n, key, value);
	else if (strcmp(key, "nMoveRule") == 0 && strlen(value) < 6 && atoi(value) > 0)
		fairy_set_number(v, "count_limit", -1, 2 * atoi(value), key, value);
	else if (strcmp(key, "nMoveRule") == 0 && strcmp(value, "0") == 0)
		/* ply_limit comes first */
		fairy_set_number(v, "count_limit", -1, NEVER, key, value);
	else
		fairy_lose(v, key, value, "no counterpart here");
}

/* A board of another size. */
static int
refuse_board(struct fairy_variant *v, const char *key, const char *value)
{
	bool rank = strcmp(key, "maxRank") == 0;

	if ((!rank && strcmp(key, "maxFile") != 0) || strcmp(value, "8") == 0 ||
	    (!rank && (strcmp(value, "h") == 0 || strcmp(value, "H") == 0)))
		return 0;
	text_add_format(v->lost, "%s = %.60s: boards have 64 squares here\n", key, value);
	return -1;
}

int
fairykeys_add(struct fairy_variant *v, const struct fairy_section *s)
{
	add_pieces(v, s);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < s->n; i++) {
			const char *key = s->pairs[i].key, *value = s->pairs[i].value;
			size_t n = strlen(key);
			bool sided = n > 5 &&
			    (strcmp(key + n - 5, "White") == 0 ||
				strcmp(key + n - 5, "Black") == 0);
			if (sided != (pass == 1))
				continue;
			see(v, key);
			if (refuse_board(v, key, value) == -1)
				return -1;
			if (strcmp(key, "maxRank") != 0 && strcmp(key, "maxFile") != 0)
				set_key(v, key, value);
		}
	}
	return 0;
}
