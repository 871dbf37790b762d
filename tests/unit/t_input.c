/* The window over a file: lines, their numbers and their ends, however the
 * bytes come. */
#include "base/input.h"

#include <err.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "common.h"
#include "tap.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const size_t parts[] = { 1, 2, 3, 7, 64, 4096, SIZE_MAX };

static char path[] = "/tmp/t_input.XXXXXX";

static void
write_file(const char *s, size_t n)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fwrite(s, 1, n, f) != n || fclose(f) != 0)
		err(1, "%s", path);
}

/* All lines of the file as "number:text|"; -1 is "number:long|". */
static void
read_lines(struct text *t, size_t most)
{
	struct input in;
	const char *s;
	size_t n;
	int got;

	text_clear(t);
	if (input_open(&in, path) == -1)
		err(1, "%s", path);
	in.most = most;
	while ((got = input_line(&in, &s, &n)) != 0) {
		text_add_format(t, "%llu:",
		    (unsigned long long)input_line_number(&in, got == 1 ? s : in.at - 1));
		if (got == 1)
			text_add(t, s, n);
		else
			text_add_string(t, "long");
		text_add_char(t, '|');
	}
	text_add_string(t, input_error(&in) != NULL ? input_error(&in) : "");
	input_close(&in);
}

static void
test_lines(void)
{
	static const struct {
		const char *file, *lines;
	} rows[] = {
		{ "", "" },
		{ "a", "1:a|" },
		{ "a\n", "1:a|" },
		{ "\n", "1:|" },
		{ "\n\n", "1:|2:|" },
		{ "a\nb", "1:a|2:b|" },
		{ "a\n\nb\n", "1:a|2:|3:b|" },
		{ "a\r\nb\r\n", "1:a|2:b|" },
		{ "a\r\n\r\nb", "1:a|2:|3:b|" },
		{ "a\r\nb\nc\r\n", "1:a|2:b|3:c|" },
		{ "a\rb\r", "1:a|2:b|" },
		{ "a\rb", "1:a|2:b|" },
		{ "\r", "1:|" },
		{ "\r\r", "1:|2:|" },
		{ "a\n\r", "1:a|2:|" },
		{ "\xef\xbb\xbf", "" },
		{ "\xef\xbb\xbf"
		  "a\nb\n",
		    "1:a|2:b|" },
		{ "\xef\xbb\xbf\n", "1:|" },
		{ "\xef\xbb", "1:\xef\xbb|" },
		{ "a\n\xef\xbb\xbf"
		  "b\n",
		    "1:a|2:\xef\xbb\xbf"
		    "b|" },
	};
	struct text t = { 0 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		bool good = true;
		write_file(rows[i].file, strlen(rows[i].file));
		for (size_t k = 0; k < COUNT(parts); k++) {
			read_lines(&t, parts[k]);
			good = good && strcmp(t.s, rows[i].lines) == 0;
		}
		if (!ok(good, "lines of file %zu", i))
			diag("wanted %s", rows[i].lines);
	}
	write_file("a\0b\nc", 5);
	read_lines(&t, 1);
	ok(t.len == 10 && memcmp(t.s, "1:a\0b|2:c|", 10) == 0, "a NUL in a line");
	text_release(&t);
}

/* The first 64 KiB decide what ends a line, whatever comes later. */
static void
test_beginning(void)
{
	struct text t = { 0 }, whole = { 0 };
	struct text file = { 0 };
	bool same = true;

	text_add_format(&file, "%*s\r\n", 70000, "x");
	text_add_string(&file, "a\r\nb\r\n");
	write_file(file.s, file.len);
	read_lines(&whole, SIZE_MAX);
	for (size_t k = 0; k + 1 < COUNT(parts); k++) {
		read_lines(&t, parts[k]);
		same = same && strcmp(t.s, whole.s) == 0;
	}
	ok(same && strstr(whole.s, "|2:a|3:b|") != NULL,
	    "a long first line that ends in CR LF");
	text_clear(&file);
	text_add_format(&file, "a\r%*s\nb", 70000, "x");
	write_file(file.s, file.len);
	read_lines(&whole, SIZE_MAX);
	for (size_t k = 0; k + 1 < COUNT(parts); k++) {
		read_lines(&t, parts[k]);
		same = same && strcmp(t.s, whole.s) == 0;
	}
	ok(same, "a CR, and no LF for 64 KiB");
	text_release(&t);
	text_release(&whole);
	text_release(&file);
}

/* Many lines over many windows; what is expected is made along with them. */
static void
test_windows(void)
{
	static const char *const ends[] = { "\n", "\r\n", "\r" };
	struct text file = { 0 }, want = { 0 }, t = { 0 };
	struct rng rng;

	for (int e = 0; e < 3; e++) {
		text_clear(&file);
		text_clear(&want);
		rng_init(&rng, 4, (uint64_t)e);
		for (int line = 1; file.len < 3000000; line++) {
			uint32_t n =
			    rng_below(&rng, rng_below(&rng, 50) == 0 ? 300000 : 400);
			text_add_format(&want, "%d:", line);
			for (uint32_t i = 0; i < n; i++) {
				char c = (char)('a' + rng_below(&rng, 26));
				text_add_char(&file, c);
				text_add_char(&want, c);
			}
			text_add_string(&file, ends[e]);
			text_add_char(&want, '|');
		}
		write_file(file.s, file.len);
		bool good = true;
		for (size_t k = 3; k < COUNT(parts); k++) {
			read_lines(&t, parts[k]);
			good =
			    good && t.len == want.len && memcmp(t.s, want.s, t.len) == 0;
		}
		ok(good, "3 MB of lines that end in %s",
		    e == 0       ? "LF"
			: e == 1 ? "CR LF"
				 : "CR");
	}
	text_release(&file);
	text_release(&want);
	text_release(&t);
}

/* Lines of the greatest length, and longer ones. */
static void
test_bound(void)
{
	static const size_t reads[] = { 262144, SIZE_MAX };
	char *file = malloc(4 * INPUT_LINE_MAX);
	struct text t = { 0 };

	for (int extra = -1; extra <= 2; extra++) {
		size_t n = INPUT_LINE_MAX + (size_t)extra;
		memcpy(file, "first\n", 6);
		memset(file + 6, 'x', n);
		memcpy(file + 6 + n, "\nlast\n", 6);
		bool good = true;
		for (size_t k = 0; k < COUNT(reads); k++) {
			write_file(file, n + 12);
			read_lines(&t, reads[k]);
			good = good &&
			    (extra > 0 ? strcmp(t.s, "1:first|2:long|3:last|") == 0
				       : t.len == n + 18 &&
					memcmp(t.s, "1:first|2:x", 11) == 0);
			/* without an end */
			write_file(file, n + 6);
			read_lines(&t, reads[k]);
			good = good &&
			    (extra > 0 ? strcmp(t.s, "1:first|2:long|") == 0
				       : t.len == n + 11);
		}
		ok(good, "a line of the bound and %d is %s", extra,
		    extra > 0 ? "passed over" : "read");
	}
	memset(file, 'x', 4 * INPUT_LINE_MAX);
	memcpy(file + 3 * INPUT_LINE_MAX, "\nlast", 5);
	write_file(file, 3 * INPUT_LINE_MAX + 5);
	read_lines(&t, SIZE_MAX);
	ok(strcmp(t.s, "1:long|2:last|") == 0, "a much longer line comes first");
	write_file(file, 3 * INPUT_LINE_MAX);
	read_lines(&t, SIZE_MAX);
	ok(strcmp(t.s, "1:long|") == 0, "nothing but a much longer line");
	text_release(&t);
	free(file);
}

/* Through a real pipe, a few bytes at a time. */
static void
test_pipe(void)
{
	struct input in;
	const char *s;
	size_t n;
	int ends[2], lines = 0, status, saved = dup(STDIN_FILENO);
	bool good = true;

	if (pipe(ends) == -1)
		err(1, "pipe");
	pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		for (int i = 0; i < 2000; i++) {
			char line[40];
			int len = sprintf(line, "line %d\r\n", i);
			for (int k = 0; k < len; k += 3)
				if (write(ends[1], line + k,
					(size_t)(len - k < 3 ? len - k : 3)) == -1)
					_exit(1);
		}
		_exit(0);
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	good = input_open(&in, "-") == 0 && strcmp(in.name, "standard input") == 0;
	while (good && input_line(&in, &s, &n) == 1) {
		char want[40];
		sprintf(want, "line %d", lines++);
		good = good && n == strlen(want) && memcmp(s, want, n) == 0 &&
		    input_line_number(&in, s) == (uint64_t)lines;
	}
	input_close(&in);
	waitpid(child, &status, 0);
	ok(good && lines == 2000 && status == 0, "lines through a pipe");
	dup2(saved, STDIN_FILENO);
	close(saved);
}

/* Of a stream that is cut the whole lines are read, and not the piece of one
 * that could be taken for it. */
static void
test_cut(void)
{
	struct text want = { 0 }, t = { 0 };
	struct rng rng;
	struct zout *z = zout_open(path, true);
	char line[40];
	int lines = 0;

	rng_init(&rng, 5, 5);
	for (int i = 1; i <= 60000; i++) {
		int n = sprintf(line, "%u\n", rng_below(&rng, UINT32_MAX));
		text_add_format(&want, "%d:%.*s|", i, n - 1, line);
		zout_write(z, line, (size_t)n);
	}
	if (zout_close(z) == -1 || truncate(path, 200000) == -1)
		err(1, "%s", path);
	read_lines(&t, SIZE_MAX);
	char *error = strrchr(t.s, '|') + 1;
	for (const char *c = t.s; c < error; c++)
		lines += *c == '|';
	ok(strcmp(error, "the zstd stream is cut short") == 0 && lines > 10000 &&
		memcmp(t.s, want.s, (size_t)(error - t.s)) == 0,
	    "%d whole lines before a cut", lines);
	text_release(&want);
	text_release(&t);
}

static void
test_failures(void)
{
	struct input in;

	ok(input_open(&in, "/nonexistent/file") == -1 &&
		strcmp(in.name, "/nonexistent/file") == 0,
	    "no such file");
	ok(input_open(&in, "/") == -1, "a directory");
}

/* Moving about by hand: what is kept stays, line numbers are right in any
 * order. */
static void
test_more(void)
{
	struct input in;
	struct text file = { 0 };
	bool good = true;

	for (int i = 0; i < 200000; i++)
		text_add_format(&file, "%06d\n", i);
	write_file(file.s, file.len);
	if (input_open(&in, path) == -1)
		err(1, "%s", path);
	in.most = 100003;
	good = input_more(&in, in.at) > 0 && input_line_number(&in, in.at) == 1;
	char *kept = in.at;
	while (in.end - kept < 700000 && input_more(&in, kept) > 0)
		kept = in.data;
	good = good && in.data == kept && memcmp(kept, file.s, 700000) == 0;
	good = good && input_line_number(&in, kept + 70000) == 10001 &&
	    input_line_number(&in, kept + 7) == 2 &&
	    input_line_number(&in, kept + 699999) == 100000;
	in.at = kept + 350000;
	good = good && input_more(&in, in.at) > 0 && in.at == in.data &&
	    memcmp(in.at, file.s + 350000, 1000) == 0 && in.bytes_gone == 350000 &&
	    input_line_number(&in, in.at) == 50001;
	while (input_more(&in, in.at) > 0)
		in.at = in.end - 1;
	good = good && in.ended && input_more(&in, in.at) == 0 && *in.end == '\0' &&
	    input_line_number(&in, in.at) == 200000 &&
	    input_line_number(&in, in.end) == 200001;
	ok(good, "a window moved by hand");
	input_close(&in);
	text_release(&file);
}

int
main(void)
{
	int fd = mkstemp(path);

	if (fd == -1)
		err(1, "%s", path);
	close(fd);
	test_lines();
	test_beginning();
	test_windows();
	test_bound();
	test_pipe();
	test_cut();
	test_failures();
	test_more();
	unlink(path);
	return tap_end();
}
