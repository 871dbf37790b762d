#include "measured.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

#include "json.h"
#include "rulespec.h"

/* The measure that the rules alone tell: 1, or 0 if games do. */
static bool
tell_without_games(const struct measure *m, const struct rules *r, double *at)
{
	if (!m->exact)
		return false;
	*at = rules_count_changes(r);
	return true;
}

static int
read_triple(struct measured *m, int i, const cJSON *item, char *reason)
{
	double v[3];

	if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 3)
		return refuse(reason, "%.40s is not three numbers", item->string);
	for (int k = 0; k < 3; k++) {
		const cJSON *of = cJSON_GetArrayItem(item, k);
		if (!cJSON_IsNumber(of) || !isfinite(of->valuedouble))
			return refuse(reason, "%.40s is not three numbers", item->string);
		v[k] = of->valuedouble;
	}
	if (!(v[1] <= v[0] && v[0] <= v[2]))
		return refuse(reason, "%.40s lies outside of its interval", item->string);
	m->at[i] = v[0];
	m->lo[i] = v[1];
	m->hi[i] = v[2];
	return 0;
}

static int
read_measures(struct measured *m, const cJSON *object, const struct measure *wanted,
    int n, char *reason)
{
	if (!cJSON_IsObject(object))
		return refuse(reason, "no measures");
	for (int i = 0; i < n; i++) {
		const cJSON *item =
		    cJSON_GetObjectItemCaseSensitive(object, wanted[i].name);
		double at = wanted[i].absent ? 0 : NAN;
		if (tell_without_games(&wanted[i], &m->rules, &at) || item == NULL)
			m->at[i] = m->lo[i] = m->hi[i] = at;
		else if (read_triple(m, i, item, reason) == -1)
			return -1;
	}
	return 0;
}

static int
read_object(struct measured *m, const cJSON *json, const struct measure *wanted, int n,
    char *reason)
{
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(json, "id");
	const cJSON *rules = cJSON_GetObjectItemCaseSensitive(json, "rules");
	const cJSON *games = cJSON_GetObjectItemCaseSensitive(json, "games");

	if (!cJSON_IsString(id) || strlen(id->valuestring) >= MEASURED_ID_MAX)
		return refuse(reason, "no id");
	snprintf(m->id, sizeof(m->id), "%s", id->valuestring);
	if (!cJSON_IsNumber(games) || !(games->valuedouble >= 0) ||
	    !(games->valuedouble <= 1e9))
		return refuse(reason, "no number of games");
	m->games = (uint64_t)games->valuedouble;
	if (rules == NULL)
		return refuse(reason, "no rules");
	if (rulespec_from_tree(&m->rules, rules, reason) == -1)
		return -1;
	return read_measures(m, cJSON_GetObjectItemCaseSensitive(json, "measures"),
	    wanted, n, reason);
}

int
measured_read(struct measured *m, const char *text, size_t len,
    const struct measure *wanted, int n, char reason[REASON_MAX])
{
	cJSON *json = json_tree(text, len, reason);
	int result = -1;

	if (json != NULL && !cJSON_IsObject(json))
		refuse(reason, "not a JSON object");
	else if (json != NULL)
		result = read_object(m, json, wanted, n, reason);
	cJSON_Delete(json);
	return result;
}

double
measured_error(const struct measured *m, int i)
{
	return (m->hi[i] - m->lo[i]) / (2 * MEASURED_DEVIATIONS);
}
