#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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
	return memory_table(numbers * sizeof(float));
}

const struct kernels *
kernels_copy(int i)
{
	const struct kernels *can[4] = { &kernels_base };

#if defined(__x86_64__)
	int n = 1;
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		can[n++] = &kernels_v3;
	if (n == 2 && __builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512vl"))
		can[n++] = &kernels_v4;
#endif
	return can[i];
}

const struct kernels *
kernels_best(void)
{
	const char *asked = getenv("RULELAB_ISA");
	const struct kernels *best = NULL, *k;

	for (int i = 0; (k = kernels_copy(i)) != NULL; i++) {
		best = k;
		if (asked != NULL && strcmp(asked, k->name) == 0)
			break;
	}
	return best;
}

void
kernels_flush_denormals(void)
{
#if defined(__x86_64__)
	enum { FLUSH_TO_ZERO = 0x8000, TINY_ARE_ZERO = 0x40 };

	__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | FLUSH_TO_ZERO |
	    TINY_ARE_ZERO);
#endif
}
