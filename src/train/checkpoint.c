#include "checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/zio.h"

static const char head[] = "rulelab checkpoint 1: %dx%d, steps %" PRIu64
			   ", positions %" PRIu64 ", sum %016" PRIx64 "\n";
static const char head_read[] =
    "rulelab checkpoint 1: %dx%d, steps %" SCNu64 ", positions %" SCNu64 ", sum %" SCNx64;
enum { HEAD_MAX = 200 };

/* A checksum of the parameters, to detect a changed or truncated file. */
static uint64_t
check_sum(const struct sgd *s)
{
	const float *v[] = { s->parameters, s->velocity, s->average };
	uint64_t h = 0xcbf29ce484222325ULL;

	for (int i = 0; i < 3; i++)
		for (size_t j = 0; j < s->layout.parameters; j++) {
			uint32_t bits;
			memcpy(&bits, &v[i][j], sizeof(bits));
			h = (h ^ bits) * 0x100000001b3ULL;
		}
	return h;
}

static int
read_head(FILE *f, struct checkpoint *c, uint64_t *sum, char *reason)
{
	char line[HEAD_MAX];

	if (fgets(line, sizeof(line), f) == NULL ||
	    sscanf(line, head_read, &c->blocks, &c->filters, &c->steps, &c->positions,
		sum) != 5)
		return refuse(reason, "not a checkpoint");
	if (!tower_takes(c->blocks, c->filters))
		return refuse(reason, "a checkpoint of an impossible size");
	return 0;
}

int
checkpoint_look(const char *path, struct checkpoint *c,
    char reason[CHECKPOINT_REASON_MAX])
{
	FILE *f = fopen(path, "rb");
	uint64_t sum;

	if (f == NULL && errno == ENOENT)
		return 0;
	if (f == NULL)
		return refuse(reason, "%s", strerror(errno));
	int result = read_head(f, c, &sum, reason) == -1 ? -1 : 1;
	fclose(f);
	return result;
}

int
checkpoint_read(const char *path, struct sgd *s, char reason[CHECKPOINT_REASON_MAX])
{
	FILE *f = fopen(path, "rb");
	struct checkpoint c;
	uint64_t sum;
	size_t n = s->layout.parameters;

	if (f == NULL)
		return refuse(reason, "%s", strerror(errno));
	int result = read_head(f, &c, &sum, reason);
	if (result == 0 &&
	    (c.blocks != s->layout.blocks || c.filters != s->layout.filters))
		result = refuse(reason, "a checkpoint of another size");
	if (result == 0 &&
	    (fread(s->parameters, sizeof(float), n, f) != n ||
		fread(s->velocity, sizeof(float), n, f) != n ||
		fread(s->average, sizeof(float), n, f) != n || fgetc(f) != EOF))
		result = refuse(reason,
		    "a checkpoint that is truncated, or followed by other bytes");
	fclose(f);
	if (result == 0 && check_sum(s) != sum)
		result = refuse(reason, "a checkpoint whose numbers were changed");
	if (result == 0)
		s->steps = c.steps;
	return result;
}

int
checkpoint_write(const char *path, const struct sgd *s, const struct checkpoint *c,
    char reason[CHECKPOINT_REASON_MAX])
{
	char line[HEAD_MAX];
	size_t bytes = s->layout.parameters * sizeof(float);
	int n = snprintf(line, sizeof(line), head, s->layout.blocks, s->layout.filters,
	    s->steps, c->positions, check_sum(s));
	struct zout *z = zout_open(path, false);

	if (z == NULL)
		return refuse(reason, "%s", strerror(errno));
	int bad = zout_write(z, line, (size_t)n) == -1 ||
	    zout_write(z, s->parameters, bytes) == -1 ||
	    zout_write(z, s->velocity, bytes) == -1 ||
	    zout_write(z, s->average, bytes) == -1;
	return zout_close(z) == -1 || bad ? refuse(reason, "%s", strerror(errno)) : 0;
}
