#!/bin/bash
# The pipelines that keep what they did in a folder, page its engine: stopped for a while
# (SIGSTOP), killed at any moment, and killed by a power failure after some step, an
# fsync() or a rename, which takes from every file what no fsync() had made durable.
# Called again they end with what an undisturbed run ends with.
#
#	INTERRUPTIONS=20 tests/interrupt.t	of each kind, instead of 1
#	FAILURES=all tests/interrupt.t		of power: after every step; or after these,
#						FAILURES="3 4"

. "$(dirname "$0")/tap.sh"
needs parallel zstd flock jq
export PARALLEL_HOME=$scratch/parallel SYNCED_LOG=$scratch/synced
unset PARALLEL PARALLEL_SSH
mkdir "$PARALLEL_HOME"
preload=$TESTS/synced.so
[ -e "$preload" ] || skip_all "$preload has not been built"
! nm "$BIN/genmoves" 2>/dev/null | grep -qE '__(asan|tsan|msan)_init' || skip_all "sanitizers come first"
child=
tidy() { test -z "$child" || kill_all; }
cd "$scratch" || exit 1

# What is run, and what it ends with.
declare -A options=(
	[games]="-g 6 -b 2 -j 2 -N uniform torpedo classical -- --sims 4"
	[compare]="-g 10 -v 2 -N uniform torpedo pawn-back"
	[train]="-k prior -A 64 -g 2 -j 1 -n 2 -M 0 -v 2 -l 6 torpedo"
	[harvest]="-b 3 -g 2 -l 20 -v 2 -j 2 -N net.onnx torpedo random"
	[odds]="-g 4 -p 2 -v 2 -j 2 -N material WD:N"
	[design]="-b 2 -g 2 -n 2 -F 1 -G 2 -v 2 -V 2 -j 2 -N uniform --no-pages $root/pipelines/map/fair.json"
	[page]="-N material -P none torpedo classical"
)
# For page, a tree with a compiler that compiles nothing; what it compiles stays in the
# folder.
mkdir tree && cp -r "$root/pipelines" tree && ln -s "$root/src" tree/src || exit 1
printf '%%.wasm:\n\techo wasm >$@\n' >tree/pipelines/board/engine.mk
printf '#!/bin/sh\n' >tree/pipelines/deps
result() {
	case $1 in
	games | compare) find "$2" -maxdepth 2 -name '*.jsonl.zst' ! -name '*-*' | sort | xargs zstdcat ;;
	train) cat "$2/net.onnx" ;;
	harvest) for f in "$2"/games/*.rlp.zst; do "$BIN/pack" -qSD "$f"; done && jq -cS . "$2"/log/*.json ;;
	odds) cat "$2/odds.tsv" ;;
	design) cat "$2"/{measured,finalists,fresh}.jsonl "$2/design.tsv" ;;
	page) cat "$2"/*.html ;;
	esac
}

# run NAME DIR [COMMAND ...]: COMMAND runs it, if any
run() {
	local tree=$root
	[ "$1" != page ] || tree=$scratch/tree
	# shellcheck disable=SC2086	# words of it
	"${@:3}" env XDG_CACHE_HOME="$scratch/$2/cache" "$tree/pipelines/$1" -d "$2" ${options[$1]}
}

# begin NAME DIR [VARIABLE=VALUE ...]: in the background
begin() { run "$1" "$2" behind env "${@:3}" >"$2.log" 2>&1; }

# wait_a_while: a part of the time that a run takes
wait_a_while() { sleep "$(awk -v t="$took" -v r="$RANDOM" 'BEGIN { print t * r / 32768 }')"; }

# darken NAME DIR STEPS: a run that the power failure ends after so many steps
darken() {
	: >"$SYNCED_LOG"
	begin "$1" "$2" LD_PRELOAD="$preload" SYNCED_STEPS="$3"
	wait_for dark_after "$3"
	kill_all
	power_fails "$2" 2>/dev/null
}

# steps: how many are in the log (faults/synced.c)
steps() { wc -l <"$SYNCED_LOG"; }

# dark_after N: has the run taken so many steps, or ended?
dark_after() { [ "$(steps)" -ge "$1" ] || ! alive; }

# The power fails: files keep the bytes that were synced.
power_fails() {
	local file size
	while read -r file; do
		size=$(awk -v id="$(stat -c '%.9W %i' "$file")" '$1 " " $2 == id { size = $3 } END { print size + 0 }' "$SYNCED_LOG")
		[ "$size" -ge "$(stat -c %s "$file")" ] || truncate -s "$size" "$file"
	done < <(find "$1" -type f)
}

again() {
	run "$1" "$2" >"$log" 2>&1 && result "$1" "$2" 2>>"$log" | cmp - "$1.want" >>"$log" 2>&1
}

"$TESTS/make_sparse" 64 1 net.onnx || exit 1
RANDOM=${SEED:-32}
for name in ${PIPELINES:-games compare train harvest odds design page}; do
	start=$(date +%s%N)
	: >"$SYNCED_LOG"
	LD_PRELOAD=$preload run "$name" "$name.0" >"$log" 2>&1 && result "$name" "$name.0" >"$name.want" &&
	    [ -s "$name.want" ] && [ "$(steps)" -gt 0 ]
	report $? "$name"
	all=$(steps)
	took=$((($(date +%s%N) - start) / 1000000))e-3
	for ((i = 1; i <= ${INTERRUPTIONS:-1}; i++)); do
		begin "$name" "$name.stopped$i"
		wait_a_while
		pkill -STOP -s "$child"
		sleep 1
		pkill -CONT -s "$child"
		wait "$child"
		status=$?
		child=
		cp "$name.stopped$i.log" "$log"
		[ $status -eq 0 ] && result "$name" "$name.stopped$i" | cmp - "$name.want" >>"$log" 2>&1
		report $? "$name: stopped, and continued"
		begin "$name" "$name.killed$i"
		wait_a_while
		kill_all
		again "$name" "$name.killed$i"
		report $? "$name: killed, and called again"
	done
	after=${FAILURES:-$(shuf -i "1-$all" -n "${INTERRUPTIONS:-1}" --random-source=<(yes "$RANDOM"))}
	[ "$after" != all ] || after=$(seq "$all")
	for n in $after; do
		darken "$name" "$name.dark$n" "$n"
		again "$name" "$name.dark$n"
		report $? "$name: the power fails after step $n"
		[ -n "${KEEP-}" ] || rm -rf "$name.dark$n"
	done
done
finish
