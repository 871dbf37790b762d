/*
 * Search data of games as it may be written, well formed and not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "data/searchdata.h"
#include "tap.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* What the reader says, ply by ply: a known ply gives the number of its moves,
 * one of an opening n, a bad one an x. */
static const struct {
	const char *text, *want;
} readings[] = {
	{ "[]", "" },
	{ " [ ] ", "" },
	{ "[null]", "n" },
	{ "\t[ null ,\r\n null ]\n", "nn" },
	{ "[{\"value\":0,\"moves\":{}}]", "0" },
	{ "[{\"value\":-1,\"draw\":0,\"moves\":{\"e2e4\":[1,0.5]}}]", "1" },
	{ "[{\"moves\":{\"e2e4\":[1,0.5,0.25]},\"value\":1}]", "1" },
	{ "[{\"moves\":{\"a7a8q\":[1,0.5],\"a7a8n\":[1e2,5E-1,1]}}]", "2" },
	{ "[ { \"value\" : 0.5 , \"moves\" : { \"e2e4\" : [ 1 , 0.5 ] , "
	  "\"d2d4\" : [ 2 , 1 , 0 ] } } , null ]",
	    "2n" },
	{ "[null,{\"value\":0},null]", "n0n" },
	/* not so */
	{ "", "x" },
	{ " ", "x" },
	{ "null", "x" },
	{ "{}", "x" },
	{ "[", "x" },
	{ "[nul]", "x" },
	{ "[null", "nx" },
	{ "[null,", "nx" },
	{ "[null,]", "nx" },
	{ "[,null]", "x" },
	{ "[null null]", "nx" },
	{ "[]]", "x" },
	{ "[] []", "x" },
	{ "[null]x", "nx" },
	{ "[{}]", "x" },
	{ "[{\"value\":2}]", "x" },
	{ "[{\"value\":-1.001}]", "x" },
	{ "[{\"value\":nan}]", "x" },
	{ "[{\"value\":1e999}]", "x" },
	{ "[{\"value\":\"1\"}]", "x" },
	{ "[{\"value\":}]", "x" },
	{ "[{\"value\":1e}]", "x" },
	{ "[{\"value\":--1}]", "x" },
	{ "[{\"draw\":1.5}]", "x" },
	{ "[{\"draw\":-0.1}]", "x" },
	{ "[{\"other\":1}]", "x" },
	{ "[{\"a very long name of a field\":1}]", "x" },
	{ "[{\"v\\u0061lue\":1}]", "x" },
	{ "[{\"value\":0,}]", "x" },
	{ "[{\"value\":0]", "x" },
	{ "[{value:0}]", "x" },
	{ "[{\"moves\":[]}]", "x" },
	{ "[{\"moves\":{\"e2e4\":1}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[-1,0]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0,-0.5]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0,0,0]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0],}}]", "x" },
	{ "[{\"moves\":{\"e2e4ee\":[1,0]}}]", "x" },
	{ "[{\"moves\":{\"e2e4\":[1,0]}", "x" },
	{ "[{\"value\":0.000000000000000000000000000000000000000001}]", "x" },
};

static void
read_all(const char *s, size_t n, char *got)
{
	static struct searchdata_ply ply;
	struct searchdata d;
	int more;

	searchdata_start(&d, s, n);
	while ((more = searchdata_next(&d, &ply)) == 1)
		*got++ = ply.known ? (char)('0' + ply.n) : 'n';
	if (more < 0)
		*got++ = 'x';
	*got = '\0';
}

static void
test_readings(void)
{
	char got[64];

	for (int i = 0; i < COUNT(readings); i++) {
		read_all(readings[i].text, strlen(readings[i].text), got);
		ok(strcmp(got, readings[i].want) == 0,
		    "search data %s gives '%s' (got '%s')",
		    i == 3       ? "with blanks"
			: i == 8 ? "with more blanks"
				 : readings[i].text,
		    readings[i].want, got);
	}
	read_all("[null]\0", 7, got);
	ok(strcmp(got, "nx") == 0, "a byte of zero is not the end");
	read_all("[{\"value\":1\0}]", 14, got);
	ok(strcmp(got, "x") == 0, "... nor a part of a number");
}

static void
test_values(void)
{
	static const char text[] =
	    "[{\"value\":-0.25,\"draw\":0.5,\"moves\":{"
	    "\"e2e4\":[3,0.125,0.75],\"d2d4\":[1,0.5]}},{\"value\":0.5}]";
	static struct searchdata_ply p;
	struct searchdata d;

	searchdata_start(&d, text, sizeof(text) - 1);
	int more = searchdata_next(&d, &p);
	ok(more == 1 && p.value == -0.25f && p.draw == 0.5f && p.n == 2,
	    "value and draw are read");
	ok(strcmp(p.moves[0].name, "e2e4") == 0 && p.moves[0].visits == 3 &&
		p.moves[0].prior == 0.125f && p.moves[0].improved == 0.75f,
	    "visits, prior, improved policy");
	ok(p.moves[1].improved == -1, "an improved policy that is not told");
	more = searchdata_next(&d, &p);
	ok(more == 1 && p.draw == -1 && p.n == 0,
	    "a draw that is not told, after one that was");
}

/* Numbers of any length are what strtof() makes of them, to the sign of zero. */
static void
test_numbers(void)
{
	static struct searchdata_ply p;
	struct searchdata d;
	struct rng rng;
	int same = 0, tried = 200000;

	rng_init(&rng, 1, 0);
	for (int i = 0; i < tried; i++) {
		char number[40], text[80];
		snprintf(number, sizeof(number), "%s0.%0*u", i % 2 ? "-" : "", 1 + i % 11,
		    (unsigned)rng_below(&rng, 10u << i % 25));
		snprintf(text, sizeof(text), "[{\"value\":%s}]", number);
		searchdata_start(&d, text, strlen(text));
		if (searchdata_next(&d, &p) == 1) {
			double want = (double)strtof(number, NULL);
			same += memcmp(&want, &p.value, sizeof(want)) == 0;
		}
	}
	ok(same == tried, "%d numbers are rounded as by strtof (got %d)", tried, same);
}

int
main(void)
{
	test_readings();
	test_values();
	test_numbers();
	return tap_end();
}
