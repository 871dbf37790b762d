/*
 * Vectors of integers as wide as a copy's instruction set has them (copies.h),
 * by one name for all widths: WIDE(add_epi32) is _mm256_add_epi32, or the same of
 * another width. Without SSE2 there are none, and HAS_WIDE is not defined.
 */
#ifndef NET_WIDE_H
#define NET_WIDE_H

#include <stdint.h>

#if defined(__SSE2__)
#include <immintrin.h>

#define HAS_WIDE
#define WIDE_LOAD(p) WIDE_(loadu_si)((const wide *)(p))
#define WIDE_STORE(p, v) WIDE_(storeu_si)((wide *)(p), v)

#if defined(__AVX512BW__)
typedef __m512i wide;
#define WIDE(name) _mm512_##name
#define WIDE_(name) _mm512_##name##512
#elif defined(__AVX2__)
typedef __m256i wide;
#define WIDE(name) _mm256_##name
#define WIDE_(name) _mm256_##name##256
#else
typedef __m128i wide;
#define WIDE(name) _mm_##name
#define WIDE_(name) _mm_##name##128
#endif

/* The sum of its numbers of 32 bits. */
static inline int32_t
wide_sum(wide v)
{
#if defined(__AVX512BW__)
	return _mm512_reduce_add_epi32(v);
#else
#if defined(__AVX2__)
	__m128i s =
	    _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
#else
	__m128i s = v;
#endif
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
	s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
	return _mm_cvtsi128_si32(s);
#endif
}

#endif
#endif
