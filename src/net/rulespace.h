/*
 * A rule set as a point: what nets are told of it, as both sides see it, how its
 * pieces move and how the game begins. Different rules are different points, and
 * rules that are alike are near each other: a switch, or a piece that moves like
 * another, is about 1 away.
 */
#ifndef NET_RULESPACE_H
#define NET_RULESPACE_H

#include "chess/rules.h"

int rulespace_dimensions(void);

/* Writes as many numbers; r is finished. Chess is 0 everywhere. */
void rulespace_point(const struct rules *r, double *x);

#endif
