/*
 * Reads nets of the former kinds, "rulelab-sparse-2" and "rulelab-sparse-policy-2". They
 * had no spare kinds, no hands and no atoms: each field of a piece had a rule feature
 * for each of its atoms ("knight:cfN"), which changed all weights. The weights of an
 * atom are here what these features did to the rows of their own kind, on average;
 * the rest of them is lost. Without changed pieces such a net plays as before. A net
 * that is read can be written in the new form: train --steps 0.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sparsefile.h"

enum {
	OLD_ROWS = POLICY_SPARE_ARRIVALS, /* of the policy */
	FIRST_KIND = KNIGHT
};

static const char *const kinds[] = { "knight", "bishop", "rook", "queen", "king" };

bool
sparseold_is(const struct onnxin *file)
{
	struct onnxin_name name = onnxin_metadata(file, NET_KEY_INPUT);

	return onnxin_is(name, "rulelab-sparse-2") ||
	    onnxin_is(name, "rulelab-sparse-policy-2");
}

/* Is a feature of a piece's atom? Then sets both. */
static bool
names_atom(const char *feature, int *kind, int *atom)
{
	char name[ATOMS_NAME_MAX];
	const char *colon = strchr(feature, ':');

	for (int k = 0; colon != NULL && k < 5; k++) {
		size_t n = strlen(kinds[k]);
		if ((size_t)(colon - feature) != n || strncmp(feature, kinds[k], n) != 0)
			continue;
		for (int a = 0; a < ATOMS; a++) {
			atoms_name(a, name);
			if (strcmp(strchr(name, ':'), colon) == 0) {
				*kind = FIRST_KIND + k;
				*atom = a;
				return true;
			}
		}
	}
	return false;
}

/* Adds a feature's change of its own kind's rows to the atom's. */
static void
add_change(struct sparse *to, const struct sparse *old, int k, int kind, int atom)
{
	size_t h = (size_t)to->hidden;
	const float *left = sparse_array_at(old, SPARSE_ID_left, k);
	const float *right = sparse_array_at(old, SPARSE_ID_right, k);

	for (int other = 0; other < 2; other++)
		for (int sq = 0; sq < 64; sq++) {
			size_t from = (size_t)(sparse_piece_row(other, kind, 0) + sq);
			float *row =
			    to->atoms + (size_t)((2 * atom + other) * 64 + sq) * h;
			for (size_t r = 0; r < SPARSE_RANK; r++)
				sparse_add_scaled(row, left[from * SPARSE_RANK + r],
				    right + r * h, h);
		}
}

/* The atoms, from all features of pieces; each is the mean over the kinds that
 * know it. */
static void
make_atoms(struct sparse *to, const struct sparse *old)
{
	int counts[ATOMS] = { 0 }, kind, atom;
	size_t n = 128 * (size_t)to->hidden;

	for (int k = 0; k < old->nrules; k++)
		if (names_atom(old->rules[k], &kind, &atom)) {
			add_change(to, old, k, kind, atom);
			counts[atom]++;
		}
	for (size_t i = 0; i < ATOMS * n; i++) {
		int count = counts[i / n];
		float v = count > 0 ? to->atoms[i] / (float)count : 0;
		to->atoms[i] = v > SPARSE_BYTE_MOST ? SPARSE_BYTE_MOST
		    : v < -SPARSE_BYTE_MOST         ? -SPARSE_BYTE_MOST
						    : v;
	}
}

/* A spare piece's own weights: what knight to queen have beside their atoms, on
 * average. */
static void
make_spare(struct sparse *to)
{
	size_t h = (size_t)to->hidden;
	struct rules chess;
	float share[ATOMS];

	rules_init(&chess);
	rules_finish(&chess);
	for (int other = 0; other < 2; other++)
		for (int kind = KNIGHT; kind <= QUEEN; kind++) {
			float *base = to->in + (size_t)(SPARSE_ANY + 64 * other) * h;
			size_t from = (size_t)sparse_piece_row(other, kind, 0) * h;
			sparse_add_scaled(base, 0.25f, to->in + from, 64 * h);
			atoms_of(&chess.kind[WHITE][kind], share);
			for (size_t a = 0; a < ATOMS; a++)
				sparse_add_scaled(base, -0.25f * share[a],
				    to->atoms + (2 * a + (size_t)other) * 64 * h, 64 * h);
		}
}

/* The tensors of the old form that the new one has, too, by the new tables. */
static int
read_weights(struct sparse *s, const struct onnxin *file, char *reason)
{
	struct sparsefile_tensor t[SPARSEFILE_TENSORS];
	int n = sparsefile_tensors(s, false, false, t);

	for (int i = 0; i < n; i++) {
		for (int d = 0; d < 2; d++)
			if (t[i].dims[d] == POLICY_ROWS)
				t[i].dims[d] = OLD_ROWS;
		if (t[i].per_block == POLICY_ROWS)
			t[i].per_block = OLD_ROWS;
		if (strcmp(t[i].name, "more") != 0 &&
		    sparsefile_read_tensor(&t[i], file, reason) == -1)
			return -1;
	}
	return 0;
}

/* Everything but the pieces' features, and what becomes of these. */
static void
convert(struct sparse *to, const struct sparse *old)
{
	int kind, atom;

	to->nrules = 0;
	for (int k = 0; k < old->nrules; k++)
		if (!names_atom(old->rules[k], &kind, &atom))
			memcpy(to->rules[to->nrules++], old->rules[k],
			    sizeof(old->rules[k]));
	if (to->nrules == 0) /* a net has at least one */
		encode_feature_name(0, to->rules[to->nrules++]);
	sparse_copy_weights(to, old);
	make_atoms(to, old);
	make_spare(to);
}

static int
read_old(struct sparse *s, struct sparse *old, const struct onnxin *file,
    char reason[REASON_MAX])
{
	struct onnxin_name list = onnxin_metadata(file, SPARSEFILE_KEY_FEATURES);
	int hidden = sparsefile_hidden(file);
	bool policy = sparsefile_has_policy(file);
	const struct onnxin_weights *in = onnxin_find(file, "in");

	if (hidden == 0 || in == NULL || sparsefile_features(s, list.s, list.n) == -1 ||
	    in->size != SPARSE_ZONED * (size_t)hidden * sizeof(float))
		return refuse(reason,
		    "a sparse net of a former kind that cannot be read");
	if (sparse_init(old, hidden, s->nrules, policy) == -1) {
		errno = ENOMEM;
		return refuse(reason, "out of memory");
	}
	memcpy(old->rules, s->rules, sizeof(old->rules));
	if (read_weights(old, file, reason) == -1)
		return -1;
	if (sparse_init(s, hidden, old->nrules, policy) == -1) {
		errno = ENOMEM;
		return refuse(reason, "out of memory");
	}
	convert(s, old);
	return 0;
}

int
sparseold_read(struct sparse *s, const struct onnxin *file, char reason[REASON_MAX])
{
	struct sparse *old = calloc(1, sizeof(*old)); /* large */

	if (old == NULL) {
		errno = ENOMEM;
		return refuse(reason, "out of memory");
	}
	int result = read_old(s, old, file, reason);
	sparse_release(old);
	free(old);
	return result;
}
