/*
 * Memory that is there, or the program ends: the one place where it does.
 * Nothing that a file contains makes a program ask for memory without bound, so
 * there is nobody who could do better.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Ends the program with EXIT_LOST and "out of memory". */
__attribute__((noreturn)) void memory_out(void);

/* As malloc(3), calloc(3), reallocarray(3) and strdup(3), but never NULL, not
 * even for no bytes. */
__attribute__((malloc)) void *xmalloc(size_t n);
__attribute__((malloc)) void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
__attribute__((malloc)) char *xstrdup(const char *s);

/* For tables that are looked up all over: zeros, in whole lines of the cache, and
 * in pages of 2 MB where that many are asked for and the system has them. NULL if
 * there is no memory; free(3) gives it back. */
__attribute__((malloc)) void *memory_table(size_t bytes);

#endif
