#!/usr/bin/perl
# drawstats --compare beside reference rows, from no game to a million.  The
# counts are fed to it as partial results.
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
my $tools = $ENV{TESTS} // "$root/build/gcc/tests";
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

# Compares groups of wins, draws and losses; rows by "a b", indices from 0.
sub compare {
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
	    `$bin/drawstats --by Row --compare @options $scratch/counts`);
	die "drawstats failed\n" if $? != 0;
	my %rows = map { join(' ', map { s/^classical://r } @{$_}{qw(a b)}) => $_ }
	    @rows;
	die 'not every pair has a row' if keys(%rows) != $i * ($i - 1);
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
my @before = times;
$rows = compare(\@any);
my @after = times;
my $ms = 1e3 * ($after[2] - $before[2]) / keys(%$rows);
my @odd = grep {
	my $row = $rows->{$_};
	my @p = map { $row->{$_} } @fields;
	(grep { !defined($_) || !($_ >= 0 && $_ <= 1) } @p) > 0 ||
	    abs($p[0] + $p[1] - 1) > 1e-15 || abs($p[2] + $p[3] - 1) > 1e-15;
} keys %$rows;
ok(@odd == 0, keys(%$rows) . ' rows of up to a million games: all in [0,1]');
SKIP: {
	skip('sanitizers take their time', 1) if system("$tools/peak") == 0;
	ok($ms < 20, sprintf('a row takes %.1f ms', $ms));
}

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
done_testing();
