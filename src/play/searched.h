/*
 * A net whose prior is what a search makes of each position: shares of visits, or the
 * weights by which selfplay draws moves of alpha-beta. Whatever walks through priors can
 * so walk through the choices of a player.
 *
 * A position is searched alone, without the game before it, and without what was found in
 * other positions: its prior depends on nothing else.
 */
#ifndef PLAY_SEARCHED_H
#define PLAY_SEARCHED_H

#include "options.h"

/* NULL with a reason, as thinker_open(). Its hash is a digest of the net's and of what
 * affects the search. net_close() closes it. */
struct net *searched_open(const struct thinking *t, const struct rules *r,
    char reason[SEARCHER_REASON_MAX]);

/* The net that it searches with. */
const struct net *searched_net(const struct net *n);

#endif
