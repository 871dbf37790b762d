/*
 * The hidden layer's sums, updated from position to position; and the outputs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "copies.h"
#include "sparse.h"

static const struct sparse_kernels *kernels;

/* ---- inputs ---- */

int
sparse_inputs(const struct board *b, int us, uint16_t *rows)
{
	int n = 0, view = sparse_view(sparse_king(b->pieces[us][KING], us), us);
	int sight = sparse_sight(us, view);

	for (int side = WHITE; side <= BLACK; side++)
		for (int kind = PAWN; kind < TYPES; kind++) {
			int first = sparse_piece_row(side != us, kind, view);
			for (bitboard p = b->pieces[side][kind]; p != 0; p &= p - 1)
				rows[n++] =
				    (uint16_t)(first + (__builtin_ctzll(p) ^ sight));
		}
	for (uint64_t p = sparse_state(b->castling, b->checks, us); p != 0; p &= p - 1)
		rows[n++] = (uint16_t)((view >> 1) * SPARSE_ZONED + SPARSE_PIECES +
		    __builtin_ctzll(p));
	for (int side = WHITE; b->rules->hands && side <= BLACK; side++)
		for (int kind = PAWN; kind < TYPES; kind++) {
			int steps = sparse_hand_steps(board_in_hand(b, side, kind));
			for (int i = 0; i < steps; i++)
				rows[n++] =
				    (uint16_t)(sparse_hand_row(side != us, kind) + i);
		}
	return n;
}

/* ---- the stack ---- */

int
sparse_stack_init(struct sparse_stack *s, const struct sparse_ints *net, int room)
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
		memcpy(p + (size_t)i * h, net->bias[i & 1], h * sizeof(int16_t));
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

/* ---- updates ---- */

/*
 * Pieces added and removed from one position to another: the row of each, as White and
 * as Black see it, for a king in zone 0 on the e- to h-files of the first rank; those of
 * spare kinds, which zones do not change, with IN_NO_ZONE.
 */
struct difference {
	uint16_t add[2][2 * 64], sub[2][2 * 64];
	int nadd, nsub;
};

enum { IN_NO_ZONE = 1 << 15 };

static inline void
compare_kind(struct difference *d, const struct accumulator *from, const struct board *b,
    int side, int kind)
{
	bitboard now = b->pieces[side][kind], was = from->pieces[side][kind];
	int zone = kind <= SPARSE_CHESS ? 0 : IN_NO_ZONE;
	int first[2] = { sparse_piece_row(side != WHITE, kind, 0) | zone,
		sparse_piece_row(side != BLACK, kind, 0) | zone };

	for (bitboard x = now & ~was; x != 0; x &= x - 1) {
		int sq = __builtin_ctzll(x), n = d->nadd++;
		d->add[WHITE][n] = (uint16_t)(first[WHITE] | sq);
		d->add[BLACK][n] = (uint16_t)(first[BLACK] | sq);
	}
	for (bitboard x = was & ~now; x != 0; x &= x - 1) {
		int sq = __builtin_ctzll(x), n = d->nsub++;
		d->sub[WHITE][n] = (uint16_t)(first[WHITE] | sq);
		d->sub[BLACK][n] = (uint16_t)(first[BLACK] | sq);
	}
}

static inline void
find_difference(struct difference *d, const struct accumulator *from,
    const struct board *b)
{
	int kinds = b->rules->ntypes;

	d->nadd = d->nsub = 0;
	for (int kind = PAWN; kind <= KING; kind++) {
		compare_kind(d, from, b, WHITE, kind);
		compare_kind(d, from, b, BLACK, kind);
	}
	for (int kind = SPARE; kind < kinds; kind++) {
		compare_kind(d, from, b, WHITE, kind);
		compare_kind(d, from, b, BLACK, kind);
	}
}

/* The rows of a net for one side, as it sees the board. */
struct sight {
	const int16_t *in;
	int hidden, us, zone, squares; /* its first row; XOR: sparse_sight() */
};

static inline const int16_t *
row(const struct sight *s, int i)
{
	return s->in + (size_t)i * (size_t)s->hidden;
}

static inline int
list_pieces(const int16_t **rows, const uint16_t *pieces, int n, const struct sight *s)
{
	for (int i = 0; i < n; i++) {
		int at = pieces[i] ^ s->squares;
		rows[i] = row(s, at & IN_NO_ZONE ? at - IN_NO_ZONE : at + s->zone);
	}
	return n;
}

static inline int
list_state(const int16_t **rows, uint64_t state, const struct sight *s)
{
	int n = 0, first = s->zone + SPARSE_PIECES;

	for (; state != 0; state &= state - 1)
		rows[n++] = row(s, first + __builtin_ctzll(state));
	return n;
}

/* The rows of counts in hand that have risen from `was` to `now`. */
static int
list_hands(const int16_t **rows, const uint8_t was[2][SPARSE_KINDS + 1],
    const uint8_t now[2][SPARSE_KINDS + 1], const struct sight *s)
{
	int n = 0;

	for (int side = WHITE; side <= BLACK; side++)
		for (int kind = PAWN; kind < TYPES; kind++)
			for (int i = was[side][kind]; i < now[side][kind]; i++)
				rows[n++] =
				    row(s, sparse_hand_row(side != s->us, kind) + i);
	return n;
}

static void
read_hands(const struct board *b, uint8_t steps[2][SPARSE_KINDS + 1])
{
	for (int side = WHITE; side <= BLACK; side++)
		for (int kind = PAWN; kind < TYPES; kind++)
			steps[side][kind] =
			    (uint8_t)sparse_hand_steps(board_in_hand(b, side, kind));
}

/* One side's sums of a position, from those of another that differs by d and
 * has the same view. */
static inline void
update_sums(struct sparse_stack *s, const struct board *b, int us, int view,
    const struct difference *d, const struct accumulator *from, int16_t *to)
{
	enum { ROOM = 2 * 64 + 32 + 2 * SPARSE_KINDS * SPARSE_STEPS };
	const int16_t *add[ROOM], *sub[ROOM];
	const struct sight at = { s->net->in[us], s->net->hidden, us,
		(view >> 1) * SPARSE_ZONED, sparse_sight(us, view) };
	int nadd = list_pieces(add, d->add[us], d->nadd, &at);
	int nsub = list_pieces(sub, d->sub[us], d->nsub, &at);

	if (b->castling != from->castling || b->checks != from->checks) {
		uint64_t now = sparse_state(b->castling, b->checks, us);
		uint64_t was = sparse_state(from->castling, from->checks, us);
		nadd += list_state(add + nadd, now & ~was, &at);
		nsub += list_state(sub + nsub, was & ~now, &at);
	}
	if (s->net->hands) {
		uint8_t now[2][SPARSE_KINDS + 1] = { { 0 } };
		read_hands(b, now);
		nadd += list_hands(add + nadd, from->hands, now, &at);
		nsub += list_hands(sub + nsub, now, from->hands, &at);
	}
	kernels->update(to, from->sums[us], add, nadd, sub, nsub, at.hidden);
}

static inline void
copy_position(struct accumulator *to, const struct board *b, bool hands)
{
	for (int side = WHITE; side <= BLACK; side++)
		memcpy(to->pieces[side], b->pieces[side], sizeof(b->pieces[side]));
	to->castling = b->castling;
	to->checks = b->checks;
	if (hands)
		read_hands(b, to->hands);
}

/* The same from s->begin, if there is no similar position. */
static void
refresh(struct sparse_stack *s, const struct board *b, int us, int view, int16_t *to)
{
	struct accumulator *base = &s->begin[us][view];
	struct difference d;

	find_difference(&d, base, b);
	update_sums(s, b, us, view, &d, base, to);
	memcpy(base->sums[us], to, (size_t)s->net->hidden * sizeof(int16_t));
	copy_position(base, b, s->net->hands);
}

static inline void
update_accumulator(struct sparse_stack *s, const struct board *b, int i, int from)
{
	struct accumulator *to = &s->at[i];
	const struct accumulator *base = from < 0 ? NULL : &s->at[from];
	struct difference d;

	if (base != NULL)
		find_difference(&d, base, b);
	for (int us = WHITE; us <= BLACK; us++) {
		int view = sparse_view(sparse_king(b->pieces[us][KING], us), us);
		if (base != NULL && base->view[us] == view)
			update_sums(s, b, us, view, &d, base, to->sums[us]);
		else
			refresh(s, b, us, view, to->sums[us]);
		to->view[us] = (uint8_t)view;
	}
	copy_position(to, b, s->net->hands);
}

/* ---- outputs ---- */

static int
head(const struct sparse_stack *s, const struct board *b, int i, int which)
{
	const struct sparse_ints *net = s->net;
	int bucket = sparse_bucket(__builtin_popcountll(board_occupied(b)));
	int h = net->hidden;
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
	update_accumulator(s, b, i, from);
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

void
sparse_kernels_use(const struct sparse_kernels *k)
{
	kernels = k != NULL ? k : copies[copies_choose(count_copies())];
}

__attribute__((constructor)) static void
choose_kernels(void)
{
	sparse_kernels_use(NULL);
}
