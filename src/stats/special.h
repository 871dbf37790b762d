/*
 * Mathematics for the other files: Gauss-Legendre rules, posterior densities of
 * rates, tails and quantiles of distributions, and Cholesky factors of small
 * matrices.  Nothing here allocates; each thread keeps the rules that it has used.
 */
#ifndef STATS_SPECIAL_H
#define STATS_SPECIAL_H

#include "base/range.h"

#define LEGENDRE_MAX 40 /* most nodes of a rule */
#define CHOLESKY_MAX 21 /* most rows of a matrix */

/* Gauss-Legendre rule on [-1,1]: nodes ascending, weights summing to 2. */
struct legendre {
	int n;
	double x[LEGENDRE_MAX];
	double w[LEGENDRE_MAX];
};

/* Fill in the rule of n nodes, 1 <= n <= LEGENDRE_MAX. */
void legendre_init(struct legendre *, int n);

/* The Legendre polynomials P_0(x) ... P_{n-1}(x), n >= 1. */
void legendre_values(double x, int n, double *p);

/* Their integrals from -1 to x, n >= 1. */
void legendre_integrals(double x, int n, double *p);

/*
 * A place in [0,1] as a quarter and the distance s, at most 1/4, from that end of
 * the quarter which is 0, 1/2 or 1:
 *
 *	x:   0 ----------- 1/4 ---------- 1/2 ---------- 3/4 ----------- 1
 *	        quarter 0       quarter 1      quarter 2      quarter 3
 *	        s = x           s = 1/2 - x    s = x - 1/2    s = 1 - x
 *
 * A million draws put all the mass of the score within 10^-6 of 1/2, a million
 * wins within 10^-6 of 1; this form keeps the precision of such places.
 */
struct place {
	int quarter;
	double s;
};

/* The place as a number x. */
double place_value(struct place);

/* The place of 1 - x. */
struct place place_mirror(struct place);

/* Negative, zero or positive if a is less than, equal to or greater than b. */
int place_compare(struct place a, struct place b);

/* The place a + part * (b - a), 0 <= part <= 1. */
struct place place_between(struct place a, struct place b, double part);

/*
 * The posterior of a rate.  If u, v and w are the probabilities of a one, a half
 * and a zero, and k[] the counts of each, the posterior density of the mean
 * u + v/2 under a uniform prior is a B-spline: k[0] + 1 knots at 1, k[1] + 1 at
 * 1/2 and k[2] + 1 at 0.  If there are no halves at all (!middle), there is no knot
 * at 1/2, and the density is that of Beta(k[0] + 1, k[2] + 1).  The density is
 * log-concave, and between knots a polynomial.
 */
struct spline {
	double k[3];
	int middle;   /* whether there is a knot at 1/2 */
	int largest;  /* index of the largest k */
	double n;     /* sum of k */
	double scale; /* logarithm of the constant factors */
	struct place mean;
};

/* The counts are whole and not negative; without middle, halves is 0. */
void spline_init(struct spline *, double ones, double halves, double zeros, int middle);

/*
 * The logarithm of the density, with an error of about 1e-15 sqrt(n); rule is
 * one of LEGENDRE_MAX nodes.  -INFINITY at 0 and 1.
 */
double spline_log(const struct spline *, const struct legendre *rule, struct place);

/*
 * The t with P(T > t) = tail for Student's T with dof degrees of freedom;
 * 5e-7 <= tail <= 1/2, dof >= 1.  Accurate to nine digits for a whole dof.
 */
double student_quantile(double tail, double dof);

/* The same for the normal distribution. */
double normal_quantile(double tail);

/* Wilson's interval for a share p of n; t is a quantile of Student's or of the
 * normal distribution. */
struct range wilson_range(double p, double n, double t);

/*
 * P(X > x) for chi squared with dof degrees of freedom, and P(X > f) for Fisher's
 * F with dof in the numerator and dof_below in the denominator; all > 0.  Results
 * below 1/2 are accurate to twelve digits.
 */
double chi_squared_tail(double x, double dof);
double fisher_tail(double f, double dof, double dof_below);

/*
 * Factor the symmetric n x n matrix a (lower triangle read, n <=
 * CHOLESKY_MAX) into l l', l lower triangular.  Returns -1 if it succeeds;
 * otherwise the index of the first row whose pivot is not more than tolerance
 * times its diagonal entry, that is, the first row that depends on the rows before
 * it or shows that a is not positive definite.
 */
int cholesky_factor(int n, double a[][CHOLESKY_MAX], double l[][CHOLESKY_MAX],
    double tolerance);

/* Solve (l l') x = b for a factor l; x may be b. */
void cholesky_solve(int n, double l[][CHOLESKY_MAX], const double *b, double *x);

#endif
