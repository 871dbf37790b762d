#include "base/memory.h"
#include "copies.h"
#include "kernels.h"

COPIES(kernels);

size_t
kernels_scratch(int c, int k)
{
	/* the points are a cache line apart: point_stride() */
	return (size_t)KERNELS_POINTS *
	    (KERNELS_BLOCK * KERNELS_TILES * (size_t)(c + k) + 2 * KERNELS_LANES);
}

float *
kernels_allocate(size_t numbers)
{
	return memory_table(numbers * sizeof(float));
}

static int
count_copies(void)
{
	return COPIES_COUNT("fma", "avx512f", "avx512vl");
}

const struct kernels *
kernels_copy(int i)
{
	return i < count_copies() ? copies[i] : NULL;
}

int
kernels_best_copy(void)
{
	return copies_choose(count_copies());
}

const struct kernels *
kernels_best(void)
{
	return copies[kernels_best_copy()];
}

void
kernels_flush_denormals(void)
{
#if defined(__x86_64__)
	enum { FLUSH_TO_ZERO = 0x8000, TINY_ARE_ZERO = 0x40 };

	__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | FLUSH_TO_ZERO | TINY_ARE_ZERO);
#endif
}
