#include "values.h"

#include <math.h>
#include <stdio.h>

#include "searchdata.h"

int
values_read(const struct game *g, float *values, char reason[GAME_REASON_MAX])
{
	static struct searchdata_ply ply; /* too large for the stack */
	struct searchdata data;
	int more, n = 0;

	for (int i = 0; i < g->line.plies; i++)
		values[i] = NAN;
	if (g->search.len == 0)
		return 0;
	searchdata_start(&data, game_text(g, g->search), g->search.len);
	while ((more = searchdata_next(&data, &ply)) == 1) {
		if (n < g->line.plies && ply.known)
			values[n] = (float)ply.value;
		n++;
	}
	if (more == 0 && n == g->line.plies)
		return 0;
	if (more == 0)
		return refuse(reason, "search data of %d plies, but %d were played", n,
		    g->line.plies);
	return refuse(reason, "ply %d: malformed search data", n + 1);
}
