#include "resume.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"

/* ---- games of earlier runs ---- */

/* Reads a game's line and returns its number. A game of another run ends the
 * program. */
static uint64_t
read_number(const struct resume *r, struct game *g, const char *path, uint64_t line,
    const char *s, size_t n)
{
	struct game_options o = { .rules = r->rules };
	char reason[GAME_REASON_MAX];
	const char *why = reason;
	uint64_t id = 0;

	if (game_read_json(g, &o, s, n, reason) == 0 && (why = r->differs(g)) == NULL &&
	    (!number_read_u64(game_text(g, g->id), &id) || id < r->first))
		why = "this game belongs to another run";
	if (why != NULL)
		errx(EXIT_LOST, "%s:%" PRIu64 ": %s; --resume leaves the file as it is",
		    path, line, why);
	return id;
}

static bool
is_early(const struct resume *r, uint64_t k)
{
	for (size_t i = 0; i < r->early_count; i++)
		if (r->early[i] == k)
			return true;
	return false;
}

bool
resume_needs(const struct resume *r, uint64_t k)
{
	return k >= r->next && !is_early(r, k);
}

static void
add_early(struct resume *r, uint64_t k)
{
	r->early = xreallocarray(r->early, r->early_count + 1, sizeof(*r->early));
	r->early[r->early_count++] = k;
}

/* Takes over the complete games of a file, and copies them to the output if it is
 * open. A last line without an end is from a killed run, and ignored. */
static void
take_over(struct resume *r, const char *path)
{
	struct input in;
	struct game g;
	const char *s;
	size_t n;

	if (input_open(&in, path) == -1) {
		if (errno == ENOENT)
			return;
		err(EXIT_LOST, "%s", path);
	}
	game_init(&g);
	while (input_line(&in, &s, &n) == 1 && s + n < in.end) {
		uint64_t k = read_number(r, &g, path, input_line_number(&in, s), s, n);
		if (k >= r->first + r->games || !resume_needs(r, k))
			continue;
		struct text line = { 0 };
		text_add(&line, s, n);
		text_add_char(&line, '\n');
		if (r->out != NULL && inorder_add(&r->lines, k, &line) == -1)
			err(EXIT_LOST, "%s", r->cli->output);
		text_release(&line);
		if (k == r->next)
			r->next++;
		else
			add_early(r, k);
		r->kept++;
		while (is_early(r, r->next))
			r->next++;
	}
	game_release(&g);
	input_close(&in);
}

static void
forget_games(struct resume *r)
{
	r->next = r->first;
	r->early_count = 0;
	r->kept = 0;
}

/* ---- files ---- */

/* Is it a regular file, or a new one, and not standard output, a pipe or a
 * device? */
static bool
is_plain(const char *path)
{
	struct stat st;

	return path != NULL && strcmp(path, "-") != 0 &&
	    (stat(path, &st) == -1 || S_ISREG(st.st_mode));
}

void
resume_check(const struct resume *r)
{
	if (r->wanted && !is_plain(r->cli->output))
		cli_usage_error(r->cli, "--resume needs --output and a plain file");
}

static bool
ends_in_zst(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && strcmp(path + n - 4, ".zst") == 0;
}

/*
 * Opens FILE.lock with these flags and locks it, without waiting. Returns its
 * descriptor, or -1. The lock is released when the process ends, however it does.
 *
 * A run that ends removes the file, so a lock that was just taken may be that of a
 * file that is no longer there, and another run may hold the new one: try again.
 */
static int
take_lock(const char *path, int flags)
{
	struct stat held, there;

	for (;;) {
		int fd = open(path, flags | O_RDWR | O_CLOEXEC, 0666);
		if (fd == -1)
			return -1;
		bool mine = flock(fd, LOCK_EX | LOCK_NB) == 0;
		int why = errno;
		if (mine && fstat(fd, &held) == 0 && stat(path, &there) == 0 &&
		    held.st_ino == there.st_ino && held.st_dev == there.st_dev)
			return fd;
		close(fd);
		errno = why;
		if (!mine)
			return -1;
	}
}

static void
lock_output(struct resume *r)
{
	if (take_lock(r->lock.s, O_CREAT) != -1)
		return;
	if (errno == EWOULDBLOCK)
		errx(EXIT_LOST, "%s is being written by another process", r->cli->output);
	err(EXIT_LOST, "%s", r->cli->output);
}

/* Removes the lock file of a run that was killed after FILE was complete. */
static void
remove_left_lock(const struct resume *r)
{
	int fd = take_lock(r->lock.s, 0);

	if (fd == -1)
		return;
	unlink(r->lock.s);
	close(fd);
}

/* FILE.new, to be removed if the program ends before that is FILE.part. */
static struct text new;

static void
remove_new(void)
{
	if (new.len > 0)
		unlink(new.s);
}

/* Copies the games of earlier runs to a new FILE.part, under another name first,
 * so that a kill meanwhile loses nothing. */
static void
open_part(struct resume *r)
{
	text_add_format(&new, "%s.new", r->path);
	atexit(remove_new);
	r->out = zout_create(new.s, r->cli->compress || ends_in_zst(r->cli->output));
	if (r->out == NULL)
		err(EXIT_LOST, "%s", new.s);
	inorder_start(&r->lines, r->out, r->first);
	if (r->wanted) {
		forget_games(r);
		take_over(r, r->path);
		take_over(r, r->part.s);
	}
	if (zout_flush(r->out) == -1 || zio_rename(new.s, r->part.s) == -1)
		err(EXIT_LOST, "%s", r->part.s);
	text_release(&new);
}

/* The target of a link, which is replaced instead of the link. */
static char *
follow_link(const char *path)
{
	struct stat st;
	char *target = lstat(path, &st) == 0 && S_ISLNK(st.st_mode) ? zio_resolve(path)
								    : xstrdup(path);

	if (target == NULL)
		err(EXIT_LOST, "%s", path);
	return target;
}

bool
resume_open(struct resume *r)
{
	forget_games(r);
	if (!is_plain(r->cli->output)) {
		r->out = cli_open_output(r->cli);
		inorder_start(&r->lines, r->out, r->first);
		return true;
	}
	r->path = follow_link(r->cli->output);
	text_add_format(&r->lock, "%s.lock", r->path);
	text_add_format(&r->part, "%s.part", r->path);
	if (r->wanted) {
		take_over(r, r->path);
		if (r->next >= r->first + r->games && access(r->path, F_OK) == 0) {
			remove_left_lock(r);
			return false;
		}
	}
	lock_output(r);
	if (r->wanted)
		take_over(r, r->part.s); /* before anything is written */
	open_part(r);
	return true;
}

int
resume_add(struct resume *r, uint64_t k, struct text *line)
{
	r->kept++;
	return inorder_add(&r->lines, k, line);
}

static const char *
output_name(const struct resume *r)
{
	return r->cli->output != NULL ? r->cli->output : "standard output";
}

/* Keeps finished games even if some before them are missing. */
static int
keep_part(struct resume *r)
{
	inorder_drain(&r->lines);
	if (zout_close(r->out) == -1)
		warn("%s", output_name(r));
	if (r->path != NULL && r->kept == 0)
		unlink(r->part.s);
	else if (r->path != NULL)
		warnx("%s has %" PRIu64 " of %" PRIu64
		      " games; --resume continues from there",
		    r->part.s, r->kept, r->games);
	return EXIT_LOST;
}

/* Renames FILE.part to FILE; FILE keeps its mode. */
static int
put_in_place(struct resume *r)
{
	struct stat st;

	if (stat(r->path, &st) == 0)
		chmod(r->part.s, st.st_mode & 07777);
	return zio_rename(r->part.s, r->path);
}

static int
close_whole(struct resume *r)
{
	if (zout_close(r->out) == -1 || (r->path != NULL && put_in_place(r) == -1)) {
		warn("%s", output_name(r));
		return EXIT_LOST;
	}
	return EXIT_DONE;
}

int
resume_close(struct resume *r, bool all)
{
	int status = r->out == NULL ? EXIT_DONE : all ? close_whole(r) : keep_part(r);

	if (r->path != NULL && r->out != NULL)
		unlink(r->lock.s);
	inorder_release(&r->lines);
	text_release(&r->part);
	text_release(&r->lock);
	free(r->path);
	free(r->early);
	return status;
}
