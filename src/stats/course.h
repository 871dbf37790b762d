/*
 * The course of a game, from what searches thought of its positions: numbers
 * that designers of games look at.  gamestats(1) defines each in words.
 *
 * A value is the expected score of a side, -1 to 1, as seen from one and the
 * same side throughout; there is one for each position that was searched, in
 * order.
 */
#ifndef STATS_COURSE_H
#define STATS_COURSE_H

/* Who is ahead by less than this is not ahead. */
#define COURSE_AHEAD	0.1
/* From here on a game is as good as won. */
#define COURSE_WON	0.5
/* A move that changes the value by this is a strong one. */
#define COURSE_KILLER	0.3

/* How often another side comes to be ahead than the one that was so last. */
int	course_lead_changes(const float *value, int n);

/* How far the side was behind at worst: 0 if never, up to 1.  n > 0. */
double	course_behind(const float *value, int n);

/* From which position on, 0 to n, the value is COURSE_WON or more. */
int	course_won_from(const float *value, int n);

/* The mean of 1 - |value| over the third number 0, 1 or 2 of the positions, or
 * over all (-1); a third has the positions i with 3 i / n rounded down to its
 * number.  NaN where there are none. */
double	course_uncertainty(const float *value, int n, int third);

#endif
