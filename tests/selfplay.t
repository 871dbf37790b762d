#!/bin/bash
# selfplay: the same seed gives the same bytes, however the work is split and however
# often it is killed; games are legal and end as they say.
#
#	SELFPLAY_LONG=1 tests/selfplay.t	ten times as much

. "$(dirname "$0")/tap.sh"
PATH=$BIN:$TESTS:$PATH
export PATH
times=1
if [[ -n $SELFPLAY_LONG ]]; then
	times=10
fi
RANDOM=4711

same() {	# FILE NAME: is it what was expected?
	cmp "$scratch/want" "$1" >&2
	report $? "$2"
}

play() { selfplay -q "$@"; }

# ---- the nets ----

net=$PWD/tests/towers/good.onnx
nets=(material "$net")
if ! why=$(selfplay -N "$net" -g 0 2>&1); then
	nets=(material)
	skip "nets in files: $why"
fi
# short games, so that there are many
echo '{"name":"short","ply_limit":40}' >"$scratch/short.json"
# what to call a net
named() { if [[ $1 == material ]]; then echo material; else echo 'a real net'; fi; }

# ---- same seed, same bytes ----

same_bytes() {	# NET OPTION ...
	local used what options=("${@:2}") k
	used=$(named "$1")" ${*:2}"
	options+=(-N "$1" -s 5 -r "$scratch/short.json")
	play "${options[@]}" -g $((10 * times)) >"$scratch/want" || return
	for what in '-B 1' '-B 8' '-B 64' '-B 3 -J 5' '-J 1' '-H 0' '-H 1 -J 7' \
	    '-j 2' '-j 3 -J 7'; do
		# shellcheck disable=SC2086	# two words
		play "${options[@]}" -g $((10 * times)) $what >"$scratch/got"
		same "$scratch/got" "$used: the same with $what"
	done
	play "${options[@]}" -g $((4 * times)) >"$scratch/one" &
	play "${options[@]}" -f $((4 * times)) -g $((6 * times)) >"$scratch/two"
	wait $!
	cat "$scratch/one" "$scratch/two" >"$scratch/got"
	same "$scratch/got" "$used: the same from two jobs"
	for ((k = 0; k < 10 * times; k++)); do
		play "${options[@]}" -f "$k" -g 1
	done >"$scratch/got"
	same "$scratch/got" "$used: the same from shards of one game"
	check_selfplay <"$scratch/want" >/dev/null
	report $? "$used: legal, and ended as they say"
}

for n in "${nets[@]}"; do
	same_bytes "$n" -v 12 -e 8 -a 0.3 -X
	same_bytes "$n" -v 8 -m 4 -G -e 40 -X
done
same_bytes "${nets[-1]}" -v 16 -k 4

# alpha-beta: one game a thread, and a table in each of them. It has 1 MiB with few nodes,
# as one of 16 would take longer to clear.
for pair in '200 1' '201 16'; do
	read -r nodes size <<<"$pair"
	table=(-N material --search ab -g 2 -s 5 -r "$scratch/short.json" -v "$nodes")
	cmp <(play "${table[@]}") <(play "${table[@]}" -H "$size") >&2 &&
	    ! cmp -s <(play "${table[@]}") <(play "${table[@]}" -H 2)
	report $? "$nodes nodes a move: a table of $size MiB"
done
options=(-N material --search ab -s 5 -r "$scratch/short.json" -v 150 -e 6 -X
    --random-plies 4 -g $((12 * times)))
play "${options[@]}" -j 1 >"$scratch/want"
for what in '-j 2' '-j 3' '-j 1 -J 4' '-j 2 -J 5'; do
	# shellcheck disable=SC2086	# two words
	play "${options[@]}" $what >"$scratch/got"
	same "$scratch/got" "alpha-beta: the same with $what"
done
jq -c 'del(.search)' "$scratch/want" | check_selfplay >/dev/null
report $? 'alpha-beta: legal, and ended as they say'
jq -e 'select(.plies > 12) | .search | [.[:4] == [null, null, null, null],
    (.[4:] | all(.value >= -1 and .value <= 1 and (.scores | length > 0) and
    (.scores | all(. >= -1 and . <= 1)))), (.[4:10] | map(.scores | length) |
    max > 2)] | all' "$scratch/want" >/dev/null
report $? 'alpha-beta: search data has scores, of many moves where one is drawn'

# shards of a hundred games
options=(-N "${nets[-1]}" -r "$scratch/short.json" -v 2 -e 40 -s 9)
play "${options[@]}" -g 200 >"$scratch/want"
{
	play "${options[@]}" -g 100
	play "${options[@]}" -g 100 -f 100
} >"$scratch/got"
same "$scratch/got" 'the same from shards of 100 games'
play "${options[@]}" -g 5 -s 10 >"$scratch/got"
! cmp -s <(head -n 5 "$scratch/want") "$scratch/got"
report $? 'another seed, other games'

# ---- killed and resumed ----

# Kills runs at random moments, a given number of times; whenever a run completes, the
# file must be as expected, with no other file beside it.
killed() {	# NAME OPTION ...
	local dir=$scratch/killed file=$scratch/killed/$1 kills=0 ends=0 bad=0 job
	mkdir "$dir"
	while ((kills < 20 * times || ends == 0)); do
		selfplay -q "${@:2}" --resume -o "$file" \
		    2>>"$scratch/complaints" &
		job=$!
		if ((kills < 20 * times)); then
			sleep "0.0$((RANDOM % 90 + 10))"
			kill -9 $job 2>/dev/null
		fi
		wait $job 2>/dev/null
		case $? in
		0)
			ends=$((ends + 1))
			if [[ $(ls "$dir") != "$1" ]] || ! zstdcat -f "$file" |
			    cmp "$scratch/want" - >&2; then
				bad=1
				break
			fi
			rm "$file"
			;;
		137) kills=$((kills + 1)) ;;
		*)
			bad=1
			break
			;;
		esac
	done
	report $bad "$1: killed $kills times, finished $ends times, the same bytes"
	rm -r "$dir"
}

if command -v zstdcat >/dev/null; then
	for n in "${nets[@]}"; do
		options=(-N "$n" -r "$scratch/short.json" -v 4 -e 10 -s 3 -J 2
		    -g 120 -X)
		play "${options[@]}" >"$scratch/want"
		killed games.jsonl "${options[@]}"
		killed games.jsonl.zst "${options[@]}"
	done
	! [[ -s $scratch/complaints ]]
	report $? 'nothing to complain about meanwhile'
else
	skip 'kill and resume: zstdcat is missing'
fi

options=(-N material -r "$scratch/short.json" -v 4 -s 3 -R)
dir=$scratch/resume
mkdir "$dir"
play "${options[@]}" -g 9 -o "$dir/whole"
cp "$dir/whole" "$scratch/want"
before=$(stat -c '%i %y' "$dir/whole")
play "${options[@]}" -g 9 -o "$dir/whole" && play "${options[@]}" -g 4 \
    -o "$dir/whole" && [[ $(stat -c '%i %y' "$dir/whole") == "$before" ]] &&
    [[ $(ls "$dir") == whole ]]
report $? '--resume leaves a finished file alone'
touch "$dir/whole.lock"
play "${options[@]}" -g 9 -o "$dir/whole" && [[ $(ls "$dir") == whole ]]
report $? '--resume removes the lock of a run that was killed at its very end'
for n in 0 1 300 2000; do
	head -c "$n" "$scratch/want" >"$dir/whole"
	play "${options[@]}" -g 9 -o "$dir/whole"
	same "$dir/whole" "--resume continues after $n bytes of a file"
done
play "${options[@]}" -g 3 -o "$dir/whole.zst"
zstdcat "$dir/whole.zst" | head -n 2 >"$dir/whole.part"
head -n 1 "$scratch/want" >"$dir/whole"
play "${options[@]}" -g 9 -o "$dir/whole"
same "$dir/whole" '--resume takes from FILE and then from FILE.part'
refused() {	# NAME OPTION ...: exit 1 and no change
	play "${options[@]}" -g 12 -o "$dir/whole" "${@:2}" 2>"$scratch/err"
	[[ $? -eq 1 && -s $scratch/err ]] && cmp "$scratch/want" "$dir/whole"
	report $? "--resume does not mix games: $1"
}
refused 'another seed' -s 4
refused 'another number of simulations' -v 5
refused 'other rules' -r torpedo
refused 'another net' -N uniform
refused 'another shard' -f 3
refused 'Gumbel search' -G
refused 'noise' -a 0.3
refused 'moves that are drawn' -e 2
refused 'resignations' -w -0.9
refused 'search data' -X
refused 'searches in flight' -k 2
refused 'random plies' --random-plies 2
refused 'varied nodes' --vary 0.1
refused 'alpha-beta' --search ab
# Best moves only, and yet different games; the same whatever the threads.
vary() { play -N material --search ab -r "$scratch/short.json" -v 300 --threads 1 -g 8 -s 3 "$@" | jq -r .moves; }
[[ $(vary | sort -u | wc -l) -eq 1 && $(vary --vary 0.3 | sort -u | wc -l) -gt 3 && $(vary --vary 0.3) == "$(vary --vary 0.3 -j 3)" ]]
report $? '--vary: games by best moves differ'
echo '1. e4 *' >"$scratch/e4.pgn"
refused 'openings' -O "$scratch/e4.pgn"
rm -r "$dir"

# After Ctrl-C and other signals all finished games are kept, also those that come
# after unfinished ones.
has_more() {	# FILE LINES
	local n
	n=$(grep -c . "$1" 2>/dev/null)
	((${n:-0} > $2))
}
ended() {	# NAME SIGNAL OPTION ...
	local file=$scratch/ended job i kept=0 before
	play "${@:3}" >"$scratch/want"
	for i in 1 2 3; do
		before=$kept
		perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' selfplay -q "${@:3}" \
		    --resume -o "$file" 2>"$scratch/err" &
		job=$!
		wait_for has_more "$file.part" "$before"
		kill -s "$2" $job
		wait $job 2>/dev/null
		[[ $? -eq $((128 + $(kill -l "$2"))) ]] || break
		kept=$(grep -c . "$file.part")
		grep -q "ended.part has $kept of .* games; --resume" "$scratch/err" ||
		    break
		[[ -z $(tail -c 1 "$file.part" | tr -d '\n') ]] || break
	done
	[[ $i -eq 3 && $kept -gt $before && $kept -lt $(wc -l <"$scratch/want") ]]
	report $? "$1: SIG$2 keeps what is finished"
	play "${@:3}" --resume -o "$file"
	same "$file" "$1: and then the rest is played"
	rm -f "$file"*
}

ended 'tree search' INT -N material -v 300 -e 10 -s 4 -X -g 24 -J 4
ended 'alpha-beta' TERM -N material --search ab -v 1500 -e 4 -s 4 -g 24 -j 2

# ---- what is played ----

legal() {	# NAME: games in $scratch/got
	local said
	said=$(check_selfplay <"$scratch/got" 2>"$scratch/err")
	[[ $? -eq 0 && $(pgnread --count --tsv "$scratch/got" |
	    tail -n 1 | cut -f 2) == 0 ]]
	report $? "$1: $said"
	head -n 3 "$scratch/err" >&2
}

for rules in classical no-castling no-castling-10 pawn-one-square \
    stalemate-win torpedo semi-torpedo pawn-back pawn-sideways self-capture \
    torpedo+self-capture+pawn-back+pawn-sideways+stalemate-win; do
	play -N material -r "$rules" -g $((10 * times)) -v 20 -e 60 -X -s $count \
	    >"$scratch/got"
	legal "$rules"
done
echo '{"name":"mine","base":"torpedo","count_limit":10,"castling_from":4}' \
    >"$scratch/mine.json"
play -N material -r "$scratch/mine.json" -g 10 -v 20 -e 20 -X >"$scratch/got"
legal "a user's own rules"
play -N "${nets[-1]}" -g 6 -v 30 -k 8 -X >"$scratch/got"
legal '--async'
play -N material -r "$scratch/short.json" -T 0.002 -g 4 -X >"$scratch/got"
legal '--movetime'
! grep -q '"sims"' "$scratch/got"
report $? '--movetime: no number of simulations is recorded'
play -N material -g 30 -v 30 -e 60 -w -0.6 >"$scratch/got"
legal '--resign'
grep -q '"end":"resign"' "$scratch/got"
report $? '--resign: somebody has resigned'
play -N uniform -g 2 -v 3 -w 1 -X >"$scratch/got"
[[ $(grep -c '"moves":"".*"result":"0-1","end":"resign","plies":0' \
    "$scratch/got") -eq 2 ]]
report $? '--resign 1: White resigns at once'

# ---- openings ----

printf '1. e4 e5 2. f4 *\n\n1. d4 f5 *\n' >"$scratch/two.pgn"
play -N material -O "$scratch/two.pgn" -r "$scratch/short.json" -f 1 -g 3 \
    -v 8 -X >"$scratch/got"
[[ $(sed 's/.*"moves":"\([^"]\{14\}\).*/\1/' "$scratch/got" | cut -c 1-9 |
    tr '\n' ,) == 'd2d4 f7f5,e2e4 e7e5,d2d4 f7f5,' ]]
report $? '--openings: game k begins with the k-th of a PGN file'
legal '--openings'
[[ $(sed 's/.*"search":\[\(null,\)*{.*/\1/' "$scratch/got" | head -n 1) == \
    null, ]]
report $? '--openings: their plies have no search data'
pgnread "$scratch/two.pgn" | zstd -q >"$scratch/two.zst"
play -N material -O "$scratch/two.zst" -r classical -g 2 -v 4 >"$scratch/got"
legal '--openings, JSONL, compressed'
printf '%s\n' '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' startpos \
    '8/5k2/8/8/8/8/2P2K2/8 b - - 10 30' >"$scratch/fens"
play -N material -O "$scratch/fens" -r torpedo -g 4 -v 8 -X >"$scratch/got"
legal '--openings, FEN lines'
[[ $(grep -c '"start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"' "$scratch/got") -eq 2 ]]
report $? '--openings: and it begins again when there are no more'

# ---- chance ----

echo '{"name":"one","ply_limit":1}' >"$scratch/one.json"
play -N uniform -r "$scratch/one.json" -v 90 -e 1 -g 4000 -X |
    perl -MJSON::PP -ne '
	my $g = decode_json($_);
	my $moves = $g->{search}[0]{moves};
	$want{$_} += $moves->{$_}[0] / 90 for keys %$moves;
	$have{$g->{moves}}++;
	END {
		my $sum = 0;
		$sum += (($have{$_} // 0) - $want{$_}) ** 2 / $want{$_}
		    for keys %want;
		my $k = keys(%want) - 1;
		print "# chi-square $sum, $k degrees of freedom\n";
		exit !($k == 19 && $. == 4000 && $sum < $k + 4 * sqrt(2 * $k));
	}'
report $? 'first moves follow the visits (chi-square)'

# ---- memory ----

# All of it, mapped or used, must stay below a bound.
fits() {	# MIB NAME OPTION ...
	if ! (ulimit -v $(($1 << 10)) &&
	    play -N material "${@:3}" -g 0) 2>/dev/null; then
		skip "$2: memory cannot be bounded here (sanitizers?)"
		return
	fi
	(ulimit -v $(($1 << 10)) && play -N material "${@:3}" >"$scratch/got")
	report $? "$2 need less than $1 MiB"
}

short='{"ply_limit":'$((4 * times))'}'
fits 1430 '256 games at 800 simulations' -g 256 -J 256 -v 800 -a 0.3 -r "$short"
fits 110 "$((2000 * times)) games" -g $((2000 * times)) -v 8 -e 500 -a 1 -H 8

finish
