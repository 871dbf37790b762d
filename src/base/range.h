/* An estimate and its interval. */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

struct range {
	double at, lo, hi;
};

#endif
