#!/usr/bin/perl
# uci as a GUI uses it: every command, in and out of turn; then whole games under
# tools/uci_match.c, which checks every line of an engine.
#
#	tests/uci.t [group ...]		all groups unless named
#
# No exact times are tested: whatever takes more than $patience counts as hanging.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use IO::Select;
use IPC::Open2 qw(open2);
use Time::HiRes qw(sleep time);

chdir(dirname($0) . '/..') or die "$!\n";
my $bin = $ENV{BIN} // abs_path('bin');
my $tests = $ENV{TESTS} // abs_path('build/gcc/tests');
my $uci = "$bin/uci";
my $plain = "$uci --net material";	# needs no file, and is fast
my $patience = 120;
my $scratch = tempdir(CLEANUP => 1);
my ($count, $failed) = (0, 0);
my $move = qr/[a-h][1-8][a-h][1-8][nbrq]?/;
my @presets = map { /^PRESET\("([^"]+)"/ ? ($1) : () }
    split(/\n/, `cat src/chess/presets.def`);
$presets[0] = 'chess';	# as the protocol calls it
$SIG{PIPE} = 'IGNORE';
$ENV{LC_ALL} = 'C';

# The prototype makes a match that fails a false value, not an empty list.
sub ok($$@) {
	my ($good, $name, @shown) = @_;
	$count++;
	print($good ? "ok $count - $name\n" : "not ok $count - $name\n");
	return $good if $good;
	$failed++;
	print(STDERR "# $name\n", map { "#   $_\n" } map { substr($_, 0, 200) }
	    map { split(/\n/) } @shown);
	return $good;
}

sub skip {
	my ($name, $reason) = @_;
	$count++;
	print("ok $count # SKIP $name: $reason\n");
}

sub write_file {
	my ($name, $text) = @_;
	open(my $file, '>:raw', "$scratch/$name") or die "$name: $!\n";
	print($file $text);
	close($file) or die "$name: $!\n";
	return "$scratch/$name";
}

# ---- a conversation ----

sub start {
	my @options = @_;
	my $e = { text => '', said => [] };
	$e->{pid} = open2($e->{out}, $e->{in}, $uci, qw(--net material), @options);
	$e->{select} = IO::Select->new($e->{out});
	return $e;
}

sub give {
	my ($e, $text) = @_;
	$text .= "\n" if $text !~ /\n\z/;
	while (length($text)) {
		my $n = syswrite($e->{in}, $text) // return;
		substr($text, 0, $n) = '';
	}
}

# The next line; undef when none comes in time or no more can come.
sub listen_for {
	my ($e, $seconds) = @_;
	my $deadline = time() + $seconds;
	while ($e->{text} !~ /\n/) {
		my $left = $deadline - time();
		return undef if $left <= 0 || !$e->{select}->can_read($left);
		return undef
		    if !sysread($e->{out}, $e->{text}, 65536, length($e->{text}));
	}
	$e->{text} =~ s/^([^\n]*)\n//;
	push(@{ $e->{said} }, $1);
	return $1;
}

# All lines up to one that matches, which is the last; empty if none comes.
sub until_line {
	my ($e, $pattern, $seconds) = @_;
	my @lines;
	while (defined(my $line = listen_for($e, $seconds // $patience))) {
		push(@lines, $line);
		return @lines if $line =~ $pattern;
	}
	return ();
}

# What it says to some commands, until it is ready again.
sub answer {
	my ($e, $text) = @_;
	give($e, "$text\nisready");
	my @lines = until_line($e, qr/^readyok$/);
	pop(@lines);
	return @lines;
}

# What it says to a go, the bestmove last.
sub think {
	my ($e, $text) = @_;
	give($e, $text);
	return until_line($e, qr/^bestmove /);
}

# Ends it; returns the exit status, -1 if it had to be killed.
sub finish {
	my ($e, $text) = @_;
	give($e, $text // 'quit') if ($text // 'quit') ne '';
	close($e->{in});
	1 while defined(listen_for($e, $patience));
	my $pid = $e->{pid};
	for (1 .. 100 * $patience) {
		my $gone = waitpid($pid, 1);	# WNOHANG
		return $? & 127 ? 128 + ($? & 127) : $? >> 8 if $gone == $pid;
		sleep(0.01);
	}
	kill('KILL', $pid);
	waitpid($pid, 0);
	return -1;
}

# One whole conversation: lines and status.
sub converse {
	my ($text, @options) = @_;
	my $e = start(@options);
	give($e, $text);
	my $status = finish($e, '');
	return ($status, @{ $e->{said} });
}

sub last_info { return (grep { /^info .* pv / } @_)[-1] // ''; }
sub best { return ($_[-1] // '') =~ /^bestmove (\S+)/ ? $1 : ''; }
sub nodes { return last_info(@_) =~ / nodes (\d+)/ ? $1 : -1; }
sub bestmoves { return scalar(grep { /^bestmove/ } @_); }

# ---- groups of tests ----

sub test_handshake {
	my $e = start();
	give($e, 'uci');
	my @lines = until_line($e, qr/^uciok$/);
	my @names = map { /^option name (.+?) type/ ? $1 : () } @lines;
	ok("@names" eq 'Net Search Sims Threads Hash TreeMemory MultiPV ' .
	    'Move Overhead Ponder UCI_ShowWDL UCI_Chess960 UCI_Variant Rules', 'the options', "@names");
	ok($lines[0] =~ /^id name rulelab \S+$/ && $lines[1] =~ /^id author \S/,
	    'it gives its name', @lines);
	my @odd = grep { !/^id\ (name|author)\ |^uciok$|^option\ name\ .+\ type\ (
	    string\ default\ \S+ | check\ default\ (true|false) |
	    spin\ default\ \d+\ min\ \d+\ max\ \d+ |
	    combo\ default\ (chess|net)(\ var\ [a-z0-9-]+)+)$/x } @lines;
	ok(!@odd, 'each option is well formed', @odd);
	my ($variants) = grep { /UCI_Variant/ } @lines;
	my %other = map { $_ => 1 } qw(3check kingofthehill nocastle racingkings);
	my @variants = $variants =~ /var (\S+)/g;
	ok(join(' ', grep { !$other{$_} } @variants) eq "@presets",
	    'all presets are variants', $variants);
	ok((grep { $other{$_} } @variants) == keys(%other),
	    'under the names that others use, too', $variants);
	answer($e, 'setoption name Sims value 7');
	give($e, 'uci');
	my @again = until_line($e, qr/^uciok$/);
	ok("@again" eq "@lines", 'defaults stay what they were', @again);
	ok(finish($e) == 0, 'quit ends it with 0');
	for ([2, '--rules', 'no-such-rules'], [2, 'file'], [2, '--sims', '0'],
	    [2, '--bad'], [0, '--help'], [0, '--version']) {
		my ($want, @options) = @$_;
		system("'$uci' @options >/dev/null 2>&1 </dev/null");
		ok($? >> 8 == $want, "uci @options: exit status $want", $? >> 8);
	}
}

sub test_limits {
	my $e = start();
	my @lines = think($e, 'go nodes 123');
	ok(best(@lines) =~ /^$move$/, 'go without a position: the usual start',
	    @lines);
	ok(nodes(@lines) == 123, 'go nodes 123 is that', @lines);
	@lines = think($e, "setoption name Sims value 77\nucinewgame\ngo");
	ok(nodes(@lines) == 77, 'go alone takes Sims', @lines);
	for my $limit ('movetime 200', 'wtime 1000 btime 1000 winc 10 binc 10',
	    'wtime 3000 btime 1 movestogo 20', 'wtime 0 btime 0', 'wtime -50',
	    'movetime 0', 'nodes 0', 'nodes -5', 'movetime nan', 'depth 4',
	    'movestogo -1e300 wtime 100', 'nodes 1e300 movetime 20',
	    'movetime', 'movetime infinite stop', 'nodes 10 foo bar',
	    'btime 5 nodes 20') {
		give($e, "ucinewgame\nposition startpos\ngo $limit");
		give($e, 'stop') if $limit =~ /infinite/;
		@lines = until_line($e, qr/^bestmove $move/);
		ok(@lines > 0, "go $limit", @lines);
	}
	@lines = think($e, "ucinewgame\ngo depth 4");
	ok(last_info(@lines) =~ /^info depth [45] /, 'go depth 4 is that deep',
	    @lines);
	@lines = think($e, "ucinewgame\nposition startpos\n" .
	    "go nodes 300 searchmoves a2a3 h2h4 e2e5");
	ok(best(@lines) =~ /^(a2a3|h2h4)$/, 'searchmoves', @lines);
	ok((grep { /illegal move e2e5/ } @lines), 'searchmoves: illegal', @lines);
	@lines = think($e, 'go nodes 300 searchmoves h2h3');
	ok(best(@lines) eq 'h2h3' && nodes(@lines) == 300,
	    'searchmoves: another one', @lines);
	@lines = think($e, 'go searchmoves a2a4 nodes 30');
	ok(best(@lines) eq 'a2a4' && nodes(@lines) == 30,
	    'searchmoves before a limit', @lines);
	@lines = think($e, 'go nodes 100');
	ok(nodes(@lines) == 100, 'after searchmoves nothing is left of it');
	finish($e);
}

sub test_stop {
	my $e = start();
	ok(!bestmoves(answer($e, "stop\nstop")), 'stop without go: nothing');
	ok(!bestmoves(answer($e, 'ponderhit')), 'ponderhit without go: nothing');
	give($e, "position startpos\ngo infinite");
	ok(!bestmoves(answer($e, '')), 'ready while it thinks');
	ok(!until_line($e, qr/^bestmove/, 0.3), 'infinite: no answer yet');
	my @lines = answer($e, "stop\nstop");
	ok(bestmoves(@lines) == 1, 'two stops, one answer', @lines);
	my ($all, $good) = (0, 0);
	for (1 .. 25) {
		$all++;
		@lines = answer($e, "ucinewgame\ngo infinite\nstop");
		$good += bestmoves(@lines) == 1 && $lines[-1] =~ /^bestmove $move/;
	}
	ok($all == $good, 'stopped at once: a move all the same', @lines);
	@lines = answer($e, join("\n", ("go infinite", "stop") x 100));
	ok(bestmoves(@lines) == 100, 'a hundred times go and stop');
	@lines = answer($e, join("\n", ("go nodes 20") x 20));
	give($e, 'stop');
	push(@lines, answer($e, ''));
	ok(bestmoves(@lines) == 20, 'each of 20 go in a row has its answer',
	    bestmoves(@lines));
	@lines = think($e, "go infinite\nposition startpos moves e2e4");
	ok(bestmoves(@lines) == 1, 'a position ends thinking, with an answer');
	finish($e);
}

sub test_ponder {
	my $e = start();
	for my $limit ('wtime 300 btime 300', 'nodes 50', 'movetime 50', '',
	    'depth 2') {
		give($e, "ucinewgame\nposition startpos moves e2e4\n" .
		    "go ponder $limit");
		ok(!until_line($e, qr/^bestmove/, 0.2), "ponder $limit: it waits");
		my @lines = think($e, 'ponderhit');
		ok(best(@lines) =~ /^$move$/, "ponder $limit: ponderhit", @lines);
		@lines = answer($e, "go ponder $limit\nstop");
		ok(bestmoves(@lines) == 1, "ponder $limit: stop", @lines);
		@lines = think($e, "ucinewgame\ngo ponder $limit\nponderhit");
		ok(bestmoves(@lines) == 1, "ponder $limit: hit at once", @lines);
	}
	finish($e);
}

sub test_ends {
	my $e = start();
	give($e, 'go infinite');
	ok(finish($e) == 0, 'quit while it thinks');
	my ($status, @lines) = converse('go infinite');
	ok($status == 0 && bestmoves(@lines) == 1,
	    'the end of input while it thinks', @lines);
	($status, @lines) = converse('go ponder wtime 100000 btime 100000');
	ok($status == 0 && bestmoves(@lines) == 1,
	    'the end of input while it ponders', @lines);
	($status, @lines) = converse('go nodes 500');
	ok($status == 0 && nodes(@lines) == 500,
	    'the end of input lets a search with an end finish', @lines);
	($status, @lines) = converse("isready\nquit\nisready");
	ok($status == 0 && "@lines" eq 'readyok', 'nothing after quit', @lines);
	($status, @lines) = converse('');
	ok($status == 0 && !@lines, 'no input');
	system("echo isready | '$uci' >/dev/full 2>/dev/null");
	ok($? >> 8 == 1, 'a failing write of the output is reported');
	system("timeout $patience bash -c \"(echo 'go infinite'; " .
	    "yes isready) 2>/dev/null | '$uci' | true\"");
	ok($? >> 8 == 0, 'a closed pipe ends it');
}

sub test_positions {
	my $e = start();
	my @lines = answer($e, 'position startpos moves e2e4 e2e4 e7e5');
	ok("@lines" eq 'info string illegal move e2e4', 'an illegal move', @lines);
	@lines = think($e, 'go nodes 30');
	ok(best(@lines) =~ /^[a-h][78]/, '... and the position is the one before',
	    @lines);
	for my $text ('position', 'position foo', 'position fen',
	    'position fen foo', 'position moves e2e4', 'position fen ' .
	    '8/8/8/8/8/8/8/8 w - - 0 1', 'position fen ' . '1' x 5000,
	    'position startposmoves e2e4', 'position fen moves moves moves',
	    'position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq') {
		@lines = answer($e, $text);
		ok(@lines == ($text =~ /KQkq/ ? 0 : 1) ||
		    "@lines" =~ /^info string/, substr($text, 0, 60), @lines);
	}
	@lines = think($e, "position startpos moves e2e4\n" .
	    "position fen nonsense\ngo nodes 30");
	ok(best(@lines) =~ /^[a-h][78]/, 'a bad FEN changes nothing', @lines);
	for my $bad (qw(0000 e2 e2e4e e2e9 i1i2 e7e8k E2E4), "\xff\xfe",
	    'x' x 1000) {
		@lines = answer($e, "position startpos moves $bad");
		ok(@lines == 1 && $lines[0] =~ /^info string illegal move /,
		    'no move: ' . substr($bad =~ tr/!-~//cdr, 0, 20), @lines);
	}
	@lines = answer($e, "position fen 7k/4P3/8/8/8/8/8/K7 w - - 0 1 " .
	    "moves e7e8Q\r");
	ok(!@lines, 'capital promotion, CR at the end', @lines);
	my $long = join(' ', ('g1f3 g8f6 f3g1 f6g8') x 5000);
	@lines = think($e, "position startpos moves $long\ngo nodes 30");
	ok(best(@lines) =~ /^$move$/, '20000 plies', @lines);
	@lines = answer($e, "position startpos moves $long g1f3");
	ok("@lines" eq 'info string more than 20000 plies', 'and one more',
	    @lines);
	@lines = think($e, 'position startpos moves ' .
	    join(' ', ('b1c3 b8c6 c3b1 c6b8') x 2) . "\ngo nodes 200");
	ok(nodes(@lines) == 200 && last_info(@lines) =~ / cp /,
	    'a draw that was not claimed: the game continues', @lines);
	finish($e);
}

sub test_over {
	my $e = start();
	for (['fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1', 'mate 0', 'chess'],
	    ['startpos moves f2f3 e7e5 g2g4 d8h4', 'mate 0', 'chess'],
	    ['fen k7/P7/K7/8/8/8/8/8 b - - 0 1', 'cp 0', 'chess'],
	    ['fen k7/P7/K7/8/8/8/8/8 b - - 0 1', 'mate 0', 'stalemate-win']) {
		my ($position, $score, $variant) = @$_;
		give($e, "setoption name UCI_Variant value $variant\n" .
		    "position $position");
		for my $go ('nodes 10', 'movetime 20', 'wtime 50 btime 50') {
			my @lines = think($e, "go $go");
			ok("@lines" eq "info depth 0 score $score bestmove 0000",
			    "$variant, $position, go $go", @lines);
		}
		give($e, 'go infinite');
		ok(!until_line($e, qr/^bestmove/, 0.1), '... infinite: waits');
		ok(best(think($e, 'stop')) eq '0000', '... until stop');
	}
	finish($e);
}

sub test_mates {
	my $e = start();
	for (['chess', '6k1/5ppp/8/8/8/8/8/R5K1 w', 1, 'a1a8'],
	    ['chess', 'r5k1/8/8/8/8/8/5PPP/6K1 b', 1, 'a8a1'],
	    ['chess', '6rk/6pp/8/6N1/8/8/5PPP/6K1 w', 1, 'g5f7'],
	    ['chess', '7k/8/8/8/8/8/R7/1R4K1 w', 2, 'a2a7|b1b7'],
	    ['chess', 'kbK5/pp6/1P6/8/8/8/8/R7 w', 2, 'a1a6'],
	    ['chess', '7k/R7/8/8/8/8/8/1R4K1 b', -1, 'h8g8'],
	    ['chess', 'kbK5/pp6/RP6/8/8/8/8/8 b', -1, $move],
	    ['chess', '6k1/8/6K1/8/8/8/8/R7 b', -2, 'g8f8'],
	    ['chess', 'k7/8/2K5/8/8/8/8/7R b', -2, 'a8[ab][78]'],
	    ['stalemate-win', 'k7/P7/8/1K6/8/8/8/8 w', 1, 'b5[ab]6'],
	    ['torpedo', '7k/8/4P1K1/8/8/8/8/8 w', 1, 'e6e8[qr]']) {
		my ($variant, $fen, $mate, $best) = @$_;
		my $moves = abs($mate);
		my $length = $mate > 0 ? 2 * $mate - 1 : 2 * $moves;
		for my $go ('nodes 200000', "mate $moves") {
			my @lines = think($e, "ucinewgame\nsetoption name " .
			    "UCI_Variant value $variant\n" .
			    "position fen $fen - - 0 1\ngo $go");
			my ($pv) = last_info(@lines) =~ / pv (.*)/;
			my @pv = split(' ', $pv // '');
			my $wdl = $mate > 0 ? '1000 0 0' : '0 0 1000';
			ok(last_info(@lines) =~ / score mate $mate wdl $wdl / &&
			    @pv == $length && best(@lines) =~ /^($best)$/,
			    "$variant: $fen: mate $mate (go $go)", @lines);
		}
	}
	# Of two defences the longer one is chosen.
	my @long = think($e, "setoption name UCI_Variant value chess\n" .
	    "position fen 6k1/8/7K/8/8/8/8/R7 w - - 0 1\n" .
	    'go nodes 200000 searchmoves h6g6');
	ok(last_info(@long) =~ / mate 3 .* pv h6g6 g8f8 \S+ \S+ \S+$/,
	    'mate in three', @long);
	# A win is played to its end, not only seen.
	my @moves;
	for (1 .. 8) {
		my @lines = think($e, "setoption name UCI_Variant value chess\n" .
		    "position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1" .
		    (@moves ? " moves @moves" : '') . "\ngo nodes 20000");
		last if best(@lines) eq '0000';
		push(@moves, best(@lines));
	}
	ok(@moves == 3, 'mate in two is given in two', "@moves");
	finish($e);
}

sub test_options {
	my $e = start();
	for my $bad ('name Sims value 0', 'name Sims value x', 'name Sims',
	    'name Sims value', 'name Sims value 12 13', 'name Threads value 0',
	    'name Hash value -1', 'name Hash value 99999999999999999999',
	    'name MultiPV value 0', 'name MultiPV value 1e3',
	    'name TreeMemory value 0', 'name Move Overhead value 6000',
	    'name Ponder value maybe', 'name UCI_Chess960 value 1',
	    'name UCI_Variant value pawn-one-square+torpedo', 'name UCI_ShowWDL value',
	    'name UCI_Variant value duck', 'name UCI_Variant',
	    'name UCI_Variant value ' . 'x' x 2000,
	    'name Rules value nosuchfile.json', 'name Rules value {"a":1}',
	    'name Net', 'name Net value <empty>', 'name NoSuchOption value 1',
	    'name', '', 'value 3', 'Sims 3', "name \x01\xff value \x02") {
		my @lines = answer($e, "setoption $bad");
		ok(@lines == 1 && $lines[0] =~ /^info string [ -~\x80-\xff]+$/,
		    'refused: setoption ' . substr($bad =~ tr/ -~//cdr, 0, 50),
		    @lines);
	}
	for my $good ('name sims value 50', 'name  SIMS  value  50 ',
	    'name hash value 1', 'name Hash value 0', 'name THREADS value 2',
	    'name treememory value 10', 'name multipv value 2',
	    'name move overhead value 0', 'name ponder value TRUE',
	    'name uci_showwdl value False', 'name uci_chess960 value TRUE',
	    'name UCI_Chess960 value false', 'name UCI_Variant value 3check',
	    'name UCI_Variant value KingOfTheHill',
	    'name UCI_Variant value fischerandom',
	    'name UCI_Variant value {"checks_to_win":5,"knight":"fNbW"}', 'name UCI_VARIANT value Torpedo',
	    'name Net value uniform', 'name Rules value torpedo+no-castling',
	    'name Rules value {"pawn_back":true}', 'name Rules value',
	    'name Rules value <empty>') {
		my @lines = answer($e, "setoption $good");
		ok(!@lines, "taken: setoption $good", @lines);
	}
	my @lines = think($e, 'go');
	ok(nodes(@lines) == 50 && !grep({ /wdl/ } @lines) &&
	    grep({ / multipv 2 / } @lines), 'and they have their effect', @lines);
	@lines = think($e, "position startpos moves e2e4 a7a6\n" .
	    "go nodes 10 searchmoves e4e6");
	ok(best(@lines) eq 'e4e6', 'the variant is torpedo', @lines);
	answer($e, 'setoption name Rules value classical');
	@lines = answer($e, 'position startpos moves e2e4 a7a6 e4e6');
	ok("@lines" =~ /illegal move e4e6/, 'Rules comes before UCI_Variant');
	@lines = answer($e, 'setoption name UCI_Variant value pawn-back');
	ok("@lines" =~ /no effect/, 'and says so', @lines);
	answer($e, 'setoption name Rules value <empty>');
	@lines = answer($e, 'position startpos moves e2e4 a7a6 e4e3');
	ok(!@lines, 'until it is empty again', @lines);
	finish($e);
}

# An old net plays rules that it was not trained on, and says so.
sub test_untold {
	my $tower = abs_path('nets/tower/tower.onnx');
	return skip('a net of former days', 'it is not here') if !$tower || !-r $tower;
	my $e = start('--net', $tower, '--rules', '{"knight":"fNbW"}');
	my @lines = answer($e, '');
	ok("@lines" eq 'info string the net was not trained on knight',
	    'a net says what it was not trained on', @lines);
	ok(!answer($e, ''), '... once');
	@lines = answer($e, 'setoption name Rules value ' .
	    '{"checks_to_win":3,"king":"KD"}');
	ok("@lines" eq 'info string the net was not trained on king, checks_to_win',
	    '... and again under other rules', @lines);
	@lines = think($e, "position fen 7k/6Q1/8/8/8/8/8/K7 b - - 1+3 0 1 moves " .
	    "h8g7\ngo nodes 5");
	ok(best(@lines) =~ /^$move$/, '... and plays', @lines);
	@lines = think($e, "position fen 6k1/8/8/8/8/8/8/K6R w - - 1+3 0 1\ngo nodes 300");
	ok(best(@lines) eq 'h1g1' && last_info(@lines) =~ / mate 1 /,
	    '... and sees how they end', @lines);
	finish($e);
	for my $program ("selfplay -q -g 1 --sims 2 -N '$tower'",
	    "match -q -g 2 --sims 2 '$tower' random",
	    "priorwalk -q --lines 1 --plies 1 -N '$tower'") {
		my $said = `'$bin'/$program -r '{"knight":"fNbW","ply_limit":8}' 2>&1 >/dev/null`;
		ok($said =~ /was not trained on knight: it plays by the rules/,
		    (split(' ', $program))[0] . ' says so, too', $said);
	}
}

# Castling as others write it and as UCI_Chess960 wants it, in and out.
sub test_chess960 {
	my $e = start();
	my $usual = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
	my $odd = '1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1';
	for (['false', $usual, 'e1g1 e8c8', 'e1g1', 'e8c8'],
	    ['false', $usual, 'e1h1 e8a8', 'e1g1', 'e8c8'],
	    ['true', $usual, 'e1h1 e8a8', 'e1h1', 'e8a8'],
	    ['true', $usual, 'e1g1 e8c8', 'e1h1', 'e8a8'],
	    ['false', $odd, 'f1g1 e8b8', 'f1g1', 'e8b8'],
	    ['true', $odd, 'f1b1 e8g8', 'f1b1', 'e8g8'],
	    ['true', $odd =~ s/GBgb/KQkq/r, 'f1b1 e8g8', 'f1b1', 'e8g8']) {
		my ($mode, $fen, $given, @want) = @$_;
		my @moves = split(' ', $given);
		answer($e, "setoption name UCI_Chess960 value $mode");
		for my $ply (0, 1) {
			my $before = $ply ? " moves $moves[0]" : '';
			my @lines = think($e, "position fen $fen$before\n" .
			    "go nodes 20 searchmoves $moves[$ply]");
			ok(best(@lines) eq $want[$ply] &&
			    last_info(@lines) =~ / pv $want[$ply]/,
			    "UCI_Chess960 $mode, $fen: $moves[$ply]", @lines);
		}
		my @lines = think($e, "position fen $fen moves @moves\ngo nodes 20");
		ok(best(@lines) =~ /^$move$/ && !grep({ /illegal/ } @lines),
		    '... both', @lines);
	}
	my @lines = answer($e, 'position fen 4k3/8/8/8/8/8/8/4KR1R w K - 0 1 moves e1f1');
	ok("@lines" =~ /illegal move e1f1/, 'only a rook with its right', @lines);
	# A king that can take its rook by itself: castling keeps its form.
	answer($e, 'setoption name Rules value {"king":"KH","self_capture":true}');
	for my $m (qw(e1g1 e1h1)) {
		@lines = think($e, "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n" .
		    "go nodes 20 searchmoves $m");
		ok(best(@lines) eq $m, "a king KH that may take its rook: $m", @lines);
	}
	answer($e, 'setoption name Rules value {"king":"KD"}');
	for my $m (qw(e1g1 e1h1)) {
		@lines = think($e, "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n" .
		    "go nodes 20 searchmoves $m");
		ok(best(@lines) eq $m, "a king KD: $m", @lines);
	}
	finish($e);
	match('Chess960', "-g 2 -n 30 -o 6 -r chess960 -1 UCI_Chess960=true " .
	    "-2 UCI_Chess960=true '$plain' '$plain'");
}

sub test_net {
	my $e = start('--net', "$scratch/none.onnx");
	my @lines = answer($e, '');
	ok(@lines == 1 && $lines[0] =~ /^info string cannot use Net /,
	    'a net that is not there', @lines);
	ok(best(think($e, 'go nodes 10')) eq '0000', 'is not played with');
	@lines = think($e, "setoption name Net value material\ngo nodes 10");
	ok(best(@lines) =~ /^$move$/, 'another is', @lines);
	ok(finish($e) == 1, 'and the exit status shows it');
	write_file('bad.onnx', 'this is not a net');
	$e = start();
	@lines = answer($e, "setoption name Net value $scratch/bad.onnx");
	ok(@lines == 1 && $lines[0] =~ /^info string cannot use Net /,
	    'a file that is no net', @lines);
	finish($e);
}

sub test_garbage {
	my $e = start();
	ok("@{[answer($e, 'xyzzy')]}" eq 'info string unknown command xyzzy',
	    'an unknown command');
	ok(!answer($e, "\n\n  \n\t\r\n"), 'empty lines');
	give($e, 'joho isready');
	ok(until_line($e, qr/^readyok$/), 'words before a command are skipped');
	ok(!answer($e, "debug on\nregister later\ndebug"), 'debug and register');
	ok(!answer($e, "position startpos\r\nucinewgame\r"), 'lines with CR');
	for my $length (262143, 262144, 262145, 3000000) {
		my @lines = answer($e, 'x' x $length);
		ok(@lines == 1, "a line of $length bytes", @lines);
	}
	srand(1);
	my $noise = join('', map { chr(int(rand(256))) } 1 .. 20000);
	my @lines = answer($e, "$noise\n\0\0\n\0go\n" . "\xff" x 100);
	ok(!(grep { !/^info string [ -~\x80-\xff]*$/ } @lines),
	    'noise', grep { !/^info string/ } @lines);
	my @words = qw(go position startpos fen moves e2e4 e7e5 setoption name
	    value Sims Rules torpedo MultiPV infinite ponder nodes 5 movetime 1
	    searchmoves stop ponderhit ucinewgame wtime btime depth mate -1
	    winc movestogo isready uci xx);
	my $text = join('', map { $words[rand(@words)] .
	    (rand() < 0.3 ? "\n" : ' ') } 1 .. 3000);
	give($e, "$text\nstop\nisready");
	give($e, 'd');
	push(@lines, my @more = until_line($e, qr/unknown command d$/));
	ok(@more > 0, 'a storm of words: it lives');
	ok(!(grep { !/^(info|bestmove|readyok|id|option|uciok)\b/ } @more),
	    'and says nothing odd');
	ok(finish($e) == 0, 'and ends well');
}

sub test_info {
	my $e = start();
	my @lines = think($e, "setoption name MultiPV value 4\n" .
	    "position startpos moves e2e4 d7d5\ngo nodes 2000");
	my @four = grep { /^info .* nodes 2000 / } @lines;
	my @ranks = map { / multipv (\d+)/ } @four;
	my %first = map { / pv (\S+)/ ? ($1 => 1) : () } @four;
	ok("@ranks" eq '1 2 3 4' && keys(%first) == 4,
	    'MultiPV 4: four lines, four moves', @lines);
	ok($lines[-1] =~ /^bestmove (\S+) ponder (\S+)$/ &&
	    $four[0] =~ / pv $1 $2/, 'the first of them is played', @lines);
	@lines = think($e, "position fen 7k/8/8/8/8/8/R7/1R4K1 b - - 0 1\n" .
	    "go nodes 100");
	ok((grep { /^info/ } @lines) <= 4, 'fewer where there are fewer');
	answer($e, 'setoption name MultiPV value 1');
	my ($bad, $all) = (0, 0);
	for my $net (qw(material uniform)) {
		answer($e, "setoption name Net value $net");
		for my $n (1 .. 40) {
			@lines = think($e, "position startpos moves " .
			    "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5\ngo nodes $n");
			$all++;
			last_info(@lines) =~ / wdl (\d+) (\d+) (\d+) / &&
			    $1 + $2 + $3 == 1000 or $bad++;
		}
	}
	ok($bad == 0, "wdl sums to 1000 in $all lines", "$bad do not");
	@lines = think($e, "ucinewgame\ngo movetime 300");
	my ($nps) = last_info(@lines) =~ / nps (\d+)/;
	my ($time) = last_info(@lines) =~ / time (\d+)/;
	my $nodes = nodes(@lines);
	ok(abs($nps * $time / 1000 - $nodes) <= 0.02 * $nodes + $nps / 500 + 2,
	    'nodes are nps by time', last_info(@lines));
	ok($time >= 300 && $time < 10000, 'time is what has passed', $time);
	give($e, "setoption name UCI_ShowWDL value false\nucinewgame\n" .
	    "go infinite");
	@lines = until_line($e, qr/^info depth/);
	ok(@lines && !grep({ /^bestmove/ } @lines), 'news while it thinks', @lines);
	push(@lines, think($e, 'stop'));
	ok(!grep({ /wdl/ } @lines), 'no wdl when not wanted', @lines);

	# A timed search that ends because its memory is full says so.
	@lines = think($e, "setoption name TreeMemory value 1\nucinewgame\n" .
	    "position startpos\ngo movetime 25000");
	ok((grep { /^info string .*TreeMemory, 1 MiB/ } @lines) == 1,
	    'a full tree is reported', @lines);
	finish($e);
}

sub test_alpha_beta {
	my $e = start('--search', 'ab');
	my $fen = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq -';
	my @lines = think($e, "position fen $fen 0 1\ngo depth 4");
	ok(best(@lines) eq 'f3f7' && last_info(@lines) =~ / score mate 1 /,
	    'alpha-beta: a mate', @lines);
	@lines = think($e, "setoption name MultiPV value 3\nucinewgame\n" .
	    "position startpos moves e2e4\ngo nodes 20000");
	my @depths = map { /^info depth (\d+) .* multipv 1 / ? ($1) : () } @lines;
	ok(@depths > 3 && join(' ', @depths) eq
	    join(' ', sort { $a <=> $b } @depths), 'news of each iteration', @lines);
	my @last = @lines[-4 .. -2];
	ok("@{[map { / multipv (\d+)/ } @last]}" eq '1 2 3' &&
	    !(grep { !/ seldepth \d+ .* wdl \d+ \d+ \d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv $move/ } @last),
	    'MultiPV: three lines with all there is to say', @last);
	my %first = map { / pv (\S+)/ ? ($1 => 1) : () } @last;
	ok(keys(%first) == 3, 'three different moves', @last);
	ok(nodes(@lines) >= 20000 && nodes(@lines) < 21000, 'so many nodes',
	    @lines);
	answer($e, 'setoption name MultiPV value 1');
	my @told;
	for my $i (0, 1) {
		@lines = think($e, "ucinewgame\nposition startpos moves d2d4\n" .
		    "go nodes 30000");
		s/ nps .* pv / pv / for @lines;
		push(@told, "@lines");
	}
	ok($told[0] eq $told[1], 'one thread: the same again', @told);

	give($e, 'go infinite');
	until_line($e, qr/^info depth 3 /);
	@lines = think($e, 'stop');
	ok(best(@lines) =~ /^$move$/, 'it stops', @lines);
	give($e, 'go ponder movetime 100');
	@lines = until_line($e, qr/^info depth 3 /);
	ok(!grep({ /^bestmove/ } @lines), 'it ponders', @lines);
	@lines = think($e, 'ponderhit');
	ok(best(@lines) =~ /^$move$/, 'and moves after ponderhit', @lines);
	answer($e, 'setoption name Threads value 2');
	@lines = think($e, "ucinewgame\ngo movetime 300");
	ok(best(@lines) =~ /^$move$/, 'two threads', @lines);
	@lines = think($e, 'go depth 6 searchmoves h2h3');
	ok(best(@lines) =~ /^$move$/, 'searchmoves of the other side', @lines);
	@lines = think($e, "position startpos\ngo depth 5 searchmoves a2a3 h2h4");
	ok(best(@lines) =~ /^(a2a3|h2h4)$/, 'searchmoves', @lines);
	finish($e);
}

sub test_memory {
	my ($size) = `cat /proc/meminfo` =~ /^MemTotal: +(\d+) kB/m;
	return skip('too large a Hash', 'there are 64 GiB') if
	    ($size // 0) >= 64 << 20;
	for my $search (qw(tree ab)) {
		my $e = start('--search', $search);
		my @lines = answer($e, 'setoption name Hash value 65536');
		ok((grep { /^info string Hash is 64 and not 65536: / } @lines) == 1,
		    "$search: Hash 65536 is too much", @lines);
		@lines = think($e, 'go nodes 100');
		ok(best(@lines) =~ /^$move$/, '... and does no harm', @lines);
		finish($e);
	}
}

sub test_tree {
	my $e = start();
	my @lines = think($e, "position startpos\ngo nodes 20000");
	my ($one, $two) = $lines[-1] =~ /^bestmove (\S+) ponder (\S+)/;
	@lines = think($e, "position startpos moves $one $two\ngo nodes 10");
	my $reused = nodes(@lines);
	ok($reused > 10, 'a longer list of moves keeps the tree', @lines);
	@lines = think($e, "go nodes 3000");
	ok(nodes(@lines) == 3000, 'the same position, too', @lines);
	@lines = think($e, "position startpos moves $one\ngo nodes 10");
	ok(nodes(@lines) == 10, 'a move taken back does not', @lines);
	think($e, "position startpos moves $one $two\ngo nodes 500");
	@lines = think($e, "ucinewgame\ngo nodes 10");
	ok(nodes(@lines) == 10, 'ucinewgame forgets it', @lines);

	# However the position is set, nothing of another game is left in it.
	my $fen = '8/8/8/3k4/8/8/8/KQ6';
	my ($status, @fresh) = converse("position fen $fen w - - 98 60\n" .
	    "go nodes 400");
	think($e, "position fen $fen w - - 0 1\ngo nodes 400");
	@lines = think($e, "position fen $fen w - - 98 60\ngo nodes 400");
	s/ nps .* pv / pv / for @fresh, @lines;
	ok(last_info(@lines) eq last_info(@fresh) && best(@lines) eq best(@fresh),
	    'the same FEN with other counts is another position',
	    $fresh[-2], $lines[-2]);
	think($e, "setoption name UCI_Variant value torpedo\ngo nodes 100");
	@lines = think($e, "setoption name UCI_Variant value chess\n" .
	    "position fen $fen w - - 98 60\ngo nodes 400");
	s/ nps .* pv / pv / for @lines;
	ok(last_info(@lines) eq last_info(@fresh), 'also after other rules');

	# The game continues after a repetition that was not claimed: the move before
	# was the only one, and all visits went to what seemed the end of the game.
	my @moves = (qw(h5e8 g8h7 e8h5 h7g8)) x 2;
	for my $n (0 .. @moves) {
		@lines = think($e, "position fen 6k1/6p1/8/7Q/8/8/rr6/6K1 w - - " .
		    '0 1' . ($n ? " moves @moves[0 .. $n - 1]" : '') .
		    "\ngo nodes 200");
	}
	ok(best(@lines) eq 'h5e8',
	    'a position that repeats is searched', @lines);

	# Memory is bounded, so every search ends.
	@lines = think($e, "setoption name TreeMemory value 1\nucinewgame\n" .
	    "position startpos\ngo nodes 100000000");
	ok(nodes(@lines) > 50 && nodes(@lines) < 100000,
	    'a full tree ends a search', @lines);
	give($e, 'go infinite');
	ok(!until_line($e, qr/^bestmove/, 0.2), 'but not an infinite one');
	ok(best(think($e, 'stop')) =~ /^$move$/, 'which stops when told');
	@lines = think($e, "go mate 3");
	ok(best(@lines) =~ /^$move$/, 'a mate that is not there', @lines);

	# Where every move ends the game there is nothing to ask, and much to do.
	give($e, "position fen 7k/8/8/8/8/8/8/KN6 w - - 0 1\n" .
	    "go nodes 100000000");
	sleep(0.1);
	@lines = think($e, 'stop');
	ok(@lines > 0, 'drawn at every move: stop');
	@lines = think($e, 'go nodes 100000000 movetime 100');
	ok(@lines > 0, 'drawn at every move: movetime');
	finish($e);
}

# ---- games ----

sub match {
	my ($name, @arguments) = @_;
	my $said = `'$tests/uci_match' @arguments 2>&1 >'$scratch/games.jsonl'`;
	my $good = $? == 0 && $said =~ /^(\d+) games, (\d+) plies.* 0 faults$/m;
	ok($good && $2 > 0, "games: $name", $said);
	my $read = `'$bin/drawstats' -q '$scratch/games.jsonl' 2>&1`;
	ok($? == 0 && $read =~ /"unknown":0/ == 1, "... which can be read", $read)
	    if $good;
	return $said;
}

sub test_games {
	for my $preset (@presets) {
		my $spec = $preset eq 'chess' ? 'classical' : $preset;
		match($spec, '-g 2 -n 25 -o 6 -r', $spec, "'$plain' '$plain'");
	}
	match('a sum', "-g 2 -n 25 -o 6 -r torpedo+self-capture '$plain' '$plain'");
	match('a file of rules', "-g 2 -n 25 -o 4 -r '$scratch/mine.json' " .
	    "'$plain' '$plain'");
	# With time instead of nodes games must not be long.
	my $short = "-g 2 -o 6 -r '$scratch/short.json'";
	match('on a clock', "$short -c 200+5 '$plain' '$plain'");
	match('movetime', "$short -m 2 '$plain' '$plain'");
	my $said = match('pondering', "-p -g 2 -n 50 -o 6 '$plain' '$plain'");
	ok($said =~ /, [1-9]\d* ponder hits/, 'some ponder hits', $said);
	match('pondering on a clock', "-p $short -c 100+5 '$plain' '$plain'");
	match('infinite and stop', "$short -i 1 '$plain' '$plain'");
	match('other options', "-g 2 -n 30 -o 6 -1 MultiPV=3 -1 Hash=0 " .
	    "-2 Net=uniform -2 TreeMemory=1 -2 UCI_ShowWDL=false '$plain' '$plain'");
}

sub test_onnx {
	my $net = abs_path('tests/towers/good.onnx');
	my $e = start('--net', $net);
	my @lines = answer($e, '');
	finish($e);
	return skip('an ONNX net', $lines[0]) if "@lines" =~ /ONNX Runtime/;
	my $status;
	($status, @lines) = converse('go nodes 20', '--net', abs_path('tests/towers/nan.onnx'));
	ok($status == 1 && @lines == 2 && best(@lines) eq '0000' &&
	    $lines[0] =~ /^info string the net failed: /,
	    'a net that says NaN is not played with', @lines);
	match('a net against itself', "-g 2 -n 10 -o 10 -r self-capture " .
	    "-1 'Net=$net' '$plain' '$uci --net $net'");
	match('a net on a clock, pondering', "-p -g 1 -c 100+2 -o 10 " .
	    "-r '$scratch/short.json' '$uci --net $net' '$plain'");
	match('a net, two threads', "-g 1 -m 1 -o 10 -1 Threads=2 " .
	    "-r '$scratch/short.json' '$uci --net $net' '$plain'");
}

sub test_stockfish {
	my ($stockfish) = grep { -x } map { "$_/stockfish" }
	    split(/:/, "$ENV{PATH}:/usr/games");
	return skip('games against Stockfish', 'stockfish is not here')
	    if !$stockfish;
	match('against Stockfish', "-g 2 -n 40 -o 8 '$plain' '$stockfish'");
	match('against Stockfish, pondering', "-p -g 2 -n 40 -o 8 " .
	    "'$plain' '$stockfish'");
}

# The driver itself: it must detect engines that break the protocol.
sub test_driver {
	my $fake = write_file('fake', <<'END');
#!/usr/bin/perl
$| = 1;
my ($fault, $gos) = (shift, 0);
while (<STDIN>) {
	print("id name fake\nuciok\n") if /^uci$/;
	print("readyok\n") if /^isready/;
	exit($fault eq 'status' ? 3 : 0) if /^quit/ && $fault ne 'stays';
	print("bestmove e2e4\n") if /^ucinewgame/ && $fault eq 'early';
	next if !/^go/ || $fault eq 'hang';
	exit(1) if $fault eq 'crash';
	print("info depth 1 score cp 1 pv e2e4 e2e4\n") if $fault eq 'pv';
	print("info depth x\n") if $fault eq 'info';
	print("info depth 1 wdl 1 2 3\n") if $fault eq 'wdl';
	print("hello\n") if $fault eq 'chatter';
	print($fault eq 'illegal' ? "bestmove e2e5\n" :
	    $fault eq 'ponder' ? "bestmove e2e4 ponder e2e4\n" :
	    "bestmove e2e4\n");
	print("bestmove e2e4\n") if $fault eq 'twice';
}
END
	chmod(0755, $fake);
	my %sign = (hang => 'hang while', crash => 'crash while',
	    illegal => 'illegal move e2e5', twice => 'nobody has asked',
	    early => 'nobody has asked', pv => 'illegal move e2e4 in pv',
	    info => 'info does not parse', wdl => 'info does not parse',
	    chatter => 'what is this', ponder => 'bad ponder move',
	    status => 'ended with status', stays => 'hang after quit');
	for my $fault ('none', sort(keys(%sign))) {
		# only those that never answer are given up soon
		my $wait = $fault =~ /hang|stays/ ? 5 : 300;
		my $said = `'$tests/uci_match' -g 1 -t $wait -n 5 \\
		    -r '$scratch/shortest.json' '$fake $fault' '$plain' \\
		    2>&1 >/dev/null`;
		my $status = $? >> 8;
		ok($fault eq 'none' ? $status == 0 : $status == 1 &&
		    $said =~ /engine 1: $sign{$fault}/,
		    "the driver finds out: $fault", $said);
	}
}

$| = 1;
write_file('mine.json', '{"name":"mine","pawn_sideways":true,"double_step":4,' .
    '"count_limit":40,"ply_limit":80}');
write_file('short.json', '{"base":"self-capture","ply_limit":60}');
write_file('shortest.json', '{"ply_limit":2}');
my @groups = (handshake => \&test_handshake, limits => \&test_limits,
    stop => \&test_stop, ponder => \&test_ponder, ends => \&test_ends,
    positions => \&test_positions, over => \&test_over,
    mates => \&test_mates, options => \&test_options,
    chess960 => \&test_chess960, untold => \&test_untold, net => \&test_net,
    garbage => \&test_garbage, info => \&test_info, tree => \&test_tree,
    'alpha-beta' => \&test_alpha_beta, memory => \&test_memory,
    driver => \&test_driver, games => \&test_games, onnx => \&test_onnx,
    stockfish => \&test_stockfish);
while (my ($name, $test) = splice(@groups, 0, 2)) {
	next if @ARGV && !grep { $_ eq $name } @ARGV;
	my $began = time();
	$test->();
	printf("# %s: %.1f s\n", $name, time() - $began);
}
print("1..$count\n");
exit($failed != 0 || $count == 0);
