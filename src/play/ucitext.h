/*
 * Lines of the UCI protocol as an engine reads and writes them. Words are
 * separated by blanks, tabs and carriage returns.
 */
#ifndef PLAY_UCITEXT_H
#define PLAY_UCITEXT_H

#include <stdbool.h>

enum {
	UCI_LINE_MAX = 1 << 18,	/* bytes of a command */
	UCI_QUOTED = 60		/* bytes that a message quotes at most */
};

/* Writes a line to standard output, from any thread. It comes out as UTF-8
 * without control characters, whatever it quotes. */
__attribute__((format(printf, 1, 2)))
void uci_say(const char *format, ...);

/* Reads a line from standard input; false at its end. A line that is too long
 * becomes empty. */
bool uci_read_line(char s[UCI_LINE_MAX]);

/* The next word, NULL if there is none; *s moves behind it. */
char *uci_next_word(char **s);

/* The next word if it is a number, clamped to a range. */
bool uci_next_number(char **s, double lowest, double highest, double *v);

/* Ends a text before a word, and returns what stands behind that; NULL if the
 * text does not have the word. */
char *uci_split(char *s, const char *word);

/* Cuts blanks off at both ends. */
char *uci_trim(char *s);

#endif
