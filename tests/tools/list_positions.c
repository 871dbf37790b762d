/*
 * Lists every position of games, found by the naive generator, so that counts
 * can be made by hand which share nothing with src/.
 *
 *	list_positions <games.jsonl
 *
 * For each game (games(5), a sum of presets for its rules) a line
 *	game<TAB>rules<TAB>result<TAB>end
 * and, for each position, a line
 *	FEN<TAB>the move played in it, or - in the last
 */
#include <cjson/cJSON.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "naive/naive.h"

static const char *
field(const cJSON *game, const char *name, const char *without)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(game, name);

	return cJSON_IsString(item) ? item->valuestring : without;
}

static bool
is_legal(const struct naive *n, const char *m)
{
	char list[NAIVE_MOVES][6];
	int count = naive_moves(n, list);

	for (int i = 0; i < count; i++)
		if (strcmp(list[i], m) == 0)
			return true;
	return false;
}

static void
list_game(const cJSON *game)
{
	static struct naive n;
	const char *rules = field(game, "rules", "classical");
	char fen[NAIVE_FEN], *moves = strdup(field(game, "moves", ""));

	if (moves == NULL || naive_init(&n, rules, field(game, "start", START_FEN)) == -1)
		errx(1, "cannot set up %s", field(game, "id", "a game"));
	printf("game\t%s\t%s\t%s\n", rules, field(game, "result", "*"),
	    field(game, "end", "unknown"));
	for (char *m = strtok(moves, " "); m != NULL; m = strtok(NULL, " ")) {
		if (!is_legal(&n, m))
			errx(1, "%s: %s is not legal", field(game, "id", "?"), m);
		naive_fen(&n, fen);
		printf("%s\t%s\n", fen, m);
		naive_play(&n, m);
	}
	naive_fen(&n, fen);
	printf("%s\t-\n", fen);
	free(moves);
}

int
main(void)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) != -1) {
		cJSON *game = cJSON_Parse(line);
		if (game == NULL)
			errx(1, "not JSON: %.60s", line);
		list_game(game);
		cJSON_Delete(game);
	}
	free(line);
	if (fflush(stdout) == EOF)
		err(1, "standard output");
	return 0;
}
