#!/bin/bash
# pipelines/calibration: means, bins and intervals of games whose truth is known, the
# picture, and what it refuses.

. "$(dirname "$0")/tap.sh"
calibration=$root/pipelines/calibration
needs jq zstd
cd "$scratch" || exit 1

# game RESULT VALUE DRAW [EXTRA]: a game whose searches all say so, of White's points and of a
# draw, after two plies that say something else
game() {
	jq -nc --arg result "$1" --argjson p "$2" --argjson d "$3" "{v: 1, id: \"g\", rules: \"torpedo\", moves: \"\", result: \$result, sims: 50,
	    search: [range(10) | . as \$i | (if \$i < 2 then 0.99 elif \$i % 2 == 0 then 2 * \$p - 1 else 1 - 2 * \$p end) | {value: ., draw: \$d}]} ${4-}"
}

# row MEASURE BIN: the last four numbers of such a row
row() { awk -F '\t' -v m="$1" -v b="$2" '$3 == m && $4 == b { print $5, $6, $7, $8, $9, $10 }' table; }

for ((i = 0; i < 60; i++)); do game 1-0 0.75 0.2; done >games
for ((i = 0; i < 20; i++)); do game 0-1 0.75 0.2; done >>games
for ((i = 0; i < 20; i++)); do game 1/2-1/2 0.75 0.2; done >>games
"$calibration" -s 2 games >table 2>"$log"
report $? "reads games"
# White has 70 of 100 points. A game's residual is 0.25, -0.75 or -0.25 in each of 8 plies:
# its sum of squares is 60 / 16 + 20 * 9 / 16 + 20 / 16 = 16.25 for one ply.
expected=$(awk 'BEGIN { e = 1.96 * sqrt(16.25) / 100; printf "800 100 0.7500 0.7000 %.4f %.4f", 0.7 - e, 0.7 + e }')
test "$(row points 7)" = "$expected" && test "$(row points all)" = "$expected"
report $? "White's points, from both sides' values, with an interval over games"
test "$(row draw 2 | cut -d ' ' -f 1-4)" = '800 100 0.2000 0.2000'
report $? "draws"

{ game 1/2-1/2 0.3 0.1 '| .points = 0.75'; game 1-0 0.88 0 '| .start = "8/8/8/8/8/8/8/8 b - - 0 1"'; } >games
zstd -q games -o games.zst
"$calibration" --skip 2 - <games.zst >table 2>"$log" && test "$(row points 3 | cut -d ' ' -f 4)" = 0.7500 && test "$(row draw 1 | cut -d ' ' -f 4)" = 0.0000
report $? "three quarters of a point are no draw"
test "$(row points 1 | cut -d ' ' -f 3,4)" = '0.1200 1.0000'
report $? "a game that Black begins"
{ game 1-0 1 0; game '*' 0.4 0; } >proven
"$calibration" -s 2 proven >table 2>"$log"
test $? -eq 1 && grep -q 'no game has' "$log"
report $? "proven ends and games without a result say nothing"

needs gnuplot
for ((i = 0; i < 30; i++)); do
	# shellcheck disable=SC2016	# a name
	game 1-0 0.6 0.3 '| .rules = {name: "it'"'"'s \"$(touch pwned)`touch pwned` \\", base: "torpedo"}'
	game 0-1 0.4 0.3 '| .sims = 200'
done >games
"$calibration" -s 2 -o picture.svg games >table 2>"$log" && grep -q "200 nodes" picture.svg && grep -q 'touch pwned' picture.svg && test ! -e pwned
report $? "a picture, whatever the rules are called"
"$calibration" -o picture.pdf games >out 2>"$log"
test $? -eq 2 && test ! -s out
report $? "other pictures are refused"
"$calibration" no-such-file >out 2>"$log"
test $? -eq 2 && grep -q no-such-file "$log"
report $? "so is a file that is missing"
head -c 100 games >part
"$calibration" part >out 2>"$log"
test $? -ne 0
report $? "and a file that is cut"
finish
