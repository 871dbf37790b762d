#include "board.h"

#include <string.h>

#include "zobrist.h"

uint64_t zobrist_piece[16][64];
uint64_t zobrist_castling[16];
uint64_t zobrist_ep[65];
uint64_t zobrist_black;

/* splitmix64: a counter, well stirred. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

void
zobrist_init(void)
{
	uint64_t state = 0x72756c656c616230ULL;

	for (int side = WHITE; side <= BLACK; side++)
		for (int type = PAWN; type <= KING; type++)
			for (int sq = 0; sq < 64; sq++)
				zobrist_piece[side << 3 | type][sq] =
				    next_random(&state);
	for (int i = 1; i < 16; i++)
		zobrist_castling[i] = next_random(&state);
	for (int sq = 0; sq < 64; sq++)
		zobrist_ep[sq] = next_random(&state);
	zobrist_black = next_random(&state);
}

void
board_clear(struct board *b, const struct rules *r)
{
	memset(b, 0, sizeof(*b));
	b->rules = r;
	b->fullmove = 1;
	b->ep = NO_SQUARE;
}

void
board_put(struct board *b, int side, int type, int sq)
{
	b->square[sq] = (uint8_t)(side << 3 | type);
	b->pieces[side][type] |= bit(sq);
	b->pieces[side][ALL] |= bit(sq);
}

void
board_rekey(struct board *b)
{
	b->key = zobrist_castling[b->castling] ^ zobrist_ep[b->ep];
	if (b->side == BLACK)
		b->key ^= zobrist_black;
	for (int sq = 0; sq < 64; sq++)
		b->key ^= zobrist_piece[b->square[sq]][sq];
}

void
board_start(struct board *b, const struct rules *r)
{
	static const uint8_t home[8] = { ROOK, KNIGHT, BISHOP, QUEEN, KING,
	    BISHOP, KNIGHT, ROOK };

	board_clear(b, r);
	for (int f = 0; f < 8; f++) {
		board_put(b, WHITE, home[f], f);
		board_put(b, WHITE, PAWN, 8 + f);
		board_put(b, BLACK, PAWN, 48 + f);
		board_put(b, BLACK, home[f], 56 + f);
	}
	if (r->castling_from != 0)
		b->castling = WHITE_SHORT | WHITE_LONG | BLACK_SHORT |
		    BLACK_LONG;
	board_rekey(b);
}

/* Two characters for each square. */
#define ROW(r) "a" r "b" r "c" r "d" r "e" r "f" r "g" r "h" r
static const char square_names[] = ROW("1") ROW("2") ROW("3") ROW("4") ROW("5")
    ROW("6") ROW("7") ROW("8");

int
move_print(move m, char text[6])
{
	int n = 4;

	memcpy(text, square_names + 2 * move_from(m), 2);
	memcpy(text + 2, square_names + 2 * move_to(m), 2);
	if (move_kind(m) == MOVE_PROMOTION)
		text[n++] = "nbrq"[move_promotion(m) - KNIGHT];
	text[n] = '\0';
	return n;
}
