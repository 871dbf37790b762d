#include "aims.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

#include "chess/ruledraw.h"
#include "json.h"

/* ---- one aim ---- */

/* The miss that counts as 1 unless the user says otherwise: five points of a share,
 * a tenth of other numbers. */
static double
usual_unit(const struct aim *a)
{
	double bound =
	    fmax(isfinite(a->lo) ? fabs(a->lo) : 0, isfinite(a->hi) ? fabs(a->hi) : 0);

	if (a->measure.highest == 1)
		return 0.05;
	return a->measure.exact || bound == 0 ? 1 : bound / 10;
}

static int
read_number(const cJSON *item, double lowest, double highest, double *v, char *reason)
{
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= lowest) ||
	    !(item->valuedouble <= highest))
		return refuse(reason, "%.40s is not a number within %g..%g",
		    item->string != NULL ? item->string : "a bound", lowest, highest);
	*v = item->valuedouble;
	return 0;
}

static int
read_pair(const cJSON *item, double *lo, double *hi, char *reason)
{
	if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2)
		return refuse(reason, "between is not two numbers");
	if (read_number(cJSON_GetArrayItem(item, 0), -1e9, 1e9, lo, reason) == -1 ||
	    read_number(cJSON_GetArrayItem(item, 1), -1e9, 1e9, hi, reason) == -1)
		return -1;
	return *lo <= *hi ? 0 : refuse(reason, "between %g and %g is nothing", *lo, *hi);
}

/* A key of an aim other than measure. Counts bounds in *bounds. */
static int
read_key(struct aim *a, const cJSON *item, int *bounds, char *reason)
{
	const char *key = item->string;
	double *to = NULL;

	if (strcmp(key, "weight") == 0)
		return read_number(item, 1e-6, 1e6, &a->weight, reason);
	if (strcmp(key, "unit") == 0)
		return read_number(item, 1e-9, 1e9, &a->unit, reason);
	++*bounds;
	if (strcmp(key, "between") == 0)
		return read_pair(item, &a->lo, &a->hi, reason);
	if (strcmp(key, "target") == 0) {
		int bad = read_number(item, -1e9, 1e9, &a->lo, reason);
		a->hi = a->lo;
		return bad;
	}
	to = strcmp(key, "below") == 0  ? &a->hi
	    : strcmp(key, "above") == 0 ? &a->lo
					: NULL;
	if (to == NULL)
		return refuse(reason,
		    "unknown '%.40s'; an aim has measure, below, above, target, "
		    "between, weight and unit",
		    key);
	return read_number(item, -1e9, 1e9, to, reason);
}

/* No number within the measure's range is in the interval. */
static int
refuse_impossible(const struct aim *a, char *reason)
{
	if (a->lo > a->measure.highest)
		return refuse(reason, "%s is never above %g", a->measure.name,
		    a->measure.highest);
	if (a->hi < 0)
		return refuse(reason, "%s is never below 0", a->measure.name);
	return 0;
}

static int
read_aim(struct aim *a, const cJSON *object, char *reason)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "measure");
	int bounds = 0;

	if (!cJSON_IsString(item))
		return refuse(reason, "an aim is not an object with a measure");
	if (measure_find(&a->measure, item->valuestring, reason) == -1)
		return -1;
	a->lo = -INFINITY;
	a->hi = INFINITY;
	a->unit = 0;
	a->weight = 1;
	cJSON_ArrayForEach(item, object)
	{
		if (strcmp(item->string, "measure") != 0 &&
		    read_key(a, item, &bounds, reason) == -1)
			return -1;
	}
	if (bounds != 1)
		return refuse(reason,
		    "%s: one of below, above, target and between is needed",
		    a->measure.name);
	if (a->unit == 0)
		a->unit = usual_unit(a);
	return refuse_impossible(a, reason);
}

/* ---- all of them ---- */

/* Two aims for one measure must leave something between them. */
static int
check_contradictions(const struct aims *s, char *reason)
{
	for (int i = 0; i < s->n; i++) {
		const struct aim *a = &s->aim[i];
		for (int k = 0; k < i; k++) {
			const struct aim *b = &s->aim[k];
			if (strcmp(a->measure.name, b->measure.name) == 0 &&
			    fmax(a->lo, b->lo) > fmin(a->hi, b->hi))
				return refuse(reason,
				    "aims for %s contradict each other: above %g and "
				    "below %g",
				    a->measure.name, fmax(a->lo, b->lo),
				    fmin(a->hi, b->hi));
		}
		if (a->measure.exact && a->lo > s->most)
			return refuse(reason,
			    "%s above %g contradicts at most %d changed fields",
			    a->measure.name, a->lo, s->most);
	}
	return 0;
}

static int
read_list(struct aims *s, const cJSON *list, char *reason)
{
	const cJSON *item;

	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) == 0)
		return refuse(reason, "aims is not a list of aims");
	cJSON_ArrayForEach(item, list)
	{
		if (s->n == AIMS_MAX)
			return refuse(reason, "more than %d aims", AIMS_MAX);
		if (read_aim(&s->aim[s->n++], item, reason) == -1)
			return -1;
	}
	return 0;
}

/* Fields that may change, or, with `may` false, that may not. */
static int
read_fields(struct aims *s, const cJSON *list, bool may, char *reason)
{
	const cJSON *item;

	if (!cJSON_IsArray(list))
		return refuse(reason, "%s is not a list of fields", list->string);
	for (size_t i = 0; may && i < rules_nfields; i++)
		s->may[i] = false;
	cJSON_ArrayForEach(item, list)
	{
		const char *name = cJSON_IsString(item) ? item->valuestring : "";
		const struct rules_field *f = rules_find_field(name);
		const char *near = rules_nearest_field(name);
		if (f == NULL)
			return refuse(reason,
			    near != NULL ? "unknown rule '%.60s'; did you mean %s?"
					 : "unknown rule '%.60s'",
			    name, near);
		s->may[f - rules_fields] = may;
	}
	return 0;
}

static int
read_map(struct aims *s, const cJSON *list, char *reason)
{
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 2)
		return refuse(reason, "map is not two measures");
	for (int i = 0; i < 2; i++) {
		const cJSON *item = cJSON_GetArrayItem(list, i);
		if (!cJSON_IsString(item))
			return refuse(reason, "map is not two measures");
		if (measure_find(&s->map[i], item->valuestring, reason) == -1)
			return -1;
	}
	if (strcmp(s->map[0].name, s->map[1].name) == 0)
		return refuse(reason, "map has %s twice", s->map[0].name);
	return 0;
}

static int
read_top(struct aims *s, const cJSON *item, char *reason)
{
	double v = 0;

	if (strcmp(item->string, "aims") == 0)
		return read_list(s, item, reason);
	if (strcmp(item->string, "change") == 0)
		return read_fields(s, item, true, reason);
	if (strcmp(item->string, "keep") == 0)
		return 0; /* after "change", wherever that stands */
	if (strcmp(item->string, "map") == 0)
		return read_map(s, item, reason);
	if (strcmp(item->string, "most") != 0)
		return refuse(reason,
		    "unknown '%.40s'; there are aims, change, keep, map and most",
		    item->string);
	if (read_number(item, 1, AIMS_FIELDS_MAX, &v, reason) == -1)
		return -1;
	s->most = (int)v;
	return v == s->most ? 0 : refuse(reason, "most is not a whole number");
}

/* The measures of the map unless given: the first two that games are needed for,
 * then draw rate and score. */
static void
choose_map(struct aims *s)
{
	static const char *const others[] = { "draw_rate", "score" };
	char reason[REASON_MAX];
	int n = 0;

	for (int i = 0; i < s->n + 2 && n < 2; i++) {
		struct measure m;
		if (i < s->n)
			m = s->aim[i].measure;
		else
			(void)measure_find(&m, others[i - s->n], reason);
		if (!m.exact && (n == 0 || strcmp(m.name, s->map[0].name) != 0))
			s->map[n++] = m;
	}
}

/* A cell is as wide as a miss of 1. */
static void
set_widths(struct aims *s)
{
	for (int i = 0; i < 2; i++) {
		s->width[i] = s->map[i].highest == 1 ? 0.05 : s->map[i].exact ? 1 : 10;
		for (int k = 0; k < s->n; k++)
			if (strcmp(s->aim[k].measure.name, s->map[i].name) == 0)
				s->width[i] = s->aim[k].unit;
	}
}

static int
read_object(struct aims *s, const cJSON *json, char *reason)
{
	const cJSON *item;
	size_t any = 0;

	cJSON_ArrayForEach(item, json)
	{
		if (read_top(s, item, reason) == -1)
			return -1;
	}
	item = cJSON_GetObjectItemCaseSensitive(json, "keep");
	if (item != NULL && read_fields(s, item, false, reason) == -1)
		return -1;
	if (s->n == 0)
		return refuse(reason, "there are no aims");
	for (size_t i = 0; i < rules_nfields; i++)
		any += s->may[i];
	if (any == 0)
		return refuse(reason, "no field may change");
	if (check_contradictions(s, reason) == -1)
		return -1;
	if (s->map[0].name[0] == '\0')
		choose_map(s);
	set_widths(s);
	return 0;
}

int
aims_read(struct aims *s, const char *text, size_t len, char reason[REASON_MAX])
{
	cJSON *json = json_tree(text, len, reason);
	int result = -1;

	memset(s, 0, sizeof(*s));
	s->most = 2;
	for (size_t i = 0; i < rules_nfields; i++)
		s->may[i] = ruledraw_is_usual(&rules_fields[i]);
	if (json != NULL && !cJSON_IsObject(json))
		refuse(reason, "the aims are not a JSON object");
	else if (json != NULL)
		result = read_object(s, json, reason);
	cJSON_Delete(json);
	return result;
}

bool
aims_allow(const struct aims *s, const struct rules *r)
{
	int changed = 0;

	for (size_t i = 0; i < rules_nfields; i++) {
		if (rules_is_classical(r, &rules_fields[i]))
			continue;
		if (!s->may[i])
			return false;
		changed++;
	}
	return changed <= s->most;
}

/* ---- writing ---- */

static void
write_aim(const struct aim *a, struct text *t)
{
	text_add_format(t, "{\"measure\":\"%s\",", a->measure.name);
	if (isinf(a->lo))
		text_add_string(t, "\"below\":");
	else if (isinf(a->hi))
		text_add_string(t, "\"above\":");
	else
		text_add_string(t, "\"between\":[");
	if (isfinite(a->lo))
		text_add_double(t, a->lo);
	if (isfinite(a->lo) && isfinite(a->hi))
		text_add_char(t, ',');
	if (isfinite(a->hi))
		text_add_double(t, a->hi);
	text_add_string(t,
	    isfinite(a->lo) && isfinite(a->hi) ? "],\"unit\":" : ",\"unit\":");
	text_add_double(t, a->unit);
	text_add_string(t, ",\"weight\":");
	text_add_double(t, a->weight);
	text_add_char(t, '}');
}

void
aims_write(const struct aims *s, struct text *t)
{
	const char *comma = "";

	text_add_string(t, "{\"aims\":[");
	for (int i = 0; i < s->n; i++) {
		text_add_string(t, i > 0 ? "," : "");
		write_aim(&s->aim[i], t);
	}
	text_add_string(t, "],\"change\":[");
	for (size_t i = 0; i < rules_nfields; i++) {
		if (!s->may[i])
			continue;
		text_add_format(t, "%s\"%s\"", comma, rules_fields[i].name);
		comma = ",";
	}
	text_add_format(t, "],\"most\":%d,\"map\":[\"%s\",\"%s\"]}\n", s->most,
	    s->map[0].name, s->map[1].name);
}
