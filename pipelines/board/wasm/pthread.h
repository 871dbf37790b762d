/* A page has one thread, and its C library no threads: helpers never start. */
#ifndef WASM_PTHREAD_H
#define WASM_PTHREAD_H

typedef int pthread_t;

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

#endif
