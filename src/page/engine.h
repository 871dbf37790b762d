/*
 * A game and an engine behind a few calls that take and return text, for pages in
 * a browser (compiled to WebAssembly) and for tests. All functions that return a
 * string return JSON that is valid until the next call; {"error":"…"} on failure.
 *
 * All state is global, as a page has one board.
 */
#ifndef PAGE_ENGINE_H
#define PAGE_ENGINE_H

#include "net/policy.h"

/* A buffer of n bytes for the input of the next call; NULL if there is not enough
 * memory. */
char *page_room(size_t n);

/* Opens the kit (kit.h) of n bytes in the buffer, in place of any other. Returns rules,
 * start, whether there is a net, the pieces that move differently from chess, what pieces
 * are worth to the net (in scores), and the instruction set in use. */
const char *page_open(size_t n);

/* Opens a prior for these rules: n bytes in the buffer, as written by
 * sparse_ints_write(). */
const char *page_open_prior(size_t n);

/* The starting position as FEN; for Chess960 the array of this number. */
const char *page_start(int number);

/*
 * Sets up the game in the buffer: "FEN\nmove move ...", n bytes; without FEN, from
 * the usual start. Returns all its positions, the legal moves of the last one,
 * and how the game has ended, if it has.
 */
const char *page_game(size_t n);

/* Reads a move in SAN or long algebraic form from the buffer; "m" is its long
 * form. */
const char *page_read_move(size_t n);

/*
 * Searches the last position for `nodes` nodes, or `seconds` if not 0, with exact
 * scores for the best `lines` moves. With a temperature the move to play is sampled,
 * by `seed`, from the softmax of expected scores divided by it. page_think() does
 * one iteration and returns the findings so far; "done" is true at the end. The
 * search's memory of the game is kept until page_forget().
 */
const char *page_begin(double nodes, double seconds, int lines, double temperature,
    uint32_t seed);
const char *page_think(void);
void page_forget(void);

/* The prior's probabilities of the last position's moves, the most likely first. */
const char *page_prior(void);

/* ---- for lab.h ---- */

/* Sets up a board for these rules with this net, or NULL: material; it belongs to
 * the board from then on, whatever is returned: what page_open() returns. The same
 * for the prior. */
const char *page_set_up(const struct rules *r, const struct sparse_ints *ints);
const char *page_set_prior(const struct sparse_ints *p);

/* The kind that stands for a special move (chess/movekind.h); "" for an ordinary
 * one. */
const char *page_kind(const struct board *b, move m);

/* What page_room() has made room for. */
char *page_input(void);

/* Appends the members "piece", its notation, and "slide" and "leap", its numbers
 * without and with capturing, as in struct piece. */
void page_say_piece(const struct piece *p, struct text *to);

/* {"error":"…"} */
const char *page_error(const char *why);

#endif
