/*
 * The options of a UCI engine, as a GUI reads and sets them.
 */
#ifndef PLAY_UCIOPTIONS_H
#define PLAY_UCIOPTIONS_H

#include "options.h"

enum { UCI_NODES_MAX = 100000000, UCI_MULTIPV_MAX = 256 };

struct uci_values {
	struct thinking thinking;	/* net, kind of search, threads, memory */
	int sims;		/* nodes of a search that nothing limits */
	int multipv;
	int overhead;		/* milliseconds */
	bool show_wdl;
	bool chess960;		/* castling is written as king takes rook */
	bool ponder;		/* of use to the GUI alone */
};

struct uci_options {
	struct uci_values now;
	struct uci_values usual;	/* the defaults */
	struct rules rules;	/* in force: Rules if that is set, else UCI_Variant */
	/* For the module itself: */
	struct rules variant, own;
	bool has_own;
	const char *usual_rules;
	struct text net;
};

/* What the one who searches has to do when an option was set. */
enum uci_change {
	UCI_SAME,		/* nothing */
	UCI_NEW_THINKER,	/* open the net anew */
	UCI_NEW_RULES		/* begin a game under them */
};

/* Sets `now` to the defaults, for the command line to change. */
void uci_options_init(struct uci_options *o);

/* Makes `now` the defaults, and sets the rules (NULL: classical). -1 with a
 * reason if there are no such rules. */
int uci_options_start(struct uci_options *o, const char *rules,
    char reason[RULES_REASON_MAX]);
void uci_options_release(struct uci_options *o);

/* Writes the lines that tell a GUI of the options. */
void uci_options_say(const struct uci_options *o);

/* Sets an option; if that cannot be done, says so and changes nothing. */
enum uci_change uci_options_set(struct uci_options *o, const char *name,
    const char *value);

#endif
