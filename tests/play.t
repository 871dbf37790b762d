#!/bin/bash
# pipelines/games: whatever the jobs, shards, hosts, kills and failures, the games are
# those of one selfplay, byte for byte. Hosts are folders: a substitute for ssh runs
# commands there, with an empty environment.

. "$(dirname "$0")/tap.sh"
play=$PWD/pipelines/games
openings=$PWD/pipelines/openings
needs parallel zstd flock
child=
tidy() { test -z "$child" || kill_all; }
cd "$scratch" || exit 1
export PARALLEL_HOME=$scratch/parallel
unset PARALLEL PARALLEL_SSH
mkdir "$PARALLEL_HOME"

search=(--sims 40 --sample-plies 20 --noise 1)
games=12

# plain NAME OPTION ...: the games as they must be, in NAME.want
plain() {
	"$BIN/selfplay" --games $games --seed 7 "${search[@]}" "${@:2}" >"$1.want" &&
	    test "$(grep -o '"moves":"[^"]*"' "$1.want" | sort -u | wc -l)" -eq $games
}

# play DIR OPTION ... RULES ...
play() {
	"$play" -d "$1" -g $games -s 7 "${@:2}" -- "${search[@]}" >log 2>&1
}

# same DIR NAME ...: true if the games of these rule sets are as they must be
same() {
	local name
	for name in "${@:2}"; do
		zstd -dcq "$1/$name.jsonl.zst" | cmp - "$name.want" >&2 || return 1
	done
}

# shards DIR: how many there are
shards() { find "$1" -path '*/*-*.jsonl.zst' 2>/dev/null | wc -l; }

echo '{"base":"torpedo+pawn-back","stalemate_wins":true}' >restless.json
plain torpedo -N material -r torpedo &&
    plain no-castling -N material -r no-castling &&
    plain restless -N material -r restless.json 2>log
report $? "selfplay plays $games games, no two of them alike"

# ---- jobs and shards ----

for jobs in 1 2; do
	for size in 1 5 10; do
		play "j$jobs-$size" -N material -j $jobs -b "$size" torpedo &&
		    same "j$jobs-$size" torpedo
		report $? "$jobs jobs, shards of $size"
	done
done
test "$(shards j2-5)" -eq 3
report $? "$games games make 3 shards of 5"

play many -N material -b 7 torpedo no-castling restless.json &&
    same many torpedo no-castling restless
report $? "a preset, another, and a file of rules"

BAR_SECONDS=0.1 play bar -N material -b 2 -j 1 torpedo no-castling &&
    grep -qE '^games: +[0-9]+ %  [0-9]+ of 12 shards, 0:00:[0-9]+, about 0:0[0-9]:[0-9]+ left' log
report $? "a log has lines that tell how far it is, and how long yet"

touch -d yesterday many/*.jsonl.zst many/*/*.jsonl.zst
play many -N material -b 7 torpedo no-castling restless.json &&
    test -z "$(find many -name '*.jsonl.zst' -mtime -0.5)"
report $? "what is done is left alone"

games=20
plain torpedo -N material -r torpedo &&
    play many -N material -b 7 torpedo && same many torpedo
report $? "and more games can be played later"
games=12

plain torpedo -N uniform -r torpedo -O "$openings/dutch.pgn" &&
    play dutch -N uniform -b 5 -O "$openings/dutch.pgn" torpedo &&
    same dutch torpedo &&
    test "$(grep -c '"moves":"d2d4 f7f5 ' torpedo.want)" -eq $games
report $? "with an opening"

for file in "$openings"/*.pgn; do
	"$BIN/selfplay" -N uniform -v 1 -O "$file" >log 2>&1
	report $? "selfplay takes ${file##*/}"
done

# ---- what is refused ----

# refused STATUS TEXT NAME COMMAND ...
refused() {
	local want=$1 text=$2 name=$3
	shift 3
	"$@"
	test $? -eq "$want" && grep -qF -- "$text" log
	report $? "refused: $name"
}

refused 2 "no rule set" "an unknown rule set" play new -N material torpdo
refused 2 "sample-plies" "a wrong option of selfplay" \
    "$play" -d new -N material -g 3 torpedo -- --sample-plies x 2>log
play new -N uniform torpedo
report $? "and the folder can still be used"
refused 1 "another command" "another net in the same folder" \
    play new -N material torpedo
refused 2 "twice" "a rule set twice" play new -N uniform torpedo torpedo
# Options that play sets win over those given to selfplay.
"$play" -d wins -g $games -s 7 -N material torpedo -- "${search[@]}" -s5 -o elsewhere \
    --games 1 >log 2>&1
plain wins-torpedo --net material --rules torpedo && zstdcat wins/torpedo.jsonl.zst |
    cmp - wins-torpedo.want >>log 2>&1 && ! test -e elsewhere
report $? "options that play sets win: seed, number of games, output"
echo '{"base":"torpedo"}' >restless.json
refused 1 "another rules/restless.json" "another rule set of the same name" \
    play many -N material -b 7 restless.json
echo '{}' >torpedo.json
refused 2 "name of a preset" "a file with the name of a preset" \
    play new -N uniform torpedo.json

# ---- kills ----

# A selfplay that waits before games that are not allowed yet, so that no run ends
# before it is killed, that fails once where it is told to, and that may leave a
# process behind, which ends soon after its parent.
mkdir odd
cat >odd/selfplay <<END
#!/bin/sh
first=0 all="\$*"
case \$all in
*"--first "*)
	first=\${all#*--first } first=\${first%% *}
	! test -e "$scratch/linger" ||
	    ( (while kill -0 \$PPID; do sleep 0.1; done; sleep 1) 2>/dev/null & ) ;;
esac
while test "\$first" -ge "\$(cat "$scratch/allowed")"; do
	sleep 0.1
done
! rm "$scratch/fail-\$first" 2>/dev/null || exit 1
exec "$BIN/selfplay" "\$@"
END
chmod +x odd/selfplay
allow() { echo "$1" >allowed; }

# begin DIR OPTION ...: plays in the background, in a session of its own
begin() {
	BIN=$scratch/odd behind "$play" -d "$1" -N material -g $games -s 7 -b 2 \
	    -j 2 "${@:2}" torpedo -- "${search[@]}" >log 2>&1
}

# has_shards DIR N: are there N shards?
has_shards() { test "$(shards "$1")" -ge "$2"; }

# end DIR: asks play to end; true if it does, by that signal
end() {
	kill -TERM "$child" 2>/dev/null	# wait shows whether it was running
	wait "$child" 2>/dev/null
	test $? -eq 143 || return 1
	child=
}

games=24
search=(--sims 200 --sample-plies 20 --noise 1)
plain torpedo -N material -r torpedo
for kills in 1 2 3; do
	allow $((6 * kills))
	begin killed
	wait_for has_shards killed $((2 * kills))
	kill_all
	flock -n killed/kit true && test ! -e killed/torpedo.jsonl.zst
	report $? "killed with $(shards killed) of 12 shards done"
done
allow $games
play killed -N material -b 2 torpedo && same killed torpedo
report $? "no game is lost, none is played otherwise"
touch killed/todo.tsv
play killed -N material -b 2 torpedo && test ! -e killed/todo.tsv
report $? "nor is anything left of a run that was killed after its last shard"

allow 6
touch linger
begin ended
wait_for has_shards ended 1
rm linger
end && flock -n ended/kit true
report $? "TERM ends play and all of its jobs"
allow 12
begin ended
wait_for has_shards ended 4
disown "$child"
kill -KILL "$child" 2>/dev/null || echo "# play had ended before it was killed"
refused 1 "at work" "a folder in which jobs of a killed play still run" \
    play ended -N material -b 2 torpedo
kill_all
allow $games
play ended -N material -b 2 torpedo && same ended torpedo
report $? "and then the rest is played"

# ---- failures ----

games=12
search=(--sims 40 --sample-plies 20 --noise 1)
plain torpedo -N material -r torpedo
touch fail-6
BIN=$scratch/odd refused 1 "shards missing: 1;" "a shard that failed" \
    play faults -N material -b 2 torpedo
test ! -e faults/torpedo.jsonl.zst && test "$(shards faults)" -eq 5 &&
    test "$(awk -F '\t' '$7 == 1' faults/joblog | wc -l)" -eq 1
report $? "the other shards are there, and the joblog has the failures"
play faults -N material -b 2 torpedo && same faults torpedo &&
    test "$(wc -l <faults/joblog)" -eq 8
report $? "the next call plays that shard and no other"

# A parallel that does only part of its work, and ends as it is told to: with a
# status, or by a signal.
mkdir less
cat >less/parallel <<END
#!/bin/bash
PATH=\${PATH#*:}
read -r jobs how <"$scratch/less/how" || exec parallel "\$@"
: >"$scratch/less/how"
head -n "\$jobs" >"$scratch/less/some"
test "\$jobs" -eq 0 || parallel "\$@" <"$scratch/less/some"
case \$how in
[0-9]*) exit "\$how" ;;
*) kill -s "\$how" \$\$ ;;
esac
END
chmod +x less/parallel

# lessened DIR JOBS HOW: plays with it
lessened() {
	echo "$2 $3" >less/how
	PATH=$scratch/less:$PATH play "$1" -N material -b 2 torpedo
}

for how in 0 KILL TERM; do
	lessened "less-$how" 2 $how && same "less-$how" torpedo &&
	    test "$(tail -n +2 "less-$how/joblog" | wc -l)" -eq 6
	report $? "what a parallel left out that ended early ($how) is played, and no shard twice"
done
grep -q '^games: GNU parallel ended with status 143$' log
report $? "and reports how it ended"
refused 1 "shards missing: 6;" "to try for ever where nothing comes of it" lessened none 0 0
refused 1 "shards missing: 4;" "to continue after failed jobs" lessened failing 2 1

# ---- hosts ----

cat >ssh <<END
#!/bin/sh
# HOST [--] COMMAND ...
host=\$1
shift
test "\$1" != -- || shift
test "\$host" != dead || exit 255
# once, games are played and do not come back
case \$* in
*--sender*) ! rm "$scratch/cut-\$host" 2>/dev/null || exit 255 ;;
esac
mkdir -p "$scratch/hosts/\$host" && cd "$scratch/hosts/\$host" || exit 255
# A link would lead to a file that is not on this host.
test -z "\$(find . -type l)" || exit 255
exec setsid --fork --wait env -i HOME="\$PWD" PATH=/usr/bin:/bin \\
    SHELL=/bin/sh sh -c "\$*" 9<&-
END
chmod +x ssh

# clean: true if nothing is left on hosts
clean() { test -z "$(find hosts -mindepth 2)"; }

# hosts_of DIR: those that have played
hosts_of() { tail -n +2 "$1/joblog" | cut -f 2 | sort -u | tr '\n' ' '; }

over_hosts() {
	echo '{"base":"torpedo+pawn-back","stalemate_wins":true}' >restless.json
	export PARALLEL_SSH=$scratch/ssh

	printf '1/north\n2/south\n' >hostfile
	play far -N material -b 3 -S hostfile torpedo restless.json &&
	    same far torpedo restless && test "$(hosts_of far)" = "north south "
	report $? "two hosts"
	clean && test -z "$(find far -name '.rulelab*')"
	report $? "and nothing is left there"

	printf '1/north\n:\n' >hostfile
	play near -N material -b 2 -S hostfile torpedo && same near torpedo &&
	    test "$(hosts_of near)" = ": north " && clean
	report $? "a host and this one"

	printf '1/north\n1/dead\n' >hostfile
	play dead -N material -b 4 -S hostfile torpedo && same dead torpedo
	report $? "a host that does not answer"

	printf '1/north\n1/south\n' >hostfile
	touch cut-north
	play lost -N material -b 2 -S hostfile torpedo && same lost torpedo &&
	    test ! -e cut-north && clean &&
	    test "$(tail -n +2 lost/joblog | awk -F '\t' '$7 == 0' | wc -l)" -eq 7
	report $? "a shard that was played and did not come back is played once more"
	allow 4
	begin cut -S hostfile
	wait_for has_shards cut 1
	end && clean
	report $? "TERM leaves nothing on hosts"
	allow $games
	wait_for flock -n cut/kit true && play cut -N material -b 2 -S hostfile torpedo &&
	    same cut torpedo
	report $? "and then the rest is played"

	search=(--sims 8 --sample-plies 20 --noise 1)
	cp "${play%/*}/../tests/towers/good.onnx" net.onnx
	if ! "$BIN/selfplay" -N net.onnx -g 0 2>/dev/null; then
		skip "no ONNX Runtime here"
		return
	fi
	games=6
	echo 2/north >hostfile
	plain torpedo -N net.onnx -r torpedo &&
	    play onnx -N net.onnx -b 2 -S hostfile torpedo && same onnx torpedo
	report $? "a host gets the net"
	if test -e "${play%/*}/../onnxruntime/lib/libonnxruntime.so.1"; then
		test -L onnx/kit/onnxruntime/lib/libonnxruntime.so.1
		report $? "and ONNX Runtime"
	else
		skip "no ONNX Runtime here"
	fi
}

if command -v rsync >/dev/null; then
	over_hosts
else
	skip "hosts: rsync is missing"
fi

finish
