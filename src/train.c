/*
 * train: trains a net on games with search data. Reads the games, takes steps of
 * gradient descent, writes the net as ONNX and a checkpoint to continue from. A
 * loop of self-play and training calls it again and again; see pipelines/train.
 * How each kind of net is trained is in train/towertrain, train/sparsetrain and
 * train/policytrain.
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
#include "train/policytrain.h"
#include "train/sparsetrain.h"
#include "train/towertrain.h"

static const char synopsis[] =
    "-o net [-pqSV] [-B batch] [-j threads] [-r rules] [-s seed] [option ...]\n"
    "             [file | directory ...]";
static const char help[] =
    "Trains a net on games with search data and writes it as ONNX.\n";
static const char after[] =
    "Losses go to standard output, a line of JSON each. In a directory the files\n"
    "*.jsonl, *.jsonl.zst, *.rlp and *.rlp.zst are read, in descending order of their\n"
    "names, until the window is full.\n";

static struct cli cli;
static enum { TOWER, SPARSE, PRIOR } kind;
/* Values of 0, or -1 for lambda, are replaced by the defaults of the kind of net. */
static struct training_options given = { .threads = 1,
	.holdout = 50,
	.every = 100,
	.warmup = UINT64_MAX,
	.value_rate = 1,
	.lambda = -1 };
static struct towertrain_options tower_given = { .value_weight = 1, .left_weight = 0.1 };
static const char *size_text, *checkpoint_file, *int8_file;
static struct towertrain tower;
static struct sparsetrain sparse;
static struct policytrain prior;
static struct table table;

static void
read_kind(const char *arg)
{
	kind = strcmp(arg, "prior") == 0 ? PRIOR
	    : strcmp(arg, "sparse") == 0 ? SPARSE
					 : TOWER;
	if (kind == TOWER && strcmp(arg, "tower") != 0)
		cli_usage_error(&cli, "--kind is tower, sparse or prior, not %s", arg);
}

static void
read_steps(const char *arg)
{
	given.steps = (uint64_t)cli_number(&cli, "--steps", arg, 0, INT64_MAX);
	given.counted = true;
}

static const struct cli_option options[] = {
	CLI_INTEGER('B', "batch", "N", &given.batch, 2, 65536,
	    "positions in a step (default 256; sparse 8192,\n"
	    "prior 2048)"),
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
	CLI_REAL(0, "average", "D", &tower_given.sgd.average, 0, 1,
	    "write a moving average of the weights; D is the share of\n"
	    "the old one in each step (default 0.998; 0: the last weights)"),
	CLI_TEXT(0, "checkpoint", "FILE", &checkpoint_file,
	    "continue from this file if it exists; write it at the end"),
	CLI_REAL(0, "clip", "L", &tower_given.sgd.clip, 1e-9, 1e9,
	    "clip the gradient's norm to L (default 5)"),
	CLI_REAL(0, "decay", "D", &tower_given.sgd.decay, 0, 1,
	    "weight decay (default 0.0001)"),
	CLI_COUNT(0, "every", "N", &given.every, 1, INT64_MAX,
	    "write losses every N steps (default 100)"),
	CLI_REAL(0, "final-rate", "R", &given.final_rate, 1e-9, 100,
	    "rate at the end of this call (default: as --rate, but\n"
	    "lower for a sparse net or a prior)"),
	CLI_INTEGER(0, "holdout", "N", &given.holdout, 0, 1000000,
	    "hold out one game in N, to measure on (default 50; 0: none)"),
	CLI_TEXT(0, "int8", "FILE", &int8_file, "also write the net in 8-bit integers"),
	CLI_CALL(0, "kind", "KIND", read_kind,
	    "tower (default); sparse: the net of alpha-beta; prior: a\n"
	    "sparse net with a policy, for tree search"),
	CLI_REAL(0, "lambda", "L", &given.lambda, 0, 1,
	    "weight of the game's result against later search values\n"
	    "in the value target (default 0.98; sparse 0.7, prior\n"
	    "0.88)"),
	CLI_REAL(0, "left-weight", "W", &tower_given.left_weight, 0, 1000,
	    "weight of the loss on the plies left (default 0.1)"),
	CLI_REAL(0, "momentum", "M", &tower_given.sgd.momentum, 0, 0.9999,
	    "Nesterov's momentum (default 0.9)"),
	CLI_FLAG(0, "no-mirror", &tower_given.no_mirror,
	    "do not mirror positions left to right"),
	CLI_REAL(0, "passes", "N", &given.passes, 0.001, 1000,
	    "how often each position is used, without --steps\n"
	    "(default 2; sparse 3, prior 4)"),
	CLI_REAL(0, "rate", "R", &given.rate, 1e-9, 100,
	    "learning rate (default 0.03; sparse 0.0006,\n"
	    "prior 0.001)"),
	CLI_TEXT(0, "size", "BxF", &size_text,
	    "blocks and filters of a new net (default 4x32); of a sparse\n"
	    "one, the hidden units of each side (default 256)"),
	CLI_CALL(0, "steps", "N", read_steps, "steps to take"),
	CLI_TRUST,
	CLI_REAL(0, "value-rate", "S", &given.value_rate, 0, 1,
	    "share of the rate at which a prior's value and hidden\n"
	    "layer learn (default 1)"),
	CLI_REAL(0, "value-weight", "W", &tower_given.value_weight, 0, 1000,
	    "weight of the loss on the result (default 1)"),
	CLI_COUNT(0, "warmup", "N", &given.warmup, 0, INT64_MAX,
	    "raise the rate over the first N steps, of a tower those\n"
	    "of all calls (default 500; sparse 100, prior 30)"),
	CLI_COUNT(0, "window", "N", &given.window, 1, 1000000000,
	    "learn from the latest N positions (default 500000; of each\n"
	    "rule set: sparse 3000000, prior 100000)"),
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

static void
add_game(const char *path, const struct games *reader)
{
	const struct game *g = &reader->game;
	char reason[GAME_REASON_MAX];
	int result = 0;

	if (kind == TOWER)
		result = towertrain_add(&tower, g, reason);
	else if (kind == PRIOR)
		result = policytrain_add(&prior, g, reason);
	else if (g->result != RESULT_NONE)
		sparsetrain_add(&sparse, g, reader->values);
	if (result == -1)
		warn_game(path, g, reason);
}

/* Reads the games of a file (NULL: standard input). Files of a folder come newest
 * first. */
static void
read_games(char *path, bool in_folder)
{
	struct games reader;
	char *files[] = { path, NULL };

	sparse.learnt.newest_first = prior.learnt.newest_first = in_folder;
	if (kind == TOWER && !towertrain_begin_file(&tower, in_folder))
		return;
	games_start(&reader, &cli, files);
	if (kind == SPARSE)
		games_want_values(&reader);
	else
		reader.options.search = true;
	while (!stopped() && games_next(&reader))
		add_game(path, &reader);
	games_finish(&reader);
	if (kind == TOWER)
		towertrain_end_file(&tower);
	else if (kind == SPARSE)
		sparsetrain_end_games(&sparse);
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
	int result = kind == TOWER
	    ? towertrain_init(&tower, &given, &tower_given, checkpoint_file, reason)
	    : kind == PRIOR ? policytrain_init(&prior, &given, net_to_resume(), reason)
			    : sparsetrain_init(&sparse, &given, net_to_resume(), reason);

	if (result == -1)
		errx(EXIT_USAGE, "--checkpoint %s: %s", checkpoint_file, reason);
}

/* A prior may be measured without learning. */
static bool
has_positions(void)
{
	if (kind == TOWER)
		return tower.learnt.n > 0;
	if (kind == SPARSE)
		return positions_count(&sparse.learnt) > 0;
	return policy_window_count(&prior.learnt) > 0 ||
	    (given.counted && given.steps == 0 && policy_window_count(&prior.held) > 0);
}

static void
learn(void)
{
	int result = kind == TOWER ? towertrain_learn(&tower, &table, &cli)
	    : kind == PRIOR        ? policytrain_learn(&prior, &table, &cli)
				   : sparsetrain_learn(&sparse, &table, &cli);

	if (tower.diverged)
		errx(EXIT_LOST,
		    "step %llu: the gradient is not a number; try a smaller --rate",
		    (unsigned long long)tower.sgd.steps);
	if (result == -1)
		err(EXIT_LOST, "standard output");
}

/* Writes the net before the checkpoint: if the program is killed between the two,
 * the same steps, taken again, give the same net. */
static void
write_nets(void)
{
	struct text file = { 0 }, int8 = { 0 };
	char reason[CHECKPOINT_REASON_MAX];
	int result = kind == TOWER
	    ? towertrain_export(&tower, &file, int8_file != NULL ? &int8 : NULL)
	    : kind == PRIOR ? policytrain_export(&prior, &file)
			    : sparsetrain_export(&sparse, &file);

	if (result == -1)
		memory_out();
	write_file(cli.output, &file);
	if (int8.s != NULL)
		write_file(int8_file, &int8);
	if (checkpoint_file != NULL && kind != TOWER)
		write_file(checkpoint_file, &file);
	else if (checkpoint_file != NULL &&
	    checkpoint_write(checkpoint_file, &tower.sgd, &tower.so_far, reason) == -1)
		errx(EXIT_LOST, "%s: %s", checkpoint_file, reason);
	text_release(&file);
	text_release(&int8);
}

/* ---- the command line ---- */

static void
read_size(const char *arg)
{
	int *blocks = &tower_given.blocks, *filters = &tower_given.filters;
	int64_t hidden;
	char x;

	if (kind != TOWER) {
		if (!number_read(arg, 64, SPARSE_HIDDEN_MAX, &hidden) || hidden % 64 != 0)
			cli_usage_error(&cli, "--size: %s: not a multiple of 64 up to %d",
			    arg, SPARSE_HIDDEN_MAX);
		given.hidden = (int)hidden;
	} else if (sscanf(arg, "%dx%d%c", blocks, filters, &x) != 2 ||
	    !tower_takes(*blocks, *filters)) {
		cli_usage_error(&cli,
		    "--size: %s: not blocks x filters, such as "
		    "4x32 (filters in multiples of %d)",
		    arg, KERNELS_LANES);
	}
}

/* Options that were not given get the defaults of the kind of net. */
static void
set_defaults(void)
{
	const struct training_options *usual = kind == PRIOR ? &policytrain_defaults
	    : kind == SPARSE                                 ? &sparsetrain_defaults
							     : &towertrain_defaults;

	given.hidden = usual->hidden;
	if (given.batch == 0)
		given.batch = usual->batch;
	if (given.window == 0)
		given.window = usual->window;
	if (given.passes == 0)
		given.passes = usual->passes;
	if (given.lambda < 0)
		given.lambda = usual->lambda;
	if (kind != TOWER && given.final_rate == 0)
		given.final_rate = given.rate > 0 ? given.rate / 15 : usual->final_rate;
	if (given.rate == 0)
		given.rate = usual->rate;
	if (given.warmup == UINT64_MAX)
		given.warmup = usual->warmup;
	if (size_text != NULL)
		read_size(size_text);
	if (kind != TOWER && given.batch % SPARSE_PARTS != 0)
		cli_usage_error(&cli, "--batch: not a multiple of %d", SPARSE_PARTS);
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	cli.after = after;
	tower_given.sgd = sgd_defaults;
	char **files = cli_read(&cli, argc, argv);
	if (cli.output == NULL || strcmp(cli.output, "-") == 0)
		cli_usage_error(&cli, "--output FILE is required");
	set_defaults();
	look_at_output(cli.output);
	look_at_output(int8_file);
	look_at_output(checkpoint_file);
	struct zout *out = zout_open(NULL, false);
	if (out == NULL)
		err(EXIT_LOST, "standard output");
	table_start(&table, out, false);
	begin();
	read_input(files);
	if (!has_positions())
		errx(EXIT_LOST,
		    "no position to learn from (selfplay "
		    "--search-data writes games that have some)");
	learn();
	write_nets();
	if (kind == TOWER)
		towertrain_release(&tower);
	else if (kind == SPARSE)
		sparsetrain_release(&sparse);
	else
		policytrain_release(&prior);
	if (zout_close(out) == -1)
		err(EXIT_LOST, "standard output");
	table_release(&table);
	return cli.status;
}
