/*
 * exact_tree RULES NET PLIES [QRULES QNET]: the opening tree of a prior by going
 * through all of it, and nothing that priorwalk, entropy and kldiv are made of
 * but the nets. For each ply t it prints t, H(t) and M(t), and with a second
 * prior D_KL(t) and A(t) as well, to 10 digits; at last the number of different
 * positions that have a move within the plies.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "net/net.h"

enum { PLIES_MAX = 6 };

struct side {
	struct rules rules;
	struct net *net;
};

static struct side p_side, q_side;
static bool compare;
static int plies;
static double h[PLIES_MAX], m[PLIES_MAX], kl[PLIES_MAX], more[PLIES_MAX];
static char **seen;
static size_t nseen, room;

static void
open_side(struct side *s, const char *rules, const char *net)
{
	char reason[NET_REASON_MAX];

	rules_of(&s->rules, rules);
	s->net = net_open(net, &(struct net_options){ 0 }, reason);
	if (s->net == NULL)
		errx(1, "%s: %s", net, reason);
}

/* The prior of one position, asked for alone; returns the number of moves. */
static int
prior_at(struct side *s, const struct board *b, move *moves, double *prior)
{
	float answer[MOVES_MAX];
	char reason[NET_REASON_MAX];
	double sum = 0;
	struct net_query query = {
		.board = b, .repetitions = 1, .moves = moves, .priors = answer
	};

	query.nmoves = movegen_list(b, moves);
	if (query.nmoves == 0)
		return 0;
	if (net_evaluate(s->net, &query, 1, reason) == -1)
		errx(1, "%s", reason);
	for (int i = 0; i < query.nmoves; i++)
		sum += (double)answer[i];
	for (int i = 0; i < query.nmoves; i++)
		prior[i] = (double)answer[i] / sum;
	return query.nmoves;
}

static double
entropy_of(const double *p, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum -= p[i] > 0 ? p[i] * log(p[i]) : 0;
	return sum;
}

/* All that concerns q in a position that p reaches with probability w. */
static void
compare_at(const struct board *b, const move *moves, const double *p, int n, double w,
    int t)
{
	static double qp[MOVES_MAX], r[2 * MOVES_MAX], sum, d;
	static move qm[MOVES_MAX];
	struct board q = *b;
	char fen[FEN_MAX];
	int nr = 0, nq;

	/* In so few plies nobody moves a king or rook and back again. */
	if (p_side.rules.castling_from[WHITE] == 0)
		q.castling = WHITE_SHORT | WHITE_LONG | BLACK_SHORT | BLACK_LONG;
	fen_write(&q, fen);
	board_of(&q, &q_side.rules, fen);
	nq = prior_at(&q_side, &q, qm, qp);
	sum = d = 0;
	for (int i = 0; i < n; i++) {
		double other = 0;
		for (int j = 0; j < nq; j++)
			other += qm[j] == moves[i] ? qp[j] : 0;
		d += p[i] * (log(p[i]) - log(other));
		sum += r[nr++] = fmax(p[i], other);
	}
	for (int j = 0; j < nq; j++) {
		bool shared = false;
		for (int i = 0; i < n; i++)
			shared |= qm[j] == moves[i];
		if (!shared)
			sum += r[nr++] = qp[j];
	}
	for (int i = 0; i < nr; i++)
		r[i] /= sum;
	kl[t] += w * d;
	more[t] += w * (exp(entropy_of(r, nr)) - exp(entropy_of(qp, nq)));
}

/* Without the number of the move: what a net sees of most rules. */
static void
remember(const struct board *b)
{
	char fen[FEN_MAX];

	if (nseen == room) {
		room = room == 0 ? 1024 : 2 * room;
		seen = realloc(seen, room * sizeof(*seen));
		if (seen == NULL)
			err(1, NULL);
	}
	fen_write(b, fen);
	*strrchr(fen, ' ') = '\0';
	seen[nseen++] = strdup(fen);
}

static void
visit(struct board *b, double w, int t)
{
	move moves[MOVES_MAX];
	double p[MOVES_MAX];
	struct undo u;
	int n;

	if (t == plies || (n = prior_at(&p_side, b, moves, p)) == 0)
		return;
	remember(b);
	h[t] += w * entropy_of(p, n);
	m[t] += w * exp(entropy_of(p, n));
	if (compare)
		compare_at(b, moves, p, n, w, t);
	for (int i = 0; i < n; i++) {
		board_make(b, moves[i], &u);
		visit(b, w * p[i], t + 1);
		board_unmake(b, moves[i], &u);
	}
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int
main(int argc, char *argv[])
{
	struct board b;
	double hs = 0, kls = 0;
	size_t different = 0;

	if ((argc != 4 && argc != 6) || (plies = atoi(argv[3])) < 1 || plies > PLIES_MAX)
		errx(2, "usage: exact_tree rules net plies [rules net]");
	open_side(&p_side, argv[1], argv[2]);
	compare = argc == 6;
	if (compare)
		open_side(&q_side, argv[4], argv[5]);
	board_start(&b, &p_side.rules);
	visit(&b, 1, 0);
	for (int t = 0; t < plies; t++) {
		hs += h[t];
		kls += kl[t];
		printf("%d\t%.10g\t%.10g", t + 1, hs, m[t]);
		if (compare)
			printf("\t%.10g\t%.10g", kls, more[t]);
		putchar('\n');
	}
	qsort(seen, nseen, sizeof(*seen), compare_texts);
	for (size_t i = 0; i < nseen; i++)
		different += i == 0 || strcmp(seen[i], seen[i - 1]) != 0;
	printf("%zu\n", different);
	return 0;
}
