/*
 * Random walks under random rule sets, any combination of all fields, against
 * the naive generator: moves, keys, ends, values, FEN, SAN, and making and
 * unmaking every move bytewise.
 *
 *	WALK_POSITIONS=5000000 WALK_SEED=7 build/gcc/tests/t_more
 */
#include <inttypes.h>

#include "base/rng.h"
#include "chess/make.h"
#include "chess/outcome.h"
#include "chess/run.h"
#include "chess/san.h"
#include "common.h"
#include "data/rulespec.h"
#include "naive/naive.h"
#include "net/encode.h"
#include "positions.h"
#include "randomspec.h"
#include "rarities.h"
#include "tap.h"

enum { DEFAULT_POSITIONS = SANITIZED ? 4000 : 25000, WALK_PLIES = 90 };

/* What is compared; each is one test at the end. */
#define CHECKS \
	CHECK(RULES, "rules print and parse back to themselves") \
	CHECK(FEN, "the FEN is the oracle's") \
	CHECK(FEN_BACK, "a FEN reads back to the same position") \
	CHECK(MOVES, "the moves are the oracle's") \
	CHECK(COUNT, "moves are counted as they are listed") \
	CHECK(NOISY, "captures and promotions are those of the list") \
	CHECK(PARSE, "each move's text parses to the move, and no other does") \
	CHECK(UNMAKE, "each move is taken back bytewise") \
	CHECK(REKEY, "the key equals one computed from scratch") \
	CHECK(KEYS, "keys are equal when the oracle's positions are") \
	CHECK(CHECKERS, "check is seen as by the oracle") \
	CHECK(END, "the end is the oracle's") \
	CHECK(VALUE, "so is the value") \
	CHECK(SAN, "SAN is the oracle's, and reads back to the move") \
	CHECK(PLACE, "each move of chess has a place of its own for nets") \
	CHECK(RUN, "a game's moves play at once, long and as SAN") \
	CHECK(RUN_LEGAL, "and none plays that is not legal") \
	CHECK(NUMBER, "move numbers with the same key for nets have the same moves")

enum check {
#define CHECK(name, text) CHECK_##name,
	CHECKS
#undef CHECK
	    CHECK_COUNT_OF
};

static uint64_t tried[CHECK_COUNT_OF], wrong[CHECK_COUNT_OF];
static uint64_t ends[END_COUNT];
static uint64_t castled[2][2], castled_fairy; /* [other squares][long] */

/* What must have happened in the walks. */
#define EVENTS \
	EVENT(SIDED, "rule sets whose sides differ") \
	EVENT(SPARE, "moves of spare kinds") \
	EVENT(TO_SPARE, "promotions to spare kinds") \
	EVENT(TO_KING, "promotions to kings") \
	EVENT(DROP, "drops") \
	EVENT(DROP_SPARE, "drops of spare kinds") \
	EVENT(DROP_KING, "drops of kings") \
	EVENT(TAKE_PROMOTED, "captures of promoted pieces, where pieces drop") \
	EVENT(BLAST, "explosions") \
	EVENT(BLAST_RIGHTS, "explosions that end castling rights") \
	EVENT(BLAST_EP, "explosions en passant") \
	EVENT(FORCED, "forced captures") \
	EVENT(NO_CHECK, "moves where check is forbidden") \
	EVENT(ODD_ROYAL, "moves with other royal pieces than the king") \
	EVENT(ODD_CHECK, "checks to them") \
	EVENT(LAST_WORD, "moves of Black after White has reached its goal") \
	EVENT(LOW_PAWN, "double steps from the first rank")
enum event {
#define EVENT(name, text) EVENT_##name,
	EVENTS
#undef EVENT
	    EVENT_COUNT
};
static uint64_t happened[EVENT_COUNT];

struct walk {
	struct rng rng;
	struct rules rules;
	const struct rarity *rarity; /* what these rules were chosen for, or NULL */
	char spec[RANDOM_RULES_MAX];
	struct board b;
	struct naive *oracle;
	uint64_t keys[WALK_PLIES + 1];
	move moves[WALK_PLIES + 1];
	uint64_t line_keys[WALK_PLIES + 2];
	uint16_t men[WALK_PLIES + 1];
	int plies;
	char start[FEN_MAX];
	char lan[WALK_PLIES * 6 + 32], san[WALK_PLIES * 12 + 32];
};

static void
expect(const struct walk *w, enum check c, bool good, const char *detail)
{
	static const char *const names[] = {
#define CHECK(name, text) #name,
		CHECKS
#undef CHECK
	};
	char fen[FEN_MAX];

	tried[c]++;
	if (good || wrong[c]++ >= 3)
		return;
	fen_write(&w->b, fen);
	diag("%s: %s: from %s ply %d: %s: %s", names[c], w->spec, w->start, w->plies, fen,
	    detail);
}

/* ---- one position ---- */

static int
by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void
compare_moves(struct walk *w, const move *list, int n)
{
	static char ours[MOVES_MAX][6], theirs[NAIVE_MOVES][6];
	char detail[200];
	int m = naive_moves(w->oracle, theirs), i = 0;

	for (int k = 0; k < n; k++)
		move_print(w->b.rules, list[k], ours[k]);
	qsort(ours, (size_t)n, sizeof(ours[0]), by_text);
	while (i < n && i < m && strcmp(ours[i], theirs[i]) == 0)
		i++;
	snprintf(detail, sizeof(detail), "%d moves, %d; %.5s and %.5s differ", n, m,
	    i < n ? ours[i] : "none", i < m ? theirs[i] : "none");
	expect(w, CHECK_MOVES, n == m && i == n, detail);
	expect(w, CHECK_COUNT, movegen_count(&w->b) == n, "");
	expect(w, CHECK_NOISY, noisy_moves_agree(&w->b, list, n), "");
}

/* Has the move a plane of its own for nets? Drops and promotions to kings and spare
 * kinds share those of others. */
static bool
has_plane(move m)
{
	return !move_is_drop(m) && (!move_is_promotion(m) || move_promotion(m) <= QUEEN);
}

static void
try_moves(struct walk *w, const move *list, int n)
{
	static int seen[NET_POLICY], round;
	bool placed = true;

	round++;
	for (int i = 0; i < n; i++) {
		struct board copy = w->b, again;
		struct undo u;
		char text[6];
		size_t len = (size_t)move_print(w->b.rules, list[i], text);
		expect(w, CHECK_PARSE, move_parse(&w->b, text, len) == list[i], text);
		int place = encode_move(w->b.side, list[i]);
		placed = placed && place >= 0 && place < NET_POLICY &&
		    (seen[place] != round || !has_plane(list[i]));
		if (placed && has_plane(list[i]))
			seen[place] = round;
		board_make(&copy, list[i], &u);
		again = copy;
		board_rekey(&again);
		expect(w, CHECK_REKEY, memcmp(&again, &copy, sizeof(copy)) == 0, text);
		board_unmake(&copy, list[i], &u);
		expect(w, CHECK_UNMAKE, memcmp(&copy, &w->b, sizeof(copy)) == 0, text);
	}
	expect(w, CHECK_PLACE, placed, "");
}

static bool
is_listed(const move *list, int n, move m)
{
	bool listed = m == 0;

	for (int k = 0; k < n; k++)
		listed |= list[k] == m;
	return listed;
}

/* The move that a run makes of a word, 0 if it leaves it to others. */
static move
run_word(const struct walk *w, const char *word, bool san)
{
	char text[2 * RUN_MARGIN];
	struct board b = w->b;
	uint64_t keys[2];
	uint16_t men;
	move m = 0;
	struct line l = { &m, keys, &men, 0, 2 };

	snprintf(text, sizeof(text), "%-*s", (int)sizeof(text) - 1, word);
	if (san)
		run_play_san(&l, &b, text, text + sizeof(text) - 1);
	else
		run_play_long(&l, &b, text, text + sizeof(text) - 1);
	return m;
}

/* A piece goes anywhere: as squares, and as a capture in SAN. */
static void
try_run(const struct walk *w, int from, int to, const move *list, int n)
{
	int type = type_at(&w->b, from);
	char lan[6], san[8];

	move_print(w->b.rules, move_make(from, to, TAG_PLAIN), lan);
	snprintf(san, sizeof(san), "%cx%s",
	    type == PAWN ? lan[0] : w->b.rules->letter[type], lan + 2);
	expect(w, CHECK_RUN_LEGAL, is_listed(list, n, run_word(w, lan, false)), lan);
	expect(w, CHECK_RUN_LEGAL, is_listed(list, n, run_word(w, san, true)), san);
}

/* Some squares at random: what is found is in the list. */
static void
try_squares(struct walk *w, const move *list, int n)
{
	for (int i = 0; i < 20; i++) {
		int from = (int)rng_below(&w->rng, 64);
		int to = (int)rng_below(&w->rng, 64);
		uint32_t kinds = (uint32_t)(w->rules.ntypes - KNIGHT);
		int promotion =
		    one_in(&w->rng, 3) ? KNIGHT + (int)rng_below(&w->rng, kinds) : 0;
		move m = movegen_find(&w->b, from, to, promotion);
		expect(w, CHECK_PARSE, is_listed(list, n, m), "squares at random");
		if ((w->b.pieces[w->b.side][ALL] & bit(from)) != 0)
			try_run(w, from, to, list, n);
	}
}

/* What is kept of a position, for nets, is right at any move number. */
static void
try_number(struct walk *w, const move *list, int n)
{
	move others[MOVES_MAX];
	struct board b = w->b;
	char detail[16];

	b.fullmove = (uint16_t)(1 + rng_below(&w->rng, 40));
	if (encode_key(&b, 1) != encode_key(&w->b, 1))
		return;
	snprintf(detail, sizeof(detail), "move %d", b.fullmove);
	expect(w, CHECK_NUMBER,
	    movegen_list(&b, others) == n &&
		memcmp(list, others, (size_t)n * sizeof(*list)) == 0,
	    detail);
}

static void
compare_san(struct walk *w, move m)
{
	char ours[SAN_MAX], theirs[NAIVE_SAN], text[6], detail[64];
	int n = san_write(&w->b, m, ours);
	move back = 0;

	move_print(w->b.rules, m, text);
	naive_san(w->oracle, text, theirs);
	snprintf(detail, sizeof(detail), "%s: %s, %s", text, ours, theirs);
	expect(w, CHECK_SAN,
	    strcmp(ours, theirs) == 0 &&
		san_read(&w->b, ours, (size_t)n, &back) == SAN_OK && back == m,
	    detail);
	strcat(strcat(w->san, ours), " ");
	strcat(strcat(w->lan, text), " ");
}

static void
compare_fen(struct walk *w)
{
	char ours[FEN_MAX], theirs[NAIVE_FEN], reason[FEN_REASON_MAX];
	struct board back;

	fen_write(&w->b, ours);
	naive_fen(w->oracle, theirs);
	expect(w, CHECK_FEN, strcmp(ours, theirs) == 0, theirs);
	int read = fen_read(&back, &w->rules, ours, strlen(ours), reason);
	expect(w, CHECK_FEN_BACK,
	    read == 0 && back.key == w->b.key && back.state == w->b.state &&
		memcmp(back.square, w->b.square, sizeof(back.square)) == 0,
	    read == -1 ? reason : "");
}

static void
compare_keys(const struct walk *w)
{
	const struct naive *o = w->oracle;
	int now = w->plies;

	for (int i = 0; i < now; i++)
		expect(w, CHECK_KEYS,
		    (w->keys[i] == w->keys[now]) ==
			(memcmp(&o->past[i], &o->past[now], sizeof(o->past[i])) == 0),
		    "");
}

static enum end
compare_end(const struct walk *w)
{
	enum end e = outcome_find(&w->b, w->keys, w->plies);
	const char *theirs = naive_end(w->oracle);
	char detail[64];

	ends[e]++;
	snprintf(detail, sizeof(detail), "%s, %s; %d, %d", end_name(e), theirs,
	    outcome_value(&w->b, e), naive_value(w->oracle));
	expect(w, CHECK_END, strcmp(end_name(e), theirs) == 0, detail);
	expect(w, CHECK_VALUE, outcome_value(&w->b, e) == naive_value(w->oracle), detail);
	expect(w, CHECK_CHECKERS,
	    (board_checkers(&w->b) != 0) == naive_in_check(w->oracle), "");
	return e;
}

/* ---- walks ---- */

static void
compare_rules(struct walk *w)
{
	char text[RULES_TEXT_MAX], again[RULES_TEXT_MAX];
	char reason[RULES_REASON_MAX];
	struct rules back;

	rules_print(&w->rules, text);
	bool good = rulespec_parse(&back, text, strlen(text), reason) == 0 &&
	    rules_equal(&back, &w->rules) && rules_hash(&back) == rules_hash(&w->rules);
	rules_print(&back, again);
	expect(w, CHECK_RULES, good && strcmp(text, again) == 0, text);
}

static void
choose_rules(struct walk *w, uint64_t number)
{
	char reason[RULES_REASON_MAX];

	w->rarity = number % 10 < RARITIES ? &rarities[number % 10] : NULL;
	do
		random_rules(&w->rng, w->spec);
	while (rulespec_parse(&w->rules, w->spec, strlen(w->spec), reason) == -1 ||
	    (w->rarity != NULL && !w->rarity->is_possible(&w->rules)));
	if (naive_init(w->oracle, w->spec, "4k3/8/8/8/8/8/8/4K3 w - - 0 1") == -1)
		bail_out("rules", w->spec, "tests/naive lacks a field of them");
}

/* A letter of any kind but pawns, of the side of another letter. */
static char
random_kind(struct walk *w, char like, bool spare)
{
	int first = spare ? SPARE : KNIGHT, n = w->rules.ntypes - first;
	char c = w->rules.letter[first + (int)rng_below(&w->rng, (uint32_t)n)];

	return like >= 'a' ? (char)(c - 'A' + 'a') : c;
}

/* Puts other pieces in the place of some: spare kinds and, where kings are pieces
 * like others, more or fewer of these. Marks some as promoted. */
static void
vary_pieces(struct walk *w, const char *from, char *to)
{
	for (; *from != ' ' && *from != '['; from++) {
		char c = *from;
		int side = c >= 'a';
		bool letter = (c | 32) >= 'a' && (c | 32) <= 'z' && (c | 32) != 'p';
		bool free_kings = (w->rules.royal[side] >> (KING - KNIGHT) & 1) == 0;
		if (letter && w->rules.ntypes > SPARE && (c | 32) != 'k' &&
		    one_in(&w->rng, 3))
			c = random_kind(w, c, true);
		if (letter && free_kings && one_in(&w->rng, 4))
			c = random_kind(w, c, false);
		*to++ = c;
		if (letter && w->rules.hands && (c | 32) != 'k' && one_in(&w->rng, 8))
			*to++ = '~';
	}
	*to = '\0';
}

/* A position for these rules out of one of chess: with their kinds, and hands. */
static void
vary_fen(struct walk *w, char fen[FEN_MAX])
{
	char placement[2 * FEN_MAX], hands[16] = "", *rest = strchr(fen, ' ');

	vary_pieces(w, fen, placement);
	for (int side = WHITE; side <= BLACK; side++)
		for (int n = w->rules.drops[side] ? (int)rng_below(&w->rng, 4) : 0; n > 0;
		     n--) {
			char like = side == WHITE ? 'A' : 'a';
			bool pawn = one_in(&w->rng, 2);
			char c =
			    pawn ? (char)(like + 'p' - 'a') : random_kind(w, like, false);
			hands[strlen(hands)] = c;
		}
	if (strlen(placement) + strlen(hands) + strlen(rest) + 3 >= FEN_MAX)
		return;
	if (w->rules.hands)
		sprintf(placement + strlen(placement), "[%s]", hands);
	strcat(placement, rest);
	strcpy(fen, placement);
}

static void
choose_start(struct walk *w)
{
	char fen[FEN_MAX], reason[FEN_REASON_MAX];

	for (;;) {
		uint32_t way = rng_below(&w->rng, 5);
		switch (way) {
		case 0:
			board_start_random(&w->b, &w->rules, &w->rng);
			fen_write(&w->b, fen);
			break;
		case 1:
			strcpy(fen, positions[rng_below(&w->rng, POSITIONS)]);
			break;
		case 2:
			endgame_fen(&w->rng, fen);
			break;
		default:
			random_fen(&w->rng, fen);
		}
		if (w->rarity != NULL && one_in(&w->rng, 2))
			w->rarity->start(&w->rng, &w->rules, fen);
		else if (way > 0)
			vary_fen(w, fen);
		if (fen_read(&w->b, &w->rules, fen, strlen(fen), reason) == 0)
			break;
	}
	if (naive_init(w->oracle, w->spec, fen) == -1)
		bail_out(w->spec, fen, "tests/naive does not read it");
	strcpy(w->start, fen);
}

/* The same moves at once, from text. */
static void
compare_run(struct walk *w, const struct board *start)
{
	for (int san = 0; san < 2; san++) {
		struct board b = *start;
		struct line l = { w->moves, w->line_keys, w->men, 0, WALK_PLIES + 1 };
		char *text = san ? w->san : w->lan;
		const char *s = text, *end = text + strlen(text);
		bool good = true;
		memset(text + strlen(text), ' ', RUN_MARGIN);
		l.keys[0] = b.key;
		while (good && s < end) {
			s = san ? run_play_san(&l, &b, s, end + RUN_MARGIN)
				: run_play_long(&l, &b, s, end + RUN_MARGIN);
			while (s < end && *s == ' ')
				s++;
			if (s >= end)
				break;
			size_t n = strcspn(s, " ");
			move m = san ? 0 : move_parse(&b, s, n);
			good = san ? san_read(&b, s, n, &m) == SAN_OK : m != 0;
			if (good)
				line_add(&l, &b, m);
			s += n;
		}
		text[end - text] = '\0';
		expect(w, CHECK_RUN, good && l.plies == w->plies && b.key == w->b.key,
		    text);
	}
}

static bool
is_rare(const struct walk *w, move m)
{
	return move_is_castling(m) || move_is_ep(m) || move_is_promotion(m) ||
	    (w->rules.explode && board_is_capture(&w->b, m));
}

/* Any move, but rare ones more often than chance would have it, and drops, of which
 * there are many, less often. */
static move
choose_move(struct walk *w, const move *list, int n)
{
	for (int i = 0; i < n; i++)
		if (is_rare(w, list[i]) && one_in(&w->rng, 4))
			return list[i];
	move m = list[rng_below(&w->rng, (uint32_t)n)];
	return move_is_drop(m) ? list[rng_below(&w->rng, (uint32_t)n)] : m;
}

static void
note_castling(const struct walk *w, move m)
{
	if (!move_is_castling(m))
		return;
	castled[w->b.odd_castling != 0][move_to(m) < move_from(m)]++;
	castled_fairy += w->rules.fairy;
}

static bool
has_odd_royal(const struct walk *w, int side)
{
	return w->rules.royal[side] != 0 && w->rules.royal[side] != 1 << (KING - KNIGHT);
}

/* What the rules of the side to move make of this move. */
static void
note_rules(const struct walk *w, move m)
{
	const struct rules *r = &w->rules;
	int us = w->b.side;
	bool white_waits = r->last_word && us == BLACK &&
	    (w->b.pieces[WHITE][KING] & r->goal[WHITE]) != 0;

	happened[EVENT_FORCED] += r->must_capture[us] && board_is_capture(&w->b, m);
	happened[EVENT_NO_CHECK] += !r->may_check[us];
	happened[EVENT_ODD_ROYAL] += has_odd_royal(w, us);
	happened[EVENT_ODD_CHECK] += has_odd_royal(w, us) && board_checkers(&w->b) != 0;
	happened[EVENT_LAST_WORD] += white_waits;
}

static void
note_move(const struct walk *w, move m)
{
	int type = type_at(&w->b, move_from(m)), to = move_to(m), us = w->b.side;
	int from = move_from(m);

	note_rules(w, m);
	if (move_is_drop(m)) {
		happened[EVENT_DROP]++;
		happened[EVENT_DROP_SPARE] += move_dropped(m) >= SPARE;
		happened[EVENT_DROP_KING] += move_dropped(m) == KING;
		return;
	}
	happened[EVENT_SPARE] += type >= SPARE;
	if (move_is_promotion(m)) {
		happened[EVENT_TO_SPARE] += move_promotion(m) >= SPARE;
		happened[EVENT_TO_KING] += move_promotion(m) == KING;
	}
	happened[EVENT_TAKE_PROMOTED] +=
	    w->rules.drops[us] && (w->b.promoted & bit(to)) != 0;
	happened[EVENT_LOW_PAWN] +=
	    type == PAWN && own_rank(us, from) == 0 && own_rank(us, to) == 2;
}

static void
note_blast(const struct walk *w, move m, const struct undo *u, int rights)
{
	if (!w->rules.explode || u->blast == 0)
		return;
	happened[EVENT_BLAST]++;
	happened[EVENT_BLAST_EP] += move_is_ep(m);
	happened[EVENT_BLAST_RIGHTS] += w->b.castling != rights &&
	    (bit(move_from(m)) & (0xffULL | 0xffULL << 56)) == 0;
}

static uint64_t
walk_on(struct walk *w)
{
	struct board start = w->b;
	uint64_t n = 0, bad = wrong[CHECK_MOVES];
	struct undo u;

	w->plies = 0;
	w->lan[0] = w->san[0] = '\0';
	for (;; w->plies++) {
		move list[MOVES_MAX];
		char text[6];
		int many = movegen_list(&w->b, list);
		w->keys[w->plies] = w->b.key;
		n++;
		compare_fen(w);
		compare_moves(w, list, many);
		try_moves(w, list, many);
		try_squares(w, list, many);
		try_number(w, list, many);
		compare_keys(w);
		enum end e = compare_end(w);
		if (many == 0 || w->plies == WALK_PLIES || wrong[CHECK_MOVES] > bad ||
		    (e != END_NONE && one_in(&w->rng, 2)))
			break;
		move m = choose_move(w, list, many);
		note_castling(w, m);
		note_move(w, m);
		compare_san(w, m);
		move_print(w->b.rules, m, text);
		int rights = w->b.castling;
		board_make(&w->b, m, &u);
		note_blast(w, m, &u, rights);
		naive_play(w->oracle, text);
	}
	compare_run(w, &start);
	return n;
}

static bool
is_sided(const struct rules *r)
{
	for (size_t i = 0; i < rules_nfields; i++)
		if (rules_is_sided(r, &rules_fields[i]))
			return true;
	return false;
}

/* Has everything happened that the walks are for? */
static void
report_events(void)
{
	static const char *const texts[] = {
#define EVENT(name, text) text,
		EVENTS
#undef EVENT
	};

	for (int i = 0; i < 4; i++)
		ok(castled[i / 2][i % 2] > 0, "castled from %s squares, %s (%" PRIu64 ")",
		    i / 2 ? "other" : "the usual", i % 2 ? "long" : "short",
		    castled[i / 2][i % 2]);
	ok(castled_fairy > 0, "castled among pieces of other kinds (%" PRIu64 ")",
	    castled_fairy);
	for (int e = END_NONE + 1; e < END_COUNT; e++)
		if (e != END_RESIGN && e != END_UNKNOWN)
			ok(ends[e] > 0, "%s: %" PRIu64 " times", end_name((enum end)e),
			    ends[e]);
	for (int i = 0; i < EVENT_COUNT; i++)
		ok(happened[i] > 0, "%s: %" PRIu64, texts[i], happened[i]);
}

int
main(void)
{
	static const char *const texts[] = {
#define CHECK(name, text) text,
		CHECKS
#undef CHECK
	};
	static struct walk w;
	uint64_t total = from_environment("WALK_POSITIONS", DEFAULT_POSITIONS);
	uint64_t seed = from_environment("WALK_SEED", 1), done = 0, sets = 0;

	w.oracle = malloc(sizeof(*w.oracle));
	for (; done < total || sets < 200; sets++) {
		rng_init(&w.rng, seed, sets);
		choose_rules(&w, sets);
		compare_rules(&w);
		happened[EVENT_SIDED] += is_sided(&w.rules);
		for (int k = 0; k < 3; k++) {
			choose_start(&w);
			done += walk_on(&w);
		}
	}
	diag("%" PRIu64 " positions under %" PRIu64 " rule sets, %s", done, sets,
	    isa_name());
	for (int c = 0; c < CHECK_COUNT_OF; c++)
		ok(wrong[c] == 0 && tried[c] > 0,
		    "%s (%" PRIu64 " times, %" PRIu64 " wrong)", texts[c], tried[c],
		    wrong[c]);
	report_events();
	free(w.oracle);
	return tap_end();
}
