#include "policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chess/movegen.h"
#include "copies.h"

/* ---- the weights ---- */

static float *
layout(struct policy *p, float *block)
{
	size_t k = (size_t)p->value.nrules, inputs = 2 * (size_t)p->value.hidden;
	float *at = block;

	p->mix = at, at += inputs * POLICY_WIDTH;
	p->mix_bias = at, at += POLICY_WIDTH;
	p->rows = at, at += POLICY_ROWS * POLICY_WIDTH;
	p->row_bias = at, at += POLICY_ROWS;
	p->rule_mix_bias = at, at += k * POLICY_WIDTH;
	p->left = at, at += k * POLICY_RANK * POLICY_ROWS;
	p->right = at, at += k * POLICY_RANK * POLICY_WIDTH;
	p->rule_row_bias = at, at += k * POLICY_ROWS;
	return at;
}

int
policy_init_value(struct policy *p, struct sparse *value)
{
	static float nothing[1];

	memset(p, 0, sizeof(*p));
	p->value = *value;
	memset(value, 0, sizeof(*value));
	p->floats = (size_t)(layout(p, nothing) - nothing);
	float *block = memory_table(p->floats * sizeof(float));
	if (block == NULL) {
		p->mix = NULL;
		policy_release(p);
		return -1;
	}
	layout(p, block);
	return 0;
}

int
policy_init(struct policy *p, int hidden, int nrules)
{
	struct sparse value;

	if (sparse_init(&value, hidden, nrules) == -1) {
		memset(p, 0, sizeof(*p));
		return -1;
	}
	return policy_init_value(p, &value);
}

void
policy_release(struct policy *p)
{
	sparse_release(&p->value);
	free(p->mix);
	p->mix = NULL;
}

enum { RULE_ARRAYS = 4 };

static void
list_rule_arrays(const struct policy *p, struct sparse_rule_array list[RULE_ARRAYS])
{
	list[0] = (struct sparse_rule_array){ p->rule_mix_bias, POLICY_WIDTH };
	list[1] = (struct sparse_rule_array){ p->left, POLICY_RANK * POLICY_ROWS };
	list[2] = (struct sparse_rule_array){ p->right, POLICY_RANK * POLICY_WIDTH };
	list[3] = (struct sparse_rule_array){ p->rule_row_bias, POLICY_ROWS };
}

void
policy_take(struct policy *to, const struct policy *from)
{
	struct sparse_rule_array a[RULE_ARRAYS], b[RULE_ARRAYS];

	sparse_take(&to->value, &from->value);
	list_rule_arrays(to, a);
	list_rule_arrays(from, b);
	memcpy(to->mix, from->mix,
	    (size_t)(from->rule_mix_bias - from->mix) * sizeof(float));
	sparse_take_rules(&to->value, a, &from->value, b, RULE_ARRAYS);
}

/* ---- rules added up ---- */

void
policy_compose(const struct policy *p, const struct sparse_rules *r, float *mix_bias,
    float *rows, float *row_bias)
{
	memcpy(mix_bias, p->mix_bias, POLICY_WIDTH * sizeof(float));
	memcpy(rows, p->rows, POLICY_ROWS * POLICY_WIDTH * sizeof(float));
	memcpy(row_bias, p->row_bias, POLICY_ROWS * sizeof(float));
	for (size_t k = 0; k < (size_t)p->value.nrules; k++) {
		float f = r->in[k];
		if (f == 0)
			continue;
		sparse_add_scaled(mix_bias, f, p->rule_mix_bias + k * POLICY_WIDTH,
		    POLICY_WIDTH);
		sparse_add_scaled(row_bias, f, p->rule_row_bias + k * POLICY_ROWS,
		    POLICY_ROWS);
		for (size_t j = k * POLICY_RANK; j < (k + 1) * POLICY_RANK; j++)
			for (size_t i = 0; i < POLICY_ROWS; i++)
				sparse_add_scaled(rows + i * POLICY_WIDTH,
				    f * p->left[j * POLICY_ROWS + i],
				    p->right + j * POLICY_WIDTH, POLICY_WIDTH);
	}
}

static void
quantise(struct policy_tuned *t, const struct policy *p, const float *mix_bias,
    const float *rows, const float *row_bias)
{
	size_t inputs = 2 * (size_t)p->value.hidden;

	for (size_t i = 0; i < inputs; i++)
		for (size_t j = 0; j < POLICY_WIDTH; j++)
			t->mix[(i / 4 * POLICY_WIDTH + j) * 4 + i % 4] =
			    (int8_t)sparse_round(p->mix[i * POLICY_WIDTH + j], POLICY_MIX,
				127);
	/* half a unit, so that the division in clip() rounds */
	for (size_t j = 0; j < POLICY_WIDTH; j++)
		t->mix_bias[j] = POLICY_MIX / 2 +
		    sparse_round(mix_bias[j], POLICY_MIX * POLICY_ONE, 1e6f);
	for (size_t i = 0; i < POLICY_ROWS * POLICY_WIDTH; i++)
		t->rows[i] = (int8_t)sparse_round(rows[i], POLICY_ROW, 127);
	for (size_t i = 0; i < POLICY_ROWS; i++)
		t->row_bias[i] = sparse_round(row_bias[i], POLICY_ROW * POLICY_ONE, 1e6f);
}

/* Allocates the policy's arrays; the value is set up already. */
static int
make_room(struct policy_tuned *t)
{
	t->mix = memory_table(2 * (size_t)t->value.hidden * POLICY_WIDTH);
	t->rows = memory_table(POLICY_ROWS * POLICY_WIDTH);
	t->row_bias = memory_table(POLICY_ROWS * sizeof(int32_t));
	return t->mix == NULL || t->rows == NULL || t->row_bias == NULL ? -1 : 0;
}

int
policy_tune(struct policy_tuned *t, const struct policy *p, const struct rules *r)
{
	size_t weights = POLICY_ROWS * POLICY_WIDTH;
	struct sparse_rules features;
	float mix_bias[POLICY_WIDTH];

	memset(t, 0, sizeof(*t));
	float *rows = memory_table((weights + POLICY_ROWS) * sizeof(float));
	if (rows == NULL || sparse_tune(&t->value, &p->value, r) == -1 ||
	    make_room(t) == -1) {
		free(rows);
		policy_tuned_release(t);
		return -1;
	}
	sparse_read_rules(&p->value, r, &features);
	policy_compose(p, &features, mix_bias, rows, rows + weights);
	quantise(t, p, mix_bias, rows, rows + weights);
	free(rows);
	return 0;
}

void
policy_tuned_release(struct policy_tuned *t)
{
	sparse_tuned_release(&t->value);
	free(t->mix);
	free(t->rows);
	free(t->row_bias);
	memset(t, 0, sizeof(*t));
}

/* ---- as bytes ---- */

enum { ARRAYS = 4 };
struct array {
	void *data;
	size_t bytes;
};

static void
list_arrays(struct policy_tuned *t, struct array list[ARRAYS])
{
	list[0] = (struct array){ t->mix_bias, sizeof(t->mix_bias) };
	list[1] = (struct array){ t->mix, 2 * (size_t)t->value.hidden * POLICY_WIDTH };
	list[2] = (struct array){ t->rows, POLICY_ROWS * POLICY_WIDTH };
	list[3] = (struct array){ t->row_bias, POLICY_ROWS * sizeof(int32_t) };
}

void
policy_tuned_write(const struct policy_tuned *t, struct text *to)
{
	struct policy_tuned same = *t; /* its arrays are only read */
	struct text value = { 0 };
	struct array list[ARRAYS];

	sparse_tuned_write(&t->value, &value);
	text_add_format(to, "policy %d %zu\n", POLICY_WIDTH, value.len);
	text_add(to, value.s, value.len);
	text_release(&value);
	list_arrays(&same, list);
	for (int i = 0; i < ARRAYS; i++)
		text_add(to, list[i].data, list[i].bytes);
}

/* Reads the arrays from exactly n bytes. */
static const char *
read_arrays(struct policy_tuned *t, const char *data, size_t n)
{
	struct array list[ARRAYS];
	size_t need = 0;

	if (make_room(t) == -1)
		return "no memory";
	list_arrays(t, list);
	for (int i = 0; i < ARRAYS; i++)
		need += list[i].bytes;
	if (need != n)
		return "not as many bytes as a policy of its size has";
	for (int i = 0; i < ARRAYS; i++) {
		memcpy(list[i].data, data, list[i].bytes);
		data += list[i].bytes;
	}
	return NULL;
}

const char *
policy_tuned_read(struct policy_tuned *t, const char *data, size_t n)
{
	const char *lf = memchr(data, '\n', n), *why;
	size_t head = lf == NULL ? 0 : (size_t)(lf + 1 - data), value;
	char line[48];
	int width;

	memset(t, 0, sizeof(*t));
	if (head == 0 || head > sizeof(line))
		return "no line of sizes";
	memcpy(line, data, head - 1);
	line[head - 1] = '\0';
	if (sscanf(line, "policy %d %zu", &width, &value) != 2 || width != POLICY_WIDTH ||
	    value > n - head)
		return "a size that no policy has";
	why = sparse_tuned_read(&t->value, data + head, value);
	if (why != NULL)
		return why;
	why = read_arrays(t, data + head + value, n - head - value);
	if (why != NULL)
		policy_tuned_release(t);
	return why;
}

/* ---- moves ---- */

/* encode_move() of plain moves, by squares of arrival and departure. */
static uint16_t places[64 * 64];

__attribute__((constructor)) static void
fill_places(void)
{
	for (int m = 0; m < 64 * 64; m++)
		if (move_from((move)m) != move_to((move)m))
			places[m] = (uint16_t)encode_move(WHITE, (move)m);
}

void
policy_terms(move m, int type, int taken, int turn, uint16_t rows[POLICY_TERMS])
{
	move seen = m ^ (move)(turn | turn << 6);
	bool under = move_kind(m) == MOVE_PROMOTION && move_promotion(m) != QUEEN;

	rows[0] = under ? (uint16_t)encode_move(WHITE, seen) : places[seen & 4095];
	rows[1] = (uint16_t)(POLICY_ARRIVALS + (type - 1) * 64 + move_to(seen));
	rows[2] = (uint16_t)(POLICY_TAKES + (type - 1) * 8 + taken);
}

/* ---- a position ---- */

static const struct policy_kernels *kernels;

void
policy_logits(const struct policy_tuned *t, const struct sparse_stack *s,
    const struct net_query *q, int32_t *logits)
{
	const struct board *b = q->board;
	int h = t->value.hidden, turn = policy_turn(b->side, board_king(b, b->side));
	_Alignas(SPARSE_ALIGN) uint8_t hidden[2 * SPARSE_HIDDEN_MAX], mixed[POLICY_WIDTH];
	uint16_t terms[MOVES_MAX][POLICY_TERMS];

	kernels->squash(hidden, s->at[0].sums[b->side], h);
	kernels->squash(hidden + h, s->at[0].sums[b->side ^ 1], h);
	kernels->mix(mixed, hidden, 2 * h, t->mix, t->mix_bias);
	for (int i = 0; i < q->nmoves; i++) {
		move m = q->moves[i];
		policy_terms(m, type_at(b, move_from(m)),
		    policy_taken(m, b->side, b->square[move_to(m)]), turn, terms[i]);
	}
	kernels->rows(logits, mixed, t->rows, (const uint16_t(*)[POLICY_TERMS])terms,
	    q->nmoves);
	for (int i = 0; i < q->nmoves; i++)
		for (int j = 0; j < POLICY_TERMS; j++)
			logits[i] += t->row_bias[terms[i][j]];
}

int
policy_priors(const struct policy_tuned *t, struct sparse_stack *s,
    const struct net_query *q, float temperature)
{
	const float unit = POLICY_ONE * POLICY_ROW * temperature;

	int32_t logits[MOVES_MAX];
	int score = sparse_score(s, q->board, 0, -1);

	if (q->nmoves == 0)
		return score;
	policy_logits(t, s, q, logits);
	for (int i = 0; i < q->nmoves; i++)
		q->priors[i] = (float)logits[i] / unit;
	net_softmax(q->priors, q->nmoves);
	return score;
}

void
policy_answer(const struct policy_tuned *t, struct sparse_stack *s, struct net_query *q)
{
	int score = policy_priors(t, s, q, 1);

	sparse_wdl(score, sparse_draw(s, q->board, 0), q->wdl);
}

/* ---- which copy ---- */

COPIES(policy_kernels);

/* The instruction sets are those of the value's kernels. */
const struct policy_kernels *
policy_kernels_copy(int i)
{
	return sparse_kernels_copy(i) != NULL ? copies[i] : NULL;
}

void
policy_kernels_use(const struct policy_kernels *k)
{
	int n = 1;

	while (sparse_kernels_copy(n) != NULL)
		n++;
	kernels = k != NULL ? k : copies[copies_choose(n)];
}

__attribute__((constructor)) static void
choose_kernels(void)
{
	policy_kernels_use(NULL);
}
