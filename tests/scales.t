#!/bin/bash
# The scales of the study: how deep their games are and what they cost; what games tell
# for their thinking, of made-up games whose truth is known.

. "$(dirname "$0")/tap.sh"
scales=pipelines/study/scales.tsv

# ab COLUMN SCALE: a number of a scale for alpha-beta
ab() { awk -v name="$1" -v scale="$2" '$1 == "scale" { for (i = 1; i <= NF; i++) at[$i] = i } $1 == scale && $2 == "ab" { print $at[name] }' $scales; }
test "$(ab sims1 small)" -ge 2000 && test "$(ab sims1 hour)" -ge 8000 && test "$(ab sims1 medium)" -ge 30000
report $? "the first budgets are 2,000, 8,000 and 30,000 nodes at least"
# Of every scale and search: lines may be judged on a rung that they have not seen.
awk '$1 == "scale" { for (i = 1; i <= NF; i++) at[$i] = i; n = NF; next } /^#/ { next }
    NF != n || $at["sims2"] <= $at["sims1"] || $at["held"] < 1 { print; bad = 1 } END { exit bad }' $scales >"$log"
report $? "the second budget is longer, and there is a rung to judge by"

# The cost that the head of the file describes, in nodes, for ten rule sets.
cost() {
	awk -v scale="$1" '$1 == "scale" { for (i = 1; i <= NF; i++) at[$i] = i }
	    $1 == scale && $2 == "ab" { s = $at["sims1"]; printf "%.0f\n", 1700 * ($at["games1"] * s + $at["games2"] * $at["sims2"] + 4 * $at["games3"] * s + $at["ladder"] * 2.25 * s + $at["held"] * 10 * s) + 900 * $at["shared"] * s + 1650 * $at["doubling"] * s + 3300 * $at["main"] }' $scales
}
# named SCALE: the million nodes that the head says it has
named() { tr -d "#,\n" <$scales | tr -s " " | grep -oE "$1 (has )?[0-9]+ million" | grep -oE "[0-9]+" | head -n 1; }
for scale in small hour medium; do
	echo "$scale: $(cost $scale) nodes, of which the head says $(named $scale) million" >"$log"
	awk -v a="$(cost $scale)" -v b="$(named $scale)" 'BEGIN { exit !(a > 0 && a / b / 1e6 > 0.97 && a / b / 1e6 < 1.03) }'
	report $? "what $scale costs is what its file says"
done

# ---- what games tell ----

# Draw rates of 400 rule sets around one half, spread by 6 points, known from games with
# an error of 3; and of others that differ only by errors.
simulate() {
	awk -v spread="$1" 'function normal(    i, s) { for (i = s = 0; i < 12; i++) s += rand(); return s - 6 }
	    BEGIN { srand(7); OFS = "\t"
		print "sims", "rules", "games", "draw_rate", "draw_rate_lo", "draw_rate_hi", "score", "score_lo", "score_hi", "plies_mean"
		for (s = 100; s <= 400; s *= 4) for (r = 1; r <= 400; r++) {
			d = 0.5 + spread * normal() + 0.03 * normal()
			print s, "r" r, 250, d, d - 1.96 * 0.03, d + 1.96 * 0.03, 0.5, 0.45, 0.55, 100 } }'
}
simulate 0.06 | pipelines/study/information -v drawn_plies=20 -v drawn_times=4 >"$scratch/apart"
simulate 0 | pipelines/study/information >"$scratch/alike"
cat "$scratch/apart" "$scratch/alike" >"$log"
awk -F '\t' '$1 == "draw_rate" && !($7 > 0.053 && $7 < 0.067 && $8 < 0.06 && $9 > 0.06) { bad = 1 } END { exit bad || NR != 5 }' "$scratch/apart"
report $? "the spread of the rule sets, without the part due to errors"
awk -F '\t' '$1 == "draw_rate" && !($7 < 0.015 && $8 == 0) { bad = 1 } END { exit bad || NR != 5 }' "$scratch/alike"
report $? "rule sets that differ by errors alone have next to none"
# A game of 100 plies thinks four times as long about the first 20: 160 times the budget.
# Its variance is that of 250 games, 250 times; 1,000 million nodes buy 1e9/(400 x nodes) games of each.
awk -F '\t' 'NR > 1 && $1 == "draw_rate" { n = 1e9 / ($3 * $5); want = $7 / sqrt($6 / n)
    if ($3 != 400 || $5 != 160 * $2 || $6 < 0.2249 || $6 > 0.2251 || $10 / want < 0.999 || $10 / want > 1.001) bad = 1 } END { exit bad }' "$scratch/apart"
report $? "nodes and variance of a game, and the signal of 1,000 million nodes"
finish
