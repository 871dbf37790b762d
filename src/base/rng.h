/*
 * Random numbers whose state is passed, never global. The stream for item k
 * of seed s is rng_init(s, k): shards, batches and job counts cannot change
 * a byte.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <math.h>
#include <stdint.h>

struct rng {
	uint64_t s[4];
};

/* Mixes the bits of a number (the finaliser of splitmix64); also a good hash. */
static inline uint64_t
rng_stir(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Starts stream k of a seed. */
static inline void
rng_init(struct rng *r, uint64_t seed, uint64_t k)
{
	uint64_t z =
	    rng_stir(seed + 0x9e3779b97f4a7c15ULL) ^ rng_stir(k + 0xd1b54a32d192ed03ULL);

	for (int i = 0; i < 4; i++)
		r->s[i] = rng_stir(z += 0x9e3779b97f4a7c15ULL);
}

/* 64 random bits, by xoshiro256**. */
static inline uint64_t
rng_next(struct rng *r)
{
	uint64_t x = r->s[1] * 5, result = (x << 7 | x >> 57) * 9;
	uint64_t t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = r->s[3] << 45 | r->s[3] >> 19;
	return result;
}

/* Uniform in [0, 1). */
static inline double
rng_double(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* A normal number, by Box and Muller. */
static inline double
rng_normal(struct rng *r)
{
	double u = 1 - rng_double(r), v = rng_double(r);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* A gamma variate (Marsaglia and Tsang 2000), for shapes below 1 by the usual
 * power of a uniform one. */
static inline double
rng_gamma(struct rng *r, double shape)
{
	double scale = 1;

	if (shape < 1) {
		scale = pow(1 - rng_double(r), 1 / shape);
		shape += 1;
	}
	for (double d = shape - 1. / 3;;) {
		double x = rng_normal(r), cube = 1 + x / sqrt(9 * d);
		cube = cube * cube * cube;
		if (cube > 0 &&
		    log(1 - rng_double(r)) < x * x / 2 + d * (1 - cube + log(cube)))
			return scale * d * cube;
	}
}

/* Uniform in 0..n-1, without bias; n > 0. */
static inline uint32_t
rng_below(struct rng *r, uint32_t n)
{
	uint64_t m = (rng_next(r) >> 32) * n;

	if ((uint32_t)m < n) {
		uint32_t floor = -n % n;
		while ((uint32_t)m < floor)
			m = (rng_next(r) >> 32) * n;
	}
	return (uint32_t)(m >> 32);
}

#endif
