#!/bin/bash
# The pipelines that keep what they did in a folder: stopped for a while (SIGSTOP), killed
# at any moment, and killed by a power failure, which takes from every file what no
# fsync() had made durable. Called again they end with what an undisturbed run ends with.
#
#	INTERRUPTIONS=20 tests/interrupt.t	of each kind, instead of 1

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
)
result() {
	case $1 in
	games | compare) find "$2" -maxdepth 2 -name '*.jsonl.zst' ! -name '*-*' | sort | xargs zstdcat ;;
	train) cat "$2/net.onnx" ;;
	harvest) for f in "$2"/games/*.rlp.zst; do "$BIN/pack" -qSD "$f"; done && jq -cS . "$2"/log/*.json ;;
	odds) cat "$2/odds.tsv" ;;
	esac
}

run() {
	# shellcheck disable=SC2086	# words of it
	"$root/pipelines/$1" -d "$2" ${options[$1]}
}

# begin NAME DIR: in the background, and waits for a part of the time that it takes
begin() {
	# shellcheck disable=SC2086	# words of it
	behind env LD_PRELOAD="$preload" "$root/pipelines/$1" -d "$2" ${options[$1]} >"$2.log" 2>&1
	sleep "$(awk -v t="$took" -v r="$RANDOM" 'BEGIN { print t * r / 32768 }')"
}

# The power fails: files keep the bytes that were synced.
power_fails() {
	local file size
	while read -r file; do
		size=$(awk -v id="$(stat -c '%W %i' "$file")" '{ split($1, at, ".") } at[1] " " $2 == id { size = $3 } END { print size + 0 }' "$SYNCED_LOG")
		[ "$size" -ge "$(stat -c %s "$file")" ] || truncate -s "$size" "$file"
	done < <(find "$1" -type f)
}

again() {
	run "$1" "$2" >"$log" 2>&1 && result "$1" "$2" 2>>"$log" | cmp - "$1.want" >>"$log" 2>&1
}

"$TESTS/make_sparse" 64 1 net.onnx || exit 1
RANDOM=${SEED:-32}
for name in ${PIPELINES:-games compare train harvest odds}; do
	start=$(date +%s%N)
	run "$name" "$name.0" >"$log" 2>&1 && result "$name" "$name.0" >"$name.want" && [ -s "$name.want" ]
	report $? "$name"
	took=$((($(date +%s%N) - start) / 1000000))e-3
	for ((i = 1; i <= ${INTERRUPTIONS:-1}; i++)); do
		begin "$name" "$name.stopped$i"
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
		kill_all
		again "$name" "$name.killed$i"
		report $? "$name: killed, and called again"
		: >"$SYNCED_LOG"
		begin "$name" "$name.dark$i"
		kill_all
		power_fails "$name.dark$i" 2>/dev/null
		again "$name" "$name.dark$i"
		report $? "$name: the power fails"
	done
done
finish
