#!/bin/bash
# pipelines/growth: which games each net learns from, rows and picture, what an earlier call
# left, and what it refuses.

. "$(dirname "$0")/tap.sh"
growth=$root/pipelines/growth
needs parallel zstd flock jq gnuplot
cd "$scratch" || exit 1
log=$scratch/log
export PARALLEL_HOME=$scratch/parallel
mkdir "$PARALLEL_HOME"
unset PARALLEL

"$root/pipelines/harvest" -d games -g 4 -v 20 -s 3 -l 60 -b 12 -j 2 torpedo random classical >"$log" 2>&1
report $? 'games to learn from'
grow() {
	"$growth" -d "$1" -l 500 -g 4 -v 20 -s 2 -N net.onnx -r classical -r rules.json -j 1 games \
	    -- --size 64 --batch 256 --passes 1 --holdout 0 "${@:2}" >"$log" 2>&1
}
"${TESTS:?}/make_sparse" 64 1 net.onnx && echo '{"base":"torpedo","ply_limit":80}' >rules.json
grow one
report $? 'nets from nothing'
all=$(jq -s 'map(.plies) | add' games/log/*.json)
# 500, 1077, 2321, ... as long as less than nine tenths of all, then all
expected=$(awk -v all="$all" 'BEGIN { for (i = 0; 500 * 10 ^ (i / 3) < 0.9 * all; i++) printf "%.0f\n", 500 * 10 ^ (i / 3); print all }')
test "$(jq -r .plies one/growth.jsonl | uniq)" = "$expected"
report $? 'three sizes for each factor of ten, and all'
test "$(jq -s 'map(.games == 4 and .b == "net.onnx") | all' one/growth.jsonl)" = true &&
    test "$(jq -s "map(.rules) | unique | length" one/growth.jsonl)" = 2
report $? 'a row for each net and rule set'
first=$(jq -s 'map(.learnt)[0]' one/growth.jsonl)
mapfile -t files < <(jq -sr 'reduce .[] as $b ([0, []]; if .[0] >= 500 then . else [.[0] + $b.plies, .[1] + [$b.batch]] end) | .[1][]' \
    games/log/*.json | xargs printf 'games/games/%06d.rlp.zst\n')
"$BIN/train" -q -o same.onnx --seed 2 --size 64 --batch 256 --passes 1 --holdout 0 --window 1000000000 \
    "${files[@]}" >losses 2>"$log"
cmp same.onnx one/nets/500.onnx >&2 && test "$first" = "$(jq -s '.[0].positions' losses)"
report $? 'the first batches, in their order'
grep -q '<svg' one/growth.svg && grep -q 'positions learnt' one/growth.svg
report $? 'a picture'
sha256sum one/growth.jsonl one/nets/* >sums && grow one && sha256sum -c --quiet sums
report $? 'what is there is kept'
rm one/nets/500.onnx && rm one/rows/*-500.json && grow one && jq -c 'del(.seconds)' one/growth.jsonl >after &&
    sha256sum -c --quiet <(grep '500.onnx' sums)
report $? 'what is missing is made again, the same'

refuses() { # PATTERN OPTION ...
	"$growth" "${@:2}" >"$log" 2>&1
	test $? -eq 2 && grep -q -e "$1" "$log"
}
refuses '--dir' games && refuses 'no harvest' -d x && refuses 'not the folder' -d x . &&
    refuses 'no-such-net' -d x -N no-such-net games && refuses '--games' -d x -g 0 games &&
    refuses 'no such option' -d x --colour blue games && refuses 'rate' -d x games -- --rate fast &&
    refuses 'no-such-rules' -d x -r no-such-rules games && test ! -e x
report $? 'wrong options are refused, before anything is written'
mkdir -p none/log
"$growth" -d x none >"$log" 2>&1
test $? -eq 1 && grep -q 'no complete batch' "$log"
report $? 'a harvest without a batch'

"$growth" -d cut -l 500 -g 100000 -v 20 -j 1 games -- --size 64 --batch 256 --passes 1 --holdout 0 >"$log" 2>&1 &
pid=$!
wait_for test -e cut/nets/500.onnx
kill -TERM $pid
wait $pid
test $? -eq 143
report $? 'TERM ends it'
wait_for flock -n cut true
report $? 'and all that it started'
finish
