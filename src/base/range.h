/* A number and an interval of it, as statistics give and tables show it. */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

struct range {
	double at, lo, hi;
};

#endif
