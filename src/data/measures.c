#include "measures.h"

#include <math.h>
#include <stdio.h>

#include "chess/end.h"

/* What bounds a measure. */
enum kind { MEAN, PART, SHARE, HITS, EXACT };

struct known {
	const char *name;
	enum kind kind;
};

static const struct known plain[] = {
	{ "score", SHARE },
	{ "draw_rate", SHARE },
	{ "plies_mean", MEAN },
	{ "fields", EXACT },
	{ "moves_differ", SHARE },
	{ "prior_distance", PART },
#define MEASURE(name, word, kind) { word, kind },
#include "gamemeasures.def"
#undef MEASURE
};

static const char *const kinds[] = {
#define KIND(name, word, may, class, mark) word,
#include "chess/movekinds.def"
#undef KIND
};
static const char *const ends[] = {
#define END(name, word, seen, sentence) word,
	ENDS
#undef END
};

enum {
	NPLAIN = sizeof(plain) / sizeof(plain[0]),
	NKINDS = sizeof(kinds) / sizeof(kinds[0]),
	NENDS = sizeof(ends) / sizeof(ends[0])
};

/* Shares whose names have two parts. */
static const struct family {
	const char *prefix;
	const char *const *names;
	int n;
} families[] = {
	{ "games_share:", kinds, NKINDS },
	{ "moves_share:", kinds, NKINDS },
	{ "ends:", ends, NENDS },
};
enum { NFAMILIES = sizeof(families) / sizeof(families[0]) };

/* Calls take() for the name of every measure. */
static void
list_names(void (*take)(void *context, const char *name), void *context)
{
	char name[MEASURE_NAME_MAX];

	for (int i = 0; i < NPLAIN; i++)
		take(context, plain[i].name);
	for (const struct family *f = families; f < families + NFAMILIES; f++)
		for (int i = 0; i < f->n; i++) {
			snprintf(name, sizeof(name), "%s%s", f->prefix, f->names[i]);
			take(context, name);
		}
}

static bool
find_plain(struct measure *m, const char *name)
{
	for (int i = 0; i < NPLAIN; i++) {
		if (strcmp(plain[i].name, name) != 0)
			continue;
		bool free = plain[i].kind == MEAN || plain[i].kind == EXACT;
		m->highest = free ? INFINITY : 1;
		m->exact = plain[i].kind == EXACT;
		return true;
	}
	return false;
}

static bool
find_share(struct measure *m, const char *name)
{
	for (const struct family *f = families; f < families + NFAMILIES; f++) {
		size_t n = strlen(f->prefix);
		if (strncmp(name, f->prefix, n) != 0)
			continue;
		for (int i = 0; i < f->n; i++) {
			if (strcmp(f->names[i], name + n) == 0) {
				m->highest = 1;
				m->absent = f->names == kinds;
				return true;
			}
		}
	}
	return false;
}

enum { BEGINNING = 4 }; /* letters that are enough to know a name by */

/* The name that is nearest to a wrong one, copied, since lists are made up. */
struct search {
	const char *wrong;
	size_t prefix; /* as much of it as names must begin with */
	int best;
	char nearest[MEASURE_NAME_MAX];
};

static void
compare_name(void *context, const char *name)
{
	struct search *s = context;
	const char *found = NULL;
	size_t n = strlen(s->wrong);

	if (strncmp(name, s->wrong, s->prefix) != 0)
		return;
	/* "draws" is draw_rate rather than drama */
	n -= n > 0 && s->wrong[n - 1] == 's';
	if (n >= BEGINNING && n > s->prefix && strncmp(name, s->wrong, n) == 0 &&
	    s->best > 1) {
		s->best = 1;
		snprintf(s->nearest, sizeof(s->nearest), "%s", name);
	}
	text_try_nearest(name, s->wrong, strlen(s->wrong), &s->best, &found);
	if (found != NULL)
		snprintf(s->nearest, sizeof(s->nearest), "%s", found);
}

int
measure_find(struct measure *m, const char *name, char reason[REASON_MAX])
{
	struct search s = { name, 0, (int)strlen(name) / 2 + 1, "" };

	memset(m, 0, sizeof(*m));
	if (strlen(name) < MEASURE_NAME_MAX &&
	    (find_plain(m, name) || find_share(m, name))) {
		snprintf(m->name, sizeof(m->name), "%s", name);
		return 0;
	}
	for (const struct family *f = families; f < families + NFAMILIES; f++)
		if (strncmp(name, f->prefix, strlen(f->prefix)) == 0)
			s.prefix = strlen(f->prefix);
	list_names(compare_name, &s);
	return refuse(reason,
	    s.nearest[0] != '\0' ? "unknown measure '%.60s'; did you mean %s?"
				 : "unknown measure '%.60s'",
	    name, s.nearest);
}
