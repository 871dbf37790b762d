#!/bin/bash
# make study, at a scale of seconds: all tables and figures are made and readable; a
# second call does nothing; a killed run continues; two runs and a run over hosts give
# the same bytes; a user's own rule set is in every table; a change repeats only what
# depends on it. Hosts are folders, as in play.t.

. "$(dirname "$0")/tap.sh"
needs parallel gnuplot jq zstd flock
child=
tidy() { test -z "$child" || kill_all; }
# Fairy-Stockfish has a section of its own, with a stand-in.
export PARALLEL_HOME=$scratch/parallel FAIRY=none
unset PARALLEL PARALLEL_SSH MAKEFLAGS MFLAGS RULES NET HOSTS OUT SCALE SEED GOAL
mkdir "$PARALLEL_HOME"

# study OUT VARIABLE=VALUE ...: make study at the smallest scale
study() {
	make --no-print-directory -f pipelines/study/Makefile study BIN="$BIN" \
	    SCALE=tiny OUT="$scratch/$1" NET=material "${@:2}" >"$log" 2>&1
}

# tables OUT: checksums of all tables
tables() { (cd "$scratch/$1/tables" && sha256sum -- *); }
# written OUT: checksums of everything that a run has made, without times, folders and
# the temporary files of killed programs
written() {
	(cd "$scratch/$1" && find . -type f ! -path './make/*' ! -path './games/*/kit/*' ! -path './games/*.old-*' ! -name joblog ! -name want ! -name '*.zst.??????' \
	    ! -path './learn-*/losses.jsonl' ! -name run.json ! -name rules.tsv | sort | xargs sha256sum)
}

# steps: how many the last call took
steps() { grep -c '^\[' "$log"; }

# ---- one run, with a rule set of one's own ----

mkdir "$scratch/rules"
own=$scratch/rules/restless.json
echo '{"name":"Restless pawns","base":"pawn-back+pawn-sideways","stalemate_wins":true}' >"$own"
BAR_SECONDS=2 study one RULES="$own torpedo+no-castling torpedo"
report $? "a study, with two more rule sets, one from a file"
grep -qE '^make study: +[0-9]+ %  [0-9]+ of [0-9]+ steps, 0:0[0-9]:[0-9]+, about 0:0[0-9]:[0-9]+ left' "$log" &&
    ! grep -q '^games: .* left' "$log"
report $? "one bar shows the progress of everything and the time left"

out=$scratch/one
written one >"$scratch/written"
names='classical no-castling no-castling-10 pawn-one-square stalemate-win torpedo
semi-torpedo pawn-back pawn-sideways self-capture restless torpedo+no-castling'
# shellcheck disable=SC2086
test "$(tail -n +2 "$out/rules.tsv" | cut -f 1)" = "$(printf '%s\n' $names)"
report $? "the ten, then the user's, and none twice"
test "$(awk -F '\t' '$1 == "restless" { print $3, $4 }' "$out/rules.tsv")" = '1 Restless pawns'
report $? "a rule set's own name is its label"
mkdir "$scratch/only"
OUT=$scratch/only SCALE=tiny SEED=1 NET=material ONLY="torpedo $own" pipelines/study/setup 2>"$log" &&
    test "$(tail -n +2 "$scratch/only/rules.tsv" | cut -f 1 | xargs)" = 'classical torpedo restless'
report $? "ONLY= leaves out all others but chess"
! OUT=$scratch/alone SCALE=tiny SEED=1 NET=material ONLY=classical pipelines/study/setup 2>"$log" &&
    grep -q 'ONLY=classical: chess alone' "$log"
report $? "chess alone is refused, with the reason"

# The shipped nets: the one that plays, and the one whose priors are measured.
mkdir "$scratch/usual"
OUT=$scratch/usual SCALE=small SEED=1 pipelines/study/setup 2>"$log" &&
    grep -qx 'NET_GAMES := nets/default.onnx' "$scratch/usual/make/config.mk" &&
    grep -qx 'NET_PRIOR := nets/prior.onnx' "$scratch/usual/make/config.mk" &&
    grep -qx 'SEARCH := ab' "$scratch/usual/make/config.mk" && grep -qx 'LEARN_GENERATIONS := 0' "$scratch/usual/make/config.mk" &&
    test "$(awk '/^SIMS_(1|2|HELD) / { print $3 }' "$scratch/usual/make/config.mk" | xargs)" = '2000 8000 20000'
report $? "the nets that are shipped play and have the prior; the held-out rung has ten times the first budget"
# The players beside it share the games, but not of rules that only the first one knows.
grep -qx 'NETS_PLAYING := 3' "$scratch/usual/make/config.mk" && rm -rf "$scratch/usual" && mkdir "$scratch/usual" &&
    OUT=$scratch/usual SCALE=tiny SEED=1 LEARN=0 ONLY=pipelines/rules/short-range.json pipelines/study/setup 2>"$log" &&
    grep -qx 'NETS_PLAYING := 1' "$scratch/usual/make/config.mk"
report $? "three nets play, or one under rules that the others do not know"
rm -rf "$scratch/usual" && mkdir "$scratch/usual"
OUT=$scratch/usual SCALE=tiny SEED=1 PLAYER=prior pipelines/study/setup 2>"$log" &&
    grep -qx 'NET_GAMES := nets/prior.onnx' "$scratch/usual/make/config.mk" &&
    grep -qx 'SEARCH := gumbel' "$scratch/usual/make/config.mk" &&
    test "$(grep -lF -- --gumbel "$scratch"/usual/games/*/want | wc -l)" -eq "$(find "$scratch/usual/games" -name want ! -path '*/base-*' ! -path '*/visits/*' | wc -l)"
report $? "one search for all games"
# learn_dir VARIABLE=VALUE ...: where a study with a rule of the user's would learn
rm -rf "$scratch/usual" && mkdir "$scratch/usual"
# (not what measures priors: its nets would be read each time)
learn_dir() { env OUT="$scratch/usual" SCALE=tiny SEED=1 PRIOR=uniform ONLY="$own" "$@" pipelines/study/setup 2>"$log" &&
    sed -n 's/^LEARN_DIR := .*\(learn-.*\)/\1/p' "$scratch/usual/make/config.mk"; }
first=$(learn_dir LEARN=200)
test -n "$first" && test "$first" = "$(learn_dir LEARN=200)" && test "$first" != "$(learn_dir LEARN=300)" &&
    test "$first" != "$(learn_dir LEARN=200 SEED=2)" && test -n "$(learn_dir)" && test -z "$(learn_dir LEARN=0)" &&
    test -z "$(learn_dir PLAYER=material)"
report $? "rules of one's own are learnt by default, and what is learnt depends on settings alone"
test -z "$(learn_dir ONLY='stalemate-3-4 three-check')" && test -n "$(learn_dir ONLY=three-check+torpedo)" &&
    test -n "$(learn_dir ONLY="three-check $own")"
report $? "presets that are not of the study are not learnt, sums of them are"

# learns VARIABLE=VALUE ...: generations, and games of each rule set in each
learns() { learn_dir ONLY= RULES="$own" "$@" >/dev/null && sed -n 's/^LEARN_GENERATIONS := //p; s/^LEARN_GAMES := //p' "$scratch/usual/make/config.mk" | xargs; }
test "$(learns)" = '1 909' && test "$(learns SCALE=small)" = '10 1818' && test "$(learns SCALE=medium)" = '10 5454' &&
    test "$(learns LEARN=11)" = '1 1' && test "$(learns LEARN=30001)" = '4 681'
report $? "how much is learnt follows from the scale, or is counted in games by LEARN="

# column NAME TABLE: its values, each once, in order of appearance
column() {
	awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
	    at && !seen[$at]++ { print $at }' "$out/tables/$2.tsv"
}

# Every row has as many cells as the line of names, and no name comes twice.
for table in goals findings untold nets replication outcomes compare paired temperature homogeneity power measures ladder information trend training training-trend curves doublings players floor \
    lengths special values openings entropy entropy-visits \
    entropy-first entropy-histogram entropy-first-histogram divergence \
    divergence-histogram additional firstmoves tree spikes relations agreement-data \
    agreement beside reasons-data reasons; do
	awk -F '\t' 'NR == 1 { n = NF; for (i = 1; i <= NF; i++) twice += seen[$i]++ }
	    NF != n { bad++ } END { exit !(NR > 0 && !bad && !twice) }' \
	    "$out/tables/$table.tsv" 2>"$log"
	report $? "$table.tsv is a table"
done

# values may lack rule sets: few games do not determine them
for pair in outcomes/rules compare/a special/rules lengths/rules power/rules \
    measures/rules ladder/rules trend/rules doublings/rules entropy/rules entropy-histogram/rules firstmoves/rules; do
	# shellcheck disable=SC2086
	diff <(column "${pair#*/}" "${pair%/*}") <(printf '%s\n' $names) >"$log"
	report $? "all rule sets, in order, in $pair"
done
# shellcheck disable=SC2086
{
	diff <(column rules additional) <(printf '%s\n' $names | tail -n +2) >"$log"
	report $? "all but classical in additional"
	diff <(column p divergence; column q divergence) \
	    <(printf '%s\n' $names; printf '%s\n' $names | sed 1d; echo classical) >"$log"
	report $? "divergence both ways"
	diff <(column b compare) <(printf '%s\n' $names | sed 1d; echo classical) >"$log"
	report $? "comparisons with all"
	diff <(column rules openings) <(printf '%s\n' $names | grep -v one-square) >"$log"
	report $? "openings without pawn-one-square"
}
test "$(column budget outcomes | xargs)" = '1 2' &&
    test "$(column prior entropy | xargs)" = 'net uniform' &&
    test "$(column start entropy-first | xargs)" = 'e4 Nf3' &&
    test "$(column opening openings | xargs)" = 'dutch chigorin alekhine kings-gambit'
report $? "both budgets, both priors, both first moves, four openings"

jq -es 'length == 36 and all(.plies <= 40 and (.moves | split(" ") | length) == .plies)
    and (map(select(.rules == "pawn-one-square").first) == ["e3", "d3", "c3"])
    and (map(select(.rules == "restless").first) == ["e4", "d4", "c4"])' \
    "$out/tables/mainlines.jsonl" >"$log" 2>&1
report $? "main lines, three of each rule set"
jq -es 'length == 22 and all(.sims == 160 and .rules != "pawn-one-square") and (map(select(.rules == "torpedo").opening) == ["Ruy Lopez", "Queen\u0027s Gambit Declined"])
    and (map(select(.rules == "classical"))[1].moves | startswith("d2d4 d7d5 c2c4 e7e6 "))' "$out/tables/long.jsonl" >"$log" 2>&1 &&
    test "$("$BIN/pgnread" "$out/tables/long.pgn" 2>>"$log" | jq -r .tags.Event | grep -c '^Ruy Lopez')" -eq 11
report $? "long games after major openings, as a table and as PGN"
! grep -q 'sample-plies' "$out"/games/{long,dutch}/want
report $? "after openings no move is drawn"
cp -r "$out/tables" "$scratch/trained-tables"
printf 'generation\trules\tgames\tscore\tscore_lo\tscore_hi\n1\ttorpedo\t100\t0.5\t0.4\t0.6\n2\ttorpedo\t300\t0.6\t0.5\t0.7\n' >"$scratch/trained-tables/training.tsv"
test "$(pipelines/study/agreement-data pipelines/study/published.tsv "$scratch/trained-tables" | awk -F '\t' '$1 == "score-training" { print $2, $3, $6 }')" = 'torpedo 0.575 0.57' &&
    ! grep -q '^score-training' "$out/tables/agreement-data.tsv"
report $? "games of earlier generations are beside those of the study's training, and without them there are none"
jq -c '{fen: "startpos", moves, rules: (if .rules == "restless" then
    {base: "pawn-back+pawn-sideways", stalemate_wins: true} else .rules end)}' \
    "$out/tables/mainlines.jsonl" | "$BIN/genmoves" 2>"$log" | jq -r .fen |
    diff - <(jq -r .fen "$out/tables/mainlines.jsonl") >>"$log"
report $? "and where they lead"

# Priors of first moves add up, and uniform ones would be equal.
awk -F '\t' 'NR > 1 { sum[$1] += $4; n++ } END { for (r in sum) if (sum[r] < 0.999 || sum[r] > 1.001) exit 1; exit !n }' \
    "$out/tables/firstmoves.tsv"
report $? "priors of first moves add up to 1"

# Numbers of tables are those of the programs.
"$BIN/drawstats" -t --distinct "$out"/games/1/classical.jsonl.zst | tail -n 1 |
    diff - <(awk -F '\t' '$1 == 1 && $3 == "classical"' "$out/tables/outcomes.tsv" | cut -f 3- | sed 's/\t1\t\t$//') >"$log"
report $? "outcomes are what drawstats says"
"$BIN/drawstats" -qtC --distinct --paired --alike 20 "$out"/games/shared/*.jsonl.zst | cut -f 1,2,13- | sort |
    diff - <(cut -f 2,3,14- "$out/tables/paired.tsv" | sort) >"$log"
report $? "paired differences are what drawstats says"
# pairs RULES: games of the set that begin with the whole line of the classical one, counted by jq
pairs() {
	jq -s --slurpfile chess <(zstd -dcq "$out/games/shared/classical.jsonl.zst") 'def line: .moves | split(" ")[:20];
	    ($chess | map({key: .id, value: line}) | from_entries) as $line |
	    map(select($line[.id] == line and (line | length) == 20)) | length' <(zstd -dcq "$out/games/shared/$1.jsonl.zst")
}
for name in no-castling pawn-one-square torpedo; do
	echo "$name $(pairs $name)"
done | diff - <(awk -F '\t' '$3 == "classical" && $2 ~ /^(torpedo|no-castling|pawn-one-square)$/ { print $2, $14 }' "$out/tables/paired.tsv") >"$log" &&
    test "$(pairs torpedo)" -gt 0 && test "$(pairs pawn-one-square)" -eq 0
report $? "pairs are games that begin with the same whole line, and no others"
# Where all moves of chess are legal, games begin like the classical ones.
for name in torpedo pawn-back classical; do
	zstd -dcq "$out/games/shared/$name.jsonl.zst" | jq -r '.moves | split(" ")[:20] | join(" ")'
done | sort | uniq -c | awk '{ print $1 }' | sort -u >"$log.2"
zstd -dcq "$out/games/1/classical.jsonl.zst" | jq -r 'select((.id | tonumber) < 4) | .moves | split(" ")[:20] | join(" ")' |
    diff - <(zstd -dcq "$out/games/shared/torpedo.jsonl.zst" | jq -r '.moves | split(" ")[:20] | join(" ")') >"$log" &&
    test "$(cat "$log.2")" = 3
report $? "the same lines under all rules"
test "$(column temperature temperature | xargs)" = '0.5 1 2' &&
    test "$(awk -F '\t' '$1 == 1 && $2 == "torpedo"' "$out/tables/temperature.tsv" | cut -f 3-)" = \
    "$(awk -F '\t' '$1 == "net" && $2 == "torpedo" && $3 == 20' "$out/tables/entropy.tsv" | cut -f 3-)"
report $? "entropy at three temperatures"
grep -v '^entropy-uniform' "$out/tables/agreement-data.tsv" |
    "$BIN/rankcorr" --errors -t -s 1 | diff - "$out/tables/agreement.tsv" >"$log"
report $? "agreement is what rankcorr says"
awk -F '\t' '$1 == "who" || $1 == "ours" && $2 == "all"' "$out/tables/beside.tsv" | cut -f 3- | diff - "$out/tables/agreement.tsv" >"$log" &&
    awk -F '\t' 'function far(name) { return name == "torpedo" || name == "pawn-sideways" }
    { split($2, name, "/") } NR == 1 || !far(name[1]) && !($1 == "divergence" && far(name[2]))' <(grep -v '^entropy-uniform' "$out/tables/agreement-data.tsv") |
    "$BIN/rankcorr" --errors -t -s 1 | diff - <(awk -F '\t' '$1 == "who" || $1 == "ours" && $2 == "without"' "$out/tables/beside.tsv" | cut -f 3-) >>"$log"
report $? "and so it is without the two rule sets that differ most from chess"
# What trivial players give: 20 first moves are equally likely, pieces are counted, lines are any lines.
test "$(column who beside | xargs)" = 'ours legal material' &&
    test "$(awk -F '\t' 'NR > 1 && $1 == "classical" && $3 == "d4" { print $4 }' "$out/make/beside/legal/firstmoves.tsv")" = 0.05 &&
    test "$(awk -F '\t' '$1 == "legal" && $2 == "all" && $9 != "" { print $3 }' "$out/tables/beside.tsv" | grep -cE '^(entropy|entropy-first|divergence|score-1|draw-rate-1|special-games|first-move)$')" -eq 7 &&
    test "$(awk -F '\t' '$1 == "material" && $2 == "all" && $9 != "" { print $3 }' "$out/tables/beside.tsv" | grep -cE '^(score-1|score-2|draw-rate-1|special-games)$')" -eq 4
report $? "beside the agreement of trivial players"
# The command that the report names for a number gives its row.
for table in outcomes lengths special measures values; do
	command=$(jq -r --arg table $table '.sources[] | select(.table == $table) | .files as $files | .command | sub("{files}"; $files)' "$out/report.json" |
	    sed 's/{set}/1/; s/{rules}/torpedo/; s/{target}/search/')
	# shellcheck disable=SC2086
	(cd "$out" && "$BIN"/$command 2>/dev/null) | tail -n +2 | sed 's/^/\t/' >"$scratch/rows"
	test -s "$scratch/rows" || test $table = values || echo "$table: no rows by $command"
	# the table may have more columns behind them
	while IFS= read -r row; do
		grep '	torpedo	' "$out/tables/$table.tsv" | grep -qF -e "$row" || echo "$row"
	done <"$scratch/rows"
done >"$log" 2>&1 && test ! -s "$log"
report $? "the commands in the report give the numbers in its tables"
bins() { awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["lo"], $at["hi"], $at["count"], $at["density"] }' "$@"; }
for table in entropy-histogram entropy-first-histogram divergence-histogram; do
	command=$(jq -r --arg table $table '.sources[] | select(.table == $table) | .files as $files | .command | sub("{files}"; $files)' "$out/report.json" |
	    sed 's/{rules}/classical/; s/{second}/'"$(test $table = divergence-histogram && echo torpedo || echo e4)/")
	# shellcheck disable=SC2086
	(cd "$out" && "$BIN"/$command 2>/dev/null) | bins >"$scratch/rows"
	test -s "$scratch/rows" || echo "$table: no rows by $command"
	bins "$out/tables/$table.tsv" | grep -vxFf - "$scratch/rows"
done >"$log" 2>&1
test ! -s "$log"
report $? "and those behind its histograms"
# What games begin with, counted by jq.
zstd -dcq "$out/games/1/torpedo.jsonl.zst" | jq -nr '[inputs] | unique_by(.moves) | [.[].moves | split(" ") | range(1; 9) as $n | .[:$n] | join(" ")] | group_by(.)[] | select(length > 1) | "\(.[0])\t\(length)"' >"$scratch/begun"
awk -F '\t' -v OFS='\t' '$1 == "torpedo" && $2 != "" && $5 > 1 { print $2, $5 }' "$out/tables/tree.tsv" | diff "$scratch/begun" - >"$log" &&
    test "$(awk -F '\t' '$1 == "torpedo" && $2 == "" { print $4, $5 }' "$out/tables/tree.tsv")" = "$(zstd -dcq "$out/lines/torpedo.jsonl.zst" | wc -l) $(awk -F '\t' '$1 == 1 && $3 == "torpedo" { print $4 }' "$out/tables/outcomes.tsv")" &&
    "$BIN/drawstats" -t --distinct "$out/games/1/torpedo.jsonl.zst" | awk -F '\t' 'NR > 1 { print $2, $3, $4, $5, $9, $10, $11 }' | diff - <(awk -F '\t' '$1 == "torpedo" && $2 == "" { print $5, $6, $7, $8, $9, $10, $11 }' "$out/tables/tree.tsv") >>"$log"
report $? "the tree of openings has the games and lines that begin so"
# A copy of a game counts in no table.
mkdir -p "$scratch/copies" && zstd -dcq "$out/games/1/torpedo.jsonl.zst" >"$scratch/copies/one" && cat "$scratch"/copies/{one,one} >"$scratch/copies/two"
for program in drawstats 'drawstats --compare' 'drawstats --lengths' 'drawstats --homogeneity' 'drawstats --power 0.05' movestats gamestats piecefit; do
	# as the recipes of the tables call them
	grep -qE -- "${program%% *} (--[a-z]+ )*--distinct" pipelines/study/Makefile || echo "$program counts copies"
	# shellcheck disable=SC2086
	diff <("$BIN"/$program -qt --distinct "$scratch/copies/one" 2>&1 | sed 's/\t0\t0\t0\t0$//') <("$BIN"/$program -qt --distinct "$scratch/copies/two" 2>&1 | sed 's/\t6\t0\t0\t0$//')
done >"$log" 2>&1
! grep -E '(draw|move|game)stats|piecefit' pipelines/study/{Makefile,reasons-data,beside} | grep -E -- '--(tsv|strict)' | grep -v -- --distinct >>"$log" && test ! -s "$log"
report $? "games that were played twice count once, in every table"
test "$(awk -F '\t' '$1 == "draw-rate-1" { printf "%s=%s ", $2, $3 }' pipelines/study/published.tsv)" = \
    'classical=2 no-castling=1 no-castling-10=2 pawn-one-square=3 stalemate-win=1 torpedo=1 semi-torpedo=1 pawn-back=3 pawn-sideways=3 self-capture=2 ' &&
    test "$(grep -cE '^draw-rate-.*(“.*”|not named)' pipelines/study/published.tsv)" -eq 20
report $? "levels of draws are those of the published text, with its sentence"
sed 's/^/x/; 1s/.*/# x/' "$scratch/written" | sed '3s/.*/<!-- agreement -->/; 5s/.*/<!-- end of agreement -->/' >"$scratch/page.md"
pipelines/study/summary -w "$scratch/page.md" "$out" 2>"$log" && grep -qE '^\| choice in the opening \| [0-9]+ \| [0-9]+ % \([0-9]+ to [0-9]+\) \| [0-9]+ % \([0-9]+ to [0-9]+\) \| [0-9]+ % \| [0-9]+ % \| – \| (yes|no|not clearly) \|$' "$scratch/page.md" &&
    pipelines/study/summary -w "$scratch/page.md" "$out" && test "$(grep -c '^| choice in the opening |' "$scratch/page.md")" -eq 1 && test "$(tail -n 1 "$scratch/page.md")" = "x$(tail -n 1 "$scratch/written")" &&
    ! pipelines/study/summary -w "$scratch/written" "$out" 2>"$log"
report $? "a summary goes into a README, between its marks"
grep -q 'by one net: how much another net' "$scratch/page.md" && grep -qE '^[0-9]+ of these [0-9]+ measures clearly beat both' "$scratch/page.md"
report $? "and says that one net played, and how many measures beat trivial players"
grep -q '^There are no games of Fairy-Stockfish' "$scratch/page.md" && grep -q 'Fairy-Stockfish did not play' "$out/report.md" && jq -e '.fairy == null' "$out/run.json" >"$log"
report $? "and that Fairy-Stockfish did not play"
test "$(column measure agreement | xargs)" = 'knight bishop rook queen entropy entropy-first divergence score-1 score-2 draw-rate-1 draw-rate-2 special-games special-moves self-captured first-move knight-search bishop-search rook-search queen-search'
report $? "all measures are compared"
awk -F '\t' 'NR > 1 && $1 !~ /knight|bishop|rook|queen|special-moves|self-captured/ && $3 == "" { bad = 1 } END { exit bad }' \
    "$out/tables/agreement-data.tsv" >"$log"
report $? "each of the study's numbers has one of ours beside it"

# Games by parity, the study's errors those of all games.
awk -F '\t' -v OFS='\t' '$1 == "half-2" && $2 == "draw-rate-1" && $3 == "torpedo" { print $4, $5, $6 }' "$out/tables/reasons-data.tsv" |
    cat -A | diff - <(awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["draw_rate"], $at["draw_rate_lo"], $at["draw_rate_hi"] }' \
    <(zstd -dcq "$out/games/1/torpedo.jsonl.zst" | awk 'NR % 2 == 0' | "$BIN/drawstats" -t --distinct) | cat -A) >"$log"
report $? "numbers of half of the games"
for case in half-1 second shared; do
	awk -F '\t' -v case=$case '$1 == case && $2 == "special-games" { print $3, $10 }' "$out/tables/reasons-data.tsv" |
	    diff - <(awk -F '\t' '$1 == "special-games" { print $2, $9 }' "$out/tables/agreement-data.tsv") >"$log"
	report $? "the study sets the same pairs apart: $case"
done
test "$(column case reasons | sort | xargs)" = 'half-1 half-2 halves quiet second shared'
report $? "games, strength, openings and method beside each other"

jq -e '.scale == "tiny" and .seed == "1" and (.rules | length) == 12 and .own == ["restless", "torpedo+no-castling"]
    and (.budgets | map(.sims) == [16, 24]) and .held == {sims: 160, games: 4} and .net.games == "material" and .net.hash == "material"
    and (.machine.cores >= 1) and .seconds >= 0 and .core_seconds > 0 and (.started < .finished or .started == .finished)' \
    "$out/run.json" >"$log" 2>&1
report $? "run.json says what was run"

# AIMS=: what the rules should do.
test "$(wc -l <"$out/tables/goals.tsv")" -eq 1
report $? "without aims there are no goals"
echo '{"aims":[{"measure":"draw_rate","below":0.3},{"measure":"games_share:torpedo","above":0.2}]}' >"$scratch/aims.json"
"$BIN/propose" --check "$scratch/aims.json" >"$scratch/aims.full"
for name in classical torpedo; do
	pipelines/study/goals "$scratch/aims.full" $name $name "$out/games/1/$name.jsonl.zst" "$out/games/1/classical.jsonl.zst"
done | grep -v '^rules' | cut -f 1,2,4-6 >"$scratch/rows" 2>"$log"
for name in classical torpedo; do
	"$BIN/drawstats" --tsv --distinct "$out/games/1/$name.jsonl.zst" | awk -F '\t' -v OFS='\t' 'NR > 1 { print $1, "draw_rate", $6, $7, $8 }'
	awk -F '\t' -v OFS='\t' -v name=$name '$1 == 1 && $3 == name && $4 == "torpedo" { print name, "games_share:torpedo", $7, $8, $9; n++ } END { if (!n) print name, "games_share:torpedo", 0, 0, 0 }' "$out/tables/special.tsv"
done | diff - "$scratch/rows" >>"$log"
report $? "goals are the numbers of the tables"
test "$(jq -nr -L pipelines/map 'include "wish"; [([0.2, 0.1, 0.3], [0.2, 0.1, 0.31], [0.4, 0.35, 0.5]) | judged({below: 0.3})] + [([0.5, 0.49, 0.51], [0.6, 0.52, 0.7], [0.5, 0.4, 0.6]) | judged({between: [0.49, 0.51]})] | join(" ")')" = 'met open missed met missed open'
report $? "an aim is met or missed by the whole interval"
mkdir "$scratch/aimless"
for given in '' "$scratch/aims.json"; do
	OUT=$scratch/aimless AIMS=$given SCALE=tiny SEED=1 NET=material pipelines/study/setup 2>"$log" >/dev/null &&
	    jq -sc '.[0].aims | length' "$scratch/aimless/make/aims.json" 2>>"$log"
done | xargs >"$scratch/aims.counts"
test "$(cat "$scratch/aims.counts")" = '0 2'
report $? "a study has its aims whole, or none"
! OUT=$scratch/aimless AIMS=$scratch/nowhere SCALE=tiny SEED=1 NET=material pipelines/study/setup 2>"$log" && grep -q 'AIMS=' "$log" &&
    ! { echo '{"aims":[{"measure":"drawrate","below":0.3}]}' >"$scratch/bad.json" && OUT=$scratch/aimless AIMS=$scratch/bad.json SCALE=tiny SEED=1 NET=material pipelines/study/setup 2>"$log"; } && grep -q 'draw_rate' "$log"
report $? "aims that are none are refused, with the reason"

# ---- figures ----

# shellcheck disable=SC2086
figures=$(printf '%s\n' outcomes compare-{draw,score}-{1,2} openings special lengths values \
    entropy-histogram entropy-first-histogram candidates candidates-first \
    divergence-histogram additional firstmoves agreement ladder
    for name in $names uniform; do
	printf '%s\n' "entropy-histogram-$name" "candidates-$name"
    done)
# shellcheck disable=SC2086
diff <(printf '%s\n' $figures | sort) \
    <(cd "$out/figures" && for f in *.svg; do echo "${f%.svg}"; done | sort) >"$log"
report $? "all figures are there"
bad=0
for figure in $figures; do
	grep -q '</svg>' "$out/figures/$figure.svg" &&
	    test "$(head -c 8 "$out/figures/$figure.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ||
	    bad=1
done
report $bad "each as SVG and PNG"
grep -q '>Restless pawns<' "$out/figures/outcomes.svg" && grep -q '>Restless pawns<' "$out/figures/additional.svg"
report $? "and the user's rule set is in them"

# drawn PANEL: whose lines are in it, a for lines of chess, b for lines of the others; by their order among rule sets
drawn() {
	awk -v panel="$1" '/<g id="gnuplot_plot_/ { n = $0; sub(/.*gnuplot_plot_/, "", n); here = n ~ "^[0-9]+" panel ? depth + 1 : 0 }
	    here && /<path/ && !seen[n + 0]++ { print n + 0 }
	    { depth += gsub(/<g /, "") - gsub(/<\/g>/, ""); if (depth < here) here = 0 }' "$out/figures/divergence-histogram.svg" | sort -n
}
# allowed P Q: rule sets of which every line of P is legal under Q, one of them being chess
allowed() {
	awk -F '\t' -v p="$1" -v q="$2" 'FNR == NR { order[$1] = FNR - 2; next }
	    FNR > 1 && $at["ply"] == 20 && (p == "" || $at["p"] == p) && (q == "" || $at["q"] == q) && $at["infinite"] == 0 {
		print order[p == "" ? $at["p"] : $at["q"]] }
	    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }' "$out/rules.tsv" "$out/tables/divergence.tsv" | sort -n
}
diff <(drawn a) <(allowed classical '') >"$log" && diff <(drawn b) <(allowed '' classical) >>"$log" &&
    test "$(allowed classical '' | wc -l)" -lt 11 && test "$(drawn a | wc -l)" -gt 1
report $? "the figure of divergences has the rule sets that allow all lines, and no others"

# ---- again ----

touch "$scratch/before"
study one RULES="$own torpedo+no-castling torpedo" && grep -q 'nothing to do' "$log" &&
    test -z "$(find "$out"/{tables,figures,games,lines,run.json} -type f -newer "$scratch/before")"
report $? "a second call does nothing, and says so"

touch "$out/tables/values.tsv"
study one RULES="$own torpedo+no-castling torpedo" GOAL=figures &&
    grep -q 'figure values' "$log" && ! grep -q 'figure special\|games' "$log"
report $? "a table that changed: only what is made of it"

# ---- what changes is done again, and no more ----

# played SET: how many jobs have played games of a set
played() { tail -n +2 "$scratch/one/games/$1/joblog" | wc -l; }
outcomes=$scratch/one/tables/outcomes.tsv
tables one >"$scratch/want"
before=$(played 1)

study one RULES="$own" GOAL="$outcomes" && test "$(played 1)" -eq "$before" &&
    ! grep -q 'torpedo+' "$outcomes" && grep -q restless "$outcomes"
report $? "a rule set less: no game is played for that"

echo '{"base":"pawn-back","stalemate_wins":true}' >"$own"
study one RULES="$own" GOAL="$outcomes" && test "$(played 1)" -eq $((before + 2))
report $? "a rule set that was changed: its games are played, and no others"

echo '{"name":"Restless pawns","base":"pawn-back+pawn-sideways","stalemate_wins":true}' >"$own"
# rows: the outcomes of two of the rule sets, at both budgets
rows() { awk -F '\t' '$3 == "classical" || $3 == "torpedo"' "$outcomes"; }
rows >"$scratch/rows"
study one ONLY=torpedo SEED=2 GOAL="$outcomes" && test "$(rows | wc -l)" -eq 4 &&
    test "$(rows | cut -f 4- | grep -cxF -f <(cut -f 4- "$scratch/rows"))" -eq 0 &&
    study one RULES="$own torpedo+no-castling" GOAL="$outcomes" &&
    test "$(played 1)" -eq $((before + 2)) &&
    tables one | grep -qF "$(grep outcomes "$scratch/want")"
report $? "another seed and back: other numbers and the same again, from games that were kept"

# ---- killed and continued ----

# Three rule sets, in one run that nobody disturbs, and in one that is killed.
few=(ONLY="torpedo $own")
study three "${few[@]}" GOAL=tables
whole=$(steps)
study three "${few[@]}"
report $? "a study of three rule sets"
written three >"$scratch/written-few"
tables three >"$scratch/want-few"

# begin: a study in the background, in a session of its own
begin() {
	behind make --no-print-directory -f pipelines/study/Makefile study BIN="$BIN" SCALE=tiny \
	    OUT="$scratch/two" NET=material "${few[@]}" GOAL=tables >"$log" 2>&1
}

# killed_at FILE: starts a study and kills it when the file appears
killed_at() {
	begin
	wait_for test -e "$scratch/two/$1" || return 1
	kill_all
	! test -e "$scratch/two/tables/mainlines.jsonl"
}

killed_at lines/torpedo.jsonl.zst
report $? "killed while lines are drawn"
killed_at games/1/joblog
report $? "killed while games are played"

# at_work FILE: is there this file, and a study at work beside it?
at_work() { test -e "$scratch/two/$1" && ! flock -n "$scratch/two/make" true; }

begin
wait_for at_work games/2/joblog
touch "$scratch/before"
! study two "${few[@]}" SEED=3 && grep -q 'another one is at work' "$log" &&
    test -z "$(find "$scratch/two/rules.tsv" "$scratch"/two/games/*/want -newer "$scratch/before")"
report $? "a second one in the same folder is refused, and changes nothing"
# ends: TERM ends the study, and nothing of it is left
ends() {
	kill -TERM "$child"
	! wait "$child" 2>/dev/null && ! alive
}
ends
report $? "TERM ends it, and all that it has started"
child=
rm -f "$scratch/two/tables/entropy.tsv"	# made before the games, as it may be
killed_at tables/entropy.tsv
report $? "killed while tables are made"
study two "${few[@]}" GOAL=tables && test "$(steps)" -lt "$whole" &&
    ! grep -q 'lines of torpedo:' "$log"
report $? "and continued"
tables two | diff - "$scratch/want-few" >"$log"
report $? "two runs, one of them killed three times: the same bytes in all tables"
study two "${few[@]}" JOBS=3 && written two | diff - "$scratch/written-few" >"$log" &&
    test "$(grep -c 'games/.*jsonl.zst\|figures/.*\.\(svg\|png\)\|lines/\|doubling/\|themes/\|report.html' "$scratch/written-few")" -gt 100
report $? "and in everything else: games, lines, figures, the report"

# Steps that do not end by themselves: a table's, and learning.
mkdir "$scratch/odd"
ln -s "$BIN"/* "$scratch/odd"
rm "$scratch"/odd/{entropy,train}
cat >"$scratch/odd/entropy" <<END
#!/bin/sh
touch "$scratch/stuck"
sleep 1000
END
cat >"$scratch/odd/train" <<END
#!/bin/sh
case \$* in
*checkpoint.new*) ;;
*) exec "$BIN/train" "\$@" ;;
esac
. "$scratch/odd/entropy"
END
chmod +x "$scratch"/odd/{entropy,train}
# stuck NAME VARIABLE=VALUE ...: ends a study of two rule sets that has got stuck
stuck() {
	behind make --no-print-directory -f pipelines/study/Makefile study BIN="$scratch/odd" SCALE=tiny OUT="$scratch/stopped" \
	    ONLY="$own" GOAL="$scratch/stopped/tables/entropy.tsv" "${@:2}" >"$log" 2>&1
	wait_for rm "$scratch/stuck" 2>/dev/null && ends
	report $? "TERM ends $1"
	kill_all
}
stuck 'what makes a table' NET=material
if "$BIN/selfplay" -N default -g 0 2>/dev/null; then
	stuck 'learning' PRIOR=material LEARN=6
else
	skip "learning: there is no net"
fi

# ---- learning first ----

# learning OUT VARIABLE=VALUE ...: two rule sets, the user's learnt before
learning() {
	make --no-print-directory -f pipelines/study/Makefile study BIN="$BIN" SCALE=tiny OUT="$scratch/$1" ONLY="$own" \
	    LEARN=6 "${@:2}" >"$log" 2>&1
}
# What else is made follows from lines and games, as was seen above.
learning_again() { learning again GOAL="$scratch/again/tables/outcomes.tsv $scratch/again/tables/floor.tsv"; }
if "$BIN/selfplay" -N default -g 0 2>/dev/null; then
	learning learnt GOAL="$scratch/learnt/run.json" && grep -q 'learns restless first: 6 games of 2 rule sets in 1 generations' "$log" &&
	    jq -e '.net.learnt == 1 and .net.learn_games == 3 and (.net.learning.matches | length) == 1 and
	    (.net.learning | .better == (.matches[0] | .wins > .losses))' "$scratch/learnt/run.json" >>"$log"
	report $? "a rule set that the net was never told is learnt first, and run.json says so"
	if jq -e .net.learning.better "$scratch/learnt/run.json" >/dev/null; then chosen=net.onnx; else chosen=nets/000001.onnx; fi
	cmp "$scratch"/learnt/learn-*/chosen.onnx "$(echo "$scratch"/learnt/learn-*)/$chosen" >"$log" 2>&1
	report $? "the better one of the nets before and after plays"
	learning_again && written again >"$scratch/again.sums" &&
	    ! written learnt | grep -vxF -f - "$scratch/again.sums" >>"$log" &&
	    test "$(grep -c 'learn-.*/net.onnx\|tables/outcomes.tsv\|games/[12]/[a-z]*\.jsonl\.zst' "$scratch/again.sums")" -eq 6 &&
	    test "$(grep -c ' \./lines/' "$scratch/again.sums")" -eq "$(find "$scratch/learnt/lines" -type f | wc -l)"
	report $? "learnt again it is the same to the last byte, and so are the lines and games that follow"
	test -z "$(find "$scratch/again/games" -name '*.old-*')"
	report $? "and no games are put aside that were not played"
	learning_again && grep -q 'nothing to do' "$log"
	report $? "what was learnt is not learnt again"
else
	skip "learning: there is no net"
fi

# ---- nets of earlier generations ----

mkdir -p "$scratch/training/nets"
for i in 1 2 3 4 8 9; do
	"$TESTS/make_sparse" 64 $i "$scratch/training/nets/00000$i.onnx"
done
touch "$scratch/training/nets/notes.onnx"
# generations VARIABLE=VALUE ...: a study of two rule sets, as far as it is about them
generations() {
	make --no-print-directory -f pipelines/study/Makefile study BIN="$BIN" SCALE=tiny OUT="$scratch/trained" ONLY=torpedo \
	    PLAYER="$scratch/training/nets/000009.onnx" SIMS1=20 SIMS2=40 "$@" >"$log" 2>&1
}
out=$scratch/trained
generations GENERATIONS="$scratch/training" GOAL="$out/tables/trend.tsv $out/tables/training-trend.tsv $out/figures/training.svg $out/figures/ladder.svg" &&
    test "$(column generation training | xargs)" = '1 2 3 4 9' &&
    test "$(column rules training | xargs)" = 'classical torpedo' &&
    test "$(column at training-trend)" = 18
report $? "a ladder of training: the last net, and those next to a half, a quarter, … of it"
"$BIN/trend" -t --share --x generation --at 4 "$out/tables/training.tsv" | awk -F '\t' 'NR > 1 { print $1, $(NF - 2) }' |
    diff - <(awk -F '\t' '$1 == "training" && $2 == "draw_rate" && $4 == 4 { print $3, $5 }' "$out/tables/curves.tsv") >"$log" && test "$(wc -l <"$out/tables/curves.tsv")" -gt 20
report $? "the lines that are drawn are those of trend"
# The lines have not seen the rung by which they are judged.
"$BIN/trend" -t --share --hold-out 200 --at 160 "$out/tables/ladder.tsv" |
    diff - <(awk -F '\t' '$1 == "measure" || $1 == "draw_rate"' "$out/tables/trend.tsv" | cut -f 2-) >"$log" &&
    test "$(column n trend)" = 3 && test "$(column held trend)" = 200 && test "$(column sims ladder | xargs)" = '5 20 40 200'
report $? "three rungs are fitted, and a fourth of ten times the first budget judges"
# Extrapolated lines are dashed, and only where trend gives an estimate.
told=$(awk -F '\t' 'NR > 1 && $4 == 160 && $1 == "thinking" && $5 != "" || NR > 1 && $4 == 18 && $1 == "training" && $5 != ""' "$out/tables/curves.tsv" | wc -l)
grep -q '</svg>' "$out/figures/training.svg" &&
    test "$(cat "$out"/figures/{ladder,training}.svg | grep -c 'stroke-dasharray.* L')" -eq "$told"
report $? "beyond what was played a line is drawn only where it can be told: $told"

# ---- several players ----

out=$scratch/shared-out
# several VARIABLE=VALUE ...
several() {
	make --no-print-directory -f pipelines/study/Makefile study BIN="$BIN" SCALE=tiny OUT="$out" ONLY=torpedo PRIOR=uniform SIMS1=20 SIMS2=40 GAMES1=13 GAMES2=6 \
	    GOAL="$out/tables/outcomes.tsv $out/tables/special.tsv $out/tables/replication.tsv $out/tables/paired.tsv" "$@" >"$log" 2>&1
}
nets="$(echo "$scratch"/training/nets/00000{1,2,3}.onnx)"
several NETS="$nets" && test "$(zstd -dcq "$out/games/1/torpedo.jsonl.zst" | jq -r .net | sort | uniq -c | awk '{ print $1 }' | sort -n | xargs)" = '4 4 5' &&
    test "$(zstd -dcq "$out"/games/1/torpedo.jsonl.zst | jq -r '.seed + " " + .id' | sort -u | wc -l)" -eq 13 &&
    cmp <(cat "$out"/games/2/by-{1,2,3}/torpedo.jsonl.zst) "$out/games/2/torpedo.jsonl.zst" >>"$log"
report $? "three nets share the games of each rule set, with different seeds"
test "$(zstd -dcq "$out"/games/shared/classical.jsonl.zst | wc -l)" -eq 4 && test "$(cat "$out"/games/shared/by-*/openings.jsonl | sort -u | wc -l)" -eq 4 && test "$(awk 'END { print NR }' "$out/tables/paired.tsv")" -eq 3
report $? "and the lines that games follow"
test "$(column nets outcomes)" = 3 && test "$(column nets special)" = 3 && test "$(column net nets | xargs)" = '1 2 3' &&
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["score_between"] == "" || $at["score_lo"] > $at["score"] || $at["score_hi"] < $at["score"] { bad = 1 } END { exit bad || NR != 5 }' "$out/tables/outcomes.tsv"
report $? "the variance between them is in the intervals"
diff <(awk -F '\t' '$2 == "score" && $1 == 1 && $4 == 2 { print $3, $6 }' "$out/tables/nets.tsv" | sort) \
    <("$BIN/drawstats" --distinct "$out"/games/1/by-2/*.jsonl.zst | jq -r '"\(.rules) \(.score)"' | sort) >"$log"
report $? "each net's numbers are those of its own games"
several NETS="$nets" && grep -q 'nothing to do' "$log" && several NETS="${nets% *}" && test "$(column nets outcomes)" = 2 &&
    test -e "$(echo "$out"/games/1.old-*/by-3)"
report $? "with fewer nets the games are others"
! several NETS="$nets" PLAYER=material && grep -q 'NETS: the first of them' "$log"
report $? "NETS and PLAYER together are refused"
out=$scratch/trained
# A second prior: the difference of the two.
generations PRIOR=material PRIOR2=uniform GOAL="$out/tables/floor.tsv" &&
    test "$(column rules floor | xargs)" = 'classical torpedo classical/e4 classical/Nf3 no-castling/e4 no-castling/Nf3'
report $? "a second prior gives a noise floor for each rule set and first move"
"$BIN/priorwalk" -q -N material -s 1 -I 20 -U 20 -r torpedo | "$BIN/priorwalk" -q -N material -Q uniform -r torpedo | "$BIN/kldiv" -q | tail -n 1 | jq .kl |
    diff - <(awk -F '\t' '$1 == "torpedo" { print $2 }' "$out/tables/floor.tsv") >"$log" &&
    awk -F '\t' 'NR > 1 && !($2 > 0 && $5 > $4) { bad = 1 } END { exit bad }' "$out/tables/floor.tsv"
report $? "which is the divergence of the two under the same rules"
generations GENERATIONS="$scratch/rules"; grep -q 'no net there is called by a number' "$log"
report $? "a folder without nets is refused"
out=$scratch/one

# ---- Fairy-Stockfish ----

# with_fairy VARIABLE=VALUE ...: as far as the table of agreement beside others
with_fairy() {
	make --no-print-directory -f pipelines/study/Makefile study BIN="$BIN" SCALE=tiny OUT="$scratch/fairy" ONLY="pawn-one-square torpedo self-capture" \
	    NET=material FAIRY=tests/fake-fairy GOAL="$scratch/fairy/tables/beside.tsv" "$@" >"$log" 2>&1
}
out=$scratch/fairy
with_fairy && test "$(sed -n 's/^FAIRY_NAMES := //p' "$out/make/config.mk")" = 'classical pawn-one-square torpedo' &&
    test "$(column who beside | xargs)" = 'ours legal material fairy' && test "$(column rules beside | xargs)" = 'all without fairy' &&
    grep -q '^self-capture	no	self_capture: ' "$out/make/fairy.tsv"
report $? "Fairy-Stockfish plays the rule sets that it can be told"
for name in classical pawn-one-square torpedo; do
	zstd -dcq "$out/games/base-fairy/$name.jsonl.zst" | jq -e -s --arg name $name 'length == 6 and all(.rules == $name) and (map(.moves) | unique | length) == 6 and
	    (map(.moves | split(" ")[:20]) | .[0] == .[1] and .[2] == .[3] and (unique | length) == 3)' &&
	    zstd -dcq "$out/games/base-fairy/$name.jsonl.zst" | jq -r '.moves | split(" ")[:20] | join(" ")' | sort -u |
	    diff - <(zstd -dcq "$out/games/1/$name.jsonl.zst" | jq -r 'select(.plies > 20) | .moves | split(" ")[:20] | join(" ")' | head -n 3 | sort -u)
done >"$log" 2>&1
report $? "two different games after the first plies of each of ours"
zstd -dcq "$out"/games/base-fairy/*.jsonl.zst | "$TESTS/check_selfplay" >"$log" 2>&1
report $? "which are whole games"
# The same pairs, and no others, by both; the numbers are those of the games.
for who in ours fairy; do
	awk -F '\t' -v who=$who '$1 == who && $2 == "fairy" { print $3, $4, $9 }' "$out/tables/beside.tsv" >"$scratch/pairs-$who"
done
diff "$scratch"/pairs-{ours,fairy} >"$log" && grep -q '^draw-rate-1 3 ' "$scratch/pairs-ours" && ! grep -q '^\(entropy\|first-move\)' "$scratch/pairs-ours"
report $? "we and Fairy-Stockfish are compared over the same pairs"
grep -v '^entropy-uniform' "$out/tables/agreement-data.tsv" | awk -F '\t' 'NR == 1 || $1 == "draw-rate-1" && $2 != "self-capture"' |
    "$BIN/rankcorr" --errors -t -s 1 | tail -n 1 | cut -f 1-8 | diff - <(awk -F '\t' '$1 == "ours" && $2 == "fairy" && $3 == "draw-rate-1"' "$out/tables/beside.tsv" | cut -f 3-10) >"$log"
report $? "which are those of the rule sets that it knows"
for name in classical pawn-one-square torpedo; do
	"$BIN/drawstats" -t --distinct "$out/games/base-fairy/$name.jsonl.zst" | tail -n 1 | cut -f 1-5
done | diff - <(awk -F '\t' '$1 == 1' "$out/make/beside/fairy/outcomes.tsv" | cut -f 2-6) >"$log"
report $? "its numbers are those of its games"
OUT=$out SCALE=tiny SEED=1 pipelines/study/run-json >"$out/run.json" 2>"$log" &&
    jq -e '.fairy | .engine == "Fake-Fairy 1" and .games == 6 and .nodes == 448 and (.rules | length) == 3 and (.left_out["self-capture"] | startswith("self_capture: "))' "$out/run.json" >>"$log" &&
    pipelines/study/summary "$out" >"$scratch/summary" && grep -qE '^\| draws \(decisive, neither, drawish\) \| .* \| [0-9]+ % of [0-9] \(here [0-9]+ %\) \| (yes|no|not clearly) \|$' "$scratch/summary" &&
    grep -q '^Fake-Fairy 1 knows 3 of the rule sets (classical, pawn-one-square, torpedo): ' "$scratch/summary"
report $? "run.json and the summary say what it played"
with_fairy && grep -q 'nothing to do' "$log"
report $? "nothing is played again"
FAKE_FAIRY=old with_fairy FAIRY="$PWD/tests/../tests/fake-fairy" && grep -q 'nothing to do' "$log"
report $? "nor asked again of the same program"
sum=$(cat "$out"/games/1/*.jsonl.zst | sha256sum)
with_fairy FAIRY=none && test "$(steps)" -eq 1 && test "$(column who beside | xargs)" = 'ours legal material' && test "$sum" = "$(cat "$out"/games/1/*.jsonl.zst | sha256sum)"
report $? "without it the rows are not there, and nothing else changes"
# A former study: the numbers of its tables, over what both have.
with_fairy FAIRY=none BEFORE="$scratch/one" && test "$(steps)" -eq 1 && test "$(column who beside | xargs)" = 'ours legal material before' &&
    pipelines/study/agreement-data pipelines/study/published.tsv "$out/tables" "$scratch/one/tables" | awk -F '\t' 'NR == 1 || $1 == "score-1" && $2 ~ /^(classical|torpedo|self-capture|pawn-one-square)$/' |
    "$BIN/rankcorr" --errors -t -s 1 | tail -n 1 | cut -f 1-8 | diff - <(awk -F '\t' '$1 == "before" && $2 == "before" && $3 == "score-1"' "$out/tables/beside.tsv" | cut -f 3-10) >>"$log" &&
    OUT=$out SCALE=tiny SEED=1 pipelines/study/run-json >"$out/run.json" 2>>"$log" && pipelines/study/summary "$out" | grep -q '^The former study is that of commit .*SCALE=tiny SEED=1'
report $? "beside a former study"
! with_fairy FAIRY=none BEFORE="$scratch/rules" && grep -q 'there is no study with tables' "$log"
report $? "refused: a folder without a study"
! with_fairy FAIRY=no-such-engine && grep -q 'FAIRY=no-such-engine: there is no such program' "$log"
report $? "refused: an engine that is not there"
out=$scratch/one

# ---- over hosts ----

cat >"$scratch/ssh" <<END
#!/bin/sh
# HOST [--] COMMAND ...: a folder stands for the host
host=\$1
shift
test "\$1" != -- || shift
mkdir -p "$scratch/hosts/\$host" && cd "$scratch/hosts/\$host" || exit 255
exec setsid --fork --wait env -i HOME="\$PWD" PATH=/usr/bin:/bin SHELL=/bin/sh sh -c "\$*" 9<&-
END
chmod +x "$scratch/ssh"
printf '1/north\n1/south\n' >"$scratch/hostfile"
if command -v rsync >/dev/null; then
	PARALLEL_SSH=$scratch/ssh study far HOSTS="$scratch/hostfile" \
	    ONLY="torpedo self-capture $own" GOAL="$scratch/far/tables/outcomes.tsv" &&
	    grep ' \./games/[12]/\(classical\|torpedo\|self-capture\|restless\)\.jsonl\.zst' "$scratch/written" >"$scratch/here" &&
	    (cd "$scratch/far" && sha256sum ./games/?/*.jsonl.zst) | diff - "$scratch/here" >>"$log" &&
	    test "$(wc -l <"$scratch/here")" -eq 8 &&
	    test "$(tail -qn +2 "$scratch"/far/games/?/joblog | cut -f 2 | sort -u | xargs)" = 'north south'
	report $? "two hosts: the same bytes"
else
	skip "hosts: rsync is missing"
fi

# ---- refused ----

# refused TEXT NAME VARIABLE=VALUE ...
refused() {
	! study no "${@:3}" && grep -qF -- "$1" "$log"
	report $? "refused: $2"
}
echo '{"bases":"torpedo"}' >"$scratch/rules/wrong.json"
echo '{}' >"$scratch/rules/torpedo.json"
echo '{}' >"$scratch/rules/uniform.json"
refused 'one of tiny small hour medium paper' 'an unknown scale' SCALE=huge
refused 'not a number' 'a bad seed' SEED=x
refused 'GAMES1=0' 'no games' GAMES1=0
refused 'not a number of games' 'a bad number of games to learn from' LEARN=ten
refused 'cannot be read' 'rules that are not there' RULES=nowhere.json
refused 'no rule set' 'bad rules' RULES="$scratch/rules/wrong.json"
refused 'no rule set' 'a sum with an unknown preset' RULES=torpedo+nothing
refused 'name of a preset' 'rules with the name of a preset' RULES="$scratch/rules/torpedo.json"
refused 'the name of a net' 'rules with a name that means something else' RULES="$scratch/rules/uniform.json"
refused 'cannot be used' 'a file that is not a net' NET="$own"
refused 'HOSTS=' 'hosts that are not there' HOSTS=nowhere

finish
