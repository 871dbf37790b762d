/*
 * The data of a page: a rule set, and a sparse net's weights for it in integers,
 * so that a page needs neither JSON nor floats and plays exactly as the programs
 * do. The format, in memory and in files:
 *
 *	rulelab-page-1
 *	FIELD VALUE		a line for each field that differs from chess
 *	name NAME		the user's name for the rules, if any
 *	sparse			or: material
 *	(an empty line)
 *	the net as sparse_ints_write() writes it
 */
#ifndef PAGE_KIT_H
#define PAGE_KIT_H

#include "base/text.h"
#include "net/sparse.h"

enum { KIT_REASON_MAX = RULES_REASON_MAX };

/* Appends a kit; without a net (NULL) the page evaluates by material. */
void kit_write(struct text *t, const struct rules *r, const struct sparse_ints *net);

/* Reads a kit; *has_net says whether there are weights. 0, or -1 with a reason;
 * then there is nothing to release. */
int kit_read(const char *data, size_t n, struct rules *r, struct sparse_ints *net,
    bool *has_net, char reason[KIT_REASON_MAX]);

#endif
