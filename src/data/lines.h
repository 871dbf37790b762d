/*
 * Lines, lines(5): openings drawn from a prior, with the log probability and
 * the prior's entropy at every ply, and perhaps what another prior says. One
 * reader for all programs; a bad line is reported, counted and skipped.
 */
#ifndef DATA_LINES_H
#define DATA_LINES_H

#include "base/records.h"
#include "game.h"

/* More is refused: the bound on memory. */
enum { OPENING_PLIES_MAX = 512 };

/* A line of play from a prior p, and what a prior q says of it. One struct is
 * reused for a whole stream. */
struct opening {
	struct game game;	/* rules, start, moves, net; end, if it is over */
	double *logp, *h;	/* one number for every ply */
	bool guessed;		/* if so: */
	double *ahead;		/* how much choice the move is guessed to leave,
				 * less the mean guess of the prior */
	double weight;		/* its probability, of a line that was not drawn
				 * but listed with all others; 0 otherwise */
	bool scored;		/* if so: */
	struct rules q_rules;
	struct span q_net;
	double *q_logp;		/* -INFINITY where q forbids the move */
	double *q_h;		/* NAN where q has no legal move */
	double *hr;		/* entropy of the combined prior */
	double *kl;		/* divergence of p from q; INFINITY where p has
				 * moves that q has not */
};

void opening_init(struct opening *o);
void opening_release(struct opening *o);

/* Writes a line of JSON. Numbers have 12 decimals. */
void opening_write_json(const struct opening *o, struct text *t);

/* Reads one; every move is checked. Lines that tell no rules get these. -1 with
 * a reason. */
int opening_read_json(struct opening *o, const struct rules *rules,
    const char *s, size_t n, char reason[GAME_REASON_MAX]);

/* The reader. */
struct lines {
	struct records records;
	struct rules rules;	/* of lines that name none */
};

/* Reads the files (a NULL-terminated list; standard input when it is empty).
 * The common options of cli apply, but not --rules: lines that tell no rules
 * are classical. */
void lines_start(struct lines *s, struct cli *cli, char **files);

/* The next line; false at the end, and when --strict has met something bad. */
bool lines_next(struct lines *s, struct opening *o);

/* For programs that cannot use the line they just got: reports it and counts
 * it as bad. */
void lines_refuse(struct lines *s, const char *why);

/* Releases all, and says how many lines were bad if any were. */
void lines_finish(struct lines *s);

#endif
