/*
 * Alpha-beta as a searcher: see searcher.h.
 */
#ifndef SEARCH_ABSEARCHER_H
#define SEARCH_ABSEARCHER_H

#include "ab.h"

/* The kind of struct ab_evaluator for a net that needs no file; AB_NET for all other
 * names. */
int ab_evaluator_kind(const char *name);

#endif
