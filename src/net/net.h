/*
 * A net behind three calls: open, evaluate a batch, close. Given positions and
 * their legal moves, it evaluates how good each position is and how likely each
 * move.
 *
 * Besides ONNX files there are "default" and "prior", the files that come with
 * rulelab: the player, and the net whose policy is measured; "uniform" (equal
 * priors, value 0) and "material" (values that count pieces, priors that prefer
 * captures), which need no file; and "hash:SEED", whose priors are pseudo-random
 * numbers that depend on position and move, for tests.
 */
#ifndef NET_NET_H
#define NET_NET_H

#include "base/home.h"
#include "base/message.h"
#include "base/text.h"
#include "chess/board.h"

struct onnxin;
struct sparse;

enum { NET_REASON_MAX = REASON_MAX, NET_HASH_MAX = 20 };

struct net_options {
	const char *provider; /* execution provider of ONNX Runtime; NULL: the CPU,
	                       * and our own code for sparse nets */
	int threads;          /* of one evaluation; 0: 1 */
};

/* A position to be evaluated. */
struct net_query {
	const struct board *board;
	int repetitions;   /* how often it has occurred, including now */
	const move *moves; /* the legal ones */
	int nmoves;
	/* The evaluation: */
	float *priors; /* of the moves; they sum to 1 */
	float wdl[3];  /* probabilities of the mover's win, a draw, a loss */
};

struct net {
	int (*evaluate)(struct net *n, struct net_query *queries, int count,
	    char *reason);
	void (*close)(struct net *n);
	char hash[NET_HASH_MAX];     /* 16 digits of the file's SHA-256; or
	                              * the name */
	char former[NET_HASH_MAX];   /* the hash that older versions wrote */
	int largest_batch;           /* most queries of one call */
	char rules[512];             /* rule sets it was trained on, as its file says */
	uint64_t steps;              /* of training, as its file says */
	uint64_t seed;               /* of "hash" */
	char fields[512];            /* rule fields that are its inputs, as
	                              * its file says; empty: a sparse net
	                              * names features, others need none */
	const struct sparse *sparse; /* its weights, if it is a sparse net */
};

/* What a file tells of itself. */
#define NET_KEY_INPUT "rulelab.input"
#define NET_KEY_POLICY "rulelab.policy"
#define NET_KEY_FIELDS "rulelab.fields" /* absent: ENCODE_INPUT_FIELDS */
#define NET_KEY_RULES "rulelab.rules"
#define NET_KEY_STEPS "rulelab.steps"

/* The default of --net. */
#define NET_DEFAULT "default"
/* The same where a policy is needed. */
#define NET_PRIOR "prior"

/* The path of the file that a spec names: that of "default" or "prior", which
 * is written to buffer, or the spec itself. NULL with a reason if the file of
 * such a name is missing. */
const char *net_path(const char *spec, char buffer[HOME_PATH_MAX],
    char reason[NET_REASON_MAX]);

/* Opens a file, or one of the nets named above. NULL with a reason on
 * failure. */
struct net *net_open(const char *spec, const struct net_options *o,
    char reason[NET_REASON_MAX]);

/* A net's file in memory, for pages, which have no files: net_open() of this spec
 * reads it there. Both must stay as they are; the latest of a spec counts. */
struct net_lent {
	const char *spec, *data;
	size_t size;
	const struct net_lent *next; /* set by net_lend() */
};
void net_lend(struct net_lent *l);

/* Evaluates count queries, 1 <= count <= largest_batch. An evaluation does not
 * depend on the rest of the batch. 0, or -1 with a reason. */
int net_evaluate(struct net *n, struct net_query *queries, int count,
    char reason[NET_REASON_MAX]);

void net_close(struct net *n);

/* Is this the net's hash, as games and lines have it now or in older versions? */
bool net_is(const struct net *n, const char *hash);

/* Adds the names of the rule fields that the net knows, each followed by a blank or
 * the end. -1: it needs none, for it has no inputs. */
int net_known_fields(const struct net *n, struct text *fields);

/*
 * The rule fields in use that the net was not trained on: programs make legal moves
 * and see how games end, but the net evaluates positions as if these fields had
 * their classical values. Writes their names to text and returns their number.
 */
int net_unknown_fields(const struct net *n, const struct rules *r, char *text,
    size_t room);

/* The expected score in [-1, 1]. */
static inline float
net_value(const struct net_query *q)
{
	return q->wdl[0] - q->wdl[2];
}

/*
 * For implementations: softmax of n logits, or none; of the priors and wdl of an
 * answer, -1 when one is not a number; -1 if the encoding that a file names is not
 * ours.
 */
void net_softmax(float *priors, int n);
int net_normalise(struct net_query *q, char reason[NET_REASON_MAX]);
int net_check_encoding(const char *input, const char *policy,
    char reason[NET_REASON_MAX]);

/* Copies the training's rule sets and steps from a file's metadata. */
void net_read_training(struct net *n, const struct onnxin *file);

/* Gives a tower whose file names no fields those of its encoding. */
void net_name_fields(struct net *n);

/* Open the n bytes of a file: as a sparse net, which our own code evaluates, or by
 * ONNX Runtime. NULL with a reason on failure; *foreign: the net is of another
 * kind. */
struct net *net_open_sparse(const char *data, size_t n, bool *foreign,
    char reason[NET_REASON_MAX]);
struct net *net_open_onnx(const char *data, size_t n, const struct net_options *o,
    char reason[NET_REASON_MAX]);

#endif
