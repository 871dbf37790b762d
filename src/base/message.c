#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

/* Control characters are those of ASCII and Latin-1, as bytes or as UTF-8. */
static void
clean(char *s, size_t n, const char *allowed)
{
	for (size_t i = 0, len; i < n; i += len) {
		const unsigned char *u = (const unsigned char *)s + i;
		len = utf8_length(u, n - i);
		bool bad = len == 0 ? *u < 0xa0
		    : len == 2      ? *u == 0xc2 && u[1] < 0xa0
				    : len == 1 && (*u < ' ' || *u == 0x7f) &&
			strchr(allowed, s[i]) == NULL;
		len = len == 0 ? 1 : len;
		if (bad)
			memset(s + i, '?', len);
	}
}

void
message_clean(char *s)
{
	clean(s, strlen(s), "");
}

int
refuse(char reason[REASON_MAX], const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, REASON_MAX, format, ap);
	va_end(ap);
	message_clean(reason);
	return -1;
}

#ifndef __wasi__ /* pages have no terminal to protect */
static ssize_t
write_clean(void *cookie, const char *s, size_t n)
{
	char copy[BUFSIZ];
	size_t done = 0;

	(void)cookie;
	while (done < n) {
		size_t part = n - done < sizeof(copy) ? n - done : sizeof(copy);
		memcpy(copy, s + done, part);
		clean(copy, part, "\n\t");
		ssize_t put = write(STDERR_FILENO, copy, part);
		if (put <= 0)
			break;
		done += (size_t)put;
	}
	return (ssize_t)done;
}

void
message_guard(void)
{
	static char buffer[BUFSIZ];
	FILE *guarded =
	    fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_clean });

	if (guarded == NULL)
		return;
	setvbuf(guarded, buffer, _IOLBF, sizeof(buffer));
	stderr = guarded;
}
#endif
