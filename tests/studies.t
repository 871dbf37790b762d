#!/bin/bash
# rulelab study at a scale of seconds, of one rule set beside chess: it ends with a
# report, without a complaint, whatever the rule set lacks: special moves, draws,
# openings of chess. Here of a few rule sets; STUDIES=all takes every preset, every rule
# of the gallery and 20 random rule sets (about 20 s each on one core).

. "$(dirname "$0")/tap.sh"
needs parallel gnuplot jq zstd flock
export PARALLEL_HOME=$scratch/parallel
unset PARALLEL PARALLEL_SSH MAKEFLAGS MFLAGS RULES NET HOSTS OUT SCALE SEED GOAL
mkdir "$PARALLEL_HOME" "$scratch/rules"

# random_rules N SEED: writes N random rule sets whose start is not over, as files
random_rules() {
	"$TESTS/random_games" -s 0 -m 1 "$2" $((20 * $1)) random | jq -c 'select(.moves != "") | .rules | objects' |
	    head -n "$1" | nl -s ' ' -w 1 | while read -r i rules; do
		echo "$rules" >"$scratch/rules/random-$2-$i.json"
		echo "$scratch/rules/random-$2-$i.json"
	done
}

# bad_tables OUT: the name of each table that is none
bad_tables() {
	for table in "$1"/tables/*.tsv; do
		awk -F '\t' 'NR == 1 { n = NF } NF != n { bad++ } END { exit !(NR > 0 && !bad) }' "$table" || basename "$table"
	done
}

# whole OUT: is its page whole, and its text without a number that is none?
whole() { tail -n 1 "$1/report.html" | grep -q '</html>' && ! grep -oE '.{0,40}[| (](null|NaN|nan|undefined)[| ).].{0,40}' "$1/report.md"; }

# try NAME RULES ...: a study of these
try() {
	local out=$scratch/out
	rm -rf "$out"
	"$BIN/rulelab" study SCALE=tiny LEARN=0 JOBS="${JOBS:-2}" OUT="$out" "${@:2}" >"$scratch/said" 2>"$scratch/errors"
	# what a few games cannot tell, which of them are copies, and what the nets do not know, is said
	grep -vE '^(\*\*\* .* are copies|make study: .* left$|piecefit: |(match|priorwalk|selfplay): the net .* was not trained on )' "$scratch/errors" >"$scratch/complaints"
	{
		tail -n 5 "$scratch/said"
		cat "$scratch/complaints"
	} >"$log"
	tail -n 1 "$scratch/said" | grep -q 'The report is' && whole "$out" >>"$log" &&
	    test -z "$(bad_tables "$out" | tee -a "$log")" && test ! -s "$scratch/complaints"
	report $? "$1"
}

# draw OUT: draws the figures of a study's folder from its tables as they are, and its
# report; those that cannot be drawn are named in the log
draw() {
	local script file settings bad=0
	while read -r _ script file settings; do
		[ "$1" = "$scratch/empty" ] || [[ $settings != *"rules=$name"* ]] || continue
		# shellcheck disable=SC2086
		OUT=$1 pipelines/study/plot "$script" "$1/figures/${file##*/}" $settings 2>&1 | sed "s|^|${file##*/}: |" >>"$log"
		test -s "$1/figures/${file##*/}.svg" || bad=$((bad + 1))
	done <"$scratch/plots"
	pipelines/study/report/report "$1" >"$1/report.json" 2>>"$log" && pipelines/study/report/html "$1/report.json" >"$1/report.html" 2>>"$log" &&
	    pipelines/study/report/text "$1/report.json" >"$1/report.md" 2>>"$log" && whole "$1" >>"$log" && test ! -s "$log" && test $bad -eq 0
}

cat >"$scratch/rules/mine.json" <<'END'
{"name":"no pawns","start":"rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1","draw_value":50,"ply_limit":50}
END
try "rules that are all one's own, with one that has no pawns and draws worth 3/4" classical kaufman-points "$scratch/rules/mine.json"
if [ "${STUDIES:-few}" = all ]; then
	for rules in $("$BIN/genmoves" --list-rules | jq -r 'select(.name != "classical").name') \
	    $(basename -s .json pipelines/rules/*.json) $(random_rules 20 1); do
		try "$(basename "$rules")" "$rules"
	done
else
	try "stalemate-3-4, which has no special move" stalemate-3-4
	try "drops and hands, spare kinds, sides that differ, a side without a king" \
	    crazyhouse chigorin dunsany different-armies-rookies
	for rules in $(random_rules 1 2); do
		try "$(basename "$rules"): $(cat "$rules")" "$rules"
	done
fi

# Tables of the last study without rows; and with those of chess alone.
out=$scratch/out
make --no-print-directory -n -W pipelines/study/style.gp -f pipelines/study/Makefile figures BIN="$BIN" OUT="$out" \
    SCALE=tiny LEARN=0 "ONLY=${rules##* }" | grep '^pipelines/study/plot ' >"$scratch/plots"
test "$(wc -l <"$scratch/plots")" -gt 20
report $? "there are figures"
cp -r "$out" "$scratch/empty"
sed -i '2,$d' "$scratch"/empty/tables/*.tsv
truncate -s 0 "$scratch"/empty/tables/*.jsonl
cp -r "$scratch/empty" "$scratch/one"
name=$(awk -F '\t' 'NR == 3 { print $1 }' "$out/rules.tsv")
for table in "$out"/tables/*.tsv "$out/rules.tsv"; do
	awk -F '\t' -v name="$name" '{ for (i = 1; i <= NF; i++) if ($i == name) next; print }' "$table" >"$scratch/one/${table#"$out"/}"
done
rm -f "$scratch"/{empty,one}/figures/*
for folder in empty one; do
	: >"$log"
	draw "$scratch/$folder"
	report $? "figures and report of tables $(if [ $folder = empty ]; then echo without rows; else echo of one rule set; fi)"
done
finish
