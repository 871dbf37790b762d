#include "packed.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "rulespec.h"
#include "searchdata.h"

/* What records begin with: games as they were written before there were end records, and
 * since; end records. */
static const char old_game[] = "RLP1", new_game[] = "RLP2", end_record[] = "RLPE";

enum { MAGIC = 4 };

/* ---- checksum ---- */

static uint32_t crc_table[256];

__attribute__((constructor)) static void
fill_crc_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320U ^ c >> 1 : c >> 1;
		crc_table[i] = c;
	}
}

static uint32_t
crc32_of(const char *s, size_t n)
{
	uint32_t c = UINT32_MAX;

	for (size_t i = 0; i < n; i++)
		c = crc_table[(c ^ (unsigned char)s[i]) & 255] ^ c >> 8;
	return ~c;
}

/* ---- moves ---- */

/* The highest 4 bits of a move in files, by its tag (board.h). Those of chess came
 * first: a piece and a kind, 2 bits each. */
static const uint8_t file_tags[16] = {
	[TAG_PLAIN] = 0,
	[TAG_EN_PASSANT] = 8,
	[TAG_CASTLING] = 12,
	[TAG_ROOK] = 13,
	[TAG_DROP] = 1,
	[TAG_PROMOTION + PAWN] = 15, /* there is none */
	[TAG_PROMOTION + KNIGHT] = 4,
	[TAG_PROMOTION + BISHOP] = 5,
	[TAG_PROMOTION + ROOK] = 6,
	[TAG_PROMOTION + QUEEN] = 7,
	[TAG_PROMOTION + KING] = 2,
	[TAG_PROMOTION + SPARE] = 3,
	[TAG_PROMOTION + SPARE + 1] = 9,
	[TAG_PROMOTION + SPARE + 2] = 10,
	[TAG_PROMOTION + SPARE + 3] = 11,
	[15] = 14, /* no tag */
};
static uint8_t tag_of[16];

__attribute__((constructor)) static void
fill_tags(void)
{
	for (int i = 0; i < 16; i++)
		tag_of[file_tags[i]] = (uint8_t)i;
}

/* ---- writing ---- */

static void
add_signed(struct text *t, int64_t v)
{
	text_add_varint(t, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

static void
add_text(struct text *t, const char *s, size_t n)
{
	text_add_varint(t, n);
	text_add(t, s, n);
}

static void
add_span(struct text *t, const struct game *g, struct span s)
{
	add_text(t, s.len == 0 ? "" : game_text(g, s), s.len);
}

static void
add_16(struct text *t, unsigned v)
{
	text_add_char(t, (char)(v & 255));
	text_add_char(t, (char)(v >> 8 & 255));
}

static void
put_32(char *s, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		s[i] = (char)(v >> 8 * i & 255);
}

static void
begin_record(struct text *t, const char *magic)
{
	text_add(t, magic, MAGIC);
	text_add(t, "\0\0\0\0\0\0\0", 8);
}

/* Fills the head of the record that begins there. */
static void
finish_record(struct text *t, size_t begin)
{
	char *head = t->s + begin;
	size_t n = t->len - begin - PACKED_HEAD;

	put_32(head + 4, (uint32_t)n);
	put_32(head + 8, crc32_of(head + PACKED_HEAD, n));
}

void
packed_write(struct text *t, const struct game *g, const int16_t *scores)
{
	size_t begin = t->len;
	char rules[RULES_TEXT_MAX], fen[FEN_MAX];

	begin_record(t, new_game);
	rules_print(&g->rules, rules);
	add_text(t, rules, strlen(rules));
	fen[0] = '\0';
	if (!g->usual_start)
		fen_write(&g->start, fen);
	add_text(t, fen, strlen(fen));
	add_text(t, end_name(g->end), strlen(end_name(g->end)));
	add_span(t, g, g->id);
	add_span(t, g, g->seed);
	add_span(t, g, g->net);
	add_text(t, "", 0);
	text_add_varint(t, g->result);
	add_signed(t, g->value);
	add_signed(t, g->sims);
	text_add_varint(t, (uint64_t)g->line.plies);
	for (int i = 0; i < g->line.plies; i++)
		add_16(t,
		    (g->line.moves[i] & 4095U) |
			(unsigned)file_tags[move_tag(g->line.moves[i])] << 12);
	text_add_varint(t, scores != NULL);
	for (int i = 0; scores != NULL && i < g->line.plies; i++)
		add_16(t, (uint16_t)scores[i]);
	finish_record(t, begin);
}

void
packed_write_end(struct text *t, uint64_t games)
{
	size_t begin = t->len;

	begin_record(t, end_record);
	text_add_varint(t, games);
	finish_record(t, begin);
}

/* ---- scores ---- */

/* Beyond this an end is proven. */
#define SURE 0.99995

int16_t
packed_score(double value)
{
	if (isnan(value))
		return PACKED_NO_SCORE;
	return (int16_t)lround(2 * PACKED_UNIT * atanh(fmin(fmax(value, -SURE), SURE)));
}

float
packed_value(int16_t score)
{
	return score == PACKED_NO_SCORE ? NAN : (float)tanh(score / (2.0 * PACKED_UNIT));
}

void
packed_search_data(struct game *g, const int16_t *scores)
{
	static struct searchdata_ply p = { .draw = -1 };
	struct text t = { 0 };

	for (int i = 0; i < g->line.plies; i++) {
		p.known = scores[i] != PACKED_NO_SCORE;
		p.value = (double)packed_value(scores[i]);
		searchdata_add(&t, &p);
	}
	searchdata_end(&t);
	g->search = game_keep(g, t.s, t.len);
	text_release(&t);
}

/* ---- reading ---- */

static uint32_t
get_32(const char *s)
{
	uint32_t v = 0;

	for (int i = 3; i >= 0; i--)
		v = v << 8 | (unsigned char)s[i];
	return v;
}

bool
packed_is_end(const char *s, size_t n)
{
	return n >= MAGIC && memcmp(s, end_record, MAGIC) == 0;
}

bool
packed_wants_end(const char *s, size_t n)
{
	return n >= MAGIC && memcmp(s, new_game, MAGIC) == 0;
}

bool
packed_is(const char *s, size_t n)
{
	return n >= MAGIC &&
	    (memcmp(s, new_game, MAGIC) == 0 || memcmp(s, old_game, MAGIC) == 0 ||
		packed_is_end(s, n));
}

long
packed_size(const char *s, size_t n)
{
	if (n < PACKED_HEAD)
		return 0;
	uint32_t size = get_32(s + 4);
	return packed_is(s, n) && size <= PACKED_MAX ? (long)size + PACKED_HEAD : -1;
}

/* The unread part of a payload; good becomes false when it ends early. */
struct reader {
	const char *s, *end;
	bool good;
};

static uint64_t
get_number(struct reader *r)
{
	uint64_t v = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		if (r->s == r->end)
			break;
		unsigned char c = (unsigned char)*r->s++;
		v |= (uint64_t)(c & 127) << shift;
		if (c < 128)
			return v;
	}
	r->good = false;
	return 0;
}

static int64_t
get_signed(struct reader *r)
{
	uint64_t v = get_number(r);

	return (int64_t)(v >> 1 ^ (~(v & 1) + 1));
}

static const char *
get_text(struct reader *r, size_t *n)
{
	uint64_t len = get_number(r);

	if (!r->good || len > (uint64_t)(r->end - r->s)) {
		r->good = false;
		*n = 0;
		return "";
	}
	const char *s = r->s;
	r->s += len;
	*n = (size_t)len;
	return s;
}

static struct span
get_span(struct reader *r, struct game *g)
{
	size_t n;
	const char *s = get_text(r, &n);

	return game_keep_foreign(g, s, n);
}

static unsigned
get_16(struct reader *r)
{
	if (r->end - r->s < 2) {
		r->good = false;
		return 0;
	}
	unsigned v = (unsigned char)r->s[0] | (unsigned)(unsigned char)r->s[1] << 8;
	r->s += 2;
	return v;
}

static int
read_rules(struct reader *r, struct game *g, char *reason)
{
	char why[RULES_REASON_MAX];
	struct rules rules;
	size_t n;
	const char *s = get_text(r, &n);

	if (!r->good)
		return refuse(reason, "malformed packed game");
	if (rulespec_parse(&rules, s, n, why) == -1)
		return refuse(reason, "rules: %s", why);
	game_set_rules(g, &rules);
	return 0;
}

static int
read_start(struct reader *r, struct game *g, char *reason)
{
	size_t n;
	const char *s = get_text(r, &n);
	char why[FEN_REASON_MAX];

	if (n == 0)
		return 0;
	g->usual_start = false;
	if (fen_read(&g->start, &g->rules, s, n, why) == -1)
		return refuse(reason, "start: %s", why);
	return 0;
}

static int
read_moves(struct reader *r, struct game *g, bool trust, char *reason)
{
	struct board b = g->start;
	uint64_t plies = get_number(r);
	move list[MOVES_MAX];

	for (uint64_t i = 0; r->good && i < plies; i++) {
		unsigned v = get_16(r);
		move m = (move)((v & 4095) | (unsigned)tag_of[v >> 12] << 12);
		if (!r->good)
			break;
		if (!move_is_among(list, movegen_list(&b, list), m) || !game_grow(g))
			return refuse(reason, "ply %" PRIu64 ": illegal move", i + 1);
		line_add(&g->line, &b, m);
	}
	return trust || !r->good ? 0 : game_check_end(g, &b, reason);
}

/* A record whose length and checksum are right. */
static int
check_record(const char *s, size_t n, char reason[GAME_REASON_MAX])
{
	if (n < PACKED_HEAD || packed_size(s, n) != (long)n)
		return refuse(reason, "not a packed game");
	if (crc32_of(s + PACKED_HEAD, n - PACKED_HEAD) != get_32(s + 8))
		return refuse(reason, "packed game with a wrong checksum");
	return 0;
}

int
packed_read_end(const char *s, size_t n, uint64_t *games, char reason[GAME_REASON_MAX])
{
	struct reader r = { s + PACKED_HEAD, s + n, true };

	if (check_record(s, n, reason) == -1)
		return -1;
	*games = get_number(&r);
	return !packed_is_end(s, n) || !r.good || r.s != r.end
	    ? refuse(reason, "malformed end of packed games")
	    : 0;
}

int
packed_read(struct game *g, bool trust, const char *s, size_t n, int16_t *scores,
    bool *scored, char reason[GAME_REASON_MAX])
{
	struct reader r = { s + PACKED_HEAD, s + n, true };
	size_t len;

	if (check_record(s, n, reason) == -1)
		return -1;
	if (packed_is_end(s, n))
		return refuse(reason, "not a packed game");
	game_clear(g);
	if (read_rules(&r, g, reason) == -1 || read_start(&r, g, reason) == -1)
		return -1;
	const char *end = get_text(&r, &len);
	if (len > 0 && !end_read(end, len, &g->end))
		return refuse(reason, "packed game with an unknown end");
	g->id = get_span(&r, g);
	g->seed = get_span(&r, g);
	g->net = get_span(&r, g);
	get_text(&r, &len);
	uint64_t result = get_number(&r);
	int64_t value = get_signed(&r);
	int64_t sims = get_signed(&r);
	if (!r.good || result > RESULT_DRAW || value < -100 || value > 100 || sims < -1 ||
	    sims > INT_MAX)
		return refuse(reason, "malformed packed game");
	g->result = (enum result)result;
	g->value = (int)value;
	g->sims = (int)sims;
	if ((g->result == RESULT_WHITE || g->result == RESULT_BLACK) &&
	    g->value != result_value(g->result))
		return refuse(reason, "packed game whose points contradict its result");
	if (read_moves(&r, g, trust, reason) == -1)
		return -1;
	uint64_t has_scores = get_number(&r);
	if (has_scores > 1)
		return refuse(reason, "malformed packed game");
	*scored = has_scores == 1;
	for (int i = 0; *scored && i < g->line.plies; i++)
		scores[i] = (int16_t)get_16(&r);
	if (!r.good || r.s != r.end)
		return refuse(reason, "malformed packed game");
	return 0;
}
