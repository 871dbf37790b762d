/*
 * The output heads of the net in training, for one board at a time: policy, value
 * and plies left, from the tower's features. Forward, with their losses, and
 * backward.
 */
#ifndef TRAIN_HEADS_H
#define TRAIN_HEADS_H

#include "model.h"

/*
 * Adds the loss of a board of the batch to *loss and, if the model learns, its
 * gradient to gradient; d is set to the gradient of the features. planes, dplanes:
 * scratch of the calling thread, [64][TOWER_VALUE].
 */
void heads_pass(struct model *m, int board, const float *features, float *planes,
    float *dplanes, float *d, float *gradient, struct model_loss *loss);

/* The outputs of model_output(), from the features of that position. */
void heads_output(struct model *m, const float *features, float *planes,
    const uint16_t *places, int n, float *priors, float wdl[3], float *left);

#endif
