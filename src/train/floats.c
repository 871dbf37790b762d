#include "floats.h"

#include "net/copies.h"

void
floats_flush_denormals(void)
{
#if defined(__x86_64__)
	enum { FLUSH_TO_ZERO = 0x8000, TINY_ARE_ZERO = 0x40 };

	__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | FLUSH_TO_ZERO | TINY_ARE_ZERO);
#endif
}

int
floats_best_copy(void)
{
	return copies_choose(COPIES_COUNT("fma", "avx512f", "avx512vl"));
}
