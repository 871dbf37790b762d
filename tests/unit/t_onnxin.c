/*
 * What is read of ONNX files: weights that are in other files, too many nodes, and
 * bits that have changed.
 */
#include <string.h>

#include "base/text.h"
#include "net/onnxin.h"
#include "tap.h"
#include "train/onnxout.h"

/* A field of a message: a number, and bytes. */
static void
wrap(struct text *t, int field)
{
	struct text whole = { 0 };

	text_add_char(&whole, (char)((field << 3 & 127) | 2 | (field > 15) << 7));
	if (field > 15)
		text_add_char(&whole, (char)(field >> 4));
	text_add_char(&whole, (char)t->len);
	text_add(&whole, t->s, t->len);
	text_release(t);
	*t = whole;
}

/* Data in other files, wherever a tensor can be: the fields from the file down
 * to it, innermost first. */
static void
check_external(void)
{
	static const int paths[][7] = { { 5, 7 }, { 5, 5, 1, 7 }, { 10, 5, 1, 7 },
		{ 1, 15, 7 }, { 2, 15, 7 }, { 1, 22, 5, 1, 7 }, { 2, 23, 5, 1, 7 },
		{ 5, 6, 5, 1, 7 }, { 5, 11, 5, 1, 7 }, { 5, 1, 20 }, { 5, 2, 20 },
		{ 5, 5, 7, 25 }, { 5, 11, 25 } };
	struct text t = { 0 };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		text_clear(&t);
		text_add(&t, "\x70\x01", 2); /* data_location: external */
		for (int j = 0; paths[i][j] != 0; j++)
			wrap(&t, paths[i][j]);
		ok(onnxin_check(t.s, t.len) == ONNXIN_EXTERNAL,
		    "data elsewhere, found in field %d of a field %d of …", paths[i][0],
		    paths[i][1]);
	}
	text_clear(&t);
	text_add(&t, "\x6a\x00", 2); /* external_data alone */
	wrap(&t, 5);
	wrap(&t, 7);
	ok(onnxin_check(t.s, t.len) == ONNXIN_EXTERNAL, "its place alone");
	text_clear(&t);
	text_add(&t, "\x70\x00", 2); /* here */
	wrap(&t, 5);
	wrap(&t, 7);
	ok(onnxin_check(t.s, t.len) == ONNXIN_WHOLE, "data in the file");
	ok(onnxin_check(t.s, t.len - 1) == ONNXIN_BROKEN, "a file that is cut");
	text_release(&t);
}

/* Thousands of empty nodes: refused before they take memory. */
static void
check_many(void)
{
	struct text graph = { 0 }, file = { 0 };
	struct onnxin in;

	for (int i = 0; i < 100000; i++)
		text_add(&graph, "\x0a\x00", 2);
	text_add(&file, "\x3a\xc0\x9a\x0c", 4); /* field 7, 200,000 bytes */
	text_add(&file, graph.s, graph.len);
	ok(onnxin_read(&in, file.s, file.len) == -1 && in.nnodes <= ONNXIN_MOST,
	    "a file of 100,000 nodes is not read to its end");
	onnxin_release(&in);
	text_release(&graph);
	text_release(&file);
}

/* A file as we write it, and every bit of it changed. Only the pair with the digest
 * may change unnoticed, as the net is then the same. */
static void
check_digest(void)
{
	struct onnxout out = { 0 };
	struct text file = { 0 };
	const float weights[] = { 1, 2, 3, 4, 5, 6 };
	const int64_t dims[] = { 2, 3 };
	const size_t pair = 84;
	int taken = 0;

	onnxout_weights(&out, "in", weights, dims, 2);
	onnxout_metadata(&out, "rulelab.input", "some net");
	onnxout_finish(&out, &file);
	ok(onnxin_check(file.s, file.len) == ONNXIN_WHOLE, "a net with a digest");
	for (size_t bit = 0; bit < 8 * (file.len - pair); bit++) {
		file.s[bit / 8] ^= (char)(1 << bit % 8);
		taken += onnxin_check(file.s, file.len) == ONNXIN_WHOLE;
		file.s[bit / 8] ^= (char)(1 << bit % 8);
	}
	ok(taken == 0, "%zu bits changed, one at a time: %d taken", 8 * (file.len - pair),
	    taken);
	file.s[file.len - 1] ^= 1;
	ok(onnxin_check(file.s, file.len) == ONNXIN_CHANGED, "another digest");
	file.s[file.len - 1] ^= 1;
	text_add(&file, "\x72\x00", 2);
	ok(onnxin_check(file.s, file.len) == ONNXIN_CHANGED, "something added");
	ok(onnxin_check(file.s, file.len - pair - 2) == ONNXIN_WHOLE,
	    "a file without a digest, as others write");
	text_release(&file);
}

int
main(void)
{
	check_digest();
	check_many();
	check_external();
	return tap_end();
}
