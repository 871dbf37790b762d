#include "partial.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/sha256.h"
#include "json.h"
#include "rulespec.h"

enum {
	CELLS_A_LINE = 20000, /* keeps a line well below INPUT_LINE_MAX */
	LINES_MAX = 1 << 20,
	DIGEST_DIGITS = 16
};

/* Where a line stands in its partial result. */
struct place {
	unsigned line, lines;       /* from 1; the first line has the number of lines */
	char of[DIGEST_DIGITS + 1]; /* the digest of the first, in all others */
};

/* The most games: JSON numbers are exact up to this. */
static const uint64_t games_max = (uint64_t)1 << 53;

/* ---- writing ---- */

/* Appends a line up to its cells. */
static void
add_head(const struct tally *t, const struct rules *r, const char *by,
    const struct place *place, uint64_t games, struct text *line)
{
	text_add_format(line, "{\"partial\":\"%s\",\"v\":1,\"rules\":", t->program);
	rules_write_json(r, line);
	if (by != NULL) {
		text_add_string(line, ",\"tag\":");
		text_add_json_string(line, t->by, strlen(t->by));
		text_add_string(line, ",\"by\":");
		text_add_json_string(line, by, strlen(by));
	}
	if (place->line > 1)
		text_add_format(line, ",\"line\":%u,\"of\":\"%s\"", place->line,
		    place->of);
	else if (place->lines > 1)
		text_add_format(line, ",\"lines\":%u", place->lines);
	text_add_format(line, ",\"games\":%" PRIu64 ",\"cells\":\"", games);
}

/* Appends a line with n cells of a group; the first sets the digest for the others. */
static void
add_line(const struct tally *t, const struct tally_group *g, struct place *place,
    const struct histogram_cell *cells, size_t n, struct text *line)
{
	char digest[DIGEST_DIGITS + 1];

	add_head(t, &g->rules, g->by, place, place->line == 1 ? g->games : 0, line);
	for (size_t i = 0; i < n; i++)
		text_add_format(line, "%s%" PRIx64 ":%" PRIu64, i == 0 ? "" : " ",
		    cells[i].key, cells[i].count);
	sha256_text(line->s, line->len, digest, DIGEST_DIGITS);
	text_add_format(line, "\",\"digest\":\"%s\"}\n", digest);
	if (place->line == 1)
		memcpy(place->of, digest, sizeof(digest));
}

static int
write_group(const struct tally *t, const struct tally_group *g, struct text *line,
    struct zout *out)
{
	size_t left;
	struct histogram_cell *cells = histogram_sorted(&g->cells, &left);
	const struct histogram_cell *next = cells;
	struct place place = { .lines = (unsigned)(left / CELLS_A_LINE + 1) };
	int result;

	do {
		size_t n = left > CELLS_A_LINE ? CELLS_A_LINE : left;
		text_clear(line);
		place.line++;
		add_line(t, g, &place, next, n, line);
		result = zout_write(out, line->s, line->len);
		next += n;
		left -= n;
	} while (result == 0 && place.line < place.lines);
	free(cells);
	return result;
}

int
partial_write(const struct tally *t, struct zout *out)
{
	struct text line = { 0 };
	int result = 0;

	for (int i = 0; result == 0 && i < t->ngroups; i++)
		result = write_group(t, &t->groups[i], &line, out);
	text_release(&line);
	return result;
}

/* ---- reading ---- */

/* A line of a partial result. */
struct partial {
	struct rules rules;
	const char *by; /* NULL: not by a tag */
	struct place place;
	const char *digest; /* NULL: an earlier version's */
	uint64_t games, sum;
	uint64_t cells_sum;
	size_t ncells;
	const char *cells;
};

static bool
read_number(const char **s, unsigned base, uint64_t *v)
{
	static const char digits[] = "0123456789abcdef";
	const char *start = *s, *d;

	for (*v = 0; (d = memchr(digits, **s, base)) != NULL; ++*s) {
		uint64_t digit = (uint64_t)(d - digits);
		if (*v > (UINT64_MAX - digit) / base)
			return false;
		*v = *v * base + digit;
	}
	return *s != start;
}

/* Reads the cell at *s, and moves *s after it and a blank. */
static bool
read_cell(const char **s, struct histogram_cell *c)
{
	if (!read_number(s, 16, &c->key) || *(*s)++ != ':' ||
	    !read_number(s, 10, &c->count))
		return false;
	if (**s == '\0')
		return true;
	return *(*s)++ == ' ' && **s != '\0';
}

/* Each game is in one cell. Of several lines the first has all games, so that only
 * the sums of all lines can be compared; earlier versions did not number the lines,
 * but all except the last were full. */
static int
check_sum(const struct partial *p, char *reason)
{
	bool whole = p->place.line == 1 && p->place.lines == 1 && p->games > 0 &&
	    p->ncells < CELLS_A_LINE;

	if (p->cells_sum == p->games || !whole)
		return 0;
	return refuse(reason,
	    "the cells of the partial result sum to %" PRIu64 ", not to its %" PRIu64
	    " games",
	    p->cells_sum, p->games);
}

/* Checks everything before anything is added, so that a bad line adds nothing. No
 * sum of counts of any cells may overflow. */
static int
check_cells(const struct tally *t, struct partial *p, char *reason)
{
	const char *s = p->cells;
	struct histogram_cell c;

	p->sum = p->games;
	while (*s != '\0') {
		if (!read_cell(&s, &c))
			return refuse(reason,
			    "the partial result has a cell that is not key:count");
		if (c.key == 0 || t->is_key == NULL || !t->is_key(&p->rules, c.key))
			return refuse(reason,
			    "the partial result has a cell with an unknown key");
		if (c.count > INT64_MAX - p->sum)
			return refuse(reason,
			    "the counts of the partial result are too large");
		if (t->is_share != NULL && t->is_share(&p->rules, c.key) &&
		    c.count > p->games)
			return refuse(reason,
			    "the partial result counts more than its games");
		p->sum += c.count;
		p->cells_sum += c.count;
		p->ncells++;
	}
	return t->sums ? check_sum(p, reason) : 0;
}

/* Whether the digest is that of the line as add_line() would write it: the order
 * of the fields and blanks do not matter. Earlier versions wrote none, and no places
 * either. */
static int
check_digest(const struct tally *t, const struct partial *p, char *reason)
{
	struct text line = { 0 };
	char expected[DIGEST_DIGITS + 1];

	if (p->digest == NULL && p->place.line == 1 && p->place.lines == 1)
		return 0;
	add_head(t, &p->rules, p->by, &p->place, p->games, &line);
	text_add_string(&line, p->cells);
	sha256_text(line.s, line.len, expected, DIGEST_DIGITS);
	text_release(&line);
	if (p->digest == NULL || strcmp(p->digest, expected) != 0)
		return refuse(reason, "the partial result does not match its digest");
	return 0;
}

/* Is it a value that games can have: UTF-8, no control characters, not too
 * long? */
static bool
is_value(const char *s)
{
	struct text t = { 0 };
	size_t n = strlen(s);
	bool good = n <= GAME_VALUE_MAX;

	for (size_t i = 0; i < n; i++)
		good = good && (unsigned char)s[i] >= ' ' && s[i] != 0x7f;
	text_add_utf8(&t, s, n);
	good = good && t.len == n; /* what is not UTF-8 gets longer */
	text_release(&t);
	return good;
}

static int
check_by(const struct tally *t, struct partial *p, const cJSON *tag, const cJSON *by,
    char *reason)
{
	if (tag == NULL && by == NULL && t->by == NULL)
		return 0;
	if (t->by == NULL || !cJSON_IsString(tag) || strcmp(tag->valuestring, t->by) != 0)
		return refuse(reason, "a partial result made with another --by");
	if (!cJSON_IsString(by) || !is_value(by->valuestring))
		return refuse(reason, "the partial result has no value of the tag");
	p->by = by->valuestring;
	return 0;
}

/* Is it a whole number from 0 to max? */
static bool
is_count(const cJSON *number, uint64_t max)
{
	return cJSON_IsNumber(number) && number->valuedouble >= 0 &&
	    number->valuedouble <= (double)max &&
	    number->valuedouble == floor(number->valuedouble);
}

static int
check_games(struct partial *p, const cJSON *games, char *reason)
{
	if (!is_count(games, games_max))
		return refuse(reason, "the partial result has no number of games");
	p->games = (uint64_t)games->valuedouble;
	return 0;
}

static int
check_place(struct partial *p, const cJSON *json, char *reason)
{
	const cJSON *line = cJSON_GetObjectItemCaseSensitive(json, "line");
	const cJSON *lines = cJSON_GetObjectItemCaseSensitive(json, "lines");
	const char *of =
	    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "of"));

	if ((line != NULL && !is_count(line, LINES_MAX)) ||
	    (lines != NULL && !is_count(lines, LINES_MAX)))
		return refuse(reason, "the partial result has a bad number of a line");
	p->place.line = line != NULL ? (unsigned)line->valuedouble : 1;
	p->place.lines = lines != NULL ? (unsigned)lines->valuedouble : 1;
	if (p->place.line < 2)
		return 0;
	if (of == NULL || strlen(of) != DIGEST_DIGITS)
		return refuse(reason, "the partial result has a line without its first");
	memcpy(p->place.of, of, DIGEST_DIGITS + 1);
	return 0;
}

static int
check_object(const struct tally *t, struct partial *p, const cJSON *json, char *reason)
{
	const cJSON *program = cJSON_GetObjectItemCaseSensitive(json, "partial");
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(json, "v");
	const cJSON *cells = cJSON_GetObjectItemCaseSensitive(json, "cells");
	const cJSON *rules = cJSON_GetObjectItemCaseSensitive(json, "rules");
	const cJSON *digest = cJSON_GetObjectItemCaseSensitive(json, "digest");

	if (!cJSON_IsString(program))
		return refuse(reason, "not a partial result");
	if (strcmp(program->valuestring, t->program) != 0)
		return refuse(reason, "a partial result of '%.80s', not of '%.80s'",
		    program->valuestring, t->program);
	if (!cJSON_IsNumber(version) || version->valuedouble != 1)
		return refuse(reason, "not version 1 of a partial result");
	if (!cJSON_IsString(cells))
		return refuse(reason, "the partial result has no cells");
	p->cells = cells->valuestring;
	p->digest = digest == NULL   ? NULL
	    : cJSON_IsString(digest) ? digest->valuestring
				     : "";
	if (check_by(t, p, cJSON_GetObjectItemCaseSensitive(json, "tag"),
		cJSON_GetObjectItemCaseSensitive(json, "by"), reason) == -1 ||
	    check_games(p, cJSON_GetObjectItemCaseSensitive(json, "games"), reason) ==
		-1 ||
	    check_place(p, json, reason) == -1)
		return -1;
	if (rules == NULL)
		return refuse(reason, "the partial result has no rules");
	if (rulespec_from_tree(&p->rules, rules, reason) == -1 ||
	    check_cells(t, p, reason) == -1)
		return -1;
	return check_digest(t, p, reason);
}

static uint64_t
line_hash(const char *first, unsigned line)
{
	uint64_t hash = line;

	for (; *first != '\0'; first++)
		hash = rng_stir(hash + (unsigned char)*first);
	return hash;
}

/* A first line expects the others, before or after it. */
static void
count_lines(struct tally *t, const struct partial *p)
{
	if (p->place.line > 1)
		t->expected -= line_hash(p->place.of, p->place.line);
	else
		for (unsigned i = 2; i <= p->place.lines; i++)
			t->expected += line_hash(p->digest, i);
}

static int
add_partial(struct tally *t, const struct partial *p, char *reason)
{
	struct tally_group *g = tally_look_up(t, &p->rules, p->by);
	const char *s = p->cells;
	struct histogram_cell c;

	if (g == NULL && t->ngroups == TALLY_GROUPS_MAX)
		return refuse(reason, "too many rule sets or values of --by");
	if (g != NULL && (g->games > games_max - p->games || p->sum > INT64_MAX - g->sum))
		return refuse(reason, "the counts of all partial results are too large");
	if (g == NULL)
		g = tally_add_group(t, &p->rules, p->by);
	g->games += p->games;
	g->sum += p->sum;
	count_lines(t, p);
	while (*s != '\0' && read_cell(&s, &c))
		histogram_add(&g->cells, c.key, c.count);
	return 0;
}

int
partial_read(void *tally, const char *s, size_t n, char reason[GAME_REASON_MAX])
{
	struct tally *t = tally;
	struct partial p = { 0 };
	cJSON *json = json_tree(s, n, reason);
	int result = json == NULL ? -1 : check_object(t, &p, json, reason);

	if (result == 0)
		result = add_partial(t, &p, reason);
	cJSON_Delete(json);
	return result;
}

bool
partial_is_cut(const struct tally *t)
{
	for (int i = 0; t->sums && i < t->ngroups; i++)
		if (histogram_sum(&t->groups[i].cells) != t->groups[i].games)
			return true;
	return t->expected != 0;
}
