/*
 * Preloaded into all programs of a pipeline, appends to the file $SYNCED_LOG what they
 * made durable, a line for each fsync(): birth time and number of the inode, and its
 * size. What is not in it a power failure may take away. Renames have lines, too, with
 * numbers that no file has: a step of a run is a line.
 *
 * $SYNCED_STEPS is the number of steps after which the power fails: whoever would take
 * another one stops there, and waits to be killed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINE = 64 }; /* bytes, so that the size of the log tells the number of steps */

/* Before a step. */
static void
wait_if_dark(void)
{
	const char *name = getenv("SYNCED_LOG"), *most = getenv("SYNCED_STEPS");
	struct stat s;

	while (name != NULL && most != NULL && stat(name, &s) == 0 &&
	    s.st_size / LINE >= atol(most))
		pause();
}

/* After it; no file if s is NULL. */
static void
note(const struct statx *s)
{
	const char *name = getenv("SYNCED_LOG");
	char file[LINE], line[LINE + 1];

	if (name == NULL)
		return;
	if (s == NULL)
		snprintf(file, sizeof(file), "renamed");
	else
		snprintf(file, sizeof(file), "%lld.%09u %llu %llu",
		    (long long)s->stx_btime.tv_sec, s->stx_btime.tv_nsec,
		    (unsigned long long)s->stx_ino, (unsigned long long)s->stx_size);
	snprintf(line, sizeof(line), "%-*s\n", LINE - 1, file);
	int log = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (log == -1 || write(log, line, LINE) != LINE)
		abort();
	close(log);
}

int
fsync(int fd)
{
	struct statx s;

	wait_if_dark();
	int result = (int)syscall(SYS_fsync, fd);
	if (result == 0 &&
	    statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_SIZE | STATX_BTIME, &s) == 0)
		note(&s);
	return result;
}

int
renameat2(int from_folder, const char *from, int to_folder, const char *to,
    unsigned flags)
{
	wait_if_dark();
	int result = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
	if (result == 0)
		note(NULL);
	return result;
}

int
renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	return renameat2(from_folder, from, to_folder, to, 0);
}

int
rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
