/*
 * pack: games (JSONL, PGN or packed) to a few bytes a ply, and back to JSONL.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/games.h"
#include "data/packed.h"

static const char synopsis[] =
    "[-DpqSVz] [-o file] [-r rules] [--trust] [file ...]";
static const char help[] =
    "Packs games, with the values that searches have found, into a few bytes a ply.\n"
    "\n"
    "  -D, --decode         write games as JSONL instead\n"
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
	{ "decode", no_argument, NULL, 'D' },
	{ NULL, 0, NULL, 0 }
};

static int16_t *scores;

static void
write_packed(struct text *t, const struct games *s)
{
	bool scored = false;

	for (int i = 0; i < s->game.line.plies; i++) {
		scores[i] = packed_score((double)s->values[i]);
		scored = scored || scores[i] != PACKED_NO_SCORE;
	}
	packed_write(t, &s->game, scored ? scores : NULL);
}

int
main(int argc, char *argv[])
{
	static struct cli cli;
	static struct games games;
	struct text t = { 0 };
	bool decode = false;
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_INPUT "D",
	    options, NULL)) != -1) {
		if (c == 'D')
			decode = true;
		else
			cli_option(&cli, c);
	}
	games_start(&games, &cli, argv + optind);
	games_want_values(&games);
	scores = xmalloc(GAME_PLIES_MAX * sizeof(*scores));
	struct zout *out = cli_open_output(&cli);
	while (games_next(&games)) {
		text_clear(&t);
		if (decode)
			game_write_json(&games.game, &t);
		else
			write_packed(&t, &games);
		if (zout_write(out, t.s, t.len) == -1)
			break;
	}
	games_finish(&games);
	text_release(&t);
	free(scores);
	return cli_finish(&cli, out);
}
