/*
 * rulelab: runs the program or pipeline of a given name.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/home.h"
#include "base/memory.h"
#include "net/net.h"

static const char synopsis[] = "[-hV] [--exec-path] [--list] [--net-path net]\n"
			       "               command [argument ...]";
static const char help[] =
    "Runs a command of rulelab:\n"
    "\n"
    "  play RULES           write a page to play in a browser, and open it\n"
    "  workbench            make a page to write, play and measure rules\n"
    "  study [RULES ...]    measure these rules and write a report\n"
    "  compare RULES ...    say which has more draws, and how certain that is\n"
    "  design AIMS          look for rules that do what is wanted\n"
    "  odds -d DIR PIECE ...\n"
    "                       measure what pieces are worth, by games at odds\n"
    "  train RULES ...      train a net on these rules by self-play; the program\n"
    "                       that makes one net from games is train-net\n"
    "  games RULES ...      play games on all cores, and on other hosts\n"
    "  page RULES ...       write the page of play without opening it\n"
    "  slurm ...            play the same games on a Slurm cluster\n"
    "  harvest -d DIR ...   play deep games for train(1), for hours or days\n"
    "  arrays               search the 960 arrays of Chess960: what are they worth?\n"
    "  calibration FILE ... do the values of games hold?\n"
    "  labels FILE ...      how steady are the values that nets learn from?\n"
    "  leaveout -d DIR RULES ...\n"
    "                       tell a net a rule that it was never taught\n"
    "  validate             measure claims about the world that games can fail\n"
    "  curves DIR           plot the progress of a training run\n"
    "  growth -d DIR HARVEST\n"
    "                       how much better does a net get with more games?\n"
    "  strength ...         measure how strong a net is\n"
    "  net [NET ...]        tell what a net is, and what it knows of the rules\n"
    "  help [COMMAND]       show this, or the manual of a command\n"
    "  PROGRAM ...          run any of the programs that --list names\n"
    "\n"
    "RULES is a preset, a sum of presets or a JSON file; see rules(7).\n"
    "rulelab(7) is the page to begin with.\n";

/* Other names of programs: "train" is the pipeline. */
static const struct {
	const char *name, *program;
} aliases[] = { { "net", "netinfo" }, { "train-net", "train" } };
enum { ALIASES = sizeof(aliases) / sizeof(aliases[0]) };

/* Commands that are scripts, with the option that selects the command in a script
 * that serves several. */
static const struct pipeline {
	const char *name, *script, *option;
} pipelines[] = {
	{ "play", "page", "--open" },
	{ "workbench", "page", "--workbench" },
	{ "study", "study/begin", NULL },
	{ "compare", "compare", NULL },
	{ "design", "design", NULL },
	{ "odds", "odds", NULL },
	{ "train", "train", NULL },
	{ "games", "games", NULL },
	{ "page", "page", NULL },
	{ "slurm", "slurm", NULL },
	{ "harvest", "harvest", NULL },
	{ "arrays", "arrays", NULL },
	{ "calibration", "calibration", NULL },
	{ "labels", "labels", NULL },
	{ "leaveout", "leaveout", NULL },
	{ "validate", "validate/validate", NULL },
	{ "curves", "curves", NULL },
	{ "growth", "growth", NULL },
	{ "strength", "strength", NULL },
};
enum { PIPELINES = sizeof(pipelines) / sizeof(pipelines[0]) };

static char programs[HOME_PATH_MAX]; /* their folder */

static const struct pipeline *
find_pipeline(const char *name)
{
	for (int i = 0; i < PIPELINES; i++)
		if (strcmp(pipelines[i].name, name) == 0)
			return &pipelines[i];
	return NULL;
}

static const char *
find_program(const char *name)
{
	for (int i = 0; i < ALIASES; i++)
		if (strcmp(aliases[i].name, name) == 0)
			return aliases[i].program;
	return name;
}

static bool
is_program(const char *name, char path[HOME_PATH_MAX])
{
	struct stat st;
	int n = snprintf(path, HOME_PATH_MAX, "%s/%s", programs, name);

	return n < HOME_PATH_MAX && strchr(name, '/') == NULL && name[0] != '.' &&
	    strcmp(name, "rulelab") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    access(path, X_OK) == 0;
}

static int
is_listed(const struct dirent *entry)
{
	char path[HOME_PATH_MAX];

	return find_pipeline(entry->d_name) == NULL && is_program(entry->d_name, path);
}

static void
show_programs(const char *unused)
{
	(void)unused;
	puts(programs);
	cli_done();
}

static void
list_commands(const char *unused)
{
	struct dirent **names;
	int n = scandir(programs, &names, is_listed, alphasort);

	(void)unused;
	for (int i = 0; i < PIPELINES; i++)
		puts(pipelines[i].name);
	for (int i = 0; i < ALIASES; i++)
		puts(aliases[i].name);
	for (int i = 0; i < n; i++) {
		puts(names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	cli_done();
}

static void
show_net_path(const char *spec)
{
	char buffer[HOME_PATH_MAX], reason[NET_REASON_MAX];
	const char *path = net_path(spec, buffer, reason);

	if (path == NULL)
		errx(EXIT_USAGE, "%s: %s", spec, reason);
	char *plain = realpath(path, NULL);
	puts(plain != NULL ? plain : path);
	free(plain);
	cli_done();
}

static const struct cli_option options[] = {
	CLI_CALL(0, "exec-path", NULL, show_programs, "show where the programs are"),
	CLI_HELP,
	CLI_CALL(0, "list", NULL, list_commands, "list the names of all commands"),
	CLI_CALL(0, "net-path", "NET", show_net_path, "show which file --net NET means"),
	CLI_VERSION,
	CLI_END,
};

static struct cli cli;

__attribute__((noreturn)) static void
become(const char *path, char **args)
{
	execvp(path, args);
	err(EXIT_USAGE, "%s", path);
}

/* Pipelines find the programs in BIN. */
__attribute__((noreturn)) static void
become_pipeline(const struct pipeline *p, int argc, char **argv)
{
	char path[HOME_PATH_MAX], name[64];
	char **args = xcalloc((size_t)argc + 2, sizeof(*args));
	int n = 1;

	snprintf(name, sizeof(name), "pipelines/%s", p->script);
	if (home_path(path, name) == -1)
		errx(EXIT_USAGE, "%s: there is no %s here", p->name, name);
	args[0] = path;
	if (p->option != NULL)
		args[n++] = (char *)p->option;
	for (int i = 1; i < argc; i++)
		args[n++] = argv[i];
	setenv("BIN", programs, 1);
	become(path, args);
}

__attribute__((noreturn)) static void
no_such(const char *name)
{
	cli_usage_error(&cli, "%s: no such command (rulelab help lists them)", name);
}

/* The page of a command: in the source tree, otherwise installed, where generic
 * names are prefixed by rulelab-. */
static bool
find_page(const char *name, char path[HOME_PATH_MAX])
{
	static const char *const places[] = { "man/%s.1", "man/%s.5", "man/%s.7",
		"../man/man1/rulelab-%s.1", "../man/man1/%s.1", "../man/man5/%s.5",
		"../man/man7/%s.7", "../man/man1/rulelab-%s.1.gz", "../man/man1/%s.1.gz",
		"../man/man5/%s.5.gz", "../man/man7/%s.7.gz" };
	char file[256];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int n = snprintf(file, sizeof(file), places[i], name);
		if (n < (int)sizeof(file) && home_path(path, file) == 0)
			return true;
	}
	return false;
}

/* help [COMMAND]: a pipeline shows its own help, a program its page. */
__attribute__((noreturn)) static void
give_help(int argc, char **argv)
{
	char path[HOME_PATH_MAX];
	char *ask[] = { NULL, "--help", NULL };
	char *man[] = { "man", path, NULL };

	if (argc < 2)
		cli_help(&cli);
	const char *name = argv[1];
	const struct pipeline *p = find_pipeline(name);
	if (p != NULL)
		become_pipeline(p, 2, ask);
	if (strchr(name, '/') != NULL || !find_page(find_program(name), path))
		no_such(name);
	become("man", man);
}

int
main(int argc, char *argv[])
{
	char path[HOME_PATH_MAX];

	cli_start(&cli, synopsis, help, options);
	cli.in_order = true; /* options after the command are the command's */
	if (home_of_programs(programs) == -1)
		errx(EXIT_USAGE, "cannot find the programs: no /proc/self/exe");
	char **command = cli_read(&cli, argc, argv);
	if (*command == NULL)
		cli_help(&cli);
	argc -= (int)(command - argv);
	argv = command;
	if (strcmp(argv[0], "help") == 0)
		give_help(argc, argv);
	const struct pipeline *p = find_pipeline(argv[0]);
	if (p != NULL)
		become_pipeline(p, argc, argv);
	if (!is_program(find_program(argv[0]), path))
		no_such(argv[0]);
	become(path, argv);
}
