#!/bin/bash
# match: the same seed gives the same bytes however the work is split; games come in
# pairs; the score is that of the games; players are as strong as expected; engines
# with all kinds of faults are handled, and none keeps running.

. "$(dirname "$0")/tap.sh"
PATH=$BIN:$TESTS:$PATH
export PATH
fake=$PWD/tests/fake-engine

play() { match -q "$@"; }
games() { match -q --archive - "$@"; }

# holds NAME EXPRESSION: of fields, in perl, true?
holds() {
	perl -MJSON::PP -e '
		open(my $f, "<", $ARGV[0]) or die;
		our $r = decode_json(<$f>);
		my $e = $ARGV[1];
		$e =~ s/\b([a-z]\w*_?\w*)\b/exists($r->{$1}) ? "\$r->{$1}" : $1/ge;
		my $v = eval($e);
		print("# ", join(" ", map { "$_=" . ($r->{$_} // "null") }
		    qw(games wins draws losses score score_lo score_hi)), "\n");
		die $@ if $@;
		exit(!$v)' "$scratch/row" "$2"
	report $? "$1"
}

net=$PWD/tests/towers/good.onnx
nets=(material "$net")
if ! why=$(match -q -g 0 "$net" random 2>&1); then
	nets=(material material)
	skip "nets in files: $why"
fi
echo '{"name":"short","ply_limit":40}' >"$scratch/short.json"
short=(-r "$scratch/short.json")

# ---- same seed, same bytes ----

same_bytes() {	# NAME OPTION ... PLAYER PLAYER
	local what
	games "${@:2}" -s 5 -g 14 "${short[@]}" >"$scratch/want"
	play "${@:2}" -s 5 -g 14 "${short[@]}" >"$scratch/want-row"
	[[ $(wc -l <"$scratch/want") -eq 14 ]]
	report $? "$1: 14 games"
	for what in '-B 1' '-B 64' '-B 3 -J 5' '-J 1' '-H 0' '-H 1 -J 7'; do
		# shellcheck disable=SC2086	# two words
		games "${@:2}" -s 5 -g 14 "${short[@]}" $what |
		    cmp "$scratch/want" - >&2
		report $? "$1: the same with $what"
	done
	{
		games "${@:2}" -s 5 -g 6 "${short[@]}"
		games "${@:2}" -s 5 -f 6 -g 2 "${short[@]}"
		games "${@:2}" -s 5 -f 8 -g 6 "${short[@]}"
	} | cmp "$scratch/want" - >&2
	report $? "$1: the same from three shards"
	play "${@:2}" -s 5 -g 14 "${short[@]}" -J 2 --archive "$scratch/archive" |
	    cmp "$scratch/want-row" - && cmp "$scratch/want" "$scratch/archive"
	report $? "$1: the row is the same with an archive, and so are the games"
	games "${@:2}" -s 6 -g 14 "${short[@]}" | cmp -s "$scratch/want" -
	[[ $? -eq 1 ]]
	report $? "$1: another seed, other games"
}

same_bytes 'greedy v random' greedy random
same_bytes 'nets' -v 12,5 "${nets[@]}"
same_bytes 'Gumbel search' -G -m 4 -v 8 "${nets[1]}" greedy
same_bytes 'searches in flight' -k 4 -v 16 "${nets[@]}"
same_bytes 'a net against itself' -v 8,4 "${nets[1]}" "${nets[1]}"
same_bytes 'an engine' -v 8 random "uci:uci --net uniform"

# ---- pairs, colours, openings, and the row ----

cat >"$scratch/pairs.pl" <<'END'
use strict;
use warnings;
use JSON::PP;
# Reads games; checks that each pair begins alike with colours reversed, and
# prints what the row must be.
my ($a, $plies) = @ARGV;
my (@r, @pairs, %openings, $last);
@r = (0, 0, 0);
@pairs = (0) x 5;
while (my $line = <STDIN>) {
	my $g = decode_json($line);
	my @m = split(' ', $g->{moves});
	$g->{opening} = join(' ', $g->{start} // '', @m[0 .. $plies - 1]);
	die("game $g->{id} is not number $.") if $g->{id} != $. - 1;
	my $score = { '1-0' => 2, '1/2-1/2' => 1, '0-1' => 0 }->{$g->{result}};
	$score = 2 - $score if $g->{white} ne $a;
	$g->{score} = $score;
	$r[$score]++;
	if ($. % 2 == 1) {
		die("$a is not White") if $g->{white} ne $a;
		$last = $g;
		next;
	}
	die("$a is not Black") if $g->{black} ne $a;
	die("other players") if $g->{white} ne $last->{black};
	die("pair of game $g->{id}: $g->{opening}")
	    if $g->{opening} ne $last->{opening};
	$openings{$g->{opening}}++;
	$pairs[$g->{score} + $last->{score}]++;
}
printf("%d openings\n", scalar(keys(%openings)));
printf("\"games\":%d,\"wins\":%d,\"draws\":%d,\"losses\":%d,\"score\":%.6g\n",
    $., $r[2], $r[1], $r[0], ($r[2] + $r[1] / 2) / $.);
printf("\"pentanomial\":[%s]\n", join(',', @pairs));
END
paired() {	# NAME A PLIES OPENINGS OPTION ... PLAYER PLAYER
	local line
	play --archive "$scratch/games" "${@:5}" >"$scratch/row"
	perl "$scratch/pairs.pl" "$2" "$3" <"$scratch/games" >"$scratch/told"
	report $? "$1: each opening twice, with colours reversed"
	[[ $(head -n 1 "$scratch/told") == "$4 openings" ]]
	report $? "$1: $(head -n 1 "$scratch/told")"
	while read -r line; do
		grep -qF -e "$line" "$scratch/row" ||
		    echo "# $line is not in $(cat "$scratch/row")"
	done < <(tail -n +2 "$scratch/told") >"$scratch/err"
	[[ ! -s $scratch/err ]]
	report $? "$1: the row is that of the games"
	cat "$scratch/err"
	check_selfplay <"$scratch/games" >/dev/null
	report $? "$1: legal, and ended as they say"
}

paired 'random plies' greedy 6 100 -g 200 greedy random
paired 'more of them' greedy 12 50 -g 100 --random-plies 12 greedy random
paired 'none of them' random 0 1 -g 20 --random-plies 0 random greedy
printf '1. e4 e5 2. f4 *\n\n1. d4 f5 *\n' >"$scratch/two.pgn"
paired 'openings of a file' material 2 2 -g 12 -v 4 -O "$scratch/two.pgn" \
    material random
[[ $(sed 's/.*"moves":"\([^"]\{9\}\).*/\1/' "$scratch/games" | head -n 6 |
    tr '\n' ,) == 'e2e4 e7e5,e2e4 e7e5,d2d4 f7f5,d2d4 f7f5,e2e4 e7e5,e2e4 e7e5,' ]]
report $? 'pair k has the k-th'
paired 'and then random plies' material 5 6 -g 12 -v 4 -O "$scratch/two.pgn" \
    --random-plies 3 material random
printf '%s\n' '4k3/8/8/8/8/8/4P3/4K3 b - - 0 1' >"$scratch/fens"
paired 'Black begins' random 0 1 -g 6 -O "$scratch/fens" -r torpedo random greedy
echo '{"name":"two","ply_limit":2}' >"$scratch/two.json"
games -g 4 -r "$scratch/two.json" random greedy >"$scratch/games"
[[ $(grep -c '"plies":2' "$scratch/games") -eq 4 ]] &&
    ! grep -qv '"end":"\(length\|checkmate\|stalemate\)"' "$scratch/games"
report $? 'an opening leaves something to play'

# ---- strength ----

play -g 2000 random random >"$scratch/row"
holds 'random v random: even within four standard errors' \
    'abs(score - 0.5) < 4 * score_se && score_se > 0'
play -g 400 greedy random >"$scratch/row"
holds 'greedy v random: surely better, hardly ever loses' \
    'score_lo > 0.5 && losses <= 4'
play -g 40 -v 64 material random >"$scratch/row"
holds 'material, 64 simulations, v random: better, never loses' \
    'score > 0.5 && losses == 0'
# All 16 are won; one draw would still pass.
play -g 16 -v 800 material random >"$scratch/row"
holds 'material, 800 simulations, v random: nearly always wins' 'score > 0.9'
play -g 20 -v 400,10 material material >"$scratch/row"
holds 'material, 400 v 10 simulations: surely better' 'score_lo > 0.5'
# Kinds of pieces that no game had in training: the net knows their moves.
for pieces in y:fNbWA:rnyqkynr/RNYQKYNR z:FDH:rzbqkbzr/RZBQKBZR; do
	IFS=:/ read -r letter betza black white <<<"$pieces"
	cat >"$scratch/spare.json" <<-END
	{"pieces":{"$letter":"$betza"},"start":"$black/pppppppp/8/8/8/8/PPPPPPPP/$white w KQkq - 0 1"}
	END
	play -g 40 -v 300 -j 1 -r "$scratch/spare.json" default material >"$scratch/row"
	holds "default v material with a spare piece, $betza: wins nearly all" 'score > 0.85'
done

for rules in classical no-castling no-castling-10 pawn-one-square \
    stalemate-win torpedo semi-torpedo pawn-back pawn-sideways self-capture \
    torpedo+self-capture+pawn-back+pawn-sideways+stalemate-win; do
	games -g 6 -v 8 -r "$rules" material greedy >"$scratch/games"
	said=$(check_selfplay <"$scratch/games") &&
	    [[ $(pgnread --count --tsv "$scratch/games" | tail -n 1 |
	    cut -f 1-2) == $'6\t0' ]]
	report $? "$rules: $said"
done

# ---- time ----

play -g 2 -T 0.002 "${short[@]}" material "uci:uci --net material" >"$scratch/row"
holds '--movetime' 'movetime_a == 0.002 && !defined(sims_a) && games == 2'
play -g 2 -v 5 -T 0,0.002 "${short[@]}" material "uci:uci --net material" >"$scratch/row"
holds '--movetime of one' 'sims_a == 5 && movetime_b == 0.002'

# ---- output ----

play -g 4 "${short[@]}" random greedy >"$scratch/want"
play -g 4 "${short[@]}" random greedy -o "$scratch/row" >"$scratch/out" &&
    cmp "$scratch/want" "$scratch/row" && [[ ! -s $scratch/out ]]
report $? '--output: the row goes to a file'
games -g 4 "${short[@]}" random greedy -o "$scratch/row" >"$scratch/out" &&
    cmp "$scratch/want" "$scratch/row" && [[ $(wc -l <"$scratch/out") -eq 4 ]]
report $? '--archive -: with --output there are both'
play -g 4 "${short[@]}" random greedy --archive "$scratch/games.zst" >/dev/null
[[ $(pgnread --count "$scratch/games.zst") == *'"games":4,"bad":0'* ]]
report $? '--archive: compressed by its name'
games -g 6 -v 4 "${short[@]}" material random | pgnwrite | drawstats |
    grep -q '"games":6'
report $? 'pgnwrite and drawstats read the games'
if [[ -e /dev/full ]]; then
	for where in -o --archive; do
		match -q -g 4 "${short[@]}" random greedy $where /dev/full \
		    >/dev/null 2>"$scratch/err"
		[[ $? -eq 1 && -s $scratch/err ]]
		report $? "$where: a full disk is reported"
	done
else
	skip 'a full disk: /dev/full is missing'
fi
match -q --archive - -g 100000 random random 2>"$scratch/err" | head -n 1 >/dev/null
[[ ${PIPESTATUS[0]} -eq 141 && ! -s $scratch/err ]]
report $? 'a closed pipe ends it quietly'

# ---- engines ----

play -g 8 -v 20 "uci:uci --net material" "uci:uci --net material" \
    "${short[@]}" --archive "$scratch/games" >"$scratch/row"
report $? 'an engine against itself'
holds 'as even as a mirror' 'games == 8 && id_a eq "rulelab 0.1.0"'
check_selfplay <"$scratch/games" >/dev/null
report $? '... legal, and ended as they say'
for rules in torpedo self-capture torpedo+no-castling \
    '{"base":"pawn-back","ply_limit":60}'; do
	games -g 4 -v 10 -r "$rules" "uci:uci --net material" material >"$scratch/games" &&
	    check_selfplay <"$scratch/games" >/dev/null
	report $? "an engine is told the rules: $rules"
done
printf '%s\n' '8/5k2/8/8/8/8/2P2K2/8 b - - 10 30' >"$scratch/fens"
games -g 2 -v 10 -O "$scratch/fens" "uci:uci --net material" material >"$scratch/games" &&
    check_selfplay <"$scratch/games" >/dev/null
report $? 'and the start'
play -g 2 -v 10 "${short[@]}" --option-a Hash=0 --option-a 'Move Overhead=5' --option-a Net=uniform \
    uci:uci random >/dev/null
report $? 'and options'

echo '{"ply_limit":12}' >"$scratch/twelve.json"
fine=(-g 4 --random-plies 0 -r "$scratch/twelve.json")
play "${fine[@]}" "uci:$fake echo" "uci:$fake" -J 1 -v 7,9 --option-a Hash=3 \
    --option-a 'Clear It' >"$scratch/row" 2>"$scratch/log"
report $? 'what an engine is told'
told() {
	grep -qx -e "$1" "$scratch/log"
	report $? "... $1"
}
told 'setoption name Hash value 3'
told 'setoption name Clear It'
told 'position startpos'
told 'position startpos moves b1c3 b8c6 c3b1'
told 'go nodes 7'
[[ $(grep -c '^ucinewgame$' "$scratch/log") -eq 4 ]]
report $? '... ucinewgame, before each game'

# Castling from other squares is king takes rook, of both sides, and only then.
cat >"$scratch/960" <<'EOF'
{"v":1,"id":"1","rules":{"ply_limit":12},"start":"rn2k2r/pppppppp/8/8/8/8/PPPPPPPP/RN3K1R w HAkq - 0 1","moves":"f1h1 e8g8 a2a3 a7a6","result":"*"}
{"v":1,"id":"2","rules":{"ply_limit":12},"start":"rn2k2r/pppppppp/8/8/8/8/PPPPPPPP/RN2K2R w KQkq - 0 1","moves":"e1g1 e8g8 a2a3 a7a6","result":"*"}
EOF
play "${fine[@]}" -O "$scratch/960" "uci:$fake echo-960" random -J 1 -g 4 -v 7 \
    >"$scratch/row" 2>"$scratch/log"
grep -v '^go\|ready\|game\|^uci$\|quit' "$scratch/log" | grep -A1 '^setoption' >"$scratch/castling"
diff "$scratch/castling" - <<'EOF'
setoption name UCI_Chess960 value true
position fen rn2k2r/pppppppp/8/8/8/8/PPPPPPPP/RN3K1R w KQkq - 0 1 moves f1h1 e8h8 a2a3 a7a6
--
setoption name UCI_Chess960 value false
position fen rn2k2r/pppppppp/8/8/8/8/PPPPPPPP/RN2K2R w KQkq - 0 1 moves e1g1 e8g8 a2a3 a7a6
EOF
report $? 'an engine is told of castling from other squares'
! play "${fine[@]}" -O "$scratch/960" "uci:$fake" random -v 7 >/dev/null 2>"$scratch/log" &&
    grep -q 'the engine has no option UCI_Chess960' "$scratch/log"
report $? '... or refused if it cannot be'
for engine in "uci --net material" /usr/games/stockfish /usr/games/fairy-stockfish; do
	if ! command -v "${engine%% *}" >/dev/null; then
		skip "Chess960 against $engine: not here"
		continue
	fi
	games -g 6 -s 5 -r chess960 -v 50 "uci:$engine" material -o /dev/null >"$scratch/games" &&
	    [[ $(pgnread -q "$scratch/games" | wc -l) -eq 6 ]] &&
	    grep -q '"start"' "$scratch/games"
	report $? "Chess960 against $engine"
done

# Points count as points.
echo '{"name":"points","stalemate_value":50,"draw_value":-30,"ply_limit":60}' >"$scratch/points.json"
match -q -g 20 -r "$scratch/points.json" -v 20 -s 7 --archive "$scratch/games" material random \
    >"$scratch/row"
want=$(drawstats -q "$scratch/games" >/dev/null && jq -s '[.[] | (.points //
    if .result == "1-0" then 1 elif .result == "0-1" then 0 else 0.5 end) as $p |
    if .white == "material" then $p else 1 - $p end] | add / length' "$scratch/games")
holds 'points of games are the score' "abs(score - $want) < 1e-12"
holds 'points: they are there' 'abs(score - (wins + draws / 2) / games) > 0.01'
# shellcheck disable=SC2016	# it is Perl's
holds 'points: pairs by what they scored' \
    'abs(eval { my $s = 0; $s += $_->[0] * $_->[1] for @{ pair_scores }; $s } / games - score) < 1e-12'

# left NAME: is any engine that was given this name still running?
gone() { ! pgrep -f -- "fake-engine .*$1" >/dev/null; }

# begun KEY OPTION ... PLAYER PLAYER: a match that fails; its status and what it says go to files
begun() {
	match -q "${@:2}" >"$scratch/out-$1" 2>"$scratch/err-$1"
	echo $? >"$scratch/status-$1"
}
verdict() {	# KEY STATUS NAME PATTERN
	[[ $(cat "$scratch/status-$1") -eq $2 ]] && grep -q -e "$4" "$scratch/err-$1"
	report $? "$3: $(grep -v '^usage\|^   ' "$scratch/err-$1" | head -n 1 |
	    tr -d '\033\007' | sed "s,$PWD/tests/,," | cut -c 1-110)"
}
refused() {	# STATUS NAME PATTERN OPTION ... PLAYER PLAYER
	begun refused "${@:4}"
	verdict refused "${@:1:3}"
}

# Engines that do not answer are given up after eight seconds, all of them at the same
# time; the others have time.
waiting=(--timeout 8 "${fine[@]}") patient=(--timeout 300 "${fine[@]}")
jobs=()
for fault in "mute 0 x1-$$" "closed 0 x2-$$" "unready 0 x5-$$"; do
	begun "${fault%% *}" "${waiting[@]}" "uci:$fake $fault" random &
	jobs+=($!)
done
for fault in "hang 4 x3-$$" "chatter 4 x6-$$" "hang-stubborn 4 x4-$$"; do
	begun "${fault%% *}" "${waiting[@]}" -J 1 "uci:$fake $fault" "uci:$fake" &
	jobs+=($!)
done
refused 2 'no such command' 'status 127' "${patient[@]}" \
    'uci:no-such-engine 2>/dev/null' random
refused 2 'dead at once' 'with status 3' "${patient[@]}" "uci:$fake dead" random
refused 2 'a flood' 'an endless line' "${patient[@]}" "uci:$fake flood" random
refused 2 'no option' 'no option Nosuch' "${patient[@]}" --option-a Nosuch=1 "uci:$fake" random
refused 2 'other rules' 'does not play these rules' "${patient[@]}" -r torpedo \
    "uci:$fake" random
for fault in 'crash/with status 5' 'signal/signal 11' \
    'illegal/plays .e2e5., which is not a legal move' 'none-best/(none)' \
    'empty/plays .., which' 'binary/not a legal move'; do
	refused 1 "${fault%%/*}" "game 0, ply 4: .*${fault#*/}" "${patient[@]}" -J 1 \
	    "uci:$fake ${fault%%/*} 4" "uci:$fake"
done
wait "${jobs[@]}"
verdict mute 2 'says nothing' 'does not answer'
verdict closed 2 'no answer ever' 'closed its end'
verdict unready 1 'not ready' 'does not answer'
for fault in hang chatter hang-stubborn; do
	verdict $fault 1 $fault 'game 0, ply 4: .*does not answer'
done
wait_for gone "x[1-6]-$$"
report $? 'none of them is left'

# The second half of the games fails: the first half is kept and counted.
cat >"$scratch/tired" <<'END'
#!/bin/bash
# An engine that dies in its third game.
n=0
while read -r word; do
	[[ $word == ucinewgame ]] && ((++n == 3)) && exit 9
	echo "$word"
done | uci --net uniform
END
chmod +x "$scratch/tired"
match -q -J 1 -g 8 -v 5 "${short[@]}" --archive "$scratch/kept" \
    "uci:$scratch/tired" random >"$scratch/row" 2>"$scratch/err"
[[ $? -eq 1 && $(wc -l <"$scratch/kept") -eq 2 && -s $scratch/err ]]
report $? 'an engine that tires: games that were over are kept'
holds '... and the score is theirs' 'games == 2 && pairs == 1'
games -g 8 -v 5 "${short[@]}" "uci:uci --net uniform" random >"$scratch/want"
cmp <(head -n 2 "$scratch/want" | sed 's/,"plies".*//') \
    <(sed 's/,"plies".*//' "$scratch/kept")
report $? '... and they are as they would have been'

# ---- no engine keeps running ----

at_work() { [[ $(pgrep -fc -- "fake-engine .*$1") -ge 4 && -n $(ls "$scratch/left") ]]; }
cleaned() {	# NAME SIGNAL
	local job
	match -q -J 4 -g 8 --timeout 60 "uci:$fake hang-stubborn 0 $1" random \
	    -o "$scratch/left/row" --archive "$scratch/left/games" 2>/dev/null &
	job=$!
	wait_for at_work "$1"
	kill -"$2" $job
	wait $job 2>/dev/null
	wait_for gone "$1"
	report $? "SIG$2: its engines go with it"
	[[ $2 == KILL || -z $(ls "$scratch/left") ]]
	report $? "SIG$2: and so do its temporary files"
	rm -f "$scratch/left/"*
}
mkdir "$scratch/left"
if [[ $(uname) == Linux ]]; then
	cleaned "y1-$$" TERM
	cleaned "y3-$$" KILL
	cleaned "y4-$$" HUP
else
	skip 'engines of a killed match: they go by themselves on Linux only'
fi
match -q --archive - -J 2 -g 100000 -v 1 "uci:$fake stubborn 0 y5-$$" random --random-plies 0 \
    -r '{"ply_limit":1}' 2>/dev/null | head -n 1 >/dev/null
wait_for gone "y5-$$"
report $? 'a closed pipe: the same'

# ---- equal CPU time ----

uci="uci:$BIN/uci --net material"
play -g 4 --cpu-time 4 -r '{"ply_limit":60}' --search ab,tree material material \
    >"$scratch/row"
holds 'CPU time: of ours' 'cpu_time_a == 4 && cpu_time_b == 4 &&
    cpu_used_a > 1 && cpu_used_a < 6 && cpu_used_b > 1 && cpu_used_b < 6'
play -g 2 --cpu-time 3,12 -r '{"ply_limit":60}' --search ab material "$uci" \
    >"$scratch/row"
holds 'CPU time: an engine is stopped when it has used its own' \
    'cpu_time_b == 12 && cpu_used_a < 5 && cpu_used_b > 6 && cpu_used_b < 18'
play -g 2 --cpu-time 5,0 -v 10 -r '{"ply_limit":20}' material greedy >"$scratch/row"
holds 'CPU time: one player has none' 'cpu_time_a == 5 && sims_b eq ""'

# ---- other people's engines ----

stockfish=$(PATH=$PATH:/usr/games command -v stockfish)
if [[ -n $stockfish ]]; then
	games -g 6 -v 20,50 "${short[@]}" material "uci:$stockfish" \
	    --option-b Hash=1 >"$scratch/want" && check_selfplay <"$scratch/want" >/dev/null
	report $? 'Stockfish'
	games -g 6 -v 20,50 "${short[@]}" material "uci:$stockfish" --option-b Hash=1 \
	    -J 1 | cmp "$scratch/want" -
	report $? 'Stockfish: the same one game at a time'
	play -g 16 -v 200,100 material "uci:$stockfish" --option-b Hash=1 >"$scratch/row"
	holds 'Stockfish is stronger than material' \
	    'score_hi < 0.5 && id_b =~ /^Stockfish/'
else
	skip 'games against Stockfish: stockfish is not here'
fi
fairy=$(PATH=$PATH:/usr/games command -v fairy-stockfish)
if [[ -n $fairy ]]; then
	games -g 4 -v 20 -r no-castling material "uci:$fairy" --option-b Hash=1 \
	    >"$scratch/games" && check_selfplay <"$scratch/games" >/dev/null
	report $? 'Fairy-Stockfish, which calls no-castling nocastle'
	genmoves --to-ini pawn-one-square >"$scratch/variants.ini"
	games -g 4 -v 20 -r pawn-one-square material "uci:$fairy" --option-b Hash=1 --option-b VariantPath="$scratch/variants.ini" \
	    --option-b UCI_Variant=rulelab-pawn-one-square >"$scratch/games" && check_selfplay <"$scratch/games" >/dev/null
	report $? 'Fairy-Stockfish, which is told the rules by a file'
else
	skip 'games against Fairy-Stockfish: fairy-stockfish is not here'
fi
# The stand-in knows a rule set only from the file.
genmoves --to-ini torpedo >"$scratch/variants.ini"
told=(--option-a "VariantPath=$scratch/variants.ini" --option-a UCI_Variant=rulelab-torpedo)
games -g 4 -v 20 -r torpedo "${told[@]}" "uci:$root/tests/fake-fairy" material >"$scratch/games" && check_selfplay <"$scratch/games" >/dev/null
report $? 'rules by a file of variants'
! play -g 2 -v 20 -r torpedo "uci:$root/tests/fake-fairy" material >/dev/null 2>"$scratch/log" &&
    grep -q 'the engine does not play these rules' "$scratch/log"
report $? '... and an engine without it is refused'

finish
