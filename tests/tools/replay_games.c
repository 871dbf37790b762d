/*
 * Replays games of the study, as JSONL, and prints TAP: a test for each game.
 *
 *	replay_games FILE ...
 *
 * A line has "rules" (a list of presets), "start_fen", and for each ply "uci",
 * "san", "san_printed" (with the slips of the source), "fens" and "nlegal"
 * (both with the start first). The FENs of the source give the en passant
 * square after every double step and castling rights where no castling is;
 * reading them under the rules drops both, which is what is compared.
 */
#include <cjson/cJSON.h>
#include <err.h>

#include "chess/outcome.h"
#include "chess/san.h"
#include "common.h"
#include "tap.h"

enum { PLIES_MAX = 1024 };

static int plies_in_all, slips;

static const char *
string_at(const cJSON *list, int i)
{
	const cJSON *item = cJSON_GetArrayItem(list, i);

	return cJSON_IsString(item) ? item->valuestring : "";
}

static bool
complain(const char *id, int ply, const char *what, const char *got, const char *want)
{
	diag("%s, ply %d: %s: %s, not %s", id, ply, what, got, want);
	return false;
}

static void
read_rules(struct rules *r, const cJSON *list)
{
	char sum[SUM_MAX * 4] = "";

	for (int i = 0; i < cJSON_GetArraySize(list); i++) {
		const char *preset = string_at(list, i);
		if (strlen(sum) + strlen(preset) + 2 < sizeof(sum))
			append_preset(sum, preset);
	}
	rules_of(r, sum);
}

/* Fields of a FEN that no rule touches: placement and side are the same
 * bytes, whoever reads the rest. */
static bool
same_placement(const char *a, const char *b)
{
	size_t n = strcspn(a, " ") + 2;

	return strlen(a) > n && strncmp(a, b, n) == 0;
}

static bool
check_position(const char *id, const cJSON *game, int ply, const struct board *b)
{
	const cJSON *fens = cJSON_GetObjectItem(game, "fens");
	const cJSON *nlegal = cJSON_GetObjectItem(game, "nlegal");
	const char *want = string_at(fens, ply);
	char fen[FEN_MAX], expected[FEN_MAX], got[16], text[16];
	struct board given;
	move list[MOVES_MAX];

	board_of(&given, b->rules, want);
	fen_write(b, fen);
	fen_write(&given, expected);
	if (!same_placement(fen, want) || strcmp(fen, expected) != 0 ||
	    memcmp(b, &given, sizeof(*b)) != 0)
		return complain(id, ply, "position", fen, want);
	int n = movegen_count(b);
	const cJSON *count = cJSON_GetArrayItem(nlegal, ply);
	if (!cJSON_IsNumber(count) || n != count->valueint ||
	    movegen_list(b, list) != n) {
		snprintf(got, sizeof(got), "%d", n);
		snprintf(text, sizeof(text), "%d", count != NULL ? count->valueint : -1);
		return complain(id, ply, "legal moves", got, text);
	}
	return true;
}

/* Checks all the ways to write one move; returns it, or 0. */
static move
check_move(const char *id, const cJSON *game, int ply, const struct board *b)
{
	const char *uci = string_at(cJSON_GetObjectItem(game, "uci"), ply);
	const char *san = string_at(cJSON_GetObjectItem(game, "san"), ply);
	const char *printed = string_at(cJSON_GetObjectItem(game, "san_printed"), ply);
	char text[SAN_MAX], back[6];
	move m = strlen(uci) >= 4 ? move_of(b, uci) : 0, read = 0;

	if (m == 0)
		return complain(id, ply, "move", "not legal", uci);
	move_print(b->rules, m, back);
	if (strcmp(back, uci) != 0)
		return complain(id, ply, "long form", back, uci);
	san_write(b, m, text);
	if (strcmp(text, san) != 0)
		return complain(id, ply, "SAN", text, san);
	if (san_read(b, san, strlen(san), &read) != SAN_OK || read != m)
		return complain(id, ply, "SAN read", "another move", san);
	/* The source's slips may be ambiguous or no move at all; they are few,
	 * and must not be taken for another move. */
	int got = san_read(b, printed, strlen(printed), &read);
	if (got == SAN_OK && read != m)
		return complain(id, ply, "printed SAN", "another move", printed);
	if (got != SAN_OK) {
		note("%s, ply %d: %s is %s, meaning %s", id, ply, printed,
		    got == SAN_AMBIGUOUS ? "ambiguous" : "no legal move", san);
		slips++;
	}
	return m;
}

static bool
check_end(const char *id, const cJSON *game, const struct board *b, const uint64_t *keys,
    int plies)
{
	const cJSON *status = cJSON_GetObjectItem(game, "final_status");
	const cJSON *result = cJSON_GetObjectItem(game, "result");
	enum end e = outcome_find(b, keys, plies);
	int winner = outcome_winner(b, e);

	if (cJSON_IsString(status)) {
		const char *score = winner > 0 ? "1-0" : winner < 0 ? "0-1" : "1/2-1/2";
		if (strcmp(end_name(e), status->valuestring) != 0)
			return complain(id, plies, "end", end_name(e),
			    status->valuestring);
		if (cJSON_IsString(result) && strcmp(score, result->valuestring) != 0)
			return complain(id, plies, "result", score, result->valuestring);
	} else if (e == END_CHECKMATE || e == END_STALEMATE) {
		return complain(id, plies, "end", end_name(e), "none");
	}
	return true;
}

static bool
replay(const char *id, const cJSON *game)
{
	const cJSON *uci = cJSON_GetObjectItem(game, "uci");
	const cJSON *start = cJSON_GetObjectItem(game, "start_fen");
	int plies = cJSON_GetArraySize(uci), ply;
	struct rules r;
	struct board b;
	struct undo u;
	static uint64_t keys[PLIES_MAX + 1];

	if (!cJSON_IsString(start) || plies > PLIES_MAX)
		return complain(id, 0, "game", "unreadable", "a game");
	read_rules(&r, cJSON_GetObjectItem(game, "rules"));
	board_of(&b, &r, start->valuestring);
	for (ply = 0; ply < plies; ply++) {
		if (!check_position(id, game, ply, &b))
			return false;
		keys[ply] = b.key;
		move m = check_move(id, game, ply, &b);
		if (m == 0)
			return false;
		board_make(&b, m, &u);
	}
	keys[plies] = b.key;
	plies_in_all += plies;
	return check_position(id, game, plies, &b) &&
	    check_end(id, game, &b, keys, plies);
}

static void
replay_line(const char *file, const char *line)
{
	cJSON *game = cJSON_Parse(line);
	const cJSON *id = cJSON_GetObjectItem(game, "id");
	const cJSON *variant = cJSON_GetObjectItem(game, "variant");

	if (!cJSON_IsString(id) || !cJSON_IsString(variant))
		ok(false, "%s: a line is not a game", file);
	else
		ok(replay(id->valuestring, game), "%s: %s, %d plies",
		    variant->valuestring, id->valuestring,
		    cJSON_GetArraySize(cJSON_GetObjectItem(game, "uci")));
	cJSON_Delete(game);
}

int
main(int argc, char *argv[])
{
	char *line = NULL;
	size_t size = 0;
	int slips_before;

	if (argc < 2)
		errx(2, "usage: replay_games file ...");
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "r");
		if (f == NULL)
			err(1, "%s", argv[i]);
		slips_before = slips;
		while (getline(&line, &size, f) > 0)
			replay_line(argv[i], line);
		if (ferror(f))
			err(1, "%s", argv[i]);
		fclose(f);
		ok(slips - slips_before <= 3,
		    "%s: %d moves that cannot be read as printed", argv[i],
		    slips - slips_before);
	}
	free(line);
	note("%d plies", plies_in_all);
	return tap_end();
}
