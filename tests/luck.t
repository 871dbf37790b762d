#!/bin/bash
# luck, by simulation with a known truth: games of two drawn moves whose values are the
# expected results, or say nothing of them.

. "$(dirname "$0")/tap.sh"
needs jq

# games N RUNS GAIN: N games each of RUNS rule sets, which differ in nothing that matters. Either
# side draws between moves of the values 0.3 and -0.3, and the result depends GAIN times on
# these values.
games() {
	awk -v n="$1" -v runs="$2" -v gain="$3" -v t=0.5 'BEGIN { srand(4)
	    split("a2a3 h2h4", one, " "); split("a7a6 h7h5", two, " ")
	    w = exp(0) / (exp(0) + exp(-0.6 / t))	# of the better move
	    for (run = 1; run <= runs; run++) for (i = 1; i <= n; i++) {
		a = rand() < w ? 1 : 2; b = rand() < w ? 1 : 2
		va = a == 1 ? 0.3 : -0.3; vb = b == 1 ? 0.3 : -0.3
		p = 0.5 + gain * (va - vb) / 2
		result = rand() < p ? "1-0" : "0-1"
		printf "{\"v\":1,\"rules\":{\"ply_limit\":%d},\"moves\":\"%s %s b1c3\",\"result\":\"%s\",\"end\":\"unknown\",\"search\":[{\"value\":0.3,\"draw\":0.2,\"scores\":{\"a2a3\":0.3,\"h2h4\":-0.3}},{\"value\":0.3,\"draw\":0.2,\"scores\":{\"a7a6\":0.3,\"h7h5\":-0.3}},{\"value\":%.3f,\"draw\":0.2,\"scores\":{\"b1c3\":0}}]}\n",
		    run + 1000, one[a], two[b], result, va - vb
	    } }'
}
# summary: rows, the share whose interval of 95 % has the truth, corrected or not, the mean
# of the corrected scores, and of needed
summary() {
	pipelines/study/luck -t 0.5 -e 2 | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["measure"] == "score" {
	    n++; d = $at["corrected"] - 0.5; c += d * d <= (1.96 * $at["corrected_se"]) ^ 2; d = $at["mean"] - 0.5; p += d * d <= (1.96 * $at["se"]) ^ 2; m += $at["corrected"]; needed += $at["needed"]; best += $at["best"] }
	    END { printf "%d %.4f %.4f %.4f %.3f %.3f\n", n, c / n, p / n, m / n, needed / n, best / n }'
}
within() { awk -v x="$1" -v lo="$2" -v hi="$3" 'BEGIN { exit !(x >= lo && x <= hi) }'; }

read -r rows covered plain mean needed best < <(games 60 300 1 | summary)
echo "$rows $covered $plain $mean $needed $best" >"$log"
test "$rows" -eq 300 && within "$covered" 0.92 0.975 && within "$plain" 0.92 0.975
report $? "intervals of 95 % hold the truth in $covered of runs with the correction, and in $plain without"
within "$mean" 0.492 0.508
report $? "the correction is unbiased: $mean"
# The variance of a result is 1/4, and that of the luck is twice 0.3^2 w (1 - w).
want=$(awk 'BEGIN { w = 1 / (1 + exp(-1.2)); print 1 - 2 * 0.09 * w * (1 - w) / 0.25 }')
within "$needed" "$(awk "BEGIN { print $want - 0.02 }")" "$(awk "BEGIN { print $want + 0.02 }")" && within "$best" "$(awk "BEGIN { print $want - 0.04 }")" "$(awk "BEGIN { print $want + 0.02 }")"
report $? "values that are right save what they explain: $needed, by calculation $want"
read -r rows covered plain mean needed best < <(games 60 300 0 | summary)
echo "$rows $covered $plain $mean $needed $best" >"$log"
within "$mean" 0.492 0.508 && within "$covered" 0.92 0.975 && within "$needed" 1.05 1.3 && within "$best" 0.96 1
report $? "values that say nothing cost games, but no truth: $mean, $needed"

printf 'rules\tsims\tgames\tcopies\nclassical\t2000\t95\t5\ntorpedo\t2000\t90\t10\n' >"$scratch/outcomes"
test "$(pipelines/study/copies "$scratch/outcomes" | cut -d , -f 1)" = '*** torpedo'
report $? "copies are told where they are more than 5 %"
finish
