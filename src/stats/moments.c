#include "moments.h"

#include <math.h>

void
moments_add(struct moments *m, double x, double weight)
{
	if (isinf(x)) {
		m->infinite++;
		return;
	}
	/* Welford's way: numbers that are all equal have just that mean. */
	double before = x - m->mean;
	m->n += weight;
	m->mean += before * weight / m->n;
	m->squares += weight * before * (x - m->mean);
}

void
moments_merge(struct moments *m, const struct moments *other)
{
	double n = m->n + other->n, apart = other->mean - m->mean;

	m->infinite += other->infinite;
	if (other->n == 0)
		return;
	m->mean += apart * other->n / n;
	m->squares += other->squares + apart * apart * m->n * other->n / n;
	m->n = n;
}

double
moments_mean(const struct moments *m)
{
	if (m->infinite > 0)
		return INFINITY;
	return m->n > 0 ? m->mean : NAN;
}

double
moments_error(const struct moments *m)
{
	if (m->infinite > 0 || m->n < 2)
		return NAN;
	return sqrt(m->squares / (m->n - 1) / m->n);
}
