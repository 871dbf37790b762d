#include "course.h"

#include <math.h>

static int
leader(float value)
{
	return (value >= (float)COURSE_AHEAD) - (value <= -(float)COURSE_AHEAD);
}

int
course_lead_changes(const float *value, int n)
{
	int changes = 0, last = 0;

	for (int i = 0; i < n; i++) {
		int now = leader(value[i]);
		changes += now * last == -1;
		last = now != 0 ? now : last;
	}
	return changes;
}

double
course_behind(const float *value, int n)
{
	float least = 0;

	for (int i = 0; i < n; i++)
		least = fminf(least, value[i]);
	return -(double)least;
}

int
course_won_from(const float *value, int n)
{
	while (n > 0 && value[n - 1] >= (float)COURSE_WON)
		n--;
	return n;
}

double
course_uncertainty(const float *value, int n, int third)
{
	double sum = 0;
	int count = 0;

	for (int i = 0; i < n; i++)
		if (third == -1 || 3 * i / n == third) {
			sum += 1 - fabs((double)value[i]);
			count++;
		}
	return sum / count;
}
