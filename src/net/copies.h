/*
 * Some files are compiled once for each instruction set, with -DKERNELS=base, v3
 * or v4. Each copy defines a struct of functions,
 *
 *	const struct sums COPY(sums) = { COPY_NAME, add };
 *
 * and another file lists them by COPIES(sums) and chooses one.
 */
#ifndef NET_COPIES_H
#define NET_COPIES_H

#include <stdlib.h>
#include <string.h>

#ifdef KERNELS
#define COPY_(name, isa) name##_##isa
#define COPY_2(name, isa) COPY_(name, isa)
#define COPY(name) COPY_2(name, KERNELS)
#define COPY_TEXT_(isa) #isa
#define COPY_TEXT(isa) COPY_TEXT_(isa)
#define COPY_NAME COPY_TEXT(KERNELS)
#endif

/* Defines copies[], the slowest first. */
#if defined(__x86_64__)
#define COPIES(name) \
	extern const struct name name##_base, name##_v3, name##_v4; \
	static const struct name *const copies[] = \
	    { &name##_base, &name##_v3, &name##_v4 }
#else
#define COPIES(name) \
	extern const struct name name##_base; \
	static const struct name *const copies[] = { &name##_base }
#endif

/* Which of the first n copies to use: the last, or for tests the one that the
 * environment names, RULELAB_ISA=base|v3|v4. */
static inline int
copies_choose(int n)
{
	static const char *const names[] = { "base", "v3", "v4" };
	const char *wish = getenv("RULELAB_ISA");

	for (int i = 0; wish != NULL && i < n; i++)
		if (strcmp(wish, names[i]) == 0)
			return i;
	return n - 1;
}

#endif
