#!/bin/bash
# Two runs that write one file: the lock of --output, at the moments that are short.

. "$(dirname "$0")/tap.sh"

needs gcc
! nm "$BIN/selfplay" 2>/dev/null | grep -Eq '__(asan|tsan|msan)_init' || skip_all "sanitizers must be loaded first"

# A flock() that says that it has been reached and waits until it may go on: with
# BEFORE=NAME before the lock is taken, with AFTER=NAME once it is held.
cat >"$scratch/slow.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void
pause_at(const char *name)
{
	char path[4096];
	if (name == NULL)
		return;
	snprintf(path, sizeof(path), "%s.reached", name);
	close(open(path, O_CREAT | O_WRONLY, 0666));
	snprintf(path, sizeof(path), "%s.go", name);
	while (access(path, F_OK) != 0)
		usleep(1000);
}
int
flock(int fd, int how)
{
	int (*real)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
	pause_at(getenv("BEFORE"));
	int result = real(fd, how);
	if (result == 0)
		pause_at(getenv("AFTER"));
	return result;
}
END
gcc -shared -fPIC -o "$scratch/slow.so" "$scratch/slow.c" -ldl || skip_all "the library cannot be compiled"
cd "$scratch" || exit 1
tidy() { touch "$scratch"/{early,late,left}.go; wait; }

# play OPTION ...: four games into out
play() { "$BIN/selfplay" -qN uniform -g 4 -v 2 -r '{"ply_limit":4}' -o out "$@"; }
# slow WHERE NAME [OPTION ...]: the same in the background, which stops at its flock()
slow() {
	env "$1=$2" LD_PRELOAD="$scratch/slow.so" "$BIN/selfplay" -qN uniform -g 4 -v 2 -r '{"ply_limit":4}' \
	    -o out "${@:3}" 2>"$2.err" &
	last=$!
	wait_for test -e "$2.reached"
}

# One run has opened the lock file, another ends and removes it, a third holds a new one.
slow BEFORE early; early=$last
play 2>"$log"
report $? "a run beside one that has not yet locked"
slow AFTER late; late=$last
touch early.go; wait "$early"
[ $? -eq 1 ] && grep -q 'being written by another process' early.err
report $? "a lock on a file that was removed does not count"
[ -e out.lock ]
report $? "the lock of the third stays"
touch late.go; wait "$late" && ! [ -e out.lock ] && [ "$(wc -l <out)" -eq 4 ]
report $? "the third writes the file"

# The same for --resume, which removes a lock that a killed run has left.
rm -f ./*.go ./*.reached && touch out.lock
slow BEFORE left --resume; left=$last
play --resume && ! [ -e out.lock ]
report $? "--resume removes a lock that was left"
slow AFTER late; late=$last
touch left.go; wait "$left" && [ -e out.lock ]
report $? "and leaves that of a new run alone"
touch late.go; wait "$late"
report $? "which ends well"

finish
