#!/usr/bin/perl
# priorwalk, entropy and kldiv: compared with the whole tree, which tools/exact_tree
# enumerates; correct standard errors; the same bytes however the work is split; which
# divergences are infinite.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $root = abs_path('.');
my $scratch = tempdir(CLEANUP => 1);
my $tests = $ENV{TESTS} // "$root/build/gcc/tests";
$ENV{PATH} = ($ENV{BIN} // "$root/bin") . ":$tests:$ENV{PATH}";
$ENV{LC_ALL} = 'C';
my @presets = qw(classical no-castling no-castling-10 pawn-one-square
    stalemate-win torpedo semi-torpedo pawn-back pawn-sideways self-capture);
my @supersets = qw(stalemate-win self-capture semi-torpedo pawn-back torpedo
    pawn-sideways);
my @subsets = qw(stalemate-win no-castling-10 no-castling pawn-one-square);

# What a command writes; it must succeed.
sub output {
	my ($command) = @_;
	open(my $pipe, '-|', 'bash', '-o', 'pipefail', '-c', $command) or die;
	local $/;
	my $out = <$pipe> // '';
	close($pipe) or die "failed: $command\n";
	return $out;
}

sub rows { return map { decode_json($_) } split(/\n/, output($_[0])) }
sub last_row { return (rows($_[0]))[-1] }

# ---- compared with the whole tree ----

# Numbers as the tables print them.
sub digits { return $_[0] eq 'inf' ? 'inf' : sprintf('%.10g', $_[0]) }

sub test_exact {
	my ($p, $net, $plies, $q, $q_net) = @_;
	my $other = defined($q) ? "$q $q_net" : '';
	my @want = split(/\n/, output("exact_tree $p $net $plies $other"));
	my $positions = pop(@want);
	my $walk = "priorwalk -p -u -N $net -r $p -U $plies 2>$scratch/told";
	if (defined($q)) {
		output("$walk | priorwalk -N $net -Q $q_net -r $q >$scratch/l");
		my @kl = map { digits($_->{kl}) . "\t" .
		    digits($_->{additional}) } rows("kldiv $scratch/l");
		is_deeply(\@kl, [map { s/^.*?\t.*?\t.*?\t//r } @want],
		    "$p, $net beside $q, $q_net, all lines: divergence");
		return;
	}
	output("$walk >$scratch/l");
	my @h = map { join("\t", $_->{ply}, digits($_->{h}), digits($_->{m})) }
	    rows("entropy $scratch/l");
	is_deeply(\@h, \@want, "$p, $net, all lines: entropy, candidates");
	my @plain = map { digits($_->{h_plain}) . $_->{h_se} .
	    $_->{h_plain_se} } rows("entropy $scratch/l");
	is_deeply(\@plain, [map { (split(/\t/))[1] . '00' } @want],
	    "$p, $net: the plain sum is the same, and nothing has an error");
	my ($told) = output("cat $scratch/told") =~ /(\d+) positions eval/;
	is($told, $positions, "$p, $net: each position is evaluated once")
	    if $p !~ /10/;	# there the number of the move is seen, too
}

test_exact($_, 'uniform', 3) for @presets;
test_exact('classical', 'uniform', 4);
test_exact($_, 'hash:1', 3) for 'classical', 'torpedo', 'pawn-one-square';
test_exact('classical', 'hash:1', 3, $_, 'hash:2') for @supersets;
test_exact($_, 'hash:3', 3, 'classical', 'hash:4') for @subsets, 'torpedo';

# ---- samples ----

# Lines of several seeds become many samples if the net gets another name every so
# often, because lines of different nets are counted separately.
sub samples {
	my ($samples, $lines, $plies) = @_;
	my $seeds = 20;
	my $each = $samples * $lines / $seeds;
	output("for s in \$(seq $seeds); do priorwalk -N hash:1 -U $plies " .
	    "-I $each -s \$s; done | priorwalk -N hash:1 -Q hash:2 -r torpedo " .
	    "| perl -pe 's/hash:1/sprintf(\"s%d\", (\$. - 1) \\/ $lines)/e' " .
	    ">$scratch/samples");
}

sub test_coverage {
	my ($field, $truth, $samples, @rows) = @_;
	my $held = grep { abs($_->{$field} - $truth) <
	    1.96 * $_->{"${field}_se"} } @rows;
	my $mean = 0;
	$mean += $_->{$field} / @rows for @rows;
	ok(@rows == $samples && $held > 0.93 * @rows && $held < 0.97 * @rows,
	    sprintf('%s: 95 %% intervals hold %.10g in %.1f %% of %d samples',
	    $field, $truth, 100 * $held / @rows, scalar(@rows)));
}

{
	my ($n, $lines, $plies) = (1000, 250, 4);
	my @truth = split(/\t/, (split(/\n/, output("exact_tree classical " .
	    "hash:1 $plies torpedo hash:2")))[$plies - 1]);
	samples($n, $lines, $plies);
	my @rows = grep { $_->{ply} == $plies } rows("entropy $scratch/samples");
	test_coverage('h', $truth[1], $n, @rows);
	test_coverage('h_plain', $truth[1], $n, @rows);
	test_coverage('m', $truth[2], $n, @rows);
	@rows = grep { $_->{ply} == $plies } rows("kldiv $scratch/samples");
	test_coverage('kl', $truth[3], $n, @rows);
	test_coverage('kl_plain', $truth[3], $n, @rows);
	test_coverage('additional', $truth[4], $n, @rows);
}

# The same for a prior whose entropies the estimates of lines predict.
{
	my ($n, $lines, $plies) = (1000, 250, 4);
	my $truth = (split(/\t/, (split(/\n/, output("exact_tree pawn-sideways " .
	    "material $plies")))[$plies - 1]))[1];
	output("for s in \$(seq 20); do priorwalk -N material -r pawn-sideways " .
	    "-U $plies -I " . $n * $lines / 20 . " -s \$s; done | perl -pe " .
	    "'s/material/sprintf(\"s%d\", (\$. - 1) \\/ $lines)/e' " .
	    ">$scratch/samples");
	test_coverage('h', $truth, $n, grep { $_->{ply} == $plies }
	    rows("entropy $scratch/samples"));
}

# Guesses: by the definition, of lines that have no beginning likely enough to
# be put apart; they make the error smaller, and are not used if one is missing.
{
	output("priorwalk -N uniform -U 12 -I 300 >$scratch/l");
	my (@y, @x);
	for my $l (rows("cat $scratch/l")) {
		my ($y, $x) = (0, 0);
		$y += $_ for @{ $l->{h} };
		$x += $_ for @{ $l->{ahead} }[0 .. 10];
		push(@y, $y);
		push(@x, $x);
	}
	my ($n, $my, $mx, $xx, $xy, $rest) = (300, 0, 0, 0, 0, 0);
	$my += $_ / $n for @y;
	$mx += $_ / $n for @x;
	for my $i (0 .. $n - 1) {
		$xx += ($x[$i] - $mx) ** 2;
		$xy += ($x[$i] - $mx) * ($y[$i] - $my);
	}
	my $b = $xy / $xx;
	$rest += ($y[$_] - $my - $b * ($x[$_] - $mx)) ** 2 for 0 .. $n - 1;
	my $r = last_row("entropy $scratch/l");
	ok(abs($r->{h} - ($my - $b * $mx)) < 1e-7, 'a regression: h');
	ok(abs($r->{h_se} - sqrt($rest / ($n - 2) * (1 / $n + $mx ** 2 / $xx))) <
	    1e-7, 'a regression: its error');
	my $plain = last_row("jq -c 'del(.ahead)' $scratch/l | entropy");
	my $mixed = last_row("{ jq -c 'del(.ahead)' $scratch/l | head -n 1; tail " .
	    "-n +2 $scratch/l; } | entropy");
	ok(abs($plain->{h} - $my) < 1e-7, 'without guesses: the mean');
	is_deeply($mixed, $plain, 'guesses of all lines but one are not used');
	output("priorwalk -N material -U 12 -I 3000 -s 1 >$scratch/l");
	$r = last_row("entropy $scratch/l");
	$plain = last_row("jq -c 'del(.ahead)' $scratch/l | entropy");
	my $worth = ($plain->{h_se} / $r->{h_se}) ** 2;
	ok($worth > 1.1, sprintf('with guesses lines are worth %.2f times as ' .
	    'many', $worth));
	ok(abs($r->{h} - $plain->{h}) < 3 * sqrt($plain->{h_se} ** 2 -
	    $r->{h_se} ** 2), 'which changes no more than chance does');
	ok(output("priorwalk -N material -Q uniform $scratch/l | jq -c .ahead") eq
	    output("jq -c .ahead $scratch/l"), 'lines keep them when scored');
}

# The joint estimate of several walks is that of their lines together.
{
	output("priorwalk -N hash:5 -I 300 -s $_ >$scratch/seed$_") for 1, 2, 3;
	my @each = map { last_row("entropy $scratch/seed$_") } 1, 2, 3;
	my $joint = last_row("cat $scratch/seed[123] | entropy");
	is($joint->{lines}, 900, 'joined walks: all lines count');
	for my $field ('h_plain', 'm') {
		my ($mean, $all) = (0, 0);
		for my $r (@each) {	# m is of lines that go on
			my $n = $r->{lines} - ($field eq 'm' ? $r->{over} : 0);
			$mean += $n * $r->{$field};
			$all += $n;
		}
		$mean /= $all;
		ok(abs($joint->{$field} - $mean) < 1e-8, "joined walks: $field");
	}
	# h is weighed by how likely beginnings are, all lines together
	my $mean = 0;
	$mean += $_->{h} / 3 for @each;
	ok(abs($joint->{h} - $mean) < 0.5 * $joint->{h_se}, 'joined walks: h');
	my $turned = last_row("cat $scratch/seed3 $scratch/seed1 $scratch/seed2 " .
	    "| entropy");
	ok(abs($joint->{h} - $turned->{h}) < 1e-8 &&
	    abs($joint->{h_se} - $turned->{h_se}) < 1e-8,
	    'joined walks: in whatever order');
	my $expected = 0;	# of the errors of parts of the same size
	$expected += $_->{h_se} ** 2 / 9 for @each;
	ok(abs($joint->{h_se} / sqrt($expected) - 1) < 0.05,
	    'joined walks: the error is smaller accordingly');
	my @z = map { (output("zstd -qc $scratch/seed$_ >$scratch/seed$_.zst"),
	    "$scratch/seed$_.zst")[1] } 1, 2, 3;
	is(output("cat @z | entropy"), output("cat $scratch/seed[123] | entropy"),
	    'joined walks: compressed');
	isnt(output("cat $scratch/seed1"), output("cat $scratch/seed2"),
	    'other seeds, other lines');
}

# ---- the same bytes ----

my $net = abs_path('tests/towers/good.onnx');
my $has_net = system("priorwalk -N $net -I 0 2>$scratch/why") == 0;
for my $n ('hash:9', $has_net ? $net : ()) {
	my $name = $n eq $net ? 'a real net' : $n;
	my $walk = "priorwalk -N $n -U 8 -r self-capture -s 5";
	my $want = output("$walk -I 200");
	is(output("$walk -I 200 -B $_"), $want, "$name: batch $_") for 1, 7, 256;
	is(output("$walk -I 200 -H 0"), $want, "$name: no memory");
	is(output("$walk -I 60 ; $walk -f 60 -I 140"), $want, "$name: shards");
	my $score = "priorwalk -N $n -Q hash:2 -r classical";
	output("$walk -I 400 >$scratch/l");
	$want = output("$score $scratch/l");
	is(output("$score -B 3 -H 0 $scratch/l"), $want,
	    "$name: scored in other batches");
	is(output("head -n 100 $scratch/l | $score; tail -n +101 $scratch/l | " .
	    $score), $want, "$name: scored in parts");
}
SKIP: {
	skip("nets in files: " . output("cat $scratch/why"), 2) if !$has_net;
	output("priorwalk -N $net -I 20 >$scratch/l");
	is(output("priorwalk -Q $net $scratch/l | kldiv | " .
	    "jq -c '[.kl, .kl_plain, .additional]' | sort -u"), "[0,0,0]\n",
	    'a real net does not differ from itself');
	is(system("priorwalk -Q uniform $scratch/l >$scratch/o 2>&1") >> 8, 1,
	    'lines of another net are refused');
}

# ---- q is p ----

# Under the same rules the other side's board is the own one, with its counts,
# rights and repetitions.
for my $rules (@presets, 'torpedo+self-capture+pawn-sideways+no-castling-10') {
	my $walk = "priorwalk -N hash:7 -r $rules -I 60 -U 120 -s 3";
	output("$walk | priorwalk -Q hash:7 -r $rules >$scratch/l");
	is(output("jq -c 'select(.q.logp != .logp or .q.h != .h or .hr != .h or " .
	    "(.kl | add) != 0)' $scratch/l"), '',
	    "$rules: scored by its own prior, to the last digit");
	my $r = last_row("kldiv $scratch/l");
	ok($r->{kl} == 0 && $r->{kl_plain} == 0 && $r->{additional} == 0 &&
	    $r->{infinite} == 0, "$rules: D_KL[p||p] and A are 0");
}

# ---- supersets and subsets ----

# m_r <= m_p + m_q, at every ply of every line.
sub test_bound {
	my ($file, $name) = @_;
	my ($n, $bad) = (0, 0);
	open(my $f, '<', $file) or die "$file: $!\n";
	while (<$f>) {
		my $l = decode_json($_);
		for my $i (0 .. $#{ $l->{h} }) {
			my ($p, $q, $r) = ($l->{h}[$i], $l->{q}{h}[$i],
			    $l->{hr}[$i]);
			$n++;
			$bad++ if exp($r) > (exp($p) + (defined($q) ? exp($q) :
			    0)) * (1 + 1e-9);
		}
	}
	ok($n > 1000 && $bad == 0, "$name: m_r <= m_p + m_q at $n plies");
}

sub score {
	my ($p, $q, $lines) = @_;
	output("priorwalk -N hash:1 -r $p -I $lines -s 8 | " .
	    "priorwalk -N hash:1 -Q hash:2 -r $q >$scratch/l");
	test_bound("$scratch/l", "$p beside $q");
	return last_row("kldiv $scratch/l");
}

for my $pair ((map { ['classical', $_] } @supersets),
    (map { [$_, 'classical'] } @subsets)) {
	my $r = score(@$pair, 100);
	ok($r->{kl} ne 'inf' && $r->{kl_plain} ne 'inf' && $r->{infinite} == 0,
	    "$pair->[0] scored by $pair->[1] is finite");
}
for my $pair ((map { [$_, 'classical'] } qw(torpedo self-capture)),
    ['classical', 'pawn-one-square']) {
	my $r = score(@$pair, 100);
	ok($r->{kl} eq 'inf' && $r->{kl_plain} eq 'inf' && $r->{infinite} > 0 &&
	    $r->{additional} =~ /^-?\d/,
	    "$pair->[0] scored by $pair->[1] is infinite, A is not");
}

# Castling, counted by hand.
{
	output("priorwalk -N uniform -I 400 -U 4 -A " .
	    "'r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1' >$scratch/c");
	my $castles = output("grep -cE 'e1[gc]1|e8[gc]8' $scratch/c") + 0;
	my @rows = rows("priorwalk -Q uniform -r no-castling $scratch/c | kldiv");
	is($rows[-1]{infinite}, $castles, "$castles of 400 lines castle");
	ok($castles > 50 && $rows[-1]{kl} eq 'inf' && $rows[-1]{kl_plain} eq 'inf',
	    'which is infinite without castling');
	my @more = grep { $rows[$_]{infinite} < $rows[$_ - 1]{infinite} } 1 .. 3;
	is(scalar(@more), 0, 'and stays so');
}

# A start without castling rights means nothing if p's rules have no castling.
for my $start ("-A 'r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1' -U 2",
    '-U 40') {
	output("priorwalk -N uniform -r no-castling -I 100 $start >$scratch/n");
	output("priorwalk -N uniform -r classical -I 100 $start >$scratch/c");
	my $lost = output("priorwalk -Q uniform -r classical $scratch/n | " .
	    "jq -c 'select(.kl | add > 0)' | wc -l") + 0;
	ok($lost > 0, "no-castling beside classical ($start): q may castle in " .
	    "$lost of 100 lines");
}
{
	my ($l) = rows("priorwalk -N uniform -r no-castling -I 1 -U 1 -A " .
	    "'r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1' | " .
	    "priorwalk -Q uniform -r classical");
	my $moves = sprintf('%.0f', exp($l->{h}[0]));
	is(sprintf('%.0f', exp($l->{q}{h}[0])), $moves + 2,
	    "$moves moves without castling, two more with it");
}

# ---- starts and ends ----

{
	my $after = output("priorwalk -N hash:1 -I 50 -A '1. e4'");
	is(output("priorwalk -N hash:1 -I 50 -A e2e4"), $after, 'start: e2e4');
	is(output("priorwalk -N hash:1 -I 50 -A '1.e4'"), $after, 'start: 1.e4');
	is(output("priorwalk -N hash:1 -I 50 -A 'rnbqkbnr/pppppppp/8/8/4P3/8/" .
	    "PPPP1PPP/RNBQKBNR b KQkq - 0 1'"), $after, 'start: FEN');
	is(output("priorwalk -N hash:1 -I 50 -A startpos"),
	    output("priorwalk -N hash:1 -I 50"), 'start: startpos');
	# some lines are mated, or stalemated, at once
	output("priorwalk -N uniform -I 1000 -U 6 -A " .
	    "'k7/8/K7/8/8/8/8/7R w - - 0 1' >$scratch/m");
	my @rows = rows("entropy $scratch/m");
	my $over = output("jq -r 'select(.moves | length == 4) | .end' " .
	    "$scratch/m | grep -c mate") + 0;
	ok($over > 50 && $rows[1]{over} == $over && $rows[1]{lines} == 1000,
	    'lines that are over count, and have no more to choose from');
	# Beginnings are weighed by their probabilities: of the first two plies there is
	# nothing left to chance.
	my ($exact) = grep { $_->{ply} == 2 } rows("priorwalk -N uniform --all " .
	    "-U 2 -A 'k7/8/K7/8/8/8/8/7R w - - 0 1' | entropy");
	is(sprintf('%.8g', $rows[1]{h}), sprintf('%.8g', $exact->{h}),
	    'with entropy 0');
	ok($rows[1]{h_se} < 1e-8, 'and no error where probs tell all');
}

# Rule sets that allow positions that others do not have, without kings, or put and
# remove pieces otherwise: lines of each are scored by each other.
{
	my @sets = qw(classical antichess atomic crazyhouse horde racing-kings three-check);
	my @bad;
	for my $p (@sets) {
		output("priorwalk -N uniform -I 40 -U 30 -r $p >$scratch/l");
		for my $q (grep { $_ ne $p } @sets) {
			my $status = system("priorwalk -q -N uniform -Q uniform -r $q -o $scratch/o $scratch/l");
			push(@bad, "$p by $q: status $status") if $status != 0 || output("wc -l <$scratch/o") != 40;
		}
	}
	is("@bad", '', 'lines of variants are scored by others');
}
# ---- what a search chooses ----

# The first ply of one line: its probability and its entropy, from the weights of a
# searched position, as selfplay tells them.
sub chosen {
	my ($walk, %weight) = @_;
	my ($line) = rows("priorwalk $walk -I 1 -U 1 -s 4");
	my $sum = 0;
	$sum += $_ for values(%weight);
	my $h = 0;
	$h -= $_ / $sum * log($_ / $sum) for grep { $_ > 0 } values(%weight);
	my $p = ($weight{$line->{moves}} // 0) / $sum;
	return $p > 0 && abs($line->{logp}[0] - log($p)) < 2e-3 && abs($line->{h}[0] - $h) < 2e-3;
}

{
	my ($game) = rows("selfplay -q -N prior -v 60 -g 1 -s 1 --search-data");
	my %visits = %{$game->{search}[0]{moves}};
	ok(chosen('-N prior -v 60', map { $_ => $visits{$_}[0] } keys(%visits)),
	    'tree search: shares of visits');
	for my $t (0.02, 0.05) {
		($game) = rows("selfplay -q -N default -v 300 -g 1 -e 1 -s 1 --temperature $t --search-data");
		my %value = %{$game->{search}[0]{scores}};
		my ($best) = sort { $b <=> $a } values(%value);
		my $spread = $t == 0.02 ? '' : "--temperature $t";
		ok(chosen("-N default -v 300 $spread", map { $_ => exp(($value{$_} - $best) / $t) } keys(%value)),
		    "alpha-beta: weights by values, temperature $t");
	}
	my $walk = 'priorwalk -v 20 -r torpedo -s 9';
	my $all = output("$walk -N default -I 12");
	is(output("$walk -N default -I 5 -B 1 -H 0; $walk -N default -f 5 -I 7"), $all,
	    'the same lines in parts, whatever the batch and the cache');
	is(output("printf '%s' '$all' | entropy -q | tail -n 1 | jq .lines") + 0, 12, 'which entropy reads');
	my %nets = map { ((rows("priorwalk -I 1 -U 1 $_"))[0]{net} => 1) }
	    '-N default -v 20', '-N default -v 30', '-N default -v 20 --temperature 0.1', '-N prior -v 20', '-N prior';
	is(scalar(keys(%nets)), 5, 'another search is another net');
	for my $bad ('-Q prior -v 20', '--search tree') {
		system("priorwalk $bad </dev/null >$scratch/o 2>$scratch/told");
		ok($? >> 8 == 2 && -s "$scratch/told", "refused: $bad");
	}
}
done_testing();
