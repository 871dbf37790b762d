#!/bin/bash
# rulelab leaveout, at a scale of seconds: the net is taught without the rule and then told
# it; one table; a second call does nothing.

. "$(dirname "$0")/tap.sh"
needs parallel jq zstd column
export PARALLEL_HOME=$scratch/parallel
mkdir "$PARALLEL_HOME"
unset PARALLEL

run() { "$BIN/rulelab" leaveout -d "$scratch/run" -g 6 -v 60 -n 2 -T 2 -j 1 -N material torpedo -- -g 4 -A 64 >"$scratch/out" 2>"$log"; }
run
report $? "a run of seconds"
at=$scratch/run/torpedo
! jq -r .rules "$at/without/games.jsonl" | grep -q double_step &&
    test "$(jq -r .rules "$at/without/games.jsonl" | sort -u | wc -l)" -eq 7
report $? "no rule set with this field is taught: seven are left"
test "$(jq -r .rules "$at/told/games.jsonl" | jq -c 'del(.ply_limit)' | sort -u | xargs -d '\n')" = '{"double_step":6} {}'
report $? "then the rule is told, beside chess"
echo isready | "$BIN/uci" -N "$at/without/net.onnx" -r torpedo | grep -q 'was not trained on' && ! echo isready | "$BIN/uci" -N "$at/told/net.onnx" -r torpedo | grep -q 'was not trained on'
report $? "a net knows what it was not taught"
awk -F '\t' 'NR == 1 { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next } NF != n { exit 1 }
    { rows++; stage[$at["stage"]]++; if (($at["stage"] == "before") != ($at["unknown"] != "")) bad = 1
      if ($at["measure"] == "score" && ($at["diff"] < $at["diff_lo"] || $at["diff"] > $at["diff_hi"] || sprintf("%.3f", $at["theirs"]) != "0.050")) bad = 1 }
    END { exit bad || !stage["before"] || !stage["after"] || !stage["with"] }' "$scratch/run/leaveout.tsv"
report $? "one table of before, after, and a net that was taught all"
rate() { "$BIN/drawstats" --distinct "$at/after/$1.jsonl.zst" | jq .draw_rate; }
test "$(awk -F '\t' '$2 == "after" && $4 == "draw_rate" { print $5, $8 }' "$scratch/run/leaveout.tsv")" = "$(rate torpedo) $(rate classical)"
report $? "its numbers are those of drawstats"
cp "$scratch/run/leaveout.tsv" "$scratch/before"
sum=$(cd "$at" && sha256sum without/net.onnx told/net.onnx)
run && cmp "$scratch/before" "$scratch/run/leaveout.tsv" && test "$sum" = "$(cd "$at" && sha256sum without/net.onnx told/net.onnx)"
report $? "called again it teaches nothing"
! "$BIN/rulelab" leaveout -d "$scratch/none" classical 2>"$log" && grep -q 'no preset that differs' "$log"
report $? "chess cannot be left out"
finish
