#!/usr/bin/perl
# drawstats --compare compared with reference rows, from no game to a million, and
# adjusted p, --homogeneity, --power and --paired compared with plain code. The counts
# are given as partial results.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(max min);
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $root = abs_path('.');
my $bin = $ENV{BIN} // "$root/bin";
my $scratch = tempdir(CLEANUP => 1);

# A, B, then p(draw A < B), p(draw A > B), p(score A > B), p(score A < B)
my @some = (
	[[300, 600, 100], [280, 650, 70], 9.89464251308077486e-01,
	    1.05357486919225139e-02, 3.49729882889127756e-01,
	    6.50270117110872244e-01],
	[[0, 0, 0], [1, 0, 0], 0.4, 0.6, 0.325, 0.675],
	[[1, 0, 0], [0, 0, 1], 0.5, 0.5, 0.825, 0.175],
	[[10, 0, 10], [0, 20, 0], 9.99999999989068955e-01,
	    1.09310447828634987e-11, 0.5, 0.5],
	[[3, 0, 0], [30, 3, 0], 4.27070795491848123e-01,
	    5.72929204508151877e-01, 1.16392011951223185e-01,
	    8.83607988048776815e-01],
	[[20000, 70000, 10000], [20500, 69000, 10500],
	    5.96773437573897311e-07, 9.99999403226562426e-01,
	    4.99997216619576708e-01, 5.00002783380423292e-01],
	[[1000000, 0, 0], [999999, 0, 1], 0.5, 0.5,
	    7.22222425925734615e-01, 2.77777574074265385e-01],
);
my @fields = qw(p_draw_less p_draw_greater p_score_greater p_score_less);

# How drawstats writes one game of each result: the keys of its cells.
my @keys = map {
	my $game = "{\"v\":1,\"moves\":\"\",\"result\":\"$_\"}";
	`echo '$game' | $bin/drawstats --partial` =~ /"cells":"(\w+):1"/
	    or die "no partial result\n";
	$1;
} '1-0', '1/2-1/2', '0-1';

# Rows that drawstats writes of groups of wins, draws and losses, whose names are
# indices from 0.
sub rows_of {
	my ($groups, @options) = @_;
	my $i = 0;
	open(my $f, '>', "$scratch/counts") or die "$!\n";
	for my $g (@$groups) {
		my $cells = join(' ', map { "$keys[$_]:$g->[$_]" } 0 .. 2);
		my $games = $g->[0] + $g->[1] + $g->[2];
		print($f '{"partial":"drawstats","v":1,"rules":"classical",' .
		    "\"tag\":\"Row\",\"by\":\"$i\",\"games\":$games," .
		    "\"cells\":\"$cells\"}\n");
		$i++;
	}
	close($f) or die "$!\n";
	my @rows = map { decode_json($_) } split(/\n/,
	    `$bin/drawstats --by Row @options $scratch/counts`);
	die "drawstats failed\n" if $? != 0;
	return @rows;
}

# Compares them; rows by "a b".
sub compare {
	my ($groups, @options) = @_;
	my %rows = map { join(' ', map { s/^classical://r } @{$_}{qw(a b)}) => $_ }
	    rows_of($groups, '--compare', @options);
	die 'not every pair has a row' if keys(%rows) != @$groups * $#$groups;
	return \%rows;
}

# The pair that sums to 1 of which this is the smaller: its relative error.
sub tail_error {
	my ($got, $want, $x, $y) = @_;
	my $i = $want->[$x] < $want->[$y] ? $x : $y;
	return abs($got->[$i] / $want->[$i] - 1);
}

sub test_rows {
	my ($name, @rows) = @_;
	my ($absolute, $relative, @inexact) = (0, 0);
	for my $row (@rows) {
		my ($a, $b, @want) = @$row;
		my $all = compare([$a, $b]);
		my @got = map { $all->{'0 1'}{$_} } @fields;
		my @turned = map { $all->{'1 0'}{$_} } @fields[1, 0, 3, 2];
		$absolute = max($absolute, map { abs($got[$_] - $want[$_]) }
		    0 .. 3);
		$relative = max($relative, tail_error(\@got, \@want, 0, 1),
		    tail_error(\@got, \@want, 2, 3));
		push(@inexact, "@$a, @$b") if "@got" ne "@turned" ||
		    grep { abs($want[$_] - 0.5) < 1e-12 && $got[$_] ne '0.5' }
		    0 .. 3;
	}
	ok($absolute < 1e-9 && $relative < 1e-6, sprintf('%s: %d rows, %.1g ' .
	    'absolute, %.1g relative in the tails', $name, scalar(@rows),
	    $absolute, $relative));
	ok(@inexact == 0, "$name: a half is 0.5, and B beside A is A beside B")
	    or diag(map { "$_\n" } @inexact);
}

test_rows('embedded', @some);
my $file = '../shared/reference/odds.json';
SKIP: {
	skip("$file is not here", 2) if !-r $file;
	open(my $f, '<', $file) or die "$file: $!\n";
	local $/;
	test_rows('reference', map { [$_->{A}, $_->{B}, @{$_}{qw(p_draw_A_lt_B
	    p_draw_A_gt_B p_e_A_gt_B p_e_A_lt_B)}] }
	    @{ decode_json(<$f>)->{rows} });
}

# ---- equal and mirrored ----

my @equal = ([0, 0, 0], [0, 0, 0], [7, 1, 2], [7, 1, 2], [2, 1, 7],
    [1000000, 3, 9], [1000000, 3, 9], [9, 3, 1000000]);
my $rows = compare(\@equal);
ok((grep { $rows->{$_}{$fields[0]} eq '0.5' && $rows->{$_}{$fields[2]} eq '0.5' }
    '0 1', '2 3', '5 6') == 3, 'equal rows: 1/2 exactly');
ok((grep { $rows->{$_}{$fields[0]} eq '0.5' } '2 4', '5 7') == 2 &&
    $rows->{'2 4'}{p_score_less} eq $rows->{'4 2'}{p_score_greater},
    'wins and losses exchanged: the same draw rate, exactly');
$rows = compare([[0, 0, 0], [10, 0, 10], [0, 20, 0], [333333, 2, 333333]]);
ok((grep { $_->{p_score_less} eq '0.5' && $_->{p_score_greater} eq '0.5' }
    values %$rows) == keys(%$rows), 'as many wins as losses: 1/2 exactly');

# ---- whatever the counts ----

srand(1);
my @any = ([0, 0, 0], [1000000, 0, 0], [0, 1000000, 0], [0, 0, 1000000],
    [1, 999998, 1], [499999, 2, 499999]);
push(@any, [map { int(exp(rand(log(1e6 + 1))) - 0.5) } 1 .. 3]) for 1 .. 14;
$rows = compare(\@any);
my @odd = grep {
	my $row = $rows->{$_};
	my @p = map { $row->{$_} } @fields;
	(grep { !defined($_) || !($_ >= 0 && $_ <= 1) } @p) > 0 ||
	    abs($p[0] + $p[1] - 1) > 1e-15 || abs($p[2] + $p[3] - 1) > 1e-15;
} keys %$rows;
ok(@odd == 0, keys(%$rows) . ' rows of up to a million games: all in [0,1]');

# ---- adjusted p ----

# Both measures of all pairs are one family: name => p, two-sided.
my %p;
for my $pair (grep { /^(\d+) (\d+)$/ && $1 < $2 } keys %$rows) {
	my $row = $rows->{$pair};
	$p{"$pair draw"} = 2 * min(@{$row}{@fields[0, 1]});
	$p{"$pair score"} = 2 * min(@{$row}{@fields[2, 3]});
}
my @sorted = sort { $p{$a} <=> $p{$b} } keys %p;
my ($m, %holm, %bh) = (scalar(@sorted));
for my $k (0 .. $#sorted) {
	# step down: no less than the one before; step up: no more than the next
	$holm{ $sorted[$k] } = max(map { min(1, ($m - $_) * $p{ $sorted[$_] }) }
	    0 .. $k);
	$bh{ $sorted[$k] } = min(1, map { $m / ($_ + 1) * $p{ $sorted[$_] } }
	    $k .. $m - 1);
}
my @wrong = grep {
	my ($i, $j, $what) = split;
	my ($there, $back) = @{$rows}{"$i $j", "$j $i"};
	my $other = "$i $j " . ($what eq 'draw' ? 'score' : 'draw');
	grep { abs($_->[0] - $_->[1]) > 1e-9 * $_->[1] } map { my $row = $_; (
	    [$row->{"p_${what}_holm"}, $holm{"$i $j $what"}],
	    [$row->{"p_${what}_bh"}, $bh{"$i $j $what"}],
	    [$row->{p_holm}, min(@holm{"$i $j $what", $other})],
	    [$row->{p_bh}, min(@bh{"$i $j $what", $other})]) } $there, $back;
} @sorted;
ok($m == 380 && @wrong == 0, "Holm, Benjamini and Hochberg over $m tests")
    or diag("@wrong");

# ---- the study's way ----

my $n = 100000;
my ($far, $checked) = (0, 0);
my @few = ([300, 600, 100], [280, 650, 70], [3, 0, 0], [0, 0, 0],
    [2530, 6500, 970]);
my $exact = compare(\@few);
my $sampled = compare(\@few, "--monte-carlo $n --seed 7");
for my $pair (keys %$exact) {
	for (@fields) {
		my ($p, $q) = ($exact->{$pair}{$_}, $sampled->{$pair}{$_});
		my $error = sqrt($p * (1 - $p) / $n) + 1 / $n;
		$far = max($far, abs($p - $q) / $error);
		$checked++;
	}
}
ok($far > 0 && $far < 4.5, sprintf('--monte-carlo: %d numbers, at most %.1f ' .
    'standard errors away', $checked, $far));
my $json = JSON::PP->new->canonical;
ok($json->encode($sampled) eq
    $json->encode(compare(\@few, "-M $n -s 7")) && $json->encode($sampled) ne
    $json->encode(compare(\@few, "-M $n -s 8")),
    'the same seed gives the same numbers, another gives others');

# ---- do they differ at all ----

# Three groups: chi squared of two degrees and F of two and n have closed tails.
@few = ([300, 600, 100], [280, 650, 70], [61, 118, 41]);
my %test = map { $_->{measure} => $_ } rows_of(\@few, '--homogeneity');
my @n = map { $_->[0] + $_->[1] + $_->[2] } @few;
my $games = $n[0] + $n[1] + $n[2];
my $rate = ($few[0][1] + $few[1][1] + $few[2][1]) / $games;
my $chi = 0;
for my $g (0 .. 2) {
	for ([$few[$g][1], $n[$g] * $rate], [$n[$g] - $few[$g][1],
	    $n[$g] * (1 - $rate)]) {
		$chi += ($_->[0] - $_->[1]) ** 2 / $_->[1];
	}
}
my $got = $test{draw_rate};
ok(abs($got->{statistic} / $chi - 1) < 1e-9 && $got->{dof} == 2 &&
    $got->{groups} == 3 && $got->{games} == $games &&
    abs($got->{p} / exp(-$chi / 2) - 1) < 1e-9, sprintf('--homogeneity: draw ' .
    'rates, chi squared %.4f, p %.4g', $chi, $got->{p}));

# The sum of squares around a mean, of wins, draws and losses.
sub squares {
	my ($mean, $win, $draw, $loss) = @_;
	return $win * (1 - $mean) ** 2 + $draw * (0.5 - $mean) ** 2 +
	    $loss * $mean ** 2;
}

my @mean = map { ($few[$_][0] + $few[$_][1] / 2) / $n[$_] } 0 .. 2;
my @sum = map { my $i = $_; $few[0][$i] + $few[1][$i] + $few[2][$i] } 0 .. 2;
my $of_all = squares(($sum[0] + $sum[1] / 2) / $games, @sum) / $games;
my @weight = map { $n[$_] ** 2 / (squares($mean[$_], @{ $few[$_] }) + $of_all) }
    0 .. 2;
my $weights = $weight[0] + $weight[1] + $weight[2];
my ($middle, $f, $small) = (0, 0, 0);
$middle += $weight[$_] * $mean[$_] / $weights for 0 .. 2;
$f += $weight[$_] * ($mean[$_] - $middle) ** 2 / 2 for 0 .. 2;
$small += (1 - $weight[$_] / $weights) ** 2 / ($n[$_] - 1) for 0 .. 2;
$f /= 1 + 2 * $small / 8;
my $below = 8 / (3 * $small);
$got = $test{score};
ok(abs($got->{statistic} / $f - 1) < 1e-9 && $got->{dof} == 2 &&
    abs($got->{dof_below} / $below - 1) < 1e-9 &&
    abs($got->{p} / (1 + 2 * $f / $below) ** (-$below / 2) - 1) < 1e-9,
    sprintf('--homogeneity: scores, F %.4f, p %.4g', $f, $got->{p}));

# ---- how many games ----

# The normal deviates of 2.5 % and of 20 %.
my ($za, $zb) = (1.9599639845, 0.8416212336);
my @wrongly;
for my $row (rows_of(\@few, '--power 0.04')) {
	my ($w, $d, $l) = @{ $few[$row->{by}] };
	my $all = $w + $d + $l;
	my $p = $d / $all;
	my $q = $p < 0.5 ? $p + 0.04 : $p - 0.04;
	my $mid = ($p + $q) / 2;
	my $share = ($za * sqrt(2 * $mid * (1 - $mid)) +
	    $zb * sqrt($p * (1 - $p) + $q * (1 - $q))) ** 2 / 0.04 ** 2;
	# one game of each result more
	my $m1 = ($w + 1 + ($d + 1) / 2) / ($all + 3);
	my $variance = squares($m1, $w + 1, $d + 1, $l + 1) / ($all + 3);
	my $score = 2 * $variance * ($za + $zb) ** 2 / 0.04 ** 2;
	my $noticed = ($za + $zb) * sqrt(2 * $variance / $all);
	push(@wrongly, $row->{by}) if $row->{power} != 0.8 ||
	    abs($row->{draw_rate_games} - $share) > 1.0001 ||
	    abs($row->{score_games} - $score) > 1.0001 ||
	    abs($row->{score_noticed} / $noticed - 1) > 1e-6;
	# what is noticed needs as many games as there are
	my ($again) = grep { $_->{by} == $row->{by} } rows_of(\@few,
	    sprintf('--power %.9f', $row->{draw_rate_noticed} + 1e-6));
	push(@wrongly, "$row->{by} noticed") if
	    abs($again->{draw_rate_games} - $all) > 1;
}
ok(@wrongly == 0, '--power: games and differences by the textbook')
    or diag("@wrongly");

# ---- pairs ----

# Games of two rule sets in pairs whose results are correlated; half of the pairs
# begin alike. Each is [result, first moves] or undef.
my @begin = ('e2e4 e7e5', 'e2e4 c7c5');
sub random_pair {
	my $common = rand();
	my @game = map {
		my $u = rand() < 0.6 ? $common : rand();
		[$u < 0.3 + 0.1 * $_ ? 0 : $u < 0.7 ? 1 : 2, $begin[$_ && rand() < 0.5]];
	} 0, 1;
	$game[rand(2)] = undef if rand() < 0.2;
	return @game;
}

sub mean_of {
	my $sum = 0;
	$sum += $_ for @_;
	return $sum / @_;
}

sub correlation {
	my ($x, $y) = @_;
	my ($mx, $my) = (mean_of(@$x), mean_of(@$y));
	my ($xx, $yy, $xy) = (0, 0, 0);
	for (0 .. $#$x) {
		$xx += ($x->[$_] - $mx) ** 2;
		$yy += ($y->[$_] - $my) ** 2;
		$xy += ($x->[$_] - $mx) * ($y->[$_] - $my);
	}
	return $xy / sqrt($xx * $yy);
}

# The difference of classical less torpedo from the intervals of each.
sub difference {
	my ($field, $a, $b, $r) = @_;
	my $d = $a->{$field} - $b->{$field};
	my $apart = sub { sqrt($_[0] ** 2 + $_[1] ** 2 - 2 * $r * $_[0] * $_[1]) };
	return ($d, $d - $apart->($a->{$field} - $a->{"${field}_lo"},
	    $b->{"${field}_hi"} - $b->{$field}),
	    $d + $apart->($a->{"${field}_hi"} - $a->{$field},
	    $b->{$field} - $b->{"${field}_lo"}));
}

srand(4);
my @pairs = map { [random_pair()] } 1 .. 300;
for my $alike (0, 2) {
	my $f;
	# with --alike only these pairs are left
	my @left = !$alike ? @pairs : grep { $_->[0] && $_->[1] &&
	    $_->[0][1] eq $_->[1][1] } @pairs;
	for (['all', @pairs], ['left', @left]) {
		my ($name, @list) = @$_;
		open($f, '>', "$scratch/$name") or die "$!\n";
		for my $id (0 .. $#list) {
			for my $of (grep { $list[$id][$_] } 0, 1) {
				my ($result, $moves) = @{ $list[$id][$of] };
				print($f '{"v":1,"id":"', $id, '","seed":"3","rules":"',
				    $of ? 'torpedo' : 'classical', "\",\"moves\":\"",
				    $moves, '","result":"', ('1-0', '1/2-1/2',
				    '0-1')[$result], "\"}\n");
			}
		}
		close($f) or die "$!\n";
	}
	my ($a, $b) = map { decode_json($_) } `$bin/drawstats $scratch/left`;
	my $option = $alike ? '--alike 2' : '';
	my ($row) = map { decode_json($_) }
	    `$bin/drawstats --compare --paired $option $scratch/all`;
	my @both = grep { $_->[0] && $_->[1] } @left;
	my $root = sqrt($a->{games} * $b->{games});
	my $bad = $row->{pairs} != @both || $row->{a} ne 'classical';
	for (['draw', 'draw_rate', sub { $_[0] == 1 ? 1 : 0 }],
	    ['score', 'score', sub { 1 - $_[0] / 2 }]) {
		my ($name, $field, $number) = @$_;
		my $r = correlation(map { my $i = $_; [map { $number->($_->[$i][0]) }
		    @both] } 0, 1);
		my @want = (difference($field, $a, $b, $r * @both / $root), $r);
		my @have = @{$row}{"${name}_diff", "${name}_diff_lo",
		    "${name}_diff_hi", "${name}_correlation"};
		$bad ||= grep { abs($have[$_] - $want[$_]) > 1e-9 } 0 .. 3;
		$bad ||= $r < 0.2;
	}
	ok(!$bad, "--paired $option: differences, intervals, correlations of " .
	    @both . ' pairs');
}
done_testing();
