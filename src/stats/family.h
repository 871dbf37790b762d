/*
 * Many tests at once.  Of twenty differences that are none one looks sure at
 * the level of 5 %; the adjusted p of a test takes account of the others.
 */
#ifndef STATS_FAMILY_H
#define STATS_FAMILY_H

#include <stddef.h>

/*
 * Holm: rejecting where the adjusted p is at most a errs in any of the n tests
 * with a probability of at most a, however they depend on each other.
 *
 * Benjamini and Hochberg: of the tests rejected where it is at most q, no
 * larger share than q is expected to be wrong; for tests that are independent
 * or depend on each other positively.
 *
 * Each p is within [0,1]; adjusted may be p itself.
 */
void	family_holm(const double *p, size_t n, double *adjusted);
void	family_bh(const double *p, size_t n, double *adjusted);

#endif
