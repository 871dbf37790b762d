/*
 * A second opinion on the rules, for tests only.
 *
 * Chess and its rule changes written down a square at a time, with no care
 * for speed and with nothing shared with src/chess: where both agree, a
 * mistake would have to be made twice.  The board is 64 characters, a move is
 * legal if after making it on a copy no own royal piece is attacked.
 *
 * The caller allocates the struct; nothing is allocated here, nothing is
 * global, and a struct naive may be copied by assignment.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include <stdbool.h>

enum {
	NAIVE_MOVES = 1600, /* room for the moves of one position */
	NAIVE_FEN = 256,    /* room for a FEN, with its NUL */
	NAIVE_SAN = 16,     /* room for a move in SAN, with its NUL */
	NAIVE_PIECE = 64,   /* room for a piece's notation, with its NUL */
	NAIVE_KINDS = 9,    /* N B R Q K and four more */
	NAIVE_PAST = 2048   /* positions remembered */
};

/* The fields that each side has for itself; values are hundredths of a win. */
struct naive_side {
	int castling_from; /* first full move with castling, or INT_MAX */
	int double_to;     /* last own rank of a double step, 0 if none */
	bool pawn_back;
	bool pawn_sideways;
	bool self_capture;
	bool en_passant;                  /* it may capture so */
	char promote_to[NAIVE_KINDS + 1]; /* small letters, as in: */
	char royal[NAIVE_KINDS + 1];
	char piece[NAIVE_KINDS][NAIVE_PIECE]; /* in Betza's notation */
	bool drops;
	bool must_capture;
	bool may_check;
	int checks_to_win;
	bool goal[64];
	int stalemate_value;
	int lost_all_value;
	int bare_king_value;
	int repetition_value;
	bool low_pawns; /* it has pawns on its first rank at the start */
};

/* The fields of a rule set. */
struct naive_rules {
	struct naive_side side[2];     /* White's and Black's */
	char letters[NAIVE_KINDS + 1]; /* NBRQK, then spare kinds by the alphabet */
	bool explode;
	bool last_word;
	int draw_value;
	int count_limit;
	int ply_limit;
};

/* Squares are a1 = 0, b1 = 1, ... h8 = 63. */
struct naive_pos {
	char at[64];       /* a FEN letter or '.' */
	bool promoted[64]; /* it was a pawn, which matters where pieces drop */
	char hand[2][26];  /* White's and Black's, how many of each letter */
	bool white;        /* White is to move */
	int rook[4];       /* castling rights in the order KQkq: the rook's
	                    * square, or -1 */
	int checks[2];     /* left to give, White's and Black's */
	int ep;            /* square passed over by the last move or -1 */
	int count;         /* plies for the 50-move rule */
	int number;        /* of the full move */
};

/* What makes two positions the same for the repetition rule. */
struct naive_key {
	char at[64];
	char promoted[64];
	char hand[2][26];
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
 * Reads rules as naive_init() does; returns 0 or -1.
 */
int naive_read_rules(struct naive_rules *, const char *spec);

/*
 * Sets up a position under a sum of presets in any order, such as
 * "torpedo+no-castling", or under fields as a JSON object on one line, without
 * blanks, its "base" first.  Returns 0, or -1 when a preset or a field is unknown,
 * when the sum contradicts itself or when the FEN does not have six readable
 * fields (seven with the checks left).  That the FEN is playable, and that the
 * values of fields are right, is the caller's word.  Castling rights without a
 * royal king and a rook on the first rank that was no pawn are dropped, all of
 * them under no-castling; so is an en passant square that no double step of these
 * rules explains.  The ply limit is counted from here.
 */
int naive_init(struct naive *, const char *spec, const char *fen);

/*
 * Writes the legal moves in long algebraic form, sorted by strcmp(), and
 * returns how many there are.  Draws by repetition, count, material or length
 * do not take moves away; all other ends do.
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

/* Is a royal piece of the side to move in check? */
bool naive_in_check(const struct naive *);

/*
 * Returns "checkmate", "checks", "hill", "goal", "explosion", "lost-all",
 * "bare-king", "stalemate", "repetition", "fifty", "material" or "length", the
 * first of these that is true, or "" when the game goes on.
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
