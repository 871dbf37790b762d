#!/usr/bin/perl
# piecefit compared with reference fits, and with a slow fit to positions that the naive
# generator listed, for results and for search values.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(max shuffle);
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $root = abs_path('.');
my $bin = $ENV{BIN} // "$root/bin";
my $tools = $ENV{TESTS} // "$root/build/gcc/tests";
my $scratch = tempdir(CLEANUP => 1);
my @pieces = qw(pawn knight bishop rook queen);

# The first row that piecefit prints.
sub fit {
	my ($options, $file) = @_;
	my ($row) = split(/\n/, `$bin/piecefit $options $file`);
	die "piecefit $options failed\n" if $? != 0;
	return decode_json($row);
}

# The largest relative difference between a fit and what it should be. Squares
# of values are counted in thousandths, and rounded.
sub difference {
	my ($row, $w, $mse) = @_;
	if ($row->{target} eq 'search') {
		return 1 if abs($row->{mse} - $mse) > 5e-5;
		$mse = $row->{mse};
	}
	my @pairs = map { [$row->{w}[$_], $w->[$_]] } 0 .. 5;
	push(@pairs, map { [$row->{$pieces[$_]}, $w->[$_ + 1] / $w->[1]] }
	    0 .. 4);
	push(@pairs, [$row->{constant}, $w->[0] / $w->[1]], [$row->{mse}, $mse]);
	return max(map { $_->[1] == 0 ? abs($_->[0]) :
	    abs($_->[0] / $_->[1] - 1) } @pairs);
}

# ---- the reference ----

my %options = (
	'all: start + after every ply (final incl.)' => '',
	'after every ply (no start)' => '--no-start',
	'before every ply (start incl., no final)' => '--no-final',
	'no start, no final' => '-FE',
	'quiet: not just after and not just before a capture/promotion' =>
	    '--positions quiet',
	'not just before a capture/promotion' => '-i not-before',
	'not just after a capture/promotion' => '-i not-after',
	'all, no constant term' => '--no-constant',
	'all, white point of view (d0 = white, z white)' => '--white-view',
	'all, decisive games only' => '--decisive',
);
my $reference = '../shared/reference/piecefit.json';
my $games = '../shared/pgn/tcec-moves.pgn.zst';
SKIP: {
	skip("$reference is not here", 1) if !-r $reference;
	skip("$games is not here", 1) if !-r $games;
	open(my $f, '<', $reference) or die "$reference: $!\n";
	my $fits = do { local $/; decode_json(<$f>)->{fits} };
	ok(keys(%$fits) > 0 && !grep({ !exists($options{$_}) } keys %$fits),
	    'every fit of the reference can be asked for');
	for my $name (sort keys %$fits) {
		my $want = $fits->{$name};
		my @w = @{ $want->{w} };
		unshift(@w, 0) if @w == 5;
		my $row = fit($options{$name} // next, $games);
		my $difference = max(difference($row, \@w, $want->{mse}),
		    map { abs($row->{$pieces[$_]} / $want->{norm}[$_] - 1) }
		    0 .. 4);
		ok($difference < 5e-9 && $row->{positions} == $want->{N},
		    sprintf('%s: %.1g off', $name, $difference));
	}
}

# ---- a slow fit ----

# Solves a x = b by elimination; destroys both.
sub solve {
	my ($a, $b) = @_;
	my $n = $#$b;
	for my $i (0 .. $n) {
		for my $k (0 .. $n) {
			next if $k == $i;
			my $f = $a->[$k][$i] / $a->[$i][$i];
			$a->[$k][$_] -= $f * $a->[$i][$_] for $i .. $n;
			$b->[$k] -= $f * $b->[$i];
		}
	}
	return map { $b->[$_] / $a->[$_][$_] } 0 .. $n;
}

sub tanh_of {
	my $q = exp(-2 * abs($_[0]));
	return (1 - $q) / (1 + $q) * ($_[0] < 0 ? -1 : 1);
}

sub mean_square {
	my ($cells, $w) = @_;
	my ($sum, $n) = (0, 0);
	for (@$cells) {
		my ($count, $z, @d) = @$_;
		my $x = 0;
		$x += $w->[$_] * $d[$_] for 0 .. 5;
		$sum += $count * ($z - tanh_of($x)) ** 2;
		$n += $count;
	}
	return $sum / $n;
}

# Levenberg's and Marquardt's method from w = 0: steps of the linearised
# problem, damped while they do not go down.
sub slow_fit {
	my ($cells) = @_;
	my @w = (0) x 6;
	my ($best, $damping) = (mean_square($cells, \@w), 1e-3);
	for my $turn (1 .. 100) {
		my @a = map { [(0) x 6] } 0 .. 5;
		my @b = (0) x 6;
		for (@$cells) {
			my ($count, $z, @d) = @$_;
			my $x = 0;
			$x += $w[$_] * $d[$_] for 0 .. 5;
			my $t = tanh_of($x);
			my $slope = 1 - $t * $t;
			for my $i (grep { $d[$_] != 0 } 0 .. 5) {
				my $f = $count * $slope * $d[$i];
				$b[$i] += $f * ($z - $t);
				$a[$i][$_] += $f * $slope * $d[$_] for 0 .. 5;
			}
		}
		$a[$_][$_] = $a[$_][$_] * (1 + $damping) || 1 for 0 .. 5;
		my @step = solve(\@a, \@b);
		my @try = map { $w[$_] + $step[$_] } 0 .. 5;
		my $mse = mean_square($cells, \@try);
		if ($mse > $best + 1e-15) {
			$damping *= 10;
			next;
		}
		($best, $damping) = ($mse, $damping / 10);
		@w = @try;
		last if max(map { abs } @step) < 1e-12;
	}
	return (\@w, $best);
}

# What matters of a position: whether Black is to move, the material (a capture or a
# promotion changes it), and White's less Black's number of each piece.
sub position {
	my ($placement, $side) = split(/ /, $_[0]);
	my %n;
	$n{$_}++ for $placement =~ /[a-z]/gi;
	return [$side eq 'b', join(' ', map { $_ . $n{$_} } sort keys %n),
	    map { ($n{ uc($_) } // 0) - ($n{$_} // 0) } qw(p n b r q)];
}

# Random games whose results depend on the material, as a list of games, each a list of
# positions and a result, and in a file.
sub random_games {
	my ($seed, $rules, $count, $file) = @_;
	my @lines = grep { !/"end":"(?:checkmate|stalemate)"/ }
	    split(/\n/, `$tools/random_games $seed $count $rules`);
	open(my $f, '>', $file) or die "$file: $!\n";
	print($f map { "$_\n" } @lines);
	close($f) or die "$file: $!\n";
	my (@list, @all);
	open(my $p, '-|', "$tools/list_positions <$file") or die "$!\n";
	while (<$p>) {
		chomp;
		my ($fen) = split(/\t/);
		push(@all, []) if $fen eq 'game';
		push(@{ $all[-1] }, position($fen)) if $fen ne 'game';
	}
	close($p) or die "list_positions\n";
	open($f, '>', $file) or die "$file: $!\n";
	for my $positions (@all) {
		my ($x, @value) = (0, 0.4, 0.8, 0.9, 1.2, 2);
		my (undef, undef, @d) = @{ $positions->[@$positions / 2] };
		$x += $value[$_] * $d[$_] for 0 .. 4;
		my $z = rand() < 0.4 ? 0 : 2 * rand() < 1 + tanh_of($x) ? 1 : -1;
		my $name = ('0-1', '1/2-1/2', '1-0')[$z + 1];
		my $line = shift(@lines);
		$line =~ s{"result":"[^"]*","end":"\w+"}{"result":"$name"};
		print($f "$line\n");
		push(@list, [$z, @$positions]);
	}
	close($f) or die "$file: $!\n";
	return @list;
}

# The same games with search values in another file. The first positions of every third
# game were not searched, and the last position never is. In the list, White's values
# replace the result. They have three digits, the last one even, so that piecefit counts
# them exactly.
sub add_values {
	my ($file, $to, @list) = @_;
	open(my $in, '<', $file) or die "$file: $!\n";
	open(my $out, '>', $to) or die "$to: $!\n";
	for my $i (0 .. $#list) {
		my ($z, @positions) = @{ $list[$i] };
		my $own = rand() - 0.5;
		my (@values, @white);
		for my $k (0 .. $#positions - 1) {
			my ($black, undef, @d) = @{ $positions[$k] };
			my ($x, @value) = (0.02, 0.1, 0.3, 0.3, 0.5, 1);
			$x += ($black ? -1 : 1) * $value[$_] * $d[$_] for 0 .. 4;
			my $t = tanh_of($x);
			my $v = $t + (1 - abs($t)) * (0.6 * $own + rand() - 0.5);
			push(@values, $i % 3 == 0 && $k < 4 ? undef :
			    sprintf('%.3f', 0.002 * sprintf('%.0f', 500 * $v)));
			push(@white, defined($values[-1]) ? ($black ? -1 : 1) *
			    $values[-1] : undef);
		}
		my $line = <$in>;
		my $search = join(',', map { defined($_) ? "{\"value\":$_}" : 'null' }
		    @values);
		$line =~ s/}$/,"search":[$search]}/;
		print($out $line);
		$list[$i] = [\@white, @positions];
	}
	close($out) or die "$to: $!\n";
	return @list;
}

# The positions that the options leave, as cells [count, z, 1, differences].
sub cells_of {
	my ($options, @games) = @_;
	my %count;
	for (@games) {
		my ($of, @positions) = @$_;
		next if !ref($of) && $of == 0 && $options =~ /decisive/;
		for my $i (0 .. $#positions) {
			my ($black, $have, @d) = @{ $positions[$i] };
			my $after = $i > 0 && $have ne $positions[$i - 1][1];
			my $before = $i < $#positions &&
			    $have ne $positions[$i + 1][1];
			next if $i == 0 && $options =~ /no-start/ ||
			    $i == $#positions && $options =~ /no-final/ ||
			    $after && $options =~ /quiet|not-after/ ||
			    $before && $options =~ /quiet|not-before/;
			my $sign = $black && $options !~ /white-view/ ? -1 : 1;
			my $z = ref($of) ? $of->[$i] // next : $of;
			$count{ join(' ', map { $sign * $_ } $z, @d) }++;
		}
	}
	return map {
		my ($z, @d) = split(/ /);
		[$count{$_}, $z, $options =~ /no-constant/ ? 0 : 1, @d];
	} sort keys %count;
}

# test_options FILE RULES OPTIONS GAMES: one test, against the slow fit
sub test_options {
	my ($file, $rules, $options, @games) = @_;
	my @cells = cells_of($options, @games);
	my ($w, $mse) = slow_fit(\@cells);
	my $row = fit($options, $file);
	my ($n, $used) = (0, $options =~ /decisive/ ?
	    scalar(grep { $_->[0] != 0 } @games) : scalar(@games));
	$n += $_->[0] for @cells;
	my $difference = difference($row, $w, $mse);
	ok($difference < 1e-8 && $row->{positions} == $n &&
	    $row->{games} == $used && $row->{rules} eq $rules,
	    sprintf('%s %s: %d positions, %d cells, %.1g off', $rules,
	    $options || '(all)', $n, scalar(@cells), $difference));
}

srand(1);
for my $case (['classical', 1, '', '--no-start', '--no-final --no-constant',
    '--positions quiet', '--decisive --white-view'],
    ['torpedo+pawn-sideways+self-capture', 2, '', '--positions not-before',
    '--positions not-after --no-start --no-final',
    '--white-view --no-constant']) {
	my ($rules, $seed, @choices) = @$case;
	my $file = "$scratch/games";
	my @games = random_games($seed, $rules, 150, $file);
	test_options($file, $rules, $_, @games) for @choices;
	# fewer, as hardly two positions are alike
	my @some = add_values($file, "$scratch/values", @games[0 .. 14]);
	test_options("$scratch/values", $rules, "--target search $_", @some)
	    for '', '--white-view --positions quiet', '--no-constant --no-start';
}

# ---- spare kinds and hands, by simulation ----

# How many more of a kind White has.
sub more {
	my ($pieces, $kind) = @_;
	my $black = () = $pieces =~ /$kind/g;
	my $white = () = $pieces =~ /\U$kind/g;
	return $white - $black;
}

# Positions with random pieces and hands, and a result that is drawn from known weights,
# each a game without moves. genmoves says which of the positions are legal.
sub simulate {
	my ($rules, $file, $count, $kinds, %w) = @_;
	my @fens;
	while (@fens < $count) {
		my @at = ('1') x 64;
		my @free = shuffle(8 .. 55);
		@at[4, 60] = ('k', 'K');
		my %hand;
		for my $kind (split(//, $kinds)) {
			for my $side (0, 1) {
				my $letter = $side ? uc($kind) : $kind;
				# the unit must be known best
				my $most = $kind eq 'p' ? 7 : 2;
				$at[pop(@free)] = $letter for 1 .. int(rand($most));
				$hand{$letter} = int(rand(3)) if $w{"${kind}_hand"};
			}
		}
		my $hands = join('', map { $_ x $hand{$_} } sort keys %hand);
		my $fen = join('/', map { join('', @at[8 * $_ .. 8 * $_ + 7]) } 0 .. 7);
		$fen .= "[$hands]" if grep { /_hand/ } keys %w;
		push(@fens, $fen . (rand() < 0.5 ? ' w' : ' b') . ' - - 0 1');
	}
	open(my $f, '>', "$scratch/fens") or die "$!\n";
	print($f map { "$_\n" } @fens);
	close($f) or die "$!\n";
	my $spec = -e $rules ? do { local (@ARGV, $/) = $rules; <> } : "\"$rules\"";
	chomp($spec);
	open($f, '>', $file) or die "$!\n";
	for (`$bin/genmoves --quiet --rules $rules $scratch/fens 2>/dev/null`) {
		my $row = decode_json($_);
		next if !@{ $row->{moves} };
		my ($placement, $side) = split(/ /, $row->{fen});
		my ($board, $hand) = $placement =~ /^([^\[]*)(?:\[(.*)\])?$/;
		my $x = 0;
		for my $kind (split(//, $kinds)) {
			$x += $w{$kind} * more($board, $kind);
			$x += $w{"${kind}_hand"} * more($hand, $kind) if $w{"${kind}_hand"};
		}
		my $white = rand() < (1 + tanh_of($x)) / 2;
		print($f "{\"v\":1,\"rules\":$spec,\"start\":\"$row->{fen}\",\"moves\":\"\",\"result\":\"" .
		    ($white ? '1-0' : '0-1') . "\"}\n");
	}
	close($f) or die "$!\n";
}

# recover NAME RULES KINDS WEIGHTS: the fit finds the weights; intervals of 95 % miss
# at most one
sub recover {
	my ($name, $rules, $kinds, %w) = @_;
	my %column = (p => 'pawn', n => 'knight', b => 'bishop', r => 'rook', q => 'queen');
	simulate($rules, "$scratch/simulated", 6000, $kinds, %w);
	my $row = fit('', "$scratch/simulated");
	my ($missed, $far, @said) = (0, 0);
	for my $kind (grep { $_ ne 'p' } sort keys %w) {
		my ($letter, $hand) = $kind =~ /^(.)(.*)$/;
		my $column = ($column{$letter} // $letter) . $hand;
		my $want = $w{$kind} / $w{p};
		my ($is, $lo, $hi) = @{$row}{ $column, "${column}_lo", "${column}_hi" };
		$missed++ if !defined($is) || $want < $lo || $want > $hi;
		$far++ if !defined($is) || abs($is / $want - 1) > 0.2;
		push(@said, sprintf('%s %.2f (%.2f to %.2f, truth %.2f)', $column, $is // -1,
		    $lo // -1, $hi // -1, $want));
	}
	ok($missed <= 1 && $far == 0 && $row->{positions} > 3000,
	    "$name: known values come back") or diag(join("\n", @said));
}

srand(1);
my $mine = "$scratch/mine.json";
open(my $rules_file, '>', $mine) or die "$!\n";
print($rules_file '{"name":"mine","pieces":{"a":"BN","c":"WD"},"castling_from":0,"promote_to":"nbrqac"}');
close($rules_file) or die "$!\n";
recover('spare kinds', $mine, 'pnbrqac', p => 0.2, n => 0.5, b => 0.55, r => 0.8, q => 1.2, a => 1.1, c => 0.45);
recover('hands', 'crazyhouse', 'pnbrq', p => 0.2, n => 0.4, b => 0.35, r => 0.5, q => 0.9,
    p_hand => 0.3, n_hand => 0.6, b_hand => 0.45, r_hand => 0.4, q_hand => 1.1);
done_testing();
