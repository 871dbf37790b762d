/*
 * For fuzzers of nets' files: changes to a good file, each two bytes of a place among
 * those that are not weights and one of what to put there; a last byte alone is a cut.
 */
#ifndef FUZZ_NETFILE_H
#define FUZZ_NETFILE_H

#include "base/text.h"
#include "fuzz.h"
#include "net/net.h"
#include "train/netexport.h"

enum { FILE_MAX = 1 << 20, ZEROS = 48 };

/* A file of a net of zeros, and the places that are not weights. */
struct netfile {
	struct text text;
	uint32_t places[FILE_MAX];
	size_t nplaces;
};

static void
netfile_find_places(struct netfile *f)
{
	REQUIRE(f->text.len < FILE_MAX);
	for (size_t i = 0, run = 0; i < f->text.len; i++) {
		run = f->text.s[i] == '\0' ? run + 1 : 0;
		if (run < ZEROS)
			f->places[f->nplaces++] = (uint32_t)i;
	}
}

/* A small sparse net's. */
static const struct netfile *
netfile_sparse(void)
{
	static struct netfile f;
	struct sparse s;

	if (f.nplaces > 0)
		return &f;
	REQUIRE(sparse_init(&s, 64, 2, false) == 0);
	strcpy(s.rules[0], "double_step");
	strcpy(s.rules[1], "pawn_back");
	s.rule_bias[0] = s.rule_bias[64] = s.atoms[0] = 1;
	REQUIRE(net_export(&s, "\"torpedo\"", 5, &f.text) == 0);
	sparse_release(&s);
	netfile_find_places(&f);
	return &f;
}

/* A copy of n bytes that ends where its memory ends; to be freed. */
static char *
netfile_copy(const char *s, size_t n)
{
	char *copy = malloc(n > 0 ? n : 1);

	REQUIRE(copy != NULL);
	memcpy(copy, s, n);
	return copy;
}

/* The file with n bytes of changes; to be freed. */
static char *
netfile_change(const struct netfile *f, const uint8_t *data, size_t n, size_t *size)
{
	size_t i = 0;
	char *s = netfile_copy(f->text.s, f->text.len);

	*size = f->text.len;
	for (; i + 3 <= n; i += 3)
		s[f->places[(size_t)(data[i] | data[i + 1] << 8) % f->nplaces]] =
		    (char)data[i + 2];
	if (i < n)
		*size -= (size_t)data[i] * 331 % *size;
	char *file = netfile_copy(s, *size);
	free(s);
	return file;
}

#endif
