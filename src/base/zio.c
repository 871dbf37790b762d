#include "zio.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { BUFFER_SIZE = 256 * 1024, LEVEL = 3 };

/* The skippable frame that says how many bytes follow, without that number. */
#define LENGTH_HEAD "\x5d\x2a\x4d\x18\x10\0\0\0rulelab\n"
enum { LENGTH_FRAME = sizeof(LENGTH_HEAD) - 1 + 8 };

struct zin {
	int fd;
	bool end; /* of the file */
	bool compressed;
	bool in_frame; /* a frame has begun and not ended */
	ZSTD_DCtx *dctx;
	const char *error;
	char message[160];
	uint64_t offset; /* bytes read from the file */
	uint64_t due;    /* the file must be at least so long */
	uint64_t frame;  /* bytes of the frame so far, the first of them in head */
	unsigned char head[LENGTH_FRAME];
	size_t pos, len; /* unread bytes of raw: pos to len */
	unsigned char raw[BUFFER_SIZE];
};

struct zout {
	int fd;
	int error;              /* errno of the first failure */
	bool created;           /* by zout_create() */
	char *path, *temporary; /* NULL for standard output */
	ZSTD_CCtx *cctx;        /* NULL when not compressing */
	size_t len;
	char raw[BUFFER_SIZE];
	char packed[BUFFER_SIZE];
};

static ssize_t
read_fully(struct zin *z, void *buffer, size_t n)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = read(z->fd, (char *)buffer + have, n - have);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			return -1;
		if (got == 0)
			break;
		have += (size_t)got;
		if (have >= 4)
			break; /* enough for is_zstd(); do not wait */
	}
	z->offset += have;
	return (ssize_t)have;
}

static int
fail_read(struct zin *z, const char *why)
{
	if (why == NULL) {
		snprintf(z->message, sizeof(z->message), "%s", strerror(errno));
		why = z->message;
	}
	z->error = why;
	return -1;
}

/* Reads the next raw bytes and sets z->len and z->end. */
static int
refill(struct zin *z)
{
	ssize_t n;

	z->pos = z->len = 0;
	if (z->end)
		return 0;
	n = read_fully(z, z->raw, sizeof(z->raw));
	if (n == -1)
		return fail_read(z, NULL);
	z->end = n == 0;
	z->len = (size_t)n;
	return 0;
}

static bool
is_zstd(const unsigned char *s, size_t n)
{
	if (n < 4 || s[1] != (s[0] == 0x28 ? 0xb5 : 0x2a))
		return false;
	if (s[0] == 0x28)
		return s[2] == 0x2f && s[3] == 0xfd;
	return (s[0] & 0xf0) == 0x50 && s[2] == 0x4d && s[3] == 0x18;
}

struct zin *
zin_open(const char *path)
{
	struct zin *z = malloc(sizeof(*z));

	if (z == NULL)
		return NULL;
	memset(z, 0, offsetof(struct zin, raw));
	z->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (z->fd == -1 || refill(z) == -1) {
		int saved = errno;
		zin_close(z);
		errno = saved;
		return NULL;
	}
	if (is_zstd(z->raw, z->len)) {
		z->compressed = true;
		z->dctx = ZSTD_createDCtx();
		if (z->dctx == NULL) {
			zin_close(z);
			errno = ENOMEM;
			return NULL;
		}
	}
	return z;
}

static ssize_t
read_plain(struct zin *z, void *buffer, size_t n)
{
	if (z->pos == z->len) {
		/* Large reads need no copy through our own buffer. */
		ssize_t got = z->end ? 0 : read_fully(z, buffer, n);
		if (got == -1)
			return fail_read(z, NULL);
		z->end = z->end || got == 0;
		return got;
	}
	if (n > z->len - z->pos)
		n = z->len - z->pos;
	memcpy(buffer, z->raw + z->pos, n);
	z->pos += n;
	return (ssize_t)n;
}

/* Keeps the beginning of a frame, of which n more bytes have been read. */
static void
keep_head(struct zin *z, const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n && z->frame + i < LENGTH_FRAME; i++)
		z->head[z->frame + i] = s[i];
	z->frame += n;
}

/* At the end of a frame: if it says how many bytes follow, so many are due. A frame
 * within what another announced cannot reach beyond that: then some were lost
 * before it. */
static int
end_frame(struct zin *z)
{
	const size_t words = sizeof(LENGTH_HEAD) - 1;
	uint64_t at = z->offset - (z->len - z->pos), more = 0;
	bool announces =
	    z->frame == LENGTH_FRAME && memcmp(z->head, LENGTH_HEAD, words) == 0;

	z->frame = 0;
	if (!announces)
		return 0;
	for (int i = 7; i >= 0; i--)
		more = more << 8 | z->head[words + (size_t)i];
	if (more > UINT64_MAX - at || (at < z->due && at + more > z->due))
		return -1;
	z->due = at + more > z->due ? at + more : z->due;
	return 0;
}

/* At the end of the file the decoder is called once more for the data that it
 * still holds, so that nothing before a cut is lost. */
static ssize_t
read_compressed(struct zin *z, void *buffer, size_t n)
{
	static const char lost[] = "the zstd stream has lost whole frames";
	ZSTD_outBuffer out = { buffer, n, 0 };

	while (out.pos == 0) {
		if (z->pos == z->len && !z->end && refill(z) == -1)
			return -1;
		if (z->end && !z->in_frame)
			return z->offset < z->due ? fail_read(z, lost) : 0;
		ZSTD_inBuffer in = { z->raw, z->len, z->pos };
		size_t ret = ZSTD_decompressStream(z->dctx, &out, &in);
		keep_head(z, z->raw + z->pos, in.pos - z->pos);
		z->pos = in.pos;
		if (ZSTD_isError(ret)) {
			snprintf(z->message, sizeof(z->message), "bad zstd data (%s)",
			    ZSTD_getErrorName(ret));
			fail_read(z, z->message);
			break;
		}
		z->in_frame = ret != 0;
		if (!z->in_frame && end_frame(z) == -1) {
			fail_read(z, lost);
			break;
		}
		if (z->end && z->in_frame && out.pos == 0)
			return fail_read(z, "the zstd stream is cut short");
	}
	return out.pos > 0 ? (ssize_t)out.pos : -1;
}

ssize_t
zin_read(struct zin *z, void *buffer, size_t n)
{
	if (z->error != NULL)
		return -1;
	return z->compressed ? read_compressed(z, buffer, n) : read_plain(z, buffer, n);
}

uint64_t
zin_offset(const struct zin *z)
{
	return z->offset;
}

const char *
zin_error(const struct zin *z)
{
	return z->error;
}

void
zin_close(struct zin *z)
{
	if (z == NULL)
		return;
	ZSTD_freeDCtx(z->dctx);
	if (z->fd > STDIN_FILENO)
		close(z->fd);
	free(z);
}

/* ---- temporary files ---- */

/* Files to remove when a signal or exit() ends the program before they are
 * renamed; NULL in free slots. */
static char *volatile temporaries[16];
enum { TEMPORARIES = sizeof(temporaries) / sizeof(temporaries[0]) };

static const int ending_signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };
enum { SIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]) };

static void
remove_temporaries(void)
{
	for (int i = 0; i < TEMPORARIES; i++)
		if (temporaries[i] != NULL)
			unlink(temporaries[i]);
}

/* SA_RESETHAND has restored the default action; the mask blocks the signal until
 * we return. */
static void
remove_and_end(int sig)
{
	remove_temporaries();
	raise(sig);
}

/* Leaves alone signals that are ignored, as under nohup, and those that the
 * program itself handles. */
static void
catch_signals(void)
{
	static bool first = true;
	struct sigaction now,
	    ours = { .sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND };

	if (first)
		atexit(remove_temporaries);
	first = false;
	sigfillset(&ours.sa_mask);
	for (int i = 0; i < SIGNALS; i++)
		if (sigaction(ending_signals[i], NULL, &now) == 0 &&
		    now.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &ours, NULL);
}

static void
replace_temporary(char *old, char *new)
{
	for (int i = 0; i < TEMPORARIES; i++) {
		if (temporaries[i] == old) {
			temporaries[i] = new;
			return;
		}
	}
}

/* Creates the file and registers it, with no signal in between. */
static int
make_temporary(char *name)
{
	sigset_t ending, before;
	int fd;

	catch_signals();
	sigemptyset(&ending);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&ending, ending_signals[i]);
	pthread_sigmask(SIG_BLOCK, &ending, &before);
	fd = mkstemp(name);
	if (fd != -1)
		replace_temporary(NULL, name);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return fd;
}

/* The name is no longer ours to remove. */
static void
forget_temporary(struct zout *z)
{
	replace_temporary(z->temporary, NULL);
	free(z->temporary);
	z->temporary = NULL;
}

/* The target of a link, with the link's folder prepended if it is relative. NULL
 * with errno set if path is not a link. */
static char *
read_link(const char *path)
{
	char target[PATH_MAX], *s;
	ssize_t n = readlink(path, target, sizeof(target));
	const char *slash = strrchr(path, '/');
	int folder =
	    slash != NULL && n > 0 && target[0] != '/' ? (int)(slash + 1 - path) : 0;

	if (n == (ssize_t)sizeof(target))
		errno = ENAMETOOLONG;
	return n == -1 || n == (ssize_t)sizeof(target) ||
		asprintf(&s, "%.*s%.*s", folder, path, (int)n, target) == -1
	    ? NULL
	    : s;
}

char *
zio_resolve(const char *path)
{
	char *at = realpath(path, NULL);

	if (at != NULL || errno != ENOENT)
		return at;
	at = strdup(path);
	for (int links = 0; at != NULL && links < 40; links++) {
		char *next = read_link(at);
		if (next == NULL && errno != EINVAL && errno != ENOENT)
			break;
		if (next == NULL)
			return at;
		free(at);
		at = next;
	}
	free(at);
	return NULL;
}

/* Syncs the file's folder after a rename; some file systems cannot. */
static int
sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder =
	    slash == NULL ? strdup(".") : strndup(path, (size_t)(slash + 1 - path));
	int fd = folder == NULL ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = fd == -1 ? -1 : fsync(fd);

	if (result == -1 && (errno == EACCES || errno == EINVAL))
		result = 0;
	int saved = errno;
	if (fd != -1)
		close(fd);
	free(folder);
	errno = saved;
	return result;
}

int
zio_rename(const char *from, const char *to)
{
	return rename(from, to) == -1 ? -1 : sync_folder(to);
}

/* A temporary file beside path, or beside what path is a link to, with the
 * mode that the file has or would get. */
static int
open_temporary(struct zout *z, const char *path)
{
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	z->path = zio_resolve(path);
	if (z->path == NULL)
		return -1;
	size_t n = strlen(z->path) + sizeof(".XXXXXX");
	z->temporary = malloc(n);
	if (z->temporary == NULL)
		return -1;
	snprintf(z->temporary, n, "%s.XXXXXX", z->path);
	z->fd = make_temporary(z->temporary);
	if (z->fd == -1) {
		free(z->temporary);
		z->temporary = NULL;
		return -1;
	}
	mode_t mode = 0666 & ~mask;
	if (stat(path, &st) == 0)
		mode = st.st_mode & 07777;
	return fchmod(z->fd, mode);
}

/* ---- output ---- */

/* Anything but a regular file (a pipe, /dev/null) is written to directly. */
static bool
is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* A stream to standard output; the caller may change its descriptor. */
static struct zout *
make_zout(const char *path, bool compress)
{
	struct zout *z = malloc(sizeof(*z));
	size_t n = path != NULL ? strlen(path) : 0;

	if (z == NULL)
		return NULL;
	memset(z, 0, offsetof(struct zout, raw));
	z->fd = STDOUT_FILENO;
	if (!compress && (n <= 4 || strcmp(path + n - 4, ".zst") != 0))
		return z;
	z->cctx = ZSTD_createCCtx();
	if (z->cctx == NULL) {
		zout_abandon(z);
		errno = ENOMEM;
		return NULL;
	}
	ZSTD_CCtx_setParameter(z->cctx, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(z->cctx, ZSTD_c_checksumFlag, 1);
	return z;
}

/* z, or NULL when its file could not be opened. */
static struct zout *
opened(struct zout *z, bool failed)
{
	if (!failed)
		return z;
	int saved = errno;
	zout_abandon(z);
	errno = saved;
	return NULL;
}

struct zout *
zout_open(const char *path, bool compress)
{
	struct zout *z = make_zout(path, compress);

	if (z == NULL || path == NULL || strcmp(path, "-") == 0)
		return z;
	if (is_special(path))
		return opened(z, (z->fd = open(path, O_WRONLY | O_CLOEXEC)) == -1);
	return opened(z, open_temporary(z, path) == -1);
}

struct zout *
zout_create(const char *path, bool compress)
{
	struct zout *z = make_zout(path, compress);

	if (z == NULL)
		return NULL;
	z->created = true;
	return opened(z,
	    (z->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) == -1);
}

static int
write_fully(struct zout *z, const char *data, size_t n)
{
	while (n > 0 && z->error == 0) {
		ssize_t put = write(z->fd, data, n);
		if (put == -1 && errno == EINTR)
			continue;
		if (put == -1) {
			z->error = errno;
			break;
		}
		data += put;
		n -= (size_t)put;
	}
	return z->error == 0 ? 0 : -1;
}

/* Writes the buffer out; mode matters only when compressing. */
static int
drain(struct zout *z, ZSTD_EndDirective mode)
{
	ZSTD_inBuffer in = { z->raw, z->len, 0 };
	size_t left;

	z->len = 0;
	if (z->cctx == NULL)
		return write_fully(z, z->raw, in.size);
	do {
		ZSTD_outBuffer out = { z->packed, sizeof(z->packed), 0 };
		left = ZSTD_compressStream2(z->cctx, &out, &in, mode);
		if (ZSTD_isError(left))
			z->error = EIO;
		else
			write_fully(z, z->packed, out.pos);
	} while (z->error == 0 &&
	    (mode == ZSTD_e_continue ? in.pos < in.size : left != 0));
	return z->error == 0 ? 0 : -1;
}

int
zout_write(struct zout *z, const void *data, size_t n)
{
	const char *s = data;

	while (n > 0) {
		size_t room = sizeof(z->raw) - z->len;
		size_t part = n < room ? n : room;
		memcpy(z->raw + z->len, s, part);
		z->len += part;
		s += part;
		n -= part;
		if (z->len == sizeof(z->raw) && drain(z, ZSTD_e_continue) == -1)
			return -1;
	}
	return z->error == 0 ? 0 : -1;
}

int
zout_flush(struct zout *z)
{
	return drain(z, ZSTD_e_flush);
}

bool
zout_replaces(const struct zout *z)
{
	return z->temporary != NULL;
}

void
zout_abandon(struct zout *z)
{
	if (z == NULL)
		return;
	if (z->fd > STDOUT_FILENO)
		close(z->fd);
	if (z->temporary != NULL) {
		unlink(z->temporary);
		forget_temporary(z);
	}
	ZSTD_freeCCtx(z->cctx);
	free(z->path);
	free(z);
}

int
zout_close(struct zout *z)
{
	int error;

	drain(z, ZSTD_e_end);
	if (z->error == 0 && (z->temporary != NULL || z->created) && fsync(z->fd) == -1)
		z->error = errno;
	if (close(z->fd) == -1 && z->error == 0)
		z->error = errno;
	z->fd = -1;
	if (z->error == 0 && z->temporary != NULL) {
		if (rename(z->temporary, z->path) == -1) {
			z->error = errno;
		} else {
			forget_temporary(z);
			z->error = sync_folder(z->path) == -1 ? errno : 0;
		}
	}
	error = z->error;
	zout_abandon(z);
	errno = error;
	return error == 0 ? 0 : -1;
}
