/*
 * Linked into the programs of make MSAN=1. zstd and cJSON are not compiled with
 * MemorySanitizer, so what they write would count as never written.
 */
#include <stdlib.h>

#include <cjson/cJSON.h>
#include <sanitizer/msan_interface.h>
#include <zstd.h>

size_t __real_ZSTD_compressStream2(ZSTD_CCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *,
    ZSTD_EndDirective);
size_t __real_ZSTD_decompressStream(ZSTD_DCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *);
void __real_cJSON_InitHooks(cJSON_Hooks *);
size_t __wrap_ZSTD_compressStream2(ZSTD_CCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *,
    ZSTD_EndDirective);
size_t __wrap_ZSTD_decompressStream(ZSTD_DCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *);
void __wrap_cJSON_InitHooks(cJSON_Hooks *);

static void
written(ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
	__msan_unpoison(in, sizeof(*in));
	__msan_unpoison(out, sizeof(*out));
	__msan_unpoison(out->dst, out->pos);
}

size_t
__wrap_ZSTD_compressStream2(ZSTD_CCtx *z, ZSTD_outBuffer *out, ZSTD_inBuffer *in,
    ZSTD_EndDirective mode)
{
	__msan_check_mem_is_initialized(in->src, in->size);
	size_t left = __real_ZSTD_compressStream2(z, out, in, mode);

	written(out, in);
	return left;
}

size_t
__wrap_ZSTD_decompressStream(ZSTD_DCtx *z, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
	size_t left = __real_ZSTD_decompressStream(z, out, in);

	written(out, in);
	return left;
}

static void *
cleared(size_t size)
{
	return calloc(1, size);
}

void
__wrap_cJSON_InitHooks(cJSON_Hooks *hooks)
{
	__real_cJSON_InitHooks(&(cJSON_Hooks){ cleared, hooks->free_fn });
}
