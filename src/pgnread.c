/*
 * pgnread: PGN (or JSONL) in, games as JSONL out, every move checked.
 */
#include <inttypes.h>
#include <stddef.h>

#include "base/cli.h"
#include "base/text.h"
#include "data/games.h"

static const char synopsis[] = "[-cnpqStVz] [-o file] [-r rules] [--trust] [file ...]";
static const char help[] =
    "Reads games (PGN, JSONL or packed), checks every move, and writes JSONL.\n";

static struct cli cli;
static struct games games;
static bool comments, count;

static const struct cli_option options[] = {
	CLI_FLAG('c', "comments", &comments, "keep comments, NAGs and variations"),
	CLI_HELP,
	CLI_FLAG('n', "count", &count,
	    "write only how many games, bad games and plies there are"),
	CLI_OUTPUT_ZST,
	CLI_READ,
	CLI_TSV("with --count: "),
	CLI_TRUST,
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
};

static void
write_count(struct text *t)
{
	text_add_format(t,
	    cli.tsv ? "games\tbad\tplies\n%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n"
		    : "{\"games\":%" PRIu64 ",\"bad\":%" PRIu64 ",\"plies\":%" PRIu64
		      "}\n",
	    games.records.good + games.records.bad, games.records.bad, games.plies);
}

int
main(int argc, char *argv[])
{
	struct text t = { 0 };

	cli_start(&cli, synopsis, help, options);
	char **files = cli_read(&cli, argc, argv);
	if (cli.tsv && !count)
		cli_usage_error(&cli, "--tsv needs --count");

	games_start(&games, &cli, files);
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
		write_count(&t);
		zout_write(out, t.s, t.len);
	}
	games_finish(&games);
	text_release(&t);
	return cli_finish(&cli, out);
}
