#include "memory.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

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
