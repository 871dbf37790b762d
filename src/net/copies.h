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

/* Bytes of its vectors. */
#if defined(__AVX512F__)
enum { COPY_VECTOR = 64 };
#elif defined(__AVX2__)
enum { COPY_VECTOR = 32 };
#else
enum { COPY_VECTOR = 16 };
#endif
#endif

/* Defines copies[], the slowest first; and how many of them this processor can
 * run, if v3 wants AVX2 and `more`, and v4 two kinds of AVX-512 besides. */
#if defined(__x86_64__)
#define COPIES(name) \
	extern const struct name name##_base, name##_v3, name##_v4; \
	static const struct name *const copies[] = { &name##_base, &name##_v3, \
		&name##_v4 }
#define COPIES_COUNT(more, one, two) \
	(__builtin_cpu_init(), \
	    !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports(more)   ? 1 \
		: !__builtin_cpu_supports(one) || !__builtin_cpu_supports(two) ? 2 \
									       : 3)
#else
#define COPIES(name) \
	extern const struct name name##_base; \
	static const struct name *const copies[] = { &name##_base }
#define COPIES_COUNT(more, one, two) 1
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
