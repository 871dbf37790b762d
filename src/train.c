/*
 * train: trains a net on games with search data. Reads the games, takes steps of
 * gradient descent, writes the net as ONNX and a checkpoint to continue from. A
 * loop of self-play and training calls it again and again; see pipelines/train.
 * How is in train/nettrain.
 */
#include <dirent.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/memory.h"
#include "data/games.h"
#include "train/nettrain.h"

static const char synopsis[] =
    "-o net [-pqSV] [-B batch] [-j threads] [-r rules] [-s seed] [option ...]\n"
    "             [file | directory ...]";
static const char help[] =
    "Trains a net on games with search data and writes it as ONNX.\n";
static const char after[] =
    "Losses go to standard output, a line of JSON each. In a directory the files\n"
    "*.jsonl, *.jsonl.zst, *.rlp and *.rlp.zst are read, in descending order of their\n"
    "names.\n";

static struct cli cli;
static bool policy; /* --kind prior: the net has a policy */
/* Values of 0, or -1 for lambda, are replaced by the defaults of the kind of net. */
static struct training_options given = { .threads = 1,
	.holdout = 50,
	.every = 100,
	.warmup = UINT64_MAX,
	.value_rate = 1,
	.blend_share = 0.5,
	.lambda = -1 };
static const char *size_text, *checkpoint_file;
static struct nettrain training;
static struct table table;

static void
read_kind(const char *arg)
{
	if (strcmp(arg, "sparse") != 0 && strcmp(arg, "prior") != 0)
		cli_usage_error(&cli, "--kind is sparse or prior, not %s", arg);
	policy = strcmp(arg, "prior") == 0;
}

static void
read_steps(const char *arg)
{
	given.steps = (uint64_t)cli_number(&cli, "--steps", arg, 0, INT64_MAX);
	given.counted = true;
}

static const struct cli_option options[] = {
	CLI_INTEGER('B', "batch", "N", &given.batch, 2, 65536,
	    "positions in a step (default 8192; prior 2048)"),
	CLI_HELP,
	CLI_INTEGER('j', "threads", "N", &given.threads, 1, 1024,
	    "use N threads (default 1); the net is the same"),
	CLI_OUTPUT("write the net to FILE"),
	CLI_PROGRESS,
	CLI_QUIET(""),
	CLI_RULES_READ,
	CLI_STRICT("game"),
	CLI_SEED(&given.seed, "seed (default 0)"),
	CLI_VERSION,
	CLI_TEXT(0, "checkpoint", "FILE", &checkpoint_file,
	    "continue from this file if it exists; write it at the end"),
	CLI_TEXT(0, "blend", "NET", &given.blend,
	    "at the end, take the mean of the weights and those of NET"),
	CLI_REAL(0, "blend-share", "S", &given.blend_share, 0, 1,
	    "share of the weights of --blend (default 0.5)"),
	CLI_COUNT(0, "every", "N", &given.every, 1, INT64_MAX,
	    "write losses every N steps (default 100)"),
	CLI_REAL(0, "final-rate", "R", &given.final_rate, 1e-9, 100,
	    "rate at the end of this call (default: a fifteenth of\n"
	    "--rate)"),
	CLI_INTEGER(0, "holdout", "N", &given.holdout, 0, 1000000,
	    "hold out one game in N, to measure on (default 50; 0: none)"),
	CLI_CALL(0, "kind", "KIND", read_kind,
	    "sparse: the net of alpha-beta (default); prior: one with a\n"
	    "policy, for tree search"),
	CLI_TEXT(0, "keep", "NET", &given.keep,
	    "learn only what NET does not know: with rules that it\n"
	    "learnt, the new net plays as NET does"),
	CLI_REAL(0, "lambda", "L", &given.lambda, 0, 1,
	    "weight of the game's result against later search values\n"
	    "in the value target (default 0.7; prior 0.88)"),
	CLI_REAL(0, "passes", "N", &given.passes, 0.001, 1000,
	    "how often each position is used, without --steps\n"
	    "(default 3; prior 4)"),
	CLI_REAL(0, "rate", "R", &given.rate, 1e-9, 100,
	    "learning rate (default 0.0006; prior 0.001)"),
	CLI_REAL(0, "result-share", "S", &given.result_share, 0, 1,
	    "share of the game's result in every value target, besides\n"
	    "--lambda (default 0)"),
	CLI_TEXT(0, "size", "N", &size_text,
	    "hidden units of each side, of a new net (default 256)"),
	CLI_CALL(0, "steps", "N", read_steps, "steps to take"),
	CLI_TRUST,
	CLI_REAL(0, "value-rate", "S", &given.value_rate, 0, 1,
	    "share of the rate at which a prior's value and hidden\n"
	    "layer learn (default 1)"),
	CLI_COUNT(0, "warmup", "N", &given.warmup, 0, INT64_MAX,
	    "raise the rate over the first N steps (default 100;\n"
	    "prior 30)"),
	CLI_COUNT(0, "window", "N", &given.window, 1, 1000000000,
	    "learn from the latest N positions of each rule set\n"
	    "(default 3000000; prior 100000)"),
	CLI_END,
};

/* ---- reading ---- */

/* Has --strict stopped at something? */
static bool
stopped(void)
{
	return cli.strict && cli.status != EXIT_DONE;
}

static void
warn_game(const char *path, const struct game *g, const char *reason)
{
	cli_warn(&cli, path != NULL ? path : "standard input", 0, "game %.*s: %s",
	    (int)g->id.len, g->id.len > 0 ? game_text(g, g->id) : "", reason);
}

/* Reads the games of a file (NULL: standard input). Files of a folder come newest
 * first. */
static void
read_games(char *path, bool in_folder)
{
	struct games reader;
	char *files[] = { path, NULL }, reason[GAME_REASON_MAX];

	training.learnt.newest_first = in_folder;
	games_start(&reader, &cli, files);
	nettrain_want(&training, &reader);
	while (!stopped() && games_next(&reader))
		if (nettrain_add(&training, &reader, reason) == -1)
			warn_game(path, &reader.game, reason);
	games_finish(&reader);
	nettrain_end_file(&training);
}

static int
is_games_file(const struct dirent *d)
{
	static const char *const endings[] = { ".jsonl", ".jsonl.zst", ".rlp",
		".rlp.zst" };
	size_t n = strlen(d->d_name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t k = strlen(endings[i]);
		if (d->d_name[0] != '.' && n > k &&
		    strcmp(d->d_name + n - k, endings[i]) == 0)
			return 1;
	}
	return 0;
}

/* By bytes, whatever the locale. */
static int
compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
read_directory(const char *path)
{
	struct dirent **entries;
	int n = scandir(path, &entries, is_games_file, compare_names);

	if (n == -1)
		err(EXIT_USAGE, "%s", path);
	for (int i = n - 1; i >= 0; i--) {
		struct text file = { 0 };
		text_add_format(&file, "%s/%s", path, entries[i]->d_name);
		if (!stopped())
			read_games(file.s, true);
		text_release(&file);
		free(entries[i]);
	}
	free(entries);
}

static void
read_input(char **files)
{
	struct stat st;

	if (files[0] == NULL)
		read_games(NULL, false);
	for (; *files != NULL && !stopped(); files++) {
		if (stat(*files, &st) == 0 && S_ISDIR(st.st_mode))
			read_directory(*files);
		else
			read_games(*files, false);
	}
	if (stopped() || cli.missing)
		exit(cli.status);
}

/* ---- writing ---- */

static void
write_file(const char *path, const struct text *file)
{
	struct zout *z = zout_open(path, false);

	if (z == NULL)
		err(EXIT_LOST, "%s", path);
	int bad = zout_write(z, file->s, file->len) == -1;
	if (zout_close(z) == -1 || bad)
		err(EXIT_LOST, "%s", path);
}

/* A file that cannot be written is reported before hours of work. */
static void
look_at_output(const char *path)
{
	struct zout *z = path == NULL ? NULL : zout_open(path, false);

	if (path != NULL && z == NULL)
		err(EXIT_LOST, "%s", path);
	if (z != NULL)
		zout_abandon(z);
}

/* ---- training ---- */

/* Such a net is its own checkpoint; NULL: there is none yet. */
static const char *
net_to_resume(void)
{
	return checkpoint_file != NULL && access(checkpoint_file, F_OK) == 0
	    ? checkpoint_file
	    : NULL;
}

/* Begins training; a bad checkpoint is reported before any
 * game is read. */
static void
begin(void)
{
	char reason[REASON_MAX];

	if (nettrain_init(&training, &given, policy, net_to_resume(), reason) == -1)
		errx(EXIT_USAGE, "%s", reason);
}

static void
learn(void)
{
	if (nettrain_learn(&training, &table, &cli) == -1)
		err(EXIT_LOST, "standard output");
}

/* Writes the net before the checkpoint: if the program is killed between the two,
 * the same steps, taken again, give the same net. */
static void
write_net(void)
{
	struct text file = { 0 };

	if (nettrain_export(&training, &file) == -1)
		memory_out();
	write_file(cli.output, &file);
	if (checkpoint_file != NULL)
		write_file(checkpoint_file, &file);
	text_release(&file);
}

/* ---- the command line ---- */

static void
read_size(const char *arg)
{
	int64_t hidden;

	if (!number_read(arg, 64, SPARSE_HIDDEN_MAX, &hidden) || hidden % 64 != 0)
		cli_usage_error(&cli, "--size: %s: not a multiple of 64 up to %d", arg,
		    SPARSE_HIDDEN_MAX);
	given.hidden = (int)hidden;
}

/* Options that were not given get the defaults of the kind of net. */
static void
set_defaults(void)
{
	const struct training_options *usual =
	    policy ? &nettrain_prior : &nettrain_player;

	given.hidden = usual->hidden;
	if (given.batch == 0)
		given.batch = usual->batch;
	if (given.window == 0)
		given.window = usual->window;
	if (given.passes == 0)
		given.passes = usual->passes;
	if (given.lambda < 0)
		given.lambda = usual->lambda;
	if (given.final_rate == 0)
		given.final_rate = given.rate > 0 ? given.rate / 15 : usual->final_rate;
	if (given.rate == 0)
		given.rate = usual->rate;
	if (given.warmup == UINT64_MAX)
		given.warmup = usual->warmup;
	if (size_text != NULL)
		read_size(size_text);
	if (given.batch % NET_PARTS != 0)
		cli_usage_error(&cli, "--batch: not a multiple of %d", NET_PARTS);
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	cli.after = after;
	char **files = cli_read(&cli, argc, argv);
	if (cli.output == NULL || strcmp(cli.output, "-") == 0)
		cli_usage_error(&cli, "--output FILE is required");
	set_defaults();
	look_at_output(cli.output);
	look_at_output(checkpoint_file);
	struct zout *out = zout_open(NULL, false);
	if (out == NULL)
		err(EXIT_LOST, "standard output");
	table_start(&table, out, false);
	begin();
	read_input(files);
	if (!nettrain_has_positions(&training))
		errx(EXIT_LOST,
		    "no position to learn from (selfplay "
		    "--search-data writes games that have some)");
	learn();
	write_net();
	nettrain_release(&training);
	if (zout_close(out) == -1)
		err(EXIT_LOST, "standard output");
	table_release(&table);
	return cli.status;
}
