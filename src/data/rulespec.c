#include "rulespec.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/home.h"
#include "base/text.h"
#include "base/zio.h"
#include "json.h"

enum { FILE_SIZE_MAX = 64 * 1024 };

static int
set_base(struct rules *r, const cJSON *item, char *reason)
{
	if (!cJSON_IsString(item))
		return refuse(reason,
		    "base is not a string such as \"torpedo+no-castling\"");
	return rules_parse_sum(r, item->valuestring, strlen(item->valuestring), reason);
}

/*
 * Words in the names that people give to kinds of rules: the field for it, or what
 * holds instead.
 */
/* clang-format off */
static const struct {
	const char *word, *field, *instead;
} kinds[] = {
	{ "drop", "drops", NULL }, { "hand", "drops", NULL }, { "pocket", "drops", NULL },
	{ "explo", "explode", NULL }, { "atomic", "explode", NULL },
	{ "blast", "explode", NULL }, { "royal", "royal", NULL },
	{ "goal", "goal", NULL }, { "flag", "goal", NULL },
	{ "castl", "castling_from", NULL }, { "torpedo", "double_step", NULL },
	{ "promot", "promote_to", NULL }, { "stalemate", "stalemate_value", NULL },
	{ "repetition", "repetition_value", NULL }, { "piece", "pieces", NULL },
	{ "must", "must_capture", NULL }, { "forced", "must_capture", NULL },
	{ "board", NULL, "boards have 64 squares" },
	{ "width", NULL, "boards have 64 squares" },
	{ "height", NULL, "boards have 64 squares" },
	{ "files", NULL, "boards have 64 squares" },
	{ "ranks", NULL, "boards have 64 squares" },
	{ "size", NULL, "boards have 64 squares" },
	{ "pass", NULL, "a side must move in its turn" },
	{ "turn", NULL, "sides move in turn, once each" },
	{ "per_move", NULL, "sides move in turn, once each" },
	{ "fog", NULL, "both sides see the whole board" },
	{ "dark", NULL, "both sides see the whole board" },
	{ "hidden", NULL, "both sides see the whole board" },
	{ "dice", NULL, "chance decides nothing" },
	{ "player", NULL, "there are two sides" },
	{ "wall", NULL, "every square can be stood on" },
	{ "duck", NULL, "every square can be stood on" },
	{ "gat", NULL, "nothing is put on the board" },
};
/* clang-format on */

/* Says which fields there are, or that this kind of rule is not among them. */
static int
refuse_unknown(const char *name, char *reason)
{
	static const char page[] = "rules(7) lists what there is";
	const char *near = rules_nearest_field(name);
	struct text all = { 0 };

	for (size_t i = 0; near == NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strstr(name, kinds[i].word) == NULL)
			continue;
		if (kinds[i].field == NULL)
			return refuse(reason,
			    "unknown rule '%.60s': such rules are not supported (%s; %s)",
			    name, kinds[i].instead, page);
		near = kinds[i].field;
	}
	if (near != NULL)
		return refuse(reason, "unknown rule '%.60s'; did you mean %s?", name,
		    near);
	for (size_t i = 0; i < rules_nfields; i++)
		text_add_format(&all, " %s", rules_fields[i].name);
	refuse(reason, "unknown rule '%.60s'; the fields are%s", name, all.s);
	text_release(&all);
	return -1;
}

/* Sets a field by a RULE_ALIAS: true is one of its values, false any other. */
static int
set_alias(struct rules *r, const cJSON *object, const cJSON *item, char *reason)
{
	const char *text;
	int value;
	const struct rules_field *f = rules_find_alias(item->string, &value, &text);

	if (f == NULL)
		return refuse_unknown(item->string, reason);
	if (!cJSON_IsBool(item))
		return refuse(reason, "%s is not true or false", item->string);
	bool on = cJSON_IsTrue(item);
	const cJSON *own = cJSON_GetObjectItemCaseSensitive(object, f->name);
	if (own == NULL && text != NULL)
		return rules_set_text(r, f, on ? text : "", reason);
	if (own == NULL)
		return rules_set(r, f, on ? value : f->classical, reason);
	if (text != NULL &&
	    (cJSON_IsString(own) && strcmp(own->valuestring, text) == 0) != on)
		return refuse(reason, "%s contradicts %s: true means \"%s\"",
		    item->string, f->name, text);
	if (text == NULL && (cJSON_IsNumber(own) ? own->valuedouble == value : !on) != on)
		return refuse(reason, "%s contradicts %s: true means %d", item->string,
		    f->name, value);
	return 0;
}

/* The text that rules_set_text() reads for {"a":"BN","c":"RN"}. */
static int
set_pieces(struct rules *r, const struct rules_field *f, const cJSON *item, char *reason)
{
	struct text t = { 0 };
	int bad = 0;

	text_reserve(&t, 1);
	t.s[0] = '\0';
	for (const cJSON *i = item->child; i != NULL && !bad; i = i->next) {
		if (!cJSON_IsString(i) || strpbrk(i->string, ":,") != NULL ||
		    strpbrk(i->valuestring, ":,") != NULL)
			bad = refuse(reason, "%s: '%.20s' is not a piece such as \"BN\"",
			    f->name, i->string);
		else
			text_add_format(&t, "%s%s:%s", t.len > 0 ? "," : "", i->string,
			    i->valuestring);
	}
	if (!bad)
		bad = rules_set_text(r, f, t.s, reason);
	text_release(&t);
	return bad;
}

/* Sets the value of one side. */
static int
set_side(struct rules *r, const struct rules_field *f, int side, const cJSON *item,
    char *reason)
{
	static const char *const wanted[] = { [RULE_BOOL] = "true or false",
		[RULE_INT] = "a number",
		[RULE_WHITE] = "a number",
		[RULE_SET] = "letters such as \"nbrq\"",
		[RULE_FEN] = "a FEN or \"960\"",
		[RULE_PIECE] = "a piece such as \"BN\"",
		[RULE_PIECES] = "an object such as {\"a\":\"BN\"}",
		[RULE_SQUARES] = "squares such as \"d4 e4\"" };
	bool is_bool = f->type == RULE_BOOL,
	     is_int = f->type == RULE_INT || f->type == RULE_WHITE;

	if (is_bool                      ? !cJSON_IsBool(item)
		: is_int                 ? !cJSON_IsNumber(item)
		: f->type == RULE_PIECES ? !cJSON_IsObject(item)
					 : !cJSON_IsString(item))
		return refuse(reason, "%s is not %s", f->name, wanted[f->type]);
	if (f->type == RULE_PIECES)
		return set_pieces(r, f, item, reason);
	if (!is_bool && !is_int)
		return rules_set_text_side(r, f, side, item->valuestring, reason);
	double v = is_bool ? cJSON_IsTrue(item) : item->valuedouble;
	if (v != floor(v) || fabs(v) > 1e6)
		return refuse(reason, "%s is not a whole number within %d..%d", f->name,
		    f->lowest, f->highest);
	return rules_set_side(r, f, side, (int)v, reason);
}

/* {"white":…,"black":…} */
static int
set_sides(struct rules *r, const struct rules_field *f, const cJSON *item, char *reason)
{
	const cJSON *white = cJSON_GetObjectItemCaseSensitive(item, "white");
	const cJSON *black = cJSON_GetObjectItemCaseSensitive(item, "black");

	if (!f->sided)
		return refuse(reason, "%s has one value for both sides", f->name);
	if (cJSON_GetArraySize(item) != 2 || white == NULL || black == NULL)
		return refuse(reason, "%s has not just the keys white and black",
		    f->name);
	if (set_side(r, f, WHITE, white, reason) == -1)
		return -1;
	return set_side(r, f, BLACK, black, reason);
}

static int
set_field(struct rules *r, const cJSON *object, const cJSON *item, char *reason)
{
	const struct rules_field *f = rules_find_field(item->string);

	if (f == NULL)
		return set_alias(r, object, item, reason);
	if (cJSON_IsObject(item) && f->type != RULE_PIECES)
		return set_sides(r, f, item, reason);
	if (set_side(r, f, WHITE, item, reason) == -1)
		return -1;
	return f->sided ? set_side(r, f, BLACK, item, reason) : 0;
}

static int
set_name(struct rules *r, const cJSON *item, char *reason)
{
	if (!cJSON_IsString(item))
		return refuse(reason, "name is not a string");
	return rules_set_name(r, item->valuestring, reason);
}

/* Has an earlier item the same key? */
static bool
is_repeated(const cJSON *object, const cJSON *item)
{
	for (const cJSON *i = object->child; i != item; i = i->next)
		if (strcmp(i->string, item->string) == 0)
			return true;
	return false;
}

static int
from_object(struct rules *r, const cJSON *object, char *reason)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "base");

	rules_init(r);
	if (item != NULL && set_base(r, item, reason) == -1)
		return -1;
	/* Other fields may name the letters of pieces. */
	item = cJSON_GetObjectItemCaseSensitive(object, "pieces");
	if (item != NULL && set_field(r, object, item, reason) == -1)
		return -1;
	cJSON_ArrayForEach(item, object)
	{
		int bad = 0;
		if (is_repeated(object, item)) {
			bad = refuse(reason, "'%.60s' is given twice", item->string);
		} else if (strcmp(item->string, "name") == 0) {
			bad = set_name(r, item, reason);
		} else if (strcmp(item->string, "base") != 0) {
			bad = set_field(r, object, item, reason);
		}
		if (bad)
			return -1;
	}
	return rules_settle(r, reason);
}

static int
parse_json(struct rules *r, const char *text, size_t len, char *reason)
{
	cJSON *json = json_tree(text, len, reason);
	int result = -1;

	if (json != NULL && !cJSON_IsObject(json))
		refuse(reason, "the rules are not a JSON object");
	else if (json != NULL)
		result = from_object(r, json, reason);
	cJSON_Delete(json);
	return result;
}

int
rulespec_parse(struct rules *r, const char *text, size_t len,
    char reason[RULES_REASON_MAX])
{
	size_t i = 0;

	while (i < len && strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0')
		i++;
	if (i < len && text[i] == '{')
		return parse_json(r, text + i, len - i, reason);
	return rules_parse_sum(r, text, len, reason);
}

int
rulespec_from_tree(struct rules *r, const cJSON *item, char reason[RULES_REASON_MAX])
{
	if (cJSON_IsString(item))
		return rulespec_parse(r, item->valuestring, strlen(item->valuestring),
		    reason);
	char *text = cJSON_PrintUnformatted(item); /* never NULL: json.c */
	int result = rulespec_parse(r, text, strlen(text), reason);
	cJSON_free(text);
	return result;
}

static int
refuse_file(const char *path, char *reason)
{
	const char *near = rules_nearest_preset(path, strlen(path));

	if (errno != ENOENT)
		return refuse(reason, "cannot read '%.100s'", path);
	return refuse(reason,
	    near != NULL ? "no rule set and no file '%.100s'; did you mean %s?"
			 : "no rule set and no file '%.100s'",
	    path, near);
}

static int
parse_file(struct rules *r, const char *path, char *reason)
{
	char text[FILE_SIZE_MAX];
	size_t have = 0;
	ssize_t n = 1;
	struct zin *z = zin_open(path);

	if (z == NULL)
		return refuse_file(path, reason);
	while (n > 0 && have < sizeof(text)) {
		n = zin_read(z, text + have, sizeof(text) - have);
		have += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		refuse(reason, "cannot read '%.60s': %.80s", path, zin_error(z));
	else if (have == sizeof(text))
		refuse(reason,
		    "'%.60s' is not a file of rules: it has more than %d bytes", path,
		    FILE_SIZE_MAX);
	zin_close(z);
	if (n < 0 || have == sizeof(text))
		return -1;
	return parse_json(r, text, have, reason);
}

/* The path of a rule set that comes with rulelab, unless a local file has that
 * name. */
static bool
find_in_gallery(const char *name, char path[HOME_PATH_MAX])
{
	char file[RULES_NAME_MAX + 32];

	if (strchr(name, '/') != NULL || strlen(name) > RULES_NAME_MAX ||
	    access(name, F_OK) == 0)
		return false;
	snprintf(file, sizeof(file), "pipelines/rules/%s.json", name);
	return home_path(path, file) == 0;
}

int
rulespec_read(struct rules *r, const char *spec, char reason[RULES_REASON_MAX])
{
	char path[HOME_PATH_MAX];

	if (rulespec_parse(r, spec, strlen(spec), reason) == 0)
		return 0;
	/* Wrong JSON, and a wrong sum of known presets, cannot be a file. */
	if (spec[0] == '{' || rules_knows_names(spec, strlen(spec)))
		return -1;
	if (strchr(spec, '/') == NULL && strchr(spec, '.') == NULL &&
	    strchr(spec, '+') != NULL)
		return -1;
	return parse_file(r, find_in_gallery(spec, path) ? path : spec, reason);
}

void
rulespec_option(struct rules *r, const struct cli *cli)
{
	char reason[RULES_REASON_MAX];

	if (rulespec_read(r, cli->rules != NULL ? cli->rules : "classical", reason) == -1)
		cli_usage_error(cli, "--rules: %s", reason);
}

bool
rulespec_argument(struct rules *r, struct cli *cli, const char *spec)
{
	char reason[RULES_REASON_MAX];

	if (rulespec_read(r, spec, reason) == 0)
		return true;
	cli_warn(cli, spec, 0, "%s", reason);
	cli->missing = true;
	return false;
}
