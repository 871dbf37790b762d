/*
 * When to end the search for a move; 0: no limit. The first that is reached
 * counts.
 */
#ifndef SEARCH_LIMITS_H
#define SEARCH_LIMITS_H

#include <stdint.h>

struct limits {
	uint64_t nodes; /* of alpha-beta or an engine; visits of a tree */
	int depth;      /* plies; of a tree, of the expected line */
	double seconds;
	double cpu_seconds; /* of an engine's process; of the thread that calls
	                     * searcher_step(), and of the net for this search */
};

#endif
