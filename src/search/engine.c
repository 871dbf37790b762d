#include "engine.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/memory.h"
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/movegen.h"

enum { QUIT_SECONDS = 2 };

/* ---- the process ---- */

__attribute__((noreturn)) static void
become_engine(const char *command, int in, int out, pid_t parent)
{
	char *script = NULL;

	setpgid(0, 0);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127); /* the parent died before prctl() */
#else
	(void)parent;
#endif
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	/* The engine replaces the shell, so that signals reach it. */
	if (asprintf(&script, "exec %s", command) != -1)
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
	_exit(127);
}

static int
spawn(struct engine *e, const char *command, char *reason)
{
	int to[2] = { -1, -1 }, from[2] = { -1, -1 };
	pid_t parent = getpid();

	if (pipe2(to, O_CLOEXEC) == -1 || pipe2(from, O_CLOEXEC) == -1 ||
	    (e->pid = fork()) == -1) {
		refuse(reason, "%s", strerror(errno));
		for (int i = 0; i < 2; i++) {
			close(to[i]);
			close(from[i]);
		}
		e->pid = 0;
		return -1;
	}
	if (e->pid == 0)
		become_engine(command, to[0], from[1], parent);
	setpgid(e->pid, e->pid); /* the child does it too: whoever is first */
	close(to[0]);
	close(from[1]);
	e->to = to[1];
	e->from = from[0];
	fcntl(e->to, F_SETFL, O_NONBLOCK);
	fcntl(e->from, F_SETFL, O_NONBLOCK);
	return 0;
}

/* Waits until the deadline for the process to end, kills the rest of its group,
 * and reaps it. True, with its status, if it ended by itself. */
static bool
reap(struct engine *e, double deadline, int *status)
{
	siginfo_t info = { 0 };

	if (e->pid == 0)
		return false;
	/* WNOWAIT: until it is reaped, its process id is not reused. */
	while (waitid(P_PID, (id_t)e->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid == 0 && clock_seconds() < deadline)
		poll(NULL, 0, 2);
	kill(-e->pid, SIGKILL);
	waitpid(e->pid, status, 0);
	close(e->to);
	close(e->from);
	e->pid = 0;
	return info.si_pid != 0;
}

/* The reason why it closed its output or no longer reads its input. */
static int
fail_ended(struct engine *e, char *reason)
{
	int status = 0;

	if (!reap(e, clock_seconds() + 1, &status))
		return refuse(reason, "the engine has closed its end of the pipe");
	if (WIFSIGNALED(status))
		return refuse(reason, "the engine was ended by signal %d",
		    WTERMSIG(status));
	return refuse(reason, "the engine has ended, with status %d",
	    WEXITSTATUS(status));
}

/* A dead engine must not end us by SIGPIPE, while a closed standard output should.
 * Other threads may be writing, so the signal is blocked in this thread only. */
static ssize_t
write_quietly(int fd, const char *s, size_t n)
{
	sigset_t pipe, before, pending;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	ssize_t put = write(fd, s, n);
	int error = errno;
	if (put == -1 && error == EPIPE && sigpending(&pending) == 0 &&
	    sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe, NULL, &(struct timespec){ 0, 0 });
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return put;
}

void
engine_dismiss(struct engine *e)
{
	if (e->pid == 0 || e->dismissed > 0)
		return;
	ssize_t n = write_quietly(e->to, "quit\n", 5);
	(void)n; /* engine_release() handles failures */
	e->dismissed = clock_seconds();
}

void
engine_release(struct engine *e)
{
	int status;

	engine_dismiss(e);
	reap(e, e->dismissed + QUIT_SECONDS, &status);
	text_release(&e->options);
	text_release(&e->said);
	memset(e, 0, sizeof(*e));
}

/* ---- lines to and from it ---- */

static int
fail_late(const struct engine *e, char *reason)
{
	return refuse(reason, "the engine does not answer within %g s", e->timeout);
}

/* Waits until a pipe can be read or written; false after the deadline. */
static bool
wait_for(int fd, short events, double deadline)
{
	struct pollfd p = { .fd = fd, .events = events };
	double left = deadline - clock_seconds();

	return left > 0 && poll(&p, 1, (int)fmin(1000 * left + 1, 1e9)) != 0;
}

static int
send_bytes(struct engine *e, const char *s, size_t n, char *reason)
{
	int result = 0;

	e->deadline = clock_seconds() + e->timeout;
	while (n > 0 && result == 0) {
		ssize_t put = write_quietly(e->to, s, n);
		if (put > 0) {
			s += put;
			n -= (size_t)put;
		} else if (errno == EPIPE) {
			result = fail_ended(e, reason);
		} else if (!wait_for(e->to, POLLOUT, e->deadline)) {
			result = fail_late(e, reason);
		}
	}
	return result;
}

__attribute__((format(printf, 3, 4))) static int
send_line(struct engine *e, char *reason, const char *format, ...)
{
	struct text t = { 0 };
	va_list ap;

	va_start(ap, format);
	text_add_vformat(&t, format, ap);
	va_end(ap);
	int result = send_bytes(e, t.s, t.len, reason);
	text_release(&t);
	return result;
}

/* Reads its pending output without waiting. -1 if there will be no more. */
static int
listen_to(struct engine *e, char *reason)
{
	char buffer[4096];
	ssize_t n;

	memmove(e->said.s, e->said.s + e->used, e->said.len - e->used);
	e->said.len -= e->used;
	e->used = 0;
	while ((n = read(e->from, buffer, sizeof(buffer))) > 0) {
		text_add(&e->said, buffer, (size_t)n);
		if (memchr(buffer, '\n', (size_t)n) != NULL)
			return 0; /* the rest is read later */
		if (e->said.len < ENGINE_SAID_MAX)
			continue;
		return refuse(reason, "the engine writes an endless line");
	}
	return n == 0 ? fail_ended(e, reason) : 0;
}

/* The next line, without its end: 1; 0 if there is none yet. */
static int
next_line(struct engine *e, char **line, char *reason)
{
	for (int i = 0; i < 2; i++) {
		char *s = e->said.s + e->used,
		     *end = memchr(s, '\n', e->said.len - e->used);
		if (end != NULL) {
			*end = '\0';
			e->used = (size_t)(end + 1 - e->said.s);
			s[strcspn(s, "\r")] = '\0';
			*line = s + strspn(s, " \t");
			return 1;
		}
		if (i == 0 && listen_to(e, reason) == -1)
			return -1;
	}
	return clock_seconds() < e->deadline ? 0 : fail_late(e, reason);
}

static bool
is_word(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) == 0 &&
	    (line[n] == '\0' || line[n] == ' ' || line[n] == '\t');
}

static void
keep_introduction(struct engine *e, const char *line)
{
	if (strncmp(line, "id name ", 8) == 0)
		snprintf(e->name, sizeof(e->name), "%s", line + 8);
	if (strncmp(line, "option name ", 12) == 0 && e->options.len < ENGINE_SAID_MAX)
		text_add_format(&e->options, "%s\n", line + 12);
}

/* Waits for a line that is this word. */
static int
expect(struct engine *e, const char *word, char *reason)
{
	char *line;
	int got;

	while ((got = next_line(e, &line, reason)) != -1) {
		if (got == 0)
			wait_for(e->from, POLLIN, e->deadline);
		else if (is_word(line, word))
			return 0;
		else
			keep_introduction(e, line);
	}
	return -1;
}

int
engine_start(struct engine *e, const char *command, double timeout,
    char reason[ENGINE_REASON_MAX])
{
	memset(e, 0, sizeof(*e));
	e->timeout = timeout;
	text_reserve(&e->said, 1);
	if (spawn(e, command, reason) == -1 || send_line(e, reason, "uci\n") == -1)
		return -1;
	return expect(e, "uciok", reason);
}

const char *
engine_option(const struct engine *e, const char *name)
{
	size_t n = strlen(name);
	const char *s = e->options.s;

	for (; s != NULL && *s != '\0'; s = strchr(s, '\n') + 1)
		if (strncasecmp(s, name, n) == 0 && strncmp(s + n, " type ", 6) == 0)
			return s + n;
	return NULL;
}

int
engine_set(struct engine *e, const char *name, const char *value,
    char reason[ENGINE_REASON_MAX])
{
	if (engine_option(e, name) == NULL)
		return refuse(reason, "the engine has no option %.60s", name);
	return send_line(e, reason, "setoption name %s%s%s\n", name,
	    value == NULL ? "" : " value ", value == NULL ? "" : value);
}

int
engine_begin(struct engine *e, char reason[ENGINE_REASON_MAX])
{
	if (send_line(e, reason, "ucinewgame\nisready\n") == -1)
		return -1;
	return expect(e, "readyok", reason);
}

/* CPU seconds of its process; 0 if unknown. */
static double
cpu_clock(const struct engine *e)
{
	struct timespec t;
	clockid_t id;

	if (e->pid == 0 || clock_getcpuclockid(e->pid, &id) != 0 ||
	    clock_gettime(id, &t) == -1)
		return 0;
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double
engine_cpu_seconds(const struct engine *e)
{
	return fmax(cpu_clock(e) - e->cpu_started, 0);
}

/* The wall time that it is given. With a limit on CPU time, so much that it does
 * not stop by itself on a busy machine. */
static double
told_seconds(const struct limits *l)
{
	return l->seconds > 0    ? l->seconds
	    : l->cpu_seconds > 0 ? 1 + 20 * l->cpu_seconds
				 : 0;
}

static void
add_position(struct text *t, const struct engine *e, const struct rules *r,
    const struct board *start, const struct line *l)
{
	char fen[FEN_MAX], m[6];

	if (start == NULL) {
		text_add_string(t, "position startpos");
	} else {
		fen_write(start, fen);
		text_add_format(t, "position fen %s", fen);
	}
	for (int i = 0; i < l->plies; i++) {
		if (e->chess960)
			move_print_960(r, l->moves[i], m);
		else
			move_print(r, l->moves[i], m);
		text_add_format(t, "%s %s", i == 0 ? " moves" : "", m);
	}
}

/* Sets UCI_Chess960 if castling is written differently from the last game. */
static int
tell_castling(struct engine *e, bool chess960, char *reason)
{
	if (chess960 == e->chess960)
		return 0;
	e->chess960 = chess960;
	return engine_set(e, "UCI_Chess960", chess960 ? "true" : "false", reason);
}

int
engine_go(struct engine *e, const struct rules *r, const struct board *start,
    const struct line *l, const struct limits *limits, char reason[ENGINE_REASON_MAX])
{
	struct text t = { 0 };

	if (tell_castling(e, start != NULL && start->odd_castling != 0, reason) == -1)
		return -1;
	add_position(&t, e, r, start, l);
	double seconds = told_seconds(limits);
	if (seconds > 0)
		text_add_format(&t, "\ngo movetime %.0f\n", fmax(1000 * seconds, 1));
	else if (limits->depth > 0)
		text_add_format(&t, "\ngo depth %d\n", limits->depth);
	else
		text_add_format(&t, "\ngo nodes %" PRIu64 "\n", limits->nodes);
	e->cpu_limit = limits->cpu_seconds;
	e->cpu_started = cpu_clock(e);
	int result = send_bytes(e, t.s, t.len, reason);
	e->deadline += seconds;
	text_release(&t);
	return result;
}

/* ---- its moves ---- */

/* Seconds of CPU time that it has left. */
static double
cpu_left(const struct engine *e)
{
	return e->cpu_limit > 0 ? e->cpu_limit - engine_cpu_seconds(e) : INFINITY;
}

/* Sends stop if its CPU time is used up. */
static int
stop_in_time(struct engine *e, char *reason)
{
	if (cpu_left(e) > 0)
		return 0;
	e->cpu_limit = 0;
	return send_line(e, reason, "stop\n");
}

int
engine_answer(struct engine *e, const struct board *b, move *m,
    char reason[ENGINE_REASON_MAX])
{
	char *line, fen[FEN_MAX];
	int got;

	while ((got = next_line(e, &line, reason)) == 1) {
		if (!is_word(line, "bestmove"))
			continue;
		line += strlen("bestmove");
		line += strspn(line, " \t");
		*m = move_parse(b, line, strcspn(line, " \t"));
		if (*m != 0)
			return 1;
		fen_write(b, fen);
		line[strcspn(line, " \t")] = '\0';
		return refuse(reason,
		    "the engine plays '%.40s', which is not a legal move in %s", line,
		    fen);
	}
	return got == 0 ? stop_in_time(e, reason) : got;
}

/* When to check its CPU time again: before it can be used up by several threads,
 * but not so soon that checking costs too much. */
static double
next_look(const struct engine *e, double now)
{
	return fmin(e->deadline - now, fmax(cpu_left(e) / 2, 1e-4));
}

void
engine_wait(struct engine *const *engines, int n)
{
	struct pollfd *p = xcalloc((size_t)n + 1, sizeof(*p));
	double now = clock_seconds(), left = 1e6;

	for (int i = 0; i < n; i++) {
		p[i] = (struct pollfd){ .fd = engines[i]->from, .events = POLLIN };
		left = fmax(fmin(left, next_look(engines[i], now)), 0);
	}
	struct timespec t = { (time_t)left, (long)(1e9 * (left - floor(left))) };
	ppoll(p, (nfds_t)n, &t, NULL);
	free(p);
}
