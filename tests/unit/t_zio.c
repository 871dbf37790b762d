/* Streams of bytes: zstd in and out, cut and broken frames, and files that are
 * replaced whole or not at all. */
#include "base/zio.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "base/rng.h"
#include "base/text.h"
#include "common.h"
#include "tap.h"

static char dir[] = "/tmp/t_zio.XXXXXX";

static void
write_file(const char *name, const char *s, size_t n)
{
	FILE *f = fopen(name, "w");

	if (f == NULL || fwrite(s, 1, n, f) != n || fclose(f) != 0)
		err(1, "%s", name);
}

static void
read_file(struct text *t, const char *name)
{
	FILE *f = fopen(name, "r");
	char part[4096];
	size_t n;

	text_clear(t);
	if (f == NULL)
		return;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		text_add(t, part, n);
	fclose(f);
}

static bool
file_is(const char *name, const char *s)
{
	struct text t = { 0 };

	read_file(&t, name);
	bool same = t.len == strlen(s) && (t.len == 0 || memcmp(t.s, s, t.len) == 0);
	text_release(&t);
	return same;
}

/* How many files there are in the directory. */
static int
count_files(void)
{
	DIR *d = opendir(".");
	int n = 0;

	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n - 2;
}

/* Reads all with zin, n bytes at a time; returns its error. */
static const char *
zin_all(struct text *t, const char *name, size_t n)
{
	static char message[200];
	struct zin *z = zin_open(name);
	char *part = malloc(n);
	ssize_t got;

	text_clear(t);
	if (z == NULL)
		err(1, "%s", name);
	while ((got = zin_read(z, part, n)) > 0)
		text_add(t, part, (size_t)got);
	snprintf(message, sizeof(message), "%s", got == -1 ? zin_error(z) : "");
	if ((got == -1) != (zin_error(z) != NULL) || zin_read(z, part, n) > 0)
		snprintf(message, sizeof(message), "errors come and go");
	zin_close(z);
	free(part);
	return message;
}

static void
make_text(struct text *t, size_t n)
{
	struct rng rng;

	rng_init(&rng, 9, n);
	text_clear(t);
	while (t->len < n)
		text_add_format(t, "%u e4 e5 %u\n", rng_below(&rng, 1000),
		    rng_below(&rng, 1000000));
	t->len = n;
}

static void
test_round_trip(void)
{
	static const size_t sizes[] = { 0, 1, 100, 262143, 262144, 262145, 3000000 };
	struct text text = { 0 }, back = { 0 }, raw = { 0 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		make_text(&text, sizes[i]);
		for (int kind = 0; kind < 3; kind++) {
			const char *name = kind == 2 ? "file.zst" : "file";
			struct zout *z = zout_open(name, kind == 1);
			bool good = z != NULL;
			for (size_t at = 0; good && at < text.len; at += 10007)
				good = zout_write(z, text.s + at,
					   text.len - at < 10007 ? text.len - at
								 : 10007) == 0;
			good = good && zout_close(z) == 0;
			good = good && zin_all(&back, name, 70000)[0] == '\0';
			good = good && back.len == text.len &&
			    (text.len == 0 || memcmp(back.s, text.s, text.len) == 0);
			read_file(&raw, name);
			bool packed =
			    raw.len >= 4 && memcmp(raw.s, "\x28\xb5\x2f\xfd", 4) == 0;
			ok(good && packed == (kind > 0), "%zu bytes, %s", sizes[i],
			    kind == 0       ? "plain"
				: kind == 1 ? "compressed"
					    : "by the name");
		}
	}
	ok(zin_all(&back, "file.zst", 1)[0] == '\0' && back.len == text.len &&
		memcmp(back.s, text.s, text.len) == 0,
	    "read byte by byte");
	text_release(&text);
	text_release(&back);
	text_release(&raw);
}

static void
pack(struct text *t, const char *s, size_t n, int checksum)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(n);

	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, checksum);
	text_reserve(t, room);
	t->len += ZSTD_compress2(c, t->s + t->len, room, s, n);
	ZSTD_freeCCtx(c);
}

static void
test_frames(void)
{
	static const char skippable[] = "\x5a\x2a\x4d\x18\x05\0\0\0hello";
	struct text t = { 0 }, back = { 0 };

	text_add(&t, skippable, 13);
	pack(&t, "one ", 4, 1);
	pack(&t, "two ", 4, 0);
	text_add(&t, skippable, 13);
	pack(&t, "", 0, 1);
	pack(&t, "three", 5, 1);
	text_add(&t, skippable, 13);
	write_file("frames", t.s, t.len);
	for (size_t n = 1; n < 300000; n = n * 7 + 1)
		ok(zin_all(&back, "frames", n)[0] == '\0' && back.len == 13 &&
			memcmp(back.s, "one two three", 13) == 0,
		    "frames and skippable frames, read by %zu", n);
	text_add(&t, "x", 1);
	write_file("frames", t.s, t.len);
	ok(zin_all(&back, "frames", 99)[0] != '\0' && back.len == 13,
	    "a byte behind the last frame");
	text_add(&t, "yyyyy", 5);
	write_file("frames", t.s, t.len);
	ok(strncmp(zin_all(&back, "frames", 99), "bad zstd data", 13) == 0 &&
		back.len == 13,
	    "other bytes behind the last frame");
	write_file("frames", skippable, 13);
	ok(zin_all(&back, "frames", 99)[0] == '\0' && back.len == 0,
	    "nothing but a skippable frame");
	write_file("frames", "\x28\xb5\x2f", 3);
	ok(zin_all(&back, "frames", 99)[0] == '\0' && back.len == 3,
	    "three bytes are no frame");
	text_release(&t);
	text_release(&back);
}

/* How much the library can give of the first n bytes of a frame. */
static size_t
available(const char *s, size_t n, size_t most)
{
	ZSTD_DCtx *d = ZSTD_createDCtx();
	char *room = malloc(most);
	ZSTD_inBuffer in = { s, n, 0 };
	ZSTD_outBuffer out = { room, most, 0 };
	size_t before, left = 1;

	do {
		before = out.pos + in.pos;
		left = ZSTD_decompressStream(d, &out, &in);
	} while (!ZSTD_isError(left) && left > 0 && out.pos + in.pos > before);
	ZSTD_freeDCtx(d);
	free(room);
	return out.pos;
}

/* A stream cut anywhere gives all that came before, and then an error. */
static void
test_cut(void)
{
	struct text text = { 0 }, t = { 0 }, back = { 0 };
	int wrong = 0, cuts = 0;

	make_text(&text, 700);
	pack(&t, text.s, text.len, 1);
	for (size_t n = 4; n < t.len; n++, cuts++) {
		write_file("cut", t.s, n);
		wrong += strcmp(zin_all(&back, "cut", 1 + n % 300),
			     "the zstd stream is cut short") != 0 ||
		    back.len != available(t.s, n, text.len) ||
		    memcmp(back.s == NULL ? "" : back.s, text.s, back.len) != 0;
	}
	ok(wrong == 0, "a small frame cut at each of %d places", cuts);
	make_text(&text, 3000000);
	text_clear(&t);
	pack(&t, text.s, text.len, 0);
	struct rng rng;
	rng_init(&rng, 8, 8);
	size_t most = 0;
	for (cuts = 0; cuts < 60; cuts++) {
		size_t n = 4 + rng_below(&rng, (uint32_t)t.len - 4);
		write_file("cut", t.s, n);
		wrong += strcmp(zin_all(&back, "cut", 300000),
			     "the zstd stream is cut short") != 0 ||
		    back.len != available(t.s, n, text.len) ||
		    memcmp(back.s == NULL ? "" : back.s, text.s, back.len) != 0;
		most = back.len > most ? back.len : most;
	}
	ok(wrong == 0 && most > 1000000, "a large frame cut at each of %d places", cuts);
	text_release(&text);
	text_release(&t);
	text_release(&back);
}

/* One byte changed: an error, or what the bytes mean, but never a crash; and
 * what came before is there. */
static void
test_broken(void)
{
	struct text text = { 0 }, t = { 0 }, back = { 0 };
	struct rng rng;
	int wrong = 0, errors = 0;

	make_text(&text, 1500000);
	pack(&t, text.s, text.len, 1);
	rng_init(&rng, 6, 6);
	for (int i = 0; i < 100; i++) {
		size_t at = 6 + rng_below(&rng, (uint32_t)t.len - 6);
		char saved = t.s[at];
		t.s[at] = (char)(saved ^ 1 << rng_below(&rng, 8));
		write_file("broken", t.s, t.len);
		const char *error = zin_all(&back, "broken", 400000);
		errors += error[0] != '\0';
		/* a block is 128 KiB, and those before are whole */
		size_t whole = at < 200000 ? 0 : 131072;
		wrong += error[0] == '\0' || back.len < whole ||
		    memcmp(back.s == NULL ? "" : back.s, text.s, whole) != 0;
		t.s[at] = saved;
	}
	ok(wrong == 0, "%d of 100 broken frames are found", errors);
	text_release(&text);
	text_release(&t);
	text_release(&back);
}

static int
mode_of(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 ? (int)(st.st_mode & 07777) : -1;
}

static void
test_replacing(void)
{
	struct zout *z;
	struct stat st;
	int files;

	umask(027);
	z = zout_open("new", false);
	files = count_files();
	ok(z != NULL && access("new", F_OK) == -1, "not there before the end");
	ok(zout_write(z, "text", 4) == 0 && zout_close(z) == 0 &&
		file_is("new", "text") && mode_of("new") == 0640 &&
		count_files() == files,
	    "there in the end, with the usual mode");
	chmod("new", 0604);
	z = zout_open("new", false);
	zout_write(z, "more", 4);
	ok(zout_flush(z) == 0 && file_is("new", "text"), "the old one is whole");
	zout_abandon(z);
	ok(file_is("new", "text") && count_files() == files, "and stays");
	z = zout_open("new", false);
	zout_write(z, "other", 5);
	ok(zout_close(z) == 0 && file_is("new", "other") && mode_of("new") == 0604 &&
		count_files() == files,
	    "the new one has the old one's mode");
	if (symlink("new", "link") == -1)
		err(1, "link");
	z = zout_open("link", false);
	zout_write(z, "linked", 6);
	ok(zout_close(z) == 0 && file_is("new", "linked") && lstat("link", &st) == 0 &&
		S_ISLNK(st.st_mode),
	    "a link is followed and stays one");
	ok(zout_open("none/such", false) == NULL && errno == ENOENT,
	    "a directory that is not there");
	ok(zout_open(".", false) == NULL && errno == EISDIR, "a directory");
	z = zout_open("/dev/null", false);
	ok(z != NULL && zout_write(z, "x", 1) == 0 && zout_close(z) == 0 &&
		stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode),
	    "a device is not replaced");
	z = zout_open("/dev/full", true);
	ok(z != NULL && zout_write(z, "x", 1) == 0 && zout_close(z) == -1 &&
		errno == ENOSPC,
	    "a full device");
	umask(022);
}

/* Runs a program that writes to "new" and comes to a bad end. */
static int
run_child(int sig, bool ignored)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		if (ignored)
			signal(sig, SIG_IGN);
		struct zout *z = zout_open("new", false);
		zout_write(z, "half", 4);
		zout_flush(z);
		raise(sig);
		_exit(zout_close(z) == 0 ? 7 : 8);
	}
	waitpid(child, &status, 0);
	return status;
}

static void
test_signals(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };
	int files;

	write_file("new", "old", 3);
	files = count_files();
	for (int i = 0; i < 5; i++) {
		int status = run_child(signals[i], false);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == signals[i] &&
			file_is("new", "old") && count_files() == files,
		    "%s ends it and leaves nothing behind", strsignal(signals[i]));
	}
	int status = run_child(SIGHUP, true);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 7 && file_is("new", "half") &&
		count_files() == files,
	    "a signal that was ignored stays so");
}

/* A limit on the size of files is as good as a full disk. */
static void
test_full(void)
{
	int files, status;

	write_file("new", "old", 3);
	files = count_files();
	pid_t child = fork();
	if (child == 0) {
		struct rlimit limit = { 1000000, 1000000 };
		static char zeros[300000];
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		struct zout *z = zout_open("new", false);
		int failures = 0;
		for (int i = 0; i < 8; i++)
			failures += zout_write(z, zeros, sizeof(zeros)) == -1;
		_exit(failures > 0 && zout_close(z) == -1 && errno == EFBIG ? 7 : 8);
	}
	waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 7 && file_is("new", "old") &&
		count_files() == files,
	    "what does not fit leaves the old file and nothing else");
}

static void
test_many(void)
{
	struct zout *z[20];
	char name[16];
	int files = count_files();
	bool good = true;

	for (int i = 0; i < 20; i++) {
		sprintf(name, "many%d", i);
		z[i] = zout_open(name, i % 2 == 0);
		good = good && z[i] != NULL && zout_write(z[i], name, 5) == 0;
	}
	for (int i = 0; i < 20; i++)
		if (i % 3 == 0)
			zout_abandon(z[i]);
		else
			good = good && zout_close(z[i]) == 0;
	ok(good && count_files() == files + 13, "many outputs at once");
}

int
main(void)
{
	char command[64];

	if (mkdtemp(dir) == NULL || chdir(dir) == -1)
		err(1, "%s", dir);
	test_round_trip();
	test_frames();
	test_cut();
	test_broken();
	test_replacing();
	test_signals();
	test_full();
	test_many();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	if (chdir("/") == -1 || system(command) != 0)
		warnx("%s stays behind", dir);
	return tap_end();
}
