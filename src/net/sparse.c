#include "sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "copies.h"

/* ---- the weights ---- */

static void
layout(struct sparse *s, float *block)
{
	size_t h = (size_t)s->hidden, k = (size_t)s->nrules;
	float *p = block;

	s->in = p, p += SPARSE_INPUTS * h;
	s->bias = p, p += h;
	s->out = p, p += SPARSE_HEADS * SPARSE_BUCKETS * 2 * h;
	s->out_bias = p, p += SPARSE_HEADS * SPARSE_BUCKETS;
	s->zone = p, p += SPARSE_ROWS * h;
	s->left = p, p += k * SPARSE_INPUTS * SPARSE_RANK;
	s->right = p, p += k * SPARSE_RANK * h;
	s->rule_bias = p, p += k * h;
	s->rule_out = p, p += k * 2 * h;
	s->rule_out_bias = p, p += k * SPARSE_BUCKETS;
	s->floats = (size_t)(p - block);
}

int
sparse_init(struct sparse *s, int hidden, int nrules)
{
	memset(s, 0, sizeof(*s));
	s->hidden = hidden;
	s->nrules = nrules;
	static float nothing[1];
	layout(s, nothing); /* for its size */
	float *block = memory_table(s->floats * sizeof(float));
	if (block == NULL) {
		s->in = NULL;
		return -1;
	}
	layout(s, block);
	return 0;
}

void
sparse_release(struct sparse *s)
{
	free(s->in);
	s->in = NULL;
}

/* ---- the rules as numbers ---- */

static int
find_feature(const struct sparse *s, const char *name)
{
	for (int k = 0; k < s->nrules; k++)
		if (strcmp(s->rules[k], name) == 0)
			return k;
	return -1;
}

void
sparse_read_rules(const struct sparse *s, const struct rules *r, struct sparse_rules *to)
{
	int n = encode_nfeatures();
	float white[SPARSE_RULES_MAX], black[SPARSE_RULES_MAX];
	char name[ENCODE_FEATURE_NAME_MAX];

	memset(to, 0, sizeof(*to));
	encode_rule_features(r, WHITE, white);
	encode_rule_features(r, BLACK, black);
	for (int i = 0; i < n; i++) {
		if (white[i] == 0 && black[i] == 0)
			continue;
		encode_feature_name(i, name);
		int k = find_feature(s, name);
		if (k < 0)
			continue;
		to->view[WHITE][k] = white[i];
		to->view[BLACK][k] = black[i];
		if (white[i] == black[i])
			to->in[k] = white[i];
		else
			to->sided = true;
	}
}

void
sparse_rule_arrays(const struct sparse *s, int k,
    struct sparse_rule_array list[SPARSE_RULE_ARRAYS])
{
	size_t h = (size_t)s->hidden;

	list[0] = (struct sparse_rule_array){ s->left, SPARSE_INPUTS * SPARSE_RANK };
	list[1] = (struct sparse_rule_array){ s->rule_bias, h };
	list[2] = (struct sparse_rule_array){ s->rule_out, 2 * h };
	list[3] = (struct sparse_rule_array){ s->rule_out_bias, SPARSE_BUCKETS };
	list[4] = (struct sparse_rule_array){ s->right, SPARSE_RANK * h };
	for (int i = 0; i < SPARSE_RULE_ARRAYS; i++)
		list[i].array += (size_t)k * list[i].n;
}

void
sparse_take_rules(const struct sparse *to, const struct sparse_rule_array *a,
    const struct sparse *from, const struct sparse_rule_array *b, int arrays)
{
	for (int k = 0; k < from->nrules; k++) {
		int i = find_feature(to, from->rules[k]);
		for (int j = 0; i >= 0 && j < arrays; j++)
			memcpy(a[j].array + (size_t)i * a[j].n,
			    b[j].array + (size_t)k * b[j].n, b[j].n * sizeof(float));
	}
}

void
sparse_take(struct sparse *to, const struct sparse *from)
{
	struct sparse_rule_array a[SPARSE_RULE_ARRAYS], b[SPARSE_RULE_ARRAYS];

	sparse_rule_arrays(to, 0, a);
	sparse_rule_arrays(from, 0, b);
	memcpy(to->in, from->in, (size_t)(from->left - from->in) * sizeof(float));
	sparse_take_rules(to, a, from, b, SPARSE_RULE_ARRAYS);
}

bool
sparse_knows_rule(const struct sparse *s, int rule)
{
	struct sparse_rule_array a[SPARSE_RULE_ARRAYS];

	sparse_rule_arrays(s, rule, a);
	for (int j = 0; j < SPARSE_RULE_ARRAYS - 1; j++)
		for (size_t i = 0; i < a[j].n; i++)
			if (a[j].array[i] != 0)
				return true;
	return false;
}

/* ---- rules added up ---- */

/* The change of one rule feature to the hidden layer. */
static void
change_hidden(const struct sparse *s, size_t k, float f, float *in, float *bias)
{
	size_t h = (size_t)s->hidden;
	const float *left = s->left + k * SPARSE_INPUTS * SPARSE_RANK;

	for (size_t i = 0; i < SPARSE_INPUTS; i++)
		for (size_t r = 0; r < SPARSE_RANK; r++)
			if (left[i * SPARSE_RANK + r] != 0)
				sparse_add_scaled(in + i * h,
				    f * left[i * SPARSE_RANK + r],
				    s->right + (k * SPARSE_RANK + r) * h, h);
	sparse_add_scaled(bias, f, s->rule_bias + k * h, h);
}

static void
change_output(const struct sparse *s, size_t k, float f, float *out, float *out_bias)
{
	size_t both = 2 * (size_t)s->hidden;

	for (size_t i = 0; i < SPARSE_BUCKETS; i++)
		sparse_add_scaled(out + i * both, f, s->rule_out + k * both, both);
	sparse_add_scaled(out_bias, f, s->rule_out_bias + k * SPARSE_BUCKETS,
	    SPARSE_BUCKETS);
}

void
sparse_compose(const struct sparse *s, const struct sparse_rules *r, int side, float *in,
    float *bias, float *out, float *out_bias)
{
	size_t h = (size_t)s->hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;
	size_t all = SPARSE_INPUTS * h;

	memcpy(in, s->in, all * sizeof(float));
	memcpy(bias, s->bias, h * sizeof(float));
	memcpy(out, s->out, outs * 2 * h * sizeof(float));
	memcpy(out_bias, s->out_bias, outs * sizeof(float));
	for (size_t k = 0; k < (size_t)s->nrules; k++) {
		if (r->in[k] != 0)
			change_hidden(s, k, r->in[k], in, bias);
		if (r->view[side][k] != 0)
			change_output(s, k, r->view[side][k], out, out_bias);
	}
	for (size_t z = 1; z < SPARSE_ZONES; z++) {
		memcpy(in + z * all, in, all * sizeof(float));
		sparse_add_scaled(in + z * all, 1, s->zone + z * all, all);
	}
	sparse_add_scaled(in, 1, s->zone, all);
}

int32_t
sparse_round(float x, float unit, float most)
{
	float v = x * unit;

	if (!(v > -most))
		v = -most;
	if (v > most)
		v = most;
	return (int32_t)(v < 0 ? v - 0.5f : v + 0.5f);
}

/* SPARSE_ACTIVE_MAX times the largest input weight must fit 16 bits. */
static void
quantise(struct sparse_tuned *t, int side, const float *in, const float *bias,
    const float *out, const float *out_bias)
{
	size_t h = (size_t)t->hidden;

	for (size_t i = 0; i < SPARSE_ROWS * h; i++)
		t->in[i] = (int16_t)sparse_round(in[i], SPARSE_ONE, SPARSE_WEIGHT_MOST);
	for (size_t i = 0; i < h; i++)
		t->bias[i] = (int16_t)sparse_round(bias[i], SPARSE_ONE, 2000);
	for (size_t i = 0; i < SPARSE_HEADS * SPARSE_BUCKETS * 2 * h; i++)
		t->out[side][i] = (int16_t)sparse_round(out[i], SPARSE_OUT, 127);
	for (int i = 0; i < SPARSE_HEADS * SPARSE_BUCKETS; i++)
		t->out_bias[side][i / SPARSE_BUCKETS][i % SPARSE_BUCKETS] =
		    (int16_t)sparse_round(out_bias[i], SPARSE_UNIT, 8000);
}

/*
 * Piece values, for move ordering and static exchange: how much the score
 * falls when a piece is removed, over positions of random games.
 */
static int
find_worth(struct sparse_tuned *t, const struct rules *r)
{
	enum { GAMES = 12, PLIES = 60 };
	int64_t sum[8] = { 0 }, n[8] = { 0 };
	struct sparse_stack s;

	if (sparse_stack_init(&s, t, 2) == -1)
		return -1;
	for (int g = 0; g < GAMES; g++) {
		struct board b;
		struct rng rng;
		rng_init(&rng, 1, (uint64_t)g);
		board_start(&b, r);
		for (int ply = 0; ply < PLIES; ply++) {
			move list[MOVES_MAX];
			struct undo u;
			int moves = movegen_list(&b, list);
			if (moves == 0)
				break;
			board_make(&b, list[rng_below(&rng, (uint32_t)moves)], &u);
			if (ply % 6 != 5)
				continue;
			int whole = sparse_score(&s, &b, 0, -1);
			for (int sq = 0; sq < 64; sq++) {
				int code = b.square[sq];
				if (code == 0 || (code & 7) == KING)
					continue;
				struct board less = b;
				less.pieces[code >> 3][code & 7] ^= bit(sq);
				less.pieces[code >> 3][ALL] ^= bit(sq);
				less.square[sq] = 0;
				int d = whole - sparse_score(&s, &less, 1, 0);
				sum[code & 7] += code >> 3 == b.side ? d : -d;
				n[code & 7]++;
			}
		}
	}
	sparse_stack_release(&s);
	for (int type = PAWN; type <= QUEEN; type++) {
		int64_t w = n[type] > 0 ? sum[type] / n[type] : 0;
		t->worth[type] = w < 8 ? 8 : w > 5000 ? 5000 : (int)w;
	}
	return 0;
}

int
sparse_tuned_init(struct sparse_tuned *t, int hidden)
{
	size_t h = (size_t)hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS * 2 * h;

	memset(t, 0, sizeof(*t));
	t->hidden = hidden;
	t->in = memory_table(SPARSE_ROWS * h * sizeof(int16_t));
	t->bias = memory_table(h * sizeof(int16_t));
	t->out[WHITE] = memory_table(outs * sizeof(int16_t));
	t->out[BLACK] = memory_table(outs * sizeof(int16_t));
	if (t->in != NULL && t->bias != NULL && t->out[WHITE] != NULL &&
	    t->out[BLACK] != NULL)
		return 0;
	sparse_tuned_release(t);
	return -1;
}

int
sparse_tune(struct sparse_tuned *t, const struct sparse *s, const struct rules *r)
{
	size_t h = (size_t)s->hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS * 2 * h;
	struct sparse_rules features;
	float *f;

	if (sparse_tuned_init(t, s->hidden) == -1)
		return -1;
	f = memory_table((SPARSE_ROWS * h + h + outs + SPARSE_HEADS * SPARSE_BUCKETS) *
	    sizeof(float));
	if (f == NULL) {
		sparse_tuned_release(t);
		return -1;
	}
	float *bias = f + SPARSE_ROWS * h, *out = bias + h;
	sparse_read_rules(s, r, &features);
	for (int side = WHITE; side <= BLACK; side++) {
		sparse_compose(s, &features, side, f, bias, out, out + outs);
		quantise(t, side, f, bias, out, out + outs);
	}
	free(f);
	if (find_worth(t, r) == -1) {
		sparse_tuned_release(t);
		return -1;
	}
	return 0;
}

void
sparse_tuned_release(struct sparse_tuned *t)
{
	free(t->in);
	free(t->bias);
	free(t->out[WHITE]);
	free(t->out[BLACK]);
	memset(t, 0, sizeof(*t));
}

/* ---- inputs ---- */

/* XOR with this gives a square as a side sees it. */
static inline int
sight(int us, int view)
{
	return (us == BLACK ? 56 : 0) ^ (view & 1 ? 7 : 0);
}

/* Mirrored or not, and twice the zone. */
static inline int
view_of(const struct board *b, int us)
{
	int king = board_king(b, us), mirrored = file_of(king) < 4;

	return mirrored | sparse_zone(king ^ sight(us, mirrored)) << 1;
}

/* The first row of a view's zone. */
static inline int
zone_rows(int view)
{
	return (view >> 1) * SPARSE_INPUTS;
}

static inline int
piece_input(int us, int side, int type, int sq, int turn)
{
	return ((side != us) * 6 + type - 1) * 64 + (sq ^ turn);
}

int
sparse_inputs(const struct board *b, int us, uint16_t *inputs)
{
	int n = 0, view = view_of(b, us), turn = sight(us, view);
	int first = zone_rows(view);

	for (int side = WHITE; side <= BLACK; side++)
		for (int type = PAWN; type <= KING; type++)
			for (bitboard p = b->pieces[side][type]; p != 0; p &= p - 1)
				inputs[n++] = (uint16_t)(first +
				    piece_input(us, side, type, __builtin_ctzll(p),
					turn));
	for (uint64_t p = sparse_state(b->castling, b->checks, us); p != 0; p &= p - 1)
		inputs[n++] = (uint16_t)(first + SPARSE_PIECES + __builtin_ctzll(p));
	return n;
}

/* ---- accumulators ---- */

int
sparse_stack_init(struct sparse_stack *s, const struct sparse_tuned *net, int room)
{
	size_t h = (size_t)net->hidden;

	memset(s, 0, sizeof(*s));
	s->net = net;
	s->room = room;
	s->at = memory_table((size_t)room * sizeof(*s->at));
	s->memory =
	    memory_table(((size_t)room * 2 + 2 * SPARSE_VIEWS) * h * sizeof(int16_t));
	if (s->at == NULL || s->memory == NULL) {
		sparse_stack_release(s);
		return -1;
	}
	int16_t *p = s->memory; /* all start as an empty board */
	for (int i = 0; i < 2 * SPARSE_VIEWS + 2 * room; i++)
		memcpy(p + (size_t)i * h, net->bias, h * sizeof(int16_t));
	for (int i = 0; i < 2 * SPARSE_VIEWS; i++, p += h)
		s->begin[i & 1][i >> 1].sums[i & 1] = p;
	for (int i = 0; i < 2 * room; i++, p += h)
		s->at[i >> 1].sums[i & 1] = p;
	return 0;
}

void
sparse_stack_release(struct sparse_stack *s)
{
	free(s->at);
	free(s->memory);
	memset(s, 0, sizeof(*s));
}

static const struct sparse_kernels *kernels;

/* Inputs added and removed from one position to another: pieces as White sees
 * them, not mirrored. */
struct difference {
	uint16_t add[2 * SPARSE_ACTIVE_MAX], sub[2 * SPARSE_ACTIVE_MAX];
	int nadd, nsub;
};

static inline void
find_difference(struct difference *d, const struct sparse_place *from,
    const struct board *b)
{
	d->nadd = d->nsub = 0;
	for (int side = WHITE; side <= BLACK; side++) {
		for (int type = PAWN; type <= KING; type++) {
			bitboard now = b->pieces[side][type];
			bitboard was = from->pieces[side][type];
			int first = piece_input(WHITE, side, type, 0, 0);
			for (bitboard x = now & ~was; x != 0; x &= x - 1)
				d->add[d->nadd++] =
				    (uint16_t)(first + __builtin_ctzll(x));
			for (bitboard x = was & ~now; x != 0; x &= x - 1)
				d->sub[d->nsub++] =
				    (uint16_t)(first + __builtin_ctzll(x));
		}
	}
}

/* The weights of these inputs as `us` sees them; `in` has those of its zone. */
static inline int
list_rows(const int16_t **rows, const uint16_t *inputs, int n, const int16_t *in,
    int hidden, int us, int turn)
{
	for (int i = 0; i < n; i++) {
		int k = inputs[i];
		if (us == BLACK)
			k += k < SPARSE_PIECES / 2 ? SPARSE_PIECES / 2
						   : -SPARSE_PIECES / 2;
		rows[i] = in + (size_t)(k ^ turn) * (size_t)hidden;
	}
	return n;
}

static inline int
list_state_rows(const int16_t **rows, uint64_t state, const int16_t *in, int hidden)
{
	int n = 0;

	for (; state != 0; state &= state - 1)
		rows[n++] = in +
		    (size_t)(SPARSE_PIECES + __builtin_ctzll(state)) * (size_t)hidden;
	return n;
}

/* One side's sums of a position, from those of another that differs by d and
 * has the same view. */
static inline void
bring_up(struct sparse_stack *s, const struct board *b, int us, int view,
    const struct difference *d, const struct sparse_place *from, int16_t *to)
{
	const int16_t *add[3 * SPARSE_ACTIVE_MAX], *sub[3 * SPARSE_ACTIVE_MAX];
	int turn = sight(us, view), h = s->net->hidden;
	const int16_t *in = s->net->in + (size_t)zone_rows(view) * (size_t)h;
	int nadd = list_rows(add, d->add, d->nadd, in, h, us, turn);
	int nsub = list_rows(sub, d->sub, d->nsub, in, h, us, turn);

	if (b->castling != from->castling || b->checks != from->checks) {
		uint64_t now = sparse_state(b->castling, b->checks, us);
		uint64_t was = sparse_state(from->castling, from->checks, us);
		nadd += list_state_rows(add + nadd, now & ~was, in, h);
		nsub += list_state_rows(sub + nsub, was & ~now, in, h);
	}
	kernels->update(to, from->sums[us], add, nadd, sub, nsub, h);
}

static inline void
remember(struct sparse_place *to, const struct board *b)
{
	memcpy(to->pieces, b->pieces, sizeof(to->pieces));
	to->castling = b->castling;
	to->checks = b->checks;
}

/* The same from s->begin, if there is no similar position. */
static void
begin_anew(struct sparse_stack *s, const struct board *b, int us, int view, int16_t *to)
{
	struct sparse_place *base = &s->begin[us][view];
	struct difference d;

	find_difference(&d, base, b);
	bring_up(s, b, us, view, &d, base, to);
	memcpy(base->sums[us], to, (size_t)s->net->hidden * sizeof(int16_t));
	remember(base, b);
}

static inline void
fill_place(struct sparse_stack *s, const struct board *b, int i, int from)
{
	struct sparse_place *to = &s->at[i];
	const struct sparse_place *base = from < 0 ? NULL : &s->at[from];
	struct difference d;

	if (base != NULL)
		find_difference(&d, base, b);
	for (int us = WHITE; us <= BLACK; us++) {
		int view = view_of(b, us);
		if (base != NULL && base->view[us] == view)
			bring_up(s, b, us, view, &d, base, to->sums[us]);
		else
			begin_anew(s, b, us, view, to->sums[us]);
		to->view[us] = (uint8_t)view;
	}
	remember(to, b);
}

static int
head(const struct sparse_stack *s, const struct board *b, int i, int which)
{
	const struct sparse_tuned *net = s->net;
	int bucket = sparse_bucket(b), h = net->hidden;
	const int16_t *w = net->out[b->side] + (which * SPARSE_BUCKETS + bucket) * 2 * h;
	int64_t sum = (int64_t)kernels->dot(s->at[i].sums[b->side], w, h) +
	    kernels->dot(s->at[i].sums[b->side ^ 1], w + h, h);

	int64_t v = sum * SPARSE_UNIT / (SPARSE_ONE * SPARSE_ONE * SPARSE_OUT) +
	    net->out_bias[b->side][which][bucket];
	return v > SPARSE_SCORE_MAX ? SPARSE_SCORE_MAX
	    : v < -SPARSE_SCORE_MAX ? -SPARSE_SCORE_MAX
				    : (int)v;
}

int
sparse_score(struct sparse_stack *s, const struct board *b, int i, int from)
{
	fill_place(s, b, i, from);
	return head(s, b, i, 0);
}

int
sparse_draw(const struct sparse_stack *s, const struct board *b, int i)
{
	return head(s, b, i, 1);
}

/* A draw is at most as likely as the expected points allow. */
void
sparse_wdl_of_logits(double points, double draw, float wdl[3])
{
	double p = 1 / (1 + exp(-points));
	double d = 1 / (1 + exp(-draw));
	double most = 2 * (p < 0.5 ? p : 1 - p);

	if (d > most)
		d = most;
	wdl[0] = (float)(p - d / 2);
	wdl[1] = (float)d;
	wdl[2] = (float)(1 - p - d / 2);
}

void
sparse_wdl(int score, int draw, float wdl[3])
{
	sparse_wdl_of_logits((double)score / SPARSE_UNIT, (double)draw / SPARSE_UNIT,
	    wdl);
}

/* ---- which copy ---- */

COPIES(sparse_kernels);

static int
count_copies(void)
{
	return COPIES_COUNT("avx2", "avx512bw", "avx512vnni");
}

const struct sparse_kernels *
sparse_kernels_copy(int i)
{
	return i < count_copies() ? copies[i] : NULL;
}

const struct sparse_kernels *
sparse_kernels_best(void)
{
	return kernels;
}

__attribute__((constructor)) static void
choose_kernels(void)
{
	kernels = copies[copies_choose(count_copies())];
}
