/*
 * netinfo: tells what nets are: their kind, sizes and id, the rule fields they were
 * told, and how they learnt. Scripts ask it instead of looking into files.
 */
#include <err.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/table.h"
#include "data/rulespec.h"
#include "net/net.h"
#include "net/sparse.h"

static const char synopsis[] = "[-tVz] [-o file] [-r rules] [net ...]";
static const char help[] =
    "Writes what nets are: kind, sizes, id, the rule fields they know.\n";
static const char after[] =
    "A net is a file, default (used if none is named), prior, material, uniform or\n"
    "hash:SEED.\n";

static struct cli cli;
static struct table table;
static struct rules rules;

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_OUTPUT_ZST,
	CLI_RULES_PLAYED,
	CLI_TSV(""),
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
};

/* The size of the net's file; 0: it needs none. */
static uint64_t
file_size(const char *spec)
{
	char buffer[HOME_PATH_MAX], reason[NET_REASON_MAX];
	const char *path = net_path(spec, buffer, reason);
	struct stat st;

	return path != NULL && stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* "a b c" or "a, b, c" as a JSON array. */
static void
add_names(const char *column, char *names)
{
	struct text json = { 0 };

	text_add_string(&json, "[");
	for (char *s = strtok(names, ", "); s != NULL; s = strtok(NULL, ", "))
		text_add_format(&json, "%s\"%s\"", json.len > 1 ? "," : "", s);
	text_add_string(&json, "]");
	table_json(&table, column, json.s);
	text_release(&json);
}

/* The fields that a net was told; null if it needs none. */
static void
add_fields(const struct net *n)
{
	struct text known = { 0 };

	text_add_string(&known, "");
	if (net_known_fields(n, &known) == -1)
		table_json(&table, "fields", "null");
	else
		add_names("fields", known.s);
	text_release(&known);
}

/* Those of the rules that it was not told. */
static void
add_unknown(const struct net *n)
{
	char unknown[400];

	net_unknown_fields(n, &rules, unknown, sizeof(unknown));
	add_names("unknown", unknown);
}

static void
add_row(const char *spec)
{
	char reason[NET_REASON_MAX];
	struct net *n = net_open(spec, NULL, reason);

	if (n == NULL) {
		cli_warn(&cli, spec, 0, "%s", reason);
		cli.missing = true; /* the file of -o stays */
		return;
	}
	uint64_t size = file_size(spec);
	bool sparse = n->sparse != NULL, policy = !sparse || sparse_has_policy(n->sparse);
	table_string(&table, "net", spec);
	table_string(&table, "id", n->hash);
	table_string(&table, "kind", sparse ? "sparse" : size > 0 ? "onnx" : "built-in");
	table_json(&table, "policy", policy ? "true" : "false");
	table_string(&table, "search", policy ? "tree" : "ab");
	table_count(&table, "bytes", size);
	table_count(&table, "hidden", sparse ? (uint64_t)n->sparse->hidden : 0);
	table_count(&table, "features", sparse ? (uint64_t)n->sparse->nrules : 0);
	add_fields(n);
	table_count(&table, "steps", n->steps);
	table_string(&table, "rules", n->rules);
	add_unknown(n);
	table_end_row(&table);
	net_close(n);
}

int
main(int argc, char *argv[])
{
	char *usual[] = { NET_DEFAULT, NULL };

	cli_start(&cli, synopsis, help, options);
	cli.after = after;
	char **nets = cli_read(&cli, argc, argv);
	if (*nets == NULL)
		nets = usual;
	rulespec_option(&rules, &cli);
	struct zout *out = cli_open_output(&cli);
	table_start(&table, out, cli.tsv);
	for (; *nets != NULL; nets++)
		add_row(*nets);
	table_release(&table);
	return cli_finish(&cli, out);
}
