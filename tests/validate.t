#!/bin/bash
# rulelab validate: verdicts in a made-up world whose truth is known; a run of seconds,
# which is the same again, and continues.

. "$(dirname "$0")/tap.sh"
needs parallel jq zstd
export PARALLEL_HOME=$scratch/parallel
mkdir "$PARALLEL_HOME"
unset PARALLEL
here=pipelines/validate

# ---- the claims ----

awk -F '\t' 'NR == 1 { exit !($0 == "id\tclaim\tsource\tmeasure\texpected\ttolerance") }' $here/claims.tsv &&
    awk -F '\t' 'NR > 1 && (NF != 6 || seen[$1]++ || $2 == "" || length($3) < 8 || $5 !~ /^[<>]?-?[0-9.]+$/ || ($6 == "") != ($5 ~ /^[<>]/)) { print; bad = 1 }
    END { exit bad || NR < 30 }' $here/claims.tsv >"$log"
report $? "each claim has a source, a measure, and what it expects"
test "$(awk -F '\t' 'NR > 1 { sub("/.*", "", $4); print $4 }' $here/claims.tsv | sort -u | xargs)" = \
    'arrays-chess arrays-mean arrays-ratio arrays-spread arrays-stockfish arrays-white board-5x5 check-value divergence draws-less draws-rise entropy odds score special value'
report $? "all kinds of measures are claimed"
! awk -F '\t' 'NR > 1 && $3 ~ /issue/' $here/claims.tsv | grep -qvE 'no publication found|the aim of this project' && ! cut -f 3 $here/claims.tsv | grep -qx 'the same'
report $? "where a number has no publication the source says so"
# The study's own numbers are those of published.tsv.
awk -F '\t' 'FNR == NR { theirs[$1, $2] = $3; next } $4 ~ /^score\/(classical|no-|pawn|stalemate|torpedo|semi|self)/ { n++; split($4, f, "/"); if (theirs["score-1", f[2]] != $5) bad = 1 }
    $4 ~ /^special/ { n++; split($4, f, "/"); if (theirs["special-games", f[2] "/" f[3]] != $5) bad = 1 } $4 ~ /^value/ { n++; split($4, f, "/"); if (theirs[f[2], f[3]] != $5) bad = 1 }
    $4 ~ /^divergence/ { n++; split($4, f, "/"); if (theirs["divergence", f[2] "/" f[3]] != $5) bad = 1 }
    $4 ~ /^entropy/ { n++; k = split($4, f, "/"); if (theirs[k > 2 ? "entropy-first" : "entropy", k > 2 ? f[2] "/" f[3] : f[2]] != $5) bad = 1 } END { exit bad || n != 81 }' \
    pipelines/study/published.tsv $here/claims.tsv
report $? "those of the published study have its numbers"

# ---- verdicts ----

printf '%s\n' 'id claim source measure expected tolerance' 'a A S m 0.5 0.1' 'b B S n 0.5 0.1' 'c C S o 0.5 0.1' 'd D S p 0.5 0.1' 'e E S q >0 ' 'f F S r <0 ' 'g G S s >0 ' |
    tr ' ' '\t' >"$scratch/claims"
printf '%s\n' 'measure value lo hi note' 'm 0.5 0.45 0.55 x' 'n 0.7 0.65 0.75 x' 'o 0.55 0.45 0.65 x' 'q 0.1 0.01 0.2 x' 'r 0.1 0.01 0.2 x' 's 0.1 -0.1 0.2 x' |
    tr ' ' '\t' >"$scratch/measured"
test "$($here/judge "$scratch"/{claims,measured} | awk -F '\t' 'NR > 1 { printf "%s:%s ", $2, $1 }')" = 'b:missed f:missed c:open g:open a:holds e:holds d:skipped '
report $? "misses first, then what is open, what holds, and what was not measured"
"$BIN/rulelab" validate -c "$scratch/claims" -m "$scratch/measured" -d "$scratch/judged" >"$log" 2>&1 &&
    grep -q '^2 of 7 claims are missed, 2 open, 2 hold, 1 not measured' "$log" &&
    test "$(grep -oE '^<section class="[a-z]+"|^<tr id="[a-z]"' "$scratch/judged/page.html" | cut -d '"' -f 2 | xargs)" = 'missed b f open c g holds a e skipped d' &&
    tail -n 1 "$scratch/judged/page.html" | grep -q '</html>' && ! grep -qE 'https?://|src=' "$scratch/judged/page.html"
report $? "one page, which needs no other file"

# A world with 3,000 claims of each kind; the truth is 0.5, measured with an error of 0.02:
# claims that are right by a wide margin, right at the edge, wrong at the edge, far off, and
# two about the sign.
awk -v claims="$scratch/many" -v measured="$scratch/found" 'function normal(    i, s) { for (i = s = 0; i < 12; i++) s += rand(); return s - 6 }
    BEGIN { OFS = "\t"; srand(3); print "id", "claim", "source", "measure", "expected", "tolerance" >claims; print "measure", "value", "lo", "hi", "note" >measured
	k = split("wide 0.5 0.2|edge 0.45 0.05|off 0.9 0.1|more >0.5 |less <0.3 ", kind, "|")
	for (i = 1; i <= k; i++) for (j = 1; j <= 3000; j++) { n = split(kind[i], f, " "); m = f[1] "-" j
		print m, "c", "s", m, f[2], (n > 2 ? f[3] : "") >claims
		x = 0.5 + 0.02 * normal(); print m, x, x - 1.96 * 0.02, x + 1.96 * 0.02, "" >measured } }'
$here/judge "$scratch"/{many,found} | awk -F '\t' 'NR > 1 { sub(/-.*/, "", $2); print $2, $1 }' | sort | uniq -c >"$log"
# of KIND VERDICT: how many
of() { awk -v k="$1" -v v="$2" '$2 == k && $3 == v { n = $1 } END { print n + 0 }' "$log"; }
test "$(of wide holds)" -eq 3000 && test "$(of off missed)" -eq 3000 && test "$(of less missed)" -eq 3000
report $? "claims that are right, or wrong, by much are told so"
# At the edge an interval of 95 % lies outside in 2.5 % of cases, and inside in as many.
for pair in 'edge missed' 'edge holds' 'more missed' 'more holds'; do
	# shellcheck disable=SC2086
	test "$(of $pair)" -gt 45 && test "$(of $pair)" -lt 108
	# shellcheck disable=SC2086
	report $? "at the edge: $pair in 2.5 % of cases ($(of $pair) of 3000)"
done

# ---- a run ----

printf '%s\n' 'id|claim|source|measure|expected|tolerance' 'a|A|S|score/atomic|0.5|0.5' 'b|B|S|draws-less/torpedo/classical|<0|' 'c|C|S|arrays-mean|0.5|0.2' 'd|D|S|odds/WD/N|3|1' \
    'e|E|S|check-value/1|>-99|' 'f|F|S|arrays-stockfish|>0|' 'j|J|S|arrays-white|>0.9|' 'k|K|S|arrays-ratio|0.4|0.1' 'g|G|S|dreams|1|1' 'h|H|S|special/torpedo/torpedo|0.5|0.5' 'i|I|S|draws-rise/classical|>0|' \
    'l|L|S|entropy/torpedo|20|5' 'm|M|S|entropy/classical/e4|20|5' 'n|N|S|divergence/classical/torpedo|10|5' 'o|O|S|board-5x5|0.5|0.1' 'p|P|S|value/queen/torpedo|7|1' | tr '|' '\t' >"$scratch/few"
mkdir -p "$scratch/one/odds" && printf 'piece\tvalue\tvalue_lo\tvalue_hi\nWD\t3\t2.7\t3.3\nN\t3\t2.7\t3.3\n' >"$scratch/one/odds/odds.tsv"	# odds.t plays such games
run() { "$BIN/rulelab" validate -S quick -j 2 -e no-such-engine -c "$scratch/few" -d "$scratch/$1" "${@:2}" >"$log" 2>&1; }
run one
report $? "a run of seconds"
awk -F '\t' 'NR > 1 { print $2, $1, ($8 != "") + ($9 != "") + ($10 != "") }' "$scratch/one/verdicts.tsv" | sort >"$scratch/got"
cut -d ' ' -f 1,3 "$scratch/got" | diff - <(printf '%s\n' 'a 3' 'b 3' 'c 3' 'd 3' 'e 3' 'f 0' 'g 0' 'h 3' 'i 3' 'j 3' 'k 3' 'l 3' 'm 3' 'n 3' 'o 0' 'p 0') >"$log" &&
    grep -q '^f skipped' "$scratch/got" && grep -q 'no-such-engine is not installed' "$scratch/one/verdicts.tsv" && grep -q 'no such measure' "$scratch/one/verdicts.tsv"
report $? "numbers with intervals, and reasons where there are none"
diff <(awk -F '\t' '$1 == "score/atomic" { print $2, $3, $4 }' "$scratch/one/measured.tsv") \
    <("$BIN/drawstats" --distinct "$scratch/one/games/60/atomic.jsonl.zst" | jq -r '"\(.score) \(.score_lo) \(.score_hi)"') >"$log" &&
    test "$(awk -F '\t' 'NR > 1 { n++; s += $5 } END { printf "%.6f", s / n }' "$scratch/one/arrays.tsv")" = \
    "$(awk -F '\t' '$1 == "arrays-mean" { printf "%.6f", $2 }' "$scratch/one/measured.tsv")"
report $? "scores are what drawstats says, and arrays what arrays says"
awk -F '\t' 'FNR == NR { if (FNR > 1) { n++; x[n] = $5 - 0.5; m += x[n]; k += x[n] > 0 } next }
    $1 == "arrays-white" { white = $2 } $1 == "arrays-ratio" { ratio = $2 }
    END { m /= n; for (i = 1; i <= n; i++) q += (x[i] - m) ^ 2; d = ratio - sqrt(q / (n - 1)) / m; exit !(sprintf("%.6f", white) == sprintf("%.6f", k / n) && d * d < 1e-6) }' "$scratch/one/arrays.tsv" "$scratch/one/measured.tsv"
report $? "so are the share that is better for White, and the ratio"
test "$(awk -F '\t' '$1 == "entropy/torpedo" { print $2 }' "$scratch/one/measured.tsv")" = \
    "$("$BIN/priorwalk" -q -N prior -r torpedo -s 1 --lines 20 --plies 20 | "$BIN/entropy" -q | tail -n 1 | jq .h)" &&
    grep -q 'boards have 8 × 8' "$scratch/one/verdicts.tsv" && grep -qE '^value/queen/torpedo.*(determine|nodes)' "$scratch/one/measured.tsv"
report $? "entropies are what entropy says; what cannot be measured says why"
best=$(tail -n +2 "$scratch/one/arrays.tsv" | sort -t "$(printf '\t')" -k 5,5gr -s | head -n 1 | cut -f 2)
worst=$(tail -n +2 "$scratch/one/arrays.tsv" | sort -t "$(printf '\t')" -k 5,5g -s | head -n 1 | cut -f 5 | awk '{ printf "%.1f", 100 * $1 }')
grep '<section class="arrays">' -A 7 "$scratch/one/page.html" | grep '<tr><td>1<' | grep -q ">$best<" &&
    grep '<tr><td>' "$scratch/one/page.html" | tail -n 1 | grep -q ">$worst %<" && test "$(grep -c '^<tr><td>' "$scratch/one/page.html")" -eq 12
report $? "the page has the arrays that are best and worst for White"
# The value of a WD over that of the knight, with relative errors added up as squares; the odds are made up.
cp -r "$scratch/one" "$scratch/worth" && rm "$scratch/worth/measures/odds-WD-N"
printf 'piece\tvalue\tvalue_lo\tvalue_hi\nWD\t3\t2.7\t3.3\nN\t4\t3.6\t4.4\n' >"$scratch/worth/odds/odds.tsv"
run worth && awk -F '\t' '$1 == "odds/WD/N" { found = $2 == 0.75 && $3 > 0.6439 && $3 < 0.6440 && $4 > 0.8560 && $4 < 0.8561 } END { exit !found }' "$scratch/worth/measured.tsv"
report $? "pieces beside those that they replace"
cp -r "$scratch/one" "$scratch/two"
rm -r "$scratch"/two/{verdicts.tsv,page.html,measured.tsv,arrays.tsv,checks.tsv} "$scratch"/two/measures/{arrays-mean,check-value-1,score-atomic} "$scratch"/two/games/60/atomic*
run two && cmp "$scratch"/{one,two}/verdicts.tsv >>"$log" && cmp "$scratch"/{one,two}/page.html >>"$log" && test "$(grep -c '^validate: [0-9]' "$log")" -eq 3
report $? "a run that was interrupted continues, and gives the same bytes"
! run two -s 2 && grep -q 'other settings' "$log"
report $? "another seed is another folder"
! "$BIN/rulelab" validate -S soon >"$log" 2>&1 && grep -q 'quick or evening' "$log"
report $? "other scales are refused"
finish
