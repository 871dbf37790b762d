# shellcheck shell=bash
# TAP for tests in bash, which begin with
#
#	. "$(dirname "$0")/tap.sh"
#
# and end with finish. They run at the top of the tree; $BIN has the programs,
# $TESTS the built tests. $scratch is a folder that is removed at the end (KEEP=1
# keeps it), after tidy(), which a test may redefine. When a test fails, the end of
# $log is shown.
# shellcheck disable=SC2034	# tests use them

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) && cd "$root" || exit 1
: "${BIN:=$root/bin}" "${TESTS:=$root/build/gcc/tests}"
export BIN TESTS LC_ALL=C
count=0 failed=0
scratch=$(mktemp -d) || exit 1
log=$scratch/log
tidy() { :; }
trap 'tidy; [ -n "${KEEP:-}" ] || rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# skip_all REASON
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# needs TOOL ...
needs() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || skip_all "$tool is missing"
	done
}

# report STATUS NAME ...: one test
report() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - ${*:2}"
		return
	fi
	echo "not ok $count - ${*:2}"
	failed=$((failed + 1))
	[ ! -s "$log" ] || tail -n 20 "$log" | sed 's/^/# /' >&2
}

# skip REASON: one test
skip() {
	count=$((count + 1))
	echo "ok $count # SKIP $1"
}

# wait_for COMMAND ...: waits until it succeeds; false after five minutes, which means
# that something hangs
wait_for() {
	local i
	for ((i = 0; i < 6000; i++)); do
		"$@" && return
		sleep 0.05
	done
	return 1
}

# behind COMMAND ...: starts it in the background as session $child. The session
# exists on return, or has ended: setsid takes its time on a loaded machine.
behind() {
	setsid "$@" &
	child=$!
	wait_for session_began
}
session_began() { alive || ! kill -0 "$child" 2>/dev/null; }

# alive: does the session have a process that is not a zombie?
# shellcheck disable=SC2009	# pgrep counts zombies
alive() { ps -s "$child" -o stat= | grep -qv '^Z'; }

# kill_all: kills the session, again and again, since one of its processes may
# just be starting another
kill_all() {
	disown "$child" 2>/dev/null	# else bash reports its death
	wait_for killed_off
	child=
}
killed_off() {
	pkill -KILL -s "$child"
	! alive
}

# finish: the plan, and the exit status
finish() {
	echo "1..$count"
	exit $((failed != 0))
}
