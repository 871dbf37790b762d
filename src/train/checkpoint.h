/*
 * A checkpoint: the state of training in a file, to continue from. A line of text
 * has the size of the net and the steps and positions so far; then come the
 * parameters. The file is replaced atomically.
 */
#ifndef TRAIN_CHECKPOINT_H
#define TRAIN_CHECKPOINT_H

#include "base/message.h"
#include "sgd.h"

enum { CHECKPOINT_REASON_MAX = REASON_MAX };

struct checkpoint {
	int blocks, filters;
	uint64_t steps;
	uint64_t positions; /* learnt from, with repetitions */
};

/* Reads the first line: 1; 0 if there is no such file; -1 with a reason if it
 * cannot be used. */
int checkpoint_look(const char *path, struct checkpoint *c,
    char reason[CHECKPOINT_REASON_MAX]);

/* Reads the parameters into s, which must have the file's size; writes a
 * checkpoint. 0, or -1 with a reason. */
int checkpoint_read(const char *path, struct sgd *s, char reason[CHECKPOINT_REASON_MAX]);
int checkpoint_write(const char *path, const struct sgd *s, const struct checkpoint *c,
    char reason[CHECKPOINT_REASON_MAX]);

#endif
