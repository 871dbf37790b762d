/*
 * Error messages without control characters: names and contents of files may
 * hold terminal escapes.
 */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

enum { REASON_MAX = 800 }; /* room for a reason, NUL included */

/* Formats a reason, cleaned by message_clean(), and returns -1. */
int refuse(char reason[REASON_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Replaces control characters and line ends by question marks, in place. */
void message_clean(char *s);

/* Makes stderr line-buffered, and replaces control characters in all that is
 * written to it, except line ends and tabs. Called by cli_start(). */
void message_guard(void);

#endif
