/*
 * The workbench's calls, besides those of engine.h: rules as users write them, the
 * whole net, and self-play that gives the games of selfplay(1). As there, input is
 * in the buffer of page_room(), and all return JSON that is valid until the next
 * call; {"error":"…"} on failure. All state is global.
 */
#ifndef PAGE_LAB_H
#define PAGE_LAB_H

#include <stddef.h>

/* Keeps the net that plays, or the one of the explorer: the n bytes of its file.
 * Returns its hash. */
const char *lab_net(size_t n);
const char *lab_prior(size_t n);

/* All fields of rules.def and all presets. */
const char *lab_fields(void);

/*
 * Reads rules, a sum of presets or JSON, and says them: canonical text, title,
 * sentences, the value of every field, the start, and what the net was not told.
 * They are the rules of the calls below. On failure the rules stay as they were.
 */
const char *lab_rules(size_t n);

/* Sets up the board of engine.h for these rules, with both nets. */
const char *lab_board(void);

/* A position under these rules, given as FEN: is it one that games can begin with? */
const char *lab_position(size_t n);

/* A piece in Betza's notation as numbers: how far it slides in each of the
 * directions of chess/pieces.h and which ways it leaps, without and with capturing;
 * and in words. And the notation of such numbers, 20 of them, separated by blanks. */
const char *lab_piece(size_t n);
const char *lab_betza(size_t n);

/* Perft of the start. */
const char *lab_perft(int depth);

/*
 * Prepares self-play under these rules as number 0 or 1, so that two rule sets can
 * take turns: seed, nodes a move, and plies in which moves are sampled. lab_game()
 * plays game k: its line of JSON, its value to White, its end, its length, and its
 * special moves by kind; "new" counts all that chess does not have.
 */
enum { LAB_SERIES = 2 };
const char *lab_series(int which, double seed, double nodes, int sample_plies);
const char *lab_game(int which, double k);

/* A game's line of JSON as PGN. */
const char *lab_pgn(size_t n);

/*
 * Draw rate and White's score with 95 % intervals, given as text: wins, draws,
 * losses, then games worth another part of a point: number, sum of White's points,
 * sum of squares. With six more numbers, of another rule set, also the probabilities
 * that the first has the lower draw rate and the lower score.
 */
const char *lab_counts(size_t n);

/* A share with its 95 % interval. */
const char *lab_share(double hits, double total);

#endif
