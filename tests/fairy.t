#!/bin/bash
# Rule sets as Fairy-Stockfish is told them (genmoves --to-ini): it must find as many
# lines as we do, after many lines of moves and from many positions.
. "$(dirname "$0")/tap.sh"
needs jq
knows() { pipelines/study/knows "$1" "$scratch/variants.ini" "${@:2}"; }

# What we write is what we mean, whoever reads it: the stand-in reads by --from-ini.
presets=$("$BIN/genmoves" --list-rules | jq -r .name)
written=''
for preset in $presets; do
	"$BIN/genmoves" --to-ini "$preset" >/dev/null 2>&1 && written+="$preset "
done
# shellcheck disable=SC2086
knows tests/fake-fairy $presets >"$scratch/known" 2>"$log"
test "$(awk -F '\t' '$2 == "yes" { printf "%s ", $1 }' "$scratch/known")" = "$written" && test "$(wc -w <<<"$written")" -eq 11
report $? "every preset that can be written is understood: ${written% }"
# shellcheck disable=SC2086
diff <(awk -F '\t' '$2 == "no" { print $3 }' "$scratch/known") \
    <("$BIN/genmoves" --to-ini $presets 2>&1 >/dev/null | sed 's/^genmoves: [^:]*: //') >"$log"
report $? "the others are refused by the name of a field"

# The comparison sees what is wrong.
FAKE_FAIRY=deaf knows tests/fake-fairy classical pawn-one-square torpedo semi-torpedo no-castling no-en-passant crazyhouse >"$scratch/known" 2>"$log"
test "$(awk -F '\t' '{ printf "%s=%s ", $1, $2 }' "$scratch/known")" = \
    'classical=yes pawn-one-square=no torpedo=no semi-torpedo=no no-castling=no no-en-passant=no crazyhouse=no '
report $? "an engine that plays other rules is found out"
FAKE_FAIRY=old knows tests/fake-fairy torpedo no-castling >"$scratch/known" 2>"$log"
printf 'torpedo\tno\tthis version does not know doubleStepRegionWhite\nno-castling\tyes\trulelab-no-castling\n' | cmp - "$scratch/known" >>"$log"
report $? "and one that does not know a key says which"

# ---- the real one ----

fairy=$(PATH=$PATH:/usr/games command -v fairy-stockfish)
if [ -z "$fairy" ]; then
	skip 'fairy-stockfish is not here'
	finish
fi
# Pieces by name, hands, forced captures, checks, goals, promotions, other starts.
n=0 own=()
while read -r rules; do
	n=$((n + 1))
	echo "$rules" >"$scratch/own$n.json"
	own+=("$scratch/own$n.json")
done <<'RULES'
{"start":"rcbqkabr/pppppppp/8/8/8/8/PPPPPPPP/RCBQKABR w KQkq - 0 1","pieces":{"a":"BN","c":"RN"},"promote_to":"nbrqac"}
{"knight":"mNcB","bishop":"mBcN","must_capture":true}
{"castling_from":0,"queen":"QN","promote_to":"nb"}
{"drops":true,"knight":"BN"}
{"checks_to_win":2,"goal":"a5 h5 c6","double_step":0}
{"may_check":false,"knight":"FfW","queen":"RF"}
{"promote_to":{"white":"q","black":"nb"},"double_step":{"white":4,"black":3}}
RULES
# shellcheck disable=SC2086
knows "$fairy" $written "${own[@]}" >"$scratch/known" 2>"$log"
while IFS=$'\t' read -r rules said why; do
	case $said/$why in
	yes/*) report 0 "the same lines: $(basename "$rules")" ;;
	no/this\ version*) skip "$(basename "$rules"): $why" ;;
	*) report 1 "$(basename "$rules"): $why" ;;
	esac
done <"$scratch/known"
test "$(grep -c '	yes	' "$scratch/known")" -ge 14
report $? "most can be told to every version"

finish
