/*
 * Holds the naive rules against what is known.
 *
 *	selfcheck perft.tsv [limit]	rows of rules, FEN, depth and nodes
 *					with at most so many nodes
 *	selfcheck dead			all placements of small balances
 *
 * Prints what differs and a count; exits 1 if anything did, 2 if misused.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "naive/naive.h"

/* Perft. */

/* Cuts the line at its tabs; returns the number of fields. */
static int
split(char *line, char **field, int room)
{
	int n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (n < room) {
		field[n++] = line;
		line = strchr(line, '\t');
		if (line == NULL)
			break;
		*line++ = '\0';
	}
	return n;
}

static int
check_row(char **field, unsigned long long want)
{
	static struct naive game;
	unsigned long long got;

	if (naive_init(&game, field[0], field[1]) == -1) {
		printf("%s\t%s\trefused\n", field[0], field[1]);
		return -1;
	}
	got = naive_perft(&game, atoi(field[2]));
	if (got == want)
		return 0;
	printf("%s\t%s\t%s\twant %llu\tgot %llu\n", field[0], field[1], field[2], want,
	    got);
	return -1;
}

static int
check_perft(const char *name, unsigned long long limit)
{
	const clock_t start = clock();
	char line[1024], *field[4];
	unsigned long long want, nodes = 0;
	int rows = 0, skipped = 0, wrong = 0;
	FILE *in;

	in = fopen(name, "r");
	if (in == NULL) {
		perror(name);
		return 2;
	}
	while (fgets(line, sizeof(line), in) != NULL) {
		if (split(line, field, 4) != 4 || !isdigit((unsigned char)field[3][0]))
			continue; /* the header */
		want = strtoull(field[3], NULL, 10);
		if (want > limit) {
			skipped++;
			continue;
		}
		rows++;
		nodes += want;
		if (check_row(field, want) == -1)
			wrong++;
	}
	fclose(in);
	printf("%d rows checked, %d wrong, %d skipped; %llu nodes in %.1f s\n", rows,
	    wrong, skipped, nodes, (double)(clock() - start) / CLOCKS_PER_SEC);
	return rows == 0 || wrong > 0;
}

/*
 * Dead material.  L and D are bishops on light and on dark squares.  Every
 * balance is searched for a legal move that wins at once: for positions that
 * are lost for Black, who is to move, and to which White has come by a legal
 * move, with or without taking the last of the black men named; then with the
 * sides changed.  Where there is none the balance is dead so long as all
 * smaller ones are, for without pawns material only goes.
 */
static const struct balance {
	const char *a, *b;
} balances[] = {
	{ "", "" },
	{ "N", "" },
	{ "L", "" },
	{ "D", "" },
	{ "R", "" },
	{ "Q", "" },
	{ "NN", "" },
	{ "LL", "" },
	{ "LD", "" },
	{ "LN", "" },
	{ "N", "N" },
	{ "L", "N" },
	{ "D", "N" },
	{ "L", "L" },
	{ "L", "D" },
	{ "LL", "N" },
	{ "LL", "L" },
	{ "LL", "D" },
};

static const char *const lawbooks[] = {
	"classical",
	"self-capture",
	"stalemate-win",
	"self-capture+stalemate-win",
};

struct search {
	struct naive game;
	char men[8]; /* black king, white king, the others */
	int square[8];
	int nmen;
	char taken; /* the black man White's last move took */
	bool won;
	bool won_by_capture;
	char fen[NAIVE_FEN];        /* the first win */
	unsigned long long seen;    /* legal positions, Black to move */
	unsigned long long ends[2]; /* naive_end(): not over, material */
};

static void
set_up(struct search *s, const char *white, const char *black, bool capture)
{
	char *men = s->men;

	memset(s->game.pos.at, '.', sizeof(s->game.pos.at));
	*men++ = 'k';
	*men++ = 'K';
	for (; *white != '\0'; white++)
		*men++ = *white;
	for (; *black != '\0'; black++)
		*men++ = (char)tolower((unsigned char)*black);
	*men = '\0';
	s->taken = capture ? *--men : '\0';
	s->nmen = (int)(men - s->men);
}

static char
letter_of(char man)
{
	if (strchr("LD", man) != NULL)
		return 'B';
	return strchr("ld", man) != NULL ? 'b' : man;
}

/* Bishops stay on their colour. */
static bool
suits(char man, int square)
{
	const bool light = (square % 8 + square / 8) % 2 == 1;

	if (man == 'l' || man == 'L')
		return light;
	if (man == 'd' || man == 'D')
		return !light;
	return true;
}

/*
 * Equal men are put down in order, and turning the board about its middle or
 * either diagonal, which keeps the colours, brings the black king into a
 * quarter of it.
 */
static bool
fits(const struct search *s, int i, int square)
{
	const int file = square % 8, rank = square / 8;

	if (s->game.pos.at[square] != '.' || !suits(s->men[i], square))
		return false;
	if (i == 0)
		return rank <= file && file + rank <= 7;
	return s->men[i] != s->men[i - 1] || square > s->square[i - 1];
}

/* Is a king in check whose side is not to move? */
static bool
is_illegal(struct naive *game)
{
	bool check;

	game->pos.white = !game->pos.white;
	check = naive_in_check(game);
	game->pos.white = !game->pos.white;
	return check;
}

static bool
has_move(const struct naive *game, int from, int to)
{
	char moves[NAIVE_MOVES][6];
	const char want[5] = {
		(char)('a' + from % 8),
		(char)('1' + from / 8),
		(char)('a' + to % 8),
		(char)('1' + to / 8),
		'\0',
	};
	int i, n = naive_moves(game, moves);

	for (i = 0; i < n; i++)
		if (strcmp(moves[i], want) == 0)
			return true;
	return false;
}

/* Could White have come here from a legal position by a legal move? */
static bool
was_reached(const struct search *s)
{
	static struct naive past;
	int from, i, to;

	for (i = 1; i < s->nmen; i++) {
		to = s->square[i];
		if (!isupper((unsigned char)s->men[i]) || !suits(s->taken, to))
			continue;
		for (from = 0; from < 64; from++) {
			if (s->game.pos.at[from] != '.')
				continue;
			past = s->game;
			past.pos.at[from] = past.pos.at[to];
			past.pos.at[to] = s->taken == '\0' ? '.' : letter_of(s->taken);
			past.pos.white = true;
			if (!is_illegal(&past) && has_move(&past, from, to))
				return true;
		}
	}
	return false;
}

/* Looks at one placement; returns whether enough has been seen. */
static bool
look(struct search *s)
{
	const char *end;

	if (is_illegal(&s->game))
		return false;
	s->seen++;
	/*
	 * Where only mates win, of the positions without check one in so
	 * many is enough to see what naive_end() says of the balance.
	 */
	if (s->game.rules.side[0].stalemate_value == 0 && s->seen % 64 != 1 &&
	    !naive_in_check(&s->game))
		return false;
	end = naive_end(&s->game);
	if (end[0] == '\0' || strcmp(end, "material") == 0) {
		/* After a capture this is the end of a smaller balance. */
		if (s->taken == '\0')
			s->ends[end[0] != '\0']++;
	} else if (!s->won && naive_winner(&s->game) == 1 && was_reached(s)) {
		s->won = true;
		s->won_by_capture = s->taken != '\0';
		naive_fen(&s->game, s->fen);
	}
	return s->won && (s->taken != '\0' || s->ends[0] + s->ends[1] > 0);
}

/* Puts down the men from the i-th on until enough has been seen. */
static bool
place(struct search *s, int i)
{
	int square;
	bool enough = false;

	if (i == s->nmen)
		return look(s);
	for (square = 0; square < 64 && !enough; square++) {
		if (!fits(s, i, square))
			continue;
		s->square[i] = square;
		s->game.pos.at[square] = letter_of(s->men[i]);
		enough = place(s, i + 1);
		s->game.pos.at[square] = '.';
	}
	return enough;
}

static int
check_balance(const char *rules, const struct balance *b)
{
	static struct search s;

	memset(&s, 0, sizeof(s));
	strcpy(s.fen, "-");
	naive_init(&s.game, rules, "k7/8/8/8/8/8/8/K7 b - - 0 1");
	if (b->b[0] != '\0') {
		set_up(&s, b->a, b->b, true);
		place(&s, 0);
	}
	if (b->a[0] != '\0' && !s.won) {
		set_up(&s, b->b, b->a, true);
		place(&s, 0);
	}
	set_up(&s, b->a, b->b, false);
	if (!place(&s, 0)) {
		set_up(&s, b->b, b->a, false);
		place(&s, 0);
	}
	printf("%s\tK%s v K%s\t%s\t%llu\t%s%s\n", rules, b->a, b->b,
	    s.won ? "alive" : "dead", s.seen, s.fen,
	    s.won_by_capture ? " after a capture" : "");
	/* All positions must be of one opinion, and of the right one. */
	if (s.ends[!s.won] > 0 && s.ends[s.won] == 0)
		return 0;
	printf("naive_end() says otherwise\n");
	return -1;
}

static int
check_dead(void)
{
	const size_t nbalances = sizeof(balances) / sizeof(balances[0]);
	const size_t nlawbooks = sizeof(lawbooks) / sizeof(lawbooks[0]);
	size_t i, k;
	int wrong = 0;

	for (i = 0; i < nlawbooks; i++)
		for (k = 0; k < nbalances; k++)
			if (check_balance(lawbooks[i], &balances[k]) == -1)
				wrong++;
	printf("%zu balances checked, %d wrong\n", nlawbooks * nbalances, wrong);
	return wrong > 0;
}

int
main(int argc, char *argv[])
{
	if (argc == 2 && strcmp(argv[1], "dead") == 0)
		return check_dead();
	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: selfcheck perft.tsv [limit] | dead\n");
		return 2;
	}
	return check_perft(argv[1], argc == 3 ? strtoull(argv[2], NULL, 10) : 200000);
}
