/*
 * What must not matter: with colours exchanged, in the rules too, or left and right,
 * games have the mirrored moves, positions and results; classical pieces under other
 * letters have classical perft. Random rule sets of all fields.
 *
 *	WALK_POSITIONS=1000000 WALK_SEED=7 build/gcc/tests/t_mirror
 */
#include <ctype.h>
#include <inttypes.h>

#include "base/rng.h"
#include "chess/outcome.h"
#include "chess/perft.h"
#include "chess/ruledraw.h"
#include "common.h"
#include "data/rulespec.h"
#include "positions.h"
#include "tap.h"

enum { DEFAULT_POSITIONS = SANITIZED ? 2000 : 10000, WALK_PLIES = 120 };

enum way { COLOURS, FILES, WAYS };

/* ---- mirrored texts ---- */

/* Exchanges the case of letters. */
static void
swap_case(char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s[i] =
		    (char)(islower((unsigned char)s[i]) ? toupper((unsigned char)s[i])
							: tolower((unsigned char)s[i]));
}

static void
mirror_square(char *s, enum way way)
{
	if (way == COLOURS)
		s[1] = (char)('1' + '8' - s[1]);
	else
		s[0] = (char)('a' + 'h' - s[0]);
}

/* Colours: ranks in the reverse order. Files: pieces in the reverse order, each with
 * its ~. */
static void
mirror_placement(const char *from, size_t n, char *to, enum way way)
{
	for (size_t rank = 0, start = 0; rank < 8; rank++) {
		size_t len = strcspn(from + start, "/[ ");
		char *at = way == COLOURS ? to + n - start - len : to + start;
		for (size_t i = 0; i < len; i++)
			at[way == COLOURS ? i : len - 1 - i] = from[start + i];
		for (size_t i = 0; way == FILES && i + 1 < len; i++)
			if (at[i] == '~') {
				at[i] = at[i + 1];
				at[++i] = '~';
			}
		if (rank < 7)
			at[way == COLOURS ? -1 : (ptrdiff_t)len] = '/';
		start += len + 1;
	}
	to[n] = '\0';
	if (way == COLOURS)
		swap_case(to, n);
}

/* White's letters come before Black's in hands and castling rights. */
static void
swap_letters(char *s, size_t n)
{
	char sorted[64];
	size_t k = 0;

	swap_case(s, n);
	for (size_t i = 0; i < n; i++)
		if (isupper((unsigned char)s[i]))
			sorted[k++] = s[i];
	for (size_t i = 0; i < n; i++)
		if (!isupper((unsigned char)s[i]))
			sorted[k++] = s[i];
	memcpy(s, sorted, n);
}

/* A mirrored FEN up to the count of moves, which differs if Black begins. */
static void
mirror_fen(const char *fen, char *to, enum way way)
{
	char fields[7][FEN_MAX] = { { 0 } };
	char *hands = NULL, *f[7];
	size_t n = strcspn(fen, "[ ");

	sscanf(fen, "%191s %191s %191s %191s %191s %191s %191s", fields[0], fields[1],
	    fields[2], fields[3], fields[4], fields[5], fields[6]);
	for (int i = 0; i < 7; i++)
		f[i] = fields[i];
	mirror_placement(fen, n, to, way);
	if (f[0][n] == '[')
		hands = f[0] + n;
	if (way == COLOURS) {
		if (hands != NULL)
			swap_letters(hands + 1, strlen(hands) - 2);
		f[1][0] = f[1][0] == 'w' ? 'b' : 'w';
		swap_letters(f[2], strlen(f[2]));
		if (f[4][1] == '+') {
			char left = f[4][0];
			f[4][0] = f[4][2];
			f[4][2] = left;
		}
	}
	if (f[3][0] != '-')
		mirror_square(f[3], way);
	sprintf(to + n, "%s %s %s %s %s", hands != NULL ? hands : "", f[1], f[2], f[3],
	    f[4]);
	if (f[4][1] == '+')
		sprintf(to + strlen(to), " %s", f[5]);
}

static void
mirror_move(char *text, enum way way)
{
	if (text[1] != '@')
		mirror_square(text, way);
	mirror_square(text + 2, way);
}

/* ---- mirrored rules ---- */

static uint64_t
mirror_squares(uint64_t set, enum way way)
{
	uint64_t mirrored = 0;

	for (int sq = 0; sq < 64; sq++)
		if ((set >> sq & 1) != 0)
			mirrored |= 1ULL << (way == COLOURS ? sq ^ 56 : sq ^ 7);
	return mirrored;
}

/* Exchanges White's and Black's value of every field. */
static void
swap_sides(struct rules *r)
{
	for (size_t i = 0; i < rules_nfields; i++) {
		const struct rules_field *f = &rules_fields[i];
		char *white = (char *)r + f->offset, *black = white + f->size;
		for (size_t k = 0; f->sided && k < f->size; k++) {
			char c = white[k];
			white[k] = black[k];
			black[k] = c;
		}
	}
	r->draw_value = (int16_t)-r->draw_value;
}

static bool
mirror_rules(const struct rules *r, struct rules *to, enum way way)
{
	char reason[RULES_REASON_MAX], fen[2 * FEN_MAX];

	*to = *r;
	if (way == COLOURS)
		swap_sides(to);
	for (int side = WHITE; side <= BLACK; side++)
		to->goal[side] = mirror_squares(to->goal[side], way);
	if (strchr(r->start, '/') != NULL) {
		mirror_fen(r->start, fen, way);
		strcat(fen, " 1");
		memset(to->start, 0, sizeof(to->start));
		strcpy(to->start, fen);
	}
	return rules_settle(to, reason) == 0;
}

/* Rules that know no left and right, and no colours but what each side has: castling
 * is about the king's wing and the number of the move, last_word about White. */
static void
draw_rules(struct rules *r, struct rng *rng, enum way way)
{
	char reason[RULES_REASON_MAX];

	do {
		ruledraw_random(r, rng, NULL, 0.2);
		if (way == COLOURS)
			r->last_word = 0;
		for (int side = WHITE; side <= BLACK; side++)
			if (way == FILES || r->castling_from[side] > 1)
				r->castling_from[side] = way == COLOURS;
	} while (rules_settle(r, reason) == -1);
}

/* ---- walks ---- */

static uint64_t positions_seen, wrong, sets;

static int
by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int
list_texts(const struct board *b, char texts[MOVES_MAX][6], bool mirrored, enum way way)
{
	move list[MOVES_MAX];
	int n = movegen_list(b, list);

	for (int i = 0; i < n; i++) {
		move_print(b->rules, list[i], texts[i]);
		if (mirrored)
			mirror_move(texts[i], way);
	}
	qsort(texts, (size_t)n, sizeof(texts[0]), by_text);
	return n;
}

static bool
same_moves(const struct board *b, const struct board *m, enum way way)
{
	static char ours[MOVES_MAX][6], theirs[MOVES_MAX][6];
	int n = list_texts(b, ours, true, way);

	if (n != list_texts(m, theirs, false, way))
		return false;
	for (int i = 0; i < n; i++)
		if (strcmp(ours[i], theirs[i]) != 0)
			return false;
	return true;
}

static bool
same_fen(const struct board *b, const struct board *m, enum way way)
{
	char fen[FEN_MAX], mirrored[2 * FEN_MAX], theirs[FEN_MAX];

	fen_write(b, fen);
	fen_write(m, theirs);
	mirror_fen(fen, mirrored, way);
	return strncmp(mirrored, theirs, strlen(mirrored)) == 0 &&
	    theirs[strlen(mirrored)] == ' ';
}

static bool
same_end(const struct board *b, const struct board *m, const uint64_t *keys,
    const uint64_t *mirrored, int plies, enum way way)
{
	enum end e = outcome_find(b, keys, plies), f = outcome_find(m, mirrored, plies);
	int sign = way == COLOURS ? -1 : 1;

	return e == f && outcome_value(b, e) == sign * outcome_value(m, f);
}

/* The same move of the mirrored game. */
static move
mirrored_move(const struct board *b, const struct board *m, move played, enum way way)
{
	char text[6];

	move_print(b->rules, played, text);
	mirror_move(text, way);
	return move_parse(m, text, strlen(text));
}

static void
walk(struct board *b, struct board *m, struct rng *rng, enum way way)
{
	static uint64_t keys[WALK_PLIES + 1], mirrored[WALK_PLIES + 1];
	move list[MOVES_MAX];
	struct undo u;

	for (int plies = 0; plies <= WALK_PLIES; plies++) {
		keys[plies] = b->key;
		mirrored[plies] = m->key;
		positions_seen++;
		bool moves = same_moves(b, m, way), fens = same_fen(b, m, way);
		bool ends = same_end(b, m, keys, mirrored, plies, way);
		int n = movegen_list(b, list);
		if ((!moves || !fens || !ends) && wrong++ < 3) {
			char spec[RULES_TEXT_MAX], fen[FEN_MAX], theirs[FEN_MAX];
			rules_print(b->rules, spec);
			fen_write(b, fen);
			fen_write(m, theirs);
			diag("%s%s%sdiffer: %s: %s; %s", moves ? "" : "moves ",
			    fens ? "" : "positions ", ends ? "" : "ends ", spec, fen,
			    theirs);
		}
		if (n == 0 || !moves || !fens || !ends)
			return;
		move played = list[rng_below(rng, (uint32_t)n)];
		move other = mirrored_move(b, m, played, way);
		board_make(b, played, &u);
		board_make(m, other, &u);
	}
}

/* Begins where the rules do, or anywhere. */
static void
try_rules(struct rng *rng, enum way way)
{
	char fen[FEN_MAX], mirrored[2 * FEN_MAX], reason[FEN_REASON_MAX];
	struct rules r, other;
	struct board b, m;

	do
		draw_rules(&r, rng, way);
	while (!mirror_rules(&r, &other, way));
	sets++;
	for (int k = 0; k < 2; k++) {
		board_start(&b, &r);
		fen_write(&b, fen);
		if (k == 1)
			random_fen(rng, fen);
		if (fen_read(&b, &r, fen, strlen(fen), reason) == -1)
			continue;
		fen_write(&b, fen);
		mirror_fen(fen, mirrored, way);
		/* castling is legal from the first move on: numbers do not matter */
		strcat(mirrored, " 1");
		if (fen_read(&m, &other, mirrored, strlen(mirrored), reason) == -1) {
			wrong++;
			diag("%s: %s", mirrored, reason);
			continue;
		}
		walk(&b, &m, rng, way);
	}
}

/* ---- classical pieces under other letters ---- */

/* Without castling, which is about rooks. */
static void
rename_pieces(const char *fen, char *to)
{
	static const char old[] = "nbrqNBRQ", new[] = "eacgEACG";
	char placement[128], side[2], ep[3];

	sscanf(fen, "%127s %1s %*s %2s", placement, side, ep);
	for (char *s = placement; *s != '\0'; s++)
		if (strchr(old, *s) != NULL)
			*s = new[strchr(old, *s) - old];
	sprintf(to, "%s %s - %s 0 1", placement, side, ep);
}

static void
test_renamed(void)
{
	static const char spec[] =
	    "{\"pieces\":{\"a\":\"B\",\"c\":\"R\",\"e\":\"N\",\"g\":\"Q\"},"
	    "\"promote_to\":\"aceg\",\"start\":"
	    "\"ceagkaec/pppppppp/8/8/8/8/PPPPPPPP/CEAGKAEC w - - 0 1\"}";
	struct rules usual, r;
	char fen[FEN_MAX], reason[RULES_REASON_MAX];
	int same = 0, n = 0;

	rules_of(&usual, "no-castling");
	if (rulespec_parse(&r, spec, strlen(spec), reason) == -1)
		bail_out("rules", spec, reason);
	for (int i = 0; i < POSITIONS; i++) {
		struct board a, b;
		if (fen_read(&a, &usual, positions[i], strlen(positions[i]), reason) ==
		    -1)
			continue;
		rename_pieces(positions[i], fen);
		board_of(&b, &r, fen);
		n++;
		for (int depth = 1; depth <= 3; depth++)
			same += perft(&a, depth) == perft(&b, depth);
	}
	ok(n > 20 && same == 3 * n,
	    "classical pieces as spare kinds: perft 1 to 3 of %d "
	    "positions",
	    n);
}

int
main(void)
{
	static const char *const names[] = { "colours exchanged",
		"left and right exchanged" };
	uint64_t total = from_environment("WALK_POSITIONS", DEFAULT_POSITIONS);
	uint64_t seed = from_environment("WALK_SEED", 1);
	struct rng rng;

	for (int way = 0; way < WAYS; way++) {
		positions_seen = wrong = sets = 0;
		for (uint64_t k = 0; positions_seen < total; k++) {
			rng_init(&rng, seed + (uint64_t)way, k);
			try_rules(&rng, (enum way)way);
		}
		ok(wrong == 0,
		    "%s: %" PRIu64 " positions under %" PRIu64 " rule sets, %" PRIu64
		    " wrong",
		    names[way], positions_seen, sets, wrong);
	}
	test_renamed();
	return tap_end();
}
