/*
 * pagekit: writes the data of a page to play on: a rule set, and the weights of a
 * sparse net for it (page/kit.h). pipelines/page puts them into the page.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "base/memory.h"
#include "data/rulespec.h"
#include "data/ruletext.h"
#include "net/net.h"
#include "net/policy.h"
#include "page/kit.h"
#include "play/player.h"

static const char synopsis[] = "[-QVz] [-N net] [-o file] [-P net] [-r rules]";
static const char help[] =
    "Writes the data of a page to play on: rules, and a net's weights for them.\n";

static struct cli cli;
static const char *spec = NET_DEFAULT, *prior;
static bool words;

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
	CLI_VERSION,
	CLI_COMPRESS,
	CLI_END,
};

/* Adds the rules and the net's weights under them. */
static void
add_kit(struct text *t, const struct rules *r)
{
	struct sparse_tuned tuned;

	if (strcmp(spec, "material") == 0) {
		kit_write(t, r, NULL);
		return;
	}
	struct net *n = player_read_net("--net", spec, NULL, r);
	if (n->sparse == NULL)
		errx(EXIT_USAGE, "--net %s: not a sparse net, which a page needs", spec);
	if (sparse_tune(&tuned, n->sparse, r) == -1)
		memory_out();
	kit_write(t, r, &tuned);
	sparse_tuned_release(&tuned);
	net_close(n);
}

/* Adds the prior's weights under these rules. */
static void
add_prior(struct text *t, const struct rules *r)
{
	struct policy_tuned tuned;
	struct net *n = player_read_net("--prior", prior, NULL, r);

	if (n->policy == NULL)
		errx(EXIT_USAGE,
		    "--prior %s: not a sparse net with a policy, which a page needs",
		    prior);
	if (policy_tune(&tuned, n->policy, r) == -1)
		memory_out();
	policy_tuned_write(&tuned, t);
	policy_tuned_release(&tuned);
	net_close(n);
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
