#include "variant.h"

#include <stdio.h>
#include <string.h>

#include "rulespec.h"

enum { NAME_MAX_LEN = 40 };

/* Other names than those of presets, in small letters without blanks and
 * punctuation, and their rules. */
static const struct {
	const char *name, *spec;
} names[] = {
	{ "", "classical" },
	{ "standard", "classical" },
	{ "normal", "classical" },
	{ "chess", "classical" },
	{ "regular", "classical" },
	{ "orthodox", "classical" },
	{ "fromposition", "classical" },
	{ "fide", "classical" },
	{ "nocastle", "no-castling" },
	{ "nocastlingchess", "no-castling" },
	{ "stalemateequalswin", "stalemate-win" },
	{ "torpedochess", "torpedo" },
	{ "semitorpedochess", "semi-torpedo" },
	{ "sideways", "pawn-sideways" },
	{ "sidewayspawns", "pawn-sideways" },
	{ "selfcapturechess", "self-capture" },
	{ "960", "chess960" },
	{ "fischerandom", "chess960" },
	{ "fischerrandom", "chess960" },
	{ "fischerrandomchess", "chess960" },
	{ "fischerandomchess", "chess960" },
	{ "freestyle", "chess960" },
	{ "freestylechess", "chess960" },
	{ "frc", "chess960" },
	{ "dfrc", "chess960" },
	{ "chess9lx", "chess960" },
	{ "threechecks", "three-check" },
	{ "3check", "three-check" },
	{ "3checks", "three-check" },
	{ "3checkchess", "three-check" },
	{ "threecheckchess", "three-check" },
	{ "5check", "{\"checks_to_win\":5}" },
	{ "fivecheck", "{\"checks_to_win\":5}" },
	{ "koth", "king-of-the-hill" },
};

static void
squeeze(char squeezed[NAME_MAX_LEN + 1], const char *s, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n && len < NAME_MAX_LEN; i++) {
		char c = s[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			squeezed[len++] = c;
	}
	squeezed[len] = '\0';
}

/* The rules of a squeezed name; NULL if it is unknown. */
static const char *
find_spec(const char *name)
{
	char preset[NAME_MAX_LEN + 1];

	for (int i = 0; i < RULES_PRESETS; i++) {
		const char *spec = rules_preset_name(i);
		squeeze(preset, spec, strlen(spec));
		if (strcmp(name, preset) == 0)
			return spec;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i].name) == 0)
			return names[i].spec;
	return NULL;
}

int
variant_read(struct rules *r, const char *s, size_t n, char reason[RULES_REASON_MAX])
{
	char name[NAME_MAX_LEN + 1];

	if (rulespec_parse(r, s, n, reason) == 0)
		return 0;
	/* Wrong JSON, and a wrong sum of known presets, cannot be a name. */
	if ((n > 0 && s[0] == '{') || rules_knows_names(s, n))
		return -1;
	squeeze(name, s, n);
	const char *spec = find_spec(name);
	if (spec != NULL)
		return rulespec_parse(r, spec, strlen(spec), reason);
	return refuse(reason, "unknown variant '%.*s'", n < 60 ? (int)n : 60, s);
}

void
variant_name(const struct rules *r, char text[RULES_TEXT_MAX])
{
	static const struct {
		const char *rules, *name;
	} others[] = {
		{ "classical", "Standard" },
		{ "chess960", "Chess960" },
		{ "three-check", "Three-check" },
		{ "king-of-the-hill", "King of the Hill" },
		{ "atomic", "Atomic" },
		{ "antichess", "Antichess" },
		{ "crazyhouse", "Crazyhouse" },
		{ "horde", "Horde" },
		{ "racing-kings", "Racing Kings" },
	};

	rules_print(r, text);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcmp(text, others[i].rules) == 0) {
			strcpy(text, others[i].name);
			return;
		}
	}
}

const char *
variant_uci_name(const char *preset)
{
	static const char *const others[][2] = {
		{ "three-check", "3check" },
		{ "king-of-the-hill", "kingofthehill" },
		{ "no-castling", "nocastle" },
		{ "racing-kings", "racingkings" },
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(preset, others[i][0]) == 0)
			return others[i][1];
	return NULL;
}

bool
variant_plays_alike(const struct rules *a, const struct rules *b)
{
	struct rules c = *a;

	memcpy(c.start, b->start, sizeof(c.start));
	c.count_limit = b->count_limit;
	c.ply_limit = b->ply_limit;
	memcpy(c.name, b->name, sizeof(c.name));
	return rules_equal(&c, b);
}

bool
variant_find(const struct rules *r, const char *offered, bool exactly,
    char name[RULES_TEXT_MAX])
{
	char reason[RULES_REASON_MAX];
	struct rules known;

	for (const char *s = offered; s != NULL && *s != '\0' && *s != '\n';) {
		bool is_name = strncmp(s, " var ", 5) == 0;
		s += is_name ? 5 : 1;
		size_t n = strcspn(s, " \n");
		if (!is_name || n == 0 || n >= RULES_TEXT_MAX ||
		    variant_read(&known, s, n, reason) == -1 ||
		    !(exactly ? rules_equal(&known, r) : variant_plays_alike(&known, r)))
			continue;
		snprintf(name, RULES_TEXT_MAX, "%.*s", (int)n, s);
		return true;
	}
	return false;
}
