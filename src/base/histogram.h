/*
 * How often each of many keys came: a hash table of 64-bit keys, 0 not among
 * them, and counts. Histograms of parts can be added, and their cells in
 * order are the same whatever the order of adding was.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

struct histogram_cell {
	uint64_t key, count;
};

/* To be set to zeros before use. */
struct histogram {
	struct histogram_cell *cells;
	size_t size, used;	/* slots, a power of two; slots in use */
};

/* Counts a key so many times more; 0 is none. */
void histogram_add(struct histogram *h, uint64_t key, uint64_t count);

/* Counts many. The memory is asked for all of them before the first is needed,
 * which hides its slowness. */
void histogram_add_cells(struct histogram *h, const struct histogram_cell *cells,
    size_t n);

/* The count of a key; 0 when it never came. */
uint64_t histogram_get(const struct histogram *h, uint64_t key);

/* All cells sorted by key. Allocated; the caller frees it. */
struct histogram_cell *histogram_sorted(const struct histogram *h, size_t *n);

/* Empties it, and gives its memory back. */
void histogram_release(struct histogram *h);

#endif
