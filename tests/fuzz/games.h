/*
 * For fuzzers of games: reading a file that is in memory, as large reads or as
 * small ones, and what must be so for every game that was accepted.
 */
#ifndef FUZZ_GAMES_H
#define FUZZ_GAMES_H

#include <sys/mman.h>
#include <unistd.h>

#include "data/game.h"
#include "data/pgn.h"
#include "fuzz.h"

/* All that came of reading a file. */
struct reading {
	struct text json, pgn; /* the games, written */
	struct text log;       /* the reasons, with their lines */
	uint64_t games, plies;
};

__attribute__((unused)) static void
reading_release(struct reading *r)
{
	text_release(&r->json);
	text_release(&r->pgn);
	text_release(&r->log);
}

/* One game for all: its buffers are large. */
__attribute__((unused)) static struct game *
fuzz_game(void)
{
	static struct game g;

	if (g.tags == NULL)
		game_init(&g);
	return &g;
}

/* Opens n bytes as a file that gives `most` of them at once. */
__attribute__((unused)) static void
fuzz_open(struct input *in, const char *data, size_t n, size_t most)
{
	static int fd = -1;
	static char path[32];

	if (fd == -1) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	REQUIRE(fd != -1 && ftruncate(fd, 0) == 0);
	REQUIRE(pwrite(fd, data, n, 0) == (ssize_t)n);
	REQUIRE(input_open(in, path) == 0);
	in->most = most;
}

__attribute__((unused)) static void
fuzz_keep(struct reading *all, const struct game *g)
{
	struct board b = g->start;
	struct undo u;

	for (int i = 0; i < g->line.plies; i++) {
		move m = g->line.moves[i];
		REQUIRE(movegen_find(&b, move_from(m), move_to(m),
			    move_is_promotion(m) ? move_promotion(m) : 0) == m);
		board_make(&b, m, &u);
		REQUIRE(g->line.keys[i + 1] == b.key);
	}
	game_write_json(g, &all->json);
	game_write_pgn(g, &all->pgn);
	all->games++;
}

__attribute__((unused)) static void
fuzz_read_pgn(struct reading *all, const char *data, size_t n, size_t most,
    const struct game_options *o)
{
	struct input in;
	struct pgn r;
	struct game *g = fuzz_game();
	int got;

	memset(all, 0, sizeof(*all));
	fuzz_open(&in, data, n, most);
	pgn_start(&r, &in, o);
	while ((got = pgn_next(&r, g)) != 0) {
		if (got == 1)
			fuzz_keep(all, g);
		else
			REQUIRE(r.reason[0] != '\0');
		if (r.reason[0] != '\0')
			text_add_format(&all->log, "%llu: %s\n",
			    (unsigned long long)r.line, r.reason);
	}
	all->plies = r.plies;
	pgn_release(&r);
	input_close(&in);
}

__attribute__((unused)) static void
fuzz_read_json(struct reading *all, const char *data, size_t n, size_t most,
    const struct game_options *o)
{
	struct input in;
	struct game *g = fuzz_game();
	char reason[GAME_REASON_MAX];
	const char *line;
	size_t len;
	int got;

	memset(all, 0, sizeof(*all));
	fuzz_open(&in, data, n, most);
	while ((got = input_line(&in, &line, &len)) != 0) {
		/* a copy, so that a look beyond its end is seen */
		char *copy = malloc(len + 1);
		memcpy(copy, line, len);
		copy[len] = '"';
		got = got == 1 ? game_read_json(g, o, copy, len, reason) : -1;
		free(copy);
		if (got == 0)
			fuzz_keep(all, g);
		else
			text_add_format(&all->log, "%llu: %s\n",
			    (unsigned long long)input_line_number(&in, line), reason);
		all->plies += (uint64_t)g->line.plies;
	}
	input_close(&in);
}

__attribute__((unused)) static bool
same_text(const struct text *a, const struct text *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->s, b->s, a->len) == 0);
}

/* The same file read in another manner gives the same. */
__attribute__((unused)) static void
fuzz_same(const struct reading *a, const struct reading *b)
{
	REQUIRE(same_text(&a->log, &b->log));
	REQUIRE(same_text(&a->json, &b->json));
	REQUIRE(same_text(&a->pgn, &b->pgn));
	REQUIRE(a->games == b->games && a->plies == b->plies);
}

/* What was written reads back without a word to what it was. */
__attribute__((unused)) static void
fuzz_again(const struct reading *all, const struct game_options *o)
{
	struct reading json, pgn;

	fuzz_read_json(&json, all->json.s, all->json.len, SIZE_MAX, o);
	REQUIRE(json.log.len == 0 && json.games == all->games);
	REQUIRE(same_text(&json.json, &all->json));
	REQUIRE(same_text(&json.pgn, &all->pgn));
	fuzz_read_pgn(&pgn, all->pgn.s, all->pgn.len, SIZE_MAX, o);
	REQUIRE(pgn.log.len == 0 && pgn.games == all->games);
	REQUIRE(same_text(&pgn.json, &all->json));
	REQUIRE(same_text(&pgn.pgn, &all->pgn));
	reading_release(&json);
	reading_release(&pgn);
}

typedef void fuzz_reader(struct reading *all, const char *data, size_t n, size_t most,
    const struct game_options *o);

/* A byte for the rules of games that name none, one for how the file is read, then
 * the file, which starts at the result, NULL if there is none. However its bytes come
 * the games are the same, and what is written reads back to the same games. */
__attribute__((unused)) static const char *
fuzz_file(fuzz_reader *read, const uint8_t *data, size_t n, struct game_options *o)
{
	struct reading whole, parts;

	if (n < 2)
		return NULL;
	*o = (struct game_options){ .rules = fuzz_rules(data[0]),
		.notes = (data[1] & 1) != 0 };
	const char *text = (const char *)data + 2;
	read(&whole, text, n - 2, SIZE_MAX, o);
	read(&parts, text, n - 2, 1 + data[1] / 2 % 61, o);
	fuzz_same(&whole, &parts);
	fuzz_again(&whole, o);
	reading_release(&whole);
	reading_release(&parts);
	return text;
}

#endif
