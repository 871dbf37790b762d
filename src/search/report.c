#include "report.h"

#include <stdlib.h>

/* The winner takes the shortest way that is known, the loser the longest. */
static int
plies_to_end(const struct search *s, const struct node *n)
{
	const struct node *child = &s->tree.nodes[n->children];
	int best = 0;

	if (n->children == 0)
		return 1;
	for (int i = 0; i < n->nchildren; i++) {
		if (child[i].proof != -n->proof)
			continue;
		int plies = plies_to_end(s, &child[i]);
		if (best == 0 || (n->proof > 0 ? plies > best : plies < best))
			best = plies;
	}
	return best + 1;
}

static struct report
make_report(const struct search *s, const struct node *n)
{
	return (struct report){ n, n->proof != 0 ? plies_to_end(s, n) : 0 };
}

/* Best first: proven wins, the sooner the better; then by visits and by prior;
 * last proven losses, the later the better. */
static int
compare_reports(const void *a, const void *b)
{
	const struct report *left = a, *right = b;
	const struct node *x = left->node, *y = right->node;

	if (x->proof != y->proof)
		return y->proof - x->proof;
	if (left->plies != right->plies)
		return x->proof > 0 ? left->plies - right->plies
				    : right->plies - left->plies;
	if (x->visits != y->visits)
		return x->visits < y->visits ? 1 : -1;
	return x->prior < y->prior ? 1 : x->prior > y->prior ? -1 : 0;
}

int
report_moves(const struct search *s, struct report sorted[MOVES_MAX])
{
	int n;
	const struct node *child = search_moves(s, &n);

	for (int i = 0; i < n; i++)
		sorted[i] = make_report(s, &child[i]);
	if (n > 1)
		qsort(sorted, (size_t)n, sizeof(*sorted), compare_reports);
	return n;
}

struct report
report_best(const struct search *s, const struct node *n)
{
	const struct node *child = &s->tree.nodes[n->children];
	struct report best = make_report(s, &child[0]);

	for (int i = 1; i < n->nchildren; i++) {
		struct report c = make_report(s, &child[i]);
		if (compare_reports(&c, &best) < 0)
			best = c;
	}
	return best;
}

int
report_line(const struct search *s, const struct node *n, move pv[REPORT_LINE_MAX])
{
	int length = 0;

	for (;;) {
		pv[length++] = n->move;
		if (length == REPORT_LINE_MAX || n->children == 0)
			return length;
		n = report_best(s, n).node;
		if (n->visits == 0)
			return length;
	}
}
