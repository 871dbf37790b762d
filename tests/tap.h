/*
 * TAP, the Test Anything Protocol, in a page: ok() for each test, note() for
 * what a person may want to know, and `return tap_end();` from main().
 */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failed;

/* A line of diagnosis; prove shows it even when tests pass. */
__attribute__((format(printf, 1, 2), unused)) static void
diag(const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("# ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* A comment; prove shows it only under -v. */
__attribute__((format(printf, 1, 2), unused)) static void
note(const char *format, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

/* One test. Returns whether it passed. */
__attribute__((format(printf, 2, 3), unused)) static bool
ok(bool passed, const char *format, ...)
{
	va_list ap;

	tap_failed += !passed;
	printf("%sok %d - ", passed ? "" : "not ", ++tap_count);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	return passed;
}

/* The plan; what main() returns. */
__attribute__((unused)) static int
tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0 || tap_count == 0;
}

#endif
