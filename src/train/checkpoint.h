/*
 * The state of a training in a file, to continue from: a line of text with the
 * size of the net, the steps and positions so far, then the numbers. The file is
 * replaced atomically.
 */
#ifndef TRAIN_CHECKPOINT_H
#define TRAIN_CHECKPOINT_H

#include "base/message.h"
#include "sgd.h"

enum { CHECKPOINT_REASON_MAX = REASON_MAX };

struct checkpoint {
	int blocks, filters;
	uint64_t steps;
	uint64_t positions;	/* learnt from, repeats included */
};

/* 1: there is such a file, and its head is read; 0: there is none; -1 with a
 * reason. */
int checkpoint_look(const char *path, struct checkpoint *c,
    char reason[CHECKPOINT_REASON_MAX]);

/* Reads the numbers into s, whose size is that of the file. */
int checkpoint_read(const char *path, struct sgd *s,
    char reason[CHECKPOINT_REASON_MAX]);

int checkpoint_write(const char *path, const struct sgd *s,
    const struct checkpoint *c, char reason[CHECKPOINT_REASON_MAX]);

#endif
