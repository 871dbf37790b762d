#!/usr/bin/perl
# The n-th write, read, fsync, rename or allocation fails, for n = 1, 2, … until
# there are no more, over a table of commands: no crash, no exit 0 after a loss, no
# incomplete file, no temporary file left behind. And once for each command: standard
# input, output and error closed; inputs that are missing or cannot be read.
#
# `make test` tries a few allocations of a few commands; FAULTS=long (`make faults`)
# tries all.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);
use POSIX ();
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $root = abs_path('.');
my $bin = $ENV{BIN} // "$root/bin";
my $tests = $ENV{TESTS} // "$root/build/gcc/tests";
my $long = ($ENV{FAULTS} // '') eq 'long';
my $library = "$tests/faults.so";
plan skip_all => "$library has not been built" if !-e $library;
plan skip_all => 'sanitizers have an allocator of their own'
    if `nm $bin/genmoves 2>/dev/null` =~ /__(asan|tsan)_init/;
my $scratch = tempdir(CLEANUP => 1);
chdir($scratch) or die "$!\n";
$ENV{PATH} = "$bin:$tests:$ENV{PATH}";
$ENV{LC_ALL} = 'C';
$ENV{ORT_HOME} = '/nowhere';

system("make_sparse 64 1 sparse.onnx && " .
    "selfplay -q -N uniform -g 3 -v 4 --search-data -o games.jsonl && " .
    "pgnwrite -q -o games.pgn games.jsonl && " .
    "match -q -g 6 -s 1 random greedy --archive - >decisive.jsonl && " .
    "printf 'measure\\tours\\ttheirs\\ttheirs_lo\\ttheirs_hi\\n" .
    "a\\t1\\t2\\t1\\t3\\na\\t2\\t3\\t2\\t4\\na\\t3\\t5\\t4\\t6\\n' >ranks && " .
    "printf 'startpos\\n8/8/8/8/8/k7/8/K6R w - - 0 1\\n' >fens && " .
    "priorwalk -q -N uniform -I 5 -U 3 -o lines && " .
    "priorwalk -q -Q uniform -r torpedo -o scored lines && " .
    "make_sparse 64 1 prior.onnx policy && drawstats -qx -o part games.jsonl && " .
    "pack -q -o packed games.jsonl && echo '{\"base\":\"torpedo\"}' >mine.json && " .
    "printf '[mine:chess]\ncastling = false\n' >mine.ini && " .
    "echo '{\"aims\":[{\"measure\":\"score\",\"below\":0.5}]}' >aims.json && " .
    "echo '{\"id\":\"1\",\"rules\":{},\"games\":9,\"measures\":{\"score\":[0.5,0.4,0.6]}}' >measured && " .
    "selfplay -q -N uniform -g 2 -v 2 -s 1 --rules '{\"ply_limit\":4}' -o begun && " .
    "train -q -o net --kind prior --checkpoint point --size 64 -B 64 --steps 1 games.jsonl >log") == 0 or die "preparing\n";

# Commands that write a file `out`: every program but rulelab and uci, which write
# none, and every option by which a program reads or writes other files. Those of
# the short form first.
my $tiny = '--rules {"ply_limit":4}';
my @commands = ('genmoves -o out fens', 'pgnread -q -o out games.pgn',
    'drawstats -q -z -o out games.jsonl',
    "selfplay -q -N prior.onnx -g 1 -v 2 -s 1 $tiny -o out",
    "genmoves $tiny -o out fens");
my $short = @commands;
push(@commands, 'genmoves -L -o out mine.json', 'genmoves -n -o out mine.json',
    'genmoves -R 3 -o out', 'propose -o out aims.json measured', 'distance -G games.jsonl -N uniform -o out mine.json',
    'genmoves -C -o out mine.json',
    'genmoves -F -o out mine.ini mine', 'pgnwrite -q -o out games.jsonl',
    'drawstats -q -o out part', 'drawstats -q --compare -o out games.jsonl',
    'movestats -q -o out games.jsonl', 'gamestats -q -o out games.jsonl',
    'piecefit -q -i all -o out decisive.jsonl', 'pack -q -o out games.jsonl',
    'pack -qD -o out packed', 'rankcorr -M 10 -o out ranks',
    'trend --x ours --y theirs -b measure -o out ranks',
    'netinfo -o out sparse.onnx', 'pagekit -N sparse.onnx -r mine.json -o out', 'pagekit -P prior.onnx -o out',
    'priorwalk -q -N prior.onnx -I 3 -U 2 -o out', 'entropy -o out lines',
    'priorwalk -q -Q uniform -r torpedo -o out lines', 'kldiv -o out scored',
    "selfplay -q -N uniform -g 2 -v 2 -s 1 $tiny -O fens -o out",
    "selfplay -q --resume -N uniform -g 3 -v 2 -s 1 $tiny -o out",
    "match -q --games 2 --sims 2 $tiny uniform material -o out",
    "match -q --games 2 --sims 2 $tiny -O fens --archive out uniform material",
    'train -q -o net --kind prior --checkpoint out -B 64 --steps 1 -j 1 games.jsonl',
    'train -q -o out --kind sparse --size 64 -B 64 --steps 1 -j 1 games.jsonl',
    'train -q -o out --kind prior --size 64 -B 64 --steps 1 -j 1 games.jsonl');
# What `out` is before, where it is more than to be replaced.
my %before = map { /--resume/ ? ($_ => slurp('begun')) :
    /--checkpoint/ ? ($_ => slurp('point')) : ($_ => "old\n") } @commands;

sub slurp {
	open(my $f, '<:raw', $_[0]) or return undef;
	local $/;
	return scalar(<$f>) // '';
}

# Runs a command with a fault; its status, whether the fault came, and the file.
sub run {
	my ($command, $kind, $n, $old, @words) = @_;
	unlink('fired', glob('out.*'));
	open(my $f, '>:raw', 'out') or die;
	print $f $old;
	close($f);
	@words = split(/ /, $command) if !@words;
	my $child = fork() // die;
	if ($child == 0) {
		open(STDIN, '<', '/dev/null');
		open(STDOUT, '>', 'stdout');
		open(STDERR, '>', 'stderr');
		($ENV{FAULT_KIND}, $ENV{FAULT_N}, $ENV{FAULT_LOG}) =
		    ($kind, $n, 'fired');
		$ENV{LD_PRELOAD} = $library;
		if ($kind eq 'speak') {
			POSIX::close($_) for 0 .. 2;
		}
		alarm(60);
		exec(@words) or exit(127);
	}
	waitpid($child, 0);
	return ($?, -e 'fired', slurp('out'));
}

# How a command mishandled a fault; '' if it did not.
sub judge {
	my ($status, $out, $want, $old) = @_;
	return "ended by signal " . ($status & 127) if $status & 127;
	return 'exit 127' if $status >> 8 == 127;
	return 'the file is gone' if !defined($out);
	# The file from which selfplay --resume continues.
	my @left = grep { !/^out\.(part|lock)$/ } glob('out.*');
	return "files left behind: @left" if @left;
	return 'a net of ours went to ONNX Runtime'
	    if slurp('stderr') =~ /ONNX Runtime/;
	return 'good JSON is called bad' if slurp('stderr') =~ /not valid JSON/;
	return 'exit 0 after a loss' if $status == 0 && $out ne $want;
	return 'nothing is said' if $status != 0 && -s 'stderr' == 0;
	return 'half a file' if $status != 0 && $out ne $old && $out ne $want &&
	    substr($want, 0, length($out)) eq $out && $out !~ /\n\z/;
	return '';
}

# Inputs of a command that are not there, or are folders; '' when nothing is wrong.
sub without_inputs {
	my ($command, $old) = @_;
	my @words = split(/ /, $command);
	my $tried = 0;
	for my $i (grep { $words[$_] ne 'out' && -f $words[$_] } 1 .. $#words) {
		next if $words[$i] eq 'net';	# which is written
		for my $name ('nofile', $words[0] eq 'train' ? () : '.') {
			my @others = @words;
			$others[$i] = $name;
			my ($status, undef, $out) = run($command, 'none', 0, $old, @others);
			return ("@others: exit " . ($status >> 8) . ': ' . slurp('stderr'))
			    if $status == 0 || $status & 127 || ($out // '') ne $old ||
			    -s 'stderr' == 0 || glob('out.*');
			$tried++;
		}
	}
	return ('', $tried);
}

my %named = map { /^(\S+)/ => 1 } @commands;
is(join(' ', grep { !$named{$_} } map { basename($_) } glob("$bin/*")), 'rulelab uci',
    'all other programs are in the table');
for my $i (0 .. $#commands) {
	my $command = $commands[$i];
	my $old = $before{$command};
	my ($status, undef, $want) = run($command, 'none', 0, $old);
	my ($name) = $command =~ /^(\S+)/;
	if ($status != 0 || $want eq $old) {
		fail("$command: " . slurp('stderr'));
		next;
	}
	my $talks = -s 'stdout';	# so that it cannot do without
	my ($closed, undef, $out) = run($command, 'speak', 0, $old);
	ok($closed == 0 ? $out eq $want : $talks && ($out eq $old || $out eq $want),
	    "$name: no standard streams") or diag("$command: status $closed");
	my ($wrong, $inputs) = without_inputs($command, $old);
	ok($wrong eq '', "$name: " . ($inputs // 0) . ' inputs that cannot be read')
	    or diag($wrong);
	next if $i >= $short && !$long;
	for my $kind (qw(write read fsync rename malloc)) {
		my ($n, $step, $tried, $bad) = (1, 0, 0, '');
		while ($bad eq '' && $tried < 5000) {
			my ($got, $fired, $left) = run($command, $kind, $n, $old);
			last if !$fired;
			$tried++;
			$bad = judge($got, $left, $want, $old);
			$bad .= " ($kind $n: " . (slurp('stderr') =~ s/\n/; /gr) . ')'
			    if $bad ne '';
			# 1, 2, 3, 5, 8, …
			($n, $step) = $long || $kind ne 'malloc' || $n < 16 ? ($n + 1, 0) :
			    ($n + ($step || 1), $n);
		}
		ok($bad eq '', "$name: $tried faults of $kind") or diag("$command: $bad");
	}
}
done_testing();
