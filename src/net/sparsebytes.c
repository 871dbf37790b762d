#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "sparse.h"

/*
 * The arrays, in the order of the bytes. Weights of an input differ little from
 * zone to zone: the middle of their range is written, and for each zone the
 * difference from it, which fits 8 bits (SPARSE_ZONE_MOST).
 */
enum { ARRAYS = 7 };
struct array {
	void *data;
	size_t bytes;
};

struct zones {
	int16_t *middle; /* [SPARSE_INPUTS][hidden] */
	int8_t *off;     /* [SPARSE_ROWS][hidden] */
};

static int
zones_init(struct zones *z, int hidden)
{
	size_t n = SPARSE_INPUTS * (size_t)hidden;

	z->middle = malloc(n * sizeof(*z->middle));
	z->off = malloc(SPARSE_ZONES * n);
	return z->middle == NULL || z->off == NULL ? -1 : 0;
}

static void
zones_release(struct zones *z)
{
	free(z->middle);
	free(z->off);
}

static void
split_zones(struct zones *z, const struct sparse_tuned *t)
{
	size_t n = SPARSE_INPUTS * (size_t)t->hidden;

	for (size_t i = 0; i < n; i++) {
		int least = t->in[i], most = least;
		for (size_t k = 1; k < SPARSE_ZONES; k++) {
			int v = t->in[k * n + i];
			least = v < least ? v : least;
			most = v > most ? v : most;
		}
		z->middle[i] = (int16_t)((least + most) / 2);
		for (size_t k = 0; k < SPARSE_ZONES; k++)
			z->off[k * n + i] = (int8_t)(t->in[k * n + i] - z->middle[i]);
	}
}

static void
join_zones(const struct zones *z, struct sparse_tuned *t)
{
	size_t n = SPARSE_INPUTS * (size_t)t->hidden;

	for (size_t i = 0; i < SPARSE_ZONES * n; i++)
		t->in[i] = (int16_t)(z->middle[i % n] + z->off[i]);
}

static void
list_arrays(struct sparse_tuned *t, const struct zones *z, struct array list[ARRAYS])
{
	size_t h = (size_t)t->hidden * sizeof(int16_t);
	size_t outs = SPARSE_HEADS * SPARSE_BUCKETS * 2 * h;

	list[0] = (struct array){ t->worth, sizeof(t->worth) };
	list[1] = (struct array){ t->out_bias, sizeof(t->out_bias) };
	list[2] = (struct array){ t->bias, h };
	list[3] = (struct array){ t->out[WHITE], outs };
	list[4] = (struct array){ t->out[BLACK], outs };
	list[5] = (struct array){ z->middle, SPARSE_INPUTS * h };
	list[6] = (struct array){ z->off, SPARSE_ROWS * (size_t)t->hidden };
}

void
sparse_tuned_write(const struct sparse_tuned *t, struct text *to)
{
	struct sparse_tuned same = *t; /* its arrays are only read */
	struct array list[ARRAYS];
	struct zones z;

	if (zones_init(&z, t->hidden) == -1)
		memory_out();
	split_zones(&z, t);
	list_arrays(&same, &z, list);
	text_add_format(to, "hidden %d\n", t->hidden);
	for (int i = 0; i < ARRAYS; i++)
		text_add(to, list[i].data, list[i].bytes);
	zones_release(&z);
}

/* Weights within the bounds of a tuned net, so that no sum exceeds 16 bits. */
static bool
are_in_range(const struct zones *z, int hidden)
{
	for (size_t i = 0; i < SPARSE_INPUTS * (size_t)hidden; i++)
		if (abs(z->middle[i]) > SPARSE_WEIGHT_MOST)
			return false;
	return true;
}

static const char *
read_arrays(struct sparse_tuned *t, const char *data, size_t n)
{
	struct array list[ARRAYS];
	struct zones z;
	const char *why = NULL;
	size_t need = 0;

	if (zones_init(&z, t->hidden) == -1) {
		why = "no memory";
	} else {
		list_arrays(t, &z, list);
		for (int i = 0; i < ARRAYS; i++)
			need += list[i].bytes;
		if (need != n)
			why = "not as many bytes as a net of its size has";
	}
	for (int i = 0; why == NULL && i < ARRAYS; i++) {
		memcpy(list[i].data, data, list[i].bytes);
		data += list[i].bytes;
	}
	if (why == NULL && !are_in_range(&z, t->hidden))
		why = "weights that no net has";
	if (why == NULL)
		join_zones(&z, t);
	zones_release(&z);
	return why;
}

const char *
sparse_tuned_read(struct sparse_tuned *t, const char *data, size_t n)
{
	const char *lf = memchr(data, '\n', n), *why;
	char line[32];
	int64_t hidden;

	if (lf == NULL || (size_t)(lf - data) >= sizeof(line))
		return "no line of sizes";
	memcpy(line, data, (size_t)(lf - data));
	line[lf - data] = '\0';
	if (strncmp(line, "hidden ", 7) != 0 ||
	    !number_read(line + 7, 64, SPARSE_HIDDEN_MAX, &hidden) || hidden % 64 != 0)
		return "a size that no net has";
	if (sparse_tuned_init(t, (int)hidden) == -1)
		return "no memory";
	why = read_arrays(t, lf + 1, n - (size_t)(lf + 1 - data));
	if (why != NULL)
		sparse_tuned_release(t);
	return why;
}
