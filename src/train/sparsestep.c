#include "sparsestep.h"

#include <math.h>

#include "sparselayers.h"

static float
forward(const struct sparse_whole *w, const struct position *p, float *draw)
{
	static _Thread_local struct activity a;

	run_forward(&a, w, p);
	if (draw != NULL)
		*draw = run_head(&a, w, 1);
	return run_head(&a, w, 0);
}

static double
part(const struct sparse_whole *w, struct sparse_whole *g,
    const struct position *const *p, int n)
{
	static _Thread_local struct activity a;
	_Alignas(64) float d[2 * SPARSE_HIDDEN_MAX];
	int h = w->hidden;
	double loss = 0;

	for (int i = 0; i < n; i++) {
		if (i + 4 < n)
			__builtin_prefetch(p[i + 4]);
		run_forward(&a, w, p[i]);
		float q = sigmoid(run_head(&a, w, 0));
		float off = q - (float)p[i]->target / 65535;
		loss += (double)(off * off);
		float dlogit = 8 * off * q * (1 - q); /* of 4 off^2 */
		back_head(&a, g, 0, dlogit);
		/* the draw head learns from the hidden layer without
		 * changing it */
		back_head(&a, g, 1, sigmoid(run_head(&a, w, 1)) - p[i]->drawn);
		const float *out = w->out + (size_t)(a.bucket * 2 * h);
		back_activate(&a, out, dlogit, d, 2 * h);
		add_rows(d, g, a.inputs[0], a.n);
		add_rows(d + h, g, a.inputs[1], a.n);
	}
	return loss;
}

static void
adam(float *w, float *m, float *v, const float *g, size_t n, const struct sparse_adam *o,
    float rate, float most)
{
	float b1 = o->beta1, b2 = o->beta2, c1 = o->correct1, c2 = o->correct2;
	float keep = 1 - rate * o->decay;

	for (size_t i = 0; i < n; i++) {
		m[i] = b1 * m[i] + (1 - b1) * g[i];
		v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
		float x =
		    keep * w[i] - rate * (m[i] * c1) / (sqrtf(v[i] * c2) + o->epsilon);
		w[i] = x > most ? most : x < -most ? -most : x;
	}
}

const struct sparse_steps COPY(sparse_steps) = {
	COPY_NAME,
	part,
	forward,
	add,
	dot,
	adam,
};
