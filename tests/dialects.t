#!/bin/bash
# PGN of many dialects.
#
# First tests/data/pgn, one file for each oddity, with the expected result in
# FILE.want (games, bad games and plies, then the games); UPDATE=1 rewrites it.
# Then all files of ../shared/pgn/dialects, if present: games, bad games and plies
# must be those of the three readers in oracle.tsv where these agree with each other.
# Where they do not, tests/data/dialects.tsv has our decision and its reason; only
# unknown variants are a reason to differ from what all three say.

. "$(dirname "$0")/tap.sh"
shared=../shared/pgn

# The result of a file: counts, messages, games with comments.
outcome() {
	timeout 20 "$BIN/pgnread" --count --tsv "$1" 2>&1 | sed 's/^[^:]*: [^:]*://'
	timeout 20 "$BIN/pgnread" --comments "$1" 2>/dev/null
}

for file in tests/data/pgn/*.pgn; do
	want=${file%.pgn}.want
	test -z "$UPDATE" || outcome "$file" >"$want"
	outcome "$file" >"$scratch/got"
	diff "$want" "$scratch/got" >"$scratch/diff"
	report $? "$file"
	sed 's/^/# /; 20q' "$scratch/diff" >&2
	# A pipe that gives few bytes at once must not change anything.
	if test "$(wc -c <"$file")" -lt 5000; then
		perl -pe 'BEGIN { $/ = \3; $| = 1 }' "$file" |
		    "$BIN/pgnread" --comments 2>/dev/null >"$scratch/slow"
		"$BIN/pgnread" --comments "$file" 2>/dev/null |
		    cmp - "$scratch/slow" >&2
		report $? "$file, three bytes at a time"
	fi
done

if ! test -r $shared/oracle.tsv; then
	count=$((count + 1))
	echo "ok $count # SKIP $shared is not here"
	finish
fi

# agreed ROW: what all three readers say of a file, nothing if they differ
agreed() {
	echo "$1" | awk -F '\t' '{
		shakmaty = $10 " " $11 " " $12
		python = $13 " " $14 " " $15
		extract = $16 " " $16 - $17
		if (shakmaty == python && extract == $10 " " $11)
			print shakmaty
	}'
}

# decided FILE: the line of our decisions
decided() { awk -F '\t' -v file="$1" '$1 == file' tests/data/dialects.tsv; }

while IFS= read -r row; do
	file=${row%%$'\t'*}
	got=$(timeout 20 "$BIN/pgnread" -q --trust --count --tsv "$shared/dialects/$file" \
	    2>/dev/null | tail -n 1 | tr '\t' ' ')
	all=$(agreed "$row")
	line=$(decided "$file")
	ours=$(echo "$line" | cut -f 2-4 | tr '\t' ' ')
	reason=$(echo "$line" | cut -f 5)
	if test -z "$line" && test -z "$all"; then
		say="the readers differ, and nothing has been decided"
	elif test -z "$line"; then
		say="all say $all"
		test "$got" = "$all" && say=
	elif test -z "$reason" || test "$ours" = "$all"; then
		say="a decision without a reason or a need"
	elif test -n "$all" && ! [[ $reason =~ ^(unknown variant) ]]; then
		say="all say $all, and this is no reason to differ: $reason"
	else
		say="decided is $ours: $reason"
		test "$got" = "$ours" && say=
	fi
	test -z "$say"
	report $? "$file: $got${reason:+ ($reason)}"
	test -z "$say" || echo "# $file: we say $got; $say" >&2
done < <(tail -n +2 $shared/oracle.tsv)

listed=$(tail -n +2 $shared/oracle.tsv | wc -l)
present=$(find $shared/dialects -type f | wc -l)
test "$listed" -eq "$present"
report $? "$listed files are in the oracle, $present in the directory"
finish
