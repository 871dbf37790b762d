/*
 * The policy's integer arithmetic. This file is compiled once for each
 * instruction set (-DKERNELS=name); all copies give the same integers.
 */
#include "policy.h"

#include "copies.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* 255^2 in 1/512 is POLICY_ONE. */
static void
squash(uint8_t *to, const int16_t *x, int n)
{
	for (int i = 0; i < n; i++) {
		int16_t v = x[i] < 0 ? 0 : x[i] > SPARSE_ONE ? SPARSE_ONE : x[i];
		uint16_t square = (uint16_t)((uint16_t)v * (uint16_t)v);
		to[i] = (uint8_t)((uint16_t)(square + 256) >> 9);
	}
}

static inline uint8_t
clip(int32_t sum)
{
	sum /= POLICY_MIX;
	return (uint8_t)(sum < 0 ? 0 : sum > POLICY_ONE ? POLICY_ONE : sum);
}

/*
 * Four inputs at a time: many are zero, so that most groups of four are skipped.
 * The sum of two products of 7-bit inputs and 8-bit weights fits 16 bits.
 */
#if defined(__AVX512VNNI__)
enum { PARTS = POLICY_WIDTH / 16 };

static void
mix(uint8_t *to, const uint8_t *x, int n, const int8_t *weights,
    const int32_t *bias)
{
	__m512i sum[PARTS];
	int32_t sums[POLICY_WIDTH];

	for (int j = 0; j < PARTS; j++)
		sum[j] = _mm512_loadu_si512((const void *)(bias + 16 * j));
	for (int i = 0; i < n; i += 4, weights += 4 * POLICY_WIDTH) {
		int32_t four;
		memcpy(&four, x + i, 4);
		if (four == 0)
			continue;
		__m512i v = _mm512_set1_epi32(four);
		for (int j = 0; j < PARTS; j++)
			sum[j] = _mm512_dpbusd_epi32(sum[j], v,
			    _mm512_loadu_si512((const void *)(weights + 64 * j)));
	}
	for (int j = 0; j < PARTS; j++)
		_mm512_storeu_si512((void *)(sums + 16 * j), sum[j]);
	for (int i = 0; i < POLICY_WIDTH; i++)
		to[i] = clip(sums[i]);
}

static void
rows(int32_t *to, const uint8_t *mixed, const int8_t *all,
    const uint16_t (*terms)[POLICY_TERMS], int n)
{
	_Static_assert(POLICY_WIDTH == 64, "one vector a row");
	__m512i v = _mm512_loadu_si512((const void *)mixed);

	for (int i = 0; i < n; i++) {
		__m512i sum = _mm512_setzero_si512();
		for (int j = 0; j < POLICY_TERMS; j++)
			sum = _mm512_dpbusd_epi32(sum, v, _mm512_loadu_si512(
			    (const void *)(all + terms[i][j] * POLICY_WIDTH)));
		to[i] = _mm512_reduce_add_epi32(sum);
	}
}
#elif defined(__AVX2__)
enum { PARTS = POLICY_WIDTH / 8 };

static inline __m256i
multiply_add(__m256i sum, __m256i a, __m256i b)
{
	return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b),
	    _mm256_set1_epi16(1)));
}

static void
mix(uint8_t *to, const uint8_t *x, int n, const int8_t *weights,
    const int32_t *bias)
{
	__m256i sum[PARTS];
	int32_t sums[POLICY_WIDTH];

	for (int j = 0; j < PARTS; j++)
		sum[j] = _mm256_loadu_si256((const void *)(bias + 8 * j));
	for (int i = 0; i < n; i += 4, weights += 4 * POLICY_WIDTH) {
		int32_t four;
		memcpy(&four, x + i, 4);
		if (four == 0)
			continue;
		__m256i v = _mm256_set1_epi32(four);
		for (int j = 0; j < PARTS; j++)
			sum[j] = multiply_add(sum[j], v, _mm256_loadu_si256(
			    (const void *)(weights + 32 * j)));
	}
	for (int j = 0; j < PARTS; j++)
		_mm256_storeu_si256((void *)(sums + 8 * j), sum[j]);
	for (int i = 0; i < POLICY_WIDTH; i++)
		to[i] = clip(sums[i]);
}

static void
rows(int32_t *to, const uint8_t *mixed, const int8_t *all,
    const uint16_t (*terms)[POLICY_TERMS], int n)
{
	enum { HALVES = POLICY_WIDTH / 32 };

	for (int i = 0; i < n; i++) {
		__m256i sum = _mm256_setzero_si256();
		for (int j = 0; j < POLICY_TERMS * HALVES; j++) {
			int at = j % HALVES * 32;
			sum = multiply_add(sum, _mm256_loadu_si256(
			    (const void *)(mixed + at)), _mm256_loadu_si256(
			    (const void *)(all + terms[i][j / HALVES] *
			    POLICY_WIDTH + at)));
		}
		__m128i s = _mm_add_epi32(_mm256_castsi256_si128(sum),
		    _mm256_extracti128_si256(sum, 1));
		s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
		s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
		to[i] = _mm_cvtsi128_si32(s);
	}
}
#else
static void
mix(uint8_t *to, const uint8_t *x, int n, const int8_t *weights,
    const int32_t *bias)
{
	int32_t sums[POLICY_WIDTH];

	memcpy(sums, bias, sizeof(sums));
	for (int i = 0; i < n; i += 4, weights += 4 * POLICY_WIDTH) {
		if (x[i] == 0 && x[i + 1] == 0 && x[i + 2] == 0 && x[i + 3] == 0)
			continue;
		for (int j = 0; j < POLICY_WIDTH; j++)
			for (int k = 0; k < 4; k++)
				sums[j] += x[i + k] * weights[4 * j + k];
	}
	for (int i = 0; i < POLICY_WIDTH; i++)
		to[i] = clip(sums[i]);
}

static void
rows(int32_t *to, const uint8_t *mixed, const int8_t *all,
    const uint16_t (*terms)[POLICY_TERMS], int n)
{
	for (int i = 0; i < n; i++) {
		int32_t sum = 0;
		for (int j = 0; j < POLICY_TERMS; j++) {
			const int8_t *row = all + terms[i][j] * POLICY_WIDTH;
			for (int k = 0; k < POLICY_WIDTH; k++)
				sum += mixed[k] * row[k];
		}
		to[i] = sum;
	}
}
#endif

const struct policy_kernels COPY(policy_kernels) = {
	COPY_NAME, squash, mix, rows
};
