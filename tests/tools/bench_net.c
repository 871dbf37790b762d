/*
 * bench_net NET BATCH SECONDS FENS: how many positions a CPU second ONNX
 * Runtime alone evaluates, one thread, so many at a time: the inputs have been
 * encoded before, the outputs are not looked at. Prints the number.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#if __has_include(<onnxruntime_c_api.h>)
#include <dlfcn.h>
#include <onnxruntime_c_api.h>
#include <unistd.h>

#include "base/text.h"
#include "common.h"
#include "net/encode.h"

enum { POSITIONS_MAX = 4096 };

static const OrtApi *api;
static float *inputs;
static int npositions;

static void
check(OrtStatus *status)
{
	if (status != NULL)
		errx(1, "%s", api->GetErrorMessage(status));
}

/* As the programs do: the user's library, ours, the system's. */
static void
load_library(void)
{
	char path[4096] = "", self[4096];
	const char *home = getenv("ORT_HOME");
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	if (home != NULL)
		snprintf(path, sizeof(path), "%s/lib/libonnxruntime.so", home);
	else if (strrchr(self, '/') != NULL)
		snprintf(path, sizeof(path),
		    "%.*s/../../../onnxruntime/lib/libonnxruntime.so.1",
		    (int)(strrchr(self, '/') - self), self);
	void *library = dlopen(path, RTLD_NOW);
	if (library == NULL)
		library = dlopen("libonnxruntime.so.1", RTLD_NOW);
	if (library == NULL)
		errx(1, "%s", dlerror());
	const OrtApiBase *(*base)(void);
	*(void **)&base = dlsym(library, "OrtGetApiBase");
	if (base == NULL || (api = base()->GetApi(21)) == NULL)
		errx(1, "this ONNX Runtime is too old");
}

static OrtSession *
open_session(const char *file)
{
	OrtEnv *env;
	OrtSessionOptions *options;
	OrtSession *session;

	check(api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "bench", &env));
	check(api->CreateSessionOptions(&options));
	check(api->SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
	check(api->SetIntraOpNumThreads(options, 1));
	check(api->CreateSession(env, file, options, &session));
	return session;
}

static void
read_positions(const char *file)
{
	static struct rules rules;
	FILE *f = fopen(file, "r");
	char *line = NULL, reason[FEN_REASON_MAX];
	size_t size = 0;
	struct board b;

	if (f == NULL)
		err(1, "%s", file);
	rules_init(&rules);
	inputs = malloc(sizeof(float) * POSITIONS_MAX * NET_INPUT);
	while (npositions < POSITIONS_MAX && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (fen_read(&b, &rules, line, strlen(line), reason) == 0)
			encode_position(&b, 1, inputs + NET_INPUT * npositions++);
	}
	free(line);
	fclose(f);
}

static OrtValue *
make_tensor(const OrtMemoryInfo *memory, float *data, const int64_t *shape, size_t dims)
{
	OrtValue *value;
	size_t n = sizeof(float);

	for (size_t i = 0; i < dims; i++)
		n *= (size_t)shape[i];
	check(api->CreateTensorWithDataAsOrtValue(memory, data, n, shape, dims,
	    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value));
	return value;
}

/* Runs for so many seconds; returns positions a second. */
static double
measure(OrtSession *session, int batch, double seconds)
{
	static const char *const in[] = { "board" }, *const out[] = { "policy", "wdl" };
	const int64_t board[] = { batch, NET_PLANES, 8, 8 };
	const int64_t policy[] = { batch, NET_POLICY_PLANES, 8, 8 };
	const int64_t wdl[] = { batch, 3 };
	float *answers = malloc(sizeof(float) * (size_t)batch * (NET_POLICY + 3));
	OrtMemoryInfo *memory;
	double started = cpu_seconds(), done = 0;

	check(api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
	OrtValue *results[] = { make_tensor(memory, answers, policy, 4),
		make_tensor(memory, answers + batch * NET_POLICY, wdl, 2) };
	for (int at = 0; cpu_seconds() - started < seconds; done += batch) {
		OrtValue *input = make_tensor(memory, inputs + NET_INPUT * at, board, 4);
		check(api->Run(session, NULL, in, (const OrtValue *const *)&input, 1, out,
		    2, results));
		api->ReleaseValue(input);
		at = at + 2 * batch <= npositions ? at + batch : 0;
	}
	return done / (cpu_seconds() - started);
}

int
main(int argc, char *argv[])
{
	int64_t batch;
	double seconds;

	if (argc != 5 || !number_read(argv[2], 1, 256, &batch) ||
	    !number_read_double(argv[3], 0.01, 1000, &seconds))
		errx(2, "usage: bench_net net batch seconds fens");
	read_positions(argv[4]);
	if (npositions < batch)
		errx(1, "%s: fewer positions than the batch", argv[4]);
	load_library();
	OrtSession *session = open_session(argv[1]);
	measure(session, (int)batch, seconds / 4); /* to warm up */
	printf("%.0f\n", measure(session, (int)batch, seconds));
	return 0;
}

#else

int
main(void)
{
	errx(1, "this was built without ONNX Runtime");
}

#endif
