/*
 * pagekit: what a page to play on is given, a rule set and the weights of a
 * sparse net for it (page/kit.h). pipelines/page puts it into the page.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "data/rulespec.h"
#include "data/ruletext.h"
#include "net/net.h"
#include "net/policy.h"
#include "page/kit.h"

static const char synopsis[] = "[-QVz] [-N net] [-o file] [-P net] [-r rules]";
static const char help[] =
    "Writes what a page to play on needs: rules, and a net's weights for them.\n"
    "\n"
    "  -h, --help           show this help\n"
    "  -N, --net FILE       sparse net, default (the default), or material\n"
    CLI_HELP_OUTPUT
    "  -P, --prior FILE     write the weights of this prior for the rules instead\n"
    "  -Q, --words          write the name and the rules in plain sentences instead\n"
    "  -r, --rules SPEC     preset, sum of presets, or JSON file (default classical)\n"
    "  -V, --version        show the version\n"
    "  -z, --compress       compress the output with zstd\n";

static const struct option options[] = {
	CLI_LONG_OUTPUT,
	{ "net", required_argument, NULL, 'N' },
	{ "prior", required_argument, NULL, 'P' },
	{ "rules", required_argument, NULL, 'r' },
	{ "words", no_argument, NULL, 'Q' },
	{ NULL, 0, NULL, 0 }
};

static struct cli cli;

/* The net's weights under these rules go into the kit. */
static void
add_kit(struct text *t, const struct rules *r, const char *spec)
{
	char reason[NET_REASON_MAX];
	struct sparse_tuned tuned;
	struct net *n;

	if (strcmp(spec, "material") == 0) {
		kit_write(t, r, NULL);
		return;
	}
	n = net_open(spec, NULL, reason);
	if (n == NULL)
		errx(EXIT_USAGE, "--net %s: %s", spec, reason);
	if (n->sparse == NULL)
		errx(EXIT_USAGE, "--net %s: not a sparse net, and a page plays "
		    "with no other", spec);
	if (sparse_tune(&tuned, n->sparse, r) == -1)
		errx(EXIT_LOST, "out of memory");
	kit_write(t, r, &tuned);
	sparse_tuned_release(&tuned);
	net_close(n);
}

/* What the prior is for these rules. */
static void
add_prior(struct text *t, const struct rules *r, const char *spec)
{
	char reason[NET_REASON_MAX];
	struct policy_tuned tuned;
	struct net *n = net_open(spec, NULL, reason);

	if (n == NULL)
		errx(EXIT_USAGE, "--prior %s: %s", spec, reason);
	if (n->policy == NULL)
		errx(EXIT_USAGE, "--prior %s: not a sparse net with a policy, and "
		    "a page asks no other", spec);
	if (policy_tune(&tuned, n->policy, r) == -1)
		errx(EXIT_LOST, "out of memory");
	policy_tuned_write(&tuned, t);
	policy_tuned_release(&tuned);
	net_close(n);
}

int
main(int argc, char *argv[])
{
	const char *spec = NET_DEFAULT, *prior = NULL;
	struct text t = { 0 };
	struct rules rules;
	bool words = false;
	int c;

	cli_start(&cli, synopsis, help);
	while ((c = getopt_long(argc, argv, CLI_SHORT_OUTPUT "N:P:Qr:", options,
	    NULL)) != -1)
		if (c == 'N')
			spec = optarg;
		else if (c == 'P')
			prior = optarg;
		else if (c == 'Q')
			words = true;
		else
			cli_option(&cli, c);
	if (optind < argc)
		cli_usage_error(&cli, "no files are read");
	rulespec_option(&rules, &cli);
	if (words) {
		ruletext_title(&rules, &t);
		text_add_string(&t, "\n");
		ruletext_differences(&rules, &t);
	} else if (prior != NULL) {
		add_prior(&t, &rules, prior);
	} else {
		add_kit(&t, &rules, spec);
	}
	struct zout *out = cli_open_output(&cli);
	zout_write(out, t.s, t.len);
	text_release(&t);
	return cli_finish(&cli, out);
}
