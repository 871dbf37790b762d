/*
 * What a page is given to play with: a rule set, and a sparse net's weights for
 * it, in integers, so that a page needs neither JSON nor floats and plays
 * exactly as the programs do. Bytes in memory and in a file are the same:
 *
 *	rulelab-page-1
 *	FIELD VALUE		a line for each field that is not as in chess
 *	name NAME		of the user
 *	sparse			or: material
 *	(an empty line)
 *	the net as sparse_tuned_write() writes it
 */
#ifndef PAGE_KIT_H
#define PAGE_KIT_H

#include "base/text.h"
#include "net/sparse.h"

enum { KIT_REASON_MAX = RULES_REASON_MAX };

/* Adds a kit to a text; without weights (NULL) the page counts pieces. */
void kit_write(struct text *t, const struct rules *r,
    const struct sparse_tuned *net);

/* Reads one. *has_net tells whether there are weights. -1 with a reason; then
 * nothing is to be released. */
int kit_read(const char *data, size_t n, struct rules *r,
    struct sparse_tuned *net, bool *has_net, char reason[KIT_REASON_MAX]);

#endif
