/*
 * What a UCI engine says: a byte for the rules, one for the position, then the
 * lines of its options up to an empty one, then its answer. The move that it is
 * taken for is legal and the one that it wrote; the variant that is found is
 * one that it has. No process runs.
 */
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include "fuzz.h"

#include "data/variant.h"
#include "positions.h"
#include "search/engine.h"

static void
check_options(const struct engine *e, const struct rules *r)
{
	static const char *const names[] = { "UCI_Variant", "Rules", "Hash",
		"Move Overhead", "" };
	char name[RULES_TEXT_MAX], reason[RULES_REASON_MAX];
	struct rules known;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *told = engine_option(e, names[i]);
		REQUIRE(told == NULL || strncmp(told, " type ", 6) == 0);
		if (!variant_find(r, told, i % 2 == 0, name))
			continue;
		REQUIRE(strstr(told, name) != NULL);
		REQUIRE(variant_read(&known, name, strlen(name), reason) == 0);
		REQUIRE(variant_plays_alike(&known, r));
	}
}

/* The word behind the first bestmove that begins a line, found plainly. */
static void
find_best(const char *s, const char *end, char best[8])
{
	const char *nl;

	best[0] = '\0';
	for (; (nl = memchr(s, '\n', (size_t)(end - s))) != NULL; s = nl + 1) {
		char *line = strndup(s, (size_t)(nl - s));
		line[strcspn(line, "\r")] = '\0';
		char *word = strtok(line, " \t");
		bool found = word != NULL && strcmp(word, "bestmove") == 0;
		if (found && (word = strtok(NULL, " \t")) != NULL)
			snprintf(best, 8, "%s", word);
		free(line);
		if (found)
			return;
	}
}

static bool
is_legal(const struct board *b, const char *best)
{
	move list[MOVES_MAX];
	char text[6];
	int n = movegen_list(b, list);

	for (int i = 0; i < n; i++) {
		move_print(b->rules, list[i], text);
		if (strcmp(best, text) == 0)
			return true;
	}
	return false;
}

static void
check_answer(struct engine *e, const struct board *b, const char *best)
{
	char reason[ENGINE_REASON_MAX] = "", text[6];
	move m = 0;
	int got = engine_answer(e, b, &m, reason);

	REQUIRE(got == 1 || (got == -1 && reason[0] != '\0'));
	if (got == 1) {
		fuzz_move(b, m);
		move_print(b->rules, m, text);
		REQUIRE(strcasecmp(best, text) == 0);
	} else {
		REQUIRE(!is_legal(b, best));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct board b;
	struct engine e = { .to = -1 };
	char best[8];

	if (n < 2)
		return 0;
	const struct rules *r = fuzz_rules(data[0]);
	fuzz_board(&b, r, positions[data[1] % POSITIONS]);
	const char *s = (const char *)data + 2, *end = (const char *)data + n;
	const char *answer = memmem(s, (size_t)(end - s), "\n\n", 2);
	answer = answer == NULL ? end : answer + 1;
	/* options are lines of text without NULs */
	if (memchr(s, '\0', (size_t)(answer - s)) == NULL && answer > s &&
	    answer[-1] == '\n')
		text_add(&e.options, s, (size_t)(answer - s));
	text_reserve(&e.said, 1);
	text_add(&e.said, answer, (size_t)(end - answer));
	e.from = open("/dev/null", O_RDONLY | O_CLOEXEC);
	e.deadline = 0;
	check_options(&e, r);
	find_best(answer, end, best);
	check_answer(&e, &b, best);
	if (e.from != -1)
		close(e.from);
	engine_release(&e);
	return 0;
}
