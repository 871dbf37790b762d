/*
 * The second half of a training step: each block of weights gets its gradient from the
 * parts of a batch, in their order, and Adam's update; one job a block.
 */
#ifndef TRAIN_NETUPDATE_H
#define TRAIN_NETUPDATE_H

#include "netmodel.h"

/* Updates the weights, their moments and their running mean by the sums of all parts. */
void net_update(struct net_model *m, double rate, struct threadpool *pool);

#endif
