/*
 * Search data: what is accepted is written again, from what was read, as text
 * that reads to the same; numbers are within their bounds; reading ends.
 */
#include <math.h>

#include "base/text.h"
#include "data/searchdata.h"
#include "fuzz.h"

enum { PLIES_MAX = 64 };

static struct searchdata_ply plies[PLIES_MAX], again;

static void
check(const struct searchdata_ply *p)
{
	REQUIRE(p->n >= 0 && p->n <= MOVES_MAX);
	REQUIRE(p->value >= -1 && p->value <= 1);
	REQUIRE(p->draw == -1 || (p->draw >= 0 && p->draw <= 1));
	REQUIRE(p->known || p->n == 0);
	for (int i = 0; i < p->n; i++) {
		const struct searchdata_move *m = &p->moves[i];
		REQUIRE(memchr(m->name, '\0', sizeof(m->name)) != NULL);
		REQUIRE(m->visits >= 0 && isfinite(m->visits));
		REQUIRE(isfinite(m->prior) && isfinite(m->improved));
		REQUIRE(m->improved == -1 || m->improved >= 0);
	}
}

static void
write_ply(struct text *t, const struct searchdata_ply *p)
{
	if (!p->known) {
		text_add_string(t, "null");
		return;
	}
	text_add_format(t, "{\"value\":%.9g,", (double)p->value);
	if (p->draw >= 0)
		text_add_format(t, "\"draw\":%.9g,", (double)p->draw);
	text_add_string(t, "\"moves\":{");
	for (int i = 0; i < p->n; i++) {
		const struct searchdata_move *m = &p->moves[i];
		text_add_format(t, "%s\"%s\":[%.9g,%.9g", i > 0 ? "," : "",
		    m->name, (double)m->visits, (double)m->prior);
		if (m->improved >= 0)
			text_add_format(t, ",%.9g", (double)m->improved);
		text_add_char(t, ']');
	}
	text_add_string(t, "}}");
}

static void
require_same(const struct searchdata_ply *a, const struct searchdata_ply *b)
{
	REQUIRE(a->known == b->known && a->n == b->n && a->value == b->value &&
	    a->draw == b->draw);
	for (int i = 0; i < a->n; i++)
		REQUIRE(strcmp(a->moves[i].name, b->moves[i].name) == 0 &&
		    a->moves[i].visits == b->moves[i].visits &&
		    a->moves[i].prior == b->moves[i].prior &&
		    a->moves[i].improved == b->moves[i].improved);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct searchdata d;
	struct text t = { 0 };
	int n = 0, more;

	searchdata_start(&d, (const char *)data, size);
	while ((more = searchdata_next(&d, &plies[n])) == 1) {
		check(&plies[n]);
		text_add_char(&t, n == 0 ? '[' : ',');
		write_ply(&t, &plies[n]);
		if (++n == PLIES_MAX)
			break;
	}
	REQUIRE(more >= -1 && more <= 1);
	if (more == 0 && n > 0) {
		text_add_char(&t, ']');
		searchdata_start(&d, t.s, t.len);
		for (int i = 0; i < n; i++) {
			REQUIRE(searchdata_next(&d, &again) == 1);
			require_same(&plies[i], &again);
		}
		REQUIRE(searchdata_next(&d, &again) == 0);
	}
	text_release(&t);
	return 0;
}
