/*
 * Lines that come in any order and go out in theirs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/inorder.h"
#include "base/rng.h"
#include "tap.h"

static char path[] = "/tmp/t_inorder.XXXXXX";

static int
add(struct inorder *o, uint64_t number)
{
	struct text line = { 0 };

	text_add_format(&line, "%d\n", (int)number);
	int result = inorder_add(o, number, &line);
	return line.s != NULL ? -2 : result;
}

static const char *
written(void)
{
	static char buffer[1 << 14];
	FILE *f = fopen(path, "r");
	size_t n = f == NULL ? 0 : fread(buffer, 1, sizeof(buffer) - 1, f);

	if (f != NULL)
		fclose(f);
	buffer[n] = '\0';
	return buffer;
}

static void
test_shuffled(void)
{
	enum { LINES = 1000, FIRST = 7 };
	struct inorder o;
	struct rng rng;
	struct text want = { 0 };
	int order[LINES], failed = 0;
	struct zout *out = zout_create(path, false);

	rng_init(&rng, 1, 1);
	for (int i = 0; i < LINES; i++) {
		int j = (int)rng_below(&rng, (uint32_t)i + 1);
		order[i] = order[j];
		order[j] = i + FIRST;
		text_add_format(&want, "%d\n", i + FIRST);
	}
	inorder_start(&o, out, FIRST);
	for (int i = 0; i < LINES; i++)
		failed |= add(&o, (uint64_t)order[i]);
	ok(failed == 0 && o.nwaiting == 0 && o.next == FIRST + LINES,
	    "all have gone out");
	ok(zout_close(out) == 0 && strcmp(written(), want.s) == 0, "... in their order");
	inorder_release(&o);
	text_release(&want);
}

static void
test_gaps(void)
{
	struct inorder o;
	struct zout *out = zout_create(path, false);

	inorder_start(&o, out, 0);
	ok(add(&o, 5) == 0 && add(&o, 0) == 0 && add(&o, 2) == 0 && add(&o, 3) == 0,
	    "some come");
	ok(strcmp(written(), "0\n") == 0 && o.nwaiting == 3, "those behind a gap wait");
	ok(add(&o, 1) == 0 && strcmp(written(), "0\n1\n2\n3\n") == 0,
	    "until it is filled");
	ok(add(&o, 9) == 0 && add(&o, 7) == 0 && inorder_drain(&o) == 0 &&
		zout_close(out) == 0 && strcmp(written(), "0\n1\n2\n3\n5\n7\n9\n") == 0,
	    "or nothing more comes");
	inorder_release(&o);
}

static void
test_full(void)
{
	struct inorder o;
	struct zout *out = zout_open("/dev/full", false);

	if (out == NULL) {
		ok(true, "there is no full disk here # SKIP");
		return;
	}
	inorder_start(&o, out, 0);
	ok(add(&o, 1) == 0 && add(&o, 0) == -1, "a full disk is reported");
	inorder_release(&o);
	zout_abandon(out);
}

int
main(void)
{
	close(mkstemp(path));
	test_shuffled();
	test_gaps();
	test_full();
	unlink(path);
	return tap_end();
}
