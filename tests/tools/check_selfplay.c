/*
 * check_selfplay: reads games of selfplay from standard input and plays them
 * again beside the oracle (or, under a user's own rules, which that does not
 * know, beside outcome.h). Every move must be legal, the game must not have
 * been over before, and its end and result must be true. Search data must
 * have an entry for each ply, with all legal moves, visits that add up to the
 * simulations, and priors that add up to 1. Says what is wrong and exits with
 * 1; prints how many games, plies and entries there were.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "chess/outcome.h"
#include "common.h"
#include "data/rulespec.h"
#include "naive/naive.h"

enum { PLIES = 2000 };

static int games, plies_in_all, entries, wrong;

/* A game as both see it. */
struct both {
	bool own_rules; /* the oracle does not know them */
	struct rules rules;
	struct board board;
	uint64_t keys[PLIES + 1];
	int plies;
	struct naive naive;
};

static void
complain(int ply, const char *what, const char *detail)
{
	fprintf(stderr, "game %d, ply %d: %s %s\n", games, ply, what, detail);
	wrong++;
}

static const char *
string_of(const cJSON *game, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(game, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

static void
start(struct both *g, const cJSON *game)
{
	const char *fen = string_of(game, "start");
	const char *sum = string_of(game, "rules");
	const cJSON *rules = cJSON_GetObjectItemCaseSensitive(game, "rules");
	char reason[RULES_REASON_MAX];

	fen = fen != NULL ? fen : START_FEN;
	g->own_rules = sum == NULL;
	char *text = g->own_rules ? cJSON_PrintUnformatted(rules) : strdup(sum);
	if (text == NULL || rulespec_parse(&g->rules, text, strlen(text), reason) == -1)
		bail_out("rules", text, reason);
	board_of(&g->board, &g->rules, fen);
	g->keys[0] = g->board.key;
	g->plies = 0;
	if (!g->own_rules && naive_init(&g->naive, text, fen) == -1)
		bail_out("start", fen, "the oracle does not take it");
	free(text);
}

/* How the game has ended: "" when it goes on. */
static const char *
end_of(const struct both *g, int *winner)
{
	enum end e = outcome_find(&g->board, g->keys, g->plies);

	*winner = g->own_rules ? outcome_winner(&g->board, e) : naive_winner(&g->naive);
	return g->own_rules ? end_name(e) : naive_end(&g->naive);
}

static bool
play(struct both *g, const char *uci)
{
	char legal[NAIVE_MOVES][6];
	struct undo u;
	move m = move_of(&g->board, uci);
	int n = g->own_rules ? 0 : naive_moves(&g->naive, legal);
	bool found = g->own_rules;

	for (int i = 0; i < n; i++)
		found = found || strcmp(legal[i], uci) == 0;
	if (!found || m == 0 || g->plies == PLIES)
		return false;
	board_make(&g->board, m, &u);
	g->keys[++g->plies] = g->board.key;
	if (!g->own_rules)
		naive_play(&g->naive, uci);
	return true;
}

/* Number i of a move's list, -1 when it is not there. */
static double
number_at(const cJSON *list, int i)
{
	const cJSON *v = cJSON_GetArrayItem(list, i);

	return cJSON_IsNumber(v) ? v->valuedouble : -1;
}

static void
check_entry(const struct both *g, const cJSON *entry, const char *played, int sims,
    bool decided)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(entry, "value");
	const cJSON *moves = cJSON_GetObjectItemCaseSensitive(entry, "moves");
	const cJSON *m;
	double visits = 0, priors = 0, improved = 0;
	int n = 0, width = 2;

	entries++;
	if (!cJSON_IsNumber(value) || fabs(value->valuedouble) > 1)
		complain(g->plies, "value", "");
	cJSON_ArrayForEach(m, moves)
	{
		if (move_of(&g->board, m->string) == 0)
			complain(g->plies, "not legal:", m->string);
		if (number_at(m, 0) < 0 || number_at(m, 1) < 0)
			complain(g->plies, "numbers of", m->string);
		visits += number_at(m, 0);
		priors += number_at(m, 1);
		width = cJSON_GetArraySize(m);
		improved += width > 2 ? number_at(m, 2) : 0;
		n++;
	}
	if (n != movegen_count(&g->board))
		complain(g->plies, "moves", "are missing");
	if (cJSON_GetObjectItemCaseSensitive(moves, played) == NULL)
		complain(g->plies, "not searched:", played);
	/* fewer only when the result was proven, and then it comes about */
	if (sims > 0 && visits < sims && !decided)
		complain(g->plies, "visits", "are too few");
	if (sims > 0 && visits > sims && width == 2)
		complain(g->plies, "visits", "are too many");
	if (fabs(priors - 1) > 1e-3 || (width > 2 && fabs(improved - 1) > 1e-3))
		complain(g->plies, "priors", "do not add up to 1");
}

static void
check_end(const struct both *g, const char *end, const char *result)
{
	static const char *const results[] = { "0-1", "1/2-1/2", "1-0" };
	int winner;
	const char *want = end_of(g, &winner);

	if (strcmp(end, "resign") == 0 && want[0] == '\0') {
		want = "resign";
		winner = g->board.side == WHITE ? -1 : 1;
	}
	if (strcmp(want, end) != 0)
		complain(g->plies, "the end is", want);
	if (strcmp(results[winner + 1], result) != 0)
		complain(g->plies, "the result is", results[winner + 1]);
}

static void
check_game(const cJSON *game)
{
	static struct both g;
	const char *moves = string_of(game, "moves");
	const char *end = string_of(game, "end");
	const char *result = string_of(game, "result");
	const cJSON *search = cJSON_GetObjectItemCaseSensitive(game, "search");
	const cJSON *sims = cJSON_GetObjectItemCaseSensitive(game, "sims");
	const cJSON *plies = cJSON_GetObjectItemCaseSensitive(game, "plies");
	char uci[6];
	int n, winner;

	if (moves == NULL || end == NULL || result == NULL) {
		complain(0, "a field is missing", "");
		return;
	}
	bool decided = strcmp(end, "checkmate") == 0 || strcmp(end, "stalemate") == 0;
	start(&g, game);
	for (; sscanf(moves, "%5s%n", uci, &n) == 1; moves += n) {
		const cJSON *entry = cJSON_GetArrayItem(search, g.plies);
		if (end_of(&g, &winner)[0] != '\0')
			complain(g.plies, "over already:", end_of(&g, &winner));
		if (cJSON_IsObject(entry))
			check_entry(&g, entry, uci,
			    cJSON_IsNumber(sims) ? sims->valueint : 0, decided);
		else if (search != NULL && !cJSON_IsNull(entry))
			complain(g.plies, "no entry", "");
		if (!play(&g, uci)) {
			complain(g.plies, "not legal:", uci);
			return;
		}
	}
	if (!cJSON_IsNumber(plies) || plies->valueint != g.plies)
		complain(g.plies, "plies", "do not fit");
	if (search != NULL && cJSON_GetArraySize(search) != g.plies)
		complain(g.plies, "entries", "do not fit");
	check_end(&g, end, result);
	plies_in_all += g.plies;
}

int
main(void)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		cJSON *game = cJSON_Parse(line);
		if (game == NULL)
			complain(0, "not JSON", "");
		else
			check_game(game);
		cJSON_Delete(game);
		games++;
	}
	free(line);
	printf("%d games, %d plies, %d entries\n", games, plies_in_all, entries);
	return ferror(stdin) || wrong > 0;
}
