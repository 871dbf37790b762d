/*
 * The course of a game, from the searches' values of its positions: measures that
 * game designers use.  gamestats(1) defines each in words.
 *
 * A value is an expected score, -1 to 1, for one and the same side throughout;
 * there is one for each position that was searched, in order.
 */
#ifndef STATS_COURSE_H
#define STATS_COURSE_H

/* A side is ahead if its value is at least this. */
#define COURSE_AHEAD 0.1
/* A value from which on a game counts as won. */
#define COURSE_WON 0.5
/* A move that changes the value by this much is a strong one. */
#define COURSE_KILLER 0.3

/* How often the lead changes from one side to the other. */
int course_lead_changes(const float *value, int n);

/* How far the side was behind at worst: 0 if never, up to 1.  n > 0. */
double course_behind(const float *value, int n);

/* The index, 0 to n, from which on all values are COURSE_WON or more. */
int course_won_from(const float *value, int n);

/* The mean of 1 - |value| over a third of the positions (0, 1 or 2), or over all
 * (-1); position i belongs to third 3 i / n, rounded down.  NaN if there are
 * none. */
double course_uncertainty(const float *value, int n, int third);

#endif
