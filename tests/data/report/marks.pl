#!/usr/bin/perl
# marks.pl GAMES <REPORT.json: compares the games of a report with the positions in
# GAMES: which moves are marked, and as what, and the last position. Says
# what is wrong, and at the end how many games and marks were compared.
use strict;
use warnings;
use JSON::PP;

my %fens;
open(my $games, '<', $ARGV[0]) or die("$ARGV[0]: $!\n");
while (<$games>) {
	my $game = decode_json($_);
	$fens{join(' ', @{$game->{uci}})} = $game;
}

# The 64 squares from a8 on.
sub squares { (split(' ', $_[0]))[0] =~ s/(\d)/'.' x $1/ger =~ tr{/}{}dr }
sub at { my ($squares, $name) = @_; substr($squares, (8 - substr($name, 1)) * 8 + ord($name) - 97, 1) }

# The kind of a move, from the positions before and after it.
sub kind_of {
	my ($game, $ply) = @_;
	my ($move, $before, $after) = ($game->{uci}[$ply], map { squares($game->{fens}[$_]) } $ply, $ply + 1);
	my $white = $game->{fens}[$ply] =~ / w /;
	my ($from, $to) = (substr($move, 0, 2), substr($move, 2, 2));
	my ($rank, $ahead) = (substr($from, 1), substr($to, 1) - substr($from, 1));
	($rank, $ahead) = (9 - $rank, -$ahead) if !$white;
	my ($taken, $aside) = (at($before, $to), ord($to) - ord($from));
	my $last = $ply == $#{$game->{uci}};
	return 'stalemate-win' if $last && grep({ $_ eq 'stalemate-win' } @{$game->{rules}}) &&
	    ($game->{result} // '') =~ /1-0|0-1/ && ($game->{san}[-1] // '') !~ /#/;
	return 'self-capture' if $taken ne '.' && ($taken =~ /[A-Z]/) == $white;
	if (lc(at($before, $from)) eq 'k' && abs($aside) == 2) {
		return grep({ $_ eq 'no-castling-10' } @{$game->{rules}}) ? 'castle-late' : undef;
	}
	return undef if lc(at($before, $from)) ne 'p';
	return $rank == 6 ? 'torpedo-promotion' : 'torpedo' if $ahead == 2 && $rank != 2;
	return 'back' if $ahead == -1;
	return 'sideways' if $ahead == 0;
	return 'en-passant-torpedo' if $aside != 0 && $taken eq '.' && $rank != 5;
	return undef;
}

my ($compared, $marked) = (0, 0);
my $report = decode_json(do { local $/; <STDIN> });
for my $shown (sort { $a->{id} cmp $b->{id} } grep { $_->{id} =~ /^game-/ } values %{ $report->{games} }) {
	my ($id, $game) = ($shown->{id}, $fens{ $shown->{moves} });
	next if !defined($game);
	my %mark = map { split(/:/, $_, 2) } split(' ', $shown->{marks});
	my @marks = map { $mark{$_} // '-' } 1 .. @{ $game->{uci} };
	my @want = map { kind_of($game, $_) // '-' } 0 .. $#{$game->{uci}};
	print("$id: marks @marks, want @want\n") if "@marks" ne "@want";
	print("$id: $shown->{last} is not the last position\n") if squares($shown->{last}) ne squares($game->{fens}[-1]);
	print("$id: words @{[%{$shown->{words}}]} are not of its marks\n") if grep { !exists($shown->{words}{$_}) } values %mark;
	$compared++;
	$marked += grep { $_ ne '-' } @marks;
}
print("$compared games, $marked marks\n");
