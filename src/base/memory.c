#include "memory.h"

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "cli.h"

enum { LINE = 64, LARGE_PAGE = 2 << 20 };

void
memory_out(void)
{
	errx(EXIT_LOST, "out of memory");
}

static void *
check(void *p)
{
	if (p == NULL)
		memory_out();
	return p;
}

void *
xmalloc(size_t n)
{
	return check(malloc(n > 0 ? n : 1));
}

void *
xcalloc(size_t n, size_t size)
{
	return check(calloc(n > 0 ? n : 1, size));
}

void *
xreallocarray(void *p, size_t n, size_t size)
{
	return check(reallocarray(p, n > 0 ? n : 1, size));
}

char *
xstrdup(const char *s)
{
	return check(strdup(s));
}

void *
memory_table(size_t bytes)
{
	size_t unit = bytes < LARGE_PAGE ? LINE : LARGE_PAGE;

	if (bytes > SIZE_MAX - LARGE_PAGE)
		return NULL;
	bytes = bytes == 0 ? LINE : (bytes + LINE - 1) / LINE * LINE;
	size_t room = (bytes + unit - 1) / unit * unit;
	void *p = aligned_alloc(unit, room);
	if (p == NULL)
		return NULL;
#ifdef __linux__
	if (unit == LARGE_PAGE)
		(void)madvise(p, room, MADV_HUGEPAGE);
#endif
	return memset(p, 0, bytes);
}
