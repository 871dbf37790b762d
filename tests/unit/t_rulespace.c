/* Rule sets as points: different rules are apart, and rules that are alike are near. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "chess/ruledraw.h"
#include "data/rulespec.h"
#include "net/rulespace.h"
#include "tap.h"

static double *points; /* of rule sets, one after the other */
static int npoints;
static int twins; /* points at nearly the same place */

static double
distance(const double *a, const double *b)
{
	double sum = 0;

	for (int i = 0; i < rulespace_dimensions(); i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sqrt(sum);
}

static double *
point_at(int i)
{
	return points + (size_t)i * (size_t)rulespace_dimensions();
}

static void
add_point(void *context, const struct rules *r)
{
	size_t d = (size_t)rulespace_dimensions();

	(void)context;
	points = xreallocarray(points, ((size_t)npoints + 1) * d, sizeof(double));
	rulespace_point(r, point_at(npoints));
	for (int i = 0; i < npoints; i++)
		if (distance(point_at(i), point_at(npoints)) < 0.05)
			twins++;
	npoints++;
}

static double
between(const char *one, const char *other)
{
	struct rules r;
	char reason[RULES_REASON_MAX];
	size_t n = (size_t)rulespace_dimensions();
	double *a = xcalloc(2 * n, sizeof(double));

	if (rulespec_read(&r, one, reason) == 0)
		rulespace_point(&r, a);
	if (rulespec_read(&r, other, reason) == 0)
		rulespace_point(&r, a + n);
	double far = distance(a, a + n);
	free(a);
	return far;
}

int
main(void)
{
	struct rules chess;
	double most = 0, least = INFINITY, size = 0;

	rules_init(&chess);
	rules_finish(&chess);
	add_point(NULL, &chess);
	for (size_t i = 0; i < rules_nfields; i++)
		if (ruledraw_is_usual(&rules_fields[i]))
			ruledraw_neighbours(&chess, &rules_fields[i], add_point, NULL);
	for (int i = 1; i < npoints; i++) {
		double far = distance(point_at(0), point_at(i));
		most = fmax(most, far);
		least = fmin(least, far);
	}
	ok(npoints > 100 && twins == 0, "chess and its %d neighbours are all apart",
	    npoints - 1);
	ok(least > 0.05 && most < 5, "neighbours of chess are %.2f to %.2f away", least,
	    most);
	for (int i = 0; i < rulespace_dimensions(); i++)
		size += fabs(point_at(0)[i]);
	ok(size == 0, "chess is 0");
	ok(between("{\"queen\":\"K\"}", "{\"queen\":\"Q2\"}") <
		between("{\"queen\":\"K\"}", "classical"),
	    "short queens are nearer to kings than to queens");
	ok(fabs(between("torpedo", "classical") -
	       between("torpedo+no-castling", "no-castling")) < 1e-9,
	    "a change of one field is as far whatever the others are");
	free(points);
	return tap_end();
}
