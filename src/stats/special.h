#ifndef STATS_SPECIAL_H
#define STATS_SPECIAL_H

/*
 * Small pieces of mathematics that dirichlet.c and fit.c share: Gauss-Legendre
 * rules, the parts of Stirling's formula that keep their digits when counts
 * are large, Student's t, and Cholesky on matrices of a few rows.  Nothing
 * here allocates, fails silently or keeps state.
 */

#define LEGENDRE_MAX	40	/* most nodes of a rule */
#define CHOLESKY_MAX	6	/* most rows of a matrix */

/* Gauss-Legendre rule on [-1,1]: nodes ascending, weights summing to 2. */
struct legendre {
	int	n;
	double	x[LEGENDRE_MAX];
	double	w[LEGENDRE_MAX];
};

/* Fill in the rule of n nodes, 1 <= n <= LEGENDRE_MAX. */
void	legendre_init(struct legendre *, int n);

/* The Legendre polynomials P_0(x) ... P_{n-1}(x), n >= 1. */
void	legendre_values(double x, int n, double *p);

/* Their integrals from -1 to x, n >= 1. */
void	legendre_integrals(double x, int n, double *p);

/*
 * log n! - [(n + 1/2) log n - n + log(2 pi) / 2] for a whole n >= 1: what is
 * left when the large parts of log n! have been cancelled by hand.
 */
double	stirling_error(double n);

/* e - log(1 + e) for e >= -1, with full relative precision near e = 0. */
double	log1p_excess(double e);

/*
 * The t with P(T > t) = tail for Student's T with dof degrees of freedom;
 * 0 < tail <= 1/2, dof >= 1.  Twelve digits for a whole dof.
 */
double	student_quantile(double tail, double dof);

/*
 * Factor the symmetric n x n matrix a (lower triangle read, n <=
 * CHOLESKY_MAX) into l l', l lower triangular.  Returns -1 when every pivot
 * is safely positive; otherwise the index of the first row whose pivot is not
 * more than tolerance times its diagonal entry, that is, the first row that
 * depends on the rows before it or shows that a is not positive definite.
 */
int	cholesky_factor(int n, double a[][CHOLESKY_MAX],
	    double l[][CHOLESKY_MAX], double tolerance);

/* Solve (l l') x = b for a factor l; x may be b. */
void	cholesky_solve(int n, double l[][CHOLESKY_MAX], const double *b,
	    double *x);

#endif
