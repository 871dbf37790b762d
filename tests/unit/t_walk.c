/*
 * Long random walks in which the engine and the naive oracle have to agree
 * on everything: legal moves, positions, keys, SAN, how the game ends. Walks
 * prefer what has been seen least, and at the end every rare thing that the
 * rules allow must have been met.
 *
 * WALK_POSITIONS=N in the environment walks over N positions, WALK_SEED=N
 * elsewhere.
 */
#include <inttypes.h>

#include "base/rng.h"
#include "chess/outcome.h"
#include "chess/perft.h"
#include "chess/san.h"
#include "common.h"
#include "naive/naive.h"
#include "positions.h"
#include "tap.h"

/* The presets that the sums below are made of; t_more has the others. */
enum { OLD_PRESETS = 10 };
static const char *
old_preset(int i)
{
	static const char *const names[OLD_PRESETS] = { "classical", "pawn-one-square",
		"semi-torpedo", "torpedo", "pawn-back", "pawn-sideways", "self-capture",
		"stalemate-win", "no-castling", "no-castling-10" };

	return names[i];
}

enum { PLIES_MAX = 560, DEFAULT_POSITIONS = SANITIZED ? 60000 : 300000 };

/* ---- what is checked, and how often it was wrong ---- */

#define CHECKS \
	CHECK(LIST, "the legal moves are the oracle's") \
	CHECK(COUNT, "counting gives as many as listing") \
	CHECK(NOISY, "captures and promotions are those of the list") \
	CHECK(FIND, "each legal move is found from its squares") \
	CHECK(FIND_NONE, "no other move is") \
	CHECK(FEN, "the FEN is the oracle's") \
	CHECK(READ, "a FEN reads back to the same bytes") \
	CHECK(IN_CHECK, "check is seen as the oracle sees it") \
	CHECK(END, "the end of the game is the oracle's") \
	CHECK(WINNER, "so is the winner") \
	CHECK(SAN, "the SAN is the oracle's") \
	CHECK(SAN_READ, "SAN reads back to its move") \
	CHECK(UNMAKE, "make and unmake restore every byte") \
	CHECK(KEY, "the key equals one computed from scratch") \
	CHECK(SAME_KEY, "the same position has the same key") \
	CHECK(OTHER_KEY, "different positions have different keys") \
	CHECK(ISA, "both instruction sets agree") \
	CHECK(PERFT, "perft 2 is the sum over the moves")

enum check {
#define CHECK(name, text) CHECK_##name,
	CHECKS
#undef CHECK
	    CHECK_COUNT_OF
};

static const char *const check_text[] = {
#define CHECK(name, text) text,
	CHECKS
#undef CHECK
};

static uint64_t tried[CHECK_COUNT_OF], wrong[CHECK_COUNT_OF];

/* ---- rare events ---- */

/* Those with [8] are one for each rank of the board, 1 to 8. */
#define EVENTS \
	EVENT(EP_WHITE, 8, 3, 6, "White takes en passant, on rank") \
	EVENT(EP_BLACK, 8, 3, 6, "Black takes en passant, on rank") \
	EVENT(NO_EP_RANK_WHITE, 8, 2, 5, \
	    "en passant would expose White along the rank, on rank") \
	EVENT(NO_EP_RANK_BLACK, 8, 4, 7, \
	    "en passant would expose Black along the rank, on rank") \
	EVENT(NO_EP_DIAGONAL_WHITE, 8, 2, 5, \
	    "the capturer is pinned diagonally, White on rank") \
	EVENT(NO_EP_DIAGONAL_BLACK, 8, 4, 7, \
	    "the capturer is pinned diagonally, Black on rank") \
	EVENT(NO_EP_VICTIM_WHITE, 8, 2, 5, \
	    "the captured pawn covers a diagonal, White on rank") \
	EVENT(NO_EP_VICTIM_BLACK, 8, 4, 7, \
	    "the captured pawn covers a diagonal, Black on rank") \
	EVENT(NO_EP_FILE_WHITE, 8, 2, 5, \
	    "the capturer is pinned on the file, White on rank") \
	EVENT(NO_EP_FILE_BLACK, 8, 4, 7, \
	    "the capturer is pinned on the file, Black on rank") \
	EVENT(EP_EVADES, 1, 1, 1, "en passant takes the pawn that gives check") \
	EVENT(DOUBLE, 8, 2, 6, "a double step from own rank") \
	EVENT(TORPEDO_PROMOTION, 4, 1, 4, "a double step promotes, to piece (NBRQ)") \
	EVENT(BACK, 8, 3, 7, "a step back from own rank") \
	EVENT(DOUBLE_AGAIN, 1, 1, 1, "a double step of a pawn that came back") \
	EVENT(ASIDE, 8, 2, 7, "a step sideways on own rank") \
	EVENT(DOUBLE_ASIDE, 1, 1, 1, "a double step of a pawn from another file") \
	EVENT(SELF, 6, 1, 6, "own piece taken by (PNBRQK)") \
	EVENT(SELF_VICTIM, 6, 1, 5, "own piece taken: (PNBRQ)") \
	EVENT(SELF_PROMOTION, 4, 1, 4, \
	    "own piece taken by a pawn that promotes to (NBRQ)") \
	EVENT(SELF_ROOK, 1, 1, 1, "own rook taken, and a castling right lost") \
	EVENT(CASTLE, 4, 1, 4, "castling (KQkq)") \
	EVENT(CASTLE_LATE, 1, 1, 1, "castling from move 11 on") \
	EVENT(CASTLE_EARLY, 1, 1, 1, "castling that the move number forbids") \
	EVENT(PROMOTION, 4, 1, 4, "promotion to (NBRQ)") \
	EVENT(PROMOTION_TAKES, 1, 1, 1, "promotion with a capture") \
	EVENT(DOUBLE_CHECK, 1, 1, 1, "double check") \
	EVENT(CHECKMATE, 2, 1, 2, "checkmate by (White, Black)") \
	EVENT(STALEMATE, 1, 1, 1, "stalemate, drawn") \
	EVENT(STALEMATE_WIN, 2, 1, 2, "stalemate, won by (White, Black)") \
	EVENT(MATERIAL, 1, 1, 1, "dead material") \
	EVENT(REPETITION, 1, 1, 1, "repetition") \
	EVENT(REPETITION_PAWN, 1, 1, 1, "repetition with pawn moves between") \
	EVENT(FIFTY, 1, 1, 1, "fifty moves") \
	EVENT(FIFTY_PAWN, 1, 1, 1, "fifty moves with pawn moves, and pawns step back") \
	EVENT(FIFTY_ASIDE, 1, 1, 1, "fifty moves with steps sideways only") \
	EVENT(LENGTH, 1, 1, 1, "the ply limit") \
	EVENT(MATE_AT_100, 1, 1, 1, "mate or stalemate as the count is full") \
	EVENT(SAN_PAWN_FILE, 1, 1, 1, "SAN of a pawn's step with its file") \
	EVENT(SAN_PAWN_RANK, 1, 1, 1, "SAN of a pawn's step with its rank")

enum event {
#define EVENT(name, n, lo, hi, text) EV_##name, EV_##name##_LAST = EV_##name + n - 1,
	EVENTS
#undef EVENT
	    EVENT_COUNT
};

static uint64_t seen[EVENT_COUNT];

/* ---- the walk ---- */

enum mode { UNIFORM, HUNT, PAWNS, SHUFFLE, QUIET, MODES };

/* What a pawn has done, by the square it stands on. */
enum { CAME_BACK = 1, CAME_ASIDE = 2 };

struct walk {
	struct rng rng;
	struct rules rules;
	struct board b;
	struct naive game;
	char sum[SUM_MAX], start[128];
	uint64_t index;
	uint64_t keys[PLIES_MAX + 2];
	int plies;
	int pawn_ply, aside_ply; /* last pawn move that did not reset */
	uint8_t came[64];
	enum mode mode;
	bool trap;    /* a short walk around en passant */
	move last[2]; /* own last move, for shuffling */
};

/* The legal moves of a position, and what is rare about each. */
struct choice {
	int n;
	move list[MOVES_MAX];
	char uci[MOVES_MAX][6];
	struct {
		int n;
		int event[8];
	} rare[MOVES_MAX];
};

static void
complain(const struct walk *w, enum check c, const char *more)
{
	char fen[FEN_MAX];

	if (wrong[c]++ >= 3)
		return;
	fen_write(&w->b, fen);
	diag("%s: %s: walk %" PRIu64 " ply %d: %s%s%s", check_text[c], w->sum, w->index,
	    w->plies, fen, more[0] != '\0' ? ": " : "", more);
}

static void
expect(const struct walk *w, enum check c, bool good, const char *more)
{
	tried[c]++;
	if (!good)
		complain(w, c, more);
}

/* ---- keys of all positions ever met ---- */

/* Two tables: from a hash of the FEN's first four fields to the key, and the
 * other way round. */
struct map {
	struct pair {
		uint64_t from, to; /* from 0: empty */
	} * pair;
	uint64_t mask, used;
};

static struct map key_of, position_of;

static void
map_init(struct map *m, uint64_t size)
{
	m->mask = 1024;
	while (m->mask < size + size / 4)
		m->mask *= 2;
	m->pair = calloc(m->mask, sizeof(*m->pair));
	if (m->pair == NULL)
		bail_out("keys", "all positions", "out of memory");
	m->mask--;
}

/* What `from` leads to; `to` from now on if it was new. */
static uint64_t
map_look(struct map *m, uint64_t from, uint64_t to)
{
	uint64_t i = rng_stir(from) & m->mask;

	while (m->pair[i].from != 0 && m->pair[i].from != from)
		i = (i + 1) & m->mask;
	if (m->pair[i].from == 0) {
		if (m->used > m->mask - m->mask / 8)
			return to; /* full; what is in it is still looked at */
		m->pair[i] = (struct pair){ from, to };
		m->used++;
	}
	return m->pair[i].to;
}

/* FNV-1a of the first four fields. */
static uint64_t
hash_position(const char *fen)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (int fields = 0; *fen != '\0'; fen++) {
		fields += *fen == ' ';
		if (fields == 4)
			break;
		h = (h ^ (uint8_t)*fen) * 0x100000001b3ULL;
	}
	return h | 1;
}

static void
check_key(const struct walk *w, const struct board *b)
{
	char fen[FEN_MAX];

	fen_write(b, fen);
	uint64_t position = hash_position(fen), key = b->key;
	expect(w, CHECK_SAME_KEY, map_look(&key_of, position, key) == key, fen);
	expect(w, CHECK_OTHER_KEY,
	    key != 0 && map_look(&position_of, key, position) == position, fen);
}

/* Neighbours in all that is not placement: other rights, no en passant, the
 * other side to move. */
static void
check_key_neighbours(const struct walk *w)
{
	for (int i = 0; i < 6; i++) {
		struct board b = w->b;
		if (i < 4)
			b.castling &= (uint8_t) ~(1 << i);
		else if (i == 4)
			b.ep = NO_SQUARE;
		else
			b.side ^= 1;
		board_rekey(&b);
		check_key(w, &b);
	}
}

/* ---- what is rare about a move ---- */

static void
add_event(struct choice *c, int i, int event)
{
	c->rare[i].event[c->rare[i].n++] = event;
}

/* Why may side not capture en passant from `from`, after the double step that
 * passed over ep? The lines are looked at here, not by the engine. */
static void
add_illegal_ep(struct choice *c, int i, const struct board *after, int from, int ep,
    int victim)
{
	int side = after->side, king = board_king(after, side);
	bitboard occupied = (board_occupied(after) ^ bit(from) ^ bit(victim)) | bit(ep);
	bitboard attackers =
	    board_attackers(after, king, side ^ 1, occupied) & ~bit(victim);

	if (attackers == 0 || c->rare[i].n > 5 ||
	    (board_checkers(after) & ~bit(victim)) != 0)
		return; /* legal, or for another reason not */
	int sq = __builtin_ctzll(attackers), rank = rank_of(from);
	int df = file_of(sq) - file_of(king), dr = rank_of(sq) - rank_of(king);
	if (dr == 0) {
		add_event(c, i,
		    rank + (side == WHITE ? EV_NO_EP_RANK_WHITE : EV_NO_EP_RANK_BLACK));
	} else if (df == 0) {
		add_event(c, i,
		    rank + (side == WHITE ? EV_NO_EP_FILE_WHITE : EV_NO_EP_FILE_BLACK));
	} else {
		/* whose square is on the line between king and attacker? */
		int f = file_of(from) - file_of(king);
		int r = rank_of(from) - rank_of(king);
		bool capturer = f * dr == r * df && f * df > 0;
		add_event(c, i,
		    rank +
			(side == WHITE     ? capturer ? EV_NO_EP_DIAGONAL_WHITE
						      : EV_NO_EP_VICTIM_WHITE
				: capturer ? EV_NO_EP_DIAGONAL_BLACK
					   : EV_NO_EP_VICTIM_BLACK));
	}
}

static void
classify_double(const struct walk *w, struct choice *c, int i, const struct board *after)
{
	int from = move_from(c->list[i]), to = move_to(c->list[i]);
	int us = w->b.side, ep = (from + to) / 2;

	add_event(c, i, EV_DOUBLE + own_rank(us, from));
	if (move_is_promotion(c->list[i]))
		add_event(c, i,
		    EV_TORPEDO_PROMOTION + move_promotion(c->list[i]) - KNIGHT);
	if (own_rank(us, from) == 1 && (w->came[from] & CAME_BACK) != 0)
		add_event(c, i, EV_DOUBLE_AGAIN);
	if (own_rank(us, from) == 1 && (w->came[from] & CAME_ASIDE) != 0)
		add_event(c, i, EV_DOUBLE_ASIDE);
	for (int df = -1; df <= 1; df += 2) {
		int file = file_of(to) + df, sq = to + df;
		if (file >= 0 && file < 8 && after->square[sq] == ((us ^ 1) << 4 | PAWN))
			add_illegal_ep(c, i, after, sq, ep, to);
	}
}

static void
classify_pawn(const struct walk *w, struct choice *c, int i, const struct board *after)
{
	move m = c->list[i];
	int from = move_from(m), to = move_to(m), us = w->b.side;
	bool takes = w->b.square[to] != 0;

	if (move_is_ep(m)) {
		add_event(c, i, rank_of(to) + (us == WHITE ? EV_EP_WHITE : EV_EP_BLACK));
		if ((board_checkers(&w->b) & bit(us == WHITE ? to - 8 : to + 8)) != 0)
			add_event(c, i, EV_EP_EVADES);
		return;
	}
	if (move_is_promotion(m)) {
		add_event(c, i, EV_PROMOTION + move_promotion(m) - KNIGHT);
		if (takes)
			add_event(c, i, EV_PROMOTION_TAKES);
	}
	if (file_of(from) != file_of(to) && rank_of(from) == rank_of(to))
		add_event(c, i, EV_ASIDE + own_rank(us, from));
	else if (own_rank(us, to) < own_rank(us, from))
		add_event(c, i, EV_BACK + own_rank(us, from));
	else if (own_rank(us, to) == own_rank(us, from) + 2)
		classify_double(w, c, i, after);
}

/* Finds what is rare about move i, `after` being the board after it. */
static void
classify(const struct walk *w, struct choice *c, int i, const struct board *after)
{
	move m = c->list[i];
	int from = move_from(m), to = move_to(m), us = w->b.side;
	int type = type_at(&w->b, from), victim = w->b.square[to];

	c->rare[i].n = 0;
	if (type == PAWN)
		classify_pawn(w, c, i, after);
	if (victim != 0 && victim >> 4 == us) {
		add_event(c, i, EV_SELF + type - PAWN);
		add_event(c, i, EV_SELF_VICTIM + (victim & 15) - PAWN);
		if (move_is_promotion(m))
			add_event(c, i, EV_SELF_PROMOTION + move_promotion(m) - KNIGHT);
		if ((victim & 15) == ROOK && type != KING && type != ROOK &&
		    after->castling != w->b.castling)
			add_event(c, i, EV_SELF_ROOK);
	}
	if (move_is_castling(m)) {
		add_event(c, i, EV_CASTLE + 2 * us + (to < from));
		if (w->rules.castling_from[WHITE] > 1)
			add_event(c, i, EV_CASTLE_LATE);
	}
	bitboard checkers = board_checkers(after);
	if ((checkers & (checkers - 1)) != 0)
		add_event(c, i, EV_DOUBLE_CHECK);
	if (movegen_count(after) == 0)
		add_event(c, i,
		    checkers != 0                                ? EV_CHECKMATE + us
			: w->rules.stalemate_value[WHITE] == 100 ? EV_STALEMATE_WIN + us
								 : EV_STALEMATE);
}

/* ---- comparing one position ---- */

static int
by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Lists the moves, in the oracle's order at the end, and compares. */
static void
check_moves(struct walk *w, struct choice *c)
{
	char want[NAIVE_MOVES][6], got[MOVES_MAX][6];
	int n = naive_moves(&w->game, want);

	c->n = movegen_list(&w->b, c->list);
	for (int i = 0; i < c->n; i++) {
		memset(got[i], 0, sizeof(got[i]));
		move_print(w->b.rules, c->list[i], got[i]);
		memcpy(c->uci[i], got[i], sizeof(got[i]));
	}
	qsort(got, (size_t)c->n, sizeof(got[0]), by_text);
	bool same = n == c->n;
	const char *first = "";
	for (int i = 0; same && i < n; i++) {
		same = strcmp(want[i], got[i]) == 0;
		first = got[i];
	}
	expect(w, CHECK_LIST, same, first);
	expect(w, CHECK_COUNT, movegen_count(&w->b) == c->n, "");
	expect(w, CHECK_NOISY, noisy_moves_agree(&w->b, c->list, c->n), "");
}

static bool
is_listed(const struct choice *c, move m)
{
	for (int i = 0; i < c->n; i++)
		if (c->list[i] == m)
			return true;
	return false;
}

/* Every move is found; any other pair of squares and promotion is not, or is
 * one of the moves. */
static void
check_find(struct walk *w, const struct choice *c, bool thorough)
{
	for (int i = 0; i < c->n; i++) {
		move m = c->list[i];
		int promotion = move_is_promotion(m) ? move_promotion(m) : 0;
		expect(w, CHECK_FIND,
		    movegen_find(&w->b, move_from(m), move_to(m), promotion) == m,
		    c->uci[i]);
		expect(w, CHECK_FIND_NONE,
		    movegen_find(&w->b, move_from(m), move_to(m),
			promotion == 0 ? QUEEN : 0) == 0,
		    c->uci[i]);
	}
	int tries = thorough ? 64 * 64 : 24, found = 0;
	for (int i = 0; i < tries; i++) {
		int from = i >> 6, to = i & 63;
		if (!thorough) {
			from = (int)rng_below(&w->rng, 64);
			to = (int)rng_below(&w->rng, 64);
		}
		for (int p = 0; p <= QUEEN; p += p == 0 ? KNIGHT : 1) {
			move m = movegen_find(&w->b, from, to, p);
			expect(w, CHECK_FIND_NONE, m == 0 || is_listed(c, m), "");
			found += m != 0;
		}
	}
	if (thorough)
		expect(w, CHECK_FIND, found == c->n, "all squares");
}

/* Where castling began is kept by a game after the rights are lost, and unknown
 * to a FEN. */
static void
forget_start(struct board *read, const struct board *played)
{
	memcpy(read->rook, played->rook, sizeof(read->rook));
	read->odd_castling = played->odd_castling;
}

static void
check_fen(const struct walk *w)
{
	char fen[FEN_MAX], want[NAIVE_FEN], reason[FEN_REASON_MAX] = "";
	struct board again;
	int n = fen_write(&w->b, fen);

	naive_fen(&w->game, want);
	expect(w, CHECK_FEN, strcmp(fen, want) == 0, want);
	expect(w, CHECK_READ,
	    fen_read(&again, &w->rules, fen, (size_t)n, reason) == 0 &&
		(forget_start(&again, &w->b), memcmp(&again, &w->b, sizeof(again)) == 0),
	    reason);
	expect(w, CHECK_IN_CHECK,
	    (board_checkers(&w->b) != 0) == naive_in_check(&w->game), "");
}

/* Each move made and taken back; what is rare about it is noted. */
static void
check_children(struct walk *w, struct choice *c)
{
	struct board b = w->b, fresh;
	struct undo u;
	uint64_t leaves = 0;

	for (int i = 0; i < c->n; i++) {
		board_make(&b, c->list[i], &u);
		fresh = b;
		board_rekey(&fresh);
		expect(w, CHECK_KEY, fresh.key == b.key, c->uci[i]);
		leaves += (uint64_t)movegen_count(&b);
		classify(w, c, i, &b);
		board_unmake(&b, c->list[i], &u);
		if (memcmp(&b, &w->b, sizeof(b)) != 0) {
			complain(w, CHECK_UNMAKE, c->uci[i]);
			b = w->b;
		}
		tried[CHECK_UNMAKE]++;
	}
	expect(w, CHECK_PERFT, perft(&b, 2) == leaves, "");
}

static void
check_san(struct walk *w, const struct choice *c)
{
	char san[SAN_MAX];
	move m;

	for (int i = 0; i < c->n; i++) {
		int n = san_write(&w->b, c->list[i], san);
		expect(w, CHECK_SAN_READ,
		    san_read(&w->b, san, (size_t)n, &m) == SAN_OK && m == c->list[i],
		    san);
	}
}

static void
check_end(const struct walk *w)
{
	enum end e = outcome_find(&w->b, w->keys, w->plies);
	int winner = outcome_winner(&w->b, e);

	expect(w, CHECK_END, strcmp(end_name(e), naive_end(&w->game)) == 0,
	    naive_end(&w->game));
	expect(w, CHECK_WINNER, winner == naive_winner(&w->game), "");
	if ((e == END_CHECKMATE || e == END_STALEMATE) && w->b.count >= 100)
		seen[EV_MATE_AT_100]++;
	seen[EV_MATERIAL] += e == END_MATERIAL;
	seen[EV_REPETITION] += e == END_REPETITION;
	seen[EV_LENGTH] += e == END_LENGTH;
	/* a pawn move that did not reset, since the count was reset */
	bool pawn = w->pawn_ply > w->plies - w->b.count;
	bool aside = w->aside_ply > w->plies - w->b.count;
	seen[EV_REPETITION_PAWN] += e == END_REPETITION && pawn;
	seen[EV_FIFTY] += e == END_FIFTY;
	seen[EV_FIFTY_PAWN] += e == END_FIFTY && pawn && w->rules.pawn_back[WHITE];
	seen[EV_FIFTY_ASIDE] += e == END_FIFTY && aside && !w->rules.pawn_back[WHITE];
}

#if defined(__x86_64__)
int movegen_list_base(const struct board *, move *);
int movegen_count_base(const struct board *);
void board_make_base(struct board *, move, struct undo *);
void board_unmake_base(struct board *, move, const struct undo *);
uint64_t perft_base(struct board *, int);
int san_write_base(const struct board *, move, char *);

/* The code for every machine, where another is in use. */
static void
check_isa(const struct walk *w, const struct choice *c)
{
	struct board a = w->b, b = w->b;
	struct undo u, v;
	move list[MOVES_MAX];
	char san[SAN_MAX], same[SAN_MAX];
	int n = movegen_list_base(&w->b, list);

	bool good = n == c->n && memcmp(list, c->list, (size_t)n * sizeof(move)) == 0 &&
	    movegen_count_base(&w->b) == n && perft_base(&b, 2) == perft(&a, 2);
	for (int i = 0; good && i < n; i++) {
		san_write(&a, list[i], san);
		san_write_base(&b, list[i], same);
		board_make(&a, list[i], &u);
		board_make_base(&b, list[i], &v);
		good = strcmp(san, same) == 0 && memcmp(&a, &b, sizeof(a)) == 0;
		board_unmake(&a, list[i], &u);
		board_unmake_base(&b, list[i], &v);
		good = good && memcmp(&b, &w->b, sizeof(b)) == 0;
	}
	expect(w, CHECK_ISA, good, isa_name());
}
#else
static void
check_isa(const struct walk *w, const struct choice *c)
{
	(void)c;
	expect(w, CHECK_ISA, strcmp(isa_name(), "base") == 0, isa_name());
}
#endif

/* Castling that only the move number forbids. */
static void
note_early_castling(const struct walk *w, const struct choice *c)
{
	struct rules r;
	struct board b = w->b;

	if (w->rules.castling_from[WHITE] != 11 || b.fullmove > 10 || b.castling == 0)
		return;
	r = w->rules;
	r.castling_from[WHITE] = r.castling_from[BLACK] = 1;
	b.rules = &r;
	seen[EV_CASTLE_EARLY] += movegen_count(&b) > c->n;
}

static void
check_position(struct walk *w, struct choice *c)
{
	struct board fresh = w->b;

	check_moves(w, c);
	check_find(w, c, rng_below(&w->rng, 128) == 0);
	check_fen(w);
	check_children(w, c);
	check_san(w, c);
	check_end(w);
	board_rekey(&fresh);
	expect(w, CHECK_KEY, memcmp(&fresh, &w->b, sizeof(fresh)) == 0, "");
	check_key(w, &w->b);
	if (rng_below(&w->rng, 8) == 0) {
		check_key_neighbours(w);
		check_isa(w, c);
	}
	note_early_castling(w, c);
}

/* ---- choosing and playing a move ---- */

/* The move with the event that has been seen least, -1 if there is none. */
static int
choose_rarest(const struct choice *c)
{
	uint64_t least = UINT64_MAX;
	int best = -1;

	for (int i = 0; i < c->n; i++)
		for (int k = 0; k < c->rare[i].n; k++)
			if (seen[c->rare[i].event[k]] < least) {
				least = seen[c->rare[i].event[k]];
				best = i;
			}
	return best;
}

/* A random one of the moves that test true; -1 if there are none. */
static int
choose_where(struct walk *w, const struct choice *c,
    bool (*test)(const struct walk *, const struct choice *, int))
{
	int n = 0, best = -1;

	for (int i = 0; i < c->n; i++)
		if (test(w, c, i) && rng_below(&w->rng, (uint32_t)++n) == 0)
			best = i;
	return best;
}

static bool
is_rare(const struct walk *w, const struct choice *c, int i)
{
	(void)w;
	return c->rare[i].n > 0;
}

static bool
is_pawn_or_capture(const struct walk *w, const struct choice *c, int i)
{
	return type_at(&w->b, move_from(c->list[i])) == PAWN ||
	    w->b.square[move_to(c->list[i])] != 0;
}

static bool
is_reverse(const struct walk *w, const struct choice *c, int i)
{
	move last = w->last[w->b.side];

	return last != 0 && move_from(c->list[i]) == move_to(last) &&
	    move_to(c->list[i]) == move_from(last);
}

/* Does the count go on? Asked of the board, so of the engine. */
static bool
is_quiet(const struct walk *w, const struct choice *c, int i)
{
	struct board b = w->b;
	struct undo u;

	board_make(&b, c->list[i], &u);
	return b.count != 0;
}

static bool
is_quiet_pawn(const struct walk *w, const struct choice *c, int i)
{
	return type_at(&w->b, move_from(c->list[i])) == PAWN && is_quiet(w, c, i);
}

static int
choose(struct walk *w, const struct choice *c)
{
	uint32_t dice = rng_below(&w->rng, 8);
	int i = -1;

	if (w->mode == HUNT && dice < 3)
		i = choose_rarest(c);
	else if (w->mode == HUNT && dice < 6)
		i = choose_where(w, c, is_rare);
	else if (w->mode == PAWNS && dice < 5)
		i = choose_where(w, c, is_pawn_or_capture);
	else if (w->mode == SHUFFLE && dice < 5)
		i = choose_where(w, c, is_reverse);
	else if (w->mode == QUIET && dice == 0)
		i = choose_where(w, c, is_quiet_pawn);
	if (i == -1 && (w->mode == SHUFFLE || w->mode == QUIET))
		i = choose_where(w, c, is_quiet);
	return i != -1 ? i : (int)rng_below(&w->rng, (uint32_t)c->n);
}

static void
note_san(struct walk *w, const char *san, const char *uci)
{
	char want[NAIVE_SAN];

	naive_san(&w->game, uci, want);
	expect(w, CHECK_SAN, strcmp(san, want) == 0, want);
	if (san[0] >= '1' && san[0] <= '8')
		seen[EV_SAN_PAWN_RANK]++;
	if (san[0] >= 'a' && san[0] <= 'h' && san[1] >= 'a' && san[1] <= 'h')
		seen[EV_SAN_PAWN_FILE]++;
}

static void
play(struct walk *w, const struct choice *c, int i)
{
	move m = c->list[i];
	int from = move_from(m), to = move_to(m), us = w->b.side;
	bool pawn = type_at(&w->b, from) == PAWN;
	char san[SAN_MAX];
	struct undo u;

	for (int k = 0; k < c->rare[i].n; k++)
		seen[c->rare[i].event[k]]++;
	san_write(&w->b, m, san);
	note_san(w, san, c->uci[i]);
	w->last[us] = m;
	w->came[to] = pawn ? w->came[from] : 0;
	w->came[from] = 0;
	if (pawn && own_rank(us, to) == 1 && rank_of(from) != rank_of(to))
		w->came[to] |= CAME_BACK;
	if (pawn && own_rank(us, to) == 1 && rank_of(from) == rank_of(to))
		w->came[to] |= CAME_ASIDE;
	board_make(&w->b, m, &u);
	naive_play(&w->game, c->uci[i]);
	w->keys[++w->plies] = w->b.key;
	if (pawn && w->b.count != 0)
		w->pawn_ply = w->plies;
	if (pawn && w->b.count != 0 && rank_of(from) == rank_of(to))
		w->aside_ply = w->plies;
}

/* ---- one walk ---- */

static void
choose_start(struct walk *w)
{
	char reason[FEN_REASON_MAX];

	do {
		uint32_t dice = rng_below(&w->rng, 8);
		if (w->trap)
			trap_fen(&w->rng, w->start, dice < 4,
			    w->rules.double_step[WHITE]);
		else if (dice == 0)
			endgame_fen(&w->rng, w->start);
		else if (dice < 4)
			strcpy(w->start, positions[rng_below(&w->rng, POSITIONS)]);
		else
			random_fen(&w->rng, w->start);
	} while (fen_read(&w->b, &w->rules, w->start, strlen(w->start), reason) == -1);
}

/* An en passant square in the first FEN that cannot be used, and why. */
static void
note_start(const struct walk *w)
{
	static struct choice c;
	const char *s = strchr(w->start, ' ') + 3;

	s += strcspn(s, " ") + 1;
	if (*s == '-' || w->b.ep != NO_SQUARE)
		return;
	int ep = s[0] - 'a' + 8 * (s[1] - '1'), us = w->b.side;
	int victim = us == WHITE ? ep - 8 : ep + 8, origin = 2 * ep - victim;
	if ((w->rules.double_from[us ^ 1] & bit(origin)) == 0)
		return;
	c.rare[0].n = 0;
	for (int df = -1; df <= 1; df += 2)
		if (file_of(ep) + df >= 0 && file_of(ep) + df < 8 &&
		    w->b.square[victim + df] == (us << 4 | PAWN))
			add_illegal_ep(&c, 0, &w->b, victim + df, ep, victim);
	for (int k = 0; k < c.rare[0].n; k++)
		seen[c.rare[0].event[k]]++;
}

/* Odd walks go through all sums in turn, even ones through the presets. */
static void
walk_start(struct walk *w, uint64_t seed, uint64_t index)
{
	memset(w, 0, sizeof(*w));
	w->index = index;
	rng_init(&w->rng, seed, index);
	if (index % 2 == 0)
		strcpy(w->sum, old_preset((int)(index / 2 % OLD_PRESETS)));
	else
		sum_of_index((int)(index / 2 % SUMS), w->sum);
	rules_of(&w->rules, w->sum);
	w->mode = (enum mode)rng_below(&w->rng, MODES);
	w->trap = rng_below(&w->rng, 4) != 0 && w->rules.double_step[WHITE] > 1;
	if (w->trap || rng_below(&w->rng, 3) == 0)
		w->mode = HUNT;
	choose_start(w);
	if (naive_init(&w->game, w->sum, w->start) == -1)
		bail_out("FEN", w->start, "the oracle does not take it");
	w->keys[0] = w->b.key;
	w->pawn_ply = w->aside_ply = -1000;
	note_start(w);
}

/* Returns how many positions were looked at. */
static uint64_t
walk_on(struct walk *w)
{
	static struct choice c;
	int most = 30 + (int)rng_below(&w->rng, 100);
	uint64_t n = 0;

	if (w->trap) {
		most = 6;
	} else if (rng_below(&w->rng, 50) == 0) {
		most = 516; /* past the ply limit */
		w->mode = SHUFFLE;
	}
	if (w->mode == QUIET && rng_below(&w->rng, 2) == 0)
		most = 150;
	for (;;) {
		check_position(w, &c);
		n++;
		if (c.n == 0 || w->plies >= most ||
		    (most < 500 && outcome_dead_material(&w->b)))
			return n;
		play(w, &c, choose(w, &c));
	}
}

/* ---- the results ---- */

static void
report_checks(uint64_t total)
{
	for (int i = 0; i < CHECK_COUNT_OF; i++)
		ok(wrong[i] == 0 && tried[i] >= total / 32,
		    "%s (%" PRIu64 " times, %" PRIu64 " wrong)", check_text[i], tried[i],
		    wrong[i]);
	note("%" PRIu64 " different positions", key_of.used);
	ok(key_of.used == position_of.used, "%" PRIu64 " positions and as many keys",
	    key_of.used);
}

static void
report_events(void)
{
	static const struct {
		int first, lo, hi, n;
		const char *text;
	} table[] = {
#define EVENT(name, n, lo, hi, text) { EV_##name, lo, hi, n, text },
		EVENTS
#undef EVENT
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		for (int k = table[i].lo; k <= table[i].hi; k++) {
			uint64_t n = seen[table[i].first + k - 1];
			if (table[i].n == 1)
				ok(n > 0, "seen: %s (%" PRIu64 ")", table[i].text, n);
			else
				ok(n > 0, "seen: %s %d (%" PRIu64 ")", table[i].text, k,
				    n);
		}
}

/* Positions by rule set: presets first, then all sums. */
static void
report_rules(const uint64_t *preset, const uint64_t *sum, uint64_t total)
{
	int sums = 0;

	for (int i = 0; i < OLD_PRESETS; i++)
		ok(preset[i] >= total / 50, "%s: %" PRIu64 " positions", old_preset(i),
		    preset[i]);
	for (int i = 0; i < SUMS; i++)
		sums += sum[i] >= total / 2000;
	ok(sums >= 100, "%d rule sets, %d of them with %" PRIu64 " positions or more",
	    SUMS, sums, total / 2000);
}

int
main(void)
{
	static struct walk w;
	uint64_t total = from_environment("WALK_POSITIONS", DEFAULT_POSITIONS);
	uint64_t seed = from_environment("WALK_SEED", 1), done = 0, index = 0;
	uint64_t preset[OLD_PRESETS] = { 0 }, sum[SUMS] = { 0 };

	map_init(&key_of, total + total / 8);
	map_init(&position_of, total + total / 8);
	while (done < total) {
		walk_start(&w, seed, index);
		uint64_t n = walk_on(&w);
		done += n;
		if (index % 2 == 0)
			preset[index / 2 % OLD_PRESETS] += n;
		else
			sum[index / 2 % SUMS] += n;
		index++;
	}
	diag("%" PRIu64 " positions in %" PRIu64 " walks, %s", done, index, isa_name());
	report_checks(total);
	report_rules(preset, sum, total);
	report_events();
	return tap_end();
}
