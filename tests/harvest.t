#!/bin/bash
# pipelines/harvest: the same batches whatever the jobs and however often it is stopped;
# what it plays; what it refuses.

. "$(dirname "$0")/tap.sh"
harvest=$root/pipelines/harvest
needs parallel zstd flock jq
cd "$scratch" || exit 1
log=$scratch/log
export PARALLEL_HOME=$scratch/parallel
mkdir "$PARALLEL_HOME"
unset PARALLEL

# gather DIR OPTION ...
gather() {
	"$harvest" -d "$1" -g 4 -v 20 -s 3 -l 60 "${@:2}" >"$log" 2>&1
}

# contents DIR: all games and lines about them
contents() {
	(cd "$1" && for f in games/*.rlp.zst; do echo "$f"; zstd -dcq "$f"; done; cat batches.jsonl)
}

gather one -b 12 -j 1 torpedo:2 random classical
report $? "plays twelve batches"
gather parts -b 5 -j 2 torpedo:2 random classical &&
    gather parts -b 12 -j 3 torpedo:2 random classical
report $? "plays five, and then the others"
test "$(contents one | sha256sum)" = "$(contents parts | sha256sum)"
report $? "the same games, whatever the jobs and calls"

# killed while it plays: nothing is left running, what is there is whole
"$harvest" -d cut -g 4 -v 20 -s 3 -l 60 -j 2 torpedo:2 random classical >"$log" 2>&1 &
first=$!
wait_for test -e cut/games/000003.rlp.zst
kill -TERM $first
wait $first
test $? -eq 143
report $? "TERM ends it"
wait_for flock -n cut true && gather cut -b 12 -j 2 torpedo:2 random classical
report $? "and it continues"
for f in one/games/*.rlp.zst; do
	cmp <(zstd -dcq "$f") <(zstd -dcq "cut/games/${f##*/}") || echo "$f"
done >"$log" 2>&1
test ! -s "$log"
report $? "with the same games"

# ended between the games of a batch and the line about it
rm cut/log/000005.json && gather cut -b 12 -j 2 torpedo:2 random classical &&
    cmp one/batches.jsonl cut/batches.jsonl >>"$log" 2>&1
report $? "a batch without its line is played again"

jq -se 'map(.rules) | (map(select(. == "torpedo")) | length) == 6 and unique == ["classical","random","torpedo"]' \
    one/batches.jsonl >"$log"
report $? "rule sets have their shares"
jq -se 'map(.nodes) | unique | . == [20] or . == [20, 80]' one/batches.jsonl >"$log"
report $? "some batches are deeper"
jq -se 'map(.opening | split(" ")[0]) | unique == ["random-plies","sample-plies"]' one/batches.jsonl >"$log"
report $? "openings are drawn, or of random plies"
zstd -dcq one/games/*.rlp.zst | "$BIN/pack" -D | jq -se 'length > 36 and all(.search != null)' >"$log"
report $? "games have values to learn from"
"$BIN/train" -q --steps 2 -B 64 --size 64 -o net.onnx one/games >"$log" 2>&1
report $? "train(1) reads the folder"

# games of tree search, for a prior
gather visits -k prior -b 3 -j 2 torpedo random classical &&
    gather again -k prior -b 3 -j 1 torpedo random classical
report $? "plays games for a prior"
test "$(zstd -dcq visits/games/* | sha256sum)" = "$(zstd -dcq again/games/* | sha256sum)" &&
    cmp visits/batches.jsonl again/batches.jsonl
report $? "the same games again"
zstd -dcq visits/games/*.jsonl.zst | jq -se 'length == 12 and all(.search[0].moves | length > 1)' >"$log"
report $? "with the visits of all moves"
"$BIN/train" -q --kind prior --steps 2 -B 64 --size 64 -o prior.onnx visits/games >"$log" 2>&1
report $? "from which train(1) makes a prior"

gather bad -b 1 no-such-rules
test $? -eq 2 && ! test -e bad/games
report $? "an unknown rule set is refused"
"$harvest" -b 1 classical >"$log" 2>&1
test $? -eq 2
report $? "so is a call without a folder"
finish
