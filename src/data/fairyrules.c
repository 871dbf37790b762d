#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fairykeys.h"

/* ---- what a variant begins with ---- */

void
fairykeys_init(struct fairy_variant *v, struct rules *r, struct text *lost)
{
	memset(v, 0, sizeof(*v));
	v->rules = r;
	v->lost = lost;
	rules_init(r);
	for (int side = WHITE; side <= BLACK; side++) {
		v->highest_rank[side] = 2;
		v->flag_piece[side] = '*';
	}
	v->double_steps = 1;
	v->castles = true;
}

void
fairykeys_add_built_in(struct fairy_variant *v)
{
	static const char letters[] = "pnbrqk";
	const struct rules *r = v->rules;
	bool king = (r->royal[WHITE] | r->royal[BLACK]) >> (KING - KNIGHT) & 1;

	for (int i = 0; i < 6; i++) {
		int royal = king ? FAIRY_KING : FAIRY_COMMONER;
		struct fairy_kind *k = &v->kinds[i < 5 ? i : royal];
		k->letter = letters[i];
		snprintf(k->moves, sizeof(k->moves), "%c", "\0NBRQK"[i]);
		for (int side = WHITE; side <= BLACK; side++)
			k->becomes[side] = i > 0 && (r->promote_to[side] << 1 >> i & 1);
	}
	for (int side = WHITE; side <= BLACK; side++) {
		int rank = r->double_step[side];
		v->highest_rank[side] = rank > 0 ? rank : 2;
		v->low_pawns[side] = r->first_rank_pawns[side];
		if (r->goal[side] != 0)
			v->flag_piece[side] = 'k';
	}
	v->double_steps = r->double_step[WHITE] > 0;
	v->drops = v->to_hand = r->drops[WHITE];
	v->checks = r->checks_to_win[WHITE];
	v->extinct_value = r->lost_all_value[WHITE];
	if (v->extinct_value != 0)
		strcpy(v->extinct, "*");
}

/* ---- its rules ---- */

/* The placement that games begin with, with hands. */
static const char *
placement(const struct fairy_variant *v)
{
	if (v->start[0] != '\0')
		return v->start;
	return v->rules->start[0] != '\0' && strcmp(v->rules->start, "960") != 0
	    ? v->rules->start
	    : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
}

/* How many pieces of a kind does a side begin with? */
static int
count_kind(const struct fairy_variant *v, int side, char letter)
{
	int n = 0, c = side == WHITE ? toupper((unsigned char)letter) : letter;

	for (const char *s = placement(v); *s != '\0' && *s != ' '; s++)
		n += *s == c;
	return n;
}

static bool
is_used(const struct fairy_variant *v, const struct fairy_kind *k)
{
	return count_kind(v, WHITE, k->letter) + count_kind(v, BLACK, k->letter) > 0 ||
	    ((k->becomes[WHITE] || k->becomes[BLACK]) &&
		fairy_kind_of(v, 'p') == FAIRY_PAWN);
}

/* Why a kind of pieces cannot be had here; NULL: it can. */
static const char *
why_not(const struct fairy_variant *v, int kind, int spares)
{
	const struct fairy_kind *k = &v->kinds[kind];

	if ((kind == FAIRY_PAWN) != (k->letter == 'p'))
		return "a pawn stays a pawn here, with the letter p";
	if (k->foreign)
		return "the notation here has no such moves";
	return spares >= SPARES ? "four kinds besides n b r q k at most" : NULL;
}

/* Kinds that games cannot have do not matter. */
static void
settle_kinds(struct fairy_variant *v)
{
	static const char letters[] = "nbrqk";
	static const char *const fields[] = { "knight", "bishop", "rook", "queen",
		"king" };
	char name[FAIRY_KEY_MAX];
	struct text all = { 0 };
	int spares = 0;

	for (int kind = 0; kind < FAIRY_KINDS; kind++) {
		struct fairy_kind *k = &v->kinds[kind];
		const char *key = fairy_kind_name(kind, name), *why, *p;
		if (k->letter == '\0' || !is_used(v, k))
			continue;
		char text[FAIRY_VALUE_MAX + 2];
		snprintf(text, sizeof(text), "%c:%s", k->letter, k->moves);
		p = strchr(letters, k->letter);
		if ((why = why_not(v, kind, p == NULL ? spares : 0)) != NULL) {
			text[k->moves[0] != '\0' ? strlen(text) : 1] = '\0';
			fairy_lose(v, key, text, why);
			fairy_remove_kind(k);
		} else if (p != NULL) {
			fairy_set_text(v, fields[p - letters], -1, k->moves, key, text);
		} else if (k->letter != 'p') {
			text_add_format(&all, "%s%s", spares++ > 0 ? "," : "", text);
		}
	}
	if (spares > 0)
		fairy_set_text(v, "pieces", -1, all.s, "customPiece1", all.s);
	text_release(&all);
}

static void
settle_promotions(struct fairy_variant *v, int side)
{
	char text[FAIRY_KINDS + 1], *s = text;

	for (int kind = 0; kind < FAIRY_KINDS; kind++)
		if (v->kinds[kind].letter != '\0' && v->kinds[kind].becomes[side])
			*s++ = v->kinds[kind].letter;
	*s = '\0';
	if (s > text)
		fairy_set_text(v, "promote_to", side, text, "promotionPieceTypes", text);
	else if (count_kind(v, side, 'p') > 0 || v->drops)
		fairy_lose(v, "promotionPieceTypes", "-",
		    "pawns must become something here");
}

/* A piece that is lost with its last one is royal here if there is only one. */
static void
add_pseudo_royal(struct fairy_variant *v, int side, char *royal)
{
	int n = 0;

	for (const char *s = v->extinct; *s != '\0'; s++) {
		char c = (char)tolower((unsigned char)*s);
		int kind = fairy_kind_of(v, c), many = count_kind(v, side, c);
		if (kind == -1 || many == 0)
			continue;
		n += many;
		if (v->kinds[kind].becomes[side])
			n = 2;
		royal[strlen(royal) + 1] = '\0';
		royal[strlen(royal)] = c;
	}
	if (n > 1)
		fairy_lose(v, "extinctionPieceTypes", v->extinct,
		    "a side has one royal piece here");
}

static void
settle_royal(struct fairy_variant *v)
{
	bool lost_all = v->extinct_value != 0 && strcmp(v->extinct, "*") == 0 &&
	    !v->pseudo_royal && !v->other_extinction;
	bool pseudo = v->extinct_value < 0 && v->pseudo_royal && !v->other_extinction &&
	    v->extinct[0] != '*';
	char king = v->kinds[FAIRY_KING].letter;

	fairy_set_number(v, "lost_all_value", -1, lost_all ? v->extinct_value : 0,
	    "extinctionValue", "");
	if (!lost_all && !pseudo && v->extinct_value != 0) {
		fairy_lose(v, "extinctionValue", v->extinct_value > 0 ? "win" : "loss",
		    "only for a side without any pieces, or without its royal one");
		fairy_lose_all(v, "extinction", -1, "of no use without extinctionValue");
	}
	for (int side = WHITE; side <= BLACK; side++) {
		char royal[FAIRY_KEY_MAX + 2] = "";
		if (king != '\0' && count_kind(v, side, king) > 0)
			sprintf(royal, "%c", king);
		if (pseudo)
			add_pseudo_royal(v, side, royal);
		fairy_set_text(v, "royal", side, royal, "king", royal);
	}
}

/* Adds the fields that the start lacks, and drops its checks where none are counted. */
static void
settle_start(struct fairy_variant *v)
{
	char word[6][FAIRY_VALUE_MAX] = { "", "w", "-", "-", "0", "1" };
	char one[FAIRY_VALUE_MAX], checks[8] = "", text[FAIRY_VALUE_MAX];
	const char *s = v->start;
	int n = 0, at = 0;

	for (; sscanf(s, "%399s%n", one, &n) == 1 && at < 6; s += n) {
		if (at > 1 && isdigit((unsigned char)one[0]) &&
		    strchr(one, '+') != NULL) {
			snprintf(checks, sizeof(checks), "%.6s ", one);
			continue;
		}
		if (at < 4 && strspn(one, "0123456789") == strlen(one))
			at = 4;
		snprintf(word[at++], FAIRY_VALUE_MAX, "%s", one);
	}
	char *hand = strchr(word[0], '[');
	if (hand != NULL && (strcmp(hand, "[]") == 0 || strcmp(hand, "[-]") == 0))
		*hand = '\0';
	if (v->checks == -1 && checks[0] >= '1' && checks[0] <= '9')
		v->checks = checks[0] - '0';
	/* our reader says what is wrong with more words than a FEN has */
	bool whole = sscanf(s, "%399s", one) != 1 &&
	    snprintf(text, sizeof(text), "%s %s %s %s %s%s %s", word[0], word[1], word[2],
		word[3], v->checks != 0 ? checks : "", word[4],
		word[5]) < (int)sizeof(text);
	v->castles = whole && strcmp(word[2], "-") != 0;
	fairy_set_text(v, "start", -1, whole ? text : v->start, "startFen", v->start);
}

/* A king and rooks that are of other kinds than chess's castle only if a key says so. */
static void
settle_castling(struct fairy_variant *v)
{
	const char *king = v->castling_king, *rooks = v->castling_rooks;
	int royal = v->rules->royal[WHITE] | v->rules->royal[BLACK];

	if (v->rules->castling_from[WHITE] == 0 || !v->castles)
		return;
	if (king[0] != '\0' &&
	    (strcmp(king, "k") != 0 || (royal >> (KING - KNIGHT) & 1) == 0))
		fairy_lose(v, "castlingKingPiece", king, "a royal king k castles here");
	if (rooks[0] != '\0' && strcmp(rooks, "r") != 0)
		fairy_lose(v, "castlingRookPieces", rooks, "rooks r castle here");
	if ((v->kinds[FAIRY_KING].letter != 'k' && king[0] == '\0') ||
	    (v->kinds[FAIRY_ROOK].letter != 'r' && rooks[0] == '\0'))
		fairy_set_number(v, "castling_from", -1, 0, "castling", "true");
}

static void
settle_goal(struct fairy_variant *v, int side)
{
	char piece[] = { v->flag_piece[side], '\0' };

	if (v->rules->goal[side] == 0 || piece[0] == 'k')
		return;
	fairy_lose(v, "flagPiece", piece, "only a king's flag wins here");
	fairy_lose_all(v, "flagRegion", side, "of no use without flagPiece = k");
	fairy_lose_all(v, side == WHITE ? "whiteFlag" : "blackFlag", -1,
	    "of no use without flagPiece = k");
	fairy_set_text(v, "goal", side, "", "flagPiece", piece);
}

static void
settle_steps(struct fairy_variant *v, int side)
{
	fairy_set_number(v, "double_step", side,
	    v->double_steps ? v->highest_rank[side] : 0, "doubleStepRegion", "");
	if (v->double_steps && v->highest_rank[side] > 0 && !v->low_pawns[side] &&
	    v->rules->first_rank_pawns[side])
		fairy_lose(v, "doubleStepRegion", side == WHITE ? "*2" : "*7",
		    "here pawns on their first rank step two squares, too");
}

int
fairyrules_settle(struct fairy_variant *v)
{
	char reason[RULES_REASON_MAX];

	settle_kinds(v);
	settle_royal(v);
	for (int side = WHITE; side <= BLACK; side++) {
		settle_promotions(v, side);
		settle_goal(v, side);
	}
	if (v->drops != v->to_hand)
		fairy_lose(v, v->drops ? "pieceDrops" : "capturesToHand", "true",
		    "here captured pieces are dropped");
	fairy_set_number(v, "drops", -1, v->drops && v->to_hand, "pieceDrops", "");
	if (v->start[0] != '\0')
		settle_start(v);
	settle_castling(v);
	fairy_set_number(v, "checks_to_win", -1, v->checks == -1 ? 3 : v->checks,
	    "checkCounting", "true");
	if (rules_settle(v->rules, reason) == 0) {
		/* now it is known whether pawns begin on the first rank */
		settle_steps(v, WHITE);
		settle_steps(v, BLACK);
		if (rules_settle(v->rules, reason) == 0)
			return 0;
	}
	text_add_format(v->lost, "%s\n", reason);
	return -1;
}
