#include "board.h"

#include <string.h>

#include "fen.h"
#include "make.h"
#include "movegen.h"

uint64_t zobrist_piece[32][64];
uint64_t zobrist_hand[2][16][64];
uint64_t zobrist_promoted[64];
uint64_t zobrist_castling[16];
uint64_t zobrist_rook[4][8];
uint64_t zobrist_ep[65];
uint64_t zobrist_checks[2][16];
uint64_t zobrist_black;

/* splitmix64 */
static uint64_t
next_random(uint64_t *state)
{
	return rng_stir(*state += 0x9e3779b97f4a7c15ULL);
}

void
zobrist_init(void)
{
	uint64_t state = 0x72756c656c616230ULL;

	for (int side = WHITE; side <= BLACK; side++)
		for (int type = PAWN; type <= KING; type++)
			for (int sq = 0; sq < 64; sq++)
				zobrist_piece[side << 4 | type][sq] = next_random(&state);
	for (int i = 1; i < 16; i++)
		zobrist_castling[i] = next_random(&state);
	for (int sq = 0; sq < 64; sq++)
		zobrist_ep[sq] = next_random(&state);
	zobrist_black = next_random(&state);
	for (int i = 0; i < 4; i++)
		for (int f = 0; f < 8; f++)
			zobrist_rook[i][f] = next_random(&state);
	for (int side = WHITE; side <= BLACK; side++)
		for (int n = 1; n < 16; n++)
			zobrist_checks[side][n] = next_random(&state);
	for (int side = WHITE; side <= BLACK; side++) {
		for (int type = SPARE; type < TYPES; type++)
			for (int sq = 0; sq < 64; sq++)
				zobrist_piece[side << 4 | type][sq] = next_random(&state);
		for (int type = PAWN; type < TYPES; type++)
			for (int n = 1; n < 64; n++)
				zobrist_hand[side][type][n] = next_random(&state);
	}
	for (int sq = 0; sq < 64; sq++)
		zobrist_promoted[sq] = next_random(&state);
}

void
board_clear(struct board *b, const struct rules *r)
{
	memset(b, 0, sizeof(*b));
	b->rules = r;
	b->fullmove = 1;
	b->ep = NO_SQUARE;
	b->checks = (uint8_t)(r->checks_to_win[WHITE] | r->checks_to_win[BLACK] << 4);
}

void
board_put(struct board *b, int side, int type, int sq)
{
	b->square[sq] = (uint8_t)(side << 4 | type);
	b->pieces[side][type] |= bit(sq);
	b->pieces[side][ALL] |= bit(sq);
}

void
board_give_castling(struct board *b, int side, int sq)
{
	int king = board_king(b, side);
	int i = 2 * side + (sq < king);

	b->castling |= (uint8_t)(1 << i);
	b->rook[i] = (uint8_t)sq;
	if (file_of(king) != 4 || file_of(sq) != (sq < king ? 0 : 7))
		b->odd_castling |= (uint8_t)(1 << i);
}

void
board_rekey(struct board *b)
{
	b->key = zobrist_castling[b->castling] ^ zobrist_ep[b->ep] ^
	    zobrist_checks[WHITE][board_checks_left(b, WHITE)] ^
	    zobrist_checks[BLACK][board_checks_left(b, BLACK)];
	if (!b->odd_castling)
		memset(b->rook, 0, sizeof(b->rook));
	for (int i = 0; i < 4; i++)
		if ((b->odd_castling & b->castling & 1 << i) != 0)
			b->key ^= zobrist_rook[i][file_of(b->rook[i])];
	if (b->side == BLACK)
		b->key ^= zobrist_black;
	for (int sq = 0; sq < 64; sq++)
		b->key ^= zobrist_piece[b->square[sq]][sq];
	for (int sq = 0; b->promoted != 0 && sq < 64; sq++)
		b->key ^= b->promoted >> sq & 1 ? zobrist_promoted[sq] : 0;
	for (int type = PAWN; type < b->rules->ntypes; type++)
		b->key ^= zobrist_hand[WHITE][type][board_in_hand(b, WHITE, type)] ^
		    zobrist_hand[BLACK][type][board_in_hand(b, BLACK, type)];
}

/* The starting position with this back rank for both sides. */
static void
start_with(struct board *b, const struct rules *r, const uint8_t home[8])
{
	board_clear(b, r);
	for (int f = 0; f < 8; f++) {
		board_put(b, WHITE, home[f], f);
		board_put(b, WHITE, PAWN, 8 + f);
		board_put(b, BLACK, PAWN, 48 + f);
		board_put(b, BLACK, home[f], 56 + f);
	}
	for (int f = 0; f < 8; f++) {
		if (home[f] == ROOK && r->castles[WHITE])
			board_give_castling(b, WHITE, f);
		if (home[f] == ROOK && r->castles[BLACK])
			board_give_castling(b, BLACK, 56 + f);
	}
	board_rekey(b);
}

void
board_start(struct board *b, const struct rules *r)
{
	static const uint8_t home[8] = { ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP,
		KNIGHT, ROOK };
	char reason[FEN_REASON_MAX];

	/* rules_settle() has checked that the start can be read. */
	if (r->start[0] == '\0' || strcmp(r->start, "960") == 0 ||
	    fen_read(b, r, r->start, strlen(r->start), reason) == -1)
		start_with(b, r, home);
}

/* Puts a piece on the n-th file that is still free. */
static void
fill_free(uint8_t home[8], int n, int type)
{
	int f = 0;

	while (home[f] != 0 || n-- > 0)
		f++;
	home[f] = (uint8_t)type;
}

/* Scharnagl's numbering: light bishop, dark bishop, queen, knights, from the
 * lowest digit up. */
void
board_start_960(struct board *b, const struct rules *r, int number)
{
	static const uint8_t knights[10][2] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 },
		{ 1, 1 }, { 1, 2 }, { 1, 3 }, { 2, 2 }, { 2, 3 }, { 3, 3 } };
	uint8_t home[8] = { 0 };

	home[2 * (number % 4) + 1] = BISHOP;
	home[2 * (number / 4 % 4)] = BISHOP;
	fill_free(home, number / 16 % 6, QUEEN);
	fill_free(home, knights[number / 96 % 10][0], KNIGHT);
	fill_free(home, knights[number / 96 % 10][1], KNIGHT);
	fill_free(home, 0, ROOK);
	fill_free(home, 0, KING);
	fill_free(home, 0, ROOK);
	start_with(b, r, home);
}

void
board_start_random(struct board *b, const struct rules *r, struct rng *rng)
{
	if (strcmp(r->start, "960") == 0)
		board_start_960(b, r, (int)rng_below(rng, 960));
	else
		board_start(b, r);
}

/* Two characters for each square. */
#define ROW(r) "a" r "b" r "c" r "d" r "e" r "f" r "g" r "h" r
static const char square_names[] =
    ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7") ROW("8");

int
move_print(const struct rules *r, move m, char text[6])
{
	int n = 4;

	if (move_is_drop(m)) {
		text[0] = r->letter[move_dropped(m)];
		text[1] = '@';
	} else {
		memcpy(text, square_names + 2 * move_from(m), 2);
	}
	memcpy(text + 2, square_names + 2 * move_to(m), 2);
	if (move_is_promotion(m))
		text[n++] = (char)(r->letter[move_promotion(m)] - 'A' + 'a');
	text[n] = '\0';
	return n;
}

int
move_print_960(const struct rules *r, move m, char text[6])
{
	if (move_is_castling(m))
		m = move_make(move_from(m), castling_rook_from(m), TAG_ROOK);
	return move_print(r, m, text);
}

/* The legal drop of a piece on a square; 0 if there is none. */
static move
find_drop(const struct board *b, char letter, int to)
{
	int type = letter < 'a' ? rules_type(b->rules, letter) : 0;

	return type == 0 ? 0 : movegen_drop(b, type, to);
}

move
move_parse(const struct board *b, const char *text, size_t n)
{
	if (n != 4 && n != 5)
		return 0;
	unsigned file = (unsigned char)text[0] - (unsigned)'a';
	unsigned rank = (unsigned char)text[1] - (unsigned)'1';
	unsigned to_file = (unsigned char)text[2] - (unsigned)'a';
	unsigned to_rank = (unsigned char)text[3] - (unsigned)'1';
	int promotion = n == 5 ? rules_type(b->rules, text[4]) : 0;
	if ((to_file | to_rank) > 7 || (n == 5 && promotion < KNIGHT))
		return 0;
	int from = (int)(rank * 8 + file), to = (int)(to_rank * 8 + to_file);
	if (text[1] == '@' && n == 4)
		return find_drop(b, text[0], to);
	if ((file | rank) > 7)
		return 0;
	move m = movegen_find(b, from, to, promotion);
	if (m != 0 || n != 4 || rank != to_rank || type_at(b, from) != KING ||
	    b->square[to] != (b->side << 4 | ROOK))
		return m;
	m = movegen_castling(b, to > from);
	return m != 0 && board_castling_rook(b, 2 * b->side + (to < from)) == to ? m : 0;
}
