#!/usr/bin/perl
# movestats beside a count by hand: from the squares of the FENs before each
# move and the squares that the move names, with nothing of src/.
#
# On the study's games (a selection is here; the whole is used where it is):
# every number of every row; and the moves that the source itself marks as
# special, which are numbered from 1.  The source marks what chess does not
# have: torpedo moves, captures en passant of pawns that made one, moves back
# and sideways, self-captures.  Where its marks and the count differ,
# tests/data/special.tsv names the move and says why.
#
# On random games of many rule sets: the same count, of positions that the
# naive generator found.  Under rules with drops, explosions and forced captures
# genmoves gives the positions and the number of legal moves.
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
my $scratch = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;

# ---- the count by hand ----

my @pieces = qw(pawn knight bishop rook queen king);
my %piece;
@piece{qw(p n b r q k a)} = (@pieces, 'spare');
# Rule sets with a name of their own.
my %spares = (pieces => { a => 'BN' }, promote_to => 'nbrqa',
    start => 'rabqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RABQKBNR w KQkq - 0 1');
my %fields = ('spares.drops' => { %spares, drops => JSON::PP::true, castling_from => 3 },
    'spares.own' => { %spares, self_capture => JSON::PP::true });

# Which kinds a move is of; under rules that can tell more than the board, with the
# number of legal moves.
sub kinds_of {
	my ($fen, $move, $rules, $legal) = @_;
	my %on = map { $_ => 1 } split(/[+.]/, $rules // '');
	my ($placement, $side) = split(/ /, $fen);
	my (%at, @kinds);
	my $rank = 8;
	$placement =~ s/\[.*\]//;	# the hands
	$placement =~ tr/~//d;
	return ('drop', 'drop-' . $piece{ lc $1 }) if $move =~ /^(.)\@/;
	for my $row (split(m{/}, $placement)) {
		$row =~ s/(\d)/'.' x $1/ge;
		$at{ substr('abcdefgh', $_, 1) . $rank } = substr($row, $_, 1)
		    for 0 .. 7;
		$rank--;
	}
	my ($f0, $r0, $f1, $r1) = split(//, $move);
	my ($moved, $taken) = ($at{"$f0$r0"}, $at{"$f1$r1"});
	($r0, $r1) = (9 - $r0, 9 - $r1) if $side eq 'b';	# as the side sees it
	my $steps = $r1 - $r0;
	if (lc($moved) eq 'p') {
		if ($f0 ne $f1 && $steps == 1 && $taken eq '.') {
			push(@kinds, 'en-passant', "en-passant-rank-$r1");
			push(@kinds, 'en-passant-torpedo') if $r1 != 6;
		}
		push(@kinds, 'torpedo') if $steps == 2 && $r0 != 2;
		push(@kinds, 'torpedo-promotion')
		    if $steps == 2 && $r0 != 2 && $r1 == 8;
		push(@kinds, 'back') if $steps == -1;
		push(@kinds, 'sideways') if $steps == 0;
	}
	if ($taken ne '.' && (lc($taken) eq $taken) == (lc($moved) eq $moved)) {
		push(@kinds, 'self-capture', "self-capture-$piece{lc $taken}",
		    "self-capture-by-$piece{lc $moved}");
	} elsif ($taken ne '.' || grep { $_ eq 'en-passant' } @kinds) {
		push(@kinds, 'explosion') if $on{atomic};
		push(@kinds, 'forced-capture') if $on{antichess};
		push(@kinds, 'only-capture') if $on{antichess} && $legal == 1;
	}
	push(@kinds, 'promotion', "promotion-$piece{$1}")
	    if ($on{antichess} || $on{spares}) && $move =~ /^....(.)$/;
	if (lc($moved) eq 'k' && abs(ord($f0) - ord($f1)) == 2) {
		push(@kinds, 'castle', $f1 eq 'g' ? 'castle-short' :
		    'castle-long');
		push(@kinds, 'castle-late') if $on{'no-castling-10'} || $on{drops};
	}
	return @kinds;
}

# The kinds that a rule set has a row for.
sub kinds_under {
	my %on = map { $_ => 1 } split(/[+.]/, $_[0]);
	my @kinds;
	push(@kinds, qw(torpedo en-passant-torpedo en-passant-rank-5))
	    if $on{torpedo} || $on{'semi-torpedo'};
	push(@kinds, qw(torpedo-promotion en-passant-rank-3 en-passant-rank-4))
	    if $on{torpedo};
	push(@kinds, qw(en-passant en-passant-rank-6)) if !$on{'pawn-one-square'};
	push(@kinds, 'back') if $on{'pawn-back'};
	push(@kinds, 'sideways') if $on{'pawn-sideways'};
	push(@kinds, 'self-capture', (map { "self-capture-$_" } @pieces[0 .. 4]),
	    (map { "self-capture-by-$_" } @pieces)) if $on{'self-capture'};
	push(@kinds, map { ("self-capture-$_", "self-capture-by-$_") } @pieces[0 .. 4], "spare")
	    if $on{own};
	push(@kinds, qw(self-capture self-capture-by-king)) if $on{own};
	push(@kinds, qw(castle castle-short castle-long))
	    if !$on{'no-castling'} && !$on{antichess};
	push(@kinds, 'castle-late') if $on{'no-castling-10'} || $on{drops};
	push(@kinds, 'drop', map { "drop-$_" } @pieces[0 .. 4])
	    if $on{crazyhouse} || $on{drops};
	push(@kinds, 'promotion', map { "promotion-$_" } @pieces[1 .. 4])
	    if $on{antichess} || $on{spares};
	push(@kinds, 'promotion-king') if $on{antichess};
	push(@kinds, 'promotion-spare') if $on{spares};
	push(@kinds, 'drop-spare') if $on{drops};
	push(@kinds, qw(explosion explosion-win)) if $on{atomic};
	push(@kinds, qw(forced-capture only-capture lost-all)) if $on{antichess};
	push(@kinds, 'stalemate-win') if $on{'stalemate-win'};
	return @kinds;
}

# The kind of a game's end, if it is special.
sub kinds_of_end {
	my ($game, $decisive) = @_;
	return $game->{end} eq 'lost-all' ? 'lost-all' :
	    !$decisive ? () :
	    $game->{end} eq 'stalemate' && $game->{rules} !~ /antichess/ ? 'stalemate-win' :
	    $game->{end} eq 'explosion' ? 'explosion-win' : ();
}

# Adds a game to the counts of its group.  A game is a hash of rules, result,
# end, fens and uci.
sub count_game {
	my ($group, $game) = @_;
	my $plies = @{ $game->{uci} };
	my $decisive = $game->{result} =~ /^(?:1-0|0-1)$/;
	my (%moves, %number);
	for my $i (0 .. $plies - 1) {
		my $fen = $game->{fens}[$i];
		my ($number) = $fen =~ / (\d+)$/;
		my @kinds = kinds_of($fen, $game->{uci}[$i], $game->{rules},
		    $game->{legal} ? $game->{legal}[$i] : undef);
		push(@kinds, kinds_of_end($game, $decisive)) if $i == $plies - 1;
		for (@kinds) {
			$moves{$_}++;
			$number{$_} += $number;
		}
	}
	$group->{games}++;
	$group->{decisive}++ if $decisive;
	$group->{moves} += $plies;
	$group->{squares} += $plies * $plies;
	for my $kind (keys %moves) {
		my $k = $group->{kinds}{$kind} //= {};
		$k->{games}++;
		$k->{moves} += $moves{$kind};
		$k->{number} += $number{$kind};
		$k->{squares} += $moves{$kind} ** 2;
		$k->{products} += $moves{$kind} * $plies;
	}
	# a game that begins where it is won has no move to count
	for ($plies == 0 ? kinds_of_end($game, $decisive) : ()) {
		$group->{kinds}{$_}{games}++;
	}
}

# ---- beside the program ----

sub near { return abs($_[0] - $_[1]) <= $_[2] * abs($_[1]) + 1e-300 }

# P(X <= x) for X ~ Beta(a, b), whole parameters: a sum of binomials.
sub beta_below {
	my ($x, $a, $b) = @_;
	my ($n, $sum, $log) = ($a + $b - 1, 0, 0);
	return $x if $x <= 0 || $x >= 1;
	$log = $n * log(1 - $x);
	for my $k (0 .. $n) {
		$sum += exp($log) if $k >= $a;
		$log += log(($n - $k) / ($k + 1) * $x / (1 - $x)) if $k < $n;
	}
	return $sum;
}

# P(|T| > t) for Student's T, by Simpson's rule in the angle.
sub student_beyond {
	my ($t, $dof) = @_;
	my $area = sub {
		my ($from, $n) = ($_[0], 4000);
		my $h = (atan2(1, 0) - $from) / $n;
		my $sum = 0;
		for my $i (0 .. $n) {
			my $c = cos($from + $i * $h);
			$sum += ($i % 2 ? 4 : $i == 0 || $i == $n ? 1 : 2) *
			    (abs($c) < 1e-12 ? 0 : abs($c) ** ($dof - 1));
		}
		return $sum * $h / 3;
	};
	return $area->(atan2($t, sqrt($dof))) / $area->(0);
}

# The t that makes Wilson's interval have this end.
sub wilson_t {
	my ($p, $end, $n) = @_;
	return $end <= 0 || $end >= 1 ? undef :
	    abs($p - $end) * sqrt($n / ($end * (1 - $end)));
}

# The reason why a row is not as counted, '' if it is.
sub compare_row {
	my ($row, $group) = @_;
	my $k = $group->{kinds}{ $row->{kind} } // {};
	my $games = ($row->{kind} =~ /-win$/ ? $group->{decisive} :
	    $group->{games}) // 0;
	my %want = (games => $games, games_with => $k->{games} // 0,
	    moves => $group->{moves}, moves_with => $k->{moves} // 0);
	for (sort keys %want) {
		return "$_ is $row->{$_}, not $want{$_}"
		    if $row->{$_} != $want{$_};
	}
	my %share = (
		games_share => $games ? $want{games_with} / $games : undef,
		moves_share => $want{moves} ? $want{moves_with} / $want{moves} :
		    undef,
		fullmove_mean => $want{moves_with} ?
		    $k->{number} / $want{moves_with} : undef);
	for (sort keys %share) {
		return "$_ is wrong" if defined($row->{$_}) !=
		    defined($share{$_}) || (defined($share{$_}) &&
		    !near($row->{$_}, $share{$_}, 1e-14));
	}
	my @ab = ($want{games_with} + 1, $games - $want{games_with} + 1);
	# equal tails, unless an end is the share itself: none of the games, or all
	my ($none, $all) = ($games && !$want{games_with},
	    $games && $want{games_with} == $games);
	return 'games_share_lo or _hi is wrong'
	    if abs(beta_below($row->{games_share_lo}, @ab) -
	    ($none ? 0 : $all ? 0.05 : 0.025)) > 1e-9 ||
	    abs(beta_below($row->{games_share_hi}, @ab) -
	    ($all ? 1 : $none ? 0.95 : 0.975)) > 1e-9;
	return compare_moves_interval($row, $group, $k);
}

# The interval of the share of moves: games are the unit.
my %t_is_right;
sub compare_moves_interval {
	my ($row, $group, $k) = @_;
	my ($n, $p) = ($group->{games}, $row->{moves_share});
	my ($lo, $hi) = @{$row}{qw(moves_share_lo moves_share_hi)};
	if ($n < 2 || !defined($p)) {
		return $lo == 0 && $hi == 1 ? '' : 'an interval of nothing';
	}
	my $squares = ($k->{squares} // 0) - 2 * $p * ($k->{products} // 0) +
	    $p * $p * $group->{squares};
	my $moves = $p > 0 && $squares > 0 ? $p * (1 - $p) *
	    $group->{moves} ** 2 * ($n - 1) / $n / $squares : $n;
	my $low = wilson_t($p, $lo, $moves);
	my $high = wilson_t($p, $hi, $moves);
	return "from $lo to $hi" if !defined($high) || $hi < $p || $lo > $p ||
	    (defined($low) && !near($low, $high, 1e-6)) ||
	    (!defined($low) && $p > 0);
	my $right = $t_is_right{$n} //= $high;
	return 'another t than in other rows' if !near($high, $right, 1e-6);
	return '';
}

# Runs movestats and compares all rows; groups are by rules, then by value.
sub compare {
	my ($name, $file, $groups, @options) = @_;
	my @rows = map { $json->decode($_) }
	    split(/\n/, `$bin/movestats @options $file`);
	my $status = $?;
	my (@wrong, %seen, $want);
	for my $row (@rows) {
		my $key = join("\t", $row->{rules}, $row->{by} // ());
		$seen{"$key\t$row->{kind}"}++;
		my $why = $groups->{$key} ? compare_row($row, $groups->{$key}) :
		    'nobody expected it';
		push(@wrong, "$key $row->{kind}: $why") if $why ne '';
	}
	for my $key (sort keys %$groups) {
		for (kinds_under((split(/\t/, $key))[0])) {
			$want++;
			push(@wrong, "$key $_: no row")
			    if ($seen{"$key\t$_"} // 0) != 1;
		}
	}
	ok($status == 0 && @wrong == 0 && @rows > 0 && $want == @rows,
	    "$name: $want rows as counted by hand");
	splice(@wrong, 10);
	diag(map { "$_\n" } @wrong);
}

sub write_lines {
	my ($path, @lines) = @_;
	open(my $f, '>', $path) or die "$path: $!\n";
	print($f map { "$_\n" } @lines);
	close($f) or die "$path: $!\n";
}

# ---- the games of the study ----

# As games(5), each with a tag that names it.
sub as_game {
	my ($g) = @_;
	return $json->encode({ v => 1, id => $g->{id},
		rules => join('+', @{ $g->{rules} }), start => $g->{start_fen},
		moves => join(' ', @{ $g->{uci} }),
		result => $g->{result} // '*',
		end => $g->{final_status} // 'unknown',
		tags => { Name => $g->{id} } });
}

my %deviations;		# by id and ply
open(my $table, '<', 'tests/data/special.tsv') or die "special.tsv: $!\n";
<$table>;
while (<$table>) {
	chomp;
	my ($id, $ply, $move, $marked, $kinds, $why) = split(/\t/);
	die "special.tsv: $_\n" if !$why;
	$deviations{"$id\t$ply"} = "$move\t$marked\t$kinds";
}

# Marks and count of one game, where they differ.
sub compare_marks {
	my ($g, $seen) = @_;
	my %marked = map { $_ => 1 } @{ $g->{special} };
	my @wrong;
	for my $ply (1 .. @{ $g->{uci} }) {
		my $move = $g->{uci}[$ply - 1];
		my @kinds = grep { !/^castle|-(?:pawn|knight|bishop|rook|queen|king)$/ }
		    kinds_of($g->{fens}[$ply - 1], $move);
		next if !!@kinds == !!$marked{$ply};
		my $is = join("\t", $move, $marked{$ply} ? 'yes' : 'no',
		    "@kinds" || '-');
		$seen->{"$g->{id}\t$ply"} = 1;
		my $explained = $deviations{"$g->{id}\t$ply"} // 'nothing';
		push(@wrong, "$g->{id}, ply $ply: $is, explained: $explained")
		    if $is ne $explained;
	}
	push(@wrong, "$g->{id}: a mark beyond the last ply")
	    if grep { $_ < 1 || $_ > @{ $g->{uci} } } keys %marked;
	return @wrong;
}

sub test_study {
	my ($name, $path) = @_;
	if (!-r $path) {
		SKIP: { skip("$path is not here", 3) }
		return;
	}
	open(my $f, '<', $path) or die "$path: $!\n";
	my @games = map { $json->decode($_) } <$f>;
	my (%by_rules, %by_name, %ids, %seen, @wrong, $marks);
	for my $g (@games) {
		my $rules = join('+', sort { ($a eq 'no-castling') <=>
		    ($b eq 'no-castling') } @{ $g->{rules} });
		my %game = (%$g, rules => $rules, result => $g->{result} // '*',
		    end => $g->{final_status} // 'unknown');
		count_game($by_rules{$rules} //= {}, \%game);
		count_game($by_name{"$rules\t$g->{id}"} //= {}, \%game);
		push(@wrong, compare_marks($g, \%seen));
		$ids{ $g->{id} } = 1;
		$marks += @{ $g->{special} };
	}
	write_lines("$scratch/games", map { as_game($_) } @games);
	compare("$name, by rules", "$scratch/games", \%by_rules);
	compare("$name, by game", "$scratch/games", \%by_name, '--by Name');
	for (sort keys %deviations) {
		push(@wrong, "no deviation at $_")
		    if $ids{ (split(/\t/))[0] } && !$seen{$_};
	}
	ok(@wrong == 0 && $marks > 0, "$name: $marks marks, " .
	    keys(%seen) . ' deviations, all explained');
	diag(map { "$_\n" } @wrong);
}

test_study('selection', 'tests/data/games.jsonl');
test_study('all games', '../shared/paper/games.jsonl');

# ---- random games ----

sub test_random {
	my ($seed, $count, $rules) = @_;
	my (%groups, $game);
	my $file = "$scratch/random";
	system("$tools/random_games $seed $count $rules >$file") == 0
	    or die "random_games\n";
	open(my $f, '-|', "$tools/list_positions <$file") or die "$!\n";
	while (<$f>) {
		chomp;
		my ($fen, $move, @more) = split(/\t/);
		if ($fen eq 'game') {
			$game = { rules => $move, result => $more[0],
			    end => $more[1], fens => [], uci => [] };
			next;
		}
		push(@{ $game->{fens} }, $fen);
		push(@{ $game->{uci} }, $move) if $move ne '-';
		count_game($groups{ $game->{rules} } //= {}, $game)
		    if $move eq '-';
	}
	close($f) or die "list_positions\n";
	compare("$count random games, $rules", $file, \%groups);
	return $groups{$rules};
}

# The same where the naive generator does not play.
sub test_random_new {
	my ($seed, $count, $rules) = @_;
	my $file = "$scratch/random-new";
	my $spec = $rules;
	if ($fields{$rules}) {
		$spec = "$scratch/mine.json";
		write_lines($spec, $json->encode({ name => $rules, %{ $fields{$rules} } }));
	}
	system("$tools/random_games -s 0 -m 250 $seed $count $spec >$file") == 0
	    or die "random_games\n";
	open(my $f, '<', $file) or die "$!\n";
	my @games = map { $json->decode($_) } <$f>;
	close($f);
	write_lines("$scratch/prefixes", map { my $g = $_; my @m = split(/ /, $g->{moves});
	    map { $json->encode({ fen => $g->{start} // 'startpos', rules => $g->{rules},
		moves => join(' ', @m[0 .. $_ - 1]) }) } 0 .. @m } @games);
	my @at = map { $json->decode($_) } `$bin/genmoves --quiet $scratch/prefixes`;
	my %groups;
	for my $g (@games) {
		my @uci = split(/ /, $g->{moves});
		my @here = splice(@at, 0, @uci + 1);
		count_game($groups{$rules} //= {}, { rules => $rules, result => $g->{result},
		    end => $g->{end}, uci => \@uci, fens => [map { $_->{fen} } @here],
		    legal => [map { scalar @{ $_->{moves} } } @here] });
	}
	compare("$count random games, $rules", $file, \%groups);
	return $groups{$rules};
}

my @sums = qw(classical pawn-one-square+pawn-back semi-torpedo+pawn-sideways
    torpedo self-capture+no-castling-10 pawn-sideways+stalemate-win
    torpedo+pawn-back+self-capture+stalemate-win+no-castling);
my %met;
for my $i (0 .. $#sums) {
	my $group = test_random($i + 6, 60, $sums[$i]);
	$met{$_} = 1 for keys %{ $group->{kinds} };
}
my @never = grep { !$met{$_} }
    map { kinds_under($_) } 'torpedo+pawn-back+pawn-sideways+self-capture+' .
    'stalemate-win';
ok(@never == 0, 'they have every kind of move') or diag("not met: @never");

my %met_new;
for my $rules (qw(crazyhouse atomic antichess spares.drops spares.own)) {
	my $group = test_random_new(4, 30, $rules);
	$met_new{$_} = 1 for keys %{ $group->{kinds} };
}
my @never_new = grep { !$met_new{$_} } qw(drop drop-pawn drop-queen drop-spare explosion
    explosion-win forced-capture only-capture lost-all promotion-king promotion-spare
    self-capture-spare self-capture-by-spare castle-late);
ok(@never_new == 0, 'the new rules have every kind of move') or diag("not met: @never_new");

# One kind stands for a move of several, unless it is the kind of none.
my (%mains, %moves_of, @unmarked);
for (map { $json->decode($_) } `$bin/movestats --quiet --each $scratch/random $scratch/random-new`) {
	$mains{"$_->{game} $_->{ply}"} += $_->{main} ? 1 : 0;
	push(@{ $moves_of{"$_->{game} $_->{ply}"} }, $_->{kind});
}
@unmarked = grep { my $shown = () = grep { !/^promotion|^check$/ } @{ $moves_of{$_} };
	$mains{$_} != ($shown > 0) } keys %mains;
ok(keys(%mains) > 100 && !@unmarked, 'one main kind a move') or
    diag(map { "$_: @{ $moves_of{$_} }\n" } @unmarked[0 .. 3]);

my ($wrong_t, $sizes) = (0, 0);
for my $n (sort { $a <=> $b } keys %t_is_right) {
	$sizes++;
	$wrong_t++ if $n > 2 &&
	    abs(student_beyond($t_is_right{$n}, $n - 1) - 0.05) > 1e-6;
}
ok($wrong_t == 0 && $sizes > 3,
    "intervals of $sizes numbers of games use Student's t");
done_testing();
