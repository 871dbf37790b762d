#include "attack.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

bitboard attack_knight[64], attack_king[64];
bitboard attack_pawn[2][64];
bitboard attack_between[64][64];
bitboard attack_line[64][64];
bitboard attack_rook_rays[64], attack_bishop_rays[64];
bitboard attack_reach[SLIDES][8][64];
struct attack_lines attack_lines[64];
uint8_t attack_rank[64][8];
struct attack_pext attack_pext_rook[64], attack_pext_bishop[64];

/* The squares that steps of (df, dr) reach from sq on an empty board. */
static bitboard
ray(int sq, int df, int dr)
{
	bitboard set = 0;
	int f = file_of(sq) + df, r = rank_of(sq) + dr;

	for (; f >= 0 && f < 8 && r >= 0 && r < 8; f += df, r += dr)
		set |= bit(8 * r + f);
	return set;
}

static void
init_leapers(int sq)
{
	bitboard b = bit(sq);
	bitboard row = b | (b & ~FILE_H) << 1 | (b & ~FILE_A) >> 1;

	attack_knight[sq] = attack_knights(b);
	attack_king[sq] = (row | row << 8 | row >> 8) & ~b;
	attack_pawn[WHITE][sq] = attack_pawns(b, WHITE);
	attack_pawn[BLACK][sq] = attack_pawns(b, BLACK);
}

static void
init_lines(int sq)
{
	struct attack_lines *l = &attack_lines[sq];

	l->file = ray(sq, 0, 1) | ray(sq, 0, -1);
	l->diagonal = ray(sq, 1, 1) | ray(sq, -1, -1);
	l->antidiagonal = ray(sq, 1, -1) | ray(sq, -1, 1);
	attack_rook_rays[sq] = l->file | ray(sq, 1, 0) | ray(sq, -1, 0);
	attack_bishop_rays[sq] = l->diagonal | l->antidiagonal;
}

/* The first n squares of a ray. */
static bitboard
part_of_ray(int sq, int df, int dr, int n)
{
	int f = file_of(sq) + df * (n + 1), r = rank_of(sq) + dr * (n + 1);
	bitboard all = ray(sq, df, dr);

	if (f < 0 || f > 7 || r < 0 || r > 7)
		return all;
	return all & ~ray(8 * r + f, df, dr) & ~bit(8 * r + f);
}

static void
init_reach(int sq)
{
	for (int n = 1; n < 8; n++) {
		for (int back = 0; back < 2; back++) {
			int dr = back ? -1 : 1;
			attack_reach[SLIDE_FORWARD + back][n][sq] =
			    part_of_ray(sq, 0, dr, n);
			attack_reach[SLIDE_DIAGONAL + back][n][sq] =
			    part_of_ray(sq, -1, dr, n) | part_of_ray(sq, 1, dr, n);
		}
		attack_reach[SLIDE_SIDEWAYS][n][sq] =
		    part_of_ray(sq, -1, 0, n) | part_of_ray(sq, 1, 0, n);
	}
}

/* attack_rank[inner squares occupied][file]: the edge squares never matter. */
static void
init_ranks(void)
{
	for (int inner = 0; inner < 64; inner++) {
		for (int f = 0; f < 8; f++) {
			int set = 0, occupied = inner << 1;
			for (int to = f + 1; to < 8; to++) {
				set |= 1 << to;
				if (occupied & 1 << to)
					break;
			}
			for (int to = f - 1; to >= 0; to--) {
				set |= 1 << to;
				if (occupied & 1 << to)
					break;
			}
			attack_rank[inner][f] = (uint8_t)set;
		}
	}
}

static void
init_between(int from)
{
	static const int step[8][2] = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 },
		{ -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 } };

	for (int i = 0; i < 8; i++) {
		int df = step[i][0], dr = step[i][1];
		bitboard ahead = ray(from, df, dr), all = ahead;
		bitboard line = ahead | ray(from, -df, -dr) | bit(from);
		while (all != 0) {
			int to = pop_square(&all);
			attack_between[from][to] = ahead & ~ray(to, df, dr) & ~bit(to);
			attack_line[from][to] = line;
		}
	}
}

#ifdef __x86_64__
/* Every subset of every mask has an entry: 102,400 for rooks, 5,248 for
 * bishops. */
static uint16_t pext_sets[102400 + 5248];

/* Writes the sets of one slider on sq. Entry i belongs to the subset of mask
 * whose PEXT is i; (occupied - mask) & mask steps through them in this order. */
__attribute__((target("bmi2"))) static uint16_t *
init_pext(struct attack_pext *p, uint16_t *set, bitboard mask, bitboard rays, int sq,
    bitboard (*attacks)(int, bitboard))
{
	bitboard occupied = 0;

	p->mask = mask;
	p->rays = rays;
	p->set = set;
	do {
		*set++ = (uint16_t)_pext_u64(attacks(sq, occupied), rays);
		occupied = (occupied - mask) & mask;
	} while (occupied != 0);
	return set;
}

static void
init_sliders(void)
{
	uint16_t *set = pext_sets;

	for (int sq = 0; sq < 64; sq++) {
		bitboard file = FILE_A << file_of(sq);
		bitboard rank = RANK_1 << (sq & 56);
		bitboard edge = ((FILE_A | FILE_H) & ~file) | ((RANK_1 | RANK_8) & ~rank);
		set = init_pext(&attack_pext_rook[sq], set, attack_rook_rays[sq] & ~edge,
		    attack_rook_rays[sq], sq, attack_rook_plain);
		set = init_pext(&attack_pext_bishop[sq], set,
		    attack_bishop_rays[sq] & ~edge, attack_bishop_rays[sq], sq,
		    attack_bishop_plain);
	}
}
#endif

void
attack_init(bool pext)
{
	for (int sq = 0; sq < 64; sq++) {
		init_leapers(sq);
		init_lines(sq);
		init_reach(sq);
	}
	for (int sq = 0; sq < 64; sq++)
		init_between(sq);
	init_ranks();
#ifdef __x86_64__
	if (pext)
		init_sliders();
#else
	(void)pext;
#endif
}

double
attack_mobility(const struct piece *p)
{
	double sum = 0;

	for (int sq = 0; sq < 64; sq++) {
		sum += __builtin_popcountll(attack_leaps(p, PIECE_CAPTURE, WHITE, sq));
		for (int i = 0; i < SLIDES; i++) {
			double open = 1;
			for (int n = 2; n <= p->slide[PIECE_CAPTURE][i]; n++) {
				open *= 0.75;
				sum += open *
				    __builtin_popcountll(attack_reach[i][n][sq] ^
					attack_reach[i][n - 1][sq]);
			}
		}
	}
	return sum / 64;
}
