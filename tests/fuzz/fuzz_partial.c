/*
 * Partial results: one byte for who reads, then lines. What is accepted is
 * written as lines that are accepted and written as the same lines; the order
 * of reading does not matter; what is refused has a reason and adds nothing.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "data/partial.h"
#include "stats/fit.h"

enum { LINES_MAX = 100 };

struct span_of_input {
	const char *s;
	size_t n;
};

static bool
any_key(const struct rules *r, uint64_t key)
{
	(void)r;
	return key != 0;
}

static bool
key_of_positions(const struct rules *r, uint64_t key)
{
	unsigned block;
	int d[FIT_PIECES], z;

	(void)r;
	return fit_key_parts(&fit_chess, key, &block, d, &z) == 0;
}

static void
start(struct tally *t, uint8_t who)
{
	tally_init(t, who & 1 ? "piecefit" : "drawstats",
	    who & 1 ? key_of_positions : any_key);
	t->by = who & 2 ? "White" : NULL;
}

/* A number that changes when something is added. */
static uint64_t
total(const struct tally *t)
{
	uint64_t sum = (uint64_t)t->ngroups;

	for (int i = 0; i < t->ngroups; i++)
		sum += t->groups[i].games + t->groups[i].sum + t->groups[i].cells.used;
	return sum;
}

static bool
read_line(struct tally *t, struct span_of_input line)
{
	char reason[GAME_REASON_MAX] = "";
	uint64_t before = total(t);
	bool good = partial_read(t, line.s, line.n, reason) == 0;

	if (!good)
		REQUIRE(total(t) == before && reason[0] != '\0' &&
		    memchr(reason, '\0', sizeof(reason)) != NULL);
	return good;
}

/* The partial result, through a file in memory. */
static void
write_all(struct tally *t, struct text *text)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[32];
	struct zout *out;

	REQUIRE(fd != -1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	tally_sort(t);
	out = zout_create(path, false);
	REQUIRE(out != NULL && partial_write(t, out) == 0 && zout_close(out) == 0);
	off_t n = lseek(fd, 0, SEEK_END);
	REQUIRE(n >= 0);
	text_reserve(text, (size_t)n);
	REQUIRE(pread(fd, text->s, (size_t)n, 0) == n);
	text->len = (size_t)n;
	close(fd);
}

static int
split(const char *s, size_t n, struct span_of_input *lines)
{
	int count = 0;

	while (n > 0 && count < LINES_MAX) {
		const char *end = memchr(s, '\n', n);
		size_t len = end != NULL ? (size_t)(end - s) : n;
		lines[count++] = (struct span_of_input){ s, len };
		n -= end != NULL ? len + 1 : len;
		s += len + 1;
	}
	return count;
}

static void
require_same(struct tally *t, const struct text *want)
{
	struct text got = { 0 };

	write_all(t, &got);
	REQUIRE(got.len == want->len && memcmp(got.s, want->s, got.len) == 0);
	text_release(&got);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct span_of_input lines[LINES_MAX];
	struct tally first, second, reversed;
	struct text text = { 0 };
	int count, good = 0;

	if (n < 1)
		return 0;
	start(&first, data[0]);
	start(&second, data[0]);
	start(&reversed, data[0]);
	count = split((const char *)data + 1, n - 1, lines);
	for (int i = 0; i < count; i++)
		if (read_line(&first, lines[i]))
			lines[good++] = lines[i];
	write_all(&first, &text);
	for (int i = good - 1; i >= 0; i--)
		REQUIRE(read_line(&reversed, lines[i]));
	require_same(&reversed, &text);
	count = split(text.s, text.len, lines);
	for (int i = 0; i < count; i++)
		REQUIRE(read_line(&second, lines[i]));
	if (count < LINES_MAX)
		require_same(&second, &text);
	text_release(&text);
	tally_release(&first);
	tally_release(&second);
	tally_release(&reversed);
	return 0;
}
