/*
 * Alpha-beta as a searcher: see searcher.h.
 */
#ifndef SEARCH_ABSEARCHER_H
#define SEARCH_ABSEARCHER_H

#include "ab.h"

/* The kind of struct ab_judge for a net that needs no file; AB_NET for all other
 * names. */
int ab_judge_of(const char *name);

#endif
