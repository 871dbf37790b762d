/*
 * Finds the files that come with rulelab. The source tree and an installed
 * PREFIX/share/rulelab have the same layout (bin/, man/, nets/, pipelines/,
 * src/). A program finds the folder that it belongs to from its own path:
 * TREE/bin, TREE/build/NAME/bin or PREFIX/libexec/rulelab. The environment
 * variable RULELAB_HOME overrides it.
 */
#ifndef BASE_HOME_H
#define BASE_HOME_H

#include <stddef.h>

enum { HOME_PATH_MAX = 4096 };

/* The path of a file given by its name in that folder ("nets/default.onnx").
 * -1 if it cannot be read or its path is too long. */
int home_path(char path[HOME_PATH_MAX], const char *name);

/* The folder of the running program, links resolved; -1 if unknown. */
int home_of_programs(char path[HOME_PATH_MAX]);

#endif
