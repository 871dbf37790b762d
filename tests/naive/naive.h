/*
 * A second opinion on the rules, for tests only.
 *
 * Chess and its rule changes written down a square at a time, with no care
 * for speed and with nothing shared with src/chess: where both agree, a
 * mistake would have to be made twice.  The board is 64 characters, a move is
 * legal if after making it on a copy the own king is not attacked.
 *
 * The caller allocates the struct; nothing is allocated here, nothing is
 * global, and a struct naive may be copied by assignment.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include <stdbool.h>

enum {
	NAIVE_MOVES = 1600, /* room for the moves of one position */
	NAIVE_FEN = 192,    /* room for a FEN, with its NUL */
	NAIVE_SAN = 16,     /* room for a move in SAN, with its NUL */
	NAIVE_PIECE = 64,   /* room for a piece's notation, with its NUL */
	NAIVE_PAST = 2048   /* positions remembered */
};

/* The fields of a rule set. */
struct naive_rules {
	int castling_from; /* first full move with castling, or INT_MAX */
	int double_to;     /* last own rank of a double step, 0 if none */
	bool pawn_back;
	bool pawn_sideways;
	bool self_capture;
	bool en_passant;
	char promote_to[5]; /* letters */
	int checks_to_win;
	bool hill_wins;
	int stalemate_value; /* hundredths of a win, as all values */
	int bare_king_value;
	int repetition_value;
	int draw_value;
	int count_limit;
	int ply_limit;
	char piece[5][NAIVE_PIECE]; /* N B R Q K in Betza's notation */
};

/* Squares are a1 = 0, b1 = 1, ... h8 = 63. */
struct naive_pos {
	char at[64];   /* a FEN letter or '.' */
	bool white;    /* White is to move */
	int rook[4];   /* castling rights in the order KQkq: the rook's
	                * square, or -1 */
	int checks[2]; /* left to give, White's and Black's */
	int ep;        /* square passed over by the last move or -1 */
	int count;     /* plies for the 50-move rule */
	int number;    /* of the full move */
};

/* What makes two positions the same for the repetition rule. */
struct naive_key {
	char at[64];
	char side;
	char right[4];
	char ep;
	char checks[2];
};

struct naive {
	struct naive_rules rules;
	struct naive_pos pos;
	int plies; /* played since naive_init() */
	int npast; /* the last of them is the present position */
	struct naive_key past[NAIVE_PAST];
};

/*
 * Sets up a position under a sum of presets in any order, such as
 * "torpedo+no-castling", or under fields as a JSON object on one line.
 * Returns 0, or -1 when a preset is unknown, when the sum contradicts itself or
 * when the FEN does not have six readable fields (seven with the checks left)
 * and a king for each side.  That the FEN is playable, and that the fields and
 * their values are right, is the caller's word.  Castling rights without king
 * and rook on the first rank are dropped, all of them under no-castling; so is
 * an en passant square that no double step of these rules explains.  The ply
 * limit is counted from here.
 */
int naive_init(struct naive *, const char *spec, const char *fen);

/*
 * Writes the legal moves in long algebraic form, sorted by strcmp(), and
 * returns how many there are.  Draws by repetition, count, material or length
 * do not take moves away; n-th check, hill and bare king do.
 */
int naive_moves(const struct naive *, char (*out)[6]);

/*
 * Plays a legal move in long algebraic form; that it is legal is the caller's
 * word.  A game may be played on after its end.  Beyond NAIVE_PAST positions
 * the oldest are forgotten.
 */
void naive_play(struct naive *, const char *move);

/*
 * Writes six fields into NAIVE_FEN bytes.  The en passant square is written
 * only when a capture en passant is legal.
 */
void naive_fen(const struct naive *, char *out);

/* Is the king of the side to move attacked? */
bool naive_in_check(const struct naive *);

/*
 * Returns "checkmate", "checks", "hill", "bare-king", "stalemate",
 * "repetition", "fifty", "material" or "length", the first of these that is
 * true, or "" when the game goes on.
 */
const char *naive_end(const struct naive *);

/* What the game is worth to White in hundredths of a win; 0 if not over. */
int naive_value(const struct naive *);

/* Returns 1 if White has won, -1 if Black has, 0 if drawn or not over. */
int naive_winner(const struct naive *);

/* Counts the sequences of so many legal moves; draws do not end them. */
unsigned long long naive_perft(const struct naive *, int depth);

/*
 * Writes a legal move, given in long algebraic form, as canonical SAN into
 * NAIVE_SAN bytes, with + or #.
 */
void naive_san(const struct naive *, const char *move, char *out);

#endif
