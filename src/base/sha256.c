#include "sha256.h"

#include <string.h>

enum { BLOCK = 64 };

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
/* clang-format off */
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static uint32_t
rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* The message schedule: the 16 words of a block, and 48 made from them. */
static void
schedule(uint32_t w[64], const uint8_t *block)
{
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		    (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];
		w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
		    (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

static void
mix(uint32_t state[8], const uint8_t *block)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
	uint32_t w[64];

	schedule(w, block);
	for (int i = 0; i < 64; i++) {
		uint32_t t = h + constants[i] + w[i] +
		    (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
		uint32_t u = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
		    ((a & b) ^ (a & c) ^ (b & c));
		h = g, g = f, f = e, e = d + t;
		d = c, c = b, b = a, a = t + u;
	}
	state[0] += a, state[1] += b, state[2] += c, state[3] += d;
	state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void
sha256(const void *data, size_t n, uint8_t hash[SHA256_SIZE])
{
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
		0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *s = data;
	uint8_t last[2 * BLOCK] = { 0 };
	size_t rest = n % BLOCK;
	size_t blocks = rest + 9 <= BLOCK ? 1 : 2;

	for (size_t i = 0; i < n / BLOCK; i++)
		mix(state, s + i * BLOCK);
	if (rest > 0)
		memcpy(last, s + n - rest, rest);
	last[rest] = 0x80;
	for (int i = 0; i < 8; i++)
		last[blocks * BLOCK - 1 - (size_t)i] =
		    (uint8_t)((uint64_t)n * 8 >> 8 * i);
	for (size_t i = 0; i < blocks; i++)
		mix(state, last + i * BLOCK);
	for (int i = 0; i < SHA256_SIZE; i++)
		hash[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}

void
sha256_text(const void *data, size_t n, char *text, int digits)
{
	uint8_t hash[SHA256_SIZE];

	sha256(data, n, hash);
	for (int i = 0; i < digits; i++)
		text[i] =
		    "0123456789abcdef"[i % 2 == 0 ? hash[i / 2] >> 4 : hash[i / 2] & 15];
	text[digits] = '\0';
}
