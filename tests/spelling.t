#!/usr/bin/perl
# A piece may be spelt in several ways in Betza's notation: atoms and letters in another
# order, Q as RB, K as WF, W3 as R3, v as fb. All of them are the same rules, print
# alike and have the same perft.
#
#	SPELLINGS=5000 tests/spelling.t		of that many random pieces, instead of 150
use strict;
use warnings;
use File::Basename qw(dirname);
use JSON::PP;

chdir(dirname($0) . '/..') or die "$!\n";
use lib 'tests';
use Tap;

my $bin = $ENV{BIN} // 'bin';
my $pieces = $ENV{SPELLINGS} // 150;
srand(32);

sub shuffled { my @all = @_; return map { splice(@all, rand(@all), 1) } 1 .. @all; }

# An atom with letters and a number, spelt in two ways.
sub atom {
	my $atom = (qw(W F D N A H G R B Q K))[rand(11)];
	my $most = $atom =~ /[WFRBQK]/ && rand() < 0.4 ? 1 + int(rand(7)) : '';
	my @letters = rand() < 0.5 ? () : $atom =~ /[WDHR]/ ? grep { rand() < 0.4 } qw(f b s) :
	    (qw(f b))[rand(2)];
	push(@letters, (qw(m c))[rand(2)]) if rand() < 0.3;
	my $one = join('', @letters) . $atom . $most;
	my $letters = join('', shuffled(@letters));
	$letters =~ s/fb|bf/v/ if $atom =~ /[WDHR]/ && rand() < 0.5;
	my $other = $atom;
	$other = 'RB' if $atom eq 'Q';
	$other = 'WF' if $atom eq 'K';
	$other =~ tr/WF/RB/ if $most ne '' && rand() < 0.5;
	return ($one, join('', shuffled(map { "$letters$_$most" } split(//, $other))));
}

my (@names, @tasks);
my @positions = ('4k3/1n1pp3/2p2n2/8/3PN3/2N1p3/PP2P1PP/4K1NR w K - 0 1',
    'n3k2n/pppppppp/8/3N4/4n3/8/PPPPPPPP/N3K2N b - - 0 1');
for my $i (1 .. $pieces) {
	my (@one, @other);
	for (1 .. 1 + rand(3)) {
		my ($a, $b) = atom();
		push(@one, $a);
		push(@other, $b);
	}
	my $pair = [join('', @one), join('', shuffled(@other))];
	redo if grep { /([A-Z])\d?\1/ } @$pair;	# riders, which are refused
	push(@names, $pair);
	for my $name (@{ $names[-1] }) {
		push(@tasks, { fen => $_, rules => { knight => $name } }) for @positions;
	}
}
my $scratch = `mktemp`;
chomp($scratch);
open(my $f, '>', $scratch) or die "$!\n";
print($f encode_json($_), "\n") for @tasks;
close($f) or die "$!\n";
my @rows = map { decode_json($_) } `'$bin/genmoves' --quiet --perft 2 '$scratch' 2>'$scratch.errors'`;
open($f, '<', "$scratch.errors") or die "$!\n";
my %refused = map { /:(\d+): (.*)/ ? ($1 => $2) : () } <$f>;
my (@wrong, $same, %counts);
for my $name (@names) {
	my @got;
	for (1 .. 2) {
		my @found;
		for (@positions) {
			shift(@tasks);
			my $line = 1 + @names * 2 * @positions - @tasks - 1;
			push(@found, $refused{$line} ? 'refused' :
			    do { my $row = shift(@rows); JSON::PP->new->canonical->allow_nonref->encode($row->{rules}) . " $row->{nodes}" });
		}
		push(@got, "@found");
	}
	push(@wrong, "$name->[0] and $name->[1]: $got[0], $got[1]") if $got[0] ne $got[1];
	$same++ if $name->[0] ne $name->[1] && $got[0] !~ /refused/;
	$counts{$got[0]}++;
}
unlink($scratch, "$scratch.errors");
is(join("\n", @wrong), '', "$pieces pieces in two spellings are the same");
ok($same > $pieces / 3 && keys(%counts) > $pieces / 3, 'most of them can be played, and differ', "$same, " . keys(%counts));
finish();
