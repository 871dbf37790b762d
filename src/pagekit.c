/*
 * pagekit: writes the data of a page to play on: a rule set, and the weights of a
 * sparse net for it (page/kit.h). pipelines/page puts them into the page.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "data/game.h"
#include "data/rulespec.h"
#include "data/ruletext.h"
#include "net/net.h"
#include "net/policy.h"
#include "page/kit.h"
#include "play/player.h"

static const char synopsis[] = "[-QUVz] [-N net] [-o file] [-P net] [-r rules] [--spec]";
static const char help[] =
    "Writes the data of a page to play on: rules, and a net's weights for them.\n";

static struct cli cli;
static const char *spec = NET_DEFAULT, *prior;
static bool words, unknown, as_spec;

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_TEXT('N', "net", "FILE", &spec,
	    "sparse net, default (the default), or material"),
	CLI_OUTPUT_ZST,
	CLI_TEXT('P', "prior", "FILE", &prior,
	    "write the weights of this prior for the rules instead"),
	CLI_FLAG('Q', "words", &words,
	    "write the name and the rules in plain sentences instead"),
	CLI_RULES_PLAYED,
	CLI_FLAG('U', "unknown", &unknown,
	    "write the rule fields that the net or the prior was not\n"
	    "trained on instead"),
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_FLAG(0, "spec", &as_spec, "write the rules as one line of JSON instead"),
	CLI_END,
};

/* Adds the rules and the net's weights under them. */
static void
add_kit(struct text *t, const struct rules *r)
{
	struct sparse_ints ints;

	if (strcmp(spec, "material") == 0) {
		kit_write(t, r, NULL);
		return;
	}
	struct net *n = player_read_net("--net", spec, NULL, r);
	if (n->sparse == NULL)
		errx(EXIT_USAGE, "--net %s: not a sparse net, which a page needs", spec);
	if (sparse_quantise(&ints, n->sparse, r) == -1)
		memory_out();
	kit_write(t, r, &ints);
	sparse_ints_release(&ints);
	net_close(n);
}

/* Adds the prior's weights under these rules. */
static void
add_prior(struct text *t, const struct rules *r)
{
	struct sparse_ints ints;
	struct net *n = player_read_net("--prior", prior, NULL, r);

	if (n->sparse == NULL || !sparse_has_policy(n->sparse))
		errx(EXIT_USAGE,
		    "--prior %s: not a sparse net with a policy, which a page needs",
		    prior);
	if (sparse_quantise(&ints, n->sparse, r) == -1)
		memory_out();
	sparse_ints_write(&ints, t);
	sparse_ints_release(&ints);
	net_close(n);
}

/* Adds the fields of the rules that the net does not know. */
static void
add_unknown(struct text *t, const struct rules *r)
{
	char fields[400], reason[NET_REASON_MAX];
	const char *which = prior != NULL ? prior : spec;
	struct net *n = net_open(which, NULL, reason);

	if (n == NULL)
		errx(EXIT_USAGE, "%s: %s", which, reason);
	net_unknown_fields(n, r, fields, sizeof(fields));
	text_add_format(t, "%s\n", fields);
	net_close(n);
}

/* Adds the rules as JSON: their name, and the fields that are not those of chess. */
static void
add_spec(struct text *t, const struct rules *r)
{
	struct text changes = { 0 };

	rules_write_changes(r, false, &changes);
	text_add_string(t, "{");
	if (r->name[0] != '\0') {
		text_add_string(t, "\"name\":");
		text_add_json_string(t, r->name, strlen(r->name));
		text_add_string(t, changes.len > 2 ? "," : "");
	}
	text_add(t, changes.s + 1, changes.len - 1);
	text_add_string(t, "\n");
	text_release(&changes);
}

int
main(int argc, char *argv[])
{
	struct text t = { 0 };
	struct rules rules;

	cli_start(&cli, synopsis, help, options);
	if (*cli_read(&cli, argc, argv) != NULL)
		cli_usage_error(&cli, "no files are read");
	rulespec_option(&rules, &cli);
	if (words) {
		ruletext_title(&rules, &t);
		text_add_string(&t, "\n");
		ruletext_differences(&rules, &t);
	} else if (as_spec) {
		add_spec(&t, &rules);
	} else if (unknown) {
		add_unknown(&t, &rules);
	} else if (prior != NULL) {
		add_prior(&t, &rules);
	} else {
		add_kit(&t, &rules);
	}
	struct zout *out = cli_open_output(&cli);
	zout_write(out, t.s, t.len);
	text_release(&t);
	return cli_finish(&cli, out);
}
