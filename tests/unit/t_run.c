/* Runs of moves, played by the fast readers: they agree with the slow ones,
 * on good text and on text that has been tampered with. */
#include "chess/run.h"

#include "chess/outcome.h"
#include "chess/san.h"
#include "common.h"
#include "positions.h"
#include "tap.h"

enum { PLIES = 120, TEXT = 4096, TOKEN = 32 };

static move moves[PLIES + 1], wanted[PLIES + 1];
static uint64_t keys[PLIES + 2];
static uint16_t men[PLIES + 1], wanted_men[PLIES + 1];

static struct line
new_line(const struct board *b, int room)
{
	struct line l = { moves, keys, men, 0, room };

	keys[0] = b->key;
	return l;
}

static void
random_board(struct board *b, const struct rules *r, struct rng *rng)
{
	char fen[128], reason[FEN_REASON_MAX];

	if (rng_below(rng, 3) == 0) {
		board_start(b, r);
		return;
	}
	do {
		switch (rng_below(rng, 4)) {
		case 0:
			trap_fen(rng, fen, rng_below(rng, 2) == 0, 5);
			break;
		case 1:
			endgame_fen(rng, fen);
			break;
		case 2:
			strcpy(fen, positions[rng_below(rng, POSITIONS)]);
			break;
		default:
			random_fen(rng, fen);
		}
	} while (fen_read(b, r, fen, strlen(fen), reason) == -1);
}

/* Plays a random game from *b; writes it as SAN and in long form. Returns the
 * number of plies. */
static int
random_game(const struct board *start, struct rng *rng, char *san, char *lan)
{
	struct board b = *start;
	struct line l = { wanted, keys, wanted_men, 0, PLIES + 1 };
	static const char *const gaps[] = { " ", "\n", "  ", "\r\n" };
	move list[MOVES_MAX];
	int n;

	keys[0] = b.key;
	while (l.plies < PLIES && (n = movegen_list(&b, list)) > 0) {
		move m = list[rng_below(rng, (uint32_t)n)];
		if (b.side == WHITE)
			san += sprintf(san, "%u.%s", b.fullmove,
			    rng_below(rng, 2) == 0 ? " " : "");
		else if (rng_below(rng, 8) == 0)
			san += sprintf(san, "%u... ", b.fullmove);
		san += san_write(&b, m, san);
		san += sprintf(san, "%s",
		    gaps[rng_below(rng, 8) == 0 ? rng_below(rng, 4) : 0]);
		lan += move_print(b.rules, m, lan);
		*lan++ = ' ';
		line_add(&l, &b, m);
	}
	*san = *lan = '\0';
	return l.plies;
}

/* Reads a word with the slow readers and plays it; false when it is no move.
 * Other text is skipped. */
static bool
play_word(struct line *l, struct board *b, const char **s, const char *end)
{
	move m;
	size_t n = 0;

	while (*s < end && strchr(" \r\n.", **s) != NULL)
		++*s;
	while (*s + n < end && strchr(" \r\n.", (*s)[n]) == NULL)
		n++;
	if (n > 0 && strspn(*s, "0123456789") != n) {
		if (san_read(b, *s, n, &m) != SAN_OK)
			return false;
		line_add(l, b, m);
	}
	*s += n;
	*s += *s < end && **s == ' ';
	return true;
}

/* The way the readers of files do it: a run, and what it leaves by hand. */
static bool
play_text(const struct board *start, const char *text, int plies, bool is_san,
    int *by_run)
{
	size_t n = strlen(text);
	char *copy = malloc(n + 1); /* what is beyond it is not looked at */
	const char *s = copy, *end = copy + n;
	struct line l = new_line(start, PLIES + 1);
	struct board b = *start;
	bool good = true;

	memcpy(copy, text, n);
	while (good && s < end) {
		int before = l.plies;
		if (end - s > RUN_MARGIN)
			s = is_san ? run_play_san(&l, &b, s, end)
				   : run_play_long(&l, &b, s, end);
		*by_run += l.plies - before;
		good = play_word(&l, &b, &s, end);
	}
	free(copy);
	if (!good || l.plies != plies)
		return false;
	struct board again = *start;
	struct undo u;
	for (int i = 0; i < plies; i++) {
		if (moves[i] != wanted[i] || men[i] != wanted_men[i])
			return false;
		board_make(&again, wanted[i], &u);
		if (keys[i + 1] != again.key)
			return false;
	}
	return memcmp(&again, &b, sizeof(b)) == 0;
}

static void
test_games(int games)
{
	static char san[16 * TEXT], lan[TEXT];
	struct rng rng;
	struct rules r;
	struct board b;
	char sum[SUM_MAX], fen[FEN_MAX];
	int wrong = 0, plies = 0, run_san = 0, run_lan = 0;

	for (int i = 0; i < SUMS; i++) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		for (int k = 0; k < games; k++) {
			rng_init(&rng, (uint64_t)i, (uint64_t)k);
			random_board(&b, &r, &rng);
			int n = random_game(&b, &rng, san, lan);
			plies += n;
			if (play_text(&b, san, n, true, &run_san) &&
			    play_text(&b, lan, n, false, &run_lan))
				continue;
			fen_write(&b, fen);
			if (wrong++ < 5)
				diag("%s: %s: %s", sum, fen, san);
		}
	}
	ok(wrong == 0, "%d plies of random games under all sums", plies);
	ok(run_san > plies / 2 && run_lan > plies / 2,
	    "most were played in runs: %d and %d", run_san, run_lan);
}

/* Changes a few characters of a move's text. */
static void
tamper(char *s, struct rng *rng)
{
	static const char letters[] = "abcdefgh12345678xNBRQKPO-+#=!?0";

	for (uint32_t i = 1 + rng_below(rng, 3); i > 0; i--) {
		size_t n = strlen(s), at = rng_below(rng, (uint32_t)n + 1);
		char c = letters[rng_below(rng, sizeof(letters) - 1)];
		switch (rng_below(rng, 3)) {
		case 0:
			if (at < n)
				s[at] = c;
			break;
		case 1:
			if (at < n && n > 1)
				memmove(s + at, s + at + 1, n - at);
			break;
		default:
			if (n + 1 < TOKEN - 1) {
				memmove(s + at + 1, s + at, n - at + 1);
				s[at] = c;
			}
		}
	}
}

/* Whether a run takes this word, and only what the slow readers take too. */
static bool
check_word(const struct board *start, const char *word, bool is_san, int *taken)
{
	char text[TOKEN + 2 * RUN_MARGIN];
	struct line l = new_line(start, PLIES + 1);
	struct board b = *start;
	size_t n = strlen(word);
	move m = 0;

	memset(text, '{', sizeof(text)); /* what no run goes on with */
	memcpy(text, word, n);
	text[n] = ' ';
	const char *s = is_san ? run_play_san(&l, &b, text, text + sizeof(text))
			       : run_play_long(&l, &b, text, text + sizeof(text));
	if (l.plies == 0)
		return memcmp(&b, start, sizeof(b)) == 0 && s <= text + n + 1;
	++*taken;
	int promotion = move_is_promotion(moves[0]) ? move_promotion(moves[0]) : 0;
	return l.plies == 1 && s <= text + n + 1 &&
	    san_read(start, word, n, &m) == SAN_OK && m == moves[0] &&
	    movegen_find(start, move_from(m), move_to(m), promotion) == m;
}

static void
test_tampering(int positions_each)
{
	struct rng rng;
	struct rules r;
	struct board b;
	struct undo u;
	char sum[SUM_MAX], fen[FEN_MAX], word[TOKEN];
	move list[MOVES_MAX];
	int wrong = 0, words = 0, taken = 0, n;

	for (int i = 0; i < SUMS; i++) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		rng_init(&rng, 77, (uint64_t)i);
		random_board(&b, &r, &rng);
		for (int k = 0; k < positions_each; k++) {
			if ((n = movegen_list(&b, list)) == 0 || k % 40 == 0)
				random_board(&b, &r, &rng);
			if ((n = movegen_list(&b, list)) == 0)
				continue;
			move m = list[rng_below(&rng, (uint32_t)n)];
			for (int j = 0; j < 12; j++, words++) {
				bool is_san = j % 2 == 0;
				if (is_san)
					san_write(&b, m, word);
				else
					move_print(&r, m, word);
				if (j > 1)
					tamper(word, &rng);
				if (check_word(&b, word, is_san, &taken))
					continue;
				fen_write(&b, fen);
				if (wrong++ < 5)
					diag("%s: %s: '%s'", sum, fen, word);
			}
			board_make(&b, m, &u);
		}
	}
	ok(wrong == 0, "%d words, most of them tampered with, of which %d are taken",
	    words, taken);
	ok(taken > words / 20, "enough of them are taken");
}

/* Every word of two squares, and every word of a piece and a square. */
static void
test_all_words(void)
{
	struct rules r;
	struct board b;
	char sum[SUM_MAX], word[TOKEN], fen[FEN_MAX];
	struct rng rng;
	int wrong = 0, words = 0, taken = 0;

	rng_init(&rng, 5, 5);
	for (int i = 0; i < SUMS; i += SANITIZED ? 37 : 1) {
		sum_of_index(i, sum);
		rules_of(&r, sum);
		random_board(&b, &r, &rng);
		for (int k = 0; k < 64 * 64 + 6 * 64; k++, words++) {
			int from = k / 64, to = k % 64;
			if (from < 64)
				sprintf(word, "%c%c%c%c", 'a' + from % 8, '1' + from / 8,
				    'a' + to % 8, '1' + to / 8);
			else
				sprintf(word, "%.*s%c%c", from == 64 ? 0 : 1,
				    &"NBRQK"[from > 64 ? from - 65 : 0], 'a' + to % 8,
				    '1' + to / 8);
			if (check_word(&b, word, from >= 64, &taken))
				continue;
			fen_write(&b, fen);
			if (wrong++ < 5)
				diag("%s: %s: '%s'", sum, fen, word);
		}
	}
	ok(wrong == 0, "%d words of squares, of which %d are taken", words, taken);
}

/* A run stops when the line is full, and before what is no plain move. */
static void
test_limits(void)
{
	static const char text[] =
	    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 {a comment to fill the margin}";
	static const char *const stops[] = { "%", ";", "{", "(", "$1", "--", "O-O", "1-0",
		"*", "e.p.", "[Event \"", "\t", "\x80", "Nf9", "Ke9" };
	struct rules r;
	struct board start, b;
	char copy[128];

	rules_init(&r);
	board_start(&start, &r);
	for (int room = 1; room <= 9; room += 4) {
		struct line l = new_line(&start, room);
		b = start;
		run_play_san(&l, &b, text, text + strlen(text));
		ok(l.plies == room - 1, "room for %d plies", room - 1);
	}
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		struct line l = new_line(&start, PLIES);
		b = start;
		sprintf(copy, "1. e4 e5 2.\n%s Nf3 Nc6                    ", stops[i]);
		const char *s = run_play_san(&l, &b, copy, copy + strlen(copy));
		ok(l.plies == 2 && s <= strstr(copy, stops[i]), "a run ends before '%s'",
		    stops[i][0] == '\x80' ? "(byte 128)" : stops[i]);
	}
}

/* Is it only blanks and move numbers? Plainly, byte by byte. */
static bool
is_gap(const char *s, const char *end)
{
	while (s < end) {
		if (*s == ' ' || *s == '.' ||
		    ((*s == '\n' || *s == '\r') && s[1] != '%')) {
			s++;
			continue;
		}
		size_t digits = strspn(s, "0123456789");
		if (digits == 0 || s[digits] != '.')
			return false;
		s += digits + 1;
	}
	return true;
}

/* Everything up to five bytes long that may stand between two moves. */
static void
test_gaps(void)
{
	static const char bytes[] = " \n\r.09/:%\t\x80";
	enum { N = sizeof(bytes) - 1, LONGEST = 5 };
	struct rules r;
	struct board start;
	int wrong = 0, number = 1;

	rules_init(&r);
	board_start(&start, &r);
	for (int n = 1; n <= LONGEST; n++) {
		number *= N;
		for (int i = 0; i < number; i++) {
			char text[64] = "e4 ";
			for (int j = 0, left = i; j < n; j++, left /= N)
				text[2 + j] = bytes[left % N];
			sprintf(text + 2 + n, "%s", "Nf6 2. c4 and more, for the margin");
			if (text[2] != ' ' && text[2] != '\n' && text[2] != '\r')
				continue; /* part of the first move */
			struct line l = new_line(&start, PLIES);
			struct board b = start;
			run_play_san(&l, &b, text, text + strlen(text));
			wrong += l.plies != (is_gap(text + 2, text + 2 + n) ? 3 : 1);
		}
	}
	ok(wrong == 0, "all gaps of up to %d bytes between moves: %d wrong", LONGEST,
	    wrong);
}

int
main(void)
{
	test_limits();
	test_gaps();
	test_games(SANITIZED ? 3 : 30);
	test_tampering(SANITIZED ? 60 : 600);
	test_all_words();
	return tap_end();
}
