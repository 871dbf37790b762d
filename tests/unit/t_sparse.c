/*
 * The net: sums that moves bring up to date against sums from nothing; the same
 * integers from every instruction set; integers and ONNX Runtime's floats against
 * plain arithmetic in double precision. Then files that are cut, damaged, foreign or
 * of a former kind.
 *
 * SPARSE_POSITIONS=n tests n positions (300000).
 */
#include <math.h>
#include <unistd.h>

#include "base/text.h"
#include "common.h"
#include "net/net.h"
#include "net/sparsefile.h"
#include "positions.h"
#include "randomrules.h"
#include "sparsenet.h"
#include "tap.h"
#include "train/netexport.h"

enum { HIDDEN = 64, RULE_SETS = 16, PLACES = 12, GAMES_A_SET = 40, PLIES = 120 };

static struct rng rng;
static struct sparse net;

/* Rule set i: the presets, then random ones. */
static void
choose_rules(struct rules *r, int i)
{
	if (i < RULES_PRESETS)
		rules_of(r, rules_preset_name(i));
	else
		random_rules(&rng, r);
	/* Positions to train on hold 32 pieces. */
	if (r->most_men[WHITE] + r->most_men[BLACK] > 32 && !r->hands)
		rules_of(r, "classical");
}

static bool
step_randomly(struct board *b)
{
	move list[MOVES_MAX];
	struct undo u;
	int n = movegen_list(b, list);

	if (n == 0)
		return false;
	board_make(b, list[rng_below(&rng, (uint32_t)n)], &u);
	return true;
}

/* ---- inputs ---- */

/* Both sides have as many inputs of this kind, or the trainer miscounts: those of
 * castling, and those of checks behind them, also when the last check was given. */
static void
check_state(void)
{
	int wrong = 0;

	for (int castling = 0; castling < 16; castling++)
		for (int checks = 0; checks < 160; checks++) {
			int white = checks & 15, black = checks >> 4;
			uint64_t s = sparse_state(castling, checks, WHITE);
			uint64_t turned = sparse_state(castling, checks, BLACK);
			int n = (white > 0) + (black > 0);
			if (white > 9)
				continue;
			wrong += (s & 15) != (uint64_t)castling ||
			    __builtin_popcountll(s >> 4) != n ||
			    __builtin_popcountll(turned >> 4) != n ||
			    (white > 0 && (s >> (3 + white) & 1) == 0) ||
			    (black > 0 && (turned >> (3 + black) & 1) == 0);
		}
	ok(wrong == 0,
	    "castling rights and checks left are inputs of their own: %d are not", wrong);
}

/* ---- sums ---- */

static bool
sums_are_right(const struct sparse_stack *s, const struct board *b, int at)
{
	int16_t want[HIDDEN];

	for (int us = WHITE; us <= BLACK; us++) {
		plain_sums(s->net, b, us, want);
		if (memcmp(want, s->at[at].sums[us], sizeof(want)) != 0)
			return false;
	}
	return true;
}

/* Games with places taken at random, so that sums are made from near and far,
 * from the other wing, and from what is kept. Returns how many were wrong. */
static long
check_games(const struct rules *r, long positions_wanted, long *positions_seen)
{
	struct sparse_ints t;
	struct sparse_stack s;
	long wrong = 0, end = *positions_seen + positions_wanted;
	char fen[FEN_MAX], reason[FEN_REASON_MAX];

	if (sparse_quantise(&t, &net, r) == -1 || sparse_stack_init(&s, &t, PLACES) == -1)
		bail_out("sparse net", "", "out of memory");
	while (*positions_seen < end) {
		struct board b;
		board_start_random(&b, r, &rng);
		random_fen(&rng, fen);
		if (rng_below(&rng, 2) == 0 &&
		    fen_read(&b, r, fen, strlen(fen), reason) == -1)
			continue;
		for (int ply = 0; ply < PLIES && *positions_seen < end; ply++) {
			int at = (int)rng_below(&rng, PLACES);
			int from = (int)rng_below(&rng, PLACES + 1) - 1;
			int score = sparse_score(&s, &b, at, from);
			wrong += !sums_are_right(&s, &b, at) ||
			    score != plain_score(&t, &b, 0) ||
			    sparse_draw(&s, &b, at) != plain_score(&t, &b, 1);
			++*positions_seen;
			if (!step_randomly(&b))
				break;
		}
	}
	sparse_stack_release(&s);
	sparse_ints_release(&t);
	return wrong;
}

static void
check_sums(void)
{
	const char *wish = getenv("SPARSE_POSITIONS");
	long wanted = wish != NULL ? atol(wish) : 300000, seen = 0, wrong = 0;
	int sets = RULES_PRESETS + RULE_SETS;

	if (SANITIZED)
		wanted /= 10;
	for (int i = 0; i < sets; i++) {
		struct rules r;
		choose_rules(&r, i);
		wrong += check_games(&r, wanted / sets, &seen);
	}
	ok(wrong == 0,
	    "sums brought up to date, of %ld positions under %d rule sets: %ld wrong",
	    seen, sets, wrong);
}

/* ---- instruction sets ---- */

enum { NUMBERS = 512, ROWS = 40 };

static _Alignas(64) int16_t rows[ROWS][NUMBERS], sums[NUMBERS], got[NUMBERS];
static _Alignas(64) int16_t weights[NUMBERS];

static void
fill_kernel_inputs(void)
{
	for (int i = 0; i < NUMBERS; i++) {
		for (int k = 0; k < ROWS; k++)
			rows[k][i] = (int16_t)((int)rng_below(&rng, 1521) - 760);
		sums[i] = (int16_t)((int)rng_below(&rng, 4001) - 2000);
		weights[i] = (int16_t)((int)rng_below(&rng, 255) - 127);
	}
}

static bool
update_is_right(const struct sparse_kernels *k, int n, int nadd, int nsub)
{
	const int16_t *add[ROWS], *sub[ROWS];
	bool right = true;

	for (int i = 0; i < nadd; i++)
		add[i] = rows[rng_below(&rng, ROWS)];
	for (int i = 0; i < nsub; i++)
		sub[i] = rows[rng_below(&rng, ROWS)];
	k->update(got, sums, add, nadd, sub, nsub, n);
	for (int i = 0; i < n; i++) {
		int want = sums[i];
		for (int j = 0; j < nadd; j++)
			want += add[j][i];
		for (int j = 0; j < nsub; j++)
			want -= sub[j][i];
		right = right && got[i] == (int16_t)want;
	}
	return right;
}

static bool
dot_is_right(const struct sparse_kernels *k, int n)
{
	uint32_t want = 0;

	for (int i = 0; i < n; i++) {
		int x = sums[i] < 0 ? 0 : sums[i] > SPARSE_ONE ? SPARSE_ONE : sums[i];
		want += (uint32_t)(x * x * weights[i]);
	}
	return k->dot(sums, weights, n) == (int32_t)want;
}

static void
check_copies(void)
{
	const struct sparse_kernels *k;

	for (int i = 0; (k = sparse_kernels_copy(i)) != NULL; i++) {
		bool updates = true, dots = true;
		for (int n = 64; n <= NUMBERS; n += 64)
			for (int j = 0; j < 20; j++) {
				fill_kernel_inputs();
				updates = updates && update_is_right(k, n, j, j / 2);
				dots = dots && dot_is_right(k, n);
			}
		ok(updates, "%s: sums", k->name);
		ok(dots, "%s: products", k->name);
	}
}

/* ---- the file, and three ways to compute it ---- */

enum { ASKED = 400 };

struct asked {
	struct rules rules;
	struct board board;
	float wdl[3];  /* in double precision */
	double points; /* its logit */
};

static struct asked asked[ASKED];

static void
choose_asked(void)
{
	static struct plain_answer a;

	for (int i = 0; i < ASKED; i++) {
		struct asked *q = &asked[i];
		if (i % 10 == 0)
			choose_rules(&q->rules, i / 10);
		else
			q->rules = asked[i - 1].rules;
		board_start_random(&q->board, &q->rules, &rng);
		for (uint32_t ply = rng_below(&rng, 80); ply > 0; ply--)
			step_randomly(&q->board);
		plain_evaluate(&net, &q->board, NULL, 0, &a, NULL);
		q->points = a.logits[0];
		double e = 1 / (1 + exp(-q->points));
		double d = fmin(1 / (1 + exp(-a.logits[1])), 2 * fmin(e, 1 - e));
		q->wdl[0] = (float)(e - d / 2);
		q->wdl[1] = (float)d;
		q->wdl[2] = (float)(1 - e - d / 2);
	}
}

/* The largest difference of what a net says from plain arithmetic. */
static double
difference(struct net *n, bool *uniform)
{
	double worst = 0;
	char reason[NET_REASON_MAX];

	*uniform = true;
	for (int i = 0; i < ASKED; i += 20) {
		static float priors[20][MOVES_MAX];
		static move moves[20][MOVES_MAX];
		struct net_query q[20];
		for (int j = 0; j < 20; j++)
			q[j] = (struct net_query){ .board = &asked[i + j].board,
				.repetitions = 1,
				.moves = moves[j],
				.nmoves = movegen_list(&asked[i + j].board, moves[j]),
				.priors = priors[j] };
		if (net_evaluate(n, q, 20, reason) == -1)
			bail_out("net", n->hash, reason);
		for (int j = 0; j < 20; j++) {
			for (int k = 0; k < 3; k++)
				worst = fmax(worst,
				    fabs((double)q[j].wdl[k] -
					(double)asked[i + j].wdl[k]));
			for (int k = 0; k < q[j].nmoves; k++)
				*uniform = *uniform &&
				    fabsf(priors[j][k] * (float)q[j].nmoves - 1) < 1e-5f;
		}
	}
	return worst;
}

/* The integers' scores beside plain arithmetic, in logits. */
static void
check_integers(void)
{
	double worst = 0, sum = 0, least = INFINITY, most = -INFINITY;
	struct sparse_stack s;

	for (int i = 0; i < ASKED; i++) {
		struct asked *q = &asked[i];
		struct sparse_ints t;
		if (sparse_quantise(&t, &net, &q->rules) == -1 ||
		    sparse_stack_init(&s, &t, 1) == -1)
			bail_out("sparse net", "", "out of memory");
		double off =
		    sparse_score(&s, &q->board, 0, -1) / (double)SPARSE_UNIT - q->points;
		worst = fmax(worst, fabs(off));
		sum += off * off;
		least = fmin(least, q->points);
		most = fmax(most, q->points);
		sparse_stack_release(&s);
		sparse_ints_release(&t);
	}
	ok(worst < 0.08 && sqrt(sum / ASKED) < 0.025,
	    "integers: logits differ by %.4f at most, %.4f on average", worst,
	    sqrt(sum / ASKED));
	ok(most - least > 1, "positions differ: logits from %.2f to %.2f", least, most);
}

static char path[64];

static void
write_file(const char *s, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(s, 1, n, f) != n || fclose(f) != 0)
		bail_out("file", path, "cannot be written");
}

static void
check_file(const struct text *file)
{
	struct net_options ort = { .provider = "cpu" };
	char reason[NET_REASON_MAX];
	bool uniform;

	write_file(file->s, file->len);
	struct net *n = net_open(path, NULL, reason);
	if (!ok(n != NULL && n->sparse != NULL, "the file opens: %s",
		n == NULL ? reason : "a sparse net"))
		return;
	ok(n->steps == 7 && strcmp(n->rules, "\"torpedo\"") == 0,
	    "it says its steps and rules");
	int lost = 0;
	for (int i = 0; i < net.nrules; i++)
		lost += i >= n->sparse->nrules ||
		    strcmp(net.rules[i], n->sparse->rules[i]) != 0;
	ok(lost == 0 && n->sparse->nrules == net.nrules, "all %d rule features are named",
	    net.nrules);
	ok(n->sparse->floats == net.floats &&
		memcmp(n->sparse->block, net.block, net.floats * sizeof(float)) == 0,
	    "its weights are the same bits");
	double off = difference(n, &uniform);
	ok(off < 0.03 && uniform, "read by us: off by %.5f", off);
	net_close(n);
	n = net_open(path, &ort, reason);
	if (n == NULL && (strstr(reason, "ONNX Runtime") != NULL)) {
		for (int i = 0; i < 2; i++)
			printf("ok %d # SKIP %s\n", ++tap_count, reason);
		return;
	}
	if (!ok(n != NULL, "ONNX Runtime opens it: %s", n == NULL ? reason : ""))
		return;
	off = difference(n, &uniform);
	ok(off < 2e-5 && uniform && n->steps == 7, "ONNX Runtime's graph: off by %.1e",
	    off);
	net_close(n);
}

/* ---- files that are not what they should be ---- */

/* Is it refused, with a reason? */
static bool
refuses(const char *s, size_t n, char reason[NET_REASON_MAX])
{
	reason[0] = '\0';
	write_file(s, n);
	struct net *got_net = net_open(path, NULL, reason);
	bool refused = got_net == NULL && reason[0] != '\0';
	net_close(got_net);
	return refused;
}

static void
check_cuts(const struct text *file)
{
	char reason[NET_REASON_MAX];
	int taken = 0, cuts = 0;

	for (size_t n = 0; n < file->len; n += file->len / 97 + 1, cuts++)
		taken += !refuses(file->s, n, reason);
	taken += !refuses(file->s, file->len - 1, reason);
	ok(taken == 0, "%d cuts: %d taken for nets; the last: %s", cuts + 1, taken,
	    reason);
}

/* Puts other bytes, just as many, in the place of those that are there. */
static void
check_damage(const struct text *file, const char *what, const char *from, const char *to,
    size_t n)
{
	char reason[NET_REASON_MAX];
	char *copy = malloc(file->len), *at;

	if (copy == NULL)
		bail_out("file", "", "out of memory");
	memcpy(copy, file->s, file->len);
	at = memmem(copy, file->len, from, n);
	if (at == NULL)
		bail_out("file", from, "is not there");
	memcpy(at, to, n);
	/* net_open() would not look further than to the digest of the file */
	strcpy(reason, "foreign");
	bool foreign;
	struct net *opened = net_open_sparse(copy, file->len, &foreign, reason);
	ok(opened == NULL && foreign == (strcmp(reason, "foreign") == 0), "%s: %s", what,
	    reason);
	net_close(opened);
	free(copy);
}

static void
check_foreign(const struct text *file)
{
	char reason[NET_REASON_MAX];
	float nan = NAN, unit = 1.0f / SPARSE_ONE;

	ok(refuses("", 0, reason), "an empty file: %s", reason);
	ok(refuses("rulelab", 7, reason), "a text: %s", reason);
	check_damage(file, "another encoding", SPARSE_INPUT_NAME, "rulelab-sparse-9",
	    strlen(SPARSE_INPUT_NAME));
	check_damage(file, "another node", "Clip", "Relu", 4);
	check_damage(file, "a node's input", "own_sum", "own_som", 7);
	check_damage(file, "another unit of bytes", (const char *)&unit,
	    (const char *)&nan, sizeof(unit));
	check_damage(file, "a unit of another name", SPARSEFILE_BYTE_UNIT, "byte_unix",
	    strlen(SPARSEFILE_BYTE_UNIT));
	check_damage(file, "no features' names", SPARSEFILE_KEY_FEATURES,
	    "rulelab.fratures", strlen(SPARSEFILE_KEY_FEATURES));
	check_damage(file, "a weight that is not a number", (const char *)net.in,
	    (const char *)&nan, sizeof(nan));
	check_damage(file, "weights of another name", "points_own", "points_ovn", 10);
}

/* As train(1) leaves a net: `left` fits bytes. */
static void
check_narrow(size_t wide)
{
	size_t n = sparse_array(&net, SPARSE_ID_left).n;
	struct text file = { 0 };

	for (int k = 0; k < net.nrules; k++)
		for (size_t i = 0; i < n; i++) {
			float *w = sparse_array_at(&net, SPARSE_ID_left, k) + i;
			*w = fminf(fmaxf(*w, -SPARSE_BYTE_MOST), SPARSE_BYTE_MOST);
			*w = roundf(*w * SPARSE_ONE) / SPARSE_ONE + 0;
		}
	choose_asked();
	if (net_export(&net, "\"torpedo\"", 7, &file) == -1)
		bail_out("file", "", "out of memory");
	ok(file.len + 3 * n * (size_t)net.nrules < wide + 1000,
	    "left in bytes: %zu bytes instead of %zu", file.len, wide);
	check_file(&file);
	text_release(&file);
}

int
main(void)
{
	struct text file = { 0 };

	rng_init(&rng, 131, 0);
	random_sparse(&net, HIDDEN, 7, false);
	check_copies();
	rng_init(&rng, 131, 1); /* whatever copies this processor has */
	check_state();
	check_sums();
	choose_asked();
	check_integers();
	if (net_export(&net, "\"torpedo\"", 7, &file) == -1)
		bail_out("file", "", "out of memory");
	snprintf(path, sizeof(path), "/tmp/t_sparse.%d.onnx", (int)getpid());
	check_file(&file);
	check_cuts(&file);
	check_foreign(&file);
	check_narrow(file.len);
	unlink(path);
	text_release(&file);
	sparse_release(&net);
	return tap_end();
}
