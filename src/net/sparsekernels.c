/*
 * The sparse net's integer arithmetic. This file is compiled once for each
 * instruction set (-DKERNELS=name); all copies give the same integers, as sums
 * of integers do not depend on their order.
 */
#include "policy.h"

#include "copies.h"
#include "wide.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

enum { LANES = COPY_VECTOR / 2, BLOCK = 64 / LANES > 4 ? 64 / LANES : 4 };

typedef int16_t vector __attribute__((vector_size(COPY_VECTOR), may_alias));

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
#if defined(HAS_WIDE)
static inline wide
multiply_add_16(wide sum, wide a, wide b)
{
#if defined(__AVX512VNNI__)
	return _mm512_dpwssd_epi32(sum, a, b);
#else
	return WIDE(add_epi32)(sum, WIDE(madd_epi16)(a, b));
#endif
}

static int32_t
dot(const int16_t *x, const int16_t *w, int n)
{
	const wide zero = WIDE(set1_epi16)(0), one = WIDE(set1_epi16)(SPARSE_ONE);
	wide sum[2] = { zero, zero };

	for (int i = 0; i < n; i += 2 * LANES)
		for (int k = 0; k < 2; k++) {
			wide v = WIDE_LOAD(x + i + k * LANES);
			v = WIDE(min_epi16)(WIDE(max_epi16)(v, zero), one);
			sum[k] = multiply_add_16(sum[k], v,
			    WIDE(mullo_epi16)(v, WIDE_LOAD(w + i + k * LANES)));
		}
	return wide_sum(WIDE(add_epi32)(sum[0], sum[1]));
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

/* ---- the policy ---- */

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
#if defined(__AVX2__)
enum {
	BYTES = sizeof(wide),
	INTS = BYTES / 4,
	PARTS = POLICY_WIDTH / INTS,
	PIECES = POLICY_WIDTH / BYTES
};

/* Adds the products of bytes without and with a sign, four by four. */
static inline wide
multiply_add_8(wide sum, wide a, wide b)
{
#if defined(__AVX512VNNI__)
	return _mm512_dpbusd_epi32(sum, a, b);
#else
	return WIDE(add_epi32)(sum,
	    WIDE(madd_epi16)(WIDE(maddubs_epi16)(a, b), WIDE(set1_epi16)(1)));
#endif
}

static void
mix(uint8_t *to, const uint8_t *x, int n, const int8_t *weights, const int32_t *bias)
{
	wide sum[PARTS];
	int32_t sums[POLICY_WIDTH];

	for (int j = 0; j < PARTS; j++)
		sum[j] = WIDE_LOAD(bias + INTS * j);
	for (int i = 0; i < n; i += 4, weights += 4 * POLICY_WIDTH) {
		int32_t four;
		memcpy(&four, x + i, 4);
		if (four == 0)
			continue;
		wide v = WIDE(set1_epi32)(four);
		for (int j = 0; j < PARTS; j++)
			sum[j] =
			    multiply_add_8(sum[j], v, WIDE_LOAD(weights + BYTES * j));
	}
	for (int j = 0; j < PARTS; j++)
		WIDE_STORE(sums + INTS * j, sum[j]);
	for (int i = 0; i < POLICY_WIDTH; i++)
		to[i] = clip(sums[i]);
}

static void
rows(int32_t *to, const uint8_t *mixed, const int8_t *all,
    const uint16_t (*terms)[POLICY_TERMS], int n)
{
	wide v[PIECES];

	for (int k = 0; k < PIECES; k++)
		v[k] = WIDE_LOAD(mixed + BYTES * k);
	for (int i = 0; i < n; i++) {
		wide sum = WIDE(set1_epi32)(0);
		for (int j = 0; j < POLICY_TERMS; j++)
			for (int k = 0; k < PIECES; k++)
				sum = multiply_add_8(sum, v[k],
				    WIDE_LOAD(all + terms[i][j] * POLICY_WIDTH +
					BYTES * k));
		to[i] = wide_sum(sum);
	}
}
#else
static void
mix(uint8_t *to, const uint8_t *x, int n, const int8_t *weights, const int32_t *bias)
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

const struct sparse_kernels COPY(sparse_kernels) = {
	COPY_NAME,
	update,
	dot,
	squash,
	mix,
	rows,
};
