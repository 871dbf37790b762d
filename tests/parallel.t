#!/bin/bash
# Streams can be cut, counted in pieces and joined: whatever the pieces and
# their order, the counting programs print what they print for all games at
# once, to the last byte.

. "$(dirname "$0")/tap.sh"
PATH=$BIN:$TESTS:$PATH
export PATH

has() { command -v "$1" >/dev/null; }

# run FILE COMMAND ...: what it prints, its messages and its exit status
run() {
	local file=$1
	shift
	"$@" >"$file" 2>&1
	echo "exit $?" >>"$file"
}

# is_same NAME: one test, of the pieces in $scratch/joined
is_same() {
	cmp -s "$scratch/whole" "$scratch/joined"
	report $? "$1"
	cmp -s "$scratch/whole" "$scratch/joined" || {
		diff "$scratch/whole" "$scratch/joined" | head -n 6 |
		    cut -c 1-300 | sed 's/^/# /' >&2
	}
}

# ---- the games ----

# Many rule sets in turn, one of them the user's own; players, and results that
# depend on the number of captures, so that there is something to fit.
own='{"name":"mine","double_step":4,"self_capture":true}'
for rules in classical torpedo+no-castling pawn-back self-capture \
    pawn-sideways+stalemate-win "$own"; do
	random_games -m 200 5 120 "$rules"
done | awk '
{
	n = (NR * 7919) % 1009
	result = n % 3 == 0 ? "1-0" : n % 3 == 1 ? "0-1" : "1/2-1/2"
	if (n % 50 == 0)
		result = "*"
	if ($0 !~ /"end":"(checkmate|stalemate)"/)
		sub(/"result":"[^"]*","end":"[a-z]*"/,
		    "\"result\":\"" result "\"")
	sub(/"v":1/, "\"v\":1,\"white\":\"player " n % 7 "\"" \
	    (n % 5 ? ",\"sims\":" n % 4 : ""))
	print n "\t" $0
}' | sort -n | cut -f 2- >"$scratch/games"
test "$(wc -l <"$scratch/games")" -eq 720
report $? "720 games of six rule sets"
split -n l/7 "$scratch/games" "$scratch/piece."

# ---- cut, count, join ----

# pieces COMMAND ...: partial results of all pieces, in $scratch/part.*
pieces() {
	local piece
	for piece in "$scratch"/piece.*; do
		"$@" --partial "$piece" >"$scratch/part.${piece##*.}"
	done
}

# in_pieces [-s OPTION] COMMAND ...: several tests; the option is for programs that
# print what they counted
in_pieces() {
	local name show=()
	if test "$1" = -s; then
		show=("$2")
		shift 2
	fi
	name="$*${show:+ ${show[*]}}"
	run "$scratch/whole" "$@" "${show[@]}" "$scratch/games"
	test "$(grep -c '^{' "$scratch/whole")" -ge 6
	report $? "$name: $(grep -c '^{' "$scratch/whole") rows"
	pieces "$@"
	run "$scratch/joined" "$@" "${show[@]}" "$scratch"/part.*
	is_same "$name: seven pieces joined"
	printf '%s\0' "$scratch"/part.* | sort -rz | xargs -0 cat |
	    run "$scratch/joined" "$@" "${show[@]}"
	is_same "$name: the last first"
	# the first two joined, lines shuffled, one piece as games, compressed
	{
		"$@" --partial "$scratch"/part.a[ab]
		cat "$scratch/piece.ac" "$scratch"/part.a[d-g]
	} | sort -t : -k 3 | zstd -q | run "$scratch/joined" "$@" "${show[@]}"
	is_same "$name: partial results of partial results, and games between"
	"$@" --partial "$scratch/games" >"$scratch/once"
	"$@" --partial "$scratch"/part.* | cmp -s - "$scratch/once"
	report $? "$name: the joined partial result is that of all games"
}

in_pieces drawstats
in_pieces -s --compare drawstats
in_pieces -s --lengths drawstats --by sims
in_pieces drawstats --by white
in_pieces movestats
in_pieces -s --level=0.5 movestats --by result
in_pieces piecefit
in_pieces -s --no-constant piecefit --positions quiet --no-start --by white

# ---- GNU parallel ----

# Each piece of a stream goes to the next free program, and they finish in any
# order.
with_parallel() {
	run "$scratch/whole" "$@" "$scratch/games"
	parallel --pipe -j 2 --block 20k "$@" --partial <"$scratch/games" \
	    2>/dev/null | run "$scratch/joined" "$@"
	is_same "parallel --pipe $*"
}

if has parallel && parallel --version 2>/dev/null | grep -q GNU; then
	with_parallel drawstats --by white
	with_parallel movestats --by sims
	with_parallel piecefit
else
	skip "GNU parallel is missing"
fi

# Lines of a partial result are cut where they would be too long. A line that is
# lost, or there twice, is noticed wherever it stood.
# large PAWNS: 46,080 cells, a key has a byte for each piece, one of block and two
# bits of the result
large() {
	perl -e 'my $top = (128 + shift) << 32 | 128 << 24 | 128 << 16;
	my @cells;
	for my $rooks (118 .. 137) {
		for my $queens (127 .. 129) {
			my $pieces = ($top | $rooks << 8 | $queens) << 10;
			push(@cells, map { my $block = $_ << 2;
			    map { sprintf("%x:1", $pieces | $block | $_) } 0 .. 2 } 0 .. 255);
		}
	}
	print("{\"partial\":\"piecefit\",\"v\":1,\"rules\":\"classical\",\"games\":9,",
	    "\"cells\":\"@cells\"}\n")' "$1"
}
large 0 >"$scratch/old"
run "$scratch/whole" piecefit "$scratch/old"
piecefit -x "$scratch/old" >"$scratch/part"
test "$(wc -l <"$scratch/part")" -eq 3
report $? "a large partial result has three lines"
sort -r "$scratch/part" | run "$scratch/joined" piecefit
is_same "in any order"
for lost in 1d 2d 3d '2,3d' 3p; do
	sed "$lost" "$scratch/part" | piecefit >"$scratch/out" 2>"$scratch/messages"
	test $? -eq 1 && grep -q "missing, or are repeated" "$scratch/messages"
	report $? "lines of a partial result after sed $lost"
done
# the first line of one and the last of another
large 1 | piecefit -x | sed '$d' | cat - <(sed 1d "$scratch/part") |
    piecefit >"$scratch/out" 2>"$scratch/messages"
test $? -eq 1 && grep -q "missing, or are repeated" "$scratch/messages"
report $? "a line lost of each of two partial results"
# drawstats, where each game is in one cell: games of 1 to 9,000 plies and all results
perl -e 'my @cells = map { my $plies = $_;
	map { sprintf("%x:1", $plies << 8 | 1 << 4 | $_) } 0 .. 2 } 1 .. 9000;
	my $first = join(" ", splice(@cells, 0, 20000));
	my $head = "{\"partial\":\"drawstats\",\"v\":1,\"rules\":\"classical\"";
	print("$head,\"games\":27000,\"cells\":\"$first\"}\n");
	print("$head,\"games\":0,\"cells\":\"@cells\"}\n")' >"$scratch/old"
run "$scratch/whole" drawstats "$scratch/old"
drawstats -x "$scratch/old" >"$scratch/part"
for lines in old part; do
	tac "$scratch/$lines" | run "$scratch/joined" drawstats
	is_same "drawstats, $lines lines in any order"
	for lost in 1d 2d 2p; do
		sed "$lost" "$scratch/$lines" | drawstats >"$scratch/out" 2>"$scratch/messages"
		test $? -eq 1 && grep -q "missing, or are repeated" "$scratch/messages"
		report $? "drawstats, $lines lines after sed $lost"
	done
done
if test -r ../shared/pgn/tcec-moves.pgn.zst; then
	run "$scratch/whole" piecefit ../shared/pgn/tcec-moves.pgn.zst
	piecefit -x ../shared/pgn/tcec-moves.pgn.zst >"$scratch/part"
	sort -r "$scratch/part" | run "$scratch/joined" piecefit
	is_same "games of TCEC, lines of the partial result in any order"
else
	skip "../shared/pgn/tcec-moves.pgn.zst is not here"
fi

finish
