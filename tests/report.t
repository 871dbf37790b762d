#!/bin/bash
# The report on a study, made of a small study with made-up numbers and the games in
# tests/data/games.jsonl: what report.json says, the text for terminals, and the page, which
# data/report/browse.pl opens in a real browser at the width of a desk and of a phone.

. "$(dirname "$0")/tap.sh"
export LC_ALL=C.UTF-8
report=$PWD/pipelines/study/report/report
html=${report%/*}/html text=${report%/*}/text
data=$PWD/tests/data/report
export PUBLISHED=$data/published.tsv STRENGTH=$data/strength.jsonl
needs jq base64 node
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
cp -r "$data" out
mkdir -p out/games/2

jq -c '{v: 1, id, rules: (.rules | join("+")), start: .start_fen, moves: (.uci | join(" ")),
    result: (.result // "*")}' "$root/tests/data/games.jsonl" >games
jq -r .rules games | sort -u >sets
while read -r rules; do
	jq -c --arg rules "$rules" 'select(.rules == $rules)' games >"out/games/2/$rules.jsonl.zst"
	grep -q "^$rules	" out/rules.tsv ||
	    printf '%s\t%s\t0\t%s\n' "$rules" "$rules" "$rules" >>out/rules.tsv
done <sets
# Long games: six of torpedo, of which four are shown, and two of chess.
jq -c '(.rules == "torpedo") as $torpedo | select(($torpedo or .rules == "classical") and (.start | startswith("rnbqkbnr/"))) |
    range(0; if $torpedo then 3 else 1 end) as $i | {rules, opening: "<b>Opening \($i)", sims: 20000, plies: (.moves | split(" ") | length), moves,
    result: (if $torpedo and $i == 2 then "0-1" else "1/2-1/2" end), end: (if $torpedo and $i == 2 then "resign" else "unknown" end)}' games >out/tables/long.jsonl
echo '{"v":1,"rules":{"name":"mine","pawn_sideways":true,"castling_from":5},
    "moves":"e2e4 e7e5 e4f4 e5f4","result":"*"}' | tr -d '\n' >"out/games/2/$name.jsonl.zst"
# The same with the rule sets of its tables alone, where no more is asked for.
cp -r out few
cp "$data/rules.tsv" few/rules.tsv

# ---- the page ----

# made OUT NAME: the report of a study as NAME.html and NAME.md; NAME.json has what it says, too
made() {
	"$report" "$1" >"$2.report" 2>said
	local made=$?
	"$html" "$2.report" >"$2.html" && "$text" "$2.report" >"$2.md" && "$text" --json "$2.report" >"$2.json" && return $made
}
# spoken CODE: its last expression, which may use the scripts in say/ and study(TABLES, RUN)
spoken() {
	{
		cat "${report%/*}"/say/{say,study,words,results,choice,facts,strength,nets,played,run,agreement,report}.js
		cat <<'END'
const table = (rows) => ({ columns: Object.keys(rows[0]), rows: rows.map((row) => Object.values(row)) });
const study = (tables, run) => Study.open({ rules: [], run: run || {}, published: [], tables: Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, table(rows)])) });
END
		echo 'console.log(eval(process.argv[2]))'
	} | node - "$1"
}
# cell TABLE ROW N: what it says, of page.json
cell() {
	jq -r --arg table "$1" --arg row "$2" --argjson n "$3" 'def plain: if type == "object" and has("t") then .t else . end |
	    if type == "array" then map(if type == "object" then .[] else . end) | join("") else . end;
	    first((.head, .sections)[] | .. | select(.table? == $table).rows[] | map(plain) | select(.[0] | test("^" + $row + "$"))[$n])' page.json
}

made out page
same 0 $? "a report is made"
same '' "$(cat said)" "nothing is missing"
same 0 "$(made out twin; cmp page.html twin.html; echo $?)" "twice the same bytes"
size=$(wc -c <page.html)
test "$size" -gt 100000 && test "$size" -lt 6000000
report $? "it has less than 6 MB"
same '' "$(grep -oiE '(src|href|action|data|xlink:href)="[^"]{0,30}|url\([^)]*|@import.{0,20}' page.html |
    grep -viE '="(#|data:)|^data="' | head -n 3)" "it needs no other file"
same '' "$(sed -e 's/xmlns="[^"]*"//g' page.html |
    grep -oE "https?://[^\"' ]{0,30}" | grep -v '^http://www.w3.org/\|^https://github.com/leeoniya/uPlot$' | head -n 3)" "and no network"
grep -q "script-src 'sha256-[A-Za-z0-9+/=]*'\">" page.html && ! grep -q "script-src[^>]*unsafe" page.html
report $? "no script but its own may run"
grep -q 'Copyright (c) [0-9]* Leon Sorokin' page.html
report $? "the licence of uPlot stays with it"
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
{
	printf 'classical\tdraw_rate\tdraws at most 30 %%\t0.5\t0.4\t0.6\tmissed\ntorpedo\tdraw_rate\tdraws at most 30 %%\t0.2\t0.1\t0.25\tmet\n'
	printf '%s\tdraw_rate\tdraws at most 30 %%\t0.2\t0.1\t0.4\topen\n%s\tlength\t<b>length\t90.25\t80\t99.5\tmet\n%s\tends:hill\thills\t\t\t\tunknown\n' "$name" "$name" "$name"
} >>parts/tables/goals.tsv
made parts parts
grep -q 'Torpedo: .*part of a point, more to White 4, drawn [0-9]*, part of a point, more to Black 1,' parts.md
report $? "games worth a part of a point are no draws in the bars"
grep -q '| Part of a point, more to White |' parts.md && ! grep -q '| Part of a point, more to White |' page.md
report $? "they have columns of their own where there are any"
grep -qF 'Your aims: all are met in Torpedo; \<b id=evil' parts.md && ! grep -q 'Your aims' page.md
report $? "which rule sets do what the user wishes, if that is said"
grep -qF 'Of your 3 aims it meets 1: \<b>length; it may or may not meet 1: draws at most 30 %; it has no number for 1: hills.' parts.md &&
    grep -q '^| draws at most 30 % | 20\.0.% 10\.0 to 40\.0.% | 50\.0.% 40\.0 to 60\.0.% | cannot tell |$' parts.md && grep -qF '| \<b>length | 90.3 80.0 to 99.5 | – | met |' parts.md &&
    grep -qF '| hills | – | – | not measured |' parts.md && ! grep -q 'Is it a good rule' page.md
report $? "and whether the first one does, beside chess"
grep -qi '0.75 points to White by' parts.md
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

grep -q '| not so from the same openings |' parts.md && grep -q '| not known: the net was never told these rules |' parts.md && ! grep -q 'narrower openings' parts.md
report $? "a difference that does not stand is no finding, and the reason is said"
grep -q 'The prior was never told these rules: Torpedo (double_step)' parts.md && ! grep -q 'The prior was never told' page.md
report $? "what the prior was never told is said where its lines are"
# sides NAME: how the cells of matrices are coloured
sides() { jq -r '[.sections[] | .. | .side? // empty] | unique | join(" ")' "$1.json"; }
same 'less more open|less more' "$(sides parts)|$(sides page)" "pairs that do not differ after adjustment have no colour"
! grep -q '"± 0\.00"' page.json
report $? "no error is printed as zero"

# Torpedo openings are made narrower by far. This page has no noise floor, and two
# below have one that agrees, and one that does not.
awk -F '\t' -v OFS='\t' '$1 == "net" && $2 == "torpedo" { $5 -= 9 } { print }' out/tables/entropy.tsv >few/tables/entropy.tsv
cp -r few less
sed -i '2,$d' less/tables/floor.tsv
rm less/tables/values.tsv less/tables/mainlines.jsonl
STRENGTH=/nowhere made less less
same 1 $? "what is missing shows in the exit status"
same 2 "$(grep -c 'is missing$' said)" "and is named"
grep -q '</html>' less.html && grep -q '^## Agreement with the study' less.md
report $? "and the page is whole all the same"

# ---- what it says, counted once more ----

# all same opposite open: an order is told from chance by interval and p
orders=$(awk -F '\t' 'NR > 1 {
	if ($6 < 0.05 && $4 > 0) same++
	else if ($6 < 0.05 && $5 < 0) opposite++
	else open++
} END { print NR - 1, same + 0, opposite + 0, open + 0 }' out/tables/agreement.tsv)
same "$orders" "$(sed -n 's/.*- Of \([0-9]*\) measures, \([0-9]*\) put .* study.s, \([0-9]*\) into .*, and \([0-9]*\) cannot be distinguished from chance.*/\1 \2 \3 \4/p' page.md)" \
    "measures in the study's order, the opposite, or none"
# draw rates of the study are levels, not numbers
inside=$(awk -F '\t' 'NR > 1 && $1 !~ /^draw-rate/ && $4 != "" { n++; if ($4 <= $6 && $6 <= $5) k++ }
    END { print n, k }' out/tables/agreement-data.tsv)
same "$inside" "$(sed -n 's/.*- Of .* single numbers\(.*\)/&/p' page.md |
    sed 's/.*the study.s \([0-9]*\) single numbers \([0-9]*\) lie.*/\1 \2/')" "the study's numbers within our intervals"
drawn=$(awk -F '\t' 'NR > 1 && $1 == 2 { rate[$3] = $8 } NR > 1 && $1 == 1 { first[$3] = $8 }
    END { for (r in first) { n++; k += rate[r] > first[r] } print k + 0, n }' out/tables/outcomes.tsv)
same "$drawn" "$(sed -n 's/.*first budget to the second in \(all\|none of\|[0-9]* of\) \([0-9]*\);.*/\1 \2/p' page.md |
    sed 's/^none of/0/; s/ of//; s/^all \(.*\)/\1 \1/')" "rule sets with more draws at the longer budget"
same "$(awk -F '\t' '$3 == 20 && $5 == "inf"' out/tables/divergence.tsv | wc -l)" \
    "$(jq '[.sections[] | .. | select(.table? == "divergence").rows[][] | select(. == "∞")] | length' page.json)" "what is infinite is shown as such"

grep -q -e '- Fewest draws: .*The rule sets differ (p = 0.011)' page.md &&
    grep -q -e "- White’s score: these games cannot tell the rule sets apart (p = 0.75); a difference of five points would show in 302 games of each" page.md
report $? "a headline only where the test of homogeneity is passed, else how many games"
grep -q 'Your rule against chess: \\<b id=evil' page.md &&
    grep -q 'Castling is legal only from move 5 on. Pawns may also step one square left or right.' page.md
report $? "the first screen is about the user's own rule set"

# ---- the player, the floor, themes ----

grep -q 'In classical chess at 500 nodes a move it loses to Stockfish \\<99> at 1,000 nodes (−240 ± 59 Elo)\.' page.md
report $? "how strong this net is, on top of the page, in a sentence"
same '["Stockfish <99>","1,000","500","200"] ["Stockfish <99>","1,000","4,000","200"]' "$(jq -c '.head[] | .. | select(.table? == "matches").rows[][:4]' page.json | paste -sd ' ')" \
    "all matches that are known of it are folded away"
! grep -q '9,000\|999 ' page.md
report $? "what is known of other nets is not said"
# A net of former days, and a rule that it knows nothing of.
cp -r few old
jq --arg net "$root/nets/tower/tower.onnx" '.net.games = $net | .budgets[0].sims = 1000' out/run.json >old/run.json
sed -i 's/"castling_from":5/"castling_from":5,"knight":"fNbW"/' "old/games/2/$name.jsonl.zst"
# floor SECOND: torpedo's entropy by the second net is changed by this
floor() { awk -F '\t' -v OFS='\t' -v by="$1" '$1 == "torpedo" { $4 -= 9; $5 += by } { print }' out/tables/floor.tsv >old/tables/floor.tsv; }
# choice NAME: what the card of torpedo says of its openings
choice() {
	jq -r '.sections[] | .. | select(.table? == "card-torpedo").rows[] | select(.[0] | startswith("Opening choice"))[-1]' "$1.json"
}
# ends A B: who is named in a sentence when the study had so many nodes and these were the matches
ends() {
	printf '%s\n' "$@" | jq -c '{rules: "classical", a: "default", id_a: "0123456789abcdef", b: "uci:stockfish", id_b: "S", games: 200,
	    sims_a: .[0], sims_b: .[1], elo: .[2], elo_se: 10}' >strength
	STRENGTH=$PWD/strength made old old
	grep -o 'In classical chess at .* Elo)\.' old.md
}
floor -8
same 'In classical chess at 900 nodes a move it beats S at 10 nodes (+200 ± 20 Elo), and it loses to S at 100 nodes (−100 ± 20 Elo).' \
    "$(ends '[900,1,300]' '[900,10,200]' '[900,100,-100]' '[900,1000,-300]' '[10,1,5]')" "the strongest that it beats and the weakest that beats it"
mv old.json ends.json
floor 1
same 'In classical chess at 900 nodes a move it is about as strong as S at 10 nodes (+9 ± 20 Elo).' "$(ends '[900,10,9]')" "what is not told apart is called so"
grep -q 'The net was not trained on knight: it plays by the rules' old.md &&
    ! grep -q 'The net was not trained on' page.md
report $? "what the net was not trained on is told"
grep -q 'Its strength against other programs was not measured' less.md && ! grep -q 'was not measured' page.md
report $? "or that nobody knows"
grep -q 'differ by 0.50 nats of entropy and 1.50 nats of divergence under the same rules, and by 0.00 nats in how much' page.md
report $? "the noise floor is told"
same 'narrower openings' "$(choice ends)" "a difference of openings that two nets see"
same 'below the noise floor' "$(choice old)" "one on which two nets disagree is none"
same 'narrower openings, by this one net' "$(choice less)" "one that a single net sees is called so"
grep -qF '**No noise floor.**' less.md && ! grep -q 'No noise floor' page.md
report $? "and that there is no floor is said"
grep -q 'rank correlation with the order at T = 1 is 0.90 0.20 to 1.00 at T = 0.5 and 0.40' page.md
report $? "how the order depends on temperature"
grep -q '\*\*Torpedo\.\*\* A torpedo step that promotes wins: \*\*47….*e1=Q\*\*' page.md
report $? "a new theme with its move"
grep -q "the best move of chess here, Kb4, has −0\.76\." page.md
report $? "and that of chess, as people write it"
# Another study: a high floor, no nets of earlier generations, tests of all pairs,
# and forty plies of a game that went on and was won by stalemate.
cp -r out other
awk -F '\t' -v OFS='\t' '$1 == "classical" { $2 = 11 } { print }' out/tables/floor.tsv >other/tables/floor.tsv
sed -i '2,$d' other/tables/training.tsv other/tables/training-trend.tsv
awk -F '\t' -v OFS='\t' 'NR == 1 { print $0, "p_draw_holm"; next }
    { print $0, $1 == 1 && ($3 == "torpedo" || $4 == "torpedo") ? 0.01 : 0.5 }' out/tables/compare.tsv >other/tables/compare.tsv
jq -c 'select(.plies == 40) | .rules = "stalemate-win" | .result = "0-1" | .end = "stalemate"' out/tables/mainlines.jsonl |
    head -n 1 >>other/tables/mainlines.jsonl
made other other
mv said other.said
same '3 0' "$(grep -o 'D is below it |' other.md | wc -l) $(grep -o 'D is below it |' page.md | wc -l)" "a divergence below the noise floor is marked"
grep -q '3 of 4 divergences lie below it and mean nothing' other.md && grep -q 'none of 4 divergences lie below it' page.md
report $? "and counted"
same '0.70 expected 0.93|0.60|–' "$(cell agreement 'Value of the knight' 6)|$(cell agreement 'Value of the bishop' 6)|$(cell agreement Divergence 6)" \
    "the correlation of logarithms has its ceiling beside it, where that is known"
same '20.70|0.70' "$(cell entropy-first Classical 3)|$(cell entropy-first Classical 4)" "the floor stands beside entropies after a first move, too"
grep -q "Below it are 2 of 14 measures: value of the knight; share of moves that are special\. There more games alone will not help" page.md &&
    cell beyond 'Value of the knight' 1 | grep -q '^67.*%$' && cell beyond 'Value of the knight' 2 | grep -q '^80.*%$' &&
    test "$(cell beyond 'Value of the knight' 3)" = 'Self capture, 1 of 2 pairs'
report $? "measures in which more differs than our errors explain, and the row that is most out of order"
grep -q 'Of the pairs that differ in the study by more than its own error, 74.*% are in its order here, over all measures; where our errors are known it is 75.*%, and with these errors alone one would expect 92.*%\.' page.md
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
	spoken "const n = [$(echo "$@" | tr ' ' ,)], near = (name, x) => ({ [name]: x, [name + '_lo']: x - 0.02, [name + '_hi']: x + 0.02 }),
	    row = (budget, rules, draws, score) => ({ budget, sims: 10, rules, ...near('draw_rate', draws), ...near('score', score) }), share = (rules, kind, x) => ({ budget: 1, rules, kind, ...near('games_share', x) }),
	    tables = { outcomes: [row(1, 'classical', n[0], n[2]), row(2, 'classical', n[1], n[2]), row(1, 'torpedo', n[3], n[4]), row(1, 'pawn-back', 0.25, 0.53)], homogeneity: [{ budget: 1, measure: 'score', p: String(n[7]) }],
		special: [share('stalemate-win', 'stalemate-win', n[5]), share('classical', 'castle', n[6])] };
	    Agreement.expectations(study(tables, { budgets: [{ search: 'ab' }] })).map((one) => one[2].replace(/⟨[a-z]+[|]|⟩/g, '')).join('|')"
}
good='as expected' bad='not as expected: an open question' open='cannot tell'
same "$good|$good|$good|$good|$good|$good" "$(expectations 0.29 0.4 0.54 0.1 0.58 0.3 0.9 0.001)" "all as expected"
same "$open|$open|$bad|$open|$open|$open" "$(expectations 0.2 0.22 0.51 0.3 0.58 0.11 0.51 0.5)" \
    "a weaker player, and what cannot be told"
same "$bad|$bad|$open|$bad|$bad|$bad" "$(expectations 0.2 0.1 0.45 0.23 0.48 0.05 0.2 0.001)" "none as expected"
grep -q 'Of 8 measures 3 have as many pairs in the study.*s order as we aim for\. The errors of so few games explain the gap in: value of the rook; White.*s score, first budget\. Our rule sets do not differ clearly in: White' page.md &&
    grep -q '\*\*White.*s score\*\* differs between rule sets by 0\.0 points here .*, in the study by 2\.7: these games do not show that it differs at all\.' page.md
report $? "and the same in sentences"

same '−5.0 −24.3 to +15.3|+4.0 −2.0 to +10.0|300' "$(cell paired Torpedo 4)|$(cell paired Torpedo 5)|$(cell paired Torpedo 1)" \
    "what differs with own openings stands beside what differs with the same"
grep -q 'allow the whole line are counted; there are none for Self capture' page.md
report $? "a rule set that allows no line has no pairs"

grep -q 'there the line of the draw rate was wrong, by more than the interval of the difference, in 1 of 4 rule sets' page.md &&
    test "$(cell trend-draw_rate 'Self capture' 8)" = wrong && cell trend-draw_rate Torpedo 6 | grep -q '^72\.0' && test "$(cell trend-draw_rate Torpedo 8)" = 'within its interval'
report $? "lines are judged on a rung that they have not seen"
same 'beats both|does not beat its baseline|better, not clearly' "$(for m in 'Value of the queen' 'White.*s score, first budget' 'Entropy of 20 plies'; do cell beside "$m" 6; done | paste -sd '|')" \
    "a measure that does not beat its baseline is said not to"
cell beside 'Value of the queen' 2 | grep -q '^55.*% of 20$' && grep -q 'clearly beats both in 1, is better but not clearly in 1, and does not beat one of them in 1' page.md
report $? "beside the share without the two rule sets that differ most from chess"
same 'yes unclear no none' "$(spoken "const row = (who, measure, pairs_share, pairs_se) => ({ who, rules: 'all', measure, pairs: 9, pairs_share, pairs_se }),
    d = study({ beside: [row('ours', 'a', 0.9, 0.01), row('legal', 'a', 0.5, 0.01), row('ours', 'b', 0.9, null), row('legal', 'b', 0.5, 0.01), row('ours', 'c', 0.4, 0.01), row('legal', 'c', 0.5, 0.01)] });
    ['a', 'b', 'c', 'z'].map((measure) => Agreement.beats(d, measure)).join(' ')")" \
    "an error that is not known makes nothing clear"
! grep -qiE 'best play|knows less|about 30 %' page.md parts.md
report $? "nothing is called best play, and no width or level is explained by a guess"
grep -q '^The same budget, played by nets of 3 generations of one training run\. The draw rate rises, with the whole 95 % interval of the slope above zero, in 1 of 4 rule sets' page.md &&
    cell training-draw_rate Torpedo 6 | grep -q '80\.0.*%.*60\.0 to 95\.0.*%' && cell training-draw_rate Classical 6 | grep -q 'no estimate'
report $? "a ladder of training, which tells nothing beyond where it does not rise"
grep -q 'No games were played by nets of earlier generations' other.md && ! grep -q '"training-draw' other.json && ! test -s other.said
report $? "without nets of earlier generations it says so"

# ---- several nets, visits, long games ----

same 'all nets see it|−35.0 points|< 0.001|3 of 3' "$(for i in 6 2 4 5; do cell replication Torpedo $i; done | paste -sd '|')" "a difference that all nets see"
same '2 of 3|the nets do not agree' "$(cell replication 'Self capture' 5)|$(cell replication 'Self capture' 6)" "one on which they do not agree"
same '−0.70|all nets see it' "$(cell replication-values Torpedo 2)|$(cell replication-values Torpedo 6)" "and of piece values"
grep -q '^3 nets, which learnt independently, .* Of 6 differences from chess in draws and White.*s score at the first budget, 2 are seen by all 3 nets and beyond the variance between them: Torpedo has fewer draws and Torpedo is better for White; in 2 the nets do not agree on the sign\.$' page.md &&
    grep -q '^- Of 6 differences from chess' page.md
report $? "in sentences, at a glance too"
cell nets-draw_rate-1 Torpedo 2 | grep -q '^45\.0.*39\.1 to 50\.9' && cell nets-draw_rate-1 Torpedo 4 | grep -q '^80\.0' && cell nets-further Torpedo 1 | grep -q 'Games with: torpedo step'
report $? "what each net says, beside all together"
same '22.48 ± 0.78|30.48 ± 0.78|−8.00' "$(for i in 2 3 4; do cell entropy-visits Torpedo $i; done | paste -sd '|')" "the entropy of visits beside that of the prior"
grep -q 'tree search of 400 visits, .* That leaves 6\.6 nats less choice on average, from −8\.00 to −5\.50\.' page.md
report $? "and by how much they differ"
same '6|0|4|2|33.3' "$(for i in 1 2 3 4 5; do cell long Torpedo $i; done | paste -sd '|' | sed 's/.%$//')" "long games are counted"
same '4 2' "$(jq -r '[.games[] | select(.id | startswith("long-"))] | [[.[] | select(.rules == "torpedo")], [.[] | select(.rules == "classical")] | length] | join(" ")' page.json)" "and some of them shown"
grep -q '^\\<b>Opening 2\. Black won by resignation in 76 moves' page.md && ! grep -q '<b>Opening' page.html
report $? "with their openings, whose names are text"
# Of one net, and without these games, less is said.
for table in nets replication entropy-visits; do sed -i '2,$d' "other/tables/$table.tsv"; done
: >other/tables/long.jsonl
made other other
same '0 ' "$? $(cat said)" "none of them need be there"
grep -q '^One net played all games' other.md && ! grep -q '^One net played all games' page.md && ! grep -q '^### After a search\|^## Long games\|^## Do several nets' other.md
report $? "one net is called one"

# ---- who is told apart, and where a line ends ----

grep -q 'Clearly different from the others, adjusted for all pairs (Holm): .* from 1 of 3, .* from all 3\.\|Clearly different from the others, adjusted for all pairs (Holm): .* from all 3, .* from 1 of 3\.' other.md &&
    ! grep -q 'Clearly different from the others' page.md
report $? "from how many others the ends of a list are told apart, where that is known"
jq -e '[.games[] | select(.id | startswith("line-stalemate-win-"))] | length == 1 and .[0].meta == "The game: Black won by stalemate" and .[0].marks == ""' other.json >/dev/null
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

same '20 games, 46 marks' "$(perl "$data/marks.pl" "$root/tests/data/games.jsonl" <page.json)" \
    "special moves are marked, and the last positions are the games'"

# The viewer plays drops and explosions as the rules do.
if command -v node >/dev/null; then
	for rules in atomic crazyhouse; do "$TESTS/random_games" -s 0 -m 120 7 3 "$rules"; done >new.jsonl
	jq -c '.rules as $rules | (.moves | split(" ")) as $moves | range(0; ($moves | length) + 1) |
	    {fen: "startpos", rules: $rules, moves: ($moves[:.] | join(" "))}' new.jsonl | "$BIN/genmoves" --quiet | jq -r .fen >new.fen
	same 'many 0' "$(node "$data/play.js" "$root/pipelines/study/report/web/games.js" new.jsonl new.fen)" \
	    "the viewer plays games with drops and explosions"
else
	skip "node is missing"
fi

# ---- a study of which something is missing ----

same 'said many times' "$(cat "${report%/*}"/say/{say,study,words,results,choice,facts,strength,nets,played,run,agreement,report}.js "$data/less.js" | node - parts.report 2>&1 | head -n 5 | sed 's/[0-9][0-9]* times$/many times/')" \
    "nothing is said of what is not there"
jq '.themes = [] | .tables |= map_values(.rows = [])' page.report >bare.report
! "$text" bare.report | grep -E 'searched with 0|undefined|NaN'
report $? "and no position was searched where there is none"
"$html" bare.report >bare.html	# which browse.pl opens

# ---- the browser ----

# A name, as the text has it, does nothing to a terminal.
jq '(.rules[] | select(.own)).label = "a\u001b[31mb"' page.report >hostile.json
"$text" hostile.json >hostile.md
! grep -q "$(printf '\033')" hostile.md && grep -q '^## Your rule against chess: a \\\[31mb$' hostile.md
report $? "no name reaches a terminal as a command"
# Without node there are tables, in which a name does no more.
mkdir tools
for tool in bash jq dirname cat tr; do ln -s "$(command -v $tool)" tools/; done
PATH=$PWD/tools "$text" hostile.json >plain.md 2>log
! grep -q "$(printf '\033')" plain.md && grep -q '^| a \\\[31mb | 40 | ' plain.md && grep -q '^| Torpedo | Pawns may step two squares from anywhere' plain.md && ! grep -q 'against chess' plain.md
report $? "without node the text has tables alone"
same 1 "$(PATH=$PWD/tools "$text" --json hostile.json >/dev/null 2>&1; echo $?)" "and what is said is refused"

perl -I "$root/tests" "$data/browse.pl" page.html "$root/tests/data/games.jsonl" "$name" "${XDG_CACHE_HOME:-$HOME/.cache}/rulelab-tests" >verdict 2>&1
while IFS= read -r line; do
	case $line in
	'ok '*' # SKIP '*) skip "${line#ok }" ;;
	'ok '*) report 0 "${line#ok }" ;;
	'not ok '*) report 1 "${line#not ok }" ;;
	esac
done <verdict
grep -q '^done\|SKIP' verdict || cat verdict >&2
same 1 "$(grep -c '^done\|SKIP chromium' verdict)" "the browser came to the end"
finish
