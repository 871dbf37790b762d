/*
 * Packed games. The first byte says what the rest is: a record as it is, or what comes
 * behind the head of a game, old or new, or of an end record, which is then made for
 * it, as no fuzzer finds a check sum.
 * What is accepted has legal moves and numbers within their bounds, and is
 * written as a record that reads back to the same game.
 */
#include "data/packed.h"
#include "games.h"

static int16_t scores[GAME_PLIES_MAX], scores_again[GAME_PLIES_MAX];

/* CRC-32, bit by bit. */
static uint32_t
crc32(const uint8_t *s, size_t n)
{
	uint32_t c = UINT32_MAX;

	for (size_t i = 0; i < 8 * n; i++) {
		bool low = (c ^ (uint32_t)s[i / 8] >> i % 8) & 1;
		c = c >> 1 ^ (low ? 0xedb88320U : 0);
	}
	return ~c;
}

static void
add_32(struct text *t, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		text_add_char(t, (char)(v >> 8 * i & 255));
}

static void
check(const struct game *g, bool scored)
{
	static struct game again;
	struct reading said = { 0 }, said_again = { 0 };
	struct text t = { 0 };
	char reason[GAME_REASON_MAX];
	bool scored_again;

	if (again.tags == NULL)
		game_init(&again);
	fuzz_keep(&said, g);
	packed_write(&t, g, scored ? scores : NULL);
	REQUIRE(packed_is(t.s, t.len) && packed_size(t.s, t.len) == (long)t.len);
	REQUIRE(packed_read(&again, true, t.s, t.len, scores_again, &scored_again,
		    reason) == 0);
	fuzz_keep(&said_again, &again);
	REQUIRE(said.json.len == said_again.json.len &&
	    memcmp(said.json.s, said_again.json.s, said.json.len) == 0);
	REQUIRE(again.value == g->value && again.result == g->result);
	REQUIRE(scored == scored_again &&
	    (!scored ||
		memcmp(scores, scores_again, (size_t)g->line.plies * sizeof(*scores)) ==
		    0));
	reading_release(&said);
	reading_release(&said_again);
	text_release(&t);
}

static void
check_end(const char *s, size_t n)
{
	struct text t = { 0 };
	char reason[GAME_REASON_MAX] = "";
	uint64_t games, again;

	if (packed_read_end(s, n, &games, reason) == -1) {
		REQUIRE(reason[0] != '\0');
		return;
	}
	packed_write_end(&t, games);
	REQUIRE(packed_is(t.s, t.len) && packed_is_end(t.s, t.len));
	REQUIRE(packed_read_end(t.s, t.len, &again, reason) == 0 && again == games);
	text_release(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct game *g = fuzz_game();
	struct text t = { 0 };
	char reason[GAME_REASON_MAX] = "";
	bool scored;

	if (n < 1)
		return 0;
	if (data[0] % 2 != 0) {
		text_add(&t, data[0] & 4 ? "RLPE" : data[0] & 2 ? "RLP2" : "RLP1", 4);
		add_32(&t, (uint32_t)(n - 1));
		add_32(&t, crc32(data + 1, n - 1));
	}
	text_add(&t, (const char *)data + 1, n - 1);
	/* a copy that ends where the record ends */
	char *s = malloc(t.len > 0 ? t.len : 1);
	REQUIRE(s != NULL);
	if (t.len > 0)
		memcpy(s, t.s, t.len);
	long size = packed_size(s, t.len);
	REQUIRE(size >= -1);
	if (size == (long)t.len && packed_is_end(s, t.len)) {
		check_end(s, t.len);
	} else if (size == (long)t.len) {
		if (packed_read(g, true, s, t.len, scores, &scored, reason) == 0)
			check(g, scored);
		else
			REQUIRE(reason[0] != '\0');
	}
	free(s);
	text_release(&t);
	return 0;
}
