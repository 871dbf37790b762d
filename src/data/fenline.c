#include "fenline.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "rulespec.h"

static int
read_fen(struct board *b, const struct rules *r, const char *s, size_t n, char *reason)
{
	if (n == 8 && memcmp(s, "startpos", 8) == 0) {
		board_start(b, r);
		return 0;
	}
	return fen_read(b, r, s, n, reason);
}

static int
play_moves(struct board *b, const char *s, char *reason)
{
	struct undo undo;

	for (int ply = 1; *(s += strspn(s, " ")) != '\0'; ply++) {
		size_t n = strcspn(s, " ");
		move m = move_parse(b, s, n);
		if (m == 0)
			return refuse(reason, "ply %d: '%.*s' is not legal", ply,
			    n < 20 ? (int)n : 20, s);
		board_make(b, m, &undo);
		s += n;
	}
	return 0;
}

static int
read_object(struct board *b, struct rules *used, const cJSON *json, char *reason)
{
	const cJSON *fen = cJSON_GetObjectItemCaseSensitive(json, "fen");
	const cJSON *rules = cJSON_GetObjectItemCaseSensitive(json, "rules");
	const cJSON *moves = cJSON_GetObjectItemCaseSensitive(json, "moves");

	if (!cJSON_IsString(fen))
		return refuse(reason, "no \"fen\" in the record");
	if (rules != NULL && rulespec_from_tree(used, rules, reason) == -1)
		return -1;
	if (read_fen(b, used, fen->valuestring, strlen(fen->valuestring), reason) == -1)
		return -1;
	/* The output of genmoves has an array here, the legal moves. */
	return cJSON_IsString(moves) ? play_moves(b, moves->valuestring, reason) : 0;
}

int
fenline_read(struct board *b, struct rules *used, const struct rules *given,
    const char *s, size_t n, char reason[FENLINE_REASON_MAX])
{
	int result;

	*used = *given;
	while (n > 0 && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	if (n == 0 || *s != '{')
		return read_fen(b, used, s, n, reason);
	cJSON *json = json_tree(s, n, reason);
	if (json == NULL)
		return -1;
	result = read_object(b, used, json, reason);
	cJSON_Delete(json);
	return result;
}
