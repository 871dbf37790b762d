/*
 * Attack sets. Leapers, lines and rays come from small tables, which
 * attack_init() fills; sliders from tables indexed by PEXT where the
 * machine has it, and from hyperbola quintessence ("o - 2r" with a byte swap)
 * elsewhere.
 */
#ifndef CHESS_ATTACK_H
#define CHESS_ATTACK_H

#include "board.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define FILE_A 0x0101010101010101ULL
#define FILE_H 0x8080808080808080ULL
#define RANK_1 0xffULL
#define RANK_8 (0xffULL << 56)

struct attack_lines {
	bitboard file, diagonal, antidiagonal; /* without the square */
};

/* A slider's attack sets on a square, one for each occupation of mask. Each is
 * compressed (PEXT) to the bits of its rays, so that the tables take a quarter
 * of the cache. */
struct attack_pext {
	bitboard mask, rays;
	const uint16_t *set;
};

extern bitboard attack_knight[64], attack_king[64];
extern bitboard attack_pawn[2][64];
/* Squares strictly between two squares of a line; 0 if there is no line. */
extern bitboard attack_between[64][64];
/* The whole line through two squares, both included; 0 if there is none. */
extern bitboard attack_line[64][64];
extern bitboard attack_rook_rays[64], attack_bishop_rays[64];
/* What a slide reaches on an empty board, with directions as White sees them:
 * [SLIDE_FORWARD …][number of squares][from]. */
extern bitboard attack_reach[SLIDES][8][64];
extern struct attack_lines attack_lines[64];
extern uint8_t attack_rank[64][8];
extern struct attack_pext attack_pext_rook[64], attack_pext_bishop[64];

/* The mean number of squares on which a piece can capture; those that a slide
 * reaches later count less, as it may be blocked. */
double attack_mobility(const struct piece *p);

/* Fills the tables; with pext, also those for PEXT. Called before main(). */
void attack_init(bool pext);

static inline bitboard
attack_along(bitboard occupied, bitboard line, int sq)
{
	bitboard up = occupied & line;
	bitboard down = __builtin_bswap64(up);

	up -= bit(sq);
	down -= bit(sq ^ 56);
	return (up ^ __builtin_bswap64(down)) & line;
}

/* Sliders without PEXT, for every machine. */
static inline bitboard
attack_bishop_plain(int sq, bitboard occupied)
{
	return attack_along(occupied, attack_lines[sq].diagonal, sq) |
	    attack_along(occupied, attack_lines[sq].antidiagonal, sq);
}

static inline bitboard
attack_rook_plain(int sq, bitboard occupied)
{
	int shift = sq & 56;
	bitboard inner = occupied >> shift >> 1 & 63;

	return attack_along(occupied, attack_lines[sq].file, sq) |
	    (bitboard)attack_rank[inner][sq & 7] << shift;
}

#ifdef __BMI2__
static inline bitboard
attack_bishop(int sq, bitboard occupied)
{
	const struct attack_pext *p = &attack_pext_bishop[sq];

	return _pdep_u64(p->set[_pext_u64(occupied, p->mask)], p->rays);
}

static inline bitboard
attack_rook(int sq, bitboard occupied)
{
	const struct attack_pext *p = &attack_pext_rook[sq];

	return _pdep_u64(p->set[_pext_u64(occupied, p->mask)], p->rays);
}
#else
static inline bitboard
attack_bishop(int sq, bitboard occupied)
{
	return attack_bishop_plain(sq, occupied);
}

static inline bitboard
attack_rook(int sq, bitboard occupied)
{
	return attack_rook_plain(sq, occupied);
}
#endif

/* All squares that a set of pawns, of one side, attacks. */
static inline bitboard
attack_pawns(bitboard pawns, int side)
{
	bitboard west = pawns & ~FILE_A, east = pawns & ~FILE_H;

	return side == WHITE ? west << 7 | east << 9 : west >> 9 | east >> 7;
}

/* All squares that a set of knights attacks. */
static inline bitboard
attack_knights(bitboard knights)
{
	bitboard one = (knights & ~FILE_H) << 1 | (knights & ~FILE_A) >> 1;
	bitboard two = (knights & 0x3f3f3f3f3f3f3f3fULL) << 2 |
	    (knights & 0xfcfcfcfcfcfcfcfcULL) >> 2;

	return one << 16 | one >> 16 | two << 8 | two >> 8;
}

/* Where a piece can go from sq in a mode (PIECE_QUIET or PIECE_CAPTURE): leaps
 * and single steps; slides on an empty board; all of them. */
static inline bitboard
attack_leaps(const struct piece *p, int mode, int side, int sq)
{
	static const uint8_t near_files[8] = { 0x0f, 0x1f, 0x3f, 0x7f, 0xfe, 0xfc, 0xf8,
		0xf0 };
	bitboard set = p->pattern[mode][side];

	set = sq >= 27 ? set << (sq - 27) : set >> (27 - sq);
	return set & near_files[file_of(sq)] * FILE_A;
}

static inline bitboard
attack_straight_lines(const struct piece *p, int mode, int side, int sq)
{
	const uint8_t *slide = p->slide[mode];

	return attack_reach[SLIDE_FORWARD][slide[SLIDE_FORWARD ^ side]][sq] |
	    attack_reach[SLIDE_BACK][slide[SLIDE_BACK ^ side]][sq] |
	    attack_reach[SLIDE_SIDEWAYS][slide[SLIDE_SIDEWAYS]][sq];
}

static inline bitboard
attack_diagonal_lines(const struct piece *p, int mode, int side, int sq)
{
	const uint8_t *slide = p->slide[mode];

	return attack_reach[SLIDE_DIAGONAL][slide[SLIDE_DIAGONAL ^ side]][sq] |
	    attack_reach[SLIDE_DIAGONAL_BACK][slide[SLIDE_DIAGONAL_BACK ^ side]][sq];
}

static inline bitboard
attack_slide_lines(const struct piece *p, int mode, int side, int sq)
{
	bitboard set = 0;

	if ((p->far[mode] & FAR_STRAIGHT) != 0)
		set |= attack_straight_lines(p, mode, side, sq);
	if ((p->far[mode] & FAR_DIAGONAL) != 0)
		set |= attack_diagonal_lines(p, mode, side, sq);
	return set;
}

static inline bitboard
attack_piece(const struct piece *p, int mode, int side, int sq, bitboard occupied)
{
	bitboard set = attack_leaps(p, mode, side, sq);

	if ((p->far[mode] & FAR_STRAIGHT) != 0)
		set |=
		    attack_rook(sq, occupied) & attack_straight_lines(p, mode, side, sq);
	if ((p->far[mode] & FAR_DIAGONAL) != 0)
		set |= attack_bishop(sq, occupied) &
		    attack_diagonal_lines(p, mode, side, sq);
	return set;
}

/* How a side's pieces of a type, KNIGHT or higher, move. */
static inline const struct piece *
rules_piece(const struct rules *r, int side, int type)
{
	return &r->kind[side][type];
}

/* Does this type of piece move differently from chess? */
static inline bool
rules_is_strange(const struct rules *r, int side, int type)
{
	return (r->strange[side] & 1 << (type - KNIGHT)) != 0;
}

/* Squares that an orthodox piece, not a pawn, attacks from sq. */
static inline __attribute__((always_inline)) bitboard
attack_usual(int type, int sq, bitboard occupied)
{
	switch (type) {
	case KNIGHT:
		return attack_knight[sq];
	case BISHOP:
		return attack_bishop(sq, occupied);
	case ROOK:
		return attack_rook(sq, occupied);
	case QUEEN:
		return attack_bishop(sq, occupied) | attack_rook(sq, occupied);
	default:
		return attack_king[sq];
	}
}

/* Squares on which any piece of a side, not a pawn, can capture from sq. */
static inline __attribute__((always_inline)) bitboard
attack_captures(const struct rules *r, int type, int side, int sq, bitboard occupied)
{
	return !rules_is_strange(r, side, type)
	    ? attack_usual(type, sq, occupied)
	    : attack_piece(rules_piece(r, side, type), PIECE_CAPTURE, side, sq, occupied);
}

static inline int
pop_square(bitboard *set)
{
	int sq = __builtin_ctzll(*set);

	*set &= *set - 1;
	return sq;
}

#endif
