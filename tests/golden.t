#!/usr/bin/perl
# Golden command lines: commands and their exact output.
#
#	tests/golden.t [group ...]		all groups unless named
#	UPDATE=1 tests/golden.t [group ...]	rewrite what is expected
#
# A group is a file tests/golden/NAME.golden.  Its commands run one after the
# other in one fresh directory, under bash, with $BIN first in PATH and the
# files of tests/golden/data as $DATA.  A block looks like this:
#
#	$ echo startpos | genmoves --perft 1 nofile -
#	{"fen":"rnbqkbnr/…","rules":"classical","depth":1,"nodes":20}
#	! genmoves: nofile: No such file or directory
#	[exit 1]
#
#	$ command
#	> its second line
#	[if condition]	the block is skipped unless this succeeds
#	text		a line of standard output
#	! text		a line of standard error
#	[no newline]	the last line of standard output has no end
#	[exit N]	the exit status, when it is not 0
#	\text		text, where it begins like one of these; \ alone is empty
#
# A blank line or a comment (#) ends a block.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);

my $here = abs_path(dirname($0));
my $bin = $ENV{BIN} // "$here/../bin";
my $update = $ENV{UPDATE} // '';
my $seconds = 120;	# a command that takes longer hangs
my ($count, $failed) = (0, 0);

$ENV{PATH} = abs_path($bin) . ":$ENV{PATH}";
$ENV{DATA} = "$here/golden/data";
$ENV{TESTS} = abs_path($ENV{TESTS} // "$here/../build/gcc/tests");
$ENV{LC_ALL} = 'C';

sub slurp {
	my ($path) = @_;
	open(my $file, '<:raw', $path) or die "$path: $!\n";
	local $/;
	return scalar(<$file>) // '';
}

# Runs a command in a directory; returns its output, errors and exit status.
sub run {
	my ($command, $dir) = @_;
	my $scratch = tempdir(CLEANUP => 1);
	my $child = fork() // die "fork: $!\n";
	if ($child == 0) {
		chdir($dir) or die "$dir: $!\n";
		open(STDIN, '<', '/dev/null') or die;
		open(STDOUT, '>', "$scratch/out") or die;
		open(STDERR, '>', "$scratch/err") or die;
		exec('timeout', $seconds, 'bash', '-c', $command) or die;
	}
	waitpid($child, 0);
	my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
	my @text = map { slurp("$scratch/$_") } 'out', 'err';
	for (@text) {
		s/\Q$ENV{DATA}\E/\$DATA/g;
		s/\Q$dir\E/\$PWD/g;
	}
	return (@text, $status);
}

# The lines of a block that expect this outcome.
sub expectation {
	my ($out, $err, $status) = @_;
	my @lines = map { /^(?:[\$>!] |[#\[\\]|$)/ ? "\\$_" : $_ }
	    split(/\n/, $out, -1);
	if (@lines && $lines[-1] eq '\\') {
		pop(@lines);		# the text ended with a line's end
	} elsif ($out ne '') {
		push(@lines, '[no newline]');
	}
	push(@lines, map { "! $_" } split(/\n/, $err));
	push(@lines, "[exit $status]") if $status != 0;
	return @lines;
}

# Splits a group into pieces: a plain line, or a block.
sub parse {
	my ($text) = @_;
	my (@pieces, $block);
	for my $line (split(/\n/, $text)) {
		if ($line =~ /^\$ (.*)/) {
			$block = { command => $1, head => [$line], want => [] };
			push(@pieces, $block);
		} elsif ($line eq '' || $line =~ /^#/) {
			undef $block;
			push(@pieces, $line);
		} elsif (!$block) {
			die "this line belongs to no command: $line\n";
		} elsif ($line =~ /^> ?(.*)/ && !@{ $block->{want} }) {
			$block->{command} .= "\n$1";
			push(@{ $block->{head} }, $line);
		} elsif ($line =~ /^\[if (.*)\]$/) {
			$block->{if} = $1;
			push(@{ $block->{head} }, $line);
		} else {
			push(@{ $block->{want} }, $line);
		}
	}
	return @pieces;
}

sub report {
	my ($good, $name, $want, $got) = @_;
	$count++;
	print($good ? "ok $count - $name\n" : "not ok $count - $name\n");
	return if $good;
	$failed++;
	my %want = map { $_ => 1 } @$want;
	my %got = map { $_ => 1 } @$got;
	my @diff = ((map { "-$_" } grep { !$got{$_} } @$want),
	    (map { "+$_" } grep { !$want{$_} } @$got));
	@diff = ((map { "-$_" } @$want), (map { "+$_" } @$got)) if !@diff;
	splice(@diff, 20);
	print(STDERR "# $name\n", map { "#   " . substr($_, 0, 300) . "\n" } @diff);
}

sub run_block {
	my ($block, $group, $dir) = @_;
	my ($first) = split(/\n/, $block->{command});
	my $name = "$group: $first";
	$name =~ s/#/\\#/g;
	if (defined($block->{if}) && (run($block->{if}, $dir))[2] != 0) {
		$count++;
		print("ok $count # SKIP $name: not so here: $block->{if}\n");
		return;
	}
	my @got = expectation(run($block->{command}, $dir));
	if ($update) {
		$block->{want} = \@got;
		report(1, $name);
	} else {
		report("@got" eq "@{ $block->{want} }" &&
		    @got == @{ $block->{want} }, $name, $block->{want}, \@got);
	}
}

sub run_group {
	my ($path) = @_;
	my $group = basename($path, '.golden');
	my $dir = abs_path(tempdir(CLEANUP => 1));
	my @pieces = parse(slurp($path));
	for my $block (grep { ref } @pieces) {
		run_block($block, $group, $dir);
	}
	return if !$update;
	open(my $file, '>:raw', $path) or die "$path: $!\n";
	for my $piece (@pieces) {
		print($file map { "$_\n" } ref($piece) ?
		    (@{ $piece->{head} }, @{ $piece->{want} }) : $piece);
	}
	close($file) or die "$path: $!\n";
}

$| = 1;
my @groups = @ARGV ? map { "$here/golden/$_.golden" } @ARGV :
    sort(glob("$here/golden/*.golden"));
run_group($_) for @groups;
print("1..$count\n");
exit($failed != 0 || $count == 0);
