#include "kit.h"

#include <stdio.h>
#include <stdlib.h>

static const char magic[] = "rulelab-page-1\n";

/* The arrays of a net, in the order of the kit. */
enum { ARRAYS = 6 };
struct array {
	void *data;
	size_t bytes;
};

static void
list_arrays(const struct sparse_tuned *t, struct array list[ARRAYS])
{
	size_t h = (size_t)t->hidden * sizeof(int16_t);
	size_t outs = SPARSE_HEADS * SPARSE_BUCKETS * 2 * h;

	list[0] = (struct array){ (void *)(uintptr_t)t->worth, sizeof(t->worth) };
	list[1] = (struct array){ (void *)(uintptr_t)t->out_bias,
	    sizeof(t->out_bias) };
	list[2] = (struct array){ t->bias, h };
	list[3] = (struct array){ t->out[WHITE], outs };
	list[4] = (struct array){ t->out[BLACK], outs };
	list[5] = (struct array){ t->in, SPARSE_INPUTS * h };
}

static bool
is_text(const struct rules_field *f)
{
	return f->type == RULE_FEN || f->type == RULE_PIECE;
}

static void
write_field(struct text *t, const struct rules *r, const struct rules_field *f)
{
	char value[RULES_FEN_MAX + PIECE_TEXT_MAX];

	if (!is_text(f)) {
		text_add_format(t, "%s %d\n", f->name, rules_get(r, f));
		return;
	}
	rules_print_value(r, f, value);
	value[strlen(value) - 1] = '\0';	/* quotes */
	text_add_format(t, "%s %s\n", f->name, value + 1);
}

void
kit_write(struct text *t, const struct rules *r, const struct sparse_tuned *net)
{
	struct array list[ARRAYS];

	text_add_string(t, magic);
	for (size_t i = 0; i < rules_nfields; i++)
		if (!rules_is_classical(r, &rules_fields[i]))
			write_field(t, r, &rules_fields[i]);
	if (r->name[0] != '\0')
		text_add_format(t, "name %s\n", r->name);
	if (net == NULL) {
		text_add_string(t, "material\n\n");
		return;
	}
	text_add_format(t, "net %d\n\n", net->hidden);
	list_arrays(net, list);
	for (int i = 0; i < ARRAYS; i++)
		text_add(t, list[i].data, list[i].bytes);
}

/* ---- reading ---- */

static int
refuse_kit(char *reason, const char *why)
{
	snprintf(reason, KIT_REASON_MAX, "not a kit of this version: %s", why);
	return -1;
}

static void *
allocate(size_t n)
{
	return aligned_alloc(64, (n + 63) / 64 * 64);
}

static int
read_net(const char *data, size_t n, int hidden, struct sparse_tuned *net,
    char *reason)
{
	size_t h = (size_t)hidden * sizeof(int16_t);
	size_t outs = SPARSE_HEADS * SPARSE_BUCKETS * 2 * h;
	struct array list[ARRAYS];

	memset(net, 0, sizeof(*net));
	net->hidden = hidden;
	net->bias = allocate(h);
	net->out[WHITE] = allocate(outs);
	net->out[BLACK] = allocate(outs);
	net->in = allocate(SPARSE_INPUTS * h);
	if (net->bias == NULL || net->out[WHITE] == NULL ||
	    net->out[BLACK] == NULL || net->in == NULL) {
		sparse_tuned_release(net);
		return refuse_kit(reason, "no memory");
	}
	list_arrays(net, list);
	for (int i = 0; i < ARRAYS; i++) {
		if (n < list[i].bytes) {
			sparse_tuned_release(net);
			return refuse_kit(reason, "it is cut short");
		}
		memcpy(list[i].data, data, list[i].bytes);
		data += list[i].bytes;
		n -= list[i].bytes;
	}
	return 0;
}

static int
read_field(struct rules *r, const char *name, const char *value, char *reason)
{
	const struct rules_field *f = rules_find_field(name);
	int64_t v;

	if (strcmp(name, "name") == 0)
		return rules_set_name(r, value, reason);
	if (f == NULL)
		return refuse_kit(reason, "an unknown field");
	if (is_text(f))
		return rules_set_text(r, f, value, reason);
	if (!number_read(value, INT16_MIN, INT16_MAX, &v))
		return refuse_kit(reason, "a value is no number");
	return rules_set(r, f, (int)v, reason);
}

int
kit_read(const char *data, size_t n, struct rules *r, struct sparse_tuned *net,
    bool *has_net, char reason[KIT_REASON_MAX])
{
	const char *end = data + n, *p = data + sizeof(magic) - 1, *lf;
	int64_t hidden = 0;

	*has_net = false;
	rules_init(r);
	if (n < sizeof(magic) - 1 || memcmp(data, magic, sizeof(magic) - 1) != 0)
		return refuse_kit(reason, "its first line");
	for (;; p = lf + 1) {
		char line[RULES_FEN_MAX + PIECE_TEXT_MAX];
		if (p == end || (lf = memchr(p, '\n', (size_t)(end - p))) == NULL ||
		    (size_t)(lf - p) >= sizeof(line))
			return refuse_kit(reason, "a line");
		memcpy(line, p, (size_t)(lf - p));
		line[lf - p] = '\0';
		if (line[0] == '\0')
			break;
		char *value = strchr(line, ' ');
		if (strcmp(line, "material") == 0)
			continue;
		if (value == NULL)
			return refuse_kit(reason, "a line without a value");
		*value++ = '\0';
		if (strcmp(line, "net") == 0) {
			if (!number_read(value, 64, SPARSE_HIDDEN_MAX, &hidden) ||
			    hidden % 64 != 0)
				return refuse_kit(reason, "the size of the net");
		} else if (read_field(r, line, value, reason) == -1) {
			return -1;
		}
	}
	if (rules_settle(r, reason) == -1)
		return -1;
	p = lf + 1;
	*has_net = hidden > 0;
	return hidden > 0 ? read_net(p, (size_t)(end - p), (int)hidden, net,
	    reason) : 0;
}
