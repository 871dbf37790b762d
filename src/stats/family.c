#include "family.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

struct ranked {
	double p;
	size_t at;
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static struct ranked *
sorted(const double *p, size_t n)
{
	struct ranked *r = xcalloc(n, sizeof(*r));

	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){ p[i], i };
	qsort(r, n, sizeof(*r), compare_ranked);
	return r;
}

void
family_holm(const double *p, size_t n, double *adjusted)
{
	struct ranked *r = sorted(p, n);
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		most = fmax(most, fmin(1, (double)(n - i) * r[i].p));
		adjusted[r[i].at] = most;
	}
	free(r);
}

void
family_bh(const double *p, size_t n, double *adjusted)
{
	struct ranked *r = sorted(p, n);
	double least = 1;

	for (size_t i = n; i-- > 0;) {
		least = fmin(least, (double)n / (double)(i + 1) * r[i].p);
		adjusted[r[i].at] = least;
	}
	free(r);
}
