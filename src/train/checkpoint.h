/*
 * Training as a file, to go on from: a line of text that tells the size of the
 * net, the steps and positions so far, and then the numbers. The file is
 * replaced in one piece.
 */
#ifndef TRAIN_CHECKPOINT_H
#define TRAIN_CHECKPOINT_H

#include "base/message.h"
#include "sgd.h"

enum { CHECKPOINT_REASON_MAX = REASON_MAX };

struct checkpoint {
	int blocks, filters;
	uint64_t steps;
	uint64_t positions;	/* learnt from, each as often as it was */
};

/* 1: there is such a file, and its head is read; 0: there is none; -1 with a
 * reason. */
int checkpoint_look(const char *path, struct checkpoint *c,
    char reason[CHECKPOINT_REASON_MAX]);

/* Reads the numbers into s, which has the size that the file tells. */
int checkpoint_read(const char *path, struct sgd *s,
    char reason[CHECKPOINT_REASON_MAX]);

int checkpoint_write(const char *path, const struct sgd *s,
    const struct checkpoint *c, char reason[CHECKPOINT_REASON_MAX]);

#endif
