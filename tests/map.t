#!/usr/bin/perl
# The page of pipelines/design in a headless Chromium: the map and its dots, by mouse and
# keyboard; names that hold markup; no sideways scrolling on a telephone; nothing is
# fetched.
use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA qw(sha256_base64);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;

chdir(dirname($0) . '/..') or die "$!\n";
use lib 'tests';
use Browser;
use Tap;
Browser::watch();
skip_all('jq is missing') if system('command -v jq >/dev/null') != 0;

my $scratch = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;
my @aims = ({ measure => 'score', between => [0.49, 0.51], unit => 0.05, weight => 2 },
    { measure => 'draw_rate', below => 0.3, unit => 0.05, weight => 1 },
    { measure => 'fields', below => 0, unit => 1, weight => 1 });
my $evil = q{<b id=evil>"&'</script><script>document.evil = 1</script>};

# A rule set as design.jq writes it.
sub rules {
	my ($id, $title, $score, $draws, %more) = @_;
	my ($x, $y) = map { [$_, $_ - 0.05, $_ + 0.05] } $score, $draws;
	return { id => $id, title => $title, sentence => "About $title.", rules => { king => 'K' },
	    preset => JSON::PP::false, allowed => JSON::PP::true, elite => JSON::PP::true,
	    games => 40, loss => 1.5, page => undef, x => $x, y => $y,
	    values => [$x, $y, [1, 1, 1]], %more };
}

# The same as a finalist.
sub finalist {
	my ($id, $title, $score, $draws, $met, %more) = @_;
	my $r = rules($id, $title, $score, $draws, chess => JSON::PP::false, chosen_loss => 0.4, expected_loss => 0.5,
	    searched_games => 80, games => 1000, met => $met ? JSON::PP::true : JSON::PP::false,
	    moves => ['1. e4 e5 1-0'], %more);
	my @values = @{ $r->{values} };
	$r->{aims} = [map { { measure => $aims[$_]{measure}, at => $values[$_][0], from =>
	    $values[$_][1], to => $values[$_][2], chosen => $values[$_][0], state =>
	    $_ == 2 ? 'wish' : $met ? 'met' : 'missed' } } 0 .. 2];
	return $r;
}

# The page as text and as a file.
sub page {
	my (@finalists) = @_;
	my $data = { aims => \@aims, most => 2, change => ['king'], map => ['score', 'draw_rate'],
	    seed => '1', sims => '200', games => 4000, finalists => \@finalists,
	    all => [rules('0001', 'Classical', 0.55, 0.4, preset => JSON::PP::true), rules('0002', $evil, 0.4, 0.2),
	    rules('0003', 'Plain', 0.7, 0.1, allowed => JSON::PP::false), rules('0004', 'Better', 0.5, 0.25)] };
	open(my $f, '>', "$scratch/design.json") or die;
	print($f $json->encode($data));
	close($f) or die;
	my $hash = sha256_base64("\n" . `cat pipelines/map/map.js`) . '=';
	my $text = `jq -r --rawfile style pipelines/map/style.css --rawfile script pipelines/map/map.js --arg hash '$hash' --arg version 1 -L pipelines/map -f pipelines/map/page.jq $scratch/design.json`;
	die "jq failed\n" if $? != 0;
	open($f, '>', "$scratch/index.html") or die;
	print($f $text);
	close($f) or die;
	return $text;
}

my $chess = finalist('0001', 'Classical', 0.55, 0.4, 0, chess => JSON::PP::true);
like(page(finalist('0004', 'Better', 0.53, 0.33, 0), $chess),
    qr/No rule set was found that meets all aims/, 'out of reach: the page says so');
my $text = page(finalist('0004', 'Better', 0.5, 0.25, 1, page => 'play/0004.html'),
    finalist('0002', $evil, 0.6, 0.2, 0), $chess);
like($text, qr/1 of 2 finalists meet all aims/, 'how many meet all aims');
like($text, qr{of 0\.5 was expected on average\. In the 2000 fresh games at \S+ nodes a move it is 1\.5}, 'how much they fell');
ok($text !~ /<b id=evil>/, 'names are escaped');

my $b = Browser->start(1280, 900) or skip('the page in a browser', 'chromium is missing'), finish();
$b->open("file://$scratch/index.html");
is($b->js('document.querySelectorAll("#map .point").length'), 4, 'a dot for each rule set');
ok(!$b->js('!!document.evil || !!document.getElementById("evil")'), 'no script of a name is run');
$b->js('document.querySelector("[data-id=\"0002\"]").dispatchEvent(new MouseEvent("click"))');
is($b->js('document.querySelector("#about h3").textContent'), $evil, 'a click tells what it is');
$b->js('document.querySelector("[data-id=\"0004\"]").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}))');
is($b->js('[...document.querySelectorAll("#about a")].map(a => a.getAttribute("href")).join(" ")'),
    '#rules-0004 play/0004.html rules/0004.json', 'Enter on a finalist: its card, its page, its rules');
ok($b->js('[...document.querySelectorAll("#map .point")].every(p => p.tabIndex === 0 && p.getAttribute("aria-label"))'),
    'every dot can be reached by keys and has a name');
for my $width (1280, 390) {
	$b->size($width, 900);
	$b->open("file://$scratch/index.html");
	ok($b->js('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
	    "nothing to scroll sideways at $width");
}
is("@{ $b->{errors} }", '', 'no errors');
$b->stop;
finish();
