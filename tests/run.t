#!/usr/bin/perl
# tests/run counts what passed, failed and was skipped, and says why.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;

chdir(dirname($0) . '/..') or die "$!\n";
my $scratch = tempdir(CLEANUP => 1);

my %times;	# whose times were told

# Runs the tests whose output this is; the last lines and the exit status.
sub run_tests {
	my @paths;
	for my $text (@_) {
		push(@paths, "$scratch/" . scalar(@paths) . '.t');
		open(my $f, '>', $paths[-1]) or die "$!\n";
		print $f "#!/bin/sh\ncat <<'END'\n$text\nEND\n";
		print $f "kill -9 \$\$\n" if $text =~ /crash/;
		close($f);
		chmod(0755, $paths[-1]);
	}
	my $out = `TIMES=all tests/run @paths 2>&1`;
	my $status = $? >> 8;
	$out =~ s/\Q$scratch\E\///g;
	%times = map { /^time: (\S+): [0-9]+ s, [0-9.]+ CPU s$/ ? ($1 => 1) : () } split(/\n/, $out);
	return join('', grep { /^skipped:|passed, / } split(/^/, $out)) .
	    "exit $status\n";
}

is(run_tests("ok 1\nok 2\n1..2"), "2 passed, 0 failed, 0 skipped\nexit 0\n",
    'all passed');
is(run_tests("ok 1\nok 2 # SKIP no browser\nok 3 # SKIP no browser\n1..3",
    "1..0 # SKIP no engine"),
    "skipped: 0.t: no browser (2 tests)\nskipped: 1.t: no engine\n" .
    "1 passed, 0 failed, 3 skipped\nexit 0\n", 'skips are counted and told');
is(join(' ', sort(keys(%times))), '0.t 1.t', 'the times of each are told');
is(run_tests("ok 1\nnot ok 2\nok 3 # SKIP later\n1..3"),
    "skipped: 0.t: later\n1 passed, 1 failed, 1 skipped\nexit 1\n", 'one failed');
is(run_tests("ok 1\n1..2"), "1 passed, 1 failed, 0 skipped\nexit 1\n",
    'a plan that was not kept is a failure');
is(run_tests("ok 1\n1..1\n# crash"), "1 passed, 1 failed, 0 skipped\nexit 1\n",
    'so is a crash');
is(join(' ', keys(%times)), '0.t', 'and its times are told, too');
is(run_tests("nothing"), "0 passed, 1 failed, 0 skipped\nexit 1\n",
    'so is no test at all');
done_testing();
