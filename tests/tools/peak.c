/*
 * Runs a command and prints the resources that it used.
 *
 *	peak FILE COMMAND [ARGUMENT ...]
 *
 * The most memory that it had at any time, in KiB, and its CPU time, user and
 * system, in milliseconds, go to FILE. The exit status is the command's. With
 * no command it exits 0 if the programs built along with it are sanitized,
 * which makes both numbers meaningless, and 1 if they are not.
 */
#include <err.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common.h"

extern char **environ;

int
main(int argc, char *argv[])
{
	struct rusage used;
	pid_t child;
	int status, error;

	if (argc < 3)
		return !SANITIZED;
	error = posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ);
	if (error != 0)
		errx(127, "%s: %s", argv[2], strerror(error));
	if (wait4(child, &status, 0, &used) == -1)
		err(127, "wait4");
	FILE *f = fopen(argv[1], "w");
	if (f == NULL ||
	    fprintf(f, "%ld %ld\n", used.ru_maxrss,
		(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
		    (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000) < 0 ||
	    fclose(f) != 0)
		err(127, "%s", argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
