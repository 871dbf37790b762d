#include "trend.h"

#include <math.h>
#include <string.h>

#include "special.h"

void
trend_fit(const struct trend_point *p, int n, struct trend *t)
{
	double sum = 0, sx = 0, sy = 0, xx = 0, xy = 0, far = 0;

	memset(t, 0, sizeof(*t));
	t->n = n;
	t->first = INFINITY;
	t->p_fit = NAN;
	for (int i = 0; i < n; i++) {
		double w = 1 / (p[i].se * p[i].se);
		sum += w;
		sx += w * log2(p[i].x);
		sy += w * p[i].y;
		t->first = fmin(t->first, p[i].x);
		t->last = fmax(t->last, p[i].x);
	}
	t->middle = sx / sum;
	t->mean = sy / sum;
	t->mean_se = 1 / sqrt(sum);
	for (int i = 0; i < n; i++) {
		double w = 1 / (p[i].se * p[i].se), x = log2(p[i].x) - t->middle;
		xx += w * x * x;
		xy += w * x * (p[i].y - t->mean);
	}
	t->slope = t->last > t->first ? xy / xx : NAN;
	t->slope_se = t->last > t->first ? 1 / sqrt(xx) : NAN;
	for (int i = 0; i < n; i++)
		far += pow((p[i].y - trend_at(t, p[i].x, NULL)) / p[i].se, 2);
	if (n > 2)
		t->p_fit = chi_squared_tail(far, n - 2);
}

double
trend_at(const struct trend *t, double x, double *se)
{
	double away = log2(x) - t->middle;

	if (se != NULL)
		*se = hypot(t->mean_se, away * t->slope_se);
	return t->mean + away * t->slope;
}

int
trend_may_tell(const struct trend *t, double x, double deviations)
{
	if (x >= t->first && x <= t->last)
		return !isnan(t->slope);
	double beyond = x > t->last ? x / t->last : t->first / x;
	return beyond <= 1 << TREND_DOUBLINGS && t->n >= 3 && t->p_fit >= 0.01 &&
	    t->slope > deviations * t->slope_se;
}

double
trend_miss(const struct trend *t, const struct trend_point *p)
{
	double se, y = trend_at(t, p->x, &se);

	return (y - p->y) / hypot(se, p->se);
}
