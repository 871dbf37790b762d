#include "histogram.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { SIZE_MIN = 32 };
enum { RADIX_BITS = 10, RADIX = 1 << RADIX_BITS };

static size_t
first_slot(const struct histogram *h, uint64_t key)
{
	return (size_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & (h->size - 1);
}

/* The slot of the key, or the empty one where it would go. */
static size_t
slot_of(const struct histogram *h, uint64_t key)
{
	size_t i = first_slot(h, key);

	while (h->cells[i].key != key && h->cells[i].key != 0)
		i = (i + 1) & (h->size - 1);
	return i;
}

/* Makes room for n more keys; at least a quarter of the slots stay empty. */
static void
reserve(struct histogram *h, size_t n)
{
	struct histogram bigger = { 0 };

	if (h->used + n <= h->size / 4 * 3)
		return;
	bigger.size = h->size == 0 ? SIZE_MIN : h->size;
	while (h->used + n > bigger.size / 4 * 3)
		bigger.size *= 2;
	bigger.cells = xcalloc(bigger.size, sizeof(*bigger.cells));
	for (size_t i = 0; i < h->size; i++)
		if (h->cells[i].key != 0)
			bigger.cells[slot_of(&bigger, h->cells[i].key)] = h->cells[i];
	bigger.used = h->used;
	free(h->cells);
	*h = bigger;
}

/* Adds to a table that has room for another key. */
static void
add(struct histogram *h, uint64_t key, uint64_t count)
{
	struct histogram_cell *c = &h->cells[slot_of(h, key)];

	h->used += c->key == 0;
	c->key = key;
	c->count += count;
}

void
histogram_add(struct histogram *h, uint64_t key, uint64_t count)
{
	reserve(h, 1);
	add(h, key, count);
}

void
histogram_add_cells(struct histogram *h, const struct histogram_cell *cells, size_t n)
{
	reserve(h, n);
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&h->cells[first_slot(h, cells[i].key)], 1);
	for (size_t i = 0; i < n; i++)
		add(h, cells[i].key, cells[i].count);
}

uint64_t
histogram_get(const struct histogram *h, uint64_t key)
{
	return h->size == 0 || key == 0 ? 0 : h->cells[slot_of(h, key)].count;
}

uint64_t
histogram_sum(const struct histogram *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->size; i++)
		sum += h->cells[i].count;
	return sum;
}

/* One pass of a radix sort, by the digit at shift. */
static void
radix_pass(const struct histogram_cell *from, struct histogram_cell *to, size_t n,
    int shift)
{
	size_t at[RADIX] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i].key >> shift & (RADIX - 1)]++;
	for (size_t i = 0; i < RADIX; i++) {
		size_t next = sum + at[i];
		at[i] = sum;
		sum = next;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i].key >> shift & (RADIX - 1)]++] = from[i];
}

struct histogram_cell *
histogram_sorted(const struct histogram *h, size_t *n)
{
	struct histogram_cell *cells = xmalloc(h->used * sizeof(*cells));
	struct histogram_cell *other = xmalloc(h->used * sizeof(*cells));
	uint64_t bits = 0;

	*n = 0;
	for (size_t i = 0; i < h->size; i++) {
		if (h->cells[i].key != 0)
			cells[(*n)++] = h->cells[i];
		bits |= h->cells[i].key;
	}
	for (int shift = 0; shift < 64 && bits >> shift != 0; shift += RADIX_BITS) {
		radix_pass(cells, other, *n, shift);
		struct histogram_cell *swap = cells;
		cells = other;
		other = swap;
	}
	free(other);
	return cells;
}

void
histogram_release(struct histogram *h)
{
	free(h->cells);
	memset(h, 0, sizeof(*h));
}
