/*
 * Rows of tables, a line at a time, TSV and JSONL mixed: what is read is text
 * that ends where it says; what is refused has a reason.
 */
#include "fuzz.h"

#include "data/rows.h"

static void
read_line(struct row *r, const uint8_t *data, size_t n)
{
	char reason[ROWS_REASON_MAX] = "";
	/* a copy, so that a look beyond its end is seen */
	char *line = malloc(n + 1);

	if (line == NULL)
		abort();
	memcpy(line, data, n);
	line[n] = '{';
	int got = row_read(r, line, n, reason);
	REQUIRE(got >= -1 && got <= 1);
	REQUIRE((got == -1) == (reason[0] != '\0'));
	for (int i = 0; i < r->count; i++)
		REQUIRE(r->value[i] == NULL || (got != 0 && r->value[i][0] != '\0'));
	free(line);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const names[] = { "measure", "ours", "theirs" };
	struct row r;

	row_init(&r, names, 3);
	while (n > 0) {
		const uint8_t *end = memchr(data, '\n', n);
		size_t len = end == NULL ? n : (size_t)(end - data);
		read_line(&r, data, len);
		len += end != NULL;
		data += len;
		n -= len;
	}
	row_release(&r);
	return 0;
}
