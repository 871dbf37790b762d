#!/bin/bash
# pipelines/labels: games whose values are known, and what it refuses.

. "$(dirname "$0")/tap.sh"
labels=$root/pipelines/labels
needs jq
cd "$scratch" || exit 1

# game VALUES: a game of six plies whose second is a check and whose third answers it; the
# fifth takes a piece
game() {
	jq -nc --argjson v "$1" '{v: 1, id: "g", rules: "classical", moves: "e2e4 d7d5 f1b5 c7c6 b5c6 b8c6 g1f3 g8f6",
	    result: "1-0", end: "resign", plies: 8, sims: 50, search: ($v | map(if . == null then null else {value: .} end))}'
}
row() { awk -F '\t' -v k="$1" '$2 == k { print $3, $4, $5, $6 }' table; }

# f1b5 gives check, c7c6 answers it, b5c6 takes and gives check, b8c6 answers by taking
game '[0.2, -0.2, 0.2, -0.2, 0.2, -0.2, 0.2, -0.2]' >games
"$labels" games >table 2>"$log"
report $? 'reads games'
test "$(row all)" = '6 6 0.0000 0.0000' && test "$(row check)" = '2 2 0.0000 0.0000' &&
    test "$(row capture)" = '1 1 0.0000 0.0000' && test "$(row quiet)" = '3 3 0.0000 0.0000'
report $? 'kinds of positions; steady values'
game '[0.2, 0.05, -0.4, -0.2, 0.2, -0.2, 0.2, 1]' | zstd -q >games.zst
"$labels" - <games.zst >table 2>"$log"
# changes over two plies: 0.6, 0.25, 0.6, 0, 0, as packing rounds them; the last is proven
test "$(row all)" = '5 4 0.5000 0.1452' && test "$(row quiet)" = '3 2 1.0000 0.2420'
report $? 'turned values, close ones, proven ones'
game '[null, null, 0.2, -0.2, 0.2, -0.2, 0.2, -0.2]' >games
"$labels" games >table 2>"$log"
test "$(row all | cut -d ' ' -f 1)" = 4 && test "$(row quiet-random | cut -d ' ' -f 1)" = 1 && test "$(row quiet-0 | cut -d ' ' -f 1)" = 1
report $? 'plies that nobody searched'
"$BIN/pack" -q games -o packed 2>"$log" && "$labels" packed | cmp - table >&2
report $? 'packed, the same'
game '[]' | jq -c 'del(.search)' | "$labels" >out 2>"$log"
test $? -eq 1 && grep -q 'no game has' "$log"
report $? 'games without values say nothing'
"$labels" no-such-file >out 2>"$log"
test $? -eq 2 && grep -q no-such-file "$log"
report $? 'a file that is missing'
"$labels" --bins 3 games >out 2>"$log"
test $? -eq 2
report $? 'an option that it does not have'
{ game '[0.2, -0.2, 0.2, -0.2, 0.2, -0.2, 0.2, -0.2]'; echo '{"v":1,'; } | "$labels" >table 2>"$log"
test $? -eq 1 && test "$(row all | cut -d ' ' -f 1)" = 6
report $? 'a broken line is lost, the rest is counted, and the status says so'
finish
