/*
 * Histograms beside plain arrays: whatever the order and the size of what is
 * added, the counts are the same.
 */
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "base/rng.h"
#include "tap.h"

enum { KEYS = 5000, CELLS_MAX = 200 };

/* Keys that differ in high bits, in low bits, and in all of them. */
static uint64_t
key_of(int i)
{
	uint64_t n = (uint64_t)i / 3 + 1;

	return i % 3 == 0 ? n : i % 3 == 1 ? n << 44 : rng_stir(n);
}

static int
compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void
test_counts(void)
{
	static uint64_t want[KEYS], keys[KEYS];
	struct histogram one = { 0 }, many = { 0 };
	struct histogram_cell cells[CELLS_MAX], *a, *b;
	struct rng rng;
	size_t na, nb, n = 0;
	bool good = true;

	rng_init(&rng, 1, 0);
	for (int k = 0; k < 2000; k++) {
		n = rng_below(&rng, CELLS_MAX);
		for (size_t i = 0; i < n; i++) {
			int key = (int)rng_below(&rng, KEYS - 1);
			cells[i] =
			    (struct histogram_cell){ key_of(key), rng_below(&rng, 9) };
			want[key] += cells[i].count;
		}
		histogram_add_cells(&many, cells, n);
		while (n-- > 0)
			histogram_add(&one, cells[n].key, cells[n].count);
	}
	for (int i = 0; i < KEYS; i++) {
		good &= histogram_get(&one, key_of(i)) == want[i] &&
		    histogram_get(&many, key_of(i)) == want[i];
		keys[i] = key_of(i);
	}
	ok(good, "%zu keys are counted as in an array", one.used);
	qsort(keys, KEYS - 1, sizeof(keys[0]), compare_keys);
	a = histogram_sorted(&one, &na);
	b = histogram_sorted(&many, &nb);
	good = na == KEYS - 1 && nb == na && memcmp(a, b, na * sizeof(*a)) == 0;
	for (size_t i = 0; good && i < na; i++)
		good &= a[i].key == keys[i];
	ok(good, "in order they are the same, however they came");
	free(a);
	free(b);
	histogram_release(&one);
	histogram_release(&many);
}

static void
test_ends(void)
{
	struct histogram h = { 0 };
	struct histogram_cell *sorted;
	size_t n = 7;

	ok(histogram_get(&h, 1) == 0 && histogram_get(&h, 0) == 0,
	    "an empty one has nothing");
	sorted = histogram_sorted(&h, &n);
	ok(sorted != NULL && n == 0, "and no cells");
	free(sorted);
	histogram_add_cells(&h, NULL, 0);
	ok(h.used == 0, "no cells add nothing");
	histogram_add(&h, UINT64_MAX, 5);
	ok(histogram_get(&h, UINT64_MAX) == 5, "the largest key");
	histogram_release(&h);
	histogram_add(&h, 3, 1);
	ok(h.used == 1 && histogram_get(&h, UINT64_MAX) == 0 && histogram_get(&h, 3) == 1,
	    "emptied, it can be used again");
	histogram_release(&h);
}

int
main(void)
{
	test_counts();
	test_ends();
	return tap_end();
}
