/*
 * A fuzzer without libFuzzer: gives each file named, and all files of each
 * directory named, to LLVMFuzzerTestOneInput(), and says how many there were.
 */
#include <dirent.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int files;

static void
replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t n = 0, got;

	if (f == NULL)
		err(1, "%s", path);
	do {
		data = realloc(data, n + 65536);
		if (data == NULL)
			err(1, NULL);
		got = fread(data + n, 1, 65536, f);
		n += got;
	} while (got > 0);
	if (ferror(f))
		err(1, "%s", path);
	fclose(f);
	/* said before, for a crash tells nothing */
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
	files++;
}

static void
replay(const char *path)
{
	struct stat st;
	struct dirent **list;

	if (stat(path, &st) == -1)
		err(1, "%s", path);
	if (!S_ISDIR(st.st_mode)) {
		replay_file(path);
		return;
	}
	int n = scandir(path, &list, NULL, alphasort);
	if (n == -1)
		err(1, "%s", path);
	for (int i = 0; i < n; i++) {
		char inside[4096];
		if (list[i]->d_name[0] != '.') {
			snprintf(inside, sizeof(inside), "%s/%s", path, list[i]->d_name);
			replay(inside);
		}
		free(list[i]);
	}
	free(list);
}

int
main(int argc, char *argv[])
{
	if (argc < 2)
		errx(2, "usage: replay file-or-directory ...");
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	printf("%d inputs\n", files);
	return files == 0;
}
