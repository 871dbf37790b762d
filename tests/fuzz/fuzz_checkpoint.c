/*
 * Checkpoints. The first byte says what the rest is: a file as it is, or changes to a
 * good one of the smallest size, each two bytes of a place and one of what to
 * put there, the last a cut. What is accepted is written as it was; what is
 * refused has a reason.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "base/zio.h"
#include "fuzz.h"
#include "train/checkpoint.h"

/* A file in memory, and its name. */
static int
open_memory(char path[40])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	REQUIRE(fd != -1);
	snprintf(path, 40, "/proc/self/fd/%d", fd);
	return fd;
}

static void
put(int fd, const void *data, size_t n)
{
	REQUIRE(ftruncate(fd, 0) == 0);
	REQUIRE(pwrite(fd, data, n, 0) == (ssize_t)n);
}

/* A good checkpoint, made once: a folder is needed, for the file is put in its
 * place only when it is whole. */
static const struct text *
good(void)
{
	static struct text t;
	struct model_layout l;
	struct sgd s;
	const struct checkpoint c = { 0, 16, 77, 123456 };
	char folder[] = P_tmpdir "/fuzz-XXXXXX", path[64];
	char reason[CHECKPOINT_REASON_MAX];

	if (t.len > 0)
		return &t;
	model_layout(&l, 0, 16);
	REQUIRE(sgd_init(&s, &l) == 0 && mkdtemp(folder) != NULL);
	model_random(&l, s.parameters, 3);
	s.steps = 77;
	snprintf(path, sizeof(path), "%s/checkpoint", folder);
	REQUIRE(checkpoint_write(path, &s, &c, reason) == 0);
	FILE *f = fopen(path, "rb");
	REQUIRE(f != NULL);
	for (int ch; (ch = getc(f)) != EOF;)
		text_add_char(&t, (char)ch);
	fclose(f);
	unlink(path);
	rmdir(folder);
	sgd_release(&s);
	return &t;
}

static void
check_reason(const char *reason)
{
	REQUIRE(reason[0] != '\0' && memchr(reason, '\0', CHECKPOINT_REASON_MAX) != NULL);
}

/* true if it was accepted */
static bool
try_file(const char *path)
{
	struct checkpoint c = { 0 };
	char reason[CHECKPOINT_REASON_MAX] = "";
	struct model_layout l;
	struct sgd s;

	int there = checkpoint_look(path, &c, reason);
	REQUIRE(there == 1 || there == -1);
	if (there == -1) {
		check_reason(reason);
		return false;
	}
	REQUIRE(c.blocks >= 0 && c.blocks <= TOWER_BLOCKS_MAX && c.filters >= 1 &&
	    c.filters <= TOWER_FILTERS_MAX && c.filters % KERNELS_LANES == 0);
	/* do not try a large one: no such file could be so small */
	model_layout(&l, 0, 16);
	REQUIRE(sgd_init(&s, &l) == 0);
	bool accepted = checkpoint_read(path, &s, reason) == 0;
	if (!accepted)
		check_reason(reason);
	else
		REQUIRE(s.steps == c.steps && c.blocks == 0 && c.filters == 16);
	sgd_release(&s);
	return accepted;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct text *whole = good();
	char path[40];
	struct text t = { 0 };
	int fd;

	if (n < 1)
		return 0;
	fd = open_memory(path);
	if (data[0] % 2 == 0) {
		put(fd, data + 1, n - 1);
		REQUIRE(!try_file(path)); /* too small for the numbers */
		close(fd);
		return 0;
	}
	text_add(&t, whole->s, whole->len);
	size_t head = (size_t)((char *)memchr(t.s, '\n', t.len) - t.s), i = 1;
	for (; i + 3 <= n; i += 3)
		t.s[(size_t)(data[i] | data[i + 1] << 8) % t.len] = (char)data[i + 2];
	if (i < n)
		t.len -= (size_t)data[i] * 97 % t.len;
	put(fd, t.s, t.len);
	/* All numbers behind the head are under its sum. */
	bool same =
	    t.len == whole->len && memcmp(t.s + head, whole->s + head, t.len - head) == 0;
	bool accepted = try_file(path);
	REQUIRE(!accepted || same);
	REQUIRE(accepted || n > 1); /* the file without a change */
	close(fd);
	text_release(&t);
	return 0;
}
