/*
 * pgnread: PGN (or JSONL) in, games as JSONL out, every move checked.
 */
#include <inttypes.h>
#include <stddef.h>

#include "base/cli.h"
#include "base/text.h"
#include "data/games.h"

static const char synopsis[] =
    "[-cnpqStVz] [-o file] [-r rules] [--trust] [file ...]";
static const char help[] =
    "Reads games (PGN, JSONL or packed), checks every move, and writes JSONL.\n"
    "\n"
    "  -c, --comments       keep comments, NAGs and variations\n"
    "  -h, --help           show this help\n"
    "  -n, --count          write only how many games, bad games and plies there are\n"
    CLI_HELP_OUTPUT
    CLI_HELP_READ
    "  -t, --tsv            with --count: write TSV instead of JSONL\n"
    CLI_HELP_GAMES
    "  -V, --version        show the version\n"
    "  -z, --compress       compress the output with zstd\n";

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	CLI_LONG_INPUT,
	CLI_LONG_GAMES,
	CLI_LONG_TABLE,
	{ "comments", no_argument, NULL, 'c' },
	{ "count", no_argument, NULL, 'n' },
	{ NULL, 0, NULL, 0 }
};

static void
write_count(const struct games *games, const struct cli *cli, struct text *t)
{
	text_add_format(t, cli->tsv ?
	    "games\tbad\tplies\n%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n" :
	    "{\"games\":%" PRIu64 ",\"bad\":%" PRIu64 ",\"plies\":%" PRIu64 "}\n",
	    games->records.good + games->records.bad, games->records.bad,
	    games->plies);
}

int
main(int argc, char *argv[])
{
	static struct cli cli;
	static struct games games;
	struct text t = { 0 };
	bool comments = false, count = false;
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_INPUT
	    CLI_SHORT_TABLE "cn", options, NULL)) != -1) {
		if (c == 'c')
			comments = true;
		else if (c == 'n')
			count = true;
		else
			cli_option(&cli, c);
	}
	if (cli.tsv && !count)
		cli_usage_error(&cli, "--tsv goes with --count");

	games_start(&games, &cli, argv + optind);
	games.options.notes = comments;
	games.options.search = true;
	struct zout *out = cli_open_output(&cli);
	while (games_next(&games)) {
		if (count)
			continue;
		text_clear(&t);
		game_write_json(&games.game, &t);
		if (zout_write(out, t.s, t.len) == -1)
			break;
	}
	if (count) {
		write_count(&games, &cli, &t);
		zout_write(out, t.s, t.len);
	}
	games_finish(&games);
	text_release(&t);
	return cli_finish(&cli, out);
}
