/*
 * pgnwrite: games (JSONL or PGN) in, PGN in the export format out.
 */
#include <stddef.h>

#include "base/cli.h"
#include "base/text.h"
#include "data/games.h"

static const char synopsis[] = "[-pqSVz] [-o file] [-r rules] [--trust] [file ...]";
static const char help[] =
    "Reads games (JSONL, PGN or packed) and writes them as PGN.\n"
    "\n"
    "  -h, --help           show this help\n"
    CLI_HELP_OUTPUT
    CLI_HELP_READ
    CLI_HELP_GAMES
    "  -V, --version        show the version\n"
    "  -z, --compress       compress the output with zstd\n";

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	CLI_LONG_INPUT,
	CLI_LONG_GAMES,
	{ NULL, 0, NULL, 0 }
};

int
main(int argc, char *argv[])
{
	static struct cli cli;
	static struct games games;
	struct text t = { 0 };
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_INPUT,
	    options, NULL)) != -1)
		cli_option(&cli, c);

	games_start(&games, &cli, argv + optind);
	games.options.notes = true;
	struct zout *out = cli_open_output(&cli);
	while (games_next(&games)) {
		text_clear(&t);
		game_write_pgn(&games.game, &t);
		if (zout_write(out, t.s, t.len) == -1)
			break;
	}
	games_finish(&games);
	text_release(&t);
	return cli_finish(&cli, out);
}
