/*
 * Do several rule sets differ at all, in draw rates or in White's score?  And
 * how many games would be needed to see it.
 */
#ifndef STATS_HOMOGENEITY_H
#define STATS_HOMOGENEITY_H

/* What the games of one rule set say of a number that each game has: whether
 * it was drawn, or White's points. */
struct homogeneity_group {
	double	games;
	double	mean;		/* of games; any number when there are none */
	double	square;		/* the mean of the squares */
};

struct homogeneity {
	int	groups;		/* with games */
	double	statistic;	/* NaN when there are fewer than two */
	double	dof, dof_below;	/* of F; dof_below 0: of chi squared */
	double	p;
	double	spread;		/* standard deviation of the true means, as
				 * estimated; 0 when they differ no more than
				 * chance has it */
	double	games_needed;	/* of each rule set; infinite where spread
				 * is 0; NaN where there is no statistic */
};

/*
 * Pearson's chi squared for shares: every square is its mean.  With fewer than
 * five games expected in a cell the p is approximate.
 */
void	homogeneity_of_shares(const struct homogeneity_group *, int n,
	    struct homogeneity *);

/*
 * Welch's test for means of groups whose variances differ.  To each variance
 * some of the variance of all games is added, as much as one game has, so that
 * a group of equal games proves nothing.  Groups of one game are left out.
 */
void	homogeneity_of_means(const struct homogeneity_group *, int n,
	    struct homogeneity *);

/* The power that games_needed and the functions below plan for. */
#define POWER	0.8

/*
 * How many games each of two rule sets needs so that a difference is seen, two
 * sided at the level given (0.95), with a probability of POWER.  Of a share,
 * from at to at + difference, or to at - difference where that is nearer to
 * 1/2; of a mean, each game having this variance.  0 < difference < 1.
 */
double	power_of_share(double at, double difference, double level);
double	power_of_mean(double variance, double difference, double level);

/* The difference that so many games of each show; NaN where none does. */
double	noticed_share(double at, double games, double level);
double	noticed_mean(double variance, double games, double level);

#endif
