/*
 * Where rulelab's own files are. The source tree and an installed
 * PREFIX/share/rulelab have the same shape (bin/, man/, nets/, pipelines/,
 * src/), and every program finds the one that it belongs to by its own path:
 * from TREE/bin or TREE/build/NAME/bin, or from PREFIX/libexec/rulelab.
 * RULELAB_HOME names another such folder.
 */
#ifndef BASE_HOME_H
#define BASE_HOME_H

#include <stddef.h>

enum { HOME_PATH_MAX = 4096 };

/* The path of a file that is named from there ("nets/default.onnx"). -1 when
 * there is none, or when its path is too long. */
int home_path(char path[HOME_PATH_MAX], const char *name);

/* The folder of the running program, links resolved. -1 when unknown. */
int home_of_programs(char path[HOME_PATH_MAX]);

#endif
