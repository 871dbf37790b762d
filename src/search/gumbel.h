/*
 * Selection in Gumbel search (Danihelka et al. 2022): sequential halving among a
 * few candidates at the root; below it, visits that follow the improved policy.
 */
#ifndef SEARCH_GUMBEL_H
#define SEARCH_GUMBEL_H

#include "search.h"

/* Chooses the candidates; the root must have children. */
void gumbel_begin(struct search *s);

/* The candidate to visit next; halves their number at the end of a round. */
uint32_t gumbel_root_child(struct search *s);

/* Below the root: the child whose visits lag most behind the policy. */
uint32_t gumbel_child(const struct search *s, const struct node *n);

/* The best of the candidates, as a child of the root. */
int gumbel_choose(struct search *s);

#endif
