/*
 * A thread pool: threads take numbered jobs and sleep when there are none, so
 * that self-play on the same machine can use the cores.
 */
#ifndef TRAIN_THREADPOOL_H
#define TRAIN_THREADPOOL_H

#include <pthread.h>
#include <stdbool.h>

typedef void threadpool_job(void *context, int job, int thread);

struct threadpool {
	int threads; /* the caller is one of them: number 0 */
	pthread_t *ids;
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	threadpool_job *run;
	void *context;
	int jobs, next, undone;
	unsigned round;
	bool over;
};

/* All threads, the caller too, flush denormals to zero from now on. 0, or -1 if
 * there is not enough memory or a thread cannot be started. */
int threadpool_init(struct threadpool *p, int threads);
void threadpool_release(struct threadpool *p);

/* Runs jobs 0..jobs-1, in any order, and returns when all are done. */
void threadpool_run(struct threadpool *p, threadpool_job *run, void *context, int jobs);

#endif
