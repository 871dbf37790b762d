/*
 * Inputs and outputs of a net: positions as planes, moves as indices into planes.
 * Everything is from the mover's side: for Black the board is flipped vertically,
 * so that its own pieces move up.
 *
 * Input: NET_PLANES planes of 8x8, a1 first.
 *	 0- 5	own pawn, knight, bishop, rook, queen, king
 *	 6-11	the opponent's
 *	12-15	castling rights: own short, own long, the opponent's
 *	16	the en passant square
 *	17	the 50-move count, 1 at its limit
 *	18	how often the position has occurred before, halved
 * and, as planes with the same number on every square, the rules:
 *	19	castling is legal at some time
 *	20	full moves until it is, tenths
 *	21-23	double steps: from the 2nd rank, the 3rd, and beyond (share)
 *	24-27	pawn_back, pawn_sideways, self_capture, stalemate_wins
 *	28	ones, so that convolutions see the board's edge
 *	29-31	zero
 *
 * Policy: NET_POLICY_PLANES planes of 8x8, by the square of departure.
 *	 0-55	queen-like: 8 directions (N NE E SE S SW W NW), 1-7 squares;
 *		also castling, every step of a pawn, and promotion to a queen
 *	56-63	knight's moves
 *	64-72	promotion to knight, bishop, rook: straight, to the left, right
 *	73-75	the same by a double step
 * So every move of every combination of rules has an index of its own.
 */
#ifndef NET_ENCODE_H
#define NET_ENCODE_H

#include "chess/board.h"

#define ENCODE_INPUT_NAME "rulelab-32x8x8-1"
#define ENCODE_POLICY_NAME "rulelab-76x8x8-1"

/* The input and the outputs of an ONNX file with this encoding: floats
 * [n][NET_PLANES][8][8], [n][NET_POLICY_PLANES][8][8] (logits) and [n][3] (logits of
 * the mover's win, a draw, a loss). */
#define ENCODE_BOARD "board"
#define ENCODE_POLICY "policy"
#define ENCODE_WDL "wdl"

enum {
	NET_PLANES = 32,
	NET_INPUT = NET_PLANES * 64,
	NET_POLICY_PLANES = 76,
	NET_POLICY = NET_POLICY_PLANES * 64
};

/* Writes the NET_INPUT numbers of a position that has occurred `repetitions`
 * times, including this one. */
void encode_position(const struct board *b, int repetitions, float *input);

/* A hash of what encode_position() encodes, except for the rules: positions with
 * the same hash get the same evaluation. */
uint64_t encode_key(const struct board *b, int repetitions);

/* The index of a legal move of `side` among the NET_POLICY numbers. */
int encode_move(int side, move m);

/*
 * The rule features, inputs of a net whose file lists those that it knows: numbers
 * with names, derived from rules.def, all 0 for classical chess and otherwise about
 * -1 to 1. A numeric field has a feature of its name ("double_step"), and a second
 * one that is 1 if it is turned on or off ("double_step:0"); a set has one for each
 * letter ("promote_to:n"). A value to White has the opposite sign for Black. Where
 * the sides' values may differ, a feature is the mean of both, and one more
 * ("double_step/own") half the difference, as that side sees it. Pieces are not
 * among them: atoms.h. Features may be added in any order: nets refer to them by
 * name.
 */
enum { ENCODE_FEATURE_NAME_MAX = 40, ENCODE_FEATURES_MAX = 256 };
#define ENCODE_OWN "/own"
int encode_nfeatures(void);
void encode_feature_name(int i, char name[ENCODE_FEATURE_NAME_MAX]);

/* Writes encode_nfeatures() numbers, as `side` sees the rules. */
void encode_rule_features(const struct rules *r, int side, float *out);

/* The fields that are inputs of nets with ENCODE_INPUT_NAME. */
#define ENCODE_INPUT_FIELDS \
	"castling_from double_step pawn_back pawn_sideways self_capture " \
	"stalemate_wins count_limit"

/*
 * The rule fields in use that a net does not know: those whose value is not the
 * classical one and that are not in `known`, a list of fields or features
 * separated by blanks. Writes their names, separated by commas, to text
 * and returns their number.
 */
int encode_unknown_fields(const struct rules *r, const char *known, char *text,
    size_t room);

#endif
