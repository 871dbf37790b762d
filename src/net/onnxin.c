#include "onnxin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sha256.h"

/* A message of the format: fields, each with a number and a kind. */
struct message {
	const char *s, *end;
};

enum { KIND_VARINT, KIND_64, KIND_BYTES, KIND_32 = 5 };

struct field {
	int number, kind;
	uint64_t value; /* of a varint */
	struct message bytes;
};

static int
read_varint(struct message *m, uint64_t *v)
{
	*v = 0;
	for (int shift = 0; m->s < m->end && shift < 64; shift += 7) {
		unsigned char c = (unsigned char)*m->s++;
		*v |= (uint64_t)(c & 127) << shift;
		if (c < 128)
			return 0;
	}
	return -1;
}

/* Reads the next field: 1; 0 at the end of the message; -1 if it is malformed. */
static int
next_field(struct message *m, struct field *f)
{
	uint64_t key;

	if (m->s == m->end)
		return 0;
	if (read_varint(m, &key) == -1 || key >> 3 > 1 << 28)
		return -1;
	f->number = (int)(key >> 3);
	f->kind = (int)(key & 7);
	if (f->kind == KIND_VARINT)
		return read_varint(m, &f->value) == -1 ? -1 : 1;
	uint64_t n = 8;
	if (f->kind == KIND_BYTES) {
		if (read_varint(m, &n) == -1)
			return -1;
	} else if (f->kind == KIND_32) {
		n = 4;
	} else if (f->kind != KIND_64) {
		return -1;
	}
	if (n > (uint64_t)(m->end - m->s))
		return -1;
	f->bytes = (struct message){ m->s, m->s + n };
	m->s += n;
	return 1;
}

/* ---- references to other files ---- */

enum { MODEL, GRAPH, NODE, ATTRIBUTE, TENSOR, SPARSE, TRAINING, FUNCTION };
enum { DEPTH_MAX = 64 };

/* The fields of a message that are messages which may contain tensors. */
/* clang-format off */
static const struct inside {
	uint8_t message, field, is;
} inside[] = {
	{ MODEL, 7, GRAPH }, { MODEL, 20, TRAINING }, { MODEL, 25, FUNCTION },
	{ TRAINING, 1, GRAPH }, { TRAINING, 2, GRAPH },
	{ FUNCTION, 7, NODE }, { FUNCTION, 11, ATTRIBUTE },
	{ GRAPH, 1, NODE }, { GRAPH, 5, TENSOR }, { GRAPH, 15, SPARSE },
	{ NODE, 5, ATTRIBUTE },
	{ ATTRIBUTE, 5, TENSOR }, { ATTRIBUTE, 6, GRAPH },
	{ ATTRIBUTE, 10, TENSOR }, { ATTRIBUTE, 11, GRAPH },
	{ ATTRIBUTE, 22, SPARSE }, { ATTRIBUTE, 23, SPARSE },
	{ SPARSE, 1, TENSOR }, { SPARSE, 2, TENSOR },
};
/* clang-format on */

static enum onnxin_fault
check_message(struct message m, int message, int depth)
{
	enum onnxin_fault fault = ONNXIN_WHOLE;
	struct field f;
	int more = depth == DEPTH_MAX ? -1 : 0;

	while (more != -1 && fault == ONNXIN_WHOLE && (more = next_field(&m, &f)) == 1) {
		/* external_data; data_location unless it is this file */
		if (message == TENSOR &&
		    (f.number == 13 ||
			(f.number == 14 && (f.kind != KIND_VARINT || f.value != 0))))
			return ONNXIN_EXTERNAL;
		for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++)
			if (f.kind == KIND_BYTES && inside[i].message == message &&
			    inside[i].field == f.number)
				fault = check_message(f.bytes, inside[i].is, depth + 1);
	}
	return more == -1 ? ONNXIN_BROKEN : fault;
}

enum { DIGITS = 2 * SHA256_SIZE };

/* What comes before the digest, in the only form in which it is written: field 14, a
 * pair of 82 bytes. */
#define DIGEST_HEAD "\x72\x52\x0a\x0e" ONNXIN_KEY_DIGEST "\x12\x40"

/* Has the file a digest that is not the one of its bytes? The key elsewhere than at
 * the end is that of a file that was changed. */
static bool
is_changed(const char *data, size_t n)
{
	const size_t head = sizeof(DIGEST_HEAD) - 1;
	char digest[DIGITS + 1];

	if (n < head + DIGITS)
		return false;
	size_t before = n - head - DIGITS;
	if (memcmp(data + before, DIGEST_HEAD, head) != 0)
		return memmem(data, n, ONNXIN_KEY_DIGEST, strlen(ONNXIN_KEY_DIGEST)) !=
		    NULL;
	sha256_text(data, before, digest, DIGITS);
	return memcmp(data + before + head, digest, DIGITS) != 0;
}

enum onnxin_fault
onnxin_check(const char *data, size_t n)
{
	enum onnxin_fault fault =
	    check_message((struct message){ data, data + n }, MODEL, 0);

	return fault == ONNXIN_WHOLE && is_changed(data, n) ? ONNXIN_CHANGED : fault;
}

/* ---- the net ---- */

static struct onnxin_name
name_of(const struct field *f)
{
	return (struct onnxin_name){ f->bytes.s, (size_t)(f->bytes.end - f->bytes.s) };
}

/* Room for one more of an array whose length is a power of two, or 0. */
static void *
grow(void *array, int n, size_t size)
{
	return (n & (n - 1)) != 0
	    ? array
	    : xreallocarray(array, (size_t)(n == 0 ? 1 : 2 * n), size);
}

/* Adds an element of zeros to an array and its count; -1 if there are more than
 * any of our nets has. */
#define ADD(array, n) \
	((n) == ONNXIN_MOST ? -1 \
			    : ((array) = grow(array, n, sizeof(*(array))), \
				  memset(&(array)[(n)++], 0, sizeof(*(array))), 0))

/* Numbers that are given one by one, or packed into one field. */
static int
add_numbers(struct field *f, int64_t *v, int *n, int room)
{
	uint64_t x = f->value;

	if (f->kind == KIND_VARINT) {
		if (*n == room)
			return -1;
		v[(*n)++] = (int64_t)x;
		return 0;
	}
	while (f->bytes.s < f->bytes.end) {
		if (*n == room || read_varint(&f->bytes, &x) == -1)
			return -1;
		v[(*n)++] = (int64_t)x;
	}
	return 0;
}

static int
read_node(struct onnxin_node *n, struct message m)
{
	struct field f;
	int more;

	while ((more = next_field(&m, &f)) == 1) {
		if (f.kind != KIND_BYTES)
			return -1;
		if (f.number == 1) {
			if (n->nin == ONNXIN_INPUTS)
				return -1;
			n->in[n->nin++] = name_of(&f);
		} else if (f.number == 2) {
			if (n->nout++ > 0)
				return -1;
			n->out = name_of(&f);
		} else if (f.number == 4) {
			n->type = name_of(&f);
		} else if (f.number == 5) {
			n->nattributes++;
		} else if (f.number == 7 && f.bytes.s < f.bytes.end) {
			return -1; /* of another domain */
		}
	}
	return more;
}

static int
read_weights(struct onnxin_weights *w, struct message m)
{
	struct field f;
	int more;

	while ((more = next_field(&m, &f)) == 1) {
		if (f.number == 1 && (f.kind == KIND_VARINT || f.kind == KIND_BYTES)) {
			if (add_numbers(&f, w->dims, &w->ndims, ONNXIN_DIMS) == -1)
				return -1;
		} else if (f.number == 2 && f.kind == KIND_VARINT) {
			w->type = (int64_t)f.value;
		} else if (f.number == 8 && f.kind == KIND_BYTES) {
			w->name = name_of(&f);
		} else if (f.number == 9 && f.kind == KIND_BYTES) {
			w->raw = f.bytes.s;
			w->size = (size_t)(f.bytes.end - f.bytes.s);
		} else if (f.number != 12) {
			return -1; /* data in another form */
		}
	}
	return more;
}

static int
read_pair(struct onnxin_pair *p, struct message m)
{
	struct field f;
	int more;

	while ((more = next_field(&m, &f)) == 1) {
		if (f.kind != KIND_BYTES)
			return -1;
		if (f.number == 1)
			p->key = name_of(&f);
		else if (f.number == 2)
			p->value = name_of(&f);
	}
	return more;
}

static int
read_graph(struct onnxin *o, struct message m)
{
	struct field f;
	int more;

	while ((more = next_field(&m, &f)) == 1) {
		int bad = f.kind != KIND_BYTES;
		if (!bad && f.number == 1)
			bad = ADD(o->nodes, o->nnodes) == -1 ||
			    read_node(&o->nodes[o->nnodes - 1], f.bytes);
		else if (!bad && f.number == 5)
			bad = ADD(o->weights, o->nweights) == -1 ||
			    read_weights(&o->weights[o->nweights - 1], f.bytes);
		if (bad)
			return -1;
	}
	return more;
}

int
onnxin_read(struct onnxin *o, const char *data, size_t n)
{
	struct message m = { data, data + n };
	struct field f;
	int more, graphs = 0;

	memset(o, 0, sizeof(*o));
	while ((more = next_field(&m, &f)) == 1) {
		int bad = 0;
		if (f.number == 7 && f.kind == KIND_BYTES)
			bad = graphs++ > 0 || read_graph(o, f.bytes) != 0;
		else if (f.number == 14 && f.kind == KIND_BYTES)
			bad = ADD(o->pairs, o->npairs) == -1 ||
			    read_pair(&o->pairs[o->npairs - 1], f.bytes);
		if (bad)
			return -1;
	}
	return more == 0 && graphs == 1 ? 0 : -1;
}

void
onnxin_release(struct onnxin *o)
{
	free(o->nodes);
	free(o->weights);
	free(o->pairs);
	memset(o, 0, sizeof(*o));
}

bool
onnxin_is(struct onnxin_name a, const char *s)
{
	return a.n == strlen(s) && memcmp(a.s, s, a.n) == 0;
}

const struct onnxin_weights *
onnxin_find(const struct onnxin *o, const char *name)
{
	for (int i = 0; i < o->nweights; i++)
		if (onnxin_is(o->weights[i].name, name))
			return &o->weights[i];
	return NULL;
}

struct onnxin_name
onnxin_metadata(const struct onnxin *o, const char *key)
{
	for (int i = 0; i < o->npairs; i++)
		if (onnxin_is(o->pairs[i].key, key))
			return o->pairs[i].value;
	return (struct onnxin_name){ "", 0 };
}

void
onnxin_copy(const struct onnxin *o, const char *key, char *to, size_t size)
{
	struct onnxin_name v = onnxin_metadata(o, key);

	snprintf(to, size, "%.*s", v.n > size ? (int)size : (int)v.n, v.s);
}
