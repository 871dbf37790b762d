#include "net.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "base/text.h"
#include "encode.h"
#include "onnxin.h"
#include "sparse.h"

enum { PLAIN_BATCH = 256, FILE_MAX = 1 << 30 };

int
net_evaluate(struct net *n, struct net_query *queries, int count,
    char reason[NET_REASON_MAX])
{
	return n->evaluate(n, queries, count, reason);
}

void
net_close(struct net *n)
{
	if (n != NULL)
		n->close(n);
}

/*
 * exp(x) for x <= 0, to about 2e-7: accurate enough for a policy, and the
 * same bits on every machine, which libm does not promise.
 */
static float
exp_negative(float x)
{
	if (!(x >= -80))
		return x < 0 ? 0 : x; /* NaN stays NaN */
	float scaled = x * 1.44269504f;
	int whole = (int)(scaled - 0.5f);
	float f = (scaled - (float)whole) * 0.69314718f;
	float p = 0.041666668f + f * (0.0083333338f + f * 0.0013888889f);
	p = 1 + f * (1 + f * (0.5f + f * (0.16666667f + f * p)));
	union {
		float f;
		uint32_t u;
	} two = { .u = (uint32_t)(whole + 127) << 23 };
	return p * two.f;
}

void
net_softmax(float *priors, int n)
{
	float most = -INFINITY, sum = 0;

	for (int i = 0; i < n; i++)
		most = priors[i] > most ? priors[i] : most;
	for (int i = 0; i < n; i++)
		sum += priors[i] = exp_negative(priors[i] - most);
	for (int i = 0; i < n; i++)
		priors[i] /= sum;
}

int
net_normalise(struct net_query *q, char reason[NET_REASON_MAX])
{
	net_softmax(q->wdl, 3);
	net_softmax(q->priors, q->nmoves);
	float sum = q->wdl[0] + q->wdl[1] + q->wdl[2];
	for (int i = 0; i < q->nmoves; i++)
		sum += q->priors[i];
	/* A NaN anywhere makes the sum NaN, too. */
	return isfinite(sum) ? 0 : refuse(reason, "the net's output is not a number");
}

int
net_check_encoding(const char *input, const char *policy, char reason[NET_REASON_MAX])
{
	if (input[0] == '\0' || policy[0] == '\0')
		return refuse(reason,
		    "the net does not name its encoding "
		    "(no rulelab.input or rulelab.policy in its metadata)");
	if (strcmp(input, ENCODE_INPUT_NAME) == 0 &&
	    strcmp(policy, ENCODE_POLICY_NAME) == 0)
		return 0;
	return refuse(reason, "the net's encoding is %s, %s, and ours %s, %s", input,
	    policy, ENCODE_INPUT_NAME, ENCODE_POLICY_NAME);
}

void
net_read_training(struct net *n, const struct onnxin *file)
{
	char steps[32];

	onnxin_copy(file, NET_KEY_RULES, n->rules, sizeof(n->rules));
	onnxin_copy(file, NET_KEY_STEPS, steps, sizeof(steps));
	n->steps = strtoull(steps, NULL, 10);
}

void
net_name_fields(struct net *n)
{
	if (n->fields[0] == '\0')
		snprintf(n->fields, sizeof(n->fields), "%s", ENCODE_INPUT_FIELDS);
}

/* Does a sparse net know some feature of this field ("promote_to:n" of "promote_to"),
 * or some atom of pieces? */
static bool
knows_field(const struct sparse *s, const struct rules_field *f)
{
	const char *field = f->name;
	size_t n = strlen(field);

	for (int k = 0; f->type == RULE_PIECE && k < ATOMS; k++)
		if (sparse_knows_atom(s, k))
			return true;
	for (int k = 0; k < s->nrules; k++)
		if (sparse_knows_rule(s, k) && strncmp(s->rules[k], field, n) == 0 &&
		    (s->rules[k][n] == '\0' || s->rules[k][n] == ':'))
			return true;
	return false;
}

int
net_known_fields(const struct net *n, struct text *fields)
{
	if (n->fields[0] == '\0' && n->sparse == NULL)
		return -1;
	text_add_string(fields, n->fields);
	for (size_t i = 0; n->sparse != NULL && i < rules_nfields; i++)
		if (knows_field(n->sparse, &rules_fields[i]))
			text_add_format(fields, "%s ", rules_fields[i].name);
	return 0;
}

/* The rule features and atoms that change something in a sparse net. */
static void
list_known(const struct sparse *s, struct text *t)
{
	char name[ATOMS_NAME_MAX];

	for (int k = 0; k < s->nrules; k++)
		if (sparse_knows_rule(s, k))
			text_add_format(t, "%s ", s->rules[k]);
	for (int k = 0; k < ATOMS; k++) {
		atoms_name(k, name);
		if (sparse_knows_atom(s, k))
			text_add_format(t, "%s ", name);
	}
}

int
net_unknown_fields(const struct net *n, const struct rules *r, char *text, size_t room)
{
	struct text known = { 0 };

	text[0] = '\0';
	if (n->fields[0] == '\0' && n->sparse == NULL)
		return 0;
	text_add_string(&known, n->fields);
	if (n->sparse != NULL)
		list_known(n->sparse, &known);
	int unknown = encode_unknown_fields(r, known.s, text, room);
	text_release(&known);
	return unknown;
}

/* ---- nets that need no file ---- */

static int
evaluate_uniform(struct net *n, struct net_query *queries, int count, char *reason)
{
	(void)n;
	(void)reason;
	for (int i = 0; i < count; i++) {
		struct net_query *q = &queries[i];
		for (int j = 0; j < q->nmoves; j++)
			q->priors[j] = 1 / (float)q->nmoves;
		q->wdl[0] = q->wdl[2] = 0;
		q->wdl[1] = 1;
	}
	return 0;
}

/* Of a type of piece, in pawns. */
static float
worth(const struct board *b, int type)
{
	return (float)b->rules->worth[type] / 100;
}

/* A move's appeal: the piece it captures less a little of the piece it risks. */
static float
appeal(const struct board *b, move m)
{
	int captured = b->square[move_to(m)];
	float gain = 0;

	if (captured != 0)
		gain = captured >> 4 == b->side
		    ? -worth(b, captured & 15)
		    : worth(b, captured & 15) - 0.1f * worth(b, type_at(b, move_from(m)));
	else if (move_is_ep(m))
		gain = 0.9f;
	if (move_is_promotion(m))
		gain += worth(b, move_promotion(m)) - 1;
	return 0.5f * gain;
}

static int
evaluate_material(struct net *n, struct net_query *queries, int count, char *reason)
{
	(void)n;
	(void)reason;
	for (int i = 0; i < count; i++) {
		struct net_query *q = &queries[i];
		const struct board *b = q->board;
		float balance = 0;
		for (int type = PAWN; type < b->rules->ntypes; type++)
			balance += worth(b, type) *
			    (float)(board_count(b, b->side, type) -
				board_count(b, b->side ^ 1, type));
		/* x / (1 + |x|): like tanh, and the same everywhere */
		float x = balance / 5, v = x / (1 + (x < 0 ? -x : x));
		q->wdl[0] = v > 0 ? v : 0;
		q->wdl[2] = v < 0 ? -v : 0;
		q->wdl[1] = 1 - q->wdl[0] - q->wdl[2];
		for (int j = 0; j < q->nmoves; j++)
			q->priors[j] = appeal(b, q->moves[j]);
		net_softmax(q->priors, q->nmoves);
	}
	return 0;
}

/*
 * Priors from a hash of seed, position and move, neither equal nor sharp, the same
 * on every machine. A move's logit is the same under all rules, so the priors of two
 * rule sets differ only by which moves are legal.
 */
static int
evaluate_hash(struct net *n, struct net_query *queries, int count, char *reason)
{
	const float spread = 5;

	(void)reason;
	for (int i = 0; i < count; i++) {
		struct net_query *q = &queries[i];
		for (int j = 0; j < q->nmoves; j++) {
			uint64_t z = rng_stir(q->board->key ^
			    rng_stir(n->seed << 16 | q->moves[j]));
			q->priors[j] = spread * (float)(z >> 40) * 0x1p-24f;
		}
		net_softmax(q->priors, q->nmoves);
		q->wdl[0] = q->wdl[2] = 0;
		q->wdl[1] = 1;
	}
	return 0;
}

static void
close_plain(struct net *n)
{
	free(n);
}

static struct net *
open_plain(const char *name,
    int (*evaluate)(struct net *, struct net_query *, int, char *))
{
	struct net *n = xcalloc(1, sizeof(*n));

	n->evaluate = evaluate;
	n->close = close_plain;
	n->largest_batch = PLAIN_BATCH;
	snprintf(n->hash, sizeof(n->hash), "%s", name);
	return n;
}

static char *
read_file(const char *path, size_t *size, char *reason)
{
	FILE *f = fopen(path, "rb");
	char *data = NULL;
	long end;

	if (f == NULL) {
		refuse(reason, "%s", strerror(errno));
		return NULL;
	}
	if (fseek(f, 0, SEEK_END) == -1 || (end = ftell(f)) < 0 || end > FILE_MAX ||
	    fseek(f, 0, SEEK_SET) == -1) {
		refuse(reason, "not a file, or too large for a net");
	} else if ((data = malloc((size_t)end + 1)) == NULL) {
		refuse(reason, "out of memory");
	} else if (fread(data, 1, (size_t)end, f) != (size_t)end) {
		refuse(reason, "%s", ferror(f) ? strerror(errno) : "cut short");
		free(data);
		data = NULL;
	} else {
		*size = (size_t)end;
	}
	fclose(f);
	return data;
}

static void
hash_content(struct net *net, const char *data, size_t n)
{
	uint64_t h = 0xcbf29ce484222325ULL; /* FNV-1a */

	sha256_text(data, n, net->hash, 16);
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)data[i]) * 0x100000001b3ULL;
	snprintf(net->former, sizeof(net->former), "%016llx", (unsigned long long)h);
}

bool
net_is(const struct net *n, const char *hash)
{
	return strcmp(hash, n->hash) == 0 ||
	    (n->former[0] != '\0' && strcmp(hash, n->former) == 0);
}

/* Does the file contain its whole net, as it was written? */
static int
check_content(const char *data, size_t size, char *reason)
{
	static const char *const faults[] = { [ONNXIN_BROKEN] = "not a net: broken",
		[ONNXIN_EXTERNAL] =
		    "the net keeps data in other files, which is not supported",
		[ONNXIN_CHANGED] = "the file was damaged after it was written" };
	enum onnxin_fault fault = onnxin_check(data, size);

	return fault == ONNXIN_WHOLE ? 0 : refuse(reason, "%s", faults[fault]);
}

static struct net *
open_bytes(const char *data, size_t size, const struct net_options *o, char *reason)
{
	struct net *n = NULL;
	bool foreign = true;

	if (check_content(data, size, reason) == -1) {
		foreign = false;
	} else if (o == NULL || o->provider == NULL) {
		n = net_open_sparse(data, size, &foreign, reason);
	}
	if (n == NULL && foreign)
		n = net_open_onnx(data, size, o, reason);
	if (n != NULL)
		hash_content(n, data, size);
	return n;
}

static struct net *
open_file(const char *path, const struct net_options *o, char *reason)
{
	size_t size;
	char *data = read_file(path, &size, reason);
	struct net *n = data == NULL ? NULL : open_bytes(data, size, o, reason);

	free(data);
	return n;
}

static const struct net_lent *lent;

void
net_lend(struct net_lent *l)
{
	l->next = lent;
	lent = l;
}

static struct net *
open_hash(const char *spec, char *reason)
{
	int64_t seed;

	if (!number_read(spec + 5, 0, UINT32_MAX, &seed)) {
		refuse(reason, "hash takes a number from 0 to %u", UINT32_MAX);
		return NULL;
	}
	struct net *n = open_plain(spec, evaluate_hash);
	n->seed = (uint64_t)seed;
	return n;
}

const char *
net_path(const char *spec, char buffer[HOME_PATH_MAX], char reason[NET_REASON_MAX])
{
	char name[32];

	if (strcmp(spec, "default") != 0 && strcmp(spec, "prior") != 0)
		return spec;
	snprintf(name, sizeof(name), "nets/%s.onnx", spec);
	if (home_path(buffer, name) == 0)
		return buffer;
	refuse(reason, "there is no %s here", name);
	return NULL;
}

struct net *
net_open(const char *spec, const struct net_options *o, char reason[NET_REASON_MAX])
{
	if (strcmp(spec, "uniform") == 0)
		return open_plain(spec, evaluate_uniform);
	if (strcmp(spec, "material") == 0)
		return open_plain(spec, evaluate_material);
	if (strncmp(spec, "hash:", 5) == 0)
		return open_hash(spec, reason);
	for (const struct net_lent *l = lent; l != NULL; l = l->next)
		if (strcmp(spec, l->spec) == 0)
			return open_bytes(l->data, l->size, o, reason);
	char buffer[HOME_PATH_MAX];
	const char *path = net_path(spec, buffer, reason);
	return path == NULL ? NULL : open_file(path, o, reason);
}
