/*
 * Multiple testing.  Of twenty tests in which nothing differs, one is expected to
 * be significant at 5 %; adjusted p-values take the number of tests into account.
 */
#ifndef STATS_FAMILY_H
#define STATS_FAMILY_H

#include <stddef.h>

/*
 * Holm: rejecting tests whose adjusted p is at most a makes any error among the n
 * tests with probability at most a, however they depend on each other.
 *
 * Benjamini and Hochberg: of the tests rejected at an adjusted p of at most q, at
 * most a share of q is expected to be wrong (the false discovery rate), if tests
 * are independent or positively dependent.
 *
 * Each p is within [0,1]; adjusted may be p itself.
 */
void family_holm(const double *p, size_t n, double *adjusted);
void family_bh(const double *p, size_t n, double *adjusted);

#endif
