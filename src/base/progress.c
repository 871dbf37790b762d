#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two updates: on a terminal, in a log. */
static const double interval[2] = { 0.2, 30 };

static double
read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double
clock_seconds(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double
clock_thread_seconds(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void
progress_start(struct progress *p, const char *what, uint64_t total, bool force,
    bool quiet)
{
	p->log = !isatty(STDERR_FILENO);
	p->shown = !quiet && (force || !p->log);
	p->what = what;
	p->done = 0;
	p->total = total;
	p->share = 0;
	p->started = clock_seconds();
	p->next = p->started + interval[p->log];
}

static void
show_time(FILE *f, double seconds)
{
	unsigned long s = (unsigned long)(seconds + 0.5);

	fprintf(f, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

/* Writes to the descriptor: stderr would replace the control characters. */
static void
show(const struct progress *p, double now, const char *end)
{
	char line[256];
	FILE *f = fmemopen(line, sizeof(line), "w");
	double spent = now - p->started;
	double rate = spent > 0 ? (double)p->done / spent : 0;

	if (f == NULL)
		return;
	fprintf(f, "%s%llu", p->log ? "" : "\r\033[K", (unsigned long long)p->done);
	if (p->total != 0)
		fprintf(f, " of %llu", (unsigned long long)p->total);
	fprintf(f, " %s, %.*f/s, ", p->what, rate < 100, rate);
	if (p->share > 0)
		fprintf(f, "%.0f %%, ", 100 * p->share);
	show_time(f, spent);
	double share = p->total > 0 ? (double)p->done / (double)p->total : p->share;
	if (share > 0 && share < 1) {
		fputs(", left ", f);
		show_time(f, spent * (1 - share) / share);
	}
	fputs(end, f);
	fclose(f);
	dprintf(STDERR_FILENO, "%s", line);
}

void
progress_set_share(struct progress *p, double share)
{
	p->share = share > 1 ? 1 : share;
}

void
progress_add(struct progress *p, uint64_t n)
{
	p->done += n;
	if (!p->shown)
		return;
	double now = clock_seconds();
	if (now < p->next)
		return;
	p->next = now + interval[p->log];
	show(p, now, p->log ? "\n" : "");
}

void
progress_end(struct progress *p)
{
	if (!p->shown)
		return;
	show(p, clock_seconds(), "\n");
	p->shown = false;
}
