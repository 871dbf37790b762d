/*
 * Preloaded into a program, makes its FAULT_N-th call of a kind fail, once:
 * FAULT_KIND is write, read, fsync, rename or malloc. When that happens a file
 * FAULT_LOG is made, so that its caller knows when there are no more calls.
 * FAULT_KIND=speak writes to descriptors 0 to 2 before each fsync(): into the
 * data, if the program's file has one of them.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);

static const char *kind = "";
static long left; /* calls until the one that fails */
static atomic_long calls;

__attribute__((constructor)) static void
start(void)
{
	const char *k = getenv("FAULT_KIND"), *n = getenv("FAULT_N");

	kind = k != NULL ? k : "";
	left = n != NULL ? atol(n) : 0;
	/* what the program starts is not to fail as well */
	unsetenv("LD_PRELOAD");
}

/* Is it this call's turn? */
static bool
fails(const char *what, int error)
{
	const char *log;

	if (strcmp(kind, what) != 0 || atomic_fetch_add(&calls, 1) + 1 != left)
		return false;
	log = getenv("FAULT_LOG");
	if (log != NULL)
		close((int)syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY, 0666));
	errno = error;
	return true;
}

/* Messages may be lost: what is left is the exit status. */
ssize_t
write(int fd, const void *data, size_t n)
{
	if (fd != STDERR_FILENO && fails("write", ENOSPC))
		return -1;
	return syscall(SYS_write, fd, data, n);
}

ssize_t
read(int fd, void *data, size_t n)
{
	return fails("read", EIO) ? -1 : syscall(SYS_read, fd, data, n);
}

/* Files that stdio reads: it does not call our read(). */
FILE *
fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *);

	*(void **)&real = dlsym(RTLD_NEXT, "fopen");
	FILE *f = real(path, mode);
	if (f != NULL && mode[0] == 'r' && fails("read", EIO)) {
		int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY);
		dup2(fd, fileno(f));
		close(fd);
	}
	return f;
}

int
fsync(int fd)
{
	for (int i = 0; i < 3 && strcmp(kind, "speak") == 0; i++)
		syscall(SYS_write, i, "spoken\n", 7);
	return fails("fsync", EIO) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
rename(const char *from, const char *to)
{
	return fails("rename", EACCES)
	    ? -1
	    : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

void *
malloc(size_t n)
{
	return fails("malloc", ENOMEM) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails("malloc", ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails("malloc", ENOMEM) ? NULL : __libc_realloc(p, n);
}

void *
reallocarray(void *p, size_t n, size_t size)
{
	return realloc(p, n * size);
}

void *
aligned_alloc(size_t alignment, size_t n)
{
	return fails("malloc", ENOMEM) ? NULL : __libc_memalign(alignment, n);
}

int
posix_memalign(void **p, size_t alignment, size_t n)
{
	*p = aligned_alloc(alignment, n);
	return *p == NULL ? ENOMEM : 0;
}
