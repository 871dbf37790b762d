/*
 * Arrays of floats for training, and the arithmetic on them: alignment,
 * denormals, and which copy of a file for several instruction sets to use.
 */
#ifndef TRAIN_FLOATS_H
#define TRAIN_FLOATS_H

#include <stddef.h>

/* The length of an array, rounded up so that the one behind it is aligned, too. */
static inline size_t
floats_length(size_t numbers)
{
	return (numbers + 15) / 16 * 16;
}

/* Flushes denormals to zero in the calling thread: training makes many, and
 * processors are slow with them. */
void floats_flush_denormals(void);

/* The index in copies[] (net/copies.h) of the copy for this processor, of files
 * that are compiled with fused multiplication and addition. */
int floats_best_copy(void);

#endif
