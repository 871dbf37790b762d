#include "tower.h"

#include <stdlib.h>
#include <string.h>

const struct tower_size tower_heads[TOWER_HEADS] = {
	[TOWER_POLICY] = { NET_POLICY_PLANES, 0, false },
	[TOWER_PLANES] = { TOWER_VALUE, 0, true },
	[TOWER_FIRST] = { TOWER_HIDDEN, TOWER_VALUE, true },
	[TOWER_WDL] = { 3, TOWER_HIDDEN, false },
	[TOWER_LEFT] = { 1, TOWER_HIDDEN, false },
};

/* Hands out aligned pieces of one block; with no block it only counts. */
struct carver {
	float *block;
	size_t used;
};

static float *
carve(struct carver *c, size_t numbers)
{
	float *p = c->block == NULL ? NULL : c->block + c->used;

	c->used += kernels_length(numbers);
	return p;
}

static void
lay_out(struct tower *t, struct carver *c)
{
	size_t f = (size_t)t->filters;

	for (int i = 0; i <= 2 * t->blocks; i++) {
		t->convs[i].u = carve(c, KERNELS_POINTS * f * (i == 0 ? NET_PLANES : f));
		t->convs[i].bias = carve(c, f);
	}
	for (int i = 0; i < TOWER_LEFT; i++) {
		int from = tower_heads[i].from, to = tower_heads[i].to;
		t->heads[i].w = carve(c, (size_t)to * (from > 0 ? (size_t)from : f));
		t->heads[i].bias = carve(c, (size_t)to);
	}
}

bool
tower_takes(int blocks, int filters)
{
	return blocks >= 0 && blocks <= TOWER_BLOCKS_MAX && filters > 0 &&
	    filters <= TOWER_FILTERS_MAX && filters % KERNELS_LANES == 0;
}

int
tower_init(struct tower *t, int blocks, int filters)
{
	struct carver c = { 0 };

	memset(t, 0, sizeof(*t));
	t->kernels = kernels_best();
	t->blocks = blocks;
	t->filters = filters;
	t->convs = calloc((size_t)(1 + 2 * blocks), sizeof(*t->convs));
	if (t->convs == NULL)
		return -1;
	lay_out(t, &c);
	t->memory = c.block = kernels_allocate(c.used);
	if (t->memory == NULL)
		return -1;
	c.used = 0;
	lay_out(t, &c);
	return 0;
}

void
tower_release(struct tower *t)
{
	free(t->convs);
	free(t->memory);
	memset(t, 0, sizeof(*t));
}

int
tower_set_conv(struct tower *t, int i, const float *w, const float *bias)
{
	int c = i == 0 ? NET_PLANES : t->filters, k = t->filters;
	float *transposed = kernels_allocate((size_t)(9 * c) * (size_t)k);

	if (transposed == NULL)
		return -1;
	for (int to = 0; to < k; to++)
		for (int from = 0; from < c; from++)
			for (int at = 0; at < 9; at++)
				transposed[(size_t)(at * c + from) * (size_t)k +
				    (size_t)to] = *w++;
	t->kernels->transform_weights(transposed, t->convs[i].u, c, k);
	memcpy(t->convs[i].bias, bias, (size_t)k * sizeof(*bias));
	free(transposed);
	return 0;
}

void
tower_set_head(struct tower *t, enum tower_head head, const float *w, const float *bias)
{
	const struct tower_size *size = &tower_heads[head];
	int from = size->from > 0 ? size->from : t->filters;

	if (head == TOWER_LEFT)
		return;
	memcpy(t->heads[head].bias, bias, (size_t)size->to * sizeof(*bias));
	for (int i = 0; i < size->to; i++)
		for (int j = 0; j < from; j++)
			t->heads[head]
			    .w[size->transposed ? j * size->to + i : i * from + j] =
			    w[i * from + j];
}

int
tower_space_init(struct tower_space *s, const struct tower *t, int boards)
{
	size_t n = (size_t)boards * 64, f = (size_t)t->filters;
	int widest = t->filters > NET_PLANES ? t->filters : NET_PLANES;

	s->input = kernels_allocate(n * NET_PLANES);
	s->features = kernels_allocate(n * f);
	s->other = kernels_allocate(n * f);
	s->scratch = kernels_allocate(kernels_scratch(widest, t->filters));
	return s->input == NULL || s->features == NULL || s->other == NULL ||
		s->scratch == NULL
	    ? -1
	    : 0;
}

void
tower_space_release(struct tower_space *s)
{
	free(s->input);
	free(s->features);
	free(s->other);
	free(s->scratch);
	memset(s, 0, sizeof(*s));
}

void
tower_run(const struct tower *t, struct tower_space *s, int boards)
{
	int f = t->filters;
	struct kernels_after after = { t->convs[0].bias, NULL, true };

	t->kernels->conv3(s->input, s->features, boards, NET_PLANES, f, t->convs[0].u,
	    &after, NULL, s->scratch);
	for (int i = 1; i <= 2 * t->blocks; i += 2) {
		after = (struct kernels_after){ t->convs[i].bias, NULL, true };
		t->kernels->conv3(s->features, s->other, boards, f, f, t->convs[i].u,
		    &after, NULL, s->scratch);
		/* A block's output replaces its input: each number is added
		 * before it is overwritten. */
		after = (struct kernels_after){ t->convs[i + 1].bias, s->features, true };
		t->kernels->conv3(s->other, s->features, boards, f, f, t->convs[i + 1].u,
		    &after, NULL, s->scratch);
	}
}

float
tower_policy(const struct tower *t, const float *features, int place)
{
	int plane = place / 64, square = place % 64;

	return t->kernels->dot(features + (size_t)square * (size_t)t->filters,
		   t->heads[TOWER_POLICY].w + (size_t)plane * (size_t)t->filters,
		   t->filters) +
	    t->heads[TOWER_POLICY].bias[plane];
}

void
tower_wdl(const struct tower *t, const float *features, float wdl[3])
{
	float planes[64 * TOWER_VALUE] __attribute__((aligned(KERNELS_ALIGN)));
	float mean[TOWER_VALUE] __attribute__((aligned(KERNELS_ALIGN)));
	float hidden[TOWER_HIDDEN] __attribute__((aligned(KERNELS_ALIGN)));

	t->kernels->product(features, t->heads[TOWER_PLANES].w, planes, 64, t->filters,
	    TOWER_VALUE, false);
	t->kernels->pool(planes, t->heads[TOWER_PLANES].bias, 64, TOWER_VALUE, mean);
	for (int i = 0; i < TOWER_VALUE; i++)
		mean[i] /= 64;
	memcpy(hidden, t->heads[TOWER_FIRST].bias, sizeof(hidden));
	t->kernels->product(mean, t->heads[TOWER_FIRST].w, hidden, 1, TOWER_VALUE,
	    TOWER_HIDDEN, true);
	for (int i = 0; i < TOWER_HIDDEN; i++)
		hidden[i] = hidden[i] < 0 ? 0 : hidden[i];
	for (int i = 0; i < 3; i++)
		wdl[i] =
		    t->kernels->dot(hidden,
			t->heads[TOWER_WDL].w + (size_t)i * TOWER_HIDDEN, TOWER_HIDDEN) +
		    t->heads[TOWER_WDL].bias[i];
}
