#include <stdlib.h>
#include <string.h>

#include "kernels.h"

extern const struct kernels kernels_base;
#if defined(__x86_64__)
extern const struct kernels kernels_v3, kernels_v4;
#endif

size_t
kernels_scratch(int c, int k)
{
	/* for each of the points some numbers between */
	return (size_t)KERNELS_POINTS * (KERNELS_BLOCK * KERNELS_TILES *
	    (size_t)(c + k) + 2 * KERNELS_LANES);
}

float *
kernels_allocate(size_t numbers)
{
	size_t bytes = (numbers * sizeof(float) + KERNELS_ALIGN) /
	    KERNELS_ALIGN * KERNELS_ALIGN;
	float *p = aligned_alloc(KERNELS_ALIGN, bytes);

	if (p != NULL)
		memset(p, 0, bytes);
	return p;
}

const struct kernels *
kernels_best(void)
{
#if defined(__x86_64__)
	const char *asked = getenv("RULELAB_ISA");

	__builtin_cpu_init();
	if (asked != NULL && strcmp(asked, "base") == 0)
		return &kernels_base;
	if (__builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512vl") &&
	    (asked == NULL || strcmp(asked, "v4") == 0))
		return &kernels_v4;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return &kernels_v3;
#endif
	return &kernels_base;
}

void
kernels_flush_tiny(void)
{
#if defined(__x86_64__)
	enum { FLUSH_TO_ZERO = 0x8000, TINY_ARE_ZERO = 0x40 };

	__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | FLUSH_TO_ZERO |
	    TINY_ARE_ZERO);
#endif
}
