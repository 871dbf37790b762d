#include <stdio.h>

#include "sparse.h"

/* The arrays, in the order of the bytes. */
enum { ARRAYS = 6 };
struct array {
	void *data;
	size_t bytes;
};

static void
list_arrays(struct sparse_tuned *t, struct array list[ARRAYS])
{
	size_t h = (size_t)t->hidden * sizeof(int16_t);
	size_t outs = SPARSE_HEADS * SPARSE_BUCKETS * 2 * h;

	list[0] = (struct array){ t->worth, sizeof(t->worth) };
	list[1] = (struct array){ t->out_bias, sizeof(t->out_bias) };
	list[2] = (struct array){ t->bias, h };
	list[3] = (struct array){ t->out[WHITE], outs };
	list[4] = (struct array){ t->out[BLACK], outs };
	list[5] = (struct array){ t->in, SPARSE_INPUTS * h };
}

void
sparse_tuned_write(const struct sparse_tuned *t, struct text *to)
{
	struct sparse_tuned same = *t;	/* its arrays are only read */
	struct array list[ARRAYS];

	text_add_format(to, "hidden %d\n", t->hidden);
	list_arrays(&same, list);
	for (int i = 0; i < ARRAYS; i++)
		text_add(to, list[i].data, list[i].bytes);
}

const char *
sparse_tuned_read(struct sparse_tuned *t, const char *data, size_t n)
{
	struct array list[ARRAYS];
	const char *lf = memchr(data, '\n', n);
	char line[32];
	int64_t hidden;
	size_t need = 0;

	if (lf == NULL || (size_t)(lf - data) >= sizeof(line))
		return "no line of sizes";
	memcpy(line, data, (size_t)(lf - data));
	line[lf - data] = '\0';
	if (strncmp(line, "hidden ", 7) != 0 ||
	    !number_read(line + 7, 64, SPARSE_HIDDEN_MAX, &hidden) ||
	    hidden % 64 != 0)
		return "a size that no net has";
	if (sparse_tuned_init(t, (int)hidden) == -1)
		return "no memory";
	list_arrays(t, list);
	for (int i = 0; i < ARRAYS; i++)
		need += list[i].bytes;
	if (need != n - (size_t)(lf + 1 - data)) {
		sparse_tuned_release(t);
		return "not as many bytes as a net of its size has";
	}
	data = lf + 1;
	for (int i = 0; i < ARRAYS; i++, data += list[i - 1].bytes)
		memcpy(list[i].data, data, list[i].bytes);
	return NULL;
}
