/* A page has one thread, and its C library no threads: helpers never start, and
 * nothing has to be locked. */
#ifndef WASM_PTHREAD_H
#define WASM_PTHREAD_H

#include <string.h>
#include <sys/types.h>

static inline int
pthread_create(pthread_t *t, const void *attributes, void *(*run)(void *), void *argument)
{
	(void)t;
	(void)attributes;
	(void)run;
	(void)argument;
	return -1;
}

static inline int
pthread_join(pthread_t t, void **result)
{
	(void)t;
	(void)result;
	return 0;
}

static inline int
pthread_mutex_init(pthread_mutex_t *m, const void *attributes)
{
	(void)attributes;
	memset(m, 0, sizeof(*m));
	return 0;
}

static inline int
pthread_mutex_lock(pthread_mutex_t *m)
{
	(void)m;
	return 0;
}

static inline int
pthread_mutex_unlock(pthread_mutex_t *m)
{
	(void)m;
	return 0;
}

static inline int
pthread_mutex_destroy(pthread_mutex_t *m)
{
	(void)m;
	return 0;
}

#endif
