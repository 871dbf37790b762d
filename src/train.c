/*
 * train: games with search data to a net. Reads the games, keeps a window of
 * the latest positions, takes some steps of gradient descent, writes the net as
 * ONNX and a checkpoint to go on from. A loop of self-play and training calls
 * it again and again; see pipelines/train. The tower is trained here, a sparse
 * net in train/sparsetrain.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/table.h"
#include "chess/movegen.h"
#include "data/games.h"
#include "train/checkpoint.h"
#include "train/export.h"
#include "train/model.h"
#include "train/policytrain.h"
#include "train/sgd.h"
#include "train/sparsetrain.h"
#include "train/window.h"

static const char synopsis[] =
    "-o net [-pqSV] [-B batch] [-j threads] [-r rules] [-s seed] [option ...]\n"
    "             [file | directory ...]";
static const char help[] =
    "Trains a net on games with search data and writes it as ONNX.\n";
static const char after[] =
    "Losses go to standard output, a line of JSON each. In a directory the files\n"
    "*.jsonl, *.jsonl.zst, *.rlp and *.rlp.zst are read, in descending order of their\n"
    "names, until the window is full.\n";

enum { HELD_MAX = 20000, STATISTICS_POSITIONS = 4096,
    CONVS_MAX = 1 + 2 * TOWER_BLOCKS_MAX };

static struct cli cli;
static int batch, threads = 1, blocks = 4, filters = 32, holdout = 50;
static bool sparse, prior, sized, no_mirror;
static const char *size_text;
static const char *checkpoint_file, *int8_file;
static uint64_t seed, every = 100, warmup = 500, steps;
static bool counted;	/* --steps was given */
/* 0, or for lambda -1: as the kind of net has it. */
static uint64_t window_size;
static double rate, final_rate, passes, lambda = -1;
static double value_weight = 1, value_rate = 1, left_weight = 0.1;
static struct sgd_options sgd_options;
static struct window window, held;
static struct threadpool pool;
static struct model model;
static struct sgd sgd;
static struct checkpoint checkpoint;
static struct table table;
static struct zout *standard_output;

static void
read_kind(const char *arg)
{
	prior = strcmp(arg, "prior") == 0;
	sparse = prior || strcmp(arg, "sparse") == 0;
	if (!sparse && strcmp(arg, "tower") != 0)
		cli_usage_error(&cli, "--kind: tower, sparse or prior, not %s",
		    arg);
}

static void
read_steps(const char *arg)
{
	steps = (uint64_t)cli_number(&cli, "--steps", arg, 0, INT64_MAX);
	counted = true;
}

static const struct cli_option options[] = {
	CLI_INTEGER('B', "batch", "N", &batch, 2, 65536,
	    "positions in a step (default 256; sparse 8192,\n"
	    "prior 2048)"),
	CLI_HELP,
	CLI_INTEGER('j', "threads", "N", &threads, 1, 1024,
	    "use N threads (default 1); the net is the same"),
	CLI_OUTPUT("write the net to FILE"),
	CLI_PROGRESS, CLI_QUIET(""), CLI_RULES_READ, CLI_STRICT("game"),
	CLI_SEED(&seed, "seed (default 0)"),
	CLI_VERSION,
	CLI_REAL(0, "average", "D", &sgd_options.average, 0, 1,
	    "write a moving average of the weights; D is the share of\n"
	    "the old in each step (default 0.998; 0: the last weights)"),
	CLI_TEXT(0, "checkpoint", "FILE", &checkpoint_file,
	    "continue from this file if it exists; write it at the end"),
	CLI_REAL(0, "clip", "L", &sgd_options.clip, 1e-9, 1e9,
	    "clip the gradient's norm to L (default 5)"),
	CLI_REAL(0, "decay", "D", &sgd_options.decay, 0, 1,
	    "weight decay (default 0.0001)"),
	CLI_COUNT(0, "every", "N", &every, 1, INT64_MAX,
	    "write losses every N steps (default 100)"),
	CLI_REAL(0, "final-rate", "R", &final_rate, 1e-9, 100,
	    "rate at the end of this call (default: as --rate)"),
	CLI_INTEGER(0, "holdout", "N", &holdout, 0, 1000000,
	    "hold out one game in N, to measure on (default 50; 0: none)"),
	CLI_TEXT(0, "int8", "FILE", &int8_file,
	    "write the net in 8-bit integers, too"),
	CLI_CALL(0, "kind", "KIND", read_kind,
	    "tower (default); sparse: the net of alpha-beta; prior: a\n"
	    "sparse net with a policy, for tree search"),
	CLI_REAL(0, "lambda", "L", &lambda, 0, 1,
	    "weight of the game's result against later search values\n"
	    "in the value target (default 0.98; sparse 0.7, prior\n"
	    "0.88)"),
	CLI_REAL(0, "left-weight", "W", &left_weight, 0, 1000,
	    "weight of the loss on the plies left (default 0.1)"),
	CLI_REAL(0, "momentum", "M", &sgd_options.momentum, 0, 0.9999,
	    "Nesterov's momentum (default 0.9)"),
	CLI_FLAG(0, "no-mirror", &no_mirror,
	    "do not show positions mirrored left to right"),
	CLI_REAL(0, "passes", "N", &passes, 0.001, 1000,
	    "how often each position is seen, without --steps\n"
	    "(default 2; sparse 3, prior 4)"),
	CLI_REAL(0, "rate", "R", &rate, 1e-9, 100,
	    "learning rate (default 0.03; sparse 0.0006,\n"
	    "prior 0.001)"),
	CLI_TEXT(0, "size", "BxF", &size_text,
	    "blocks and filters of a new net (default 4x32); of a sparse\n"
	    "one, the hidden units of each side (default 256)"),
	CLI_CALL(0, "steps", "N", read_steps, "steps to take"),
	CLI_TRUST,
	CLI_REAL(0, "value-rate", "S", &value_rate, 0, 1,
	    "share of the rate at which a prior's value and hidden\n"
	    "layer learn (default 1)"),
	CLI_REAL(0, "value-weight", "W", &value_weight, 0, 1000,
	    "weight of the loss on the result (default 1)"),
	CLI_COUNT(0, "warmup", "N", &warmup, 0, INT64_MAX,
	    "raise the rate over the first N steps of all calls\n"
	    "(default 500)"),
	CLI_COUNT(0, "window", "N", &window_size, 1, 1000000000,
	    "learn from the latest N positions (default 500000; of each\n"
	    "rule set: sparse 3000000, prior 100000)"),
	CLI_END
};

/* ---- reading ---- */

/* Has --strict found something? */
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

/* Adds the games of a file (NULL: of standard input). */
static void
read_games(char *path, struct window *learnt, struct window *apart)
{
	struct games reader;
	char reason[GAME_REASON_MAX];
	char *files[] = { path, NULL };

	games_start(&reader, &cli, files);
	reader.options.search = true;
	while (games_next(&reader)) {
		const struct game *g = &reader.game;
		struct window *to = sparsetrain_is_held(g, holdout) ? apart : learnt;
		if (window_add(to, g, reason) == -1)
			warn_game(path, g, reason);
		if (stopped())
			break;
	}
	games_finish(&reader);
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

/* Adds the latest games of a file of a directory, of whose files the latest
 * comes first, as far as there is room. */
static void
read_older(char *path)
{
	struct window learnt, apart;

	if (window.n >= window_size)
		return;
	size_t room = window_size - window.n;
	size_t room_apart = held.n < HELD_MAX ? HELD_MAX - held.n : 0;

	window_init(&learnt, room, lambda);
	window_init(&apart, room_apart > 0 ? room_apart : 1, lambda);
	read_games(path, &learnt, &apart);
	window_append(&window, &learnt, room);
	window_append(&held, &apart, room_apart);
	window_release(&learnt);
	window_release(&apart);
}

static void
read_directory(const char *path, void (*read_file)(char *path))
{
	struct dirent **entries;
	int n = scandir(path, &entries, is_games_file, compare_names);

	if (n == -1)
		err(EXIT_USAGE, "%s", path);
	for (int i = n - 1; i >= 0; i--) {
		struct text file = { 0 };
		text_add_format(&file, "%s/%s", path, entries[i]->d_name);
		if (!stopped())
			read_file(file.s);
		text_release(&file);
		free(entries[i]);
	}
	free(entries);
}

/* Reads files and folders, whose newest games count; *in_folder tells the one who
 * reads a file where it is. */
static void
read_input(char **files, void (*read_file)(char *path),
    void (*read_older_file)(char *path), bool *in_folder)
{
	struct stat st;

	if (files[0] == NULL)
		read_file(NULL);
	for (; *files != NULL && !stopped(); files++) {
		*in_folder = stat(*files, &st) == 0 && S_ISDIR(st.st_mode);
		if (*in_folder)
			read_directory(*files, read_older_file);
		else
			read_file(*files);
	}
	if (stopped() || cli.missing)
		exit(cli.status);
}

__attribute__((noreturn)) static void
refuse_input(void)
{
	errx(EXIT_LOST, "no position to learn from (selfplay --search-data "
	    "writes games that have some)");
}

static void
read_tower_games(char *path)
{
	read_games(path, &window, &held);
}

static void
read_tower_input(char **files)
{
	bool in_folder;

	window_init(&window, window_size, lambda);
	window_init(&held, HELD_MAX, lambda);
	read_input(files, read_tower_games, read_older, &in_folder);
	if (window.n == 0)
		refuse_input();
}

/* ---- batches ---- */

static uint32_t *chosen;	/* samples of the batch */
static bool *mirrored;
static uint16_t *places;
static struct model_target *targets;
static const struct window *shown;	/* where they are from */

enum { SHOW_PART = 32 };

static void
show_part(void *context, int job, int thread)
{
	int n = *(int *)context;

	(void)thread;
	for (int i = job * SHOW_PART; i < n && i < (job + 1) * SHOW_PART; i++) {
		const struct sample *s = &shown->samples[chosen[i]];
		uint16_t *to = places + (size_t)i * MOVES_MAX;
		sample_show(shown, s, mirrored[i], model_input(&model, i), to);
		targets[i] = (struct model_target){ to, shown->probs + s->policy,
		    s->moves, { s->wdl[0], s->wdl[1], s->wdl[2] }, s->left };
	}
}

static void
show_batch(const struct window *w, int n)
{
	shown = w;
	threadpool_run(&pool, show_part, &n, (n + SHOW_PART - 1) / SHOW_PART);
}

/* Draws a batch from the window. */
static void
draw_batch(struct rng *r)
{
	/* The window may hold more than it is asked to keep. */
	size_t n = window.n < window_size ? window.n : window_size;
	size_t first = window.n - n;

	for (int i = 0; i < batch; i++) {
		chosen[i] = (uint32_t)(first + rng_below(r, (uint32_t)n));
		mirrored[i] = !no_mirror && rng_below(r, 2) == 1 &&
		    sample_mirrors(&window.samples[chosen[i]]);
	}
	show_batch(&window, batch);
}

/* ---- learning ---- */

/* From --rate to --final-rate in equal factors, after the first steps of all. */
static double
rate_at(uint64_t step, uint64_t total)
{
	double r = rate;

	if (final_rate > 0 && total > 1)
		r *= pow(final_rate / rate, (double)step / (double)(total - 1));
	if (sgd.steps < warmup)
		r *= (double)(sgd.steps + 1) / (double)warmup;
	return r;
}

static void
tell(const char *kind, double r, struct model_loss loss, double gradient,
    double speed)
{
	table_string(&table, "kind", kind);
	table_count(&table, "step", sgd.steps);
	table_count(&table, "positions", checkpoint.positions);
	table_number(&table, "policy_loss", loss.policy);
	table_number(&table, "value_loss", loss.value);
	table_number(&table, "left_loss", loss.left);
	table_number(&table, "rate", r);
	table_number(&table, "gradient", gradient);
	table_number(&table, "positions_per_second", speed);
	if (table_end_row(&table) == -1 || zout_flush(standard_output) == -1)
		err(EXIT_LOST, "standard output");
}

static void
add_loss(struct model_loss *sum, struct model_loss l, double share)
{
	sum->policy += l.policy * share;
	sum->value += l.value * share;
	sum->left += l.left * share;
}

static void
learn(void)
{
	struct progress progress;
	struct model_loss sum = { 0 };
	double gradient = 0, started = clock_seconds();
	uint64_t told = 0;

	progress_start(&progress, "steps", steps, cli.progress, cli.quiet);
	for (uint64_t i = 0; i < steps; i++) {
		struct rng r;
		double now = rate_at(i, steps);
		rng_init(&r, seed, sgd.steps);
		draw_batch(&r);
		struct model_loss loss = model_learn(&model, sgd.parameters,
		    targets, batch);
		double size = sgd_step(&sgd, &sgd_options, model.gradient, now);
		if (!isfinite(size))
			errx(EXIT_LOST, "step %llu: the gradient is not a number; "
			    "try a smaller --rate", (unsigned long long)sgd.steps);
		checkpoint.positions += (uint64_t)batch;
		add_loss(&sum, loss, 1);
		gradient += size;
		progress_add(&progress, 1);
		if ((i + 1) % every != 0 && i + 1 < steps)
			continue;
		double n = (double)(i + 1 - told), seconds = clock_seconds();
		struct model_loss mean = { 0 };
		add_loss(&mean, sum, 1 / n);
		tell("learnt", now, mean, gradient / n,
		    n * batch / (seconds - started));
		sum = (struct model_loss){ 0 };
		gradient = 0;
		told = i + 1;
		started = seconds;
	}
	progress_end(&progress);
}

/* What the averaged net makes of the games that it has not learnt from. */
static void
measure_held(void)
{
	struct model_loss sum = { 0 };
	size_t done = 0;
	double started = clock_seconds();

	for (; done < held.n; done += (size_t)batch) {
		size_t left = held.n - done;
		int n = left < (size_t)batch ? (int)left : batch;
		if (n < batch && done > 0)
			break;	/* too few for the norm */
		for (int i = 0; i < n; i++) {
			chosen[i] = (uint32_t)done + (uint32_t)i;
			mirrored[i] = false;
		}
		show_batch(&held, n);
		add_loss(&sum, model_measure(&model, sgd.average, targets, n), n);
	}
	done = done < held.n ? done : held.n;
	if (done == 0)
		return;
	struct model_loss mean = { 0 };
	add_loss(&mean, sum, 1 / (double)done);
	tell("held-out", NAN, mean, NAN,
	    (double)done / (clock_seconds() - started));
}

/* ---- writing ---- */

/* Batch norm's statistics for the averaged weights, over many positions; and
 * the ranges of the layers, means of what batches have. */
static void
gather_statistics(float *mean, float *variance, float *highest, float *largest)
{
	size_t n = (size_t)model.layout.convs * (size_t)model.layout.filters;
	int rounds = (STATISTICS_POSITIONS + batch - 1) / batch;
	float high[CONVS_MAX], large[CONVS_MAX];
	struct rng r;

	rng_init(&r, seed ^ 0x6e6f726d, sgd.steps);
	memset(mean, 0, n * sizeof(*mean));
	memset(variance, 0, n * sizeof(*variance));
	for (int i = 0; i < rounds; i++) {
		draw_batch(&r);
		model_measure(&model, sgd.average, targets, batch);
		model_ranges(&model, high, large);
		for (int j = 0; j < model.layout.convs; j++) {
			highest[j] += high[j] / (float)rounds;
			largest[j] += large[j] / (float)rounds;
		}
		for (size_t j = 0; j < n; j++) {
			mean[j] += model.mean[j] / (float)rounds;
			variance[j] += (model.variance[j] +
			    model.mean[j] * model.mean[j]) / (float)rounds;
		}
	}
	/* Rounding must not make it negative, and the net not a number. */
	for (size_t j = 0; j < n; j++)
		variance[j] = fmaxf(variance[j] - mean[j] * mean[j], 0);
}

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

static void
write_tower(const char *path, const struct export *e)
{
	struct text file = { 0 };

	if (export_onnx(e, &file) == -1)
		memory_out();
	write_file(path, &file);
	text_release(&file);
}

static void
write_nets(void)
{
	size_t n = (size_t)model.layout.convs * (size_t)model.layout.filters;
	float *mean = kernels_allocate(n), *variance = kernels_allocate(n);
	float highest[CONVS_MAX] = { 0 }, largest[CONVS_MAX] = { 0 };
	struct text rules = { 0 };

	if (mean == NULL || variance == NULL)
		memory_out();
	gather_statistics(mean, variance, highest, largest);
	window_rules(&window, &rules);
	struct export e = { .layout = &model.layout, .parameters = sgd.average,
	    .mean = mean, .variance = variance, .rules = rules.s,
	    .steps = sgd.steps };
	write_tower(cli.output, &e);
	if (int8_file != NULL) {
		e.highest = highest;
		e.largest = largest;
		write_tower(int8_file, &e);
	}
	text_release(&rules);
	free(mean);
	free(variance);
}

/* ---- a sparse net ---- */

static struct sparsetrain sparse_training;

static void
read_sparse_games(char *path)
{
	struct games reader;
	char *files[] = { path, NULL };

	games_start(&reader, &cli, files);
	games_want_values(&reader);
	while (games_next(&reader) && !stopped())
		if (reader.game.result != RESULT_NONE)
			sparsetrain_add(&sparse_training, &reader.game,
			    reader.values);
	games_finish(&reader);
	sparsetrain_end_games(&sparse_training);
}

static struct sparsetrain_options
sparse_options(void)
{
	const struct sparsetrain_options *usual = prior ? &policytrain_defaults :
	    &sparsetrain_defaults;
	int64_t hidden = usual->hidden;

	if (size_text != NULL && (!number_read(size_text, 64,
	    SPARSE_HIDDEN_MAX, &hidden) || hidden % 64 != 0))
		cli_usage_error(&cli, "--size: %s: not a multiple of 64 up to %d",
		    size_text, SPARSE_HIDDEN_MAX);
	if (batch % SPARSE_PARTS != 0)
		cli_usage_error(&cli, "--batch: not a multiple of %d",
		    SPARSE_PARTS);
	return (struct sparsetrain_options){ .hidden = (int)hidden,
	    .batch = batch, .threads = threads, .holdout = holdout,
	    .seed = seed, .steps = steps, .every = every, .counted = counted,
	    .warmup = usual->warmup,
	    .passes = passes, .rate = rate, .final_rate = final_rate,
	    .lambda = lambda, .value_rate = value_rate, .window = window_size };
}

/* Such a net is its own checkpoint; NULL: there is none yet. */
static const char *
net_to_resume(void)
{
	return checkpoint_file != NULL && access(checkpoint_file, F_OK) == 0 ?
	    checkpoint_file : NULL;
}

static void
write_twice(struct text *file)
{
	write_file(cli.output, file);
	if (checkpoint_file != NULL)
		write_file(checkpoint_file, file);
	text_release(file);
}

static void
train_sparse(char **files)
{
	char reason[REASON_MAX];
	struct text file = { 0 };
	struct sparsetrain_options o = sparse_options();

	if (sparsetrain_init(&sparse_training, &o, net_to_resume(), reason) == -1)
		errx(EXIT_USAGE, "--checkpoint %s: %s", checkpoint_file, reason);
	read_input(files, read_sparse_games, read_sparse_games,
	    &sparse_training.learnt.newest_first);
	if (positions_count(&sparse_training.learnt) == 0)
		refuse_input();
	if (sparsetrain_learn(&sparse_training, &table, &cli) == -1)
		err(EXIT_LOST, "standard output");
	if (sparsetrain_export(&sparse_training, &file) == -1)
		memory_out();
	write_twice(&file);
	sparsetrain_release(&sparse_training);
}

/* ---- a sparse net with a policy ---- */

static struct policytrain prior_training;

static void
read_prior_games(char *path)
{
	struct games reader;
	char *files[] = { path, NULL }, reason[GAME_REASON_MAX];

	games_start(&reader, &cli, files);
	reader.options.search = true;
	while (games_next(&reader) && !stopped()) {
		const struct game *g = &reader.game;
		if (policytrain_add(&prior_training, g,
		    sparsetrain_is_held(g, holdout), reason) == -1)
			warn_game(path, g, reason);
	}
	games_finish(&reader);
}

static void
train_prior(char **files)
{
	char reason[REASON_MAX];
	struct text file = { 0 };
	struct sparsetrain_options o = sparse_options();

	if (policytrain_init(&prior_training, &o, net_to_resume(), reason) == -1)
		errx(EXIT_USAGE, "--checkpoint %s: %s", checkpoint_file, reason);
	read_input(files, read_prior_games, read_prior_games,
	    &prior_training.learnt.newest_first);
	if (policy_window_count(&prior_training.learnt) == 0 &&
	    (!counted || steps > 0 ||
	    policy_window_count(&prior_training.held) == 0))
		refuse_input();
	if (policytrain_learn(&prior_training, &table, &cli) == -1)
		err(EXIT_LOST, "standard output");
	if (policytrain_export(&prior_training, &file) == -1)
		memory_out();
	write_twice(&file);
	policytrain_release(&prior_training);
}

/* ---- the command line ---- */

static void
read_size(const char *arg)
{
	char x;

	if (sparse)
		return;
	if (sscanf(arg, "%dx%d%c", &blocks, &filters, &x) != 2 || blocks < 0 ||
	    blocks > TOWER_BLOCKS_MAX || filters < 1 ||
	    filters > TOWER_FILTERS_MAX || filters % KERNELS_LANES != 0)
		cli_usage_error(&cli, "--size: %s: not blocks x filters, such as "
		    "4x32 (filters in multiples of %d)", arg, KERNELS_LANES);
	sized = true;
}

/* What was not given, as the kind of net has it. */
static void
set_defaults(void)
{
	const struct sparsetrain_options *o = prior ? &policytrain_defaults :
	    &sparsetrain_defaults;

	if (batch == 0)
		batch = sparse ? o->batch : 256;
	if (window_size == 0)
		window_size = sparse ? o->window : 500000;
	if (passes == 0)
		passes = sparse ? o->passes : 2;
	if (lambda < 0)
		lambda = sparse ? o->lambda : 0.98;
	if (sparse && final_rate == 0)
		final_rate = rate > 0 ? rate / 15 : o->final_rate;
	if (rate == 0)
		rate = sparse ? o->rate : 0.03;
	if (size_text != NULL)
		read_size(size_text);
}

/* A file that cannot be written is told before hours of work. */
static void
look_at_output(const char *path)
{
	struct zout *z = path == NULL ? NULL : zout_open(path, false);

	if (path != NULL && z == NULL)
		err(EXIT_LOST, "%s", path);
	if (z != NULL)
		zout_abandon(z);
}

/* Looks at the checkpoint before any game is read: what is wrong with it is
 * told at once. */
static bool
look_at_checkpoint(void)
{
	char reason[CHECKPOINT_REASON_MAX];
	int there = checkpoint_file == NULL ? 0 :
	    checkpoint_look(checkpoint_file, &checkpoint, reason);

	if (there == -1)
		errx(EXIT_USAGE, "--checkpoint %s: %s", checkpoint_file, reason);
	if (there == 0)
		return false;
	if (sized && (blocks != checkpoint.blocks ||
	    filters != checkpoint.filters))
		errx(EXIT_USAGE, "--checkpoint %s: its size is %dx%d, not %dx%d",
		    checkpoint_file, checkpoint.blocks, checkpoint.filters,
		    blocks, filters);
	blocks = checkpoint.blocks;
	filters = checkpoint.filters;
	return true;
}

static void
prepare(bool resumed)
{
	char reason[CHECKPOINT_REASON_MAX];

	kernels_flush_denormals();
	if (threadpool_init(&pool, threads) == -1)
		errx(EXIT_LOST, "cannot start %d threads", threads);
	if (model_init(&model, blocks, filters, batch, &pool) == -1 ||
	    sgd_init(&sgd, &model.layout) == -1)
		memory_out();
	model.value_weight = (float)value_weight;
	model.left_weight = (float)left_weight;
	if (!resumed) {
		model_random(&model.layout, sgd.parameters, seed);
		memcpy(sgd.average, sgd.parameters,
		    model.layout.parameters * sizeof(float));
	} else if (checkpoint_read(checkpoint_file, &sgd, reason) == -1) {
		errx(EXIT_USAGE, "--checkpoint %s: %s", checkpoint_file, reason);
	}
	chosen = xcalloc((size_t)batch, sizeof(*chosen));
	mirrored = xcalloc((size_t)batch, sizeof(*mirrored));
	targets = xcalloc((size_t)batch, sizeof(*targets));
	places = xcalloc((size_t)batch * MOVES_MAX, sizeof(*places));
	if (!counted) {
		size_t n = window.n < window_size ? window.n : window_size;
		steps = (uint64_t)ceil(passes * (double)n / batch);
	}
}

static void
release(void)
{
	free(chosen);
	free(mirrored);
	free(targets);
	free(places);
	sgd_release(&sgd);
	model_release(&model);
	threadpool_release(&pool);
	window_release(&window);
	window_release(&held);
}

/* The tower. */
static void
train_tower(char **files)
{
	char reason[CHECKPOINT_REASON_MAX];
	bool resumed = look_at_checkpoint();

	read_tower_input(files);
	prepare(resumed);
	learn();
	measure_held();
	/* The net first: if all ends between the two, the same steps taken
	 * again give the same net. */
	write_nets();
	if (checkpoint_file != NULL && checkpoint_write(checkpoint_file, &sgd,
	    &checkpoint, reason) == -1)
		errx(EXIT_LOST, "%s: %s", checkpoint_file, reason);
	release();
}

int
main(int argc, char *argv[])
{
	cli_start(&cli, synopsis, help, options);
	cli.after = after;
	sgd_options = sgd_defaults;
	char **files = cli_read(&cli, argc, argv);
	if (cli.output == NULL || strcmp(cli.output, "-") == 0)
		cli_usage_error(&cli, "--output FILE is required");
	set_defaults();
	look_at_output(cli.output);
	look_at_output(int8_file);
	look_at_output(checkpoint_file);
	standard_output = zout_open(NULL, false);
	if (standard_output == NULL)
		err(EXIT_LOST, "standard output");
	table_start(&table, standard_output, false);
	(prior ? train_prior : sparse ? train_sparse : train_tower)(files);
	if (zout_close(standard_output) == -1)
		err(EXIT_LOST, "standard output");
	table_release(&table);
	return cli.status;
}
