/*
 * kldiv: how far the opening trees of two priors are from each other, from lines
 * that were drawn from one and scored by the other.
 */
#include <math.h>
#include <string.h>

#include "base/cli.h"
#include "base/table.h"
#include "data/linegroups.h"
#include "stats/entropy.h"

static const char synopsis[] =
    "[-pqStVyz] [-o file] [-U plies] [-Z width] [file ...]";
static const char help[] =
    "Reads scored lines and writes the divergence of the priors for each ply.\n"
    "\n"
    "  -h, --help           show this help\n"
    "  -o, --output FILE    write to FILE (compressed if it ends in .zst)\n"
    "  -p, --progress       show progress even when not on a terminal\n"
    "  -q, --quiet          show no progress and no count of bad lines\n"
    "  -S, --strict         stop at the first bad line\n"
    "  -t, --tsv            write TSV instead of JSONL\n"
    "  -U, --plies T        look at the first T plies only\n"
    "  -V, --version        show the version\n"
    "  -y, --histogram      write a histogram of log p - log q instead\n"
    "  -Z, --width W        width of its bins (default 0.5)\n"
    "  -z, --compress       compress the output with zstd\n";

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	CLI_LONG_TABLE,
	{ "histogram", no_argument, NULL, 'y' },
	{ "plies", required_argument, NULL, 'U' },
	{ "progress", no_argument, NULL, 'p' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "strict", no_argument, NULL, 'S' },
	{ "width", required_argument, NULL, 'Z' },
	{ NULL, 0, NULL, 0 }
};

enum { DIGITS = 10 };	/* of numbers; lines have not many more */

static struct cli cli;
static struct lines lines;
static struct linegroups groups;
static int most = OPENING_PLIES_MAX;
static bool histogram;
static double width = 0.5;

/* ---- counting ---- */

/* log p - log q of the whole line, or up to the last ply looked at. */
static void
bin_line(struct linegroup *g, const struct opening *o)
{
	double sum = 0;

	for (int i = 0; i < o->game.line.plies && i < most; i++)
		sum += o->logp[i] - o->q_logp[i];
	linegroup_bin(g, sum, width);
}

static void
count_line(const struct opening *o)
{
	const struct divergence_line l = {
		.weight = o->weight > 0 ? o->weight : 1,
		.plies = o->game.line.plies,
		.over = o->game.end != END_NONE,
		.logp = o->logp,
		.logq = o->q_logp,
		.kl = o->kl,
		.hq = o->q_h,
		.hr = o->hr,
	};

	if (!o->scored) {
		lines_refuse(&lines, "the line has not been scored: there is "
		    "no q");
		return;
	}
	if (histogram && o->weight > 0) {
		lines_refuse(&lines, "the line was listed, not drawn: "
		    "no histogram can be made of it");
		return;
	}
	struct linegroup *g = linegroups_count(&groups, o, true);
	if (g == NULL)
		lines_refuse(&lines, "too many rule sets, nets and starts");
	else if (histogram)
		bin_line(g, o);
	else
		divergence_add(g->data, most, &l);
}

/* ---- the table ---- */

/* What was not drawn has no error. */
static double
error_of(const struct linegroup *g, const struct moments *m)
{
	return g->listed && m->infinite == 0 ? 0 : moments_error(m);
}

static void
add_row(struct table *t, const struct linegroup *g, int ply)
{
	const struct divergence_ply *p =
	    (const struct divergence_ply *)g->data + ply - 1;

	table_string(t, "p", g->p);
	table_string(t, "q", g->q);
	table_count(t, "ply", (uint64_t)ply);
	table_count(t, "lines", p->lines);
	table_rounded(t, "kl", moments_mean(&p->kl), DIGITS);
	table_rounded(t, "kl_se", error_of(g, &p->kl), DIGITS);
	table_rounded(t, "kl_plain", moments_mean(&p->plain), DIGITS);
	table_rounded(t, "kl_plain_se", error_of(g, &p->plain), DIGITS);
	table_count(t, "infinite", p->infinite);
	table_rounded(t, "additional", moments_mean(&p->additional), DIGITS);
	table_rounded(t, "additional_se", error_of(g, &p->additional), DIGITS);
	table_count(t, "over", p->over);
	table_string(t, "p_net", g->net);
	table_string(t, "q_net", g->q_net);
	table_string(t, "start", g->from);
}

static void
write_rows(struct table *t)
{
	struct divergence_ply nothing = { 0 };
	const struct linegroup none = { .p = "", .q = "", .net = "",
	    .q_net = "", .from = "", .data = &nothing };

	for (int i = 0; i < groups.n; i++) {
		const struct linegroup *g = &groups.groups[i];
		if (histogram) {
			if (linegroup_write_bins(g, width, t) == -1)
				return;
			continue;
		}
		for (int ply = 1; ply <= g->plies && ply <= most; ply++) {
			add_row(t, g, ply);
			if (table_end_row(t) == -1)
				return;
		}
	}
	if (histogram) {
		linegroups_write_bin_names(true, t);
	} else {
		add_row(t, &none, 1);
		table_end_names(t);
	}
}

/* A list from which lines are missing is no list of all. */
static void
check_lists(void)
{
	for (int i = 0; i < groups.n; i++) {
		const struct linegroup *g = &groups.groups[i];
		const struct divergence_ply *first = g->data;
		if (g->listed && fabs(first->additional.n - 1) > 1e-6)
			cli_warn(&cli, g->p, 0, "the probabilities of the lines "
			    "listed sum to %.9g: they are not all there are",
			    first->additional.n);
	}
}

int
main(int argc, char *argv[])
{
	static struct opening line;
	struct table table;
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT CLI_SHORT_TABLE
	    "pqSU:yZ:", options, NULL)) != -1) {
		if (c == 'U')
			most = (int)cli_number(&cli, "--plies", optarg, 1,
			    OPENING_PLIES_MAX);
		else if (c == 'y')
			histogram = true;
		else if (c == 'Z')
			width = cli_real(&cli, "--width", optarg, 1e-3, 1e3);
		else
			cli_option(&cli, c);
	}
	linegroups_init(&groups, (size_t)most * sizeof(struct divergence_ply));
	opening_init(&line);
	struct zout *out = cli_open_output(&cli);
	lines_start(&lines, &cli, argv + optind);
	while (lines_next(&lines, &line))
		count_line(&line);
	lines_finish(&lines);
	linegroups_sort(&groups);
	check_lists();
	table_start(&table, out, cli.tsv);
	write_rows(&table);
	table_release(&table);
	linegroups_release(&groups);
	opening_release(&line);
	return cli_finish(&cli, out);
}
