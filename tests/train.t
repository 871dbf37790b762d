#!/bin/bash
# train: the same seed gives the same bytes, whatever the threads and interruptions,
# and the net improves. pipelines/train: killed at any moment and called again, it
# makes the same nets.
#
#	TRAIN_LONG=1 tests/train.t	more kills, more hosts

. "$(dirname "$0")/tap.sh"
loop=$PWD/pipelines/train
PATH=$BIN:$TESTS:$PATH
export PATH
kills=6 generations_in_all=3
if [[ -n $TRAIN_LONG ]]; then
	kills=20 generations_in_all=12
elif [[ $BIN == */san/* ]]; then
	kills=3		# sanitizers are slow
fi
child=
tidy() { test -z "$child" || kill_all; }
cd "$scratch" || exit 1
RANDOM=4711
: >log

# ---- games to learn from ----

echo '{"name":"short","ply_limit":40}' >short.json
echo '{"name":"quick","base":"torpedo","ply_limit":30}' >quick.json
mkdir games
for i in 1 2 3; do
	selfplay -qN material -r short.json -g 12 -G -v 8 -m 8 -e 40 -X -s $i \
	    -o games/$i-short.jsonl
	selfplay -qN material -r quick.json -g 8 -v 8 -e 40 -a 0.3 -X -s $i \
	    -o games/$i-quick.jsonl.zst
done
cat games/*.jsonl >all.jsonl
zstd -qdc games/*.zst >>all.jsonl

# learn NAME OPTION ...: NAME.onnx, NAME.checkpoint and NAME.log
learn() {
	train -q --kind prior -o "$1.onnx" --checkpoint "$1.checkpoint" --size 64 -B 64 \
	    --every 1 --warmup 4 --holdout 8 "${@:2}" >"$1.out" 2>log || return
	# times are not compared
	sed 's/,"positions_per_second":[^,}]*//' "$1.out" >"$1.log"
}

# same NAME NAME: do two runs have the same net, checkpoint and log?
same() {
	cmp "$1.onnx" "$2.onnx" >&2 && cmp "$1.checkpoint" "$2.checkpoint" >&2 &&
	    cmp "$1.log" "$2.log" >&2
}

learn want -s 7 --steps 8 all.jsonl && [[ $(wc -l <want.log) -eq 9 ]] &&
    [[ $(tail -n 1 want.log) == '{"kind":"held-out","step":8,'* ]]
report $? 'eight steps, eight losses, and one of games held out'
learn again -s 7 --steps 8 all.jsonl && same want again
report $? 'the same seed, the same bytes'
for threads in 2 3; do
	learn threads$threads -s 7 --steps 8 -j $threads all.jsonl &&
	    same want threads$threads
	report $? "$threads threads, the same bytes"
done
learn pipe -s 7 --steps 8 < <(zstd -qc all.jsonl) && same want pipe
report $? 'through a pipe, compressed, the same bytes'
learn other -s 8 --steps 8 all.jsonl && ! cmp -s want.onnx other.onnx
report $? 'another seed, another net'

# ---- continuing ----

learn twice -s 7 --steps 3 all.jsonl && ! cmp -s want.onnx twice.onnx &&
    learn twice -s 7 --steps 5 -j 2 all.jsonl && [[ $(tail -n 1 twice.log) == *'"step":8,'* ]]
report $? 'three steps and five more are eight steps'
cp want.checkpoint none.checkpoint
learn none -s 7 --steps 0 all.jsonl && cmp none.checkpoint none.onnx >&2 &&
    jq -e 'select(.kind == "held-out" and .step == 8)' none.log >/dev/null
report $? 'no step more: a net that is measured'

# ---- directories ----

# The files of a directory are read from the latest on: what is full takes no more.
mkdir both last
cp games/{2,3}-short.jsonl both
cp games/3-short.jsonl last
learn both -s 7 --steps 4 --window 100 --holdout 0 both &&
    learn last -s 7 --steps 4 --window 100 --holdout 0 last && same both last
report $? 'of a directory the latest files count'

# ---- learning ----

# loss NAME FIELD KIND: that of the policy without the entropy of its target
loss() {
	jq --arg f "$2" --arg k "$3" 'select(.kind == $k) |
	    if $f == "policy_loss" then .[$f] - .target_entropy else .[$f] end' "$1.log"
}
cat games/*-short.jsonl >short.jsonl
learn untaught -s 1 --steps 1 --rate 1e-9 --holdout 12 short.jsonl
learn many -s 1 --steps 200 --every 25 --rate 0.01 --holdout 12 short.jsonl
falls() {	# LOSS KIND SHARE NAME
	awk -v a="$(loss untaught "$1" "$2")" -v b="$(loss many "$1" "$2" | tail -n 1)" \
	    -v c="$3" 'BEGIN { printf "# from %s to %s\n", a, b
	    exit !(a > 0 && b > 0 && b < c * a) }'
	report $? "$1 falls by $4"
}
falls policy_loss learnt 0.7 'a third'
falls value_loss learnt 0.7 'a third'
falls policy_loss held-out 0.7 'a third, on games held out'
selfplay -qN many.onnx -r quick.json -g 3 -v 8 -X >played 2>log &&
    check_selfplay <played >/dev/null
report $? 'selfplay takes the net'

# ---- values that are too close to a half, in one of two rule sets ----

# The logits of one rule set's values are halved. As each rule set's values are corrected
# to match its own results, the targets stay what they were.
for r in pawn-one-square no-castling; do
	selfplay -qN material -r "$r" -g 1000 -v 30 --random-plies 8 --values -s 5 -o "$r.jsonl"
done
jq -c 'def logit: 0.5005 + 0.499 * . | log - (1 - . | log);
    .search |= map(if has("value") then .value |= 2 / (1 + (-logit / 2 | exp)) - 1 else . end)
    ' no-castling.jsonl >modest.jsonl || exit 1
off() {	# FILE: how far the net is from the targets of this file and another rule set's
	cat pawn-one-square.jsonl "$1" >two.jsonl
	cp "$(rulelab --net-path default)" two.net
	train -q --checkpoint two.net --steps 0 --holdout 1 -o two.onnx two.jsonl \
	    2>log | jq .value_loss
}
awk -v a="$(off no-castling.jsonl)" -v b="$(off modest.jsonl)" 'BEGIN {
	printf "# %s, %s\n", a, b
	exit !(a > 0 && b / a < 1.02 && a / b < 1.02) }'
report $? 'the values of each rule set are corrected by its own results'

# moves NET RULES: of a few games
moves() { selfplay -qN "$1" -r "$2" --search ab -g 4 -v 100 -s 5 2>log | jq -c .moves; }
mkdir new
for rules in crazyhouse antichess; do	# the second has fields of older presets
	selfplay -qN default -r $rules --search ab -g 20 -v 50 -X -s 9 -o new/$rules.jsonl 2>log
done
# a net that does not know them; the shipped one does
selfplay -qN default -r no-castling+stalemate-win --search ab -g 20 -v 50 -X -s 9 -o old.jsonl 2>log &&
    train -q -o older.onnx --size 64 --steps 60 --rate 0.01 -B 256 old.jsonl >log 2>&1 &&
    cp older.onnx kept.checkpoint &&
    train -q -o kept.onnx --checkpoint kept.checkpoint --keep older.onnx --steps 20 \
    --rate 0.01 --warmup 1 -B 256 new >log 2>&1
for rules in classical no-castling+stalemate-win; do
	[[ $(moves kept.onnx $rules | wc -l) -ge 4 ]] &&
	    [[ $(moves kept.onnx $rules) == "$(moves older.onnx $rules)" ]]
	report $? "--keep: $rules is played as before"
done
[[ $(moves kept.onnx crazyhouse) != "$(moves older.onnx crazyhouse)" ]] &&
    [[ $(moves kept.onnx antichess) != "$(moves older.onnx antichess)" ]]
report $? '--keep: what the net did not know is learnt'
! train -q -o no.onnx --keep default --size 64 old.jsonl >log 2>&1 &&
    grep -q 'keep default: it has 256 hidden units, the net 64' log
report $? '--keep: another size is refused'

# blend SHARE: a net that learns from new games, blended with the one it comes from
blend() {
	cp older.onnx blend.checkpoint && train -q -o "blend$1.onnx" --checkpoint blend.checkpoint \
	    --blend older.onnx --blend-share "$1" --steps 20 --rate 0.01 --warmup 1 -B 256 new >blend.out 2>log
}
cp older.onnx blend.checkpoint && train -q -o alone.onnx --checkpoint blend.checkpoint --steps 20 \
    --rate 0.01 --warmup 1 -B 256 new >log 2>&1 && blend 0 && cmp alone.onnx blend0.onnx >&2
report $? '--blend with nothing of the other net changes nothing'
blend 1 && [[ $(moves blend1.onnx classical) == "$(moves older.onnx classical)" &&
    $(moves alone.onnx classical) != "$(moves older.onnx classical)" ]]
report $? '--blend with all of it plays as it did'
! train -q -o no.onnx --blend default --size 64 old.jsonl >log 2>&1 &&
    grep -q 'blend default: it has 256 hidden units, the net 64' log
report $? '--blend: another size is refused'

# ---- the loop ----

for tool in parallel jq zstd flock pkill; do
	if ! command -v $tool >/dev/null; then
		skip "pipelines/train: $tool is missing"
		finish
	fi
done
export PARALLEL_HOME=$scratch/parallel
unset PARALLEL PARALLEL_SSH
mkdir "$PARALLEL_HOME"

# A train that never ends when it should make a net.
mkdir odd
ln -s "$BIN"/* odd
rm odd/train
cat >odd/train <<END
#!/bin/sh
case \$* in
*checkpoint.new*) ;;
*) exec "$BIN/train" "\$@" ;;
esac
touch "$scratch/waits"
sleep 1000
END
chmod +x odd/train

for kind in sparse prior; do
mkdir "$kind"
cd "$kind" || exit
generations=2
# The command of all runs.
case $kind in
sparse)
	command=("$loop" -A 64 -g 20 -v 20 --random 1 -M 0 -j 2 -s 5)
	rules=(torpedo:2 no-castling -- --holdout 4 --batch 256) ;;
prior)
	command=("$loop" -k prior -A 64 -g 4 -l 16 -v 8 -M 0 -j 2 -s 5)
	rules=(torpedo no-castling -- --holdout 4 --batch 64) ;;
esac
run() {	# DIR OPTION ...
	BAR_SECONDS=0.1 "${command[@]}" -d "$1" -n $generations "${@:2}" "${rules[@]}" >>log 2>&1
}

# Everything that must not depend on kills: nets, checkpoints, and the rest without
# times.
digest() {	# DIR
	(
		cd "$1" || exit
		sha256sum net.onnx nets/* checkpoints/* rules/*
		for file in games/*.zst; do
			echo "$file $(zstd -dcq "$file" | sha256sum)"
		done
		jq -c 'del(.time, .positions_per_second)' losses.jsonl games.jsonl
		find . -type f | sort
	) 2>>log
}

run whole && digest whole >want && [[ $(grep -c '^[0-9a-f]*  nets/' want) -eq 2 &&
    $(grep -c '"kind":"learnt"' want) -eq 2 ]]
report $? "$kind: the loop makes $generations nets"
grep -qE '^train: +[0-9]+ %  [0-9] nets made, 0:00:[0-9]+' log && ! grep -q '^games: .* shards' log
report $? "$kind: and one bar shows the progress of all of it"
[ "$kind" != sparse ] || [ "$(grep -cF \
    '"rules":"{\"double_step\":6,\"ply_limit\":400}","games":40,' whole/games.jsonl)" -eq 2 ]
report $? "$kind: a rule set has as many shares of the games as it asks for"
cp -r whole later
generations=$generations_in_all
run whole && digest whole >want
report $? "$kind: and one more when it is called again"
cp -r later matched
# No more nets are made, so the rule sets are only those of the matches: presets where
# games are cheap, else files with short games
matched=(../short.json ../quick.json)
[ "$kind" != sparse ] || matched=("${rules[@]}")
"${command[@]}" -M 2 -d matched -n 2 "${matched[@]}" >>log 2>&1 &&
    [ "$(jq -s 'map(select(.generation == 2) | [.rules, .b]) | unique | length' \
    matched/matches.jsonl)" -eq 8 ]
report $? "$kind: matches that have not been played can be played later"
mkdir -p later/playing/000002
touch later/{net.onnx,net,losses,matches,checkpoint}.new later/net.new.XXXXXX
printf '{"generation":2,"ti' >>later/losses.jsonl
printf '{"generation":3}\n' >>later/games.jsonl
rm later/net.onnx
run later && digest later | diff want - >>log
report $? "$kind: what a killed run may leave is no harm"
touch whole/checkpoints/000001
run whole && digest whole | diff want - >>log
report $? "$kind: nor what one leaves that was killed at its very end"

# begin DIR: the loop in the background, in a session of its own
begin() {
	behind "${command[@]}" -d "$1" -n $generations "${rules[@]}" >>log 2>&1
}

# found PATTERN DIR: how many such files there are
found() { find "$2" -path "$2/$1" 2>/dev/null | wc -l; }

# until_new PATTERN DIR: waits for more such files, or for another net (some files
# exist only for moments), or for the end of the run
until_new() {
	wait_for is_new "$1" "$2" "$(found "$1" "$2")" "$(found 'nets/*.onnx' "$2")"
}

# is_new PATTERN DIR FILES NETS: have these numbers changed, or has the run ended?
is_new() {
	(($(found "$1" "$2") > $3)) || (($(found 'nets/*.onnx' "$2") != $4)) ||
	    ! kill -0 "$child" 2>/dev/null
}

# broken DIR: is any net, checkpoint or file of games incomplete?
broken() {
	local file
	for file in "$1"/nets/*.onnx "$1"/net.onnx; do
		! [[ -e $file ]] || selfplay -qN "$file" -g 0 2>>log || return 0
	done
	for file in "$1"/games/*.zst; do
		! [[ -e $file ]] || zstd -qt "$file" 2>>log || return 0
	done
	for file in "$1"/*.jsonl; do
		! [[ -e $file ]] || jq . "$file" >/dev/null 2>>log || return 0
	done
	return 1
}

# Kill it shortly after each step of a generation.
moments=('playing/asked' 'playing/*.part' 'playing/*.jsonl.zst' 'games/*.done'
    'losses.new' 'net.new*' 'checkpoints/*' 'nets/*.onnx')
bad=0 seen=
for ((i = 0; i < kills; i++)); do
	begin killed
	until_new "${moments[(i * 3 + 1) % 8]}" killed
	sleep "0.$((RANDOM % 300 + 100))"
	seen+=" $(found 'nets/*.onnx' killed)"
	kill_all
	wait_for flock -n killed true
	! broken killed || bad=$((bad + 1))
done
report $bad "$kind: killed $kills times, when there were$seen nets; no file is broken"
run killed -j 1 && digest killed | diff want - >>log
report $? "$kind: the rest is learnt, with other jobs, and all is the same"

# If only the script of a run was killed, its children may still be at work: here a
# train that never ends.
generations=1
BIN=$scratch/odd begin orphans
wait_for rm "$scratch/waits" 2>/dev/null
disown "$child"
kill -KILL "$child"
! flock -n orphans true && ! run orphans && grep -q 'at work' log
report $? "$kind: while something is left of a killed run, none begins"
kill_all
wait_for flock -n orphans true

# A signal ends all of it: here games, and a train that never ends.
begin ended
wait_for test -e ended/playing/asked
kill -TERM "$child"
! wait "$child" 2>/dev/null && ! alive && flock -n ended true
report $? "$kind: TERM ends it while games are played"
child=
BIN=$scratch/odd begin ended
wait_for rm "$scratch/waits" 2>/dev/null
kill -TERM "$child"
! wait "$child" 2>/dev/null && ! alive
report $? "$kind: TERM ends it while it learns"
kill_all
run orphans && cmp {orphans,whole}/nets/000001.onnx >>log
report $? "$kind: and then it continues"

cd ..
done

refused() {	# STATUS TEXT NAME ARGUMENT ...
	"$loop" "${@:4}" >log 2>&1
	[[ $? -eq $1 ]] && grep -qF -- "$2" log
	report $? "refused: $3"
}

refused 2 'no rule set is named' 'no rule set' -d new
refused 2 '--dir is missing' 'no folder' torpedo
refused 2 'unknown rule set' 'an unknown rule set' -d new torpdo
refused 2 '--seed: x' 'a bad seed' -d new -s x torpedo
refused 2 '--games: not within' 'no games' -d new -g 0 torpedo
refused 2 '--rate takes' 'a wrong option of train' -d new torpedo -- --rate 0
refused 2 '--output' 'an end of the options of train' -d none torpedo -- --
[[ ! -e none ]]
report $? 'before any game is played'

# Random rule sets that cannot be drawn end it.
mkdir full
ln -s "$BIN"/* full
rm full/genmoves
cat >full/genmoves <<END
#!/bin/sh
case \$* in
*--random-rules*) echo 'genmoves: out of luck' >&2; exit 1 ;;
*) exec "$BIN/genmoves" "\$@" ;;
esac
END
chmod +x full/genmoves
BIN=$scratch/full refused 1 'genmoves: out of luck' \
    'random rule sets that cannot be drawn' -d untried -n 1 -g 2 -j 1 -M 0 --random 1 torpedo

# The schedule's rate gives way however the caller's is written; the run's own output
# does not.
"$loop" -d short -n 1 -g 2 -j 1 -l 8 -M 0 -A 64 torpedo -- --ra=0.25 --lam 0.5 --warmup 0 \
    --holdout 0 -oother >log 2>&1 &&
    [[ $(jq .rate short/losses.jsonl) = 0.25 && -e short/net.onnx && ! -e other ]]
report $? 'options of train may be abbreviated'

# ---- hosts ----

cat >ssh <<END
#!/bin/sh
# HOST [--] COMMAND ...
host=\$1
shift
test "\$1" != -- || shift
mkdir -p "$scratch/hosts/\$host" && cd "$scratch/hosts/\$host" || exit 255
exec setsid --fork --wait env -i HOME="\$PWD" PATH=/usr/bin:/bin \\
    SHELL=/bin/sh sh -c "\$*" 8<&- 9<&-
END
chmod +x ssh
if [[ -z $TRAIN_LONG ]]; then
	skip 'hosts: only with TRAIN_LONG=1'
elif ! command -v rsync >/dev/null; then
	skip 'hosts: rsync is missing'
else
	printf '1/north\n1/south\n' >hostfile
	generations=$generations_in_all
	PARALLEL_SSH=$scratch/ssh run far -S hostfile && digest far |
	    diff want - >>log && [[ -z $(find hosts -mindepth 2) ]]
	report $? 'played on two hosts, all is the same'
	generations=1
	begin other
	until_new playing/asked other
	kill_all
	wait_for flock -n other true
	run other -l 12 && run again -l 12 &&
	    cmp {other,again}/nets/000001.onnx >>log &&
	    ! cmp -s {other,whole}/nets/000001.onnx
	report $? 'games begun with other options start over'
fi

finish
