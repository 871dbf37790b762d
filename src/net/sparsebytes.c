/*
 * The net for one rule set as bytes, for pages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "policy.h"

struct array {
	void *data;
	size_t bytes;
};

/*
 * Weights of an input differ little from zone to zone: the middle of their range is
 * written, and for each zone the difference from it, which fits 8 bits, as the range
 * is at most 255 (SPARSE_BYTE_MOST).
 */
struct zones {
	int16_t *middle; /* [SPARSE_ZONED][hidden] */
	int8_t *off;     /* [SPARSE_ZONES][SPARSE_ZONED][hidden] */
};

static int
zones_init(struct zones *z, int hidden)
{
	size_t n = SPARSE_ZONED * (size_t)hidden;

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
split_zones(struct zones *z, const int16_t *in, int hidden)
{
	size_t n = SPARSE_ZONED * (size_t)hidden;

	for (size_t i = 0; i < n; i++) {
		int least = in[i], most = least;
		for (size_t k = 1; k < SPARSE_ZONES; k++) {
			int v = in[k * n + i];
			least = v < least ? v : least;
			most = v > most ? v : most;
		}
		z->middle[i] = (int16_t)(least + (most - least + 1) / 2);
		for (size_t k = 0; k < SPARSE_ZONES; k++)
			z->off[k * n + i] = (int8_t)(in[k * n + i] - z->middle[i]);
	}
}

static void
join_zones(const struct zones *z, int16_t *in, int hidden)
{
	size_t n = SPARSE_ZONED * (size_t)hidden;

	for (size_t i = 0; i < SPARSE_ZONES * n; i++)
		in[i] = (int16_t)(z->middle[i % n] + z->off[i]);
}

enum { ARRAYS = 16 };

/* What both sides share, or one side has; returns how many. */
static int
list_common(struct sparse_ints *t, struct array list[ARRAYS])
{
	int n = 0;

	list[n++] = (struct array){ t->worth, sizeof(t->worth) };
	list[n++] = (struct array){ &t->swing, sizeof(t->swing) };
	list[n++] = (struct array){ t->out_bias, sizeof(t->out_bias) };
	if (t->mix != NULL) {
		list[n++] = (struct array){ t->mix_bias, sizeof(t->mix_bias) };
		list[n++] =
		    (struct array){ t->mix, 2 * (size_t)t->hidden * POLICY_WIDTH };
	}
	return n;
}

static int
list_side(struct sparse_ints *t, int side, const struct zones *z,
    struct array list[ARRAYS])
{
	size_t u = (size_t)t->hidden, h = u * sizeof(int16_t);
	int n = 0;

	list[n++] = (struct array){ t->bias[side], h };
	list[n++] = (struct array){ t->out[side], SPARSE_HEADS * SPARSE_BUCKETS * 2 * h };
	list[n++] = (struct array){ z->middle, SPARSE_ZONED * h };
	list[n++] = (struct array){ z->off, SPARSE_SPARE_ROWS * u };
	list[n++] = (struct array){ t->in[side] + SPARSE_SPARE_ROWS * u,
		(SPARSE_ROWS - SPARSE_SPARE_ROWS) * h };
	if (t->mix != NULL) {
		list[n++] = (struct array){ t->rows[side], POLICY_ROWS * POLICY_WIDTH };
		list[n++] =
		    (struct array){ t->row_bias[side], POLICY_ROWS * sizeof(int32_t) };
	}
	return n;
}

void
sparse_ints_write(const struct sparse_ints *t, struct text *to)
{
	struct sparse_ints same = *t; /* its arrays are only read */
	struct array list[ARRAYS];
	struct zones z;
	bool sided = sparse_ints_sided(t);
	int n = list_common(&same, list);

	text_add_format(to, "hidden %d sides %d policy %d hands %d\n", t->hidden,
	    1 + sided, t->mix != NULL, t->hands);
	for (int i = 0; i < n; i++)
		text_add(to, list[i].data, list[i].bytes);
	if (zones_init(&z, t->hidden) == -1)
		memory_out();
	for (int side = WHITE; side < 1 + sided; side++) {
		split_zones(&z, t->in[side], t->hidden);
		n = list_side(&same, side, &z, list);
		for (int i = 0; i < n; i++)
			text_add(to, list[i].data, list[i].bytes);
	}
	zones_release(&z);
}

/* ---- reading ---- */

/* Bytes that are still to be read. */
struct bytes {
	const char *at;
	size_t n;
};

static bool
take(struct bytes *from, const struct array *list, int n)
{
	for (int i = 0; i < n; i++) {
		if (from->n < list[i].bytes)
			return false;
		memcpy(list[i].data, from->at, list[i].bytes);
		from->at += list[i].bytes;
		from->n -= list[i].bytes;
	}
	return true;
}

static bool
are_in_range(const int16_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (abs(w[i]) > SPARSE_WEIGHT_MOST)
			return false;
	return true;
}

static const char *
read_side(struct sparse_ints *t, int side, struct bytes *from)
{
	size_t u = (size_t)t->hidden;
	struct array list[ARRAYS];
	struct zones z;
	const char *why = NULL;

	if (zones_init(&z, t->hidden) == -1)
		why = "no memory";
	else if (!take(from, list, list_side(t, side, &z, list)))
		why = "not as many bytes as a net of its size has";
	else if (!are_in_range(z.middle, SPARSE_ZONED * u) ||
	    !are_in_range(t->in[side] + SPARSE_SPARE_ROWS * u,
		(SPARSE_ROWS - SPARSE_SPARE_ROWS) * u))
		why = "weights that no net has";
	else
		join_zones(&z, t->in[side], t->hidden);
	zones_release(&z);
	return why;
}

const char *
sparse_ints_read(struct sparse_ints *t, const char *data, size_t n)
{
	const char *lf = memchr(data, '\n', n), *why = NULL;
	int hidden, sides, policy, hands;
	struct array list[ARRAYS];
	char line[64];

	memset(t, 0, sizeof(*t));
	if (lf == NULL || (size_t)(lf - data) >= sizeof(line))
		return "no line of sizes";
	memcpy(line, data, (size_t)(lf - data));
	line[lf - data] = '\0';
	if (sscanf(line, "hidden %d sides %d policy %d hands %d", &hidden, &sides,
		&policy, &hands) != 4 ||
	    hidden < 64 || hidden > SPARSE_HIDDEN_MAX || hidden % 64 != 0 || sides < 1 ||
	    sides > 2)
		return "a size that no net has";
	if (sparse_ints_init(t, hidden, policy != 0, sides == 2) == -1)
		return "no memory";
	t->hands = hands != 0;
	struct bytes from = { lf + 1, n - (size_t)(lf + 1 - data) };
	if (!take(&from, list, list_common(t, list)))
		why = "not as many bytes as a net of its size has";
	for (int side = WHITE; why == NULL && side < sides; side++)
		why = read_side(t, side, &from);
	if (why == NULL && from.n != 0)
		why = "more bytes than a net of its size has";
	if (why != NULL)
		sparse_ints_release(t);
	return why;
}
