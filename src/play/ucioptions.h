/*
 * The options of a UCI engine, as a GUI reads and sets them.
 */
#ifndef PLAY_UCIOPTIONS_H
#define PLAY_UCIOPTIONS_H

#include "options.h"

enum { UCI_NODES_MAX = 100000000, UCI_MULTIPV_MAX = 256 };

struct uci_values {
	struct thinking thinking; /* net, kind of search, threads, memory */
	int sims;                 /* nodes of a search that nothing limits */
	int multipv;
	int overhead; /* milliseconds */
	bool show_wdl;
	bool chess960; /* castling is written as king takes rook */
	bool ponder;   /* only the GUI uses it */
};

struct uci_options {
	struct uci_values now;
	struct uci_values usual; /* the defaults */
	struct rules rules;      /* in force: Rules if set, otherwise UCI_Variant */
	/* private: */
	struct rules variant, own;
	bool has_own;
	const char *usual_rules;
	struct text net;
};

/* What the search has to do after an option was set. */
enum uci_change {
	UCI_SAME,        /* nothing */
	UCI_NEW_THINKER, /* open the net again */
	UCI_NEW_RULES    /* start a game under the new rules */
};

/* Sets `now` to the defaults, for the command line to change. */
void uci_options_init(struct uci_options *o);

/* Makes `now` the defaults, and sets the rules (NULL: classical). 0, or -1 with a
 * reason if the rules are wrong. */
int uci_options_start(struct uci_options *o, const char *rules,
    char reason[RULES_REASON_MAX]);
void uci_options_release(struct uci_options *o);

/* Writes the option lines of the protocol. */
void uci_options_say(const struct uci_options *o);

/* Sets an option. If that fails, reports it to the GUI and changes nothing. */
enum uci_change uci_options_set(struct uci_options *o, const char *name,
    const char *value);

#endif
