#!/usr/bin/perl
# gamestats compared with the definitions of its manual page, computed from the JSON of
# the games, with genmoves for legal moves; its intervals compared with plain sums over
# games; and whether they contain the truth in 93 to 97 % of simulated samples, for
# each measure.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum0 min max);
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $bin = $ENV{BIN} // abs_path('bin');
my $tools = $ENV{TESTS} // abs_path('build/gcc/tests');
my $scratch = tempdir(CLEANUP => 1);

# Rows of gamestats, by group and measure.
sub rows_of {
	my ($options, $file) = @_;
	my %rows;
	for (map { decode_json($_) } split(/\n/, `$bin/gamestats $options $file`)) {
		$rows{ $_->{by} // $_->{rules} }{ $_->{measure} } = $_;
	}
	die "gamestats failed\n" if $? != 0;
	return \%rows;
}

# The FEN before every ply, and the legal moves.
sub positions_of {
	my ($game) = @_;
	my @moves = split(/ /, $game->{moves});
	open(my $f, '>', "$scratch/fens") or die;
	print($f encode_json({ fen => 'startpos', rules => $game->{rules},
	    moves => join(' ', @moves[0 .. $_ - 1]) }), "\n") for 0 .. $#moves;
	close($f) or die;
	return map { decode_json($_) } split(/\n/, `$bin/genmoves $scratch/fens`);
}

# How many of the moves are legal in chess where they were played, up to the first
# that is not. An en passant square that chess cannot have is left out.
sub moves_of_chess {
	my ($moves, @at) = @_;
	open(my $f, '>', "$scratch/fens") or die;
	print($f map { $_->{fen} =~ s/ [a-h][1245780] / - /r . "\n" } @at);
	close($f) or die;
	my @chess = map { decode_json($_) } split(/\n/, `$bin/genmoves $scratch/fens`);
	my $i = 0;
	$i++ while $i < @$moves && grep { $_ eq $moves->[$i] } @{ $chess[$i]{moves} };
	return $i;
}

# One game by the manual page: measure => [numerator, denominator].
sub measure_game {
	my ($game) = @_;
	my @moves = split(/ /, $game->{moves});
	my @at = positions_of($game);
	my ($legal, $forced, $captures, $end, %squares) = (0, 0, 0, 0);
	for my $i (0 .. $#moves) {
		my ($men) = split(/ /, $at[$i]{fen});
		$legal += @{ $at[$i]{moves} };
		$forced++ if @{ $at[$i]{moves} } == 1;
		$end++ if ($men =~ tr/nbrqNBRQ//) <= 6;
		$squares{ substr($moves[$i], 2, 2) } = 1;
		my ($next) = split(/ /, $i < $#moves ? $at[$i + 1]{fen} : '');
		my ($san) = map { $at[$i]{san}[$_] } grep {
		    $at[$i]{moves}[$_] eq $moves[$i] } 0 .. $#{ $at[$i]{moves} };
		$captures++ if $san =~ /x/;
	}
	my $n = @moves;
	my %m = (length => [$n, 1], branching => [$legal, $n],
	    forced => [$forced, $n], captures => [$captures, $n],
	    coverage => [keys(%squares) / 64, 1], endgame => [$end, $n]);
	$m{novelty} = [moves_of_chess(\@moves, @at) < $n ? 1 : 0, 1]
	    if $game->{rules} ne 'classical';
	my @search = @{ $game->{search} // [] };
	my @white = map { $search[$_] ? [$_, ($_ % 2 ? -1 : 1) *
	    $search[$_]{value}] : () } 0 .. $#search;
	return \%m if !@white;
	my ($changes, $last) = (0, 0);
	for (@white) {
		my $leads = $_->[1] >= 0.1 ? 1 : $_->[1] <= -0.1 ? -1 : 0;
		next if !$leads;
		$changes++ if $last && $last != $leads;
		$last = $leads;
	}
	$m{'lead-changes'} = [$changes, 1];
	my @open = map { 1 - abs($_->[1]) } @white;
	my $mean = sub { [sum0(@_) / @_, 1] };
	$m{uncertainty} = $mean->(@open);
	my @name = qw(early middle late);
	for my $third (0 .. 2) {
		my @part = @open[grep { int(3 * $_ / @open) == $third } 0 .. $#open];
		$m{"uncertainty-$name[$third]"} = $mean->(@part) if @part;
	}
	my ($searched, $killers) = (0, 0);
	for my $i (0 .. $#search - 1) {
		next if !$search[$i] || !$search[$i + 1];
		$searched++;
		$killers++ if -$search[$i + 1]{value} - $search[$i]{value} >=
		    0.3 - 1e-6;
	}
	$m{'killer-moves'} = [$killers, $searched] if $searched;
	return \%m if $game->{result} !~ /^(1-0|0-1)$/;
	my @winner = map { [$_->[0], $game->{result} eq '1-0' ? $_->[1] :
	    -$_->[1]] } @white;
	my $drama = max(0, -min(map { $_->[1] } @winner));
	my $won = 1;
	for (reverse @winner) {
		last if $_->[1] < 0.5;
		$won = $_->[0] / $n;
	}
	$m{drama} = [$drama, 1];
	$m{comebacks} = [$drama >= 0.5 ? 1 : 0, 1];
	$m{'decisive-moment'} = [$won, 1];
	return \%m;
}

# ---- intervals from plain sums ----

# The integral of a function by Simpson's rule.
sub integral {
	my ($f, $from, $to) = @_;
	my ($n, $sum) = (4000, $f->($from) + $f->($to));
	my $h = ($to - $from) / $n;
	$sum += ($_ % 2 ? 4 : 2) * $f->($from + $_ * $h) for 1 .. $n - 1;
	return $sum * $h / 3;
}

# Where Student's t of so many degrees of freedom has 2.5 % above it.
sub student {
	my ($dof) = @_;
	my $density = sub { (1 + $_[0] ** 2 / $dof) ** (-($dof + 1) / 2) };
	# x = tan(y), so that all of it has an end
	my $all = integral(sub { $density->(sin($_[0]) / cos($_[0])) /
	    cos($_[0]) ** 2 }, 0, 1.57079);
	my ($low, $high) = (0, 100);
	for (1 .. 40) {
		my $t = ($low + $high) / 2;
		(integral($density, 0, $t) < 0.475 / 0.5 * $all ? $low : $high) = $t;
	}
	return $low;
}

# How much of the posterior of a share lies between two numbers, after k of n.
sub posterior {
	my ($k, $n, $lo, $hi) = @_;
	my $density = sub { $_[0] ** $k * (1 - $_[0]) ** ($n - $k) };
	return integral($density, $lo, $hi) / integral($density, 0, 1);
}

my %kind = (map({ $_ => 'share' } qw(forced captures endgame killer-moves)),
    map({ $_ => 'mean' } qw(length branching lead-changes)), qw(comebacks hits
    novelty hits));

# Are these the limits of a measure that games have as [numerator, denominator]?
sub limits_are_right {
	my ($measure, $row, @of) = @_;
	my ($n, $all, $kind) = (scalar(@of), sum0(map { $_->[1] } @of),
	    sum0(map { $_->[0] } @of));
	my ($lo, $hi, $m) = (@{$row}{qw(lo hi)}, $kind / $all);
	my $is = $kind{$measure} // 'part';
	if ($is eq 'hits') {
		my @tails = (posterior($kind, $n, 0, $lo),
		    posterior($kind, $n, $hi, 1));
		return abs($tails[0] + $tails[1] - 0.05) < 1e-6 &&
		    ($lo == 0 || $hi == 1 || abs($tails[0] - $tails[1]) < 1e-6);
	}
	# the squares of what is left when each game has the mean
	my $square = sum0(map { ($_->[0] - $m * $_->[1]) ** 2 } @of) * $n / ($n - 1);
	my $t = student($n - 1);
	if ($is eq 'share') {
		# both ends are as far from the share as Wilson's are
		my $moves = $square > 0 ? $m * (1 - $m) * $all ** 2 / $square : $n;
		return !grep { abs(($m - $_) ** 2 - $t ** 2 * $_ * (1 - $_) /
		    $moves) > 1e-7 } $lo, $hi;
	}
	my $error = $t * sqrt($square) / $all;
	return abs($lo - max(0, $m - $error)) < 1e-5 * $m &&
	    abs($hi - min($is eq 'part' ? 1 : 1e9, $m + $error)) < 1e-5 * $m;
}

my $file = 'tests/golden/data/search.jsonl';
open(my $in, '<', $file) or die "$file: $!\n";
my @games = map { measure_game(decode_json($_)) } <$in>;
my $rows = rows_of('', $file)->{classical};
for my $measure (sort keys %$rows) {
	my @of = map { $_->{$measure} // () } @games;
	my ($k, $n) = map { my $i = $_; sum0(map { $_->[$i] } @of) } 0, 1;
	my $row = $rows->{$measure};
	ok($row->{games} == @of && abs($row->{mean} - $k / $n) < 1e-6,
	    sprintf('%s: %g, by the page %g', $measure, $row->{mean}, $k / $n));
	ok(limits_are_right($measure, $row, @of), sprintf('%s: %g to %g', $measure,
	    $row->{lo}, $row->{hi}));
}
is(scalar(keys(%$rows)), 15, 'fifteen measures');

# ---- moves that chess does not have, in the games of the study ----

open($in, '<', 'tests/data/games.jsonl') or die "$!\n";
open(my $study, '>', "$scratch/study") or die "$!\n";
my %novel;
for (map { decode_json($_) } <$in>) {
	my $rules = join('+', @{ $_->{rules} });
	next if $rules eq 'classical' || $_->{start_fen} !~ m{^rnbqkbnr/p{8}/8/8/8/8/P{8}/};
	my $game = { v => 1, rules => $rules, moves => join(' ', @{ $_->{uci} }),
	    result => $_->{result} // '1/2-1/2' };
	print($study encode_json($game), "\n");
	push(@{ $novel{$rules} }, measure_game($game)->{novelty}[0]);
}
close($study) or die;
$rows = rows_of('--trust', "$scratch/study");
my @differ = grep { my $all = $novel{$_}; @$all != $rows->{$_}{novelty}{games} ||
    abs($rows->{$_}{novelty}{mean} - sum0(@$all) / @$all) > 1e-9 } keys %novel;
my @each = map { @$_ } values %novel;
ok(keys(%novel) > 5 && @differ == 0 && sum0(@each) > 3 && sum0(@each) < @each,
    'novelty of ' . @each . ' games of ' . keys(%novel) . ' rule sets') or
    diag("@differ");

# ---- simulated games ----

# A game that shuffles knights, of random length, with values that wander.
sub random_game {
	my ($sample) = @_;
	my $n = 4 * (1 + int(rand(5)) + int(rand(5)));
	my $value = 0;
	my $pull = 0.1 * (rand() - 0.5);
	my (@search, $sign);
	for my $i (0 .. $n - 1) {
		$value += 0.7 * (rand() - 0.5) + $pull;
		$value = $value > 1 ? 1 : $value < -1 ? -1 : $value;
		$sign = $i % 2 ? -1 : 1;
		push(@search, sprintf('{"value":%.3f}', $sign * $value));
	}
	return '{"v":1,"moves":"' . 'g1f3 g8f6 f3g1 f6g8 ' x ($n / 4 - 1) .
	    'g1f3 g8f6 f3g1 f6g8","result":"' . ($value > 0 ? '1-0' : '0-1') .
	    '","tags":{"Sample":"' . $sample . '"},"search":[' .
	    join(',', @search) . "]}\n";
}

# How often the intervals of samples contain the truth, measure by measure.
sub test_coverage {
	my ($truth, $found, @measures) = @_;
	my $samples = keys(%$found);
	for my $measure (@measures) {
		my $t = $truth->{$measure}{mean};
		my $held = grep { $_->{$measure}{lo} <= $t &&
		    $t <= $_->{$measure}{hi} } values %$found;
		ok($samples > 700 && $held > 0.93 * $samples &&
		    $held < 0.97 * $samples, sprintf('%s: %.1f %% of %d intervals ' .
		    'hold %g', $measure, 100 * $held / $samples, $samples, $t));
	}
}

srand(7);
my ($samples, $size) = (1200, 100);
open(my $out, '>', "$scratch/all") or die;
print($out random_game('all')) for 1 .. 30000;
close($out) or die;
open($out, '>', "$scratch/samples") or die;
for my $sample (1 .. $samples) {
	print($out random_game($sample)) for 1 .. $size;
}
close($out) or die;
test_coverage(rows_of('--by Sample', "$scratch/all")->{all},
    rows_of('--by Sample', "$scratch/samples"), qw(length lead-changes
    uncertainty uncertainty-early uncertainty-middle uncertainty-late
    killer-moves drama comebacks decisive-moment));

# Measures that need a board: samples of a population of random games, drawn with
# replacement, so that the truth is the population's own value.
my @population;
for (`$tools/random_games -m 30 -s 2 5 400 classical`) {
	my $game = decode_json($_);
	next if $game->{result} ne '*';
	push(@population, '{"v":1,' . ($game->{start} ?
	    "\"start\":\"$game->{start}\"," : '') .
	    "\"moves\":\"$game->{moves}\",\"result\":\"1/2-1/2\"");
}
my $line = sub { "$_[0],\"tags\":{\"Sample\":\"$_[1]\"}}\n" };
open($out, '>', "$scratch/all") or die;
print($out map { $line->($_, 'all') } @population);
close($out) or die;
open($out, '>', "$scratch/samples") or die;
for my $sample (1 .. 720) {
	print($out $line->($population[rand(@population)], $sample))
	    for 1 .. 120;
}
close($out) or die;
cmp_ok(scalar(@population), '>', 200, 'a population of random games');
test_coverage(rows_of('--by Sample', "$scratch/all")->{all},
    rows_of('--by Sample', "$scratch/samples"), qw(branching forced captures
    coverage endgame));
done_testing();
