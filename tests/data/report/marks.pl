#!/usr/bin/perl
# marks.pl GAMES <PAGE: compares the games of a report with the positions in
# GAMES: which moves are marked, and as what, and what stands on the board. Says
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
my $page = do { local $/; <STDIN> };
while ($page =~ m{<article class="game whole" id="([^"]*)" data-moves="([^"]*)"(.*?)</article>}gs) {
	my ($id, $game, $body) = ($1, $fens{$2}, $3);
	next if !defined($game);
	my @marks = map { /data-mark="([^"]*)"/ ? $1 : '-' } $body =~ /<button[^>]*>/g;
	my @want = map { kind_of($game, $_) // '-' } 0 .. $#{$game->{uci}};
	print("$id: marks @marks, want @want\n") if "@marks" ne "@want";
	my $squares = '.' x 64;
	while ($body =~ m{<use href="#(\w)" class="(\w)" x="(\d+)" y="(\d+)"}g) {
		substr($squares, $4 / 100 * 8 + $3 / 100, 1) = $2 eq 'w' ? $1 : lc($1);
	}
	print("$id: $squares is not the last position\n") if $squares ne squares($game->{fens}[-1]);
	$compared++;
	$marked += grep { $_ ne '-' } @marks;
}
print("$compared games, $marked marks\n");
