/* Rule sets: sums of presets, JSON, and that print and parse are inverse. */
#include "chess/rules.h"

#include "base/rng.h"
#include "common.h"
#include "data/rulespec.h"
#include "tap.h"

/* The presets again, as rules.md has them, without classical. */
static const char *const presets[9] = { "no-castling", "no-castling-10",
	"pawn-one-square", "stalemate-win", "torpedo", "semi-torpedo", "pawn-back",
	"pawn-sideways", "self-capture" };
enum {
	NO_CASTLING,
	NO_CASTLING_10,
	ONE_SQUARE,
	STALEMATE_WIN,
	TORPEDO,
	SEMI_TORPEDO,
	BACK,
	SIDEWAYS,
	SELF_CAPTURE
};

static bool
has(int mask, int preset)
{
	return (mask >> preset & 1) != 0;
}

static bool
contradicts(int mask)
{
	return (has(mask, NO_CASTLING) && has(mask, NO_CASTLING_10)) ||
	    (has(mask, ONE_SQUARE) && (has(mask, TORPEDO) || has(mask, SEMI_TORPEDO)));
}

static bool
has_fields_of(const struct rules *r, int mask)
{
	int castling = has(mask, NO_CASTLING) ? 0 : has(mask, NO_CASTLING_10) ? 11 : 1;
	int step = has(mask, ONE_SQUARE) ? 0
	    : has(mask, TORPEDO)         ? 6
	    : has(mask, SEMI_TORPEDO)    ? 3
					 : 2;

	return r->castling_from[WHITE] == castling && r->double_step[WHITE] == step &&
	    r->pawn_back[WHITE] == has(mask, BACK) &&
	    r->pawn_sideways[WHITE] == has(mask, SIDEWAYS) &&
	    r->self_capture[WHITE] == has(mask, SELF_CAPTURE) &&
	    (r->stalemate_value[WHITE] == 100) == has(mask, STALEMATE_WIN) &&
	    r->count_limit == 100 && r->ply_limit == 512 && r->name[0] == '\0';
}

/* The presets of a mask in a random order. */
static void
write_sum(char sum[SUM_MAX], int mask, struct rng *rng)
{
	int order[9];

	sum[0] = '\0';
	for (int i = 0; i < 9; i++) {
		int j = (int)rng_below(rng, (uint32_t)i + 1);
		order[i] = order[j];
		order[j] = i;
	}
	for (int i = 0; i < 9; i++)
		if (has(mask, order[i]))
			append_preset(sum, presets[order[i]]);
	if (mask == 0)
		strcpy(sum, "classical");
}

/* Parses what r prints as, and prints that. */
static bool
prints_and_parses(const struct rules *r)
{
	struct rules again;
	char text[RULES_TEXT_MAX], second[RULES_TEXT_MAX];
	char reason[RULES_REASON_MAX];

	rules_print(r, text);
	if (rulespec_parse(&again, text, strlen(text), reason) == -1) {
		diag("%s: %s", text, reason);
		return false;
	}
	rules_print(&again, second);
	if (!rules_equal(r, &again) || strcmp(text, second) != 0 ||
	    r->double_from[0] != again.double_from[0] ||
	    r->double_from[1] != again.double_from[1]) {
		diag("%s reads back as %s", text, second);
		return false;
	}
	return rules_is_custom(r) == (text[0] == '{');
}

static void
test_presets(void)
{
	struct rules r;
	char reason[RULES_REASON_MAX], text[RULES_TEXT_MAX];

	for (int i = 0; i < RULES_PRESETS; i++) {
		const char *name = rules_preset_name(i);
		rules_parse_sum(&r, name, strlen(name), reason);
		rules_print(&r, text);
		bool same = strcmp(text, name) == 0;
		rules_label(&r, text);
		ok(same && strcmp(text, name) == 0 && prints_and_parses(&r),
		    "%s prints as its name", name);
	}
	rules_init(&r);
	ok(strcmp(rules_preset_name(0), "classical") == 0 && has_fields_of(&r, 0),
	    "rules_init() gives classical chess");
}

static void
test_sums(void)
{
	struct rng rng;
	struct rules r, again;
	char sum[SUM_MAX], reason[RULES_REASON_MAX];
	char text[RULES_TEXT_MAX], second[RULES_TEXT_MAX];
	int refused = 0, wrong = 0;

	rng_init(&rng, 1, 0);
	for (int mask = 0; mask < 512; mask++) {
		write_sum(sum, mask, &rng);
		int got = rules_parse_sum(&r, sum, strlen(sum), reason);
		bool good = contradicts(mask)
		    ? got == -1 && strstr(reason, "contradicts") != NULL
		    : got == 0 && has_fields_of(&r, mask) && prints_and_parses(&r);
		refused += got == -1;
		if (got == 0) {
			/* another order, the same rule set and text */
			write_sum(sum, mask, &rng);
			rules_parse_sum(&again, sum, strlen(sum), reason);
			rules_print(&r, text);
			rules_print(&again, second);
			good = good && rules_equal(&r, &again) &&
			    strcmp(text, second) == 0 && !rules_is_custom(&r);
		}
		if (!good && wrong++ < 5)
			diag("%s: %s", sum, got == 0 ? "taken" : reason);
	}
	ok(wrong == 0, "all 512 subsets of the presets");
	ok(refused == 128 + 192 - 48, "%d of them contradict themselves", refused);
}

static void
test_distinct_sums(void)
{
	static char text[SUMS][RULES_TEXT_MAX];
	struct rules r;
	char sum[SUM_MAX];
	int wrong = 0;

	for (int i = 0; i < SUMS; i++) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		rules_print(&r, text[i]);
		for (int j = 0; j < i; j++)
			wrong += strcmp(text[i], text[j]) == 0;
	}
	ok(wrong == 0, "the %d different sums print differently", SUMS);
}

static void
test_double_from(void)
{
	static const struct {
		const char *sum;
		uint64_t white, black;
	} table[] = {
		{ "classical", 0xff00ULL, 0xffULL << 48 },
		{ "pawn-one-square", 0, 0 },
		{ "semi-torpedo", 0xffff00ULL, 0xffffULL << 40 },
		{ "torpedo", 0xffffffffff00ULL, 0xffffffffffULL << 16 },
		{ "semi-torpedo+torpedo", 0xffffffffff00ULL, 0xffffffffffULL << 16 },
	};
	struct rules r;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		rules_of(&r, table[i].sum);
		ok(r.double_from[0] == table[i].white &&
			r.double_from[1] == table[i].black,
		    "%s: squares of the double step", table[i].sum);
	}
}

static void
random_name(struct rng *rng, char name[RULES_NAME_MAX + 1])
{
	static const char letters[] = "abcXYZ019-_.";
	uint32_t n = 1 + rng_below(rng, RULES_NAME_MAX);

	for (uint32_t i = 0; i < n; i++)
		name[i] = letters[rng_below(rng, sizeof(letters) - 1)];
	name[n] = '\0';
}

static int
random_value(struct rng *rng, const struct rules_field *f)
{
	uint32_t span = (uint32_t)(f->highest - f->lowest) + 1;

	/* letters of chess; either kings are royal or nothing is */
	if (f->type == RULE_SET)
		return f->lowest > 0 ? 1 + (int)rng_below(rng, 15)
				     : 16 * (int)rng_below(rng, 2);

	switch (rng_below(rng, 4)) {
	case 0:
		return f->lowest;
	case 1:
		return f->highest;
	default:
		return f->lowest + (int)rng_below(rng, span);
	}
}

static void
test_random_fields(void)
{
	struct rng rng;
	struct rules r;
	char reason[RULES_REASON_MAX], name[RULES_NAME_MAX + 1];
	int custom = 0, wrong = 0;

	rng_init(&rng, 2, 0);
	for (int i = 0; i < 20000; i++) {
		rules_init(&r);
		for (size_t k = 0; k < rules_nfields; k++)
			if (rng_below(&rng, 3) == 0)
				/* a value that is refused leaves the field */
				(void)rules_set(&r, &rules_fields[k],
				    random_value(&rng, &rules_fields[k]), reason);
		if (rng_below(&rng, 3) == 0) {
			random_name(&rng, name);
			rules_set_name(&r, name, reason);
		}
		if (rules_settle(&r, reason) == -1)
			continue;
		custom += rules_is_custom(&r);
		wrong += !prints_and_parses(&r);
	}
	ok(wrong == 0 && custom > 10000,
	    "20000 random rule sets print and parse, %d of them JSON", custom);
}

static void
test_longest_text(void)
{
	struct rules r;
	char reason[RULES_REASON_MAX], text[RULES_TEXT_MAX];
	bool good;

	rules_init(&r);
	for (size_t k = 0; k < rules_nfields; k++)
		rules_set(&r, &rules_fields[k], rules_fields[k].highest, reason);
	for (size_t k = 0; k < rules_nfields; k++) {
		const struct rules_field *f = &rules_fields[k];
		if (f->type == RULE_PIECE)
			rules_set_text_side(&r, f, BLACK,
			    "mfRcfB6mbR5cbB4msR3mfDcbDmfNcbNmfAcbAmfHcbHmfGcbG", reason);
		else if (f->type == RULE_PIECES)
			rules_set_text(&r, f,
			    "w:mfRcfB6mbR5cbB4msR3mfDcbDmfNcbNmfAcbAmfHcbHmfGcbG,"
			    "x:mfRcfB6mbR5cbB4msR3mfDcbDmfNcbNmfAcbAmfHcbHmfGcbG,"
			    "y:mfRcfB6mbR5cbB4msR3mfDcbDmfNcbNmfAcbAmfHcbHmfGcbG,"
			    "z:mfRcfB6mbR5cbB4msR3mfDcbDmfNcbNmfAcbAmfHcbHmfGcbG",
			    reason);
		else if (f->type == RULE_SQUARES)
			rules_set_text_side(&r, f, WHITE,
			    "rank 2 rank 3 rank 4 rank 5 rank 6 rank 7 rank 8", reason);
		else if (f->sided)
			rules_set_side(&r, f, BLACK, f->classical, reason);
	}
	rules_set(&r, rules_find_field("drops"), 0, reason);
	rules_set(&r, rules_find_field("explode"), 0, reason);
	rules_set(&r, rules_find_field("self_capture"), 0, reason);
	rules_set_text(&r, rules_find_field("royal"), "k", reason);
	rules_set_text(&r, rules_find_field("promote_to"), "nbrqwxyz", reason);
	good = rules_set_name(&r, "abcdefghijklmnopqrstuvwxyz012345", reason) == 0;
	rules_finish(&r);
	rules_print(&r, text);
	ok(good && strlen(text) < RULES_TEXT_MAX - 1 && prints_and_parses(&r),
	    "the longest text has %zu bytes", strlen(text));
}

static void
test_accepted(void)
{
	static const struct {
		const char *text, *printed;
	} table[] = {
		{ "{}", "classical" },
		{ " {} ", "classical" },
		{ "{\"castling_from\":1}", "classical" },
		{ "{\"castling_from\":0}", "no-castling" },
		{ "{\"double_step\":6,\"castling_from\":0}", "torpedo+no-castling" },
		{ "{\"base\":\"torpedo+no-castling\"}", "torpedo+no-castling" },
		{ "{\"double_step\":3,\"base\":\"torpedo\"}", "semi-torpedo" },
		{ "{\"base\":\"torpedo\",\"double_step\":2}", "classical" },
		{ "{\"double_step\":4}", "{\"double_step\":4}" },
		{ "{\"count_limit\":50}", "{\"count_limit\":50}" },
		{ "{\"ply_limit\":1}", "{\"ply_limit\":1}" },
		{ "{\"self_capture\":true,\"name\":\"mine\"}",
		    "{\"name\":\"mine\",\"self_capture\":true}" },
		{ "{\"castling_from\":1.1e1}", "no-castling-10" },
		{ "classical+torpedo", "torpedo" },
		{ "torpedo+torpedo", "torpedo" },
		{ "torpedo+semi-torpedo", "torpedo" },
		{ "no-castling+torpedo", "torpedo+no-castling" },
	};
	struct rules r;
	char reason[RULES_REASON_MAX], text[RULES_TEXT_MAX];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *s = table[i].text;
		bool good = rulespec_parse(&r, s, strlen(s), reason) == 0;
		text[0] = '\0';
		if (good)
			rules_print(&r, text);
		if (!ok(good && strcmp(text, table[i].printed) == 0 &&
			    prints_and_parses(&r),
			"%s is %s", s, table[i].printed))
			diag("it is %s", good ? text : reason);
	}
}

static void
test_refused(void)
{
	static const struct {
		const char *text, *reason;
	} table[] = {
		{ "", "unknown rule set ''" },
		{ "chess", "unknown rule set 'chess'" },
		{ "Torpedo", "unknown rule set 'Torpedo'" },
		{ "torpedo+", "unknown rule set ''" },
		{ "+torpedo", "unknown rule set ''" },
		{ "torpedo++no-castling", "unknown rule set ''" },
		{ "torpedo no-castling", "unknown rule set" },
		{ "no-castling-1", "unknown rule set 'no-castling-1'" },
		{ "no-castling+no-castling-10", "no-castling-10 contradicts" },
		{ "torpedo+pawn-one-square", "pawn-one-square contradicts" },
		{ "pawn-one-square+semi-torpedo", "semi-torpedo contradicts" },
		{ "{\"torpedo\":true}", "unknown rule 'torpedo'" },
		{ "{\"Double_step\":2}", "unknown rule 'Double_step'" },
		{ "{\"double_step\":7}", "double_step is 7, not within 0..6" },
		{ "{\"double_step\":-1}", "double_step is -1, not within" },
		{ "{\"double_step\":1}", "double_step is 1, but no pawn" },
		{ "{\"double_step\":2.5}", "double_step is not a whole number" },
		{ "{\"double_step\":1e99}", "double_step is not a whole number" },
		{ "{\"double_step\":\"2\"}", "double_step is not a number" },
		{ "{\"double_step\":true}", "double_step is not a number" },
		{ "{\"pawn_back\":1}", "pawn_back is not true or false" },
		{ "{\"pawn_back\":null}", "pawn_back is not true or false" },
		{ "{\"pawn_back\":true,\"pawn_back\":true}", "given twice" },
		{ "{\"base\":\"torpedo\",\"base\":\"classical\"}", "given twice" },
		{ "{\"base\":\"torpedo+pawn-one-square\"}", "contradicts" },
		{ "{\"base\":\"mine\"}", "unknown rule set 'mine'" },
		{ "{\"base\":1}", "base is not a string" },
		{ "{\"name\":\"\"}", "a rule set's name is 1 to 32" },
		{ "{\"name\":\"a b\"}", "a rule set's name is 1 to 32" },
		{ "{\"name\":\"abcdefghijklmnopqrstuvwxyz0123456\"}",
		    "a rule set's name is 1 to 32" },
		{ "{\"name\":\"torpedo\"}", "the name torpedo is taken" },
		{ "{\"name\":7}", "name is not a string" },
		{ "{\"castling_from\":1000}", "not within 0..999" },
		{ "{\"count_limit\":0}", "not within 1..10000" },
		{ "{\"ply_limit\":10001}", "not within 1..10000" },
		{ "{\"double_step\":2", "not valid JSON" },
		{ "{double_step:2}", "not valid JSON" },
		{ "{\"start\":\"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\"}",
		    "over there (checkmate)" },
		{ "{\"start\":\"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\"}",
		    "over there (stalemate)" },
		{ "{\"start\":\"7k/8/8/8/8/4K3/8/8 b - - 0 1\"}",
		    "over there (material)" },
		{ "{\"start\":\"4k3/8/8/8/8/8/4P3/4K3 b - - 3 9\",\"count_limit\":3}",
		    "over there (fifty)" },
		{ "{\"start\":\"7k/8/8/8/4K3/8/8/7R b - - 0 1\",\"hill_wins\":true}",
		    "over there (hill)" },
		{ "{\"start\":\"7k/8/8/8/8/4K3/8/6R1 b - - 0 1\",\"bare_king_value\":9}",
		    "over there (bare-king)" },
		{ "{\"start\":\"7k/7p/8/8/8/4K3/8/6R1 b - - 0+2 0 "
		  "1\",\"checks_to_win\":2}",
		    "over there (checks)" },
		{ "{} {}", "unexpected text after" },
		{ "{}x", "unexpected text after" },
	};
	struct rules r;
	char reason[RULES_REASON_MAX];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *s = table[i].text;
		strcpy(reason, "taken");
		bool good = rulespec_parse(&r, s, strlen(s), reason) == -1 &&
		    strstr(reason, table[i].reason) != NULL;
		if (!ok(good, "refused: %s", s))
			diag("%s, not %s", reason, table[i].reason);
	}
	ok(rulespec_parse(&r, "torpedo\0", 8, reason) == -1,
	    "refused: a NUL after a preset's name");
}

/* Is there something to say to people of every value? */
/* An unknown field is answered by all that there are, however long its name is. */
static void
test_fields_listed(void)
{
	char spec[128], reason[RULES_REASON_MAX];
	struct rules r;
	int listed = 0;

	sprintf(spec, "{\"%.*s\":true}", 60,
	    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
	rulespec_parse(&r, spec, strlen(spec), reason);
	for (size_t i = 0; i < rules_nfields; i++) {
		char word[64];
		sprintf(word, " %.60s", rules_fields[i].name);
		const char *at = strstr(reason, word);
		listed +=
		    at != NULL && (at[strlen(word)] == ' ' || at[strlen(word)] == '\0');
	}
	ok(listed == (int)rules_nfields, "an unknown field: %d of %zu are listed", listed,
	    rules_nfields);
}

static void
test_sentences(void)
{
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		bool told = f->sentence != NULL || f->type == RULE_PIECE ||
		    f->type == RULE_PIECES;
		for (int j = 1; j < RULES_PRESETS; j++)
			told = told ||
			    (f->type == RULE_BOOL &&
				rules_presets[j].changes[0].offset == f->offset &&
				rules_presets[j].changes[0].value != f->classical);
		ok(told, "%s has a sentence, or its values are presets", f->name);
	}
}

int
main(void)
{
	test_presets();
	test_sentences();
	test_sums();
	test_distinct_sums();
	test_double_from();
	test_random_fields();
	test_longest_text();
	test_accepted();
	test_refused();
	test_fields_listed();
	return tap_end();
}
