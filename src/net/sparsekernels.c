/*
 * The sparse net's integer arithmetic. This file is compiled once for each
 * instruction set (-DKERNELS=name); all copies give the same integers, as sums
 * of integers do not depend on their order.
 */
#include "sparse.h"

#include "copies.h"

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#if defined(__AVX512BW__)
enum { WIDTH = 64 };
#elif defined(__AVX2__)
enum { WIDTH = 32 };
#else
enum { WIDTH = 16 };
#endif
enum { LANES = WIDTH / 2, BLOCK = 64 / LANES > 4 ? 64 / LANES : 4 };

typedef int16_t vector __attribute__((vector_size(WIDTH), may_alias));

static void
update(int16_t *to, const int16_t *from, const int16_t *const *add, int nadd,
    const int16_t *const *sub, int nsub, int n)
{
	const int step = BLOCK * LANES;

	for (int at = 0; at + step <= n; at += step) {
		vector sum[BLOCK];
		for (int i = 0; i < BLOCK; i++)
			sum[i] = ((const vector *)(from + at))[i];
		for (int k = 0; k < nadd; k++)
			for (int i = 0; i < BLOCK; i++)
				sum[i] += ((const vector *)(add[k] + at))[i];
		for (int k = 0; k < nsub; k++)
			for (int i = 0; i < BLOCK; i++)
				sum[i] -= ((const vector *)(sub[k] + at))[i];
		for (int i = 0; i < BLOCK; i++)
			((vector *)(to + at))[i] = sum[i];
	}
	for (int at = n - n % step; at < n; at++) {
		int sum = from[at];
		for (int k = 0; k < nadd; k++)
			sum += add[k][at];
		for (int k = 0; k < nsub; k++)
			sum -= sub[k][at];
		to[at] = (int16_t)sum;
	}
}

/* clip(x) * w fits 16 bits as w does 8; times clip(x) again and neighbours
 * added is one instruction. */
#if defined(__AVX512BW__)
static int32_t
dot(const int16_t *x, const int16_t *w, int n)
{
	const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi16(SPARSE_ONE);
	__m512i sum = zero;

	for (int i = 0; i < n; i += 32) {
		__m512i v = _mm512_loadu_si512((const void *)(x + i));
		v = _mm512_min_epi16(_mm512_max_epi16(v, zero), one);
		__m512i vw = _mm512_mullo_epi16(v,
		    _mm512_loadu_si512((const void *)(w + i)));
#ifdef __AVX512VNNI__
		sum = _mm512_dpwssd_epi32(sum, v, vw);
#else
		sum = _mm512_add_epi32(sum, _mm512_madd_epi16(v, vw));
#endif
	}
	return _mm512_reduce_add_epi32(sum);
}
#elif defined(__AVX2__)
static int32_t
dot(const int16_t *x, const int16_t *w, int n)
{
	const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(SPARSE_ONE);
	__m256i sum = zero, more = zero;

	for (int i = 0; i < n; i += 32) {
		__m256i a = _mm256_loadu_si256((const void *)(x + i));
		__m256i b = _mm256_loadu_si256((const void *)(x + i + 16));
		a = _mm256_min_epi16(_mm256_max_epi16(a, zero), one);
		b = _mm256_min_epi16(_mm256_max_epi16(b, zero), one);
		__m256i aw = _mm256_mullo_epi16(a,
		    _mm256_loadu_si256((const void *)(w + i)));
		__m256i bw = _mm256_mullo_epi16(b,
		    _mm256_loadu_si256((const void *)(w + i + 16)));
		sum = _mm256_add_epi32(sum, _mm256_madd_epi16(a, aw));
		more = _mm256_add_epi32(more, _mm256_madd_epi16(b, bw));
	}
	sum = _mm256_add_epi32(sum, more);
	__m128i s = _mm_add_epi32(_mm256_castsi256_si128(sum),
	    _mm256_extracti128_si256(sum, 1));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
	return _mm_cvtsi128_si32(s);
}
#elif defined(__SSE2__)
static int32_t
dot(const int16_t *x, const int16_t *w, int n)
{
	const __m128i zero = _mm_setzero_si128(), one = _mm_set1_epi16(SPARSE_ONE);
	__m128i s = zero;

	for (int i = 0; i < n; i += 8) {
		__m128i v = _mm_loadu_si128((const void *)(x + i));
		v = _mm_min_epi16(_mm_max_epi16(v, zero), one);
		__m128i vw = _mm_mullo_epi16(v,
		    _mm_loadu_si128((const void *)(w + i)));
		s = _mm_add_epi32(s, _mm_madd_epi16(v, vw));
	}
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
	return _mm_cvtsi128_si32(s);
}
#elif defined(__wasm_simd128__)
static int32_t
dot(const int16_t *x, const int16_t *w, int n)
{
	const v128_t zero = wasm_i16x8_splat(0), one = wasm_i16x8_splat(SPARSE_ONE);
	v128_t s = wasm_i32x4_splat(0);

	for (int i = 0; i < n; i += 8) {
		v128_t v = wasm_v128_load(x + i);
		v = wasm_i16x8_min(wasm_i16x8_max(v, zero), one);
		v128_t vw = wasm_i16x8_mul(v, wasm_v128_load(w + i));
		s = wasm_i32x4_add(s, wasm_i32x4_dot_i16x8(v, vw));
	}
	return wasm_i32x4_extract_lane(s, 0) + wasm_i32x4_extract_lane(s, 1) +
	    wasm_i32x4_extract_lane(s, 2) + wasm_i32x4_extract_lane(s, 3);
}
#else
static int32_t
dot(const int16_t *x, const int16_t *w, int n)
{
	uint32_t sum = 0;

	for (int i = 0; i < n; i++) {
		int v = x[i] < 0 ? 0 : x[i] > SPARSE_ONE ? SPARSE_ONE : x[i];
		sum += (uint32_t)(v * (v * w[i]));
	}
	return (int32_t)sum;
}
#endif

const struct sparse_kernels COPY(sparse_kernels) = {
	COPY_NAME, update, dot
};
