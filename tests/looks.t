#!/bin/bash
# The bounds by which rulelab compare stops: how often games of two rule sets that are
# alike are told apart, over all looks, and how early those that differ are.

. "$(dirname "$0")/tap.sh"

# The bounds that it uses, and those of its --help.
bounds=$(sed -n 's/^bounds=(\(.*\))$/\1/p' pipelines/compare)
test "$(wc -w <<<"$bounds")" -eq 5 &&
    awk -v a="$bounds" -v b="$(pipelines/compare --help | tr '\n' ' ' | grep -oE 'of cases: [0-9., ]+' | tr -d 'a-z:,' | sed 's/\. *$//')" 'BEGIN { n = split(a, x, " "); m = split(b, y, " ")
    for (i = 1; i <= n; i++) if (y[i] <= 0 || x[i] / y[i] < 0.95 || x[i] / y[i] > 1.05) bad = 1; exit bad || n != 5 || m != 5 }'
report $? "five bounds, as --help says"

# simulate RATE RATE BOUND ...: of 4,000 runs with 200 games of each, the share in which the
# two are told apart, and the mean number of games played
simulate() {
	awk -v p="$1" -v q="$2" -v bounds="${*:3}" 'function tail(z) {	# of the normal distribution, both sides
		t = 1 / (1 + 0.2316419 * z)
		return 2 * 0.3989423 * exp(-z * z / 2) * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))) }
	    BEGIN { srand(11); split(bounds, bound, " ")
		for (run = 1; run <= 4000; run++) { a = b = 0
			for (look = 1; look <= 5; look++) {
				for (i = 0; i < 40; i++) { a += rand() < p; b += rand() < q }
				n = 40 * look; m = (a + b) / (2 * n); z = m * (1 - m) > 0 ? (a - b) / n / sqrt(2 * m * (1 - m) / n) : 0
				if (tail(z < 0 ? -z : z) < bound[look]) { apart++; break } }
			played += look > 5 ? 200 : n }
		print apart / 4000, played / 4000 }'
}
# shellcheck disable=SC2086
read -r wrong games < <(simulate 0.3 0.3 $bounds)
echo "$wrong of runs are wrong, $games games" >"$log"
awk -v w="$wrong" 'BEGIN { exit !(w > 0.035 && w < 0.06) }'
report $? "rule sets that are alike are told apart in 5 % of runs, over all looks ($wrong)"
read -r naive _ < <(simulate 0.3 0.3 0.05 0.05 0.05 0.05 0.05)
awk -v w="$naive" 'BEGIN { exit !(w > 0.11) }'
report $? "which p below 0.05 at any look would not keep ($naive)"
# shellcheck disable=SC2086
read -r found games < <(simulate 0.2 0.5 $bounds)
awk -v f="$found" -v g="$games" 'BEGIN { exit !(f > 0.99 && g < 130) }'
report $? "those that differ by 30 points are told apart in $games games on average, not 200"
finish
