/*
 * Threads that share out numbered jobs. They sleep when there are none, so that
 * self-play beside them has the cores.
 */
#ifndef TRAIN_CREW_H
#define TRAIN_CREW_H

#include <pthread.h>
#include <stdbool.h>

typedef void crew_job(void *context, int job, int thread);

struct crew {
	int threads;		/* the caller is one of them: number 0 */
	pthread_t *ids;
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	crew_job *run;
	void *context;
	int jobs, next, undone;
	unsigned round;
	bool over;
};

/* -1 when threads cannot be had. */
int crew_init(struct crew *p, int threads);
void crew_release(struct crew *p);

/* Runs jobs 0..jobs-1, in any order, and returns when all are done. */
void crew_run(struct crew *p, crew_job *run, void *context, int jobs);

#endif
