/*
 * A game and an engine behind a few calls that take and return text: what a
 * page in a browser asks, compiled to WebAssembly, and what tests ask natively.
 * All answers are JSON, valid until the next call; one that begins with
 * {"error": tells what was wrong.
 *
 * There is one of everything: a page has one board.
 */
#ifndef PAGE_ENGINE_H
#define PAGE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* Room for what is given to the next call; NULL when there is no memory. */
char *engine_room(size_t n);

/* Takes the kit (kit.h) of n bytes that was put into the room. The answer:
 * rules, start, whether there is a net, instructions in use. */
const char *engine_open(size_t n);

/* Takes a prior for these rules: the n bytes in the room, as
 * policy_tuned_write() writes them. */
const char *engine_open_prior(size_t n);

/* The start of a game, as FEN; of Chess960 the array of this number. */
const char *engine_start(int number);

/*
 * Sets the game up: in the room "FEN\nmove move ...", n bytes; no FEN means the
 * usual start. Answers with every position of it, the legal moves of the last
 * one, and how it has ended if it has.
 */
const char *engine_game(size_t n);

/* Reads a move in SAN or long form from the room; "m" is it in long form, or
 * there is an error. */
const char *engine_read_move(size_t n);

/*
 * Thinks about the last position: until `nodes` nodes, and `seconds` have gone
 * by if that is not 0, with the best `lines` moves exact. With a temperature the
 * move to play is drawn, by `seed`, from moves weighed by the expected score that
 * they lose, divided by it. engine_think() does one iteration and answers with
 * what is known; "done" is true at the end. What was thought about other
 * positions of the game is remembered until engine_forget().
 */
const char *engine_begin(double nodes, double seconds, int lines,
    double temperature, uint32_t seed);
const char *engine_think(void);
void engine_forget(void);

/* What the prior gives the moves of the last position, the likeliest first. */
const char *engine_prior(void);

#endif
