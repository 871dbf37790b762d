#!/bin/bash
# Memory does not grow with the input, and no content of a file makes a program use
# excessive memory or time.
#
#	STREAM_MB=2000 PIECE_MB=100 tests/memory.t
#
# A stream of STREAM_MB (20) megabytes must have the same peak as one a tenth as long,
# within a tenth or, if that is more, half a megabyte: the pages of shared libraries
# vary that much. A comment, tag, word, line ... of
# PIECE_MB (20) megabytes must leave the peak below a bound, be reported, and not harm
# the next game. A program that takes some hundred times as long as it does today, as it
# would if time grew with the square of the size, is killed.

. "$(dirname "$0")/tap.sh"
: "${STREAM_MB:=20}" "${PIECE_MB:=20}"
PATH=$BIN:$TESTS:$PATH
export PATH
bound=50000	# KiB: the window for a line of 16 MiB, and some
ulimit -t $((60 + 6 * PIECE_MB))	# seconds of CPU time for each program

if peak; then
	skip_all "sanitizers take memory of their own"
fi

# ---- streams ----

# About a megabyte of games.
for rules in classical torpedo pawn-back+self-capture '{"double_step":4}'; do
	random_games 1 250 "$rules"
done >"$scratch/jsonl"
pgnwrite "$scratch/jsonl" |
    awk '!/^\[/ { gsub(/ [a-h][1-8] /, "&{[%clk 0:03:00]} ") } 1' >"$scratch/pgn"
for kind in jsonl pgn; do
	pgn"$(test $kind = pgn && echo write || echo read)" -z \
	    "$scratch/$kind" >"$scratch/$kind.zst"
done

# stream FILE MB: the file, again and again
stream() {
	local size
	size=$(wc -c <"${1%.zst}")
	yes "$1" | head -n $(($2 * 1000000 / size + 1)) | xargs cat
}

for program in "pgnread -n" pgnwrite "pgnread -c"; do
	for kind in pgn pgn.zst jsonl jsonl.zst; do
		for mb in $((STREAM_MB / 10)) "$STREAM_MB"; do
			# shellcheck disable=SC2086
			stream "$scratch/$kind" "$mb" |
			    peak "$scratch/$mb" $program >"$scratch/out"
			test $? -eq 0 && test -s "$scratch/out" ||
			    echo "999999999 0" >"$scratch/$mb"
		done
		read -r small _ <"$scratch/$((STREAM_MB / 10))"
		read -r large ms <"$scratch/$STREAM_MB"
		spare=$((small / 10 > 500 ? small / 10 : 500))
		test "$large" -le $((small + spare))
		report $? "$program, $kind: $large KiB after $STREAM_MB MB," \
		    "$small after $((STREAM_MB / 10)), $ms ms"
	done
done

# ---- pieces ----

# piece NAME OPTIONS WANT BEFORE UNIT AFTER: a good game, BEFORE, the unit over
# and over, AFTER, and another good game. WANT is the counts and the messages.
piece() {
	local want=$3 got what="$1${2:+ ($2)}"
	# shellcheck disable=SC2086
	got=$(perl -e '
		my ($mb, $before, $unit, $after) = @ARGV;
		print "1. e4 *\n$before";
		my $part = $unit x (1000000 / length($unit));
		print $part for 1 .. $mb;
		print "$after\n[Event \"next\"]\n1. d4 *\n"' \
	    "$PIECE_MB" "$4" "$5" "$6" |
	    peak "$scratch/peak" pgnread -q $2 -n -t 2>&1 |
	    sed 's/^pgnread: standard input:[0-9]*: /!/; /^games/d' |
	    tr '\n\t' '| ')
	test "$got" = "$want|"
	report $? "$what: $got"
	read -r kb ms <"$scratch/peak"
	test "$kb" -le $bound
	report $? "$what: $kb KiB, $ms ms"
}

piece comment "" "3 0 4" "1. c4 {" "word " "} c5 *"
piece comment -c \
    "!a comment of more than 1048576 bytes is left out|3 0 4" \
    "1. c4 {" "word " "} c5 *"
piece "comment of lines" -c \
    "!a comment of more than 1048576 bytes is left out|3 0 4" \
    "1. c4 {" "[Even " "} c5 *"
piece "open comment" "" "!the comment before this is never closed|3 1 3" \
    "1. c4 {" "word " ""
piece "comment of blanks" -c "3 0 4" "1. c4 {" " " "} c5 *"
piece comments "" "3 0 4" "1. c4 " "{x}" " c5 *"
piece comments -c "!too many comments for one game|3 1 3" "1. c4 " "{x}" " c5 *"
piece "comment to the line's end" -c \
    "!a comment of more than 1048576 bytes is left out|3 0 4" \
    "1. c4 ;" "word " $'\nc5 *'
piece variation "" "3 0 4" "1. c4 (" "e4 " ") c5 *"
piece variation -c \
    "!a comment of more than 1048576 bytes is left out|3 0 4" \
    "1. c4 (" "e4 " ") c5 *"
piece "nested variations" -c "!the variation before this is never closed|3 1 3" \
    "1. c4 " "(" ""
piece NAGs -c "!too many comments for one game|3 1 3" "1. c4 " "\$1 " " c5 *"
piece "digits of a NAG" -c "3 0 4" "1. c4 \$" "1" " c5 *"
piece tag "" "!a tag's value is too long|3 1 2" \
    "[Event \"" "word " "\"]"$'\n'"1. c4 c5 *"
piece "tag in Latin-1" "" "!a tag's value is too long|3 1 2" \
    "[Event \"" $'\xe4' "\"]"$'\n'"1. c4 c5 *"
piece "tag without an end" "" "!a tag's value is too long|3 1 2" \
    "[Event \"" "word " $'\n1. c4 c5 *'
piece "tag's name" "" "!a word is too long for a move|3 1 2" \
    "[" "Name" $' "x"]\n1. c4 c5 *'
piece "one tag repeated" "" "!too many tags for one game|3 1 2" \
    "" $'[A "x"]\n' "1. c4 c5 *"
piece brackets "" "3 0 4" "1. c4 " "[" " c5 *"
piece "brackets among tags" "" "3 0 4" $'[A "x"]\n' "[" $'\n1. c4 c5 *'
piece "angle brackets" "" "3 0 4" "1. c4 " "<" " c5 *"
piece word "" "!a word is too long for a move|3 1 3" "1. c4 " "word" " c5 *"
piece number "" "3 0 4" "1. c4 " "1" ". c5 *"
piece signs "" "3 0 4" "1. c4 " "+=-" " c5 *"
piece blanks "" "3 0 4" "1. c4 " " " " c5 *"
piece "blank lines" "" "3 0 4" "1. c4 " $'\n' " c5 *"
piece "escaped line" "" "3 0 4" $'1. c4\n%' "word " $'\nc5 *'
piece moves "" "!too many moves for one game|3 1 20002" \
    "" "Nf3 Nf6 Ng1 Ng8 " "*"
piece bytes "" "3 0 4" "1. c4 " $'\x01\x80\xff' " c5 *"

# line NAME WANT PREFIX UNIT SUFFIX: the same for JSONL
line() {
	local got
	got=$(perl -e '
		my ($mb, $before, $unit, $after) = @ARGV;
		my $good = "{\"v\":1,\"moves\":\"e2e4\",\"result\":\"*\"}\n";
		print $good, $before;
		my $part = $unit x (1000000 / length($unit));
		print $part for 1 .. $mb;
		print "$after\n$good"' "$PIECE_MB" "$3" "$4" "$5" |
	    peak "$scratch/peak" pgnread -q -c -n -t 2>&1 |
	    sed 's/^pgnread: standard input:[0-9]*: /!/; /^games/d' |
	    tr '\n\t' '| ')
	test "$got" = "$2|"
	report $? "JSON, $1: $got"
	read -r kb ms <"$scratch/peak"
	test "$kb" -le $bound
	report $? "JSON, $1: $kb KiB, $ms ms"
}

long="!the line is longer than 16 MiB|3 1 2"
line "a long line" "$long" '{"a":"' "word" '"}'
line "one nested deeply" "$long" "" "[" ""
line blanks "2 0 2" "" " " ""
line "blank lines" "2 0 2" "" $'\n' ""

# Lines that just fit but are bad in other ways.
PIECE_MB=16
line "many fields" "!v is given twice|3 1 2" '{"v":1' ',"v":1' '}'
line "many unknown fields" "!no moves|3 1 2" '{"v":1' ',"a":1' '}'
line "many tags" "!the tag A is given twice|3 1 2" \
    '{"v":1,"moves":"","result":"*","tags":{"A":"x"' ',"A":"x"' '}}'
line "a long tag" "!the tag A is too long|3 1 2" \
    '{"v":1,"moves":"","result":"*","tags":{"A":"' 'word' '"}}'
line "a long name" "!white is too long|3 1 2" \
    '{"v":1,"moves":"","result":"*","white":"' '\n\u00e4' '"}'
line "a long comment" "!malformed comment|3 1 2" \
    '{"v":1,"moves":"","result":"*","comments":[{"ply":0,"comment":"' \
    '\n\u00e4' '"}]}'
line "many comments" "!malformed comment|3 1 2" \
    '{"v":1,"moves":"","result":"*","comments":[{"ply":0,"nag":1}' \
    ',{"ply":0,"nag":1}' ']}'
line "backslashes" "!white is too long|3 1 2" \
    '{"v":1,"moves":"","result":"*","white":"' "\\\\\\\\" '"}'
line "many moves" "!too many moves for one game|3 1 20002" \
    '{"v":1,"moves":"g1f3' ' g8f6 f3g1 f6g8 g1f3' '","result":"*"}'
line "a long move" "!ply 1: 'wordwordwordwordword' is not legal|3 1 2" \
    '{"v":1,"moves":"' 'word' '","result":"*"}'
line "search data" "3 0 2" \
    '{"v":1,"moves":"","result":"*","search":[0' ',1e-5' ']}'

finish
