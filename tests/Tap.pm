# Test results in TAP, for tests of pages.
#
#	use Tap;
#	skip_all($why) unless …; ok($good, $name, @why); is($got, $want, $name);
#	like($got, qr/…/, $name); finish();
package Tap;
use strict;
use warnings;
use Exporter qw(import);
our @EXPORT = qw(skip_all skip ok is like finish);

my ($count, $failed) = (0, 0);

sub skip_all { print("1..0 # SKIP $_[0]\n"); exit(0); }
sub skip { my ($name, $why) = @_; $count++; print("ok $count - $name # SKIP $why\n"); }

sub ok {
	my ($good, $name, @why) = @_;
	$count++;
	print($good ? "ok $count - $name\n" : "not ok $count - $name\n");
	return $good if $good;
	$failed++;
	print(STDERR map { "# $_\n" } map { split(/\n/, $_ // 'undef') } @why);
	return $good;
}

sub is {
	my ($got, $want, $name) = @_;
	return ok(defined($got) && $got eq $want, $name, 'got ' . ($got // 'undef'), "want $want");
}

sub like {
	my ($got, $pattern, $name) = @_;
	return ok(scalar(defined($got) && $got =~ $pattern), $name, 'got ' . ($got // 'undef'));
}

sub finish {
	print("1..$count\n");
	exit($failed != 0);
}

1;
