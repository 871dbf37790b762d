/*
 * pgnwrite: games (JSONL or PGN) in, PGN in the export format out.
 */
#include <stddef.h>

#include "base/cli.h"
#include "base/text.h"
#include "data/games.h"

static const char synopsis[] = "[-mpqSVz] [-o file] [-r rules] [--trust] [file ...]";
static const char help[] = "Reads games (JSONL, PGN or packed) and writes them as PGN.\n";

static bool moves;

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_FLAG('m', "moves", &moves, "write only moves, a game a line"),
	CLI_OUTPUT_ZST,
	CLI_READ,
	CLI_TRUST,
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
};

int
main(int argc, char *argv[])
{
	static struct cli cli;
	static struct games games;
	struct text t = { 0 };

	cli_start(&cli, synopsis, help, options);
	games_start(&games, &cli, cli_read(&cli, argc, argv));
	games.options.notes = true;
	struct zout *out = cli_open_output(&cli);
	while (games_next(&games)) {
		text_clear(&t);
		if (moves)
			game_write_san(&games.game, &t);
		else
			game_write_pgn(&games.game, &t);
		if (zout_write(out, t.s, t.len) == -1)
			break;
	}
	games_finish(&games);
	text_release(&t);
	return cli_finish(&cli, out);
}
