#!/bin/bash
# The variance between nets, by simulation with a known truth: what is estimated of it,
# how often intervals hold the truth, and how often rule sets that are alike are told
# apart.

. "$(dirname "$0")/tap.sh"
between=pipelines/study/between

# world NETS RULES OWN BOTH ERROR DIFFERENCE: 1600 runs, as budgets, in which each of NETS nets has
# an effect of its own, of standard deviation OWN, and one on each of RULES rule sets, BOTH;
# games add ERROR. The truth is 0.5 for all rule sets but the first, which is DIFFERENCE
# more. Writes nets.tsv and the table of the pooled games.
world() {
	awk -v nets="$1" -v rules="$2" -v own="$3" -v both="$4" -v error="$5" -v difference="$6" -v seed="$7" \
	    -v to="$scratch/nets.tsv" -v table="$scratch/table.tsv" '
	    function normal(    i, s) { for (i = s = 0; i < 12; i++) s += rand(); return s - 6 }
	    BEGIN { OFS = "\t"; srand(seed); print "budget", "measure", "item", "net", "games", "value", "se" >to
		print "budget", "rules", "score", "score_lo", "score_hi", "end" >table
		for (b = 1; b <= 1600; b++) {
			for (k = 1; k <= nets; k++) a[k] = own * normal()
			for (r = 1; r <= rules; r++) {
				m = 0
				for (k = 1; k <= nets; k++) {
					x = 0.5 + (r == 1 ? difference : 0) + a[k] + both * normal() + error * normal()
					m += x / nets
					if (nets > 1) print b, "score", "r" r, k, 100, x, error >to
				}
				s = 1.96 * error / sqrt(nets)
				print b, "r" r, m, m - s, m + s, "e" >table
			} } }'
}
# share CONDITION: of the rows of the widened table
share() {
	$between "$scratch/nets.tsv" score <"$scratch/table.tsv" |
	    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	    { n++; hit += $at["score_lo"] <= 0.5 && 0.5 <= $at["score_hi"]; v += $at["score_between"] ^ 2 }
	    END { printf "%.4f %.6f\n", hit / n, v / n }'
}
# within X LO HI
within() { awk -v x="$1" -v lo="$2" -v hi="$3" 'BEGIN { exit !(x >= lo && x <= hi) }'; }

seed=0
while read -r nets rules own both error lo hi; do
	seed=$((seed + 1))
	world "$nets" "$rules" "$own" "$both" "$error" 0 $seed
	read -r covered variance < <(share)
	within "$covered" "$lo" "$hi"
	report $? "$nets nets, $rules rule sets, $own $both beside $error: intervals of 95 % hold the truth in $covered"
	# Estimates below zero are taken for zero, so the mean is a little above the truth.
	if [ "$own$both" != 00 ]; then
		within "$variance" "$(awk "BEGIN { print 0.93 * ($own ^ 2 + $both ^ 2) }")" "$(awk "BEGIN { print 1.25 * ($own ^ 2 + $both ^ 2) }")"
		report $? "and the variance between nets is estimated as $variance"
	fi
done <<'END'
3 10 0 0 0.02 0.945 0.985
3 10 0.02 0.02 0.02 0.925 0.98
3 10 0.04 0 0.01 0.91 0.98
3 10 0 0.04 0.01 0.925 0.975
3 1 0.02 0.02 0.02 0.93 0.985
2 10 0.02 0.02 0.02 0.91 0.985
END

# One net: the table as it was, and no number where there is none.
world 1 10 0.02 0.02 0.02 0 9
$between "$scratch/nets.tsv" score <"$scratch/table.tsv" >"$scratch/one.tsv"
diff <(cut -f 1-6 "$scratch/one.tsv") "$scratch/table.tsv" >"$log" && awk -F '\t' 'NR == 1 { ok = $7 == "nets" && $8 == "score_between" }
    NR > 1 && ($7 != 1 || $8 != "") { ok = 0 } END { exit !ok }' "$scratch/one.tsv"
report $? "one net cannot tell: nothing is changed, and nothing is claimed"

# replicate: differences from the second rule set; the share of runs in which any that is
# none is found (Holm), the share in which the first is found, and with that sign by all
replicate() {
	$between -v base=r2 "$scratch/nets.tsv" score </dev/null | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	    $at["p_holm"] < 0.05 { if ($at["rules"] == "r1") found++; else wrong[$at["budget"]] }
	    $at["rules"] == "r1" { n++; agree += $at["agree"] == $at["nets"] }
	    END { for (b in wrong) errors++; printf "%.4f %.4f %.4f\n", errors / n, found / n, agree / n }'
}
for effects in '0 0' '0.04 0' '0 0.03' '0.03 0.03'; do
	# shellcheck disable=SC2086
	world 3 10 $effects 0.02 0 11
	read -r errors found agree < <(replicate)
	within "$errors" 0 0.065 && within "$agree" 0.15 0.35
	report $? "effects of nets $effects: rule sets that are alike are told apart in $errors of runs, with the sign of all nets in $agree"
	# shellcheck disable=SC2086
	world 3 10 $effects 0.02 0.2 12
	read -r errors found agree < <(replicate)
	within "$found" 0.9 1 && within "$agree" 0.95 1
	report $? "and one that differs by much is found in $found of runs"
done
finish
