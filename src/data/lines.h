/*
 * Lines, lines(5): openings sampled from a prior p, with the log probability and
 * the prior's entropy at every ply, and optionally scores by another prior q.
 * One reader for all programs; a bad line is reported, counted and skipped.
 */
#ifndef DATA_LINES_H
#define DATA_LINES_H

#include "base/records.h"
#include "game.h"

/* Longer lines are refused; this bounds the memory. */
enum { OPENING_PLIES_MAX = 512 };

/* A line. One struct is reused for a whole stream. */
struct opening {
	struct game game; /* rules, start, moves, net; end, if it is over */
	double *logp, *h; /* one number for every ply */
	bool guessed;     /* if so: */
	double *ahead;    /* how much choice the move leaves, as net/ahead.h
	                   * estimates it, minus the mean under p */
	double weight;    /* its probability, if all lines were listed and
	                   * not sampled; otherwise 0 */
	bool scored;      /* if so: */
	struct rules q_rules;
	struct span q_net;
	double *q_logp; /* -INFINITY where q forbids the move */
	double *q_h;    /* NAN where q has no legal move */
	double *hr;     /* entropy of the combined prior */
	double *kl;     /* divergence of p from q; INFINITY where q
	                 * forbids a move of p */
};

void opening_init(struct opening *o);
void opening_release(struct opening *o);

/* Appends the line of JSON. Numbers have up to 12 decimals. */
void opening_write_json(const struct opening *o, struct text *t);

/* Reads a line and checks every move; `rules` are for lines that give none. 0, or
 * -1 with a reason. */
int opening_read_json(struct opening *o, const struct rules *rules, const char *s,
    size_t n, char reason[GAME_REASON_MAX]);

/* The reader. */
struct lines {
	struct records records;
	struct rules rules; /* of lines that give none */
};

/* Starts reading the files, a NULL-terminated list; if it is empty, standard
 * input. The common options of cli apply except --rules: lines that give no
 * rules are classical. */
void lines_start(struct lines *s, struct cli *cli, char **files);

/* Reads the next line; false at the end, and when --strict stops. */
bool lines_next(struct lines *s, struct opening *o);

/* Reports the line just read as bad, and counts it so, for programs that cannot
 * use it. */
void lines_refuse(struct lines *s, const char *why);

/* Releases everything, and reports the number of bad lines if there were any. */
void lines_finish(struct lines *s);

#endif
