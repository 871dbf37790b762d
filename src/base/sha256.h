/*
 * SHA-256 (FIPS 180-4), for telling files apart by their content.
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32 };

/* The hash of n bytes. */
void sha256(const void *data, size_t n, uint8_t hash[SHA256_SIZE]);

/* Its first digits, in hexadecimal and with a NUL: digits <= 64. */
void sha256_text(const void *data, size_t n, char *text, int digits);

#endif
