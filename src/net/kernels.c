/* Compiled once for each instruction set: KERNELS is its name, and the width of
 * vectors follows from what the compiler may use. */
#include "kernels.h"
#include "copies.h"

enum { WIDTH = COPY_VECTOR / sizeof(float) };
typedef float vec __attribute__((vector_size(4 * WIDTH), may_alias));
typedef int mask __attribute__((vector_size(4 * WIDTH), may_alias));

/* Rows and vectors that a product keeps in registers. */
enum { ROWS = 6, FEWER_ROWS = 4, WIDE = 2 };

#define INLINE static inline __attribute__((always_inline))

INLINE vec
load(const float *p)
{
	return *(const vec *)p;
}

INLINE void
store(float *p, vec v)
{
	*(vec *)p = v;
}

INLINE vec
all(float x)
{
	return x - (vec){ 0 };
}

/* v where the mask is set, else 0. */
INLINE vec
where(mask m, vec v)
{
	return (vec)((mask)v & m);
}

/* NaN stays NaN. */
INLINE vec
positive(vec v)
{
	return where(~(v < 0), v);
}

/* ---- products of matrices ---- */

/* A corner of the product: rows x wide vectors of c; all sums go over the inner
 * index in its order. down, across: how far apart numbers of a lie that differ
 * in the row and in the inner index; ld: rows of b and of c. */
INLINE void
product_part(const float *a, size_t down, size_t across, const float *b, float *c,
    size_t ld, int rows, int wide, int inner, bool add)
{
	vec sum[ROWS][WIDE];

	for (int r = 0; r < rows; r++)
		for (int w = 0; w < wide; w++)
			sum[r][w] =
			    add ? load(c + (size_t)r * ld + w * WIDTH) : (vec){ 0 };
	for (int i = 0; i < inner; i++) {
		vec right[WIDE];
		for (int w = 0; w < wide; w++)
			right[w] = load(b + (size_t)i * ld + w * WIDTH);
		for (int r = 0; r < rows; r++) {
			vec left = all(a[(size_t)r * down + (size_t)i * across]);
			for (int w = 0; w < wide; w++)
				sum[r][w] += left * right[w];
		}
	}
	for (int r = 0; r < rows; r++)
		for (int w = 0; w < wide; w++)
			store(c + (size_t)r * ld + w * WIDTH, sum[r][w]);
}

INLINE void
product_columns(const float *a, const float *b, float *c, int rows, int inner, int cols,
    int wide, bool add)
{
	size_t lda = (size_t)inner, ld = (size_t)cols;
	int r = 0;

	/* Four and four rather than six and two. */
	for (; r + ROWS <= rows && r + 2 * FEWER_ROWS != rows; r += ROWS)
		product_part(a + (size_t)r * lda, lda, 1, b, c + (size_t)r * ld, ld, ROWS,
		    wide, inner, add);
	for (; r + FEWER_ROWS <= rows; r += FEWER_ROWS)
		product_part(a + (size_t)r * lda, lda, 1, b, c + (size_t)r * ld, ld,
		    FEWER_ROWS, wide, inner, add);
	for (; r + 2 <= rows; r += 2)
		product_part(a + (size_t)r * lda, lda, 1, b, c + (size_t)r * ld, ld, 2,
		    wide, inner, add);
	if (r < rows)
		product_part(a + (size_t)r * lda, lda, 1, b, c + (size_t)r * ld, ld, 1,
		    wide, inner, add);
}

INLINE void
product_any(const float *a, const float *b, float *c, int rows, int inner, int cols,
    bool add)
{
	int k = 0;

	for (; k + WIDE * WIDTH <= cols; k += WIDE * WIDTH)
		product_columns(a, b + k, c + k, rows, inner, cols, WIDE, add);
	if (k < cols)
		product_columns(a, b + k, c + k, rows, inner, cols, 1, add);
}

static void
product(const float *a, const float *b, float *c, int rows, int inner, int cols, bool add)
{
	if (add)
		product_any(a, b, c, rows, inner, cols, true);
	else
		product_any(a, b, c, rows, inner, cols, false);
}

/* The same with a transposed: c[left][cols] += a[rows][left]' * b[rows][cols].
 * LEFT rows of c at a time. */
enum { LEFT = 4 };

static void
product_transposed(const float *a, const float *b, float *c, int rows, int left, int cols)
{
	size_t lda = (size_t)left, ld = (size_t)cols;
	int k = 0;

	for (; k + WIDE * WIDTH <= cols; k += WIDE * WIDTH)
		for (int l = 0; l < left; l += LEFT)
			product_part(a + l, 1, lda, b + k, c + (size_t)l * ld + k, ld,
			    LEFT, WIDE, rows, true);
	for (; k < cols; k += WIDTH)
		for (int l = 0; l < left; l += LEFT)
			product_part(a + l, 1, lda, b + k, c + (size_t)l * ld + k, ld,
			    LEFT, 1, rows, true);
}

/* ---- Winograd's transforms, each in one dimension ---- */

/* Points 0, 1, -1, 2, -2 and infinity. */
INLINE void
input_6(const vec d[6], vec v[6])
{
	vec even1 = d[4] - 4 * d[2], odd1 = d[3] - 4 * d[1];
	vec even2 = d[4] - d[2], odd2 = 2 * (d[3] - d[1]);

	v[0] = 4 * d[0] - 5 * d[2] + d[4];
	v[1] = even1 + odd1;
	v[2] = even1 - odd1;
	v[3] = even2 + odd2;
	v[4] = even2 - odd2;
	v[5] = 4 * d[1] - 5 * d[3] + d[5];
}

INLINE void
output_4(const vec m[6], vec y[4])
{
	vec even1 = m[1] + m[2], odd1 = m[1] - m[2];
	vec even2 = m[3] + m[4], odd2 = m[3] - m[4];

	y[0] = m[0] + even1 + even2;
	y[1] = odd1 + 2 * odd2;
	y[2] = even1 + 4 * even2;
	y[3] = odd1 + 8 * odd2 + m[5];
}

/* The output's transform transposed, for gradients. */
INLINE void
gradient_6(const vec y[4], vec m[6])
{
	vec even1 = y[0] + y[2], odd1 = y[1] + y[3];
	vec even2 = y[0] + 4 * y[2], odd2 = 2 * y[1] + 8 * y[3];

	m[0] = y[0];
	m[1] = even1 + odd1;
	m[2] = even1 - odd1;
	m[3] = even2 + odd2;
	m[4] = even2 - odd2;
	m[5] = y[3];
}

INLINE void
weights_6(const vec w[3], vec u[6])
{
	vec even1 = -(w[0] + w[2]) * (1.0f / 6), odd1 = w[1] * (1.0f / 6);
	vec even2 = w[0] * (1.0f / 24) + w[2] * (1.0f / 6);
	vec odd2 = w[1] * (1.0f / 12);

	u[0] = w[0] * 0.25f;
	u[1] = even1 - odd1;
	u[2] = even1 + odd1;
	u[3] = even2 + odd2;
	u[4] = even2 - odd2;
	u[5] = w[2];
}

INLINE void
weights_gradient_3(const vec u[6], vec w[3])
{
	vec even1 = (u[1] + u[2]) * (1.0f / 6), odd1 = (u[2] - u[1]) * (1.0f / 6);
	vec even2 = u[3] + u[4], odd2 = (u[3] - u[4]) * (1.0f / 12);

	w[0] = u[0] * 0.25f - even1 + even2 * (1.0f / 24);
	w[1] = odd1 + odd2;
	w[2] = even2 * (1.0f / 6) - even1 + u[5];
}

/* ---- the same in two dimensions ---- */

/* The stride of the points of transformed boards: a cache line more than
 * needed, because a transform writes all 36 at a time, and at a multiple of a
 * large power of two they would evict each other from the cache. */
INLINE size_t
point_stride(int boards, int channels)
{
	return (size_t)(boards * KERNELS_TILES) * (size_t)channels + KERNELS_LANES;
}

/* One tile of one board, all channels, to 36 places `stride` apart. Squares
 * beyond the board are zero. */
INLINE void
input_tile(const float *in, int c, float *v, size_t stride, int ty, int tx)
{
	int top = 4 * ty - 1, left = 4 * tx - 1;

	for (int ch = 0; ch < c; ch += WIDTH) {
		vec half[6][6];
		for (int x = 0; x < 6; x++) {
			vec d[6], t[6];
			for (int y = 0; y < 6; y++) {
				int row = top + y, column = left + x;
				d[y] = (vec){ 0 };
				if (row >= 0 && row <= 7 && column >= 0 && column <= 7)
					d[y] = load(in +
					    (size_t)(row * 8 + column) * (size_t)c + ch);
			}
			input_6(d, t);
			for (int y = 0; y < 6; y++)
				half[y][x] = t[y];
		}
		for (int y = 0; y < 6; y++) {
			vec t[6];
			input_6(half[y], t);
			for (int x = 0; x < 6; x++)
				store(v + (size_t)(6 * y + x) * stride + ch, t[x]);
		}
	}
}

/* All tiles of some boards to v[36][tiles][c]. */
static void
transform_input(const float *in, int boards, int c, float *v)
{
	size_t row = (size_t)c, stride = point_stride(boards, c);

	for (int b = 0; b < boards; b++, in += 64 * row, v += KERNELS_TILES * row) {
		input_tile(in, c, v, stride, 0, 0);
		input_tile(in, c, v + row, stride, 0, 1);
		input_tile(in, c, v + 2 * row, stride, 1, 0);
		input_tile(in, c, v + 3 * row, stride, 1, 1);
	}
}

INLINE void
output_tile(const float *m, size_t stride, int k, float *out, const float *skip,
    const float *bias, bool relu)
{
	for (int ch = 0; ch < k; ch += WIDTH) {
		vec half[4][6], add = bias != NULL ? load(bias + ch) : (vec){ 0 };
		for (int x = 0; x < 6; x++) {
			vec t[6], y[4];
			for (int i = 0; i < 6; i++)
				t[i] = load(m + (size_t)(6 * i + x) * stride + ch);
			output_4(t, y);
			for (int i = 0; i < 4; i++)
				half[i][x] = y[i];
		}
		for (int i = 0; i < 4; i++) {
			vec y[4];
			output_4(half[i], y);
			for (int x = 0; x < 4; x++) {
				size_t at = (size_t)(8 * i + x) * (size_t)k + (size_t)ch;
				vec sum = y[x] + add;
				if (skip != NULL)
					sum += load(skip + at);
				if (relu)
					sum = positive(sum);
				store(out + at, sum);
			}
		}
	}
}

/* A square of the tile's corner, in a board of k channels. */
INLINE size_t
corner(int tile, int k)
{
	return (size_t)((tile >> 1) * 32 + (tile & 1) * 4) * (size_t)k;
}

INLINE void
output_tiles(const float *m, int boards, int k, float *out, const float *skip,
    const float *bias, bool relu)
{
	size_t row = (size_t)k, stride = point_stride(boards, k);

	for (int b = 0; b < boards; b++)
		for (int t = 0; t < KERNELS_TILES; t++, m += row) {
			size_t at = (size_t)b * 64 * row + corner(t, k);
			output_tile(m, stride, k, out + at,
			    skip != NULL ? skip + at : NULL, bias, relu);
		}
}

/* out of m[36][tiles][k]. The usual combinations have code of their own. */
static void
transform_output(const float *m, int boards, int k, float *out, const float *skip,
    const float *bias, bool relu)
{
	if (bias == NULL && skip == NULL && !relu)
		output_tiles(m, boards, k, out, NULL, NULL, false);
	else if (skip == NULL && relu)
		output_tiles(m, boards, k, out, NULL, bias, true);
	else if (skip != NULL && relu)
		output_tiles(m, boards, k, out, skip, bias, true);
	else
		output_tiles(m, boards, k, out, skip, bias, relu);
}

/* The gradient of out to one of m[36][tiles][k]. */
static void
transform_output_gradient(const float *dout, int boards, int k, float *m)
{
	size_t row = (size_t)k, stride = point_stride(boards, k);

	for (int tile = 0; tile < boards * KERNELS_TILES; tile++, m += row) {
		const float *d = dout + (size_t)(tile / KERNELS_TILES) * 64 * row +
		    corner(tile % KERNELS_TILES, k);
		for (int ch = 0; ch < k; ch += WIDTH) {
			vec half[6][4];
			for (int x = 0; x < 4; x++) {
				vec y[4], t[6];
				for (int i = 0; i < 4; i++)
					y[i] = load(d + (size_t)(8 * i + x) * row + ch);
				gradient_6(y, t);
				for (int i = 0; i < 6; i++)
					half[i][x] = t[i];
			}
			for (int i = 0; i < 6; i++) {
				vec t[6];
				gradient_6(half[i], t);
				for (int x = 0; x < 6; x++)
					store(m + (size_t)(6 * i + x) * stride + ch,
					    t[x]);
			}
		}
	}
}

static void
transform_weights(const float *w, float *u, int c, int k)
{
	size_t n = (size_t)c * (size_t)k;

	for (size_t at = 0; at < n; at += WIDTH) {
		vec half[6][3];
		for (int x = 0; x < 3; x++) {
			vec column[3], t[6];
			for (int y = 0; y < 3; y++)
				column[y] = load(w + (size_t)(3 * y + x) * n + at);
			weights_6(column, t);
			for (int y = 0; y < 6; y++)
				half[y][x] = t[y];
		}
		for (int y = 0; y < 6; y++) {
			vec t[6];
			weights_6(half[y], t);
			for (int x = 0; x < 6; x++)
				store(u + (size_t)(6 * y + x) * n + at, t[x]);
		}
	}
}

static void
transform_gradient(const float *du, float *dw, int c, int k)
{
	size_t n = (size_t)c * (size_t)k;

	for (size_t at = 0; at < n; at += WIDTH) {
		vec half[3][6];
		for (int x = 0; x < 6; x++) {
			vec column[6], t[3];
			for (int y = 0; y < 6; y++)
				column[y] = load(du + (size_t)(6 * y + x) * n + at);
			weights_gradient_3(column, t);
			for (int y = 0; y < 3; y++)
				half[y][x] = t[y];
		}
		for (int y = 0; y < 3; y++) {
			vec t[3];
			weights_gradient_3(half[y], t);
			for (int x = 0; x < 3; x++) {
				float *p = dw + (size_t)(3 * y + x) * n + at;
				store(p, load(p) + t[x]);
			}
		}
	}
}

/* ---- convolutions ---- */

/* Scratch is v[36][tiles][c], then m[36][tiles][k], with point_stride(). */
static float *
second_half(float *scratch, int c)
{
	return scratch + KERNELS_POINTS * point_stride(KERNELS_BLOCK, c);
}

/* Prefetches a slice of the arrays at each point, because only a few cache lines
 * can be loaded at a time. */
static void
fetch(const struct kernels_soon *soon, int point)
{
	size_t from = soon->numbers * (size_t)point / KERNELS_POINTS;
	size_t to = soon->numbers * ((size_t)point + 1) / KERNELS_POINTS;

	for (int a = 0; a < soon->arrays; a++)
		for (size_t i = from; i < to; i += KERNELS_LANES)
			__builtin_prefetch(soon->array[a] + i, 0, 2);
}

static void
conv3(const float *in, float *out, int boards, int c, int k, const float *u,
    const struct kernels_after *after, const struct kernels_soon *soon, float *scratch)
{
	static const struct kernels_after nothing;
	float *v = scratch, *m = second_half(scratch, c);

	if (after == NULL)
		after = &nothing;
	for (int b = 0, n; b < boards; b += n) {
		n = boards - b < KERNELS_BLOCK ? boards - b : KERNELS_BLOCK;
		int tiles = n * KERNELS_TILES;
		size_t done = (size_t)b * 64;
		transform_input(in + done * (size_t)c, n, c, v);
		for (int i = 0; i < KERNELS_POINTS; i++) {
			if (soon != NULL && b == 0)
				fetch(soon, i);
			product(v + (size_t)i * point_stride(n, c),
			    u + (size_t)i * (size_t)c * (size_t)k,
			    m + (size_t)i * point_stride(n, k), tiles, c, k, false);
		}
		transform_output(m, n, k, out + done * (size_t)k,
		    after->skip != NULL ? after->skip + done * (size_t)k : NULL,
		    after->bias, after->relu);
	}
}

static void
conv3_gradient(const float *in, const float *dout, int boards, int c, int k, float *du,
    const struct kernels_soon *soon, float *scratch)
{
	float *v = scratch, *m = second_half(scratch, c);

	for (int b = 0, n; b < boards; b += n) {
		n = boards - b < KERNELS_BLOCK ? boards - b : KERNELS_BLOCK;
		int tiles = n * KERNELS_TILES;
		size_t done = (size_t)b * 64;
		transform_input(in + done * (size_t)c, n, c, v);
		transform_output_gradient(dout + done * (size_t)k, n, k, m);
		for (int i = 0; i < KERNELS_POINTS; i++) {
			if (soon != NULL && b == 0)
				fetch(soon, i);
			product_transposed(v + (size_t)i * point_stride(n, c),
			    m + (size_t)i * point_stride(n, k),
			    du + (size_t)i * (size_t)c * (size_t)k, tiles, c, k);
		}
	}
}

/* ---- vectors ---- */

static float
dot(const float *a, const float *b, int n)
{
	/* KERNELS_LANES sums whatever the width, then added in a fixed order. */
	vec sum[KERNELS_LANES / WIDTH] = { 0 };
	float lane[KERNELS_LANES] __attribute__((aligned(KERNELS_ALIGN)));

	for (int i = 0; i < n; i += KERNELS_LANES)
		for (int j = 0; j < KERNELS_LANES / WIDTH; j++)
			sum[j] += load(a + i + j * WIDTH) * load(b + i + j * WIDTH);
	for (int j = 0; j < KERNELS_LANES / WIDTH; j++)
		store(lane + j * WIDTH, sum[j]);
	for (int half = KERNELS_LANES / 2; half > 0; half /= 2)
		for (int i = 0; i < half; i++)
			lane[i] += lane[i + half];
	return lane[0];
}

static void
add_scaled(float *a, float x, const float *b, int n)
{
	for (int i = 0; i < n; i += WIDTH)
		store(a + i, load(a + i) + x * load(b + i));
}

static void
pool(float *x, const float *bias, int rows, int k, float *sum)
{
	for (int ch = 0; ch < k; ch += WIDTH) {
		vec s = { 0 }, add = load(bias + ch);
		for (int r = 0; r < rows; r++) {
			float *p = x + (size_t)r * (size_t)k + ch;
			vec v = positive(load(p) + add);
			store(p, v);
			s += v;
		}
		store(sum + ch, s);
	}
}

static void
pool_back(const float *x, const float *d, float *dx, int rows, int k, float *dbias)
{
	for (int ch = 0; ch < k; ch += WIDTH) {
		vec s = { 0 }, g = load(d + ch);
		for (int r = 0; r < rows; r++) {
			size_t at = (size_t)r * (size_t)k + (size_t)ch;
			vec v = where(load(x + at) > 0, g);
			store(dx + at, v);
			s += v;
		}
		store(dbias + ch, load(dbias + ch) + s);
	}
}

/* ---- batch norm ---- */

/* Vectors of a row whose sums are kept in registers; the channels are a multiple
 * of them. */
enum { ABREAST = KERNELS_LANES / WIDTH };

static void
norm_sums(const float *x, int rows, int k, float *sum, float *squares)
{
	for (int ch = 0; ch < k; ch += KERNELS_LANES) {
		vec s[ABREAST] = { 0 }, q[ABREAST] = { 0 };
		for (int r = 0; r < rows; r++)
			for (int i = 0; i < ABREAST; i++) {
				vec v = load(x + (size_t)r * (size_t)k + ch + i * WIDTH);
				s[i] += v;
				q[i] += v * v;
			}
		for (int i = 0; i < ABREAST; i++) {
			float *to = sum + ch + i * WIDTH;
			store(to, load(to) + s[i]);
			to = squares + ch + i * WIDTH;
			store(to, load(to) + q[i]);
		}
	}
}

INLINE void
norm_apply_any(const float *x, const float *scale, const float *shift, const float *skip,
    float *out, int rows, int k)
{
	for (int r = 0; r < rows; r++)
		for (int ch = 0; ch < k; ch += WIDTH) {
			size_t at = (size_t)r * (size_t)k + (size_t)ch;
			vec v = load(x + at) * load(scale + ch) + load(shift + ch);
			if (skip != NULL)
				v += load(skip + at);
			store(out + at, positive(v));
		}
}

static void
norm_apply(const float *x, const float *scale, const float *shift, const float *skip,
    float *out, int rows, int k)
{
	if (skip != NULL)
		norm_apply_any(x, scale, shift, skip, out, rows, k);
	else
		norm_apply_any(x, scale, shift, NULL, out, rows, k);
}

static void
norm_back_sums(const float *out, const float *x, const float *mean, float *d, int rows,
    int k, float *sum, float *products)
{
	for (int ch = 0; ch < k; ch += KERNELS_LANES) {
		vec s[ABREAST] = { 0 }, p[ABREAST] = { 0 };
		for (int r = 0; r < rows; r++)
			for (int i = 0; i < ABREAST; i++) {
				size_t at =
				    (size_t)r * (size_t)k + (size_t)(ch + i * WIDTH);
				vec g = where(load(out + at) > 0, load(d + at));
				store(d + at, g);
				s[i] += g;
				p[i] += g * (load(x + at) - load(mean + ch + i * WIDTH));
			}
		for (int i = 0; i < ABREAST; i++) {
			float *to = sum + ch + i * WIDTH;
			store(to, load(to) + s[i]);
			to = products + ch + i * WIDTH;
			store(to, load(to) + p[i]);
		}
	}
}

static void
norm_back_apply(const float *d, const float *x, const float *mean, const float *a,
    const float *b, const float *shift, float *dx, int rows, int k)
{
	for (int r = 0; r < rows; r++)
		for (int ch = 0; ch < k; ch += WIDTH) {
			size_t at = (size_t)r * (size_t)k + (size_t)ch;
			store(dx + at,
			    load(d + at) * load(a + ch) +
				(load(x + at) - load(mean + ch)) * load(b + ch) +
				load(shift + ch));
		}
}

extern const struct kernels COPY(kernels);
const struct kernels COPY(kernels) = {
	COPY_NAME,
	transform_weights,
	transform_gradient,
	conv3,
	conv3_gradient,
	product,
	product_transposed,
	dot,
	add_scaled,
	pool,
	pool_back,
	norm_sums,
	norm_apply,
	norm_back_sums,
	norm_back_apply,
};
