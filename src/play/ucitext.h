/*
 * Reads and writes lines of the UCI protocol. Words are separated by blanks, tabs
 * and carriage returns.
 */
#ifndef PLAY_UCITEXT_H
#define PLAY_UCITEXT_H

#include <stdbool.h>

enum {
	UCI_LINE_MAX = 1 << 18, /* bytes of a command */
	UCI_QUOTED = 60         /* most bytes that a message quotes */
};

/* Writes a line to standard output, from any thread, as UTF-8 without control
 * characters. */
void uci_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads a line from standard input; false at its end. A line that is too long
 * becomes empty. */
bool uci_read_line(char s[UCI_LINE_MAX]);

/* The next word, NULL if there is none; *s moves after it. */
char *uci_next_word(char **s);

/* Reads the next word as a number, clamped to a range; false if it is not one. */
bool uci_next_number(char **s, double lowest, double highest, double *v);

/* Cuts s before a word and returns the text after that; NULL if the word is not
 * there. */
char *uci_split(char *s, const char *word);

/* Removes blanks at both ends. */
char *uci_trim(char *s);

#endif
