/*
 * Do several rule sets differ at all, in draw rates or in White's score, and how
 * many games would be needed to show it?
 */
#ifndef STATS_HOMOGENEITY_H
#define STATS_HOMOGENEITY_H

/* One rule set's games by a number that each game has: 1 if drawn, 0 if not; or
 * White's points. */
struct homogeneity_group {
	double games;
	double mean;   /* of games; any number if there are none */
	double square; /* the mean of the squares */
};

struct homogeneity {
	int groups;            /* with games */
	double statistic;      /* NaN if there are fewer than two groups */
	double dof, dof_below; /* of F; dof_below 0: of chi squared */
	double p;
	double spread;       /* estimated standard deviation of the true
	                      * means; 0 if they differ no more than by
	                      * chance */
	double games_needed; /* of each rule set; infinite if spread is 0;
	                      * NaN if there is no statistic */
};

/*
 * Pearson's chi-squared test for shares, where every square equals its mean.  With
 * fewer than five games expected in a cell, p is approximate.
 */
void homogeneity_of_shares(const struct homogeneity_group *, int n, struct homogeneity *);

/*
 * Welch's test for means of groups with different variances.  Each variance is
 * estimated with one more game that has the variance of all games, so that a group
 * of equal games proves nothing.  Groups of one game are left out.
 */
void homogeneity_of_means(const struct homogeneity_group *, int n, struct homogeneity *);

/* The power that games_needed and the functions below plan for. */
#define POWER 0.8

/*
 * The number of games that each of two rule sets needs to detect a difference, two
 * sided at the given level (0.95), with probability POWER: of a share, from at to
 * at + difference, or to at - difference if that is nearer to 1/2; of a mean, with
 * this variance of a game.  0 < difference < 1.
 */
double power_of_share(double at, double difference, double level);
double power_of_mean(double variance, double difference, double level);

/* The difference that this many games of each detect; NaN if there is none. */
double noticed_share(double at, double games, double level);
double noticed_mean(double variance, double games, double level);

#endif
