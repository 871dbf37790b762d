/*
 * Allocation that ends the program when it fails; no other code does that. All
 * allocations are bounded, whatever a file contains, so that running out of
 * memory is not a matter of input, and callers could do nothing about it.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Ends the program with EXIT_LOST and "out of memory". */
__attribute__((noreturn)) void memory_out(void);

/* Like malloc(3), calloc(3), reallocarray(3) and strdup(3), but never NULL, not
 * even for 0 bytes. */
__attribute__((malloc)) void *xmalloc(size_t n);
__attribute__((malloc)) void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
__attribute__((malloc)) char *xstrdup(const char *s);

/* Zeroed memory for tables with random access: aligned to cache lines, and in
 * pages of 2 MB if it is that large and the system has them. NULL if there is no
 * memory. Free it with free(3). */
__attribute__((malloc)) void *memory_table(size_t bytes);

#endif
