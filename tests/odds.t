#!/bin/bash
# rulelab odds: its table compared with known values and with simulated experiments, the
# positions of experiments, same seed, same bytes, killed and continued, bad input.

. "$(dirname "$0")/tap.sh"
needs parallel jq zstd flock perl
child=
tidy() { test -z "$child" || kill_all; }
export PARALLEL_HOME=$scratch/parallel
unset PARALLEL PARALLEL_SSH
mkdir "$PARALLEL_HOME"
table=pipelines/oddstable

# ---- the table, by hand ----

# 60 % with 100 games of each: ln 1.5 is a pawn, and a score of 50 % is worth nothing more.
printf '%s\t100\t%s\t%s\t%s\t%s\n' P 60 50 P '' N 50 40 N 'P P P' R 60 50 R 'N P P' X 40 40 X R >"$scratch/counts"
"$table" -v form=jsonl "$scratch/counts" >"$scratch/rows" 2>"$log" &&
    jq -es 'def near($x): . - $x | fabs < 0.02; map({key: .piece, value}) | from_entries |
	.P == 1 and (.N | near(3)) and (.R | near(6)) and (.X | near(5))' <"$scratch/rows" >/dev/null
report $? "values are whole pawns plus advantages in units of a pawn's"
awk -F '\t' -v OFS='\t' 'NR > 1 { $3 = 50; $4 = 40 } 1' "$scratch/counts" | "$table" -v form=jsonl | jq -es '.[3] as $x | .[2] as $r | .[1] as $n | ($x.value_hi - $x.value_lo) > ($r.value_hi - $r.value_lo) and
    ($r.value_hi - $r.value_lo) > ($n.value_hi - $n.value_lo)' >/dev/null
report $? "errors of what a piece is compared with are in its interval"
sed '1s/60\t50/80\t75/' "$scratch/counts" | "$table" -v form=jsonl | jq -es '.[3].value_hi - .[3].value_lo < 2.2' >/dev/null &&
    sed '1s/60\t50/51\t48/' "$scratch/counts" | "$table" -v form=jsonl | jq -es '.[1].value_hi == "inf" and .[1].value_lo == "-inf"' >/dev/null &&
    sed '1s/60\t50/40\t38/' "$scratch/counts" | "$table" -v form=jsonl | jq -es '.[1].value == null and .[0].value == 1' >/dev/null
report $? "so is the pawn's; without a pawn's advantage there is no value"
"$table" -v form=tsv "$scratch/counts" | awk -F '\t' 'NF != 10 { bad = 1 } END { exit bad || NR != 5 }' &&
    "$table" "$scratch/counts" | grep -qE '^R +[56]\.[0-9]+ ± [0-9.]+ +scores 59\.9 %' &&
    printf 'P\t100\t90\t85\tP\t\n' | "$table" | grep -q 'outside 20 to 80 %' &&
    ! printf 'P\t100\t60\t50\tP\t\nX\t9\t5\t5\tX\tQ\n' | "$table" >"$log" 2>&1
report $? "as TSV and text; scores too far from one half are marked; what was not measured is refused"

# ---- the table, by simulation ----

# Games of experiments with known values, in which advantages add up in Elo and 30 % of
# the games are drawn; 95 % intervals should hold the truth. Prints how many of 100 do,
# for a knight, a piece in its place, and a queen.
perl - "$table" >"$scratch/held" 2>"$log" <<'END'
srand(1);
my ($table, $u, $games, $runs) = ($ARGV[0], 0.6, 300, 1000);
my %true = (N => 3.2, R => 5.1, Q => 9.4, X => 2.5);
my @experiments = (['P', '', 1], ['N', 'P P P', 0.2], ['R', 'N P P', 5.1 - 5.2],
    ['Q', 'R N P', 9.4 - 9.3], ['X', 'N', 2.5 - 3.2]);
my %held;
for my $run (1 .. $runs) {
	my $lines = '';
	for (@experiments) {
		my ($have, $against, $more) = @$_;
		my ($points, $squares) = (0, 0);
		my $s = 1 / (1 + exp(-$u * $more));
		my $draws = 0.3;
		for (1 .. $games) {
			my $p = rand() < $draws ? 0.5 : rand() < ($s - $draws / 2) / (1 - $draws) ? 1 : 0;
			$points += $p;
			$squares += $p * $p;
		}
		$lines .= join("\t", $have, $games, $points, $squares, $have, $against) . "\n";
	}
	open(my $pipe, '-|', "printf '%s' '$lines' | $table -v form=tsv") or die;
	while (<$pipe>) {
		my ($piece, undef, $lo, $hi) = split(/\t/);
		$held{$piece}++ if $true{$piece} && $lo <= $true{$piece} && $true{$piece} <= $hi;
	}
	close($pipe) or die;
}
printf("%s %.1f\n", $_, 100 * $held{$_} / $runs) for sort keys %true;
END
cp "$scratch/held" "$log"
test "$(awk '$2 >= 93 && $2 <= 97' "$scratch/held" | wc -l)" -eq 4
report $? "95 % intervals hold the truth in 93 to 97 % of 1000 simulated runs:" "$(xargs <"$scratch/held")"

# ---- runs ----

# odds FOLDER OPTION ...
options=(-g 16 -p 16 -v 8 -N material -j 2)
odds() {
	pipelines/odds -d "$scratch/$1" "${options[@]}" "${@:2}" >"$scratch/$1.out" 2>"$log"
}
# written FOLDER: checksums of all that a run has made, without times and the kits
written() {
	(cd "$scratch/$1" && find . -type f ! -path '*/kit/*' ! -name joblog ! -name '*.new' ! -name new ! -name '*.zst.??????' | sort | xargs sha256sum)
}
odds one WD BN:Q
report $? "a run"
test "$(cut -f 1 "$scratch/one/odds.tsv" | xargs)" = "piece P N R Q WD BN" &&
    test "$(jq -s length "$scratch/one/odds.jsonl")" -eq 6 && test "$(wc -l <"$scratch/one.out")" -eq 6 &&
    grep -qx '[NRQ]' "$scratch/one/tried/WD" && ! test -e "$scratch/one/tried/BN" &&
    test "$(cut -f 2 "$scratch/one/counts.tsv" | sort -u)" = 16
report $? "a row for each piece and for all that it is compared with"

# All positions are legal, half of the games are White's, and what armies have is what
# the experiment says.
bad=0
for file in "$scratch"/one/starts/*.fen; do
	name=$(basename "$file" .fen) rules=classical
	[[ $name == [PNBRQ]-for-* ]] || rules=$scratch/one/rules/${name%%-*}.json
	"$BIN/genmoves" --quiet --rules "$rules" "$file" | jq -r .fen | cmp -s - "$file" || bad=1
	test "$(grep -c 'w$' "${file%.fen}")" = "$(grep -c 'b$' "${file%.fen}")" || bad=1
done
test "$bad" -eq 0 && test -e "$scratch/one/starts/BN-for-Q.fen"
report $? "positions are legal, and there for both colours"
army() { cut -d ' ' -f 1 "$1" | tr -d '/0-9' | while read -r line; do printf '%s %s\n' "$(tr -dc '[:upper:]' <<<"$line" | wc -c)" "$(tr -dc '[:lower:]' <<<"$line" | wc -c)"; done | sort | uniq -c | xargs; }
test "$(army "$scratch/one/starts/P-for-.fen")" = '8 15 16 8 16 15' && test "$(army "$scratch/one/starts/N-for-PPP.fen")" = '8 13 15 8 15 13' &&
    test "$(army "$scratch/one/starts/BN-for-Q.fen")" = '2 16 16' &&
    test "$(cut -d ' ' -f 1 "$scratch/one/starts/P-for-.fen" | sort -u | wc -l)" -eq 16
report $? "armies lack what the experiment says"

# The points of the army with the queen in its place.
zstd -dcq "$scratch/one/games/BN-for-Q/BN.jsonl.zst" | jq -s '[.[] | (.points // {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}[.result]) as $p |
    if .start | split(" ")[0] | test("A") then $p else 1 - $p end] | add' >"$scratch/points"
test "$(cat "$scratch/points")" = "$(awk -F '\t' '$1 == "BN" { print $3 }' "$scratch/one/counts.tsv")"
report $? "points are those of the army with the piece"

options+=(-j 1)
odds two WD BN:Q && test "$(written one)" = "$(written two)" && cmp -s "$scratch/one.out" "$scratch/two.out"
report $? "same seed, same bytes, whatever the jobs"
before=$(stat -c %Y "$scratch/one/games/BN-for-Q/BN.jsonl.zst")
odds one WD BN:Q R4:R && test "$(stat -c %Y "$scratch/one/games/BN-for-Q/BN.jsonl.zst")" = "$before" &&
    test "$(cut -f 1 "$scratch/one/odds.tsv" | tail -n 1)" = R4
report $? "later calls may name other pieces, and play nothing twice"

# killed when it has played so many shards: continued, it does the same
played() { test "$(find "$scratch/three" -name '0*.jsonl.zst' 2>/dev/null | wc -l)" -ge "$1"; }
good=0
for shards in 1 3 5; do
	behind pipelines/odds -d "$scratch/three" "${options[@]}" WD BN:Q >"$log" 2>&1
	wait_for played "$shards" || good=1
	kill_all
done
odds three WD BN:Q && test "$good" -eq 0 && test "$(written two)" = "$(written three)"
report $? "killed three times and continued: the same bytes"

# ---- bad input ----

# refused STATUS WORDS ARGUMENT ...
refused() {
	local status=0
	pipelines/odds "${@:3}" >"$scratch/said" 2>"$log" || status=$?
	test "$status" -eq "$1" && grep -qF -- "$2" "$log" && ! test -s "$scratch/said"
	report $? "refused: ${*:3}"
}
refused 2 '--dir is missing' WD
refused 2 'no piece is named' -d "$scratch/bad"
refused 2 "XYZ: 'X' is not one of the atoms" -d "$scratch/bad" XYZ
refused 2 "N, B, R or Q can be replaced, not 'P'" -d "$scratch/bad" WD:P
refused 2 'measured against pawns' -d "$scratch/bad" N:B
refused 2 'WD is named twice' -d "$scratch/bad" WD WD:N
refused 2 'letters and digits' -d "$scratch/bad" '../x'
refused 2 '--games: not within' -d "$scratch/bad" -g 0 WD
refused 2 'no such option' -d "$scratch/bad" --depth 3 WD
refused 1 'begun with other options' -d "$scratch/one" -g 32 -p 16 -v 8 -N material WD
! test -e "$scratch/bad"
report $? "and nothing was made"
finish
