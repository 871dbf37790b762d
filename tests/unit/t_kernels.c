/*
 * The arithmetic of nets: every copy that this processor can run against plain
 * loops in double precision, a board's result whatever is beside it, and the
 * copies that promise the same bits against each other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "common.h"
#include "net/kernels.h"
#include "tap.h"

/* Largest error that is allowed, in units of the typical size of a result.
 * Winograd's sums and differences cost some bits: the worst of 60,000 numbers
 * is off by 5e-5, and a wrong sign anywhere by 1e-2. */
#define CONV_ERROR 1e-4
/* Five deviations of 160 roundings of up to 6e-8, the longest sums here. */
#define PLAIN_ERROR 4e-6

enum { BOARDS = 13, WIDEST = 80 };

static struct rng rng;
static const struct kernels *kernels; /* those under test */

/* What a test has allocated, all of it to be released at its end. */
static void *taken[32];
static int ntaken;

static void *
take(void *p)
{
	if (p == NULL || ntaken == 32)
		bail_out("memory", "", "there is none");
	return taken[ntaken++] = p;
}

static void
release_all(void)
{
	while (ntaken > 0)
		free(taken[--ntaken]);
}

static float *
numbers(size_t n)
{
	return take(kernels_allocate(n));
}

static double *
doubles(size_t n)
{
	return take(calloc(n, sizeof(double)));
}

static float *
random_numbers(size_t n)
{
	float *v = numbers(n);

	for (size_t i = 0; i < n; i++)
		v[i] = (float)(2 * rng_double(&rng) - 1);
	return v;
}

/* The largest difference, beside the typical size of what is wanted. */
static double
error_of(const float *got, const double *want, size_t n)
{
	double worst = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		double d = fabs((double)got[i] - want[i]);
		if (isnan(d))
			return INFINITY;
		worst = d > worst ? d : worst;
		squares += want[i] * want[i];
	}
	return worst / sqrt(squares / (double)n + 1e-30);
}

static void
judge(double error, double bound, const char *what, int c, int k, int n)
{
	ok(error < bound, "%s: %s, %d to %d, %d: error %.2g", kernels->name, what, c, k,
	    n, error);
}

/* ---- convolutions ---- */

/* in[boards][64][c], w[9][c][k] */
static void
plain_conv(const float *in, const float *w, double *out, int boards, int c, int k)
{
	memset(out, 0, sizeof(*out) * (size_t)(boards * 64 * k));
	for (int b = 0; b < boards; b++)
		for (int sq = 0; sq < 64; sq++)
			for (int at = 0; at < 9; at++) {
				int y = sq / 8 + at / 3 - 1, x = sq % 8 + at % 3 - 1;
				if (y < 0 || y > 7 || x < 0 || x > 7)
					continue;
				for (int i = 0; i < c; i++) {
					double v = in[((b * 64) + y * 8 + x) * c + i];
					const float *row = w + (at * c + i) * k;
					double *to = out + (b * 64 + sq) * k;
					for (int j = 0; j < k; j++)
						to[j] += v * (double)row[j];
				}
			}
}

/* What comes after it, in place. */
static void
plain_after(double *out, int boards, int k, const struct kernels_after *after)
{
	for (int i = 0; i < boards * 64 * k; i++) {
		if (after->bias != NULL)
			out[i] += after->bias[i % k];
		if (after->skip != NULL)
			out[i] += after->skip[i];
		if (after->relu && out[i] < 0)
			out[i] = 0;
	}
}

/* All eight combinations of what may come after, on odd numbers of boards. */
static void
test_conv(int c, int k)
{
	static const int boards[] = { 1, 5, 6, 7, 13 };
	struct kernels_soon soon = { .arrays = 2, .numbers = 64 * 16 };
	float *in = random_numbers((size_t)(BOARDS * 64 * c));
	float *w = random_numbers((size_t)(9 * c * k));
	float *u = numbers((size_t)(KERNELS_POINTS * c * k));
	float *skip = random_numbers((size_t)(BOARDS * 64 * k));
	float *bias = random_numbers((size_t)k);
	float *out = numbers((size_t)(BOARDS * 64 * k));
	float *scratch = numbers(kernels_scratch(c, k));
	double *conv = doubles((size_t)(BOARDS * 64 * k));
	double *want = doubles((size_t)(BOARDS * 64 * k));
	double worst = 0;

	soon.array[0] = in;
	soon.array[1] = bias; /* shorter than it says: nothing is read */
	kernels->transform_weights(w, u, c, k);
	plain_conv(in, w, conv, BOARDS, c, k);
	for (int i = 0; i < 8 * 5; i++) {
		int n = boards[i % 5], size = n * 64 * k, what = i / 5;
		struct kernels_after after = { what & 1 ? bias : NULL,
			what & 2 ? skip : NULL, what & 4 };
		memcpy(want, conv, sizeof(*want) * (size_t)size);
		plain_after(want, n, k, &after);
		memset(out, 0x7f, sizeof(*out) * (size_t)size);
		kernels->conv3(in, out, n, c, k, u, what == 0 ? NULL : &after,
		    i % 2 == 0 ? NULL : &soon, scratch);
		worst = fmax(worst, error_of(out, want, (size_t)size));
	}
	judge(worst, CONV_ERROR, "convolution, bias, skip, relu", c, k, BOARDS);
	/* In place: the skip is where the result goes. */
	struct kernels_after after = { bias, out, true };
	memcpy(out, skip, sizeof(*out) * (size_t)(BOARDS * 64 * k));
	kernels->conv3(in, out, BOARDS, c, k, u, &after, NULL, scratch);
	after.skip = skip;
	memcpy(want, conv, sizeof(*want) * (size_t)(BOARDS * 64 * k));
	plain_after(want, BOARDS, k, &after);
	judge(error_of(out, want, (size_t)(BOARDS * 64 * k)), CONV_ERROR,
	    "the skip's place taken", c, k, BOARDS);
	release_all();
}

/* in and dout to the gradient of w, added to what is there. */
static void
test_conv_gradient(int c, int k, int boards)
{
	float *in = random_numbers((size_t)(boards * 64 * c));
	float *dout = random_numbers((size_t)(boards * 64 * k));
	float *du = numbers((size_t)(KERNELS_POINTS * c * k));
	float *dw = random_numbers((size_t)(9 * c * k));
	float *scratch = numbers(kernels_scratch(c, k));
	double *want = doubles((size_t)(9 * c * k));

	for (int i = 0; i < 9 * c * k; i++)
		want[i] = dw[i];
	for (int b = 0; b < boards; b++)
		for (int sq = 0; sq < 64; sq++)
			for (int at = 0; at < 9; at++) {
				int y = sq / 8 + at / 3 - 1, x = sq % 8 + at % 3 - 1;
				if (y < 0 || y > 7 || x < 0 || x > 7)
					continue;
				for (int i = 0; i < c; i++)
					for (int j = 0; j < k; j++)
						want[(at * c + i) * k + j] +=
						    (double)
							in[(b * 64 + y * 8 + x) * c + i] *
						    (double)dout[(b * 64 + sq) * k + j];
			}
	kernels->conv3_gradient(in, dout, boards, c, k, du, NULL, scratch);
	kernels->transform_gradient(du, dw, c, k);
	judge(error_of(dw, want, (size_t)(9 * c * k)), CONV_ERROR,
	    "convolution's gradient", c, k, boards);
	release_all();
}

/* ---- products ---- */

static void
test_product(int inner, int cols)
{
	double worst = 0, turned = 0;

	for (int rows = 1; rows <= 13; rows++) {
		float *a = random_numbers((size_t)(rows * inner));
		float *b = random_numbers((size_t)(inner * cols));
		float *right = random_numbers((size_t)(rows * cols));
		float *c = random_numbers((size_t)(rows * cols));
		float *t = random_numbers((size_t)(inner * cols));
		double *want = doubles((size_t)(rows * cols));
		double *want_t = doubles((size_t)(inner * cols));
		for (int i = 0; i < inner * cols; i++)
			want_t[i] = t[i];
		for (int r = 0; r < rows; r++)
			for (int i = 0; i < inner; i++)
				for (int k = 0; k < cols; k++) {
					double x = a[r * inner + i];
					want[r * cols + k] += x * (double)b[i * cols + k];
					want_t[i * cols + k] +=
					    x * (double)right[r * cols + k];
				}
		kernels->product(a, b, c, rows, inner, cols, false);
		worst = fmax(worst, error_of(c, want, (size_t)(rows * cols)));
		kernels->product(a, b, c, rows, inner, cols, true);
		for (int i = 0; i < rows * cols; i++)
			want[i] *= 2;
		worst = fmax(worst, error_of(c, want, (size_t)(rows * cols)));
		kernels->product_transposed(a, right, t, rows, inner, cols);
		turned = fmax(turned, error_of(t, want_t, (size_t)(inner * cols)));
		release_all();
	}
	judge(worst, PLAIN_ERROR, "product of 1 to 13 rows", inner, cols, 13);
	judge(turned, PLAIN_ERROR, "product turned over", inner, cols, 13);
}

static void
test_vectors(int n)
{
	float *a = random_numbers((size_t)n), *b = random_numbers((size_t)n);
	double sum = 0, *want = doubles((size_t)n);

	for (int i = 0; i < n; i++) {
		sum += (double)a[i] * (double)b[i];
		want[i] = (double)a[i] + 0.375 * (double)b[i];
	}
	double error = fabs((double)kernels->dot(a, b, n) - sum) / sqrt((double)n);
	kernels->add_scaled(a, 0.375f, b, n);
	judge(fmax(error, error_of(a, want, (size_t)n)), PLAIN_ERROR,
	    "dot and scaled sum", n, n, 1);
	release_all();
}

/* ---- batch norm ---- */

static void
test_norm(int rows, int k)
{
	size_t n = (size_t)(rows * k), m = (size_t)k;
	float *x = random_numbers(n), *skip = random_numbers(n);
	float *out = numbers(n), *d = random_numbers(n), *dx = numbers(n);
	float *mean = random_numbers(m), *scale = random_numbers(m);
	float *shift = random_numbers(m), *sum = numbers(m), *second = numbers(m);
	double *want = doubles(n), worst = 0;
	double *sums = doubles(2 * m), *seconds = sums + k;

	for (int i = 0; i < rows * k; i++) {
		sums[i % k] += (double)x[i];
		seconds[i % k] += (double)x[i] * (double)x[i];
	}
	/* Sums are added to what is there: in two steps they are the same. */
	kernels->norm_sums(x, rows / 2, k, sum, second);
	kernels->norm_sums(x + rows / 2 * k, rows - rows / 2, k, sum, second);
	worst = fmax(error_of(sum, sums, m), error_of(second, seconds, m));
	for (int with = 0; with < 2; with++) {
		for (int i = 0; i < rows * k; i++)
			want[i] = fmax(0,
			    (double)x[i] * (double)scale[i % k] + (double)shift[i % k] +
				(with ? (double)skip[i] : 0));
		kernels->norm_apply(x, scale, shift, with ? skip : NULL, out, rows, k);
		worst = fmax(worst, error_of(out, want, n));
	}
	/* Back, through the relu: only where something came out. */
	memset(sums, 0, 2 * m * sizeof(*sums));
	for (int i = 0; i < rows * k; i++) {
		want[i] = out[i] > 0 ? (double)d[i] : 0;
		sums[i % k] += want[i];
		seconds[i % k] += want[i] * ((double)x[i] - (double)mean[i % k]);
	}
	memset(sum, 0, m * sizeof(*sum));
	memset(second, 0, m * sizeof(*second));
	kernels->norm_back_sums(out, x, mean, d, rows, k, sum, second);
	worst = fmax(worst, error_of(d, want, n));
	worst = fmax(worst, error_of(sum, sums, m));
	worst = fmax(worst, error_of(second, seconds, m));
	for (int i = 0; i < rows * k; i++)
		want[i] = (double)d[i] * (double)scale[i % k] +
		    ((double)x[i] - (double)mean[i % k]) * (double)shift[i % k] +
		    (double)second[i % k];
	kernels->norm_back_apply(d, x, mean, scale, shift, second, dx, rows, k);
	worst = fmax(worst, error_of(dx, want, n));
	judge(worst, 4 * PLAIN_ERROR, "batch norm, there and back", k, k, rows);
	release_all();
}

/* The relu and sums of the value's head, and back. */
static void
test_pool(int rows, int k)
{
	size_t n = (size_t)(rows * k), m = (size_t)k;
	float *x = random_numbers(n), *bias = random_numbers(m);
	float *sum = random_numbers(m), *d = random_numbers(m);
	float *dx = random_numbers(n), *dbias = random_numbers(m);
	double *want = doubles(n), *sums = doubles(m), worst = 0;

	for (size_t i = 0; i < n; i++) {
		want[i] = fmax(0, (double)x[i] + (double)bias[i % m]);
		sums[i % m] += want[i];
	}
	kernels->pool(x, bias, rows, k, sum);
	worst = fmax(error_of(x, want, n), error_of(sum, sums, m));
	for (size_t i = 0; i < m; i++)
		sums[i] = dbias[i];
	for (size_t i = 0; i < n; i++) {
		want[i] = x[i] > 0 ? (double)d[i % m] : 0;
		sums[i % m] += want[i];
	}
	kernels->pool_back(x, d, dx, rows, k, dbias);
	worst = fmax(worst, error_of(dx, want, n));
	worst = fmax(worst, error_of(dbias, sums, m));
	judge(worst, 4 * PLAIN_ERROR, "pooling, there and back", k, k, rows);
	release_all();
}

/* NaN must stay NaN, or a fault would go unnoticed. */
static void
test_not_a_number(void)
{
	float *x = random_numbers(64 * 16), *one = random_numbers(16);
	float *out = numbers(64 * 16);

	x[5 * 16 + 3] = NAN;
	kernels->norm_apply(x, one, one, NULL, out, 64, 16);
	ok(isnan(out[5 * 16 + 3]) && isfinite(out[5 * 16 + 4]),
	    "%s: what is not a number comes through the relu", kernels->name);
	release_all();
}

/* ---- bits ---- */

/* A board alone and in every place among others. */
static void
test_neighbours(int c, int k)
{
	float *in = random_numbers((size_t)(BOARDS * 64 * c));
	float *w = random_numbers((size_t)(9 * c * k));
	float *u = numbers((size_t)(KERNELS_POINTS * c * k));
	float *out = numbers((size_t)(BOARDS * 64 * k));
	float *alone = numbers((size_t)(64 * k));
	float *scratch = numbers(kernels_scratch(c, k));
	size_t bytes = (size_t)(64 * k) * sizeof(*out);
	int differ = 0;

	kernels->transform_weights(w, u, c, k);
	for (int n = 1; n <= BOARDS; n++) {
		kernels->conv3(in, out, n, c, k, u, NULL, NULL, scratch);
		for (int i = 0; i < n; i++) {
			kernels->conv3(in + i * 64 * c, alone, 1, c, k, u, NULL, NULL,
			    scratch);
			differ += memcmp(alone, out + i * 64 * k, bytes) != 0;
		}
	}
	ok(differ == 0, "%s: %d to %d, a board's bits do not depend on the others",
	    kernels->name, c, k);
	release_all();
}

/* All that a copy makes of the same numbers. */
enum { C = 48, N = 7, DIGEST = N * 64 * C + KERNELS_POINTS * C * C + 4 * C };

static void
digest(const struct kernels *k, float *result)
{
	float *in = random_numbers(N * 64 * C), *w = random_numbers(9 * C * C);
	float *u = numbers(KERNELS_POINTS * C * C);
	float *scratch = numbers(kernels_scratch(C, C));
	float *gradient = numbers(KERNELS_POINTS * C * C);

	k->transform_weights(w, u, C, C);
	k->conv3(in, result, N, C, C, u, NULL, NULL, scratch);
	k->conv3_gradient(in, result, N, C, C, gradient, NULL, scratch);
	memcpy(result + N * 64 * C, gradient, KERNELS_POINTS * C * C * sizeof(*gradient));
	k->norm_sums(in, N * 64, C, result + DIGEST - 3 * C, result + DIGEST - 2 * C);
	result[DIGEST - 1] = k->dot(in, in + 64 * C, 64 * C);
	release_all();
}

/* v3 and v4 both fuse, and take sums in the same order. */
static void
test_copies(void)
{
	const struct kernels *v3 = kernels_copy(1);
	const struct kernels *v4 = v3 == NULL ? NULL : kernels_copy(2);
	static float results[2][DIGEST] __attribute__((aligned(KERNELS_ALIGN)));

	if (v4 == NULL) {
		printf("ok %d # SKIP v3 and v4 give the same bits: this "
		       "processor has not both\n",
		    ++tap_count);
	} else {
		for (int i = 0; i < 2; i++) {
			rng_init(&rng, 3, 3);
			digest(i == 0 ? v3 : v4, results[i]);
		}
		ok(memcmp(results[0], results[1], sizeof(results[0])) == 0,
		    "v3 and v4 give the same bits");
	}
}

/* RULELAB_ISA asks for a copy; one that is not there is not given. */
static void
test_choice(void)
{
	const struct kernels *best = kernels_best(), *k;
	bool asked = true;

	for (int i = 0; (k = kernels_copy(i)) != NULL; i++) {
		setenv("RULELAB_ISA", k->name, 1);
		asked = asked && kernels_best() == k;
	}
	ok(asked, "each copy can be asked for");
	setenv("RULELAB_ISA", "v9", 1);
	ok(kernels_best() == best, "... and one that is none is not given");
	unsetenv("RULELAB_ISA");
	note("the best here is %s", best->name);
}

int
main(void)
{
	static const int channels[] = { 16, 32, 48, 64, 80 };

	rng_init(&rng, 23, 0);
	for (int copy = 0; (kernels = kernels_copy(copy)) != NULL; copy++) {
		for (int i = 0; i < 5; i++) {
			int k = channels[i], c = channels[(i + copy) % 5];
			test_conv(c, k);
			test_conv_gradient(c, k, 2 * i + 1);
			test_product(c, k);
			test_vectors(3 * k);
			test_norm(64 * (i + 1), k);
			test_pool(64 * (i + 1), k);
		}
		test_not_a_number();
		test_neighbours(32, 48);
		test_neighbours(80, 16);
	}
	test_copies();
	test_choice();
	return tap_end();
}
