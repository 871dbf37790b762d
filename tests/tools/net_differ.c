/*
 * net_differ NET OTHER <FENS: how far what the other net says of positions is
 * from what the first says, under the rules of chess. Prints a line of JSON:
 * divergence of the moves' probabilities (in nats) and how often the same move is
 * likeliest, differences of the value (-1 to 1), and the positions that each
 * evaluates in a second of CPU time, 32 at a time.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common.h"
#include "net/net.h"

enum { BATCH = 32 };

struct judged {
	struct net *net;
	struct net_query query[BATCH];
	float priors[BATCH][MOVES_MAX];
	double seconds;
};

struct sums {
	int positions, same;
	double divergence, worst_divergence, value, worst_value;
};

static void
open_net(struct judged *j, const char *spec)
{
	char reason[NET_REASON_MAX];

	j->net = net_open(spec, &(struct net_options){ 0 }, reason);
	if (j->net == NULL)
		errx(1, "%s: %s", spec, reason);
	if (j->net->largest_batch < BATCH)
		errx(1, "%s: takes only %d at a time", spec, j->net->largest_batch);
}

static void
evaluate(struct judged *j, const struct board *boards, move moves[][MOVES_MAX],
    const int *nmoves, int n)
{
	char reason[NET_REASON_MAX];
	struct timespec from, to;

	for (int i = 0; i < n; i++)
		j->query[i] = (struct net_query){ .board = &boards[i],
			.repetitions = 1,
			.moves = moves[i],
			.nmoves = nmoves[i],
			.priors = j->priors[i] };
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	if (net_evaluate(j->net, j->query, n, reason) == -1)
		errx(1, "%s", reason);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	j->seconds += (double)(to.tv_sec - from.tv_sec) +
	    1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

static int
likeliest(const struct net_query *q)
{
	int best = 0;

	for (int i = 1; i < q->nmoves; i++)
		if (q->priors[i] > q->priors[best])
			best = i;
	return best;
}

static void
compare(const struct net_query *a, const struct net_query *b, struct sums *s)
{
	double divergence = 0, value = fabs((double)net_value(a) - (double)net_value(b));

	for (int i = 0; i < a->nmoves; i++)
		if (a->priors[i] > 0)
			divergence += (double)a->priors[i] *
			    log((double)a->priors[i] / (double)b->priors[i]);
	s->positions++;
	s->same += likeliest(a) == likeliest(b);
	s->divergence += divergence;
	s->worst_divergence = fmax(s->worst_divergence, divergence);
	s->value += value;
	s->worst_value = fmax(s->worst_value, value);
}

int
main(int argc, char *argv[])
{
	static struct rules rules;
	static struct judged first, other;
	static struct board boards[BATCH];
	static move moves[BATCH][MOVES_MAX];
	int nmoves[BATCH], n = 0;
	char *line = NULL, reason[FEN_REASON_MAX];
	size_t size = 0;
	struct sums s = { 0 };

	if (argc != 3)
		errx(2, "usage: net_differ net other <fens");
	rules_init(&rules);
	open_net(&first, argv[1]);
	open_net(&other, argv[2]);
	for (bool more = true; more;) {
		more = getline(&line, &size, stdin) > 0;
		if (more) {
			line[strcspn(line, "\n")] = '\0';
			if (fen_read(&boards[n], &rules, line, strlen(line), reason) ==
			    -1)
				errx(1, "%s: %s", line, reason);
			nmoves[n] = movegen_list(&boards[n], moves[n]);
			n += nmoves[n] > 0;
		}
		if (n < BATCH && more)
			continue;
		if (n > 0) {
			evaluate(&first, boards, moves, nmoves, n);
			evaluate(&other, boards, moves, nmoves, n);
		}
		for (int i = 0; i < n; i++)
			compare(&first.query[i], &other.query[i], &s);
		n = 0;
	}
	free(line);
	if (s.positions == 0)
		errx(1, "no positions");
	printf("{\"positions\":%d,\"divergence\":%.6f,\"worst_divergence\":%.6f,"
	       "\"same_move\":%.4f,\"value\":%.5f,\"worst_value\":%.5f,"
	       "\"speed\":%.0f,\"other_speed\":%.0f}\n",
	    s.positions, s.divergence / s.positions, s.worst_divergence,
	    (double)s.same / s.positions, s.value / s.positions, s.worst_value,
	    s.positions / first.seconds, s.positions / other.seconds);
	net_close(first.net);
	net_close(other.net);
	return 0;
}
