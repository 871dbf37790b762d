/*
 * pack: packs games (JSONL or PGN) into a few bytes per ply, and unpacks them.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/games.h"
#include "data/packed.h"

static const char synopsis[] = "[-DpqSVz] [-o file] [-r rules] [--trust] [file ...]";
static const char help[] =
    "Packs games and the values of their searches into a few bytes per ply.\n";

static struct cli cli;
static struct games games;
static bool decode;

static const struct cli_option options[] = {
	CLI_FLAG('D', "decode", &decode, "write games as JSONL instead"),
	CLI_HELP,
	CLI_OUTPUT_ZST,
	CLI_READ,
	CLI_TRUST,
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
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
	struct text t = { 0 };
	uint64_t packed = 0;

	cli_start(&cli, synopsis, help, options);
	games_start(&games, &cli, cli_read(&cli, argc, argv));
	games_want_values(&games);
	scores = xmalloc(GAME_PLIES_MAX * sizeof(*scores));
	struct zout *out = cli_open_output(&cli);
	while (games_next(&games)) {
		text_clear(&t);
		if (decode)
			game_write_json(&games.game, &t);
		else
			write_packed(&t, &games);
		packed += !decode;
		if (zout_write(out, t.s, t.len) == -1)
			break;
	}
	text_clear(&t);
	if (packed > 0) {
		packed_write_end(&t, packed);
		zout_write(out, t.s, t.len);
	}
	games_finish(&games);
	text_release(&t);
	free(scores);
	return cli_finish(&cli, out);
}
