/*
 * The policy's integer arithmetic. This file is compiled once for each
 * instruction set (-DKERNELS=name); all copies give the same integers.
 */
#include "policy.h"

#include "copies.h"
#include "wide.h"

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
multiply_add(wide sum, wide a, wide b)
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
			sum[j] = multiply_add(sum[j], v, WIDE_LOAD(weights + BYTES * j));
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
				sum = multiply_add(sum, v[k],
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

const struct policy_kernels COPY(policy_kernels) = {
	COPY_NAME,
	squash,
	mix,
	rows,
};
