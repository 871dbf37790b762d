#!/usr/bin/perl
# Do the intervals have their nominal coverage?  Games with known probabilities, known
# shares of moves, known piece values and known trends are simulated and given to the
# programs, many samples at once, each under a tag; 95 % intervals must contain the
# truth in 93 to 97 % of the samples.  (The functions behind them have such tests
# of their own: t_dirichlet, t_ratio, t_fit, t_trend, t_paired, t_homogeneity,
# t_rank; and gamestats.t.)
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $root = abs_path('.');
my $bin = $ENV{BIN} // "$root/bin";
my $tools = $ENV{TESTS} // "$root/build/gcc/tests";
my $file = tempdir(CLEANUP => 1) . '/games';
my @results = ('1-0', '1/2-1/2', '0-1');

sub write_game {
	my ($f, $sample, $result, $moves, $more) = @_;
	print($f "{\"v\":1$more,\"moves\":\"$moves\",\"result\":\"$result\"," .
	    "\"tags\":{\"Sample\":\"$sample\"}}\n");
}

# Rows of a program by sample.
sub rows_of {
	my ($command) = @_;
	my %rows = map { $_->{by} => $_ } map { decode_json($_) }
	    split(/\n/, `$bin/$command --by Sample $file`);
	die "$command failed\n" if $? != 0;
	return \%rows;
}

# One test: does the interval of a field contain the truth often enough?
sub test_coverage {
	my ($name, $rows, $field, $truth) = @_;
	my ($held, $n) = (0, 0);
	for my $sample (grep { defined($rows->{$_}{$field}) } keys %$rows) {
		my ($lo, $hi) = map { /inf/ ? 9**9**9 * ($_ eq 'inf' ? 1 : -1) :
		    $_ } @{ $rows->{$sample} }{"${field}_lo", "${field}_hi"};
		my $t = ref($truth) ? $truth->{$sample} : $truth;
		$held++ if $lo <= $t && $t <= $hi;
		$n++;
	}
	ok($n > 300 && $held > 0.93 * $n && $held < 0.97 * $n,
	    sprintf('%s: %s in %.1f %% of %d samples', $name, $field,
	    100 * $held / $n, $n));
}

# ---- probabilities ----

# One of three by its probability.
sub draw_result {
	my ($win, $draw) = @_;
	my $u = rand();
	return $results[$u < $win ? 0 : $u < $win + $draw ? 1 : 2];
}

sub test_results {
	my ($name, $samples, $games, @probs) = @_;
	my (%draw_rate, %score);
	open(my $f, '>', $file) or die "$file: $!\n";
	for my $sample (1 .. $samples) {
		my @cut = sort { $a <=> $b } rand(), rand();
		my ($win, $draw) = @probs ? @probs : ($cut[0], $cut[1] - $cut[0]);
		write_game($f, $sample, draw_result($win, $draw), '', '')
		    for 1 .. $games;
		$draw_rate{$sample} = $draw;
		$score{$sample} = $win + $draw / 2;
	}
	close($f) or die "$file: $!\n";
	my $rows = rows_of('drawstats');
	test_coverage($name, $rows, 'draw_rate', \%draw_rate);
	test_coverage($name, $rows, 'score', \%score);
}

srand(1);
test_results('drawstats, any probabilities, 30 games', 1000, 30);
test_results('drawstats, probabilities of the study, 300 games', 600, 300, 0.25, 0.65);

# ---- shares ----

# A game of a given number of full moves, the second to the n+1st sideways.
sub sideways_game {
	my ($full_moves, $n) = @_;
	my @white = ('a2a3', map { $_ % 2 ? 'a3b3' : 'b3a3' } 1 .. $n);
	push(@white, map { $_ % 2 ? 'g1f3' : 'f3g1' } 1 .. $full_moves - 1 - $n);
	return join(' ', map { ($white[$_], $_ % 2 ? 'f6g8' : 'g8f6') }
	    0 .. $#white);
}

# 3 games of 10 have many sideways moves.
sub test_shares {
	my ($samples, $games) = @_;
	my ($with, %known) = (0);
	open(my $f, '>', $file) or die "$file: $!\n";
	for my $sample (1 .. $samples) {
		for (1 .. $games) {
			my $full_moves = 5 + int(rand(21));
			my $n = 0;
			if (rand() < 0.3) {
				rand() < 0.2 && $n++ for 2 .. $full_moves;
			}
			write_game($f, $sample, '*',
			    $known{"$full_moves $n"} //=
			    sideways_game($full_moves, $n),
			    ',"rules":"pawn-sideways"');
		}
	}
	close($f) or die "$file: $!\n";
	my %rows = map { $_->{by} => $_ }
	    grep { $_->{kind} eq 'sideways' } map { decode_json($_) }
	    split(/\n/, `$bin/movestats --by Sample $file`);
	# E[n] / E[plies], and the games with n > 0
	$with += 0.3 * (1 - 0.8 ** ($_ - 1)) / 21 for 5 .. 25;
	my $name = "movestats, $games games";
	test_coverage($name, \%rows, 'moves_share', 0.3 * 0.2 * 14 / 30);
	test_coverage($name, \%rows, 'games_share', $with);
}

test_shares(1000, 60);

# ---- piece values ----

# Positions that can be played, of random pieces: [FEN, mover's less the
# opponent's].  Each is a game of its own, without a move.
sub random_positions {
	my ($n) = @_;
	open(my $f, '>', $file) or die "$file: $!\n";
	for (1 .. $n) {
		my @at = ('.') x 64;
		my $put = sub {
			my ($piece, $from, $count) = @_;
			my $sq;
			do { $sq = $from + int(rand($count)) }
			    while $at[$sq] ne '.';
			$at[$sq] = $piece;
		};
		$put->('k', 0, 8);
		$put->('K', 56, 8);
		for my $piece (qw(p n b r q P N B R Q)) {
			my $most = $piece =~ /p/i ? 6 : $piece =~ /q/i ? 1 : 2;
			$put->($piece, 16, 32) for 1 .. int(rand($most + 1));
		}
		my $fen = join('/', map { join('', @at[8 * $_ .. 8 * $_ + 7]) }
		    0 .. 7);
		$fen =~ s/(\.+)/length($1)/ge;
		print($f "$fen ", rand() < 0.5 ? 'w' : 'b', " - - 0 1\n");
	}
	close($f) or die "$file: $!\n";
	my @positions;
	for (`$bin/genmoves --perft 1 --tsv $file 2>$file.err`) {
		my ($fen) = split(/\t/);
		next if $fen eq 'fen';
		my %n;
		$n{$_}++ for (split(/ /, $fen))[0] =~ /[a-z]/gi;
		my $sign = $fen =~ / b / ? -1 : 1;
		push(@positions, [$fen, map { $sign * (($n{ uc($_) } // 0) -
		    ($n{$_} // 0)) } qw(p n b r q)]);
	}
	return @positions;
}

sub tanh_of {
	my $q = exp(2 * $_[0]);
	return ($q - 1) / ($q + 1);
}

sub test_values {
	my ($samples, $games, @w) = @_;
	my @positions = random_positions(30000);
	my @pieces = qw(pawn knight bishop rook queen);
	die "no positions\n" if @positions < 5000;
	open(my $f, '>', $file) or die "$file: $!\n";
	for my $sample (1 .. $samples) {
		for (1 .. $games) {
			my ($fen, @d) = @{ $positions[rand(@positions)] };
			my $x = $w[0];
			$x += $w[$_ + 1] * $d[$_] for 0 .. 4;
			my $t = tanh_of($x);
			my $draw = 0.4 * (1 - abs($t));
			my $win = (1 - $draw + $t) / 2;
			my $result = draw_result($win, $draw);
			$result = join('-', reverse(split(/-/, $result)))
			    if $fen =~ / b / && $result !~ /2/;
			write_game($f, $sample, $result, '',
			    ",\"start\":\"$fen\"");
		}
	}
	close($f) or die "$file: $!\n";
	my $rows = rows_of('piecefit --trust');
	test_coverage("piecefit, $games games", $rows, $pieces[$_],
	    $w[$_ + 1] / $w[1]) for 1 .. 4;
}

test_values(600, 600, 0.03, 0.12, 0.36, 0.4, 0.6, 1.1);

# ---- piece values by search ----

# Random games as [start of the line, differences of every position for the side
# to move]; the final one is not searched.
sub random_games {
	my @lines = grep { /"result":"\*"/ }
	    `$tools/random_games -m 30 -s 2 3 500 classical`;
	open(my $f, '>', $file) or die "$file: $!\n";
	print($f @lines);
	close($f) or die "$file: $!\n";
	my (@all, @games);
	for (`$tools/list_positions <$file`) {
		push(@all, []) if /^game/;
		next if /^game/;
		my ($men, $side) = split(/[ \t]/);
		my %n;
		$n{$_}++ for $men =~ /[a-z]/gi;
		my $sign = $side eq 'b' ? -1 : 1;
		push(@{ $all[-1] }, [map { $sign * (($n{ uc($_) } // 0) -
		    ($n{$_} // 0)) } qw(p n b r q)]);
	}
	for my $i (0 .. $#lines) {
		$lines[$i] =~ s/}\s*$//;
		pop(@{ $all[$i] });
		push(@games, [$lines[$i], @{ $all[$i] }]);
	}
	return @games;
}

# A search value is the truth plus an error of the game and an error of the position.
sub test_search_values {
	my ($samples, $games, @w) = @_;
	my @population = random_games();
	my %truth;
	die "no games\n" if @population < 300;
	for my $game (@population) {	# tanh once for each position
		for my $d (@$game[1 .. $#$game]) {
			my $x = $w[0];
			$x += $w[$_ + 1] * $d->[$_] for 0 .. 4;
			$d = tanh_of($x);
		}
	}
	open(my $f, '>', $file) or die "$file: $!\n";
	for my $sample (1 .. $samples) {
		my $from = int(rand(@population));
		for my $k (1 .. $games) {
			my ($line, @t) = @{ $population[($from + $k * 7) %
			    @population] };
			my $own = 0.8 * (rand() - 0.5);
			print($f $line, ",\"tags\":{\"Sample\":\"$sample\"},\"search\":[",
			    join(',', map { sprintf('{"value":%.3f}', $_ +
			    (1 - abs($_)) * ($own + 0.8 * (rand() - 0.5))) } @t),
			    "]}\n");
		}
	}
	close($f) or die "$file: $!\n";
	my $rows = rows_of('piecefit --target search');
	my @pieces = qw(pawn knight bishop rook queen);
	test_coverage("piecefit --target search, $games games", $rows,
	    $pieces[$_], $w[$_ + 1] / $w[1]) for 1 .. 4;
}

test_search_values(600, 40, 0.03, 0.12, 0.36, 0.4, 0.6, 1.1);

# ---- trends ----

# drawstats' result for each number of draws among n games: [rate, lo, hi].
sub rates_of {
	my ($games) = @_;
	# counts as drawstats writes them
	my @cells = map {
		my $game = "{\"v\":1,\"moves\":\"\",\"result\":\"$_\"}";
		`echo '$game' | $bin/drawstats --partial` =~ /"cells":"(\w+):1"/
		    or die "no partial result\n";
		$1;
	} '1/2-1/2', '1-0';
	open(my $f, '>', $file) or die "$file: $!\n";
	print($f '{"partial":"drawstats","v":1,"rules":"classical",' .
	    "\"tag\":\"Sample\",\"by\":\"$_\",\"games\":$games,\"cells\":" .
	    "\"$cells[0]:$_ $cells[1]:" . ($games - $_) . "\"}\n") for 0 .. $games;
	close($f) or die "$file: $!\n";
	my $rows = rows_of('drawstats');
	return map { [@{ $rows->{$_} }{qw(draw_rate draw_rate_lo draw_rate_hi)}] }
	    0 .. $games;
}

# The line through the log-odds of a sample, weighted by their intervals, by the
# normal equations: mean, slope there, and the line at x, with their intervals.
sub line_of {
	my ($at, @points) = @_;
	my ($s, $sx, $sy, $sxx, $sxy) = (0) x 5;
	my $z = 1.959963984540054;
	for (@points) {
		my ($sims, $p, $lo, $hi) = @$_;
		my $width = $hi - $lo;
		$p = $width / 4 if $p < $width / 4;
		$p = 1 - $width / 4 if $p > 1 - $width / 4;
		my ($x, $y) = (log($sims) / log(2), log($p / (1 - $p)));
		my $w = (2 * $z * $p * (1 - $p) / $width) ** 2;
		$s += $w;
		$sx += $w * $x;
		$sy += $w * $y;
		$sxx += $w * $x * $x;
		$sxy += $w * $x * $y;
	}
	my $det = $s * $sxx - $sx * $sx;
	my ($a, $b) = (($sxx * $sy - $sx * $sxy) / $det,
	    ($s * $sxy - $sx * $sy) / $det);
	my $share = sub { 1 / (1 + exp(-$_[0])) };
	my ($m, $x) = ($share->($sy / $s), log($at) / log(2));
	my $scale = $m * (1 - $m);
	my $error = $z * sqrt($s / $det);
	my $far = $z * sqrt(($sxx - 2 * $x * $sx + $x * $x * $s) / $det);
	return (mean => $m, mean_lo => $share->($sy / $s - $z / sqrt($s)),
	    mean_hi => $share->($sy / $s + $z / sqrt($s)), slope => $b * $scale,
	    slope_lo => ($b - $error) * $scale, slope_hi => ($b + $error) * $scale,
	    y => $share->($a + $b * $x), y_lo => $share->($a + $b * $x - $far),
	    y_hi => $share->($a + $b * $x + $far));
}

# Draw rates whose log-odds rise by a given amount with each doubling.
sub test_trend {
	my ($samples, $games, $rise, $beyond) = @_;
	my $at = sub { 1 / (1 + exp(1.2 - $rise * log($_[0] / 8) / log(2))) };
	my @rates = rates_of($games);
	my (%points, %slope, $told);
	open(my $f, '>', $file) or die "$file: $!\n";
	print($f "rules\tsims\tdraw_rate\tdraw_rate_lo\tdraw_rate_hi\n");
	for my $sample (1 .. $samples) {
		for my $x (1, 4, 16, 64) {
			my $rate = $at->($x);
			my $drawn = grep { rand() < $rate } 1 .. $games;
			push(@{ $points{$sample} }, [$x, @{ $rates[$drawn] }]);
			print($f join("\t", $sample, @{ $points{$sample}[-1] }), "\n");
		}
	}
	close($f) or die "$file: $!\n";
	my ($names, @lines) = `$bin/trend --share --at $beyond --tsv $file`;
	chomp($names, @lines);
	my @names = split(/\t/, $names);
	my %found = map { my %row; @row{@names} = map { $_ eq '' ? undef : $_ }
	    split(/\t/, $_, -1); $row{rules} => \%row } @lines;
	my $worst = 0;
	for my $sample (keys %found) {
		my $row = $found{$sample};
		my %want = line_of($beyond, @{ $points{$sample} });
		$told++ if defined($row->{y});
		for (grep { defined($row->{$_}) } keys %want) {
			my $off = abs($row->{$_} - $want{$_});
			$worst = $off if $off > $worst;
		}
		$slope{$sample} = $rise * $row->{mean} * (1 - $row->{mean});
	}
	my $name = "trend --share, $games games, $rise a doubling";
	ok(keys(%found) == $samples && $told > 0.9 * $samples && $worst < 1e-9,
	    "$name: $told lines as plainly computed");
	test_coverage($name, \%found, 'slope', \%slope);
	test_coverage("$name, at $beyond", \%found, 'y', $at->($beyond));
	test_coverage($name, \%found, 'mean', $at->(1)) if $rise == 0;
}

test_trend(1500, 300, 0.2, 256);
test_trend(1500, 100, 0, 30);
done_testing();
