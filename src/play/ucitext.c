#include "ucitext.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

#define BLANKS " \t\r"

void
uci_say(const char *format, ...)
{
	struct text line = { 0 }, clean = { 0 };
	va_list ap;

	va_start(ap, format);
	text_add_vformat(&line, format, ap);
	va_end(ap);
	message_clean(line.s);
	text_add_utf8(&clean, line.s, line.len);
	text_add_char(&clean, '\n');
	flockfile(stdout);
	fwrite(clean.s, 1, clean.len, stdout);
	fflush(stdout);
	funlockfile(stdout);
	text_release(&clean);
	text_release(&line);
}

bool
uci_read_line(char s[UCI_LINE_MAX])
{
	size_t n = 0;
	int c;

	while ((c = getc(stdin)) != EOF && c != '\n') {
		if (n < UCI_LINE_MAX)
			s[n] = c == '\0' ? '?' : (char)c;
		n++;
	}
	if (n >= UCI_LINE_MAX) {
		uci_say("info string a line has more than %d bytes", UCI_LINE_MAX - 1);
		n = 0;
	}
	s[n] = '\0';
	return c != EOF || n > 0;
}

char *
uci_next_word(char **s)
{
	*s += strspn(*s, BLANKS);
	if (**s == '\0')
		return NULL;
	char *word = *s;
	*s += strcspn(*s, BLANKS);
	if (**s != '\0')
		*(*s)++ = '\0';
	return word;
}

bool
uci_next_number(char **s, double lowest, double highest, double *v)
{
	const char *at = *s + strspn(*s, BLANKS);

	if (!isdigit((unsigned char)*at) &&
	    !(*at == '-' && isdigit((unsigned char)at[1])))
		return false;
	*v = fmin(fmax(strtod(uci_next_word(s), NULL), lowest), highest);
	return true;
}

char *
uci_split(char *s, const char *word)
{
	size_t n = strlen(word);

	for (s += strspn(s, BLANKS); *s != '\0'; s += strspn(s, BLANKS)) {
		size_t length = strcspn(s, BLANKS);
		if (length == n && strncmp(s, word, n) == 0) {
			*s = '\0';
			return s + n;
		}
		s += length;
	}
	return NULL;
}

char *
uci_trim(char *s)
{
	s += strspn(s, BLANKS);
	size_t n = strlen(s);
	while (n > 0 && strchr(BLANKS, s[n - 1]) != NULL)
		n--;
	s[n] = '\0';
	return s;
}
