/*
 * SHA-256 beside the examples of FIPS 180-4, and beside sha256sum for every
 * length around a block's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "tap.h"

static void
test(const char *data, size_t n, const char *want, const char *name)
{
	char text[65];

	sha256_text(data, n, text, 64);
	ok(strcmp(text, want) == 0, "%s", name);
}

/* What sha256sum says. */
static bool
ask(const char *data, size_t n, char want[65])
{
	char name[] = "/tmp/t_sha256.XXXXXX", command[80];
	int fd = mkstemp(name);
	FILE *f = fd == -1 ? NULL : fdopen(fd, "w");

	if (f == NULL)
		return false;
	fwrite(data, 1, n, f);
	fclose(f);
	snprintf(command, sizeof(command), "sha256sum %s", name);
	FILE *p = popen(command, "r");
	bool got = p != NULL && fread(want, 1, 64, p) == 64;
	if (p != NULL)
		pclose(p);
	remove(name);
	want[64] = '\0';
	return got;
}

int
main(void)
{
	static char million[1000000];
	char want[65], short_text[17];

	test("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	    "nothing");
	test("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	    "abc");
	memset(million, 'a', sizeof(million));
	test(million, sizeof(million),
	    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
	    "a million a");
	sha256_text("abc", 3, short_text, 16);
	ok(strcmp(short_text, "ba7816bf8f01cfea") == 0, "the first 16 digits");
	for (size_t n = 0; n < 200; n++)
		million[n] = (char)(n * 37 + 11);
	for (size_t n = 50; n < 135; n += n == 70 ? 45 : 1) {
		char name[32];
		snprintf(name, sizeof(name), "%zu bytes", n);
		if (ask(million, n, want))
			test(million, n, want, name);
	}
	return tap_end();
}
