#include "sparse.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "policy.h"

/* ---- the weights ---- */

struct sparse_array
sparse_array(const struct sparse *s, int id)
{
	size_t h = (size_t)s->hidden;
#define SPARSE_ARRAY(name, n, group, rate, decay, most) \
	{ #name, n, SPARSE_##group, rate, decay, most },
	const struct sparse_array list[] = { SPARSE_ARRAYS };
#undef SPARSE_ARRAY

	return list[id];
}

/* Where struct sparse has the pointer to each array. */
static const size_t offsets[] = {
#define SPARSE_ARRAY(name, n, group, rate, decay, most) offsetof(struct sparse, name),
	SPARSE_ARRAYS
#undef SPARSE_ARRAY
};

float *
sparse_array_at(const struct sparse *s, int id, int k)
{
	struct sparse_array a = sparse_array(s, id);
	float *at = *(float *const *)(const void *)((const char *)s + offsets[id]);

	return at == NULL || !sparse_is_rule(&a) ? at
						 : at + (size_t)k * sparse_stride(a.n);
}

/* Gives the arrays their places in the block; returns their size. */
static size_t
lay_out(struct sparse *s, bool policy)
{
	size_t at = 0;

	for (int id = 0; id < SPARSE_NARRAYS; id++) {
		struct sparse_array a = sparse_array(s, id);
		float **to = (float **)(void *)((char *)s + offsets[id]);
		bool absent = !policy &&
		    (a.group == SPARSE_POLICY || a.group == SPARSE_POLICY_RULE);
		*to = absent || s->block == NULL ? NULL : s->block + at;
		if (!absent)
			at += sparse_stride(a.n) *
			    (sparse_is_rule(&a) ? (size_t)s->nrules : 1);
	}
	return at;
}

int
sparse_init(struct sparse *s, int hidden, int nrules, bool policy)
{
	memset(s, 0, sizeof(*s));
	s->hidden = hidden;
	s->nrules = nrules;
	s->floats = lay_out(s, policy);
	s->block = memory_table(s->floats * sizeof(float));
	if (s->block == NULL)
		return -1;
	lay_out(s, policy);
	return 0;
}

void
sparse_release(struct sparse *s)
{
	free(s->block);
	s->block = NULL;
}

static int
find_feature(const struct sparse *s, const char *name)
{
	for (int k = 0; k < s->nrules; k++)
		if (strcmp(s->rules[k], name) == 0)
			return k;
	return -1;
}

void
sparse_copy_weights(struct sparse *to, const struct sparse *from)
{
	for (int id = 0; id < SPARSE_NARRAYS; id++) {
		struct sparse_array a = sparse_array(to, id);
		bool rule = sparse_is_rule(&a);
		for (int k = 0; k < (rule ? from->nrules : 1); k++) {
			int i = rule ? find_feature(to, from->rules[k]) : 0;
			const float *source = sparse_array_at(from, id, k);
			float *target = sparse_array_at(to, id, i < 0 ? 0 : i);
			if (i >= 0 && source != NULL && target != NULL)
				memcpy(target, source, a.n * sizeof(float));
		}
	}
}

static bool
is_zero(const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (x[i] != 0)
			return false;
	return true;
}

/* The right factors do nothing without the left ones. */
bool
sparse_knows_rule(const struct sparse *s, int rule)
{
	for (int id = 0; id < SPARSE_NARRAYS; id++) {
		struct sparse_array a = sparse_array(s, id);
		const float *at = sparse_array_at(s, id, rule);
		if (sparse_is_rule(&a) && id != SPARSE_ID_right &&
		    id != SPARSE_ID_row_right && at != NULL && !is_zero(at, a.n))
			return true;
	}
	return false;
}

bool
sparse_knows_atom(const struct sparse *s, int atom)
{
	size_t n = (size_t)(128 * s->hidden);

	return !is_zero(s->atoms + (size_t)atom * n, n);
}

/* ---- the rules as numbers ---- */

/* The atoms of one side's kinds: of a kind of chess, the difference from it. */
static void
read_atoms(const struct rules *r, int side, struct sparse_rules *to)
{
	struct rules classical;

	rules_init(&classical);
	rules_finish(&classical);
	for (int kind = KNIGHT; kind < r->ntypes; kind++) {
		const struct piece *p = &r->kind[side][kind];
		const struct piece *usual =
		    kind <= SPARSE_CHESS ? &classical.kind[side][kind] : NULL;
		float *share = to->atoms[side][kind], less[ATOMS];
		if (usual != NULL && piece_equal(p, usual))
			continue;
		atoms_of(p, share);
		if (usual != NULL)
			atoms_of(usual, less);
		for (int i = 0; usual != NULL && i < ATOMS; i++)
			share[i] -= less[i];
		to->fairy = true;
	}
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
		to->sided |= white[i] != black[i];
	}
	read_atoms(r, WHITE, to);
	read_atoms(r, BLACK, to);
	to->sided |=
	    memcmp(to->atoms[WHITE], to->atoms[BLACK], sizeof(to->atoms[WHITE])) != 0;
	to->hands = r->hands;
}

/* ---- rules added up ---- */

/* The change of one rule feature to the zoned inputs and to the biases. */
static void
add_feature(const struct sparse *s, int k, float f, float *in, float *bias)
{
	size_t h = (size_t)s->hidden;
	const float *left = sparse_array_at(s, SPARSE_ID_left, k);
	const float *right = sparse_array_at(s, SPARSE_ID_right, k);

	for (size_t i = 0; i < SPARSE_ZONED; i++)
		for (size_t r = 0; r < SPARSE_RANK; r++)
			if (left[i * SPARSE_RANK + r] != 0)
				sparse_add_scaled(in + i * h,
				    f * left[i * SPARSE_RANK + r], right + r * h, h);
	sparse_add_scaled(bias, f, sparse_array_at(s, SPARSE_ID_rule_bias, k), h);
}

/* Adds a kind's atoms to its rows, from square 0 on. */
static void
add_atoms(const struct sparse *s, const float share[ATOMS], bool other, float *rows)
{
	size_t n = 64 * (size_t)s->hidden;

	for (size_t i = 0; i < ATOMS; i++)
		if (share[i] != 0)
			sparse_add_scaled(rows, share[i], s->atoms + (2 * i + other) * n,
			    n);
}

static void
compose_spare(const struct sparse *s, const struct sparse_rules *r, int us, float *in)
{
	size_t h = (size_t)s->hidden;

	for (int other = 0; other < 2; other++)
		for (int kind = SPARSE_CHESS + 1; kind <= SPARSE_KINDS; kind++) {
			float *rows = in + (size_t)sparse_piece_row(other, kind, 0) * h;
			memcpy(rows, s->in + (size_t)(SPARSE_ANY + 64 * other) * h,
			    64 * h * sizeof(float));
			add_atoms(s, r->atoms[us ^ other][kind], other, rows);
		}
}

static void
compose_hands(const struct sparse *s, float *in)
{
	size_t h = (size_t)s->hidden, steps = SPARSE_STEPS * h;

	for (int other = 0; other < 2; other++)
		for (int kind = PAWN; kind <= SPARSE_KINDS; kind++) {
			int as = kind <= SPARSE_CHESS ? kind - 1 : SPARSE_CHESS;
			memcpy(in + (size_t)sparse_hand_row(other, kind) * h,
			    s->in + SPARSE_HANDS * h +
				(size_t)(other * (SPARSE_CHESS + 1) + as) * steps,
			    steps * sizeof(float));
		}
}

void
sparse_compose(const struct sparse *s, const struct sparse_rules *r, int us, float *in,
    float *bias)
{
	size_t h = (size_t)s->hidden, all = SPARSE_ZONED * h;

	memcpy(in, s->in, all * sizeof(float));
	memcpy(bias, s->bias, h * sizeof(float));
	for (int k = 0; k < s->nrules; k++)
		if (r->view[us][k] != 0)
			add_feature(s, k, r->view[us][k], in, bias);
	for (int other = 0; r->fairy && other < 2; other++)
		for (int kind = KNIGHT; kind <= SPARSE_CHESS; kind++)
			add_atoms(s, r->atoms[us ^ other][kind], other,
			    in + (size_t)sparse_piece_row(other, kind, 0) * h);
	for (size_t z = 1; z < SPARSE_ZONES; z++) {
		memcpy(in + z * all, in, all * sizeof(float));
		sparse_add_scaled(in + z * all, 1, s->zone + z * all, all);
	}
	sparse_add_scaled(in, 1, s->zone, all);
	if (r->fairy)
		compose_spare(s, r, us, in);
	if (r->hands)
		compose_hands(s, in);
}

void
sparse_compose_out(const struct sparse *s, const struct sparse_rules *r, int us,
    float *out, float *out_bias)
{
	size_t both = 2 * (size_t)s->hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;

	memcpy(out, s->out, outs * both * sizeof(float));
	memcpy(out_bias, s->out_bias, outs * sizeof(float));
	for (int k = 0; k < s->nrules; k++) {
		float f = r->view[us][k];
		if (f == 0)
			continue;
		for (size_t i = 0; i < SPARSE_BUCKETS; i++)
			sparse_add_scaled(out + i * both, f,
			    sparse_array_at(s, SPARSE_ID_rule_out, k), both);
		sparse_add_scaled(out_bias, f,
		    sparse_array_at(s, SPARSE_ID_rule_out_bias, k), SPARSE_BUCKETS);
	}
}

void
sparse_compose_policy(const struct sparse *s, const struct sparse_rules *r, int us,
    float *mix_bias, float *rows, float *row_bias)
{
	memcpy(mix_bias, s->mix_bias, POLICY_WIDTH * sizeof(float));
	memcpy(rows, s->rows, POLICY_ROWS * POLICY_WIDTH * sizeof(float));
	memcpy(row_bias, s->row_bias, POLICY_ROWS * sizeof(float));
	for (int k = 0; k < s->nrules; k++) {
		float f = r->view[us][k];
		if (f == 0)
			continue;
		const float *left = sparse_array_at(s, SPARSE_ID_row_left, k);
		const float *right = sparse_array_at(s, SPARSE_ID_row_right, k);
		sparse_add_scaled(mix_bias, f,
		    sparse_array_at(s, SPARSE_ID_rule_mix_bias, k), POLICY_WIDTH);
		sparse_add_scaled(row_bias, f,
		    sparse_array_at(s, SPARSE_ID_rule_row_bias, k), POLICY_ROWS);
		for (size_t j = 0; j < POLICY_RANK; j++)
			for (size_t i = 0; i < POLICY_ROWS; i++)
				sparse_add_scaled(rows + i * POLICY_WIDTH,
				    f * left[j * POLICY_ROWS + i],
				    right + j * POLICY_WIDTH, POLICY_WIDTH);
	}
}

/* ---- in integers ---- */

/* x in units, rounded and clamped to -most..most. */
static int32_t
rounded(float x, float unit, float most)
{
	float v = x * unit;

	if (!(v > -most))
		v = -most;
	if (v > most)
		v = most;
	return (int32_t)(v < 0 ? v - 0.5f : v + 0.5f);
}

static bool
make_room(struct sparse_ints *t, bool sided)
{
	size_t h = (size_t)t->hidden;

	for (int side = WHITE; side <= BLACK; side++) {
		if (side == BLACK && !sided) {
			t->in[BLACK] = t->in[WHITE];
			t->bias[BLACK] = t->bias[WHITE];
			t->out[BLACK] = t->out[WHITE];
			break;
		}
		t->in[side] = memory_table(SPARSE_ROWS * h * sizeof(int16_t));
		t->bias[side] = memory_table(h * sizeof(int16_t));
		t->out[side] =
		    memory_table(SPARSE_HEADS * SPARSE_BUCKETS * 2 * h * sizeof(int16_t));
		if (t->in[side] == NULL || t->bias[side] == NULL || t->out[side] == NULL)
			return false;
	}
	return true;
}

static bool
make_policy_room(struct sparse_ints *t, bool sided)
{
	t->mix = memory_table(2 * (size_t)t->hidden * POLICY_WIDTH);
	for (int side = WHITE; side <= BLACK; side++) {
		if (side == BLACK && !sided) {
			t->rows[BLACK] = t->rows[WHITE];
			t->row_bias[BLACK] = t->row_bias[WHITE];
			break;
		}
		t->rows[side] = memory_table(POLICY_ROWS * POLICY_WIDTH);
		t->row_bias[side] = memory_table(POLICY_ROWS * sizeof(int32_t));
		if (t->rows[side] == NULL || t->row_bias[side] == NULL)
			return false;
	}
	return t->mix != NULL;
}

int
sparse_ints_init(struct sparse_ints *t, int hidden, bool policy, bool sided)
{
	memset(t, 0, sizeof(*t));
	t->hidden = hidden;
	if (make_room(t, sided) && (!policy || make_policy_room(t, sided)))
		return 0;
	sparse_ints_release(t);
	return -1;
}

void
sparse_ints_release(struct sparse_ints *t)
{
	for (int side = WHITE; side <= BLACK; side++) {
		if (side == BLACK && !sparse_ints_sided(t))
			break;
		free(t->in[side]);
		free(t->bias[side]);
		free(t->out[side]);
		free(t->rows[side]);
		free(t->row_bias[side]);
	}
	free(t->mix);
	memset(t, 0, sizeof(*t));
}

static void
quantise_value(struct sparse_ints *t, const struct sparse *s,
    const struct sparse_rules *r, int us, float *room)
{
	size_t h = (size_t)s->hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;
	float *in = room, *bias = in + SPARSE_ROWS * h, *out = bias + h;
	float *out_bias = out + outs * 2 * h;

	sparse_compose(s, r, us, in, bias);
	sparse_compose_out(s, r, us, out, out_bias);
	for (size_t i = 0; i < SPARSE_ROWS * h; i++)
		t->in[us][i] = (int16_t)rounded(in[i], SPARSE_ONE, SPARSE_WEIGHT_MOST);
	for (size_t i = 0; i < h; i++)
		t->bias[us][i] = (int16_t)rounded(bias[i], SPARSE_ONE, 2000);
	for (size_t i = 0; i < outs * 2 * h; i++)
		t->out[us][i] = (int16_t)rounded(out[i], SPARSE_OUT, 127);
	for (size_t i = 0; i < outs; i++)
		t->out_bias[us][i / SPARSE_BUCKETS][i % SPARSE_BUCKETS] =
		    (int16_t)rounded(out_bias[i], SPARSE_UNIT, 8000);
}

static void
quantise_policy(struct sparse_ints *t, const struct sparse *s,
    const struct sparse_rules *r, int us, float *room)
{
	float *rows = room, *row_bias = rows + POLICY_ROWS * POLICY_WIDTH;
	float mix_bias[POLICY_WIDTH];

	sparse_compose_policy(s, r, us, mix_bias, rows, row_bias);
	for (size_t i = 0; i < 2 * (size_t)s->hidden; i++)
		for (size_t j = 0; j < POLICY_WIDTH; j++)
			t->mix[(i / 4 * POLICY_WIDTH + j) * 4 + i % 4] =
			    (int8_t)rounded(s->mix[i * POLICY_WIDTH + j], POLICY_MIX,
				127);
	/* half a unit, so that the division in clip() rounds */
	for (size_t j = 0; j < POLICY_WIDTH; j++)
		t->mix_bias[us][j] =
		    POLICY_MIX / 2 + rounded(mix_bias[j], POLICY_MIX * POLICY_ONE, 1e6f);
	for (size_t i = 0; i < POLICY_ROWS * POLICY_WIDTH; i++)
		t->rows[us][i] = (int8_t)rounded(rows[i], POLICY_ROW, 127);
	for (size_t i = 0; i < POLICY_ROWS; i++)
		t->row_bias[us][i] = rounded(row_bias[i], POLICY_ROW * POLICY_ONE, 1e6f);
}

/* What is not shared by pointers. */
static void
copy_biases(struct sparse_ints *t)
{
	memcpy(t->out_bias[BLACK], t->out_bias[WHITE], sizeof(t->out_bias[BLACK]));
	memcpy(t->mix_bias[BLACK], t->mix_bias[WHITE], sizeof(t->mix_bias[BLACK]));
}

/* ---- values of pieces ---- */

/* Sums of what pieces are worth, by kind. */
struct worths {
	int64_t sum[SPARSE_KINDS + 1], n[SPARSE_KINDS + 1];
};

/* How much the score falls when each piece is removed. */
static void
weigh_pieces(struct worths *w, struct sparse_stack *s, const struct board *b)
{
	int whole = sparse_score(s, b, 0, -1);

	for (int side = WHITE; side <= BLACK; side++)
		for (int kind = PAWN; kind < TYPES; kind++) {
			if (b->rules->worth[kind] == 0)
				continue; /* a royal king */
			for (bitboard p = b->pieces[side][kind]; p != 0; p &= p - 1) {
				struct board less = *b;
				int sq = __builtin_ctzll(p);
				less.pieces[side][kind] ^= bit(sq);
				less.pieces[side][ALL] ^= bit(sq);
				less.square[sq] = 0;
				int d = whole - sparse_score(s, &less, 1, 0);
				w->sum[kind] += side == b->side ? d : -d;
				w->n[kind]++;
			}
		}
}

/* The value of each kind; of one that no position had, by the rough values of
 * struct rules. */
static void
set_worth(int worth[SPARSE_KINDS + 1], const struct worths *w, const struct rules *r)
{
	double seen = 0, rough = 0;

	for (int kind = PAWN; kind < r->ntypes; kind++)
		if (w->n[kind] > 0 && r->worth[kind] > 0) {
			seen += (double)w->sum[kind] / (double)w->n[kind];
			rough += r->worth[kind];
		}
	for (int kind = PAWN; kind < r->ntypes; kind++) {
		int64_t mean = w->n[kind] > 0 ? w->sum[kind] / w->n[kind]
		    : rough > 0               ? (int64_t)(r->worth[kind] * seen / rough)
					      : 0;
		if (r->worth[kind] != 0)
			worth[kind] = mean < 8 ? 8 : mean > 5000 ? 5000 : (int)mean;
	}
}

/* Piece values, for move ordering and static exchange, over positions of random
 * games. */
static int
find_worth(struct sparse_ints *t, const struct rules *r)
{
	enum { GAMES = 12, PLIES = 60 };
	struct worths w = { { 0 }, { 0 } };
	struct sparse_stack s;
	int64_t swing = 0, n = 0;

	if (sparse_stack_init(&s, t, 2) == -1)
		return -1;
	for (int g = 0; g < GAMES; g++) {
		struct board b;
		struct rng rng;
		rng_init(&rng, 1, (uint64_t)g);
		board_start(&b, r);
		int before = sparse_score(&s, &b, 0, -1);
		for (int ply = 0; ply < PLIES; ply++) {
			move list[MOVES_MAX];
			struct undo u;
			int moves = movegen_list(&b, list);
			if (moves == 0)
				break;
			board_make(&b, list[rng_below(&rng, (uint32_t)moves)], &u);
			int after = sparse_score(&s, &b, 0, -1);
			swing += after + before < 0 ? -after - before : after + before;
			n++;
			before = after;
			if (ply % 6 == 5)
				weigh_pieces(&w, &s, &b);
		}
	}
	sparse_stack_release(&s);
	set_worth(t->worth, &w, r);
	t->swing = (int)(swing / (n + 1));
	return 0;
}

int
sparse_quantise(struct sparse_ints *t, const struct sparse *s, const struct rules *r)
{
	size_t h = (size_t)s->hidden, outs = SPARSE_HEADS * SPARSE_BUCKETS;
	size_t value = (SPARSE_ROWS + 1 + 2 * outs) * h + outs;
	size_t policy = POLICY_ROWS * (POLICY_WIDTH + 1);
	struct sparse_rules *features = malloc(sizeof(*features)); /* large */
	float *room = memory_table((value > policy ? value : policy) * sizeof(float));
	int result = -1;

	memset(t, 0, sizeof(*t));
	if (features != NULL && room != NULL) {
		sparse_read_rules(s, r, features);
		result =
		    sparse_ints_init(t, s->hidden, sparse_has_policy(s), features->sided);
	}
	for (int us = WHITE; result == 0 && us <= (features->sided ? BLACK : WHITE);
	     us++) {
		quantise_value(t, s, features, us, room);
		if (sparse_has_policy(s))
			quantise_policy(t, s, features, us, room);
	}
	if (result == 0) {
		t->hands = features->hands;
		if (!features->sided)
			copy_biases(t);
	}
	free(features);
	free(room);
	if (result == 0 && find_worth(t, r) == -1) {
		sparse_ints_release(t);
		result = -1;
	}
	return result;
}
