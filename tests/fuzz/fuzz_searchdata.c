/*
 * Search data: what is accepted is written again, from what was read, as text
 * that reads to what is written as the same text; numbers are within their
 * bounds; reading ends.
 */
#include <math.h>

#include "base/text.h"
#include "data/searchdata.h"
#include "fuzz.h"

enum { PLIES_MAX = 64 };

static struct searchdata_ply ply;

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
		REQUIRE(m->prior >= 0 && m->prior <= 1);
		REQUIRE(m->improved == -1 || (m->improved >= 0 && m->improved <= 1));
		REQUIRE(p->scored ? m->score >= -1 && m->score <= 1 : isnan(m->score));
	}
}

/* Reads what there is and writes it again; returns what searchdata_next() said
 * last. */
static int
rewrite(const char *s, size_t n, struct text *t)
{
	struct searchdata d;
	int more, count = 0;

	searchdata_start(&d, s, n);
	while ((more = searchdata_next(&d, &ply)) == 1 && count++ < PLIES_MAX) {
		check(&ply);
		searchdata_add(t, &ply);
	}
	searchdata_end(t);
	REQUIRE(more >= -1 && more <= 1);
	return more;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text first = { 0 }, second = { 0 };

	if (rewrite((const char *)data, size, &first) == 0) {
		REQUIRE(rewrite(first.s, first.len, &second) == 0);
		REQUIRE(first.len == second.len &&
		    memcmp(first.s, second.s, first.len) == 0);
	}
	text_release(&first);
	text_release(&second);
	return 0;
}
