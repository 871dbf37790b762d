#include "threadpool.h"

#include <stdlib.h>
#include <string.h>

#include "floats.h"

struct worker {
	struct threadpool *pool;
	int number;
};

/* Takes jobs until there are none. The lock is held before and after. */
static void
work(struct threadpool *p, int thread)
{
	while (p->next < p->jobs) {
		int job = p->next++;
		pthread_mutex_unlock(&p->lock);
		p->run(p->context, job, thread);
		pthread_mutex_lock(&p->lock);
		if (--p->undone == 0)
			pthread_cond_signal(&p->end);
	}
}

static void *
worker_main(void *argument)
{
	struct worker w = *(struct worker *)argument;
	unsigned seen = 0;

	floats_flush_denormals();
	free(argument);
	pthread_mutex_lock(&w.pool->lock);
	for (;;) {
		while (w.pool->round == seen && !w.pool->over)
			pthread_cond_wait(&w.pool->begin, &w.pool->lock);
		if (w.pool->over)
			break;
		seen = w.pool->round;
		work(w.pool, w.number);
	}
	pthread_mutex_unlock(&w.pool->lock);
	return NULL;
}

int
threadpool_init(struct threadpool *p, int threads)
{
	memset(p, 0, sizeof(*p));
	floats_flush_denormals();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->begin, NULL);
	pthread_cond_init(&p->end, NULL);
	p->ids = calloc((size_t)threads, sizeof(*p->ids));
	if (p->ids == NULL)
		return -1;
	for (p->threads = 1; p->threads < threads; p->threads++) {
		struct worker *w = malloc(sizeof(*w));
		if (w == NULL)
			return -1;
		*w = (struct worker){ p, p->threads };
		if (pthread_create(&p->ids[p->threads], NULL, worker_main, w) != 0) {
			free(w);
			return -1;
		}
	}
	return 0;
}

void
threadpool_release(struct threadpool *p)
{
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_broadcast(&p->begin);
	pthread_mutex_unlock(&p->lock);
	for (int i = 1; i < p->threads; i++)
		pthread_join(p->ids[i], NULL);
	free(p->ids);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->begin);
	pthread_cond_destroy(&p->end);
}

void
threadpool_run(struct threadpool *p, threadpool_job *run, void *context, int jobs)
{
	pthread_mutex_lock(&p->lock);
	p->run = run;
	p->context = context;
	p->next = 0;
	p->jobs = p->undone = jobs;
	p->round++;
	pthread_cond_broadcast(&p->begin);
	work(p, 0);
	while (p->undone > 0)
		pthread_cond_wait(&p->end, &p->lock);
	pthread_mutex_unlock(&p->lock);
}
