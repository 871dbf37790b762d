/*
 * The blocks of a net in 8-bit integers: unsigned activations, signed weights
 * with a scale for each filter. The scales follow from ranges that were measured
 * beforehand.
 */
#ifndef TRAIN_INT8_H
#define TRAIN_INT8_H

#include "onnxout.h"

/* A convolution [k][c][3][3] with its norm folded in, and the ranges of its input
 * and output. */
struct int8_conv {
	const char *name;
	const float *weights, *bias;
	int from, to;
	float in_highest; /* input: 0 to this */
	float out_lowest, out_highest;
};

/* Adds the convolution as QLinearConv from IN, 8-bit with tensors IN.s and IN.z
 * for its scale and zero point, to OUT with OUT.s and OUT.z. A lowest output of 0
 * implies a relu. 0, or -1 if there is not enough memory. */
int int8_conv(struct onnxout *o, const struct int8_conv *c, const char *in,
    const char *out);

/* Quantizes IN, numbers from 0 to highest, to 8 bits: OUT, with OUT.s and OUT.z. */
void int8_quantize(struct onnxout *o, const char *in, const char *out, float highest);

/* Converts IN, in 8 bits, back to floats OUT. */
void int8_dequantize(struct onnxout *o, const char *in, const char *out);

#endif
