#include "elites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void
elites_init(struct elites *e, const double width[2])
{
	memset(e, 0, sizeof(*e));
	e->width[0] = width[0];
	e->width[1] = width[1];
}

void
elites_release(struct elites *e)
{
	free(e->all);
	memset(e, 0, sizeof(*e));
}

void
elites_cell(const struct elites *e, const double at[2], long cell[2])
{
	for (int i = 0; i < 2; i++)
		cell[i] = lround(floor(at[i] / e->width[i]));
}

const struct elite *
elites_find(const struct elites *e, const long cell[2])
{
	for (int i = 0; i < e->n; i++)
		if (e->all[i].cell[0] == cell[0] && e->all[i].cell[1] == cell[1])
			return &e->all[i];
	return NULL;
}

int
elites_offer(struct elites *e, const double at[2], double loss, int item)
{
	struct elite new = { { 0, 0 }, loss, item };

	elites_cell(e, at, new.cell);
	const struct elite *old = elites_find(e, new.cell);
	if (old != NULL && !(loss < old->loss))
		return 0;
	if (old != NULL) {
		e->all[old - e->all] = new;
		return 1;
	}
	if (e->n == e->room) {
		e->room = e->room * 2 + 16;
		e->all = xreallocarray(e->all, (size_t)e->room, sizeof(*e->all));
	}
	e->all[e->n++] = new;
	return 1;
}
