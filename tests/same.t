#!/usr/bin/perl
# The same input, seed and options give the same bytes: twice and, unless a tower is
# evaluated or a net is trained, on the plainest instruction set too.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $root = abs_path('.');
my $tests = $ENV{TESTS} // "$root/build/gcc/tests";
$ENV{PATH} = ($ENV{BIN} // "$root/bin") . ":$tests:$ENV{PATH}";
$ENV{LC_ALL} = 'C';
$ENV{ROOT} = $root;
delete $ENV{RULELAB_ISA};
chdir(tempdir(CLEANUP => 1)) or die "$!\n";

# What a command writes, and its status.
sub output {
	my ($command) = @_;
	my $out = `bash -o pipefail -c '$command' 2>stderr`;
	return ($out, $?);
}

system("cp $root/tests/towers/good.onnx tower.onnx && cp $root/tests/golden/data/stats.jsonl games.jsonl && " .
    "selfplay -q -N uniform -g 4 -v 4 -X >played.jsonl") == 0 or die;

# Exact on every machine: integers, doubles in a fixed order.
my @exact = ('echo startpos | genmoves --perft 4 --divide', 'pgnread -c games.jsonl',
    'pgnwrite games.jsonl', 'drawstats -q games.jsonl',
    'drawstats -q --compare -M 1000 -s 3 games.jsonl', 'movestats -q games.jsonl',
    'gamestats -q played.jsonl',
    'genmoves -R 20 -s 3', 'propose -s 2 $ROOT/tests/golden/data/aims.json $ROOT/tests/golden/data/measured.jsonl', 'genmoves -n | distance -q -G games.jsonl -N hash:3 -n 20', 'piecefit -qx games.jsonl', 'pack played.jsonl',
    'priorwalk -q -N hash:3 -I 200 -U 10 -s 2',
    'priorwalk -q -N hash:3 -I 50 -U 10 | entropy',
    'priorwalk -q -N hash:3 -I 50 -r torpedo | priorwalk -q -N hash:3 -Q hash:4 | kldiv',
    'selfplay -q -N hash:5 -g 4 -v 30 -s 1 -e 10 -a 0.3',
    'match -q -g 4 -v 20 -s 1 uniform material',
    'printf "measure\\tours\\ttheirs\\na\\t1\\t2\\na\\t2\\t1\\na\\t3\\t5\\n" | rankcorr -M 100',
    'drawstats -q games.jsonl | trend --x games --y draw_rate', 'pagekit -r torpedo',
    'printf "position startpos\\ngo nodes 3000\\n" | uci | grep ^bestmove',
    'selfplay -q -N $ROOT/nets/default.onnx -g 2 -v 300 -s 1 -j 1 --random-plies 4');
# Sums of floats, whose order depends on the processor's vectors.
my @floats = ('selfplay -q -N tower.onnx -g 2 -v 20 -s 1',
    'priorwalk -q -N tower.onnx -I 50 -U 8',
    'train -q -o net --kind prior --size 64 -B 32 --steps 3 played.jsonl >/dev/null && cat net');

my %first;
for my $command (@exact, @floats) {
	my ($first, $status) = output($command);
	$first{$command} = $first;
	my ($second) = output($command);
	ok($status == 0 && length($first) > 0 && $first eq $second,
	    "twice: $command") or diag(`cat stderr`);
}
for my $command (@exact) {
	$ENV{RULELAB_ISA} = 'base';
	my ($base, $status) = output($command);
	delete $ENV{RULELAB_ISA};
	ok($status == 0 && $first{$command} eq $base, "RULELAB_ISA=base: $command")
	    or diag(`cat stderr`);
}
done_testing();
