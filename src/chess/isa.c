#include "isa.h"

#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "board.h"
#include "ep.h"
#include "movegen.h"
#include "perft.h"
#include "run.h"
#include "san.h"
#include "zobrist.h"

#if defined(__x86_64__)
#define HAVE_V3 1
#include <cpuid.h>
#else
#define HAVE_V3 0
#endif

/* HOT(type, name, parameters, arguments): every function of isa.h. */
/* clang-format off */
#define HOT_FUNCTIONS \
HOT(void, board_make, (struct board *b, move m, struct undo *u), (b, m, u)) \
HOT(void, board_unmake, (struct board *b, move m, const struct undo *u), (b, m, u)) \
HOT(bitboard, board_checkers, (const struct board *b), (b)) \
HOT(bitboard, board_checkers_of, (const struct board *b, int side), (b, side)) \
HOT(bool, board_ep_is_safe, (const struct board *b, int side, int from, int ep), \
    (b, side, from, ep)) \
HOT(bitboard, board_attackers, \
    (const struct board *b, int sq, int by, bitboard occupied), (b, sq, by, occupied)) \
HOT(bool, board_ep_playable, (const struct board *b, int ep), (b, ep)) \
HOT(void, line_add, (struct line *l, struct board *b, move m), (l, b, m)) \
HOT(int, movegen_list, (const struct board *b, move *list), (b, list)) \
HOT(int, movegen_noisy, (const struct board *b, move *list), (b, list)) \
HOT(int, movegen_count, (const struct board *b), (b)) \
HOT(move, movegen_find, (const struct board *b, int from, int to, int promotion), \
    (b, from, to, promotion)) \
HOT(bitboard, movegen_sources, \
    (const struct board *b, int type, int to, bitboard allowed, bool capture), \
    (b, type, to, allowed, capture)) \
HOT(bool, movegen_can_move, (const struct board *b), (b)) \
HOT(enum end, movegen_early_end, (const struct board *b), (b)) \
HOT(move, movegen_drop, (const struct board *b, int type, int to), (b, type, to)) \
HOT(move, movegen_castling, (const struct board *b, bool is_short), (b, is_short)) \
HOT(uint64_t, perft, (struct board *b, int depth), (b, depth)) \
HOT(int, san_read, (const struct board *b, const char *text, size_t len, move *m), \
    (b, text, len, m)) \
HOT(const char *, run_play_long, \
    (struct line *l, struct board *b, const char *s, const char *end), (l, b, s, end)) \
HOT(const char *, run_play_san, \
    (struct line *l, struct board *b, const char *s, const char *end), (l, b, s, end)) \
HOT(int, san_write, (const struct board *b, move m, char *text), (b, m, text))

#define HOT(type, name, params, args) \
	type name##_base params; \
	type name##_v3 params;
HOT_FUNCTIONS
#undef HOT

#if HAVE_V3
static bool have_v3;
#define HOT(type, name, params, args) \
	type name params { return have_v3 ? name##_v3 args : name##_base args; }
#else
#define HOT(type, name, params, args) \
	type name params { return name##_base args; }
#endif
/* clang-format on */
HOT_FUNCTIONS
#undef HOT

#if HAVE_V3
/* AMD processors before Zen 3 (family 19h) implement PEXT in microcode, far
 * slower than attack_rook_plain(). */
static bool
pext_is_slow(void)
{
	unsigned a, b, c, d;

	if (__get_cpuid(0, &a, &b, &c, &d) == 0 || b != signature_AMD_ebx)
		return false;
	__get_cpuid(1, &a, &b, &c, &d);
	unsigned family = a >> 8 & 15;
	if (family == 15)
		family += a >> 20 & 255;
	return family < 0x19;
}

static bool
find_v3(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
	    !pext_is_slow();
}
#endif

/* Fills the tables before main(), so that no program can forget to. */
__attribute__((constructor)) static void
isa_init(void)
{
#if HAVE_V3
	const char *asked = getenv("RULELAB_ISA"); /* for tests */

	have_v3 = find_v3() && (asked == NULL || strcmp(asked, "base") != 0);
	attack_init(have_v3);
#else
	attack_init(false);
#endif
	zobrist_init();
}

const char *
isa_name(void)
{
#if HAVE_V3
	return have_v3 ? "v3" : "base";
#else
	return "base";
#endif
}
