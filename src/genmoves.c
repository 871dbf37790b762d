/*
 * genmoves: legal moves of positions, or perft.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/records.h"
#include "base/table.h"
#include "base/text.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "chess/ruledraw.h"
#include "chess/san.h"
#include "data/fairyini.h"
#include "data/fairyout.h"
#include "data/fenline.h"
#include "data/game.h"
#include "data/rulespec.h"
#include "data/ruletext.h"

enum { DEPTH_MAX = 20, THREADS_MAX = 256 };

static const char synopsis[] =
    "[-CDFLnpqStVz] [-j threads] [-o file] [-P depth] [-R n] [-r rules]\n"
    "                [-s seed] [file ...]";
static const char help[] =
    "Reads positions (FEN lines, or JSONL with \"fen\") and writes their legal moves.\n";

static struct cli cli;
static struct records records;
static int depth = -1; /* of --perft; -1: not given */
static int threads = 1;
static bool divide;
static int about_rules;      /* 'C', 'F', 'L', 'n', 'R' or 'T': no positions are read */
static uint64_t draws, seed; /* of --random-rules */

static const struct cli_option options[] = {
	CLI_CHOICE('C', "check-rules", &about_rules, 'C',
	    "describe the rule sets given as arguments instead"),
	CLI_FLAG('D', "divide", &divide, "split the count of --perft by first move"),
	CLI_CHOICE('F', "from-ini", &about_rules, 'F',
	    "convert variant NAME of a Fairy-Stockfish ini FILE"),
	CLI_HELP,
	CLI_INTEGER('j', "threads", "N", &threads, 1, THREADS_MAX,
	    "count with N threads (default 1)"),
	CLI_CHOICE('L', "list-rules", &about_rules, 'L',
	    "list the presets, or the rule sets given, instead"),
	CLI_CHOICE('n', "neighbours", &about_rules, 'n',
	    "write the rule sets that differ in one field from those given"),
	CLI_OUTPUT_ZST,
	CLI_INTEGER('P', "perft", "DEPTH", &depth, 0, DEPTH_MAX,
	    "count the move sequences of DEPTH plies instead"),
	CLI_PROGRESS,
	CLI_QUIET(""),
	CLI_COUNT('R', "random-rules", "N", &draws, 1, 1000000,
	    "write N random rule sets instead"),
	CLI_RULES_PLAYED,
	CLI_STRICT("record"),
	CLI_SEED(&seed, "seed of --random-rules (default 0)"),
	CLI_TSV(""),
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_CHOICE(0, "to-ini", &about_rules, 'T',
	    "write the rule sets given as variants of Fairy-Stockfish"),
	CLI_END,
};

/* The parts of one count: all pairs of a first move and a reply. */
struct job {
	struct board root;
	int below; /* plies after the pair */
	int pairs;
	struct pair {
		move first, reply;
		int index; /* of the first move */
	} * pair;
	atomic_int next;
	_Atomic uint64_t nodes[MOVES_MAX]; /* by first move */
};

/* ---- writing ---- */

static void
write_position(struct text *t, const struct board *b)
{
	char fen[FEN_MAX], rules[RULES_TEXT_MAX];

	fen_write(b, fen);
	if (cli.tsv) {
		rules_print(b->rules, rules);
		text_add_format(t, "%s\t%s", fen, rules);
	} else {
		text_add_format(t, "{\"fen\":\"%s\",\"rules\":", fen);
		rules_write_json(b->rules, t);
	}
}

/* One of the two lists: long algebraic form or SAN. */
static void
write_list(struct text *t, const struct board *b, const move *list, int n, bool san)
{
	char s[SAN_MAX];

	text_add_string(t, cli.tsv ? "\t" : san ? ",\"san\":[" : ",\"moves\":[");
	for (int i = 0; i < n; i++) {
		int len =
		    san ? san_write(b, list[i], s) : move_print(b->rules, list[i], s);
		if (i > 0)
			text_add_char(t, cli.tsv ? ' ' : ',');
		if (!cli.tsv)
			text_add_char(t, '"');
		text_add(t, s, (size_t)len);
		if (!cli.tsv)
			text_add_char(t, '"');
	}
	if (!cli.tsv)
		text_add_char(t, ']');
}

static void
write_moves(struct text *t, const struct board *b)
{
	move list[MOVES_MAX];
	int n = movegen_list(b, list);

	write_position(t, b);
	write_list(t, b, list, n, false);
	write_list(t, b, list, n, true);
	text_add_string(t, cli.tsv ? "\n" : "}\n");
}

static void
write_nodes(struct text *t, const struct board *b, const char *first, uint64_t nodes)
{
	write_position(t, b);
	text_add_format(t, cli.tsv ? "\t%d" : ",\"depth\":%d", depth);
	if (first != NULL)
		text_add_format(t, cli.tsv ? "\t%s" : ",\"move\":\"%s\"", first);
	text_add_format(t, cli.tsv ? "\t%" PRIu64 "\n" : ",\"nodes\":%" PRIu64 "}\n",
	    nodes);
}

static void
write_header(struct text *t)
{
	if (depth == -1)
		text_add_string(t, "fen\trules\tmoves\tsan\n");
	else if (divide)
		text_add_string(t, "fen\trules\tdepth\tmove\tnodes\n");
	else
		text_add_string(t, "fen\trules\tdepth\tnodes\n");
}

/* ---- counting ---- */

static void *
count_pairs(void *arg)
{
	struct job *job = arg;
	struct board b = job->root;
	struct undo u, v;
	int i;

	while ((i = atomic_fetch_add(&job->next, 1)) < job->pairs) {
		const struct pair *p = &job->pair[i];
		board_make(&b, p->first, &u);
		board_make(&b, p->reply, &v);
		atomic_fetch_add(&job->nodes[p->index], perft(&b, job->below));
		board_unmake(&b, p->reply, &v);
		board_unmake(&b, p->first, &u);
	}
	return NULL;
}

static void
list_pairs(struct job *job, const move *first, int n)
{
	move reply[MOVES_MAX];
	struct board b = job->root;
	struct undo u;

	for (int i = 0; i < n; i++) {
		board_make(&b, first[i], &u);
		int m = movegen_list(&b, reply);
		board_unmake(&b, first[i], &u);
		job->pair = xreallocarray(job->pair, (size_t)(job->pairs + m + 1),
		    sizeof(*job->pair));
		for (int j = 0; j < m; j++)
			job->pair[job->pairs++] = (struct pair){ first[i], reply[j], i };
	}
}

/* Counts with several threads; nodes[i] becomes the count of first[i]. */
static void
count_parallel(const struct board *b, const move *first, int n, uint64_t *nodes)
{
	static struct job job;
	pthread_t id[THREADS_MAX];

	memset(&job, 0, sizeof(job));
	job.root = *b;
	job.below = depth - 2;
	list_pairs(&job, first, n);
	for (int i = 0; i < threads; i++)
		if ((errno = pthread_create(&id[i], NULL, count_pairs, &job)) != 0)
			err(EXIT_LOST, "cannot start a thread");
	for (int i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
	for (int i = 0; i < n; i++)
		nodes[i] = job.nodes[i];
	free(job.pair);
}

static void
count_by_first_move(struct board *b, const move *first, int n, uint64_t *nodes)
{
	struct undo u;

	if (threads > 1 && depth >= 3) {
		count_parallel(b, first, n, nodes);
		return;
	}
	for (int i = 0; i < n; i++) {
		board_make(b, first[i], &u);
		nodes[i] = perft(b, depth - 1);
		board_unmake(b, first[i], &u);
	}
}

static void
write_perft(struct text *t, struct board *b)
{
	move first[MOVES_MAX];
	uint64_t nodes[MOVES_MAX], total = 0;
	char s[6];

	if (depth == 0) {
		if (!divide)
			write_nodes(t, b, NULL, 1);
		return;
	}
	int n = movegen_list(b, first);
	count_by_first_move(b, first, n, nodes);
	for (int i = 0; i < n; i++) {
		total += nodes[i];
		if (divide) {
			move_print(b->rules, first[i], s);
			write_nodes(t, b, s, nodes[i]);
		}
	}
	if (!divide)
		write_nodes(t, b, NULL, total);
}

/* ---- reading ---- */

/* Counts may take long, so output is flushed as it comes, but not once for each
 * of a million short counts. */
static void
flush_sometimes(struct zout *out)
{
	static double last;
	double now = clock_seconds();

	if (now - last > 0.1) {
		zout_flush(out);
		last = now;
	}
}

/* Reads a position and writes its row or rows. False if writing fails. */
static bool
do_line(const struct rules *given, const char *s, size_t n, struct zout *out,
    struct text *t)
{
	struct board b;
	struct rules used;
	char reason[FENLINE_REASON_MAX];

	if (fenline_read(&b, &used, given, s, n, reason) == -1) {
		records_warn_line(&records, s, reason);
		return true;
	}
	text_clear(t);
	if (depth == -1)
		write_moves(t, &b);
	else
		write_perft(t, &b);
	if (zout_write(out, t->s, t->len) == -1)
		return false;
	if (depth > 0)
		flush_sometimes(out);
	records_count(&records, true);
	return true;
}

static void
do_files(char **files, const struct rules *given, struct zout *out, struct text *t)
{
	const char *s;
	size_t n;

	records_start(&records, &cli, "positions", files);
	while (records_next_line(&records, &s, &n) && do_line(given, s, n, out, t))
		continue;
	records_finish(&records);
}

/* ---- rule sets instead of positions ---- */

static void
list_rules(struct table *table, const char *spec, struct text *t)
{
	struct rules r;
	char name[RULES_TEXT_MAX];
	const struct rules_preset *p = rules_presets;

	if (!rulespec_argument(&r, &cli, spec))
		return;
	rules_label(&r, name);
	table_string(table, "name", name);
	while (p < rules_presets + RULES_PRESETS && strcmp(p->name, name) != 0)
		p++;
	bool preset = p < rules_presets + RULES_PRESETS;
	text_clear(t);
	ruletext_title(&r, t);
	table_string(table, "label", preset ? p->label : t->s);
	text_clear(t);
	ruletext_differences(&r, t);
	t->s[--t->len] = '\0';
	for (char *s = t->s; (s = strchr(s, '\n')) != NULL;)
		*s = ' ';
	table_string(table, "sentence", t->s);
	table_count(table, "study", preset ? (uint64_t)p->study : 0);
	text_clear(t);
	rules_write_changes(&r, false, t);
	table_json(table, "fields", t->s);
	table_end_row(table);
}

static void
check_rules(const char *spec, struct text *t)
{
	struct rules r;

	if (!rulespec_argument(&r, &cli, spec))
		return;
	if (t->len > 0)
		text_add_char(t, '\n');
	ruletext_describe(&r, t);
}

/* A whole small file. */
static bool
read_whole(const char *path, struct text *t)
{
	struct input in;
	const char *s;
	size_t n;
	int got;

	if (input_open(&in, path) == -1) {
		cli_missing(&cli, in.name);
		return false;
	}
	while ((got = input_line(&in, &s, &n)) == 1) {
		text_add(t, s, n);
		text_add_char(t, '\n');
	}
	cli.missing = got != 0 || input_error(&in) != NULL;
	if (cli.missing)
		cli_warn(&cli, in.name, 0, "%s",
		    input_error(&in) != NULL ? input_error(&in) : "a line is too long");
	input_close(&in);
	return !cli.missing;
}

static void
from_ini(const char *path, const char *name, struct text *t)
{
	struct text file = { 0 }, lost = { 0 };
	char rules[RULES_TEXT_MAX];
	struct fairyini_keys keys;
	struct rules r;

	text_reserve(&lost, 1);
	if (read_whole(path, &file)) {
		if (fairyini_read(&r, file.s, file.len, name, &lost, &keys) == 0) {
			rules_print(&r, rules);
			bool custom = rules_is_custom(&r);
			text_add_format(t, custom ? "%s\n" : "{\"base\":\"%s\"}\n",
			    rules);
		} else {
			cli.missing = true;
		}
		for (const char *s = lost.s; s < lost.s + lost.len;
		     s += strcspn(s, "\n") + 1)
			cli_warn(&cli, path, 0, "%.*s", (int)strcspn(s, "\n"), s);
		if (keys.lost > 0)
			cli_warn(&cli, path, 0,
			    "%d of %d keys of %.60s are lost; rules(7) lists the fields",
			    keys.lost, keys.read, name);
	}
	text_release(&file);
	text_release(&lost);
}

static void
to_ini(const char *spec, struct text *t)
{
	struct rules r;
	char reason[RULES_REASON_MAX];

	if (!rulespec_argument(&r, &cli, spec))
		return;
	if (fairyout_write(&r, t, reason) == -1) {
		cli_warn(&cli, spec, 0, "%s", reason);
		cli.missing = true;
	}
}

/* A rule set as a line of JSON, for files of rules. */
static void
add_rules(void *text, const struct rules *r)
{
	rules_write_changes(r, false, text);
	text_add_char(text, '\n');
}

static void
list_neighbours(const char *spec, struct text *t)
{
	struct rules r;

	if (!rulespec_argument(&r, &cli, spec))
		return;
	for (size_t i = 0; i < rules_nfields; i++)
		if (ruledraw_is_usual(&rules_fields[i]))
			ruledraw_neighbours(&r, &rules_fields[i], add_rules, t);
}

/* Each field is changed once in so many rule sets. */
enum { FIELD_CHANGES = 6 };

static void
draw_rules(struct zout *out, struct text *t)
{
	struct rules r;
	struct rng rng;

	for (uint64_t k = 0; k < draws; k++) {
		rng_init(&rng, seed, k);
		ruledraw_random(&r, &rng, NULL, 1.0 / FIELD_CHANGES);
		text_clear(t);
		add_rules(t, &r);
		if (zout_write(out, t->s, t->len) == -1)
			break;
	}
	text_clear(t);
}

/* A wrong number of arguments is a usage error. */
static void
check_arguments(int n)
{
	if (about_rules == 'F' && n != 2)
		cli_usage_error(&cli,
		    "--from-ini takes a file and the name of a variant");
	if (about_rules == 'C' && n < 1)
		cli_usage_error(&cli, "--check-rules takes rule sets or files of them");
	if (about_rules == 'T' && n < 1)
		cli_usage_error(&cli, "--to-ini takes rule sets or files of them");
	if (about_rules == 'R' && n > 0)
		cli_usage_error(&cli, "--random-rules takes no rule sets");
}

static void
tell_rules(char *args[], struct zout *out, struct text *t)
{
	struct table table;
	int n = 0;

	while (args[n] != NULL)
		n++;
	check_arguments(n);
	text_reserve(t, 1);
	table_start(&table, out, cli.tsv);
	for (int i = 0; about_rules == 'L' && n == 0 && i < RULES_PRESETS; i++)
		list_rules(&table, rules_presets[i].name, t);
	for (int i = 0; about_rules == 'L' && i < n; i++)
		list_rules(&table, args[i], t);
	table_release(&table);
	if (about_rules == 'F')
		from_ini(args[0], args[1], t);
	for (int i = 0; about_rules == 'C' && i < n; i++)
		check_rules(args[i], t);
	for (int i = 0; about_rules == 'T' && i < n; i++)
		to_ini(args[i], t);
	if (about_rules == 'n' && n == 0)
		list_neighbours("classical", t);
	for (int i = 0; about_rules == 'n' && i < n; i++)
		list_neighbours(args[i], t);
	if (about_rules == 'R')
		draw_rules(out, t);
	if (about_rules != 'L')
		zout_write(out, t->s, t->len);
}

int
main(int argc, char *argv[])
{
	struct rules rules;
	struct text t = { 0 };

	cli_start(&cli, synopsis, help, options);
	char **files = cli_read(&cli, argc, argv);
	if (divide && depth == -1)
		cli_usage_error(&cli, "--divide needs --perft");
	rulespec_option(&rules, &cli);
	if (draws > 0)
		about_rules = 'R';

	struct zout *out = cli_open_output(&cli);
	if (about_rules != 0) {
		tell_rules(files, out, &t);
		text_release(&t);
		return cli_finish(&cli, out);
	}
	if (cli.tsv) {
		write_header(&t);
		zout_write(out, t.s, t.len);
	}
	do_files(files, &rules, out, &t);
	text_release(&t);
	return cli_finish(&cli, out);
}
