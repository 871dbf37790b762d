/*
 * bench_native NET BATCH SECONDS FENS: how many positions a CPU second our own
 * kernels evaluate, one thread, so many at a time, from boards to probabilities of moves
 * and results. Prints the number and the kernels' name.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "common.h"
#include "net/kernels.h"
#include "net/net.h"

enum { POSITIONS_MAX = 4096, BATCH_MAX = 256 };

static struct rules rules;
static struct board boards[POSITIONS_MAX];
static move moves[POSITIONS_MAX][MOVES_MAX];
static int nmoves[POSITIONS_MAX], npositions;

static void
read_positions(const char *file)
{
	FILE *f = fopen(file, "r");
	char *line = NULL, reason[FEN_REASON_MAX];
	size_t size = 0;

	if (f == NULL)
		err(1, "%s", file);
	rules_init(&rules);
	while (npositions < POSITIONS_MAX && getline(&line, &size, f) > 0) {
		struct board *b = &boards[npositions];
		line[strcspn(line, "\n")] = '\0';
		if (fen_read(b, &rules, line, strlen(line), reason) == -1)
			continue;
		nmoves[npositions] = movegen_list(b, moves[npositions]);
		npositions++;
	}
	free(line);
	fclose(f);
}

/* The bytes of a net, which must be of our own shape. */
static struct net *
open_net(const char *file)
{
	char reason[NET_REASON_MAX];
	struct text t = { 0 };
	bool foreign;
	FILE *f = fopen(file, "rb");

	if (f == NULL)
		err(1, "%s", file);
	for (int c; (c = getc(f)) != EOF;)
		text_add_char(&t, (char)c);
	fclose(f);
	struct net *net = net_open_native(t.s, t.len, &foreign, reason);
	if (net == NULL)
		errx(1, "%s: %s", file, reason);
	text_release(&t);
	return net;
}

/* Runs for so many seconds; returns positions a second. */
static double
measure(struct net *net, int batch, double seconds)
{
	static float priors[BATCH_MAX][MOVES_MAX];
	struct net_query q[BATCH_MAX];
	char reason[NET_REASON_MAX];
	double started = cpu_seconds(), done = 0;

	for (int at = 0; cpu_seconds() - started < seconds; done += batch) {
		for (int i = 0; i < batch; i++)
			q[i] = (struct net_query){ .board = &boards[at + i],
				.repetitions = 1,
				.moves = moves[at + i],
				.nmoves = nmoves[at + i],
				.priors = priors[i] };
		if (net_evaluate(net, q, batch, reason) == -1)
			errx(1, "%s", reason);
		at = at + 2 * batch <= npositions ? at + batch : 0;
	}
	return done / (cpu_seconds() - started);
}

int
main(int argc, char *argv[])
{
	int64_t batch;
	double seconds;

	if (argc != 5 || !number_read(argv[2], 1, BATCH_MAX, &batch) ||
	    !number_read_double(argv[3], 0.01, 1000, &seconds))
		errx(2, "usage: bench_native net batch seconds fens");
	read_positions(argv[4]);
	if (npositions < batch)
		errx(1, "%s: fewer positions than the batch", argv[4]);
	struct net *net = open_net(argv[1]);
	measure(net, (int)batch, seconds / 4); /* to warm up */
	printf("%.0f %s\n", measure(net, (int)batch, seconds), kernels_best()->name);
	net_close(net);
	return 0;
}
