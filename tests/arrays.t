#!/bin/bash
# pipelines/arrays: the numbers of the arrays, the same rows whatever the jobs, and what
# it refuses.

. "$(dirname "$0")/tap.sh"
arrays=$root/pipelines/arrays
needs parallel jq
cd "$scratch" || exit 1
log=$scratch/log
export PARALLEL_HOME=$scratch/parallel
mkdir "$PARALLEL_HOME"
unset PARALLEL

"$arrays" -N material -v 1 -j 2 >all.tsv 2>"$log"
report $? "searches all arrays"
test "$(tail -n +2 all.tsv | cut -f 2 | sort -u | wc -l)" -eq 960
report $? "they are 960 different ones"
test "$(awk -F '\t' '$1 == 0 || $1 == 518 || $1 == 959 { printf "%s ", $2 }' all.tsv)" = 'BBQNNRKR RNBQKBNR RKRNNQBB '
report $? "with their usual numbers"
"$BIN/selfplay" -qN uniform -r chess960 -g 60 -v 1 --random-plies 1 -s 5 | jq -r '.start | split("/")[7] | split(" ")[0]' |
    sort -u >played
test -s played && test -z "$(comm -23 played <(tail -n +2 all.tsv | cut -f 2 | sort))"
report $? "selfplay begins with some of these"
"$arrays" -N default -v 300 -j 1 3 518 40 >one.tsv 2>"$log" && "$arrays" -N default -v 300 -j 3 3 518 40 >three.tsv 2>"$log" &&
    cmp one.tsv three.tsv && awk -F '\t' 'NR > 1 && !($5 > 0.3 && $5 < 0.7) { exit 1 }' one.tsv
report $? "the same rows whatever the jobs"
"$arrays" 960 >out 2>"$log"
test $? -eq 2 && test ! -s out
report $? "there is no array 960"
"$arrays" -e no-such-engine 1 >out 2>"$log"
test $? -eq 2
report $? "an engine that is missing is refused"
finish
