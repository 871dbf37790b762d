/*
 * A trained net as an ONNX file, batch norm folded into the convolutions.
 */
#ifndef TRAIN_EXPORT_H
#define TRAIN_EXPORT_H

#include "base/text.h"
#include "model.h"

/* mean and variance are those of batch norm: [convs][filters]. */
struct export
{
	const struct model_layout *layout;
	const float *parameters, *mean, *variance;
	const char *rules; /* for the metadata */
	uint64_t steps;
	/* For a tower in 8 bits: each layer's highest output, and its largest
	 * number before the skip is added. NULL: a tower in 32 bits. */
	const float *highest, *largest;
};

/* Appends the file's bytes to t. 0, or -1 if there is not enough memory. */
int export_onnx(const struct export *e, struct text *t);

#endif
