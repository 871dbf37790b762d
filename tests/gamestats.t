#!/usr/bin/perl
# gamestats beside the definitions of its manual page, followed to the letter
# from the JSON of the games, with genmoves for what is legal; and intervals that
# hold the truth in 93 to 97 % of simulated samples.
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

# What the page says of one game: measure => [numerator, denominator].
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

my $file = 'tests/golden/data/search.jsonl';
open(my $in, '<', $file) or die "$file: $!\n";
my @games = map { measure_game(decode_json($_)) } <$in>;
my $rows = rows_of('', $file)->{classical};
for my $measure (sort keys %$rows) {
	my @of = map { $_->{$measure} // () } @games;
	my ($k, $n) = map { my $i = $_; sum0(map { $_->[$i] } @of) } 0, 1;
	my $row = $rows->{$measure};
	ok($row->{games} == @of && abs($row->{mean} - $k / $n) < 1e-6 &&
	    $row->{lo} <= $row->{mean} && $row->{mean} <= $row->{hi},
	    sprintf('%s: %g, by the page %g', $measure, $row->{mean}, $k / $n));
}
is(scalar(keys(%$rows)), 15, 'fifteen measures');

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
my $truth = rows_of('--by Sample', "$scratch/all")->{all};
my $found = rows_of('--by Sample', "$scratch/samples");
for my $measure (qw(length lead-changes uncertainty uncertainty-late killer-moves
    drama comebacks decisive-moment)) {
	my $t = $truth->{$measure}{mean};
	my $held = grep { $_->{$measure}{lo} <= $t && $t <= $_->{$measure}{hi} }
	    values %$found;
	ok($held > 0.93 * $samples && $held < 0.97 * $samples,
	    sprintf('%s: %.1f %% of intervals hold %g', $measure,
	    100 * $held / $samples, $t));
}
done_testing();
