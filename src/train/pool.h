/*
 * Threads that share out numbered jobs. They sleep when there are none, so that
 * self-play beside them has the cores.
 */
#ifndef TRAIN_POOL_H
#define TRAIN_POOL_H

#include <pthread.h>
#include <stdbool.h>

typedef void pool_job(void *context, int job, int thread);

struct pool {
	int threads;		/* the caller is one of them: number 0 */
	pthread_t *ids;
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	pool_job *run;
	void *context;
	int jobs, next, undone;
	unsigned round;
	bool over;
};

/* -1 when threads cannot be had. */
int pool_init(struct pool *p, int threads);
void pool_release(struct pool *p);

/* Runs jobs 0..jobs-1, in any order, and returns when all are done. */
void pool_run(struct pool *p, pool_job *run, void *context, int jobs);

#endif
