#include "moments.h"

#include <math.h>

void
pairsums_add(struct pairsums *s, double x, double y)
{
	s->n++;
	s->x += x;
	s->y += y;
	s->xx += x * x;
	s->yy += y * y;
	s->xy += x * y;
}

void
moments_add(struct moments *m, double x, double weight)
{
	if (isinf(x)) {
		m->infinite++;
		return;
	}
	/* Welford's algorithm: equal numbers have exactly that mean. */
	double before = x - m->mean;
	m->n += weight;
	m->mean += before * weight / m->n;
	m->squares += weight * before * (x - m->mean);
}

void
comoments_add(struct comoments *m, double y, double x)
{
	double before = y - m->y.mean;

	moments_add(&m->y, y, 1);
	moments_add(&m->x, x, 1);
	m->products += before * (x - m->x.mean);
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

void
comoments_merge(struct comoments *m, const struct comoments *other)
{
	double n = m->y.n + other->y.n;

	if (other->y.n == 0)
		return;
	m->products += other->products +
	    (other->y.mean - m->y.mean) * (other->x.mean - m->x.mean) * m->y.n *
		other->y.n / n;
	moments_merge(&m->y, &other->y);
	moments_merge(&m->x, &other->x);
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
