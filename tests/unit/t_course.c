/*
 * The course of a game: cases worked out by hand.
 */
#include <math.h>

#include "stats/course.h"
#include "tap.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

static void
test_leads(void)
{
	static const float none[] = { 0, 0.09f, -0.09f, 0.05f };
	static const float one[] = { 0, 0.1f, 0, 0.3f, -0.05f, -0.1f };
	static const float many[] = { 0.2f, -0.2f, 0.2f, 0, -0.2f, 0, -0.5f };

	ok(course_lead_changes(none, COUNT(none)) == 0, "nobody leads");
	ok(course_lead_changes(one, COUNT(one)) == 1, "from White to Black");
	ok(course_lead_changes(many, COUNT(many)) == 3, "there and back");
	ok(course_lead_changes(many, 0) == 0 && course_lead_changes(many, 1) == 0,
	    "no position, and one");
}

static void
test_winner(void)
{
	static const float v[] = { 0.1f, -0.7f, 0.6f, 0.4f, 0.5f, 0.9f };
	static const float never[] = { 0, 0.2f, 0.4f };

	ok(course_behind(v, COUNT(v)) == (double)0.7f &&
		course_behind(never, COUNT(never)) == 0,
	    "how far behind");
	ok(course_won_from(v, COUNT(v)) == 4, "won from the fifth position on");
	ok(course_won_from(never, COUNT(never)) == 3, "never won before its end");
	ok(course_won_from(v + 4, 2) == 0, "won from the start");
}

static void
test_uncertainty(void)
{
	static const float v[] = { 0, 0.25f, -0.5f, 1, -1, 0.5f, 0.5f };

	/* Thirds of seven: 0 1 2, 3 4, 5 6. */
	ok(fabs(course_uncertainty(v, 7, -1) - 3.25 / 7) < 1e-12, "of all");
	ok(fabs(course_uncertainty(v, 7, 0) - 2.25 / 3) < 1e-12 &&
		course_uncertainty(v, 7, 1) == 0 && course_uncertainty(v, 7, 2) == 0.5,
	    "of thirds");
	ok(course_uncertainty(v, 1, 0) == 1 && isnan(course_uncertainty(v, 1, 2)) &&
		isnan(course_uncertainty(v, 0, -1)),
	    "of too few");
}

int
main(void)
{
	test_leads();
	test_winner();
	test_uncertainty();
	return tap_end();
}
