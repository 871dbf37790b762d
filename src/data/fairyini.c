#include "fairyini.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "variant.h"

enum { DEPTH_MAX = 20, LINE_MAX_LEN = 400, NEVER = 10000 };

/* A variant as it is read. */
struct reader {
	const char *s, *end;
	struct rules *rules;
	struct text *lost;
	struct fairyini_keys keys;
	bool checks; /* checks are counted */
	int drops;   /* 1: pieces are dropped, 2: captured ones */
	char flag_piece;
	int double_step[2];           /* highest rank for it; -1: not given */
	char promote[2][16];          /* what pawns may become; "": not given */
	char moves[26][LINE_MAX_LEN]; /* Betza notation by letter; "": unknown */
};

/* Pieces with names in Fairy-Stockfish. */
/* clang-format off */
static const struct {
	const char *name, *moves;
} pieces[] = {
	{ "knight", "N" }, { "bishop", "B" }, { "rook", "R" }, { "queen", "Q" },
	{ "king", "K" }, { "commoner", "K" }, { "archbishop", "BN" },
	{ "chancellor", "RN" }, { "amazon", "QN" }, { "centaur", "KN" },
	{ "fers", "F" }, { "wazir", "W" }, { "alfil", "A" },
	{ "fersAlfil", "FA" }, { "silver", "FfW" }, { "gold", "WfF" },
	{ "bers", "RF" }, { "dragon", "RF" }, { "dragonHorse", "BW" },
	{ "aiwok", "RNF" }, { "knibis", "mNcB" }, { "biskni", "mBcN" },
	{ "kniroo", "mNcR" }, { "rookni", "mRcN" },
};
/* clang-format on */

static void
lose(struct reader *r, const char *key, const char *value, const char *why)
{
	text_add_format(r->lost, "%.60s = %.60s: %s\n", key, value, why);
	r->keys.lost++;
}

static void
set_number(struct reader *r, const char *field, int value, const char *key,
    const char *text)
{
	char reason[RULES_REASON_MAX];

	if (rules_set(r->rules, rules_find_field(field), value, reason) == -1)
		lose(r, key, text, reason);
}

static void
set_text(struct reader *r, const char *field, const char *value, const char *key,
    const char *text)
{
	char reason[RULES_REASON_MAX];

	if (rules_set_text(r->rules, rules_find_field(field), value, reason) == -1)
		lose(r, key, text, reason);
}

/* ---- values ---- */

static bool
is_true(const char *s)
{
	return strcmp(s, "true") == 0;
}

/* A value to the side not to move: win, draw and loss mean the side to move. */
static bool
read_value(const char *s, int *value)
{
	*value = strcmp(s, "loss") == 0 ? 100 : strcmp(s, "win") == 0 ? -100 : 0;
	return *value != 0 || strcmp(s, "draw") == 0;
}

/* Their notation to ours: all four forward (backward) leaps of a knight are fhN
 * (bhN) there and fN (bN) here; fN there means two of them. */
static bool
translate(const char *s, char moves[LINE_MAX_LEN])
{
	char *to = moves;

	for (; *s != '\0' && to < moves + LINE_MAX_LEN - 1; s++) {
		if ((*s == 'f' || *s == 'b') && s[1] == 'h' && s[2] == 'N') {
			*to++ = *s++;
			continue;
		}
		if ((*s == 'f' || *s == 'b') && s[1] == 'N')
			return false;
		*to++ = *s;
	}
	*to = '\0';
	return true;
}

/* "n:fNbW", "b" for a piece that has a name, "-" for none. */
static void
set_piece(struct reader *r, const char *key, const char *value, const char *usual)
{
	int letter = tolower((unsigned char)value[0]);

	if (value[0] == '-' && usual != NULL) {
		for (int i = 0; i < 26; i++)
			if (strcmp(r->moves[i], usual) == 0)
				r->moves[i][0] = '\0';
		return;
	}
	if (letter < 'a' || letter > 'z' || (value[1] != ':' && usual == NULL)) {
		lose(r, key, value, "no letter and notation");
		return;
	}
	char moves[LINE_MAX_LEN];
	if (value[1] != ':')
		snprintf(moves, sizeof(moves), "%s", usual);
	else if (!translate(value + 2, moves)) {
		lose(r, key, value, "fN is two moves there and four here");
		return;
	}
	memcpy(r->moves[letter - 'a'], moves, sizeof(moves));
}

/* Squares are separated by blanks, in any order. */
static bool
is_hill(const char *s)
{
	int seen = 0, n = 0;
	char square[8];

	while (sscanf(s, "%7s%n", square, &n) == 1) {
		static const char *const hill[] = { "d4", "e4", "d5", "e5" };
		int i = 0;
		while (i < 4 && strcmp(square, hill[i]) != 0)
			i++;
		if (i == 4)
			return false;
		seen |= 1 << i;
		s += n;
	}
	return seen == 15;
}

/* The highest rank of "*2 *3", as a side counts ranks, if these are all from its 2nd
 * on; 0 for "-", -1 for any other region. */
static int
highest_rank(const char *s, bool black)
{
	int seen = 0, n = 0, most = 2;
	char word[8];

	if (strcmp(s, "-") == 0)
		return 0;
	while (sscanf(s, "%7s%n", word, &n) == 1) {
		if (word[0] != '*' || word[1] < '1' || word[1] > '8' || word[2] != '\0')
			return -1;
		seen |= 1 << (black ? '9' - word[1] : word[1] - '0');
		s += n;
	}
	while ((seen & 1 << most) != 0)
		most++;
	/* ranks 2 to most - 1, and perhaps the 1st, where no pawn stands */
	return (seen & ~2) == (1 << most) - 4 && most > 2 ? most - 1 : -1;
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
		{ "maxRank", "8" }, { "maxFile", "8" }, { "maxFile", "h" },
		{ "variantTemplate", NULL }, { "pieceToCharTable", NULL },
		{ "pieceValueMg", NULL }, { "pieceValueEg", NULL },
		{ "nFoldRule", "3" }, { "checking", "true" },
		{ "pawn", "p" }, { "nnueAlias", NULL }, { "twoBoards", "false" },
		{ "dropChecks", NULL }, { "pieceDrops", "false" },
		{ "capturesToHand", "false" }, { "mustCapture", "false" },
		{ "blastOnCapture", "false" }, { "flipEnclosedPieces", "none" },
		{ "flagMove", "false" }, { "chess960", "false" },
		{ "pocketSize", NULL }, { "pawnTypes", "p" },
		{ "promotionPawnTypes", "p" }, { "promotionPawnTypesWhite", "p" },
		{ "promotionPawnTypesBlack", "p" },
		{ "promotionRegionWhite", "*8" }, { "promotionRegionBlack", "*1" },
		{ "mandatoryPawnPromotion", "true" }, { "enPassantTypes", "p" },
		{ "nMoveRuleTypes", "p" }, { "castlingKingsideFile", "g" },
		{ "castlingQueensideFile", "c" }, { "castlingRank", "1" },
		{ "castlingKingPiece", "k" }, { "castlingKingFile", "e" },
		{ "castlingRookPieces", "r" }, { "checkmateValue", "loss" },
		{ "tripleStepRegionWhite", "-" }, { "tripleStepRegionBlack", "-" },
		{ "nFoldValueAbsolute", "false" }, { "extinctionValue", "none" },
		{ "pass", "false" }, { "passOnStalemate", "false" },
		{ "gating", "false" }, { "seirawanGating", "false" },
		{ "cambodianMoves", "false" }, { "perpetualCheckIllegal", "false" },
		{ "moveRepetitionIllegal", "false" }, { "chasingRule", "none" },
		{ "countingRule", "none" }, { "materialCounting", "none" },
		{ "stalematePieceCount", "false" }, { "flyingGeneral", "false" },
		{ "promotionLimit", "" }, { "piecePromotionOnCapture", "false" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(list[i].key, key) == 0 &&
		    (list[i].value == NULL || strcmp(list[i].value, value) == 0))
			return true;
	return false;
}

/* Keys with a value for each side, which must be the same here: kept until all are
 * known. */
static bool
set_sided(struct reader *r, const char *key, const char *value)
{
	size_t n = strlen(key);
	bool black = n > 5 && strcmp(key + n - 5, "Black") == 0;

	if (n <= 5 || (!black && strcmp(key + n - 5, "White") != 0))
		return false;
	if (strncmp(key, "doubleStepRegion", n - 5) == 0 && n - 5 == 16) {
		r->double_step[black] = highest_rank(value, black);
		if (r->double_step[black] == -1)
			lose(r, key, value, "only whole ranks, from the 2nd on");
		return true;
	}
	if (strncmp(key, "promotionPieceTypes", n - 5) != 0 || n - 5 != 19)
		return false;
	snprintf(r->promote[black], sizeof(r->promote[black]), "%s", value);
	return true;
}

/* Whatever double steps there are, a region of all ranks that they pass over says
 * nothing; only they set an en passant square. */
static bool
is_usual_region(const struct reader *r, const char *value)
{
	return strcmp(value, "*3 *6") == 0 &&
	    rules_get(r->rules, rules_find_field("double_step"), WHITE) <= 2;
}

static void
set_key(struct reader *r, const char *key, const char *value)
{
	int v;

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		if (strcmp(key, pieces[i].name) == 0) {
			set_piece(r, key, value, pieces[i].moves);
			return;
		}
	}
	if (says_nothing(key, value) || set_sided(r, key, value))
		return;
	if (strncmp(key, "customPiece", 11) == 0)
		set_piece(r, key, value, NULL);
	else if (strcmp(key, "startFen") == 0)
		set_text(r, "start", value, key, value);
	else if (strcmp(key, "chess960") == 0)
		set_text(r, "start", "960", key, value);
	else if (strcmp(key, "castling") == 0)
		set_number(r, "castling_from", is_true(value), key, value);
	else if (strcmp(key, "doubleStep") == 0)
		set_number(r, "double_step", is_true(value) ? 2 : 0, key, value);
	else if (strcmp(key, "doubleStepRank") == 0)
		set_number(r, "double_step", atoi(value), key, value);
	else if (strcmp(key, "enPassantRegion") == 0 && value[0] == '-')
		set_number(r, "en_passant", 0, key, value);
	else if (strcmp(key, "enPassantRegion") == 0 && is_usual_region(r, value))
		set_number(r, "en_passant", 1, key, value);
	else if (strcmp(key, "promotionPieceTypes") == 0)
		set_text(r, "promote_to", value, key, value);
	else if (strcmp(key, "selfCapture") == 0)
		set_number(r, "self_capture", is_true(value), key, value);
	else if (strcmp(key, "mustCapture") == 0)
		set_number(r, "must_capture", is_true(value), key, value);
	else if (strcmp(key, "blastOnCapture") == 0)
		set_number(r, "explode", is_true(value), key, value);
	else if (strcmp(key, "checking") == 0)
		set_number(r, "may_check", is_true(value), key, value);
	else if (strcmp(key, "pieceDrops") == 0 && is_true(value))
		r->drops |= 1;
	else if (strcmp(key, "capturesToHand") == 0 && is_true(value))
		r->drops |= 2;
	else if (strcmp(key, "stalemateValue") == 0 && read_value(value, &v))
		set_number(r, "stalemate_value", v, key, value);
	else if (strcmp(key, "nFoldValue") == 0 && read_value(value, &v))
		set_number(r, "repetition_value", v, key, value);
	else if (strcmp(key, "nMoveRule") == 0 && atoi(value) > 0)
		set_number(r, "count_limit", 2 * atoi(value), key, value);
	else if (strcmp(key, "nMoveRule") == 0 && strcmp(value, "0") == 0)
		set_number(r, "count_limit", NEVER, key,
		    value); /* ply_limit comes first */
	else if (strcmp(key, "checkCounting") == 0)
		r->checks = is_true(value);
	else if (strcmp(key, "flagPiece") == 0 && tolower((unsigned char)*value) == 'k')
		r->flag_piece = 'k';
	else if (strncmp(key, "flagRegion", 10) == 0 && is_hill(value))
		set_text(r, "goal", "d4 e4 d5 e5", key, value);
	else
		lose(r, key, value, "no counterpart here");
}

/* ---- the file ---- */

/* The next line without blanks around it; false at the end. */
static bool
next_line(const char **s, const char *end, char line[LINE_MAX_LEN])
{
	if (*s >= end)
		return false;
	const char *nl = memchr(*s, '\n', (size_t)(end - *s));
	const char *stop = nl != NULL ? nl : end, *first = *s;
	*s = nl != NULL ? nl + 1 : end;
	while (first < stop && isspace((unsigned char)*first))
		first++;
	while (stop > first && isspace((unsigned char)stop[-1]))
		stop--;
	size_t n = (size_t)(stop - first);
	if (n >= LINE_MAX_LEN)
		n = LINE_MAX_LEN - 1;
	memcpy(line, first, n);
	line[n] = '\0';
	return true;
}

/* "[name:base]" */
static bool
is_section(const char *line, const char *name, char base[LINE_MAX_LEN])
{
	size_t n = strlen(name);

	if (line[0] != '[' || strncmp(line + 1, name, n) != 0 ||
	    (line[1 + n] != ']' && line[1 + n] != ':'))
		return false;
	base[0] = '\0';
	if (line[1 + n] == ':') {
		strcpy(base, line + 2 + n);
		base[strcspn(base, "]")] = '\0';
	}
	return true;
}

static void
read_pair(struct reader *r, char *line)
{
	char *equals = strchr(line, '=');

	if (line[0] == '#' || line[0] == ';' || line[0] == '\0')
		return;
	if (equals == NULL) {
		r->keys.read++;
		lose(r, line, "", "no key = value");
		return;
	}
	char *key_end = equals;
	while (key_end > line && isspace((unsigned char)key_end[-1]))
		key_end--;
	*key_end = '\0';
	char *value = equals + 1;
	while (isspace((unsigned char)*value))
		value++;
	r->keys.read++;
	set_key(r, line, value);
}

/* Variants that the program has built in, and files may be based on. */
static int
read_known(struct reader *r, const char *name)
{
	char reason[RULES_REASON_MAX];

	if (name[0] != '\0' && variant_read(r->rules, name, strlen(name), reason) == 0)
		return 0;
	text_add_format(r->lost, "no variant '%.60s' in the file\n", name);
	return -1;
}

static int
read_variant(struct reader *r, const char *name, int depth)
{
	const char *s = r->s;
	char line[LINE_MAX_LEN], base[LINE_MAX_LEN];

	while (next_line(&s, r->end, line))
		if (is_section(line, name, base))
			break;
	if (line[0] != '[' || !is_section(line, name, base))
		return read_known(r, name);
	if (depth == DEPTH_MAX) {
		text_add_format(r->lost, "'%.60s' is based on itself\n", name);
		return -1;
	}
	if (base[0] != '\0' && read_variant(r, base, depth + 1) == -1)
		return -1;
	while (next_line(&s, r->end, line) && line[0] != '[')
		read_pair(r, line);
	return 0;
}

/* Sets the rules' pieces from those with the letters of chess. */
static void
settle_pieces(struct reader *r)
{
	static const char letters[] = "nbrqk";
	static const char *const fields[] = { "knight", "bishop", "rook", "queen",
		"king" };

	for (int i = 0; i < 26; i++) {
		const char *p = strchr(letters, 'a' + i);
		char key[2] = { (char)('a' + i), '\0' };
		if (p != NULL)
			set_text(r, fields[p - letters], r->moves[i], key, r->moves[i]);
		else if (r->moves[i][0] != '\0')
			lose(r, key, r->moves[i],
			    "only the letters n b r q k are pieces here");
	}
}

/* Sets what both sides have been given alike. */
static void
settle_sides(struct reader *r)
{
	int step = r->rules->double_step[WHITE], *given = r->double_step;

	for (int i = 0; i < 2; i++)
		given[i] = given[i] == -1 ? step : given[i];
	if (given[0] != given[1])
		lose(r, "doubleStepRegion", "", "it is the same for both sides here");
	else
		set_number(r, "double_step", given[0], "doubleStepRegion", "");
	if (strcmp(r->promote[0], r->promote[1]) != 0)
		lose(r, "promotionPieceTypes", "", "it is the same for both sides here");
	else if (r->promote[0][0] != '\0')
		set_text(r, "promote_to", r->promote[0], "promotionPieceTypes",
		    r->promote[0]);
}

int
fairyini_read(struct rules *r, const char *s, size_t n, const char *name,
    struct text *lost, struct fairyini_keys *keys)
{
	static struct reader reader;
	static const char usual[] = "nbrqk";
	char reason[RULES_REASON_MAX];

	memset(&reader, 0, sizeof(reader));
	reader.s = s;
	reader.end = s + n;
	reader.rules = r;
	reader.lost = lost;
	reader.double_step[0] = reader.double_step[1] = -1;
	for (int i = 0; i < 5; i++)
		reader.moves[usual[i] - 'a'][0] = (char)toupper((unsigned char)usual[i]);
	rules_init(r);
	int result = read_variant(&reader, name, 0);
	if (result == 0) {
		settle_pieces(&reader);
		settle_sides(&reader);
		if (reader.drops == 3)
			set_number(&reader, "drops", 1, "pieceDrops", "true");
		else if (reader.drops != 0)
			lose(&reader, "pieceDrops", "",
			    "only captured pieces are dropped here");
		if (reader.checks && r->checks_to_win[WHITE] == 0)
			set_number(&reader, "checks_to_win", 3, "checkCounting", "true");
		if (r->goal[WHITE] != 0 && reader.flag_piece != 'k' &&
		    strcmp(name, "kingofthehill") != 0)
			lose(&reader, "flagPiece", "", "only a king's flag wins here");
		result = rules_settle(r, reason);
		if (result == -1)
			text_add_format(lost, "%s\n", reason);
	}
	*keys = reader.keys;
	return result;
}
