#!/usr/bin/perl
# Browser.pm itself, with browsers that end when they should not: at their start, in the
# midst of a test, or only their page. The test that uses it is run again and passes, and
# its output is there once.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Temp qw(tempdir);

chdir(dirname($0) . '/..') or die "$!\n";
use lib 'tests';
use Browser;
use Tap;

my $program = Browser::program() or skip_all('chromium is missing');
my $scratch = tempdir(CLEANUP => 1);

sub write_file {
	my ($name, $text) = @_;
	open(my $f, '>', "$scratch/$name") or die "$name: $!\n";
	print($f $text);
	close($f) or die "$name: $!\n";
}

# A page whose title is what its script, which takes a second, makes it.
sub page {
	my ($name) = @_;
	write_file("$name.html", "<title>early</title><body><script>var until = Date.now() + 1000; while (Date.now() < until); document.title = '$name'</script>");
	return "file://$scratch/$name.html";
}

# trial PART FAKE: what a test prints, does to its browser the first time (PART), and its
# exit status; FAKE is a shell script in place of the browser.
sub trial {
	my ($part, $fake) = @_;
	unlink("$scratch/tried", "$scratch/said");
	my $path = $ENV{PATH};
	if (defined($fake)) {
		mkdir("$scratch/bin");
		write_file('bin/chromium', "#!/bin/sh\n$fake\nexec $program \"\$@\"\n");
		chmod(0755, "$scratch/bin/chromium");
		$path = "$scratch/bin:$path";
	}
	write_file('trial', 'use lib "tests"; use Browser; use Tap; $| = 1; Browser::watch(); ok(1, "begins");' .
	    'my $b = Browser->start(800, 600); $b->open("' . page('one') . '");' .
	    "if (!-e '$scratch/tried') { open(my \$f, '>', '$scratch/tried'); $part }" .
	    'is($b->js("document.title"), "one", "a page"); print(STDERR "# $_\n") for @{ $b->{errors} }; $b->stop; finish();');
	my $printed = do { local $ENV{PATH} = $path; `perl '$scratch/trial' 2>'$scratch/said'` };
	return $printed . ($? >> 8);
}

sub said {
	open(my $f, '<', "$scratch/said") or return '';
	return join('', <$f>);
}

my $good = "ok 1 - begins\nok 2 - a page\n1..2\n0";
is(trial(''), $good, 'nothing happens');
is(said(), '', 'and nothing is said');
is(trial('kill("KILL", -$b->{pid}); '), $good, 'a browser that is killed');
like(said(), qr/^Browser: it ended$/m, 'is told');
is(trial('eval { $b->call("Page.crash") };'), $good, 'a page that crashes');
like(said(), qr/^Browser: its page crashed$/m, 'is told');
is(trial('kill("KILL", -$b->{pid}); $b->until("false");'), $good, 'while something is waited for');
is(trial('', "test -e '$scratch/started' || { : >'$scratch/started'; exit 1; }"), $good, 'one that ends at its start');
is(trial('', 'exit 1'), "ok 1 - begins\n75", 'one that never starts: the test fails');
is(scalar(() = said() =~ /^Browser: \S+ does not start$/mg), 3, 'after three tries');
is(trial('ok(0, "bad");'), "ok 1 - begins\nnot ok 2 - bad\nok 3 - a page\n1..3\n1", 'a test that fails is not run again');
like(trial('die "gone\n";'), qr/^ok 1 - begins\n[1-9]\d*$/, 'nor is one that dies');
is(trial('kill("KILL", $$);'), "ok 1 - begins\n137", 'nor one that is killed');

# A page is there when it is said to be, not the one before it.
my $b = Browser->start(800, 600);
my @titles;
for my $name (qw(one two one two)) {
	$b->open(page($name));
	push(@titles, $b->js('document.title'));
}
is("@titles", 'one two one two', 'open waits for the page that it opens');
$b->open("file://$scratch/one.html#part");
is($b->js('location.hash'), '#part', 'or goes to a part of it');
$b->open("file://$scratch/one.html#other");
is($b->js('document.title + location.hash'), 'one#other', 'which is there already');
eval { $b->open("file://$scratch/none.html") };
like($@, qr/none\.html: net::ERR_FILE_NOT_FOUND/, 'what is not there is told');
$b->stop;
finish();
