/*
 * Games as JSON: one byte for the rules of games that tell none, one for how
 * the file is read, then the file. However the bytes come the games are the
 * same, and what is written, as JSON or as PGN, reads back to the same games.
 */
#include "fuzz.h"
#include "games.h"

#include <cjson/cJSON.h>

/* Search data is handed on as it came, so it must be JSON. */
static void
check_search(const char *text, size_t n, const struct game_options *o)
{
	struct reading all;

	fuzz_read_json(&all, text, n, SIZE_MAX, o);
	for (char *line = all.json.s, *end; line != NULL && *line != '\0';
	     line = end + 1) {
		end = strchr(line, '\n');
		cJSON *json = cJSON_ParseWithLength(line, (size_t)(end - line));
		REQUIRE(json != NULL);
		cJSON_Delete(json);
	}
	reading_release(&all);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct game_options o;
	const char *text = fuzz_file(fuzz_read_json, data, n, &o);

	if (text == NULL)
		return 0;
	o.search = true;
	check_search(text, n - 2, &o);
	return 0;
}
