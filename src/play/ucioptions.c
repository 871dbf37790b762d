#include "ucioptions.h"

#include <ctype.h>
#include <stdio.h>

#include "data/rulespec.h"
#include "data/variant.h"
#include "ucitext.h"

enum { THREADS_MAX = 256, MEMORY_MAX = 65536, OVERHEAD_MAX = 5000 };

/* In the order in which they are written. */
static const struct option {
	const char *name;
	enum { NET, SEARCH, SPIN, CHECK, VARIANT, RULES } type;
	size_t offset; /* SPIN, CHECK: in struct uci_values */
	int lowest, highest;
	enum uci_change change;
} options[] = {
#define AT(member) offsetof(struct uci_values, member)
	{ "Net", NET, 0, 0, 0, UCI_NEW_THINKER },
	{ "Search", SEARCH, 0, 0, 0, UCI_NEW_THINKER },
	{ "Sims", SPIN, AT(sims), 1, UCI_NODES_MAX, UCI_SAME },
	{ "Threads", SPIN, AT(thinking.thinker.threads), 1, THREADS_MAX,
	    UCI_NEW_THINKER },
	{ "Hash", SPIN, AT(thinking.thinker.memory), 0, MEMORY_MAX, UCI_NEW_THINKER },
	{ "TreeMemory", SPIN, AT(thinking.thinker.tree_memory), 1, MEMORY_MAX, UCI_SAME },
	{ "MultiPV", SPIN, AT(multipv), 1, UCI_MULTIPV_MAX, UCI_SAME },
	{ "Move Overhead", SPIN, AT(overhead), 0, OVERHEAD_MAX, UCI_SAME },
	{ "Ponder", CHECK, AT(ponder), 0, 0, UCI_SAME },
	{ "UCI_ShowWDL", CHECK, AT(show_wdl), 0, 0, UCI_SAME },
	{ "UCI_Chess960", CHECK, AT(chess960), 0, 0, UCI_SAME },
	{ "UCI_Variant", VARIANT, 0, 0, 0, UCI_NEW_RULES },
	{ "Rules", RULES, 0, 0, 0, UCI_NEW_RULES },
#undef AT
};
enum { OPTIONS = sizeof(options) / sizeof(options[0]) };

/* ---- rules ---- */

/* GUIs do not know our default limit on plies, so the engine must not expect a draw
 * by it. */
static void
lift_ply_limit(struct rules *r)
{
	const struct rules_field *f = rules_find_field("ply_limit");
	char reason[RULES_REASON_MAX];

	if (rules_get(r, f, WHITE) == f->classical)
		rules_set(r, f, f->highest, reason);
	rules_finish(r);
}

/* Puts the rules of the options in force; false if they already are. */
static bool
use_rules(struct uci_options *o)
{
	struct rules r = o->has_own ? o->own : o->variant;

	lift_ply_limit(&r);
	if (rules_equal(&r, &o->rules))
		return false;
	o->rules = r;
	return true;
}

static bool
is_empty(const char *value)
{
	return value[0] == '\0' || strcmp(value, "<empty>") == 0;
}

static bool
set_variant(struct uci_options *o, const char *value)
{
	struct rules r;
	char name[RULES_TEXT_MAX], reason[RULES_REASON_MAX] = "it has no name";

	snprintf(name, sizeof(name), "%s", value);
	for (char *s = name; *name != '{' && *s != '\0'; s++)
		*s = (char)tolower((unsigned char)*s);
	if (name[0] == '\0' || variant_read(&r, name, strlen(name), reason) == -1) {
		uci_say("info string cannot play %.*s: %s", UCI_QUOTED, value, reason);
		return false;
	}
	o->variant = r;
	if (o->has_own)
		uci_say("info string Rules is set, UCI_Variant has no effect");
	return use_rules(o);
}

static bool
set_rules(struct uci_options *o, const char *value)
{
	struct rules r;
	char reason[RULES_REASON_MAX];
	bool given = !is_empty(value);

	if (given && rulespec_read(&r, value, reason) == -1) {
		uci_say("info string cannot play %.*s: %s", UCI_QUOTED, value, reason);
		return false;
	}
	o->has_own = given;
	if (given)
		o->own = r;
	return use_rules(o);
}

/* ---- other options; setters return true if the value may have changed ---- */

static bool
set_net(struct uci_options *o, const char *value)
{
	if (is_empty(value)) {
		uci_say(
		    "info string Net is a file, default, prior, uniform, or material");
		return false;
	}
	text_clear(&o->net);
	text_add_string(&o->net, value);
	o->now.thinking.thinker.spec = o->net.s;
	return true;
}

static bool
set_search(struct uci_options *o, const char *value)
{
	if (search_kind_read(value, &o->now.thinking.thinker.kind))
		return true;
	uci_say("info string Search is net, tree or ab, not %.*s", UCI_QUOTED, value);
	return false;
}

static bool
set_spin(const struct option *p, int *at, const char *value)
{
	int old = *at;
	int64_t n;

	if (number_read(value, p->lowest, p->highest, &n))
		*at = (int)n;
	else
		uci_say("info string %s is a number from %d to %d, not %.*s", p->name,
		    p->lowest, p->highest, UCI_QUOTED, value);
	return *at != old;
}

static bool
set_check(const struct option *p, bool *at, const char *value)
{
	if (strcasecmp(value, "true") == 0)
		*at = true;
	else if (strcasecmp(value, "false") == 0)
		*at = false;
	else
		uci_say("info string %s is true or false, not %.*s", p->name, UCI_QUOTED,
		    value);
	return true;
}

static bool
set(struct uci_options *o, const struct option *p, const char *value)
{
	void *at = (char *)&o->now + p->offset;

	switch (p->type) {
	case NET:
		return set_net(o, value);
	case SEARCH:
		return set_search(o, value);
	case SPIN:
		return set_spin(p, at, value);
	case CHECK:
		return set_check(p, at, value);
	case VARIANT:
		return set_variant(o, value);
	default:
		return set_rules(o, value);
	}
}

enum uci_change
uci_options_set(struct uci_options *o, const char *name, const char *value)
{
	for (int i = 0; i < OPTIONS; i++)
		if (strcasecmp(name, options[i].name) == 0)
			return set(o, &options[i], value) ? options[i].change : UCI_SAME;
	uci_say("info string no option %.*s", UCI_QUOTED, name);
	return UCI_SAME;
}

/* ---- the list for the GUI ---- */

static void
add_variants(struct text *t)
{
	text_add_string(t, "combo default chess var chess");
	for (int i = 1; i < RULES_PRESETS; i++) {
		const char *name = rules_preset_name(i);
		text_add_format(t, " var %s", name);
		if ((name = variant_uci_name(name)) != NULL)
			text_add_format(t, " var %s", name);
	}
}

static void
add_type(struct text *t, const struct option *p, const struct uci_options *o)
{
	const struct thinker_options *usual = &o->usual.thinking.thinker;
	const void *at = (const char *)&o->usual + p->offset;

	switch (p->type) {
	case NET:
		text_add_format(t, "string default %s", usual->spec);
		break;
	case SEARCH:
		text_add_format(t, "combo default %s var net var tree var ab",
		    search_kind_name(usual->kind));
		break;
	case SPIN:
		text_add_format(t, "spin default %d min %d max %d", *(const int *)at,
		    p->lowest, p->highest);
		break;
	case CHECK:
		text_add_format(t, "check default %s",
		    *(const bool *)at ? "true" : "false");
		break;
	case VARIANT:
		add_variants(t);
		break;
	case RULES:
		text_add_format(t, "string default %s",
		    o->usual_rules[0] == '\0' ? "<empty>" : o->usual_rules);
	}
}

void
uci_options_say(const struct uci_options *o)
{
	struct text t = { 0 };

	for (int i = 0; i < OPTIONS; i++) {
		text_clear(&t);
		add_type(&t, &options[i], o);
		uci_say("option name %s type %s", options[i].name, t.s);
	}
	text_release(&t);
}

/* ---- setting up ---- */

void
uci_options_init(struct uci_options *o)
{
	memset(o, 0, sizeof(*o));
	o->now = (struct uci_values){ .multipv = 1, .overhead = 30, .show_wdl = true };
	thinking_init(&o->now.thinking);
	o->now.thinking.thinker.memory = 64;
	o->now.thinking.thinker.tree_memory = 1024;
}

int
uci_options_start(struct uci_options *o, const char *rules, char reason[RULES_REASON_MAX])
{
	o->usual_rules = rules != NULL ? rules : "";
	o->has_own = o->usual_rules[0] != '\0';
	if (o->has_own && rulespec_read(&o->own, rules, reason) == -1)
		return -1;
	rules_init(&o->variant);
	use_rules(o);
	o->now.sims = (int)o->now.thinking.limits.nodes;
	o->usual = o->now;
	return 0;
}

void
uci_options_release(struct uci_options *o)
{
	text_release(&o->net);
}
