/*
 * Counts of 64-bit keys other than 0, in a hash table. The sorted cells do not
 * depend on the order in which counts were added, so histograms of parts of a
 * stream add up to that of the whole.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

struct histogram_cell {
	uint64_t key, count;
};

/* Initialise to zeros. */
struct histogram {
	struct histogram_cell *cells;
	size_t size, used; /* slots, a power of two; slots in use */
};

/* Adds to the count of a key. */
void histogram_add(struct histogram *h, uint64_t key, uint64_t count);

/* Adds many cells; faster than one by one, as their slots are prefetched. */
void histogram_add_cells(struct histogram *h, const struct histogram_cell *cells,
    size_t n);

/* The count of a key; 0 if it was never added. */
uint64_t histogram_get(const struct histogram *h, uint64_t key);

/* The sum of all counts. */
uint64_t histogram_sum(const struct histogram *h);

/* All cells sorted by key, *n of them. The caller frees the array. */
struct histogram_cell *histogram_sorted(const struct histogram *h, size_t *n);

/* Frees the memory and leaves the histogram empty. */
void histogram_release(struct histogram *h);

#endif
