#!/bin/bash
# Every field of rules.def and every end of end.h is listed wherever people or nets
# need it.

. "$(dirname "$0")/tap.sh"

# missing WORDS COMMAND ...: the words that the command does not print
missing() {
	comm -23 <(sort -u <<<"$1") <("${@:2}" | sort -u) | tee "$log"
}

fields=$(sed -n 's/^RULE(\([a-z_]*\),.*/\1/p' src/chess/rules.def)
limits=$(sed -n 's/^RULE(\([a-z_]*\),.* LIMIT,.*/\1/p' src/chess/rules.def)
ends=$(sed -n 's/^\tEND([A-Z_]*, "\([a-z-]*\)".*/\1/p' src/chess/end.h)
[ "$(wc -l <<<"$fields")" -gt 20 ] && [ "$(wc -l <<<"$ends")" -gt 10 ]
report $? "fields and ends are found"

table() { sed -n '/^\.Bl -column/,/^\.El/s/^\.It Cm \([a-z_]*\) Ta .*/\1/p' man/rules.7; }
text() { sed -n 's/^\.It Cm //p' man/rules.7 | grep -v ' Ta ' | tr -s ' ,' '\n'; }
[ -z "$(missing "$fields" table)" ]
report $? "rules(7): the table has every field"
[ -z "$(missing "$fields" text)" ]
report $? "rules(7): every field is explained"
drawn() { "$BIN/genmoves" --random-rules 300 | jq -r 'keys[]'; }
[ -z "$(missing "$(comm -23 <(sort <<<"$fields") <(sort <<<"$limits"))" drawn)" ]
report $? "genmoves --random-rules changes every field but limits"
sided=$(sed -n 's/^RULE(\([a-z_]*\),.* EACH,.*/\1/p' src/chess/rules.def)
differing() { "$BIN/genmoves" --random-rules 1000 | jq -r 'to_entries[] | select(.value | type == "object" and has("white")).key'; }
[ -n "$sided" ] && [ -z "$(missing "$sided" differing)" ]
report $? "genmoves --random-rules gives the sides different values of every field that has two"

found=$(grep -vxE 'resign|unknown' <<<"$ends")
[ -z "$(missing "$found" text)" ]
report $? "rules(7): every end that the rules find is explained"
listed() { sed -n '/^\.It Cm end$/,/^\.It Cm plies/s/^\.Ql \([a-z-]*\).*/\1/p' man/games.5; }
[ -z "$(missing "$ends" listed)" ]
report $? "games(5): every end is listed"
words() { jq -r '.ends | keys[]' pipelines/study/report/words.json; }
[ -z "$(missing "$ends" words)" ]
report $? "the study's report has words for every end"

finish
