/*
 * Messages that tell what is wrong without passing on what a terminal would
 * obey: names and contents of files come from strangers.
 */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

enum { REASON_MAX = 300 };	/* room for a reason, NUL included */

/* Writes a reason, with control characters and line ends replaced, and returns
 * -1. */
__attribute__((format(printf, 2, 3)))
int refuse(char reason[REASON_MAX], const char *format, ...);

/* Replaces control characters and line ends by question marks, in place. */
void message_clean(char *s);

/* From now on all that goes through stderr is free of control characters but
 * for line ends and tabs, and comes in whole lines. Called by cli_start(). */
void message_guard(void);

#endif
