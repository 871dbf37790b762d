/*
 * Single positions where rules meet each other that are rarely written down
 * together: forced captures and castling, explosions and kings of other kinds,
 * hands and bare or royal kings, goals that differ by side.
 */
#include "chess/outcome.h"
#include "common.h"
#include "data/rulespec.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const struct {
	const char *what, *rules, *reason;
} contradictions[] = {
	{ "a captured king would be royal for one side only",
	    "{\"drops\":true,\"royal\":{\"white\":\"k\",\"black\":\"\"}}",
	    "drops contradict royal" },
	{ "a royal piece that the usual start lacks",
	    "{\"pieces\":{\"a\":\"BN\"},\"royal\":\"a\"}",
	    "start: White has no royal piece" },
	{ "a king in hand", "{\"drops\":true,\"start\":\"4k3/8/8/8/8/8/8/4K3[K] w - -\"}",
	    "White has a royal piece in hand" },
	{ "a royal knight in hand",
	    "{\"drops\":true,\"promote_to\":\"q\",\"royal\":\"kn\","
	    "\"start\":\"4k3/8/8/8/8/8/8/4K3[n] w - -\"}",
	    "Black has a royal piece in hand" },
};

/* Is a move legal, or the game over? */
static const struct {
	const char *what, *rules, *fen, *move;
	bool legal;
} moves[] = {
	{ "a capture is forced, no castling",
	    "{\"must_capture\":true,\"royal\":\"kr\","
	    "\"promote_to\":\"nbq\"}",
	    "4k3/8/8/8/8/p7/1P6/4K2R w K - 0 1", "e1g1", false },
	{ "no capture, castling",
	    "{\"must_capture\":true,\"royal\":\"kr\",\"promote_to\":\"nbq\"}",
	    "4k3/8/8/8/p7/8/1P6/4K2R w K - 0 1", "e1g1", true },
	{ "a king that explodes attacks nothing, however it moves",
	    "{\"explode\":true,\"king\":{\"white\":\"K\",\"black\":\"R\"}}",
	    "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true },
	{ "one that does not explode attacks",
	    "{\"explode\":true,\"royal\":{\"white\":\"k\",\"black\":\"\"},"
	    "\"king\":{\"white\":\"K\",\"black\":\"R\"}}",
	    "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false },
	{ "and beside it there is check",
	    "{\"explode\":true,\"royal\":{\"white\":\"k\",\"black\":\"\"}}",
	    "8/8/8/8/8/8/6k1/4K2R w K - 0 1", "e1g1", false },
	{ "a rook that was a pawn does not castle", "{\"drops\":true}",
	    "4k3/8/8/8/8/8/8/4K2R~[] w K - 0 1", "e1g1", false },
	{ "one that was none does", "{\"drops\":true}",
	    "4k3/8/8/8/8/8/8/4K2R[] w K - 0 1", "e1g1", true },
};

static const struct {
	const char *what, *rules, *fen, *end;
	int value; /* to White */
} ends[] = {
	{ "White's goal is the hill, Black's is not",
	    "{\"goal\":{\"white\":\"d4 e4 d5 e5\",\"black\":\"rank 1\"}}",
	    "8/8/8/8/8/7K/P7/k7 w - - 0 1", "goal", -100 },
	{ "White's goal is not the hill, Black's is",
	    "{\"goal\":{\"white\":\"rank 8\",\"black\":\"d4 e4 d5 e5\"}}",
	    "8/8/8/3k4/8/7K/P7/8 w - - 0 1", "hill", -100 },
	{ "the last word cannot be spoken, on the hill",
	    "{\"goal\":\"d4 e4 d5 e5\",\"last_word\":true}",
	    "7k/5Q2/8/8/4K3/8/8/8 b - - 0 1", "hill", 100 },
	{ "a bare king against a king with pieces in hand",
	    "{\"drops\":true,\"bare_king_value\":60}", "4k3/8/8/8/8/8/8/4K3[p] w - - 0 1",
	    "bare-king", -60 },
	{ "two bare kings", "{\"drops\":true,\"bare_king_value\":60}",
	    "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "bare-king", 0 },
};

static void
read_spec(struct rules *r, const char *spec)
{
	char reason[RULES_REASON_MAX];

	if (rulespec_parse(r, spec, strlen(spec), reason) == -1)
		bail_out("rules", spec, reason);
}

static bool
is_legal(const struct board *b, const char *text)
{
	move list[MOVES_MAX];
	char written[6];

	for (int n = movegen_list(b, list); n > 0; n--) {
		move_print(b->rules, list[n - 1], written);
		if (strcmp(written, text) == 0)
			return true;
	}
	return false;
}

int
main(void)
{
	char reason[RULES_REASON_MAX];
	struct rules r;
	struct board b;

	for (size_t i = 0; i < COUNT(contradictions); i++) {
		const char *spec = contradictions[i].rules;
		strcpy(reason, "accepted");
		if (!ok(rulespec_parse(&r, spec, strlen(spec), reason) == -1 &&
			    strstr(reason, contradictions[i].reason) != NULL,
			"refused: %s", contradictions[i].what))
			diag("%s", reason);
	}
	for (size_t i = 0; i < COUNT(moves); i++) {
		read_spec(&r, moves[i].rules);
		board_of(&b, &r, moves[i].fen);
		ok(is_legal(&b, moves[i].move) == moves[i].legal, "%s", moves[i].what);
	}
	for (size_t i = 0; i < COUNT(ends); i++) {
		read_spec(&r, ends[i].rules);
		board_of(&b, &r, ends[i].fen);
		enum end e = outcome_find(&b, &b.key, 0);
		if (!ok(strcmp(end_name(e), ends[i].end) == 0 &&
			    outcome_value(&b, e) == ends[i].value,
			"%s", ends[i].what))
			diag("%s, %d", end_name(e), outcome_value(&b, e));
	}
	return tap_end();
}
