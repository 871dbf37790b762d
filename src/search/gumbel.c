#include "gumbel.h"

#include <math.h>

#include "chess/movegen.h"

/* The completed Q of a move, 0 to 1; mixed is that of unvisited moves. */
static double
completed_value(const struct node *child, double mixed)
{
	double q = child->proof != 0             ? child->proof
	    : child->visits + child->pending > 0 ? node_value(child)
						 : mixed;

	return (q + 1) / 2;
}

/* Writes the completed Qs of a node's children, 0 to 1, to q[], and that of
 * unvisited moves to *untried. Returns their weight against the log priors. */
static double
complete_values(const struct search *s, const struct node *n, double *q, double *untried,
    double *most)
{
	const struct node *child = &s->tree.nodes[n->children];
	double visits = 0, weighted = 0, priors = 0, most_visits = 0;
	double low = 1, high = 0;

	for (int i = 0; i < n->nchildren; i++) {
		double tried = child[i].visits + child[i].pending;
		if (tried == 0)
			continue;
		visits += tried;
		priors += child[i].prior;
		weighted += child[i].prior * node_value(&child[i]);
		most_visits = tried > most_visits ? tried : most_visits;
	}
	double mixed = n->net_value;
	if (priors > 0)
		mixed = (mixed + visits * weighted / priors) / (1 + visits);
	*untried = (mixed + 1) / 2;
	for (int i = 0; i < n->nchildren; i++) {
		q[i] = completed_value(&child[i], mixed);
		low = q[i] < low ? q[i] : low;
		high = q[i] > high ? q[i] : high;
	}
	*most = high;
	/* Where the Qs are nearly equal, as in openings, their differences get
	 * more weight. */
	double scale = (s->options.visit_scale + most_visits) * s->options.value_scale;
	if (high - low < s->options.spread)
		scale *= fmin(s->options.spread / (high - low), s->options.stretch);
	return scale;
}

/* The improved logits of a node's children: log prior + weight * completed Q. */
static void
improved_logits(const struct search *s, const struct node *n, double *logits)
{
	const struct node *child = &s->tree.nodes[n->children];
	double untried, most;
	double scale = complete_values(s, n, logits, &untried, &most);

	for (int i = 0; i < n->nchildren; i++)
		logits[i] = log(child[i].prior + 1e-12) + scale * logits[i];
}

/* Their softmax. Most moves are unvisited and share one exponential. */
static void
improved_policy(const struct search *s, const struct node *n, double *p)
{
	const struct node *child = &s->tree.nodes[n->children];
	double untried, most, sum = 0;
	double scale = complete_values(s, n, p, &untried, &most);
	double usual = exp(scale * (untried - most));

	for (int i = 0; i < n->nchildren; i++) {
		p[i] = (child[i].prior + 1e-12) *
		    (p[i] == untried ? usual : exp(scale * (p[i] - most)));
		sum += p[i];
	}
	double share = 1 / sum;
	for (int i = 0; i < n->nchildren; i++)
		p[i] *= share;
}

void
search_improved_policy(const struct search *s, float *policy)
{
	const struct node *root = &s->tree.nodes[0];
	double p[MOVES_MAX];

	if (root->nchildren == 0)
		return;
	improved_policy(s, root, p);
	for (int i = 0; i < root->nchildren; i++)
		policy[i] = (float)p[i];
}

uint32_t
gumbel_child(const struct search *s, const struct node *n)
{
	const struct node *child = &s->tree.nodes[n->children];
	double p[MOVES_MAX], visits = 0, most = -INFINITY;
	int best = 0;

	improved_policy(s, n, p);
	for (int i = 0; i < n->nchildren; i++)
		visits += child[i].visits + child[i].pending;
	double each = 1 / (1 + visits);
	for (int i = 0; i < n->nchildren; i++) {
		double lag = p[i] - (child[i].visits + child[i].pending) * each;
		if (child[i].proof > 0)
			return n->children + (uint32_t)i;
		if (lag > most) {
			most = lag;
			best = i;
		}
	}
	return n->children + (uint32_t)best;
}

/* Adds the Gumbel numbers to logits, and sorts the candidates by the sums, best
 * first. */
static void
sort_candidates(struct search *s, double *score)
{
	for (int i = 0; i < s->tree.nodes[0].nchildren; i++)
		score[i] += s->gumbel[i];
	for (int i = 1; i < s->ncandidates; i++) {
		int moving = s->candidates[i], j = i;
		for (; j > 0 && score[s->candidates[j - 1]] < score[moving]; j--)
			s->candidates[j] = s->candidates[j - 1];
		s->candidates[j] = moving;
	}
}

static void
sort_by_improved_logits(struct search *s)
{
	double logits[MOVES_MAX];

	improved_logits(s, &s->tree.nodes[0], logits);
	sort_candidates(s, logits);
}

/* Visits that each candidate gets in a round, so that all rounds get about the
 * same number. */
static int
visits_a_round(const struct search *s)
{
	int rounds = 1;

	for (int n = s->first_candidates; n > 2; n = (n + 1) / 2)
		rounds++;
	int each = s->options.sims / (rounds * s->ncandidates);
	return each > 0 ? each : 1;
}

void
gumbel_begin(struct search *s)
{
	const struct node *root = &s->tree.nodes[0];
	const struct node *child = &s->tree.nodes[root->children];
	int most = s->options.candidates;
	double logits[MOVES_MAX];

	for (int i = 0; i < root->nchildren; i++) {
		s->gumbel[i] =
		    s->explore ? -log(-log((1 - rng_double(s->rng)) * (1 - 1e-16))) : 0;
		/* By the priors alone: values from an earlier search must not
		 * decide who takes part. */
		logits[i] = log(child[i].prior + 1e-12);
		s->candidates[i] = i;
		s->spent[i] = 0;
	}
	s->ncandidates = root->nchildren;
	sort_candidates(s, logits);
	s->ncandidates = root->nchildren < most ? root->nchildren : most;
	if (s->options.sims > 0 && s->ncandidates > s->options.sims)
		s->ncandidates = s->options.sims;
	s->first_candidates = s->ncandidates;
	/* A root without moves: the caller has asked of a game that is over. */
	s->visits_each = s->ncandidates > 0 ? visits_a_round(s) : 0;
}

uint32_t
gumbel_root_child(struct search *s)
{
	const struct node *root = &s->tree.nodes[0];

	for (;;) {
		for (int i = 0; i < s->ncandidates; i++) {
			int c = s->candidates[i];
			if (s->spent[c] < s->visits_each) {
				s->spent[c]++;
				return root->children + (uint32_t)c;
			}
		}
		sort_by_improved_logits(s);
		if (s->ncandidates > 1)
			s->ncandidates = (s->ncandidates + 1) / 2;
		s->visits_each += visits_a_round(s);
	}
}

int
gumbel_choose(struct search *s)
{
	sort_by_improved_logits(s);
	return s->candidates[0];
}
