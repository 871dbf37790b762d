#include "crew.h"

#include <stdlib.h>
#include <string.h>

#include "net/kernels.h"

struct worker {
	struct crew *crew;
	int number;
};

/* Takes jobs until there are none. The lock is held before and after. */
static void
work(struct crew *p, int thread)
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

	kernels_flush_tiny();
	free(argument);
	pthread_mutex_lock(&w.crew->lock);
	for (;;) {
		while (w.crew->round == seen && !w.crew->over)
			pthread_cond_wait(&w.crew->begin, &w.crew->lock);
		if (w.crew->over)
			break;
		seen = w.crew->round;
		work(w.crew, w.number);
	}
	pthread_mutex_unlock(&w.crew->lock);
	return NULL;
}

int
crew_init(struct crew *p, int threads)
{
	memset(p, 0, sizeof(*p));
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
crew_release(struct crew *p)
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
crew_run(struct crew *p, crew_job *run, void *context, int jobs)
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
