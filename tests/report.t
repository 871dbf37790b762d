#!/bin/bash
# The report on a study, made of a small study with made-up numbers and the
# games in tests/data/games.jsonl, and opened in a real browser at the width of a
# desk and of a phone: data/report/check.js plays through the games there and
# looks at every position. What the browser runs is the page itself and, in
# two frames beside each other, what checks it.

. "$(dirname "$0")/tap.sh"
export LC_ALL=C.UTF-8
report=$PWD/pipelines/study/report/report
data=$PWD/tests/data/report
export PUBLISHED=$data/published.tsv STRENGTH=$data/strength.jsonl
needs jq base64
cd "$scratch" || exit 1

# same WANT GOT NAME
same() {
	echo "got '$2', want '$1'" >log
	test "$1" = "$2"
	report $? "$3"
	: >log
}

# ---- a study ----

name='<b id=evil>"&'\'
figures=(outcomes compare-draw-1 compare-draw-2 compare-score-1 compare-score-2
    openings special entropy-histogram entropy-first-histogram candidates
    candidates-first divergence-histogram additional values firstmoves lengths
    agreement ladder training entropy-histogram-torpedo "candidates-$name")
cp -r "$data" out
mkdir -p out/figures out/games/2
for figure in "${figures[@]}"; do
	echo '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><circle r="9"/></svg>' \
	    >"out/figures/$figure.svg"
done

jq -c '{v: 1, id, rules: (.rules | join("+")), start: .start_fen, moves: (.uci | join(" ")),
    result: (.result // "*")}' "$root/tests/data/games.jsonl" >games
jq -r .rules games | sort -u >sets
while read -r rules; do
	jq -c --arg rules "$rules" 'select(.rules == $rules)' games >"out/games/2/$rules.jsonl.zst"
	grep -q "^$rules	" out/rules.tsv ||
	    printf '%s\t%s\t0\t%s\n' "$rules" "$rules" "$rules" >>out/rules.tsv
done <sets
echo '{"v":1,"rules":{"name":"mine","pawn_sideways":true,"castling_from":5},
    "moves":"e2e4 e7e5 e4f4 e5f4","result":"*"}' | tr -d '\n' >"out/games/2/$name.jsonl.zst"
# The same with the rule sets of its tables alone, where no more is asked for.
cp -r out few
cp "$data/rules.tsv" few/rules.tsv

# ---- the page ----

"$report" out >page.html 2>said
same 0 $? "a report is made"
same '' "$(cat said)" "nothing is missing"
size=$(wc -c <page.html)
test "$size" -gt 100000 && test "$size" -lt 6000000
report $? "it has less than 6 MB"
same '' "$(grep -oiE '(src|href|action|data|xlink:href)="[^"]{0,30}|url\([^)]*|@import.{0,20}' page.html |
    grep -viE '="(#|data:)|^data="' | head -n 3)" "it needs no other file"
same '' "$(sed -e 's/xmlns="[^"]*"//g' -e 's/data:image[^"]*//g' page.html |
    grep -oE "https?://[^\"']{0,30}" | grep -v '^http://www.w3.org/' | head -n 3)" "and no network"
grep -qE '&lt;b id=evil&gt;&quot;&amp;&(#39|apos);' page.html && ! grep -qF "$name" page.html
report $? "a rule set's name is escaped"
! grep -q '<script>window.pwned\|<img src=x' page.html
report $? "and so is what run.json says"
same 2 "$("$report" nowhere >/dev/null 2>&1; echo $?)" "no folder: the command line is wrong"

# Half of the torpedo games at the first budget are worth three quarters or a quarter; and
# of what is said to differ, not all stands.
cp -r few parts
printf 'torpedo\tdraw_rate\t-0.1\t0.01\t-0.1\t0.1\topen\tsame\ntorpedo\tentropy\t-9\t\t\t\topen\tuntold\n' >>parts/tables/findings.tsv
printf 'torpedo\tprior\tdouble_step\n' >>parts/tables/untold.tsv
awk -F '\t' -v OFS='\t' 'NR == 1 { print $0, "p_draw_holm", "p_score_holm"; next } { print $0, $4 == "torpedo" ? 0.01 : 0.9, 0.9 }' out/tables/compare.tsv >parts/tables/compare.tsv
awk -F '\t' -v OFS='\t' 'NR == 1 { print $0, "part_wins", "part_losses", "part_points"; next }
    $1 == 1 && $3 == "torpedo" { $6 -= 5; print $0, 4, 1, 3.25; next } { print $0, 0, 0, 0 }' out/tables/outcomes.tsv >parts/tables/outcomes.tsv
sed -i 's/"result":"[^"]*"/"result":"1\/2-1\/2","points":0.75/' parts/games/2/torpedo.jsonl.zst
"$report" parts >parts.html 2>said
same 'part of a point, more to White 40.0 %, drawn 30.0 %, part of a point, more to Black 10.0 %' \
    "$(grep -oE 'part of a point, more to White [^"]*to Black [0-9.]+.%' parts.html | head -n 1 | sed 's/[^ -~]*%/ %/g')" "games worth a part of a point are no draws in the bars"
grep -q '>Part of a point, more to White<' parts.html && ! grep -q '>Part of a point, more to White<' page.html
report $? "they have columns of their own where there are any"
grep -qi '0.75 points to White by' parts.html
report $? "and so are games to play through"

# ---- what is claimed ----

# Torpedo has fewer draws, but not from the same lines, and more of a score, but not at the longer budget; the
# prior was never told its rules.
mkdir told
cat >told/make <<'END'
outcomes|budget rules draw_rate score|1 classical .5 .5|1 torpedo .3 .6|1 mine .2 .7|2 classical .5 .5|2 torpedo .4 .45|2 mine .3 .8
compare|budget a b p_draw_holm p_score_holm|1 torpedo classical .01 .01|1 mine classical .001 .2|2 torpedo classical 1 1
paired|a b draw_diff score_diff|torpedo classical .02 .1|mine classical -.2 .1
entropy|prior rules h|net classical 30|net torpedo 25|net mine 31
floor|rules h h_second|classical 30 30|torpedo 25 26|mine 31 29
untold|rules net fields|torpedo prior double_step|mine player knight
END
while IFS='|' read -r table rows; do
	tr '| ' '\n\t' <<<"$rows" >"told/$table.tsv"
done <told/make
same 'torpedo draw_rate open same
torpedo score open longer
torpedo entropy open untold
mine draw_rate less
mine score open few
mine entropy open floor
mine values open untold
mine/classical extremes-draw_rate less
classical/mine extremes-score less' "$("$root/pipelines/study/findings" told | awk -F '\t' 'NR > 1 { print $1, $2, $7 ($8 == "" ? "" : " " $8) }')" \
    "findings stand at the longer budget, from the same openings, and by a net that knows the rules"

grep -q '>not so from the same openings<' parts.html && grep -q '>not known: the net was never told these rules<' parts.html && ! grep -q 'narrower openings' parts.html
report $? "a difference that does not stand is no finding, and the reason is said"
grep -q 'The prior was never told these rules: Torpedo (double_step)' parts.html && ! grep -q 'The prior was never told' page.html
report $? "what the prior was never told is said where its lines are"
test "$(grep -o 'data-side="[a-z]*"' parts.html | sort -u | xargs)" = 'data-side=less data-side=more data-side=open' && ! grep -q 'data-side="open"' page.html
report $? "pairs that do not differ after adjustment have no colour"
! grep -qE '± 0\.00<' page.html
report $? "no error is printed as zero"

# Torpedo openings are made narrower by far. This page has no noise floor, and two
# below have one that agrees, and one that does not.
awk -F '\t' -v OFS='\t' '$1 == "net" && $2 == "torpedo" { $5 -= 9 } { print }' out/tables/entropy.tsv >few/tables/entropy.tsv
cp -r few less
sed -i '2,$d' less/tables/floor.tsv
rm less/tables/values.tsv less/figures/special.svg less/tables/mainlines.jsonl
STRENGTH=/nowhere "$report" less >less.html 2>said
same 1 $? "what is missing shows in the exit status"
same 3 "$(grep -c 'is missing$' said)" "and is named"
grep -q 'This figure was not made' less.html && grep -q '</html>' less.html
report $? "and the page is whole all the same"

# ---- what it says, counted once more ----

# all same opposite open: an order is told from chance by interval and p
orders=$(awk -F '\t' 'NR > 1 {
	if ($6 < 0.05 && $4 > 0) same++
	else if ($6 < 0.05 && $5 < 0) opposite++
	else open++
} END { print NR - 1, same + 0, opposite + 0, open + 0 }' out/tables/agreement.tsv)
same "$orders" "$(sed -n 's/.*<li>Of \([0-9]*\) measures, \([0-9]*\) put .* study.s, \([0-9]*\) into .*, and \([0-9]*\) cannot be distinguished from chance.*/\1 \2 \3 \4/p' page.html)" \
    "measures in the study's order, the opposite, or none"
# draw rates of the study are levels, not numbers
inside=$(awk -F '\t' 'NR > 1 && $1 !~ /^draw-rate/ && $4 != "" { n++; if ($4 <= $6 && $6 <= $5) k++ }
    END { print n, k }' out/tables/agreement-data.tsv)
same "$inside" "$(sed -n 's/.*<li>Of .* single numbers\(.*\)/&/p' page.html |
    sed 's/.*the study.s \([0-9]*\) single numbers \([0-9]*\) lie.*/\1 \2/')" "the study's numbers within our intervals"
drawn=$(awk -F '\t' 'NR > 1 && $1 == 2 { rate[$3] = $8 } NR > 1 && $1 == 1 { first[$3] = $8 }
    END { for (r in first) { n++; k += rate[r] > first[r] } print k + 0, n }' out/tables/outcomes.tsv)
same "$drawn" "$(sed -n 's/.*first budget to the second in \(all\|none of\|[0-9]* of\) \([0-9]*\);.*/\1 \2/p' page.html |
    sed 's/^none of/0/; s/ of//; s/^all \(.*\)/\1 \1/')" "rule sets with more draws at the longer budget"
same "$(awk -F '\t' '$3 == 20 && $5 == "inf"' out/tables/divergence.tsv | wc -l)" \
    "$(sed -n '/id="table-divergence"/,/<\/table>/p' page.html | grep -c '<td class="n">∞<')" "what is infinite is shown as such"

grep -q '<li>Fewest draws: .*The rule sets differ (p = 0.011)' page.html &&
    grep -q "<li>White’s score: these games cannot tell the rule sets apart (p = 0.75); a difference of five points would show in 302 games of each" page.html
report $? "a headline only where the test of homogeneity is passed, else how many games"
grep -q 'Your rule against chess: &lt;b id=evil' page.html &&
    grep -q 'Castling is legal only from move 5 on. Pawns may also step one square left or right.' page.html
report $? "the first screen is about the user's own rule set"

# ---- the player, the floor, themes ----

# cell TABLE ROW N: what it says
cell() { sed -n "/id=\"table-$1\"/,/<\/table>/p" page.html | grep "scope=\"row\">$2<" | sed 's/<\/td>/\n/g' | sed -n "$3p" | sed 's/<td[^>]*>//; s/.*<\/th>//; s/<[^>]*>//g'; }

grep -q 'In classical chess at 500 nodes a move it loses to Stockfish &lt;99&gt; at 1,000 nodes (−240 <span class="ci">± 59</span> Elo)\.' page.html
report $? "how strong this net is, on top of the page, in a sentence"
sed -n '/id="table-matches"/,/<\/table>/p' page.html | grep -c '<tr><th scope="row">Stockfish &lt;99&gt;</th><td class="n">1,000</td><td class="n">\(500</td><td class="n">200</td><td class="n">−240\|4,000</td><td class="n">200</td><td class="n">+60\) ' >said
same 2 "$(cat said)" "all matches that are known of it are folded away"
! grep -q '9,000\|999 ' page.html
report $? "what is known of other nets is not said"
# A net of former days, and a rule that it knows nothing of.
cp -r few old
jq --arg net "$root/nets/tower/tower.onnx" '.net.games = $net | .budgets[0].sims = 1000' out/run.json >old/run.json
sed -i 's/"castling_from":5/"castling_from":5,"knight":"fNbW"/' "old/games/2/$name.jsonl.zst"
# floor SECOND: torpedo's entropy by the second net is changed by this
floor() { awk -F '\t' -v OFS='\t' -v by="$1" '$1 == "torpedo" { $4 -= 9; $5 += by } { print }' out/tables/floor.tsv >old/tables/floor.tsv; }
# choice PAGE: what the card of torpedo says of its openings
choice() {
	sed -n '/id="table-card-torpedo"/,/<\/table>/p' "$1" | sed -n 's/.*Opening choice.*class="verdict">\([^<]*\)<.*/\1/p'
}
# ends A B: who is named in a sentence when the study had so many nodes and these were the matches
ends() {
	printf '%s\n' "$@" | jq -c '{rules: "classical", a: "default", id_a: "0123456789abcdef", b: "uci:stockfish", id_b: "S", games: 200,
	    sims_a: .[0], sims_b: .[1], elo: .[2], elo_se: 10}' >strength
	STRENGTH=$PWD/strength "$report" old 2>/dev/null >old.html
	grep -o 'In classical chess at .* Elo)\.' old.html | sed 's/<[^>]*>//g'
}
floor -8
same 'In classical chess at 900 nodes a move it beats S at 10 nodes (+200 ± 20 Elo), and it loses to S at 100 nodes (−100 ± 20 Elo).' \
    "$(ends '[900,1,300]' '[900,10,200]' '[900,100,-100]' '[900,1000,-300]' '[10,1,5]')" "the strongest that it beats and the weakest that beats it"
mv old.html ends.html
floor 1
same 'In classical chess at 900 nodes a move it is about as strong as S at 10 nodes (+9 ± 20 Elo).' "$(ends '[900,10,9]')" "what is not told apart is called so"
grep -q 'The net was not trained on knight: it plays by the rules' old.html &&
    ! grep -q 'The net was not trained on' page.html
report $? "what the net was not trained on is told"
grep -q 'Its strength against other programs was not measured' less.html && ! grep -q 'was not measured' page.html
report $? "or that nobody knows"
grep -q 'differ by 0.50 nats of entropy and 1.50 nats of divergence under the same rules, and by 0.00 nats in how much' page.html
report $? "the noise floor is told"
same 'narrower openings' "$(choice ends.html)" "a difference of openings that two nets see"
same 'below the noise floor' "$(choice old.html)" "one on which two nets disagree is none"
same 'narrower openings, by this one net' "$(choice less.html)" "one that a single net sees is called so"
grep -q '<strong>No noise floor.</strong>' less.html && ! grep -q 'No noise floor' page.html
report $? "and that there is no floor is said"
grep -q 'rank correlation with the order at T = 1 is 0.90 <span class="ci">0.20 to 1.00</span> at T = 0.5 and 0.40' page.html
report $? "how the order depends on temperature"
grep -q '<strong>Torpedo.</strong> A torpedo step that promotes wins: <b>47….*e1=Q</b>' page.html
report $? "a new theme with its move"
# Another study: a high floor, no nets of earlier generations, tests of all pairs,
# and forty plies of a game that went on and was won by stalemate.
cp -r out other
awk -F '\t' -v OFS='\t' '$1 == "classical" { $2 = 11 } { print }' out/tables/floor.tsv >other/tables/floor.tsv
sed -i '2,$d' other/tables/training.tsv other/tables/training-trend.tsv
awk -F '\t' -v OFS='\t' 'NR == 1 { print $0, "p_draw_holm"; next }
    { print $0, $1 == 1 && ($3 == "torpedo" || $4 == "torpedo") ? 0.01 : 0.5 }' out/tables/compare.tsv >other/tables/compare.tsv
jq -c 'select(.plies == 40) | .rules = "stalemate-win" | .result = "0-1" | .end = "stalemate"' out/tables/mainlines.jsonl |
    head -n 1 >>other/tables/mainlines.jsonl
"$report" other >other.html 2>other.said
same '3 0' "$(grep -o 'D is below it<' other.html | wc -l) $(grep -o 'D is below it<' page.html | wc -l)" "a divergence below the noise floor is marked"
grep -q '3 of 4 divergences lie below it and mean nothing' other.html && grep -q 'none of 4 divergences lie below it' page.html
report $? "and counted"
same '0.70 expected 0.93|0.60|–' "$(cell agreement 'Value of the knight' 5)|$(cell agreement 'Value of the bishop' 5)|$(cell agreement Divergence 5)" \
    "the correlation of logarithms has its ceiling beside it, where that is known"
same '20.70|0.70' "$(cell entropy-first Classical 3)|$(cell entropy-first Classical 4)" "the floor stands beside entropies after a first move, too"
grep -q "Below it are 2 of 14 measures: value of the knight; share of moves that are special\. There more games alone will not help" page.html &&
    cell beyond 'Value of the knight' 1 | grep -q '^67.*%$' && cell beyond 'Value of the knight' 2 | grep -q '^80.*%$' &&
    test "$(cell beyond 'Value of the knight' 3)" = 'Self capture, 1 of 2 pairs'
report $? "measures in which more differs than our errors explain, and the row that is most out of order"
grep -q 'Of the pairs that differ in the study by more than its own error, 74.*% are in its order here, over all measures; where our errors are known it is 75.*%, and with these errors alone one would expect 92.*%\.' page.html
report $? "the share of pairs in the study's order"
# why ROW COLUMNS: cells of the table of reasons, a space for what is not ASCII
why() { for i in $2; do cell why "$1" "$i"; done | tr -c '[:print:]\n' ' ' | tr -s ' ' | paste -sd '|'; }
same '90 %|67 % 10|90 %|70 %|60 %|80 % 10|100 % 2|90 % 10|100 % 2|100 % 1' "$(why 'Value of the knight' '1 2 3 4 5 6 7 8 9 10')" \
    "games, strength, openings, method: the same pairs throughout, with errors"
same 'not errors alone; openings: the same lines bring it closer; method: search values are closer' "$(why 'Value of the knight' 11)" \
    "only what is better by more than errors is a reason"
same 'games: our errors are large enough to explain it; method: quiet positions bring it closer' "$(why 'Value of the rook' 11)" "too few games"
same 'games: our errors are large enough to explain it; our rule sets do not differ clearly in it' "$(why 'White.*s score, first budget' 11)" "and rule sets that are alike"
same 'not errors alone; strength: more thinking brings it closer' "$(why 'Draw rate, first budget' 11)" "levels, of which there is no bound"
same 'not errors alone; nothing that was varied here explains it|agrees' \
    "$(why 'Share of moves that are special' 11)|$(why 'Value of the queen' 11)" "none of these, and a measure that agrees"
same 'cannot tell|cannot tell|as expected, but not clearly apart from the next|cannot tell|not as expected: an open question' \
    "$(for row in 'More thinking.*' 'White has.*' 'Torpedo has.*' 'Torpedo is.*' 'In most games.*'; do cell expected "$row" 2; done | paste -sd '|')" "what was expected, and what came out"
# expectations DRAWS1 DRAWS2 SCORE TORPEDO_DRAWS TORPEDO_SCORE STALEMATES CASTLING P: verdicts, of numbers that are known to 0.02
expectations() {
	jq -nr -L "${report%/*}" --argjson n "[$(echo "$@" | tr ' ' ,)]" 'include "expect";
	    def row($budget; $rules; $draws; $score): {budget: $budget, sims: 10, rules: $rules, draw_rate: $draws, draw_rate_lo: ($draws - 0.02), draw_rate_hi: ($draws + 0.02),
		score: $score, score_lo: ($score - 0.02), score_hi: ($score + 0.02)};
	    def share($rules; $kind; $x): {budget: 1, rules: $rules, kind: $kind, games_share: $x, games_share_lo: ($x - 0.02), games_share_hi: ($x + 0.02)};
	    expectations({run: {budgets: [{search: "ab"}]}, labels: {}, t: {outcomes: [row(1; "classical"; $n[0]; $n[2]), row(2; "classical"; $n[1]; $n[2]), row(1; "torpedo"; $n[3]; $n[4]),
		row(1; "pawn-back"; 0.25; 0.53)], homogeneity: [{budget: 1, measure: "score", p: ($n[7] | tostring)}], special: [share("stalemate-win"; "stalemate-win"; $n[5]),
		share("classical"; "castle"; $n[6])]}})[][2] | gsub("<[^>]*>"; "")' | paste -sd '|'
}
good='as expected' bad='not as expected: an open question' open='cannot tell'
same "$good|$good|$good|$good|$good|$good" "$(expectations 0.29 0.4 0.54 0.1 0.58 0.3 0.9 0.001)" "all as expected"
same "$open|$open|$bad|$open|$open|$open" "$(expectations 0.2 0.22 0.51 0.3 0.58 0.11 0.51 0.5)" \
    "a weaker player, and what cannot be told"
same "$bad|$bad|$open|$bad|$bad|$bad" "$(expectations 0.2 0.1 0.45 0.23 0.48 0.05 0.2 0.001)" "none as expected"
grep -q 'Of 8 measures 3 have as many pairs in the study.*s order as we aim for\. The errors of so few games explain the gap in: value of the rook; White.*s score, first budget\. Our rule sets do not differ clearly in: White' page.html &&
    grep -q '<strong>White.*s score</strong> differs between rule sets by 0\.0 points here .*, in the study by 2\.7: these games do not show that it differs at all\.' page.html
report $? "and the same in sentences"

same '−5.0 −24.3 to +15.3|+4.0 −2.0 to +10.0|300' "$(cell paired Torpedo 4)|$(cell paired Torpedo 5)|$(cell paired Torpedo 1)" \
    "what differs with own openings stands beside what differs with the same"
grep -q 'allow the whole line are counted; there are none for Self capture' page.html
report $? "a rule set that allows no line has no pairs"

grep -q 'there the line of the draw rate was wrong, by more than the interval of the difference, in 1 of 4 rule sets' page.html &&
    test "$(cell trend-draw_rate 'Self capture' 8)" = wrong && cell trend-draw_rate Torpedo 6 | grep -q '^72\.0' && test "$(cell trend-draw_rate Torpedo 8)" = 'within its interval'
report $? "lines are judged on a rung that they have not seen"
same 'beats both|does not beat its baseline|better, not clearly' "$(for m in 'Value of the queen' 'White.*s score, first budget' 'Entropy of 20 plies'; do cell beside "$m" 6; done | paste -sd '|')" \
    "a measure that does not beat its baseline is said not to"
cell beside 'Value of the queen' 2 | grep -q '^55.*% of 20$' && grep -q 'clearly beats both in 1, is better but not clearly in 1, and does not beat one of them in 1' page.html
report $? "beside the share without the two rule sets that differ most from chess"
same 'yes unclear no none' "$(jq -nr -L "${report%/*}" 'include "agreement"; def row($who; $m; $share; $se): {who: $who, rules: "all", measure: $m, pairs: 9, pairs_share: $share, pairs_se: $se};
    {t: {beside: [row("ours"; "a"; 0.9; 0.01), row("legal"; "a"; 0.5; 0.01), row("ours"; "b"; 0.9; null), row("legal"; "b"; 0.5; 0.01), row("ours"; "c"; 0.4; 0.01), row("legal"; "c"; 0.5; 0.01)]}} as $d |
    [("a", "b", "c", "z") | beats($d; .)] | join(" ")')" "an error that is not known makes nothing clear"
! grep -qiE 'best play|knows less|about 30 %' page.html parts.html
report $? "nothing is called best play, and no width or level is explained by a guess"
grep -q '<p>The same budget, played by nets of 3 generations of one training run\. The draw rate rises, with the whole 95 % interval of the slope above zero, in 1 of 4 rule sets' page.html &&
    sed -n '/id="table-training-draw_rate"/,/<\/table>/p' page.html | grep 'Torpedo' | grep -q '80\.0.*%.*60\.0 to 95\.0.*%' &&
    sed -n '/id="table-training-draw_rate"/,/<\/table>/p' page.html | grep 'Classical' | grep -q 'no estimate'
report $? "a ladder of training, which tells nothing beyond where it does not rise"
grep -q 'No games were played by nets of earlier generations' other.html && ! grep -q 'table-training' other.html && ! test -s other.said
report $? "without nets of earlier generations it says so"

# ---- who is told apart, and where a line ends ----

grep -q 'Clearly different from the others, adjusted for all pairs (Holm): .* from 1 of 3, .* from all 3\.\|Clearly different from the others, adjusted for all pairs (Holm): .* from all 3, .* from 1 of 3\.' other.html &&
    ! grep -q 'Clearly different from the others' page.html
report $? "from how many others the ends of a list are told apart, where that is known"
sed -n '/id="line-stalemate-win-/,/<\/article>/p' other.html >said
grep -q 'The game: Black won by stalemate<' said && ! grep -q 'data-mark' said
report $? "the last move of a main line is not the end of its game"

# ---- a figure: the darkest square is the likeliest move's, and no other's ----

mkdir -p drawn/tables
printf 'rules\tspec\town\tlabel\none\tclassical\t0\tOne\ntwo\ttorpedo\t0\tTwo\n' >drawn/rules.tsv
printf 'rules\tmove\tsan\tprior\none\td2d4\td4\t0.5\none\te2e4\te4\t0.12\ntwo\td2d4\td4\t0.02\ntwo\te2e4\te4\t0.11\n' >drawn/tables/firstmoves.tsv
if command -v gnuplot >/dev/null; then
	OUT=drawn "$root/pipelines/study/plot" "$root/pipelines/study/firstmoves.gp" drawn/firstmoves 2>log
	same '1 4' "$(grep -c "fill *= *'rgb( *31, *79, *127)'" drawn/firstmoves.svg) $(grep -o "fill *= *'rgb([^)]*)'" drawn/firstmoves.svg | sort -u | wc -l)" \
	    "the likeliest first move alone is darkest"
else
	skip "gnuplot is missing"
fi

# ---- special moves and last positions, beside the positions of the games ----

same '20 games, 46 marks' "$(perl "$data/marks.pl" "$root/tests/data/games.jsonl" <page.html)" \
    "special moves are marked, and the last positions are the games'"

# The viewer plays drops and explosions as the rules do.
if command -v node >/dev/null; then
	for rules in atomic crazyhouse; do "$TESTS/random_games" -s 0 -m 120 7 3 "$rules"; done >new.jsonl
	jq -c '.rules as $rules | (.moves | split(" ")) as $moves | range(0; ($moves | length) + 1) |
	    {fen: "startpos", rules: $rules, moves: ($moves[:.] | join(" "))}' new.jsonl | "$BIN/genmoves" --quiet | jq -r .fen >new.fen
	same 'many 0' "$(node "$data/play.js" "$root/pipelines/study/report/viewer.js" new.jsonl new.fen)" \
	    "the viewer plays games with drops and explosions"
else
	skip "node is missing"
fi

# ---- the browser ----

{
	echo '<script>'
	jq -n -r --slurpfile games "$root/tests/data/games.jsonl" --arg name "$name" \
	    --arg figures "${#figures[@]}" '
	    "var EXPECTED = \($games | map({key: (.uci | join(" ")), value: .fens}) | from_entries);",
	    "var FIGURES = \($figures), NAME = \($name | tojson);",
	    "var TABLES = \("outcomes-1 outcomes-2 compare-draw-1 compare-score-2 openings special-1
	    special-2 self-captured entropy entropy-first divergence additional values-1 values-2
	    firstmoves lengths-1 lengths-2 agreement why expected pairs-queen pairs-divergence rules yours
	    card-torpedo paired temperature trend-draw_rate trend-score training-draw_rate training-score doublings players measures measures-moves measures-time" |
	    [splits("\\s+")]);" | gsub("<"; "\\u003c")'
	cat "$data/check.js"
	echo '</script>'
} >inject
cat >watch <<'END'
<script>
window.troubles = [];
window.onerror = function (message) { window.troubles.push(message); };
window.onunhandledrejection = function (event) { window.troubles.push(String(event.reason)); };
['error', 'warn'].forEach(function (kind) {
	console[kind] = function (message) { window.troubles.push(kind + ' ' + message); };
});
</script>
END
sed -e '/<head>/r watch' -e '/<\/body>/{
r inject
}' page.html >checked.html
cat >both.html <<'END'
<!DOCTYPE html><meta charset="utf-8">
<iframe src="checked.html" width="1280" height="900"></iframe>
<iframe src="checked.html" width="360" height="640"></iframe>
<pre></pre>
<script>
window.onmessage = function (event) {
	event.data.lines.forEach(function (line) {
		document.querySelector('pre').textContent += '@ ' + line.replace(/^(not )?ok /,
		    '$&' + event.data.width + ' wide: ') + '\n';
	});
	document.querySelector('pre').textContent += '@ done ' + event.data.width + '\n';
};
</script>
END
if ! perl -I "$root/tests" -MBrowser -e 'exit(!Browser::program())'; then
	skip "chromium is missing, so the page was not opened"
	finish
fi
cat >open.pl <<'END'
use Browser;
Browser::watch();
my $b = Browser->start(1400, 900, '--hide-scrollbars');
$b->open("file://$ARGV[0]");
$b->until('(document.querySelector("pre").textContent.match(/^@ done/mg) || []).length === 2');
binmode(STDOUT, ':utf8');
print($b->js('document.querySelector("pre").textContent'));
$b->stop;
END
perl -I "$root/tests" open.pl "$scratch/both.html" >dom 2>browser.log
sed -n 's/^@ //p' dom >verdict
while IFS= read -r line; do
	case $line in
	'ok '*) report 0 "${line#ok }" ;;
	'not ok '*) report 1 "${line#not ok }" ;;
	esac
done <verdict
same 'done 1280 done 360' "$(grep '^done' verdict | sort | tr '\n' ' ' | sed 's/ $//')" \
    "the browser came to the end at both widths"
test "$(grep -c '^done' verdict)" -eq 2 || sed 's/^/# /; 20q' browser.log >&2
finish
